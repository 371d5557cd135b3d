// The command `graph`: the order of a saved plan, or of one that is made now, as text that other programs draw. Only
// reads.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { renderDot } from '../../report/graph/dot.ts';
import { graphOf, renderMermaid } from '../../report/graph/graph.ts';
import { renderGraphJson } from '../../report/json/index.ts';
import { planWorkspace } from '../../workflow/plan/plan.ts';
import { checkPlan } from '../../workflow/show.ts';
import type { Context } from '../context.ts';
import { planOutcome } from '../exit-code.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, checkToken, createSession, problem } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface GraphOptions extends RunOptions {
  readonly target: readonly string[];
}

export async function graph(
  context: Context,
  positionals: readonly string[],
  options: GraphOptions,
): Promise<OutcomeWord> {
  const saved =
    positionals.length === 1 && positionals[0]?.endsWith('.json') === true
      ? await readPlanFile(context.cwd, positionals[0])
      : undefined;
  if (saved?.is === 'broken') return reportProblems(context, [saved.diagnostic]);
  if (saved?.is === 'plan') {
    if (options.target.length > 0)
      return reportProblems(context, [
        problem(
          'HW6513',
          'An option does not go with the others',
          'A saved plan is drawn whole: leave --target out, or leave the plan out to make one now.',
        ),
      ]);
    const tampered = checkPlan(saved.plan);
    return tampered.length > 0 ? reportProblems(context, tampered) : print(context, saved.plan, 'done', []);
  }
  const early = [...checkToken(context.env), ...checkLedgerAccess(context.env)];
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { plan, diagnostics } = await planWorkspace(createSession(context, options), {
    paths: positionals,
    targets: options.target,
  });
  const outcome = planOutcome(
    { diagnostics, ...(plan !== undefined && { plan }) },
    { detailed: false, stopped: context.stop.aborted },
  );
  return plan === undefined
    ? reportProblems(context, diagnostics, outcome)
    : print(context, plan, outcome, diagnostics);
}

function print(context: Context, plan: Plan, outcome: OutcomeWord, diagnostics: readonly Diagnostic[]): OutcomeWord {
  context.progress.stop();
  const picture = graphOf(plan);
  context.output.result(
    context.json
      ? renderGraphJson(picture, { outcome, diagnostics })
      : context.options.format === 'dot'
        ? renderDot(picture)
        : renderMermaid(picture),
  );
  if (!context.json) reportDiagnostics(context, diagnostics);
  return outcome;
}
