// `plan --saved`: prints a saved plan without network, token or ledger. And the graph of a plan, saved or new.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Context } from '../context.ts';
import { isGraph } from '../context.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportDiagnostics, reportPlan, reportProblems } from '../report.ts';
import { readPlanFile } from './plan-file.ts';

/** Prints a saved plan in every form that `plan` has. */
export async function showSaved(context: Context, file: string, flags: PlanTextFlags): Promise<OutcomeWord> {
  const read = await readPlanFile(context.cwd, file);
  if (read.is === 'broken') return reportProblems(context, [read.diagnostic]);
  if (read.is === 'other')
    return reportProblems(context, [
      diagnose(
        'HW6504',
        `\`${file}\` does not exist or is not a saved plan. \`hostwright plan --out plan.json\` writes one. \`hostwright validate --expanded\` shows manifests.`,
      ),
    ]);
  const { checkPlan } = await import('../../usecases/show.ts');
  const tampered = checkPlan(read.plan);
  if (tampered.length > 0) return reportProblems(context, tampered);
  if (isGraph(context)) await printGraph(context, read.plan, []);
  else await reportPlan(context, { plan: read.plan, diagnostics: [], outcome: 'done', heading: 'Plan', flags, file });
  return 'done';
}

/** Prints the order of a plan as text that other programs draw. */
export async function printGraph(context: Context, plan: Plan, diagnostics: readonly Diagnostic[]): Promise<void> {
  const { graphOf, renderDot, renderMermaid } = await import('../../report/graph/graph.ts');
  const graph = graphOf(plan);
  context.progress.stop();
  context.output.result(context.options.format === 'dot' ? renderDot(graph) : renderMermaid(graph));
  await reportDiagnostics(context, diagnostics);
}
