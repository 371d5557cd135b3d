// When what was asked for has come true: by reading, with growing pauses, until a deadline. A deadline that passes is
// "waiting", not a failure.
import type { Address } from '../model/address.ts';
import type { NamedWait, Outputs, WaitFor } from '../model/plan/step.ts';
import type { ApiErrorKind } from '../platform/api-error.ts';
import { ApiError } from '../platform/api-error.ts';
import type { RunContext } from './context.ts';
import { pause, pollDelayMs, withSharedReads } from './context.ts';
import { lookUp } from './look-up.ts';
import { fillPath } from './resolve.ts';
import type { StepResult } from './results.ts';

/** One look: it has ended, or not yet. */
type Look =
  | Extract<StepResult, { readonly result: 'done' | 'failed' | 'waiting' | 'unauthorised' }>
  | { readonly result: 'not-yet'; readonly reason: string; readonly isOutside?: true };

/** Something became known that has to be kept before the wait is over. */
type Learn = (outputs: Outputs) => Promise<void>;

// Waiting longer does not change these.
const PERMANENT: readonly ApiErrorKind[] = ['insufficient-scope', 'forbidden', 'invalid', 'redirect'];

/**
 * Waits until it is so. Throws MissingOutput when the path or a condition cannot be filled in. `isOpen`: what is missing
 * may be up to somebody outside, who is told at once what to do.
 */
export async function waitFor(
  address: Address,
  wanted: WaitFor,
  context: RunContext,
  { journal = () => Promise.resolve(), isOpen = false }: { readonly journal?: Learn; readonly isOpen?: boolean } = {},
): Promise<StepResult> {
  const learn: Learn = async (outputs) => {
    context.known.learn(address, outputs);
    await journal(outputs);
  };
  const deadlineAtMs = context.clock.now() + wanted.deadlineMs;
  const subject = `${address} ${wanted.how === 'until' ? wanted.reason : wanted.how}`;
  const earlier = context.waits.get(subject);
  // Another step of the run has polled for the same: its interval is kept.
  const owedMs = (earlier?.dueAtMs ?? 0) - context.clock.now();
  if (owedMs > 0 && !(await pause(context, owedMs))) return { result: 'stopped', reason: `until ${wanted.reason}` };
  for (let polls = earlier?.polls ?? 0; ; polls += 1) {
    const look =
      wanted.how === 'until' ? await lookForRow(wanted, context, learn) : await lookByName(wanted, context, learn);
    context.waits.set(subject, { polls: polls + 1, dueAtMs: context.clock.now() + pollDelayMs(polls) });
    if (look.result === 'done') context.known.learn(address, look.outputs);
    if (look.result !== 'not-yet') return look;
    const nowMs = context.clock.now();
    if (nowMs >= deadlineAtMs)
      return {
        result: 'waiting',
        reason: `waited ${Math.round(wanted.deadlineMs / 1000)} s until ${wanted.reason}; last seen: ${look.reason}`,
      };
    if (look.isOutside === true && context.waitsForNobody === true) return { result: 'waiting', reason: look.reason };
    const remedy = polls === (earlier?.polls ?? 0) && isOpen ? await context.whatToDo?.(address) : undefined;
    if (remedy !== undefined && context.waitsForNobody === true) return { result: 'waiting', reason: remedy };
    const pauseMs = Math.min(pollDelayMs(polls), Math.max(0, deadlineAtMs - context.clock.now()));
    context.emit({
      type: 'waiting',
      address,
      on: `until ${wanted.reason}`,
      atMs: nowMs,
      deadlineAtMs,
      seen: context.redactor.text(look.reason),
      nextAtMs: context.clock.now() + pauseMs,
      ...(remedy !== undefined && { remedy: context.redactor.text(remedy) }),
    });
    if (!(await pause(context, pauseMs)))
      return { result: 'stopped', reason: `until ${wanted.reason}; last seen: ${look.reason}` };
  }
}

async function lookForRow(
  { failsWith, ...wanted }: Exclude<WaitFor, NamedWait>,
  context: RunContext,
  learn: Learn,
): Promise<Look> {
  // The work first: what has ended by then shows in the second read.
  const work = failsWith === undefined ? undefined : await lookByName(failsWith, context, learn);
  const look = await lookForRowOnce(wanted, context);
  return look.result === 'not-yet' && work?.result === 'failed' ? work : look;
}

async function lookForRowOnce(wanted: Exclude<WaitFor, NamedWait>, context: RunContext): Promise<Look> {
  const found = await lookUp(wanted.lookUp, withSharedReads(context));
  if (found.result === 'unreadable') return lookFailed(found.error);
  if (!wanted.found)
    return found.result === 'none'
      ? { result: 'done', outputs: {} }
      : { result: 'not-yet', reason: 'it is still there' };
  switch (found.result) {
    case 'found':
      return { result: 'done', outputs: found.outputs };
    case 'none':
      return { result: 'not-yet', reason: 'pending' };
    case 'incomplete':
      return { result: 'not-yet', reason: 'it is there, but a value that is needed of it is not' };
    case 'ambiguous':
      // Without anything to capture it does not matter which.
      if (Object.keys(wanted.lookUp.capture).length === 0) return { result: 'done', outputs: {} };
      return { result: 'failed', reason: found.reason };
  }
}

async function lookByName(wanted: NamedWait, context: RunContext, learn: Learn): Promise<Look> {
  for (;;) {
    const { read, judge } = context.nextRead(wanted, context.known.outputsOf);
    const path = fillPath(read, context);
    const seen = await context.client.poll(path).then(judge, (error: unknown) => {
      if (error instanceof ApiError) return lookFailed(error);
      throw error;
    });
    if ('result' in seen) return seen;
    if (seen.then === 'done') return { result: 'done', outputs: seen.outputs };
    if (seen.then === 'not-yet') return { ...seen, result: 'not-yet' };
    if (seen.then !== 'read-on') return { result: seen.then === 'fail' ? 'failed' : seen.then, reason: seen.reason };
    await learn(seen.outputs);
  }
}

/** What it means that a look failed. */
function lookFailed(error: ApiError): Look {
  if (error.kind === 'unauthorised') return { result: 'unauthorised', reason: error.message };
  // It was sent, and may come true: it stays in flight. A failure would have the next plan do it once more.
  if (PERMANENT.includes(error.kind))
    return { result: 'waiting', reason: `it was sent, and cannot be followed: ${error.message}` };
  return { result: 'not-yet', reason: error.message };
}
