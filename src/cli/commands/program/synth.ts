// `synth`: YAML from a program. Neither network nor token nor ledger.
import { Argument } from 'commander';
import { hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { decideOutcome } from '../../../model/plan/outcome.ts';
import { plural } from '../../../model/common/count.ts';
import { renderEditsJson } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { SynthResult } from '../../../usecases/synth.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { reportResult } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { createSession } from '../../settings.ts';

const HELP = `
The program makes an \`App\` of \`hostwright/constructs\` and exports it by \`export default\`. It runs in a process of its own:
30 seconds, 512 MB, no secrets, nothing to read but the workspace. A file is written for each manifest, with a first line
that says so; such files that are no longer made are removed, and no other file is touched. Commit the program and the YAML.

Exit codes: 0 done, 1 the program failed or what it declares is not valid, 2 with --check when the YAML is not what the
program makes.`;

interface SynthFlags extends Omit<RunOptions, 'sources'> {
  readonly sources?: string;
  readonly out?: string;
  readonly check?: boolean;
  readonly yes?: boolean;
}

export function addSynth(program: CliCommand): void {
  const command = program
    .command('synth')
    .description('Run a program and write the manifests that it declares.')
    .addArgument(new Argument('[program]', 'Else `spec.synth.program` of the workspace file, or hosting.ts.'))
    .option('--out <folder>', 'Where the YAML goes; else `spec.synth.out` of the workspace file, or manifests.')
    .option('--sources <file>', 'Also write where each value stands in the program, for `hostwright plan --sources`.')
    .option('--yes', 'Do not ask before all made files are removed, where the program declares nothing.')
    .option('--check', 'Run it twice and write nothing. Exit with 2 when the YAML would change.');
  command
    .addHelpText('after', HELP)
    .examples(
      ['hostwright synth', 'write what hosting.ts declares'],
      ['hostwright synth clients.ts --out clients', 'another program, to another folder'],
      ['hostwright synth --check', 'for CI: is the committed YAML what the program makes?'],
    )
    .runs(synth);
}

async function synth(context: Context, options: SynthFlags, program?: string): Promise<OutcomeWord> {
  const { synthWorkspace } = await import('../../../usecases/synth.ts');
  const { out, sources, check = false, yes = false } = options;
  const result = await synthWorkspace(createSession(context, options), {
    check,
    ...(program !== undefined && { program }),
    ...(out !== undefined && { out }),
    ...(sources !== undefined && { sources }),
    ...((yes || context.canAsk) && {
      confirm: async (what: string) => {
        if (yes) return true;
        const { askPerson } = await import('../../prompt.ts');
        return askPerson(context, { question: `${escapeText(what)} Remove them?` }, 'Only "yes" does:');
      },
    }),
  });
  const { changes, written, diagnostics, folder } = result;
  const outcome = decideOutcome([
    ...(context.stop.aborted ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) ? (['error'] as const) : []),
    ...(check && changes.length > 0 ? (['differences'] as const) : []),
  ]);
  const files = changes.map(({ file, before, after = '' }) => ({
    file: folder === '.' ? file : `${folder}/${file}`,
    ...(before !== undefined && { before }),
    after,
  }));
  const { renderDiffs } = await import('../../../report/text/edits.ts');
  await reportResult(context, diagnostics, {
    json: () => renderEditsJson({ files, written }, { outcome, diagnostics }),
    text: () =>
      files.length === 0 || (!check && !written)
        ? undefined
        : check
          ? renderDiffs(files, { color: context.color.stdout })
          : files.map(({ file }) => escapeText(file)).join('\n'),
  });
  if (!hasErrors(diagnostics) && !check) context.hint(summaryOf(result));
  if (check && outcome === 'done')
    context.hint(`${plural(result.files, 'file')} in ${folder}, as the program makes them.`);
  return outcome;
}

function summaryOf({ changes, files, folder }: SynthResult): string {
  const removed = changes.filter(({ after }) => after === undefined).length;
  const written = changes.length - removed;
  const parts = [
    `${written} written`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(files - written > 0 ? [`${files - written} as before`] : []),
  ];
  return `${plural(files, 'file')} in ${folder}: ${parts.join(', ')}.`;
}
