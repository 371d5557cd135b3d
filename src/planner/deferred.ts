// What is planned in a later round of the same apply, because what it depends on is not there or not known yet; and
// what is blocked instead, because no action of this plan changes that.
import type { Address } from '../model/address.ts';
import { addressOf, collectionOf, kindOf, parentOf } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Until } from '../model/kind/until.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { escapePointer } from '../model/json.ts';
import type { Kind } from '../model/kind/kind.ts';
import type { Change, Deferred, UnorderedAction } from '../model/plan/plan.ts';
import { secretSourceOf } from '../model/secret.ts';
import { groupBy } from '../model/common/lists.ts';
import { withPersonal } from './action.ts';
import type { ListedBlocker } from './collections/collection-plan.ts';
import { listedBlocker } from './collections/collection-plan.ts';
import { secretChange } from './diff.ts';
import { declaredDigest } from './digest.ts';
import { countMembers, orderActions } from './order.ts';
import type { PlanInput } from './plan-input.ts';
import { declaredCollection, kindOfCollection } from './plan-input.ts';
import { isPlannedWithParent, isTurnedOff, sectionsOf } from './collections/sections.ts';
import { isInFrozen } from './collections/frozen.ts';
import type { SharedFollower } from './collections/shared.ts';

interface DeferredPlan {
  readonly deferred: readonly Deferred[];
  readonly blockers: readonly ListedBlocker[];
}

const NOTHING_DEFERRED: DeferredPlan = { deferred: [], blockers: [] };

type ActionsOn = ReadonlyMap<Address, readonly UnorderedAction[]>;

/**
 * What is planned in a later round, and what is blocked instead. `created`: roots that this plan makes. `actions`: all
 * that it does. `followers`: what it leaves for later because it comes after a section that is not known yet.
 * `shared`: what it leaves for later because another action edits the same live object.
 */
export function planDeferred(
  input: PlanInput,
  created: ReadonlySet<Address>,
  actions: readonly UnorderedAction[],
  followers: readonly Follower[],
  shared: readonly SharedFollower[],
): DeferredPlan {
  const sections = sectionsOf(input);
  const actionsOn = groupBy(actions, ({ address }) => address);
  const notReady = sections.map((declared) => planNotReady(input, declared, actionsOn));
  const deferred = [
    ...notReady.flatMap((later) => later.deferred),
    ...shared.map((follower) => deferShared(input, follower)),
  ];
  const known = new Map(deferred.map((one) => [one.address, one]));
  const following = followers.map((follower) => planFollower(input, follower, known));
  // Several members of one list are planned together.
  const collections = new Map(following.flatMap((later) => later.deferred).map((one) => [one.address, one]));
  return {
    deferred: [
      ...sections.flatMap((declared) => deferToParent(input, declared, created)),
      ...deferred,
      ...collections.values(),
    ],
    blockers: [...notReady, ...following].flatMap((later) => later.blockers),
  };
}

/**
 * What is in an object that is still to be made can be planned only where the kind says how it begins; the rest is
 * planned when it is there (O-06).
 */
function deferToParent(
  input: PlanInput,
  declared: DesiredCollection,
  created: ReadonlySet<Address>,
): readonly Deferred[] {
  const until = declared.parent as Address;
  if (input.bound.has(until) || !created.has(until) || isPlannedWithParent(input, declared)) return [];
  return [deferSection(input, declared, until, 'its live values can be read only then')];
}

/**
 * What depends on another object that is not ready is planned when that is, in the same run, if this plan makes it so.
 * Otherwise it is blocked; and where the manifest itself wants the other off, there is nothing to ask for.
 */
function planNotReady(input: PlanInput, declared: DesiredCollection, actionsOn: ActionsOn): DeferredPlan {
  const live = input.observed.get(declared.collection);
  const parent = declared.parent as Address;
  if (live?.state !== 'deferred' || isTurnedOff(input, declared) || isInFrozen(input.registry, parent, input.bound))
    return NOTHING_DEFERRED;
  const until = unblockedBy(live.until, parent, actionsOn);
  return until === undefined
    ? { deferred: [], blockers: [listedBlocker(declared.collection, live)] }
    : {
        deferred: [deferSection(input, declared, until, `${live.reason}, and nothing of it can be read before`)],
        blockers: [],
      };
}

/** The object of this plan whose action makes the section readable; undefined when no action does. */
function unblockedBy(until: Until, parent: Address, actionsOn: ActionsOn): Address | undefined {
  if ('address' in until)
    return actionsOn.get(until.address)?.some(({ verb }) => verb === 'create') === true ? until.address : undefined;
  const field = `/${until.field}`;
  const address = kindOf(parent) === until.kind ? parent : addressOf(parent, until.kind, null);
  return actionsOn.get(address)?.some(({ changes }) => changes.some(({ path }) => path === field)) === true
    ? address
    : undefined;
}

/** An action that comes after a section whose values are not known yet, and the rule that says so. */
export interface Follower {
  readonly address: Address;
  readonly after: string;
  readonly rule: string;
  readonly reason: string;
}

/**
 * What has to come after a section that still waits for a value of another object, or for the edit of an object that it
 * shares: done before, it would be in the wrong order (O-58). Removals are not put off: nobody would have reviewed them. What a root itself has is not, for
 * there is no later round for it.
 */
export function followersOf(
  input: PlanInput,
  actions: readonly UnorderedAction[],
  shared: readonly SharedFollower[],
): readonly Follower[] {
  const unresolved = new Map([
    ...input.declared
      .filter(({ unresolved: open, parent }) => open !== undefined && input.bound.has(parent as Address))
      .map(({ collection, kind }) => [collection, placeholderAction(collection, kind)] as const),
    ...shared.map(({ address }) => [address, placeholderAction(address, kindOf(address))] as const),
  ]);
  if (unresolved.size === 0) return [];
  const comesAfter = new Map<Address, string>();
  const ordered = orderActions([...actions, ...unresolved.values()], input.registry, countMembers(input.observed));
  return ordered.flatMap((action): readonly Follower[] => {
    const { address, verb } = action;
    const need = action.needs.find((one) => unresolved.has(one.address) || comesAfter.has(one.address));
    if (need === undefined || unresolved.has(address) || verb === 'delete' || parentOf(address) === null) return [];
    const after = comesAfter.get(need.address) ?? need.address;
    comesAfter.set(address, after);
    return [{ address, after, rule: need.rule, reason: need.reason }];
  });
}

/** A change of a section of which nothing else is known, for the rules of order to look at. */
function placeholderAction(address: Address, kind: string): UnorderedAction {
  return {
    address,
    kind,
    verb: 'update',
    digest: '',
    reason: '',
    changes: [],
    expect: { exists: true, tests: [] },
    risk: [],
    protected: false,
    requires: { userCredential: false, scopes: [], roles: [] },
    stage: 'change',
    effects: [],
    locks: [],
    steps: [],
  };
}

/** What comes after a section that is planned later is planned with it; where nothing makes that known, it is blocked. */
function planFollower(
  input: PlanInput,
  { address, after, rule, reason: why }: Follower,
  later: ReadonlyMap<Address, Deferred>,
): DeferredPlan {
  const first = later.get(after);
  const reason = `it comes after ${after}, which is not known yet: ${why}`;
  if (first === undefined) {
    const remedy = `See what is said of ${after}.`;
    return { deferred: [], blockers: [listedBlocker(address, { reason, remedy, rule })] };
  }
  const declared = declaredCollection(input, collectionOf(address)) as DesiredCollection;
  return { deferred: [deferSection(input, declared, first.until, reason)], blockers: [] };
}

function deferShared(input: PlanInput, { address, until, reason }: SharedFollower): Deferred {
  return deferSection(input, declaredCollection(input, address) as DesiredCollection, until, reason);
}

function deferSection(input: PlanInput, declared: DesiredCollection, until: Address, reason: string): Deferred {
  const kind = kindOfCollection(input, declared);
  const objects =
    declared.unresolved === undefined
      ? declared.members.map(({ address, spec }) => ({ address, changes: declaredChanges(kind, spec) }))
      : [{ address: declared.collection, changes: writtenChanges(kind, declared.unresolved.written) }];
  return { address: declared.collection, until, reason, declared: declaredDigest(declared), objects };
}

/** Each declared field as it would be written to something new: of a secret only where it comes from. */
function declaredChanges(kind: Kind, spec: JsonObject): readonly Change[] {
  return Object.entries(kind.fields).flatMap(([field, { rule }]): readonly Change[] => {
    const value = spec[field];
    if (value === undefined) return [];
    if (rule === 'writeOnly') {
      const source = secretSourceOf(value);
      return source === undefined ? [] : [secretChange(field, source)];
    }
    const change: Change = { op: 'add', path: `/${escapePointer(field)}`, value };
    return [withPersonal(kind, rule === 'rotation-token' ? { ...change, rotationToken: true } : change)];
  });
}

/** What stands at the places of a section of which values are still to come. */
function writtenChanges({ section, fields }: Kind, written: Json): readonly Change[] {
  const isPersonal = Object.values(fields).some(({ personal }) => personal !== undefined);
  return section.fields.flatMap((field, index): readonly Change[] => {
    const value = (written as readonly Json[])[index] ?? null;
    return value === null ? [] : [{ op: 'add', path: `/${field}`, value, ...(isPersonal && { personal: [''] }) }];
  });
}
