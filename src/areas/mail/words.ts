// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const mailWords: WordsOf = {
  Mailspace: { alsoCalled: ['mail', 'email'] },
  MailDomain: { alsoCalled: ['maildomain'] },
  Mailbox: { alsoCalled: ['inbox'] },
  MailAlias: { alsoCalled: ['alias', 'forward'] },
  MailGroup: { alsoCalled: ['group', 'list'] },
};
