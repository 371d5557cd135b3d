// What several resources that are applied side by side must not do at once: whoever holds a lock goes first. Between
// processes it is the ledger's lock that does this.

/** Runs work under named locks, in the order in which it was asked for. */
export function createLocks(): <Result>(names: readonly string[], work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = [...new Set(names)].flatMap((name) => last.get(name) ?? []);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const name of names) last.set(name, held);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
