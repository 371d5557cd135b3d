// The one form of what stands in an access list: a set of entries, each as the platform would write it (SHD-23).
import ipaddr from 'ipaddr.js';

/**
 * The entries of a list or of lines of text: trimmed, without empty ones and repeats, addresses and networks in their
 * shortest form.
 */
export function canonicalEntries(
  content: string | readonly string[],
  type: string | number | undefined,
): readonly string[] {
  const lines = typeof content === 'string' ? content.split(/\r?\n/) : content.flatMap((entry) => entry.split(/\r?\n/));
  return [
    ...new Set(
      lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => canonicalEntry(line, type)),
    ),
  ].sort();
}

function canonicalEntry(entry: string, type: string | number | undefined): string {
  switch (type) {
    case 'country':
      return entry.toUpperCase();
    case 'asn':
      return entry.replace(/^(?:as)?\s*0*(\d+)$/i, 'AS$1');
    case 'ja4':
      return entry.toLowerCase();
    case 'organization':
      return entry;
    default:
      return canonicalNetwork(entry);
  }
}

/**
 * `10.0.0.1/24` -> `10.0.0.0/24`, `192.0.2.1/32` -> `192.0.2.1`, `2001:DB8::0:1` -> `2001:db8::1`; what is no address
 * stays as it is.
 */
function canonicalNetwork(entry: string): string {
  const [address = '', bits, ...more] = entry.split('/');
  // The library also takes `1` and `0x7f.1` for addresses.
  const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!isAddress || address.includes('%') || more.length > 0) return entry;
  const parsed = ipaddr.parse(address);
  const width = parsed.toByteArray().length * 8;
  if (bits === undefined) return parsed.toString();
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > width) return entry;
  if (Number(bits) === width) return parsed.toString();
  const bytes = parsed
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, Number(bits) - index * 8))) & 0xff);
  return `${ipaddr.fromByteArray(bytes).toString()}/${Number(bits)}`;
}
