// Objects that live in another parent than the manifest says: moved where the manifest consents to just that, else
// blocked; and what a move waits for in the root that it leaves.
import type { Address } from '../model/address.ts';
import { kindOf, parentOf, parseAddress, rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { JsonObject } from '../model/json.ts';
import { sameJson, valueAt } from '../model/json.ts';
import type { Blocker, Collection, Elsewhere, Kind, Member, Registry } from '../model/kind/kind.ts';
import { memberAddress } from '../model/kind/kind.ts';
import type { MoveDefinition } from '../model/kind/capabilities/move.ts';
import type { Expectation, Need, UnorderedAction } from '../model/plan/plan.ts';
import { groupBy } from '../model/common/lists.ts';
import { createAction } from './action.ts';
import type { CollectionPlan } from './collections/collection-plan.ts';
import { blockedPlan, EMPTY_COLLECTION_PLAN } from './collections/collection-plan.ts';
import type { ObjectContext } from './requests.ts';

type Origin = NonNullable<Expectation['from']>;

/** The manifest that is bound to a live parent. */
export interface Holder {
  readonly address: Address;
  readonly protect: boolean;
  /** It is wanted absent: what is left in it goes with it. */
  readonly isAbsent: boolean;
  /** Why nothing can be taken out of it for now. */
  readonly frozen?: Blocker;
}

/** By the id of the live parent. */
export type Holders = ReadonlyMap<string, Holder>;

/** The manifests that are bound to live parents, from the roots of the plan. */
export function holdersOf(roots: readonly Desired[], bound: ReadonlyMap<Address, Member>): Holders {
  return new Map(
    roots.flatMap(({ address, lifecycle }) => {
      const member = bound.get(address);
      return member === undefined
        ? []
        : [
            [
              member.id,
              {
                address,
                protect: lifecycle.protect,
                isAbsent: lifecycle.state === 'absent',
                ...frozenHolder(member),
              },
            ] as const,
          ];
    }),
  );
}

function frozenHolder({ unverified, frozen = unverified }: Member): Pick<Holder, 'frozen'> {
  return frozen === undefined ? {} : { frozen };
}

/** The move of an object that lives in another parent, or why it stays there; undefined when it does not live there. */
export function planMove(
  kind: Kind,
  elsewhere: Readonly<Record<string, Elsewhere>>,
  desired: Desired,
  context: ObjectContext,
  holders: Holders,
): CollectionPlan | undefined {
  const { move } = kind.capabilities;
  const there = Object.hasOwn(elsewhere, desired.identity) ? elsewhere[desired.identity] : undefined;
  if (move === undefined || there === undefined) return undefined;
  const holder = holders.get(there.parentId);
  const consent = desired.spec[move.consent] as string | undefined;
  if (holder === undefined || holder.address !== consent)
    return blockedPlan(desired.address, move.refuse({ parentId: there.parentId, holder: holder?.address, consent }));
  const { address: parent, protect, isAbsent, frozen } = holder;
  if (frozen !== undefined)
    return blockedPlan(desired.address, { ...frozen, reason: `it is in ${parent}, and ${frozen.reason}` });
  const address = memberAddress({ kind: kind.kind, parent }, kind, desired.identity);
  const { path, value } = move.leaving;
  // What is left behind goes with a parent that goes: nothing has to be put in order there.
  const tests: Expectation['tests'] = isAbsent ? [] : [{ op: 'test', path, value }];
  const origin = { address, parent, identity: desired.identity, protect, tests };
  return {
    ...EMPTY_COLLECTION_PLAN,
    actions: [createAction(kind, desired.spec, context, origin)],
    bindings: [
      { address, id: there.id },
      { address: parent, id: there.parentId },
    ],
  };
}

/** A consent to something that is not the case asks for nothing: what lives nowhere is simply made. */
export function withoutConsent({ capabilities: { move } }: Kind, spec: JsonObject): JsonObject {
  if (move === undefined) return spec;
  const { [move.consent]: _consent, ...rest } = spec;
  return rest;
}

/** By collection, what the manifests of other parents take out of it, whether or not it can be moved now. */
export function leavingOf(
  sections: readonly DesiredCollection[],
  registry: Registry,
  observed: ReadonlyMap<string, Collection>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const leaving = new Map<string, Set<string>>();
  for (const { collection, kind, members } of sections) {
    const consent = registry.get(kind)?.capabilities.move?.consent;
    if (consent === undefined) continue;
    for (const { identity, spec } of members) {
      const from = spec[consent];
      if (typeof from !== 'string') continue;
      const live = observed.get(collection);
      if (live?.state === 'read' && live.members.some((member) => member.identity === identity)) continue;
      const left = `${from}/${kind}`;
      leaving.set(left, (leaving.get(left) ?? new Set<string>()).add(identity));
    }
  }
  return leaving;
}

/**
 * The edges between two roots: what makes ready comes before the move, and a root that goes waits for what is taken out
 * of it (O-71).
 */
export function moveNeeds(
  actions: readonly UnorderedAction[],
  registry: Registry,
): readonly (Need & { readonly later: Address })[] {
  const moves = actions.filter(({ expect }) => expect.from !== undefined);
  if (moves.length === 0) return [];
  const changing = byEffect(actions);
  const removalsOf = groupBy(
    actions.filter(({ stage }) => stage === 'removal'),
    ({ address }) => address,
  );
  return moves.flatMap((action) => {
    const from = action.expect.from as Origin;
    const { rule, reason } = moveOf(from, registry).leaving;
    const preparations = preparationsOf(from, changing).map(({ address }) => ({
      later: action.address,
      address,
      rule,
      reason,
    }));
    const removals = (removalsOf.get(rootOf(from.address)) ?? []).map(({ address }) => ({
      later: address,
      address: action.address,
      rule: 'O-71',
      reason: 'what is moved out of it must not go with it',
    }));
    return [...preparations, ...removals];
  });
}

/** By the address of an object, the actions on others that change it as a side effect. */
export type ByEffect = ReadonlyMap<Address, readonly UnorderedAction[]>;

export function byEffect(actions: readonly UnorderedAction[]): ByEffect {
  const found = new Map<Address, UnorderedAction[]>();
  for (const action of actions)
    for (const address of new Set(action.effects.map((effect) => effect.address)))
      found.set(address, [...(found.get(address) ?? []), action]);
  return found;
}

/** The actions that make an object ready to leave: what they bring about is what its move expects there. */
export function preparationsOf({ address, tests }: Origin, changing: ByEffect): readonly UnorderedAction[] {
  return (changing.get(address) ?? []).filter(({ effects }) =>
    effects.some(
      (effect) =>
        effect.address === address &&
        tests.some(({ path, value }) => effect.path === path && sameJson(effect.value, value)),
    ),
  );
}

/** True when the live object is as its move expects it to be. */
export function mayLeaveNow(
  { address, tests }: Origin,
  registry: Registry,
  bound: ReadonlyMap<Address, Member>,
): boolean {
  const parent = bound.get(parentOf(address) as Address) as Member;
  const identity = parseAddress(address)?.at(-1)?.name as string;
  const document = moveOf({ address }, registry).document(identity, parent);
  return tests.every(({ path, value }) => sameJson(valueAt(document, path), value));
}

/** How objects like this one are moved. */
export function moveOf({ address }: Pick<Origin, 'address'>, registry: Registry): MoveDefinition<JsonObject> {
  return registry.get(kindOf(address))?.capabilities.move as MoveDefinition<JsonObject>;
}
