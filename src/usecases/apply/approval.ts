// Whether a saved plan may be used as a review (whole, for this account, not used up), and whether a plan has an action
// outside a set of digests.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { actionDigest, verifyPlan } from '../../planner/digest.ts';
import { nowOf, outsideReview, whatChanged } from './review.ts';

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

/** A review says whose plan it was of, and is none of another account's. */
export function checkReviewed(reviewed: string | undefined, account: string): readonly Diagnostic[] {
  if (reviewed === undefined || reviewed === account) return [];
  return [
    {
      code: 'HW2110',
      severity: 'error',
      summary: 'The review is of another account',
      detail: `What --expect names is a plan of ${reviewed}, and this workspace is ${account}. Nothing is run. Give the plan of ${account}, or run this in the workspace of ${reviewed}.`,
    },
  ];
}

/** A plan that ran to its end is not run a second time. */
export function checkUnused(
  { planId }: Plan,
  { finishedPlans }: Pick<LedgerView, 'finishedPlans'>,
): readonly Diagnostic[] {
  if (!finishedPlans.has(planId)) return [];
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

/**
 * One error for each action that nobody reviewed; empty without a reviewed set. A digest does not tell what it was made
 * from, so what the review saw is worked out: it is told where the last applied value gives a digest of the set.
 */
export function checkApproved(
  plan: Plan,
  approved: readonly string[] | undefined,
  { objects }: Pick<LedgerView, 'objects'>,
): readonly Diagnostic[] {
  if (approved === undefined) return [];
  const reviewed = new Set(approved);
  return plan.actions
    .filter(({ digest }) => !reviewed.has(digest))
    .map((action) => {
      const before = asLastApplied(action, objects.get(action.address)?.applied ?? {});
      return outsideReview(
        action,
        reviewed.has(actionDigest(plan.account, before))
          ? whatChanged(before, action)
          : `no review has it as it is now: ${nowOf(action)}`,
      );
    });
}

/** The action as it was when the object was as it was last applied. */
function asLastApplied(action: Action, applied: JsonObject): Action {
  const valueOf = (path: string): Json | undefined => valueAt(applied, path);
  return {
    ...action,
    changes: action.changes.map((change) => {
      const was = valueOf(change.path);
      return change.was === undefined || was === undefined ? change : { ...change, was };
    }),
    expect: {
      ...action.expect,
      tests: action.expect.tests.map((test) => ({ ...test, value: valueOf(test.path) ?? test.value })),
    },
  };
}
