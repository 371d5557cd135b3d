// Which requests must not be sent again unasked: those that the guards count, and those that could do their work twice.
import { BILLING_LOCK } from '../model/kind/kind.ts';
import type { Action } from '../model/plan/plan.ts';
import { endsSomething } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';

/** True for a request that the guards count: it spends money, ends what is there, or lets it end. */
export function isGuarded(action: Action, { unlocks = [] }: RequestStep): boolean {
  return unlocks.includes(BILLING_LOCK) || action.risk.includes('lapse') || endsSomething(action);
}

/** True when no request of the action could do its work twice. */
export function isIdempotent({ steps }: Action): boolean {
  return steps.every((step) => step.do !== 'request' || step.idempotent);
}
