// What the custom formats of the schemas mean, by name. Bundled into the generated validators.
import { isHostname } from './hostname-format.ts';

/** Custom formats by name, as the generated validators look them up. */
export const formats = { 'idn-hostname': isHostname, 'mail-name': fitsMailName };

/** The platform counts the bytes of a sender's name, and a schema only its characters (TML-12). */
function fitsMailName(text: string): boolean {
  return new TextEncoder().encode(text).length <= 255;
}
