// How actions that an earlier run left in flight are continued: answered requests are never sent again, an unanswered
// one is treated like a lost answer, the rest of the steps runs. And how hooks are done that come after all changes.
import { diagnose } from '../model/diagnostic.ts';
import type { Address } from '../model/address.ts';
import { secretsIn } from '../model/plan/step.ts';
import { deadlineCame, isNear } from '../model/deadline.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome } from '../model/plan/outcome.ts';
import type { Action } from '../model/plan/plan.ts';
import { createRedactor } from '../platform/redact.ts';
import { callbackProblems } from './callback.ts';
import type { RunContext } from './context.ts';
import { createContext } from './context.ts';
import type { RunOptions } from './interpreter.ts';
import { isComplete } from './interpreter.ts';
import { historyEntry } from '../ledger/history.ts';
import { LedgerWriteError } from '../ledger/ledger.ts';
import { fetchSecrets, lookInTime, TOO_LATE } from './preflight.ts';
import { isGuarded } from './guarded.ts';
import type { ActionResult } from './results.ts';
import { succeededEntry } from './run-action.ts';
import type { RunResult } from './run-actions.ts';
import { runActions } from './run-actions.ts';
import { PLANNED_ANEW } from './steps.ts';

export type ResumeOptions = Omit<RunOptions, 'plan' | 'approved'> & {
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
  { withOwedHooks = false }: { readonly withOwedHooks?: boolean } = {},
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
    const results = [await resumeInFlight(options), ...(withOwedHooks ? [await runOwedHooks(options)] : [])];
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

async function continueFlights(options: ResumeOptions, all: readonly InFlight[]): Promise<RunResult> {
  if (all.length === 0) return NOTHING_IN_FLIGHT;
  const redactor = options.redactor ?? createRedactor();
  // What is answered is not sent again, so its secrets are not asked for.
  const unsent = all.map(({ action: { address, steps }, answered }) => ({
    address,
    steps: steps.filter(({ name }) => !Object.hasOwn(answered, name)),
  }));
  const { secrets, diagnostics: missing } = await fetchSecrets(
    unsent.map(({ address, steps }) => ({ address, secrets: secretsIn(steps) })),
    options.resolveSecret,
    redactor,
  );
  const diagnostics = [...missing, ...callbackProblems(unsent, options.callback)];
  const isSecretless = ({ action }: InFlight): boolean => diagnostics.some(({ address }) => address === action.address);
  const flights = all.filter((flight) => !isSecretless(flight));
  const held: RunResult = {
    actions: stillInFlight(all.filter(isSecretless)),
    diagnostics,
    words: diagnostics.length > 0 ? ['error'] : [],
  };
  if (flights.length === 0) return held;
  const context = createContext(
    options,
    flights.map(({ action }) => action),
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
  try {
    const done = await continueAll(context, flights, options.parallelism);
    return {
      ...done,
      actions: [...held.actions, ...done.actions],
      diagnostics: [...held.diagnostics, ...done.diagnostics],
      words: [...held.words, ...done.words],
    };
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return {
      actions: stillInFlight(all),
      diagnostics: [...held.diagnostics, diagnose('HW5006', `${error.message}. Nothing was sent.`)],
      words: ['error'],
      stopped: true,
    };
  }
}

async function continueAll(context: RunContext, flights: readonly InFlight[], parallelism: number): Promise<RunResult> {
  const observation = await lookInTime(
    flights.filter(isDoubtful).map(({ action }) => action),
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
    flights.map(({ action }) => action),
    parallelism,
    settled,
    new Map(flights.map((flight) => [flight.action, flight])),
  );
  const reason = context.limits.closedToWrites();
  return {
    ...ran,
    ...(reason !== undefined && reason !== 'deadline' && { stopped: true }),
    ...(context.limits.leftPending() && { pending: true }),
  };
}

/**
 * True when its unanswered request spends or ends something, and could simply be sent again. Whether it may be is for the
 * guards and manifests of today; reading tells whether it was carried out.
 */
function isDoubtful({ action, unanswered }: InFlight): boolean {
  const step = action.steps.find(({ name }) => name === unanswered);
  return step?.do === 'request' && step.idempotent && isGuarded(action, step);
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
