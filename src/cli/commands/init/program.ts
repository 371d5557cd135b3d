// The command `init`, its options and its help.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { GlobalOptions } from '../../context.ts';
import type { InitFlags } from './answers.ts';
import { parseCount, parseMoney } from '../../parse.ts';
import type { Execute } from '../../program.ts';

const INIT_HELP = `
On a terminal it asks for what is not given; elsewhere every missing answer is an error that names its flag. Usual, for --yes: --start example,
--ci none, --ledger file (git with a CI), and the account if the token reaches exactly one.

A token is never asked for and never written. If HOSTWRIGHT_TOKEN is set, one read checks it. What is there already is left as it is: a
second time changes nothing. In a folder that is a workspace already, only --ci adds something.`;

export function addInit(program: Command, execute: Execute): void {
  program
    .command('init')
    .description(
      'Begin a workspace: its file, a ledger, a first manifest or all that is live, an ignore file, files for CI.',
    )
    .argument('[folder]', 'Where; it is made if need be. Default: here.')
    .addOption(new Option('--start <what>', 'What the manifests begin with.').choices(['empty', 'example', 'export']))
    .addOption(
      new Option('--ci <which>', 'Whose files for CI are written.').choices(['github', 'gitlab', 'shell', 'none']),
    )
    .addOption(
      new Option(
        '--ledger <where>',
        'Where the ledger is kept: a file of this machine, or a ref of the Git remote origin.',
      ).choices(['file', 'git']),
    )
    .addOption(new Option('--allow-deletes <n>', 'Ceiling of deletes for one run (default: 0).').argParser(parseCount))
    .addOption(
      new Option('--allow-charges <n>', 'Ceiling of paid requests for one run (default: 0).').argParser(parseCount),
    )
    .addOption(
      new Option(
        '--max-spend <money>',
        'Ceiling of what one run may spend, such as 15.00EUR (default: none).',
      ).argParser(parseMoney),
    )
    .option('--yes', 'Take what is usual instead of asking.')
    .addHelpText('after', INIT_HELP)
    .action((folder: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & InitFlags>();
      return execute(options, async (context) => (await import('./init.ts')).init(context, folder, options));
    });
}
