// A command as commander has it, with examples, the forms that its result can take, and how one is run.
import { Command } from 'commander';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Context, Format, GlobalOptions } from './context.ts';

/** Runs what a command does in a context, and ends the program with its word. */
export type Execute = <Options = object>(
  command: CliCommand,
  run: (context: Context, options: GlobalOptions & Options) => Promise<OutcomeWord>,
) => Promise<void>;

export type Example = readonly [line: string, what: string];

export class CliCommand extends Command {
  /** Its forms beside `human` and `json`. */
  otherFormats: readonly Format[] = [];
  takesReport = false;
  #examples: readonly Example[] = [];

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  formats(...formats: readonly Format[]): this {
    this.otherFormats = formats;
    return this;
  }

  /** Its result can be written to files too. */
  withReport(): this {
    this.takesReport = true;
    return this;
  }

  /** Lines that the program takes, and what each is for. */
  examples(...examples: readonly Example[]): this {
    this.#examples = examples;
    return this;
  }

  /** Its own examples, and those of the commands below it. */
  allExamples(): readonly Example[] {
    return [...this.#examples, ...this.commands.flatMap((below) => (below as CliCommand).allExamples())];
  }
}
