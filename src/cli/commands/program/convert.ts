// `convert`: manifests in YAML as a program. Neither network nor token nor ledger.
import { Option } from 'commander';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { plural } from '../../../model/common/count.ts';
import { renderEditsJson } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { ConvertResult } from '../../../usecases/write/convert.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { pathsArgument } from '../../options.ts';
import { reportResult } from '../../report.ts';
import { createSession } from '../../settings.ts';

const HELP = `
Each manifest becomes a call, references become the objects that they name, comments stay. The program is run first, and
nothing is written unless it declares what the YAML says, document by document; so the plan is the same. The YAML stays:
what to do with it is printed.

Exit codes: 0 done, 1 a manifest is not valid, or the program would not declare the same.`;

interface ConvertFlags {
  readonly out?: string;
}

export function addConvert(program: CliCommand): void {
  program
    .command('convert')
    .description('Write manifests that are there in YAML as a program.')
    .addArgument(pathsArgument())
    .addOption(new Option('--lang <language>', 'ts: a program in TypeScript.').choices(['ts']).default('ts'))
    .option('--out <file>', 'The program to write, which is not there yet; else it is printed.')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright convert --lang ts --out hosting.ts', 'everything that the workspace names'],
      ['hostwright convert manifests/mail.yaml --lang ts', 'one file, on stdout'],
    )
    .runs(convert);
}

async function convert(context: Context, { out }: ConvertFlags, paths: readonly string[]): Promise<OutcomeWord> {
  const { convertManifests } = await import('../../../usecases/write/convert.ts');
  const result = await convertManifests(createSession(context), { paths, ...(out !== undefined && { out }) });
  const { program, written, diagnostics } = result;
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  await reportResult(context, diagnostics, {
    json: () =>
      renderEditsJson(
        { files: program === undefined ? [] : [{ file: out ?? program.file, after: program.text }], written },
        { outcome, diagnostics },
      ),
    text: () => (program === undefined ? undefined : out === undefined ? program.text.trimEnd() : escapeText(out)),
  });
  if (program !== undefined && !context.json) context.hint(hintOf(result, out));
  return outcome;
}

function hintOf({ manifests, replaced, partly }: ConvertResult, out: string | undefined): string {
  const proof = `${plural(manifests, 'manifest')}. The program was run, and declares what the YAML says, document by document: the plan is the same.`;
  if (out === undefined) return proof;
  const list = (files: readonly string[]): string => files.map(escapeText).join(' ');
  return [
    proof,
    'Next:',
    ...(replaced.length === 0 ? [] : [`  git rm ${list(replaced)}`]),
    ...(partly.length === 0 ? [] : [`  take the manifests out of ${list(partly)}, which holds more`]),
    `  hostwright synth ${escapeText(out)}`,
    '  hostwright plan',
  ].join('\n');
}
