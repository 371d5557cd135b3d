// Which requests of its kind an action is made of, and what they ask for: credentials, locks, risks and money.
import { endpointOf, pathOf } from '../areas/endpoints.ts';
import type { Address } from '../model/address.ts';
import { addressOf } from '../model/address.ts';
import type { SourcePosition } from '../model/diagnostic.ts';
import { invariant } from '../model/invariant.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Kind, Member, StepContext, UpdateDefinition, WriteDefinition } from '../model/kind/kind.ts';
import { memberAddress } from '../model/kind/kind.ts';
import type { ManifestReference } from '../model/manifest-reference.ts';
import type { Effect, Expectation, Requirement, Risk } from '../model/plan/plan.ts';
import type { Price } from '../model/price.ts';
import type { Step } from '../model/plan/step.ts';
import type { RotationTokens } from '../model/secret.ts';
import { placeOfSecret, secretSourceOf } from '../model/secret.ts';

/** What an action is made from; `siblings` only where the list is authoritative. */
export interface ObjectContext {
  readonly address: Address;
  readonly parent: Address;
  readonly protect: boolean;
  readonly siblings?: readonly string[];
  /** The live members of its collection. */
  readonly members: readonly Member[];
  readonly sourceOf: (field: string) => SourcePosition | undefined;
  /** Where values of it come from that its manifest takes from other objects. */
  readonly references?: readonly ManifestReference[];
  /** With which rotation token each of its secrets was last written, as far as the ledger knows. */
  readonly rotated?: RotationTokens;
  /** The address that it has while it is still to be renamed. */
  readonly renamedFrom?: Address;
  /** What making it costs. */
  readonly price?: Price;
  /** The live root that it is, or is in, where no natural key says which one is meant. */
  readonly identity?: Identity;
  /** Only the ledger says that it is ours, or gives a value of it. */
  readonly grounds?: 'ledger';
}

/** The live root that a review covers, beside its address. */
export type Identity = NonNullable<Expectation['identity']>;

/** A live object as steps see it; empty before it is made. */
export interface LiveBefore {
  readonly spec: JsonObject | null;
  readonly computed: JsonObject;
}

/** What a request asks for, once it is known what it writes. */
export interface Demand {
  readonly requires?: Requirement | undefined;
  readonly risk: readonly Risk[];
  readonly cost?: Price | undefined;
}

/** The updates that write these fields, in the order of the kind. */
export function updatesFor(kind: Kind, fields: readonly string[]): readonly UpdateDefinition<JsonObject>[] {
  return Object.values(kind.update).filter(({ writes }) => writes.some((field) => fields.includes(field)));
}

/** What these updates change by themselves in other objects. */
export function effectsOf(
  kind: Kind,
  updates: readonly UpdateDefinition<JsonObject>[],
  desired: JsonObject,
  { parent, members }: ObjectContext,
): readonly Effect[] {
  return updates
    .flatMap(({ effects }) => effects?.(desired, members) ?? [])
    .map(({ path, value, ...where }) => ({
      address:
        'beside' in where
          ? addressOf(parent, where.beside, null)
          : memberAddress({ kind: kind.kind, parent }, kind, where.identity),
      path,
      value,
    }));
}

/** What a kind makes the steps of one request from. `writing`: all fields that the action writes. */
export function stepContext(
  kind: Kind,
  { address, parent, price }: ObjectContext,
  desired: JsonObject,
  { spec, computed }: LiveBefore,
  writing: readonly string[],
  write: Pick<WriteDefinition<JsonObject>, 'writes'> | undefined,
): StepContext<JsonObject> {
  return {
    self: address,
    parent,
    desired: withReferences(kind, desired, writing),
    observed: spec,
    computed,
    changed: writing.filter((field) => write?.writes.includes(field)),
    writing,
    ...(price !== undefined && { price }),
  };
}

/** As steps see it: a secret by its place, and not at all where it is not to be written. */
function withReferences(kind: Kind, desired: JsonObject, writing: readonly string[]): JsonObject {
  const entries = Object.entries(desired).flatMap(([field, value]): readonly (readonly [string, Json])[] => {
    const source = secretIn(kind, field, desired);
    if (source === undefined) return [[field, value]];
    return writing.includes(field) ? [[field, { $secret: { ...placeOfSecret(source) } }]] : [];
  });
  return Object.fromEntries(entries);
}

/** The place of the secret that a field holds; undefined where it holds none. */
export function secretIn(kind: Kind, field: string, desired: JsonObject): ReturnType<typeof secretSourceOf> {
  if (kind.fields[field]?.rule !== 'writeOnly') return undefined;
  const source = secretSourceOf(desired[field]);
  // Anything else may be the secret itself, and would stand in the plan.
  invariant(source !== undefined, `${kind.kind}.${field} holds something that is not the place of a secret`);
  return source;
}

/** What each of these requests asks for, which may depend on what it writes. */
export function demandsOf(
  writes: readonly WriteDefinition<JsonObject>[],
  desired: JsonObject,
  { spec, computed }: LiveBefore,
  { members }: ObjectContext,
): readonly Demand[] {
  return writes.map(({ requires, risk = [], cost }) => ({
    cost: typeof cost === 'function' ? cost(desired, computed) : undefined,
    requires,
    risk: typeof risk === 'function' ? risk(desired, spec, computed, members) : risk,
  }));
}

/** What the credential needs: what the endpoints of the requests ask for, and what is said beside that. */
export function requirementOf(steps: readonly Step[], beside: readonly Requirement[] = []): Requirement {
  const endpoints = steps.flatMap((step) =>
    step.do === 'request' ? (endpointOf(step.method, pathOf(step.path))?.requires ?? []) : [],
  );
  const requirements = [...endpoints, ...beside];
  return {
    userCredential: requirements.some(({ userCredential }) => userCredential),
    ...(requirements.some(({ closedToOauth }) => closedToOauth) && { closedToOauth: true }),
    scopes: [...new Set(requirements.flatMap(({ scopes }) => scopes))].sort(),
    roles: [...new Set(requirements.flatMap(({ roles }) => roles))].sort(),
  };
}
