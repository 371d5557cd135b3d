// When what was asked for has come true: by reading, with growing pauses, until a deadline. A deadline that passes is
// "waiting", not a failure.
import type { Address } from '../model/address.ts';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import type { WaitFor } from '../model/plan/step.ts';
import type { ApiErrorKind } from '../platform/api-error.ts';
import { ApiError } from '../platform/api-error.ts';
import type { RunContext } from './context.ts';
import { pause, pollDelayMs, withSharedReads } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import { lookUp } from './look-up.ts';
import { fillBody } from './resolve.ts';
import { lookAtCart } from './wait-for-cart.ts';

export type Settled =
  | { readonly end: 'settled'; readonly outputs: Outputs }
  | { readonly end: 'waiting'; readonly reason: string }
  | { readonly end: 'failed'; readonly reason: string }
  | { readonly end: 'unauthorised'; readonly reason: string }
  /** The run was halted while it waited; `reason` says for what. */
  | { readonly end: 'stopped'; readonly reason: string };

/** One look: it is so, it failed, a person has to act, or not yet. */
export type Look = Exclude<Settled, { readonly end: 'stopped' }> | { readonly end: 'not-yet'; readonly reason: string };

// Waiting longer does not change these.
const PERMANENT: readonly ApiErrorKind[] = ['insufficient-scope', 'forbidden', 'invalid', 'redirect'];

/**
 * Waits until it is so. `learn` is told what becomes known on the way. Throws MissingOutput when the question cannot be
 * put.
 */
export async function waitFor(
  address: Address,
  wanted: WaitFor,
  context: RunContext,
  learn: Learn = () => Promise.resolve(),
): Promise<Settled> {
  const deadlineAtMs = context.clock.now() + wanted.deadlineMs;
  for (let polls = 0; ; polls += 1) {
    const look = await lookOnce(wanted, context, learn);
    if (look.end !== 'not-yet') return look;
    const nowMs = context.clock.now();
    if (nowMs >= deadlineAtMs)
      return {
        end: 'waiting',
        reason: `waited ${Math.round(wanted.deadlineMs / 1000)} s until ${wanted.reason}; last seen: ${look.reason}`,
      };
    context.emit({ type: 'waiting', address, on: wanted.reason, atMs: nowMs, deadlineAtMs });
    if (!(await pause(context, Math.min(pollDelayMs(polls), deadlineAtMs - nowMs))))
      return { end: 'stopped', reason: `until ${wanted.reason}; last seen: ${look.reason}` };
  }
}

/** Something became known that has to be kept before the wait is over. */
export type Learn = (outputs: Outputs) => Promise<void>;

function lookOnce(wanted: WaitFor, context: RunContext, learn: Learn): Promise<Look> {
  switch (wanted.how) {
    case 'until':
      return lookUntil(wanted, context);
    case 'task':
      return lookAtTask(wanted, context);
    case 'cart':
      return lookAtCart(wanted, context, learn);
  }
}

async function lookUntil(wanted: Extract<WaitFor, { readonly how: 'until' }>, context: RunContext): Promise<Look> {
  const found = await lookUp(wanted.lookUp, withSharedReads(context));
  if (found.found === 'unread') return lookFailed(found.error);
  if (!wanted.found)
    return found.found === 'none' ? { end: 'settled', outputs: {} } : { end: 'not-yet', reason: 'it is still there' };
  switch (found.found) {
    case 'one':
      return { end: 'settled', outputs: found.outputs };
    case 'none':
      return { end: 'not-yet', reason: 'it is not so yet' };
    case 'incomplete':
      return { end: 'not-yet', reason: 'it is there, but a value that is needed of it is not' };
    case 'many':
      // Without anything to take it does not matter which.
      if (Object.keys(wanted.lookUp.capture).length === 0) return { end: 'settled', outputs: {} };
      return { end: 'failed', reason: `${found.count} rows answer to it, and which is meant cannot be known` };
  }
}

async function lookAtTask(wanted: Extract<WaitFor, { readonly how: 'task' }>, context: RunContext): Promise<Look> {
  const id = fillBody(wanted.task, context);
  if (typeof id !== 'string' && typeof id !== 'number')
    return { end: 'failed', reason: 'the id of the task is neither text nor a number' };
  let answer: Json;
  try {
    answer = await context.client.poll(`/api/tasks/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof ApiError) return lookFailed(error);
    throw error;
  }
  // Bare or wrapped: not documented (GAP-14).
  const task = isJsonObject(valueAt(answer, '/task')) ? valueAt(answer, '/task') : answer;
  const status = valueAt(task, '/status');
  const name = valueAt(task, '/name');
  const which = `task ${id}${typeof name === 'string' ? ` (${name})` : ''}`;
  // Only the status tells: end_on is not always set, and data is text for people (TSK-02, TSK-03, TSK-04).
  if (status === 'OK') return { end: 'settled', outputs: {} };
  if (status === 'FAILED' || status === 'CANCELLED') return { end: 'failed', reason: `${which} ended as ${status}` };
  return { end: 'not-yet', reason: `${which} is ${typeof status === 'string' ? status : 'in an unknown state'}` };
}

/** What it means that a look failed. */
export function lookFailed(error: ApiError): Look {
  if (error.kind === 'unauthorised') return { end: 'unauthorised', reason: error.message };
  // It was sent, and may come true: it stays in flight. A failure would have the next plan do it once more.
  if (PERMANENT.includes(error.kind))
    return { end: 'waiting', reason: `it was sent, and cannot be followed: ${error.message}` };
  return { end: 'not-yet', reason: error.message };
}
