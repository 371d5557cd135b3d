// Values of options in the environment that an option does not take. They are reported as diagnostics, in the format of the
// command, because the parser of the command line would end every command, also `doctor`.
import type { Command, Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { escapeText } from '../../report/view/escape.ts';

type Environment = Record<string, string | undefined>;

/** Commands that answer without the settings of the environment, or report what is wrong with them. */
const WITHOUT_SETTINGS: readonly string[] = ['doctor', 'explain', 'help', 'completion'];

/** The invalid values of the environment. */
export class InvalidValues {
  readonly #byVariable = new Map<string, Diagnostic>();

  /** Removes from `env` the values that an option of the program does not take, and keeps a diagnostic for each. */
  take(program: Command, env: Environment): void {
    for (const option of optionsOf(program)) {
      const { envVar = '', long = '' } = option;
      const value = env[envVar];
      const reason = value === undefined || value === '' ? undefined : objection(option, value);
      if (value === undefined || reason === undefined) continue;
      // A user and a password in an address are a credential.
      const shown = escapeText(value.replace(/\/\/[^/]*@/, '//(secret)@'), 100);
      const detail = `${envVar} is \`${shown}\`, which ${long} does not take. ${reason}`;
      this.#byVariable.set(envVar, diagnose('HW6515', detail));
      delete env[envVar];
    }
  }

  /** Returns the diagnostics of all variables. */
  all(): readonly Diagnostic[] {
    return [...this.#byVariable.values()];
  }

  /** Returns the diagnostics of the variables that the options of a command and of the program read. */
  of(command: Command): readonly Diagnostic[] {
    const chain = withParents(command);
    if (chain.some((one) => WITHOUT_SETTINGS.includes(one.name()))) return [];
    return chain.flatMap(({ options }) => options.flatMap(({ envVar = '' }) => this.#byVariable.get(envVar) ?? []));
  }
}

/** Returns the program that a command belongs to. */
export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function withParents(command: Command): readonly Command[] {
  return command.parent === null ? [command] : [command, ...withParents(command.parent)];
}

/** Returns the options of a command and of those below it that read a variable, each variable once. */
export function optionsOf(program: Command): readonly Option[] {
  const all = (command: Command): readonly Option[] => [...command.options, ...command.commands.flatMap(all)];
  const byVariable = new Map<string, Option>();
  for (const option of all(program))
    if (option.envVar !== undefined && !byVariable.has(option.envVar)) byVariable.set(option.envVar, option);
  return [...byVariable.values()];
}

function objection(option: Option, value: string): string | undefined {
  try {
    option.parseArg?.(value, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message;
    throw error;
  }
}
