// What is known of a run while it goes on, and the words for it: events in, text out.
import type { Address } from '../../model/address.ts';
import { showTime } from '../../model/clock.ts';
import type { RunEvent } from '../../model/plan/event.ts';
import type { Verb } from '../../model/plan/plan.ts';
import { cut, plural } from '../../model/common/count.ts';
import { RESULT_WORDS, showDuration, VERB_MARKS } from '../../report/view/document.ts';
import { clipSafe, escapeText } from '../../report/view/escape.ts';
import { showAddress, showProse } from '../../report/view/names.ts';

interface Running {
  /** Absent: no action of a plan, such as the tasks of a site that are waited for. */
  readonly verb?: Verb;
  readonly startedAtMs: number;
  readonly text: string;
  readonly wait?: Wait;
}

interface Wait {
  readonly sinceMs: number;
  readonly deadlineAtMs: number;
  readonly nextAtMs?: number;
  readonly seen?: string;
}

export interface ProgressState {
  readonly reading?: { readonly done: number; readonly total: number };
  /** Of a run over many accounts: how far it is, in words. */
  readonly accounts?: string;
  readonly total: number;
  readonly finished: number;
  readonly running: ReadonlyMap<Address, Running>;
  /** The reasons of finished actions that a line has reported. */
  readonly reasons?: ReadonlySet<string>;
  /** The end of the last pause that a line has reported, in epoch milliseconds. */
  readonly pausedUntilMs?: number;
  /** The last thing that a reader should know although nothing is wrong yet. */
  readonly notice?: string;
}

export const NOTHING_YET: ProgressState = { total: 0, finished: 0, running: new Map() };

const ACCOUNTS_DONE = {
  plan: 'planned',
  apply: 'applied',
  drift: 'compared',
  doctor: 'checked',
  ledger: 'looked at',
} as const;

const SPINNER = ['-', '\\', '|', '/'];

export function advance(state: ProgressState, event: RunEvent): ProgressState {
  switch (event.type) {
    case 'lock-held':
      return state;
    case 'paused':
      return { ...state, pausedUntilMs: event.untilMs };
    case 'reading':
      return { ...state, reading: { done: event.done, total: event.total } };
    case 'accounts': {
      const { command, done, total, changed, failed } = event;
      const isCompared = command === 'plan' || command === 'drift';
      const words = `${ACCOUNTS_DONE[command]} ${done} of ${total} accounts${isCompared ? `, ${changed} with changes` : ''}, ${failed} failed`;
      return { ...state, accounts: words };
    }
    case 'run-started':
      return { total: event.actions.length, finished: 0, running: new Map() };
    case 'action-started':
      return withRunning(state, event.address, { verb: event.verb, startedAtMs: event.atMs, text: 'starting' });
    case 'step-started': {
      const running = state.running.get(event.address);
      return running === undefined
        ? state
        : withRunning(state, event.address, {
            ...(running.verb !== undefined && { verb: running.verb }),
            startedAtMs: running.startedAtMs,
            text: escapeText(event.text),
          });
    }
    case 'waiting': {
      const { address, on, atMs, deadlineAtMs, seen, nextAtMs } = event;
      const before = state.running.get(address);
      if (before === undefined && state.total > 0) return state;
      const text = `waits ${showProse(on)}`;
      return withRunning(state, address, {
        ...(before ?? { startedAtMs: atMs }),
        text,
        wait: {
          sinceMs: before?.wait !== undefined && before.text === text ? before.wait.sinceMs : atMs,
          deadlineAtMs,
          ...(seen !== undefined && { seen: escapeText(seen) }),
          ...(nextAtMs !== undefined && { nextAtMs }),
        },
      });
    }
    case 'retrying':
      return {
        ...state,
        notice: `${escapeText(event.text)}; again ${event.inMs === 0 ? 'at once' : `in ${showDuration(event.inMs)}`}`,
      };
    case 'action-finished': {
      const running = new Map(state.running);
      running.delete(event.address);
      const { reasons: reported = new Set<string>() } = state;
      const reasons = event.reason === undefined ? reported : new Set([...reported, reasonKey(event.reason)]);
      const { total, finished, pausedUntilMs } = state;
      return { total, finished: finished + 1, running, reasons, ...(pausedUntilMs !== undefined && { pausedUntilMs }) };
    }
    case 'interrupted':
      return { ...state, notice: `stopping; ${event.running} still running` };
    case 'run-finished':
      return { ...NOTHING_YET };
  }
}

/** What a terminal shows now, never wider than it: a line for each action that runs, more where one is too short. */
export function liveLines(state: ProgressState, nowMs: number, tick: number, width: number): readonly string[] {
  const spinner = SPINNER[tick % SPINNER.length] as string;
  const { reading, accounts } = state;
  const lines = [
    ...(accounts === undefined ? [] : [`${spinner} ${accounts}`]),
    ...(state.total > 0
      ? [`${spinner} ${state.finished} of ${state.total} done`]
      : reading === undefined
        ? []
        : [`${spinner} reading the account: ${reading.done} of ${reading.total}`]),
    ...[...state.running].flatMap(([address, running]) => {
      const [what, times] = [runningText(running), runningTimes(running, nowMs)];
      const mark = running.verb === undefined ? spinner : VERB_MARKS[running.verb];
      const head = `  ${mark} ${showAddress(address)}`;
      const whole = `${head}  ${what} (${times})`;
      if (whole.length < width) return [whole];
      const seen = running.wait?.seen;
      const isSplit = seen !== undefined && what.length + 6 >= width;
      return [
        `${head}  ${times}`,
        ...(isSplit ? [`      ${running.text}`, `      last seen: ${seen}`] : [`      ${what}`]),
      ];
    }),
    ...(state.notice === undefined ? [] : [`  ${state.notice}`]),
  ];
  return lines.map((line) => (line.length < width ? line : `${clipSafe(line, width).slice(0, width - 2)}…`));
}

function runningText({ text, wait }: Running): string {
  return wait?.seen === undefined ? text : `${text}; last seen: ${wait.seen}`;
}

/** `1m 4s, 56s left, next look in 8s`: of a wait since it began. */
function runningTimes({ startedAtMs, wait }: Running, nowMs: number): string {
  const since = (atMs: number): string => showDuration(Math.max(0, Math.floor((nowMs - atMs) / 1000) * 1000));
  if (wait === undefined) return since(startedAtMs);
  const seconds = (atMs: number): string => showDuration(Math.max(0, Math.ceil((atMs - nowMs) / 1000) * 1000));
  const { sinceMs, deadlineAtMs, nextAtMs } = wait;
  const next = nextAtMs === undefined ? [] : [`next look ${nextAtMs <= nowMs ? 'now' : `in ${seconds(nextAtMs)}`}`];
  return [since(sinceMs), `${seconds(deadlineAtMs)} left`, ...next].join(', ');
}

/** Ends of two pauses this close, in milliseconds, are one pause: each account of a run reports it. */
const SAME_PAUSE_MS = 2000;

/** A reason without the step that it begins with, such as `write:`. */
function reasonKey(reason: string): string {
  return reason.replace(/^[^:]{1,60}: /, '');
}

/**
 * The line that stays when an event is over; undefined when the event leaves none. `state` is the one before the event.
 */
export function lastingLine(state: ProgressState, event: RunEvent): string | undefined {
  if (event.type === 'lock-held')
    return `Waiting up to ${showDuration(event.waitMs)} for the ledger. It is held by ${escapeText(event.holder, 600)}`;
  if (event.type === 'paused' && event.untilMs <= (state.pausedUntilMs ?? -Infinity) + SAME_PAUSE_MS) return undefined;
  if (event.type === 'paused')
    return `The platform accepts no requests before ${showTime(event.untilMs)} (Retry-After); ${event.isWaitedFor ? 'waiting until then.' : 'that is longer than this command waits.'}`;
  // Told at once, and once: who has to do something need not wait for the end of the wait.
  if (event.type === 'waiting' && event.remedy !== undefined)
    return `${showAddress(event.address)} waits ${showProse(event.on)}\n  -> ${showProse(event.remedy)}`;
  if (event.type !== 'action-finished') return undefined;
  const running = state.running.get(event.address);
  const took = running === undefined ? '' : ` (${showDuration(event.atMs - running.startedAtMs)})`;
  const isReported = event.reason !== undefined && state.reasons?.has(reasonKey(event.reason)) === true;
  const reason = event.reason === undefined ? '' : `: ${isReported ? 'the same reason' : showProse(event.reason)}`;
  // What an earlier run began is finished before this one has counted anything.
  const count = state.total === 0 ? '' : `[${state.finished + 1}/${state.total}] `;
  return `${count}${VERB_MARKS[event.verb]} ${showAddress(event.address)} ${RESULT_WORDS[event.result]}${took}${reason}`;
}

/** What a log without a cursor is told of an event beside its lasting lines. */
export function logLine(state: ProgressState, event: RunEvent): string | undefined {
  switch (event.type) {
    case 'accounts':
      return isTenth(event) ? `  ${advance(state, event).accounts}` : undefined;
    case 'run-started':
      return event.actions.length === 0 ? undefined : `running ${plural(event.actions.length, 'action')}`;
    case 'action-started':
      return `${VERB_MARKS[event.verb]} ${showAddress(event.address)} starts`;
    case 'retrying':
    case 'interrupted':
      return `  ${advance(state, event).notice}`;
    case 'lock-held':
    case 'paused':
    case 'reading':
    case 'step-started':
    case 'waiting':
    case 'action-finished':
    case 'run-finished':
      return undefined;
  }
}

/** A log is told of every tenth part. */
function isTenth({ done, total }: { readonly done: number; readonly total: number }): boolean {
  return Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total);
}

/** Of several actions at once, so many are told of; the others are counted. */
const MOST_TOLD = 3;

/** One line of what still runs, for a log that would otherwise be silent for minutes; undefined when nothing does. */
export function heartbeat(state: ProgressState, nowMs: number): string | undefined {
  if (state.total === 0 && state.running.size === 0)
    return state.reading === undefined
      ? undefined
      : `  reading the account: ${state.reading.done} of ${state.reading.total}`;
  const running = [...state.running].map(
    ([address, one]) => `${showAddress(address)} ${runningText(one)} (${runningTimes(one, nowMs)})`,
  );
  if (running.length === 0) return undefined;
  const told = cut(
    running,
    MOST_TOLD,
    (text) => text,
    (left) => `and ${left} more`,
  );
  return `  ${told.join('; ')}`;
}

function withRunning(state: ProgressState, address: Address, running: Running): ProgressState {
  const { notice: _over, ...rest } = state;
  return { ...rest, running: new Map(state.running).set(address, running) };
}
