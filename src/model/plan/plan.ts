// The plan document: the program that a reviewer reads and apply interprets. It survives JSON unchanged.
import type { Address } from '../address.ts';
import { compareText, rootOf } from '../address.ts';
import type { Action, Change, Plan as PlanDocument } from '../generated/output/plan.ts';
import { unescapePointer } from '../json.ts';

export const PLAN_FORMAT = 'hostwright.plan/1';

/** An RFC 6902 operation on the normalised document of the object, with the value that was there for readers. */
export type { Change } from '../generated/output/plan.ts';

export type Verb = Action['verb'];
export type Risk = Action['risk'][number];

/** What a run without review may be allowed by name: verbs, and risks that no ceiling counts. `delete` is both. */
export const APPROVABLE = ['create', 'update', 'delete', 'lapse', 'exposure', 'primary', 'irreversible'] as const;
export type Approvable = (typeof APPROVABLE)[number];

/**
 * RFC 6902 tests against the normalised live document. `siblings`: of a list that is authoritative, where a neighbour that
 * slipped in after the review is a conflict. `order`: `moved` where the action changes its own place in it.
 */
export type Expectation = Action['expect'];

/** An ordering edge: this action starts when the other one is done, because of a rule of the platform. */
export type Need = Action['needs'][number];

/**
 * A value in another object that changes when an action is done: a promoted domain makes the previous primary an alias.
 * Once it is done, the expectations of that object are held against it.
 */
export type Effect = Action['effects'][number];

/**
 * What the credential must be able to do. Never changes a plan; checked before the first write where it can be known. A
 * system key is no user (CNV-13), and some calls are closed to OAuth (CNV-11).
 */
export type Requirement = Action['requires'];

/** Something in an object that is to be deleted. Outside every digest. */
export type Holding = NonNullable<Action['holds']>[number];

/**
 * What is done to one object. Its digest is a sha256, with other objects by address and never by id. Locks are taken in
 * sorted order. Of a delete, `keep.accept` says that `drift --accept` can write its lines.
 */
export type { Action } from '../generated/output/plan.ts';

/** An action before it is known which others it waits for. Its digest is the same in every account. */
export type UnorderedAction = Omit<Action, 'needs'>;

/** A live object that no manifest names: left alone, with the YAML that would adopt it. */
export type Unmanaged = PlanDocument['unmanaged'][number];

/**
 * Cannot be done now, and nothing in this plan changes that. `rule` says which fact of the platform stands in the way.
 */
export type PlanBlocker = PlanDocument['blocked'][number];

/** Cannot be observed, and so not be planned, before another action has run. */
export type Deferred = PlanDocument['deferred'][number];

/** What a plan was limited to: by `--target`, `--changed-since`, or the paths that were named. */
export type Coverage = NonNullable<PlanDocument['covers']>;

export type PlanSummary = PlanDocument['summary'];

/**
 * A plan without what a command prints beside it. `planId`: a sha256 over all the rest, for single use: the ledger refuses
 * a plan that it has seen finish. Bindings, and what `drift` tells, are outside every digest; the latter outside the id too.
 */
export type Plan = Omit<PlanDocument, 'outcome' | 'exitCode' | 'guardCheck' | 'rehearsal' | 'diagnostics'>;

/** The field of an object that a pointer leads to, or into; '' for the object itself. */
export function fieldIn(pointer: string): string {
  return unescapePointer(pointer.split('/')[1] ?? '');
}

/** The fields that changes touch, each once, in the order of the changes. */
export function changedFields(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ path }) => fieldIn(path)))];
}

/** True when the plan has nothing to do and nothing left over. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.actions.length === 0 && !isUnfinished(plan);
}

/**
 * True for an action after which something is gone, whatever its verb. What moves does not end (O-14), and what is
 * renewed no more stays until its day (REG-12).
 */
export function endsSomething({ verb, risk, expect }: Pick<Action, 'verb' | 'risk' | 'expect'>): boolean {
  return verb === 'delete' || (risk.includes('delete') && expect.from === undefined);
}

/**
 * True for an action that deletes the live object and creates it again with other values: in between it does not exist,
 * and if creating fails it may stay deleted (O-44). Ceilings and approvals count it as a deletion.
 */
export function replaces({ steps }: Pick<Action, 'steps'>): boolean {
  return steps.some((step) => step.do === 'request' && step.putBack !== undefined);
}

/** True when something declared is not so, and this plan cannot make it so. */
export function isUnfinished(plan: Plan): boolean {
  return (
    plan.blocked.length + plan.unknown.length + plan.waiting.length + plan.manual.length + plan.deferred.length > 0
  );
}

/**
 * What a plan is about: its targets, or what it was limited to; of a plan of everything, the roots in which it does
 * something. Undefined where it does nothing: then only a look at everything shows that there is nothing to do.
 */
export function subjectsOf({ covers, actions, deferred }: Plan): readonly Address[] | undefined {
  if (covers !== undefined) return covers.targets.length > 0 ? covers.targets : covers.read;
  const roots = new Set([...actions, ...deferred].map(({ address }) => rootOf(address)));
  return roots.size === 0 ? undefined : [...roots].sort(compareText);
}
