// `validate`: manifests checked without network, token or ledger.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand, Execute } from '../command.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { pathsArgument, withPrograms } from '../options.ts';
import { reportValidation } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { createSession } from '../settings.ts';

export function addValidate(program: CliCommand, execute: Execute): void {
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
    .action((paths: string[], _options, command: CliCommand) =>
      execute<RunOptions>(command, (context, options) => validate(context, paths, options)),
    );
}

async function validate(context: Context, paths: readonly string[], options: RunOptions): Promise<OutcomeWord> {
  const { validateWorkspace } = await import('../../usecases/validate.ts');
  const result = await validateWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  await reportValidation(context, result, outcome);
  return outcome;
}
