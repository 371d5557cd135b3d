// How kinds are worded for people: the tables of all areas as one. Reports ask it; it needs no kind to be loaded.
import type { KindWords, WordsOf } from '../model/kind/words.ts';
import { cdnWords } from './cdn/words.ts';
import { mailWords } from './mail/words.ts';
import { panelWords } from './panel/words.ts';
import { registrationWords } from './registration/words.ts';
import { shieldWords } from './shield/words.ts';
import { siteWords } from './site/words.ts';
import { userWords } from './user/words.ts';

const WORDS: WordsOf = {
  ...siteWords,
  ...cdnWords,
  ...shieldWords,
  ...mailWords,
  ...registrationWords,
  ...panelWords,
  ...userWords,
};

/** The words of a kind. Nothing of one whose name and fields say it all. */
export function wordsOf(kind: string): KindWords {
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind] as KindWords) : {};
}

/** Names under which a request carries something about a person. */
export const PERSONAL_KEYS: ReadonlySet<string> = new Set(
  Object.values(WORDS).flatMap(({ personalKeys = [] }) => personalKeys),
);

/** In small letters and singular, with the kind that is meant. Spelling alone leads from `domain` to the wrong one. */
export const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([kind, { alsoCalled = [] }]) => alsoCalled.map((word) => [word, kind] as const)),
);

/** The kind that somebody means by a word, or undefined where nobody knows. */
export function kindMeant(word: string): string | undefined {
  const plain = word.toLowerCase().replace(/[_\s-]/g, '');
  return [plain, plain.replace(/s$/, ''), plain.replace(/es$/, '')].map((one) => MEANT.get(one)).find(Boolean);
}
