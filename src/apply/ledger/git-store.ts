// How a ledger lies in a Git remote: one ref of its own, every write a commit that is pushed only if the ref is still
// where it was read, and the lock a second ref beside it. Works from any clone, shallow ones too.
import type { Git, GitOptions } from './git-command.ts';
import { createGit } from './git-command.ts';
import type { Holder, LockPlace, LockRecord } from './lock.ts';
import { parseLock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import { StoreError } from './store.ts';

export interface GitPlace extends GitOptions {
  /** The name of a remote of that repository. */
  readonly remote: string;
  /** Its full name, such as `refs/hostwright/ledger`. */
  readonly ref: string;
}

/** What a push asks of a ref: to be moved from one commit to another. '' is no ref at all. */
interface Move {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

const LEDGER_FILE = 'ledger.jsonl';
const LOCK_FILE = 'lock.json';
const POLL_MS = 5000;
const MOST_READS = 3;
const TAKEN_MEANWHILE = 'somebody else wrote it, or took its lock, while this run went on';

/** A ledger in a ref of a Git remote. */
export function gitStore(place: GitPlace): LedgerStore {
  const remote = createRemote(createGit(place), place.remote);
  const { ref } = place;
  const lock = gitLock(remote, `${ref}-lock`);
  let bytes: Buffer = Buffer.alloc(0);
  /** The commit that was last read or written; '' when there was none. */
  let head = '';

  const write = async (text: Buffer, parent: string, record: LockRecord): Promise<void> => {
    const commit = await remote.commit(LEDGER_FILE, text, `Run ${record.runId}`, parent, record.token);
    const lockCommit = lock.commitOf(record);
    if (lockCommit === undefined) throw new StoreError('its lock is not ours');
    // The lock goes along unchanged: the push fails as a whole when it is no longer there.
    const moves = [
      { ref, from: head, to: commit },
      { ref: `${ref}-lock`, from: lockCommit, to: lockCommit },
    ];
    if (!(await remote.push(moves))) throw new StoreError(TAKEN_MEANWHILE);
    head = commit;
    bytes = text;
  };
  const asideNames = async (): Promise<readonly string[]> => {
    const found = [...(await remote.list([`${ref}-corrupt-*`])).keys()].filter((name) =>
      name.startsWith(`${ref}-corrupt-`),
    );
    return found.sort((left, right) => numberOf(left) - numberOf(right));
  };

  return {
    name: `${ref} on ${place.remote}`,
    lock,
    read: async () => {
      const found = await remote.read(ref, LEDGER_FILE);
      if (found !== undefined && found.bytes === undefined)
        throw new StoreError(
          `it is there, and holds no ${LEDGER_FILE}: it is something else, or damaged, and is left alone`,
        );
      head = found?.commit ?? '';
      bytes = found?.bytes ?? Buffer.alloc(0);
      return found?.bytes;
    },
    // Goes to the remote with the next entry: until then nobody rests on it.
    resume: async (kept, ending) => {
      bytes = Buffer.concat([bytes.subarray(0, kept), Buffer.from(ending)]);
      return Promise.resolve();
    },
    append: (text, record) => write(Buffer.concat([bytes, Buffer.from(text)]), head, record),
    rewrite: async (text, record) => {
      // The history ends here, so that a fresh clone never fetches years of it; a remote that takes no such push gets
      // it with its history.
      await write(Buffer.from(text), '', record).catch(async (error: unknown) => {
        if (head === '' || (error instanceof Error && error.message === TAKEN_MEANWHILE)) throw error;
        await write(Buffer.from(text), head, record);
      });
    },
    setAside: async () => {
      const target = `${ref}-corrupt-${numberOf((await asideNames()).at(-1) ?? '') + 1}`;
      const moved = await remote.push([
        { ref: target, from: '', to: head },
        { ref, from: head, to: '' },
      ]);
      if (!moved) throw new StoreError(TAKEN_MEANWHILE);
      head = '';
      return `${target} on ${place.remote}`;
    },
    lastSetAside: async () => {
      const last = (await asideNames()).at(-1);
      return last === undefined ? undefined : `${last} on ${place.remote}`;
    },
    close: () => remote.close(),
  };
}

function numberOf(ref: string): number {
  return Number(/-corrupt-(\d+)$/.exec(ref)?.[1] ?? 0);
}

interface GitLock extends LockPlace {
  /** The commit of a lock that we took; undefined when we took none. */
  readonly commitOf: (record: LockRecord) => string | undefined;
}

function gitLock(remote: Remote, ref: string): GitLock {
  const commits = new Map<string, string>();
  const look = async (): Promise<{ readonly commit: string; readonly holder: Holder } | undefined> => {
    const found = await remote.read(ref, LOCK_FILE);
    if (found === undefined) return undefined;
    const holder = found.bytes === undefined ? 'unreadable' : parseLock(found.bytes.toString('utf8'));
    if (typeof holder !== 'string') commits.set(holder.token, found.commit);
    return { commit: found.commit, holder };
  };
  const put = async (record: LockRecord, from: string): Promise<boolean> => {
    const commit = await remote.commit(
      LOCK_FILE,
      Buffer.from(JSON.stringify(record)),
      `Held by ${record.user}`,
      '',
      record.token,
    );
    const taken = await remote.push([{ ref, from, to: commit }]);
    if (taken) commits.set(record.token, commit);
    return taken;
  };
  return {
    pollMs: POLL_MS,
    commitOf: ({ token }) => commits.get(token),
    take: async (record) => {
      for (;;) {
        const found = await look();
        if (found !== undefined) return found.holder;
        if (await put(record, '')) return 'taken';
      }
    },
    replace: async (dead, record) => {
      const from = commits.get(dead.token);
      return from !== undefined && put(record, from);
    },
    peek: async () => (await look())?.holder ?? 'none',
    remove: async (seen) => {
      const from = seen === 'unreadable' ? (await look())?.commit : commits.get(seen.token);
      // Gone already, or another's by now: then it is not ours to remove.
      if (from !== undefined) await remote.push([{ ref, from, to: '' }]);
    },
  };
}

interface Remote {
  /** Refs by full name, as they are there now. */
  readonly list: (patterns: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The file in the commit of a ref; no bytes when the commit holds no such file. */
  readonly read: (
    ref: string,
    file: string,
  ) => Promise<{ readonly commit: string; readonly bytes: Buffer | undefined } | undefined>;
  readonly commit: (file: string, bytes: Buffer, subject: string, parent: string, token: string) => Promise<string>;
  /** All of these, or none. False when a ref was not where it was thought to be. */
  readonly push: (moves: readonly Move[]) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

function createRemote(git: Git, remote: string): Remote {
  const list = async (patterns: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const lines = text(await git.run(['ls-remote', '--quiet', '--refs', remote, ...patterns])).split('\n');
    return new Map(
      lines
        .map((line) => line.split('\t'))
        .flatMap(([commit, ref]) => (commit === undefined || ref === undefined ? [] : [[ref, commit]])),
    );
  };

  const fetch = async (ref: string, commit: string): Promise<void> => {
    try {
      await git.run([
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--refmap=',
        '--no-recurse-submodules',
        '--no-filter',
        remote,
        ref,
      ]);
    } catch (error) {
      // A lock that was let go between the two questions is no trouble with the remote.
      if ((await list([ref])).get(ref) === commit) throw error;
    }
  };

  const read: Remote['read'] = async (ref, file) => {
    for (let tries = 1; ; tries += 1) {
      const commit = (await list([ref])).get(ref);
      if (commit === undefined) return undefined;
      if (!(await has(git, commit))) await fetch(ref, commit);
      // It may have moved between the two questions, to a commit that does not descend from it.
      if (await has(git, commit)) return { commit, bytes: await blobOf(git, commit, file) };
      if (tries === MOST_READS) throw new StoreError(`${ref} moves faster than it can be read`);
    }
  };

  const commit: Remote['commit'] = async (file, bytes, subject, parent, token) => {
    const blob = text(await git.run(['hash-object', '-w', '--stdin'], bytes));
    const tree = text(await git.run(['mktree'], `100644 blob ${blob}\t${file}\n`));
    // The token tells two writers apart who write the same in the same second.
    return text(
      await git.run(
        ['commit-tree', '--no-gpg-sign', ...(parent === '' ? [] : ['-p', parent]), tree],
        `${subject}\n\nLock: ${token}\n`,
      ),
    );
  };

  const push: Remote['push'] = async (moves) => {
    const leases = moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`);
    const updates = moves.map(({ ref, to }) => `${to}:${ref}`);
    try {
      await git.run([
        'push',
        '--quiet',
        '--porcelain',
        '--atomic',
        '--no-verify',
        '--no-signed',
        '--no-follow-tags',
        '--recurse-submodules=no',
        ...leases,
        remote,
        ...updates,
      ]);
      return true;
    } catch (error) {
      // Whatever was said, or lost on the way: what is there now tells what became of it.
      const now = await list(moves.map(({ ref }) => ref));
      const changed = moves.filter(({ from, to }) => from !== to);
      if (changed.every(({ ref, to }) => (now.get(ref) ?? '') === to)) return true;
      if (moves.some(({ ref, from }) => (now.get(ref) ?? '') !== from)) return false;
      throw error;
    }
  };

  return { list, read, commit, push, close: () => git.close() };
}

async function has(git: Git, commit: string): Promise<boolean> {
  return git.run(['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

async function blobOf(git: Git, commit: string, file: string): Promise<Buffer | undefined> {
  const entry = text(await git.run(['ls-tree', '--full-tree', commit, '--', file]));
  const [, blob] = /^\d+ blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  return blob === undefined ? undefined : git.run(['cat-file', 'blob', blob]);
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8').trim();
}
