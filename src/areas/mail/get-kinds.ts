// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const mailGetKinds: readonly GetKindRow[] = [
  [
    ['mailspaces', 'mailspace', 'ms'],
    'used space, quota, mailboxes, days until deletion, webmail',
    { manifest: 'Mailspace' },
  ],
  [
    ['mailboxes', 'mailbox', 'mb'],
    'used space, quota, days until deletion; wide: two-factor sign-in',
    { takes: ['mailspace'] },
  ],
  [
    ['mail-domains', 'mail-domain', 'md'],
    'domains of mailspaces: state, DNS; wide: the TXT record to publish',
    { takes: ['mailspace'] },
  ],
  [
    ['groups', 'group'],
    'groups of mailspaces, how many members each has; wide: who they are',
    { takes: ['mailspace'] },
  ],
  [['aliases', 'alias'], 'aliases of mailspaces, and where each leads', { takes: ['mailspace'] }],
];
