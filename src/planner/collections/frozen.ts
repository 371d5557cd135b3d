// Live objects in which nothing can be done for now.
import type { Address } from '../../model/address.ts';
import { kindOf } from '../../model/address.ts';
import type { Blocker, Kind, Member, Registry } from '../../model/kind/kind.ts';
import { statusBlocker } from '../../model/kind/kind.ts';

/**
 * Returns why a live member, and everything in it, must not be written now: its binding is unverified, a read below it
 * was refused, or its own status says so.
 */
export function frozenBy(kind: Kind, live: Member): Blocker | null {
  return live.unverified ?? live.frozen ?? statusBlocker(kind, live);
}

/** True for a section of an object in which nothing can be done for now: the object itself says why. */
export function isInFrozen(registry: Registry, parent: Address, bound: ReadonlyMap<Address, Member>): boolean {
  const owner = bound.get(parent);
  return owner !== undefined && frozenBy(registry.get(kindOf(parent)) as Kind, owner) !== null;
}
