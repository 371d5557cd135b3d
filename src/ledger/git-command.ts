// How the `git` command is run: in the user's repository for its remotes and credentials, with a temporary folder for
// every object that is read or made.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { StoreError } from './store.ts';
import { hasCode } from './system-error.ts';

export interface GitOptions {
  /** A folder inside the work tree of the repository. */
  readonly folder: string;
  /** The environment that git is given, credential helpers and agents included. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long one command may take. */
  readonly timeoutMs: number;
  /** Once it is aborted, no command goes on: for what only reads. */
  readonly signal?: AbortSignal;
  /** The process stands still while a command looks: for one that has nothing else to do, as that takes less of it. */
  readonly blocks?: boolean;
}

/** Where new objects go, and how they are named. */
export interface GitObjects {
  readonly folder: string;
  readonly hash: 'sha1' | 'sha256';
}

export interface Git {
  /** Runs a command and gives its output; rejects with a {@link StoreError} that says what git said. */
  readonly run: (args: readonly string[], input?: Buffer | string) => Promise<Buffer>;
  /**
   * The same without the temporary folder, which takes a process more: for what makes no object. What a clone left out is
   * not fetched for it.
   */
  readonly look: Git['run'];
  /** The temporary folder, which every command of this object sees. */
  readonly objects: () => Promise<GitObjects>;
  /** Removes the temporary folder; a later command makes another. */
  readonly close: () => Promise<void>;
}

/** Left behind by a hook that started us: they would lead git to another repository, index or object store. */
const STRAY = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
];
/** No hook, no upkeep: the repository is left as it is. */
const SETTINGS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'fetch.writeCommitGraph=false',
  '-c',
  'protocol.ext.allow=never',
];

/** The git command for one repository. */
export function createGit({ folder, env, timeoutMs, signal, blocks = false }: GitOptions): Git {
  const how = { folder, timeoutMs, ...(signal !== undefined && { signal }) };
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && !STRAY.includes(name)),
  );
  const quiet = { ...given, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  let begun: Promise<GitObjects & { readonly env: Readonly<Record<string, string>> }> | undefined;

  const begin = async () => {
    const found = await spawnGit(['rev-parse', '--show-object-format', '--git-path', 'objects'], {
      ...how,
      env: quiet,
    });
    const [format, ...path] = found.toString('utf8').trim().split('\n');
    const own = resolve(folder, path.join('\n'));
    const temporary = await mkdtemp(join(tmpdir(), 'hostwright-git-'));
    const quoted = own.includes(delimiter) || own.startsWith('"') ? JSON.stringify(own) : own;
    return {
      folder: temporary,
      hash: format === 'sha256' ? ('sha256' as const) : ('sha1' as const),
      env: { ...quiet, GIT_OBJECT_DIRECTORY: temporary, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted },
    };
  };

  const ready = () => {
    begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      throw error;
    });
    return begun;
  };

  const run = (
    args: readonly string[],
    withObjects: Readonly<Record<string, string | undefined>>,
    input: Buffer | string | undefined,
  ): Promise<Buffer> =>
    spawnGit([...SETTINGS, ...args], {
      ...how,
      env: withObjects,
      ...(input !== undefined && { input }),
    });

  return {
    objects: ready,
    run: async (args, input) => run(args, (await ready()).env, input),
    look: async (args, input) => {
      const withoutFetch = { ...quiet, GIT_NO_LAZY_FETCH: '1' };
      const isPlain = blocks && input === undefined;
      const found = isPlain ? waitForGit([...SETTINGS, ...args], { ...how, env: withoutFetch }) : undefined;
      return found ?? run(args, withoutFetch, input);
    },
    close: async () => {
      const made = await begun?.catch(() => undefined);
      begun = undefined;
      if (made !== undefined) await rm(made.folder, { recursive: true, force: true });
    },
  };
}

/** Three versions of one text. */
export interface ThreeTexts {
  readonly ours: string;
  readonly base: string;
  readonly theirs: string;
  /** What the two sides are called where both changed the same lines. */
  readonly names: readonly [ours: string, theirs: string];
}

/** What git makes of two changes of one text; where they meet, both stand between its usual marks. */
export async function mergeTexts(
  options: Omit<GitOptions, 'folder'>,
  { ours, base, theirs, names }: ThreeTexts,
): Promise<{ readonly text: string; readonly isClean: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-merge-'));
  try {
    for (const [name, text] of Object.entries({ ours, base, theirs })) await writeFile(join(folder, name), text);
    let conflicts = 0;
    const merged = await spawnGit(
      ['merge-file', '-p', '-L', names[0], '-L', 'before', '-L', names[1], 'ours', 'base', 'theirs'],
      {
        ...options,
        folder,
        // It ends with the number of conflicts, 127 at most.
        isFine: (code) => {
          conflicts = code;
          return code < 128;
        },
      },
    );
    return { text: merged.toString('utf8'), isClean: conflicts === 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Spawn extends GitOptions {
  readonly input?: Buffer | string;
  /** Whether this exit code is an answer. Absent: 0 is. */
  readonly isFine?: (code: number) => boolean;
}

async function spawnGit(
  args: readonly string[],
  { folder, env, timeoutMs, signal, input, isFine = (code) => code === 0 }: Spawn,
): Promise<Buffer> {
  return new Promise((done, fail) => {
    // A session of its own: a Ctrl-C is for us to answer, and a helper without a terminal cannot ask for a password.
    const child = spawn('git', args, {
      cwd: folder,
      env: { ...env },
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const late = AbortSignal.timeout(timeoutMs);
    const end = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const over = signal === undefined ? late : AbortSignal.any([late, signal]);
    if (over.aborted) end();
    else over.addEventListener('abort', end, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', (error) => fail(new StoreError(`git could not be started: ${error.message}`)));
    child.once('close', (code) => {
      over.removeEventListener('abort', end);
      if (code !== null && isFine(code)) return done(Buffer.concat(out));
      const said = signal?.aborted
        ? 'was broken off: the command is to stop'
        : late.aborted
          ? `did not end within ${Math.round(timeoutMs / 1000)} seconds`
          : `said: ${redact(Buffer.concat([...err, ...(err.length > 0 ? [] : out)]).toString('utf8'))}`;
      fail(new StoreError(`git ${args.find((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')) ?? ''} ${said}`));
    });
    // A child that ends early closes its input; its exit code says what happened.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** The same while this process stands still; undefined where the other way has to say what is wrong. */
function waitForGit(args: readonly string[], { folder, env, timeoutMs }: GitOptions): Buffer | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: Infinity,
  });
  return status === 0 ? stdout : undefined;
}

/** A process and the helpers that it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** The text of git on one line, without user names and passwords of addresses. */
function redact(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, '$1***@')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 600);
}
