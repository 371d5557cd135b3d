// Which requests must not be sent only because an earlier run had begun them.
import { BILLING_LOCK } from '../model/kind/kind.ts';
import type { Action } from '../model/plan/plan.ts';
import { endsSomething } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';

/** True for a request that the guards count: it spends money, ends what is there, or lets it end. */
export function isGuarded(action: Action, { unlocks = [] }: RequestStep): boolean {
  return unlocks.includes(BILLING_LOCK) || action.risk.includes('lapse') || endsSomething(action);
}
