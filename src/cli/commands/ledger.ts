// The command `ledger`: what the safety net holds, and the few things that only a person can put right in it.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { escapeText } from '../../report/view/escape.ts';
import { renderLedger } from '../../report/text/index.ts';
import { renderLedgerJson } from '../../report/json/index.ts';
import type { LedgerCommand } from '../../workflow/ledger.ts';
import { ledgerCommand } from '../../workflow/ledger.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export async function ledger(
  context: Context,
  command: LedgerCommand,
  options: Pick<RunOptions, 'lockTimeout'>,
): Promise<OutcomeWord> {
  const problems = checkLedgerAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const result = await ledgerCommand(createSession(context, options), command);
  context.progress.stop();
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  if (context.json) {
    context.output.result(renderLedgerJson(result, outcome));
    return outcome;
  }
  if (result.message !== undefined) context.output.result(escapeText(result.message));
  if (result.view !== undefined) context.output.result(renderLedger(result.view, { color: context.color.stdout }));
  reportDiagnostics(context, result.diagnostics);
  return outcome;
}
