// Which messages were taken lately, so that a further sending of one starts no further run. What is forgotten too early
// costs a run that finds nothing.
import type { Clock } from '../model/clock.ts';

export interface Recent {
  readonly has: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** However many there are, and however long ago: no more than `most`, and none older than `keepMs`. */
export function rememberRecent(
  clock: Pick<Clock, 'now'>,
  { most, keepMs }: { readonly most: number; readonly keepMs: number },
): Recent {
  // In the order in which they were added, the oldest first.
  const seen = new Map<string, number>();
  return {
    has: (key) => {
      const atMs = seen.get(key);
      return atMs !== undefined && clock.now() - atMs < keepMs;
    },
    add: (key) => {
      seen.delete(key);
      seen.set(key, clock.now());
      for (const [oldest, atMs] of seen) {
        if (seen.size <= most && clock.now() - atMs < keepMs) break;
        seen.delete(oldest);
      }
    },
  };
}
