// The command that writes manifests for what is live, its options and its help.
import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { ExportCommandOptions } from './export.ts';
import type { GlobalOptions } from '../context.ts';
import { parseDuration, parseParallelism, parseRate } from '../parse.ts';
import type { Execute } from '../program.ts';

const EXPORT_HELP = `
Only what no manifest of the workspace names is written; with --out, manifests that are there get the sections and list items that they lack, and keep
comments and layout: what is not to be managed goes into \`lifecycle.ignore\`. What is written is planned before: unless that plan is empty, nothing is. What the API does
not tell stands there as comments; secrets are never read, and their places are left to fill in. Nothing on the account is changed.
Exit codes: 0 all of it is written, or nothing was left to write; 6 something could not be read, or not be added
to a manifest that is there, and the rest is written; 1 nothing is written, or a file could not be: the error says which.`;

export function addExport(program: Command, execute: Execute): void {
  program
    .command('export')
    .description('Write manifests for what is live and no manifest names, proven to plan to nothing.')
    .addArgument(new Argument('[address-or-kind...]', 'Such as Site, or Site/shop; else everything.'))
    .option('--out <folder>', 'Write a file for each, and overwrite none; else YAML on stdout.')
    .option('--profiles', 'Put what several sites share into profiles.')
    .addOption(
      new Option('--parallelism <n>', 'Requests in flight at most (default: 16).')
        .env('HOSTWRIGHT_PARALLELISM')
        .argParser(parseParallelism),
    )
    .addOption(
      new Option(
        '--max-rps <n>',
        'Requests a second at most, such as 5 or 0.5 (default: as many as the platform takes).',
      )
        .env('HOSTWRIGHT_MAX_RPS')
        .argParser(parseRate),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'How long one read may take, all its retries together: 90s, 20m (default: 2m).',
      )
        .env('HOSTWRIGHT_TIMEOUT')
        .argParser(parseDuration),
    )
    .addHelpText('after', EXPORT_HELP)
    .action((targets: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ExportCommandOptions>();
      return execute(options, async (context) =>
        (await import('./export.ts')).exportManifests(context, targets, options),
      );
    });
}
