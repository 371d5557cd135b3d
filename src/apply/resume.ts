// Resumes actions that an earlier run left in flight. Their steps come from the templates of their kind and never from
// the ledger. Answered requests are never sent again, and an unanswered one is treated like a lost answer. In the mode
// `follow` nothing is sent: what is left is planned anew. Also runs the hooks that come after all changes.
import { diagnose } from '../model/diagnostic.ts';
import type { Address } from '../model/address.ts';
import { rowName } from '../model/ledger/begun.ts';
import type { Step } from '../model/plan/step.ts';
import { secretsIn } from '../model/plan/step.ts';
import { deadlineCame, isNear } from '../model/deadline.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome } from '../model/plan/outcome.ts';
import type { Action } from '../model/plan/plan.ts';
import { createRedactor } from '../platform/redact.ts';
import { callbackProblems } from './callback.ts';
import type { Resumed, RunContext } from './context.ts';
import { createContext } from './context.ts';
import type { RunOptions } from './interpreter.ts';
import { isComplete } from './interpreter.ts';
import { historyEntry } from '../ledger/history.ts';
import { LedgerWriteError } from '../ledger/ledger.ts';
import { fetchSecrets, lookInTime, TOO_LATE } from './preflight.ts';
import { isGuarded } from './expectations.ts';
import type { ActionResult } from './results.ts';
import { succeededEntry } from './run-action.ts';
import type { RunResult } from './run-actions.ts';
import { runActions } from './run-actions.ts';
import { PLANNED_ANEW } from './steps.ts';

/** The steps of an action in flight, generated again; or why there are none. */
export type Regenerated =
  | {
      readonly steps: readonly Step[];
      readonly mode: Resumed['mode'];
      /** Ids that a read of the account gave just now: what is sent names objects by these alone. */
      readonly ids?: ReadonlyMap<Address, string>;
    }
  /** It stays in flight: nothing tells how to follow it. */
  | { readonly unknown: string }
  /** It ends: nothing is left to follow, and the next plan decides. */
  | { readonly ended: string };

/** Returns the steps of actions in flight. Reads the account, and never the steps of a ledger. */
export type Regenerate = (flights: readonly InFlight[]) => Promise<(flight: InFlight) => Regenerated>;

export type ResumeOptions = Omit<RunOptions, 'plan' | 'approved'> & {
  readonly regenerate: Regenerate;
  /** Only these are continued. Absent: all. */
  readonly only?: ReadonlySet<Address>;
};

const NOTHING_IN_FLIGHT: RunResult = { actions: [], diagnostics: [], words: ['done'] };

/**
 * Continues everything in flight, but for hooks that come after changes. Nothing in flight: `done`, and nothing is read
 * or written.
 */
export async function resumeInFlight(options: ResumeOptions): Promise<RunResult> {
  const { ledger, only } = options;
  return continueFlights(
    options,
    ledger.view().inFlight.filter(({ action }) => action.hook !== 'after' && only?.has(action.address) !== false),
  );
}

/**
 * Continues what is in flight as a run of its own, which the ledger keeps with who started it. `withOwedHooks`: hooks
 * that earlier runs owe are done too.
 */
export async function resumeRun(
  options: ResumeOptions,
  {
    withOwedHooks = false,
    andThen = () => Promise.resolve([]),
  }: {
    readonly withOwedHooks?: boolean;
    /** What follows before the hooks are done. */
    readonly andThen?: (resumed: RunResult) => Promise<readonly RunResult[]>;
  } = {},
): Promise<readonly RunResult[]> {
  const { ledger, runId, by, only } = options;
  const flights = ledger.view().inFlight.filter(({ action }) => only?.has(action.address) !== false);
  if (flights.length === 0) return [NOTHING_IN_FLIGHT];
  const planId = `resumed by ${runId}`;
  const approved = flights.map(({ action }) => action.digest);
  try {
    const who = by === undefined ? {} : { by };
    await ledger.note(
      { type: 'run-started', runId, planId, approved, ...who },
      historyEntry({ is: 'run', run: runId, ...who, actions: [] }),
    );
    const resumed = await resumeInFlight(options);
    const later = resumed.stopped === true ? [] : await andThen(resumed);
    const results = [resumed, ...later, ...(withOwedHooks ? [await runOwedHooks(options)] : [])];
    const complete = results.every(({ actions }) => isComplete(actions));
    await ledger.note({ type: 'run-finished', runId, planId, complete });
    return results;
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return [{ ...NOTHING_IN_FLIGHT, diagnostics: [diagnose('HW5006', `${error.message}.`)], words: ['error'] }];
  }
}

/** Does the hooks that changes owe which were carried out, each once. Called when no change of the run is left to do. */
export async function runOwedHooks(options: ResumeOptions): Promise<RunResult> {
  const { inFlight } = options.ledger.view();
  const owed = inFlight.filter(({ action }) => action.hook === 'after');
  const others = new Set(inFlight.filter(({ action }) => action.hook !== 'after').map(({ action }) => action.address));
  const waitsFor = ({ triggeredBy = [] }: InFlight): string | undefined =>
    triggeredBy.find((address) => others.has(address));
  if (options.stop.aborted)
    return { actions: stillInFlight(owed), diagnostics: [], words: owed.length === 0 ? [] : ['interrupted'] };
  if (owed.length > 0 && isNear(options.deadline, options.clock.now()))
    return {
      actions: stillInFlight(owed, TOO_LATE),
      diagnostics: [deadlineCame()],
      words: ['waiting'],
    };
  const held = owed.filter((flight) => waitsFor(flight) !== undefined);
  const done = await continueFlights(
    options,
    owed.filter((flight) => !held.includes(flight)),
  );
  const waiting = held.map((flight): ActionOutcome => ({
    address: flight.action.address,
    verb: flight.action.verb,
    result: 'waiting',
    reason: `it comes after ${waitsFor(flight)}, which is still in flight`,
  }));
  return {
    ...done,
    actions: [...done.actions, ...waiting],
    words: [...done.words, ...(held.length > 0 ? (['waiting'] as const) : [])],
  };
}

/** An action in flight with the steps that were generated for it. */
interface Restored {
  readonly action: Action;
  readonly flight: Resumed;
}

async function continueFlights(options: ResumeOptions, found: readonly InFlight[]): Promise<RunResult> {
  if (found.length === 0) return NOTHING_IN_FLIGHT;
  const redactor = options.redactor ?? createRedactor();
  const regenerated = await options.regenerate(found);
  const all: Restored[] = [];
  const seenIds = new Map<Address, string>();
  const without: ActionOutcome[] = [];
  for (const flight of found) {
    const { address, verb } = flight.action;
    const again = regenerated(flight);
    if ('steps' in again) {
      all.push(restored(flight, again));
      for (const [own, id] of again.ids ?? []) seenIds.set(own, id);
    } else if ('unknown' in again)
      without.push({ address, verb, result: 'waiting', reason: flight.reason ?? again.unknown });
    else {
      without.push({ address, verb, result: 'not-started', reason: again.ended });
      await options.ledger.append({ type: 'failed', address, reason: again.ended });
    }
  }
  // A request that is answered, or only followed, is not sent, so its secrets are not fetched.
  const unsent = all.map(({ action: { address, steps }, flight: { answered, mode } }) => ({
    address,
    steps: mode === 'follow' ? [] : steps.filter(({ name }) => !Object.hasOwn(answered, name)),
  }));
  const { secrets, diagnostics: missing } = await fetchSecrets(
    unsent.map(({ address, steps }) => ({ address, secrets: secretsIn(steps) })),
    options.resolveSecret,
    redactor,
  );
  const diagnostics = [...missing, ...callbackProblems(unsent, options.callback)];
  const isSecretless = ({ action }: Restored): boolean => diagnostics.some(({ address }) => address === action.address);
  const restoredFlights = all.filter((one) => !isSecretless(one));
  const held: RunResult = {
    actions: [...without, ...stillInFlight(all.filter(isSecretless).map(({ flight }) => flight))],
    diagnostics,
    words: [
      ...(diagnostics.length > 0 ? (['error'] as const) : []),
      ...(without.some(({ result }) => result === 'waiting') ? (['waiting'] as const) : []),
    ],
  };
  if (restoredFlights.length === 0) return held;
  const flights = restoredFlights.map(({ flight }) => flight);
  const context = createContext(
    options,
    restoredFlights.map(({ action }) => action),
    secrets,
    redactor,
    flights,
  );
  for (const { known, effects } of flights) {
    context.effects.add(effects);
    // What an action knew when it began is older than the ledger's last word.
    for (const [address, { id }] of Object.entries(known))
      if (id !== undefined && !context.known.ids().has(address)) context.known.learn(address, { id });
  }
  for (const [address, id] of seenIds) context.known.learn(address, { id });
  try {
    const done = await continueAll(context, restoredFlights, options.parallelism);
    return {
      ...done,
      actions: [...held.actions, ...done.actions],
      diagnostics: [...held.diagnostics, ...done.diagnostics],
      words: [...held.words, ...done.words],
    };
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return {
      actions: stillInFlight(found),
      diagnostics: [...held.diagnostics, diagnose('HW5006', `${error.message}. Nothing was sent.`)],
      words: ['error'],
      stopped: true,
    };
  }
}

function restored(flight: InFlight, { steps, mode }: Extract<Regenerated, { readonly mode: string }>): Restored {
  const { address, kind, verb, digest, changes, expect, risk, cost, stage, effects, locks, needs, hook } =
    flight.action;
  return {
    flight: { ...(mode === 'follow' ? withOrderOpen(flight, steps) : flight), mode },
    action: {
      address,
      kind,
      verb,
      digest,
      reason: 'it is in flight from an earlier run',
      changes,
      expect,
      risk,
      ...(cost !== undefined && { cost }),
      protected: flight.action.protected,
      requires: { userCredential: false, scopes: [], roles: [] },
      stage,
      effects,
      locks,
      needs,
      ...(hook !== undefined && { hook }),
      steps,
    },
  };
}

/**
 * A purchase whose order the ledger has, with that order to be read again: an id of what was bought always comes from the
 * order that the account shows.
 */
function withOrderOpen(flight: InFlight, steps: readonly Step[]): InFlight {
  for (const step of steps) {
    const outputs = flight.answered[step.name];
    if (step.do !== 'request' || outputs === undefined) continue;
    if (outputs.cart === undefined && outputs.order === undefined) continue;
    const row = step.answers.find(({ waitFor }) => waitFor?.how === 'cart');
    if (row?.waitFor?.how !== 'cart') continue;
    const { capture } = row.waitFor;
    const kept = Object.fromEntries(Object.entries(outputs).filter(([name]) => !Object.hasOwn(capture, name)));
    const pending =
      flight.pending ??
      (Object.keys(capture).length === 0 && outputs.order !== undefined
        ? undefined
        : ({ step: step.name, status: 200, row: rowName(row), follow: 'wait-for' } as const));
    return {
      ...flight,
      answered: { ...flight.answered, [step.name]: kept },
      ...(pending !== undefined && { pending }),
    };
  }
  return flight;
}

async function continueAll(context: RunContext, all: readonly Restored[], parallelism: number): Promise<RunResult> {
  const flights = all.map(({ flight }) => flight);
  const observation = await lookInTime(
    all.filter(isDoubtful).map(({ action }) => action),
    context,
  );
  if ('word' in observation)
    return {
      actions: stillInFlight(flights, observation.reason),
      diagnostics: observation.diagnostics,
      words: [observation.word],
      ...(observation.word !== 'waiting' && { stopped: true }),
    };
  const settled = new Map<Action, ActionResult>();
  for (const [action, live] of observation.states) {
    const { address, verb } = action;
    if (live.state === 'unreadable')
      settled.set(action, { address, verb, result: 'waiting', reason: live.reason, cause: live.state });
    else if (live.state === 'already-done') {
      settled.set(action, { address, verb, result: 'done' });
      const seen = observation.observed.get(address);
      await context.ledger.note(succeededEntry(action, context.objectsBefore.get(address), seen));
    } else {
      const reason = `it was not carried out; ${PLANNED_ANEW}`;
      settled.set(action, { address, verb, result: 'not-started', reason });
      await context.ledger.append({ type: 'failed', address, reason });
    }
  }
  const ran = await runActions(
    context,
    all.map(({ action }) => action),
    parallelism,
    settled,
    new Map(all.map(({ action, flight }) => [action, flight])),
  );
  const reason = context.limits.closedToWrites();
  return {
    ...ran,
    ...(reason !== undefined && reason !== 'deadline' && { stopped: true }),
    ...(context.limits.leftPending() && { pending: true }),
  };
}

/**
 * True when its unanswered request could simply be sent again, and is not: because it is only followed, or because the
 * request spends or ends something. Whether it may be sent is for the guards and manifests of today; reading tells
 * whether it was carried out.
 */
function isDoubtful({ action, flight: { unanswered, mode } }: Restored): boolean {
  const step = action.steps.find(({ name }) => name === unanswered);
  return (
    step?.do === 'request' &&
    step.idempotent &&
    (isGuarded(action, step) || (mode === 'follow' && step.oneTimeSecret === undefined))
  );
}

function stillInFlight(
  flights: readonly InFlight[],
  why = 'it is in flight from an earlier run',
): RunResult['actions'] {
  return flights.map(({ action: { address, verb }, reason }) => ({
    address,
    verb,
    result: 'waiting',
    reason: reason ?? why,
  }));
}
