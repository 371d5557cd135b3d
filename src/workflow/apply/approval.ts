// Decides whether a plan is the one that was reviewed: whole, for this account, not used up, and with no action outside
// the reviewed set.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { verifyPlan } from '../../planner/digest.ts';

/** What is wrong with a saved plan before anything is read. */
export function checkSavedPlan(plan: Plan, account: string): readonly Diagnostic[] {
  const foreign: readonly Diagnostic[] =
    plan.account === account
      ? []
      : [
          {
            code: 'HW2102',
            severity: 'error',
            summary: 'The saved plan is for another account',
            detail: `It was made for ${plan.account}, and this workspace is ${account}. Nothing is run.`,
          },
        ];
  return [...verifyPlan(plan), ...foreign];
}

/**
 * One error for each action that nobody reviewed; empty without a reviewed set. A plan that ran to its end is not run a
 * second time.
 */
export function checkApproved(
  plan: Plan,
  approved: readonly string[] | undefined,
  ledger: LedgerView,
): readonly Diagnostic[] {
  if (ledger.finishedPlans.has(plan.planId)) {
    return [
      {
        code: 'HW2103',
        severity: 'error',
        summary: 'The plan was carried out before',
        detail:
          'The ledger shows that this plan ran to its end. Make a new plan: what has changed since then has not been reviewed.',
      },
    ];
  }
  if (approved === undefined) return [];
  const reviewed = new Set(approved);
  return plan.actions
    .filter(({ digest }) => !reviewed.has(digest))
    .map((action) => ({
      code: 'HW2104',
      severity: 'error',
      summary: 'An action is not the one that was reviewed',
      detail: `To ${action.verb} ${action.address} (${action.reason}; digest ${action.digest.slice(0, 12)}) is not in the reviewed set: the manifests or the account changed since the review. Nothing is run. Make the plan again and have it reviewed.`,
      address: action.address,
      ...(action.source !== undefined && {
        source: { ...action.source, endLine: action.source.line, endColumn: action.source.column },
      }),
    }));
}
