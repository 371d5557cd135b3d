// Whether a text is a hostname that can be attached anywhere: the format `idn-hostname` of the schemas. It is bundled
// into the generated validators.
import { domainToASCII, domainToUnicode } from 'node:url';

/** True for names of two labels or more that DNS can hold, in either spelling, with or without the dot at the end. */
export function isHostname(text: string): boolean {
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
