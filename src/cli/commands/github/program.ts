// The commands that talk to GitHub, their options and their help. `action.yml` is made of them; each serves by itself
// in any job.
import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import type { ApprovedOptions, TextOptions } from './github.ts';
import type { GlobalOptions } from '../../context.ts';
import { parsePulls } from '../../parse.ts';
import type { Execute } from '../../program.ts';

const GITHUB_HELP = `
Environment: GITHUB_TOKEN (the only way to give a token), GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_SHA, GITHUB_REF_NAME: a job on
GitHub has all but the first. The platform's token is not used. Exit code: 0 when it is done, 1 when GitHub refused or could not be reached.`;

const AUTHOR = 'github-actions[bot]';

export function addGithub(program: Command, execute: Execute): void {
  const github = program
    .command('github')
    .description('Tell a pull request or an issue what a command found, and read what a review approved.')
    .addHelpText('after', GITHUB_HELP);
  withText(github.command('comment'), 'plan, drift, apply or validate --report markdown=FILE')
    .description(
      'Put a report on a pull request: one comment for each workspace and command, written over by later ones.',
    )
    .addOption(
      new Option(
        '--pull <numbers>',
        'The pull requests, such as 12 or 12,14 (default: the one that the event is about).',
      ).argParser(parsePulls),
    )
    .action((file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & TextOptions & { readonly pull?: readonly number[] }>();
      return execute(options, async (context) => (await import('./github.ts')).comment(context, file, options));
    });
  withText(github.command('issue'), 'drift --report markdown=FILE')
    .description('Keep one issue for drift: open while something differs, closed with a word when nothing does.')
    .addOption(
      new Option('--label <name>', 'The label that it has; made when it is not there.').default('hostwright-drift'),
    )
    .addOption(new Option('--title <title>', 'Its title.').default('Hostwright: live is not as declared'))
    .action((file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & TextOptions & { readonly label: string; readonly title: string }
      >();
      return execute(options, async (context) => (await import('./github.ts')).issue(context, file, options));
    });
  withRepository(github.command('approved'))
    .description(
      'Write what the plan comments of merged pull requests approve, for `apply --expect`. What cannot be found approves nothing.',
    )
    .requiredOption('--out <file>', 'Where to write it, a digest a line.')
    .addOption(new Option('--commit <sha>', 'What was merged.').env('GITHUB_SHA'))
    .addOption(new Option('--branch <name>', 'Into which branch.').env('GITHUB_REF_NAME'))
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ApprovedOptions>();
      return execute(options, async (context) => (await import('./github.ts')).approved(context, options));
    });
}

function withRepository(command: Command): Command {
  return command
    .addOption(new Option('--repository <name>', 'The repository, as owner/name.').env('GITHUB_REPOSITORY'))
    .addOption(
      new Option(
        '--author <login>',
        'Who the token belongs to: only comments and issues of this account are believed and written over.',
      )
        .env('HOSTWRIGHT_GITHUB_AUTHOR')
        .default(AUTHOR),
    )
    .addOption(
      new Option(
        '--key <text>',
        'Which workspace it is about, where a repository has several: each has a comment and an issue of its own.',
      ).default('main'),
    );
}

function withText(command: Command, from: string): Command {
  return withRepository(command)
    .addArgument(new Argument('<file>', `The report: ${from}.`))
    .addOption(
      new Option('--outcome <word>', 'How that command ended.').choices(Object.keys(EXIT_CODES)).makeOptionMandatory(),
    );
}
