// What the custom formats of the schemas mean, by name, and how their patterns are tried. Bundled into the generated
// validators.
import { domainToASCII, domainToUnicode } from 'node:url';

/** Custom formats by name, as the generated validators look them up. */
export const formats = { 'idn-hostname': isHostname, 'mail-name': fitsMailName };

/**
 * A name that can be attached: of two labels or more, that DNS can hold, in either spelling, with or without the dot at
 * the end.
 */
function isHostname(text: string): boolean {
  const bare = text.replace(/\.$/, '');
  const ascii = domainToASCII(bare);
  const labels = ascii.split('.');
  return (
    ascii.length > 0 &&
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) && isEncodedWell(label)) &&
    // What ends in a number is an address, also where it was written as a hexadecimal number.
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** Node.js 24 and later take a label that claims to be encoded (`xn--0`) as it is, also where it decodes to nothing. */
function isEncodedWell(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const decoded = domainToUnicode(label);
  return decoded !== label && domainToASCII(decoded) === label;
}

/** The platform counts the bytes of a sender's name, and a schema only its characters (TML-12). */
function fitsMailName(text: string): boolean {
  return new TextEncoder().encode(text).length <= 255;
}

/**
 * A pattern of a schema, made when a value is first held to it: there are many, and a run needs few. `code` is what the
 * generated validators call it; `toString` tells one pattern from another.
 */
export function pattern(
  source: string,
  flags: string,
): { readonly test: (text: string) => boolean; readonly toString: () => string } {
  let made: RegExp | undefined;
  return { test: (text) => (made ??= new RegExp(source, flags)).test(text), toString: () => `/${source}/${flags}` };
}
pattern.code = 'pattern';

/** Adds errors to a list in place. A validator calls it for each value in which something is wrong. */
export function added<Item>(errors: Item[], more: readonly Item[]): Item[] {
  for (const error of more) errors.push(error);
  return errors;
}
