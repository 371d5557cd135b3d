// What the receiver hands on, and the worker takes: a run that somebody should start.

/** A hint that something changed, never a fact about the account: the run reads what is true. */
export interface RunRequest {
  readonly account: string;
  /** `apply` goes on with what an earlier apply left unfinished, and plans nothing new; `drift` only reads. */
  readonly run: 'apply' | 'drift';
  /** The root that it is about, as an address: `Site/shop`. Absent: all of the account. */
  readonly root?: string;
  /** Whether somebody should be told even when nothing differs. */
  readonly notify?: boolean;
  /** In words, for logs and reports. */
  readonly why: string;
}

/** Where run requests go. */
export interface Dispatcher {
  /** What messages call it: `GitHub`, `the queue`. */
  readonly name: string;
  /** Resolves when the request was taken by somebody who will not lose it; rejects with words otherwise. */
  readonly dispatch: (request: RunRequest) => Promise<void>;
  /** Why it takes nothing now; undefined when it does. Absent: nobody knows before it is tried. */
  readonly unhealthy?: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}
