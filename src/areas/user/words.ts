// How the kinds of this area are worded for people, and what `get` calls what it shows. Data alone: it is loaded for help
// and completion.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const userWords: WordsOf = {
  // USR-01
  User: { alsoCalled: ['client', 'customer'], personalKeys: ['email', 'fname', 'lname'] },
};

export const userGetKinds: readonly GetKindRow[] = [
  [['users', 'user'], 'the users of the account', { manifest: 'User' }],
];
