// How time reaches the program: as an argument, so that a test's hour takes no time.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this many milliseconds, or rejects with the signal's reason. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
