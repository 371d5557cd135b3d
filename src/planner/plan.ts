// The whole plan: every collection planned, ordered, given digests, counted. Synchronous and deterministic: the same
// manifests, ledger and live answers give the same bytes, whatever the order of the input.
import type { Address } from '../model/address.ts';
import { addressOf, collectionOf, compareText, kindOf, parentOf } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import { invariant } from '../model/invariant.ts';
import type { Collection, Kind, Member, Registry, WantedIn } from '../model/kind/kind.ts';
import type { InFlight, LedgerView } from '../model/plan/ledger-view.ts';
import { ownedByCollection } from '../model/plan/ledger-view.ts';
import type { Action, Coverage, Deferred, PlanBlocker, Plan, PlanSummary } from '../model/plan/plan.ts';
import { PLAN_FORMAT } from '../model/plan/plan.ts';
import type { Until } from '../model/kind/until.ts';
import { objectNeeds } from '../model/kind/needs-of.ts';
import type { CollectionPlan, ReadState } from './collection.ts';
import {
  EMPTY_COLLECTION_PLAN,
  holdOf,
  mergeCollectionPlans,
  planAbsent,
  planCollection,
  planMember,
} from './collection.ts';
import { declaredDigest, planDigest, planIdentity } from './digest.ts';
import type { Holders } from './moves.ts';
import { holdersOf, holdMoves, leavingOf } from './moves.ts';
import type { Follower } from './needs.ts';
import { followersOf, holdBack, needsOf } from './needs.ts';
import { isHook, withHooks } from './hooks.ts';
import type { UnorderedAction } from './order.ts';
import { membersIn, orderActions, selectTargets } from './order.ts';

export interface PlanInput {
  readonly account: string;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  /** What all manifests want, where only some of them are planned. Absent: `declared` is all. */
  readonly everywhere?: readonly DesiredCollection[];
  /** What was read, by collection. */
  readonly observed: ReadonlyMap<string, Collection>;
  /** Live objects of roots, by address. */
  readonly bound: ReadonlyMap<Address, Member>;
  readonly ledger: LedgerView;
  /** Empty: everything. */
  readonly targets: readonly Address[];
  /** What the plan is limited to, to be said with it. */
  readonly covers?: Coverage;
  /**
   * Why what an answer tells only once cannot be kept where it is declared to go, by the address of what would be made.
   */
  readonly unwritableSecrets?: ReadonlyMap<Address, string>;
  /** What was noticed before planning, to be said with the plan. */
  readonly notices: readonly Diagnostic[];
}

/** A plan, and what is to be said with it. Never throws for what a user or the platform can cause. */
export function makePlan(input: PlanInput): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const owned = ownedByCollection(input.ledger);
  const roots = holdBack(
    input,
    inTurn(
      input,
      withoutUnsaved(
        input,
        withoutHeld(
          input,
          mergeCollectionPlans(
            input.declared.filter(({ parent }) => parent === null).map((declared) => planRoots(input, declared)),
          ),
        ),
      ),
    ),
  );
  const made = new Set(roots.actions.filter(({ verb }) => verb === 'create').map(({ address }) => address));
  const sections = input.declared.filter((declared) => declared.parent !== null && !isHook(declared, input.registry));
  const holders = holdersOf(
    input.declared.flatMap(({ parent, members }) => (parent === null ? members : [])),
    input.bound,
  );
  const context: SectionContext = {
    made,
    owned,
    holders,
    leaving: leavingOf(sections, input.registry, input.observed),
    wantedIn: wantedInRoots(input),
  };
  const all = holdBack(
    input,
    withoutStuck(
      input,
      withoutHeld(
        input,
        mergeCollectionPlans([roots, ...sections.map((declared) => planSection(input, declared, context))]),
      ),
    ),
  );
  const followers = followersOf(input, all.actions);
  const read = withHooksOf(input, made, {
    ...all,
    actions: all.actions.filter(({ address }) => !followers.some(({ action }) => action.address === address)),
  });
  const notReady = sections.flatMap((declared) => notReadySection(input, declared, read));
  const late = [...notReady, ...lateFollowers(sections, followers, notReady)];
  // What is only worth knowing is told where it was asked for.
  const diagnostics = sortDiagnostics(
    read.diagnostics.filter(({ address }) => address === undefined || isTargeted(address, input.targets)),
  );
  const parts = { ...read, diagnostics, blocked: [...read.blocked, ...late.filter((one) => 'remedy' in one)] };
  return {
    plan: assemble(input, parts, [
      ...sections.flatMap((declared) => deferredSection(input, declared, made)),
      ...late.filter((one) => 'until' in one),
    ]),
    diagnostics,
  };
}

/** True for a section of an object in which nothing can be done for now: the object itself says why. */
export function isHeld(registry: Registry, parent: Address, bound: ReadonlyMap<Address, Member>): boolean {
  const owner = bound.get(parent);
  return owner !== undefined && holdOf(registry.get(kindOf(parent)) as Kind, owner) !== null;
}

function kindOfCollection({ registry }: PlanInput, { kind: name }: DesiredCollection): Kind {
  const kind = registry.get(name);
  invariant(kind !== undefined, `no kind ${name}`);
  return kind;
}

/** What is in flight is not planned again, so a move cannot count on it. */
function withoutStuck({ ledger, registry, bound }: PlanInput, parts: CollectionPlan): CollectionPlan {
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  const { actions, blocked } = holdMoves(
    parts.actions.filter(({ address }) => !inFlight.has(address)),
    registry,
    bound,
  );
  return { ...parts, actions, blocked: [...parts.blocked, ...blocked] };
}

function withHooksOf(input: PlanInput, made: ReadonlySet<Address>, parts: CollectionPlan): CollectionPlan {
  const { actions, blocked } = withHooks(input, parts.actions, made);
  return { ...parts, actions, blocked: [...parts.blocked, ...blocked] };
}

/** No paid request is planned while nobody knows what became of another: first that is settled (O-02). */
function withoutHeld({ ledger }: PlanInput, parts: CollectionPlan): CollectionPlan {
  const holders = new Map(
    ledger.inFlight.flatMap((flight) => heldBy(flight).map((lock) => [lock, flight.action.address] as const)),
  );
  const holderOf = (action: UnorderedAction): Address | undefined =>
    action.locks.flatMap((lock) => holders.get(lock) ?? []).find((address) => address !== action.address);
  const held = parts.actions.flatMap((action): readonly PlanBlocker[] => {
    const holder = holderOf(action);
    if (holder === undefined) return [];
    const remedy = `Run \`hostwright apply --resume\`; if it cannot tell either, \`hostwright ledger confirm ${holder}\`.`;
    return [
      {
        address: action.address,
        reason: `it is paid for, and what became of the request for ${holder} is not known yet`,
        remedy,
        rule: 'O-02',
      },
    ];
  });
  return held.length === 0
    ? parts
    : {
        ...parts,
        blocked: [...parts.blocked, ...held],
        actions: parts.actions.filter((action) => holderOf(action) === undefined),
      };
}

/** Nothing is made whose answer tells something only once while there is no place to keep it. */
function withoutUnsaved({ unwritableSecrets = new Map() }: PlanInput, parts: CollectionPlan): CollectionPlan {
  const stuck = parts.actions.flatMap(({ address, verb, steps }): readonly PlanBlocker[] => {
    const oneTimeSecret = steps.flatMap((step) =>
      step.do === 'request' && step.oneTimeSecret !== undefined ? [step.oneTimeSecret] : [],
    )[0];
    const reason = unwritableSecrets.get(address);
    if (verb !== 'create' || oneTimeSecret === undefined || reason === undefined) return [];
    return [
      {
        address,
        reason: `what is told only once would go to ${oneTimeSecret.file}, which ${reason}`,
        remedy: 'Move that file away, or name another one.',
        rule: oneTimeSecret.rule,
      },
    ];
  });
  if (stuck.length === 0) return parts;
  return {
    ...parts,
    blocked: [...parts.blocked, ...stuck],
    actions: parts.actions.filter(({ address }) => !stuck.some((blocker) => blocker.address === address)),
  };
}

/** Of some kinds a run makes one, and none while one is in flight. */
function inTurn({ registry, ledger, targets }: PlanInput, parts: CollectionPlan): CollectionPlan {
  const turnOf = (kind: string, verb: string) => (verb === 'create' ? registry.get(kind)?.create?.oneByOne : undefined);
  const taken = new Set(
    ledger.inFlight
      .filter(({ action }) => turnOf(action.kind, action.verb) !== undefined)
      .map(({ action }) => action.kind),
  );
  const held = sortByAddress(parts.actions.filter(({ address }) => isTargeted(address, targets))).flatMap(
    ({ address, kind, verb }): readonly PlanBlocker[] => {
      const turn = turnOf(kind, verb);
      if (turn === undefined || ledger.inFlight.some(({ action }) => action.address === address)) return [];
      if (taken.has(kind)) return [{ address, reason: turn.reason, remedy: turn.remedy, rule: turn.rule }];
      taken.add(kind);
      return [];
    },
  );
  if (held.length === 0) return parts;
  return {
    ...parts,
    waiting: [...parts.waiting, ...held],
    actions: parts.actions.filter(({ address }) => !held.some((blocker) => blocker.address === address)),
  };
}

/** The locks that only its answer gives back, of a request that was sent and not answered. */
function heldBy({ action, unanswered, pending }: InFlight): readonly string[] {
  return action.steps.flatMap((step) =>
    step.do === 'request' && (step.name === unanswered || (step.name === pending?.step && pending.follow === 'look-up'))
      ? (step.unlocks ?? [])
      : [],
  );
}

/**
 * What is in an object that is still to be made can be planned only where the kind says how it begins; the rest is
 * planned when it is there (O-06).
 */
function deferredSection(
  input: PlanInput,
  declared: DesiredCollection,
  made: ReadonlySet<Address>,
): readonly Deferred[] {
  const until = declared.parent as Address;
  if (input.bound.has(until) || !made.has(until) || plannedEarly(input, declared)) return [];
  return [
    {
      address: declared.collection,
      until,
      reason: 'what it will be like cannot be read before that is there',
      declared: declaredDigest(declared),
    },
  ];
}

/**
 * What rests on another object that is not so yet is planned when it is, in the same run, if this plan makes it so.
 * Otherwise it is blocked; and where the manifest itself wants the other off, there is nothing to ask for.
 */
function notReadySection(
  input: PlanInput,
  declared: DesiredCollection,
  { actions }: CollectionPlan,
): readonly (Deferred | PlanBlocker)[] {
  const observed = input.observed.get(declared.collection);
  if (
    observed?.state !== 'deferred' ||
    isWantedOff(input, declared) ||
    isHeld(input.registry, declared.parent as Address, input.bound)
  )
    return [];
  const { reason, remedy, rule } = observed;
  const until = untilWhen(observed.until, declared.parent as Address, actions);
  if (until !== undefined)
    return [
      {
        address: declared.collection,
        until,
        reason: `${reason}, and nothing of it can be read before`,
        declared: declaredDigest(declared),
      },
    ];
  return [{ address: declared.collection, reason, remedy, ...(rule !== undefined && { rule }) }];
}

/**
 * What comes after a section that is planned later is planned with it; where nothing makes that known, it waits too.
 */
function lateFollowers(
  sections: readonly DesiredCollection[],
  followers: readonly Follower[],
  notReady: readonly (Deferred | PlanBlocker)[],
): readonly (Deferred | PlanBlocker)[] {
  const late = followers.map(({ action: { address }, after, rule, reason }): Deferred | PlanBlocker => {
    const first = notReady.find((one) => one.address === after && 'until' in one);
    const words = `it comes after ${after}, which is not known yet: ${reason}`;
    if (first === undefined || !('until' in first))
      return { address, reason: words, remedy: `See what is said of ${after}.`, rule };
    const declared = sections.find(({ collection }) => collection === collectionOf(address)) as DesiredCollection;
    return { address: declared.collection, until: first.until, reason: words, declared: declaredDigest(declared) };
  });
  // Several members of one list are planned together.
  return late.filter(
    (one, index) => !('until' in one) || late.findIndex(({ address }) => address === one.address) === index,
  );
}

/** The object of which an action of this plan makes it readable; undefined when none does. */
function untilWhen(until: Until, parent: Address, actions: readonly UnorderedAction[]): Address | undefined {
  if ('address' in until)
    return actions.find(({ address, verb }) => address === until.address && verb === 'create')?.address;
  const field = `/${until.field}`;
  const address = kindOf(parent) === until.kind ? parent : addressOf(parent, until.kind, null);
  return actions.some((action) => action.address === address && action.changes.some(({ path }) => path === field))
    ? address
    : undefined;
}

/** True when the manifest wants that off without which this has no meaning. */
function isWantedOff(input: PlanInput, declared: DesiredCollection): boolean {
  const { dependsOn } = kindOfCollection(input, declared).capabilities;
  if (dependsOn === undefined) return false;
  return input.declared.some(
    ({ kind, parent, members }) =>
      kind === dependsOn.kind &&
      parent === declared.parent &&
      members.some(({ spec }) => spec[dependsOn.field] === false),
  );
}

/** While the making of the parent is in flight nothing is asked of it. */
function plannedEarly(input: PlanInput, declared: DesiredCollection): boolean {
  return (
    kindOfCollection(input, declared).beforeParent === 'read' &&
    !input.ledger.inFlight.some(({ action }) => action.address === declared.parent)
  );
}

interface SectionContext {
  readonly made: ReadonlySet<Address>;
  readonly owned: ReadonlyMap<string, ReadonlySet<string>>;
  readonly holders: Holders;
  readonly leaving: ReadonlyMap<string, ReadonlySet<string>>;
  readonly wantedIn: WantedIn;
}

/** Goes by natural keys, which need no binding: also what is wanted of roots that are not planned now counts. */
function wantedInRoots({ declared, everywhere = declared, registry }: PlanInput): WantedIn {
  const declaredRoots = everywhere.filter(({ parent }) => parent === null).flatMap(({ members }) => members);
  const present = declaredRoots.filter(({ lifecycle }) => lifecycle.state === 'present');
  const roots = new Map(
    present.flatMap(({ address, kind, keys }) => keys.flat().map((key) => [`${kind} ${key}`, address] as const)),
  );
  const sections = new Map(everywhere.map(({ collection, members }) => [collection, members[0]?.spec]));
  return (rootKey, kind) => {
    const root = roots.get(`${(registry.get(kind) as Kind).parent as string} ${rootKey}`);
    return root === undefined ? undefined : sections.get(addressOf(root, kind, null));
  };
}

function planSection(
  input: PlanInput,
  declared: DesiredCollection,
  { made, owned, holders, leaving, wantedIn }: SectionContext,
): CollectionPlan {
  const parent = declared.parent as Address;
  const kind = kindOfCollection(input, declared);
  // The blocker on the parent is the one thing to say; its sections follow when it is there.
  if (!input.bound.has(parent) && !(made.has(parent) && plannedEarly(input, declared))) return EMPTY_COLLECTION_PLAN;
  if (isHeld(input.registry, parent, input.bound)) return EMPTY_COLLECTION_PLAN;
  const observed = input.observed.get(declared.collection);
  invariant(observed !== undefined, `${declared.collection} was declared and not read`);
  const planned = planCollection({
    kind,
    declared,
    observed,
    owned: owned.get(declared.collection) ?? new Set(),
    holders,
    leaving: leaving.get(declared.collection) ?? new Set(),
    recorded: input.ledger.objects,
    wantedIn,
  });
  return isWantedOff(input, declared)
    ? { ...planned, blocked: [], actions: planned.actions.filter(({ verb }) => verb === 'delete') }
    : planned;
}

/** Roots go by their binding, not by a name: the local name of a manifest is never sent. */
function planRoots(input: PlanInput, declared: DesiredCollection): CollectionPlan {
  const { observed, bound } = input;
  const kind = kindOfCollection(input, declared);
  const live = observed.get(declared.collection);
  invariant(live !== undefined, `${declared.collection} was declared and not read`);
  if (live.state !== 'read') return planCollection({ kind, declared, observed: live, owned: new Set() });
  const observedRoots = { ...live, blockers: withoutDeclared(input, declared, live.blockers) };
  return mergeCollectionPlans(
    declared.members.map((desired) =>
      desired.lifecycle.state === 'absent'
        ? planAbsent(kind, desired, bound.get(desired.address))
        : planMember(kind, observedRoots, desired, bound.get(desired.address), { recorded: input.ledger.objects }),
    ),
  );
}

/** The blockers without those that a manifest takes away: what it makes first is told by itself. */
function withoutDeclared(
  { declared: all, everywhere = all, registry }: PlanInput,
  declared: DesiredCollection,
  blockers: ReadState['blockers'],
): ReadState['blockers'] {
  if (!Object.values(blockers).some(({ unlessDeclared }) => unlessDeclared === true)) return blockers;
  const others = everywhere.filter(({ collection }) => collection !== declared.collection);
  const needing = new Set(objectNeeds([...others, declared], registry, () => true).map(({ later }) => later));
  const met = new Set(declared.members.filter(({ address }) => needing.has(address)).map(({ identity }) => identity));
  const counts = Object.entries(blockers).filter(
    ([identity, one]) => one.unlessDeclared !== true || !met.has(identity),
  );
  return Object.fromEntries(counts);
}

function assemble(input: PlanInput, parts: CollectionPlan, deferred: readonly Deferred[]): Plan {
  const { account, registry, observed, ledger, targets, covers, notices } = input;
  const ordered = orderActions(parts.actions, registry, membersIn(observed), needsOf(input, parts.actions));
  const actions = selectTargets(ordered, targets);
  const here = <Item extends { readonly address: Address }>(items: readonly Item[]): readonly Item[] =>
    sortByAddress(items.filter(({ address }) => isTargeted(address, targets)));
  // What an earlier run owes is not told twice where this plan owes it as well.
  const left = ledger.inFlight.filter(
    ({ action }) => action.hook !== 'after' || !actions.some(({ address }) => address === action.address),
  );
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  const ownWait = (action: Action) => parts.waiting.find(({ address }) => address === action.address);
  const waiting = here([
    ...parts.waiting.filter(({ address }) => !inFlight.has(address)),
    ...left.map(({ action, reason }) => inFlightBlocker(action, reason, ownWait(action))),
  ]);
  const bindings = neededBindings(actions, parts.bindings);
  const digest = planDigest(actions);
  const lists = {
    unmanaged: parts.unmanaged
      .filter(({ collection }) => isTargeted(collection, targets))
      .sort(
        (left, right) => compareText(left.collection, right.collection) || compareText(left.identity, right.identity),
      ),
    blocked: here(parts.blocked),
    unknown: here(parts.unknown),
    waiting,
    manual: here(parts.manual),
    deferred: here(deferred),
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
    ...(covers !== undefined && { covers }),
    notices: sortDiagnostics([...notices, ...parts.diagnostics]),
  };
  return identified(content);
}

function identified(content: Omit<Plan, 'planId'>): Plan {
  const { format, ...rest } = content;
  return { format, planId: planIdentity(content), ...rest };
}

/** Of a plan the actions that are kept, as a plan of its own. */
export function partOf(plan: Plan, oneTimeSecret: (action: Action) => boolean): Plan {
  return withLists(plan, { ...plan, actions: plan.actions.filter(oneTimeSecret) });
}

/** The plan with other lists in it, as a plan of its own. What is told of drift is no part of it. */
export function withLists(
  { planId: _planId, drift: _drift, ignored: _ignored, ...plan }: Plan,
  lists: Pick<Plan, 'actions' | 'unmanaged' | 'blocked' | 'unknown' | 'waiting' | 'manual' | 'deferred'>,
): Plan {
  const { actions, unmanaged, blocked, unknown, waiting, manual, deferred } = lists;
  return identified({
    ...plan,
    digest: planDigest(actions),
    summary: summarise(actions, lists, plan.summary.unchanged),
    actions,
    unmanaged,
    blocked,
    unknown,
    waiting,
    manual,
    deferred,
  });
}

/** `own`: what the live object itself waits for, such as a TXT record. Who can end the wait needs that most. */
function inFlightBlocker({ address, verb }: Action, held?: string, own?: PlanBlocker): PlanBlocker {
  const reason = held ?? `its ${verb} is in flight from an earlier run`;
  if (own === undefined) return { address, reason, remedy: 'Run `hostwright apply --resume` to continue it.' };
  const remedy = `${own.remedy} \`hostwright apply --resume\` goes on waiting for it.`;
  return { ...own, reason: `${own.reason} (${reason})`, remedy };
}

function summarise(
  actions: readonly Action[],
  lists: Pick<Plan, 'unmanaged' | 'blocked' | 'unknown' | 'waiting' | 'manual'>,
  unchanged: number,
): PlanSummary {
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
function neededBindings(
  actions: readonly Action[],
  known: Readonly<Record<Address, string>>,
): Readonly<Record<Address, string>> {
  const wanted = new Set<Address>();
  for (const touched of actions.flatMap(({ address, expect }) => [
    address,
    ...(expect.from === undefined ? [] : [expect.from.address]),
  ])) {
    for (let own: Address | null = touched; own !== null; own = parentOf(own)) wanted.add(own);
  }
  return Object.fromEntries(
    [...wanted]
      .filter((address) => Object.hasOwn(known, address))
      .sort(compareText)
      .map((address) => [address, known[address] as string]),
  );
}

function isTargeted(address: Address, targets: readonly Address[]): boolean {
  return (
    targets.length === 0 ||
    targets.some((target) => address === target || address.startsWith(`${target}/`) || target.startsWith(`${address}/`))
  );
}

function sortByAddress<Item extends { readonly address: Address }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => compareText(left.address, right.address));
}
