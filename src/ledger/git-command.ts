// How the `git` command is run: in the user's repository for its remotes and credentials, with a temporary folder for
// every object that is read or made.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ConfigEntry } from '../system/git/config.ts';
import {
  configProblem,
  gitOptions,
  isTooOld,
  LIST_CONFIG,
  OLDEST_GIT,
  parseConfig,
  remoteProblem,
} from '../system/git/config.ts';
import type { Repository } from '../system/git/repository.ts';
import { findRepository } from '../system/git/repository.ts';
import { shownOutput, startProgram, startProgramNow } from '../system/start-program.ts';
import { StoreError } from './store.ts';

export interface GitOptions {
  /** A folder inside the work tree of the repository. */
  readonly folder: string;
  /** The environment of this process, of which Git is given what it needs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long one command may take. */
  readonly timeoutMs: number;
  /** Folders that the user trusts whoever owns them. */
  readonly trustedRoots?: readonly string[];
  /** Ends every command when it is aborted: for commands that only read. */
  readonly signal?: AbortSignal;
  /** This process waits for each command instead of doing other work meanwhile, which takes less time. */
  readonly blocks?: boolean;
}

/** Where new objects go, and how they are named. */
export interface GitObjects {
  readonly folder: string;
  readonly hash: 'sha1' | 'sha256';
}

export interface Git {
  /** Runs a command and returns its output; rejects with a {@link StoreError} that contains what Git printed. */
  readonly run: (args: readonly string[], input?: Buffer | string) => Promise<Buffer>;
  /** The same without the temporary folder, which takes another process: for commands that create no object. */
  readonly look: Git['run'];
  /** Rejects with a {@link StoreError} if the repository has no such remote, or its address is a folder of the checkout. */
  readonly checkRemote: (name: string) => Promise<void>;
  /** Returns true if the repository has a remote of this name. */
  readonly hasRemote: (name: string) => Promise<boolean>;
  /** Returns true for a partial clone, in which an object may be missing although a commit contains it. */
  readonly isPartial: () => Promise<boolean>;
  /** The temporary folder, which every command of this object sees. */
  readonly objects: () => Promise<GitObjects>;
  /** Removes the temporary folder; a later command makes another. */
  readonly close: () => Promise<void>;
}

/** Larger than any ledger or tree. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** Commands that talk to a remote: they are given what ssh and credential helpers need. */
const REMOTE_COMMANDS = ['ls-remote', 'fetch', 'push'];

/** What a clone with a filter has in its configuration. */
const PARTIAL = /^(?:extensions\.partialclone|remote\..+\.(?:promisor|partialclonefilter))$/;

/** Variables of every command: no question at a terminal, no replaced objects, nothing fetched or written in passing. */
const VARIABLES = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
};

/** The repository, and the options of Git that keep it from starting anything that a branch could choose. */
interface OpenedRepository {
  readonly repository: Repository;
  readonly entries: readonly ConfigEntry[];
  readonly options: readonly string[];
}

/** The answer of `git version` by search path: the program does not change while this process runs. */
const versions = new Map<string | undefined, Promise<Buffer>>();

function versionOf(searchPath: string | undefined, ask: () => Promise<Buffer>): Promise<Buffer> {
  const version = versions.get(searchPath) ?? ask();
  versions.set(searchPath, version);
  version.catch(() => versions.delete(searchPath));
  return version;
}

/** How the repository names its objects, by its own configuration. */
function hashOf({ repository, entries }: OpenedRepository): GitObjects['hash'] {
  const origin = `file:${join(repository.commonDir, 'config')}`;
  const format = entries.findLast((one) => one.origin === origin && one.key === 'extensions.objectformat');
  return format?.value.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
}

/** The git command for one repository: the one whose work tree the folder is in. */
export function createGit({ folder, env, timeoutMs, signal, trustedRoots, blocks = false }: GitOptions): Git {
  const how = { folder, env, timeoutMs, ...(signal !== undefined && { signal }) };
  let opened: Promise<OpenedRepository> | undefined;
  let begun: Promise<GitObjects & { readonly variables: Readonly<Record<string, string>> }> | undefined;

  const open = async (): Promise<OpenedRepository> => {
    const found = findRepository(folder, trustedRoots === undefined ? {} : { roots: trustedRoots });
    if ('reason' in found) throw new StoreError(found.reason);
    const { repository } = found;
    const closed = [repository.root];
    const options = gitOptions(repository, []);
    const ask = (args: readonly string[]): Promise<Buffer> => runGit(args, { ...how, closed, blocks });
    const [version, listed] = await Promise.all([
      versionOf(env.PATH, () => ask(['version'])),
      ask([...options, ...LIST_CONFIG]),
    ]);
    if (isTooOld(version.toString('utf8')))
      throw new StoreError(`${shownOutput(version)} is too old: Git ${OLDEST_GIT} or newer is needed`);
    const entries = parseConfig(listed.toString('utf8'));
    const problem = configProblem(repository, entries);
    if (problem !== undefined) throw new StoreError(`the repository ${repository.root} is not used: ${problem}`);
    return { repository, entries, options: gitOptions(repository, entries) };
  };
  const openOnce = (): Promise<OpenedRepository> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const runIn = async (
    args: readonly string[],
    { input, variables = {} }: { readonly input?: Buffer | string; readonly variables?: Record<string, string> },
  ): Promise<Buffer> => {
    const { repository, options } = await openOnce();
    return runGit([...options, ...args], {
      ...how,
      closed: [repository.root],
      variables,
      blocks: blocks && input === undefined,
      ...(input !== undefined && { input }),
    });
  };

  const begin = async () => {
    const opening = await openOnce();
    const { repository } = opening;
    const own = join(repository.commonDir, 'objects');
    const temporary = await mkdtemp(join(tmpdir(), 'hostwright-git-'));
    const quoted = own.includes(delimiter) || own.startsWith('"') ? JSON.stringify(own) : own;
    return {
      folder: temporary,
      hash: hashOf(opening),
      variables: { GIT_OBJECT_DIRECTORY: temporary, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted },
    };
  };
  const ready = () => {
    begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      throw error;
    });
    return begun;
  };

  return {
    objects: ready,
    run: async (args, input) =>
      runIn(args, { variables: (await ready()).variables, ...(input !== undefined && { input }) }),
    look: (args, input) => runIn(args, input === undefined ? {} : { input }),
    checkRemote: async (name) => {
      const { repository, entries } = await openOnce();
      const problem = remoteProblem(name, repository, entries);
      if (problem !== undefined) throw new StoreError(problem);
    },
    hasRemote: async (name) => (await openOnce()).entries.some(({ key }) => key === `remote.${name}.url`),
    isPartial: async () => (await openOnce()).entries.some(({ key }) => PARTIAL.test(key)),
    close: async () => {
      const made = await begun?.catch(() => undefined);
      begun = undefined;
      opened = undefined;
      if (made !== undefined) await rm(made.folder, { recursive: true, force: true });
    },
  };
}

interface GitRun extends GitOptions {
  readonly closed: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
}

async function runGit(args: readonly string[], run: GitRun): Promise<Buffer> {
  const { folder, env, timeoutMs, signal, closed, variables = {}, input, blocks } = run;
  const command = args.find((word, index) => /^[a-z][a-z-]*$/.test(word) && args[index - 1] !== '-c') ?? '';
  const start = {
    purpose: REMOTE_COMMANDS.includes(command) ? 'git-remote' : 'git',
    program: 'git',
    args,
    cwd: folder,
    env,
    variables: { ...VARIABLES, ...variables },
    closed,
    timeoutMs,
    maxBytes: MOST_BYTES,
  } as const;
  // A failure is reported by the other way, with what Git printed.
  const answer = blocks === true ? startProgramNow(start) : undefined;
  if (answer !== undefined) return answer;
  const ended = await startProgram({
    ...start,
    ...(signal !== undefined && { signal }),
    ...(input !== undefined && { input }),
  });
  switch (ended.end) {
    case 'exit': {
      if (ended.code === 0) return ended.answer;
      const printed = shownOutput(ended.errors.length > 0 ? ended.errors : ended.answer);
      throw new StoreError(`git ${command} said: ${printed}`);
    }
    case 'no start':
      throw new StoreError(`git could not be started: ${ended.reason}`);
    case 'stopped':
      throw new StoreError(`git ${command} was broken off: the command is to stop`);
    case 'time':
      throw new StoreError(`git ${command} did not end within ${Math.round(timeoutMs / 1000)} seconds`);
    case 'size':
    case 'limit':
      throw new StoreError(`git ${command} printed too much`);
  }
}
