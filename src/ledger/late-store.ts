// A store that is opened by its first use, because its credentials have to be asked for.
import type { LedgerStore } from './store.ts';

/** As of stores on a server. */
const POLL_MS = 1000;

/**
 * The store that `open` gives, as soon as something is asked of it. What `open` throws, each of its answers throws.
 * `known`: what is known of it before.
 */
export function lateStore(known: Pick<LedgerStore, 'name' | 'isSlow'>, open: () => Promise<LedgerStore>): LedgerStore {
  let opened: Promise<LedgerStore> | undefined;
  const store = (): Promise<LedgerStore> => (opened ??= open());
  return {
    ...known,
    lock: {
      pollMs: POLL_MS,
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
