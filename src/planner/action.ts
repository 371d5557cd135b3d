// The one action that makes a single object as it is wanted: its verb, its changes and steps, and what it was computed
// from.
import { rootOf } from '../model/address.ts';
import type { Address } from '../model/address.ts';
import { invariant } from '../model/invariant.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { escapePointer, valueAt } from '../model/json.ts';
import type { Blocker, FieldRule, Kind, Member, WantedIn } from '../model/kind/kind.ts';
import { NOTHING_WANTED, positionOf } from '../model/kind/kind.ts';
import type { Action, Change, Effect, Expectation, UnorderedAction } from '../model/plan/plan.ts';
import { changedFields } from '../model/plan/plan.ts';
import type { Step } from '../model/plan/step.ts';
import type { RotationTokens } from '../model/secret.ts';
import { diffSpec, dueRotationTokens, dueSecrets, secretChange } from './diff.ts';
import { contentDigest } from './digest.ts';
import { lowersProtection, withChanges } from './protection.ts';
import type { Demand, Identity, ObjectContext } from './requests.ts';
import { demandsOf, effectsOf, requirementOf, secretIn, stepContext, updatesFor } from './requests.ts';
import { actionSource } from '../model/diagnostic.ts';

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
  const { create } = kind;
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
      : secretChange(field, source);
  });
  const before = { spec: null, computed: {} };
  const action = {
    verb: 'create',
    changes,
    observed: null,
    after: desired,
    effects: effectsOf(kind, updates, desired, context),
  } as const;
  const steps = [
    ...create.steps(stepContext(kind, context, desired, before, declared, create)),
    ...updates.flatMap((update) => update.steps(stepContext(kind, context, desired, before, rest, update))),
  ];
  const writes = demandsOf([create, ...updates], desired, before, context);
  if (origin === undefined) return actionOf(kind, context, { ...action, reason: 'will be created', steps, writes });
  const { move } = kind.capabilities;
  invariant(move !== undefined, `${kind.kind} cannot be moved`);
  const { address: self, parent, identity } = origin;
  return actionOf(kind, context, {
    ...action,
    reason: `it is in ${parent}, and the manifest says to move it here`,
    // Back to back in one action: between the two it is nowhere (O-14).
    steps: [...move.steps({ self, parent, identity, to: context.parent }), ...steps],
    writes: [move, ...writes],
    origin,
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
  return actionOf(kind, context, {
    verb: 'update',
    reason: reasonFor(changes, kind, observed, context),
    changes,
    observed,
    after: withChanges(observed, changes),
    steps: updates.flatMap((update) => update.steps(stepContext(kind, context, desired, live, fields, update))),
    writes: demandsOf(updates, desired, live, context),
    effects: effectsOf(kind, updates, desired, context),
    isLast: updates.some(({ last }) => last?.(desired, observed) === true),
  });
}

/** Removes an object that is not wanted; the whole live document is what was reviewed. */
export function deleteAction(kind: Kind, live: LiveObject, reason: string, context: ObjectContext): UnorderedAction {
  const observed = live.spec;
  const { remove } = kind;
  invariant(remove !== undefined, `${kind.kind} cannot be removed`);
  const compared = Object.keys(observed).filter((field) =>
    ['updatable', 'immutable'].includes(kind.fields[field]?.rule ?? ''),
  );
  const { risk } = remove;
  return actionOf(kind, context, {
    verb: 'delete',
    reason,
    changes: compared.map((field) => ({
      op: 'remove',
      path: `/${escapePointer(field)}`,
      was: observed[field] as Json,
    })),
    observed,
    after: null,
    steps: remove.steps(stepContext(kind, context, observed, live, [], undefined)),
    writes: [{ risk: typeof risk === 'function' ? risk(observed) : risk }],
    effects: [],
  });
}

/** The updates that cannot be made now: what they would write, and why not. */
export function refusedUpdates(
  kind: Kind,
  desired: JsonObject,
  live: LiveObject,
  rotated?: RotationTokens,
  wantedIn: WantedIn = NOTHING_WANTED,
): readonly { readonly writes: readonly string[]; readonly blocker: Blocker }[] {
  const fields = changedFields(changesOf(kind, desired, live, rotated));
  return updatesFor(kind, fields).flatMap(({ writes, refuse }) => {
    const blocker = refuse?.(desired, live, wantedIn) ?? null;
    return blocker === null ? [] : [{ writes, blocker }];
  });
}

/** What differs, then the secrets and rotation tokens that are due. */
export function changesOf(
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

function reasonFor(
  all: readonly Change[],
  { renamedBy = '' }: Kind,
  observed: JsonObject,
  { renamedFrom }: ObjectContext,
): string {
  const changes = all.filter(({ path }) => renamedFrom === undefined || path !== `/${escapePointer(renamedBy)}`);
  const words = (chosen: readonly Change[], one: string, many: string): readonly string[] => {
    const fields = changedFields(chosen);
    return fields.length === 0 ? [] : [`${fields.join(', ')} ${fields.length === 1 ? one : many}`];
  };
  return [
    ...(renamedFrom === undefined ? [] : [`will be renamed: its name is ${observed[renamedBy] as string} now`]),
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

interface Draft {
  readonly verb: UnorderedAction['verb'];
  readonly reason: string;
  readonly changes: readonly Change[];
  /** The live document that it was computed from; null before the object is made. */
  readonly observed: JsonObject | null;
  /** As it is when the action is done; null when it is gone. */
  readonly after: JsonObject | null;
  readonly steps: readonly Step[];
  readonly writes: readonly Demand[];
  readonly effects: readonly Effect[];
  readonly origin?: Origin;
  /** It comes when no change is left to do, as removals do. */
  readonly isLast?: boolean;
}

function actionOf(
  kind: Kind,
  context: ObjectContext,
  { verb, reason, changes, observed, after, steps, writes, effects, origin, isLast = false }: Draft,
): UnorderedAction {
  const { address, protect, sourceOf } = context;
  const cost = context.price ?? writes.find((write) => write.cost !== undefined)?.cost;
  const core = {
    address,
    verb,
    changes: changes.map((change) => withPersonal(kind, change)),
    expect: expectationOf(kind, context, { verb, changes, observed, ...(origin !== undefined && { origin }) }),
    steps,
    risk: [
      ...new Set([
        ...writes.flatMap(({ risk }) => risk),
        ...(lowersProtection(kind, observed, after) ? (['exposure'] as const) : []),
      ]),
    ],
    ...(cost !== undefined && { cost }),
    protected: protect || origin?.protect === true,
  };
  const references = verb === 'delete' ? [] : (context.references ?? []);
  const field = verb === 'update' ? (changedFields(changes)[0] as string) : '';
  const roots = [address, ...(origin === undefined ? [] : [origin.address])].map(rootOf);
  const unlocked = steps.flatMap((step) => (step.do === 'request' ? (step.unlocks ?? []) : []));
  return {
    ...core,
    kind: kind.kind,
    digest: contentDigest(core),
    reason: [reason, ...references.map(({ ref, output }) => `it takes ${output} of ${ref}`)].join('; '),
    ...actionSource(sourceOf(field) ?? sourceOf('')),
    requires: requirementOf(
      steps,
      writes.flatMap(({ requires }) => requires ?? []),
    ),
    stage: verb === 'delete' || isLast ? 'removal' : 'change',
    effects,
    ...(context.grounds !== undefined && { grounds: context.grounds }),
    // What a request gives back, the action holds until then.
    locks: [...new Set([...roots, ...unlocked])].sort(),
  };
}

/** The live values that the action was computed from, and what stands beside the object where that matters. */
function expectationOf(
  kind: Kind,
  { siblings, renamedFrom, identity }: ObjectContext,
  { verb, changes, observed, origin }: Pick<Draft, 'verb' | 'changes' | 'observed' | 'origin'>,
): Expectation {
  const position = positionOf(kind);
  const isPosition = ({ path }: Change): boolean => position !== undefined && path === `/${escapePointer(position)}`;
  // Where it stands among its neighbours is what was reviewed, not the number.
  const compared = changes.filter((change) => !isPosition(change) && change.secret === undefined);
  return {
    exists: observed !== null,
    tests: observed === null ? [] : expectedValues(compared, observed),
    ...(identity !== undefined && { identity: identityFor(verb, identity) }),
    ...(siblings !== undefined && { siblings }),
    ...(origin !== undefined && { from: { address: origin.address, tests: origin.tests } }),
    ...(renamedFrom !== undefined && verb === 'update' && { renamedFrom }),
    ...(siblings !== undefined &&
      position !== undefined && { order: verb === 'update' && changes.some(isPosition) ? 'moved' : 'kept' }),
  };
}

/** A hostname may change while a review waits; only a delete is reviewed for it. */
function identityFor(verb: Action['verb'], { hostname, ...lasting }: Identity): Identity {
  return verb === 'delete' && hostname !== undefined ? { ...lasting, hostname } : lasting;
}

/** The change with what it holds about a person. A change inside a field is about whom the field is about. */
export function withPersonal({ fields }: Pick<Kind, 'fields'>, change: Change): Change {
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
