// What planning one collection, or one object, comes to; and one such plan of many.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Blocker } from '../../model/kind/kind.ts';
import type { PlanBlocker, Unmanaged, UnorderedAction } from '../../model/plan/plan.ts';

export interface CollectionPlan {
  readonly actions: readonly UnorderedAction[];
  readonly blockers: readonly ListedBlocker[];
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of live members that are wanted or acted on. */
  readonly bindings: readonly BoundObject[];
  readonly unchanged: number;
}

/** Which live object is meant. */
export interface BoundObject {
  readonly address: Address;
  readonly id: string;
}

/** A blocker with the list of the plan that it goes to. */
export interface ListedBlocker extends PlanBlocker {
  readonly list: 'blocked' | 'unknown' | 'waiting' | 'manual';
}

export const EMPTY_COLLECTION_PLAN: CollectionPlan = {
  actions: [],
  blockers: [],
  unmanaged: [],
  diagnostics: [],
  bindings: [],
  unchanged: 0,
};

/** One plan of many. */
export function mergeCollectionPlans(plans: readonly CollectionPlan[]): CollectionPlan {
  const [only] = plans;
  if (only !== undefined && plans.length === 1) return only;
  const actions: UnorderedAction[] = [];
  const blockers: ListedBlocker[] = [];
  const unmanaged: Unmanaged[] = [];
  const diagnostics: Diagnostic[] = [];
  const bindings: BoundObject[] = [];
  let unchanged = 0;
  for (const plan of plans) {
    for (const one of plan.actions) actions.push(one);
    for (const one of plan.blockers) blockers.push(one);
    for (const one of plan.unmanaged) unmanaged.push(one);
    for (const one of plan.diagnostics) diagnostics.push(one);
    for (const one of plan.bindings) bindings.push(one);
    unchanged += plan.unchanged;
  }
  return { actions, blockers, unmanaged, diagnostics, bindings, unchanged };
}

/** What a kind, or a filter of admission, says against an action: without a rule where no document has one. */
export type UnlistedBlocker = Pick<Blocker, 'reason' | 'remedy' | 'as'> & { readonly rule?: string };

/** The blocker of one object, in the list that it names. */
export function listedBlocker(address: Address, { reason, remedy, rule, as }: UnlistedBlocker): ListedBlocker {
  return { list: as ?? 'blocked', address, reason, remedy, ...(rule !== undefined && { rule }) };
}

/** An object or a list of which nothing can be planned. */
export function blockedPlan(address: Address, ...blockers: readonly UnlistedBlocker[]): CollectionPlan {
  return { ...EMPTY_COLLECTION_PLAN, blockers: blockers.map((blocker) => listedBlocker(address, blocker)) };
}
