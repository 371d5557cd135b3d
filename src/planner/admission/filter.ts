// One reason why an action may not run now: given what is planned beside it, the blocker of each action, or null. What is
// the same for all actions is worked out once, before the first of them.
import type { Blocker } from '../../model/kind/kind.ts';
import type { UnorderedAction } from '../../model/plan/plan.ts';
import type { CollectionPlan } from '../collections/collection-plan.ts';
import type { PlanInput } from '../plan-input.ts';

export type Filter = (
  input: PlanInput,
  plan: CollectionPlan,
) => (action: UnorderedAction) => Blocker | typeof IN_FLIGHT | null;

/** Left out of the plan without a blocker: what the ledger has in flight is told from the ledger. */
export const IN_FLIGHT = 'in flight';
