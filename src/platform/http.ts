// How requests reach the platform: reads are retried, writes are sent exactly once.
import type { Clock } from '../model/clock.ts';
import type { Deadline } from '../model/deadline.ts';
import type { EmitEvent } from '../model/plan/event.ts';
import type { Json } from '../model/json.ts';
import { canonicalJson } from '../model/json.ts';
import type { Method } from '../model/plan/step.ts';
import { ApiError } from './api-error.ts';
import type { Answer } from './envelope.ts';
import type { Call, RequestMade, Turn } from './exchange.ts';
import { createExchange } from './exchange.ts';
import { errorOf, withAttempts, withoutRetry, withResumption } from './failures.ts';
import type { Limiter } from './limiter.ts';
import type { Outage } from './outage/detector.ts';
import { outageReason } from './outage/detector.ts';
import type { Proxies } from './proxies.ts';
import type { Redactor } from './redact.ts';
import { createRedactor } from './redact.ts';
import { createRetryBudget, LONGEST_RETRY_AFTER_MS, nextAttemptIn } from './retry.ts';
import { createSharedPolls } from './shared-polls.ts';
import type { Transport } from './transport.ts';

export type { Answer } from './envelope.ts';
export type { RequestMade } from './exchange.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly account: string;
  readonly clock: Clock;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** How long one read may take, all its retries together, and one write to be answered. */
  readonly timeoutMs: number;
  readonly random: () => number;
  readonly transport?: Transport;
  readonly proxies?: Proxies;
  /**
   * How the credential stands in its header: the documents do not show how an API key is sent (GAP-01). Default:
   * bearer.
   */
  readonly authorization?: 'bearer' | 'raw';
  readonly emit?: EmitEvent;
  /** Secrets beside the token that no error may hold. */
  readonly redactor?: Redactor;
  readonly maxBodyBytes?: number;
  /** By when everything has to be over. */
  readonly deadline?: Deadline;
  /** Requests that leave a second at most. */
  readonly maxRps?: number;
  /** Shared by several clients of one host; then `concurrency` and `maxRps` are its own. Absent: one of its own. */
  readonly limiter?: Limiter;
  /** Told of each request that was answered, or was not. */
  readonly onRequest?: (request: RequestMade) => void;
}

export interface WriteRequest {
  readonly method: Exclude<Method, 'GET'>;
  readonly path: string;
  readonly body?: Json;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A write that has its slot and has not left yet. */
export interface Departure {
  /** Reads in the slot of the write, before all requests that are queued. Throws {@link ApiError}. */
  readonly read: (path: string) => Promise<Json>;
  /** Resolves when the write may leave the client. */
  readonly clear: () => Promise<void>;
  /** Milliseconds between two requests at present. */
  readonly intervalMs: () => number;
}

export interface SendOptions extends CallOptions {
  /** Awaited once the write has its slot, before it leaves. When it rejects, nothing is sent. */
  readonly leaving?: (departure: Departure) => Promise<void>;
}

export interface ClientStats {
  /** Requests that left, retries included. */
  readonly reads: number;
  readonly writes: number;
  readonly retries: number;
}

export interface Client {
  /** The body of a successful GET. Retries what may pass; throws {@link ApiError}. */
  readonly read: (path: string, options?: CallOptions) => Promise<Json>;
  /**
   * A read for whoever waits, shared with all who wait for the same at that moment; never an answer from before the last
   * sending.
   */
  readonly poll: (path: string) => Promise<Json>;
  /** From now on `poll` gives nothing that was read before. */
  readonly forget: () => void;
  /** The same as `read` for a question that is put by a POST and changes nothing. */
  readonly ask: (path: string, body: Json, options?: CallOptions) => Promise<Json>;
  /**
   * One sending, never repeated: any answer, refusals included. Throws {@link ApiError} when there is none, saying
   * whether it was `sent`.
   */
  readonly send: (request: WriteRequest, options?: SendOptions) => Promise<Answer>;
  readonly stats: ClientStats;
  /** Returns the outage of the platform at present, during which requests that have not failed are not sent. */
  readonly outage: () => Outage | undefined;
  /** Returns the outage if requests no longer wait for its end. */
  readonly finalOutage: () => Outage | undefined;
  /** Returns the end of a pause that is longer than the client waits, in epoch milliseconds. */
  readonly refusedUntil: () => number | undefined;
  readonly close: () => Promise<void>;
}

const LONGEST_ATTEMPT_MS = 30_000;

/** A client for one account. Throws at once for a base URL or token that must not be used. */
export function createClient(options: ClientOptions): Client {
  const { clock, timeoutMs, random, emit, deadline } = options;
  const redactor = options.redactor ?? createRedactor();
  const stats = { reads: 0, writes: 0, retries: 0 };
  const onPause = (untilMs: number, isWaitedFor: boolean): void => emit?.({ type: 'paused', untilMs, isWaitedFor });
  const { exchange, limiter, close: closeExchange } = createExchange({ ...options, onPause }, redactor, stats);
  const { outage } = limiter;
  const budget = createRetryBudget();
  let closed = false;

  const readOnce = async (call: Call, attempts: number): Promise<ReadAttempt> => {
    try {
      const answer = await exchange(call);
      const error = errorOf(call, answer, attempts, redactor);
      return error === undefined ? { answer, error } : { error };
    } catch (thrown) {
      if (thrown instanceof ApiError) return { error: withAttempts(thrown, attempts) };
      throw thrown;
    }
  };

  const question = async (
    call: Pick<Call, 'method' | 'path' | 'body' | 'within'>,
    { signal }: CallOptions = {},
    isPoll = false,
  ): Promise<Json> => {
    const endAtMs = deadline?.atMs ?? Infinity;
    let deadlineAtMs = Math.min(clock.now() + timeoutMs, endAtMs);
    const id = isPoll ? {} : { id: Symbol('request') };
    let unusableAnswers = 0;
    budget.earn();
    for (let attempts = 1; ; attempts += 1) {
      const attemptMs = Math.max(1, Math.min(LONGEST_ATTEMPT_MS, deadlineAtMs - clock.now()));
      const { answer, error } = await readOnce(
        { ...call, ...id, isQuestion: true, timeoutMs: attemptMs, ...(signal !== undefined && { signal }) },
        attempts,
      );
      if (error === undefined) return answer.body as Json;
      if (error.kind === 'unusable-answer') unusableAnswers += 1;
      // Nobody waits for it any more: another read has ended the command.
      if (closed) throw error;
      const isRefused = error.kind === 'rate-limited';
      // The timeout of a read does not include the pauses that the platform asks for.
      if (isRefused) deadlineAtMs = Math.min(deadlineAtMs + (error.retryAfterMs ?? 0), endAtMs);
      // Other requests of the command have been repeated as often as requests are repeated.
      const isFinal = !isPoll && outageReason(error) !== undefined && outage.final() !== undefined;
      const longestPauseMs = isRefused && limiter.refusesUntil() === undefined ? Infinity : LONGEST_RETRY_AFTER_MS;
      const inMs = nextAttemptIn({
        error,
        documented: error.documented?.means,
        unusableAnswers,
        attempts,
        nowMs: clock.now(),
        deadlineAtMs,
        random,
        longestPauseMs,
      });
      if (inMs === null || isFinal) {
        if (!isPoll && outageReason(error) !== undefined) outage.giveUp();
        if (error.retryAfterMs === undefined || error.resumesAtMs !== undefined) throw error;
        throw withResumption(error, clock.now() + error.retryAfterMs);
      }
      // A 429 is answered by sending less, which is the limiter's, and says nothing of a platform that fails.
      if (!isRefused && !budget.spend()) throw withoutRetry(error);
      stats.retries += 1;
      emit?.({ type: 'retrying', text: error.message, inMs });
      await (isPoll ? clock.sleep(inMs, signal) : outage.sleep(inMs, signal));
    }
  };

  const read = (path: string, callOptions?: CallOptions): Promise<Json> =>
    question({ method: 'GET', path }, callOptions);
  const ask = (path: string, body: Json, callOptions?: CallOptions): Promise<Json> =>
    question({ method: 'POST', path, body: canonicalJson(body) }, callOptions);

  // A wait repeats its reads for as long as it lasts, whatever becomes of other requests.
  const { poll, forget } = createSharedPolls(clock, (path) => question({ method: 'GET', path }, {}, true));

  const send = ({ method, path, body }: WriteRequest, { signal, leaving }: SendOptions = {}): Promise<Answer> =>
    exchange({
      method,
      path,
      timeoutMs,
      ...(body !== undefined && { body: canonicalJson(body) }),
      ...(signal !== undefined && { signal }),
      ...(leaving !== undefined && {
        leaving: ({ clear, intervalMs, ...turn }: Turn) =>
          leaving({
            read: (to) => question({ method: 'GET', path: to, within: { clear, intervalMs, ...turn } }),
            clear,
            intervalMs,
          }),
      }),
    }).finally(forget);

  const close = (): Promise<void> => {
    closed = true;
    return closeExchange();
  };
  return {
    read,
    poll,
    forget,
    ask,
    send,
    stats,
    outage: outage.current,
    finalOutage: outage.final,
    refusedUntil: limiter.refusesUntil,
    close,
  };
}

type ReadAttempt =
  { readonly answer: Answer; readonly error: undefined } | { readonly answer?: undefined; readonly error: ApiError };
