// How the members of a collection are named and in which order they stand. Pure.
import type { Address } from '../address.ts';
import { addressOf, compareText } from '../address.ts';
import type { Member } from './collection.ts';
import type { Fields } from './field.ts';

/** The address of a member with this identity. */
export function memberAddress(
  collection: { readonly kind: string; readonly parent: Address | null },
  kind: { readonly list: string },
  identity: string,
): Address {
  return addressOf(collection.parent, collection.kind, kind.list === 'singleton' ? null : identity);
}

/** The field by which members of this kind are put in order, or undefined where order has no meaning. */
export function positionOf({ fields }: { readonly fields: Fields }): string | undefined {
  return Object.keys(fields).find((field) => fields[field]?.shape === 'position');
}

/**
 * The identities of all members: in live order where order is meaning, else sorted. Members that share a place stand by
 * name.
 */
export function siblingsOf(
  kind: { readonly fields: Fields },
  members: readonly Pick<Member, 'identity' | 'spec'>[],
): readonly string[] {
  const field = positionOf(kind);
  const place = ({ spec }: Pick<Member, 'spec'>): number => {
    const value = field === undefined ? 0 : spec[field];
    return typeof value === 'number' ? value : Infinity;
  };
  // Two without a place differ by nothing, not by Infinity minus Infinity.
  const compare = (left: number, right: number): number => (left === right ? 0 : left - right);
  return [...members]
    .sort((left, right) => compare(place(left), place(right)) || compareText(left.identity, right.identity))
    .map(({ identity }) => identity);
}
