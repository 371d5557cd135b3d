// Actions on one live object that several declared members use. The first of them edits it, and the others are planned
// again when that is done: mostly nothing is left of them then.
import type { Address } from '../../model/address.ts';
import { addressOf, compareText, rootOf } from '../../model/address.ts';
import type { Kind } from '../../model/kind/kind.ts';
import type { SharedDefinition } from '../../model/kind/capabilities/shared.ts';
import { sameJson } from '../../model/json.ts';
import { changedFields } from '../../model/plan/plan.ts';
import type { Change, UnorderedAction } from '../../model/plan/plan.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { PlanInput } from '../plan-input.ts';
import { isTargeted } from '../targets.ts';

/** An action that waits for the action on the object that both use. */
export interface SharedFollower {
  readonly address: Address;
  readonly until: Address;
  readonly reason: string;
}

/** An action that edits a shared object. */
interface SharedEdit {
  readonly action: UnorderedAction;
  readonly shared: SharedDefinition;
  readonly key: string;
}

/** Returns the actions that are left for a later round, because another action of this plan edits their object. */
export function sharedFollowers(input: PlanInput, actions: readonly UnorderedAction[]): readonly SharedFollower[] {
  const edits = actions.flatMap((action) => sharedEdit(input, action));
  if (edits.length === 0) return [];
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const roots = rootsByKey(input);
  return [...groupBy(edits, ({ key }) => key).values()].flatMap((group) => {
    const first = firstOf(input, group);
    const { shared, action } = first;
    const { computed = {} } = liveMember(input, action) ?? {};
    const parent = (input.registry.get(action.kind) as Kind).parent as string;
    const reason = `${shared.reason} as that of ${rootOf(action.address)} (${shared.rule})`;
    const uses = shared.uses(computed).flatMap(({ root, kind, at }) => {
      const address = roots.get(`${parent} ${root}`);
      return address === undefined ? [] : [{ address: addressOf(address, kind, null), at }];
    });
    return [...groupBy(uses, ({ address }) => address)].flatMap(([address, own]): readonly SharedFollower[] => {
      const other = byAddress.get(address);
      return other === undefined || other === action || !isCovered(other, action, own)
        ? []
        : [{ address, until: action.address, reason }];
    });
  });
}

function sharedEdit(input: PlanInput, action: UnorderedAction): readonly SharedEdit[] {
  const shared = input.registry.get(action.kind)?.capabilities.shared;
  const live = shared === undefined || action.verb !== 'update' ? undefined : liveMember(input, action);
  const key = live === undefined ? undefined : shared?.key(live.computed, changedFields(action.changes));
  return shared === undefined || key === undefined ? [] : [{ action, shared, key: `${action.kind} ${key}` }];
}

/** Only singletons share an object: the collection has the address of its member. */
function liveMember({ observed }: PlanInput, { address }: UnorderedAction) {
  const live = observed.get(address);
  return live?.state === 'read' ? live.members[0] : undefined;
}

/** The first by address of those that the plan is about. */
function firstOf({ targets }: PlanInput, group: readonly SharedEdit[]): SharedEdit {
  const sorted = [...group].sort((left, right) => compareText(left.action.address, right.action.address));
  return sorted.find(({ action }) => isTargeted(action.address, targets)) ?? (sorted[0] as SharedEdit);
}

/**
 * Whether an edit brings about what the other action changes: all of it in its own root, where what is left comes after
 * the edit anyway, and any of it in another root.
 */
function isCovered(other: UnorderedAction, edit: UnorderedAction, uses: readonly { readonly at: string }[]): boolean {
  const edited = new Map(
    uses.flatMap(({ at }) => edit.changes.map(({ path, value }) => [`${at}${path}`, value] as const)),
  );
  const comes = ({ path, value }: Change): boolean => edited.has(path) && sameJson(edited.get(path), value);
  return rootOf(other.address) === rootOf(edit.address) ? other.changes.every(comes) : other.changes.some(comes);
}

/** Roots by kind and natural key. */
function rootsByKey({ declared }: PlanInput): ReadonlyMap<string, Address> {
  return new Map(
    declared
      .filter(({ parent }) => parent === null)
      .flatMap(({ members }) => members)
      .flatMap(({ address, kind, keys }) => keys.flat().map((key) => [`${kind} ${key}`, address] as const)),
  );
}
