// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const siteWords: WordsOf = {
  // DOM-13
  SiteDomain: { noun: 'hostname', needsRecords: true },
  SiteMail: { noun: 'mail settings', nouns: 'mail settings' },
};
