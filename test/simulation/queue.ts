// The event queue of a simulation: virtual time, and one order for everything that happens. Two runs with the same events
// execute them in the same order, whatever order Node.js runs its callbacks in.

/** Virtual time and the events that are due at it. */
export interface EventQueue {
  /** Milliseconds since 1970, virtual. */
  readonly now: () => number;
  /**
   * Schedules `run` for a virtual time; a time in the past means now. Events at the same time run in the order of
   * `label`, so labels must be unique. Returns a function that cancels the event.
   */
  readonly at: (atMs: number, label: string, run: () => void) => () => void;
  /** Executes events until `isOver` returns true or none is left. Returns the number of executed events. */
  readonly run: (isOver: () => boolean) => Promise<number>;
}

interface Scheduled {
  readonly atMs: number;
  readonly label: string;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Creates an empty queue whose time starts at `startMs`. `beforeEach` is called with each event before it runs. */
export function createQueue(startMs: number, beforeEach: (label: string, atMs: number) => void): EventQueue {
  const heap: Scheduled[] = [];
  let nowMs = startMs;
  return {
    now: () => nowMs,
    at: (atMs, label, run) => {
      const event: Scheduled = { atMs: Math.max(atMs, nowMs), label, run, isCancelled: false };
      push(heap, event);
      return () => {
        event.isCancelled = true;
      };
    },
    run: async (isOver) => {
      let executed = 0;
      await settle();
      while (!isOver()) {
        const event = pop(heap);
        if (event === undefined) break;
        if (event.isCancelled) continue;
        nowMs = event.atMs;
        executed += 1;
        beforeEach(event.label, event.atMs);
        event.run();
        await settle();
      }
      return executed;
    },
  };
}

/** Turns of Node's event loop after which every promise callback has run. */
const TURNS = 2;

/**
 * Waits until the process has nothing left to do but to wait for the next event. Nothing in a simulation uses files,
 * sockets or timers, so a promise callback can only be waiting for another one.
 */
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
}

function isBefore(left: Scheduled, right: Scheduled): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.label < right.label);
}

function push(heap: Scheduled[], event: Scheduled): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(event, heap[parent] as Scheduled)) break;
    heap[at] = heap[parent] as Scheduled;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Scheduled[]): Scheduled | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right] as Scheduled, heap[left] as Scheduled) ? right : left;
    if (!isBefore(heap[child] as Scheduled, last)) break;
    heap[at] = heap[child] as Scheduled;
    at = child;
  }
  heap[at] = last;
  return first;
}
