// Decides the whole plan: every collection planned, ordered, given digests, counted. Synchronous and deterministic:
// the same manifests, ledger and live answers give the same bytes, whatever the order of the input.
import type { Address } from '../model/address.ts';
import { compareText, parentOf } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import { invariant } from '../model/invariant.ts';
import type { Collection, Kind, Member, Registry } from '../model/kind.ts';
import type { LedgerView } from '../model/ledger-view.ts';
import { ownedByCollection } from '../model/ledger-view.ts';
import type { Action, Obstacle, Plan, PlanSummary } from '../model/plan.ts';
import { PLAN_FORMAT } from '../model/plan.ts';
import type { CollectionPlan } from './collection.ts';
import { EMPTY_COLLECTION_PLAN, mergeCollectionPlans, planCollection, planMember } from './collection.ts';
import { planDigest, planIdentity } from './digest.ts';
import { orderActions, selectTargets } from './order.ts';

export interface PlanInput {
  readonly account: string;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  /** What was read, by collection. */
  readonly observed: ReadonlyMap<string, Collection>;
  /** Live objects of roots, by address. */
  readonly bound: ReadonlyMap<Address, Member>;
  readonly ledger: LedgerView;
  /** Empty: everything. */
  readonly targets: readonly Address[];
  /** What was noticed before planning, to be said with the plan. */
  readonly remarks: readonly Diagnostic[];
}

/** A plan, or the errors that forbid one. Never throws for what a user or the platform can cause. */
export function makePlan(input: PlanInput): { readonly plan?: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const owned = ownedByCollection(input.ledger);
  const parts = mergeCollectionPlans(input.declared.map((declared) => planDeclared(input, declared, owned)));
  const diagnostics = sortDiagnostics(parts.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  return { plan: assemble(input, parts), diagnostics };
}

function planDeclared(input: PlanInput, declared: DesiredCollection, owned: ReadonlyMap<string, ReadonlySet<string>>): CollectionPlan {
  const kind = input.registry.get(declared.kind);
  invariant(kind !== undefined, `no kind ${declared.kind}`);
  if (declared.parent === null) return planRoots(input, declared, kind);
  // The obstacle on the parent is the one thing to say; its sections follow when it is there.
  if (!input.bound.has(declared.parent)) return EMPTY_COLLECTION_PLAN;
  const observed = input.observed.get(declared.collection);
  invariant(observed !== undefined, `${declared.collection} was declared and not read`);
  return planCollection({ kind, declared, observed, owned: owned.get(declared.collection) ?? new Set() });
}

/** Roots go by their binding, not by a name: the local name of a manifest is never sent. */
function planRoots({ observed, bound }: PlanInput, declared: DesiredCollection, kind: Kind): CollectionPlan {
  const live = observed.get(declared.collection);
  invariant(live !== undefined, `${declared.collection} was declared and not read`);
  if (live.state !== 'read') return planCollection({ kind, declared, observed: live, owned: new Set() });
  return mergeCollectionPlans(declared.members.map((desired) => planMember(kind, live, desired, bound.get(desired.address))));
}

function assemble({ account, registry, observed, ledger, targets, remarks }: PlanInput, parts: CollectionPlan): Plan {
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  const liveMembers = new Map([...observed].map(([collection, live]) => [collection, live.state === 'read' ? live.members.length : 0]));
  const ordered = orderActions(
    parts.actions.filter(({ address }) => !inFlight.has(address)),
    registry,
    liveMembers,
  );
  const actions = selectTargets(ordered, targets);
  const here = <Item extends { readonly address: Address }>(items: readonly Item[]): readonly Item[] => sortByAddress(items.filter(({ address }) => isTargeted(address, targets)));
  const waiting = here(ledger.inFlight.map(({ action, because }): Obstacle => inFlightObstacle(action, because)));
  const bindings = neededBindings(actions, parts.bindings);
  const digest = planDigest(actions);
  const lists = {
    unmanaged: [...parts.unmanaged].sort((left, right) => compareText(left.collection, right.collection) || compareText(left.identity, right.identity)),
    blocked: here(parts.blocked),
    unknown: here(parts.unknown),
    waiting,
    manual: [],
    deferred: [],
  };
  const content: Omit<Plan, 'planId'> = {
    format: PLAN_FORMAT,
    ledgerSequence: ledger.sequence,
    account,
    digest,
    summary: summarise(actions, lists, parts.unchanged),
    actions,
    bindings,
    ...lists,
    remarks: sortDiagnostics([...remarks, ...parts.diagnostics]),
  };
  const { format, ...rest } = content;
  return { format, planId: planIdentity(content), ...rest };
}

function inFlightObstacle(action: Action, because: string | undefined): Obstacle {
  return {
    address: action.address,
    because: because ?? `its ${action.verb} is in flight from an earlier run`,
    todo: 'Run `hostwright apply --resume` to continue it.',
  };
}

function summarise(actions: readonly Action[], lists: Pick<Plan, 'unmanaged' | 'blocked' | 'unknown' | 'waiting' | 'manual'>, unchanged: number): PlanSummary {
  const count = (test: (action: Action) => boolean): number => actions.filter(test).length;
  return {
    create: count(({ verb }) => verb === 'create'),
    update: count(({ verb }) => verb === 'update'),
    delete: count(({ verb }) => verb === 'delete'),
    charges: count(({ risk }) => risk.includes('charge')),
    restarts: count(({ risk }) => risk.includes('restart')),
    manual: lists.manual.length,
    waiting: lists.waiting.length,
    blocked: lists.blocked.length,
    unknown: lists.unknown.length,
    unmanaged: lists.unmanaged.length,
    unchanged,
  };
}

/** Ids of the objects that the actions touch, and of the objects that those belong to. */
function neededBindings(actions: readonly Action[], known: Readonly<Record<Address, string>>): Readonly<Record<Address, string>> {
  const wanted = new Set<Address>();
  for (const { address } of actions) {
    for (let own: Address | null = address; own !== null; own = parentOf(own)) wanted.add(own);
  }
  return Object.fromEntries([...wanted].filter((address) => Object.hasOwn(known, address)).sort(compareText).map((address) => [address, known[address] as string]));
}

function isTargeted(address: Address, targets: readonly Address[]): boolean {
  return targets.length === 0 || targets.some((target) => address === target || address.startsWith(`${target}/`) || target.startsWith(`${address}/`));
}

function sortByAddress<Item extends { readonly address: Address }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => compareText(left.address, right.address));
}
