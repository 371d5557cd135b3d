// Decides what of a plan goes on while an action of an earlier run is still in flight and only waits.
// Must not let anything go on that shares a lock with it or needs it.
import type { Address } from '../../model/address.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { partOf, withLists } from '../../planner/plan.ts';
import { locksOf } from '../../apply/walk.ts';

/** The actions that share no lock with what is in flight and need nothing of it, as a plan of their own. */
export function planBeside(plan: Plan, inFlight: readonly InFlight[], runId: string): Plan {
  const locked = new Set(inFlight.flatMap((flight) => locksOf(flight.action, flight)));
  const held = new Set<Address>(inFlight.map(({ action }) => action.address));
  // In execution order: what is needed stands before what needs it.
  for (const { address, locks, needs, occasion } of plan.actions) {
    const isNeedHeld =
      occasion === 'after'
        ? needs.every((need) => held.has(need.address))
        : needs.some((need) => held.has(need.address));
    if (isNeedHeld || locks.some((lock) => locked.has(lock))) held.add(address);
  }
  const part = partOf(plan, ({ address }) => !held.has(address));
  // What else there is to say is said of the plan that follows.
  const alone = withLists(part, {
    actions: part.actions,
    unmanaged: [],
    blocked: [],
    unknown: [],
    waiting: [],
    manual: [],
    deferred: [],
  });
  // A saved plan is used up only when all of it was run, whatever part of it was.
  return { ...alone, planId: `${plan.planId} beside ${runId}` };
}
