// Which object waits for which other root, from what kinds declare and what manifests name. The order of plans and the
// search for circles among manifests both go by it.
import type { Address } from '../../address.ts';
import type { Desired, DesiredCollection } from '../../desired.ts';
import type { JsonObject } from '../../json.ts';
import type { Kind, Registry } from '../kind.ts';
import type { NeedsDefinition } from './needs.ts';

/** `later` is made when the object at `address` is there. */
export interface ObjectNeed {
  readonly later: Address;
  readonly address: Address;
  readonly rule: string;
  readonly reason: string;
  readonly isMet: NeedsDefinition<JsonObject>['isMet'];
}

/** What the wanted objects wait for; only those that `isAsked` says yes to. */
export function objectNeeds(
  declared: readonly DesiredCollection[],
  registry: Registry,
  isAsked: (address: Address) => boolean,
): readonly ObjectNeed[] {
  const roots = new Map<string, ReadonlyMap<string, Address>>();
  const rootsOf = (kind: string): ReadonlyMap<string, Address> => {
    const known = roots.get(kind) ?? byKey(declared.find(({ collection }) => collection === kind));
    roots.set(kind, known);
    return known;
  };
  return declared.flatMap(({ kind: name, members }) => {
    const { needs } = (registry.get(name) as Kind).capabilities;
    if (needs === undefined) return [];
    const { rule, reason, isMet } = needs;
    return members
      .filter(({ address }) => isAsked(address))
      .flatMap((desired): readonly ObjectNeed[] =>
        named(desired, needs, rootsOf(needs.kind)).map((address) => ({
          later: desired.address,
          address,
          rule,
          reason,
          isMet,
        })),
      );
  });
}

/** What the manifest names; where it names nothing, the nearest root that is declared under one of the keys. */
function named(
  { restsOn = [], spec }: Desired,
  needs: NeedsDefinition<JsonObject>,
  roots: ReadonlyMap<string, Address>,
): readonly Address[] {
  if (restsOn.length > 0) return restsOn.map(({ ref }) => ref);
  return roots.size === 0
    ? []
    : needs
        .keys(spec)
        .flatMap((key) => roots.get(key) ?? [])
        .slice(0, 1);
}

function byKey(roots: DesiredCollection | undefined): ReadonlyMap<string, Address> {
  const wanted = (roots?.members ?? []).filter(({ lifecycle }) => lifecycle.state === 'present');
  return new Map(wanted.flatMap(({ address, keys }) => keys.flat().map((key) => [key, address] as const)));
}
