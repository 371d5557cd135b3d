// Decides how each of the four steps of the grammar is run, fresh or continued from an earlier run. A task that says OK
// proves nothing by itself: what it changed is read (TSK-10). Must not decide what its end means for the action.
import { PURSE } from '../model/kind/kind.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { Observed } from '../model/plan/observed.ts';
import type { Action } from '../model/plan/plan.ts';
import type { LocateStep, RequestStep, SettleStep, Step, VerifyStep } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import { ownDoing, pause, pollDelayMs, withSharedReads } from './context.ts';
import { classifyMidway, isSeen, mismatches, touchedFields } from './expectations.ts';
import type { Found } from './locate.ts';
import { answeredByFile, endKept } from './keep.ts';
import { locate } from './locate.ts';
import { lookedAt } from './preflight.ts';
import { MissingOutput } from './resolve.ts';
import type { EarlierSending, StepEnd } from './send.ts';
import { findMade, followSettle, sendRequest } from './send.ts';
import { settle } from './settle.ts';

/** How far an action has come; `sent` turns true with the first request that may have left. */
export interface Progress {
  readonly resumed: InFlight | undefined;
  sent: boolean;
}

const DONE: StepEnd = { end: 'done', outputs: {} };
/** A read-back that still shows the old value may be a list that lags behind. */
const LOOKS_TO_VERIFY = 4;

/** Runs one step. Throws MissingOutput and ApiError for what could not be asked. */
export async function runStep(context: RunContext, action: Action, step: Step, progress: Progress): Promise<StepEnd> {
  switch (step.do) {
    case 'locate':
      return runLocate(context, action, step, progress);
    case 'request':
      return runRequest(context, action, step, progress);
    case 'settle':
      return runSettle(context, action, step, progress);
    case 'verify':
      return verify(context, action, step);
  }
}

async function runLocate(
  context: RunContext,
  action: Action,
  { locate: query, because, unless }: LocateStep,
  { sent }: Progress,
): Promise<StepEnd> {
  if (unless !== undefined && sent) return DONE;
  const found = await locate(query, context);
  if (unless !== undefined && found.found === 'none')
    return { end: 'failed', because: `${unless}; nothing was sent`, as: 'conflict' };
  if (found.found !== 'one') return notLocated(found, because);
  context.known.learn(action.address, found.outputs);
  return { end: 'done', outputs: found.outputs };
}

function notLocated(found: Exclude<Found, { readonly found: 'one' }>, because: string): StepEnd {
  switch (found.found) {
    case 'none':
      return { end: 'failed', because: `nothing answers to it (${because})` };
    case 'many':
      return {
        end: 'failed',
        because: `${found.count} rows answer to it, and which is meant cannot be known (${because})`,
      };
    case 'incomplete':
      return { end: 'failed', because: `it is there without a value that is needed of it (${because})` };
    case 'unread':
      return found.error.kind === 'unauthorised'
        ? { end: 'unauthorised', because: found.error.message }
        : { end: 'failed', because: found.error.message, unread: true };
  }
}

async function runSettle(
  context: RunContext,
  action: Action,
  step: SettleStep,
  { resumed }: Progress,
): Promise<StepEnd> {
  // A person has told what it was to find.
  if ((resumed !== undefined && Object.hasOwn(resumed.answered, step.name)) || isToldAlready(context, action, step))
    return DONE;
  const settled = await settle(action.address, step.settle, context);
  if (settled.end === 'waiting' && step.open === true) return { end: 'left', because: settled.because };
  if (settled.end !== 'settled') return settled;
  context.known.learn(action.address, settled.outputs);
  return { end: 'done', outputs: settled.outputs };
}

/** A person may have found what a purchase made, where no cart and no order is known to ask (ORD-44). */
function isToldAlready({ known }: RunContext, { address }: Action, { settle: wanted }: SettleStep): boolean {
  const names = wanted.how === 'cart' ? Object.keys(wanted.take) : [];
  return names.length > 0 && names.every((name) => known.outputsOf(address)[name] !== undefined);
}

/** What becomes of a request that the guards count and no earlier run is known to have sent. */
export const PLANNED_ANEW = 'the next plan decides anew whether it is done';

/** True for a request that the guards count: it spends money, or ends what is there. What moves does not end (O-14). */
export function isGuarded({ verb, risk, expect }: Action, { releases = [] }: RequestStep): boolean {
  return releases.includes(PURSE) || verb === 'delete' || (risk.includes('delete') && expect.from === undefined);
}

function hasSentGuarded(action: Action, { answered, unanswered }: InFlight): boolean {
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
): Promise<StepEnd> {
  return endKept(context, action, step, await makeRequest(context, action, step, progress));
}

async function makeRequest(
  context: RunContext,
  action: Action,
  step: RequestStep,
  progress: Progress,
): Promise<StepEnd> {
  const { resumed } = progress;
  if (resumed?.pending?.step === step.name) return followUp(context, action, step, resumed);
  // Its answer is in the ledger: never again.
  if (resumed !== undefined && Object.hasOwn(resumed.answered, step.name)) return DONE;
  if (resumed?.unanswered === step.name) {
    if (await answeredByFile(context, action, step)) return DONE;
    return sendGuarded(context, action, step, progress, {
      sentAtMs: resumed.sentAtMs ?? 0,
      sendings: resumed.sendings ?? 1,
    });
  }
  if (resumed !== undefined && isGuarded(action, step) && !hasSentGuarded(action, resumed))
    return { end: 'dropped', because: `it was never sent; ${PLANNED_ANEW}` };
  // After its own request an action looks as a wait does; before its first one it looks anew.
  const skipped = await mayBeSkipped(progress.sent ? withSharedReads(context) : context, action, step);
  if (skipped !== undefined) return skipped;
  if (step.recheck === true) {
    const objection = await recheck(context, action);
    if (objection !== undefined) return objection;
  }
  return sendGuarded(context, action, step, progress);
}

async function sendGuarded(
  context: RunContext,
  action: Action,
  step: RequestStep,
  progress: Progress,
  earlier?: EarlierSending,
): Promise<StepEnd> {
  const before = progress.sent;
  let mayHaveLeft = earlier !== undefined;
  const onSending = (): void => {
    mayHaveLeft = true;
    progress.sent = true;
  };
  try {
    const end = await sendRequest(context, action, step, onSending, earlier);
    if (end.end === 'unauthorised' && end.refused === true) progress.sent = before;
    return end;
  } catch (error) {
    if (error instanceof MissingOutput && mayHaveLeft)
      return { end: 'unknown', because: `it was sent, and ${error.message}` };
    throw error;
  }
}

/** What was left to do with an answer that an earlier run recorded. */
async function followUp(
  context: RunContext,
  action: Action,
  step: RequestStep,
  { pending, sentAtMs }: InFlight,
): Promise<StepEnd> {
  if (pending === undefined) return DONE;
  if (pending.follow === 'settle') return followSettle(context, action, step, pending.row);
  return findMade(context, action, step, pending.status, sentAtMs ?? 0, `the platform answered ${pending.status}`);
}

async function mayBeSkipped(
  context: RunContext,
  action: Action,
  { skipIf }: RequestStep,
): Promise<StepEnd | undefined> {
  if (skipIf === undefined) return undefined;
  const found = await locate(skipIf.locate, context);
  switch (found.found) {
    case 'none':
    case 'incomplete':
      return undefined;
    case 'one':
      context.known.learn(action.address, found.outputs);
      return { end: 'done', outputs: found.outputs };
    case 'many':
    case 'unread':
      return notLocated(found, skipIf.because);
  }
}

async function recheck(context: RunContext, action: Action): Promise<StepEnd | undefined> {
  const seen = await context.observe(lookedAt(action), context.known.ids(), removedBy(action));
  const { from } = action.expect;
  // What another action was to make so has to be so by now.
  const standing = classifyMidway(
    action,
    seen.get(action.address),
    ownDoing(context, action),
    from && { seen: seen.get(from.address), promised: [] },
  );
  if (standing.standing === 'conflict')
    return { end: 'failed', because: `the live side changed since the review: ${standing.because}`, as: 'conflict' };
  if (standing.standing === 'unreadable')
    return {
      end: 'failed',
      because: `it could not be looked at right before the request: ${standing.because}`,
      unread: true,
    };
  return undefined;
}

/** Reads the object back until it is as wanted, or will not be. */
async function verify(context: RunContext, whole: Action, { only }: VerifyStep): Promise<StepEnd> {
  const action =
    only === undefined
      ? whole
      : { ...whole, changes: whole.changes.filter(({ path }) => only.includes(path.split('/')[1] as string)) };
  for (let looks = 1; ; looks += 1) {
    const observed = await look(context, action);
    const differences = isSeen(observed) ? mismatches(action, observed) : undefined;
    if (differences?.length === 0) return DONE;
    if (looks >= LOOKS_TO_VERIFY) {
      if (differences !== undefined) return { end: 'failed', because: differences.join('; ') };
      return { end: 'waiting', because: `it was written and cannot be read back: ${unreadText(observed)}` };
    }
    if (!(await pause(context, pollDelayMs(looks - 1)))) return { end: 'stopped' };
  }
}

async function look(context: RunContext, action: Action): Promise<Observed | undefined> {
  return (
    await context.observeAfter(
      [action.address],
      context.known.ids(),
      removedBy(action),
      new Map([[action.address, touchedFields(action)]]),
    )
  ).get(action.address);
}

function removedBy({ address, verb }: Action): ReadonlySet<string> {
  return new Set(verb === 'delete' ? [address] : []);
}

function unreadText(observed: Observed | undefined): string {
  return observed !== undefined && 'because' in observed ? observed.because : 'it was not read';
}
