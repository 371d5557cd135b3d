// How objects are called for people: addresses without percent signs, and titles in words. `model/address.ts` reads both
// forms of an address.
import { domainToUnicode } from 'node:url';
import { wordsOf } from '../../areas/words.ts';
import type { Address, AddressSegment } from '../../model/address.ts';
import { parseAddress } from '../../model/address.ts';
import { withoutRules } from '../../model/diagnostic.ts';
import { escapeText, quoteText } from './escape.ts';

const NAME_LIMIT = 300;
/** What a name holds that stands in an address without quotes. */
const isBare = (name: string): boolean => /^[\p{L}\p{M}\p{N}_.@*+:-]+$/u.test(name);

/** `Site/shop/EdgeRule/"made elsewhere"`; what is no address is shown as it is. */
export function showAddress(address: Address): string {
  const segments = parseAddress(address);
  if (segments === undefined) return escapeText(address, NAME_LIMIT);
  const inOwnScript = segments.flatMap(({ name }) => {
    const shown = name === null ? undefined : ownScript(name);
    return shown === undefined ? [] : [shown.isDoubtful ? `looks like ${shown.text}` : shown.text];
  });
  const plain = segments.flatMap(({ kind, name }) => (name === null ? [kind] : [kind, showName(name)])).join('/');
  return inOwnScript.length === 0 ? plain : `${plain} (${inOwnScript.join(', ')})`;
}

/**
 * Our own sentences with the addresses in them as people read them; text that a shell would act on is left as it is.
 * `rules`: with the ids of rules.
 */
export function showProse(text: string, limit?: number, { rules = false }: { readonly rules?: boolean } = {}): string {
  const readable = (rules ? text : withoutRules(text)).replace(
    /\b[A-Z][A-Za-z0-9]*\/[^\s,;`()]*%[0-9A-Fa-f]{2}[^\s,;:`()]*/g,
    (address) => {
      const shown = parseAddress(address) === undefined ? address : showAddress(address);
      return /[$!`\\]/.test(shown) ? address : shown;
    },
  );
  return escapeText(readable, limit);
}

/** A name as it stands, in quotes where it would run into its neighbours. */
function showName(name: string): string {
  return isBare(name) ? escapeText(name, NAME_LIMIT) : quoteText(name, NAME_LIMIT);
}

/** `edge rule "made elsewhere" of site shop`. */
export function titleOf(address: Address): string {
  const segments = parseAddress(address);
  return segments === undefined
    ? escapeText(address, NAME_LIMIT)
    : [...segments].reverse().map(segmentTitle).join(' of ');
}

function segmentTitle({ kind, name }: AddressSegment): string {
  return name === null ? nounOf(kind) : `${nounOf(kind)} ${showHostname(name) ?? showName(name)}`;
}

/** Words that are always written so. */
const SPELT: readonly string[] = ['PHP', 'WAF', 'DNS', 'DNSSEC', 'IP', 'SSL'];

/** `edge rule` of `EdgeRule`; `PHP version` of `PhpVersion`. */
export function nounOf(kind: string): string {
  const { noun } = wordsOf(kind);
  if (noun !== undefined) return noun;
  return escapeText(kind, 100)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => SPELT.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word.toLowerCase())
    .join(' ');
}

/** `edge rules` of `EdgeRule`. */
export function nounsOf(kind: string): string {
  const { nouns } = wordsOf(kind);
  if (nouns !== undefined) return nouns;
  const noun = nounOf(kind);
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** A hostname of another script with its ASCII form beside it; undefined for every other text. */
export function showHostname(text: string): string | undefined {
  const shown = ownScript(text);
  if (shown === undefined) return undefined;
  return shown.isDoubtful
    ? `${escapeText(text, NAME_LIMIT)} (shown as ${shown.text}: mixes scripts or imitates Latin letters, check it)`
    : `${shown.text} (${escapeText(text, NAME_LIMIT)})`;
}

function ownScript(text: string): { readonly text: string; readonly isDoubtful: boolean } | undefined {
  if (!/(?:^|[.@])xn--/i.test(text) || !/^[\w.@*-]+$/.test(text)) return undefined;
  const at = text.lastIndexOf('@') + 1;
  const own = domainToUnicode(text.slice(at).replace(/^\*\./, ''));
  if (own === '' || !/[^\x00-\x7f]/.test(own)) return undefined;
  const wildcard = text.slice(at).startsWith('*.') ? '*.' : '';
  return {
    text: escapeText(`${text.slice(0, at)}${wildcard}${own}`, NAME_LIMIT),
    isDoubtful: own.split('.').some(isDoubtful),
  };
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Georgian',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
  'Bopomofo',
];
/** What one label may mix: languages are written so. */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];
/** Letters of other scripts that read as Latin ones: a label of nothing else is there to be taken for another. */
const LOOKALIKES = /^[авгеёзікмнорстухъьѕјԛԝһӏіωοανυρτικ\d-]+$/u;

function isDoubtful(label: string): boolean {
  if (!/[^\x00-\x7f]/.test(label)) return false;
  const used = SCRIPTS.filter((name) => new RegExp(`\\p{Script=${name}}`, 'u').test(label));
  const isMixed = used.length > 1 && !TOGETHER.some((group) => used.every((name) => group.includes(name)));
  return isMixed || LOOKALIKES.test(label);
}

/** The innermost name alone; of what has none, its noun. */
export function shortName(address: Address): string {
  const own = parseAddress(address)?.at(-1);
  if (own === undefined) return escapeText(address, NAME_LIMIT);
  return own.name === null ? nounOf(own.kind) : (showHostname(own.name) ?? showName(own.name));
}
