// What becomes of one object that a manifest names: an action, blockers, or nothing because it is as wanted.
import type { Desired } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Blocker, FieldDoubt, FieldRule, Fields, Kind, Member, WantedIn } from '../../model/kind/kind.ts';
import { isInState, memberAddress, NOTHING_WANTED, quoteOf } from '../../model/kind/kind.ts';
import type { Quote } from '../../model/kind/quote.ts';
import type { LedgerObject, LedgerView } from '../../model/plan/ledger-view.ts';
import type { UnorderedAction } from '../../model/plan/plan.ts';
import type { Price } from '../../model/price.ts';
import { changesOf, createAction, deleteAction, refusedUpdates, updateAction } from '../action.ts';
import type { Identity, ObjectContext } from '../requests.ts';
import type { CollectionPlan, UnlistedBlocker } from './collection-plan.ts';
import { blockedPlan, EMPTY_COLLECTION_PLAN } from './collection-plan.ts';
import { immutableDifferences, unknownRotationTokens } from '../diff.ts';
import type { Holders } from '../moves.ts';
import { planMove, withoutConsent } from '../moves.ts';
import type { ReadCollection } from '../plan-input.ts';
import { liveName } from '../rename.ts';
import { diagnose, diagnosticSource } from '../../model/diagnostic.ts';
import { frozenBy } from './frozen.ts';

/** What is known beside the object itself. */
export interface Surroundings {
  /** What stands beside it, where the list is authoritative. */
  readonly siblings?: readonly string[];
  /** Whose manifests have what is declared here and lives elsewhere. Without it nothing is moved here. */
  readonly holders?: Holders;
  /** What the ledger knows of single objects. */
  readonly recorded?: LedgerView['objects'];
  /** What the manifests want in other roots. */
  readonly wantedIn?: WantedIn;
  readonly nowMs?: number;
  /** The live root around it, where no natural key says which one is meant. */
  readonly identity?: Identity;
}

/** Returns what a review of an action on this root, or in it, covers; undefined where a natural key is declared. */
export function identityOf({ keys }: Pick<Desired, 'keys'>, live: Member | undefined): Identity | undefined {
  if (live === undefined || (keys[0] ?? []).length > 0) return undefined;
  const { createdAt, primaryDomain } = live.computed;
  return {
    id: live.id,
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(typeof primaryDomain === 'string' && { hostname: primaryDomain }),
  };
}

/** Plans one wanted object against its live counterpart. */
export function planMember(
  kind: Kind,
  observed: ReadCollection,
  desired: Desired,
  live: Member | undefined,
  { siblings, holders, recorded: ledger, wantedIn, nowMs, identity }: Surroundings = {},
): CollectionPlan {
  const { address } = desired;
  // What was recorded of another object that once had this address says nothing of this one.
  const recorded = ledger?.get(address)?.id === live?.id ? ledger?.get(address) : undefined;
  const contextNow = (): ObjectContext => ({
    ...contextOf(desired, observed, siblings),
    ...(identity !== undefined && { identity }),
    ...(recorded?.rotated !== undefined && { rotated: recorded.rotated }),
    ...(live !== undefined && formerAddress(kind, desired, live)),
  });
  if (live === undefined) return planMissing(kind, observed, desired, contextNow(), holders);
  const bindings = [{ address, id: live.id }];
  const frozen = frozenBy(kind, live);
  if (frozen !== null) return { ...blockedPlan(address, frozen), bindings };
  const always = implied(kind);
  const wanted = always === undefined ? desired.spec : { ...always, ...desired.spec };
  const diagnostics = [
    ...noticesOn(kind, desired, live, recorded, nowMs),
    ...spentConsent(kind, desired),
    ...unknownRotationTokens(kind, desired.spec, live.spec, recorded?.rotated).map((field) =>
      unknownRotationToken(desired, field),
    ),
  ];
  const different = immutableDifferences(kind, desired.spec, live.spec);
  // Nearly all are as they are wanted: nothing more is worked out for those.
  if (different.length === 0 && changesOf(kind, wanted, live, recorded?.rotated).length === 0)
    return { actions: NONE, blockers: NONE, unmanaged: NONE, diagnostics, bindings, unchanged: 1 };
  const context = contextNow();
  const refused = refusedUpdates(kind, wanted, live, recorded?.rotated, wantedIn);
  const writable = Object.fromEntries(
    Object.entries(wanted).filter(([field]) => !refused.some(({ writes }) => writes.includes(field))),
  );
  const action = updateAction(kind, writable, live, context);
  const blockers = [
    ...different.map((field) => immutableField(kind, field, desired, live)),
    // One reason may stand in the way of several writes.
    ...refused
      .map(({ blocker }) => blocker)
      .filter(({ reason }, index, all) => all.findIndex((other) => other.reason === reason) === index),
  ];
  const plan = { ...blockedPlan(address, ...blockers), bindings, diagnostics };
  if (action === undefined) return { ...plan, unchanged: blockers.length === 0 ? 1 : 0 };
  if (isInState(kind, live, 'platform-managed'))
    return { ...blockedPlan(address, ...blockers, PLATFORM_MANAGED), bindings, diagnostics };
  return { ...plan, diagnostics: [...diagnostics, ...doubtsOn(observed, desired, action)], actions: [action] };
}

/** Where the live object is to be renamed, the address that it has now. */
function formerAddress(kind: Kind, { parent, identity }: Desired, live: Member): Pick<ObjectContext, 'renamedFrom'> {
  const name = parent === null ? identity : liveName(kind, live);
  return name === identity ? {} : { renamedFrom: memberAddress({ kind: kind.kind, parent }, kind, name) };
}

const PLATFORM_MANAGED: UnlistedBlocker = {
  reason: 'the live object of this name belongs to the platform, which changes it alone',
  remedy: 'Give yours another name.',
};

function contextOf(
  desired: Desired,
  { members }: ReadCollection,
  siblings: readonly string[] | undefined,
): ObjectContext {
  return {
    members,
    address: desired.address,
    parent: desired.parent ?? desired.address,
    protect: desired.lifecycle.protect,
    ...(siblings !== undefined && { siblings }),
    ...(desired.resolvedReferences !== undefined && { references: desired.resolvedReferences }),
    ...(desired.grounds !== undefined && { grounds: desired.grounds }),
    sourceOf: desired.sourceOf,
  };
}

const NONE: readonly never[] = [];

const impliedIn = new WeakMap<Fields, JsonObject | null>();

/** What every wanted member has, whether it is written or not; undefined where there is no such thing. */
function implied({ fields }: Kind): JsonObject | undefined {
  const known = impliedIn.get(fields);
  if (known !== undefined) return known ?? undefined;
  const entries = Object.entries(fields).flatMap(([field, rule]) =>
    'implied' in rule ? [[field, rule.implied] as const] : [],
  );
  impliedIn.set(fields, entries.length === 0 ? null : Object.fromEntries(entries));
  return implied({ fields } as Kind);
}

/** What cannot be changed at all is blocked; what only a person can change is theirs to do. */
function immutableField(kind: Kind, field: string, { spec }: Desired, live: Member): UnlistedBlocker {
  const rule = kind.fields[field] as Extract<FieldRule, { rule: 'immutable' }>;
  if (!('manual' in rule)) return { reason: `${field} cannot be changed in place`, remedy: rule.why };
  const { manual } = rule;
  const remedy = manual.remedy(live.spec[field], spec[field] as Json);
  return {
    reason: `no document says how ${field} is changed over the API`,
    remedy: `${remedy} The next plan sees that it is done.`,
    rule: manual.rule,
    as: 'manual',
  };
}

/** What speaks against the values that an action writes. */
function doubtsOn(
  { doubts = {} }: ReadCollection,
  { address, identity, sourceOf }: Desired,
  { changes }: UnorderedAction,
): readonly Diagnostic[] {
  const own = Object.hasOwn(doubts, identity) ? (doubts[identity] as readonly FieldDoubt[]) : [];
  return own
    .filter(({ field }) => changes.some(({ path }) => path === `/${field}`))
    .map(({ field, ...notice }) => ({ ...notice, address, ...diagnosticSource(sourceOf(field)) }));
}

function noticesOn(
  kind: Kind,
  { address, spec, sourceOf }: Desired,
  live: Member,
  recorded: LedgerObject | undefined,
  nowMs: number | undefined,
): readonly Diagnostic[] {
  // A place is looked for only where there is something to say: it is worked out from the text of the file.
  return (kind.notices?.(live, spec, recorded?.outputs ?? {}, nowMs) ?? []).map((notice) => ({
    ...notice,
    address,
    ...diagnosticSource(sourceOf('')),
  }));
}

/** A consent is for once: said as long as it stands there to no purpose, and no reason to do anything. */
function spentConsent({ capabilities: { move } }: Kind, { address, spec }: Desired): readonly Diagnostic[] {
  if (move === undefined || !Object.hasOwn(spec, move.consent)) return [];
  return [
    diagnose('HW2007', `The object is here already, so \`${move.consent}\` does nothing any more and can be removed.`, {
      address,
    }),
  ];
}

function unknownRotationToken({ address, sourceOf }: Desired, field: string): Diagnostic {
  return diagnose(
    'HW2008',
    `The live secret of \`${field}\` cannot be read, and the ledger has no \`rotate\` mark for it. A working secret is not overwritten for that. The next apply records the declared mark. To write the secret anew, change \`rotate\` after that.`,
    { address, ...diagnosticSource(sourceOf(field) ?? sourceOf('')) },
  );
}

function planMissing(
  kind: Kind,
  observed: ReadCollection,
  desired: Desired,
  context: ObjectContext,
  holders: Holders | undefined,
): CollectionPlan {
  const { address, identity, spec } = desired;
  const moved = holders === undefined ? undefined : planMove(kind, observed.elsewhere ?? {}, desired, context, holders);
  if (moved !== undefined) return moved;
  const { price, blocker: unavailable } = quoteFor(observed, desired);
  const blocker =
    (Object.hasOwn(observed.blockers, identity) ? observed.blockers[identity] : undefined) ??
    unproven(observed, desired) ??
    (kind.create === undefined ? kind.cannotCreate : kind.create.refuse?.(spec, null, NOTHING_WANTED)) ??
    unavailable ??
    null;
  if (blocker !== null) return blockedPlan(address, blocker);
  // What has to be asked about and was not is being made already, which is told by itself.
  if (quoteOf(kind.create) !== undefined && price === undefined) return EMPTY_COLLECTION_PLAN;
  const action = createAction(kind, withoutConsent(kind, spec), {
    ...context,
    ...(price !== undefined && { price }),
  });
  const { notice } = kind.create ?? {};
  const toDo = notice === undefined ? [] : [{ ...notice, address, ...diagnosticSource(desired.sourceOf('')) }];
  return {
    ...EMPTY_COLLECTION_PLAN,
    diagnostics: [...doubtsOn(observed, desired, action), ...toDo],
    actions: [action],
  };
}

function quoteFor(
  { quotes = {} }: ReadCollection,
  { identity }: Desired,
): { readonly price?: Price; readonly blocker?: Blocker } {
  return Object.hasOwn(quotes, identity) ? (quotes[identity] as Quote) : {};
}

/** Where a list may be cut off, what it does not show is missing only when something else says so. */
function unproven({ incomplete }: ReadCollection, { identity }: Desired): Blocker | undefined {
  return incomplete?.absent?.includes(identity) === true ? undefined : incomplete;
}

/** Plans the removal of one object that a manifest wants absent. */
export function planAbsent(kind: Kind, desired: Desired, live: Member | undefined): CollectionPlan {
  if (live === undefined || isInState(kind, live, 'deleting')) return { ...EMPTY_COLLECTION_PLAN, unchanged: 1 };
  const { address, parent, lifecycle, sourceOf } = desired;
  const identity = identityOf(desired, live);
  const bindings = [{ address, id: live.id }];
  const blocker = live.unverified ?? removalBlocker(kind, live, []);
  if (blocker !== null) return { ...blockedPlan(address, blocker), bindings };
  const notice = kind.remove?.notice;
  return {
    ...EMPTY_COLLECTION_PLAN,
    bindings,
    diagnostics: notice === undefined ? [] : [{ ...notice, address }],
    actions: [
      deleteAction(kind, live, 'the manifest says `lifecycle.state: absent`', {
        address,
        parent: parent ?? address,
        protect: lifecycle.protect,
        members: [],
        ...(identity !== undefined && { identity }),
        sourceOf: () => sourceOf(''),
      }),
    ],
  };
}

/** Why a live object must not be removed now, or null. `wanted`: what the manifest has beside it. */
export function removalBlocker(kind: Kind, live: Member, wanted: readonly JsonObject[]): Blocker | null {
  if (kind.remove === undefined) return kind.cannotRemove ?? CANNOT_REMOVE;
  return kind.remove.refuse?.(live, wanted) ?? null;
}

const CANNOT_REMOVE: Blocker = {
  reason: 'the platform has no call that removes it',
  remedy: 'Remove it in the dashboard.',
  rule: 'O-70',
};
