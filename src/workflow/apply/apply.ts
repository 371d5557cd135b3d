// The use case `apply`: continue what is in flight, plan or take the reviewed plan, check what it rests on, run it,
// read back. Must not run an action that nobody reviewed, nor anything at all when one of them is in conflict.
import { isNear, isOver } from '../../model/deadline.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { ActionOutcome, Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES, OUTCOME_FORMAT } from '../../model/plan/outcome.ts';
import type { Obstacle, Plan } from '../../model/plan/plan.ts';
import { checkCredential } from '../../planner/admission/credential.ts';
import { checkGuards } from '../../planner/admission/guards.ts';
import { deadlineCame } from '../../apply/diagnostics.ts';
import { runPlan } from '../../apply/interpreter.ts';
import { openLedger } from '../../apply/ledger/stored-ledger.ts';
import { closeRun, resumeInFlight } from '../../apply/resume.ts';
import { WORKSPACE_FILE } from '../../manifest/read/load.ts';
import type { Client } from '../../platform/http.ts';
import type { Redactor } from '../../platform/redact.ts';
import { createRedactor } from '../../platform/redact.ts';
import { checkApproved, checkSavedPlan, checkUnused } from './approval.ts';
import { connect } from '../connect.ts';
import { ledgerOptions } from '../ledger.ts';
import { chooseGuards } from '../guards.ts';
import type { LivePlanRequest } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import { runDeferred, close, withoutDone } from './replan.ts';
import { readBack } from './read-back.ts';
import type { Reviewed } from './review.ts';
import { checkManifests, holdAgainst } from './review.ts';
import type { ApplyOptions, Run } from './run.ts';
import { NOTHING_RUN, runtimeOf, planNow, doneIn, notRecorded } from './run.ts';

export interface ApplyResult {
  readonly outcome: Outcome;
  readonly plan?: Plan;
}

/**
 * Runs to the end, to a wait, to a conflict or to a refusal; the outcome says which, in one word. Never throws for what
 * a user or the platform can cause.
 */
export async function applyWorkspace(session: Session, options: ApplyOptions): Promise<ApplyResult> {
  const saved = options.plan;
  const opened = await openWorkspace(session, options.paths, saved === undefined ? {} : { mayBeEmpty: true });
  const found = opened.diagnostics;
  if (opened.workspace === undefined || hasErrors(found))
    return stopped('error', { account: opened.workspace?.account ?? '', diagnostics: found });
  const { guards, diagnostics: ofGuards } = await chooseGuards(
    session,
    opened.workspace,
    opened.file ?? WORKSPACE_FILE,
  );
  if (guards === undefined)
    return stopped('error', { account: opened.workspace.account, diagnostics: [...found, ...ofGuards] });
  const workspace = { ...opened.workspace, guards };
  const early = [
    ...found,
    ...ofGuards,
    ...(saved === undefined
      ? []
      : [...checkSavedPlan(saved, workspace.account), ...checkManifests(saved, opened.declared)]),
  ];
  if (hasErrors(early)) return stopped('error', { account: workspace.account, diagnostics: early });
  // One for the whole run: what a secret is known to be by one part, no other part may tell.
  const redactor = createRedactor();
  const connection = connect(session, workspace, redactor);
  if ('error' in connection)
    return stopped('error', { account: workspace.account, diagnostics: [...early, connection.error] });
  const runId = session.runtime.uuid();
  const locked = await openLedger(ledgerOptions(session, workspace, runId));
  const diagnostics = [...early, ...locked.diagnostics];
  let remarks: readonly Diagnostic[] = [];
  try {
    const { ledger } = locked;
    if (ledger === undefined)
      return stopped(session.stop.aborted ? 'interrupted' : 'error', { account: workspace.account, diagnostics });
    const ran = runLocked({
      session,
      options,
      workspace,
      declared: opened.declared,
      client: connection.client,
      redactor,
      ledger,
      runId,
      diagnostics,
    });
    const { outcome, ...rest } = await ran.finally(async () => {
      remarks = await ledger.close();
    });
    return withRemarks({ outcome: redacted(outcome, redactor), ...rest }, remarks);
  } finally {
    await connection.client.close();
  }
}

/** What went wrong after the last word was said: it changes no word. */
function withRemarks(result: ApplyResult, remarks: readonly Diagnostic[]): ApplyResult {
  if (remarks.length === 0) return result;
  return {
    ...result,
    outcome: { ...result.outcome, diagnostics: sortDiagnostics([...result.outcome.diagnostics, ...remarks]) },
  };
}

async function runLocked(run: Run): Promise<ApplyResult> {
  const { options, workspace } = run;
  const resumed = await resumeInFlight(runtimeOf(run));
  const early = [...run.diagnostics, ...resumed.diagnostics];
  const end = (words: readonly OutcomeWord[], rest: Partial<Ending> = {}): ApplyResult =>
    finished([...resumed.words, ...words], {
      account: workspace.account,
      client: run.client,
      ...rest,
      actions: [...resumed.actions, ...(rest.actions ?? [])],
      diagnostics: [...early, ...(rest.diagnostics ?? [])],
    });
  if (options.resumeOnly || resumed.words.includes('interrupted') || resumed.words.includes('error')) {
    const closed = options.resumeOnly ? await closeRun(runtimeOf(run)) : NOTHING_RUN;
    return end(closed.words, { actions: closed.actions, diagnostics: closed.diagnostics });
  }

  const saved = options.plan;
  const used = saved === undefined ? [] : checkUnused(saved, run.ledger.view());
  if (used.length > 0) return end(['conflict'], { diagnostics: used });
  const planned = await planNow(
    run,
    saved === undefined ? { targets: [], patterns: options.targets } : limitsOf(saved),
    early,
  );
  const { plan: fresh } = planned;
  if (isTooLate(run, fresh))
    return end(['waiting'], {
      ...(fresh !== undefined && { plan: fresh }),
      actions: (fresh?.actions ?? []).map(notBegun),
      diagnostics: [deadlineCame()],
    });
  if (fresh === undefined) return end(['error'], { diagnostics: planned.diagnostics });
  const reviewed =
    saved === undefined
      ? { plan: fresh, done: [], deferred: fresh.deferred }
      : await holdAgainst(saved, fresh, planned, run, resumed);
  if ('word' in reviewed) return end([reviewed.word], { plan: fresh, diagnostics: reviewed.diagnostics });
  const { plan, done } = reviewed;
  const refusal = refuse(run, plan);
  if (refusal !== undefined) return end([refusal.word], { plan, diagnostics: refusal.diagnostics });
  const confirmed = await options.confirm(plan);
  if (run.session.stop.aborted) return end(['interrupted'], { plan });
  if (!confirmed) return end(['refused'], { plan, diagnostics: [notConfirmed()] });

  const result = await runPlan({
    ...runtimeOf(run),
    plan,
    parallelism: options.parallelism,
    approved: options.approved ?? plan.actions.map(({ digest }) => digest),
    through: doneIn(resumed),
  });
  const later = await runDeferred(run, reviewed, {
    ...result,
    actions: [...resumed.actions, ...done, ...result.actions],
  });
  const closed = await close(run, plan, result);
  const unwritten = await useUp(run, reviewed);
  const back = await readBack(
    run,
    planned,
    [{ plan, result }, ...later.rounds].map((round) => withoutDone(round, closed)),
  );
  return end(
    [
      ...result.words,
      ...later.words,
      ...closed.words,
      ...back.words,
      ...(unwritten.length > 0 ? (['error'] as const) : []),
    ],
    {
      plan,
      actions: [
        ...result.actions,
        ...done,
        ...later.rounds.flatMap((round) => round.result.actions),
        ...closed.actions,
      ],
      diagnostics: [
        ...result.diagnostics,
        ...later.diagnostics,
        ...closed.diagnostics,
        ...unwritten,
        ...back.diagnostics,
      ],
      // What a later round left out shows again in the last look.
      remaining: [
        ...later.remaining,
        ...back.remaining.filter(({ address }) => !later.remaining.some((known) => known.address === address)),
      ],
    },
  );
}

/** A saved plan of which only a part was asked for says nothing of the rest. */
function limitsOf({ covers }: Plan): Pick<LivePlanRequest, 'targets' | 'within'> {
  return { targets: covers?.targets ?? [], ...(covers?.read !== undefined && { within: new Set(covers.read) }) };
}

/** A saved plan of which nothing is left to do is used up without a run. */
async function useUp(
  { options: { plan: saved }, ledger, runId }: Run,
  { plan, deferred }: Reviewed,
): Promise<readonly Diagnostic[]> {
  if (
    saved === undefined ||
    saved.actions.length === 0 ||
    plan.planId !== saved.planId ||
    plan.actions.length > 0 ||
    deferred.length > 0
  )
    return [];
  return ledger
    .append({ type: 'run-finished', runId, planId: saved.planId, complete: true })
    .then(() => [], notRecorded);
}

/** What was read when time had run out is not to be relied on, and what would write is not even asked about. */
function isTooLate({ session: { clock, deadline } }: Run, plan: Plan | undefined): boolean {
  return isOver(deadline, clock.now()) || (isNear(deadline, clock.now()) && plan?.actions.length !== 0);
}

function notBegun({ address, verb }: Plan['actions'][number]): ActionOutcome {
  return { address, verb, result: 'not-started', because: 'the deadline was too near to begin it' };
}

/** What forbids the plan before anything is asked or sent: the reviewed set first, then guards, then the credential. */
function refuse(
  { options, workspace, ledger }: Run,
  plan: Plan,
): { readonly word: OutcomeWord; readonly diagnostics: readonly Diagnostic[] } | undefined {
  const outside = checkApproved(plan, options.approved);
  if (outside.length > 0) return { word: 'conflict', diagnostics: outside };
  const maxSpend = options.maxSpend ?? workspace.guards.maxSpend;
  const ceilings = {
    allowDeletes: options.allowDeletes ?? workspace.guards.allowDeletes,
    allowCharges: options.allowCharges ?? workspace.guards.allowCharges,
  };
  const guards = checkGuards(
    plan,
    {
      ...ceilings,
      ...(maxSpend !== undefined && { maxSpend }),
      ...(options.approve !== undefined && { approve: options.approve }),
    },
    ledger.view().standing,
  );
  if (guards.length > 0) return { word: 'refused', diagnostics: guards };
  const credential = checkCredential(plan, workspace.credential);
  return credential.length > 0 ? { word: 'error', diagnostics: credential } : undefined;
}

interface Ending {
  readonly account: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly client: Pick<Client, 'stats'>;
  readonly plan: Plan;
  readonly actions: readonly ActionOutcome[];
  readonly remaining: readonly Obstacle[];
}

function finished(
  words: readonly OutcomeWord[],
  {
    account,
    diagnostics,
    client,
    plan,
    actions = [],
    remaining = [],
  }: Partial<Ending> & Pick<Ending, 'account' | 'diagnostics'>,
): ApplyResult {
  const outcome = decideOutcome(words);
  return {
    outcome: {
      format: OUTCOME_FORMAT,
      outcome,
      exitCode: EXIT_CODES[outcome],
      account,
      planDigest: plan?.digest ?? '',
      actions,
      remaining,
      diagnostics: sortDiagnostics(toldOnce(diagnostics)),
      requests: { reads: client?.stats.reads ?? 0, writes: client?.stats.writes ?? 0 },
    },
    ...(plan !== undefined && { plan }),
  };
}

/** Several parts of a run may meet its deadline. */
function toldOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { code } = deadlineCame();
  return diagnostics.filter(
    (diagnostic, index) => diagnostic.code !== code || diagnostics.findIndex((other) => other.code === code) === index,
  );
}

/** The texts of an outcome quote live values and answers, and a platform may send back what it was sent. */
function redacted(outcome: Outcome, { text }: Redactor): Outcome {
  return {
    ...outcome,
    actions: outcome.actions.map((action) => ({
      ...action,
      ...(action.because !== undefined && { because: text(action.because) }),
    })),
    remaining: outcome.remaining.map((obstacle) => ({ ...obstacle, because: text(obstacle.because) })),
    diagnostics: outcome.diagnostics.map((diagnostic) => ({ ...diagnostic, detail: text(diagnostic.detail) })),
  };
}

function stopped(word: OutcomeWord, ending: Pick<Ending, 'account' | 'diagnostics'>): ApplyResult {
  return finished([word], ending);
}

function notConfirmed(): Diagnostic {
  return { code: 'HW6102', severity: 'error', summary: 'The plan was not confirmed', detail: 'Nothing was sent.' };
}
