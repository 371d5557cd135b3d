// Arguments and options that several commands take.
import { Argument, Option } from 'commander';
import type { CliCommand } from './command.ts';
import { collectTarget, parseApprovable, parseCount, parseMoney, parseOneAddress } from './parse.ts';

export function pathsArgument(): Argument {
  return new Argument('[paths...]', 'Files, folders, globs, or - for standard input; else what the workspace names.');
}

export function addressArgument(description: string): Argument {
  return new Argument('<address>', description).argParser(parseOneAddress);
}

/** Adds the options for the level of detail of a plan. */
export function withPlanText(command: CliCommand): CliCommand {
  return command
    .option('--verbose', 'Show every request, digest and item.')
    .addOption(new Option('--concise', 'Show one line for each action, without values.').conflicts('verbose'));
}

/** Adds the option that limits a plan to some objects. */
export function withTarget(command: CliCommand): CliCommand {
  return command.addOption(
    new Option(
      '--target <address>',
      'Plan only this object, its children, and the objects that they depend on. Globs such as Site/*/Caching are allowed. Repeatable.',
    )
      .argParser(collectTarget)
      .default([], 'everything'),
  );
}

/** Adds the option that limits a plan to the changes of a branch. */
export function withChangedSince(command: CliCommand): CliCommand {
  return command.addOption(
    new Option(
      '--changed-since <commit>',
      'Plan only the objects whose manifests changed since the merge base with this commit, such as origin/main, and the objects that depend on them.',
    ).conflicts('target'),
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

/** Adds the option that answers the question of a command. */
export function withYes(command: CliCommand): CliCommand {
  return command.option('--yes', 'Do not ask for confirmation.');
}
