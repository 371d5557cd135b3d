// How something that takes no signal is waited for until a signal says stop.

/** Begins, and waits for its end or for the signal: then it rejects with the reason, and what was begun is left to itself. */
export function untilAborted<Result>(signal: AbortSignal, begin: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    begin()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end));
  });
}
