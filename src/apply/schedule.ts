// When each action starts: what it needs is done, its locks are free, a place is free; removals when no change is left.
import type { Address } from '../model/address.ts';
import type { ActionWord } from '../model/plan/outcome.ts';
import type { Action, Need } from '../model/plan/plan.ts';

export type Scheduled = Pick<Action, 'address' | 'stage' | 'locks' | 'needs'>;

export interface Schedule<Item extends Scheduled> {
  readonly actions: readonly Item[];
  readonly parallelism: number;
  /** True when nothing new may start. */
  readonly stopped: () => boolean;
  /** How actions ended before anything runs: these are not run. */
  readonly settled: ReadonlyMap<Item, ActionWord>;
  readonly run: (action: Item, release: (locks: readonly string[]) => void) => Promise<ActionWord>;
  /** What an action holds; some of it may have been given back by an earlier run. */
  readonly locksOf: (action: Item) => readonly string[];
  /** Of these, what it keeps beyond its end although nobody works on it: whoever needs that is skipped. */
  readonly keepsLocks: (action: Item, result: ActionWord) => readonly string[];
  /** Something that it needs did not end well. */
  readonly skip: (action: Item, need: Need, result: ActionWord) => void;
  /** What is left waits for itself: the plan cannot be carried out. */
  readonly stuck: (actions: readonly Item[]) => void;
}

const ONE_AT_A_TIME = {
  rule: 'O-72',
  reason: 'paid requests go one by one: what became of one is known before the next is sent',
};
const ENDED_WELL: ReadonlySet<ActionWord> = new Set(['done', 'already-done']);

/**
 * Runs what may run until nothing is left, or nothing may start any more. Rejects with the first error of `run`, when
 * all others have ended.
 */
export async function runSchedule<Item extends Scheduled>(schedule: Schedule<Item>): Promise<void> {
  await new Scheduler(schedule).run();
}

/** What one action still waits for. */
interface Place<Item extends Scheduled> {
  readonly item: Item;
  /** In the order of the plan. */
  readonly index: number;
  /** Needed actions whose result is not known yet. */
  open: number;
  /** Nobody looks at it until what it waits for has come; a lock, its needs, or the last change. */
  isParked: boolean;
}

/** Looks at an action only when something that it waits for has come, so that its work grows with the plan alone. */
class Scheduler<Item extends Scheduled> {
  readonly #schedule: Schedule<Item>;
  readonly #byAddress = new Map<Address, Item[]>();
  readonly #results = new Map<Item, ActionWord>();
  readonly #pending = new Map<Item, Place<Item>>();
  /** Of these, those that may be able to start; the first of the plan is the last here. */
  readonly #candidates: Place<Item>[] = [];
  readonly #dependents = new Map<Item, Place<Item>[]>();
  readonly #removals: Place<Item>[] = [];
  /** Who waits for a lock, in the same order. */
  readonly #waiting = new Map<string, Place<Item>[]>();
  readonly #running = new Map<Item, Promise<void>>();
  readonly #heldLocks = new Set<string>();
  readonly #keptLocks = new Map<string, { readonly address: Address; readonly result: ActionWord }>();
  #changesLeft = 0;
  #wake: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(schedule: Schedule<Item>) {
    this.#schedule = schedule;
    for (const action of schedule.actions) {
      const same = this.#byAddress.get(action.address);
      if (same === undefined) this.#byAddress.set(action.address, [action]);
      else same.push(action);
      const result = schedule.settled.get(action);
      if (result !== undefined) this.#results.set(action, result);
    }
    for (const [index, item] of schedule.actions.entries()) {
      if (this.#results.has(item)) continue;
      const place: Place<Item> = { item, index, open: 0, isParked: false };
      for (const needed of this.#neededBy(item)) {
        if (this.#results.has(needed)) continue;
        place.open += 1;
        listIn(this.#dependents, needed).push(place);
      }
      this.#pending.set(item, place);
      this.#candidates.push(place);
      if (item.stage === 'change') this.#changesLeft += 1;
    }
    this.#candidates.reverse();
  }

  async run(): Promise<void> {
    for (;;) {
      this.#startAll();
      if (this.#running.size === 0) break;
      await Promise.race([...this.#running.values(), this.#woken()]);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#pending.size > 0 && !this.#schedule.stopped()) this.#schedule.stuck([...this.#pending.keys()]);
  }

  /** Resolves when a lock was given back while its action goes on. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What is not in this run was done before it. */
  #neededBy(item: Item): readonly Item[] {
    return item.needs.flatMap(({ address }) => this.#byAddress.get(address) ?? []).filter((needed) => needed !== item);
  }

  /** In the order of the plan, as many as may. */
  #startAll(): void {
    while (
      this.#candidates.length > 0 &&
      this.#failure === undefined &&
      !this.#schedule.stopped() &&
      this.#running.size < this.#schedule.parallelism
    ) {
      const place = this.#candidates.pop() as Place<Item>;
      const blocker = this.#blockerOf(place);
      if (blocker === 'none') this.#start(place.item);
      else if ('waitsIn' in blocker) {
        place.isParked = true;
        insert(blocker.waitsIn, place);
        this.#passOn(place.item);
      } else {
        this.#schedule.skip(place.item, blocker.need, blocker.result);
        this.#end(place.item, 'skipped');
        this.#passOn(place.item);
      }
    }
  }

  #blockerOf(
    place: Place<Item>,
  ): 'none' | { readonly waitsIn: Place<Item>[] } | { readonly need: Need; readonly result: ActionWord } {
    const { item, open } = place;
    for (const need of item.needs) {
      for (const needed of this.#byAddress.get(need.address) ?? []) {
        const result = needed === item ? undefined : this.#results.get(needed);
        if (result !== undefined && !ENDED_WELL.has(result)) return { need, result };
      }
    }
    // Those that it needs know it already.
    if (open > 0) return { waitsIn: [] };
    // A failed create must not leave less than before (O-70).
    if (item.stage === 'removal' && this.#changesLeft > 0) return { waitsIn: this.#removals };
    const locks = this.#schedule.locksOf(item);
    const kept = locks.flatMap((lock) => this.#keptLocks.get(lock) ?? [])[0];
    if (kept !== undefined) return { need: { address: kept.address, ...ONE_AT_A_TIME }, result: kept.result };
    const held = locks.find((lock) => this.#heldLocks.has(lock));
    return held === undefined ? 'none' : { waitsIn: listIn(this.#waiting, held) };
  }

  /** Back among those that may be able to start. */
  #unpark(place: Place<Item> | undefined): void {
    if (place?.isParked !== true) return;
    place.isParked = false;
    insert(this.#candidates, place);
  }

  /** Its next in turn looks at a lock that is free: one at a time, and whoever does not take it passes it on. */
  #offer(lock: string): void {
    if (!this.#heldLocks.has(lock)) this.#unpark(this.#waiting.get(lock)?.pop());
  }

  #passOn(item: Item): void {
    for (const lock of this.#schedule.locksOf(item)) this.#offer(lock);
  }

  /** All locks at once, or none: nobody holds one while waiting for another. */
  #start(action: Item): void {
    this.#pending.delete(action);
    const locks = new Set([...this.#schedule.locksOf(action)].sort());
    for (const lock of locks) this.#heldLocks.add(lock);
    const giveBack = (lock: string): void => {
      // Only its own: somebody else may hold it by now.
      if (!locks.delete(lock)) return;
      this.#heldLocks.delete(lock);
      this.#offer(lock);
    };
    const release = (given: readonly string[]): void => {
      for (const lock of given) giveBack(lock);
      this.#wake();
    };
    const run = this.#schedule
      .run(action, release)
      .then((result) => {
        for (const lock of this.#schedule.keepsLocks(action, result))
          if (locks.has(lock)) this.#keptLocks.set(lock, { address: action.address, result });
        this.#end(action, result);
      })
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        for (const lock of [...locks]) giveBack(lock);
        this.#running.delete(action);
      });
    this.#running.set(action, run);
  }

  #end(action: Item, result: ActionWord): void {
    this.#pending.delete(action);
    this.#results.set(action, result);
    for (const place of this.#dependents.get(action) ?? []) {
      place.open -= 1;
      if (place.open === 0 || !ENDED_WELL.has(result)) this.#unpark(place);
    }
    if (action.stage !== 'change') return;
    this.#changesLeft -= 1;
    if (this.#changesLeft === 0) for (const place of this.#removals.splice(0)) this.#unpark(place);
  }
}

/** At its place: the first of the plan is the last of the list, where it is taken from. */
function insert<Item extends Scheduled>(places: Place<Item>[], place: Place<Item>): void {
  let low = 0;
  for (let high = places.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((places[middle] as Place<Item>).index > place.index) low = middle + 1;
    else high = middle;
  }
  places.splice(low, 0, place);
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: Item[] = [];
  lists.set(key, made);
  return made;
}
