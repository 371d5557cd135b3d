// What several resources that are applied side by side must not do at once: whoever holds a lock goes first. Between
// processes it is the ledger's lock that does this.

/** Gives locks back before the work has ended. */
export type Release = (names: readonly string[]) => void;

/** Runs work under named locks, in the order in which it was asked for. */
export function createLocks(): <Result>(
  names: readonly string[],
  work: (release: Release) => Promise<Result>,
) => Promise<Result> {
  const last = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = [...new Set(names)].flatMap((name) => last.get(name) ?? []);
    const held = new Map<string, () => void>();
    for (const name of new Set(names)) last.set(name, new Promise<void>((resolve) => void held.set(name, resolve)));
    const release: Release = (given) => {
      for (const name of given) held.get(name)?.();
    };
    await Promise.all(before);
    try {
      return await work(release);
    } finally {
      release(names);
    }
  };
}
