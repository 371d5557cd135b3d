// The one gate to HTML. Only `markup` makes any: what a template says stands as it is, every value in it is escaped.
// Attributes stand between double quotes.
import { escapeText } from '../view/escape.ts';

const TEXT = Symbol('text');

/** HTML that this file made. */
export interface Markup {
  readonly [TEXT]: string;
}

/** What may stand in a template; what is not there (undefined, false) leaves nothing. */
export type Part = string | number | Markup | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function markup(words: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { [TEXT]: words.map((word, index) => `${word}${index < parts.length ? write(parts[index]) : ''}`).join('') };
}

export function markupText(made: Markup): string {
  return made[TEXT];
}

function write(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string')
    return escapeText(part, Infinity).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
  return TEXT in part ? part[TEXT] : part.map(write).join('');
}
