// How values, counts and names that users wrote are shown in messages, and which known name a wrong one is nearest to.
import leven from 'leven';
import { andMore } from './common/count.ts';

const SHOWN_LENGTH = 80;
const READ_LENGTH = 2_000;
const COMPARED_LENGTH = 100;
const SECRET_NAME = /token|passw(or)?d|passphrase|secret|api[_-]?key|private[_-]?key|auth[_-]?code/i;
const SECRET_VALUE =
  /(["']?[\w-]*(?:token|passw(?:or)?d|passphrase|secret|api[_-]?key|private[_-]?key|auth[_-]?code)[\w-]*["']?\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s{[&*|>,}][^,}]*)/gi;

/** Each control or direction character as one visible character, so that columns stay where they are. */
export function visible(text: string): string {
  return text
    .replace(/[\u0000-\u001f]/g, (character) =>
      character === '\t' ? '\u2192' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    )
    .replace(/\u007f/g, '\u2421')
    .replace(
      /[\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]/g,
      (character, offset: number, whole: string) => (isPaired(whole, offset) ? character : '\ufffd'),
    );
}

/** User's text in backticks, clipped. */
export function quote(text: string): string {
  const safe = withoutLogin(text.slice(0, READ_LENGTH));
  const shown = safe.length > SHOWN_LENGTH ? `${safe.slice(0, SHOWN_LENGTH)}…` : safe;
  return `\`${visible(shown).replaceAll('`', "'")}\``;
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[], last = 'or'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The first of a list, and how many more there are: `a, b and 3 more`. */
export function firstOf(names: readonly string[], most: number): string {
  return `${names.slice(0, most).join(', ')}${andMore(names.length - most)}`;
}

/**
 * Words that people write for a name of ours. They are compared before the spelling, because the nearest spelling can mean
 * the opposite: `and` is nearer to `any` than to `all`.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  all: ['and', 'every', 'each', 'both', 'everything'],
  any: ['or', 'either', 'some', 'one', 'oneof', 'anyof'],
  none: ['not', 'nor', 'neither', 'no', 'never', 'noneof', 'except'],
  block: ['deny', 'forbid', 'reject', 'drop', 'ban', 'refuse', 'disallow', 'denied'],
  allow: ['permit', 'accept', 'pass', 'whitelist', 'let'],
  bypass: ['skip', 'ignore'],
  challenge: ['captcha', 'verify', 'jschallenge'],
  log: ['monitor', 'count', 'detect', 'watch', 'report', 'simulate'],
  annual: ['yearly', 'year', 'annually'],
  monthly: ['month'],
  off: ['disabled', 'none', 'never'],
  present: ['exists', 'enabled'],
  absent: ['deleted', 'removed', 'gone', 'disabled'],
  refuse: ['deny', 'forbid', 'reject', 'block'],
  keep: ['retain', 'leave'],
  remove: ['delete', 'destroy', 'drop', 'prune'],
};

/** Names that mean the opposite of each other: a slip that is equally near to two of them suggests neither. */
const OPPOSITES: readonly (readonly string[])[] = [
  ['any', 'all', 'none'],
  ['allow', 'block'],
  ['allow', 'refuse'],
  ['present', 'absent'],
  ['keep', 'remove'],
];

/** The known name that was probably meant; letter case, `_` and `-` do not matter. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_LENGTH) return undefined;
  const plain = (text: string) => text.toLowerCase().replace(/[_\s-]/g, '');
  const wanted = plain(name);
  const synonym = known.find((candidate) => SYNONYMS[candidate]?.includes(wanted) === true);
  if (synonym !== undefined) return synonym;
  const ranked = known
    .map((candidate) => ({ candidate, distance: leven(wanted, plain(candidate)) }))
    .sort((left, right) => left.distance - right.distance);
  const best = ranked[0];
  // The beginning of a name is often what is remembered.
  const begun = known.filter((candidate) => wanted.length >= 3 && plain(candidate).startsWith(wanted));
  if (begun.length === 1) return begun[0];
  // Two letters that changed places, or a third of them wrong, are still a slip; more is another word.
  const slips = Math.max(wanted.length < 4 ? 1 : 2, Math.floor(wanted.length / 3));
  if (best === undefined || best.distance > slips) return undefined;
  const second = ranked[1];
  // Two names of opposite meaning at the same distance: the slip does not show which one was meant.
  const isAmbiguous =
    second?.distance === best.distance &&
    OPPOSITES.some((group) => group.includes(best.candidate) && group.includes(second.candidate));
  return isAmbiguous ? undefined : best.candidate;
}

/** ` Did you mean x?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const match = nearest(name, known);
  return match === undefined ? '' : ` Did you mean ${quote(match)}?`;
}

/** Each wrong name is compared with all that are known, so only so many of them are. */
const HINTS = 100;

/** `didYouMean` for the wrong names among the same known ones, of which there may be thousands; the first are told. */
export function hintsFrom(known: readonly string[]): (name: string) => string {
  let left = HINTS;
  return (name) => ((left -= 1) < 0 ? '' : didYouMean(name, known));
}

/** True for field names whose value must not be shown. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A line of a file without what looks like a secret in it; as long as before, so that a caret under it still fits. */
export function masked(line: string): string {
  return withoutLogin(line).replace(
    SECRET_VALUE,
    (_match, name: string, value: string) => name + '*'.repeat(value.length),
  );
}

/** A URL without user name and password. */
function withoutLogin(text: string): string {
  return text.replace(/:\/\/[^/\s@]*@/g, (login) => `://${'*'.repeat(login.length - 4)}@`);
}

function isPaired(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset + 1);
  return (
    (code >= 0xd800 && code < 0xdc00 && after >= 0xdc00 && after < 0xe000) ||
    (code >= 0xdc00 && code < 0xe000 && before >= 0xd800 && before < 0xdc00)
  );
}

/**
 * A count as people read it: `12,345`. `toLocaleString` would say the same, and loads tables of all languages for it,
 * which takes a fifth of what starting Node.js does.
 */
export function inThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
