// A clock whose hour takes no time: when nothing else is going on, it jumps to the next sleeper.
import type { Clock } from '../../src/model/clock.ts';

export interface VirtualClock extends Clock {
  readonly slept: number[];
}

export function virtualClock(startMs = 1_700_000_000_000): VirtualClock {
  let nowMs = startMs;
  let ticking = false;
  const sleepers: { atMs: number; wake: () => void }[] = [];
  const slept: number[] = [];
  const tick = (): void => {
    ticking = false;
    sleepers.sort((left, right) => left.atMs - right.atMs);
    const next = sleepers.shift();
    if (next === undefined) return;
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    schedule();
  };
  const schedule = (): void => {
    if (ticking || sleepers.length === 0) return;
    ticking = true;
    // Two turns of the loop, so that what the last waker started has settled.
    setImmediate(() => setImmediate(tick));
  };
  return {
    slept,
    now: () => nowMs,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
        slept.push(durationMs);
        const sleeper = {
          atMs: nowMs + durationMs,
          wake: () => {
            signal?.removeEventListener('abort', wakeEarly);
            resolve();
          },
        };
        const wakeEarly = (): void => {
          const index = sleepers.indexOf(sleeper);
          if (index >= 0) sleepers.splice(index, 1);
          reject(signal?.reason as Error);
        };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', wakeEarly, { once: true });
        schedule();
      }),
  };
}
