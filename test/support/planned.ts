// Plans of single collections and objects, with their blockers in the lists of a plan.
import { planCollection as plan } from '../../src/planner/collections/collection.ts';
import type { CollectionPlan, ListedBlocker } from '../../src/planner/collections/collection-plan.ts';
import { planMember as planOne } from '../../src/planner/collections/member.ts';
import type { PlanBlocker } from '../../src/model/plan/plan.ts';

export type ListedPlan = CollectionPlan & Readonly<Record<ListedBlocker['list'], readonly PlanBlocker[]>>;

function withLists(made: CollectionPlan): ListedPlan {
  const inList = (wanted: ListedBlocker['list']): readonly PlanBlocker[] =>
    made.blockers.flatMap(({ list, ...blocker }) => (list === wanted ? [blocker] : []));
  return {
    ...made,
    blocked: inList('blocked'),
    unknown: inList('unknown'),
    waiting: inList('waiting'),
    manual: inList('manual'),
  };
}

export const planCollection = (input: Parameters<typeof plan>[0]): ListedPlan => withLists(plan(input));

export const planMember = (...input: Parameters<typeof planOne>): ListedPlan => withLists(planOne(...input));
