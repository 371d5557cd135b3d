// For one collection, what becomes of every wanted and every live member: an action, a blocker, a notice, or nothing.
// No evidence, no delete: a collection that was not read completely gives no action at all.
import { stringify } from 'yaml';
import type { Address } from '../model/address.ts';
import { compareText } from '../model/address.ts';
import { placedAt } from '../model/kind/to-manifest.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Collection, FieldDoubt, FieldRule, Kind, Member, Blocker, Unread, WantedIn } from '../model/kind/kind.ts';
import {
  isInState,
  memberAddress,
  needsNoManifest,
  positionOf,
  siblingsOf,
  statusBlocker,
} from '../model/kind/kind.ts';
import type { LedgerObject, LedgerView } from '../model/plan/ledger-view.ts';
import type { PlanBlocker, Unmanaged } from '../model/plan/plan.ts';
import type { Price } from '../model/price.ts';
import type { Quote } from '../model/kind/quote.ts';
import type { RotationTokens } from '../model/secret.ts';
import { createAction, deleteAction, refusedUpdates, updateAction } from './action.ts';
import type { ObjectContext } from './action.ts';
import { itemToManifest } from './to-manifest.ts';
import { immutableDifferences, unknownRotationTokens } from './diff.ts';
import { placeMembers } from './positions.ts';
import { planMove, withoutConsent } from './moves.ts';
import type { Holders } from './moves.ts';
import type { UnorderedAction } from './order.ts';

/** Everything that one collection gives a plan. */
export interface CollectionPlan {
  readonly actions: readonly UnorderedAction[];
  readonly blocked: readonly PlanBlocker[];
  readonly waiting: readonly PlanBlocker[];
  readonly manual: readonly PlanBlocker[];
  readonly unknown: readonly PlanBlocker[];
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of live members that are wanted or acted on. */
  readonly bindings: Readonly<Record<Address, string>>;
  readonly unchanged: number;
}

export const EMPTY_COLLECTION_PLAN: CollectionPlan = {
  actions: [],
  blocked: [],
  waiting: [],
  manual: [],
  unknown: [],
  unmanaged: [],
  diagnostics: [],
  bindings: {},
  unchanged: 0,
};

export type ReadState = Extract<Collection, { readonly state: 'read' }>;

export interface CollectionInput {
  readonly kind: Kind;
  readonly declared: DesiredCollection;
  readonly observed: Collection;
  /** Identities that the ledger shows to be ours. */
  readonly owned: ReadonlySet<string>;
  /** What the ledger knows of single objects. */
  readonly recorded?: LedgerView['objects'];
  /** Whose manifests have what is declared here and lives elsewhere. Without it nothing is moved here. */
  readonly holders?: Holders;
  /** What the manifests want in other roots. */
  readonly wantedIn?: WantedIn;
  /** Identities that another parent's manifest takes from here: neither removed nor reported. */
  readonly leaving?: ReadonlySet<string>;
}

/** Plans one collection. */
export function planCollection(input: CollectionInput): CollectionPlan {
  const { kind, declared, observed } = input;
  if (observed.state !== 'read') return unread(declared, observed);
  const shared = sharedNames(observed.members);
  if (shared.length > 0) return blockers(declared.collection, shared);
  const live = new Map(observed.members.map((member) => [member.identity, member]));
  const siblings = isAuthoritative(kind, declared) ? siblingsOf(kind, observed.members) : undefined;
  const wanted = placed(kind, declared.members, observed.members).map((desired) =>
    planMember(kind, observed, desired, live.get(desired.identity), {
      ...(siblings !== undefined && { siblings }),
      ...(input.holders !== undefined && { holders: input.holders }),
      ...(input.recorded !== undefined && { recorded: input.recorded }),
      ...(input.wantedIn !== undefined && { wantedIn: input.wantedIn }),
    }),
  );
  // Nothing goes in favour of what cannot come.
  const stuck = new Set(
    wanted.flatMap(({ blocked, waiting, manual, unknown }) =>
      [...blocked, ...waiting, ...manual, ...unknown].map(({ address }) => address),
    ),
  );
  return mergeCollectionPlans([...wanted, ...planStrangers(input, observed, live, siblings, stuck)]);
}

/** Where order is meaning: the wanted members with a place for each that is new or has to move. */
function placed(kind: Kind, wanted: readonly Desired[], live: readonly Member[]): readonly Desired[] {
  const field = positionOf(kind);
  if (field === undefined) return wanted;
  const places = placeMembers(
    wanted.map(({ identity }) => identity),
    new Map(live.map(({ identity, spec }) => [identity, typeof spec[field] === 'number' ? spec[field] : undefined])),
  );
  return wanted.map((desired) => {
    const place = places.get(desired.identity);
    return place === undefined ? desired : { ...desired, spec: { ...desired.spec, [field]: place } };
  });
}

/** One plan of many. */
export function mergeCollectionPlans(parts: readonly CollectionPlan[]): CollectionPlan {
  return {
    actions: parts.flatMap(({ actions }) => actions),
    blocked: parts.flatMap(({ blocked }) => blocked),
    waiting: parts.flatMap(({ waiting }) => waiting),
    manual: parts.flatMap(({ manual }) => manual),
    unknown: parts.flatMap(({ unknown }) => unknown),
    unmanaged: parts.flatMap(({ unmanaged }) => unmanaged),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    bindings: Object.fromEntries(parts.flatMap(({ bindings }) => Object.entries(bindings))),
    unchanged: parts.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}

/**
 * Why nothing can be done with a live member, or in it, for now: by what it shows itself, or by what was read in it.
 */
export function holdOf(kind: Kind, live: Member): Blocker | null {
  return live.held ?? statusBlocker(kind, live);
}

interface Surroundings {
  readonly siblings?: readonly string[];
  readonly holders?: Holders;
  readonly recorded?: LedgerView['objects'];
  readonly wantedIn?: WantedIn;
}

/** Plans one wanted object against its live counterpart. */
export function planMember(
  kind: Kind,
  observed: ReadState,
  desired: Desired,
  live: Member | undefined,
  { siblings, holders, recorded, wantedIn }: Surroundings = {},
): CollectionPlan {
  const rotated = rotationTokensFor(recorded?.get(desired.address), live);
  const context: ObjectContext = {
    ...contextOf(desired, observed, siblings),
    ...(rotated !== undefined && { rotated }),
  };
  if (live === undefined) return planMissing(kind, observed, desired, context, holders);
  const held = holdOf(kind, live);
  if (held !== null) return { ...blockers(desired.address, [held]), bindings: { [desired.address]: live.id } };
  const known = {
    bindings: { [desired.address]: live.id },
    diagnostics: [
      ...noticesOn(kind, desired, live, recorded?.get(desired.address)),
      ...spentConsent(kind, desired),
      ...unknownRotationTokens(kind, desired.spec, live.spec, rotated).map((field) =>
        unknownRotationToken(desired, field),
      ),
    ],
  };
  const wanted = { ...implied(kind), ...desired.spec };
  const stuck = immutableDifferences(kind, desired.spec, live.spec).map((field) =>
    stuckField(kind, field, desired, live),
  );
  const refused = refusedUpdates(kind, wanted, live, rotated, wantedIn);
  const possible = Object.fromEntries(
    Object.entries(wanted).filter(([field]) => !refused.some(({ writes }) => writes.includes(field))),
  );
  const action = updateAction(kind, possible, live, context);
  // One reason may stand in the way of several writes.
  const reported = [
    ...stuck,
    ...refused
      .map(({ blocker }) => blocker)
      .filter(({ reason }, index, all) => all.findIndex((other) => other.reason === reason) === index),
  ];
  const rest = { ...blockers(desired.address, reported), ...known };
  if (action === undefined) return { ...rest, unchanged: reported.length === 0 ? 1 : 0 };
  if (isInState(kind, live, 'platform-managed'))
    return { ...rest, blocked: [...rest.blocked, { address: desired.address, ...FOREIGN }] };
  return {
    ...rest,
    diagnostics: [...rest.diagnostics, ...doubtsOn(observed, desired, action)],
    actions: [action],
  };
}

/** What speaks against the values that an action writes. */
function doubtsOn(
  { doubts = {} }: ReadState,
  { address, identity, sourceOf }: Desired,
  { changes }: UnorderedAction,
): readonly Diagnostic[] {
  const own = Object.hasOwn(doubts, identity) ? (doubts[identity] as readonly FieldDoubt[]) : [];
  return own
    .filter(({ field }) => changes.some(({ path }) => path === `/${field}`))
    .map(({ field, ...notice }) => {
      const place = sourceOf(field);
      return {
        ...notice,
        address,
        ...(place !== undefined && { source: { ...place, endLine: place.line, endColumn: place.column } }),
      };
    });
}

function noticesOn(
  kind: Kind,
  { address, spec, sourceOf }: Desired,
  live: Member,
  recorded: LedgerObject | undefined,
): readonly Diagnostic[] {
  // What is recorded of another object that once had this address says nothing of this one.
  const outputs = recorded?.id === live.id ? recorded.outputs : {};
  // A place is looked for only where there is something to say: it is worked out from the text of the file.
  return (kind.notices?.(live, spec, outputs) ?? []).map((notice) => {
    const place = sourceOf('');
    return {
      ...notice,
      address,
      ...(place !== undefined && { source: { ...place, endLine: place.line, endColumn: place.column } }),
    };
  });
}

/** A consent is for once: said as long as it stands there to no purpose, and no reason to do anything. */
function spentConsent({ capabilities: { move } }: Kind, { address, spec }: Desired): readonly Diagnostic[] {
  if (move === undefined || !Object.hasOwn(spec, move.consent)) return [];
  return [
    {
      code: 'HW2007',
      severity: 'info',
      summary: 'A consent has done its work',
      detail: `It is here already, so \`${move.consent}\` does nothing any more and can be removed.`,
      address,
    },
  ];
}

/** What was written to another object that once had this address says nothing of this one. */
function rotationTokensFor(recorded: LedgerObject | undefined, live: Member | undefined): RotationTokens | undefined {
  return recorded !== undefined && recorded.id === live?.id ? recorded.rotated : undefined;
}

function unknownRotationToken({ address, sourceOf }: Desired, field: string): Diagnostic {
  const source = sourceOf(field) ?? sourceOf('');
  return {
    code: 'HW2008',
    severity: 'warning',
    summary: 'Something is live that cannot be read, and nobody recorded its mark',
    detail: `Whether what is live was written with the mark that \`${field}\` declares is not known, so it is not written: what works is not overwritten because the ledger does not know it. The next apply records this mark as the present one; to have it written after that, change \`rotate\`.`,
    address,
    ...(source !== undefined && { source: { ...source, endLine: source.line, endColumn: source.column } }),
  };
}

/** What every wanted member has, whether it is written or not. */
function implied({ fields }: Kind): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, { implied: value }]) => (value === undefined ? [] : [[field, value]])),
  );
}

/** Refusals in the lists that they name. */
function blockers(address: Address, given: readonly TellableBlocker[]): CollectionPlan {
  const reported = (list: NonNullable<Blocker['as']> | 'blocked'): readonly PlanBlocker[] =>
    given
      .filter(({ as = 'blocked' }) => as === list)
      .map(({ reason, remedy, rule }) => ({ address, reason, remedy, ...(rule !== undefined && { rule }) }));
  return {
    ...EMPTY_COLLECTION_PLAN,
    blocked: reported('blocked'),
    waiting: reported('waiting'),
    manual: reported('manual'),
    unknown: reported('unknown'),
  };
}

type TellableBlocker = Omit<Blocker, 'rule'> & { readonly rule?: string };

/** What cannot be changed at all is in the way; what only a person can change is theirs to do. */
function stuckField(kind: Kind, field: string, { spec }: Desired, live: Member): TellableBlocker {
  const { manual, why } = kind.fields[field] as FieldRule;
  if (manual === undefined) return { reason: `${field} cannot be changed in place`, remedy: why as string };
  const remedy = manual.remedy(live.spec[field], spec[field] as Json);
  return {
    reason: `no document says how ${field} is changed over the API`,
    remedy: `${remedy} The next plan sees that it is done.`,
    rule: manual.rule,
    as: 'manual',
  };
}

/** Plans the removal of one object that a manifest wants absent. */
export function planAbsent(kind: Kind, desired: Desired, live: Member | undefined): CollectionPlan {
  if (live === undefined || isInState(kind, live, 'deleting')) return { ...EMPTY_COLLECTION_PLAN, unchanged: 1 };
  const { address } = desired;
  const bindings = { [address]: live.id };
  const blocker =
    kind.remove === undefined ? (kind.cannotRemove ?? CANNOT_REMOVE) : (kind.remove.refuse?.(live, []) ?? null);
  if (blocker !== null) return { ...blockers(address, [blocker]), bindings };
  const context: ObjectContext = {
    address,
    parent: desired.parent ?? address,
    protect: desired.lifecycle.protect,
    members: [],
    sourceOf: () => desired.sourceOf(''),
  };
  const { warning } = kind.remove as NonNullable<Kind['remove']>;
  const notices: readonly Diagnostic[] =
    warning === undefined
      ? []
      : [{ code: 'HW2006', severity: 'warning', summary: 'A removal has further effects', detail: warning, address }];
  return {
    ...EMPTY_COLLECTION_PLAN,
    bindings,
    diagnostics: notices,
    actions: [deleteAction(kind, live, 'the manifest says `lifecycle.state: absent`', context)],
  };
}

const CANNOT_REMOVE: Blocker = {
  reason: 'the platform has no call that removes it',
  remedy: 'Remove it in the dashboard.',
  rule: 'O-70',
};

const FOREIGN = {
  reason: 'the live object of this name belongs to the platform, which changes it alone',
  remedy: 'Give yours another name.',
};

function planMissing(
  kind: Kind,
  observed: ReadState,
  desired: Desired,
  context: ObjectContext,
  holders: Holders | undefined,
): CollectionPlan {
  const moved = holders === undefined ? undefined : planMove(kind, observed.elsewhere ?? {}, desired, context, holders);
  if (moved !== undefined) return { ...EMPTY_COLLECTION_PLAN, ...moved };
  const { price, blocker: unavailable } = quoteFor(observed, desired);
  const known = Object.hasOwn(observed.blockers, desired.identity) ? observed.blockers[desired.identity] : undefined;
  const blocker =
    known ??
    unproven(observed, desired) ??
    (kind.create === undefined ? kind.cannotCreate : kind.create.refuse?.(desired.spec)) ??
    unavailable ??
    null;
  if (blocker !== null) return blockers(desired.address, [blocker]);
  // What has to be asked about and was not is being made already, which is told by itself.
  if (kind.create?.quote !== undefined && price === undefined) return EMPTY_COLLECTION_PLAN;
  const action = createAction(kind, withoutConsent(kind, desired.spec), {
    ...context,
    ...(price !== undefined && { price }),
  });
  return { ...EMPTY_COLLECTION_PLAN, diagnostics: doubtsOn(observed, desired, action), actions: [action] };
}

function quoteFor(
  { quotes = {} }: ReadState,
  { identity }: Desired,
): { readonly price?: Price; readonly blocker?: Blocker } {
  return Object.hasOwn(quotes, identity) ? (quotes[identity] as Quote) : {};
}

/** Where a list may be cut off, what it does not show is missing only when something else says so. */
function unproven({ incomplete }: ReadState, { identity }: Desired): Blocker | undefined {
  return incomplete?.absent?.includes(identity) === true ? undefined : incomplete;
}

/**
 * Live members that no manifest names: removed when they are ours or the manifest says so, else left alone and
 * reported.
 */
function planStrangers(
  { kind, declared, owned, leaving = new Set() }: CollectionInput,
  { incomplete }: ReadState,
  live: ReadonlyMap<string, Member>,
  siblings: readonly string[] | undefined,
  stuck: ReadonlySet<Address>,
): readonly CollectionPlan[] {
  if (declared.partial || (kind.remove ?? kind.cannotRemove) === undefined) return [];
  const wanted = new Set(declared.members.map(({ identity }) => identity));
  const specs = declared.members.filter(({ address }) => !stuck.has(address)).map(({ spec }) => spec);
  const strangers = [...live.values()]
    .filter((member) => !wanted.has(member.identity) && !leaving.has(member.identity) && !needsNoManifest(kind, member))
    .sort((left, right) => compareText(left.identity, right.identity))
    .map((member) => ({ kind, declared, member, specs, siblings, ours: owned.has(member.identity) }));
  if (incomplete === undefined) return strangers.map(planStranger);
  // Of what may be cut off nothing is removed. That is told once, also where nothing is seen that would be removed:
  // more may be there.
  const kept = strangers.filter(({ ours }) => !ours && !isAuthoritative(kind, declared));
  const gone = new Set([...wanted, ...leaving, ...live.keys(), ...(incomplete.absent ?? [])]);
  const isHidden = [...owned].some((identity) => !gone.has(identity));
  const isReported = kept.length < strangers.length || isAuthoritative(kind, declared) || isHidden;
  return [...kept.map(planStranger), ...(isReported ? [blockers(declared.collection, [incomplete])] : [])];
}

function planStranger(stranger: {
  readonly kind: Kind;
  readonly declared: DesiredCollection;
  readonly member: Member;
  readonly specs: readonly JsonObject[];
  readonly siblings: readonly string[] | undefined;
  readonly ours: boolean;
}): CollectionPlan {
  const { kind, declared, member, specs, siblings, ours } = stranger;
  const address = memberAddress(declared, kind, member.identity);
  if (!ours && !isAuthoritative(kind, declared))
    return { ...EMPTY_COLLECTION_PLAN, unmanaged: [unmanaged(kind, declared, member)] };
  const blocker = (kind.remove === undefined ? kind.cannotRemove : kind.remove.refuse?.(member, specs)) ?? null;
  if (blocker !== null) return blockers(address, [blocker]);
  const reason = ours
    ? 'no manifest names it any more, and the ledger shows that it is ours'
    : 'the manifest removes what it does not name';
  const context: ObjectContext = {
    address,
    parent: declared.parent ?? address,
    protect: declared.protect,
    members: [],
    ...(siblings !== undefined && { siblings }),
    sourceOf: () => declared.sourceOf(kind.section.fields[0] as string),
  };
  return {
    ...EMPTY_COLLECTION_PLAN,
    bindings: { [address]: member.id },
    actions: [deleteAction(kind, member, reason, context)],
  };
}

function contextOf(desired: Desired, observed: ReadState, siblings: readonly string[] | undefined): ObjectContext {
  return {
    members: observed.members,
    address: desired.address,
    parent: desired.parent ?? desired.address,
    protect: desired.lifecycle.protect,
    ...(siblings !== undefined && { siblings }),
    ...(desired.taken !== undefined && { taken: desired.taken }),
    sourceOf: desired.sourceOf,
  };
}

function isAuthoritative(kind: Kind, declared: DesiredCollection): boolean {
  return kind.list === 'authoritative' || (kind.list === 'additive' && declared.unlisted === 'remove');
}

function unread(declared: DesiredCollection, observed: Unread): CollectionPlan {
  // What may become readable is decided where the actions on other objects are known.
  if (observed.state === 'deferred') return EMPTY_COLLECTION_PLAN;
  const { state, reason, remedy, rule } = observed;
  return {
    ...EMPTY_COLLECTION_PLAN,
    [state]: [{ address: declared.collection, reason, remedy, ...(rule !== undefined && { rule }) }],
  };
}

/**
 * Names that the platform does not keep unique (EDG-15, SHD-27): which of two is meant nobody can tell, so their list
 * is left as it is, and the others go on.
 */
function sharedNames(members: readonly Member[]): readonly TellableBlocker[] {
  const ids = new Map<string, string[]>();
  for (const { identity, id } of members) ids.set(identity, [...(ids.get(identity) ?? []), id]);
  return [...ids]
    .filter(([, found]) => found.length > 1)
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, found]) => ({
      reason: `${found.length} live objects have the name ${name} (ids ${[...found].sort(compareText).join(', ')}), so it is not clear which one the manifest means`,
      remedy:
        'Rename or delete all but one of them in the dashboard, then plan again. Until then nothing in this list is changed.',
    }));
}

/** The YAML that would adopt it, indented as it stands under `spec:`. */
function unmanaged(kind: Kind, declared: DesiredCollection, member: Member): Unmanaged {
  return {
    collection: declared.collection,
    kind: kind.kind,
    identity: member.identity,
    yaml: stringify(placedAt(kind.section.fields[0] as string, [itemToManifest(kind, member).value])),
  };
}
