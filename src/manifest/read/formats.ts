// What the custom formats of the schemas mean, by name, and how their patterns are tried. Bundled into the generated
// validators.
import { isHostname } from './hostname-format.ts';

/** Custom formats by name, as the generated validators look them up. */
export const formats = { 'idn-hostname': isHostname, 'mail-name': fitsMailName };

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
