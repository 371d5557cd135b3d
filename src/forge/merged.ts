// Walks the pull requests that were merged into a branch, those merged last first. The forge lists them by their last
// update, which is never before the merge: a pull request is returned as soon as no later page can have a newer one.
import type { Forge, Merged } from './forge.ts';

/** A search ends after this many pages, with 50 (GitHub) or 100 (GitLab) pull requests each. */
const MOST_PAGES = 20;

export interface Walk {
  /** Returns the next pull request. undefined: there is none, or the search ended at its limit. */
  readonly next: () => Promise<Merged | undefined>;
  /**
   * Returns the pull requests that were updated during the walk and so moved to a page that was read before. Call it at
   * the end.
   */
  readonly moved: () => Promise<readonly Merged[]>;
  /** True when the search ended at its limit, so that older pull requests are unknown. */
  readonly isCutOff: () => boolean;
}

/** @param own - Pull requests to return in any case, each at its position. */
export function walkMerged(forge: Forge, branch: string, own: readonly Merged[]): Walk {
  const waiting = new Map(own.map((pull) => [pull.number, pull]));
  const returned = new Set<number>();
  let pages = 0;
  let from: string | undefined;
  let isEnd = false;
  /** The last update of all that was not read yet is not after this. */
  let unreadBefore = Number.POSITIVE_INFINITY;

  const readPage = async (): Promise<void> => {
    const page = await forge.mergedInto(branch, from);
    pages += 1;
    for (const pull of page.pulls) {
      if (!returned.has(pull.number)) waiting.set(pull.number, pull);
      unreadBefore = Math.min(unreadBefore, Date.parse(pull.updatedAt));
    }
    from = page.next;
    isEnd = page.next === undefined;
  };
  const isCutOff = (): boolean => !isEnd && pages >= MOST_PAGES;

  return {
    isCutOff,
    next: async () => {
      for (;;) {
        const newest = [...waiting.values()].reduce<Merged | undefined>(
          (best, one) => (best === undefined || timeOf(one) > timeOf(best) ? one : best),
          undefined,
        );
        const isReady = newest !== undefined && (isEnd || isCutOff() || timeOf(newest) > unreadBefore);
        if (isReady) {
          waiting.delete(newest.number);
          returned.add(newest.number);
          return newest;
        }
        if (isEnd || isCutOff()) return undefined;
        await readPage();
      }
    },
    moved: async () => {
      if (pages < 2) return [];
      const { pulls } = await forge.mergedInto(branch);
      return pulls.filter(({ number }) => !returned.has(number) && !waiting.has(number));
    },
  };
}

function timeOf({ mergedAt }: Merged): number {
  return Date.parse(mergedAt);
}
