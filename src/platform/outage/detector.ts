// Detects an outage of the platform: consecutive failures of different requests. While it lasts, requests that have
// failed may be repeated, and other requests are not sent.
import type { Clock } from '../../model/clock.ts';
import type { ApiError } from '../api-error.ts';

/** An outage: since when, and what the requests met. */
export interface Outage {
  /** When the first of the requests failed, in epoch milliseconds. */
  readonly sinceMs: number;
  /** The number of different requests that failed since then, without a successful response between them. */
  readonly requests: number;
  /** What the most recent of them met, such as `the platform answered 503`. */
  readonly reason: string;
}

export interface OutageDetector {
  /**
   * Records that a request got no usable response for a reason that is not specific to it. `id`: what attempts of one
   * request share.
   */
  readonly failed: (request: string, id: unknown, reason: string) => void;
  /** Records any other response. It ends the outage. */
  readonly answered: () => void;
  /** Returns the outage that forbids this request at present. A request that has failed before may be repeated. */
  readonly forbids: (request: string) => Outage | undefined;
  /** Waits until the request may be sent, at most this long, in milliseconds. Returns the outage if it may not. */
  readonly pass: (request: string, atMostMs: number, signal?: AbortSignal) => Promise<Outage | undefined>;
  /** Ends all waits during an outage: a request was repeated as often as requests are repeated. */
  readonly giveUp: () => void;
  /** Returns the present outage. */
  readonly current: () => Outage | undefined;
  /** Returns the present outage if requests no longer wait for its end. */
  readonly final: () => Outage | undefined;
  /** Waits this long, or until the outage is final. */
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

/** So many different requests have to fail, without a successful response between them. */
const REQUESTS = 10;
/** How long requests wait for the end of an outage. A short restart of the platform does not end a run. */
const PATIENCE_MS = 30_000;

/** Creates a detector. Clients that share a limiter share its detector. */
export function createOutageDetector(clock: Clock): OutageDetector {
  const failedIds = new Set<unknown>();
  const failedRequests = new Set<string>();
  const waits = new Set<AbortController>();
  let sinceMs = 0;
  let openedAtMs = 0;
  let reason = '';
  let isGivenUp = false;

  const wake = (): void => {
    for (const wait of waits) wait.abort();
  };
  const current = (): Outage | undefined =>
    failedIds.size < REQUESTS ? undefined : { sinceMs, requests: failedIds.size, reason };
  const isFinal = (): boolean => isGivenUp || clock.now() - openedAtMs >= PATIENCE_MS;
  const final = (): Outage | undefined => {
    const outage = current();
    return outage !== undefined && isFinal() ? outage : undefined;
  };
  const forbids = (request: string): Outage | undefined => (failedRequests.has(request) ? undefined : current());

  /** Waits this long, or until the outage ends or is final. */
  const waitFor = async (durationMs: number, signal?: AbortSignal): Promise<void> => {
    const own = new AbortController();
    waits.add(own);
    try {
      await clock.sleep(durationMs, signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]));
    } catch (error) {
      if (!own.signal.aborted || signal?.aborted === true) throw error;
    } finally {
      waits.delete(own);
    }
  };

  return {
    failed: (request, id, what) => {
      if (failedIds.size === 0) sinceMs = clock.now();
      reason = what;
      failedRequests.add(request);
      if (failedIds.size === REQUESTS - 1 && !failedIds.has(id)) openedAtMs = clock.now();
      failedIds.add(id);
    },
    answered: () => {
      if (failedIds.size === 0) return;
      const isOver = failedIds.size >= REQUESTS;
      failedIds.clear();
      failedRequests.clear();
      isGivenUp = false;
      if (isOver) wake();
    },
    forbids,
    pass: async (request, atMostMs, signal) => {
      const untilMs = clock.now() + atMostMs;
      for (;;) {
        const outage = forbids(request);
        if (outage === undefined) return undefined;
        const leftMs = Math.min(untilMs, openedAtMs + PATIENCE_MS) - clock.now();
        if (isFinal() || leftMs <= 0) return outage;
        await waitFor(leftMs, signal);
      }
    },
    giveUp: () => {
      if (current() === undefined || isGivenUp) return;
      isGivenUp = true;
      wake();
    },
    current,
    final,
    sleep: async (durationMs, signal) => {
      if (final() === undefined) await waitFor(durationMs, signal);
    },
  };
}

/**
 * Returns what a failure says about the platform as a whole: it failed, or did not respond. Undefined for a failure that
 * is specific to the request.
 */
export function outageReason({ kind, status, documented, sharedReason }: ApiError): string | undefined {
  // A code that the documents name, or a part of the platform that they call switched off, is specific.
  const isSpecific = documented !== undefined && ((documented.code ?? null) !== null || documented.means === 'blocked');
  if (isSpecific || sharedReason === undefined) return undefined;
  return (status !== null && status >= 500) || kind === 'network' || kind === 'timeout' ? sharedReason : undefined;
}
