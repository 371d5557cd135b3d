// What is known of a run while it goes on, and the words for it: events in, text out.
import type { Address } from '../../model/address.ts';
import type { RunEvent } from '../../model/plan/event.ts';
import type { Verb } from '../../model/plan/plan.ts';
import { RESULT_WORDS, showDuration, VERB_MARKS } from '../../report/view/document.ts';
import { clipSafe, escapeText } from '../../report/view/escape.ts';
import { showAddress } from '../../report/view/names.ts';

interface Running {
  readonly verb: Verb;
  readonly startedAtMs: number;
  readonly text: string;
  readonly deadlineAtMs?: number;
}

export interface ProgressState {
  readonly reading?: { readonly done: number; readonly total: number };
  readonly total: number;
  readonly finished: number;
  readonly running: ReadonlyMap<Address, Running>;
  /** The last thing that a reader should know although nothing is wrong yet. */
  readonly notice?: string;
}

export const NOTHING_YET: ProgressState = { total: 0, finished: 0, running: new Map() };

const SPINNER = ['-', '\\', '|', '/'];

export function advance(state: ProgressState, event: RunEvent): ProgressState {
  switch (event.type) {
    case 'lock-held':
      return state;
    case 'reading':
      return { ...state, reading: { done: event.done, total: event.total } };
    case 'run-started':
      return { total: event.actions.length, finished: 0, running: new Map() };
    case 'action-started':
      return withRunning(state, event.address, { verb: event.verb, startedAtMs: event.atMs, text: 'starting' });
    case 'step-started': {
      const running = state.running.get(event.address);
      return running === undefined
        ? state
        : withRunning(state, event.address, {
            verb: running.verb,
            startedAtMs: running.startedAtMs,
            text: escapeText(event.text),
          });
    }
    case 'waiting': {
      const running = state.running.get(event.address);
      return running === undefined
        ? state
        : withRunning(state, event.address, {
            ...running,
            text: `waits: ${escapeText(event.on)}`,
            deadlineAtMs: event.deadlineAtMs,
          });
    }
    case 'retrying':
      return { ...state, notice: `${escapeText(event.text)}; again in ${showDuration(event.inMs)}` };
    case 'action-finished': {
      const running = new Map(state.running);
      running.delete(event.address);
      return { total: state.total, finished: state.finished + 1, running };
    }
    case 'interrupted':
      return { ...state, notice: `stopping; ${event.running} still running` };
    case 'run-finished':
      return { ...NOTHING_YET };
  }
}

/** What a terminal shows now, one line each, never wider than it. */
export function liveLines(state: ProgressState, nowMs: number, tick: number, width: number): readonly string[] {
  const spinner = SPINNER[tick % SPINNER.length] as string;
  const { reading } = state;
  const lines = [
    ...(state.total > 0
      ? [`${spinner} ${state.finished} of ${state.total} done`]
      : reading === undefined
        ? []
        : [`${spinner} reading the account: ${reading.done} of ${reading.total}`]),
    ...[...state.running].map(
      ([address, running]) =>
        `  ${VERB_MARKS[running.verb]} ${showAddress(address)}  ${running.text}  ${elapsed(running, nowMs)}`,
    ),
    ...(state.notice === undefined ? [] : [`  ${state.notice}`]),
  ];
  return lines.map((line) => (line.length < width ? line : `${clipSafe(line, width).slice(0, width - 2)}…`));
}

/**
 * The line that stays when an event is over; undefined when the event leaves none. `state` is the one before the event.
 */
export function lastingLine(state: ProgressState, event: RunEvent): string | undefined {
  if (event.type === 'lock-held')
    return `Waiting up to ${showDuration(event.waitMs)} for the ledger. It is held by ${escapeText(event.holder, 600)}`;
  if (event.type !== 'action-finished') return undefined;
  const running = state.running.get(event.address);
  const took = running === undefined ? '' : ` (${showDuration(event.atMs - running.startedAtMs)})`;
  const reason = event.reason === undefined ? '' : `: ${escapeText(event.reason)}`;
  // What an earlier run began is finished before this one has counted anything.
  const count = state.total === 0 ? '' : `[${state.finished + 1}/${state.total}] `;
  return `${count}${VERB_MARKS[event.verb]} ${showAddress(event.address)} ${RESULT_WORDS[event.result]}${took}${reason}`;
}

/** What a log without a cursor is told of an event beside its lasting lines. */
export function logLine(state: ProgressState, event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run-started':
      return event.actions.length === 0
        ? undefined
        : `running ${event.actions.length} action${event.actions.length === 1 ? '' : 's'}`;
    case 'action-started':
      return `${VERB_MARKS[event.verb]} ${showAddress(event.address)} starts`;
    case 'waiting':
      return `  ${showAddress(event.address)} waits up to ${showDuration(event.deadlineAtMs - event.atMs)}: ${escapeText(event.on)}`;
    case 'retrying':
    case 'interrupted':
      return `  ${advance(state, event).notice}`;
    case 'lock-held':
    case 'reading':
    case 'step-started':
    case 'action-finished':
    case 'run-finished':
      return undefined;
  }
}

/** One line for each action that still runs, for a log that would otherwise be silent for minutes. */
export function heartbeat(state: ProgressState, nowMs: number): readonly string[] {
  if (state.total === 0 && state.reading !== undefined)
    return [`  reading the account: ${state.reading.done} of ${state.reading.total}`];
  return [...state.running].map(
    ([address, running]) => `  ${showAddress(address)} ${running.text} (${elapsed(running, nowMs)})`,
  );
}

function withRunning(state: ProgressState, address: Address, running: Running): ProgressState {
  const { notice: _over, ...rest } = state;
  return { ...rest, running: new Map(state.running).set(address, running) };
}

function elapsed({ startedAtMs, deadlineAtMs }: Running, nowMs: number): string {
  const sofar = showDuration(Math.max(0, Math.floor((nowMs - startedAtMs) / 1000) * 1000));
  return deadlineAtMs === undefined ? sofar : `${sofar}, ${showDuration(Math.max(0, deadlineAtMs - nowMs))} left`;
}
