// A command as commander has it, with examples, the forms that its result can take, and how one is run.
import type { AddHelpTextContext, AddHelpTextPosition, ErrorOptions } from 'commander';
import { Command } from 'commander';
import leven from 'leven';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Context, Format, GlobalOptions } from './context.ts';

/** What a command does in a context, with its options and then its arguments. */
export type Run<Options, Args extends readonly unknown[] = []> = (
  context: Context,
  options: GlobalOptions & Options,
  ...args: Args
) => Promise<OutcomeWord>;

/** Runs what a command does in a context, and ends the program with its word. */
export type Execute = <Options = object>(command: CliCommand, run: Run<Options>) => Promise<void>;

/** Columns of the help. */
export const HELP_WIDTH = 100;

export type Example = readonly [line: string, what: string];

export class CliCommand extends Command {
  /** Its forms beside `human` and `json`. */
  otherFormats: readonly Format[] = [];
  takesReport = false;
  #examples: readonly Example[] = [];
  readonly #execute: Execute;

  /** `execute`: of this command, and of all that are made below it. */
  constructor(name: string | undefined, execute: Execute) {
    super(name);
    this.#execute = execute;
  }

  /** Adds the nearest command or option to a refusal; a long option with one dash is written as in Terraform. */
  override error(message: string, options?: ErrorOptions): never {
    const [, asked = ''] = /^error: unknown option '-([a-z][\w-]+(?:=.*)?)'/s.exec(message) ?? [];
    const isLong = asked !== '' && this.#takes(`--${asked.split('=')[0]}`);
    return super.error(
      isLong ? `${message.split('\n')[0]}\nLong options have two dashes: --${asked}` : this.#withNearest(message),
      options,
    );
  }

  /** Commander suggests only names with few differences. */
  #withNearest(message: string): string {
    const [, kind, unknown = ''] = /^error: unknown (command|option) '([^'=]+)[^']*'$/.exec(message) ?? [];
    if (kind === undefined) return message;
    const names =
      kind === 'command'
        ? this.commands.map((one) => one.name())
        : [this, ...parentsOf(this)].flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
    const [nearest] = names
      .filter((name) => !name.startsWith('__'))
      .map((name) => ({ name, distance: leven(unknown, name) }))
      .sort((left, right) => left.distance - right.distance);
    return nearest === undefined ? message : `${message}\n(Did you mean ${nearest.name}?)`;
  }

  #takes(option: string): boolean {
    const owner = [this, ...parentsOf(this)].find(({ options }) => options.some(({ long }) => long === option));
    return owner !== undefined;
  }

  /** Lines that are not indented are paragraphs, and wrapped; the others stay as they are. */
  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, typeof text === 'string' ? wrapped(text) : (text as never));
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#execute);
  }

  /** Its action: the function gets the options and then the arguments. */
  runs<Options, Args extends readonly unknown[]>(run: Run<Options, Args>): this {
    return this.action((...given: readonly unknown[]) =>
      // Commander adds the options and the command.
      this.execute<Options>((context, options) => run(context, options, ...(given.slice(0, -2) as unknown as Args))),
    );
  }

  /** The same for an action that looks at the command line by itself first. */
  execute<Options = object>(run: Run<Options>): Promise<void> {
    return this.#execute(this, run);
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

function parentsOf({ parent }: Command): readonly Command[] {
  return parent === null ? [] : [parent, ...parentsOf(parent)];
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
