// The command that adopts one live object, its options and its help.
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { ImportCommandOptions } from './import.ts';
import type { GlobalOptions } from '../context.ts';
import { parseOneAddress } from '../parse.ts';
import type { Execute } from '../program.ts';

const IMPORT_HELP = `
A root such as Site/shop gets a manifest of its own, or its id where a manifest of that name is there already. What is in a root, such as
Mailspace/example.com/Mailbox/a@example.com, gets its lines in the manifest of that root; comments and layout stay. Nothing on the account is changed.
Exit codes: 0 it is adopted, also where the manifest says something else than what is live, which is told; 1 nothing is written.`;

export function addImport(program: Command, execute: Execute): void {
  program
    .command('import')
    .description('Adopt one live object: write its manifest, or its lines in one.')
    .addArgument(
      new Argument('<address>', 'Such as Site/shop, or Site/shop/SiteDomain/www.example.com.').argParser(
        parseOneAddress,
      ),
    )
    .option('--id <id>', 'The id of the live object; needed for a root, else checked.')
    .option(
      '--out <file>',
      'The file for a new manifest (default: where `export` would put it, in the first folder that the workspace names).',
    )
    .option('--dry-run', 'Show what would be written, and write nothing.')
    .addHelpText('after', IMPORT_HELP)
    .action((address: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ImportCommandOptions>();
      return execute(options, async (context) => (await import('./import.ts')).importOne(context, address, options));
    });
}
