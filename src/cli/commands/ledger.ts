// The command `ledger`: what the safety net holds, and the few things that only a person can put right in it.
import type { OutcomeWord } from '../../model/outcome.ts';
import { escapeText } from '../../report/escape.ts';
import { renderLedger } from '../../report/human.ts';
import { renderLedgerJson } from '../../report/json.ts';
import type { LedgerCommand } from '../../workflow/ledger.ts';
import { ledgerCommand } from '../../workflow/ledger.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportDiagnostics } from '../report.ts';
import { createSession } from '../settings.ts';

export async function ledger(context: Context, command: LedgerCommand): Promise<OutcomeWord> {
  const result = await ledgerCommand(createSession(context), command);
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
