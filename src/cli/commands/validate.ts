// `validate`: checks manifests, or prints them with their profiles merged, without network, token or ledger.
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { pathsArgument } from '../options.ts';
import { reportProblems, reportResult, reportValidation } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { createSession } from '../settings.ts';

export function addValidate(program: CliCommand): void {
  program
    .command('validate')
    .description('Check manifests offline: schemas, references, duplicates.')
    .option(
      '--expanded',
      'Print the manifests with their profiles merged, and comments that name the profile of each value.',
    )
    .addArgument(pathsArgument())
    .formats('markdown', 'github')
    .withReport()
    .examples(
      ['hostwright validate', 'everything that the workspace names'],
      ['hostwright validate sites/shop.yaml', 'one file'],
      ['hostwright validate --expanded sites/shop.yaml', 'one file, with its profiles merged'],
      ['hostwright validate hosting.ts', 'what a program declares'],
    )
    .runs((context, options: RunOptions & { readonly expanded?: boolean }, paths: readonly string[]) =>
      options.expanded === true ? showExpanded(context, options, paths) : validate(context, options, paths),
    );
}

async function validate(context: Context, options: RunOptions, paths: readonly string[]): Promise<OutcomeWord> {
  const { validateWorkspace } = await import('../../usecases/validate.ts');
  const result = await validateWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  await reportValidation(context, result, outcome);
  return outcome;
}

async function showExpanded(context: Context, options: RunOptions, paths: readonly string[]): Promise<OutcomeWord> {
  const { expandedYaml, expandWorkspace } = await import('../../usecases/expanded.ts');
  const { renderExpandedJson } = await import('../../report/json/index.ts');
  const { manifests, diagnostics } = await expandWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (hasErrors(diagnostics)) return reportProblems(context, diagnostics, outcome);
  await reportResult(context, diagnostics, {
    json: () => renderExpandedJson(manifests, { outcome, diagnostics }),
    text: () => (manifests.length === 0 ? undefined : expandedYaml(manifests)),
  });
  return outcome;
}
