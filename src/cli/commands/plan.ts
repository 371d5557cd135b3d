// The commands `plan` and `drift`: one reads for a review, the other for a schedule. Both only read; `--out` writes the
// one file it names.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanResult } from '../../workflow/plan/plan.ts';
import { planWorkspace } from '../../workflow/plan/plan.ts';
import type { Session } from '../../workflow/session.ts';
import type { Context } from '../context.ts';
import { planOutcome } from '../exit-code.ts';
import { checkPlanTarget, writePlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportPlan, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface PlanOptions extends RunOptions, PlanTextFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly target: readonly string[];
  readonly changedSince?: string;
}

export interface PlanMode {
  readonly heading: 'Plan' | 'Drift';
  /** What the plan says counts for the exit code. */
  readonly detailed: boolean;
  /** What is run instead of a plan. */
  readonly run?: (session: Session) => Promise<PlanResult>;
  /** Tells others how it ended; what of that failed is told beside the result. */
  readonly tell?: (ended: Ended) => Promise<readonly Diagnostic[]>;
}

export interface Ended {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
}

export async function plan(
  context: Context,
  paths: readonly string[],
  options: PlanOptions,
  { heading, detailed, run, tell }: PlanMode,
): Promise<OutcomeWord> {
  const { out } = options;
  const early = [
    ...checkToken(context.env),
    ...checkLedgerAccess(context.env),
    ...(out === undefined ? [] : await checkPlanTarget(context.cwd, out)),
  ];
  const what = heading === 'Plan' ? 'plan' : 'drift';
  if (early.length > 0) return reportProblems(context, early, 'error', what);
  await startProgress(context);
  const session = createSession(context, options);
  const { changedSince } = options;
  const result = await (run === undefined
    ? planWorkspace(session, { paths, targets: options.target, ...(changedSince !== undefined && { changedSince }) })
    : run(session));
  const stopped = context.stop.aborted;
  // A plan with errors beside it is not the plan that was asked for; a plan that was interrupted is not whole.
  const writes = result.plan !== undefined && out !== undefined && !stopped && !hasErrors(result.diagnostics);
  const unwritten = writes ? await writePlanFile(context.cwd, out, result.plan) : [];
  const found = [...result.diagnostics, ...unwritten];
  const ended = planOutcome({ ...result, diagnostics: found }, { detailed, stopped });
  const diagnostics =
    tell === undefined ? found : [...found, ...(await tell({ ...result, diagnostics: found, outcome: ended }))];
  // It may have been interrupted while it told.
  const outcome = tell !== undefined && context.stop.aborted ? 'interrupted' : ended;
  if (result.plan === undefined) return reportProblems(context, diagnostics, outcome, what);
  const saved = writes && unwritten.length === 0;
  if (result.looked !== undefined)
    context.hint(`${result.looked.code} ${result.looked.summary}; the remarks of the plan say what.`);
  await reportPlan(context, {
    plan: result.plan,
    diagnostics,
    outcome,
    heading,
    flags: options,
    ...(saved && { file: out }),
  });
  return outcome;
}
