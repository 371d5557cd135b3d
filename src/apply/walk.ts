// How the outcomes of single actions become the outcome of a run: who is skipped and why, what is told, which words are
// true. Shared by a fresh run and a resumed one.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome, ActionResult, OutcomeWord } from '../model/plan/outcome.ts';
import type { Action } from '../model/plan/plan.ts';
import type { RunContext } from './context.ts';
import type { Standing } from './expectations.ts';
import { deadlineCame, diagnose } from './diagnostics.ts';
import { unread } from './preflight.ts';
import type { ActionEnd } from './run-action.ts';
import { runAction } from './run-action.ts';
import { runSchedule } from './schedule.ts';

export interface WalkResult {
  readonly actions: readonly ActionOutcome[];
  readonly diagnostics: readonly Diagnostic[];
  readonly words: readonly OutcomeWord[];
}

/** How an action ends by its standing alone; undefined for one that may begin. */
export function endBefore({ address, verb }: Action, standing: Standing | undefined): ActionEnd | undefined {
  switch (standing?.standing) {
    case 'already-done':
      return { outcome: { address, verb, result: 'already-done' } };
    case 'unreadable':
      return { outcome: { address, verb, result: 'not-started', reason: standing.reason }, as: 'unread' };
    case 'conflict':
      return { outcome: { address, verb, result: 'not-started', reason: standing.reason }, as: 'conflict' };
    default:
      return undefined;
  }
}

/** Runs the actions; those whose end is `known` beforehand are not run. */
export async function walkActions(
  context: RunContext,
  actions: readonly Action[],
  parallelism: number,
  known: ReadonlyMap<Action, ActionEnd>,
  resumed: ReadonlyMap<Action, InFlight> = new Map(),
): Promise<WalkResult> {
  const ends = new Map(known);
  const diagnostics: Diagnostic[] = [];
  const running = new Set<Action>();
  const tellInterrupted = (): void => {
    if (context.halt.reason() === 'interrupted') context.emit({ type: 'interrupted', running: running.size });
  };
  context.halt.signal.addEventListener('abort', tellInterrupted, { once: true });
  await runSchedule({
    actions,
    parallelism,
    known: new Map([...known].map(([action, { outcome }]) => [action, outcome.result])),
    halted: () => context.halt.closed() !== undefined,
    locksOf: (action) => locksOf(action, resumed.get(action)),
    // What became of a paid request has to be known before the next is sent (O-02, O-72).
    keeps: (action, result) =>
      result === 'unknown-outcome' || result === 'waiting'
        ? action.steps.flatMap((step) => (step.do === 'request' ? (step.unlocks ?? []) : []))
        : [],
    run: async (action, release) => {
      running.add(action);
      const end = await runAction({ ...context, release }, action, resumed.get(action));
      running.delete(action);
      ends.set(action, end);
      return end.outcome.result;
    },
    skip: (action, need, result) => {
      const { address, verb } = action;
      const reason = `it needs ${need.address} (${need.rule}: ${need.reason}), ${wordsFor(result)}`;
      ends.set(action, { outcome: { address, verb, result: 'skipped', reason } });
      context.emit({ type: 'action-finished', address, verb, result: 'skipped', reason, atMs: context.clock.now() });
    },
    stuck: (left) => {
      const reason = 'it waits for an action that waits for it';
      for (const action of left)
        ends.set(action, { outcome: { address: action.address, verb: action.verb, result: 'skipped', reason } });
      diagnostics.push(
        diagnose(
          'HW4010',
          `${left.map(({ address }) => address).join(', ')} wait for each other, so none of them was begun. Plan again; if it stays, this is a bug in Hostwright.`,
        ),
      );
    },
  });
  context.halt.signal.removeEventListener('abort', tellInterrupted);
  const reason = context.halt.closed();
  const outcomes = actions.map((action) => ends.get(action)?.outcome ?? notStarted(action, reason));
  diagnostics.push(
    ...[...ends].flatMap(([action, end]) => tell(action, end)),
    ...(isLate(outcomes, [...ends.values()], reason) ? [deadlineCame()] : []),
  );
  return { actions: outcomes, diagnostics, words: wordsOf(outcomes, [...ends.values()], diagnostics, reason) };
}

/** What an action holds: not what the answer of an earlier run gave back. */
export function locksOf({ locks, steps }: Action, resumed: InFlight | undefined): readonly string[] {
  const released = steps.flatMap((step) =>
    step.do === 'request' && Object.hasOwn(resumed?.answered ?? {}, step.name) ? (step.unlocks ?? []) : [],
  );
  return locks.filter((lock) => !released.includes(lock));
}

function notStarted({ address, verb }: Action, reason: string | undefined): ActionOutcome {
  const why = {
    interrupted: 'the run was interrupted before it began',
    unauthorised: 'the credential was refused before it began',
    ledger: 'the ledger could not be written',
    deadline: 'the deadline was too near to begin it',
  };
  return {
    address,
    verb,
    result: 'not-started',
    reason: why[reason as keyof typeof why] ?? 'the run ended before it began',
  };
}

function wordsFor(result: ActionResult): string {
  const words: Readonly<Record<ActionResult, string>> = {
    done: 'which is done',
    'already-done': 'which is done',
    failed: 'which failed',
    skipped: 'which was skipped',
    blocked: 'which something outside stands in the way of',
    waiting: 'which waits',
    'unknown-outcome': 'of which nobody knows whether it was carried out',
    'not-started': 'which was not begun',
  };
  return words[result];
}

/** Whether it was the deadline that left something undone. */
function isLate(outcomes: readonly ActionOutcome[], ends: readonly ActionEnd[], reason: string | undefined): boolean {
  return (
    ends.some(({ as }) => as === 'deadline') ||
    (reason === 'deadline' && outcomes.some(({ result }) => result === 'not-started'))
  );
}

function tell({ address }: Action, { outcome, as }: ActionEnd): readonly Diagnostic[] {
  const reason = outcome.reason ?? '';
  if (as === 'unauthorised')
    return [diagnose('HW4005', `${reason}. Nothing new was begun. Check the token, then run it again.`, address)];
  if (as === 'ledger')
    return [
      diagnose(
        'HW5006',
        `${reason}. Nothing new was begun. Make room or correct the permissions, then run \`hostwright apply --resume\`.`,
        address,
      ),
    ];
  if (as === 'conflict') return [diagnose('HW4001', `${reason}. Plan again and have the new plan reviewed.`, address)];
  if (as === 'unread') return [unread(address, reason)];
  if (as === 'scope') return [diagnose('HW4006', `${reason}. Use a credential that has it.`, address)];
  if (outcome.result === 'failed') return [diagnose('HW4003', `${reason}.`, address)];
  if (outcome.result !== 'unknown-outcome') return [];
  const how = `Look in the dashboard, then run \`hostwright ledger confirm ${address}\` with --id and the id of what it made, or with --not-made.`;
  return [diagnose('HW4004', `${reason}. It is not sent again. ${how}`, address)];
}

function wordsOf(
  outcomes: readonly ActionOutcome[],
  ends: readonly ActionEnd[],
  diagnostics: readonly Diagnostic[],
  reason: string | undefined,
): readonly OutcomeWord[] {
  const any = (...results: readonly ActionResult[]): boolean => outcomes.some(({ result }) => results.includes(result));
  const words = new Set<OutcomeWord>();
  if (reason === 'interrupted' && any('not-started', 'waiting')) words.add('interrupted');
  if (reason === 'unauthorised' || reason === 'ledger') words.add('error');
  if (ends.some(({ as }) => as === 'conflict')) words.add('conflict');
  // A whole run that came to nothing is an error; one that left something undone is partly applied.
  if (
    any('failed', 'unknown-outcome') ||
    ends.some(({ as }) => as === 'unread') ||
    diagnostics.some(({ code }) => code === 'HW4010')
  )
    words.add(any('done', 'already-done') ? 'partly-applied' : 'error');
  if (any('waiting', 'blocked') || isLate(outcomes, ends, reason)) words.add('waiting');
  if (words.size === 0) words.add('done');
  return [...words];
}
