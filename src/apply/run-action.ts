// How one action is carried out: its steps in order, each outcome recorded, and in one word how it ended.
import jsonPatch from 'fast-json-patch';
import type { JsonObject } from '../model/json.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome, ActionResult } from '../model/plan/outcome.ts';
import { RUN } from '../model/kind/hook.ts';
import type { Action, Change } from '../model/plan/plan.ts';
import type { Step } from '../model/plan/step.ts';
import { SECRET_SAVED } from '../model/plan/step.ts';
import { rotatedAfter } from './ledger/rotation-tokens.ts';
import { ApiError } from '../platform/api-error.ts';
import type { RunContext } from './context.ts';
import { ownDoing } from './context.ts';
import { LedgerWriteError } from './ledger/ledger.ts';
import { hasSent } from './ledger/state.ts';
import { knownFor, MissingOutput } from './resolve.ts';
import type { StepEnd } from './send.ts';
import type { Progress } from './steps.ts';
import { runStep } from './steps.ts';

export interface ActionEnd {
  readonly outcome: ActionOutcome;
  /** What the failure is, where the run as a whole is told of it. */
  readonly as?: 'conflict' | 'unread' | 'scope' | 'unauthorised' | 'ledger' | 'deadline';
}

interface Running {
  readonly context: RunContext;
  readonly action: Action;
  readonly progress: Progress;
}

/** Carries out an action, or what is left of it. Rejects only for our own bugs. */
export async function runAction(context: RunContext, action: Action, resumed?: InFlight): Promise<ActionEnd> {
  const running: Running = { context, action, progress: { resumed, sent: resumed !== undefined && hasSent(resumed) } };
  const { address, verb } = action;
  context.emit({ type: 'action-started', address, verb, atMs: context.clock.now() });
  const end = await carryOut(running).catch((error: unknown) => ledgerFailed(running, error));
  const { result, reason } = end.outcome;
  context.emit({
    type: 'action-finished',
    address,
    verb,
    result,
    ...(reason !== undefined && { reason }),
    atMs: context.clock.now(),
  });
  return end;
}

async function carryOut(running: Running): Promise<ActionEnd> {
  const { context, action, progress } = running;
  if (progress.resumed === undefined) {
    if (action.hook !== undefined) context.known.learn(action.address, { [RUN]: `hostwright-${context.runId}` });
    const own = action.expect.siblings === undefined ? [] : [...ownDoing(context, action).identities].sort();
    await context.ledger.append({
      type: 'begin',
      runId: context.runId,
      action,
      known: knownFor(action.steps, context),
      effects: context.effects.on(action.address),
      ...(own.length > 0 && { own }),
    });
  }
  for (const step of action.steps) {
    if (context.halt.reason() !== undefined) return conclude(running, { end: 'stopped' }, step);
    context.emit({
      type: 'step-started',
      address: action.address,
      step: step.name,
      text: textOf(step),
      atMs: context.clock.now(),
    });
    const end = await runStep(context, action, step, progress).catch(failedStep);
    if (end.end === 'pending-external') return finish(running, `${step.name}: ${end.reason}`);
    // What was not read because time ran out says nothing of the action.
    const outOfTime = end.end === 'failed' && end.unread === true && context.halt.reason() === 'deadline';
    if (end.end !== 'done') return conclude(running, outOfTime ? { end: 'stopped' } : end, step);
  }
  return finish(running);
}

/** What a step could not even ask or fill in fails the action; anything else is a bug. */
function failedStep(error: unknown): StepEnd {
  if (error instanceof MissingOutput) return { end: 'failed', reason: error.message };
  if (error instanceof ApiError)
    return error.kind === 'unauthorised'
      ? { end: 'unauthorised', reason: error.message }
      : { end: 'failed', reason: error.message, unread: true };
  throw error;
}

/** `left`: done, and what is missing is up to someone outside. */
async function finish(running: Running, left?: string): Promise<ActionEnd> {
  const { context, action } = running;
  const { address, verb, changes } = action;
  const gone = verb === 'delete';
  const before = context.before.get(address);
  const id = gone ? null : await idOf(running);
  const rotated = rotatedAfter(verb === 'create' ? undefined : before?.rotated, changes);
  await context.ledger.append({
    type: 'succeeded',
    address,
    id,
    gone,
    applied: appliedAfter(before?.applied ?? {}, changes),
    outputs: {},
    ...(rotated !== undefined && { rotated }),
  });
  context.effects.add(action.effects);
  return left === undefined ? ended(running, 'done') : ended(running, 'waiting', context.redactor.text(left));
}

/** An object that gave no id (the only one of its kind, say) is looked at once, so that the ledger knows it. */
async function idOf({ context, action: { address, verb, hook } }: Running): Promise<string | null> {
  const known = context.known.outputsOf(address).id;
  if (known !== undefined || verb !== 'create' || hook !== undefined) return known ?? null;
  const observed = await context.observeAfter([address], context.known.ids()).catch(() => undefined);
  const seen = observed?.get(address);
  return seen?.state === 'present' ? seen.id : null;
}

async function conclude(
  running: Running,
  end: Exclude<StepEnd, { readonly end: 'done' | 'pending-external' }>,
  step: Step,
): Promise<ActionEnd> {
  const { context, action, progress } = running;
  const { address } = action;
  const hold = async (reason: string): Promise<string> => {
    const text = context.redactor.text(reason);
    await context.ledger.append({ type: 'held', address, reason: text });
    return text;
  };
  const fail = async (reason: string): Promise<string> => {
    const text = context.redactor.text(reason);
    // What the changes of this run or an earlier one owe stays owed.
    await context.ledger.append({ type: action.hook === 'after' ? 'held' : 'failed', address, reason: text });
    return text;
  };
  switch (end.end) {
    case 'failed':
      return {
        ...ended(running, 'failed', await fail(`${step.name}: ${end.reason}`)),
        ...(end.as !== undefined && { as: end.as }),
      };
    case 'blocked':
      // Nothing of it is in flight: the next plan decides anew.
      return ended(running, 'blocked', await fail(`${step.name}: ${end.reason}`));
    case 'dropped':
      return ended(running, 'not-started', await fail(`${step.name}: ${end.reason}`));
    case 'waiting':
      return ended(running, 'waiting', await hold(`${step.name}: ${end.reason}`));
    case 'unknown':
      return ended(running, 'unknown-outcome', await hold(`${step.name}: ${end.reason}`));
    case 'unauthorised':
      context.halt.stop('unauthorised');
      // A request that is refused with 401 was not carried out; what had been sent before it stays in flight.
      return {
        ...(progress.sent
          ? ended(running, 'waiting', await hold(`${step.name}: ${end.reason}`))
          : ended(running, 'failed', await fail(`${step.name}: ${end.reason}`))),
        as: 'unauthorised',
      };
    case 'stopped': {
      const closedBy = context.halt.closed();
      const late = closedBy === 'deadline';
      const what = late ? 'the deadline came' : 'stopped';
      // What is waited for stays said, also by a run that was stopped before it looked once more.
      const at = closedBy === undefined ? `${step.name}: still pending` : `${what} at the step ${step.name}`;
      const next = closedBy === undefined ? '' : '; the next run continues it';
      const waitsFor = end.reason === undefined ? undefined : `${at}, which waits ${end.reason}${next}`;
      const reason = waitsFor ?? progress.resumed?.reason ?? `${at}${next}`;
      const stopped = progress.sent
        ? ended(running, 'waiting', await hold(reason))
        : ended(running, 'not-started', await fail(`${what} before anything was sent`));
      return late ? { ...stopped, as: 'deadline' } : stopped;
    }
  }
}

/** Without a ledger nothing may be sent any more, in this action or another. */
function ledgerFailed(running: Running, error: unknown): ActionEnd {
  if (!(error instanceof LedgerWriteError)) throw error;
  running.context.halt.stop('ledger');
  const result = running.progress.sent ? 'unknown-outcome' : 'not-started';
  return { ...ended(running, result, `the ledger could not be written: ${error.message}`), as: 'ledger' };
}

function ended({ context, action: { address, verb } }: Running, result: ActionResult, reason?: string): ActionEnd {
  const known = context.known.outputsOf(address);
  // Where nothing was made, nothing that its answer would have told is lost.
  const isUnmade = known.id === undefined && (result === 'failed' || result === 'blocked' || result === 'not-started');
  const outputs = Object.fromEntries(Object.entries(known).filter(([name]) => !(isUnmade && name === SECRET_SAVED)));
  return {
    outcome: {
      address,
      verb,
      result,
      ...(reason !== undefined && { reason }),
      ...(Object.keys(outputs).length > 0 && { outputs }),
    },
  };
}

/** The values of the last apply, with these changes made. Of a secret there is no value, only its mark. */
export function appliedAfter(before: JsonObject, changes: readonly Change[]): JsonObject {
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
