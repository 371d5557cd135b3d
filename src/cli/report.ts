// Decides which stream and which form the parts of a result take: JSON whole on stdout; for people results on stdout, what went wrong and
// what to do next on stderr. Must not word anything.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OutcomeWord } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import { renderDiagnostics, renderPlan } from '../report/human.ts';
import { renderDiagnosticsJson, renderPlanJson } from '../report/json.ts';
import type { Context } from './context.ts';

/** A command that ended before it had a result. */
export function reportProblems(context: Context, diagnostics: readonly Diagnostic[], outcome: OutcomeWord = 'error'): OutcomeWord {
  context.progress.stop();
  if (context.json) context.output.result(renderDiagnosticsJson(diagnostics, outcome));
  else reportDiagnostics(context, diagnostics);
  return outcome;
}

export interface PlanReport {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly heading: 'Plan' | 'Drift';
  readonly verbose: boolean;
  readonly file?: string;
}

export function reportPlan(context: Context, { plan, diagnostics, outcome, heading, verbose, file }: PlanReport): void {
  context.progress.stop();
  const remarks = new Set(plan.remarks.map((remark) => JSON.stringify(remark)));
  // The plan carries its own remarks; only what it does not carry is told beside it.
  const beside = diagnostics.filter((diagnostic) => !remarks.has(JSON.stringify(diagnostic)));
  if (context.json) {
    context.output.result(renderPlanJson(plan, { outcome, diagnostics: beside }));
    return;
  }
  const { text, hints } = renderPlan(plan, { color: context.color.stdout, width: context.width, verbose, heading, outcome, ...(file !== undefined && { file }) });
  context.output.result(text);
  reportDiagnostics(context, beside);
  reportHints(context, hints);
}

export function reportDiagnostics(context: Context, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) context.output.error(renderDiagnostics(diagnostics, { color: context.color.stderr }));
}

export function reportHints(context: Context, hints: readonly string[]): void {
  if (hints.length > 0) context.hint(`\n${hints.join('\n')}`);
}
