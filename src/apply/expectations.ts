// By a fresh look, whether an action is still the one that was reviewed, is done already, or is in conflict with the
// live side. Pure.
import jsonPatch from 'fast-json-patch';
import type { Address } from '../model/address.ts';
import { collectionOf, compareText, parseAddress } from '../model/address.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { BILLING_LOCK } from '../model/kind/kind.ts';
import { covers, escapePointer, sameJson, valueAt } from '../model/json.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { Observed } from '../model/plan/observed.ts';
import type { Action, Change, Effect } from '../model/plan/plan.ts';
import { endsSomething, fieldIn } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';

export type ActionState =
  | { readonly state: 'as-reviewed' | 'already-done' }
  | { readonly state: 'conflict' | 'unreadable'; readonly reason: string };

type Reviewed = Pick<Action, 'address' | 'verb' | 'changes' | 'expect'>;
type Present = Extract<Observed, { readonly state: 'present' }>;
/** A look that says something of the object. */
export type Seen = Exclude<Observed, { readonly state: 'unknown' | 'blocked' }>;

/** What changes because of this run. It was reviewed, so it is no conflict. */
export interface OwnChanges {
  /** Identities in the collection that the run creates, deletes or moves. */
  readonly identities: ReadonlySet<string>;
  /** What completed actions have changed in this object. */
  readonly effects: readonly Effect[];
  /** Those of which reads may still show the value before. Absent: none. */
  readonly settling?: readonly Effect[];
}

/** Of a move: what is seen where it comes from, and what the run is going to change there. */
export interface OriginSeen {
  readonly seen: Observed | undefined;
  readonly promised: readonly Effect[];
}

const NOTHING: OwnChanges = { identities: new Set(), effects: [] };

/** What was seen of the object of an action; one that is still to be renamed is found under its former name. */
export function seenOf(
  { address, expect: { renamedFrom } }: Pick<Action, 'address' | 'expect'>,
  observed: ReadonlyMap<Address, Observed>,
): Observed | undefined {
  const seen = observed.get(address);
  return renamedFrom !== undefined && seen?.state === 'absent' ? observed.get(renamedFrom) : seen;
}

/** The state of an action before anything of it was sent. */
export function classify(
  action: Reviewed,
  observed: Observed | undefined,
  own: OwnChanges = NOTHING,
  origin?: OriginSeen,
): ActionState {
  return isSeen(observed) && isDone(action, observed)
    ? { state: 'already-done' }
    : compare(action, observed, own, origin, false);
}

/** The same in the midst of an action: what its own steps have changed already is no conflict. */
export function classifyMidway(
  action: Reviewed,
  observed: Observed | undefined,
  own: OwnChanges,
  origin?: OriginSeen,
): ActionState {
  return compare(action, observed, own, origin, true);
}

function compare(
  action: Reviewed,
  observed: Observed | undefined,
  own: OwnChanges,
  origin: OriginSeen | undefined,
  midway: boolean,
): ActionState {
  if (!isSeen(observed)) return { state: 'unreadable', reason: observed?.reason ?? 'it was not read' };
  const unread = unreadOrigin(action, origin);
  if (unread !== undefined) return { state: 'unreadable', reason: unread };
  const conflicts = [
    // Midway the action itself may have created or deleted the object.
    ...(midway ? [] : presenceConflicts(action, observed)),
    ...valueConflicts(action, observed, own, midway),
    ...siblingConflicts(action, observed, own),
    ...originConflicts(action, origin),
  ];
  return conflicts.length === 0 ? { state: 'as-reviewed' } : { state: 'conflict', reason: conflicts.join('; ') };
}

/** True when a look says something of the object. */
export function isSeen(observed: Observed | undefined): observed is Seen {
  return observed?.state === 'present' || observed?.state === 'absent';
}

/** What reads back otherwise than the action wanted it; empty when everything is so. */
export function mismatches(action: Reviewed, observed: Seen): readonly string[] {
  if (action.verb === 'delete') return observed.state === 'absent' ? [] : ['it is still there'];
  if (observed.state === 'absent') return ['it is not there'];
  return (
    comparable(action.changes, observed)
      // The platform may have numbered anew; whether the order holds is what the next look at the whole list tells.
      .filter(({ path }) => observed.position === undefined || path !== `/${escapePointer(observed.position)}`)
      .filter((change) => !holds(change, observed.document))
      .map(
        (change) =>
          `${change.path} reads back as ${show(valueAt(observed.document, change.path))}, wanted ${change.op === 'remove' ? 'nothing' : show(change.value)}`,
      )
  );
}

/** The name by which its neighbours are known, or undefined for the only one of its kind. */
function identityOf(address: string): string | undefined {
  return parseAddress(address)?.at(-1)?.name ?? undefined;
}

/**
 * By collection, the identities that these actions create, delete or move; `begun`: what runs of actions still in
 * flight did.
 */
export function ownIdentitiesOf(
  actions: readonly Pick<Action, 'address' | 'verb' | 'expect'>[],
  begun: readonly Pick<InFlight, 'action' | 'own'>[] = [],
): ReadonlyMap<string, ReadonlySet<string>> {
  const own = new Map<string, Set<string>>();
  const add = (address: string, identity: string): void => {
    const collection = collectionOf(address);
    own.set(collection, (own.get(collection) ?? new Set<string>()).add(identity));
  };
  for (const { address, verb, expect } of actions) {
    const identity = identityOf(address);
    const { renamedFrom } = expect;
    if (identity !== undefined && (verb !== 'update' || expect.order === 'moved' || renamedFrom !== undefined))
      add(address, identity);
    if (renamedFrom !== undefined) add(renamedFrom, identityOf(renamedFrom) ?? '');
    if (expect.from !== undefined && identity !== undefined) add(expect.from.address, identity);
  }
  for (const { action, own: identities = [] } of begun)
    for (const identity of identities) add(action.address, identity);
  return own;
}

function isDone(action: Reviewed, observed: Seen): boolean {
  if (action.verb === 'delete') return observed.state === 'absent';
  if (observed.state === 'absent') return false;
  const { changes } = action;
  // What is never read back cannot be seen to be done: not an update of nothing else, and no update that writes a
  // secret or a mark.
  if (
    action.verb === 'update' &&
    (comparable(changes, observed).length === 0 ||
      changes.some(({ secret, rotationToken }) => secret !== undefined || rotationToken === true))
  )
    return false;
  return comparable(changes, observed).every((change) => holds(change, observed.document));
}

/** `cacheExpiration` of `/cacheExpiration`, as a plan shows it. */
export function fieldName(path: string): string {
  return path.replace(/^\//, '').replaceAll('/', '.');
}

function presenceConflicts({ expect }: Reviewed, observed: Seen): readonly string[] {
  if (expect.exists && observed.state === 'absent') return ['at the review it existed, now it is gone'];
  if (!expect.exists && observed.state === 'present')
    return ['at the review it did not exist, now it exists with other values than wanted'];
  return [];
}

function valueConflicts(
  { verb, changes, expect }: Reviewed,
  observed: Seen,
  { effects, settling = [] }: OwnChanges,
  midway: boolean,
): readonly string[] {
  if (observed.state !== 'present' || !expect.exists) return [];
  const { document } = observed;
  const wantedNow = (path: string): boolean =>
    midway && changes.some((change) => change.path === path && holds(change, document));
  // The new value of an own change is expected, and the old one while lists may lag behind (RTY-06).
  const isSettling = (path: string): boolean => settling.some((effect) => effect.path === path);
  const isOld = (path: string): boolean =>
    isSettling(path) && expect.tests.some((test) => test.path === path && passes(document, test));
  const expected = (path: string): Effect | undefined => effects.findLast((effect) => effect.path === path);
  const changed = expect.tests
    .map((test) => ({ ...test, value: (expected(test.path) ?? test).value }))
    .filter((test) => !passes(document, test) && !wantedNow(test.path) && !isOld(test.path))
    .map(({ path, value }) => `${fieldName(path)}: at the review ${show(value)}, now ${show(valueAt(document, path))}`);
  // A field without a value at the review has no test; its change says so. Midway the platform may have set it, because
  // of what the action itself has sent.
  const appeared =
    verb !== 'update' || midway
      ? []
      : comparable(changes, observed)
          .filter(
            (change) => change.op === 'add' && valueAt(document, change.path) !== undefined && !holds(change, document),
          )
          .filter(
            ({ path }) =>
              !sameJson(valueAt(document, path), expected(path)?.value) &&
              path !== `/${escapePointer(observed.position ?? '')}`,
          )
          .map(({ path }) => `${fieldName(path)}: at the review not there, now ${show(valueAt(document, path))}`);
  return [...changed, ...appeared];
}

function unreadOrigin({ expect: { from } }: Reviewed, origin: OriginSeen | undefined): string | undefined {
  const seen = origin?.seen;
  return from === undefined || isSeen(seen) ? undefined : `${from.address}: ${seen?.reason ?? 'it was not read'}`;
}

/**
 * What is moved is still where it was, and may leave; what is not so yet may be promised by another action of the run.
 */
function originConflicts({ expect: { from } }: Reviewed, origin: OriginSeen | undefined): readonly string[] {
  const seen = origin?.seen;
  if (from === undefined || !isSeen(seen)) return [];
  if (seen.state === 'absent') return [`at the review it was ${from.address}, now it is not there`];
  const promised = (path: string, value: Json): boolean =>
    origin?.promised.some(
      (effect) => effect.address === from.address && effect.path === path && sameJson(effect.value, value),
    ) === true;
  return from.tests
    .filter((test) => !passes(seen.document, test) && !promised(test.path, test.value))
    .map(
      ({ path, value }) =>
        `${fieldName(path)} of ${from.address}: at the review it would be ${show(value)}, now ${show(valueAt(seen.document, path))}`,
    );
}

function siblingConflicts({ expect }: Reviewed, observed: Seen, { identities }: OwnChanges): readonly string[] {
  if (expect.siblings === undefined) return [];
  const others = (names: readonly string[]): readonly string[] => {
    const kept = names.filter((name) => !identities.has(name));
    return expect.order === undefined ? kept.sort(compareText) : kept;
  };
  const reviewed = others(expect.siblings);
  const live = others(observed.siblings);
  if (sameJson(reviewed, live)) return [];
  return [`its list: at the review ${list(reviewed)}, now ${list(live)}`];
}

/** True when an RFC 6902 test holds. */
function passes(
  document: JsonObject,
  test: { readonly op: 'test'; readonly path: string; readonly value: Json },
): boolean {
  try {
    jsonPatch.applyOperation(document, { ...test }, true, false);
    return true;
  } catch {
    // The library throws for a test that fails and for a path that is not there: neither is what was reviewed.
    return false;
  }
}

/** True when a live document is as a change makes it. */
function holds(change: Change, document: JsonObject): boolean {
  const live = valueAt(document, change.path);
  return change.op === 'remove' ? live === undefined : covers(live, change.value);
}

/** The changes that a read can confirm: not those to secrets, nor to fields that no answer tells. */
function comparable(changes: readonly Change[], { unread }: Present): readonly Change[] {
  const reported = changes.filter(({ secret }) => secret === undefined);
  if (unread === undefined || unread.length === 0) return reported;
  return reported.filter(({ path }) => !unread.includes(fieldIn(path)));
}

function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** Returns true for a request that the guards count: it spends money, deletes something, or lets it expire. */
export function isGuarded(action: Action, { unlocks = [] }: RequestStep): boolean {
  return unlocks.includes(BILLING_LOCK) || action.risk.includes('lapse') || endsSomething(action);
}
