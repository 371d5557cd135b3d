// How an object is named in plans, ledgers and references: `Kind/name`, then `/Kind/name` for each level below. A kind
// of which a parent has exactly one (caching settings) has no name: `Site/shop/Caching`.

/**
 * `Kind/name[/Kind/name...][/Kind]`, each segment percent-encoded where it holds `/`, `%`, space or a control
 * character.
 */
export type Address = string;

export interface AddressSegment {
  readonly kind: string;
  /** null for the only one of its kind in its parent. */
  readonly name: string | null;
}

/** The address of an object in its parent (null for a root object). */
export function addressOf(parent: Address | null, kind: string, name: string | null): Address {
  const own = name === null ? kind : `${kind}/${encodeSegment(name)}`;
  return parent === null ? own : `${parent}/${own}`;
}

/** The segments of an address, outermost first; undefined where the text is not one. */
export function parseAddress(address: string): readonly AddressSegment[] | undefined {
  const parts = address.split('/');
  if (parts.some((part) => part === '')) return undefined;
  const segments: AddressSegment[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const kind = parts[index] as string;
    const name = parts[index + 1];
    if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) return undefined;
    const decoded = name === undefined ? null : decodeSegment(name);
    if (decoded === undefined) return undefined;
    segments.push({ kind, name: decoded });
  }
  return segments;
}

/** As plans write it: people write a name with a space as it is. */
export function canonicalAddress(address: Address): Address {
  return (
    parseAddress(address)?.reduce<Address | null>((parent, { kind, name }) => addressOf(parent, kind, name), null) ??
    address
  );
}

/**
 * An address or a glob as people write it, in the form of plans: reports show a name with a space between quotes, and a
 * pointer to a field may follow.
 */
export function addressFrom(written: string): string {
  return written.replace(/(?<=\/)"((?:[^"\\]|\\.)*)"(?=[/#]|$)/g, (_quoted, inside: string) =>
    encodeSegment(inside.replace(/\\(.)/g, '$1')),
  );
}

/** The address of the object that this one belongs to; null for a root. */
export function parentOf(address: Address): Address | null {
  const parts = address.split('/');
  const own = parts.length % 2 === 0 ? 2 : 1;
  return parts.length <= own ? null : parts.slice(0, parts.length - own).join('/');
}

/** The outermost object: `Site/shop` of `Site/shop/SiteDomain/www.example.com`. */
export function rootOf(address: Address): Address {
  return address.split('/').slice(0, 2).join('/');
}

/** The name of the outermost object, unescaped: `shop` of `Site/shop/SiteDomain/www.example.com`. */
export function rootNameOf(address: Address): string {
  return parseAddress(address)?.[0]?.name ?? '';
}

/** All objects of one kind in one parent: `Site/shop/SiteDomain` of `Site/shop/SiteDomain/www.example.com`. */
export function collectionOf(address: Address): string {
  const parts = address.split('/');
  return (parts.length % 2 === 0 ? parts.slice(0, -1) : parts).join('/');
}

/** The kind of the object itself. */
export function kindOf(address: Address): string {
  const parts = address.split('/');
  return parts[parts.length % 2 === 0 ? parts.length - 2 : parts.length - 1] as string;
}

/** Code point order, the same on every machine (localeCompare is not). */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function encodeSegment(name: string): string {
  return name.replace(/[\u0000-\u0020%/\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    encodeURIComponent(character),
  );
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
