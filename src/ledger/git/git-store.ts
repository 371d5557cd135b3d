// How a ledger lies in a Git remote: one ref of its own, every write a commit that is pushed only if the ref is still
// where it was read, and the lock a second ref beside it. Works from any clone, shallow ones too.
import type { Freshness, GitRemote, GitRemoteOptions } from './remote.ts';
import { createGitRemote } from './remote.ts';
import type { Holder, LockStore, LockRecord } from '../lock.ts';
import { parseLock } from '../lock.ts';
import type { LedgerStore } from '../store.ts';
import { OutrunError, StoreError } from '../store.ts';

export interface GitStoreOptions extends GitRemoteOptions {
  /** Its full name, such as `refs/hostwright/ledger`. */
  readonly ref: string;
  /** The remote, where others use it too: they close it. Absent: one of its own. */
  readonly shared?: GitRemote;
}

export const LEDGER_FILE = 'ledger.jsonl';
const HISTORY_FILE = 'history.jsonl';
const LOCK_FILE = 'lock.json';
const POLL_MS = 5000;
/** A ledger that is no longer than this is one file. */
const SMALL_PART = 64 * 1024;
const TAKEN_MEANWHILE = 'somebody else wrote it, or took its lock, while this run went on';

/** A ledger in a ref of a Git remote. */
export function gitStore({ ref, shared, ...options }: GitStoreOptions): LedgerStore {
  const remote = shared ?? createGitRemote(options);
  const lockRef = `${ref}-lock`;
  const lock = gitLock(remote, lockRef);
  let parts: readonly Buffer[] = [];
  /** The commit that was last read or written; '' when there was none. */
  let head = '';

  const write = async (text: readonly Buffer[], parent: string, record: LockRecord, isLast = false): Promise<void> => {
    const message = `Run ${record.runId}\n\nLock: ${record.token}`;
    const commit = await remote.commit(LEDGER_FILE, text, message, parent);
    const held = lock.commitOf(record);
    const mine = held ?? (await lock.prepare(record));
    // The lock goes along: the push fails as a whole when it is no longer there, or no longer free.
    const lockMove = { ref: lockRef, from: held ?? '', to: isLast && held !== undefined ? '' : mine };
    // From here on it may be there, whatever is heard of it.
    lock.moved(record, mine);
    if (!(await remote.push([{ ref, from: head, to: commit }, lockMove]))) {
      if (held === undefined) lock.moved(record, '');
      throw new OutrunError(TAKEN_MEANWHILE);
    }
    lock.moved(record, lockMove.to);
    head = commit;
    parts = text;
  };
  const asideNames = async (): Promise<readonly string[]> => {
    const found = [...(await remote.list(lock.freshness())).keys()].filter((name) =>
      name.startsWith(`${ref}-corrupt-`),
    );
    return found.sort((left, right) => numberOf(left) - numberOf(right));
  };
  const monthRef = (month: string): string => `${ref}-history-${month}`;
  const placeOf = (name: string): string => `${name} on ${options.remote}`;

  return {
    name: placeOf(ref),
    lock,
    isSlow: true,
    read: async () => {
      const found = await remote.read({ ref, file: LEDGER_FILE }, lock.freshness());
      if (found !== undefined && found.bytes === undefined)
        throw new StoreError(
          `it is there, and holds no ${LEDGER_FILE}: it is something else, or damaged, and is left alone`,
        );
      head = found?.commit ?? '';
      parts = found?.bytes === undefined ? [] : [found.bytes];
      return found?.bytes;
    },
    // Goes to the remote with the next entry: until then nobody rests on it.
    resume: async (kept, ending) => {
      const bytes = Buffer.concat(parts);
      if (kept !== bytes.length || ending !== '')
        parts = [Buffer.concat([bytes.subarray(0, kept), Buffer.from(ending)])];
      return Promise.resolve();
    },
    append: (text, record, isLast) => write(withPart(parts, Buffer.from(text)), head, record, isLast),
    rewrite: async (text, record) => {
      // The history ends here, so that a fresh clone never fetches years of it; a remote that takes no such push gets
      // it with its history.
      await write([Buffer.from(text)], '', record).catch(async (error: unknown) => {
        if (head === '' || error instanceof OutrunError) throw error;
        await write([Buffer.from(text)], head, record);
      });
    },
    setAside: async () => {
      const target = `${ref}-corrupt-${numberOf((await asideNames()).at(-1) ?? '') + 1}`;
      const moved = await remote.push([
        { ref: target, from: '', to: head },
        { ref, from: head, to: '' },
      ]);
      if (!moved) throw new OutrunError(TAKEN_MEANWHILE);
      head = '';
      return placeOf(target);
    },
    lastSetAside: async () => {
      const last = (await asideNames()).at(-1);
      return last === undefined ? undefined : placeOf(last);
    },
    months: {
      list: async () =>
        [...(await remote.list('now')).keys()].flatMap((name) =>
          name.startsWith(`${ref}-history-`) ? [name.slice(-7)] : [],
        ),
      read: async (month) => (await remote.read({ ref: monthRef(month), file: HISTORY_FILE }, 'now'))?.bytes,
      // The ledger itself is written after it, and that push is refused where the lock is gone.
      write: async (month, text, record) => {
        const from = (await remote.list('now')).get(monthRef(month)) ?? '';
        const to = await remote.commit(HISTORY_FILE, [Buffer.from(text)], `Run ${record.runId}: ${month}`, from);
        if (!(await remote.push([{ ref: monthRef(month), from, to }]))) throw new OutrunError(TAKEN_MEANWHILE);
      },
    },
    close: async () => {
      if (shared === undefined) await remote.close();
    },
  };
}

/**
 * What is appended goes into a part of its own, so that no write is of the whole. Parts that have come near in size
 * become one: there are never more than a few, and each byte is written again only a few times.
 */
function withPart(parts: readonly Buffer[], part: Buffer): readonly Buffer[] {
  const before = parts.at(-1);
  if (before === undefined) return [part];
  if (before.length > Math.max(2 * part.length, SMALL_PART)) return [...parts, part];
  return withPart(parts.slice(0, -1), Buffer.concat([before, part]));
}

function numberOf(ref: string): number {
  return Number(/-corrupt-(\d+)$/.exec(ref)?.[1] ?? 0);
}

interface GitLock extends LockStore {
  /** The commit of a lock that is there; undefined when it is not. */
  readonly commitOf: (record: LockRecord) => string | undefined;
  /** The commit of a lock that is to be put there with a first write. */
  readonly prepare: (record: LockRecord) => Promise<string>;
  /** A push moved it; '' is away. */
  readonly moved: (record: LockRecord, commit: string) => void;
  /** While we hold the lock, what is read must be read now. Without it, a push is refused if something has moved. */
  readonly freshness: () => Freshness;
}

function gitLock(remote: GitRemote, ref: string): GitLock {
  const commits = new Map<string, string>();
  /** The lock that is to be put there with the first write. */
  let promised: string | undefined;
  let isHeld = false;
  const look = async (): Promise<{ readonly commit: string; readonly holder: Holder } | undefined> => {
    const found = await remote.read({ ref, file: LOCK_FILE }, 'now');
    if (found === undefined) return undefined;
    const holder = found.bytes === undefined ? 'unreadable' : parseLock(found.bytes.toString('utf8'));
    if (typeof holder !== 'string') commits.set(holder.token, found.commit);
    return { commit: found.commit, holder };
  };
  const moved = ({ token }: LockRecord, commit: string): void => {
    isHeld = commit !== '';
    promised = undefined;
    if (isHeld) commits.set(token, commit);
    else commits.delete(token);
  };
  const commitFor = (record: LockRecord): Promise<string> =>
    remote.commit(
      LOCK_FILE,
      [Buffer.from(JSON.stringify(record))],
      `Held by ${record.user}\n\nLock: ${record.token}`,
      '',
    );
  const put = async (record: LockRecord, from: string): Promise<boolean> => {
    const commit = await commitFor(record);
    const taken = await remote.push([{ ref, from, to: commit }]);
    if (taken) moved(record, commit);
    return taken;
  };
  return {
    pollMs: POLL_MS,
    commitOf: ({ token }) => commits.get(token),
    prepare: async (record) => {
      if (promised !== record.token) throw new StoreError('its lock is not ours');
      return commitFor(record);
    },
    moved,
    freshness: () => (isHeld ? 'now' : 'recent'),
    take: async (record, withFirstWrite = false) => {
      if (withFirstWrite && !(await remote.list('recent')).has(ref)) {
        promised = record.token;
        return 'taken';
      }
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
      promised = undefined;
      isHeld = false;
      const from = seen === 'unreadable' ? (await look())?.commit : commits.get(seen.token);
      // Gone already, or another's by now: then it is not ours to remove.
      if (from !== undefined) await remote.push([{ ref, from, to: '' }]);
    },
  };
}
