// `help`: the help of a command, also of one below another, or of a topic.
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { CliCommand } from '../command.ts';
import { HELP_TOPICS } from '../help/topics.ts';

export function addHelp(program: CliCommand): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Print help for a command, or for environment or exit-codes.')
    .addArgument(new Argument('[command...]', 'Such as plan, or ledger confirm; or a topic: environment, exit-codes.'))
    .action((words: readonly string[]) => {
      const [first = ''] = words;
      if (words.length === 1 && Object.hasOwn(HELP_TOPICS, first)) {
        program.configureOutput().writeOut?.(HELP_TOPICS[first] ?? '');
        return;
      }
      const found = words.reduce<Command>(
        (command, word) =>
          command.commands.find((below) => below.name() === word) ?? command.error(`error: unknown command '${word}'`),
        program,
      );
      found.help();
    });
}
