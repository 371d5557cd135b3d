// The last read before a write. What an action expects is read again, unless that was done a moment ago, once the write
// has its slot in the limiter. So a value that another user changes during a long run is a conflict, and is not overwritten.
import type { Action } from '../model/plan/plan.ts';
import { changedFields } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Departure } from '../platform/http.ts';
import type { RunContext } from './context.ts';
import { ownChanges } from './context.ts';
import { classify, classifyMidway, seenOf } from './expectations.ts';
import { addressesToRead } from './preflight.ts';
import type { StepResult } from './results.ts';

/**
 * At most this long, in milliseconds, between the response of the read and the departure of the write; or the time that
 * the limiter takes to let the reads and the write leave, if that is longer.
 */
const WINDOW_MS = 5000;
/** Reads before one write. When the window passes after each of them, the write is not sent. */
const MOST_READS = 2;

/** A write that did not leave, and how its step ends. */
export class NotSent extends Error {
  readonly result: StepResult;
  constructor(result: StepResult) {
    super('it was not sent');
    this.result = result;
  }
}

/**
 * True for a request that writes over values that a read shows, or deletes an object. A create overwrites nothing; hooks
 * and commands expect nothing; and of write-only fields no read shows the value.
 */
function isChecked({ verb, hook, changes, expect }: Action, { recheck }: RequestStep): boolean {
  if (hook !== undefined) return false;
  if (recheck === true) return true;
  const isWriteOnly =
    expect.tests.length === 0 &&
    changes.every(({ secret, rotationToken }) => secret !== undefined || rotationToken === true);
  return verb !== 'create' && !isWriteOnly;
}

/**
 * Awaited in the slot of a write. Reads what the action expects, unless that was read within the window, calls `record`,
 * and resolves when the write may leave. `isMidway`: the action has sent a request already.
 *
 * @throws {@link NotSent} if the account is not as reviewed, cannot be read, or cannot be read shortly enough before.
 */
export async function readBeforeWrite(
  context: RunContext,
  action: Action,
  step: RequestStep,
  {
    departure,
    isMidway,
    record,
  }: {
    readonly departure: Departure;
    readonly isMidway: boolean;
    readonly record: () => Promise<void>;
  },
): Promise<void> {
  const checked = isChecked(action, step);
  let last = checked
    ? await readOnce(context, action, { departure, isMidway, isAnew: step.recheck === true })
    : undefined;
  await record();
  for (let reads = 1; ; reads += 1) {
    await departure.clear();
    if (last === undefined || context.clock.now() - last.atMs <= last.windowMs) return;
    if (reads === MOST_READS) {
      const reason = `the account could not be read shortly before the request: twice it took longer than ${Math.round(last.windowMs / 1000)} s until the request could leave`;
      throw new NotSent(isMidway ? { result: 'failed', reason } : { result: 'dropped', reason });
    }
    last = await readOnce(context, action, { departure, isMidway, isAnew: false });
  }
}

interface LastRead {
  /** When the first response arrived, in epoch milliseconds. */
  readonly atMs: number;
  readonly windowMs: number;
}

/** Reads once. Throws {@link NotSent} if the account is not as reviewed, or is as wanted. */
async function readOnce(
  context: RunContext,
  action: Action,
  how: { readonly departure: Departure; readonly isMidway: boolean; readonly isAnew: boolean },
): Promise<LastRead> {
  const { departure, isMidway, isAnew } = how;
  let requests = 0;
  const read: Departure['read'] = (path) => {
    requests += 1;
    return departure.read(path);
  };
  const windowOf = (): number => Math.max(WINDOW_MS, (requests + 1) * departure.intervalMs());
  const startedAtMs = context.clock.now();
  const observe = context.observeBefore?.(read, isAnew ? 0 : windowOf()) ?? context.observe;
  const seen = await observe(
    addressesToRead(action),
    context.known.ids(),
    new Set(action.verb === 'delete' ? [action.address] : []),
    new Map([[action.address, changedFields(action.changes)]]),
  ).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw new NotSent({
      result: error.kind === 'unauthorised' ? 'unauthorised' : 'unreadable',
      reason: error.sharedReason ?? error.message,
    });
  });
  const observed = seenOf(action, seen);
  const { from } = action.expect;
  // What another action was to change in the origin of a move has to be so by now.
  const origin = from && { seen: seen.get(from.address), promised: [] };
  const own = { ...ownChanges(context, action), settling: context.effects.settling(action.address) };
  const live = isMidway ? classifyMidway(action, observed, own, origin) : classify(action, observed, own, origin);
  if (live.state === 'conflict')
    throw new NotSent({
      result: 'failed',
      reason: `the account changed since the review: ${live.reason}`,
      cause: 'conflict',
    });
  if (live.state === 'unreadable')
    throw new NotSent({
      result: 'unreadable',
      reason: `it could not be read right before the request: ${live.reason}`,
    });
  if (live.state === 'already-done' && action.verb === 'update') throw new NotSent({ result: 'done', outputs: {} });
  const times = [...seen.values()].flatMap((one) =>
    'readAtMs' in one && one.readAtMs !== undefined ? one.readAtMs : [],
  );
  return { atMs: Math.min(...times, times.length === 0 ? startedAtMs : Infinity), windowMs: windowOf() };
}
