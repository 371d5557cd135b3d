// What the ledger records of an action that begins: facts about the action, and nothing that is sent. The steps of an
// action that was interrupted are generated again from the templates of its kind.
import type { Check } from '../common/checks.ts';
import {
  anything,
  isAddress,
  isFlag,
  isText,
  isTrue,
  isWholeNumber,
  listOf,
  objectOf,
  oneOf,
  optional,
  recordOf,
} from '../common/checks.ts';
import type { Json, JsonObject } from '../json.ts';
import { isJsonObject, unescapePointer, valueAt } from '../json.ts';
import type { SecretPlace } from '../secret.ts';
import type { Action, Change } from '../plan/plan.ts';
import type { AnswerRow, Step, TasksWait, WaitFor } from '../plan/step.ts';
import { secretsIn } from '../plan/step.ts';

/** The version of the templates that {@link BegunAction.template} refers to. Raise it when a template changes meaning. */
const TEMPLATE_VERSION = 1;

/** The facts about one request of an action that began, by the name of its step. */
export interface BegunRequest {
  readonly name: string;
  /** The request could do its work twice. Absent: it may be repeated. */
  readonly once?: true;
  /** The locks that its answer releases. Absent: none. */
  readonly unlocks?: readonly string[];
  /** The object that it creates again after an earlier request removed it. Absent: none. */
  readonly recreates?: string;
  /** The locations of the secrets that it writes, never their values. Absent: none. */
  readonly secrets?: readonly SecretPlace[];
}

/** An action that began. `expect`, `changes` and `desired` have secrets by their location. */
export interface BegunAction extends Pick<
  Action,
  | 'address'
  | 'kind'
  | 'verb'
  | 'digest'
  | 'changes'
  | 'expect'
  | 'risk'
  | 'cost'
  | 'protected'
  | 'stage'
  | 'effects'
  | 'locks'
  | 'needs'
  | 'hook'
> {
  /** A sha256 of account, address, verb, desired values, accepted price and risks. Empty: an older version began it. */
  readonly intent: string;
  /** A sha256 of its steps, so that the digest of the action can be verified. Empty: nothing is known of them. */
  readonly stepsDigest: string;
  /** The desired values of the whole object. They tell which lost order is its own. */
  readonly desired: JsonObject;
  /** The template of its steps: the kind with the verb, its version, and the names of all steps in order. */
  readonly template: { readonly id: string; readonly version: number; readonly variant: readonly string[] };
  readonly requests: readonly BegunRequest[];
  /** What else tells the requests of a command from others. Absent: nothing. */
  readonly terms?: BegunTerms;
  /** The wait that captures the id of the object. Absent: none does. */
  readonly idStep?: string;
}

/** Terms of a command: its own name for what it creates, and the newest task that its object had before. */
export interface BegunTerms {
  readonly name?: string;
  readonly after?: number;
}

/** What only the creator of a plan can add to the record of an action. */
export type BegunFacts = Pick<BegunAction, 'intent' | 'stepsDigest'> & Partial<Pick<BegunAction, 'desired'>>;

/** Returns the record of an action that begins. */
export function begunAction(action: Action, { intent, stepsDigest, desired }: BegunFacts): BegunAction {
  const { address, kind, verb, digest, changes, expect, risk, cost, stage, effects, locks, needs, hook, steps } =
    action;
  const idStep = steps.find(capturesId)?.name;
  const terms = hook === 'command' ? termsOf(steps) : {};
  return {
    address,
    kind,
    verb,
    digest,
    intent,
    stepsDigest,
    changes,
    expect,
    desired: desired ?? valuesIn(changes),
    risk,
    ...(cost !== undefined && { cost }),
    protected: action.protected,
    stage,
    effects,
    locks,
    needs,
    ...(hook !== undefined && { hook }),
    template: { id: `${kind}/${verb}`, version: TEMPLATE_VERSION, variant: steps.map(({ name }) => name) },
    requests: steps.flatMap((step) => (step.do === 'request' ? [requestOf(step)] : [])),
    ...(Object.keys(terms).length > 0 && { terms }),
    ...(idStep !== undefined && { idStep }),
  };
}

function termsOf(steps: readonly Step[]): BegunTerms {
  const names = steps.flatMap((step) => (step.do === 'request' ? [valueAt(step.body as Json, '/name')] : []));
  const name = names.find((one) => typeof one === 'string');
  const after = steps.flatMap((step) => (step.do === 'wait-for' ? (tasksIn(step.waitFor)?.after ?? []) : []))[0];
  return { ...(name !== undefined && { name }), ...(after !== undefined && { after }) };
}

function tasksIn(waitFor: WaitFor): TasksWait | undefined {
  if (waitFor.how === 'tasks') return waitFor;
  return waitFor.how === 'until' ? waitFor.failsWith : undefined;
}

/** Returns the steps with the newest task that there was before as it was when the action began. */
export function withTerms(steps: readonly Step[], { after }: BegunTerms = {}): readonly Step[] {
  if (after === undefined) return steps;
  const waitAfter = (waitFor: WaitFor): WaitFor => {
    if (waitFor.how === 'tasks') return { ...waitFor, after };
    return waitFor.how === 'until' && waitFor.failsWith !== undefined
      ? { ...waitFor, failsWith: { ...waitFor.failsWith, after } }
      : waitFor;
  };
  return steps.map((step) => (step.do === 'wait-for' ? { ...step, waitFor: waitAfter(step.waitFor) } : step));
}

function requestOf(step: Extract<Step, { readonly do: 'request' }>): BegunRequest {
  const { name, idempotent, unlocks = [], putBack } = step;
  const secrets = secretsIn([step]).map(({ $secret }) => $secret);
  return {
    name,
    ...(!idempotent && { once: true }),
    ...(unlocks.length > 0 && { unlocks }),
    ...(putBack !== undefined && { recreates: putBack.what }),
    ...(secrets.length > 0 && { secrets }),
  };
}

function capturesId(step: Step): boolean {
  return step.do === 'wait-for' && step.waitFor.how === 'until' && Object.hasOwn(step.waitFor.lookUp.capture, 'id');
}

/** The values that changes set, by field. A secret is its location with its rotation token, as a manifest has it. */
export function valuesIn(changes: readonly Change[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const { op, path, value, secret } of changes) {
    const field = unescapePointer(path.slice(1));
    if (op === 'remove' || field.includes('/')) continue;
    if (secret !== undefined) values[field] = { ...secret, ...(typeof value === 'string' && { rotate: value }) };
    else if (value !== undefined) values[field] = value;
  }
  return values;
}

/** True when no request of the action could do its work twice. */
export function isRepeatableBegun({ requests }: Pick<BegunAction, 'requests'>): boolean {
  return requests.every(({ once }) => once !== true);
}

/** The name of a row of an answer table: what it matches. */
export function rowName({ status, code, has, then }: AnswerRow): string {
  return [status, ...(code === undefined ? [] : [code]), ...(has === undefined ? [] : [`has ${has}`]), then].join(' ');
}

/** The row of this name, or undefined where the table has none or the name is null. */
export function rowNamed(answers: readonly AnswerRow[], name: string | null): AnswerRow | undefined {
  return name === null ? undefined : answers.find((row) => rowName(row) === name);
}

const VERBS: readonly unknown[] = ['create', 'update', 'delete'];
const STAGES: readonly unknown[] = ['change', 'removal'];
const HOOKS: readonly unknown[] = [undefined, 'before', 'after', 'command'];
const RISKS: readonly unknown[] = ['charge', 'delete', 'lapse', 'restart', 'exposure', 'primary', 'irreversible'];
const OPERATIONS: readonly unknown[] = ['add', 'replace', 'remove'];

const isSecretPlace: Check = (value) =>
  isJsonObject(value) &&
  Object.keys(value).length === 1 &&
  ['env', 'file', 'entry'].some((key) => typeof value[key] === 'string');
const isTest = objectOf({ op: oneOf(['test']), path: isText, value: anything });

const isBegun = objectOf({
  address: isAddress,
  kind: isText,
  verb: oneOf(VERBS),
  digest: isText,
  intent: isText,
  stepsDigest: isText,
  changes: listOf(
    objectOf({
      op: oneOf(OPERATIONS),
      path: isText,
      was: optional(anything),
      value: optional(anything),
      secret: optional(isSecretPlace),
      rotationToken: optional(isTrue),
      personal: optional(listOf(isText)),
    }),
  ),
  expect: objectOf({
    exists: isFlag,
    tests: listOf(isTest),
    identity: optional(objectOf({ id: isText, createdAt: optional(isText), hostname: optional(isText) })),
    siblings: optional(listOf(isText)),
    order: oneOf([undefined, 'kept', 'moved']),
    from: optional(objectOf({ address: isAddress, tests: listOf(isTest) })),
    renamedFrom: optional(isAddress),
  }),
  desired: isJsonObject,
  risk: listOf(oneOf(RISKS)),
  cost: optional(objectOf({ amountCents: isWholeNumber, currency: isText })),
  protected: isFlag,
  stage: oneOf(STAGES),
  effects: listOf(objectOf({ address: isAddress, path: isText, value: anything })),
  locks: listOf(isText),
  needs: listOf(objectOf({ address: isAddress, rule: isText, reason: isText })),
  hook: oneOf(HOOKS),
  template: objectOf({ id: isText, version: isWholeNumber, variant: listOf(isText) }),
  requests: listOf(
    objectOf({
      name: isText,
      once: optional(isTrue),
      unlocks: optional(listOf(isText)),
      recreates: optional(isText),
      secrets: optional(listOf(isSecretPlace)),
    }),
  ),
  terms: optional(objectOf({ name: optional(isText), after: optional(isWholeNumber) })),
  idStep: optional(isText),
});

/** True when a value is the record of an action and has nothing else in it, such as steps. */
export function isBegunAction(value: Json | undefined): boolean {
  return isBegun(value);
}

/** Ids and tokens that answers gave. They are filled in to paths, each as one encoded segment. */
const IN_PATHS: readonly string[] = ['id', 'cart', 'order', 'task'];
/** More than any platform gives an id; a ledger with a longer one is damaged. */
const MOST_CHARACTERS = 65_536;

/** True for outputs that a ledger may hold: text, and ids and tokens that cannot mean another path. */
export function areOutputs(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([name, output]) => typeof output === 'string' && (!IN_PATHS.includes(name) || isSegment(output)),
    )
  );
}

/**
 * Returns true for an id or a token that is safe as one segment of a path once it is percent-encoded. Spaces and control
 * characters are encoded, and the platform decides which ids it gives; `.` and `..` would mean another path.
 */
function isSegment(text: string): boolean {
  return text !== '' && text.length <= MOST_CHARACTERS && text !== '.' && text !== '..' && !/\p{Surrogate}/u.test(text);
}

/** Returns true for an id that may be one segment of a path. */
export const isId: Check = (value) => typeof value === 'string' && isSegment(value);

/** Returns true for the outputs of several objects, by address, that a record may hold. */
export const areKnownOutputs: Check = recordOf(areOutputs, isAddress);
