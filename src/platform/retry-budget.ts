// How many reads of one run may be repeated: some at once, and beyond that a share of all reads, so that a platform
// that is down is not asked several times as often. The usual retry budget of Finagle and Linkerd.

/** Enough for an outage of some seconds while everything that may be in flight is. */
const AT_FIRST = 500;
const SHARE_OF_READS = 0.2;

export interface RetryBudget {
  /** A read was begun. */
  readonly earn: () => void;
  /** False: nothing is left, so this one is not repeated. */
  readonly spend: () => boolean;
}

export function createRetryBudget(): RetryBudget {
  let left = AT_FIRST;
  return {
    earn: () => {
      left = Math.min(AT_FIRST, left + SHARE_OF_READS);
    },
    spend: () => {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
