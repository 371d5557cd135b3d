// How the kinds of this area are worded for people, and what `get` calls what it shows. Data alone: it is loaded for help
// and completion.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const mailWords: WordsOf = {
  Mailspace: { alsoCalled: ['mail', 'email'] },
  MailDomain: { alsoCalled: ['maildomain'] },
  Mailbox: { alsoCalled: ['inbox'] },
  MailAlias: { alsoCalled: ['alias', 'forward'] },
  MailGroup: { alsoCalled: ['group', 'list'] },
};

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
