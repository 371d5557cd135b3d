// A command as commander has it, with examples, the forms that its result can take, and how one is run.
import type { AddHelpTextContext, AddHelpTextPosition, ErrorOptions } from 'commander';
import { Command } from 'commander';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Context, Format, GlobalOptions } from './context.ts';

/** Runs what a command does in a context, and ends the program with its word. */
export type Execute = <Options = object>(
  command: CliCommand,
  run: (context: Context, options: GlobalOptions & Options) => Promise<OutcomeWord>,
) => Promise<void>;

/** Columns of the help. */
export const HELP_WIDTH = 100;

export type Example = readonly [line: string, what: string];

const DELETE =
  'To delete an object, write `lifecycle: { state: absent }` in its manifest and run `hostwright apply --allow-deletes 1`.';
const REVERT =
  'Take the change back in the manifests, with `git revert COMMIT`, and run `hostwright plan`. What was made and no manifest names any more stays: write `lifecycle: { state: absent }` to delete it.';

/** What other tools call it, and how it is done here. */
export const HABITS: Readonly<Record<string, string>> = {
  destroy: DELETE,
  delete: DELETE,
  rm: DELETE,
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
  undo: REVERT,
  rollback: REVERT,
  revert: REVERT,
  format: 'Run `hostwright fmt`.',
  lint: 'Run `hostwright validate`, and `hostwright fmt --check` for the layout.',
  check: 'Run `hostwright validate`.',
  edit: 'Edit the manifest in the repository, then run `hostwright plan`. `hostwright export` writes manifests for what has none.',
  logs: 'Run `hostwright site logs SITE`.',
  status: 'Run `hostwright drift` for what differs, and `hostwright ledger list` for what is in flight.',
  adopt: 'Run `hostwright import ADDRESS --id ID`.',
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
    // Terraform's options have one dash.
    const [name = ''] = asked.replace(/^-(?=\w\w)/, '--').split('=');
    const answer = Object.hasOwn(HABITS, name) ? HABITS[name] : undefined;
    // The answer takes the place of the guess ("Did you mean site?"), which would lead elsewhere.
    return super.error(answer === undefined ? message : `${message.split('\n')[0]}\n${answer}`, options);
  }

  /** Lines that are not indented are paragraphs, and wrapped; the others stay as they are. */
  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, typeof text === 'string' ? wrapped(text) : (text as never));
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

  ownExamples(): readonly Example[] {
    return this.#examples;
  }

  /** Its own examples, and those of the commands below it. */
  allExamples(): readonly Example[] {
    return [...this.#examples, ...this.commands.flatMap((below) => (below as CliCommand).allExamples())];
  }
}

function wrapped(text: string): string {
  return text
    .replace(/(?<=\S)\n(?=\S)(?!Exit codes)/g, (_, at: number) => (isIndented(text, at) ? '\n' : ' '))
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : filled(line)))
    .join('\n');
}

/** Lines of whole words. The help is ASCII: a package that knows how wide letters are takes longer to load than the help. */
function filled(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= HELP_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** True when the line that ends here begins with a space. */
function isIndented(text: string, end: number): boolean {
  return text.slice(text.lastIndexOf('\n', end - 1) + 1).startsWith(' ');
}
