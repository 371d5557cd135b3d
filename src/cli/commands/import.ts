// The command `import`: one live object gets a manifest, or its lines in one. Only reads the account.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { importObject } from '../../workflow/import.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportEdits } from './report-edits.ts';
import { reportProblems } from '../report.ts';
import { checkLedgerAccess, checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface ImportCommandOptions {
  readonly id?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
}

export async function importOne(
  context: Context,
  address: string,
  { id, out, dryRun }: ImportCommandOptions,
): Promise<OutcomeWord> {
  const early = [...checkToken(context.env), ...checkLedgerAccess(context.env)];
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const result = await importObject(createSession(context), {
    address,
    ...(id !== undefined && { id }),
    ...(out !== undefined && { out }),
    dryRun: dryRun === true,
  });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}
