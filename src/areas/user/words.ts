// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const userWords: WordsOf = {
  User: { alsoCalled: ['client', 'customer'] },
};

export const userGetKinds: readonly GetKindRow[] = [
  [['users', 'user'], 'the users of the account', { manifest: 'User' }],
];
