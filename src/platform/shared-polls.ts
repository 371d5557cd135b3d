// When two waits share one read: they ask for the same path, and nothing was sent since it was read.
import type { Clock } from '../model/clock.ts';
import type { Json } from '../model/json.ts';

/** Well below the first pause of a wait, so that no wait ever gets its own answer of before the pause. */
const SHARED_FOR_MS = 250;

interface Poll {
  readonly atMs: number;
  readonly answer: Promise<Json>;
  isPending: boolean;
}

export interface SharedPolls {
  /** The answer to a read of this path: one under way, one of a moment ago, or else a new one. */
  readonly poll: (path: string) => Promise<Json>;
  /** Something was sent: what was read before it says nothing of afterwards. */
  readonly forget: () => void;
}

export function createSharedPolls(clock: Clock, read: (path: string) => Promise<Json>): SharedPolls {
  const polls = new Map<string, Poll>();
  const isStale = ({ atMs, isPending }: Poll): boolean => !isPending && clock.now() - atMs >= SHARED_FOR_MS;

  const begin = (path: string): Poll => {
    // Lists can be long, and there can be many; the oldest come first.
    for (const [other, known] of polls) {
      if (!isStale(known)) break;
      polls.delete(other);
    }
    const begun: Poll = { atMs: clock.now(), answer: read(path), isPending: true };
    polls.delete(path);
    polls.set(path, begun);
    const end = (): void => {
      begun.isPending = false;
    };
    begun.answer.then(end, () => {
      // A failure is not shared with whoever asks later.
      if (polls.get(path) === begun) polls.delete(path);
    });
    return begun;
  };

  return {
    poll: (path) => {
      const known = polls.get(path);
      return (known === undefined || isStale(known) ? begin(path) : known).answer;
    },
    forget: () => polls.clear(),
  };
}
