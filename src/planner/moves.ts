// What becomes of a wanted object that lives in another parent: moved where its manifest consents to just that, else an
// blocker; and what a move has to wait for in the root that it leaves.
import type { Address } from '../model/address.ts';
import { kindOf, parentOf, parseAddress, rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { JsonObject } from '../model/json.ts';
import { sameJson, valueAt } from '../model/json.ts';
import type { Collection, Elsewhere, Kind, Member, Blocker, Registry } from '../model/kind/kind.ts';
import { memberAddress } from '../model/kind/kind.ts';
import type { MoveDefinition } from '../model/kind/move.ts';
import type { Expectation, Need, PlanBlocker } from '../model/plan/plan.ts';
import type { ObjectContext } from './action.ts';
import { createAction } from './action.ts';
import type { UnorderedAction } from './order.ts';

/** The manifest that is bound to a live parent. */
export interface Holder {
  readonly address: Address;
  readonly protect: boolean;
  /** It is wanted absent: what is left in it goes with it. */
  readonly goes: boolean;
  /** Why nothing can be taken out of it for now. */
  readonly held?: Blocker;
}

/** By the id of the live parent. */
export type Holders = ReadonlyMap<string, Holder>;

/** Who holds what, from the roots of the plan. */
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
                goes: lifecycle.state === 'absent',
                ...(member.held !== undefined && { held: member.held }),
              },
            ] as const,
          ];
    }),
  );
}

interface MovePlan {
  readonly actions: readonly UnorderedAction[];
  readonly blocked: readonly PlanBlocker[];
  readonly bindings: Readonly<Record<Address, string>>;
}

/** The move of an object that lives in another parent, or why it stays there; undefined when it does not live there. */
export function planMove(
  kind: Kind,
  elsewhere: Readonly<Record<string, Elsewhere>>,
  desired: Desired,
  context: ObjectContext,
  holders: Holders,
): MovePlan | undefined {
  const { move } = kind.capabilities;
  const there = Object.hasOwn(elsewhere, desired.identity) ? elsewhere[desired.identity] : undefined;
  if (move === undefined || there === undefined) return undefined;
  const holder = holders.get(there.parentId);
  const consent = desired.spec[move.consent] as string | undefined;
  if (holder === undefined || holder.address !== consent) {
    const blocker = move.refuse({ parentId: there.parentId, holder: holder?.address, consent });
    return { actions: [], blocked: [{ address: desired.address, ...blocker }], bindings: {} };
  }
  const { address: parent, protect, goes, held } = holder;
  if (held !== undefined)
    return {
      actions: [],
      blocked: [{ address: desired.address, ...held, reason: `it is in ${parent}, and ${held.reason}` }],
      bindings: {},
    };
  const address = memberAddress({ kind: kind.kind, parent }, kind, desired.identity);
  const { path, value } = move.leaving;
  // What is left behind goes with a parent that goes: nothing has to be put in order there.
  const tests: Expectation['tests'] = goes ? [] : [{ op: 'test', path, value }];
  const action = createAction(kind, desired.spec, context, {
    address,
    parent,
    identity: desired.identity,
    protect,
    tests,
  });
  return { actions: [action], blocked: [], bindings: { [address]: there.id, [parent]: there.parentId } };
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
    const live = observed.get(collection);
    for (const { identity, spec } of members) {
      const from = spec[consent];
      const isHere = live?.state === 'read' && live.members.some((member) => member.identity === identity);
      if (typeof from !== 'string' || isHere) continue;
      const left = `${from}/${kind}`;
      leaving.set(left, (leaving.get(left) ?? new Set<string>()).add(identity));
    }
  }
  return leaving;
}

type Origin = NonNullable<Expectation['from']>;

/**
 * The actions without the moves that cannot leave yet, and why not: nothing in the plan makes it so, or each waits for
 * another.
 */
export function holdMoves(
  actions: readonly UnorderedAction[],
  registry: Registry,
  bound: ReadonlyMap<Address, Member>,
): { readonly actions: readonly UnorderedAction[]; readonly blocked: readonly PlanBlocker[] } {
  const stuck = new Map<UnorderedAction, PlanBlocker>();
  const mayLeave = (action: UnorderedAction, waiting: readonly UnorderedAction[]): boolean => {
    const { from } = action.expect;
    if (from === undefined || isSo(from, registry, bound)) return true;
    const first = providersOf(from, actions);
    return first.some(
      (provider) => ![...waiting, action].includes(provider) && mayLeave(provider, [...waiting, action]),
    );
  };
  for (const action of actions) {
    const { from } = action.expect;
    if (from !== undefined && !mayLeave(action, []))
      stuck.set(action, {
        address: action.address,
        ...moveFor(from, registry).leaving.refuse(parentOf(from.address) as Address),
      });
  }
  return { actions: actions.filter((action) => !stuck.has(action)), blocked: [...stuck.values()] };
}

/**
 * The edges between two roots: what makes ready comes before the move, and a root that goes waits for what is taken out
 * of it (O-71).
 */
export function moveNeeds(
  actions: readonly UnorderedAction[],
  registry: Registry,
): readonly (Need & { readonly later: Address })[] {
  return actions.flatMap((action) => {
    const { from } = action.expect;
    if (from === undefined) return [];
    const { rule, reason } = moveFor(from, registry).leaving;
    const first = providersOf(from, actions).map(({ address }) => ({ later: action.address, address, rule, reason }));
    const gone = actions
      .filter(({ address, stage }) => stage === 'removal' && address === rootOf(from.address))
      .map(({ address }) => ({
        later: address,
        address: action.address,
        rule: 'O-71',
        reason: 'what is moved out of it must not go with it',
      }));
    return [...first, ...gone];
  });
}

function providersOf({ address, tests }: Origin, actions: readonly UnorderedAction[]): readonly UnorderedAction[] {
  return actions.filter(({ effects }) =>
    effects.some(
      (effect) =>
        effect.address === address &&
        tests.some(({ path, value }) => effect.path === path && sameJson(effect.value, value)),
    ),
  );
}

function isSo({ address, tests }: Origin, registry: Registry, bound: ReadonlyMap<Address, Member>): boolean {
  const parent = bound.get(parentOf(address) as Address) as Member;
  const identity = parseAddress(address)?.at(-1)?.name as string;
  const document = moveFor({ address }, registry).document(identity, parent);
  return tests.every(({ path, value }) => sameJson(valueAt(document, path), value));
}

function moveFor({ address }: Pick<Origin, 'address'>, registry: Registry): MoveDefinition<JsonObject> {
  return registry.get(kindOf(address))?.capabilities.move as MoveDefinition<JsonObject>;
}
