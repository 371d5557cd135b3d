// The command `drift --accept`: what is live of some objects goes into their manifests. Writes nothing else, and
// nothing with --dry-run.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { acceptLive } from '../../workflow/accept/accept.ts';
import type { AcceptFlags } from './accept-flags.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { reportEdits } from './report-edits.ts';
import { reportProblems } from '../report.ts';
import { checkLedgerAccess, checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export async function accept(context: Context, paths: readonly string[], options: AcceptFlags): Promise<OutcomeWord> {
  const early = [...checkToken(context.env), ...checkLedgerAccess(context.env)];
  if (early.length > 0) return reportProblems(context, early, 'error', 'drift');
  await startProgress(context);
  const result = await acceptLive(createSession(context, options), {
    paths,
    addresses: options.accept,
    dryRun: options.dryRun === true,
  });
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  return reportEdits(context, result, outcome);
}
