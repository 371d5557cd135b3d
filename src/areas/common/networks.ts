// What is odd in a list of addresses and networks: what is in another of them, takes everything, or is private.
import ipaddr from 'ipaddr.js';

interface Network {
  readonly text: string;
  readonly bits: number;
  readonly isPrivate: boolean;
  /** Its family, and its first and last address in hexadecimal digits of one length. */
  readonly first: string;
  readonly last: string;
}

export interface OddNetworks {
  /** Each with the one that it is in. */
  readonly inside: readonly (readonly [inner: string, outer: string])[];
  readonly everything: readonly string[];
  readonly hidden: readonly string[];
}

/** Ranges from which nobody comes over the internet. */
const HIDDEN: readonly string[] = ['private', 'uniqueLocal', 'loopback', 'linkLocal'];

/** Entries that are no address are passed over. They are sorted once, so that a long list takes little time. */
export function oddNetworks(entries: readonly string[]): OddNetworks {
  const networks = [...new Set(entries)].flatMap((text) => networkOf(text) ?? []);
  const narrow = networks
    .filter(({ bits }) => bits > 0)
    .sort((left, right) => order(left.first, right.first) || left.bits - right.bits);
  const around: Network[] = [];
  const inside = narrow.flatMap((one) => {
    while ((around.at(-1)?.last ?? '~') < one.first) around.pop();
    const outer = around.at(-1);
    around.push(one);
    return outer === undefined ? [] : [[one.text, outer.text] as const];
  });
  return {
    inside,
    everything: networks.filter(({ bits }) => bits === 0).map(({ text }) => text),
    hidden: narrow.filter(({ isPrivate }) => isPrivate).map(({ text }) => text),
  };
}

/** Whether an address is in a network, or is the same address; undefined where one of the two is none. */
export function networkHolds(network: string, address: string): boolean | undefined {
  const [outer, inner] = [networkOf(network), networkOf(address)];
  return outer === undefined || inner === undefined
    ? undefined
    : outer.first <= inner.first && inner.last <= outer.last;
}

/** Returns true for an address or a network in its usual notation. */
export function isNetwork(text: string): boolean {
  return networkOf(text) !== undefined;
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function networkOf(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/');
  // The library also takes `1` and `0x7f.1` for addresses.
  const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!isAddress || address.includes('%') || more.length > 0) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  const width = bytes.length * 8;
  const bits = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : width + 1;
  if (bits > width) return undefined;
  const end = (isOn: boolean): readonly number[] =>
    bytes.map((byte, index) => {
      const host = 0xff >> Math.min(8, Math.max(0, bits - index * 8));
      return isOn ? byte | host : byte & ~host & 0xff;
    });
  const hex = (all: readonly number[]): string =>
    `${width} ${all.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const isHidden = (all: readonly number[]): boolean => HIDDEN.includes(ipaddr.fromByteArray([...all]).range());
  const [first, last] = [end(false), end(true)];
  return { text, bits, isPrivate: isHidden(first) && isHidden(last), first: hex(first), last: hex(last) };
}
