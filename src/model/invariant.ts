// How our own mistakes end: loudly, with a message that says they are ours. Never for what a user or the platform can
// cause.

/** Throws when something that this program guarantees to itself does not hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`bug in hostwright: ${message}`);
}
