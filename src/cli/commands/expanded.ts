// The command `show --expanded`: manifests as they are once their profiles are merged in, without network, token or
// ledger.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { renderExpandedJson } from '../../report/json/index.ts';
import { expandedYaml, expandWorkspace } from '../../workflow/expanded.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import { createSession } from '../settings.ts';

export async function expanded(context: Context, paths: readonly string[]): Promise<OutcomeWord> {
  const { manifests, diagnostics } = await expandWorkspace(createSession(context), paths);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (hasErrors(diagnostics)) return reportProblems(context, diagnostics, outcome);
  if (context.json) {
    context.output.result(renderExpandedJson(manifests, { outcome, diagnostics }));
    return outcome;
  }
  if (manifests.length > 0) context.output.result(expandedYaml(manifests));
  reportDiagnostics(context, diagnostics);
  return outcome;
}
