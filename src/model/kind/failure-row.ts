// How a kind says what an error answer to one of its reads means.
import type { Until } from './until.ts';

/** How an error answer to a read is taken; the first row that fits decides, else it is `unknown`. */
export type FailureRow = FailureMatch &
  /** `ofRoot`: true of the whole root that was read in; nothing is done with it, whatever its own list shows. */
  (
    | { readonly state: 'blocked'; readonly ofRoot?: true }
    | { readonly state: 'unknown' | 'waiting' | 'null' }
    | { readonly state: 'deferred'; readonly until: Until }
  );

interface FailureMatch {
  /** `any`: whatever the error is, this read is not needed for certain. */
  readonly status: number | 'any';
  readonly code?: string;
  readonly message?: string;
  /** What it means. With the state null the answer of this read is null, and `decode` says what that means. */
  readonly reason: string;
  readonly remedy: string;
  readonly rule: string;
  /** The feature is off for the account, so nothing of the kind is live. */
  readonly off?: true;
}
