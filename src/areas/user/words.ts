// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const userWords: WordsOf = {
  // USR-01
  User: { alsoCalled: ['client', 'customer'], personalKeys: ['email', 'fname', 'lname'] },
};
