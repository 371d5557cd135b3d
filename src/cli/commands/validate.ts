// The command `validate`: manifests checked without network, token or ledger.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { validateWorkspace } from '../../workflow/validate.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportValidation } from '../report.ts';
import { createSession } from '../settings.ts';

export async function validate(context: Context, paths: readonly string[]): Promise<OutcomeWord> {
  const result = await validateWorkspace(createSession(context), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  await reportValidation(context, result, outcome);
  return outcome;
}
