// `validate`: manifests checked without network, token or ledger.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { pathsArgument, withPrograms } from '../options.ts';
import { reportValidation } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { createSession } from '../settings.ts';

export function addValidate(program: CliCommand): void {
  withPrograms(program.command('validate'))
    .description('Check manifests offline: schemas, references, duplicates.')
    .addArgument(pathsArgument())
    .formats('markdown', 'github')
    .withReport()
    .examples(
      ['hostwright validate', 'everything that the workspace names'],
      ['hostwright validate sites/shop.yaml', 'one file'],
      ['hostwright validate hosting.ts', 'what a program declares'],
    )
    .runs(validate);
}

async function validate(context: Context, options: RunOptions, paths: readonly string[]): Promise<OutcomeWord> {
  const { validateWorkspace } = await import('../../usecases/validate.ts');
  const result = await validateWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  await reportValidation(context, result, outcome);
  return outcome;
}
