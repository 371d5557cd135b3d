// Decides which occasions a plan has: what a manifest asks to be done with its other changes, one action each, only
// where there are such changes. What cannot be prepared holds the changes back that wait for it. Must not know any
// kind: what goes with what is in its definition.
import type { Address } from '../model/address.ts';
import { rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Collection, Kind, Refusal, Registry } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { OccasionDefinition } from '../model/kind/hook.ts';
import type { Need, Obstacle } from '../model/plan/plan.ts';
import { actionDigest } from './digest.ts';
import type { UnorderedAction } from './order.ts';

export interface OccasionInput {
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly observed: ReadonlyMap<string, Collection>;
  readonly ledger: Pick<LedgerView, 'inFlight'>;
}

interface Occasions {
  readonly actions: readonly UnorderedAction[];
  readonly blocked: readonly Obstacle[];
}

/** True for a section that is no state: it has no plan of its own. */
export function isOccasion({ kind }: Pick<DesiredCollection, 'kind'>, registry: Registry): boolean {
  return registry.get(kind)?.occasion !== undefined;
}

/**
 * The actions with what goes with them, without those that wait for something that cannot be done. `made`: roots that
 * are still to be made.
 */
export function withOccasions(
  input: OccasionInput,
  changes: readonly UnorderedAction[],
  made: ReadonlySet<Address>,
): Occasions {
  const { registry, declared } = input;
  const asked = declared.flatMap(({ kind, collection, members }) => {
    const definition = registry.get(kind)?.occasion;
    return definition === undefined
      ? []
      : members.map((desired) => ({ desired, definition, collection, kind: registry.get(kind) as Kind }));
  });
  // What comes before may take changes out, so what comes after is looked at last.
  const sorted = [...asked].sort(
    (left, right) => Number(left.definition.when === 'after') - Number(right.definition.when === 'after'),
  );
  return sorted.reduce<Occasions>(
    ({ actions, blocked }, { desired, definition, collection, kind }) => {
      const root = desired.parent as Address;
      const going = actions.filter((action) => isWith(definition, action, root));
      // In what is only made by this plan there is nothing yet to keep or to clear.
      if (going.length === 0 || made.has(root)) return { actions, blocked };
      const planned = planOccasion(input, kind, definition, desired, collection);
      if (!('because' in planned)) return { actions: [...actions, planned], blocked };
      const held = going.map(({ address }): Obstacle => ({
        address,
        because: `it waits for ${desired.address}: ${planned.because}`,
        todo: planned.todo,
        rule: definition.rule,
      }));
      return { actions: actions.filter((action) => !going.includes(action)), blocked: [...blocked, ...held] };
    },
    { actions: changes, blocked: [] },
  );
}

function isWith(definition: OccasionDefinition, action: UnorderedAction, root: Address): boolean {
  return action.occasion === undefined && rootOf(action.address) === root && definition.goesWith(action);
}

function planOccasion(
  { observed, ledger }: OccasionInput,
  kind: Kind,
  definition: OccasionDefinition,
  desired: Desired,
  collection: string,
): UnorderedAction | Pick<Refusal, 'because' | 'todo'> {
  const { address } = desired;
  const parent = desired.parent as Address;
  const live = observed.get(collection) as Collection;
  if (live.state !== 'read') return live;
  const refusal = definition.refuse?.(live.members) ?? null;
  if (refusal !== null) return refusal;
  const inFlight = definition.when === 'before' && ledger.inFlight.some(({ action }) => action.address === address);
  if (inFlight)
    return { because: 'it is in flight from an earlier run', todo: 'Run `hostwright apply --resume` to continue it.' };
  const core = {
    address,
    verb: definition.verb,
    changes: [],
    expect: { exists: false, tests: [] },
    steps: definition.steps({ self: address, parent, members: live.members }),
    risk: definition.risk,
    protected: desired.lifecycle.protect,
  };
  const source = desired.sourceOf('');
  return {
    ...core,
    kind: kind.kind,
    digest: actionDigest(core),
    reason: definition.reason,
    ...(source !== undefined && { source: { file: source.file, line: source.line, column: source.column } }),
    requires: definition.requires,
    // Last of all, removals included.
    stage: definition.when === 'after' ? 'removal' : 'change',
    effects: [],
    locks: [parent],
    occasion: definition.when,
  };
}

/** The edges between an occasion and the changes that it goes with. */
export function occasionNeeds(
  actions: readonly UnorderedAction[],
  registry: Registry,
): readonly (Need & { readonly later: Address })[] {
  return actions.flatMap((occasion) => {
    if (occasion.occasion === undefined) return [];
    const definition = registry.get(occasion.kind)?.occasion as OccasionDefinition;
    const { rule, because } = definition;
    const going = actions.filter((action) => isWith(definition, action, rootOf(occasion.address)));
    return going.map(({ address }) =>
      occasion.occasion === 'before'
        ? { later: address, address: occasion.address, rule, because }
        : { later: occasion.address, address, rule, because },
    );
  });
}
