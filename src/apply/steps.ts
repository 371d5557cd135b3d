// How each of the four steps of the grammar is run, fresh or continued from an earlier run. A task that says OK proves
// nothing by itself: what it changed is read (TSK-10).
import { rowNamed } from '../model/ledger/begun.ts';
import type { Observed } from '../model/plan/observed.ts';
import type { Action } from '../model/plan/plan.ts';
import { changedFields, fieldIn } from '../model/plan/plan.ts';
import type { LookUpStep, RequestStep, WaitForStep, Step, VerifyStep } from '../model/plan/step.ts';
import type { Resumed, RunContext } from './context.ts';
import { pause, pollDelayMs, withSharedReads } from './context.ts';
import { isSeen, mismatches } from './expectations.ts';
import { answeredByFile, confirmSaved } from './one-time-secret.ts';
import { lookUp } from './look-up.ts';
import type { ApiError } from '../platform/api-error.ts';
import { MissingOutput } from './resolve.ts';
import { findMade, recover } from './recovery.ts';
import { isGuarded } from './expectations.ts';
import type { ReadResult, StepResult } from './results.ts';
import type { EarlierSending } from './send.ts';
import { followAnswer, sendRequest } from './send.ts';
import { waitFor } from './wait-for.ts';

/** How far an action has come; `sent` turns true with the first request that may have left. */
export interface Progress {
  readonly resumed: Resumed | undefined;
  sent: boolean;
}

const DONE: StepResult = { result: 'done', outputs: {} };
/** A read-back that still shows the old value may be a list that lags behind. */
const LOOKS_TO_VERIFY = 4;

/** Runs one step. Throws MissingOutput and ApiError for what could not be asked. */
export async function runStep(
  context: RunContext,
  action: Action,
  step: Step,
  progress: Progress,
): Promise<StepResult> {
  switch (step.do) {
    case 'look-up':
      return runLookUp(context, action, step, progress);
    case 'request':
      return runRequest(context, action, step, progress);
    case 'wait-for':
      return runWaitFor(context, action, step, progress);
    case 'verify':
      return verify(context, action, step);
  }
}

async function runLookUp(
  context: RunContext,
  action: Action,
  { lookUp: query, reason, unless }: LookUpStep,
  { sent }: Progress,
): Promise<StepResult> {
  if (unless !== undefined && sent) return DONE;
  const found = await lookUp(query, context);
  if (unless !== undefined && found.result === 'none')
    return { result: 'failed', reason: `${unless}; nothing was sent`, cause: 'conflict' };
  if (found.result !== 'found') return notFound(found, reason, Object.keys(query.capture)[0]);
  context.known.learn(action.address, found.outputs);
  return { result: 'done', outputs: found.outputs };
}

/** `wanted`: what the answer would have been called, such as `mailbox bob@example.com`. */
function notFound(
  found: Exclude<ReadResult, { readonly result: 'found' }>,
  reason: string,
  wanted = 'such object',
): StepResult {
  switch (found.result) {
    case 'none':
      return { result: 'failed', reason: `there is no ${wanted}` };
    case 'ambiguous':
    case 'incomplete':
      return { result: 'failed', reason: `${found.reason} (${reason})` };
    case 'unreadable':
      return readFailed(found.error);
  }
}

/** How a step ends that got no answer to a read. */
export function readFailed({ kind, message, sharedReason }: ApiError): StepResult {
  return { result: kind === 'unauthorised' ? 'unauthorised' : 'unreadable', reason: sharedReason ?? message };
}

async function runWaitFor(
  context: RunContext,
  action: Action,
  step: WaitForStep,
  { resumed }: Progress,
): Promise<StepResult> {
  // A person has told what it was to find.
  if ((resumed !== undefined && Object.hasOwn(resumed.answered, step.name)) || isReportedAlready(context, action, step))
    return DONE;
  const waited = await waitFor(action.address, step.waitFor, context, { isOpen: step.open === true });
  if (waited.result === 'waiting' && step.optional === true) return DONE;
  return waited.result === 'waiting' && step.open === true ? { ...waited, result: 'pending-external' } : waited;
}

/** A person may have found what was made, where nothing is known that could be asked (ORD-44). */
function isReportedAlready({ known }: RunContext, { address }: Action, { waitFor: wanted }: WaitForStep): boolean {
  const names = 'capture' in wanted ? Object.keys(wanted.capture) : [];
  return names.length > 0 && names.every((name) => known.outputsOf(address)[name] !== undefined);
}

/** What becomes of a request that the guards count and no earlier run is known to have sent. */
export const PLANNED_ANEW = 'the next plan decides anew whether it is done';

function hasSentGuarded(action: Action, { answered, unanswered }: Resumed): boolean {
  return action.steps.some(
    (step) =>
      step.do === 'request' &&
      isGuarded(action, step) &&
      (step.name === unanswered || Object.hasOwn(answered, step.name)),
  );
}

async function runRequest(
  context: RunContext,
  action: Action,
  step: RequestStep,
  progress: Progress,
): Promise<StepResult> {
  return confirmSaved(context, action, step, await makeRequest(context, action, step, progress));
}

async function makeRequest(
  context: RunContext,
  action: Action,
  step: RequestStep,
  progress: Progress,
): Promise<StepResult> {
  const { resumed } = progress;
  if (resumed?.pending?.step === step.name) return followUp(context, action, step, resumed);
  // Its answer is in the ledger: never again.
  if (resumed !== undefined && Object.hasOwn(resumed.answered, step.name)) return DONE;
  if (resumed?.unanswered === step.name) {
    if (await answeredByFile(context, action, step)) return DONE;
    if (resumed.mode === 'follow') return findUnanswered(context, action, step, resumed);
    return sendTracked(context, action, step, progress, {
      sentAtMs: resumed.sentAtMs ?? 0,
      sendings: resumed.sendings ?? 1,
    });
  }
  if (
    resumed !== undefined &&
    (resumed.mode === 'follow' || (isGuarded(action, step) && !hasSentGuarded(action, resumed)))
  )
    return { result: 'dropped', reason: `it was never sent; ${PLANNED_ANEW}` };
  // After its own request an action looks as a wait does; before its first one it looks anew.
  const skipped = await skipIfDone(progress.sent ? withSharedReads(context) : context, action, step);
  if (skipped !== undefined) return skipped;
  return sendTracked(context, action, step, progress);
}

/** Finds out by reading what became of a request whose answer was never recorded, and sends nothing. */
async function findUnanswered(
  context: RunContext,
  action: Action,
  step: RequestStep,
  { sentAtMs = 0, sendings = 1 }: Resumed,
): Promise<StepResult> {
  const planned = { result: 'dropped', reason: `it was not carried out; ${PLANNED_ANEW}` } as const;
  if (step.idempotent) return planned;
  const text = 'an earlier run sent it, and its answer was never recorded';
  const found = await recover(context, action, step, { sentAtMs, sendings, text });
  return found === 'again' ? planned : found;
}

/** Sends, and writes down in `progress` whether anything may have left. */
async function sendTracked(
  context: RunContext,
  action: Action,
  step: RequestStep,
  progress: Progress,
  earlier?: EarlierSending,
): Promise<StepResult> {
  const before = progress.sent;
  let mayHaveLeft = earlier !== undefined;
  const onSending = (): void => {
    mayHaveLeft = true;
    progress.sent = true;
  };
  try {
    const ended = await sendRequest(context, action, step, { onSending, isMidway: () => progress.sent }, earlier);
    if (ended.result === 'unauthorised' && ended.refused === true) progress.sent = before;
    return ended;
  } catch (error) {
    if (error instanceof MissingOutput && mayHaveLeft)
      return { result: 'unknown', reason: `it was sent, and ${error.message}` };
    throw error;
  }
}

/** What was left to do with an answer that an earlier run recorded. */
async function followUp(
  context: RunContext,
  action: Action,
  step: RequestStep,
  { pending, sentAtMs }: Resumed,
): Promise<StepResult> {
  if (pending === undefined) return DONE;
  const { status, row, follow } = pending;
  if (follow === 'wait-for' && rowNamed(step.answers, row) === undefined)
    return { result: 'unknown', reason: `it was answered ${status}, and this version does not know how to follow it` };
  if (follow === 'wait-for') return followAnswer(context, action, step, row);
  return findMade(context, action, step, {
    status,
    sentAtMs: sentAtMs ?? 0,
    text: `the platform answered ${status}`,
  });
}

/** The result of a step that need not be sent, or that nobody can tell of; undefined when it is to be sent. */
async function skipIfDone(
  context: RunContext,
  action: Action,
  { skipIf }: RequestStep,
): Promise<StepResult | undefined> {
  if (skipIf === undefined) return undefined;
  const found = await lookUp(skipIf.lookUp, context);
  if (found.result === 'none' || found.result === 'incomplete') return undefined;
  if (found.result !== 'found') return notFound(found, skipIf.reason);
  context.known.learn(action.address, found.outputs);
  return { result: 'done', outputs: found.outputs };
}

/** Reads the object back until it is as wanted, or will not be. */
async function verify(context: RunContext, whole: Action, { only }: VerifyStep): Promise<StepResult> {
  const action =
    only === undefined
      ? whole
      : { ...whole, changes: whole.changes.filter(({ path }) => only.includes(fieldIn(path))) };
  for (let looks = 1; ; looks += 1) {
    const observed = await readBack(context, action);
    const differences = isSeen(observed) ? mismatches(action, observed) : undefined;
    if (differences?.length === 0) return DONE;
    if (looks >= LOOKS_TO_VERIFY) {
      if (differences !== undefined) return { result: 'failed', reason: differences.join('; ') };
      return { result: 'waiting', reason: `it was written and cannot be read back: ${unreadText(observed)}` };
    }
    if (!(await pause(context, pollDelayMs(looks - 1)))) return { result: 'stopped' };
  }
}

async function readBack(context: RunContext, action: Action): Promise<Observed | undefined> {
  return (
    await context.observeAfter(
      [action.address],
      context.known.ids(),
      removedBy(action),
      new Map([[action.address, changedFields(action.changes)]]),
    )
  ).get(action.address);
}

function removedBy({ address, verb }: Action): ReadonlySet<string> {
  return new Set(verb === 'delete' ? [address] : []);
}

function unreadText(observed: Observed | undefined): string {
  return observed !== undefined && 'reason' in observed ? observed.reason : 'it was not read';
}
