// Whether a saved plan may be used as a review (whole, for this account, not used up), and whether a plan has an action
// outside a set of digests.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { collectionOf, compareText, parseAddress } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson, valueAt } from '../../model/json.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { BegunAction } from '../../model/ledger/begun.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { actionDigest, verifyPlan } from '../../planner/digest.ts';
import { ownIdentitiesOf } from '../../apply/expectations.ts';
import type { DesiredValues } from './regenerate.ts';
import { isLeftOf, isUnchanged } from './regenerate.ts';
import { nowOf, outsideReview, whatChanged } from './review.ts';

/** What is wrong with a saved plan before anything is read. */
export function checkSavedPlan(plan: Plan, account: string): readonly Diagnostic[] {
  const foreign: readonly Diagnostic[] =
    plan.account === account
      ? []
      : [diagnose('HW2102', `It was made for ${plan.account}, and this workspace is ${account}. Nothing is run.`)];
  return [...verifyPlan(plan), ...foreign];
}

/** A review says whose plan it was of, and is none of another account's. */
export function checkReviewed(reviewed: string | undefined, account: string): readonly Diagnostic[] {
  if (reviewed === undefined || reviewed === account) return [];
  return [
    diagnose(
      'HW2110',
      `What --expect names is a plan of ${reviewed}, and this workspace is ${account}. Nothing is run. Give the plan of ${account}, or run this in the workspace of ${reviewed}.`,
    ),
  ];
}

/** A plan that ran to its end is not run a second time. */
export function checkUnused(
  { planId }: Plan,
  { finishedPlans }: Pick<LedgerView, 'finishedPlans'>,
): readonly Diagnostic[] {
  if (!finishedPlans.has(planId)) return [];
  return [
    diagnose(
      'HW2103',
      'The ledger shows that this plan ran to its end. Make a new plan: what has changed since then has not been reviewed.',
    ),
  ];
}

/**
 * The digests that may run of this plan: those of the review, and those of what is left of it where a part of it is done.
 * Without a review all of the plan.
 */
export function approvedOf(
  { actions, account }: Plan,
  approved: readonly string[] | undefined,
  { done = [], interrupted = [] }: Pick<LedgerView, 'done' | 'interrupted'>,
  desired: DesiredValues,
): readonly string[] {
  if (approved === undefined) return actions.map(({ digest }) => digest);
  const review = new Set(approved);
  const others = actions.filter(({ digest }) => !review.has(digest));
  if (others.length === 0) return approved;
  // The ledger can claim anything: only what has a reviewed digest counts, and its digest is computed, not taken.
  const begun = interrupted.filter(
    (action) => review.has(actionDigest(account, action)) && isUnchanged(account, action, desired),
  );
  const isRest = restOf(review, account, done, begun);
  const isLeft = (action: Action): boolean =>
    begun.some((one) => isLeftOf(one, action) && hasSameNeighbours(one, action, [...done, ...begun]));
  return [...approved, ...others.filter((one) => isRest(one) || isLeft(one)).map(({ digest }) => digest)];
}

/** True where the list of an object has the neighbours that it had at the review, but for what these actions did. */
function hasSameNeighbours(begun: BegunAction, fresh: Action, others: readonly BegunAction[]): boolean {
  const collection = collectionOf(fresh.address);
  const own = ownIdentitiesOf([begun, fresh, ...others]).get(collection) ?? new Set();
  const left = (names: readonly string[] = []): readonly string[] =>
    names.filter((name) => !own.has(name)).sort(compareText);
  return sameJson([...left(begun.expect.siblings)], [...left(fresh.expect.siblings)]);
}

/**
 * One error for each action that nobody reviewed; empty without a reviewed set. A digest does not tell what it was made
 * from, so what the review saw is worked out: it is told where the last applied value gives a digest of the set.
 */
export function checkApproved(
  plan: Plan,
  approved: readonly string[] | undefined,
  view: Pick<LedgerView, 'objects' | 'done' | 'interrupted'>,
  desired: DesiredValues,
): readonly Diagnostic[] {
  const reviewed = new Set(approvedOf(plan, approved, view, desired));
  return plan.actions
    .filter(({ digest }) => !reviewed.has(digest))
    .map((action) => {
      const before = asLastApplied(action, view.objects.get(action.address)?.applied ?? {});
      return outsideReview(
        action,
        reviewed.has(actionDigest(plan.account, before))
          ? whatChanged(before, action)
          : `no review has it as it is now: ${nowOf(action)}`,
      );
    });
}

/**
 * Tells what is left of a review of which these actions are done. An action on a member of a list rests on the whole list.
 * Actions of one review saw the same list: that of a done one, put in place of the one that is there now, gives the digest
 * that was reviewed, and the two may differ in nothing but what reviewed actions did, which is still so.
 */
function restOf(
  reviewed: ReadonlySet<string>,
  account: string,
  done: readonly BegunAction[],
  interrupted: readonly BegunAction[],
): (action: Action) => boolean {
  /** By list. */
  const ended = new Map<string, BegunAction[]>();
  /** Of each list that was found: whether it is the one before, but for what is done. Actions of a plan share their list. */
  let known = new WeakMap<readonly string[], boolean>();
  const isRest = (action: Action | BegunAction): boolean => {
    const { siblings, order } = action.expect;
    const doneThere = ended.get(collectionOf(action.address)) ?? [];
    const before = doneThere[0]?.expect.siblings;
    if (siblings === undefined || before === undefined) return false;
    const isSame = known.get(siblings) ?? isBut(doneThere, { before, now: siblings, isOrdered: order !== undefined });
    known.set(siblings, isSame);
    return isSame && reviewed.has(actionDigest(account, { ...action, expect: { ...action.expect, siblings: before } }));
  };
  for (const action of done) {
    // The ledger is a file: the digest is that of what it says, not one that it claims.
    const isReviewed = reviewed.has(actionDigest(account, action));
    const isLeft = interrupted.some(({ address }) => address === action.address);
    if (!isReviewed && !isLeft && !isRest(action)) continue;
    const collection = collectionOf(action.address);
    ended.set(collection, [...(ended.get(collection) ?? []), action]);
    known = new WeakMap();
  }
  return isRest;
}

/** True where a list is as it was before, but for what these actions did, which nobody took back. */
function isBut(
  actions: readonly BegunAction[],
  { before, now, isOrdered }: Record<'before' | 'now', readonly string[]> & { readonly isOrdered: boolean },
): boolean {
  const left = leftBy(actions);
  const names = new Set(now);
  const others = (list: readonly string[]): readonly string[] => {
    const kept = list.filter((name) => !left.has(name));
    return isOrdered ? kept : kept.sort(compareText);
  };
  return (
    [...left].every(([name, isThere]) => names.has(name) === isThere) && sameJson([...others(now)], [...others(before)])
  );
}

/** By the names in their list that these actions created, deleted or moved: whether they left it there. */
function leftBy(actions: readonly BegunAction[]): ReadonlyMap<string, boolean> {
  const left = new Map<string, boolean>();
  for (const action of actions) {
    const collection = collectionOf(action.address);
    const name = parseAddress(action.address)?.at(-1)?.name;
    for (const own of ownIdentitiesOf([action]).get(collection) ?? [])
      left.set(own, own === name && action.verb !== 'delete');
  }
  return left;
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
