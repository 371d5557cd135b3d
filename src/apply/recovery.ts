// Finds out by reading what became of a request whose response was lost or said too little, before anything is sent
// again (O-73, RTY-03, RTY-04). A list that does not show an object is not proof that it was not created (RTY-06).
import type { Address } from '../model/address.ts';
import type { Action } from '../model/plan/plan.ts';
import type { Outputs, RequestStep } from '../model/plan/step.ts';
import { isSuccess } from './answers.ts';
import type { RunContext } from './context.ts';
import { pause, pollDelayMs } from './context.ts';
import { CLOCK_SKEW_MS, lookUp } from './look-up.ts';
import type { ReadResult, StepResult } from './results.ts';

type Recovery = NonNullable<RequestStep['recovery']>;

/** How long reads continue after the grace period where reading fails, or where a response said that it happened. */
const PATIENCE_MS = 120_000;
/** Requests of one step whose responses were lost, with reads after each. */
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

/**
 * Finds out by reading whether a request was carried out whose response was lost. `again`: reads do not show it, and a
 * second request cannot do the work twice.
 */
export async function recover(
  context: RunContext,
  { address }: Action,
  step: RequestStep,
  { sendings, sentAtMs, text }: LostResponse,
): Promise<StepResult | 'again'> {
  const { recovery } = step;
  if (recovery === undefined)
    return { result: 'unknown', reason: `${text}, and nothing says how to find out whether it was carried out` };
  const found = await readUntilKnown(context, address, recovery, sentAtMs, false);
  if (found.result === 'unknown') return { result: 'unknown', reason: `${text}, and ${found.reason}` };
  if (found.result === 'done') await recordCarriedOut(context, address, step, found.outputs);
  if (found.result !== 'none') return found;
  switch (recovery.ifNotFound) {
    case 'ask':
    case 'unknown':
      return {
        result: 'unknown',
        reason: `${text}; no read shows what it created, which does not prove that it was not carried out (${recovery.rule})`,
      };
    case 'plan-again':
      return {
        result: 'failed',
        reason: `${text}; no read shows its effect, and the next plan reads the value again (${recovery.rule})`,
      };
    case 'send-again':
      break;
  }
  if (sendings >= MOST_SENDINGS)
    return {
      result: 'failed',
      reason: `it was sent ${sendings} times, and no read shows what it created; the next plan reads it again: ${text}`,
    };
  const why = `${text}; no read shows what it created, and the platform refuses a second one (${recovery.guarded})`;
  context.emit({
    type: 'retrying',
    text: context.redactor.text(`${address}, ${step.name}: ${why}, so it is sent again`),
    inMs: 0,
  });
  return 'again';
}

/** A request whose response was lost: how often it was sent, when last (epoch milliseconds), and why nothing is known. */
interface LostResponse {
  readonly sendings: number;
  readonly sentAtMs: number;
  readonly text: string;
}

/**
 * Finds out by reading what became of a request whose response was lost, after the platform refused to do it again: the
 * refusal may be due to what the first request created. `text`: the refusal.
 */
export async function settleRefused(
  context: RunContext,
  { address }: Action,
  step: RequestStep,
  { sentAtMs, text }: Pick<LostResponse, 'sentAtMs' | 'text'>,
): Promise<StepResult> {
  const reason = `an earlier request had no response, and the second was refused: ${text}`;
  if (step.recovery === undefined) return { result: 'unknown', reason };
  const found = await readUntilKnown(context, address, step.recovery, sentAtMs, true);
  if (found.result === 'done') await recordCarriedOut(context, address, step, found.outputs);
  if (found.result === 'none') return { result: 'unknown', reason: `${reason}; no read shows what the first created` };
  return found.result === 'unknown' ? { result: 'unknown', reason: `${reason}; ${found.reason}` } : found;
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
  // The grace period begins now, because another machine with another clock may have sent the request. A request that
  // was sent long ago gets none.
  const nowMs = context.clock.now();
  const isLongAgo = nowMs - sentAtMs > CLOCK_SKEW_MS + recovery.graceMs;
  const graceAtMs = isLongAgo ? nowMs : nowMs + recovery.graceMs;
  const patienceAtMs = graceAtMs + PATIENCE_MS;
  for (let polls = 0; ; polls += 1) {
    const lookedAtMs = context.clock.now();
    const found = await lookUp(recovery.lookUp, context, { address, sentAtMs });
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
