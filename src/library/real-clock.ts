// The real time. Everything else in the program is given a clock; this is the only one that does not lie.
// It never goes back: a clock of the machine that is set back would make every wait longer by as much.
import type { Clock } from '../model/clock.ts';

/** Node's timers overflow beyond this and would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function createRealClock(): Clock {
  let last = { nowMs: 0, tickMs: 0 };
  return {
    now: () => {
      // `performance` loads a module of Node.js for it.
      const tickMs = Number(process.hrtime.bigint()) / 1e6;
      last = { nowMs: Math.max(Date.now(), last.nowMs + tickMs - last.tickMs), tickMs };
      return Math.floor(last.nowMs);
    },
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          clearTimeout(timer);
          // Whatever the reason is, the contract is to reject with it.
          // oxlint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(signal?.reason);
        };
        const timer = setTimeout(
          () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
          Math.min(durationMs, LONGEST_MS),
        );
        if (signal?.aborted === true) abort();
        else signal?.addEventListener('abort', abort, { once: true });
      }),
  };
}

export const realClock = createRealClock();
