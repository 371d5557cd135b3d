// The command `validate`: manifests checked without network, token or ledger.
import type { OutcomeWord } from '../../model/outcome.ts';
import { renderValidation } from '../../report/human.ts';
import { renderValidationJson } from '../../report/json.ts';
import { validateWorkspace } from '../../workflow/validate.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { createSession } from '../settings.ts';

export async function validate(context: Context, paths: readonly string[]): Promise<OutcomeWord> {
  const result = await validateWorkspace(createSession(context), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  // The problems are what was asked for: they are the result, not what went wrong.
  context.output.result(context.json ? renderValidationJson(result, outcome) : renderValidation(result, { color: context.color.stdout }));
  return outcome;
}
