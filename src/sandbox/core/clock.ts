// What time it is in the sandbox and when delayed effects (a task that ends) happen. A virtual hour takes no time; in
// 'real' mode the wall clock runs underneath.

export interface VirtualClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves time forward and runs what falls due on the way, in order. */
  advance(durationMs: number): void;
  /** Virtual: advances and resolves at once, so that a client's waits take no real time. Real: waits. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export interface SandboxClock extends VirtualClock {
  /** Runs `effect` when the clock reaches `atMs`. */
  at(atMs: number, effect: () => void): void;
  /** Runs what has fallen due: in 'real' mode nobody calls advance. */
  runDue(): void;
}

/** Where virtual time starts. Scenarios date their objects from here, so that two runs give the same bytes. */
export const EPOCH_MS = Date.UTC(2026, 0, 15, 9, 0, 0);

interface Due {
  readonly atMs: number;
  readonly effect: () => void;
}

/** `startMs`: where virtual time starts, where that is not the usual day. */
export function createClock(mode: 'virtual' | 'real', startMs = EPOCH_MS): SandboxClock {
  let offsetMs = 0;
  let due: Due[] = [];
  const base = (): number => (mode === 'real' ? Date.now() : startMs);
  /**
   * While an effect runs, it is the time at which it fell due: what it starts counts from then, however far the clock
   * has jumped.
   */
  let effectMs: number | null = null;
  const now = (): number => effectMs ?? base() + offsetMs;
  const runDue = (): void => {
    for (let next = due[0]; next !== undefined && next.atMs <= base() + offsetMs; next = due[0]) {
      due.shift();
      effectMs = next.atMs;
      try {
        next.effect();
      } finally {
        effectMs = null;
      }
    }
  };
  const advance = (durationMs: number): void => {
    if (!Number.isFinite(durationMs) || durationMs < 0)
      throw new RangeError(`time only moves forward, not by ${durationMs} ms`);
    offsetMs += durationMs;
    runDue();
  };
  return {
    now,
    advance,
    runDue,
    at(atMs, effect) {
      due = [...due, { atMs, effect }].sort((left, right) => left.atMs - right.atMs);
    },
    async sleep(durationMs, signal) {
      signal?.throwIfAborted();
      if (mode === 'virtual') return advance(durationMs);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, durationMs);
        signal?.addEventListener(
          'abort',
          () => {
            clearTimeout(timer);
            reject(signal.reason as Error);
          },
          { once: true },
        );
      });
    },
  };
}
