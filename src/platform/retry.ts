// Whether and when a failed read is sent again: full jitter, Retry-After where it is given, one deadline over all
// attempts, one budget over all reads of a run.
import type { AnswerMeaning } from '../areas/endpoints.ts';
import type { Clock } from '../model/clock.ts';
import type { ApiError } from './api-error.ts';

export const MOST_ATTEMPTS = 8;
const MOST_ATTEMPTS_UNSENT = 4;
/** Of a read that the documents say passes (MSP-23): longer is a matter of the next run. */
const MOST_ATTEMPTS_DOCUMENTED = 4;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;
/** The longest pause that a request waits for, except after 429 from the platform, where the limiter decides. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryQuestion {
  readonly error: Pick<ApiError, 'kind' | 'status' | 'sent' | 'retryAfterMs'> & {
    readonly isPermanent?: true | undefined;
  };
  /** The longest pause that is waited for, in milliseconds. */
  readonly longestPauseMs?: number;
  /** What the documents say of this answer, where they say anything. */
  readonly documented?: AnswerMeaning | undefined;
  /** How many successes so far, this one included, had a body that cannot be read. */
  readonly unusableAnswers: number;
  /** Attempts made so far. */
  readonly attempts: number;
  readonly nowMs: number;
  readonly deadlineAtMs: number;
  readonly random: () => number;
}

/** What came of one attempt. `error`: what another attempt may mend. */
export interface Attempt<Result> {
  readonly result: Result;
  readonly error?: RetryQuestion['error'] | undefined;
}

export interface AttemptOptions extends Pick<RetryQuestion, 'random' | 'deadlineAtMs'> {
  readonly clock: Clock;
  /** Aborted when whoever waits for it wants to wait no longer. */
  readonly stop: AbortSignal | undefined;
}

/** Attempts it until it works, another attempt would not help, or it is stopped: what came of the last attempt. */
export async function attemptAgain<Result>(
  attempt: () => Promise<Attempt<Result>>,
  { clock, random, deadlineAtMs, stop }: AttemptOptions,
): Promise<{ readonly result: Result; readonly isStopped: boolean }> {
  for (let attempts = 1; ; attempts += 1) {
    const { result, error } = await attempt();
    const question = { unusableAnswers: 0, attempts, nowMs: clock.now(), deadlineAtMs, random };
    const inMs = error === undefined ? null : nextAttemptIn({ ...question, error });
    if (inMs === null) return { result, isStopped: false };
    await clock.sleep(inMs, stop).catch(() => undefined);
    if (stop?.aborted === true) return { result, isStopped: true };
  }
}

/** Milliseconds until the next attempt, or null when there is none. */
export function nextAttemptIn(question: RetryQuestion): number | null {
  const { error, attempts, nowMs, deadlineAtMs, random, longestPauseMs = LONGEST_RETRY_AFTER_MS } = question;
  if (attempts >= mostAttempts(question)) return null;
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  const jittered = Math.round(random() * ceiling);
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > longestPauseMs) return null;
  // Never earlier than asked; the jitter on top keeps many readers from coming back in one moment.
  const delayMs = asked === undefined ? jittered : asked + Math.round(random() * FIRST_BACKOFF_MS);
  return nowMs + delayMs >= deadlineAtMs ? null : delayMs;
}

function mostAttempts({ error, documented, unusableAnswers }: RetryQuestion): number {
  const { kind, status, sent, isPermanent } = error;
  if (isPermanent === true) return 1;
  if (documented !== undefined) return documented === 'retry' ? MOST_ATTEMPTS_DOCUMENTED : 1;
  if (kind === 'unusable-answer') return unusableAnswers <= 1 ? MOST_ATTEMPTS : 1;
  // A wrong host or a bad certificate seldom mends itself, and someone is waiting to hear of it.
  if (kind === 'network' && sent === 'no') return MOST_ATTEMPTS_UNSENT;
  if (kind === 'network' || kind === 'timeout') return MOST_ATTEMPTS;
  return isTransient(status) ? MOST_ATTEMPTS : 1;
}

/**
 * Statuses that are about the moment, not about what was asked. No document gives 500 a meaning, whatever its body
 * says.
 */
export function isTransient(status: number | null): boolean {
  return status === 429 || (status !== null && status >= 500 && status !== 501);
}

/** Retry-After as milliseconds: seconds, or a date against the clock; undefined when it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Enough for an outage of some seconds while everything that may be in flight is. */
const AT_FIRST = 500;
const SHARE_OF_READS = 0.2;

/**
 * How many reads of one run may be repeated: some at once, and beyond that a share of all reads, so that a platform that
 * is down is not asked several times as often. The usual retry budget of Finagle and Linkerd.
 */
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
