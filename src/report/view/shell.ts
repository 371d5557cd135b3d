// Words of a command as a shell takes them: what is offered for pasting does nothing else than it says.
import { parseAddress } from '../../model/address.ts';
import { escapeText } from './escape.ts';

/** A word as a shell takes it. */
export function quoteForShell(word: string): string {
  return /^[\w./@%:,=+*-]+$/.test(word)
    ? escapeText(word, 1000)
    : `'${escapeText(word, 1000).replaceAll("'", `'\\''`)}'`;
}

/** An address as a shell takes it; anything else than an address is not offered for pasting. */
export function quoteAddress(address: string): string {
  if (/^[\w./@%-]+$/.test(address)) return address;
  return parseAddress(address) === undefined || address.includes("'") ? 'ADDRESS' : `'${escapeText(address, 300)}'`;
}
