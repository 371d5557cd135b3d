// How time reaches the program: as an argument, so that a test's hour takes no time.

/** Returns a time as messages show it: in UTC, to the second, such as `2026-11-28T13:46:02Z`. */
export function showTime(atMs: number): string {
  return new Date(Math.ceil(atMs / 1000) * 1000).toISOString().replace('.000', '');
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this many milliseconds, or rejects with the signal's reason. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
