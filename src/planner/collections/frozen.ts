// Live objects in which nothing can be done for now.
import type { Address } from '../../model/address.ts';
import { kindOf } from '../../model/address.ts';
import type { Blocker, Kind, Member, Registry } from '../../model/kind/kind.ts';
import { statusBlocker } from '../../model/kind/kind.ts';

/** Why nothing can be done with a live member, or in it, for now: it shows so itself, or something read in it does. */
export function frozenBy(kind: Kind, live: Member): Blocker | null {
  return live.frozen ?? statusBlocker(kind, live);
}

/** True for a section of an object in which nothing can be done for now: the object itself says why. */
export function isInFrozen(registry: Registry, parent: Address, bound: ReadonlyMap<Address, Member>): boolean {
  const owner = bound.get(parent);
  return owner !== undefined && frozenBy(registry.get(kindOf(parent)) as Kind, owner) !== null;
}
