// What was read back after a write. The look that ends a run rests on it, and asks again only for what something that
// was sent since may have changed.
import type { Clock } from '../model/clock.ts';
import type { Json } from '../model/json.ts';
import { pathSubject } from '../platform/request-url.ts';

/** What somebody else changes within this time, or the platform takes back, the next plan finds. */
const GOOD_FOR_MS = 60_000;

/** Answers of one run about single objects, each read after the last write that may concern it. */
export interface ReadBacks {
  /** Reads, and keeps the answer. */
  readonly read: (path: string) => Promise<Json>;
  /** The answer that is kept, or else a new one. */
  readonly last: (path: string) => Promise<Json>;
  /** A request to this path was sent, and its answer is there or never comes. */
  readonly sent: (path: string) => void;
  /** Nothing that was read before counts any more. */
  readonly forget: () => void;
}

interface Kept {
  readonly atMs: number;
  readonly answer: Promise<Json>;
}

/** Nothing is kept yet; `read`: how it is asked. */
export function createReadBacks(clock: Clock, read: (path: string) => Promise<Json>): ReadBacks {
  /** By list, by object in it, by path. */
  const lists = new Map<string, Map<string, Map<string, Kept>>>();

  const keep = (path: string): Promise<Json> => {
    const answer = read(path);
    const { list, object } = pathSubject(path);
    // What a list shows may change with each of its objects.
    if (object === undefined) return answer;
    const objects = lists.get(list) ?? new Map<string, Map<string, Kept>>();
    const answers = objects.get(object) ?? new Map<string, Kept>();
    lists.set(list, objects.set(object, answers));
    const kept = { atMs: clock.now(), answer };
    answers.set(path, kept);
    answer.catch(() => {
      if (answers.get(path) === kept) answers.delete(path);
    });
    return answer;
  };

  return {
    read: keep,
    last: (path) => {
      const { list, object = '' } = pathSubject(path);
      const kept = lists.get(list)?.get(object)?.get(path);
      return kept !== undefined && clock.now() - kept.atMs < GOOD_FOR_MS ? kept.answer : read(path);
    },
    // Two objects of one list do not change each other; what else may is not known, so all else is read again.
    sent: (path) => {
      const { list, object } = pathSubject(path);
      const objects = object === undefined ? undefined : lists.get(list);
      if (objects === undefined || object === undefined) {
        lists.clear();
        return;
      }
      objects.delete(object);
      for (const other of lists.keys()) if (other !== list) lists.delete(other);
    },
    forget: () => lists.clear(),
  };
}
