// Carries out one request step: records it in the ledger, sends it, judges the response, and confirms a lost response by
// reading. A request that is not idempotent is not sent again unless the platform refuses a second one.
import { showTime } from '../model/clock.ts';
import type { Reserved } from '../model/secret-sink.ts';
import { showDestination } from '../model/secret-sink.ts';
import type { Action } from '../model/plan/plan.ts';
import { rowNamed } from '../model/ledger/begun.ts';
import type { Outputs, RequestStep } from '../model/plan/step.ts';
import { isRepeatable } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Departure, WriteRequest } from '../platform/http.ts';
import type { AnswerVerdict } from './answers.ts';
import { isSuccess, judgeAnswer, judgeFailure } from './answers.ts';
import { withCallback } from './callback.ts';
import type { RunContext } from './context.ts';
import { pause } from './context.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { saveAnswer, SECRET_LOST } from './one-time-secret.ts';
import { NotSent, readBeforeWrite } from './last-read.ts';
import { fillLookUp } from './look-up.ts';
import { findMade, recover, settleRefused } from './recovery.ts';
import { isGuarded } from './expectations.ts';
import { fillBody, fillPath } from './resolve.ts';
import type { StepResult } from './results.ts';
import { waitFor } from './wait-for.ts';

/** An earlier sending of this step whose answer was never recorded. */
export interface EarlierSending {
  readonly sentAtMs: number;
  readonly sendings: number;
}

/** Of a request that was not carried out, or that may be repeated. */
const MOST_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/** A request, and how far it has come. */
interface OpenRequest {
  readonly context: RunContext;
  readonly action: Action;
  readonly step: RequestStep;
  readonly onSending: () => void;
  /** True once a request of the action may have left, in this run or an earlier one. */
  readonly isMidway: () => boolean;
  sendings: number;
  sentAtMs: number;
  /** How often this run has tried, whether it left or not. */
  attempts: number;
  /** True once a request of this step had no response, in this run or an earlier one: a refusal may be due to it. */
  isRepeat: boolean;
  /** The file for one-time secrets of the response, and what became of it. */
  reserved?: Reserved;
  saved?: Outputs;
}

/** Sends until the outcome is known, or cannot be known. `onSending` is called when a request may leave. */
export async function sendRequest(
  context: RunContext,
  action: Action,
  step: RequestStep,
  { onSending, isMidway }: Pick<OpenRequest, 'onSending' | 'isMidway'>,
  earlier?: EarlierSending,
): Promise<StepResult> {
  const body = step.body === undefined ? undefined : fillBody(step.body, context);
  const path = fillPath(step.path, context);
  const request: WriteRequest = {
    method: step.method,
    path,
    ...(body !== undefined && { body: withCallback(step, body, context.callback) }),
  };
  // What cannot be asked afterwards must not be sent.
  if (step.recovery !== undefined) fillLookUp(step.recovery.lookUp, context);
  // From here on it is lost until it is kept.
  if (step.oneTimeSecret !== undefined) context.known.learn(action.address, SECRET_LOST);
  const open: OpenRequest = {
    context,
    action,
    step,
    onSending,
    isMidway,
    sendings: earlier?.sendings ?? 0,
    sentAtMs: earlier?.sentAtMs ?? 0,
    attempts: 0,
    isRepeat: earlier !== undefined && !step.idempotent,
  };
  // An idempotent request is sent again without a read.
  let verdict: AnswerVerdict | undefined =
    earlier === undefined || step.idempotent
      ? undefined
      : { result: 'unclear', text: 'an earlier run sent it, and its answer was never recorded' };
  try {
    for (;;) {
      if (verdict === undefined && context.limits.closedToWrites() !== undefined) return { result: 'stopped' };
      verdict ??= await sendOnce(open, request);
      const result = await actOn(open, verdict);
      if (result !== 'again') return result;
      verdict = undefined;
    }
  } finally {
    await open.reserved?.release();
  }
}

async function sendOnce(open: OpenRequest, request: WriteRequest): Promise<AnswerVerdict> {
  const { context, action, step } = open;
  const { oneTimeSecret } = step;
  open.attempts += 1;
  if (oneTimeSecret !== undefined && open.reserved === undefined) {
    const reserved = await context.secretSink.reserve(oneTimeSecret, action.address);
    if ('reason' in reserved)
      return {
        result: 'blocked',
        reason: `${showDestination(oneTimeSecret)} ${reserved.reason}, so nothing was sent (${oneTimeSecret.rule})`,
      };
    open.reserved = reserved;
  }
  // On stable storage first, unless reading tells as much: a run that dies now is known to have sent. Not before
  // its turn has come: what never left was never sent.
  const announce = isFoundByReading(context, action) ? context.ledger.announce : context.ledger.append;
  const record = async (): Promise<void> => {
    if (context.limits.closedToWrites() !== undefined) throw new NotSent({ result: 'stopped' });
    await announce({ type: 'sent', address: action.address, step: step.name });
  };
  const leaving = async (departure: Departure): Promise<void> => {
    await readBeforeWrite(context, action, step, { departure, isMidway: open.isMidway(), record });
    open.onSending();
    open.sendings += 1;
    open.sentAtMs = context.clock.now();
  };
  try {
    const answer = await context.client.send(request, { leaving });
    // Before anything else can fail, and before anything is said of it.
    if (oneTimeSecret !== undefined && open.reserved !== undefined && isSuccess(answer.status))
      open.saved = await saveAnswer(context, action.address, oneTimeSecret, open.reserved, answer.body);
    return judgeAnswer(step, answer);
  } catch (error) {
    if (error instanceof NotSent) return { result: 'not-sent', end: error.result };
    if (error instanceof ApiError) return judgeFailure(error);
    throw error;
  }
}

/**
 * True for an update that the next plan finds done, or not done, and that owes nothing to anybody: a run that dies and
 * never wrote that it was sent leaves nothing behind that reading does not tell.
 */
function isFoundByReading({ hookTriggers }: RunContext, action: Action): boolean {
  const { address, verb, hook, expect, steps } = action;
  return (
    verb === 'update' &&
    isRepeatable(action) &&
    hook === undefined &&
    expect.from === undefined &&
    !hookTriggers.has(address) &&
    steps.every(
      (step) =>
        step.do !== 'request' ||
        (step.oneTimeSecret === undefined && step.putBack === undefined && !isGuarded(action, step)),
    )
  );
}

async function actOn(open: OpenRequest, verdict: AnswerVerdict): Promise<StepResult | 'again'> {
  const { context, action, step, isRepeat } = open;
  switch (verdict.result) {
    case 'failed':
    case 'blocked':
      return isRepeat ? settleRefused(context, action, step, { ...open, text: verdict.reason }) : verdict;
    case 'unauthorised':
      return verdict;
    case 'not-sent':
      return verdict.end;
    case 'taken':
      return isRepeat && !isSuccess(verdict.status) && verdict.then === 'look-up'
        ? settleRefused(context, action, step, { ...open, text: verdict.text })
        : takeAnswer(open, verdict);
    case 'again': {
      const { text, last, retryAfterMs } = verdict;
      // Why the second request was not carried out says nothing about the first.
      const end: StepResult = isRepeat
        ? { result: 'unknown', reason: `an earlier request had no response: ${text}` }
        : last;
      return sendAgainLater(open, text, end, retryAfterMs);
    }
    case 'unclear': {
      const { text, retryAfterMs } = verdict;
      if (!step.idempotent) {
        open.isRepeat = true;
        return recover(context, action, step, { ...open, text });
      }
      const next = action.hook === 'command' ? '' : ', and the next plan reads what is true';
      const reason = `its outcome is not confirmed${next}: ${text}`;
      return sendAgainLater(open, text, { result: 'failed', reason }, retryAfterMs);
    }
  }
}

async function takeAnswer(
  { context, action, step, saved, sentAtMs }: OpenRequest,
  { status, row, then, reason, text, outputs: captured }: Extract<AnswerVerdict, { readonly result: 'taken' }>,
): Promise<StepResult> {
  const outputs = { ...saved, ...captured };
  const { address } = action;
  await journalOf(
    context,
    step,
  )({
    type: 'answered',
    address,
    step: step.name,
    status,
    row,
    outputs,
    ...((then === 'wait-for' || then === 'look-up') && { follow: then }),
  });
  context.known.learn(address, outputs);
  if (then === 'look-up') return findMade(context, action, step, { status, sentAtMs, text });
  context.release(step.unlocks ?? []);
  switch (then) {
    case 'done':
      return { result: 'done', outputs };
    case 'wait-for':
      return followAnswer(context, action, step, row);
    case 'waiting':
      return { result: 'waiting', reason: reason ?? 'someone outside has to act first' };
    case 'pending-external':
      return { result: 'pending-external', reason: fillText(reason ?? 'someone outside has to act first', outputs) };
  }
}

/** A text with the outputs that it names. */
function fillText(text: string, outputs: Outputs): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => outputs[name] ?? whole);
}

/** Waits for what the answer promised, by the row that took it. */
export async function followAnswer(
  context: RunContext,
  { address }: Action,
  step: RequestStep,
  row: string | null,
): Promise<StepResult> {
  const wanted = rowNamed(step.answers, row)?.waitFor;
  if (wanted === undefined) return { result: 'done', outputs: {} };
  const waited = await waitFor(address, wanted, context, {
    journal: (outputs) => context.ledger.append({ type: 'learnt', address, step: step.name, outputs }),
  });
  if (waited.result === 'done')
    await journalOf(context, step)({ type: 'followed', address, step: step.name, outputs: waited.outputs });
  return waited;
}

/**
 * How an answer is written down. One that can be had only once is on stable storage before anything else happens; what
 * would simply be asked for again may wait.
 */
function journalOf({ ledger }: RunContext, { idempotent, oneTimeSecret }: RequestStep): Ledger['append'] {
  return idempotent && oneTimeSecret === undefined ? ledger.note : ledger.append;
}

/** Returns the end of a step with the time from which on the platform accepts its request again. */
function withResumption(end: StepResult, { clock }: RunContext, retryAfterMs: number): StepResult {
  if (!('reason' in end) || end.reason === undefined) return end;
  const until = showTime(clock.now() + retryAfterMs);
  return { ...end, reason: `${end.reason}; the platform accepts it again from ${until} on (Retry-After)` };
}

/** Waits, then says `again`; `last` is how the step ends when it was sent often enough. */
async function sendAgainLater(
  { context, attempts }: OpenRequest,
  text: string,
  last: StepResult,
  retryAfterMs?: number,
): Promise<StepResult | 'again'> {
  if (context.limits.closedToWrites() !== undefined) return { result: 'stopped' };
  if (attempts >= MOST_ATTEMPTS) return last;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS)
    return withResumption(last, context, retryAfterMs);
  const inMs = Math.max(backoffMs, retryAfterMs ?? 0);
  context.emit({ type: 'retrying', text: context.redactor.text(text), inMs });
  return (await pause(context, inMs)) ? 'again' : { result: 'stopped' };
}
