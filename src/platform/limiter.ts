// When a request may leave: how many are in flight (a bound that halves when the platform is overloaded, gives way when
// answers get slow, and grows back by one), how many leave a second (pace.ts), and that nothing leaves while the
// platform asked for silence. Own code: rate libraries bring timers of their own, and time is an argument here; and the
// next request leaves in the same turn in which an answer arrives.
import type { Clock } from '../model/clock.ts';
import type { OutageDetector } from './outage/detector.ts';
import { createOutageDetector } from './outage/detector.ts';
import { createPace } from './pace.ts';

export interface LimiterOptions {
  /** In flight at most; never fewer than one. */
  readonly most: number;
  readonly clock: Clock;
  /** Leaving a second at most. Absent: no limit of our own. */
  readonly maxRps?: number;
  /** From then on nothing is held back: whoever comes is refused elsewhere. */
  readonly endMs?: number;
}

/** The place of a request among those in flight, from its departure until its task ends. */
export interface Slot {
  /** Resolves when another request may leave in this slot: before all that are queued. */
  readonly leaveAgain: () => Promise<void>;
}

export interface Limiter {
  /** Runs the task in a slot, once its first request may leave. */
  readonly run: <Value>(task: (slot: Slot) => Promise<Value>) => Promise<Value>;
  /** Milliseconds between two requests at present; 0 where only the number in flight is limited. */
  readonly intervalMs: () => number;
  /**
   * A request that left then was answered 429: nothing leaves before its Retry-After, or where it gives none a pause
   * that grows, and then fewer do.
   */
  readonly rateLimited: (leftAtMs: number, retryAfterMs?: number) => void;
  /** One was answered 503, or not in time. */
  readonly overloaded: (retryAfterMs?: number) => void;
  /** One that left then was answered. */
  readonly wentWell: (leftAtMs: number) => void;
  readonly concurrency: () => number;
  /** Returns the end of a pause that requests do not wait for, in epoch milliseconds; undefined if there is none. */
  readonly refusesUntil: () => number | undefined;
  readonly outage: OutageDetector;
}

/** Answers to requests that were under way together count once. */
const ONE_HALVING_PER_MS = 1000;
/** Of a pause that a 503 asks for: a part of the platform that fails for longer does not stop the other requests. */
const LONGEST_PAUSE_MS = 60_000;
/** Of the pauses that 429 asks for, from the first on. In a run with a deadline, the deadline limits them instead. */
const LONGEST_REFUSAL_MS = 300_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_GUESSED_PAUSE_MS = 30_000;
/** Answers are slow when they take this many times as long as usual, and this much longer than chance explains. */
const SLOW_FACTOR = 2;
const SLOW_SLACK_MS = 100;
const SHRINK_FACTOR = 0.9;
/** How much one round counts towards what is usual: what stays slow is slow, and no sign of load. */
const ROUND_WEIGHT = 0.1;

export function createLimiter({ most, clock, maxRps, endMs = Infinity }: LimiterOptions): Limiter {
  let bound = Math.max(1, most);
  let inFlight = 0;
  const queue: (() => void)[] = [];
  let first = 0;
  const pace = createPace();
  const ownGapMs = maxRps === undefined ? 0 : 1000 / maxRps;
  // Slowness alone may be the platform's nature: it never takes more than three quarters.
  const leastWhenSlow = Math.max(1, Math.floor(most / 4));
  let halvedAtMs = -Infinity;
  let resumeAtMs = -Infinity;
  let nextAtMs = -Infinity;
  let refusals = 0;
  /** When the first request was refused since the last that was served. */
  let refusedSinceMs: number | undefined;
  const outage = createOutageDetector(clock);
  let round = { answers: 0, tookMs: 0 };
  let usualMs: number | undefined;
  /** Requests that wait for their time to leave, in order: first those whose slot another has left in already. */
  const next: (() => void)[] = [];
  const queued: (() => void)[] = [];
  let isLetting = false;

  const noteLeaving = (held: boolean): void => {
    const nowMs = clock.now();
    const gapMs = pace.gapMs();
    // Evenly apart: no second has more than its share, wherever it is cut. Where the limit is a guess, a timer that
    // came late is made up for.
    nextAtMs = Math.max(nowMs + ownGapMs, Math.max(nextAtMs, nowMs - gapMs) + gapMs);
    pace.leaves(held, nowMs);
  };

  const refusesUntil = (): number | undefined => {
    const nowMs = clock.now();
    if (resumeAtMs <= nowMs || refusedSinceMs === undefined) return undefined;
    const waitsUntilMs = endMs === Infinity ? refusedSinceMs + LONGEST_REFUSAL_MS : endMs;
    return resumeAtMs > waitsUntilMs ? resumeAtMs : undefined;
  };

  // Requests that do not wait for the end of a pause leave the queue, and the exchange refuses them.
  const untilMs = (): number =>
    refusesUntil() === undefined ? Math.min(Math.max(resumeAtMs, nextAtMs), endMs) : clock.now();

  const letLeave = async (): Promise<void> => {
    isLetting = true;
    let held = false;
    while (next.length + queued.length > 0) {
      const waitMs = untilMs() - clock.now();
      if (waitMs > 0) {
        held = true;
        await clock.sleep(waitMs);
        continue;
      }
      const leaves = next.shift() ?? queued.shift();
      noteLeaving(held);
      held = false;
      leaves?.();
    }
    isLetting = false;
  };

  /** Resolves when a request of this lane may leave; undefined: at once. */
  const leave = (lane: (() => void)[]): Promise<void> | undefined => {
    if (!isLetting && untilMs() <= clock.now()) {
      noteLeaving(false);
      return undefined;
    }
    const own = new Promise<void>((resolve) => lane.push(resolve));
    if (!isLetting) void letLeave();
    return own;
  };

  const slot: Slot = {
    leaveAgain: async () => {
      await leave(next);
    },
  };

  const fill = (): void => {
    while (inFlight < bound && first < queue.length) {
      const start = queue[first] as () => void;
      first += 1;
      inFlight += 1;
      start();
    }
    if (first === queue.length) queue.length = first = 0;
  };

  const run = async <Value>(task: (own: Slot) => Promise<Value>): Promise<Value> => {
    if (inFlight < bound && queue.length === 0) inFlight += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      const own = leave(queued);
      if (own !== undefined) await own;
      return await task(slot);
    } finally {
      inFlight -= 1;
      fill();
    }
  };

  const pauseUntil = (atMs: number): void => {
    resumeAtMs = Math.max(resumeAtMs, atMs);
  };

  const rateLimited: Limiter['rateLimited'] = (leftAtMs, retryAfterMs) => {
    const nowMs = clock.now();
    round = { answers: 0, tookMs: 0 };
    refusedSinceMs ??= nowMs;
    if (retryAfterMs !== undefined) pauseUntil(nowMs + retryAfterMs);
    if (!pace.refused(leftAtMs, nowMs)) return;
    refusals += 1;
    if (retryAfterMs === undefined)
      pauseUntil(nowMs + Math.min(LONGEST_GUESSED_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (refusals - 1)));
  };

  const overloaded: Limiter['overloaded'] = (retryAfterMs) => {
    const nowMs = clock.now();
    round = { answers: 0, tookMs: 0 };
    // A part of the platform that is away for long is told of, and the rest goes on.
    if (retryAfterMs !== undefined && retryAfterMs <= LONGEST_PAUSE_MS) pauseUntil(nowMs + retryAfterMs);
    if (nowMs - halvedAtMs < ONE_HALVING_PER_MS) return;
    halvedAtMs = nowMs;
    bound = Math.max(1, Math.floor(bound / 2));
  };

  const wentWell: Limiter['wentWell'] = (leftAtMs) => {
    const nowMs = clock.now();
    const tookMs = nowMs - leftAtMs;
    refusals = 0;
    refusedSinceMs = undefined;
    pace.served(leftAtMs, nowMs);
    round = { answers: round.answers + 1, tookMs: round.tookMs + tookMs };
    // The bound changes once in two full rounds.
    if (round.answers < bound * 2) return;
    const meanMs = round.tookMs / round.answers;
    const isSlow = usualMs !== undefined && meanMs > usualMs * SLOW_FACTOR + SLOW_SLACK_MS;
    usualMs = usualMs === undefined ? meanMs : usualMs * (1 - ROUND_WEIGHT) + meanMs * ROUND_WEIGHT;
    round = { answers: 0, tookMs: 0 };
    if (!isSlow) bound = Math.min(Math.max(1, most), bound + 1);
    else if (bound > leastWhenSlow) bound = Math.max(leastWhenSlow, Math.floor(bound * SHRINK_FACTOR));
  };

  const intervalMs = (): number => Math.max(ownGapMs, pace.gapMs());

  return {
    run,
    intervalMs,
    rateLimited,
    overloaded,
    wentWell,
    concurrency: () => bound,
    refusesUntil,
    outage,
  };
}
