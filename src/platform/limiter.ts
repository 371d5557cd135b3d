// Decides how many requests are in flight: a bound that halves when the platform says "too many" and grows back slowly.
// Must not decide whether a request is sent again.
import pLimit from 'p-limit';
import type { Clock } from '../model/clock.ts';

export interface Limiter {
  readonly run: <Value>(task: () => Promise<Value>) => Promise<Value>;
  /** A 429 came back; nothing is started before its Retry-After has passed. */
  readonly tooMany: (retryAfterMs: number | undefined) => void;
  readonly wentWell: () => void;
  readonly concurrency: () => number;
}

/** Answers to requests that were under way together are one "too many", not many. */
const ONE_HALVING_PER_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** A limiter that never lets more than `most`, nor fewer than one, run at once. */
export function createLimiter(most: number, clock: Clock): Limiter {
  const limit = pLimit(Math.max(1, most));
  let halvedAtMs = -Infinity;
  let resumeAtMs = -Infinity;
  let successes = 0;

  const run = <Value>(task: () => Promise<Value>): Promise<Value> =>
    limit(async () => {
      while (resumeAtMs > clock.now()) await clock.sleep(resumeAtMs - clock.now());
      return task();
    });

  const tooMany = (retryAfterMs: number | undefined): void => {
    const nowMs = clock.now();
    resumeAtMs = Math.max(resumeAtMs, nowMs + Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS));
    successes = 0;
    if (nowMs - halvedAtMs < ONE_HALVING_PER_MS) return;
    halvedAtMs = nowMs;
    limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
  };

  const wentWell = (): void => {
    if (limit.concurrency >= most) return;
    successes += 1;
    // One more for every two full rounds that went well.
    if (successes < limit.concurrency * 2) return;
    successes = 0;
    limit.concurrency += 1;
  };

  return { run, tooMany, wentWell, concurrency: () => limit.concurrency };
}
