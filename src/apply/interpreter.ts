// How a reviewed plan is carried out as a whole: check that it is still true, run its actions, record how it ended.
// Contains no kind's name, and never does what the plan does not say.
import { diagnose } from '../model/diagnostic.ts';
import type { Address } from '../model/address.ts';
import { historyAction } from '../model/plan/history.ts';
import type { ActionOutcome } from '../model/plan/outcome.ts';
import type { Action, Plan } from '../model/plan/plan.ts';
import type { ApprovedBy, StartedBy } from '../model/plan/started-by.ts';
import type { Redactor } from '../platform/redact.ts';
import { createRedactor } from '../platform/redact.ts';
import { callbackProblems } from './callback.ts';
import type { RunContext, RunEnvironment } from './context.ts';
import { createContext } from './context.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import { historyEntry } from '../ledger/history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerWriteError } from '../ledger/ledger.ts';
import type { Observation, Refusal, ResolveSecret } from './preflight.ts';
import { fetchSecrets, lookInTime, refusalsAfterLook, refusalsForOneTimeSecrets, secretUsesOf } from './preflight.ts';
import { knownFor } from './resolve.ts';
import type { ActionResult } from './results.ts';
import { succeededEntry } from './run-action.ts';
import type { RunResult } from './run-actions.ts';
import { runActions } from './run-actions.ts';

export interface RunOptions extends RunEnvironment {
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly parallelism: number;
  readonly resolveSecret: ResolveSecret;
  /** Digests that were reviewed; every action must be one of them. */
  readonly approved: readonly string[];
  /** Who started the run, for the ledger. Absent: nobody keeps it. */
  readonly by?: StartedBy;
  /** Who approved the plan, for the history. Absent: neither a forge nor a person was asked. */
  readonly approvedBy?: ApprovedBy;
  /** Secrets beside those that the plan sends, for texts. */
  readonly redactor?: Redactor;
  /** Hooks that an earlier round of this run did: they are not repeated. */
  readonly hooksDone?: ReadonlySet<Address>;
}

/**
 * Carries out a plan, or nothing of it. Hooks that come after changes are only written down as owed:
 * {@link runOwedHooks} does them when no change is left. Never throws for what a user or the platform can cause.
 */
export async function runPlan(options: RunOptions): Promise<RunResult> {
  const { plan, clock, emit } = options;
  const unseen = refusalsBeforeLook(options);
  if (unseen.length > 0) return refuseAll(plan.actions, unseen);
  if (plan.actions.length === 0) return { actions: [], diagnostics: [], words: ['done'] };
  const checked = await checkLive(options);
  if ('refusals' in checked) return refuseAll(plan.actions, checked.refusals);
  const { context, observation } = checked;
  emit({ type: 'run-started', actions: plan.actions.map(({ address, verb }) => ({ address, verb })) });
  const actions = plan.actions.filter(({ hook }) => hook !== 'after');
  const settled = settledBefore(actions, observation, options.hooksDone);
  try {
    await recordStart(context, options, observation, settled);
    const ran = await runActions(context, actions, options.parallelism, settled);
    return await recordEnd(options, ran);
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return refuseAll(plan.actions, [
      { word: 'error', diagnostics: [diagnose('HW5006', `${error.message}. Nothing was sent.`)] },
    ]);
  } finally {
    emit({ type: 'run-finished', atMs: clock.now() });
  }
}

/** Checks that the plan is still true, and that all it needs is there. */
async function checkLive(
  options: RunOptions,
): Promise<
  { readonly refusals: readonly Refusal[] } | { readonly context: RunContext; readonly observation: Observation }
> {
  const { plan } = options;
  const redactor = options.redactor ?? createRedactor();
  const { secrets, diagnostics: missing } = await fetchSecrets(secretUsesOf(plan), options.resolveSecret, redactor);
  const diagnostics = [...missing, ...callbackProblems(plan.actions, options.callback)];
  if (diagnostics.length > 0) return { refusals: [{ word: 'error', diagnostics }] };
  const context = createContext(options, plan.actions, secrets, redactor);
  // The plan was made from a look at the live side, later than the ledger's last word.
  for (const [address, id] of Object.entries(plan.bindings)) context.known.learn(address, { id });
  const observation = await lookInTime(plan.actions, context);
  if ('word' in observation) return { refusals: [observation] };
  const refusals = [
    ...refusalsAfterLook(observation),
    ...(await refusalsForOneTimeSecrets(observation, options.secretSink)),
  ];
  if (refusals.length > 0) return { refusals };
  // An id seen just now beats one from the review: actions name objects by address, never by id.
  for (const [address, seen] of observation.observed)
    if (seen.state === 'present') context.known.learn(address, { id: seen.id });
  return { context, observation };
}

/** How actions end that are not begun: those that are done, and those whose object could not be read. */
function settledBefore(
  actions: readonly Action[],
  { states }: Observation,
  through: ReadonlySet<Address> = new Set(),
): ReadonlyMap<Action, ActionResult> {
  const results = new Map<Action, ActionResult>();
  for (const action of actions) {
    const { address, verb, hook } = action;
    const live = states.get(action);
    if (live?.state === 'already-done' || (hook === 'before' && through.has(address)))
      results.set(action, { address, verb, result: 'already-done' });
    else if (live?.state === 'unreadable')
      results.set(action, { address, verb, result: 'not-started', reason: live.reason, cause: live.state });
  }
  return results;
}

/** Before the first change: so that, whatever becomes of the run, the ledger has what is done and which hooks it owes. */
async function recordStart(
  context: RunContext,
  { plan, runId, approved, ledger, by, approvedBy }: RunOptions,
  observation: Observation,
  settled: ReadonlyMap<Action, ActionResult>,
): Promise<void> {
  const done = [...settled].flatMap(([action, { result }]) => (result === 'already-done' ? [action] : []));
  await ledger.note(
    { type: 'run-started', runId, planId: plan.planId, approved, ...(by !== undefined && { by }) },
    historyEntry({
      is: 'run',
      run: runId,
      ...(by !== undefined && { by }),
      ...(approvedBy !== undefined && { approvedBy }),
      actions: plan.actions.filter((action) => settled.get(action)?.result !== 'already-done').map(historyAction),
    }),
    ...done.flatMap((action) => doneEntries(context, observation, action)),
    ...plan.actions.filter(({ hook }) => hook === 'after').map((action) => owedHookEntry(context, action)),
  );
}

function owedHookEntry(context: RunContext, action: Action): LedgerEntry {
  return {
    type: 'begin',
    runId: context.runId,
    action: context.recordOf(action),
    known: knownFor(action.steps, context),
    effects: [],
    triggeredBy: action.needs.map(({ address }) => address),
  };
}

/**
 * A ledger that broke only at the end takes nothing back of what was done; one that broke before is told of already.
 */
async function recordEnd({ plan, runId, ledger }: RunOptions, ran: RunResult): Promise<RunResult> {
  const complete = plan.actions.every(({ hook }) => hook !== 'after') && isComplete(ran.actions);
  try {
    await ledger.note({ type: 'run-finished', runId, planId: plan.planId, complete });
    return ran;
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    const isTold = ran.diagnostics.some(({ code }) => code === 'HW5006');
    const detail = `${error.message}. What was done is kept. The end of the run is not recorded.`;
    return {
      ...ran,
      diagnostics: [...ran.diagnostics, ...(isTold ? [] : [diagnose('HW5006', detail)])],
      words: [...ran.words, 'error'],
    };
  }
}

/** True when nothing of these is left to do. */
export function isComplete(actions: readonly ActionOutcome[]): boolean {
  return actions.every(({ result }) => result === 'done' || result === 'already-done');
}

/** What forbids the run, whatever the live side is like. */
function refusalsBeforeLook({ plan, ledger, approved }: RunOptions): readonly Refusal[] {
  const view = ledger.view();
  const refusals: Refusal[] = [];
  if (view.account !== undefined && view.account !== plan.account) {
    refusals.push({
      word: 'refused',
      diagnostics: [
        diagnose(
          'HW4011',
          `The plan is for account ${plan.account}, the ledger for ${view.account}. Nothing was sent.`,
        ),
      ],
    });
  }
  if (plan.actions.length > 0 && view.finishedPlans.has(plan.planId)) {
    refusals.push({
      word: 'refused',
      diagnostics: [
        diagnose(
          'HW4009',
          'A plan is good for one use: the ledger shows this one carried out to the end. Nothing was sent. Plan again.',
        ),
      ],
    });
  }
  const reviewed = new Set(approved);
  for (const { address, digest } of plan.actions) {
    if (!reviewed.has(digest))
      refusals.push({
        word: 'refused',
        diagnostics: [
          diagnose(
            'HW4008',
            'It is not one of the actions that were reviewed. Nothing was sent. Have the plan reviewed again.',
            { address },
          ),
        ],
      });
  }
  return refusals;
}

function refuseAll(actions: readonly Action[], refusals: readonly Refusal[]): RunResult {
  const reason = refusals.find((refusal) => refusal.reason !== undefined)?.reason ?? 'nothing was sent';
  const diagnostics = refusals.flatMap((refusal) => refusal.diagnostics);
  // The first of each counts.
  const details = new Map(diagnostics.toReversed().map(({ address, detail }) => [address, detail]));
  return {
    actions: actions.map(({ address, verb }) => ({
      address,
      verb,
      result: 'not-started',
      reason: details.get(address) ?? reason,
    })),
    diagnostics,
    words: [...new Set(refusals.map(({ word }) => word))],
  };
}

/** What was done before this run is ours all the same. Empty where the ledger has nothing to learn. */
function doneEntries({ objectsBefore }: RunContext, { observed }: Observation, action: Action): readonly LedgerEntry[] {
  const { address, verb, expect } = action;
  const seen = observed.get(address);
  if (verb === 'delete' ? !objectsBefore.has(address) : seen?.state !== 'present') return [];
  const former = expect.from?.address ?? expect.renamedFrom;
  return [
    succeededEntry(action, objectsBefore.get(address), seen),
    ...(former !== undefined && objectsBefore.has(former) ? [{ type: 'forgotten', address: former } as const] : []),
  ];
}
