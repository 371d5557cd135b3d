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
  /** Results that are known before anything runs. */
  readonly known: ReadonlyMap<Item, ActionWord>;
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

class Scheduler<Item extends Scheduled> {
  readonly #schedule: Schedule<Item>;
  readonly #byAddress = new Map<Address, Item[]>();
  readonly #results = new Map<Item, ActionWord>();
  readonly #pending = new Set<Item>();
  readonly #running = new Map<Item, Promise<void>>();
  readonly #heldLocks = new Set<string>();
  readonly #keptLocks = new Map<string, { readonly address: Address; readonly result: ActionWord }>();
  #changesLeft = 0;
  #wake: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(schedule: Schedule<Item>) {
    this.#schedule = schedule;
    for (const action of schedule.actions) {
      this.#byAddress.set(action.address, [...(this.#byAddress.get(action.address) ?? []), action]);
      const known = schedule.known.get(action);
      if (known !== undefined) this.#results.set(action, known);
      else {
        this.#pending.add(action);
        if (action.stage === 'change') this.#changesLeft += 1;
      }
    }
  }

  async run(): Promise<void> {
    for (;;) {
      this.#startAll();
      if (this.#running.size === 0) break;
      await Promise.race([...this.#running.values(), this.#woken()]);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#pending.size > 0 && !this.#schedule.stopped()) this.#schedule.stuck([...this.#pending]);
  }

  /** Resolves when a lock was given back while its action goes on. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** In the order of the plan, as many as may. A skip may free removals or skip further actions, so it starts over. */
  #startAll(): void {
    for (let again = true; again;) {
      again = false;
      for (const action of this.#pending) {
        if (this.#failure !== undefined || this.#schedule.stopped() || this.#running.size >= this.#schedule.parallelism)
          return;
        const blocker = this.#blockerOf(action);
        if (blocker === 'wait') continue;
        if (blocker === 'none') this.#start(action);
        else {
          this.#schedule.skip(action, blocker.need, blocker.result);
          this.#end(action, 'skipped');
          again = true;
        }
      }
    }
  }

  #blockerOf(action: Item): 'none' | 'wait' | { readonly need: Need; readonly result: ActionWord } {
    let waits = false;
    for (const need of action.needs) {
      // What is not in this run was done before it.
      for (const needed of this.#byAddress.get(need.address) ?? []) {
        if (needed === action) continue;
        const result = this.#results.get(needed);
        if (result === undefined) waits = true;
        else if (!ENDED_WELL.has(result)) return { need, result };
      }
    }
    if (waits) return 'wait';
    // A failed create must not leave less than before (O-70).
    if (action.stage === 'removal' && this.#changesLeft > 0) return 'wait';
    const locks = this.#schedule.locksOf(action);
    const kept = locks.flatMap((lock) => this.#keptLocks.get(lock) ?? [])[0];
    if (kept !== undefined) return { need: { address: kept.address, ...ONE_AT_A_TIME }, result: kept.result };
    return locks.some((lock) => this.#heldLocks.has(lock)) ? 'wait' : 'none';
  }

  /** All locks at once, or none: nobody holds one while waiting for another. */
  #start(action: Item): void {
    this.#pending.delete(action);
    const locks = new Set([...this.#schedule.locksOf(action)].sort());
    for (const lock of locks) this.#heldLocks.add(lock);
    const release = (given: readonly string[]): void => {
      // Only its own: somebody else may hold it by now.
      for (const lock of given) if (locks.delete(lock)) this.#heldLocks.delete(lock);
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
        for (const lock of locks) this.#heldLocks.delete(lock);
        this.#running.delete(action);
      });
    this.#running.set(action, run);
  }

  #end(action: Item, result: ActionWord): void {
    this.#pending.delete(action);
    this.#results.set(action, result);
    if (action.stage === 'change') this.#changesLeft -= 1;
  }
}
