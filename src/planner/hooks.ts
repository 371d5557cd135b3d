// Hooks: what a manifest asks to be done before or after its other changes, one action each, and only where there are
// such changes. Where a hook before them cannot run, they do not run either.
import type { Address } from '../model/address.ts';
import { rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { HookDefinition } from '../model/kind/capabilities/hook.ts';
import type { Blocker, Collection, Kind, Registry } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Need, UnorderedAction } from '../model/plan/plan.ts';
import type { CollectionPlan, ListedBlocker } from './collections/collection-plan.ts';
import { listedBlocker } from './collections/collection-plan.ts';
import { contentDigest } from './digest.ts';
import { requirementOf } from './requests.ts';
import { actionSource } from '../model/diagnostic.ts';
import { groupBy } from '../model/common/lists.ts';

export interface HookInput {
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly observed: ReadonlyMap<string, Collection>;
  readonly ledger: Pick<LedgerView, 'inFlight'>;
}

type Hooked = Pick<CollectionPlan, 'actions' | 'blockers'>;

/** True for a section that is no state: it has no plan of its own. */
export function isHook({ kind }: Pick<DesiredCollection, 'kind'>, registry: Registry): boolean {
  return registry.get(kind)?.capabilities.hook !== undefined;
}

/**
 * The actions with the hooks that they trigger, without those that wait for a hook that cannot run. `created`: roots
 * that are still to be made.
 */
export function withHooks(input: HookInput, changes: Hooked['actions'], created: ReadonlySet<Address>): Hooked {
  const { registry, declared } = input;
  const hooks = declared.flatMap(({ kind: name, collection, members }) => {
    const kind = registry.get(name) as Kind;
    const { hook } = kind.capabilities;
    return hook === undefined ? [] : members.map((desired) => ({ desired, hook, collection, kind }));
  });
  // A hook before may take changes out, so those after are looked at last.
  const sorted = [...hooks].sort(
    (left, right) => Number(left.hook.when === 'after') - Number(right.hook.when === 'after'),
  );
  if (sorted.length === 0) return { actions: changes, blockers: [] };
  const changesIn = byRoot(changes);
  const added: UnorderedAction[] = [];
  const leftOut = new Set<UnorderedAction>();
  const blockers: ListedBlocker[] = [];
  for (const { desired, hook, collection, kind } of sorted) {
    const root = desired.parent as Address;
    const triggers = triggersOf(hook, changesIn.get(root), registry).filter((action) => !leftOut.has(action));
    // In what is only made by this plan there is nothing yet to keep or to clear.
    if (triggers.length === 0 || created.has(root)) continue;
    const planned = planHook(input, kind, hook, desired, collection);
    if (!('remedy' in planned)) {
      added.push(planned);
      continue;
    }
    const blocker = {
      reason: `it waits for ${desired.address}: ${planned.reason}`,
      remedy: planned.remedy,
      rule: hook.rule,
    };
    for (const action of triggers) {
      leftOut.add(action);
      blockers.push(listedBlocker(action.address, blocker));
    }
  }
  return { actions: [...changes.filter((action) => !leftOut.has(action)), ...added], blockers };
}

/** The actions of each root, hooks left out: no hook is triggered by one. */
function byRoot(actions: readonly UnorderedAction[]): ReadonlyMap<Address, readonly UnorderedAction[]> {
  return groupBy(
    actions.filter(({ hook }) => hook === undefined),
    ({ address }) => rootOf(address),
  );
}

/** Those of the actions in its root that a hook is triggered by. */
function triggersOf(
  hook: HookDefinition,
  actions: readonly UnorderedAction[] = [],
  registry: Registry,
): readonly UnorderedAction[] {
  return actions.filter((action) => hook.triggeredBy(action, registry.get(action.kind)?.capabilities ?? {}));
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
  return {
    ...core,
    kind: kind.kind,
    digest: contentDigest(core),
    reason: definition.reason,
    ...actionSource(desired.sourceOf('')),
    requires: requirementOf(core.steps),
    // Last of all, removals included.
    stage: definition.when === 'after' ? 'removal' : 'change',
    effects: [],
    locks: [parent],
    hook: definition.when,
  };
}

/** The edges between a hook and the changes that trigger it. */
export function hookNeeds(
  actions: readonly UnorderedAction[],
  registry: Registry,
): readonly (Need & { readonly later: Address })[] {
  const hooks = actions.filter(({ hook }) => hook !== undefined);
  if (hooks.length === 0) return [];
  const changesIn = byRoot(actions);
  return hooks.flatMap((hook) => {
    const definition = registry.get(hook.kind)?.capabilities.hook as HookDefinition;
    const { rule, orderReason: reason } = definition;
    return triggersOf(definition, changesIn.get(rootOf(hook.address)), registry).map(({ address }) =>
      hook.hook === 'before'
        ? { later: address, address: hook.address, rule, reason }
        : { later: hook.address, address, rule, reason },
    );
  });
}
