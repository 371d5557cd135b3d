// The ledger store of a simulation: one place that all processes share. Each access is a message to the store and a
// response, so that a process can crash between the two, and the store can fail before, during or after a write.
import type { LockRecord } from '../../src/ledger/lock.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { OutrunError, StoreError } from '../../src/ledger/store.ts';
import type { Chance } from './chance.ts';
import type { Life } from './network.ts';
import type { EventQueue } from './queue.ts';
import type { Weather } from './weather.ts';

/** The stored state: what is durable, and who holds the lock. */
export interface LedgerPlace {
  text: string | undefined;
  /** The states before, the newest last: what a stale replica may show. */
  readonly older: (string | undefined)[];
  holder: LockRecord | undefined;
  /** The process that the lock belongs to. */
  holderLife: Life | undefined;
  /** Ledgers that were set aside as damaged. */
  readonly setAside: string[];
}

export function createPlace(): LedgerPlace {
  return { text: undefined, older: [], holder: undefined, holderLife: undefined, setAside: [] };
}

export interface StoreOptions {
  readonly place: LedgerPlace;
  readonly queue: EventQueue;
  readonly chance: Chance;
  readonly weather: () => Weather;
  readonly trace: (actor: string, text: string) => void;
}

/** A number that no process has: the lock of a dead process is recognised by it. */
const NO_PROCESS = 2 ** 22 + 1;

/** Opens the place for one process. */
export function storeFor(life: Life, { place, queue, chance, weather, trace }: StoreOptions): LedgerStore {
  let kept: { readonly bytes: number; readonly ending: string } | undefined;
  let nth = 0;

  /** Carries out `act` at the store after a delay, and passes its result back after another one. */
  const call = <Result>(what: string, act: () => Result): Promise<Result> => {
    nth += 1;
    const label = `${life.name} ledger ${what} ${nth}`;
    const wait = (part: string): number => chance.between(1, 30, life.actor, `ledger ${part}`);
    return new Promise((resolve, reject) => {
      queue.at(queue.now() + wait('there'), `${label} there`, () => {
        let result: { readonly value: Result } | { readonly error: Error };
        try {
          result = { value: act() };
        } catch (error) {
          result = { error: error as Error };
        }
        queue.at(queue.now() + wait('back'), `${label} back`, () => {
          if (!life.isAlive) return;
          if ('error' in result) reject(result.error);
          else resolve(result.value);
        });
      });
    });
  };

  const isHeldBy = (record: LockRecord): boolean => place.holder?.token === record.token;
  /** The record as another process sees it: the number of a dead process belongs to nobody. */
  const seenHolder = (): LockRecord | undefined =>
    place.holder === undefined || place.holderLife?.isAlive === true
      ? place.holder
      : { ...place.holder, pid: NO_PROCESS };

  const write = (lock: LockRecord, text: string): void => {
    if (!isHeldBy(lock)) throw new OutrunError('its lock was removed while this run continued');
    const fault = chance.hits(weather().store, life.actor, 'store fault')
      ? chance.oneOf(['before', 'after', 'torn'] as const, life.actor, 'store fault kind')
      : undefined;
    if (fault !== undefined) trace('ledger', `fails (${fault}) for ${life.name}`);
    if (fault === 'before') throw new StoreError('the store rejected the write');
    const base = place.text ?? '';
    const whole = fault === 'torn' && text.startsWith(base) ? base + torn(text.slice(base.length)) : text;
    place.older.push(place.text);
    place.text = whole;
    if (fault !== undefined) throw new StoreError('the connection to the store was lost');
  };

  return {
    name: 'simulated ledger',
    isSlow: true,
    lock: {
      pollMs: 1_000,
      take: (record) =>
        call('take', () => {
          const holder = seenHolder();
          if (holder !== undefined) return holder;
          place.holder = record;
          place.holderLife = life;
          trace('ledger', `is locked by ${life.name}`);
          return 'taken';
        }),
      replace: (dead, record) =>
        call('replace', () => {
          if (!isHeldBy(dead)) return false;
          trace('ledger', `is taken over by ${life.name} from ${place.holderLife?.name}`);
          place.holder = record;
          place.holderLife = life;
          return true;
        }),
      peek: () => call('peek', () => seenHolder() ?? 'none'),
      remove: (seen) =>
        call('remove', () => {
          if (seen !== 'unreadable' && !isHeldBy(seen)) return;
          place.holder = undefined;
          place.holderLife = undefined;
          trace('ledger', `is released by ${life.name}`);
        }),
    },
    read: () =>
      call('read', () => {
        const isStale = place.holderLife !== life && chance.hits(weather().staleStore, life.actor, 'stale ledger');
        const text = isStale && place.older.length > 0 ? place.older.at(-1) : place.text;
        return text === undefined ? undefined : Buffer.from(text);
      }),
    resume: (bytes, ending) =>
      call('resume', () => {
        kept = { bytes, ending };
      }),
    append: (text, lock) =>
      call('append', () => {
        const base = keep(place.text ?? '', kept);
        kept = undefined;
        if (!isHeldBy(lock)) throw new OutrunError('its lock was removed while this run continued');
        place.text = base;
        write(lock, base + text);
      }),
    rewrite: (text, lock) =>
      call('rewrite', () => {
        kept = undefined;
        write(lock, text);
      }),
    setAside: () =>
      call('set aside', () => {
        place.setAside.push(place.text ?? '');
        place.text = undefined;
        return `simulated ledger.corrupt-${place.setAside.length}`;
      }),
    lastSetAside: () =>
      call('last set aside', () =>
        place.setAside.length === 0 ? undefined : `simulated ledger.corrupt-${place.setAside.length}`,
      ),
    close: () => Promise.resolve(),
  };
}

function keep(text: string, kept: { readonly bytes: number; readonly ending: string } | undefined): string {
  return kept === undefined ? text : Buffer.from(text).subarray(0, kept.bytes).toString('utf8') + kept.ending;
}

/** The first half of an appended text, cut inside a line. */
function torn(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}
