// `validate`: manifests checked without network, token or ledger.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand, Execute } from '../command.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { pathsArgument } from '../options.ts';
import { reportValidation } from '../report.ts';
import { createSession } from '../settings.ts';

export function addValidate(program: CliCommand, execute: Execute): void {
  program
    .command('validate')
    .description('Check manifests offline: schemas, references, duplicates.')
    .addArgument(pathsArgument())
    .formats('markdown', 'github')
    .withReport()
    .examples(
      ['hostwright validate', 'everything that the workspace names'],
      ['hostwright validate sites/shop.yaml', 'one file'],
    )
    .action((paths: string[], _options, command: CliCommand) =>
      execute(command, (context) => validate(context, paths)),
    );
}

async function validate(context: Context, paths: readonly string[]): Promise<OutcomeWord> {
  const { validateWorkspace } = await import('../../workflow/validate.ts');
  const result = await validateWorkspace(createSession(context), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  await reportValidation(context, result, outcome);
  return outcome;
}
