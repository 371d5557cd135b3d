// Decides whether what a saved plan did still holds when it is looked at once more. A saved plan is not planned again:
// its manifests may be elsewhere.
import type { Address } from '../../model/address.ts';
import type { Observed, Observer } from '../../model/plan/observed.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import type { Obstacle, Plan } from '../../model/plan/plan.ts';
import { mismatches, touchedFields } from '../../apply/expectations.ts';
import { refusedCredential } from '../connect.ts';

/** What was done and reads back otherwise, or cannot be read back; empty when everything holds. */
export async function findNotHeld(
  plan: Plan,
  outcomes: readonly ActionOutcome[],
  observe: Observer,
): Promise<readonly Obstacle[]> {
  const done = new Map(outcomes.filter(({ result }) => result === 'done').map((outcome) => [outcome.address, outcome]));
  const actions = plan.actions.filter(({ address, occasion }) => done.has(address) && occasion === undefined);
  if (actions.length === 0) return [];
  const ids = new Map<Address, string>(Object.entries(plan.bindings));
  for (const { address, outputs } of done.values()) if (outputs?.id !== undefined) ids.set(address, outputs.id);
  const observed = await observe(
    actions.map(({ address }) => address),
    ids,
    new Set(actions.filter(({ verb }) => verb === 'delete').map(({ address }) => address)),
    new Map(actions.map((action) => [action.address, touchedFields(action)])),
  ).catch((error: unknown) => {
    refusedCredential(error);
    return new Map<Address, Observed>();
  });
  return actions.flatMap((action): readonly Obstacle[] => {
    const seen = observed.get(action.address);
    const broken =
      seen?.state === 'present' || seen?.state === 'absent' ? mismatches(action, seen) : ['it cannot be read back'];
    if (broken.length === 0) return [];
    return [
      {
        address: action.address,
        because: `it was done and did not hold: ${broken.join('; ')}`,
        todo: 'Plan again; somebody else may be changing it, or the platform does not keep the value.',
      },
    ];
  });
}
