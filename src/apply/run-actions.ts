// Runs the actions of a plan in their order, and says what that makes of the run: who is skipped and why, what is told,
// which words are true. Shared by a fresh run and a resumed one.
import { deadlineCame } from '../model/deadline.ts';
import type { Affected, Diagnostic } from '../model/diagnostic.ts';
import { diagnose, diagnoseAlike, diagnosticSource } from '../model/diagnostic.ts';
import { plural } from '../model/common/count.ts';
import { groupBy, present } from '../model/common/lists.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { ActionOutcome, ActionWord, OutcomeWord } from '../model/plan/outcome.ts';
import type { Action } from '../model/plan/plan.ts';
import { whyStopped } from '../platform/outage/why-stopped.ts';
import type { Resumed, RunContext, StopReason } from './context.ts';
import type { ActionResult } from './results.ts';
import { unreadableDetail } from './preflight.ts';
import { runAction } from './run-action.ts';
import { runSchedule } from './schedule.ts';

/** What a run, or a part of one, came to. */
export interface RunResult {
  readonly actions: readonly ActionOutcome[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every word that is true of the run; `decideOutcome` chooses. */
  readonly words: readonly OutcomeWord[];
  /** Nothing more may be sent in this run, whatever it is about. */
  readonly stopped?: true;
  /** Something was not waited for to its end, because patience had a limit. */
  readonly pending?: true;
}

/** Runs the actions. `settled`: how some of them ended already; these are not run. */
export async function runActions(
  context: RunContext,
  actions: readonly Action[],
  parallelism: number,
  settled: ReadonlyMap<Action, ActionResult>,
  resumed: ReadonlyMap<Action, Resumed> = new Map(),
): Promise<RunResult> {
  const { limits, emit, clock } = context;
  const results = new Map(settled);
  const diagnostics: Diagnostic[] = [];
  const running = new Set<Action>();
  const tellInterrupted = (): void => {
    if (limits.stopped() === 'interrupted') emit({ type: 'interrupted', running: running.size });
  };
  limits.signal.addEventListener('abort', tellInterrupted, { once: true });
  const holders = new Map<string, Set<Action>>();
  for (const action of actions)
    for (const lock of settled.has(action) ? [] : locksOf(action, resumed.get(action)))
      holders.set(lock, (holders.get(lock) ?? new Set()).add(action));
  const giveBack = (action: Action, locks: readonly string[]): void => {
    for (const lock of locks) holders.get(lock)?.delete(action);
    context.release(locks.filter((lock) => holders.get(lock)?.size === 0));
  };
  await runSchedule({
    actions,
    parallelism,
    settled: new Map([...settled].map(([action, { result }]) => [action, result])),
    stopped: () => limits.closedToActions() !== undefined,
    locksOf: (action) => locksOf(action, resumed.get(action)),
    // What became of a paid request has to be known before the next is sent (O-02, O-72).
    keepsLocks: (action, result) =>
      result === 'unknown-outcome' || result === 'waiting'
        ? action.steps.flatMap((step) => (step.do === 'request' ? (step.unlocks ?? []) : []))
        : [],
    run: async (action, release) => {
      running.add(action);
      const releaseAll = (locks: readonly string[]): void => {
        release(locks);
        giveBack(action, locks);
      };
      const ended = await runAction({ ...context, release: releaseAll }, action, resumed.get(action));
      running.delete(action);
      results.set(action, ended);
      return ended.result;
    },
    skip: (action, need, result) => {
      const { address, verb } = action;
      const reason = `it needs ${need.address} (${need.rule}: ${need.reason}), ${IN_WORDS[result]}`;
      results.set(action, { address, verb, result: 'skipped', reason });
      emit({ type: 'action-finished', address, verb, result: 'skipped', reason, atMs: clock.now() });
    },
    stuck: (left) => {
      const reason = 'it waits for an action that waits for it';
      for (const action of left)
        results.set(action, { address: action.address, verb: action.verb, result: 'skipped', reason });
      diagnostics.push(
        diagnose(
          'HW4010',
          `${left.map(({ address }) => address).join(', ')} wait for each other, so none of them was begun. Plan again; if it stays, this is a bug in Hostwright.`,
        ),
      );
    },
  });
  limits.signal.removeEventListener('abort', tellInterrupted);
  return summarise(context, actions, results, diagnostics);
}

/** What an action holds: not what the answer of an earlier run gave back. */
export function locksOf({ locks }: Pick<Action, 'locks'>, resumed: InFlight | undefined): readonly string[] {
  const { action: { requests } = { requests: [] }, answered = {} } = resumed ?? {};
  const released = requests.flatMap(({ name, unlocks = [] }) => (Object.hasOwn(answered, name) ? unlocks : []));
  return locks.filter((lock) => !released.includes(lock));
}

/** What became of what an action needs. */
const IN_WORDS: Readonly<Record<ActionWord, string>> = {
  done: 'which is done',
  'already-done': 'which is done',
  failed: 'which failed',
  skipped: 'which was skipped',
  blocked: 'which is blocked from outside',
  waiting: 'which waits',
  'unknown-outcome': 'whose outcome is unknown',
  'not-started': 'which was not begun',
};

const NOT_STARTED: Readonly<Record<StopReason | 'outage', string>> = {
  interrupted: 'the run was interrupted before it began',
  unauthorised: 'the credential was refused before it began',
  ledger: 'the ledger could not be written',
  deadline: 'the deadline was too near to begin it',
  paused: 'the platform accepts no requests at present',
  outage: 'the platform failed other requests',
};

/** So many actions with the same reason are reported with it alone, without the step of each. */
const MANY_ALIKE = 3;

function summarise(
  { limits, client }: Pick<RunContext, 'limits' | 'client'>,
  actions: readonly Action[],
  ended: ReadonlyMap<Action, ActionResult>,
  found: readonly Diagnostic[],
): RunResult {
  const stopped = limits.closedToActions();
  const results = withSharedReasons(ended);
  const outcomes = actions.map((action): ActionOutcome => {
    const { address, verb } = action;
    const reason = stopped === undefined ? 'the run ended before it began' : NOT_STARTED[stopped];
    const {
      cause: _cause,
      sharedReason: _shared,
      ...outcome
    } = results.get(action) ?? { address, verb, result: 'not-started', reason };
    return outcome;
  });
  const any = (...words: readonly ActionWord[]): boolean => outcomes.some(({ result }) => words.includes(result));
  const isCause = (...causes: readonly ActionResult['cause'][]): boolean =>
    [...results.values()].some(({ cause }) => cause !== undefined && causes.includes(cause));
  // Whether it was the deadline that left something undone.
  const isLate = isCause('deadline') || (stopped === 'deadline' && any('not-started'));
  const words = new Set<OutcomeWord>();
  if (stopped === 'interrupted' && any('not-started', 'waiting')) words.add('interrupted');
  if (stopped === 'unauthorised' || stopped === 'ledger') words.add('error');
  if (stopped === 'outage') words.add(any('done', 'already-done') ? 'partly-applied' : 'error');
  if (isCause('conflict')) words.add('conflict');
  // A whole run that came to nothing is an error; one that left something undone is partly applied.
  if (any('failed') || isCause('unreadable') || found.length > 0)
    words.add(any('done', 'already-done') ? 'partly-applied' : 'error');
  // An outcome that no read shows is a question to a person, whatever else the run did.
  if (any('waiting', 'blocked', 'unknown-outcome') || isLate || stopped === 'paused') words.add('waiting');
  return {
    actions: outcomes,
    diagnostics: [
      ...found,
      ...diagnosticsOf(results),
      ...(isLate ? [deadlineCame()] : []),
      ...(stopped === 'outage' || stopped === 'paused' ? platformDiagnostics(client, outcomes) : []),
    ],
    words: words.size === 0 ? ['done'] : [...words],
  };
}

/** Replaces the reasons of actions that failed alike by the reason that they share. */
function withSharedReasons(ended: ReadonlyMap<Action, ActionResult>): ReadonlyMap<Action, ActionResult> {
  const alike = groupBy([...ended.values()], ({ result, sharedReason }) => `${result} ${sharedReason ?? ''}`);
  return new Map(
    [...ended].map(([action, result]) => {
      const { sharedReason } = result;
      const count = alike.get(`${result.result} ${sharedReason ?? ''}`)?.length ?? 0;
      return [action, sharedReason === undefined || count < MANY_ALIKE ? result : { ...result, reason: sharedReason }];
    }),
  );
}

/** Returns the diagnostics of all results, at the positions in the manifests or programs that the actions come from. */
function diagnosticsOf(results: ReadonlyMap<Action, ActionResult>): readonly Diagnostic[] {
  const affected = (
    isAffected: (result: ActionResult) => boolean,
    detailOf: (reason: string) => string,
  ): readonly Affected[] =>
    [...results]
      .filter(([, result]) => isAffected(result))
      .map(([{ source }, { address, reason = '' }]) => ({
        address,
        detail: detailOf(reason),
        ...diagnosticSource(source),
      }));
  return [
    ...[...results].flatMap(([{ source }, result]) =>
      diagnosticOf(result).map((diagnostic) => ({ ...diagnostic, ...diagnosticSource(source) })),
    ),
    ...diagnoseAlike(
      'HW4002',
      affected(({ cause }) => cause === 'unreadable', unreadableDetail),
    ),
    ...diagnoseAlike(
      'HW4003',
      affected(
        ({ result, cause }) => result === 'failed' && !(cause !== undefined && cause in DIAGNOSED),
        (reason) => `${reason}.`,
      ),
    ),
  ];
}

/** Returns why the run ended early: an outage of the platform, or a pause that it asks for. */
function platformDiagnostics(client: RunContext['client'], outcomes: readonly ActionOutcome[]): readonly Diagnostic[] {
  const count = outcomes.filter(({ result }) => result === 'not-started').length;
  return present(whyStopped(client, `${plural(count, 'action')} not started.`));
}

/** Causes with a diagnostic of their own. */
const DIAGNOSED = { conflict: true, unreadable: true, scope: true, unauthorised: true, ledger: true } as const;

function diagnosticOf({ address, result, reason = '', cause }: ActionResult): readonly Diagnostic[] {
  switch (cause) {
    case 'unauthorised':
      return [
        diagnose('HW4005', `${reason}. Nothing new was begun. Check the token, then run \`hostwright apply\` again.`, {
          address,
        }),
      ];
    case 'ledger':
      return [
        diagnose(
          'HW5006',
          `${reason}. Nothing new was begun. Make room or correct the permissions, then run \`hostwright apply\` again.`,
          { address },
        ),
      ];
    case 'conflict':
      return [diagnose('HW4001', `${reason}. Plan again and have the new plan reviewed.`, { address })];
    case 'scope':
      return [diagnose('HW4006', `${reason}. Use a credential that has it.`, { address })];
    case 'unreadable':
    case 'deadline':
    case undefined:
      break;
  }
  if (result !== 'unknown-outcome') return [];
  const how = `Look in the dashboard, then run \`hostwright ledger confirm ${address}\` with --id and the id of what it made, or with --not-made.`;
  return [diagnose('HW4004', `${reason}. It is not sent again. ${how}`, { address })];
}
