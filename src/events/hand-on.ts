// Passes run requests to a dispatcher: some concurrently, the others wait, by priority and then in order. Requests for the
// same run are joined while they wait, because a run that begins later sees what all of them refer to.
import type { Dispatcher, RunRequest } from './run-request.ts';
import { priorityOf } from './run-request.ts';

export interface HandOn {
  /** Resolves when it was taken; rejects with words. */
  readonly handOn: (request: RunRequest) => Promise<void>;
  /** How many wait. */
  readonly waiting: () => number;
}

/** Too many wait already: whoever asks has to come back later. */
export class Busy extends Error {}

interface Waiting {
  request: RunRequest;
  readonly ended: Promise<void>;
  readonly begin: () => void;
}

/** `atOnce` are handed on side by side, `most` may wait. */
export function createHandOn(
  { name, dispatch }: Dispatcher,
  { atOnce, most }: { readonly atOnce: number; readonly most: number },
): HandOn {
  const waiting = new Map<string, Waiting>();
  let running = 0;
  const next = (): void => {
    const [first] = [...waiting].toSorted(
      ([, one], [, other]) => priorityOf(other.request, 'event') - priorityOf(one.request, 'event'),
    );
    if (first === undefined || running >= atOnce) return;
    waiting.delete(first[0]);
    running += 1;
    first[1].begin();
  };
  const add = (key: string, request: RunRequest): Waiting => {
    let begin = (): void => undefined;
    const turn = new Promise<void>((resolve) => (begin = resolve));
    const ended = turn
      .then(() => dispatch(entry.request))
      .finally(() => {
        running -= 1;
        next();
      });
    const entry: Waiting = { request, ended, begin };
    waiting.set(key, entry);
    return entry;
  };
  return {
    waiting: () => waiting.size,
    handOn: (request) => {
      const key = JSON.stringify([request.account, request.run, request.root ?? null]);
      const same = waiting.get(key);
      if (same !== undefined) {
        if (request.notify === true) same.request = request;
        return same.ended;
      }
      if (waiting.size >= most)
        return Promise.reject(new Busy(`${most} run requests wait for ${name} already. Send it again later.`));
      const { ended } = add(key, request);
      next();
      return ended;
    },
  };
}
