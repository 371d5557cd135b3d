// The responses of one run by path, with the time of each, so that reads right before writes share what was just read.
import type { Clock } from '../model/clock.ts';
import type { Json } from '../model/json.ts';

type Read = (path: string) => Promise<Json>;

/** The last response of each path. */
export interface RecentReads {
  /** Reads, and keeps the response. */
  readonly read: (path: string, read: Read) => Promise<Json>;
  /**
   * Returns the last response if it arrived within `maxAgeMs`, or reads. Concurrent calls for one path share one read, but
   * none of `read`: that one may wait for the slot that the caller has.
   */
  readonly recent: (path: string, read: Read, maxAgeMs: number) => Promise<Json>;
  /** When the last response arrived, in epoch milliseconds; undefined where none did. */
  readonly answeredAtMs: (path: string) => number | undefined;
}

interface Kept {
  readonly answer: Promise<Json>;
  readonly isShared: boolean;
  /** When it arrived; absent while it is on its way. */
  atMs?: number;
}

/** Older responses are dropped: no read right before a write accepts them. */
const KEPT_FOR_MS = 60_000;

/** Keeps no response yet. */
export function createRecentReads(clock: Clock): RecentReads {
  const kept = new Map<string, Kept>();

  const begin = (path: string, ask: Read, isShared: boolean): Promise<Json> => {
    for (const [other, { atMs = Infinity }] of kept) {
      if (clock.now() - atMs <= KEPT_FOR_MS) break;
      kept.delete(other);
    }
    const own: Kept = {
      isShared,
      answer: ask(path).then((answer) => {
        own.atMs = clock.now();
        return answer;
      }),
    };
    kept.delete(path);
    kept.set(path, own);
    own.answer.catch(() => {
      if (kept.get(path) === own) kept.delete(path);
    });
    return own.answer;
  };

  return {
    read: (path, ask) => begin(path, ask, false),
    recent: (path, ask, maxAgeMs) => {
      const known = kept.get(path);
      if (known === undefined || maxAgeMs <= 0) return begin(path, ask, true);
      const isRecent = known.atMs === undefined ? known.isShared : clock.now() - known.atMs <= maxAgeMs;
      return isRecent ? known.answer : begin(path, ask, true);
    },
    answeredAtMs: (path) => kept.get(path)?.atMs,
  };
}
