// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const mailWords: WordsOf = {
  Mailspace: { alsoCalled: ['mail', 'email'] },
  MailDomain: { alsoCalled: ['maildomain'] },
  Mailbox: {
    alsoCalled: ['inbox'],
    // No document gives the length of the retention period; the date is in the row once it is scheduled (MBX-05, MBX-23).
    deletion: [
      'can be restored by declaring it again until the platform erases it (the date is not known before the deletion; `get mailboxes` shows it afterwards)',
    ],
  },
  MailAlias: { alsoCalled: ['alias', 'forward'] },
  MailGroup: { alsoCalled: ['group', 'list'] },
};
