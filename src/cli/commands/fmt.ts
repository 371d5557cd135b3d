// `fmt`: manifests in the layout that `export` writes. Neither network nor token nor ledger.
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { plural } from '../../model/common/count.ts';
import { renderEditsJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { pathsArgument } from '../options.ts';
import { reportResult } from '../report.ts';
import { createSession } from '../settings.ts';

const HELP = `
Fields come in the order of \`hostwright explain\`. Comments, empty lines and quotes stay. A file that cannot be laid out
without a change of what it says is left as it is, with a warning. Names of changed files are printed.

With -, standard input is laid out and printed. In Vim: \`:%!hostwright fmt -\`.

Exit codes: 0 done, 1 a file cannot be parsed or written, 2 with --check when the layout of a file would change.`;

interface FmtOptions {
  readonly check?: boolean;
  readonly diff?: boolean;
}

export function addFmt(program: CliCommand): void {
  program
    .command('fmt')
    .description('Rewrite manifests in the standard layout.')
    .addArgument(pathsArgument())
    .option('--check', 'Write nothing. Exit with 2 when the layout of a file would change.')
    .option('--diff', 'Show the changed lines too.')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright fmt', 'all manifests, and hostwright.yaml'],
      ['hostwright fmt sites/shop.yaml', 'one file'],
      ['hostwright fmt --check --diff', 'for CI: write nothing, show what would change'],
    )
    .action((paths: string[], _options, command: CliCommand) => {
      if (paths.includes('-') && paths.length > 1)
        command.error('error: - stands alone: run `hostwright fmt` once for it and once for the files');
      return command.execute<FmtOptions>((context, options) => fmt(context, paths, options));
    });
}

async function fmt(
  context: Context,
  paths: readonly string[],
  { check = false, diff = false }: FmtOptions,
): Promise<OutcomeWord> {
  const { formatFiles } = await import('../../usecases/fmt.ts');
  const { renderDiffs } = await import('../../report/text/edits.ts');
  const { files, text, checked, written, diagnostics } = await formatFiles(createSession(context), { paths, check });
  const outcome = decideOutcome([
    ...(context.stop.aborted ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) ? (['error'] as const) : []),
    ...(check && files.length > 0 ? (['differences'] as const) : []),
  ]);
  // Laid out for the program behind the pipe: as it is, without a line of ours.
  const isFilter = text !== undefined && !check && !diff;
  if (isFilter && !context.json) context.output.raw('stdout', text);
  await reportResult(context, diagnostics, {
    json: () => renderEditsJson({ files, written }, { outcome, diagnostics }),
    text: () =>
      isFilter || files.length === 0
        ? undefined
        : diff
          ? renderDiffs(files, { color: context.color.stdout })
          : files.map(({ file }) => escapeText(file)).join('\n'),
  });
  if (!isFilter && !hasErrors(diagnostics)) context.hint(summaryOf(files.length, checked, check));
  return outcome;
}

function summaryOf(changed: number, checked: number, check: boolean): string {
  const files = (count: number): string => plural(count, 'file');
  if (changed === 0) return `No changes. ${files(checked)} checked.`;
  return check
    ? `${files(changed)} would change. Nothing was written: --check. Run \`hostwright fmt\` to write them.`
    : `${files(changed)} changed.`;
}
