// Before the first write, whether a plan may be carried out at all: every action is looked at, every secret fetched.
// One conflict, and nothing is sent. What cannot be read costs its own action and those that need it.
import { deadlineCame } from '../model/deadline.ts';
import type { Address } from '../model/address.ts';
import { parentOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, diagnoseAlike, failureWord } from '../model/diagnostic.ts';
import type { Observed, Observer } from '../model/plan/observed.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Json } from '../model/json.ts';
import type { Action, Plan } from '../model/plan/plan.ts';
import { changedFields } from '../model/plan/plan.ts';
import { placeOfSecret, secretSourceOf } from '../model/secret.ts';
import type { SecretSink } from '../model/secret-sink.ts';
import { showDestination } from '../model/secret-sink.ts';
import type { SecretReference } from '../model/plan/step.ts';
import { secretsIn } from '../model/plan/step.ts';
import { capital } from '../model/common/sentence.ts';
import { ApiError } from '../platform/api-error.ts';
import { whyStopped } from '../platform/outage/why-stopped.ts';
import type { Redactor } from '../platform/redact.ts';
import type { RunContext } from './context.ts';
import { ownChanges, secretKey } from './context.ts';
import type { ActionState } from './expectations.ts';
import { classify, seenOf } from './expectations.ts';

/**
 * The value of a secret; or why there is none, in words that show nothing of it; undefined when it is just not there.
 */
export type ResolvedSecret = string | { readonly reason: string } | undefined;
export type ResolveSecret = (secret: SecretReference['$secret']) => ResolvedSecret | Promise<ResolvedSecret>;

export interface Refusal {
  readonly word: OutcomeWord;
  readonly diagnostics: readonly Diagnostic[];
  /** Why no action was begun, where it is more than that nothing was sent. */
  readonly reason?: string;
}

export interface Observation {
  readonly states: ReadonlyMap<Action, ActionState>;
  readonly observed: ReadonlyMap<Address, Observed>;
}

/** The reason of what was not begun because the deadline was near. */
export const TOO_LATE = 'the deadline was too near to begin it';

/** Calls {@link lookAtAll}. After the deadline, or in an outage, an object that could not be read is not evidence. */
export async function lookInTime(actions: readonly Action[], context: RunContext): Promise<Observation | Refusal> {
  const observation = await lookAtAll(actions, context);
  const stopped = whyStopped(context.client, 'Nothing was changed.');
  if (stopped !== undefined && ('word' in observation || isUnreadable(observation)))
    return { word: failureWord([stopped]), diagnostics: [stopped] };
  return context.limits.closedToWrites() === 'deadline'
    ? { word: 'waiting', diagnostics: [deadlineCame()], reason: TOO_LATE }
    : observation;
}

function isUnreadable({ states }: Observation): boolean {
  return [...states.values()].some(({ state }) => state === 'unreadable');
}

/** Looks at everything that the actions rest on, in one look. */
export async function lookAtAll(
  actions: readonly Action[],
  context: Pick<RunContext, 'observe' | 'known' | 'ownIdentities' | 'effects'>,
): Promise<Observation | Refusal> {
  let observed: ReadonlyMap<Address, Observed>;
  try {
    observed = await observeOnce(
      context.observe,
      actions.filter(({ hook }) => hook === undefined),
      context.known.ids(),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const code = error.kind === 'unauthorised' ? 'HW4005' : 'HW4002';
    return { word: 'error', diagnostics: [diagnose(code, `${error.message}. Nothing was sent.`)] };
  }
  const created = new Set(actions.filter(({ verb }) => verb === 'create').map(({ address }) => address));
  const promised = actions.flatMap(({ effects }) => effects);
  const classifyAll = (): ReadonlyMap<Action, ActionState> =>
    new Map(
      actions.map((action): readonly [Action, ActionState] => {
        // It leaves nothing that could be looked at.
        if (action.hook !== undefined) return [action, { state: 'as-reviewed' }];
        const seen = isWithinCreated(action.address, created, observed) ? ABSENT : seenOf(action, observed);
        const { from } = action.expect;
        return [
          action,
          classify(action, seen, ownChanges(context, action), from && { seen: observed.get(from.address), promised }),
        ];
      }),
    );
  // What is done already has had its effects on the others: they are held against them.
  const done = [...classifyAll()].filter(([, { state }]) => state === 'already-done');
  for (const [{ effects }] of done) context.effects.add(effects);
  return { states: withIdleHooksUnreadable(classifyAll()), observed };
}

/** A hook is not begun when none of the changes that it goes with can be read. */
function withIdleHooksUnreadable(states: ReadonlyMap<Action, ActionState>): ReadonlyMap<Action, ActionState> {
  if ([...states.keys()].every(({ hook }) => hook === undefined)) return states;
  const own = new Map<Address, ActionState[]>();
  const later = new Map<Address, ActionState[]>();
  const add = (lists: Map<Address, ActionState[]>, address: Address, state: ActionState): void => {
    const list = lists.get(address);
    if (list === undefined) lists.set(address, [state]);
    else list.push(state);
  };
  for (const [{ address, needs }, state] of states) {
    add(own, address, state);
    for (const earlier of new Set(needs.map((need) => need.address))) add(later, earlier, state);
  }
  const goWith = ({ hook, address, needs }: Action): readonly ActionState[] =>
    hook === 'before' ? (later.get(address) ?? []) : needs.flatMap((need) => own.get(need.address) ?? []);
  return new Map(
    [...states].map(([action, state]): readonly [Action, ActionState] => {
      const changes = action.hook === undefined ? [] : goWith(action);
      const isIdle = changes.length > 0 && changes.every((change) => change.state === 'unreadable');
      return [
        action,
        isIdle ? { state: 'unreadable', reason: 'none of the changes that it goes with can be read' } : state,
      ];
    }),
  );
}

/**
 * What forbids the run, once everything was looked at; empty when nothing is in conflict, and something may be run or is
 * done already.
 */
export function refusalsAfterLook({ states }: Observation): readonly Refusal[] {
  const found = new Set([...states.values()].map(({ state }) => state));
  const refusals: Refusal[] = [];
  const isRunnable = found.has('as-reviewed') || found.has('already-done');
  for (const [{ address }, live] of states) {
    if (live.state === 'conflict') {
      const detail = `${live.reason}. Nothing was sent. Plan again and have the new plan reviewed.`;
      refusals.push({ word: 'conflict', diagnostics: [diagnose('HW4001', detail, { address })] });
    }
  }
  const unreadable = [...states].flatMap(([{ address }, live]) =>
    live.state === 'unreadable' && (found.has('conflict') || !isRunnable)
      ? [{ address, detail: unreadableDetail(live.reason) }]
      : [],
  );
  return unreadable.length === 0
    ? refusals
    : [...refusals, { word: 'error', diagnostics: diagnoseAlike('HW4002', unreadable) }];
}

/** Returns the detail of the diagnostic of an action whose object could not be read before it began. */
export function unreadableDetail(reason: string): string {
  return `${capital(reason)}. What cannot be read counts neither as present nor as absent, so nothing was sent for it. Run \`hostwright apply\` again.`;
}

/** One for each one-time secret that has no place to go: it needs one before anything is sent. */
export async function refusalsForOneTimeSecrets(
  { states }: Observation,
  { objection }: SecretSink,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const [{ address, steps }, { state }] of states) {
    for (const step of state === 'as-reviewed' ? steps : []) {
      const to = step.do === 'request' ? step.oneTimeSecret : undefined;
      const found = to === undefined ? undefined : await objection(to, address);
      if (to === undefined || found === undefined) continue;
      const place = showDestination(to);
      refusals.push({
        word: 'error',
        diagnostics: [
          diagnose('HW4013', `${capital(place)} ${found.reason}. Nothing was sent.`, {
            address,
          }),
        ],
      });
    }
  }
  return refusals;
}

/** An action that sends secrets, now or in a later round. */
export interface SecretUse {
  readonly address: Address;
  readonly secrets: readonly SecretReference[];
}

/**
 * What a plan sends, now and in the rounds that it defers. What it makes is empty, so all that is declared in it is
 * going to be made: without its secrets, what is bought for it would be bought in vain.
 */
export function secretUsesOf({ actions, deferred }: Pick<Plan, 'actions' | 'deferred'>): readonly SecretUse[] {
  const made = new Set(actions.flatMap(({ address, verb }) => (verb === 'create' ? [address] : [])));
  const later = deferred.filter(({ address, until }) => made.has(until) && parentOf(address) === until);
  return [
    ...actions.map(({ address, steps }) => ({ address, secrets: secretsIn(steps) })),
    ...later.flatMap(({ objects = [] }) =>
      objects.map(({ address, changes }): SecretUse => ({
        address,
        secrets: changes.flatMap(({ secret, value }): readonly SecretReference[] =>
          secret === undefined ? placesWithin(value) : [{ $secret: secret }],
        ),
      })),
    ),
  ];
}

/** The places of secrets in what a manifest says of a section of which some values are still to come. */
function placesWithin(value: Json | undefined): readonly SecretReference[] {
  const source = secretSourceOf(value);
  if (source !== undefined) return [{ $secret: placeOfSecret(source) }];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(placesWithin) : [];
}

/** Fetches every secret that is sent, so that a missing one is found before anything is sent. */
export async function fetchSecrets(
  uses: readonly SecretUse[],
  resolveSecret: ResolveSecret,
  redactor: Redactor,
): Promise<{ readonly secrets: ReadonlyMap<string, string>; readonly diagnostics: readonly Diagnostic[] }> {
  const secrets = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const { address, secrets: sent } of uses) {
    const references = new Map(sent.map((reference) => [secretKey(reference), reference]));
    for (const [key, reference] of references) {
      if (secrets.has(key)) continue;
      const value = await resolveSecret(reference.$secret);
      if (typeof value === 'string' && value !== '') {
        redactor.add(value);
        secrets.set(key, value);
      } else
        diagnostics.push(
          diagnose(
            'HW4007',
            `${describeSecret(reference)} ${value === undefined || value === '' ? 'is missing or empty' : value.reason}. Nothing was sent.`,
            { address },
          ),
        );
    }
  }
  return { secrets, diagnostics };
}

const ABSENT: Observed = { state: 'absent', siblings: [] };

async function observeOnce(
  observe: Observer,
  actions: readonly Action[],
  ids: ReadonlyMap<Address, string>,
): Promise<ReadonlyMap<Address, Observed>> {
  if (actions.length === 0) return new Map();
  const removed = actions.filter(({ verb }) => verb === 'delete').map(({ address }) => address);
  return observe(
    [...new Set(actions.flatMap(addressesToRead))],
    ids,
    new Set(removed),
    new Map(actions.map((action) => [action.address, changedFields(action.changes)])),
  );
}

/** What has to be read for an action: of a move both ends, and of what is to be renamed both names. */
export function addressesToRead({ address, expect }: Pick<Action, 'address' | 'expect'>): readonly Address[] {
  return [address, expect.from?.address ?? expect.renamedFrom ?? []].flat();
}

/** True when an object that it belongs to is made by this very plan: nothing can be in it yet. */
function isWithinCreated(
  address: Address,
  created: ReadonlySet<Address>,
  observed: ReadonlyMap<Address, Observed>,
): boolean {
  for (let owner = parentOf(address); owner !== null; owner = parentOf(owner)) {
    if (created.has(owner) && observed.get(owner)?.state === 'absent') return true;
  }
  return false;
}

function describeSecret({ $secret }: SecretReference): string {
  if ('env' in $secret) return `The environment variable ${$secret.env}`;
  return 'file' in $secret ? `The secret file ${$secret.file}` : `The entry ${$secret.entry} of the credentials file`;
}
