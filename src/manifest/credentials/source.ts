// Where a credential comes from when it is needed: from the entry of the credentials file that a workspace or a manifest
// names. A command runs once for all that share it, and only what is asked for is taken from its answer.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { parseJson, valueAt } from '../../model/json.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import { reasonOf } from '../read/load.ts';
import type {
  CredentialEntry,
  CredentialSink,
  CredentialsPlace,
  LoadedCredentials,
  Purpose,
} from './credentials-file.ts';
import { closedFolders, entryNamed, liesIn, loadCredentials, credentialsPlaceProblem } from './credentials-file.ts';
import { findProgram } from '../../system/search-path.ts';
import { runCommand } from './run-command.ts';

/** What an entry is asked for. */
export interface Wanted {
  readonly entry: string;
  readonly account: string;
  /** The folder of the workspace: nothing that lies in its repository is run or read. */
  readonly root: string;
}

/** A value; or why there is none. */
export type CredentialResult = { readonly value: string } | { readonly diagnostic: Diagnostic };

/** A command that is there and takes what it is given; or why there is none. */
export type Taker =
  { readonly give: (text: string) => Promise<string | undefined> } | { readonly diagnostic: Diagnostic };

export interface Credentials {
  /** The value of an entry. */
  readonly get: (purpose: Exclude<Purpose, 'sinks'>, wanted: Wanted) => Promise<CredentialResult>;
  /** The command of a sink, made ready; `object`: the name of what the value is about. */
  readonly taker: (wanted: Wanted & { readonly object: string }) => Promise<Taker>;
  /** Where an entry comes from, in words without its value; runs nothing. */
  readonly describe: (
    purpose: Purpose,
    wanted: Wanted,
  ) => Promise<{ readonly words: string } | { readonly diagnostic: Diagnostic }>;
  /** The same without what has been answered so far. */
  readonly fresh: () => Credentials;
}

export interface CredentialsOptions {
  readonly place: CredentialsPlace;
  /** The environment of commands: without the variables of this program. */
  readonly programEnv: Readonly<Record<string, string | undefined>>;
  readonly env: (name: string) => string | undefined;
  readonly home: string;
  readonly stop: AbortSignal;
  /** Told of each value, so that no text shows it. */
  readonly onValue: (value: string) => void;
}

type Answer = { readonly text: string } | { readonly reason: string };

const TIMEOUT_SECONDS = 30;
const MAX_FILE_BYTES = 1024 * 1024;

/** Credentials by the entries of one file. */
export function createCredentials(options: CredentialsOptions): Credentials {
  const { place, programEnv, env, home, stop, onValue } = options;
  const answers = new Map<string, Promise<Answer>>();
  let loaded: Promise<LoadedCredentials> | undefined;

  const entryOf = async (
    purpose: Purpose,
    { entry, root }: Wanted,
  ): Promise<CredentialEntry | CredentialSink | Diagnostic> => {
    const problem = credentialsPlaceProblem(place, root);
    if (problem !== undefined) return problem;
    const { spec, diagnostics } = await (loaded ??= loadCredentials(place));
    if (spec === undefined) return diagnostics[0] as Diagnostic;
    const entries: readonly (CredentialEntry | CredentialSink)[] = spec[purpose] ?? [];
    const found = entryNamed(entries, entry);
    if (found !== undefined) return found;
    const names = entries.map(({ name }) => name);
    const hint =
      didYouMean(entry, names) ||
      (names.length === 0 ? ' It has none.' : ` It has ${listOf(names.slice(0, 10).map(quote), 'and')}.`);
    return diagnose('HW6033', `There is no entry ${quote(entry)} under \`${purpose}\` of ${quote(place.file)}.${hint}`);
  };

  /** The program and its arguments, the placeholders filled in. */
  const commandOf = (
    { command = [], timeoutSeconds = TIMEOUT_SECONDS }: CredentialEntry,
    fill: (text: string) => string,
    root: string,
  ) => {
    const [name = '', ...args] = command;
    const closed = closedFolders(root);
    const found = findProgram(name, programEnv, closed);
    return 'reason' in found
      ? found
      : {
          program: found.program,
          name,
          args: args.map(fill),
          cwd: path.dirname(place.file),
          env: programEnv,
          timeoutMs: timeoutSeconds * 1000,
          closed,
          stop,
        };
  };

  const answerOf = async (entry: CredentialEntry, fill: (text: string) => string, root: string): Promise<Answer> => {
    if (entry.env !== undefined) {
      const value = env(entry.env);
      return value === undefined || value === ''
        ? { reason: `the environment variable ${entry.env} is not set` }
        : { text: value };
    }
    if (entry.file !== undefined) {
      const file = path.resolve(path.dirname(place.file), fill(entry.file).replace(/^~(?=\/)/, home));
      if (liesIn(closedFolders(root), file))
        return { reason: `the file ${quote(file)} is in the repository, where a pull request could change it` };
      return once(answers, `file ${file}`, () => readFile(file));
    }
    const run = commandOf(entry, fill, root);
    if ('reason' in run) return run;
    return once(answers, JSON.stringify([run.program, ...run.args]), () => runCommand(run));
  };

  const get: Credentials['get'] = async (purpose, wanted) => {
    const entry = await entryOf(purpose, wanted);
    if ('code' in entry) return { diagnostic: entry };
    const failed = (reason: string): CredentialResult => ({
      diagnostic: diagnose(
        'HW6034',
        `The entry ${quote(wanted.entry)} under \`${purpose}\` of ${quote(place.file)}: ${reason}. What a command or a file holds is not shown.`,
      ),
    });
    const fill = fillerOf({ account: wanted.account, entry: wanted.entry });
    if (fill === undefined) return failed(ODD_NAME);
    const answer = await answerOf(entry, fill, wanted.root);
    if ('reason' in answer) return failed(answer.reason);
    const { json }: CredentialEntry = entry;
    const picked = json === undefined ? answer : pick(answer.text, fill(json));
    if ('reason' in picked) return failed(picked.reason);
    const value = picked.text.replace(/(\r?\n)+$/, '');
    if (value === '') return failed('the value is empty');
    onValue(value);
    return { value };
  };

  const taker: Credentials['taker'] = async (wanted) => {
    const entry = await entryOf('sinks', wanted);
    if ('code' in entry) return { diagnostic: entry };
    const fill = fillerOf({ account: wanted.account, entry: wanted.entry, object: wanted.object });
    const run = fill === undefined ? { reason: ODD_NAME } : commandOf(entry, fill, wanted.root);
    if ('reason' in run)
      return {
        diagnostic: diagnose(
          'HW6034',
          `The entry ${quote(wanted.entry)} under \`sinks\` of ${quote(place.file)}: ${run.reason}.`,
        ),
      };
    return {
      give: async (input) => {
        const answer = await runCommand({ ...run, input });
        return 'reason' in answer ? answer.reason : undefined;
      },
    };
  };

  const describe: Credentials['describe'] = async (purpose, wanted) => {
    const entry = await entryOf(purpose, wanted);
    if ('code' in entry) return { diagnostic: entry };
    const { env: variable, file, command }: CredentialEntry = entry;
    const source =
      variable !== undefined
        ? `the environment variable ${variable}`
        : file !== undefined
          ? `the file ${file}`
          : `the command ${quote(command?.[0] ?? '')}`;
    return { words: `The entry ${quote(wanted.entry)} of ${place.file} is ${source}` };
  };

  return { get, taker, describe, fresh: () => createCredentials(options) };
}

const ODD_NAME = 'a name that begins with `-`, or is `.` or `..`, is not put into a command or a path';

/** Puts names in for placeholders; undefined where a program could take one for an option, or a path for a folder. */
function fillerOf(names: Readonly<Record<string, string>>): ((text: string) => string) | undefined {
  if (Object.values(names).some((name) => /^-|^\.{1,2}$|[/\\\0]/.test(name))) return undefined;
  return (text) => text.replace(/\{(account|entry|object)\}/g, (whole, key: string) => names[key] ?? whole);
}

function pick(text: string, pointer: string): Answer {
  const document = parseJson(text);
  // The words of the error would show a part of the text.
  if (document === undefined) return { reason: 'what it gives is no JSON' };
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? { text: value } : { reason: `there is no text at ${quote(pointer)} of its JSON` };
}

async function readFile(file: string): Promise<Answer> {
  try {
    // A pipe or a device does not hold the run up.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      if (size > MAX_FILE_BYTES)
        return { reason: `the file ${quote(file)} is larger than ${MAX_FILE_BYTES / 1024} KiB` };
      return { text: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { reason: `the file ${quote(file)} cannot be read: ${reasonOf(error)}` };
  }
}

function once(answers: Map<string, Promise<Answer>>, key: string, ask: () => Promise<Answer>): Promise<Answer> {
  const known = answers.get(key) ?? ask();
  answers.set(key, known);
  return known;
}
