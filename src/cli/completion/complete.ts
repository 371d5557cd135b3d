// What a shell asks for each time that a key is pressed: `hostwright __complete -- WORD...` prints what the last word may
// be, one a line. Names of manifests are read from files, names of live objects from the account, where a token is set and
// the address is one that the user gave or confirmed: a workspace that was cloned may name any. It asks nothing, prints
// no error, and ends within two seconds.
import type { Argument } from 'commander';
import { addressOf } from '../../model/address.ts';
import { WITHIN } from '../../model/shown.ts';
import { findGetKind } from '../../usecases/get/kinds.ts';
import type { Session } from '../../usecases/session.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { createSession } from '../settings.ts';

/** The word that the scripts begin with. No help shows it. */
export const COMPLETE = '__complete';

const WITHIN_MS = 1500;

/** What a word may be. */
interface Wanted {
  /** Names of the manifests of this kind; `*`: addresses of all that are declared. */
  readonly manifests?: string;
  /** Names of live objects, by a word of `get`. */
  readonly live?: string;
}

/** Options whose value is a name. */
export const NAMED_OPTIONS: Readonly<Record<string, Wanted>> = {
  '--target': { manifests: '*' },
  '--accept': { manifests: '*' },
  '--ignore': { manifests: '*' },
  '--site': manifestsOf('sites'),
  '--mailspace': ofKind('mailspaces'),
  '--registration': ofKind('registrations'),
};

/** Arguments that are names, by their own name; what stands before them may say of which kind. */
const NAMED_ARGUMENTS: Readonly<Record<string, (path: string, before: readonly string[]) => Wanted>> = {
  site: () => manifestsOf('sites'),
  address: () => ({ manifests: '*' }),
  'address-or-kind': () => ({ manifests: '*' }),
  names: () => manifestsOf('registrations'),
  name: (path, [kind = '']) => ofKind(path === 'get' ? kind : 'registrations'),
  id: (path) => ({
    live: path.startsWith('order') ? 'orders' : 'contacts',
    ...(path === 'contact verify' && manifestsOf('registrations')),
  }),
  ids: () => ({ live: 'contacts' }),
};

function ofKind(word: string): Wanted {
  const kind = findGetKind(word);
  return kind === undefined
    ? {}
    : { live: kind.kind, ...(kind.manifest !== undefined && { manifests: kind.manifest }) };
}

/** Where live objects that no manifest names do not do. */
function manifestsOf(word: string): Wanted {
  const { live: _live, ...wanted } = ofKind(word);
  return wanted;
}

/** Whether words after this command may be names. */
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
  const names = wanted === undefined ? [] : await namesOf(setting(given), wanted, given);
  return [...new Set([...known, ...names])].filter((name) => name.startsWith(current) && isWord(name)).sort();
}

async function namesOf(context: Context, wanted: Wanted, given: Place['given']): Promise<readonly string[]> {
  const found = await Promise.all([declaredNames(context, wanted), liveNamesIn(context, wanted, given)]);
  return found.flat();
}

/** Nothing that a shell would take for more than a word: live names may be anything. */
function isWord(name: string): boolean {
  return /^[\p{L}\p{N}_.@%+,/-]+$/u.test(name) && !name.startsWith('-');
}

async function declaredNames(context: Context, { manifests }: Wanted): Promise<readonly string[]> {
  if (manifests === undefined) return [];
  const { manifestNames } = await import('../../usecases/names.ts');
  const found = await manifestNames(createSession(context)).catch(() => []);
  return found
    .filter(({ kind }) => manifests === '*' || kind === manifests)
    .map(({ kind, name }) => (manifests === '*' ? addressOf(null, kind, name) : name));
}

/** `--site` and its like narrow what is looked at, as they do in `get`. */
async function liveNamesIn(
  context: Context,
  { live }: Wanted,
  given: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const kind = live === undefined ? undefined : findGetKind(live);
  if (kind === undefined || !context.env.HOSTWRIGHT_TOKEN) return [];
  const { liveNames } = await import('../../usecases/get/get.ts');
  const word = WITHIN.find((one) => kind.takes.includes(one) && given[`--${one}`] !== undefined);
  const within = word === undefined ? {} : { [word]: given[`--${word}`] as string };
  const late = context.clock.sleep(WITHIN_MS).then(() => []);
  // No command is run because somebody pressed a key.
  const { credentials: _unasked, ...session } = createSession(context, { timeout: WITHIN_MS });
  if (!(await mayBeAsked(context, session))) return [];
  return Promise.race([liveNames(session, kind, within).catch(() => []), late]);
}

/** Whether the token may go to the address of the platform without a command having been run. */
async function mayBeAsked({ options, env }: Context, session: Session): Promise<boolean> {
  if (options.apiUrl) return true;
  const { findWorkspace } = await import('../../usecases/workspace-file.ts');
  const { workspace, file } = await findWorkspace(session);
  if (workspace === undefined || file === undefined) return false;
  const { isTrusted, ownerOf } = await import('./trusted-addresses.ts');
  return isTrusted({ file, baseUrl: workspace.baseUrl }, ownerOf(env));
}
