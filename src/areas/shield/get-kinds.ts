// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const shieldGetKinds: readonly GetKindRow[] = [
  [
    ['shield-rules', 'shield-rule', 'sr'],
    'rules of the WAF itself, own rules, rate limits, access lists',
    { takes: ['site'] },
  ],
  [
    ['shield-events', 'shield-event', 'se'],
    'what Shield logged, challenged and blocked on one day',
    { takes: ['site', 'date', 'limit'], limit: 100 },
  ],
];
