// Decides how one request is made exactly once: journalled, sent, its answer judged, a lost answer settled by reading.
// An unsafe request is never sent again while it may have been carried out. Must not know which kind it serves.
import type { Reserved } from '../model/keeper.ts';
import type { Action } from '../model/plan/plan.ts';
import type { RequestStep } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { WriteRequest } from '../platform/http.ts';
import type { Verdict } from './answers.ts';
import { isSuccess, judgeAnswer, judgeFailure } from './answers.ts';
import type { RunContext } from './context.ts';
import { pause } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import { keepAnswer, NOT_KEPT } from './keep.ts';
import { fillLocate } from './locate.ts';
import { findLost } from './lost.ts';
import { fillBody, fillPath } from './resolve.ts';
import { settle } from './settle.ts';

/** How a step ended. */
export type StepEnd =
  | { readonly end: 'done'; readonly outputs: Outputs }
  | {
      readonly end: 'failed';
      readonly because: string;
      readonly as?: 'conflict' | 'scope';
      /** Only because something could not be read. */ readonly unread?: true;
    }
  | { readonly end: 'blocked'; readonly because: string }
  | { readonly end: 'waiting'; readonly because: string }
  /** Left out of what an earlier run began: the next plan decides anew. */
  | { readonly end: 'dropped'; readonly because: string }
  /** Done, and what is missing is up to someone outside; nothing stays in flight. */
  | { readonly end: 'left'; readonly because: string }
  | { readonly end: 'unknown'; readonly because: string }
  /** `refused`: the request itself was, so that it changed nothing. */
  | { readonly end: 'unauthorised'; readonly because: string; readonly refused?: true }
  /** `because`: what was waited for. */
  | { readonly end: 'stopped'; readonly because?: string };

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
  kept?: Outputs;
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
  if (step.lost !== undefined) fillLocate(step.lost.locate, context);
  // From here on it is lost until it is kept, whatever is known of an earlier object at this address.
  if (step.keep !== undefined) context.known.learn(action.address, NOT_KEPT);
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
  if (step.repeat === 'safe') verdict = undefined;
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
  const { keep } = step;
  sending.attempts += 1;
  if (keep !== undefined && sending.reserved === undefined) {
    const reserved = await context.keeper.reserve(keep.file);
    if ('because' in reserved)
      return {
        verdict: 'blocked',
        because: `the file ${keep.file} ${reserved.because}, so nothing was sent (${keep.rule})`,
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
    if (keep !== undefined && sending.reserved !== undefined && isSuccess(answer.status))
      sending.kept = await keepAnswer(context, action.address, keep, sending.reserved, answer.body);
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
    case 'stop':
      return { end: 'failed', because: verdict.because, ...(verdict.scope === true && { as: 'scope' }) };
    case 'blocked':
      return { end: 'blocked', because: verdict.because };
    case 'retry':
      return sendAgainLater(
        sending,
        verdict.because,
        { end: 'blocked', because: verdict.because },
        verdict.retryAfterMs,
      );
    case 'unauthorised':
      return { end: 'unauthorised', because: verdict.because, refused: true };
    case 'locate':
      await recordLocate(sending, verdict.status, verdict.row);
      return findMade(context, sending.action, step, verdict.status, sending.sentAtMs, verdict.text);
    case 'unsent':
      return sendAgainLater(sending, verdict.text, { end: 'failed', because: `it could not be sent: ${verdict.text}` });
    case 'ambiguous':
      if (step.repeat === 'unsafe') return settleAmbiguous(sending, verdict.text);
      return sendAgainLater(
        sending,
        verdict.text,
        {
          end: 'failed',
          because: `its outcome is not confirmed, and the next plan reads what is true: ${verdict.text}`,
        },
        verdict.retryAfterMs,
      );
  }
}

async function takeAnswer(
  { context, action, step, kept }: Sending,
  verdict: Extract<Verdict, { readonly verdict: 'taken' }>,
): Promise<StepEnd> {
  const { status, row, then, because } = verdict;
  const outputs = { ...kept, ...verdict.outputs };
  const { address } = action;
  await context.ledger.append({
    type: 'answered',
    address,
    step: step.name,
    status,
    row,
    outputs,
    ...(then === 'settle' && { follow: 'settle' as const }),
  });
  context.known.learn(address, outputs);
  context.release(step.releases ?? []);
  if (then === 'left')
    return { end: 'left', because: fillText(because ?? 'someone outside has to act first', outputs) };
  if (then === 'waiting') return { end: 'waiting', because: because ?? 'someone outside has to act first' };
  if (then === 'done' || verdict.settle === undefined) return { end: 'done', outputs };
  return followSettle(context, action, step, row);
}

/** A text with the outputs that it names. */
function fillText(text: string, outputs: Outputs): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => outputs[name] ?? whole);
}

/** Waits for what the answer promised, by the row that took it. */
export async function followSettle(
  context: RunContext,
  action: Action,
  step: RequestStep,
  row: number | null,
): Promise<StepEnd> {
  const { address } = action;
  const wanted = row === null ? undefined : step.answers[row]?.settle;
  if (wanted === undefined) return { end: 'done', outputs: {} };
  const settled = await settle(address, wanted, context, async (outputs) => {
    context.known.learn(address, outputs);
    await context.ledger.append({ type: 'learnt', address, step: step.name, outputs });
  });
  if (settled.end !== 'settled') return settled;
  context.known.learn(address, settled.outputs);
  await context.ledger.append({ type: 'followed', address, step: step.name, outputs: settled.outputs });
  return { end: 'done', outputs: settled.outputs };
}

async function recordLocate(
  { context, action, step, kept = {} }: Sending,
  status: number,
  row: number | null,
): Promise<void> {
  context.known.learn(action.address, kept);
  await context.ledger.append({
    type: 'answered',
    address: action.address,
    step: step.name,
    status,
    row,
    follow: 'locate',
    outputs: kept,
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
  if (step.lost === undefined) return { end: 'unknown', because: `${text}, and nothing says how to find what it made` };
  const found = await findLost(context, action.address, step.lost, sinceMs, isSuccess(status));
  switch (found.end) {
    case 'found':
      context.known.learn(action.address, found.outputs);
      await context.ledger.append({
        type: 'followed',
        address: action.address,
        step: step.name,
        outputs: found.outputs,
      });
      context.release(step.releases ?? []);
      return { end: 'done', outputs: found.outputs };
    case 'none':
      // An error that reading confirms is one; a success that nothing shows is a riddle.
      return isSuccess(status) || status >= 500
        ? { end: 'unknown', because: `${text}, and nothing that it made is found` }
        : { end: 'failed', because: text };
    case 'unknown':
      return { end: 'unknown', because: `${text}, and ${found.because}` };
    case 'unauthorised':
    case 'stopped':
      return found;
  }
}

async function settleAmbiguous(sending: Sending, text: string): Promise<StepEnd | 'again'> {
  const { context, action, step, sentAtMs } = sending;
  if (step.lost === undefined)
    return { end: 'unknown', because: `${text}, and nothing says how to find out whether it was carried out` };
  const found = await findLost(context, action.address, step.lost, sentAtMs, false);
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
      context.release(step.releases ?? []);
      return { end: 'done', outputs: found.outputs };
    case 'none':
      if (step.lost.none === 'blocked')
        return { end: 'blocked', because: `${text}; reading shows that nothing was done (${step.lost.rule})` };
      if (step.lost.none === 'stop')
        return {
          end: 'unknown',
          because: `${text}; nothing that it made is found, but that proves nothing (${step.lost.rule})`,
        };
      if (sending.sendings < MOST_UNSAFE_SENDINGS) return 'again';
      return {
        end: 'failed',
        because: `it was sent ${sending.sendings} times and reading shows that it was never carried out: ${text}`,
      };
    case 'unknown':
      return { end: 'unknown', because: `${text}, and ${found.because}` };
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
