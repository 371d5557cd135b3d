// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const registrationGetKinds: readonly GetKindRow[] = [
  [
    ['registrations', 'registration', 'reg'],
    'expiry, renewal, cancellation deadline, fees, process going on',
    { takes: ['query'], moves: true, manifest: 'DomainRegistration' },
  ],
  [['contacts', 'contact'], 'who is at the registrar, and which registrations use them', { takes: ['query'] }],
  [['hosts', 'host'], 'glue records of registrations', { takes: ['registration'] }],
];
