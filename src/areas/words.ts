// How kinds are worded for people: the tables of all areas as one. Reports ask it; it needs no kind to be loaded.
import type { KindWords, WordsOf } from '../model/kind/words.ts';
import { cdnWords } from './cdn/words.ts';
import { registrationWords } from './registration/words.ts';
import { shieldWords } from './shield/words.ts';
import { siteWords } from './site/words.ts';

const WORDS: WordsOf = { ...siteWords, ...cdnWords, ...shieldWords, ...registrationWords };

/** The words of a kind. Nothing of one whose name and fields say it all. */
export function wordsOf(kind: string): KindWords {
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind] as KindWords) : {};
}
