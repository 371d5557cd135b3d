// A remote of a Git repository, as ledgers use it. All who ask at the same time are answered by one process: one list of
// its refs, one fetch of what they want to read, one push of what they write.
import type { Clock } from '../../model/clock.ts';
import type { Git, GitOptions } from '../git-command.ts';
import { createGit } from '../git-command.ts';
import { writeCommit } from './objects.ts';
import { StoreError } from '../store.ts';

export interface GitRemoteOptions extends GitOptions {
  /** The name of a remote of that repository. */
  readonly remote: string;
  readonly clock: Clock;
  /** Refs that will be read, with the file in each. They are fetched together with the first of them. */
  readonly expected?: readonly FileInRef[];
}

/** A ref by its full name, and the file that its commit holds. */
export interface FileInRef {
  readonly ref: string;
  readonly file: string;
}

/** What a push asks of a ref: to be moved from one commit to another. '' is no ref at all. */
export interface Move {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

/**
 * How old a list of refs may be: asked for now, or half a minute ago. The latter is for what changes nothing, and for
 * what the remote checks itself when something is pushed.
 */
export type Freshness = 'now' | 'recent';

export interface GitRemote {
  /** Refs by full name. */
  readonly list: (freshness: Freshness) => Promise<ReadonlyMap<string, string>>;
  /** The file in the commit of a ref, put together from its parts; no bytes when the commit holds no such file. */
  readonly read: (
    wanted: FileInRef,
    freshness: Freshness,
  ) => Promise<{ readonly commit: string; readonly bytes: Buffer | undefined } | undefined>;
  /** Makes a commit with one file, in its parts, and gives its id. It is nowhere but here until it is pushed. */
  readonly commit: (file: string, parts: readonly Buffer[], message: string, parent: string) => Promise<string>;
  /** All of these, or none. False when a ref was not where it was thought to be. */
  readonly push: (moves: readonly Move[]) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const RECENT_MS = 30_000;
const MOST_READS = 3;
/** Files that are taken out of the repository at once: what is read ahead is held in memory. */
const FILES_AT_ONCE = 64;

interface Wanted extends FileInRef {
  readonly commit: string;
}

/** One waiting push. */
interface Waiting {
  readonly moves: readonly Move[];
  readonly done: (isPushed: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** A remote of the repository that `folder` is in. */
export function createGitRemote({ remote, clock, expected = [], ...options }: GitRemoteOptions): GitRemote {
  const git = createGit(options);
  /** The first command of every use: the name is a remote of the repository, not a path. */
  const checked = async (args: readonly string[], input?: string): Promise<Buffer> => {
    await git.checkRemote(remote);
    return git.run(args, input);
  };
  let listed: { readonly refs: Map<string, string>; readonly atMs: number } | undefined;
  /** The files that were taken out of commits, and of those the ones that nobody asked for yet. */
  const taken = new Set<string>();
  const files = new Map<string, Buffer | undefined>();
  let asked: Wanted[] = [];
  let waiting: Waiting[] = [];

  let listing: Promise<Map<string, string>> | undefined;
  const listRefs = async (): Promise<Map<string, string>> => {
    const atMs = clock.now();
    const lines = (await checked(['ls-remote', '--quiet', '--refs', remote])).toString('utf8').trim().split('\n');
    const refs = new Map(
      lines
        .map((line) => line.split('\t'))
        .flatMap(([commit, ref]) => (commit === undefined || ref === undefined ? [] : [[ref, commit] as const])),
    );
    listed = { refs, atMs };
    return refs;
  };
  const listNow = oneAtATime(() => {
    listing = listRefs().finally(() => (listing = undefined));
    return listing;
  });
  const list: GitRemote['list'] = async (freshness) => {
    if (freshness === 'now') return listNow();
    return listed !== undefined && clock.now() - listed.atMs <= RECENT_MS ? listed.refs : (listing ?? listNow());
  };

  const fetch = async (wanted: readonly Wanted[]): Promise<void> => {
    if (wanted.length === 0) return;
    const from = ['--no-tags', '--no-write-fetch-head', '--refmap=', '--no-recurse-submodules', '--no-filter'];
    try {
      await checked(['fetch', '--quiet', ...from, '--stdin', remote], `${wanted.map(({ ref }) => ref).join('\n')}\n`);
    } catch (error) {
      const now = await listNow();
      const left = wanted.filter(({ ref, commit }) => now.get(ref) === commit);
      // A lock that was let go between the two questions is no trouble with the remote.
      if (left.length === wanted.length) throw error;
      return fetch(left);
    }
  };
  /** Takes the files out that are wanted and some of those that are wanted later; fetches them all where one is missing. */
  const loadFiles = async (own: readonly Wanted[], ahead: readonly Wanted[]): Promise<void> => {
    const wanted = unique([...own, ...ahead.slice(0, Math.max(0, FILES_AT_ONCE - own.length))]);
    const keep = (found: ReadonlyMap<string, Buffer | undefined>): readonly Wanted[] => {
      for (const [key, bytes] of found) files.set(key, bytes);
      for (const one of wanted) taken.add(keyOf(one));
      return wanted.filter((one) => !found.has(keyOf(one)));
    };
    // A clone may have it, as one that has fetched the branch of a ledger.
    const missing = keep(await filesOf(git, wanted));
    if (missing.length === 0) return;
    await fetch(unique([...missing, ...ahead]));
    keep(await filesOf(git, missing));
  };
  const load = oneAtATime(async () => {
    // What was read ahead meanwhile is here.
    const own = asked.filter((one) => !files.has(keyOf(one)));
    asked = [];
    if (own.length === 0) return;
    const ahead = expected.flatMap((one): readonly Wanted[] => {
      const commit = listed?.refs.get(one.ref);
      return commit === undefined || taken.has(keyOf({ ...one, commit })) ? [] : [{ ...one, commit }];
    });
    await loadFiles(own, ahead);
  });
  const read: GitRemote['read'] = async (one, freshness) => {
    for (let tries = 1; ; tries += 1) {
      const commit = (await list(tries === 1 ? freshness : 'now')).get(one.ref);
      if (commit === undefined) return undefined;
      const wanted = { ...one, commit };
      const key = keyOf(wanted);
      if (!files.has(key)) {
        asked.push(wanted);
        // One that cannot be had keeps nobody else from theirs.
        await load().catch(() => loadFiles([wanted], []));
      }
      if (files.has(key)) {
        const bytes = files.get(key);
        files.delete(key);
        return { commit, bytes };
      }
      // It may have moved between the two questions, to a commit that does not descend from it.
      if (tries === MOST_READS) throw new StoreError(`${one.ref} moves faster than it can be read`);
    }
  };

  const pushed = async (moves: readonly Move[]): Promise<void> => {
    await checked([
      'push',
      '--quiet',
      '--porcelain',
      '--atomic',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--recurse-submodules=no',
      ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
      remote,
      ...moves.map(({ ref, to }) => `${to}:${ref}`),
    ]);
    for (const { ref, to } of moves)
      if (to === '') listed?.refs.delete(ref);
      else listed?.refs.set(ref, to);
  };
  /** One push for all of these; each learns what became of its own refs. */
  const pushTogether = async (group: readonly Waiting[]): Promise<void> => {
    try {
      await pushed(group.flatMap(({ moves }) => moves));
      for (const { done } of group) done(true);
    } catch (error) {
      // Whatever was said, or lost on the way: what is there now tells what became of it.
      const now = await listNow();
      const isAt = ({ ref }: Move, commit: string): boolean => (now.get(ref) ?? '') === commit;
      const left = group.filter(({ moves, done }) => {
        const changed = moves.filter(({ from, to }) => from !== to);
        if (changed.every((move) => isAt(move, move.to))) done(true);
        else if (moves.some((move) => !isAt(move, move.from))) done(false);
        else return true;
        return false;
      });
      if (group.length === 1) for (const { fail } of left) fail(error);
      // It was all or nothing: what stood in nobody's way goes again, without the others or by itself.
      else if (left.length > 0 && left.length < group.length) await pushTogether(left);
      else for (const one of left) await pushTogether([one]).catch(one.fail);
    }
  };
  const pushWaiting = oneAtATime(async () => {
    const group = waiting;
    waiting = [];
    await pushTogether(group).catch((error: unknown) => {
      for (const { fail } of group) fail(error);
    });
  });

  return {
    list,
    read,
    commit: async (file, parts, message, parent) => {
      const files = new Map(parts.map((bytes, index) => [parts.length === 1 ? file : partOf(file, index), bytes]));
      return writeCommit(await git.objects(), { files, message, parent, atMs: clock.now() });
    },
    push: (moves) =>
      new Promise((done, fail) => {
        waiting.push({ moves, done, fail });
        void pushWaiting();
      }),
    close: () => {
      listed = undefined;
      taken.clear();
      files.clear();
      return git.close();
    },
  };
}

/** Whoever asks while it runs waits for the next time, together with all others who do. */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const now = work();
      running = now.catch(() => undefined);
      return now;
    });
    return next;
  };
}

function keyOf({ commit, file }: Wanted): string {
  return `${commit}:${file}`;
}

function unique(wanted: readonly Wanted[]): readonly Wanted[] {
  return [...new Map(wanted.map((one) => [keyOf(one), one])).values()];
}

/** A file of several parts has each under a name of its own, so that an older version finds no file and leaves it alone. */
function partOf(file: string, index: number): string {
  return file.replace('.', `-${String(index + 1).padStart(2, '0')}.`);
}

/** The files in commits that are here; undefined where a commit holds none of that name. */
async function filesOf(git: Git, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Buffer | undefined>> {
  // The commit is asked for too: without it nobody knows whether the file is missing or all of it.
  const found = await objectsOf(
    git,
    wanted.flatMap((one) => [`${one.commit}^{tree}`, keyOf(one)]),
  );
  const parts = wanted.map((one, index) => {
    const tree = found[2 * index];
    return tree === undefined || found[2 * index + 1] !== undefined ? [] : partsIn(tree.bytes, one);
  });
  const left = parts.some(({ length }) => length > 0) ? [...(await objectsOf(git, parts.flat()))] : [];
  return new Map(
    wanted.flatMap((one, index) => {
      const [tree, file] = found.slice(2 * index, 2 * index + 2);
      const own = file === undefined ? left.splice(0, parts[index]?.length ?? 0) : [file];
      const blobs = own.flatMap((part) => (part?.type === 'blob' ? [part.bytes] : []));
      // A part that is not here yet is not missing there.
      if (tree === undefined || own.includes(undefined)) return [];
      const isFile = blobs.length > 0 && blobs.length === own.length;
      return [[keyOf(one), isFile ? Buffer.concat(blobs) : undefined]];
    }),
  );
}

/** The parts of a file that a tree names. Each row of a tree ends with the bytes of an id. */
function partsIn(tree: Buffer, { commit, file }: Wanted): readonly string[] {
  const parts: string[] = [];
  for (let part = partOf(file, 0); tree.includes(` ${part}\0`); part = partOf(file, parts.length))
    parts.push(`${commit}:${part}`);
  return parts;
}

async function objectsOf(git: Git, names: readonly string[]): Promise<ReturnType<typeof parseBatch>> {
  return parseBatch(await git.run(['cat-file', '--batch'], `${names.join('\n')}\n`), names.length);
}

/** The objects in the answer of `git cat-file --batch`, in the order that they were asked for; undefined: missing. */
function parseBatch(
  output: Buffer,
  count: number,
): readonly ({ readonly type: string; readonly bytes: Buffer } | undefined)[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    const end = output.indexOf(0x0a, at);
    const [, type, size] = / (blob|tree|commit|tag) (\d+)$/.exec(output.subarray(at, end).toString('utf8')) ?? [];
    const from = end + 1;
    at = size === undefined ? from : from + Number(size) + 1;
    return type === undefined ? undefined : { type, bytes: output.subarray(from, from + Number(size)) };
  });
}
