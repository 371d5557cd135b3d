// Which hooks a plan has: what a manifest asks to be done with its other changes, one action each, only where there
// are such changes. What cannot be prepared holds the changes back that wait for it.
import type { Address } from '../model/address.ts';
import { rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Collection, Kind, Blocker, Registry } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { HookDefinition } from '../model/kind/hook.ts';
import type { Need, PlanBlocker } from '../model/plan/plan.ts';
import { actionDigest } from './digest.ts';
import type { UnorderedAction } from './order.ts';

export interface HookInput {
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly observed: ReadonlyMap<string, Collection>;
  readonly ledger: Pick<LedgerView, 'inFlight'>;
}

interface Hooks {
  readonly actions: readonly UnorderedAction[];
  readonly blocked: readonly PlanBlocker[];
}

/** True for a section that is no state: it has no plan of its own. */
export function isHook({ kind }: Pick<DesiredCollection, 'kind'>, registry: Registry): boolean {
  return registry.get(kind)?.capabilities.hook !== undefined;
}

/**
 * The actions with what goes with them, without those that wait for something that cannot be done. `made`: roots that
 * are still to be made.
 */
export function withHooks(input: HookInput, changes: readonly UnorderedAction[], made: ReadonlySet<Address>): Hooks {
  const { registry, declared } = input;
  const asked = declared.flatMap(({ kind, collection, members }) => {
    const definition = registry.get(kind)?.capabilities.hook;
    return definition === undefined
      ? []
      : members.map((desired) => ({ desired, definition, collection, kind: registry.get(kind) as Kind }));
  });
  // What comes before may take changes out, so what comes after is looked at last.
  const sorted = [...asked].sort(
    (left, right) => Number(left.definition.when === 'after') - Number(right.definition.when === 'after'),
  );
  return sorted.reduce<Hooks>(
    ({ actions, blocked }, { desired, definition, collection, kind }) => {
      const root = desired.parent as Address;
      const going = actions.filter((action) => isWith(definition, action, root, registry));
      // In what is only made by this plan there is nothing yet to keep or to clear.
      if (going.length === 0 || made.has(root)) return { actions, blocked };
      const planned = planHook(input, kind, definition, desired, collection);
      if (!('remedy' in planned)) return { actions: [...actions, planned], blocked };
      const held = going.map(({ address }): PlanBlocker => ({
        address,
        reason: `it waits for ${desired.address}: ${planned.reason}`,
        remedy: planned.remedy,
        rule: definition.rule,
      }));
      return { actions: actions.filter((action) => !going.includes(action)), blocked: [...blocked, ...held] };
    },
    { actions: changes, blocked: [] },
  );
}

function isWith(definition: HookDefinition, action: UnorderedAction, root: Address, registry: Registry): boolean {
  const traits = registry.get(action.kind)?.capabilities ?? {};
  return action.hook === undefined && rootOf(action.address) === root && definition.triggeredBy(action, traits);
}

function planHook(
  { observed, ledger }: HookInput,
  kind: Kind,
  definition: HookDefinition,
  desired: Desired,
  collection: string,
): UnorderedAction | Pick<Blocker, 'reason' | 'remedy'> {
  const { address } = desired;
  const parent = desired.parent as Address;
  const live = observed.get(collection) as Collection;
  if (live.state !== 'read') return live;
  const blocker = definition.refuse?.(live.members) ?? null;
  if (blocker !== null) return blocker;
  const inFlight = definition.when === 'before' && ledger.inFlight.some(({ action }) => action.address === address);
  if (inFlight)
    return { reason: 'it is in flight from an earlier run', remedy: 'Run `hostwright apply --resume` to continue it.' };
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
    hook: definition.when,
  };
}

/** The edges between a hook and the changes that it goes with. */
export function hookNeeds(
  actions: readonly UnorderedAction[],
  registry: Registry,
): readonly (Need & { readonly later: Address })[] {
  return actions.flatMap((hook) => {
    if (hook.hook === undefined) return [];
    const definition = registry.get(hook.kind)?.capabilities.hook as HookDefinition;
    const { rule, orderReason: reason } = definition;
    const going = actions.filter((action) => isWith(definition, action, rootOf(hook.address), registry));
    return going.map(({ address }) =>
      hook.hook === 'before'
        ? { later: address, address: hook.address, rule, reason }
        : { later: hook.address, address, rule, reason },
    );
  });
}
