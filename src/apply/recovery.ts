// By reading alone, what became of a request whose answer was lost or said too little. It is read before it is
// repeated (O-73, RTY-03, RTY-04). "Not found" counts only after the grace period: lists may lag behind.
import type { Address } from '../model/address.ts';
import type { Action } from '../model/plan/plan.ts';
import type { Outputs, RequestStep } from '../model/plan/step.ts';
import { isSuccess } from './answers.ts';
import type { RunContext } from './context.ts';
import { pause, pollDelayMs } from './context.ts';
import { CLOCK_SKEW_MS, lookUp } from './look-up.ts';
import type { ReadResult, StepResult } from './results.ts';

type Recovery = NonNullable<RequestStep['recovery']>;

/** How much longer than the grace period is looked, where reading fails, or where an answer said that it happened. */
const PATIENCE_MS = 120_000;
/** Of what may have been carried out, after reading each time. */
const MOST_SENDINGS = 3;

/** Finds what an answer says was made. It is never sent again: the platform answered. */
export async function findMade(
  context: RunContext,
  { address }: Action,
  step: RequestStep,
  { status, sentAtMs, text }: { readonly status: number; readonly sentAtMs: number; readonly text: string },
): Promise<StepResult> {
  if (step.recovery === undefined)
    return { result: 'unknown', reason: `${text}, and nothing says how to find what it made` };
  const found = await readUntilKnown(context, address, step.recovery, sentAtMs, isSuccess(status));
  if (found.result === 'none')
    // An error that reading confirms is one; a success that nothing shows is a riddle.
    return isSuccess(status) || status >= 500
      ? { result: 'unknown', reason: `${text}, and nothing that it made is found` }
      : { result: 'failed', reason: text };
  if (found.result === 'unknown') return { result: 'unknown', reason: `${text}, and ${found.reason}` };
  if (found.result !== 'done') return found;
  context.known.learn(address, found.outputs);
  await context.ledger.append({ type: 'followed', address, step: step.name, outputs: found.outputs });
  context.release(step.unlocks ?? []);
  return found;
}

/** Finds out whether a request was carried out whose answer was lost; `again`: it was not, and may be sent again. */
export async function recover(
  context: RunContext,
  { address }: Action,
  step: RequestStep,
  { sendings, sentAtMs, text }: { readonly sendings: number; readonly sentAtMs: number; readonly text: string },
): Promise<StepResult | 'again'> {
  const { recovery } = step;
  if (recovery === undefined)
    return { result: 'unknown', reason: `${text}, and nothing says how to find out whether it was carried out` };
  const found = await readUntilKnown(context, address, recovery, sentAtMs, false);
  if (found.result === 'unknown') return { result: 'unknown', reason: `${text}, and ${found.reason}` };
  if (found.result === 'done') await recordCarriedOut(context, address, step, found.outputs);
  if (found.result !== 'none') return found;
  if (recovery.ifNotFound === 'blocked')
    return { result: 'blocked', reason: `${text}; reading shows that nothing was done (${recovery.rule})` };
  if (recovery.ifNotFound === 'unknown')
    return {
      result: 'unknown',
      reason: `${text}; nothing that it made is found, but that proves nothing (${recovery.rule})`,
    };
  if (sendings < MOST_SENDINGS) {
    const how = recovery.renames === undefined ? 'is sent' : 'is asked for under another name';
    const why = `${text}; nothing that it made is found (${recovery.rule})`;
    context.emit({
      type: 'retrying',
      text: context.redactor.text(`${address}, ${step.name}: ${why}, so it ${how}`),
      inMs: 0,
    });
    return 'again';
  }
  return {
    result: 'failed',
    reason: `it was sent ${sendings} times and reading shows that it was never carried out: ${text}`,
  };
}

/** Records that a request was carried out whose answer never came, or was never recorded. */
export async function recordCarriedOut(
  context: RunContext,
  address: Address,
  { name, unlocks = [] }: RequestStep,
  outputs: Outputs,
): Promise<void> {
  context.known.learn(address, outputs);
  await context.ledger.append({ type: 'answered', address, step: name, status: null, row: null, outputs });
  context.release(unlocks);
}

/** What became of the request, as reading shows. */
type Finding =
  | Extract<StepResult, { readonly result: 'done' | 'unknown' | 'unauthorised' | 'stopped' }>
  | { readonly result: 'none' };

/** Looks until it is found or surely is not. `happened`: the platform said so, only the id is missing. */
async function readUntilKnown(
  context: RunContext,
  address: Address,
  recovery: Recovery,
  sentAtMs: number,
  happened: boolean,
): Promise<Finding> {
  // Counted from now, because another machine may have sent it, and clocks differ; but not where it was sent long ago.
  const nowMs = context.clock.now();
  const isLongAgo = nowMs - sentAtMs > CLOCK_SKEW_MS + recovery.graceMs;
  const graceAtMs = isLongAgo ? nowMs : nowMs + recovery.graceMs;
  const patienceAtMs = graceAtMs + PATIENCE_MS;
  for (let polls = 0; ; polls += 1) {
    const lookedAtMs = context.clock.now();
    const found = await lookUp(recovery.lookUp, context, { address, sentAtMs });
    // Two that answer to it were both made by it.
    if (found.result === 'ambiguous' && recovery.renames !== undefined) return { result: 'done', outputs: {} };
    const finding = judge(found, lookedAtMs >= (happened ? patienceAtMs : graceAtMs), lookedAtMs >= patienceAtMs);
    if (finding !== undefined) return finding;
    const untilMs = lookedAtMs < graceAtMs ? graceAtMs : patienceAtMs;
    context.emit({
      type: 'waiting',
      address,
      on: 'to see whether it was carried out',
      atMs: lookedAtMs,
      deadlineAtMs: untilMs,
    });
    // The look that decides is made right at the end of the grace period, not a pause later.
    if (!(await pause(context, Math.min(pollDelayMs(polls), Math.max(1, untilMs - context.clock.now())))))
      return { result: 'stopped', reason: 'until reading shows whether it was carried out' };
  }
}

/** undefined: look again. */
function judge(found: ReadResult, noneCounts: boolean, patienceOver: boolean): Finding | undefined {
  switch (found.result) {
    case 'found':
      return { result: 'done', outputs: found.outputs };
    case 'ambiguous':
      return { result: 'unknown', reason: found.reason };
    case 'none':
      return noneCounts ? found : undefined;
    case 'incomplete':
      return patienceOver ? { result: 'unknown', reason: found.reason } : undefined;
    case 'unreadable':
      if (found.error.kind === 'unauthorised') return { result: 'unauthorised', reason: found.error.message };
      return patienceOver
        ? { result: 'unknown', reason: `what it may have made cannot be read: ${found.error.message}` }
        : undefined;
  }
}
