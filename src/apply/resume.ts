// Decides how actions that an earlier run left in flight are continued: answered requests are never sent again, an
// unanswered one is settled like a lost answer, the rest of the steps runs; and how what comes after all other changes
// is done, or found to be owed by nobody. Must not begin anything that was not begun.
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome, ActionResult } from '../model/plan/outcome.ts';
import type { Action } from '../model/plan/plan.ts';
import { createRedactor } from '../platform/redact.ts';
import type { RunContext } from './context.ts';
import { createContext } from './context.ts';
import { isNear } from '../model/deadline.ts';
import { deadlineCame, diagnose } from './diagnostics.ts';
import type { RunOptions, RunResult } from './interpreter.ts';
import { LedgerWriteError } from './ledger/ledger.ts';
import { outputsOf } from './ledger/state.ts';
import { fetchSecrets, lookAtAll, refuseFor } from './preflight.ts';
import { appliedAfter, hasSent } from './run-action.ts';
import { walkActions } from './walk.ts';

export type ResumeOptions = Omit<RunOptions, 'plan' | 'approved' | 'parallelism'> & { readonly parallelism?: number };

const DEFAULT_PARALLELISM = 4;

/**
 * Continues everything in flight, but for what comes after other changes. Nothing in flight: `done`, and nothing is
 * read or written.
 */
export async function resumeInFlight(options: ResumeOptions): Promise<RunResult> {
  return continueFlights(
    options,
    options.ledger.view().inFlight.filter(({ action }) => action.occasion !== 'after'),
  );
}

/**
 * Does what is owed by changes that were carried out, each once; what none of them owes is ended. To be called when
 * nothing of the run is left to do.
 */
export async function closeRun(options: ResumeOptions): Promise<RunResult> {
  const { inFlight } = options.ledger.view();
  const open = inFlight.filter(({ action }) => action.occasion === 'after');
  const others = new Set(
    inFlight.filter(({ action }) => action.occasion !== 'after').map(({ action }) => action.address),
  );
  const waitsFor = ({ goesWith = [] }: InFlight): string | undefined => goesWith.find((address) => others.has(address));
  if (options.stop.aborted)
    return { actions: stillInFlight(open), diagnostics: [], words: open.length === 0 ? [] : ['interrupted'] };
  if (open.length > 0 && isNear(options.deadline, options.clock.now()))
    return {
      actions: stillInFlight(open, 'the deadline was too near to begin it'),
      diagnostics: [deadlineCame()],
      words: ['waiting'],
    };
  const held = open.filter((flight) => waitsFor(flight) !== undefined);
  const idle = open.filter((flight) => !held.includes(flight) && flight.occurred !== true && !hasSent(flight));
  const because = 'none of the changes that it goes with was carried out';
  try {
    if (idle.length > 0)
      await options.ledger.append(
        ...idle.map(({ action: { address } }) => ({ type: 'failed', address, because }) as const),
      );
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return {
      actions: stillInFlight(open),
      diagnostics: [diagnose('HW5006', `${error.message}. Nothing was sent.`)],
      words: ['error'],
    };
  }
  const done = await continueFlights(
    options,
    open.filter((flight) => !held.includes(flight) && !idle.includes(flight)),
  );
  const waiting = held.map((flight): ActionOutcome => ({
    address: flight.action.address,
    verb: flight.action.verb,
    result: 'waiting',
    because: `it comes after ${waitsFor(flight)}, which is still in flight`,
  }));
  const skipped = idle.map(({ action: { address, verb } }): ActionOutcome => ({
    address,
    verb,
    result: 'skipped',
    because,
  }));
  return {
    ...done,
    actions: [...done.actions, ...waiting, ...skipped],
    words: [...done.words, ...(held.length > 0 ? (['waiting'] as const) : [])],
  };
}

async function continueFlights(options: ResumeOptions, flights: readonly InFlight[]): Promise<RunResult> {
  if (flights.length === 0) return { actions: [], diagnostics: [], words: ['done'] };
  const redactor = options.redactor ?? createRedactor();
  const actions = flights.map(({ action }) => action);
  // What is answered is not sent again, so its secrets are not asked for.
  const unsent = flights.map(({ action: { address, steps }, answered }) => ({
    address,
    steps: steps.filter(({ name }) => !Object.hasOwn(answered, name)),
  }));
  const { secrets, diagnostics } = await fetchSecrets(unsent, options.resolveSecret, redactor);
  if (diagnostics.length > 0) return { actions: stillInFlight(flights), diagnostics, words: ['error'] };
  const context = createContext(options, actions, secrets, redactor, flights);
  for (const { action, known, answered, effects } of flights) {
    context.effects.add(effects);
    // What an action knew when it began is older than the ledger's last word; what its own answers gave is not.
    for (const [address, outputs] of Object.entries(known))
      context.known.learn(address, { ...outputs, ...context.known.outputsOf(address) });
    context.known.learn(action.address, outputsOf({ answered }));
  }
  try {
    return await continueAll(context, flights, options.parallelism ?? DEFAULT_PARALLELISM);
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return {
      actions: stillInFlight(flights),
      diagnostics: [diagnose('HW5006', `${error.message}. Nothing was sent.`)],
      words: ['error'],
    };
  }
}

async function continueAll(context: RunContext, flights: readonly InFlight[], parallelism: number): Promise<RunResult> {
  const unsent = flights.filter((flight) => !hasSent(flight)).map(({ action }) => action);
  // Nothing of these was sent: they are looked at like the actions of a fresh run.
  const looked = await lookAtAll(unsent, context);
  if (context.halt.closed() === 'deadline')
    return {
      actions: stillInFlight(flights, 'the deadline was too near to begin it'),
      diagnostics: [deadlineCame()],
      words: ['waiting'],
    };
  if ('word' in looked)
    return { actions: stillInFlight(flights), diagnostics: looked.diagnostics, words: [looked.word] };
  const known = new Map<Action, ActionResult>();
  const refusals = refuseFor(looked);
  for (const [action, { standing }] of looked.standings) {
    const { address, verb, changes } = action;
    const seen = looked.observed.get(address);
    if (seen?.state === 'present') context.known.learn(address, { id: seen.id });
    if (standing === 'already-done') {
      known.set(action, 'already-done');
      const before = context.before.get(address);
      const gone = verb === 'delete';
      await context.ledger.append({
        type: 'settled',
        address,
        id: seen?.state === 'present' ? seen.id : null,
        gone,
        applied: gone ? {} : appliedAfter(before?.applied ?? {}, changes),
        outputs: {},
      });
    }
    if (standing === 'conflict' || standing === 'unreadable') {
      known.set(action, 'not-started');
      // It was never begun in earnest: the next plan decides anew.
      if (standing === 'conflict')
        await context.ledger.append({
          type: 'failed',
          address,
          because: 'the live side changed before anything was sent',
        });
    }
  }
  const walked = await walkActions(
    context,
    flights.map(({ action }) => action),
    parallelism,
    known,
    new Map(flights.map((flight) => [flight.action, flight])),
  );
  if (refusals.length === 0) return walked;
  const objections = refusals.flatMap((refusal) => refusal.diagnostics);
  return {
    actions: walked.actions.map((outcome) => {
      const own =
        outcome.result === 'not-started' && outcome.because === undefined
          ? objections.find(({ address }) => address === outcome.address)
          : undefined;
      return own === undefined ? outcome : { ...outcome, because: own.detail };
    }),
    diagnostics: [...objections, ...walked.diagnostics],
    words: [...new Set([...refusals.map(({ word }) => word), ...walked.words.filter((word) => word !== 'done')])],
  };
}

function stillInFlight(
  flights: readonly InFlight[],
  why = 'it is in flight from an earlier run',
): RunResult['actions'] {
  return flights.map(({ action: { address, verb }, because }) => ({
    address,
    verb,
    result: 'waiting',
    because: because ?? why,
  }));
}
