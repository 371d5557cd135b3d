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

/** Who or what asks for a run. */
export type Origin = 'event' | 'person' | 'schedule';

const PRIORITIES = { resume: 30, event: 20, person: 10, schedule: 0 } as const;

/**
 * Returns the priority of a request; requests with a higher number run first. A resumed apply comes first, because an
 * order that was paid waits for it. Events come next, then requests by people, then the schedule.
 */
export function priorityOf({ run }: Pick<RunRequest, 'run'>, origin: Origin): number {
  return PRIORITIES[run === 'apply' ? 'resume' : origin];
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

/** The longest text that a request may have. */
const MOST_TEXT = 2000;

/**
 * Reads a request from a store that others can write to. Returns what is wrong with it as a string. Only fields that this
 * version knows are taken.
 */
export function readRunRequest(value: unknown): (RunRequest & { readonly isTold?: boolean }) | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object';
  const { account, run, root, notify, why, isTold } = value as Readonly<Record<string, unknown>>;
  if (typeof account !== 'string' || !/^[\x21-\x7e]{1,300}$/.test(account)) return '`account` is not an account';
  if (run !== 'apply' && run !== 'drift') return '`run` is neither `apply` nor `drift`';
  if (typeof why !== 'string' || why.length > MOST_TEXT) return '`why` is not a short text';
  if (root !== undefined && (typeof root !== 'string' || root.length > MOST_TEXT)) return '`root` is not an address';
  if (notify !== undefined && typeof notify !== 'boolean') return '`notify` is not true or false';
  if (isTold !== undefined && typeof isTold !== 'boolean') return '`isTold` is not true or false';
  return {
    account,
    run,
    why,
    ...(root !== undefined && { root }),
    ...(notify !== undefined && { notify }),
    ...(isTold !== undefined && { isTold }),
  };
}
