// What of a plan goes on without some of its actions: those that are still in flight from an earlier run, or that
// failed in this one.
import type { Address } from '../../model/address.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { locksOf } from '../../apply/run-actions.ts';
import { partOf, withLists } from '../../planner/document.ts';

/** The actions that share no lock with what is in flight and need nothing of it, as a plan of their own. */
export function independentPart(plan: Plan, inFlight: readonly InFlight[], runId: string): Plan {
  const locked = new Set(inFlight.flatMap((flight) => locksOf(flight.action, flight)));
  const part = planWithout(plan, new Set(inFlight.map(({ action }) => action.address)), runId, locked);
  // What else there is to say is said of the plan that follows; what is deferred tells which secrets are needed.
  return withLists(part, {
    actions: part.actions,
    unmanaged: [],
    blocked: [],
    unknown: [],
    waiting: [],
    manual: [],
    deferred: part.deferred,
  });
}

/** The actions that are none of these, need none of them and take none of these locks, as a plan of their own. */
export function planWithout(
  plan: Plan,
  addresses: ReadonlySet<Address>,
  runId: string,
  locked: ReadonlySet<string> = new Set(),
): Plan {
  const held = new Set(addresses);
  // In execution order: what is needed stands before what needs it.
  for (const { address, locks, needs, hook } of plan.actions) {
    const isNeedHeld =
      hook === 'after'
        ? needs.length > 0 && needs.every((need) => held.has(need.address))
        : needs.some((need) => held.has(need.address));
    if (isNeedHeld || locks.some((lock) => locked.has(lock))) held.add(address);
  }
  const part = partOf(plan, ({ address }) => !held.has(address));
  // A saved plan is used up only when all of it was run, whatever part of it was.
  return { ...part, planId: `${plan.planId} in part by ${runId}` };
}
