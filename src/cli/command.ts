// A command as commander has it, with examples, the forms that its result can take, and how one is run.
import type { ErrorOptions } from 'commander';
import { Command } from 'commander';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Context, Format, GlobalOptions } from './context.ts';

/** Runs what a command does in a context, and ends the program with its word. */
export type Execute = <Options = object>(
  command: CliCommand,
  run: (context: Context, options: GlobalOptions & Options) => Promise<OutcomeWord>,
) => Promise<void>;

export type Example = readonly [line: string, what: string];

/** What other tools call it, and how it is done here. */
const HABITS: Readonly<Record<string, string>> = {
  destroy:
    'To delete an object, write `lifecycle: { state: absent }` in its manifest and run `hostwright apply --allow-deletes 1`.',
  state:
    'The state is read from the platform in every run. `hostwright get sites` shows what is there, and `hostwright ledger list` what this workspace owns.',
  list: 'Run `hostwright get KIND`, such as `hostwright get sites`. `hostwright get` lists the kinds.',
  ls: 'Run `hostwright get KIND`, such as `hostwright get sites`. `hostwright get` lists the kinds.',
  describe: 'Run `hostwright get KIND NAME -o yaml`, such as `hostwright get site shop -o yaml`.',
  refresh: 'Every plan reads the platform anew. Run `hostwright drift` to see what changed there.',
  diff: 'Run `hostwright plan`.',
  preview: 'Run `hostwright plan`.',
  sync: 'Run `hostwright apply`.',
  up: 'Run `hostwright apply`.',
  deploy: 'Run `hostwright apply`.',
  '--auto-approve': 'Run `hostwright apply --yes`, or name what may run without a review: `--approve create,update`.',
  '--refresh-only': 'Run `hostwright drift`.',
  '--dry-run': 'Run `hostwright plan`.',
};

export class CliCommand extends Command {
  /** Its forms beside `human` and `json`. */
  otherFormats: readonly Format[] = [];
  takesReport = false;
  #examples: readonly Example[] = [];

  override error(message: string, options?: ErrorOptions): never {
    const [, asked = ''] = /^error: unknown (?:command|option) '([^']+)'/.exec(message) ?? [];
    const [name = ''] = asked.split('=');
    const answer = Object.hasOwn(HABITS, name) ? HABITS[name] : undefined;
    // The answer takes the place of the guess ("Did you mean site?"), which would lead elsewhere.
    return super.error(answer === undefined ? message : `${message.split('\n')[0]}\n${answer}`, options);
  }

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
