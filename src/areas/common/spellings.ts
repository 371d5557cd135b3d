// When two spellings mean one address, one mail domain or one range of IP addresses: the platform's own rules where it
// has any.
import { isIP } from 'node:net';
import { canonicalHostname } from '../../model/hostname.ts';

/** Trimmed, in lower case, the domain in its A-label form. */
export function canonicalAddress(text: string): string {
  const bare = text.trim();
  const at = bare.lastIndexOf('@');
  return at < 0 ? bare.toLowerCase() : `${bare.slice(0, at).toLowerCase()}@${canonicalHostname(bare.slice(at + 1))}`;
}

/** As the platform reads the name of a domain: without scheme, `www.`, path, dot at the end and capitals (MDM-06). */
export function canonicalMailDomain(text: string): string {
  return canonicalHostname(
    text
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/\/.*$/, ''),
  );
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

export function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@'));
}

/**
 * A range is stored with its host bits masked (MBX-20); one of a single address is that address. What is no range comes
 * back as it is.
 */
export function canonicalRange(text: string): string {
  const [address = '', prefix] = text.trim().toLowerCase().split('/');
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const length = prefix === undefined ? width : Number(prefix);
  if (version === 0 || !Number.isInteger(length) || length < 0 || length > width) return text.trim().toLowerCase();
  const bits = version === 4 ? bitsOf4(address) : bitsOf6(address);
  const masked = (bits >> BigInt(width - length)) << BigInt(width - length);
  const shown = version === 4 ? textOf4(masked) : textOf6(masked);
  return length === width ? shown : `${shown}/${length}`;
}

function bitsOf4(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function textOf4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.');
}

/** The URL parser knows every spelling, the one with dots at the end too. */
function compressed(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function bitsOf6(address: string): bigint {
  const [head = '', tail] = compressed(address).split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const first = groups(head);
  const last = groups(tail ?? '');
  const whole = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return whole.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function textOf6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return compressed(groups.join(':'));
}

/** Mailboxes, groups and aliases share one namespace (ALS-11). */
export function claimAddress(name: string) {
  return [{ namespace: 'mail address', name }];
}
