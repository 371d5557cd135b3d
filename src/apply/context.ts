// What every part of a run shares: the client, the ledger, what is known by now, and whether the run still goes on.
import { setMaxListeners } from 'node:events';
import type { Address } from '../model/address.ts';
import { collectionOf } from '../model/address.ts';
import type { Clock } from '../model/clock.ts';
import type { Deadline } from '../model/deadline.ts';
import { isNear, isOver } from '../model/deadline.ts';
import type { EmitEvent } from '../model/plan/event.ts';
import { RUN } from '../model/kind/capabilities/hook.ts';
import { invariant } from '../model/invariant.ts';
import { canonicalJson } from '../model/json.ts';
import type { SecretSink } from '../model/secret-sink.ts';
import type { InFlight, LedgerView } from '../model/plan/ledger-view.ts';
import type { Observer } from '../model/plan/observed.ts';
import type { BegunAction } from '../model/ledger/begun.ts';
import type { Action, Effect } from '../model/plan/plan.ts';
import type { NextRead, Outputs, SecretReference } from '../model/plan/step.ts';
import type { Client, Departure } from '../platform/http.ts';
import type { Redactor } from '../platform/redact.ts';
import type { Callback } from './callback.ts';
import type { OwnChanges } from './expectations.ts';
import { ownIdentitiesOf } from './expectations.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { outputsOf } from '../ledger/state.ts';

/** Returns what the ledger records of an action: facts about it, and no steps. */
export type RecordOf = (action: Action) => BegunAction;

/** An action that an earlier run left in flight, and whether its remaining requests may be sent. */
export interface Resumed extends InFlight {
  readonly mode: 'follow' | 'continue';
}

/** `paused`: the platform asks for a pause that is longer than the run waits. */
export type StopReason = 'interrupted' | 'unauthorised' | 'ledger' | 'deadline' | 'paused';

/** How long a run goes on. */
export interface RunLimits {
  /** Aborted with the first reason to stop. */
  readonly signal: AbortSignal;
  /** Why no new step begins. */
  readonly stopped: () => StopReason | undefined;
  /** Why nothing that writes may begin: the same, or a deadline that is near. */
  readonly closedToWrites: () => StopReason | undefined;
  /** Why no action begins: the same, or an outage of the platform. Actions that have begun continue in an outage. */
  readonly closedToActions: () => StopReason | 'outage' | undefined;
  /** How long a wait may last at most. */
  readonly remainingMs: () => number;
  /** True when nobody waits that much longer, although the run goes on: whatever waits is left pending. */
  readonly leavesPending: (durationMs: number) => boolean;
  /** True once something was. */
  readonly leftPending: () => boolean;
  readonly stop: (reason: StopReason) => void;
}

/** How objects are read in the slot of a write; a response counts that arrived within `maxAgeMs`. */
export type ObserveBefore = (read: Departure['read'], maxAgeMs: number) => Observer;

export interface RunContext {
  readonly client: Pick<Client, 'read' | 'poll' | 'ask' | 'send'> & Partial<Pick<Client, 'outage' | 'refusedUntil'>>;
  readonly observe: Observer;
  /** The same for after a change, never for before one: what was read for a wait a moment ago will do. */
  readonly observeAfter: Observer;
  /** The same in the slot of a write, shared with other reads of the run. Absent: `observe`. */
  readonly observeBefore?: ObserveBefore;
  readonly ledger: Pick<Ledger, 'view' | 'append' | 'note' | 'announce'>;
  readonly clock: Clock;
  readonly emit: EmitEvent;
  readonly runId: string;
  readonly limits: RunLimits;
  /** Gives locks of the running action back before it ends. */
  readonly release: (locks: readonly string[]) => void;
  readonly known: Known;
  readonly secretOf: (reference: SecretReference) => string;
  readonly secretSink: SecretSink;
  /** How to follow what a step waits for by name. */
  readonly nextRead: NextRead;
  /** How often each wait of the run has polled, and when it may poll next, by what it waits for. */
  readonly waits: Waits;
  /** What somebody outside has to do so that an object gets ready; undefined where nobody has to. Never rejects. */
  readonly whatToDo?: (address: Address) => Promise<string | undefined>;
  /** What somebody outside has to do first is not waited for: the run ends, and says what it is. */
  readonly waitsForNobody?: true;
  /** Who is told when the task of an order has ended. Absent: nobody. */
  readonly callback?: Callback;
  readonly redactor: Redactor;
  /**
   * Identities that this run's own actions create, delete or move, by collection: their own actions look after them.
   */
  readonly ownIdentities: ReadonlyMap<string, ReadonlySet<string>>;
  readonly effects: Effects;
  /** Objects whose changes a hook comes after: it is owed once one of them was carried out. */
  readonly hookTriggers: ReadonlySet<Address>;
  /** What the ledger records of an action that begins. */
  readonly recordOf: RecordOf;
  /** What the ledger knew of each object when the run began. */
  readonly objectsBefore: LedgerView['objects'];
}

/** By address and what is waited for: the polls so far, and when the next may be sent, in epoch milliseconds. */
export type Waits = Map<string, { readonly polls: number; readonly dueAtMs: number }>;

/** What actions that are done have changed in other objects. */
export interface Effects {
  readonly add: (effects: readonly Effect[]) => void;
  readonly on: (address: Address) => readonly Effect[];
  /** Those of the last two minutes: reads may still show the value before. */
  readonly settling: (address: Address) => readonly Effect[];
}

/** What a run is given from outside. */
export interface RunEnvironment extends Pick<
  RunContext,
  | 'client'
  | 'observe'
  | 'observeAfter'
  | 'observeBefore'
  | 'clock'
  | 'emit'
  | 'runId'
  | 'secretSink'
  | 'nextRead'
  | 'whatToDo'
  | 'callback'
  | 'waitsForNobody'
  | 'recordOf'
> {
  /** Told which locks no action of the run needs any more, while it goes on. Absent: nobody waits for them. */
  readonly release?: RunContext['release'];
  readonly ledger: Pick<Ledger, 'view' | 'append' | 'note' | 'announce'>;
  /** Shared by all parts of a run. Absent: this part has waits of its own. */
  readonly waits?: Waits;
  /** Aborted: no new step begins, running requests are finished and recorded. */
  readonly stop: AbortSignal;
  /** By when it has to be over; what is left then is for the next run. */
  readonly deadline?: Deadline;
  /** How long anything is waited for; then what still waits is left in flight. Absent: as long as each step says. */
  readonly patienceMs?: number;
}

/** The context of a run over these actions, with nothing known yet but what the ledger says. */
export function createContext(
  environment: RunEnvironment,
  actions: readonly Action[],
  secrets: ReadonlyMap<string, string>,
  redactor: Redactor,
  begun: readonly InFlight[] = [],
): RunContext {
  if (typeof environment.callback?.authorization === 'string') redactor.add(environment.callback.authorization);
  const { client, observe, observeAfter, observeBefore, ledger, clock, emit, runId, secretSink, nextRead, recordOf } =
    environment;
  const { whatToDo, callback } = environment;
  const { waitsForNobody, release = () => undefined, waits = new Map() } = environment;
  const { objects: objectsBefore, inFlight } = ledger.view();
  const known = createKnown(objectsBefore, inFlight, runId);
  const secretOf = (reference: SecretReference): string => {
    const value = secrets.get(secretKey(reference));
    invariant(value !== undefined, 'a secret is sent that was not fetched');
    return value;
  };
  return {
    client,
    observe,
    observeAfter,
    ...(observeBefore !== undefined && { observeBefore }),
    ledger,
    clock,
    emit,
    runId,
    limits: createLimits(environment),
    release,
    known,
    secretOf,
    secretSink,
    nextRead,
    waits,
    ...(whatToDo !== undefined && { whatToDo }),
    ...(callback !== undefined && { callback }),
    ...(waitsForNobody !== undefined && { waitsForNobody }),
    redactor,
    ownIdentities: ownIdentitiesOf(actions, begun),
    effects: createEffects(clock),
    hookTriggers: new Set(
      actions.flatMap(({ hook, needs }) => (hook === 'after' ? needs.map(({ address }) => address) : [])),
    ),
    recordOf,
    objectsBefore,
  };
}

/** What a secret is known by while the run goes on. */
export function secretKey(reference: SecretReference): string {
  return canonicalJson(reference);
}

/** What the run itself changes that an action may meet. */
export function ownChanges(
  { ownIdentities, effects }: Pick<RunContext, 'ownIdentities' | 'effects'>,
  { address }: Pick<Action, 'address'>,
): OwnChanges {
  return { identities: ownIdentities.get(collectionOf(address)) ?? new Set(), effects: effects.on(address) };
}

/** What is known of objects by now, and who may refer to it. */
export interface Known {
  /**
   * What references are filled in from: of an object its id, and nothing else. Only an action itself sees what its own
   * steps gave ({@link Known.forAction}); a cart, an order or a task of an earlier action on its object it never sees.
   */
  readonly outputsOf: (address: Address) => Outputs;
  readonly learn: (address: Address, outputs: Outputs) => void;
  /** Everything that is known of any object, also from actions that ended: it tells whose row a row is. */
  readonly all: () => readonly (readonly [Address, Outputs])[];
  /** The ids of all objects, for the observer. */
  readonly ids: () => ReadonlyMap<Address, string>;
  /**
   * The same for the steps of one action, which begins or goes on: of its own object they also see what they gave
   * themselves.
   */
  readonly forAction: (action: Action, resumed: InFlight | undefined) => Known;
}

/** What is known at the start; later knowledge goes over earlier. */
function createKnown(objects: LedgerView['objects'], inFlight: readonly InFlight[], runId: string): Known {
  const ids = new Map([...objects.values()].map(({ address, id }) => [address, id]));
  const recorded = new Map([...objects.values()].map(({ address, outputs }) => [address, outputs]));
  const given = new Map(inFlight.map((flight) => [flight.action.address, outputsOf(flight)]));
  for (const [address, { id }] of given) if (id !== undefined) ids.set(address, id);
  const known: Known = {
    outputsOf: (address) => withId({}, ids.get(address)),
    all: () => [...recorded, ...given],
    learn: (address, outputs) => {
      given.set(address, { ...given.get(address), ...outputs });
      if (outputs.id !== undefined) ids.set(address, outputs.id);
    },
    ids: () => ids,
    forAction: ({ address: self, verb, hook }, resumed) => {
      if (resumed === undefined) recorded.set(self, { ...recorded.get(self), ...given.get(self) });
      given.set(self, {
        ...(hook !== undefined && { [RUN]: `hostwright-${resumed?.runId ?? runId}` }),
        ...outputsOf(resumed),
      });
      // What it makes is another object than the one that once had its address.
      const outputsOfSelf = (): Outputs => withId(given.get(self) ?? {}, verb === 'create' ? undefined : ids.get(self));
      return { ...known, outputsOf: (address) => (address === self ? outputsOfSelf() : known.outputsOf(address)) };
    },
  };
  return known;
}

function withId(outputs: Outputs, id: string | undefined): Outputs {
  return id === undefined ? outputs : { ...outputs, id };
}

/** How long reads may show a value from before a change of this run, in milliseconds. */
const CONSISTENCY_LAG_MS = 120_000;

function createEffects(clock: Clock): Effects {
  const byAddress = new Map<Address, readonly { readonly effect: Effect; readonly atMs: number }[]>();
  const on = (address: Address): readonly { readonly effect: Effect; readonly atMs: number }[] =>
    byAddress.get(address) ?? [];
  return {
    add: (effects) => {
      const atMs = clock.now();
      for (const effect of effects) byAddress.set(effect.address, [...on(effect.address), { effect, atMs }]);
    },
    on: (address) => on(address).map(({ effect }) => effect),
    settling: (address) =>
      on(address).flatMap(({ effect, atMs }) => (clock.now() - atMs <= CONSISTENCY_LAG_MS ? [effect] : [])),
  };
}

/** Stopped by the user's signal, the clock, or the run itself. The first reason stays. */
function createLimits({
  stop,
  clock,
  deadline,
  patienceMs,
  client,
}: Pick<RunEnvironment, 'stop' | 'clock' | 'deadline' | 'patienceMs' | 'client'>): RunLimits {
  const patientUntilMs = patienceMs === undefined ? Infinity : clock.now() + patienceMs;
  let leftPending = false;
  const controller = new AbortController();
  // Every wait of every running action listens.
  setMaxListeners(0, controller.signal);
  let reason: StopReason | undefined;
  const stopFor = (given: StopReason): void => {
    reason ??= given;
    controller.abort();
  };
  if (stop.aborted) stopFor('interrupted');
  else stop.addEventListener('abort', () => stopFor('interrupted'), { once: true });
  // No timer: the clock is looked at wherever something could begin or go on.
  const reasonNow = (): StopReason | undefined => {
    if (reason === undefined && client.refusedUntil?.() !== undefined) stopFor('paused');
    if (reason === undefined && isOver(deadline, clock.now())) stopFor('deadline');
    return reason;
  };
  const closedToWrites = (): StopReason | undefined =>
    reasonNow() ?? (isNear(deadline, clock.now()) ? 'deadline' : undefined);
  return {
    signal: controller.signal,
    stopped: reasonNow,
    closedToWrites,
    closedToActions: () => closedToWrites() ?? (client.outage?.() === undefined ? undefined : 'outage'),
    remainingMs: () => (deadline === undefined ? Infinity : Math.max(0, deadline.atMs - clock.now())),
    leavesPending: (durationMs) => {
      const isOut = clock.now() + durationMs > patientUntilMs;
      leftPending ||= isOut;
      return isOut;
    },
    leftPending: () => leftPending,
    stop: stopFor,
  };
}

/** A run that waits this long may wait for hours: what was noted is not kept from others until then. */
const LONG_PAUSE_MS = 2000;

/** Waits, not beyond the run's deadline; false when the run was stopped meanwhile, or nobody waits that long. */
export async function pause(
  { clock, limits, ledger }: Pick<RunContext, 'clock' | 'limits' | 'ledger'>,
  durationMs: number,
): Promise<boolean> {
  if (limits.stopped() !== undefined || limits.leavesPending(durationMs)) return false;
  // A ledger that breaks here tells whoever writes next.
  if (durationMs >= LONG_PAUSE_MS) await ledger.append().catch(() => undefined);
  try {
    await clock.sleep(Math.max(0, Math.min(durationMs, limits.remainingMs())), limits.signal);
  } catch (error) {
    if (limits.signal.aborted) return false;
    throw error;
  }
  return limits.stopped() === undefined;
}

/** The same context for reads after a change: they share what a wait read a moment ago, if nothing was sent since. */
export function withSharedReads<Context extends Pick<RunContext, 'client'>>(context: Context): Context {
  return { ...context, client: { ...context.client, read: context.client.poll } };
}

/** Delays between polls: half a second at first, ten seconds at most. */
export function pollDelayMs(polls: number): number {
  return Math.min(10_000, 500 * 2 ** polls);
}
