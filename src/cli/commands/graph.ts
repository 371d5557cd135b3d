// `graph`: the order of a saved plan, or of one that is made now, as text that other programs draw.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { renderDocument } from '../../report/json/index.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { planOutcome } from '../exit-code.ts';
import { withPrograms, withReading } from '../options.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import { reportProblems, reportResult } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession } from '../settings.ts';

const HELP = `
Forms: mermaid (also without --format), dot for Graphviz, json. An arrow goes from what comes first to what waits for it, with the rule that asks
for it and why; what waits by way of something else has no arrow of its own. What charges, deletes, restarts or exposes is marked.
  hostwright graph plan.json --format dot | dot -Tsvg > plan.svg`;

interface GraphOptions extends RunOptions {
  readonly target: readonly string[];
}

export function addGraph(program: CliCommand): void {
  withPrograms(withReading(program.command('graph')))
    .description('Draw the order of a plan.')
    .argument(
      '[plan-or-paths...]',
      'A saved plan, or files, folders, globs or - for standard input; else what the workspace names.',
    )
    .formats('mermaid', 'dot')
    .addHelpText('after', HELP)
    .examples(['hostwright graph plan.json > plan.mmd', 'the order of a saved plan'])
    .runs(graph);
}

async function graph(context: Context, options: GraphOptions, positionals: readonly string[]): Promise<OutcomeWord> {
  const [first] = positionals;
  const saved =
    positionals.length === 1 && first?.endsWith('.json') === true ? await readPlanFile(context.cwd, first) : undefined;
  if (saved?.is === 'broken') return reportProblems(context, [saved.diagnostic]);
  if (saved?.is === 'plan') {
    if (options.target.length > 0)
      return reportProblems(context, [
        diagnose('HW6513', 'A saved plan is drawn whole: leave --target out, or leave the plan out to make one now.'),
      ]);
    const { checkPlan } = await import('../../usecases/show.ts');
    const tampered = checkPlan(saved.plan);
    return tampered.length > 0 ? reportProblems(context, tampered) : print(context, saved.plan, 'done', []);
  }
  const early = checkAccess(context.env);
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { planWorkspace } = await import('../../usecases/plan/plan.ts');
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

async function print(
  context: Context,
  plan: Plan,
  outcome: OutcomeWord,
  diagnostics: readonly Diagnostic[],
): Promise<OutcomeWord> {
  const { graphOf, renderDot, renderMermaid } = await import('../../report/graph/graph.ts');
  const picture = graphOf(plan);
  await reportResult(context, diagnostics, {
    json: () => renderDocument('hostwright.graph/1', { outcome, diagnostics }, picture),
    text: () => (context.options.format === 'dot' ? renderDot(picture) : renderMermaid(picture)),
  });
  return outcome;
}
