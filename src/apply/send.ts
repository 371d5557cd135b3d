// How one request is made exactly once: journalled, sent, its answer judged, a lost answer confirmed by reading. An
// unsafe request is never sent again while it may have been carried out.
import type { Reserved } from '../model/secret-sink.ts';
import type { Action } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { WriteRequest } from '../platform/http.ts';
import type { Verdict } from './answers.ts';
import { isSuccess, judgeAnswer, judgeFailure } from './answers.ts';
import type { RunContext } from './context.ts';
import { pause } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import { saveAnswer, SECRET_LOST } from './one-time-secret.ts';
import { fillLookUp } from './look-up.ts';
import { findLost } from './recovery.ts';
import { fillBody, fillPath } from './resolve.ts';
import { waitFor } from './wait-for.ts';

/** How a step ended. */
export type StepEnd =
  | { readonly end: 'done'; readonly outputs: Outputs }
  | {
      readonly end: 'failed';
      readonly reason: string;
      readonly as?: 'conflict' | 'scope';
      /** Only because something could not be read. */ readonly unread?: true;
    }
  | { readonly end: 'blocked'; readonly reason: string }
  | { readonly end: 'waiting'; readonly reason: string }
  /** Left out of what an earlier run began: the next plan decides anew. */
  | { readonly end: 'dropped'; readonly reason: string }
  /** Done, and what is missing is up to someone outside; nothing stays in flight. */
  | { readonly end: 'pending-external'; readonly reason: string }
  | { readonly end: 'unknown'; readonly reason: string }
  /** `refused`: the request itself was, so that it changed nothing. */
  | { readonly end: 'unauthorised'; readonly reason: string; readonly refused?: true }
  /** `reason`: what was waited for. */
  | { readonly end: 'stopped'; readonly reason?: string };

/** An earlier sending of this step whose answer was never recorded. */
export interface EarlierSending {
  readonly sentAtMs: number;
  readonly sendings: number;
}

/** Of a request that was not carried out, or that may be repeated. */
const MOST_ATTEMPTS = 5;
/** Of what may have been carried out, after reading each time. */
const MOST_UNSAFE_SENDINGS = 3;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

interface Sending {
  readonly context: RunContext;
  readonly action: Action;
  readonly step: RequestStep;
  readonly onSending: () => void;
  sendings: number;
  sentAtMs: number;
  /** How often this run has tried, whether it left or not. */
  attempts: number;
  /** The file for what the answer tells only once, and what became of it. */
  reserved?: Reserved;
  saved?: Outputs;
}

/** Sends until the outcome is known, or cannot be known. `onSending` is told of each sending that may leave. */
export async function sendRequest(
  context: RunContext,
  action: Action,
  step: RequestStep,
  onSending: () => void,
  earlier?: EarlierSending,
): Promise<StepEnd> {
  const request: WriteRequest = {
    method: step.method,
    path: fillPath(step.path, context),
    ...(step.body !== undefined && { body: fillBody(step.body, context) }),
  };
  // What cannot be asked afterwards must not be sent.
  if (step.recovery !== undefined) fillLookUp(step.recovery.lookUp, context);
  // From here on it is lost until it is kept, whatever is known of an earlier object at this address.
  if (step.oneTimeSecret !== undefined) context.known.learn(action.address, SECRET_LOST);
  const sending: Sending = {
    context,
    action,
    step,
    onSending,
    sendings: earlier?.sendings ?? 0,
    sentAtMs: earlier?.sentAtMs ?? 0,
    attempts: 0,
  };
  let verdict: Verdict | undefined =
    earlier === undefined
      ? undefined
      : { verdict: 'ambiguous', text: 'an earlier run sent it, and its answer was never recorded' };
  // A safe request of an earlier run is simply sent again.
  if (step.idempotent) verdict = undefined;
  try {
    for (;;) {
      if (verdict === undefined) {
        if (context.halt.closed() !== undefined) return { end: 'stopped' };
        verdict = await sendOnce(sending, request);
      }
      const next = await takeVerdict(sending, verdict);
      if (next !== 'again') return next;
      verdict = undefined;
    }
  } finally {
    await sending.reserved?.release();
  }
}

async function sendOnce(sending: Sending, request: WriteRequest): Promise<Verdict> {
  const { context, action, step } = sending;
  const { oneTimeSecret } = step;
  sending.attempts += 1;
  if (oneTimeSecret !== undefined && sending.reserved === undefined) {
    const reserved = await context.secretSink.reserve(oneTimeSecret.file);
    if ('reason' in reserved)
      return {
        verdict: 'blocked',
        reason: `the file ${oneTimeSecret.file} ${reserved.reason}, so nothing was sent (${oneTimeSecret.rule})`,
      };
    sending.reserved = reserved;
  }
  // On stable storage first: a run that dies now is known to have sent. Not before its turn has come: what never left
  // was never sent.
  const leaving = async (): Promise<void> => {
    await context.ledger.append({ type: 'sent', address: action.address, step: step.name });
    sending.onSending();
    sending.sendings += 1;
    sending.sentAtMs = context.clock.now();
  };
  try {
    const answer = await context.client.send(request, { leaving });
    // Before anything else can fail, and before anything is said of it.
    if (oneTimeSecret !== undefined && sending.reserved !== undefined && isSuccess(answer.status))
      sending.saved = await saveAnswer(context, action.address, oneTimeSecret, sending.reserved, answer.body);
    return judgeAnswer(step, answer);
  } catch (error) {
    if (error instanceof ApiError) return judgeFailure(error);
    throw error;
  }
}

async function takeVerdict(sending: Sending, verdict: Verdict): Promise<StepEnd | 'again'> {
  const { context, step } = sending;
  switch (verdict.verdict) {
    case 'taken':
      return takeAnswer(sending, verdict);
    case 'fail':
      return { end: 'failed', reason: verdict.reason, ...(verdict.scope === true && { as: 'scope' }) };
    case 'blocked':
      return { end: 'blocked', reason: verdict.reason };
    case 'retry':
      return sendAgainLater(sending, verdict.reason, { end: 'blocked', reason: verdict.reason }, verdict.retryAfterMs);
    case 'unauthorised':
      return { end: 'unauthorised', reason: verdict.reason, refused: true };
    case 'look-up':
      await recordLookUp(sending, verdict.status, verdict.row);
      return findMade(context, sending.action, step, verdict.status, sending.sentAtMs, verdict.text);
    case 'unsent':
      return sendAgainLater(sending, verdict.text, { end: 'failed', reason: `it could not be sent: ${verdict.text}` });
    case 'ambiguous':
      if (!step.idempotent) return resolveAmbiguous(sending, verdict.text);
      return sendAgainLater(
        sending,
        verdict.text,
        {
          end: 'failed',
          reason: `its outcome is not confirmed, and the next plan reads what is true: ${verdict.text}`,
        },
        verdict.retryAfterMs,
      );
  }
}

async function takeAnswer(
  { context, action, step, saved }: Sending,
  verdict: Extract<Verdict, { readonly verdict: 'taken' }>,
): Promise<StepEnd> {
  const { status, row, then, reason } = verdict;
  const outputs = { ...saved, ...verdict.outputs };
  const { address } = action;
  await context.ledger.append({
    type: 'answered',
    address,
    step: step.name,
    status,
    row,
    outputs,
    ...(then === 'wait-for' && { follow: 'wait-for' as const }),
  });
  context.known.learn(address, outputs);
  context.release(step.unlocks ?? []);
  if (then === 'pending-external')
    return { end: 'pending-external', reason: fillText(reason ?? 'someone outside has to act first', outputs) };
  if (then === 'waiting') return { end: 'waiting', reason: reason ?? 'someone outside has to act first' };
  if (then === 'done' || verdict.waitFor === undefined) return { end: 'done', outputs };
  return followWait(context, action, step, row);
}

/** A text with the outputs that it names. */
function fillText(text: string, outputs: Outputs): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => outputs[name] ?? whole);
}

/** Waits for what the answer promised, by the row that took it. */
export async function followWait(
  context: RunContext,
  action: Action,
  step: RequestStep,
  row: number | null,
): Promise<StepEnd> {
  const { address } = action;
  const wanted = row === null ? undefined : step.answers[row]?.waitFor;
  if (wanted === undefined) return { end: 'done', outputs: {} };
  const succeeded = await waitFor(address, wanted, context, async (outputs) => {
    context.known.learn(address, outputs);
    await context.ledger.append({ type: 'learnt', address, step: step.name, outputs });
  });
  if (succeeded.end !== 'settled') return succeeded;
  context.known.learn(address, succeeded.outputs);
  await context.ledger.append({ type: 'followed', address, step: step.name, outputs: succeeded.outputs });
  return { end: 'done', outputs: succeeded.outputs };
}

async function recordLookUp(
  { context, action, step, saved = {} }: Sending,
  status: number,
  row: number | null,
): Promise<void> {
  context.known.learn(action.address, saved);
  await context.ledger.append({
    type: 'answered',
    address: action.address,
    step: step.name,
    status,
    row,
    follow: 'look-up',
    outputs: saved,
  });
}

/** Finds what an answer says was made. It is never sent again: the platform answered. */
export async function findMade(
  context: RunContext,
  action: Action,
  step: RequestStep,
  status: number,
  sinceMs: number,
  text: string,
): Promise<StepEnd> {
  if (step.recovery === undefined)
    return { end: 'unknown', reason: `${text}, and nothing says how to find what it made` };
  const found = await findLost(context, action.address, step.recovery, sinceMs, isSuccess(status));
  switch (found.end) {
    case 'found':
      context.known.learn(action.address, found.outputs);
      await context.ledger.append({
        type: 'followed',
        address: action.address,
        step: step.name,
        outputs: found.outputs,
      });
      context.release(step.unlocks ?? []);
      return { end: 'done', outputs: found.outputs };
    case 'none':
      // An error that reading confirms is one; a success that nothing shows is a riddle.
      return isSuccess(status) || status >= 500
        ? { end: 'unknown', reason: `${text}, and nothing that it made is found` }
        : { end: 'failed', reason: text };
    case 'unknown':
      return { end: 'unknown', reason: `${text}, and ${found.reason}` };
    case 'unauthorised':
    case 'stopped':
      return found;
  }
}

async function resolveAmbiguous(sending: Sending, text: string): Promise<StepEnd | 'again'> {
  const { context, action, step, sentAtMs } = sending;
  if (step.recovery === undefined)
    return { end: 'unknown', reason: `${text}, and nothing says how to find out whether it was carried out` };
  const found = await findLost(context, action.address, step.recovery, sentAtMs, false);
  switch (found.end) {
    case 'found':
      context.known.learn(action.address, found.outputs);
      await context.ledger.append({
        type: 'answered',
        address: action.address,
        step: step.name,
        status: null,
        row: null,
        outputs: found.outputs,
      });
      context.release(step.unlocks ?? []);
      return { end: 'done', outputs: found.outputs };
    case 'none':
      if (step.recovery.ifNotFound === 'blocked')
        return { end: 'blocked', reason: `${text}; reading shows that nothing was done (${step.recovery.rule})` };
      if (step.recovery.ifNotFound === 'unknown')
        return {
          end: 'unknown',
          reason: `${text}; nothing that it made is found, but that proves nothing (${step.recovery.rule})`,
        };
      if (sending.sendings < MOST_UNSAFE_SENDINGS) return 'again';
      return {
        end: 'failed',
        reason: `it was sent ${sending.sendings} times and reading shows that it was never carried out: ${text}`,
      };
    case 'unknown':
      return { end: 'unknown', reason: `${text}, and ${found.reason}` };
    case 'unauthorised':
    case 'stopped':
      return found;
  }
}

/** Waits, then says `again`; `last` is how the step ends when it was sent often enough. */
async function sendAgainLater(
  { context, attempts }: Sending,
  text: string,
  last: StepEnd,
  retryAfterMs?: number,
): Promise<StepEnd | 'again'> {
  if (context.halt.closed() !== undefined) return { end: 'stopped' };
  if (attempts >= MOST_ATTEMPTS) return last;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  const inMs = Math.min(LONGEST_RETRY_AFTER_MS, Math.max(backoffMs, retryAfterMs ?? 0));
  context.emit({ type: 'retrying', text: context.redactor.text(text), inMs });
  return (await pause(context, inMs)) ? 'again' : { end: 'stopped' };
}
