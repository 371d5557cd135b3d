// Which of the planned actions may run now. Each filter is one reason why not; they are asked in the order of their
// list, each about what the ones before it let through.
import type { UnorderedAction } from '../../model/plan/plan.ts';
import type { CollectionPlan } from '../collections/collection-plan.ts';
import { listedBlocker } from '../collections/collection-plan.ts';
import type { PlanInput } from '../plan-input.ts';
import type { Filter } from './filter.ts';
import { IN_FLIGHT } from './filter.ts';
import { alreadyInFlight, billingInFlight, oneAtATime } from './in-flight.ts';
import { moveNotReady } from './move-not-ready.ts';
import { needsMissing } from './needs-missing.ts';
import { purchaseUnproven } from './purchase-unproven.ts';
import { secretHasNoPlace } from './secret-has-no-place.ts';
import { stillNamed } from './still-named.ts';

/** For the roots alone: what is in a root is planned once it is known whether that is made. */
const ROOT_FILTERS: readonly Filter[] = [billingInFlight, purchaseUnproven, secretHasNoPlace, oneAtATime, needsMissing];

/** For roots and what is in them, together. */
const FILTERS: readonly Filter[] = [billingInFlight, alreadyInFlight, moveNotReady, needsMissing, stillNamed];

/** The plan of the roots without the actions that may not run now: these are blockers in it. */
export function admitRoots(plan: CollectionPlan, input: PlanInput): CollectionPlan {
  return ROOT_FILTERS.reduce((left, filter) => admit(left, filter, input), plan);
}

/** The same for roots and what is in them. */
export function admitAll(plan: CollectionPlan, input: PlanInput): CollectionPlan {
  return FILTERS.reduce((left, filter) => admit(left, filter, input), plan);
}

function admit(plan: CollectionPlan, filter: Filter, input: PlanInput): CollectionPlan {
  const blockerOf = filter(input, plan);
  const actions: UnorderedAction[] = [];
  const blockers = [...plan.blockers];
  for (const action of plan.actions) {
    const blocker = blockerOf(action);
    if (blocker === null) actions.push(action);
    else if (blocker !== IN_FLIGHT) blockers.push(listedBlocker(action.address, blocker));
  }
  return actions.length === plan.actions.length ? plan : { ...plan, actions, blockers };
}
