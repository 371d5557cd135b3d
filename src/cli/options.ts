// Arguments and options that several commands take.
import { Argument, Option } from 'commander';
import type { CliCommand } from './command.ts';
import {
  collectTarget,
  parseApprovable,
  parseCount,
  parseDuration,
  parseMoney,
  parseOneAddress,
  parseParallelism,
  parseRate,
} from './parse.ts';

export function pathsArgument(): Argument {
  return new Argument('[paths...]', 'Files, folders, globs, or - for standard input; else what the workspace names.');
}

export function addressArgument(description: string): Argument {
  return new Argument('<address>', description).argParser(parseOneAddress);
}

/** What takes a program by its own path. */
export function withPrograms(command: CliCommand): CliCommand {
  return command.option(
    '--run-program',
    'Run a program beside a credential without being asked: whoever can change the program could read it.',
  );
}

/** How much of a plan is shown. */
export function withPlanText(command: CliCommand): CliCommand {
  return command
    .option('--verbose', 'Every request, digest and item.')
    .addOption(new Option('--concise', 'A line an action, without values.').conflicts('verbose'))
    .option(
      '--show-personal',
      'Show names and addresses of people in Markdown, HTML and on GitHub too; people at a terminal, and JSON, are always shown them.',
    )
    .addOption(
      new Option(
        '--context <n>',
        'Unchanged lines or items around each change (default: 3 of a text, none of a list).',
      ).argParser(parseCount),
    );
}

/** What a command takes that reads the account for a plan. */
export function withReading(command: CliCommand): CliCommand {
  return withRequests(
    command.addOption(
      new Option(
        '--target <address>',
        'Only this object, what is in it, and what that needs; globs such as Site/*/Caching (repeatable).',
      )
        .argParser(collectTarget)
        .default([], 'everything'),
    ),
    'Requests in flight at most (default: 16); for apply also actions side by side (default: 10).',
  );
}

/** What a command takes that can be about the changes of a branch alone. */
export function withChangedSince(command: CliCommand): CliCommand {
  return command.addOption(
    new Option(
      '--changed-since <commit>',
      'Look only at what the manifests say otherwise since this branch left that commit, such as origin/main, and at what rests on it.',
    ).conflicts('target'),
  );
}

/** How many requests, how often, and how long one may take. */
export function withRequests(command: CliCommand, parallelism: string): CliCommand {
  return command
    .addOption(new Option('--parallelism <n>', parallelism).env('HOSTWRIGHT_PARALLELISM').argParser(parseParallelism))
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
        'How long to wait for the response of a read, including its retries, and of a write, which is sent once: 90s, 20m (default: 2m).',
      )
        .env('HOSTWRIGHT_TIMEOUT')
        .argParser(parseDuration),
    );
}

export function withLockTimeout(command: CliCommand): CliCommand {
  return command.addOption(
    new Option(
      '--lock-timeout <duration>',
      'How long to wait for a run that holds the ledger: 90s, 20m (default: not at all).',
    )
      .env('HOSTWRIGHT_LOCK_TIMEOUT')
      .argParser(parseDuration),
  );
}

/** What beats the guards of the workspace file, and what may run without review: apply obeys it, plan says what it means. */
export function withGuards(command: CliCommand, approveConflicts: readonly string[] = []): CliCommand {
  return withGuardsFrom(
    command
      .addOption(
        new Option(
          '--approve <words>',
          'Run without asking when the plan does nothing but this, such as create,update; else refuse it whole. What ends the renewal of a name (lapse), lowers protection (exposure), gives another hostname the place of the primary one (primary) or is irreversible has to be named too.',
        )
          .argParser(parseApprovable)
          .conflicts([...approveConflicts]),
      )
      .addOption(
        new Option(
          '--allow-deletes <n>',
          'Refuse a plan with more deletes than this; beats the workspace file.',
        ).argParser(parseCount),
      )
      .addOption(
        new Option(
          '--allow-charges <n>',
          'Refuse a plan with more paid requests than this; beats the workspace file.',
        ).argParser(parseCount),
      )
      .addOption(
        new Option(
          '--max-spend <money>',
          'Refuse a plan that may spend more, such as 15.00EUR; what has no quoted price, or one in another currency, is more.',
        ).argParser(parseMoney),
      ),
  );
}

export interface ApprovedByOptions {
  readonly approvedBy?: 'github' | 'gitlab';
  readonly approvalKey: string;
}

/** Which forge says that a review approves it, for a workspace that refuses what nobody reviewed. */
export function withApprovedBy(command: CliCommand): CliCommand {
  return command
    .addOption(
      new Option(
        '--approved-by <forge>',
        'Run only what a review on this forge approves. The forge is queried before the first write, with the variables of its job (of apply: with --expect). Workspaces with `guards.unreviewed: refuse` need this or a person.',
      ).choices(['github', 'gitlab']),
    )
    .addOption(
      new Option('--approval-key <text>', 'Which review, where a repository has several: its --key.').default('main'),
    );
}

/** Whose guards count. */
export function withGuardsFrom(command: CliCommand): CliCommand {
  return command.addOption(
    new Option(
      '--guards-from <commit>',
      'Take the guards from the workspace file of this commit, such as origin/main, whatever the branch says (default: the file as it is here).',
    ).env('HOSTWRIGHT_GUARDS_FROM'),
  );
}

/** For what asks a person first. */
export function withYes(command: CliCommand): CliCommand {
  return command.option('--yes', 'Do it without asking.');
}

/** For what asks a person first, and then holds the ledger while it acts. */
export function withAct(command: CliCommand): CliCommand {
  return withLockTimeout(withYes(command));
}
