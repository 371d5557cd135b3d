// Completes the last word for a shell: `hostwright __complete -- WORD...` prints its candidates, one per line. Candidates
// are commands, choices, and names in manifests, read from files alone: no request is sent, no command runs, and no error
// is printed.
import type { Argument } from 'commander';
import { addressOf } from '../../model/address.ts';
import { findGetKind } from '../../usecases/get/kinds.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { createSession } from '../settings.ts';

/** The word that the scripts begin with. No help shows it. */
export const COMPLETE = '__complete';

/** A kind of manifest whose names complete a word; `*` completes addresses of every declared object. */
type Wanted = string;

const ADDRESSES: Wanted = '*';

/** Options whose value is the name or address of a declared object. */
export const NAMED_OPTIONS: Readonly<Record<string, Wanted | undefined>> = {
  '--target': ADDRESSES,
  '--accept': ADDRESSES,
  '--ignore': ADDRESSES,
  '--site': kindCalled('sites'),
  '--mailspace': kindCalled('mailspaces'),
  '--registration': kindCalled('registrations'),
};

/** Arguments that name declared objects, by argument name. `path` is the command, `before` the words before this one. */
const NAMED_ARGUMENTS: Readonly<Record<string, (path: string, before: readonly string[]) => Wanted | undefined>> = {
  address: () => ADDRESSES,
  'address-or-kind': () => ADDRESSES,
  names: (_path, [kind = '']) => kindCalled(kind),
};

/** Returns the kind of manifest that a word of `get` names; undefined if manifests do not declare it. */
function kindCalled(word: string): Wanted | undefined {
  return findGetKind(word)?.manifest;
}

/** True if words after this command may be names of declared objects. */
export function takesNames(command: CliCommand): boolean {
  return command.registeredArguments.some((argument) => argument.name() in NAMED_ARGUMENTS);
}

/** Where the last word stands: after which command, behind which option, and which settings were given before it. */
interface Place {
  readonly path: string;
  /** Commands below that command. */
  readonly below: readonly string[];
  readonly argument?: Argument;
  readonly before: readonly string[];
  /** The option whose value it is. */
  readonly option?: string;
  readonly given: Readonly<Record<string, string>>;
}

function placeOf(program: CliCommand, words: readonly string[]): Place {
  let command = program;
  let option: string | undefined;
  const path: string[] = [];
  const before: string[] = [];
  const given: Record<string, string> = {};
  for (const word of words) {
    // Bash cuts `--target=Site/shop` into three words.
    if (word === '=') continue;
    if (option !== undefined) {
      given[option] = word;
      option = undefined;
    } else if (word.startsWith('-')) {
      const [name = '', value] = word.split(/=(.*)/s);
      const found = [...command.options, ...program.options].find(({ long, short }) => [long, short].includes(name));
      if (found?.required === true && value === undefined) option = found.long ?? name;
      if (value !== undefined) given[name] = value;
    } else {
      const below = (command.commands as readonly CliCommand[]).find((one) => one.name() === word);
      if (below === undefined) before.push(word);
      else {
        command = below;
        path.push(word);
      }
    }
  }
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[before.length] ?? (last?.variadic === true ? last : undefined);
  return {
    path: path.join(' '),
    below: before.length > 0 ? [] : command.commands.map((one) => one.name()),
    before,
    given,
    ...(argument !== undefined && { argument }),
    ...(option !== undefined && { option }),
  };
}

/** What the last of these words may be. `setting`: a context for the settings that the words before it give. */
export async function complete(
  program: CliCommand,
  words: readonly string[],
  setting: (given: Readonly<Record<string, string>>) => Context,
): Promise<readonly string[]> {
  const { path, below, argument, before, option, given } = placeOf(program, words.slice(0, -1));
  const current = words.at(-1)?.replace(/^=$/, '') ?? '';
  const wanted = option === undefined ? NAMED_ARGUMENTS[argument?.name() ?? '']?.(path, before) : NAMED_OPTIONS[option];
  if (option === undefined && current.startsWith('-')) return [];
  const known = option === undefined ? [...below, ...(argument?.argChoices ?? [])] : [];
  const names = wanted === undefined ? [] : await declaredNames(setting(given), wanted);
  return [...new Set([...known, ...names])].filter((name) => name.startsWith(current) && isWord(name)).sort();
}

/** True for a name that a shell reads as one word. */
function isWord(name: string): boolean {
  return /^[\p{L}\p{N}_.@%+,/-]+$/u.test(name) && !name.startsWith('-');
}

/** Returns the names of the wanted kind in the manifests of the workspace; empty without a workspace. */
async function declaredNames(context: Context, wanted: Wanted): Promise<readonly string[]> {
  const { manifestNames } = await import('../../usecases/names.ts');
  const found = await manifestNames(createSession(context)).catch(() => []);
  return found
    .filter(({ kind }) => wanted === ADDRESSES || kind === wanted)
    .map(({ kind, name }) => (wanted === ADDRESSES ? addressOf(null, kind, name) : name));
}
