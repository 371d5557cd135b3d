// Plans of single collections and objects, with their blockers in the lists of a plan.
import { planCollection as plan } from '../../src/planner/collections/collection.ts';
import type { CollectionPlan, ListedBlocker } from '../../src/planner/collections/collection-plan.ts';
import { planMember as planOne } from '../../src/planner/collections/member.ts';
import { orderActions } from '../../src/planner/order.ts';
import { registry } from '../../src/areas/index.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Answers, Collection, Kind, Member, ReadContext } from '../../src/model/kind/kind.ts';
import type { Action, PlanBlocker } from '../../src/model/plan/plan.ts';
import { member, wantMembers } from './desired.ts';

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

/** What is around the objects of a kind: whose they are, and what else is known. */
export type Around = Partial<Omit<ReadContext, 'declared'>> & {
  /** The address of the root; absent: that of a site. */
  readonly root?: string;
  readonly rootSpec?: JsonObject;
};

const SITE: Member = { identity: 'Shop', id: 'site/1', spec: {}, computed: {}, keys: [] };

/** What a kind is told where these are declared. */
export function contextOf(
  kind: Kind,
  specs: readonly JsonObject[] = [],
  { root = 'Site/shop', rootSpec, ...around }: Around = {},
): ReadContext {
  const declared = wantMembers(kind, root, specs, rootSpec === undefined ? {} : { rootSpec });
  return { account: 'acc', parent: SITE, declared, owned: new Set(), answers: {}, ...around };
}

/** What a kind reads in these answers. */
export function readKind(
  kind: Kind,
  answers: Answers,
  specs: readonly JsonObject[] = [],
  around: Around = {},
): Collection & { readonly state: 'read' } {
  const context = contextOf(kind, specs, { answers, ...around });
  const members = kind
    .decode(answers, context)
    .map(({ id, spec, computed = {} }) => member(kind, id, spec as JsonObject, { computed }));
  return { state: 'read', members, blockers: kind.blockers?.(answers, context) ?? {} };
}

/** The plan of what is declared where these are the answers, its actions in their order. */
export function planKind(
  kind: Kind,
  specs: readonly JsonObject[],
  answers: Answers,
  around: Around = {},
): Omit<ListedPlan, 'actions'> & { readonly actions: readonly Action[] } {
  const { declared } = contextOf(kind, specs, around);
  const observed = readKind(kind, answers, specs, around);
  const made = planCollection({ kind, declared, observed, owned: new Set() });
  return { ...made, actions: orderActions(made.actions, registry, new Map()) };
}
