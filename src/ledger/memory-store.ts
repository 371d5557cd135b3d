// A ledger that lives as long as the process, for runs against a sandbox that does too. Nothing is written anywhere.
import type { Holder } from './lock.ts';
import type { LedgerStore } from './store.ts';

/** A store that only who holds it can reach. */
export function memoryStore(): LedgerStore {
  let text: string | undefined;
  let held: Holder | 'none' = 'none';
  let aside = 0;
  const nameOfAside = (): string => `memory.corrupt-${aside}`;
  return {
    name: 'memory',
    lock: {
      pollMs: 1,
      take: (record) => {
        if (held !== 'none') return Promise.resolve(held);
        held = record;
        return Promise.resolve('taken');
      },
      replace: (dead, record) => {
        if (held !== dead) return Promise.resolve(false);
        held = record;
        return Promise.resolve(true);
      },
      peek: () => Promise.resolve(held),
      remove: (seen) => {
        if (held === seen) held = 'none';
        return Promise.resolve();
      },
    },
    read: () => Promise.resolve(text === undefined ? undefined : Buffer.from(text)),
    resume: (kept, ending) => {
      text =
        Buffer.from(text ?? '')
          .subarray(0, kept)
          .toString('utf8') + ending;
      return Promise.resolve();
    },
    append: (more) => {
      text = (text ?? '') + more;
      return Promise.resolve();
    },
    rewrite: (whole) => {
      text = whole;
      return Promise.resolve();
    },
    setAside: () => {
      text = undefined;
      aside += 1;
      return Promise.resolve(nameOfAside());
    },
    lastSetAside: () => Promise.resolve(aside === 0 ? undefined : nameOfAside()),
    close: () => Promise.resolve(),
  };
}
