// What becomes of an object that is made only when one in another root is there: it comes after it in the plan, or it
// waits.
import type { Address } from '../model/address.ts';
import { collectionOf, parentOf } from '../model/address.ts';
import type { ObjectNeed } from '../model/kind/needs-of.ts';
import { objectNeeds } from '../model/kind/needs-of.ts';
import type { PlanBlocker } from '../model/plan/plan.ts';
import type { CollectionPlan } from './collection.ts';
import type { UnorderedAction } from './order.ts';
import { membersIn, orderActions } from './order.ts';
import type { PlanInput } from './plan.ts';
import { lookAt } from './values.ts';

/** What the objects that these actions make wait for, as far as it is not live already. */
export function needsOf(input: PlanInput, actions: readonly UnorderedAction[]): readonly ObjectNeed[] {
  const made = madeBy(actions);
  return objectNeeds(input.declared, input.registry, (address) => made.has(address)).filter((need) =>
    isMissing(input, need),
  );
}

/**
 * The plan without what would be made before what it rests on is there and coming, and without what would come after
 * that: as a run that cannot do the one leaves out the others.
 */
export function holdBack(input: PlanInput, parts: CollectionPlan): CollectionPlan {
  const needs = needsOf(input, parts.actions);
  const inFlight = new Set(input.ledger.inFlight.map(({ action }) => action.address));
  const coming = madeBy(parts.actions.filter(({ address }) => !inFlight.has(address)));
  const missing = needs.filter(({ address }) => !coming.has(address));
  if (missing.length === 0) return parts;
  const held = new Map<Address, Held>(
    missing.map((need) => [
      need.later,
      {
        list: listOf(input, parts, need.address),
        reason: `${need.address} is not there yet, and ${need.reason}`,
        rule: need.rule,
        on: need.address,
      },
    ]),
  );
  // In execution order: what is needed stands before what needs it.
  for (const { address, needs: own } of orderActions(parts.actions, input.registry, membersIn(input.observed), needs)) {
    const need = own.find((one) => held.has(one.address));
    const cause = need === undefined ? undefined : held.get(need.address);
    if (need !== undefined && cause !== undefined && !held.has(address))
      held.set(address, {
        ...cause,
        reason: `it comes after ${need.address}, which waits for ${cause.on}: ${need.reason}`,
        rule: need.rule,
      });
  }
  const reported = (list: Listed): readonly PlanBlocker[] =>
    [...held]
      .filter(([, one]) => one.list === list)
      .map(([address, { reason, rule, on }]) => ({
        address,
        reason,
        remedy: `It goes on when ${on} is there; see what is said of that.`,
        rule,
      }));
  return {
    ...parts,
    actions: parts.actions.filter(({ address }) => !held.has(address)),
    blocked: [...parts.blocked, ...reported('blocked')],
    waiting: [...parts.waiting, ...reported('waiting')],
    unknown: [...parts.unknown, ...reported('unknown')],
  };
}

/** An action that comes after a section whose values are not known yet, by which rule. */
export interface Follower {
  readonly action: UnorderedAction;
  readonly after: string;
  readonly rule: string;
  readonly reason: string;
}

/**
 * What has to come after a section that still waits for a value of another object: done before, it would be in the
 * wrong order (O-58). Removals are not put off: nobody would have reviewed them. What a root itself has is not, for
 * there is no later round for it.
 */
export function followersOf(input: PlanInput, actions: readonly UnorderedAction[]): readonly Follower[] {
  const unknown = new Map(
    input.declared
      .filter(({ unresolved, parent }) => unresolved !== undefined && input.bound.has(parent as Address))
      .map(({ collection, kind }) => [collection, changeOf(collection, kind)]),
  );
  if (unknown.size === 0) return [];
  const puts = new Map<Address, string>();
  return orderActions([...actions, ...unknown.values()], input.registry, membersIn(input.observed)).flatMap(
    (action): readonly Follower[] => {
      const need = action.needs.find(({ address }) => unknown.has(address) || puts.has(address));
      if (
        need === undefined ||
        unknown.has(action.address) ||
        action.verb === 'delete' ||
        parentOf(action.address) === null
      )
        return [];
      const after = puts.get(need.address) ?? need.address;
      puts.set(action.address, after);
      return [{ action, after, rule: need.rule, reason: need.reason }];
    },
  );
}

/** A change of a section of which nothing else is known, for the rules of order to look at. */
function changeOf(address: Address, kind: string): UnorderedAction {
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

type Listed = 'blocked' | 'waiting' | 'unknown';

interface Held {
  readonly list: Listed;
  readonly reason: string;
  readonly rule: string;
  /** What is not there. */
  readonly on: Address;
}

/** What waits is told in the list in which that is told for which it waits. */
function listOf(input: PlanInput, parts: CollectionPlan, address: Address): Listed {
  const places = [address, collectionOf(address)];
  const isReported = (items: readonly Pick<PlanBlocker, 'address'>[]): boolean =>
    items.some((item) => places.includes(item.address));
  if (isReported(parts.unknown)) return 'unknown';
  return isReported(parts.waiting) || input.ledger.inFlight.some(({ action }) => action.address === address)
    ? 'waiting'
    : 'blocked';
}

function isMissing(input: PlanInput, { address, isMet }: ObjectNeed): boolean {
  const live = lookAt(address, input);
  return live === undefined || 'state' in live || !isMet(live);
}

function madeBy(actions: readonly UnorderedAction[]): ReadonlySet<Address> {
  return new Set(actions.filter(({ verb }) => verb === 'create').map(({ address }) => address));
}
