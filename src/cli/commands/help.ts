// `help`, also for a command below another.
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { CliCommand } from '../command.ts';

export function addHelp(program: CliCommand): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Print help for a command.')
    .addArgument(new Argument('[command...]', 'Such as plan, or ledger confirm.'))
    .action((words: readonly string[]) => {
      const found = words.reduce<Command>(
        (command, word) =>
          command.commands.find((below) => below.name() === word) ?? command.error(`error: unknown command '${word}'`),
        program,
      );
      found.help();
    });
}
