// How a reviewed plan is carried out as a whole: all of it is looked at first, then the graph is walked, then it is
// recorded. Interprets plans; contains no kind's name, and never does what the plan does not say.
import type { Address } from '../model/address.ts';
import type { Clock } from '../model/clock.ts';
import type { Deadline } from '../model/deadline.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { EmitEvent } from '../model/plan/event.ts';
import type { SecretSink } from '../model/secret-sink.ts';
import type { Observer } from '../model/plan/observed.ts';
import type { ActionOutcome, OutcomeWord } from '../model/plan/outcome.ts';
import type { Action, Plan } from '../model/plan/plan.ts';
import type { Client } from '../platform/http.ts';
import type { Redactor } from '../platform/redact.ts';
import { createRedactor } from '../platform/redact.ts';
import type { RunContext } from './context.ts';
import { createContext } from './context.ts';
import { deadlineCame, diagnose } from './diagnostics.ts';
import type { LedgerEntry } from './ledger/entries.ts';
import type { Ledger } from './ledger/ledger.ts';
import { LedgerWriteError } from './ledger/ledger.ts';
import type { Observation, Refusal, ResolveSecret } from './preflight.ts';
import { fetchSecrets, lookAtAll, refuseFor, refuseUnsaved } from './preflight.ts';
import { knownFor } from './resolve.ts';
import type { ActionEnd } from './run-action.ts';
import { appliedAfter } from './run-action.ts';
import type { WalkResult } from './walk.ts';
import { endBefore, walkActions } from './walk.ts';

export interface RunOptions {
  readonly plan: Plan;
  readonly client: Pick<Client, 'read' | 'poll' | 'ask' | 'send'>;
  readonly observe: Observer;
  /** The same, where what was read for a wait a moment ago will do: after a change, never before one. */
  readonly observeAfter: Observer;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly emit: EmitEvent;
  readonly parallelism: number;
  /** Aborted: no new step begins, running requests are finished and recorded. */
  readonly stop: AbortSignal;
  /** By when it has to be over; what is left then is for the next run. */
  readonly deadline?: Deadline;
  readonly resolveSecret: ResolveSecret;
  readonly secretSink: SecretSink;
  readonly runId: string;
  /** Digests that were reviewed; every action must be one of them. */
  readonly approved: readonly string[];
  /** Secrets beside those that the plan sends, for texts. */
  readonly redactor?: Redactor;
  /** Occasions that this very run has been through before: they are not repeated. */
  readonly through?: ReadonlySet<Address>;
}

export interface RunResult {
  readonly actions: readonly ActionOutcome[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every word that is true of the run; `decideOutcome` chooses. */
  readonly words: readonly OutcomeWord[];
  /** Nothing more may be sent in this run, whatever it is about. */
  readonly halted?: true;
  /** Something was not waited for to its end, because patience had a limit. */
  readonly pending?: true;
}

/**
 * Carries out a plan, or nothing of it. What comes after the other changes is only begun: {@link closeRun} does it when
 * nothing is left that could follow it. Never throws for what a user or the platform can cause.
 */
export async function runPlan(options: RunOptions): Promise<RunResult> {
  const { plan, ledger, clock, emit } = options;
  const refused = refuseUnseen(options);
  if (refused.length > 0) return refuseAll(plan.actions, refused);
  if (plan.actions.length === 0) return { actions: [], diagnostics: [], words: ['done'] };
  const redactor = options.redactor ?? createRedactor();
  const secrets = await fetchSecrets(plan.actions, options.resolveSecret, redactor);
  if (secrets.diagnostics.length > 0)
    return refuseAll(plan.actions, [{ word: 'error', diagnostics: secrets.diagnostics }]);
  const context = createContext(options, plan.actions, secrets.secrets, redactor);
  // The plan was made from a look at the live side, later than the ledger's last word.
  for (const [address, id] of Object.entries(plan.bindings)) context.known.learn(address, { id });
  const observation = await lookAtAll(plan.actions, context);
  // What was not read because time ran out is no evidence of anything.
  if (context.halt.closed() === 'deadline')
    return refuseAll(
      plan.actions,
      [{ word: 'waiting', diagnostics: [deadlineCame()] }],
      'the deadline was too near to begin it',
    );
  if ('word' in observation) return refuseAll(plan.actions, [observation]);
  const refusals = [...refuseFor(observation), ...(await refuseUnsaved(observation, options.secretSink))];
  if (refusals.length > 0) return refuseAll(plan.actions, refusals);

  learnIds(context, observation);
  emit({ type: 'run-started', actions: plan.actions.map(({ address, verb }) => ({ address, verb })) });
  const closing = plan.actions.filter(({ hook }) => hook === 'after');
  const walkable = plan.actions.filter(({ hook }) => hook !== 'after');
  const isThrough = ({ address, hook }: Action): boolean => hook === 'before' && options.through?.has(address) === true;
  const done = walkable.filter(
    (action) => observation.standings.get(action)?.standing === 'already-done' || isThrough(action),
  );
  try {
    await ledger.append(
      { type: 'run-started', runId: options.runId, planId: plan.planId, approved: options.approved },
      ...done.flatMap((action) => succeededEntry(context, observation, action)),
      ...closing.map((action) => owed(context, action)),
    );
    const known = new Map<Action, ActionEnd>();
    for (const action of walkable) {
      const end = endBefore(
        action,
        done.includes(action) ? { standing: 'already-done' } : observation.standings.get(action),
      );
      if (end !== undefined) known.set(action, end);
    }
    const walked = await walkActions(context, walkable, options.parallelism, known);
    const complete = closing.length === 0 && isComplete(walked.actions);
    const unwritten = await ledger
      .append({ type: 'run-finished', runId: options.runId, planId: plan.planId, complete })
      .then(() => undefined, brokenAtTheEnd(walked));
    return unwritten === undefined
      ? walked
      : { ...walked, diagnostics: [...walked.diagnostics, ...unwritten], words: [...walked.words, 'error'] };
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    return refuseAll(plan.actions, [
      { word: 'error', diagnostics: [diagnose('HW5006', `${error.message}. Nothing was sent.`)] },
    ]);
  } finally {
    emit({ type: 'run-finished', atMs: clock.now() });
  }
}

/** True when nothing of these is left to do. */
export function isComplete(actions: readonly ActionOutcome[]): boolean {
  return actions.every(({ result }) => result === 'done' || result === 'already-done');
}

/** Written down before the first change: whatever becomes of the run, what its changes owe is known. */
function owed(context: RunContext, action: Action): LedgerEntry {
  return {
    type: 'begin',
    runId: context.runId,
    action,
    known: knownFor(action.steps, context),
    effects: [],
    triggeredBy: action.needs.map(({ address }) => address),
  };
}

/** What forbids the run whatever the live side is like. */
function refuseUnseen({ plan, ledger, approved }: RunOptions): readonly Refusal[] {
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
            address,
          ),
        ],
      });
  }
  return refusals;
}

function refuseAll(actions: readonly Action[], refusals: readonly Refusal[], reason = 'nothing was sent'): RunResult {
  const diagnostics = refusals.flatMap((refusal) => refusal.diagnostics);
  return {
    actions: actions.map(({ address, verb }) => {
      const own = diagnostics.find((diagnostic) => diagnostic.address === address);
      return { address, verb, result: 'not-started', reason: own?.detail ?? reason };
    }),
    diagnostics,
    words: [...new Set(refusals.map(({ word }) => word))],
  };
}

/** An id seen just now beats one from the review: actions name objects by address, never by id. */
function learnIds({ known }: RunContext, { observed }: Observation): void {
  for (const [address, seen] of observed) if (seen.state === 'present') known.learn(address, { id: seen.id });
}

/** What was done before this run is ours all the same. */
function succeededEntry(
  { before: objects }: RunContext,
  { observed }: Observation,
  { address, verb, changes, expect: { from } }: Action,
): readonly LedgerEntry[] {
  const before = objects.get(address);
  if (verb === 'delete')
    return before === undefined ? [] : [{ type: 'succeeded', address, id: null, gone: true, applied: {}, outputs: {} }];
  const seen = observed.get(address);
  if (seen?.state !== 'present') return [];
  const left =
    from !== undefined && objects.has(from.address) ? [{ type: 'forgotten', address: from.address } as const] : [];
  return [
    {
      type: 'succeeded',
      address,
      id: seen.id,
      gone: false,
      applied: appliedAfter(before?.applied ?? {}, changes),
      outputs: {},
    },
    ...left,
  ];
}

/**
 * A ledger that broke only after the walk takes nothing back of what was done; one that broke during it is told by the
 * walk.
 */
function brokenAtTheEnd({ diagnostics }: WalkResult): (error: unknown) => readonly Diagnostic[] {
  return (error) => {
    if (!(error instanceof LedgerWriteError)) throw error;
    if (diagnostics.some(({ code }) => code === 'HW5006')) return [];
    return [diagnose('HW5006', `${error.message}. What was done before stands; that the run ended is not recorded.`)];
  };
}
