// Which action waits for which, from the ordering rules of kinds, and the execution order that follows. The one rule
// that it knows itself is O-70: changes come before removals.
import { collectionOf, compareText, parentOf, rootOf } from '../model/address.ts';
import type { Address } from '../model/address.ts';
import { invariant } from '../model/invariant.ts';
import { escapePointer } from '../model/json.ts';
import type { Collection, Kind, OrderedAction, OrderRule, Registry } from '../model/kind/kind.ts';
import { positionOf } from '../model/kind/kind.ts';
import { moveNeeds } from './moves.ts';
import { hookNeeds } from './hooks.ts';
import type { Action, Need, UnorderedAction } from '../model/plan/plan.ts';
import { groupBy } from '../model/common/lists.ts';

const IN_ORDER = { rule: 'GAP-25', reason: 'the order of the list matters, so earlier items are written first' };
const REMOVE_LAST = { rule: 'O-70', reason: 'a failed change must not leave less than there was before' };

/** What each action waits for: one edge a pair. */
type Needs = ReadonlyMap<Address, Map<Address, Need>>;

/** An edge between two roots. */
type LaterNeed = Need & { readonly later: Address };

/**
 * The actions with their needs, in execution order: the same for the same actions, whatever order they come in.
 * `across`: what they wait for in other roots.
 */
export function orderActions(
  actions: readonly UnorderedAction[],
  registry: Registry,
  liveMembers: ReadonlyMap<string, number>,
  across: readonly LaterNeed[] = [],
): readonly Action[] {
  const sorted = advanceRemovals(actions, registry).sort(
    (left, right) => compareStage(left, right) || compareText(left.address, right.address),
  );
  const needs: Needs = new Map(sorted.map(({ address }) => [address, new Map<Address, Need>()]));
  const kinds = [...registry.values()].filter(({ order }) => order.length > 0);
  const views = sorted.map((action): OrderedAction => ({
    ...action,
    liveMembers: liveMembers.get(collectionOf(action.address)) ?? 0,
  }));
  for (const group of groupBy(views, (action) => rootOf(action.address)).values()) {
    for (const rule of rulesOf(group, kinds)) addRule(rule, group, needs);
    addPositions(group, registry, needs);
    addRemovals(group, needs);
  }
  for (const { later, address, rule, reason } of [
    ...moveNeeds(sorted, registry),
    ...hookNeeds(sorted, registry),
    ...across.filter((need) => needs.has(need.address)),
  ])
    addNeed(needs, later, { address, rule, reason });
  return sortByNeeds(
    sorted.map((action) => ({ ...action, needs: [...(needs.get(action.address) as Map<Address, Need>).values()] })),
  );
}

/** How many live members each collection has; 0 for one that was not read. */
export function countMembers(observed: ReadonlyMap<string, Collection>): ReadonlyMap<string, number> {
  return new Map(
    [...observed].map(([collection, live]) => [collection, live.state === 'read' ? live.members.length : 0]),
  );
}

/**
 * A removal that has to come first, because a change takes what it frees, is put among the changes. So is every removal
 * that comes before that one: among removals it would wait for it (O-70).
 */
function advanceRemovals(actions: readonly UnorderedAction[], registry: Registry): UnorderedAction[] {
  const rules = [...registry.values()].flatMap(({ order }) => order);
  const freeing = rules.filter(({ frees }) => frees === true);
  const first = new Set<Address>();
  if (actions.some(({ stage }) => stage === 'removal')) {
    const views = actions.map((action): OrderedAction => ({ ...action, liveMembers: 0 }));
    // No rule reaches from one root into another.
    for (const group of groupBy(views, ({ address }) => rootOf(address)).values()) {
      const removals = group.filter(({ stage }) => stage === 'removal');
      if (removals.length > 0) for (const rule of freeing) advance(rule, group.filter(rule.after), removals);
    }
  }
  return actions.map((action) => (first.has(action.address) ? { ...action, stage: 'change' } : action));

  function advance(rule: OrderRule, later: readonly OrderedAction[], removals: readonly OrderedAction[]): void {
    for (const one of later.length === 0 ? [] : removals.filter(rule.before)) {
      if (first.has(one.address) || !later.some((other) => rule.between?.(one, other) !== false)) continue;
      first.add(one.address);
      for (const earlier of rules) advance(earlier, [one].filter(earlier.after), removals);
    }
  }
}

function addRule(rule: OrderRule, group: readonly OrderedAction[], needs: Needs): void {
  const scopes = rule.within === 'root' ? [group] : groupBy(group, ({ address }) => parentOf(address) ?? '').values();
  for (const scope of scopes) {
    const first = scope.filter(rule.before);
    for (const later of first.length === 0 ? [] : scope.filter(rule.after)) {
      for (const earlier of first)
        if (earlier.address !== later.address && rule.between?.(earlier, later) !== false)
          addNeed(needs, later.address, { address: earlier.address, rule: rule.rule, reason: rule.reason });
    }
  }
}

/**
 * Of one ordered list, what stands before is written first: no member acts before those that it was put behind
 * (GAP-25).
 */
function addPositions(group: readonly OrderedAction[], registry: Registry, needs: Needs): void {
  for (const collection of groupBy(group, ({ address }) => collectionOf(address)).values()) {
    const field = positionOf(registry.get((collection[0] as OrderedAction).kind) as Kind);
    if (field === undefined) continue;
    const positions = collection
      .flatMap((action) =>
        action.changes
          .filter(({ op, path }) => op !== 'remove' && path === `/${escapePointer(field)}`)
          .map(({ value }) => ({ address: action.address, position: value as number })),
      )
      .sort((left, right) => left.position - right.position);
    positions
      .slice(1)
      .forEach(({ address }, index) =>
        addNeed(needs, address, { address: (positions[index] as { address: Address }).address, ...IN_ORDER }),
      );
  }
}

function addRemovals(group: readonly OrderedAction[], needs: Needs): void {
  // Hooks are neither: they have edges of their own.
  const states = group.filter(({ hook }) => hook === undefined);
  const changes = states.filter(({ stage }) => stage === 'change');
  for (const removal of states.filter(({ stage }) => stage === 'removal')) {
    for (const { address } of changes) addNeed(needs, removal.address, { address, ...REMOVE_LAST });
  }
}

/** One edge a pair: the first rule that asks for it is the one that is shown. */
function addNeed(needs: Needs, later: Address, need: Need): void {
  const known = needs.get(later) as Map<Address, Need>;
  if (!known.has(need.address)) known.set(need.address, need);
}

/** Rules of every kind that has an action here. */
function rulesOf(group: readonly OrderedAction[], kinds: readonly Kind[]): readonly OrderRule[] {
  return kinds.filter(({ kind }) => group.some((action) => action.kind === kind)).flatMap(({ order }) => order);
}

/** Depth first over sorted input: an action comes right after the last of its needs, else in address order. */
function sortByNeeds(actions: readonly Action[]): readonly Action[] {
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const state = new Map<Address, 'open' | 'done'>();
  const ordered: Action[] = [];
  const visit = (action: Action): void => {
    const seen = state.get(action.address);
    invariant(seen !== 'open', `ordering rules form a circle at ${action.address}`);
    if (seen === 'done') return;
    state.set(action.address, 'open');
    for (const need of action.needs) visit(byAddress.get(need.address) as Action);
    state.set(action.address, 'done');
    ordered.push(action);
  };
  for (const action of actions) visit(action);
  return ordered;
}

function compareStage(left: UnorderedAction, right: UnorderedAction): number {
  return (left.stage === 'removal' ? 1 : 0) - (right.stage === 'removal' ? 1 : 0);
}
