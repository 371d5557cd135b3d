// `test`: the tests of manifests, tried without network, token or ledger.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderTestsJson } from '../../../report/json/trace.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { pathsArgument, withPrograms } from '../../options.ts';
import { reportResult, textOptions } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { createSession } from '../../settings.ts';

export function addTest(program: CliCommand): void {
  withPrograms(program.command('test'))
    .description('Try the `tests` of manifests: requests, and what the rules are to do with them.')
    .addArgument(pathsArgument())
    .formats('markdown')
    .examples(
      ['hostwright test', 'those of every manifest of the workspace'],
      ['hostwright test sites/shop.yaml', 'those of one file'],
    )
    .runs(test);
}

async function test(context: Context, options: RunOptions, paths: readonly string[]): Promise<OutcomeWord> {
  const { testWorkspace } = await import('../../../usecases/trace/tests.ts');
  const { tests, diagnostics } = await testWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  const { testsReport } = await import('../../../report/blocks/trace.ts');
  const { writePage } = await import('../../../report/page.ts');
  await reportResult(context, diagnostics, {
    json: () => renderTestsJson(tests, { outcome, diagnostics }),
    // Of manifests that cannot be read nobody knows whether they have tests.
    text: () =>
      tests.length === 0 && diagnostics.length > 0
        ? undefined
        : writePage(testsReport(tests).blocks, context.options.format, textOptions(context)),
  });
  return outcome;
}
