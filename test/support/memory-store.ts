// A ledger in memory in the place of one in a file, for loops that are about something else: the same words about who
// holds it and what is on stable storage, without the files. Stores themselves are told apart by their own tests.
import type { LockRecord } from '../../src/ledger/lock.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { StoreError } from '../../src/ledger/store.ts';

interface Place {
  text?: string;
  holder?: LockRecord;
  readonly aside: string[];
}

/** Stores in memory, one for each file below `root`; any other store stays what it is. */
export function memoryStores(root: string): (store: LedgerStore) => LedgerStore {
  const places = new Map<string, Place>();
  return (store) => {
    if (!store.name.startsWith(root)) return store;
    const place = places.get(store.name) ?? { aside: [] };
    places.set(store.name, place);
    return memoryStore(store.name, place);
  };
}

function memoryStore(name: string, place: Place): LedgerStore {
  const isHeldBy = (record: LockRecord): boolean => place.holder?.token === record.token;
  // Every write takes a turn of the loop, as one to a file does.
  const write = async (lock: LockRecord, change: () => void): Promise<void> => {
    await new Promise(setImmediate);
    if (!isHeldBy(lock)) throw new StoreError('its lock was removed while this run went on');
    change();
  };
  return {
    name,
    // What may wait for the next write does: the loops then die with the least that is on stable storage.
    isSlow: true,
    lock: {
      pollMs: 250,
      take: (record) => {
        if (place.holder !== undefined) return Promise.resolve(place.holder);
        place.holder = record;
        return Promise.resolve('taken');
      },
      replace: (dead, record) => {
        const isThere = isHeldBy(dead);
        if (isThere) place.holder = record;
        return Promise.resolve(isThere);
      },
      peek: () => Promise.resolve(place.holder ?? 'none'),
      remove: (seen) => {
        if (seen === 'unreadable' || isHeldBy(seen)) delete place.holder;
        return Promise.resolve();
      },
    },
    read: () => Promise.resolve(place.text === undefined ? undefined : Buffer.from(place.text)),
    resume: (kept, ending) => {
      place.text = `${Buffer.from(place.text ?? '')
        .subarray(0, kept)
        .toString()}${ending}`;
      return Promise.resolve();
    },
    append: (text, lock) => write(lock, () => (place.text = `${place.text ?? ''}${text}`)),
    rewrite: (text, lock) => write(lock, () => (place.text = text)),
    setAside: () => {
      const target = `${name}.corrupt-${place.aside.length + 1}`;
      place.aside.push(target);
      delete place.text;
      return Promise.resolve(target);
    },
    lastSetAside: () => Promise.resolve(place.aside.at(-1)),
    close: () => Promise.resolve(),
  };
}
