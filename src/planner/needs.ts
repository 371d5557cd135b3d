// What a new object needs in other roots before it can be made, as far as that is not there already.
import type { Address } from '../model/address.ts';
import type { ObjectNeed } from '../model/kind/capabilities/needs-of.ts';
import { objectNeeds } from '../model/kind/capabilities/needs-of.ts';
import type { UnorderedAction } from '../model/plan/plan.ts';
import type { PlanInput } from './plan-input.ts';
import { liveObjectAt } from './taken-values.ts';

/** The needs of the objects that these actions make, without those that a live object meets. */
export function unmetNeeds(input: PlanInput, actions: readonly UnorderedAction[]): readonly ObjectNeed[] {
  const created = createdBy(actions);
  return objectNeeds(input.declared, input.registry, (address) => created.has(address)).filter(({ address, isMet }) => {
    const live = liveObjectAt(address, input);
    return live === undefined || 'state' in live || !isMet(live);
  });
}

/** The objects that these actions make. */
export function createdBy(actions: readonly UnorderedAction[]): ReadonlySet<Address> {
  return new Set(actions.filter(({ verb }) => verb === 'create').map(({ address }) => address));
}
