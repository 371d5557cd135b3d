// How far a change of some manifests reaches: which roots rest on them, and what has to be known beside to plan all of
// those.
import type { Address } from '../model/address.ts';
import { rootOf } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Kind, Registry } from '../model/kind/kind.ts';
import { objectNeeds } from '../model/kind/capabilities/needs-of.ts';

export interface Touched {
  /** What changed, and whatever takes values from it or waits for it. */
  readonly roots: ReadonlySet<Address>;
  /** Those, and what they take values from or wait for themselves. */
  readonly withNeeds: ReadonlySet<Address>;
}

/** The roots that a change of these reaches. */
export function touchedBy(
  changed: ReadonlySet<Address>,
  declared: readonly DesiredCollection[],
  registry: Registry,
): Touched {
  const links = linksBetween(declared, registry);
  const roots = reached(
    changed,
    links.map(({ from, to }) => ({ from: to, to: from })),
  );
  return { roots, withNeeds: reached(roots, links) };
}

/** These roots, and what they take values from or wait for. */
export function rootsWithNeeds(
  roots: ReadonlySet<Address>,
  declared: readonly DesiredCollection[],
  registry: Registry,
): ReadonlySet<Address> {
  return reached(roots, linksBetween(declared, registry));
}

/** `from` rests on `to`. */
interface Link {
  readonly from: Address;
  readonly to: Address;
}

function linksBetween(declared: readonly DesiredCollection[], registry: Registry): readonly Link[] {
  const present = new Set(
    declared.flatMap(({ parent, members }) => (parent === null ? members.map(({ address }) => address) : [])),
  );
  const own = declared.flatMap(({ kind, parent, members, unresolved }): readonly Link[] => {
    const consent = (registry.get(kind) as Kind).capabilities.move?.consent;
    const ofMembers = members.flatMap(({ address, restsOn = [], spec }) => {
      const holder = consent === undefined ? undefined : spec[consent];
      return [...restsOn.map(({ ref }) => ref), ...(typeof holder === 'string' ? [holder] : [])].map((to) => ({
        from: rootOf(address),
        to: rootOf(to),
      }));
    });
    // Only sections take values, and only they wait for them.
    return [
      ...ofMembers,
      ...(unresolved?.references ?? []).map(({ ref }) => ({ from: parent as Address, to: rootOf(ref) })),
    ];
  });
  const needed = objectNeeds(declared, registry, () => true).map(({ later, address }) => ({
    from: rootOf(later),
    to: rootOf(address),
  }));
  return [...own, ...needed].filter(({ from, to }) => from !== to && present.has(to));
}

function reached(start: ReadonlySet<Address>, links: readonly Link[]): ReadonlySet<Address> {
  const next = new Map<Address, Address[]>();
  for (const { from, to } of links) {
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const found = new Set(start);
  // A set that is walked through takes in what is added on the way.
  for (const address of found) for (const other of next.get(address) ?? []) found.add(other);
  return found;
}
