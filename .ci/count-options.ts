// Counts the options of the program, so that a test notices when the command line grows.
import type { Command } from 'commander';
import { buildProgram } from '../src/cli/program.ts';

/** The number of options: of the program with all its commands, and of each command by its words. */
export interface OptionCount {
  readonly total: number;
  readonly byCommand: ReadonlyMap<string, number>;
}

/** Returns how many options there are. A global option counts once, for the program (''); `--help` is not counted. */
export function countOptions(): OptionCount {
  const program = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
  const byCommand = new Map(optionsBelow(program, ''));
  return { total: [...byCommand.values()].reduce((sum, count) => sum + count, 0), byCommand };
}

function optionsBelow(command: Command, path: string): readonly (readonly [path: string, count: number])[] {
  return [
    [path, command.options.length],
    ...command.commands.flatMap((below) => optionsBelow(below, `${path} ${below.name()}`.trim())),
  ];
}
