// How one action is carried out: its steps in order, then what is recorded and told of it.
import jsonPatch from 'fast-json-patch';
import type { JsonObject } from '../model/json.ts';
import type { LedgerObject } from '../model/plan/ledger-view.ts';
import type { Observed } from '../model/plan/observed.ts';
import type { ActionWord } from '../model/plan/outcome.ts';
import type { Action, Change } from '../model/plan/plan.ts';
import type { RequestStep, Step } from '../model/plan/step.ts';
import { isRepeatable, SECRET_SAVED } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Resumed, RunContext } from './context.ts';
import { ownChanges } from './context.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import { LedgerWriteError } from '../ledger/ledger.ts';
import { rotatedAfter } from '../ledger/rotation-tokens.ts';
import { hasSent } from '../ledger/state.ts';
import { lookUp } from './look-up.ts';
import { knownFor, MissingOutput } from './resolve.ts';
import type { ActionResult, StepResult } from './results.ts';
import type { Progress } from './steps.ts';
import { readFailed, runStep } from './steps.ts';

interface Running {
  readonly context: RunContext;
  readonly action: Action;
  readonly progress: Progress;
}

/** Carries out an action, or what is left of it. Rejects only for our own bugs. */
export async function runAction(run: RunContext, action: Action, resumed?: Resumed): Promise<ActionResult> {
  const context: RunContext = { ...run, known: run.known.forAction(action, resumed) };
  const running: Running = { context, action, progress: { resumed, sent: resumed !== undefined && hasSent(resumed) } };
  const { address, verb } = action;
  context.emit({ type: 'action-started', address, verb, atMs: context.clock.now() });
  const ended = await runSteps(running).catch((error: unknown) => ledgerFailed(running, error));
  const { result, reason } = ended;
  context.emit({
    type: 'action-finished',
    address,
    verb,
    result,
    ...(reason !== undefined && { reason }),
    atMs: context.clock.now(),
  });
  return ended;
}

async function runSteps(running: Running): Promise<ActionResult> {
  const { context, action, progress } = running;
  const { address } = action;
  if (progress.resumed === undefined) await begin(running);
  for (const step of action.steps) {
    if (context.limits.stopped() !== undefined) return endStopped(running, step);
    context.emit({
      type: 'step-started',
      address,
      step: step.name,
      text: textOf(step),
      atMs: context.clock.now(),
    });
    const ended = await runStep(context, action, step, progress).catch(failedStep);
    if (ended.result === 'pending-external') return succeed(running, `${step.name}: ${ended.reason}`);
    if (ended.result !== 'done') return endEarly(running, await putBack(running, ended, step), step);
  }
  return succeed(running);
}

type Ended = Exclude<StepResult, { readonly result: 'done' | 'pending-external' }>;

/** Said where an earlier step has removed what this one was to make again. */
function awayAt(step: Step, { sent }: Progress): string {
  return step.do === 'request' && step.putBack !== undefined && sent
    ? `; until then ${step.putBack.what} may not exist`
    : '';
}

/**
 * What a step that was to make something again in another form leaves behind when it does not: it is made as it was, or
 * the reason says that it is gone. What stays in flight is gone on with by the next run.
 */
async function putBack(running: Running, ended: Ended, step: Step): Promise<Ended> {
  const { context, action, progress } = running;
  if (step.do !== 'request' || step.putBack === undefined || !progress.sent) return ended;
  if (ended.result !== 'failed' && ended.result !== 'blocked') return ended;
  const { body, there, what, rule } = step.putBack;
  const { putBack: _, ...request } = step;
  const again: RequestStep = { ...request, name: 'put back', body, reason: `put ${what} back as it was`, rule };
  const { address } = action;
  context.emit({ type: 'step-started', address, step: again.name, text: again.reason, atMs: context.clock.now() });
  const done = await runStep(context, action, again, progress).catch(failedStep);
  if (done.result === 'done') return { ...ended, reason: `${ended.reason}; ${what} is as it was before` };
  // The next run tries both again.
  if (done.result === 'stopped' || done.result === 'unauthorised') return done;
  const found = await lookUp(there, context).catch(() => undefined);
  const left = {
    found: `${what} exists all the same`,
    none: `${what} does not exist now`,
  }[found?.result as string];
  const why = 'reason' in done ? ` (${done.reason})` : '';
  const lost = `it could not be put back${why}; ${left ?? `whether ${what} exists could not be read`}`;
  return { ...ended, reason: `${ended.reason}; ${lost}` };
}

async function begin({ context, action }: Running): Promise<void> {
  const own = action.expect.siblings === undefined ? [] : [...ownChanges(context, action).identities].sort();
  // It goes along with what it begins with: what was never sent is not in flight.
  await context.ledger.note({
    type: 'begin',
    runId: context.runId,
    action: context.recordOf(action),
    known: knownFor(action.steps, context),
    effects: context.effects.on(action.address),
    ...(own.length > 0 && { own }),
  });
}

/** What a step could not even ask or fill in fails the action; anything else is a bug. */
function failedStep(error: unknown): StepResult {
  if (error instanceof MissingOutput) return { result: 'failed', reason: error.message };
  if (error instanceof ApiError) return readFailed(error);
  throw error;
}

/** `left`: done, and what is missing is up to someone outside. */
async function succeed(running: Running, left?: string): Promise<ActionResult> {
  const { context, action } = running;
  const { address, verb, changes } = action;
  const gone = verb === 'delete';
  const before = context.objectsBefore.get(address);
  const id = gone ? null : await idOf(running);
  const rotated = rotatedAfter(verb === 'create' ? undefined : before?.rotated, changes);
  // All that is lost with it is read again: its answers are written already, or may be asked for again.
  await context.ledger.note({
    type: 'succeeded',
    address,
    id,
    gone,
    applied: appliedAfter(before?.applied ?? {}, changes),
    outputs: {},
    ...(rotated !== undefined && { rotated }),
  });
  context.effects.add(action.effects);
  return left === undefined
    ? resultOf(running, sendsNothing(running) ? 'already-done' : 'done')
    : resultOf(running, 'waiting', context.redactor.text(left));
}

/** Whether every request of the action was left out, because a read showed that it is not needed any more. */
function sendsNothing({ action: { steps }, progress: { resumed, sent } }: Running): boolean {
  return !sent && resumed === undefined && steps.some((step) => step.do === 'request');
}

/** An object that gave no id (the only one of its kind, say) is looked at once, so that the ledger knows it. */
async function idOf({ context, action: { address, verb, hook } }: Running): Promise<string | null> {
  const known = context.known.outputsOf(address).id;
  if (known !== undefined || verb !== 'create' || hook !== undefined) return known ?? null;
  const observed = await context.observeAfter([address], context.known.ids()).catch(() => undefined);
  const seen = observed?.get(address);
  return seen?.state === 'present' ? seen.id : null;
}

/** What is recorded and told of an action that a step has ended before its time. */
async function endEarly(running: Running, ended: Ended, step: Step): Promise<ActionResult> {
  const { context, progress } = running;
  // What a look-up did not find says itself what was looked for.
  const say = (reason: string): string => (step.do === 'look-up' ? reason : `${step.name}: ${reason}`);
  switch (ended.result) {
    case 'failed':
      return {
        ...(await fail(running, 'failed', say(ended.reason))),
        sharedReason: context.redactor.text(ended.reason),
        ...(ended.cause !== undefined && { cause: ended.cause }),
      };
    case 'unreadable':
      // What was not read because time ran out says nothing of the action.
      return context.limits.stopped() === 'deadline'
        ? endStopped(running, step)
        : {
            ...(await fail(running, 'failed', say(ended.reason))),
            sharedReason: context.redactor.text(ended.reason),
          };
    case 'blocked':
      // Nothing of it is in flight: the next plan decides anew.
      return {
        ...(await fail(running, 'blocked', say(ended.reason))),
        sharedReason: context.redactor.text(ended.reason),
      };
    case 'dropped':
      return fail(running, 'not-started', say(ended.reason));
    case 'waiting':
      return keepInFlight(running, 'waiting', `${say(ended.reason)}${awayAt(step, progress)}`);
    case 'unknown':
      return keepInFlight(running, 'unknown-outcome', `${say(ended.reason)}${awayAt(step, progress)}`);
    case 'unauthorised':
      context.limits.stop('unauthorised');
      // A request that is refused with 401 was not carried out; what had been sent before it stays in flight.
      return {
        ...(progress.sent
          ? await keepInFlight(running, 'waiting', `${say(ended.reason)}${awayAt(step, progress)}`)
          : await fail(running, 'failed', say(ended.reason))),
        cause: 'unauthorised',
      };
    case 'stopped':
      return endStopped(running, step, ended.reason);
  }
}

/** `waitsFor`: what the step was waiting for. */
async function endStopped(running: Running, step: Step, waitsFor?: string): Promise<ActionResult> {
  const { context, progress } = running;
  const closedBy = context.limits.closedToWrites();
  const what =
    { deadline: 'the deadline was reached', paused: 'the platform asked for a pause' }[closedBy as string] ?? 'stopped';
  // What is waited for stays said, also by a run that was stopped before it looked once more.
  const at = closedBy === undefined ? `${step.name}: still pending` : `${what} at the step ${step.name}`;
  const next = closedBy === undefined ? '' : '; the next run continues it';
  const reason = waitsFor === undefined ? progress.resumed?.reason : `${at}, which waits ${waitsFor}${next}`;
  const stopped = progress.sent
    ? await keepInFlight(running, 'waiting', reason ?? `${at}${next}${awayAt(step, progress)}`)
    : await fail(running, 'not-started', `${what} before anything was sent`);
  return closedBy === 'deadline' ? { ...stopped, cause: 'deadline' } : stopped;
}

/** The ledger says that it is over; but what the changes of this run or an earlier one owe stays owed. */
async function fail(running: Running, result: ActionWord, reason: string): Promise<ActionResult> {
  return record(running, running.action.hook === 'after' ? 'held' : 'failed', result, reason);
}

/** The ledger says that it stays in flight, and why. */
async function keepInFlight(running: Running, result: ActionWord, reason: string): Promise<ActionResult> {
  return record(running, 'held', result, reason);
}

async function record(
  running: Running,
  type: 'held' | 'failed',
  result: ActionWord,
  reason: string,
): Promise<ActionResult> {
  const { context, action } = running;
  const text = context.redactor.text(reason);
  const write = isRepeatable(action) ? context.ledger.note : context.ledger.append;
  await write({ type, address: action.address, reason: text });
  return resultOf(running, result, text);
}

/** Without a ledger nothing may be sent any more, in this action or another. */
function ledgerFailed(running: Running, error: unknown): ActionResult {
  if (!(error instanceof LedgerWriteError)) throw error;
  running.context.limits.stop('ledger');
  const result = running.progress.sent ? 'unknown-outcome' : 'not-started';
  return { ...resultOf(running, result, `the ledger could not be written: ${error.message}`), cause: 'ledger' };
}

function resultOf({ context, action: { address, verb } }: Running, result: ActionWord, reason?: string): ActionResult {
  const known = context.known.outputsOf(address);
  // Where nothing was made, nothing that its answer would have told is lost.
  const isUnmade = known.id === undefined && (result === 'failed' || result === 'blocked' || result === 'not-started');
  const outputs = Object.fromEntries(Object.entries(known).filter(([name]) => !(isUnmade && name === SECRET_SAVED)));
  return {
    address,
    verb,
    result,
    ...(reason !== undefined && { reason }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
  };
}

/** What the ledger is told of an action of which nothing was left to do: it is as it was seen. */
export function succeededEntry(
  { address, verb, changes }: Action,
  before: LedgerObject | undefined,
  seen: Observed | undefined,
): LedgerEntry {
  const gone = verb === 'delete';
  return {
    type: 'succeeded',
    address,
    id: !gone && seen?.state === 'present' ? seen.id : null,
    gone,
    applied: gone ? {} : appliedAfter(before?.applied ?? {}, changes),
    outputs: {},
  };
}

/** The values of the last apply, with these changes made. Of a secret there is no value, only its rotation token. */
function appliedAfter(before: JsonObject, changes: readonly Change[]): JsonObject {
  return changes.reduce((applied, change) => {
    const { op, path, value, secret } = change;
    if (secret !== undefined) return applied;
    try {
      // `replace` needs the place to be there already, and the ledger may not know it yet.
      const operation =
        op === 'remove' || value === undefined ? { op: 'remove' as const, path } : { op: 'add' as const, path, value };
      return jsonPatch.applyOperation(applied, operation, true, false).newDocument;
    } catch {
      return applied;
    }
  }, before);
}

function textOf(step: Step): string {
  if (step.do === 'wait-for') return step.waitFor.reason;
  return step.do === 'verify' ? `reads back: ${step.reason}` : step.reason;
}
