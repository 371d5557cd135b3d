// How the addresses from which a mailbox may be opened are read: split, normalised, masked, without doubles.
import { isIPv4, isIPv6 } from 'node:net';

const MOST = 20;

/** The entries as they are stored, or what is wrong with them. */
export function readAllowedIps(given: unknown): readonly string[] | { readonly problem: string } {
  const texts = Array.isArray(given) ? given.map(String) : splitText(given);
  const entries: string[] = [];
  for (const text of texts.map((one) => one.trim()).filter((one) => one !== '')) {
    const entry = normalEntry(text);
    // MBX-20/malformed: what is no address is refused and named.
    if (entry === undefined) return { problem: `'${text}' is not an IP address or range` };
    // MBX-20/masked: a range is stored without its host bits, and once.
    entries.push(entry);
  }
  const unique = [...new Set(entries)];
  // LIM-06: a mailbox has at most 20 allowed addresses. What one more answers is not documented.
  if (unique.length > MOST) return { problem: `There can be at most ${MOST} addresses` };
  return unique;
}

function splitText(given: unknown): readonly string[] {
  if (typeof given !== 'string') return [];
  // MBX-20: allowed addresses come as a list or as one text with commas, semicolons or spaces.
  return given.split(/[,;\s]+/);
}

function normalEntry(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  const whole = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0;
  if (whole === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= whole))) return undefined;
  if (bits === undefined) return whole === 32 ? address : canonical(address, 128);
  const network = whole === 32 ? maskIpv4(address, Number(bits)) : canonical(address, Number(bits));
  return `${network}/${Number(bits)}`;
}

function maskIpv4(address: string, bits: number): string {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const network = Math.floor(value / size) * size;
  return [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join('.');
}

/** Masked and in the short form. */
function canonical(address: string, bits: number): string {
  const kept = expand(address).map((group, index) => {
    const left = Math.max(0, Math.min(16, bits - index * 16));
    return group & (0xffff << (16 - left)) & 0xffff;
  });
  return new URL(`http://[${kept.map((group) => group.toString(16)).join(':')}]/`).hostname.slice(1, -1);
}

function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain =
    dotted === null
      ? address
      : `${dotted[1] ?? ''}${(Number(dotted[2]) * 256 + Number(dotted[3])).toString(16)}:${(Number(dotted[4]) * 256 + Number(dotted[5])).toString(16)}`;
  const [head = '', tail] = plain.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return groups(head);
  const right = groups(tail);
  return [...groups(head), ...Array<number>(8 - groups(head).length - right.length).fill(0), ...right];
}
