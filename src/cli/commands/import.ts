// `import`: one live object gets a manifest, or its lines in one.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { addressArgument } from '../options.ts';
import { reportEdits, reportProblems } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

const HELP = `
For Site/shop it writes a new manifest, or adds the id to the manifest that exists. For an object inside another one, such as
Mailspace/example.com/Mailbox/a@example.com, it adds lines to the manifest of the outer object. Comments and layout stay. The account is not changed.
Exit codes: 0 the object is adopted, and differences from its manifest are listed; 1 nothing is written.`;

interface ImportOptions {
  readonly id?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
}

export function addImport(program: CliCommand): void {
  program
    .command('import')
    .description('Write a manifest for one live object, by its id.')
    .addArgument(addressArgument('Such as Site/shop, or Site/shop/SiteDomain/www.example.com.'))
    .option('--id <id>', 'The id of the live object; needed for a root, else checked.')
    .option(
      '--out <file>',
      'The file for a new manifest (default: where `export` would put it, in the first folder that the workspace names).',
    )
    .option('--dry-run', 'Show what would be written, and write nothing.')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright import Site/shop --id 1f3c', 'a manifest for this site, or its id in the manifest that is there'],
      [
        'hostwright import Mailspace/example.com/Mailbox/alice@example.com',
        'one line in the manifest of its mailspace',
      ],
    )
    .runs(importOne);
}

async function importOne(context: Context, { id, out, dryRun }: ImportOptions, address: string): Promise<OutcomeWord> {
  const early = checkAccess(context.env);
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { importObject } = await import('../../usecases/import.ts');
  const result = await importObject(createSession(context), {
    address,
    ...(id !== undefined && { id }),
    ...(out !== undefined && { out }),
    dryRun: dryRun === true,
  });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}
