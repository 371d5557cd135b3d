// Which live objects are not to be touched, or not now: frozen, being deleted, there with their parent, or the
// platform's own.
import type { Address } from '../../model/address.ts';
import { kindOf } from '../../model/address.ts';
import type { Blocker, Kind, Member, Registry } from '../../model/kind/kind.ts';

/** Why nothing can be done with a live member, or in it, for now: it shows so itself, or something read in it does. */
export function frozenBy(kind: Kind, live: Member): Blocker | null {
  return live.held ?? kind.hold?.(live) ?? null;
}

/** True for a section of an object in which nothing can be done for now: the object itself says why. */
export function isInFrozen(registry: Registry, parent: Address, bound: ReadonlyMap<Address, Member>): boolean {
  const owner = bound.get(parent);
  return owner !== undefined && frozenBy(registry.get(kindOf(parent)) as Kind, owner) !== null;
}

/** On its way out already. */
export function isDeleting(kind: Kind, live: Member): boolean {
  return kind.leaving?.(live) === true;
}

export function isPlatformManaged(kind: Kind, live: Member): boolean {
  return kind.foreign?.(live) === true;
}

/** What nobody has to declare: the platform's own, what is there because its parent is, and what is being deleted. */
export function needsNoManifest(kind: Kind, live: Member): boolean {
  return isPlatformManaged(kind, live) || kind.inherent?.(live) === true || isDeleting(kind, live);
}
