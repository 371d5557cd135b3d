// The one action that makes a single object as it is wanted: which verb, which changes, which steps, on what it rests.
// Callable on a single object; must not look at any other, and must not know any kind's name.
import type { Address } from '../model/address.ts';
import { addressOf, rootOf } from '../model/address.ts';
import type { SourcePosition } from '../model/diagnostic.ts';
import { invariant } from '../model/invariant.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { escapePointer, valueAt } from '../model/json.ts';
import type {
  FieldRule,
  Kind,
  Member,
  Blocker,
  StepContext,
  UpdateDefinition,
  WantedIn,
  WriteDefinition,
} from '../model/kind/kind.ts';
import { memberAddress, positionOf } from '../model/kind/kind.ts';
import type { MoveDefinition } from '../model/kind/move.ts';
import type { ManifestReference } from '../model/manifest-reference.ts';
import type { Change, Effect, Expectation, Requirement, Risk } from '../model/plan/plan.ts';
import type { Price } from '../model/price.ts';
import type { Step } from '../model/plan/step.ts';
import type { RotationTokens } from '../model/secret.ts';
import { placeOfSecret, secretSourceOf } from '../model/secret.ts';
import { addSecret, changedFields, diffSpec, dueRotationTokens, dueSecrets } from './diff.ts';
import { actionDigest } from './digest.ts';
import { lowersProtection, withChanges } from './protection.ts';
import type { UnorderedAction } from './order.ts';

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
  readonly taken?: readonly ManifestReference[];
  /** With which mark each of its secrets was last written, as far as the ledger knows. */
  readonly rotated?: RotationTokens;
  /** What making it costs. */
  readonly price?: Price;
}

/** Where an object comes from that is moved; `protect`: its manifest there says so. */
export interface Origin {
  readonly address: Address;
  readonly parent: Address;
  readonly identity: string;
  readonly protect: boolean;
  readonly tests: Expectation['tests'];
}

/** What is known of a live object. */
type LiveObject = Pick<Member, 'spec' | 'computed'>;

/**
 * Makes a missing object, or moves it here: the create first, then every update that writes what the create could not.
 */
export function createAction(
  kind: Kind,
  desired: JsonObject,
  context: ObjectContext,
  origin?: Origin,
): UnorderedAction {
  const create = kind.create;
  invariant(create !== undefined, `${kind.kind} cannot be created`);
  const declared = Object.keys(kind.fields).filter((field) => field in desired);
  const rest = declared.filter(
    (field) =>
      !create.writes.includes(field) && ['updatable', 'writeOnly'].includes((kind.fields[field] as FieldRule).rule),
  );
  const updates = updatesFor(kind, rest);
  const changes = declared.map((field): Change => {
    const source = secretIn(kind, field, desired);
    return source === undefined
      ? { op: 'add', path: `/${escapePointer(field)}`, value: desired[field] as Json }
      : addSecret(field, source);
  });
  const before = { spec: null, computed: {} };
  const steps = [
    // Back to back in one action: between the two it is nowhere (O-14).
    ...(origin === undefined
      ? []
      : moveOf(kind).steps({
          self: origin.address,
          parent: origin.parent,
          identity: origin.identity,
          to: context.parent,
        })),
    ...create.steps(stepContext(kind, context, desired, before, declared, create)),
    ...updates.flatMap((update) => update.steps(stepContext(kind, context, desired, before, rest, update))),
  ];
  const reason =
    origin === undefined
      ? 'declared, and not there'
      : `it is in ${origin.parent}, and the manifest says to move it here`;
  const writes = [
    ...(origin === undefined ? [] : [moveOf(kind)]),
    ...asked([create, ...updates], desired, before, context),
  ];
  return finish({
    kind,
    context,
    verb: 'create',
    reason,
    changes,
    exists: false,
    observed: null,
    after: desired,
    steps,
    writes,
    effects: effectsOf(kind, updates, desired, context),
    field: '',
    ...(origin !== undefined && { origin }),
  });
}

/** Changes what differs; undefined when nothing does. */
export function updateAction(
  kind: Kind,
  desired: JsonObject,
  live: LiveObject,
  context: ObjectContext,
): UnorderedAction | undefined {
  const observed = live.spec;
  const changes = changesOf(kind, desired, live, context.rotated);
  if (changes.length === 0) return undefined;
  const fields = changedFields(changes);
  const updates = updatesFor(kind, fields);
  const steps = updates.flatMap((update) => update.steps(stepContext(kind, context, desired, live, fields, update)));
  return finish({
    kind,
    context,
    verb: 'update',
    reason: reasonFor(changes),
    changes,
    exists: true,
    observed,
    after: withChanges(observed, changes),
    steps,
    writes: asked(updates, desired, live, context),
    effects: effectsOf(kind, updates, desired, context),
    field: fields[0] as string,
    last: updates.some(({ last }) => last?.(desired, observed) === true),
  });
}

/** Removes an object that is not wanted; the whole live document is what was reviewed. */
export function deleteAction(kind: Kind, live: LiveObject, reason: string, context: ObjectContext): UnorderedAction {
  const observed = live.spec;
  const remove = kind.remove;
  invariant(remove !== undefined, `${kind.kind} cannot be removed`);
  const compared = Object.keys(observed).filter(
    (field) => kind.fields[field]?.rule === 'updatable' || kind.fields[field]?.rule === 'immutable',
  );
  const changes = compared.map((field): Change => ({
    op: 'remove',
    path: `/${escapePointer(field)}`,
    was: observed[field] as Json,
  }));
  const steps = remove.steps(stepContext(kind, context, observed, live, [], undefined));
  return finish({
    kind,
    context,
    verb: 'delete',
    reason,
    changes,
    exists: true,
    observed,
    after: null,
    steps,
    writes: [{ ...remove, risk: typeof remove.risk === 'function' ? remove.risk(observed) : remove.risk }],
    effects: [],
    field: '',
  });
}

/** The updates that cannot be made now: what they would write, and why not. */
export function refusedUpdates(
  kind: Kind,
  desired: JsonObject,
  live: LiveObject,
  rotated?: RotationTokens,
  wantedIn: WantedIn = () => undefined,
): readonly { readonly writes: readonly string[]; readonly blocker: Blocker }[] {
  const fields = changedFields(changesOf(kind, desired, live, rotated));
  return updatesFor(kind, fields).flatMap(({ writes, refuse }) => {
    const blocker = refuse?.(desired, live, wantedIn) ?? null;
    return blocker === null ? [] : [{ writes, blocker }];
  });
}

/** What is compared, then the secrets and marks that are due. */
function changesOf(
  kind: Kind,
  desired: JsonObject,
  live: LiveObject,
  rotated: RotationTokens | undefined,
): readonly Change[] {
  return [
    ...diffSpec(kind, desired, live.spec),
    ...dueSecrets(kind, desired, rotated),
    ...dueRotationTokens(kind, desired, rotated),
  ];
}

function reasonFor(changes: readonly Change[]): string {
  const words = (chosen: readonly Change[], one: string, many: string): readonly string[] => {
    const fields = changedFields(chosen);
    return fields.length === 0 ? [] : [`${fields.join(', ')} ${fields.length === 1 ? one : many}`];
  };
  return [
    ...words(
      changes.filter(({ secret }) => secret === undefined),
      'differs',
      'differ',
    ),
    ...words(
      changes.filter(({ secret, op }) => secret !== undefined && op === 'replace'),
      'is to be written again: its rotate mark differs',
      'are to be written again: their rotate marks differ',
    ),
    ...words(
      changes.filter(({ secret, op }) => secret !== undefined && op === 'add'),
      'was never written',
      'were never written',
    ),
  ].join('; ');
}

function secretIn(kind: Kind, field: string, desired: JsonObject): ReturnType<typeof secretSourceOf> {
  if (kind.fields[field]?.rule !== 'writeOnly') return undefined;
  const source = secretSourceOf(desired[field]);
  // Anything else may be the secret itself, and would stand in the plan.
  invariant(source !== undefined, `${kind.kind}.${field} holds something that is not the place of a secret`);
  return source;
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

function moveOf({ kind, capabilities: { move } }: Kind): MoveDefinition<JsonObject> {
  invariant(move !== undefined, `${kind} cannot be moved`);
  return move;
}

interface Draft {
  readonly kind: Kind;
  readonly context: ObjectContext;
  readonly verb: UnorderedAction['verb'];
  readonly reason: string;
  readonly changes: readonly Change[];
  readonly exists: boolean;
  readonly observed: JsonObject | null;
  /** As it is when the action is done; null when it is gone. */
  readonly after: JsonObject | null;
  readonly steps: readonly Step[];
  readonly writes: readonly {
    readonly requires: Requirement;
    readonly risk: readonly Risk[];
    readonly locks?: readonly string[];
    readonly cost?: Price | undefined;
  }[];
  readonly effects: readonly Effect[];
  readonly field: string;
  readonly origin?: Origin;
  readonly last?: boolean;
}

function finish({
  kind,
  context,
  verb,
  reason,
  changes,
  exists,
  observed,
  after,
  steps,
  writes,
  effects,
  field,
  origin,
  last = false,
}: Draft): UnorderedAction {
  const position = positionOf(kind);
  const isPlace = ({ path }: Change): boolean => position !== undefined && path === `/${escapePointer(position)}`;
  const expect: Expectation = {
    exists,
    // Where it stands among its neighbours is what was reviewed, not the number.
    tests:
      observed === null
        ? []
        : expectedValues(
            changes.filter((change) => !isPlace(change) && change.secret === undefined),
            observed,
          ),
    ...(context.siblings !== undefined && { siblings: context.siblings }),
    ...(origin !== undefined && { from: { address: origin.address, tests: origin.tests } }),
    ...(context.siblings !== undefined &&
      position !== undefined && { order: verb === 'update' && changes.some(isPlace) ? 'moved' : 'kept' }),
  };
  const source = context.sourceOf(field) ?? context.sourceOf('');
  const cost = context.price ?? writes.find((write) => write.cost !== undefined)?.cost;
  const core = {
    address: context.address,
    verb,
    changes: changes.map((change) => withPersonal(kind, change)),
    expect,
    steps,
    risk: [
      ...new Set([
        ...writes.flatMap(({ risk }) => risk),
        ...(lowersProtection(kind, observed, after) ? (['exposure'] as const) : []),
      ]),
    ],
    ...(cost !== undefined && { cost }),
    protected: context.protect || origin?.protect === true,
  };
  return {
    ...core,
    kind: kind.kind,
    digest: actionDigest(core),
    reason: [
      reason,
      ...(verb === 'delete' ? [] : (context.taken ?? [])).map(({ ref, output }) => `it takes ${output} of ${ref}`),
    ].join('; '),
    ...(source !== undefined && { source: { file: source.file, line: source.line, column: source.column } }),
    requires: joinRequirements(writes.map(({ requires }) => requires)),
    stage: verb === 'delete' || last ? 'removal' : 'change',
    effects,
    locks: [
      ...new Set([
        rootOf(context.address),
        ...(origin === undefined ? [] : [rootOf(origin.address)]),
        ...writes.flatMap(({ locks }) => locks ?? []),
      ]),
    ].sort(),
  };
}

/** The change with what it holds about a person. A change inside a field is about whom the field is about. */
function withPersonal({ fields }: Kind, change: Change): Change {
  const [field = ''] = changedFields([change]);
  const within = fields[field]?.personal;
  const isWhole = change.path === `/${escapePointer(field)}`;
  const places =
    within === undefined
      ? []
      : [
          ...new Set(
            isWhole ? [change.was, change.value].flatMap((value) => (value === undefined ? [] : within(value))) : [''],
          ),
        ];
  return places.length === 0 ? change : { ...change, personal: places };
}

/**
 * The live value under every change; what was not there cannot be tested for a value and is left to the change itself.
 */
function expectedValues(changes: readonly Change[], observed: JsonObject): Expectation['tests'] {
  return changes.flatMap(({ path }) => {
    const value = valueAt(observed, path);
    return value === undefined ? [] : [{ op: 'test', path, value } as const];
  });
}

/**
 * The updates that write these fields, each after the updates it names, also through updates that are not needed here.
 */
function updatesFor(kind: Kind, fields: readonly string[]): readonly UpdateDefinition<JsonObject>[] {
  const ordered = new Set<UpdateDefinition<JsonObject>>();
  const visit = (update: UpdateDefinition<JsonObject>): void => {
    for (const earlier of update.after ?? []) visit(kind.update[earlier] as UpdateDefinition<JsonObject>);
    ordered.add(update);
  };
  for (const update of Object.values(kind.update)) visit(update);
  return [...ordered].filter(({ writes }) => writes.some((field) => fields.includes(field)));
}

function effectsOf(
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

type Before = { readonly spec: JsonObject | null; readonly computed: JsonObject };

function stepContext(
  kind: Kind,
  { address, parent, price }: ObjectContext,
  desired: JsonObject,
  { spec, computed }: Before,
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

/** Some requests ask for more or less of the credential, depending on what they write. */
function asked(
  writes: readonly WriteDefinition<JsonObject>[],
  desired: JsonObject,
  { spec, computed }: Before,
  { members }: ObjectContext,
): Draft['writes'] {
  return writes.map(({ requires, risk = [], locks = [], cost }) => ({
    cost: cost?.(desired, computed),
    requires: typeof requires === 'function' ? requires(desired, computed) : requires,
    risk: typeof risk === 'function' ? risk(desired, spec, computed, members) : risk,
    locks: typeof locks === 'function' ? locks(desired, computed) : locks,
  }));
}

function joinRequirements(requirements: readonly Requirement[]): Requirement {
  return {
    userCredential: requirements.some(({ userCredential }) => userCredential),
    ...(requirements.some(({ closedToOauth }) => closedToOauth) && { closedToOauth: true }),
    scopes: [...new Set(requirements.flatMap(({ scopes }) => scopes))].sort(),
    roles: [...new Set(requirements.flatMap(({ roles }) => roles))].sort(),
  };
}
