// What a place must be able to do so that a ledger can be kept there: a file, a Git remote, a server. Bytes only.
import type { Code } from '../model/diagnostic.ts';
import type { LockStore, LockRecord } from './lock.ts';

/** Where a ledger is kept. One object serves one operation at a time. */
export interface LedgerStore {
  /** What messages call it. */
  readonly name: string;
  readonly lock: LockStore;
  /** Makes what has to be there before any ledger can be, such as tables. Absent: nothing has to. */
  readonly prepare?: () => Promise<void>;
  /** The ledger as it is; undefined only when there surely is none. Needs no lock and changes nothing there. */
  readonly read: () => Promise<Buffer | undefined>;
  /**
   * Appends go behind the first `kept` bytes of what was last read, and this ending of theirs; what stood behind is
   * dropped.
   */
  readonly resume: (kept: number, ending: string) => Promise<void>;
  /** A write takes a round trip to another machine, so what may wait for other writes does. Absent: each goes at once. */
  readonly isSlow?: true;
  /**
   * On stable storage when it resolves. Rejects when the lock is no longer this one, or when somebody else wrote
   * meanwhile. `isLast`: nothing is written after it, and a store that can gives the lock back with it.
   */
  readonly append: (text: string, lock: LockRecord, isLast?: boolean) => Promise<void>;
  /**
   * Puts a whole ledger in the place of what is there: who reads meanwhile sees the old or the new. Rejects like
   * `append`.
   */
  readonly rewrite: (text: string, lock: LockRecord) => Promise<void>;
  /** Takes a damaged ledger out of the way, keeping it for whoever restores it. Returns where it went. */
  readonly setAside: (lock: LockRecord) => Promise<string>;
  /** Where the last damaged ledger went, if one was set aside. */
  readonly lastSetAside: () => Promise<string | undefined>;
  /**
   * Where the history of earlier months goes when the ledger is written anew, a file a month (`2026-10`): what is
   * written stays, and lines that are there already are not added again. Absent: it stays with the entries.
   */
  readonly months?: {
    readonly list: () => Promise<readonly string[]>;
    readonly read: (month: string) => Promise<Buffer | undefined>;
    readonly write: (month: string, text: string, lock: LockRecord) => Promise<void>;
  };
  /** Gives back handles and connections; used again, it opens them again. */
  readonly close: () => Promise<void>;
}

/** The store could not be reached, or refused: nothing is known of what is there. */
export class StoreError extends Error {
  /** What it is called, where it has a name of its own. */
  readonly code: Code | undefined;

  constructor(message: string, { code, cause }: { readonly code?: Code; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** Somebody else was faster: took the lock, or wrote. What was to be written is not there. */
export class OutrunError extends StoreError {}

/** How often its lock is looked at while somebody is waited for: about as often as that of a store on a server. */
const LAZY_POLL_MS = 1000;

/**
 * A store that is opened by its first use, because its credentials have to be asked for. Where `open` throws, each use of
 * the store does. `known`: what is known before it is open.
 */
export function lazyStore(known: Pick<LedgerStore, 'name' | 'isSlow'>, open: () => Promise<LedgerStore>): LedgerStore {
  let opened: Promise<LedgerStore> | undefined;
  const store = (): Promise<LedgerStore> => (opened ??= open());
  return {
    ...known,
    lock: {
      pollMs: LAZY_POLL_MS,
      take: async (record) => (await store()).lock.take(record),
      replace: async (dead, record) => (await store()).lock.replace(dead, record),
      peek: async () => (await store()).lock.peek(),
      remove: async (seen) => (await store()).lock.remove(seen),
    },
    prepare: async () => (await store()).prepare?.(),
    read: async () => (await store()).read(),
    resume: async (...given) => (await store()).resume(...given),
    append: async (...given) => (await store()).append(...given),
    rewrite: async (...given) => (await store()).rewrite(...given),
    setAside: async (...given) => (await store()).setAside(...given),
    lastSetAside: async () => (await store()).lastSetAside(),
    close: async () => (await opened)?.close(),
  };
}
