// One exchange: which headers go along, where the token may go, how many exchanges run at once.
import { documentedAnswer } from '../areas/endpoints.ts';
import type { Clock } from '../model/clock.ts';
import type { Deadline } from '../model/deadline.ts';
import { isNear, isOver } from '../model/deadline.ts';
import type { Method } from '../model/plan/step.ts';
import { checkPath, parseBaseUrl } from './request-url.ts';
import type { Answer } from './envelope.ts';
import { readEnvelope } from './envelope.ts';
import { errorOf, heldByOutage, heldByPause, outOfTime, redirected, refusedPath, unanswered } from './failures.ts';
import type { Limiter, Slot } from './limiter.ts';
import { createLimiter } from './limiter.ts';
import { outageReason } from './outage/detector.ts';
import type { Proxies } from './proxies.ts';
import type { Redactor } from './redact.ts';
import type { Transport, TransportAnswer } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

export interface ExchangeOptions {
  readonly baseUrl: string;
  readonly token: string;
  /**
   * Absent: what the credential reaches is asked for, whatever account it is in. Only a look at the credential itself
   * asks that.
   */
  readonly account?: string;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly transport?: Transport;
  readonly proxies?: Proxies;
  /**
   * How the credential stands in its header: the documents do not show how an API key is sent (GAP-01). Default:
   * bearer.
   */
  readonly authorization?: 'bearer' | 'raw';
  readonly maxBodyBytes?: number;
  /** Nothing is begun that could not be over by then. */
  readonly deadline?: Deadline;
  /** Requests that leave a second at most. */
  readonly maxRps?: number;
  /** Shared by several clients of one host. Absent: one of its own. */
  readonly limiter?: Limiter;
  /** Told of each request that was answered, or was not. */
  readonly onRequest?: (request: RequestMade) => void;
  /** Called with the end of each pause that the platform asks for, in epoch milliseconds, before requests wait for it. */
  readonly onPause?: (untilMs: number, isWaitedFor: boolean) => void;
}

/** One request that left, and what came of it. Nothing in it is secret. */
export interface RequestMade {
  readonly method: Method;
  readonly path: string;
  /** Absent: there was no answer, and `error` says why. */
  readonly status?: number;
  readonly error?: string;
  readonly tookMs: number;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: string;
  /** It changes nothing, whatever its method. */
  readonly isQuestion?: true;
  /** What the attempts of one request share. Absent: its method and path. */
  readonly id?: symbol;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Awaited once the request has its slot, before it leaves. */
  readonly leaving?: (turn: Turn) => Promise<void>;
  /** The slot of another request, in which this one leaves. Absent: it waits for one of its own. */
  readonly within?: Turn;
}

/** What may leave in the slot of one request. */
export interface Turn {
  /** Resolves when the next request may leave, which then has to. */
  readonly take: () => Promise<void>;
  /** Resolves when the next request may leave. */
  readonly clear: () => Promise<void>;
  /** Milliseconds between two requests at present. */
  readonly intervalMs: () => number;
}

function turnOf({ leaveAgain }: Slot, { intervalMs }: Limiter): Turn {
  let isClear = true;
  const clear = async (): Promise<void> => {
    if (isClear) return;
    await leaveAgain();
    isClear = true;
  };
  const take = async (): Promise<void> => {
    await clear();
    isClear = false;
  };
  return { take, clear, intervalMs };
}

export interface Exchange {
  /** Any answer but a redirect; rejects with an ApiError when there is none. */
  readonly exchange: (call: Call) => Promise<Answer>;
  readonly limiter: Limiter;
  readonly close: () => Promise<void>;
}

const USER_AGENT = 'hostwright';
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Answers of these statuses may ask for fewer requests, so they are read before the next request leaves. */
const MAY_SLOW_DOWN: readonly number[] = [429, 503];
/** Ends of two pauses this close, in milliseconds, are one pause. */
const SAME_PAUSE_MS = 2000;
const HEADER_TEXT = /^[\u0021-\u007e]+$/;

interface Arrived {
  readonly response: TransportAnswer;
  /** Where it was read already. */
  readonly answer?: Answer;
}

/** A 503 that is no sign of load: the documents say that this part of the platform is off (such as TML-02, ORD-36). */
function isSwitchedOff({ method, path }: Call, { status, code }: Answer): boolean {
  return documentedAnswer(method, path, status, code)?.means === 'blocked';
}

/** Exchanges with one origin for one account; throws for a base URL, token or account that must not be used. */
export function createExchange(
  options: ExchangeOptions,
  redactor: Redactor,
  stats: { reads: number; writes: number },
): Exchange {
  const { clock, token, account, concurrency, deadline, maxRps, maxBodyBytes = MAX_BODY_BYTES } = options;
  const { origin, prefix } = parseBaseUrl(options.baseUrl);
  if (!HEADER_TEXT.test(token))
    throw new Error('The token is empty or holds characters that no HTTP header can carry.');
  if (account !== undefined && !HEADER_TEXT.test(account))
    throw new Error('The account id is empty or holds characters that no HTTP header can carry.');
  redactor.add(token);
  const transport = options.transport ?? undiciTransport(origin, concurrency, options.proxies);
  const limiter =
    options.limiter ??
    createLimiter({
      most: concurrency,
      clock,
      ...(maxRps !== undefined && { maxRps }),
      ...(deadline !== undefined && { endMs: deadline.atMs }),
    });
  // The account header always goes along: without it some lists widen to everything the user can reach (CNV-07,
  // CNV-08).
  const headers = {
    authorization: options.authorization === 'raw' ? token : `Bearer ${token}`,
    ...(account !== undefined && { 'x-auth-account': account }),
    accept: 'application/json',
    'user-agent': USER_AGENT,
  };
  const inSpareTime = createSpareTime();
  /** The end of the pause that a response to this request demanded. */
  const pausedUntilMs = new Map<string, number>();
  let announcedUntilMs = -Infinity;
  /** The same request of another account is a different request. */
  const keyOf = ({ method, path }: Call): string => `${account ?? ''} ${method} ${path}`;

  const noteResponse = (call: Call, answer: Answer): void => {
    const error = errorOf(call, answer, 1, redactor);
    const reason = error === undefined ? undefined : outageReason(error);
    if (reason === undefined) limiter.outage.answered();
    else limiter.outage.failed(keyOf(call), call.id ?? keyOf(call), reason);
  };

  /** Throws if the request must not leave now. */
  const refuseIfPaused = (call: Call): void => {
    const untilMs = limiter.refusesUntil() ?? pausedUntilMs.get(keyOf(call));
    if (untilMs === undefined) return;
    if (untilMs > clock.now()) throw heldByPause(call, untilMs, redactor);
    pausedUntilMs.delete(keyOf(call));
  };

  const announcePause = (retryAfterMs: number, isWaitedFor: boolean): void => {
    const untilMs = clock.now() + retryAfterMs;
    // Responses to requests that were in flight together ask for the same pause.
    if (untilMs <= announcedUntilMs + SAME_PAUSE_MS) return;
    announcedUntilMs = untilMs;
    options.onPause?.(untilMs, isWaitedFor);
  };
  const headersWithBody = { ...headers, 'content-type': 'application/json' };

  const leave = async (call: Call, turn: Turn): Promise<Arrived> => {
    const { method, path, body, isQuestion = false, signal, leaving } = call;
    signal?.throwIfAborted();
    refuseIfPaused(call);
    // It may have waited for its slot since it was requested.
    if (isQuestion ? isOver(deadline, clock.now()) : isNear(deadline, clock.now())) throw outOfTime(call, redactor);
    if (leaving !== undefined) await leaving(turn);
    await turn.take();
    const leftAtMs = clock.now();
    const timeoutMs = Math.max(1, Math.min(call.timeoutMs, (deadline?.atMs ?? Infinity) - leftAtMs));
    stats[isQuestion ? 'reads' : 'writes'] += 1;
    const request = {
      origin,
      path: prefix + path,
      method,
      timeoutMs,
      maxBytes: maxBodyBytes,
      headers: body === undefined ? headers : headersWithBody,
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    };
    const report = (came: Pick<RequestMade, 'status' | 'error'>): void =>
      options.onRequest?.({ method, path: redactor.text(prefix + path), tookMs: clock.now() - leftAtMs, ...came });
    let response;
    try {
      response = await transport(request);
      report({ status: response.status });
    } catch (thrown) {
      report({ error: redactor.text(thrown instanceof Error ? thrown.message : String(thrown)) });
      // A read that was called off is no failure of the platform; a write that was called off may have been seen.
      if (isQuestion) signal?.throwIfAborted();
      const error = unanswered(call, thrown, redactor);
      if (error.kind === 'timeout') limiter.overloaded();
      limiter.outage.failed(keyOf(call), call.id ?? keyOf(call), outageReason(error) ?? error.message);
      throw error;
    }
    if (response.status < 429) {
      limiter.outage.answered();
      limiter.wentWell(leftAtMs);
      return { response };
    }
    if (!MAY_SLOW_DOWN.includes(response.status)) {
      limiter.wentWell(leftAtMs);
      const read = readEnvelope(response, redactor, clock.now());
      noteResponse(call, read);
      return { response, answer: read };
    }
    const answer = readEnvelope(response, redactor, clock.now());
    const { retryAfterMs } = answer;
    // Every request waits, because the account has the limit (CNV-27, GAP-02).
    if (answer.status === 429) limiter.rateLimited(leftAtMs, retryAfterMs);
    else if (isSwitchedOff(call, answer)) limiter.wentWell(leftAtMs);
    else limiter.overloaded(retryAfterMs);
    if (answer.status === 503) noteResponse(call, answer);
    if (retryAfterMs !== undefined) {
      pausedUntilMs.set(keyOf(call), clock.now() + retryAfterMs);
      if (answer.status === 429) announcePause(retryAfterMs, limiter.refusesUntil() === undefined);
    }
    return { response, answer };
  };

  /** Sends the request in a slot. Requests that an outage forbids wait for its end without one. */
  const arrive = async (call: Call): Promise<Arrived> => {
    const { within, signal, timeoutMs } = call;
    if (within !== undefined) return leave(call, within);
    for (;;) {
      const patienceMs = Math.min(timeoutMs, (deadline?.atMs ?? Infinity) - clock.now());
      const outage = await limiter.outage.pass(keyOf(call), patienceMs, signal);
      if (outage !== undefined) throw heldByOutage(call, outage, redactor);
      const arrived = await limiter.run(async (slot) =>
        // An outage may have begun while the request was queued.
        limiter.outage.forbids(keyOf(call)) === undefined ? leave(call, turnOf(slot, limiter)) : undefined,
      );
      if (arrived !== undefined) return arrived;
    }
  };

  const exchange = async (call: Call): Promise<Answer> => {
    const objection = checkPath(call.path);
    if (objection !== null) throw refusedPath(call, objection, redactor);
    const { response, answer } = await arrive(call);
    // All requests leave that can, before an answer is read.
    if (call.isQuestion === true) await new Promise<void>(inSpareTime);
    const read = answer ?? readEnvelope(response, redactor, clock.now());
    if (read.status >= 300 && read.status < 400) throw redirected(call, read.status, redactor);
    return read;
  };

  return {
    exchange,
    limiter,
    close: async () => transport.close?.(),
  };
}

/**
 * Takes work for the time in which a command only waits for answers: one piece a turn of the event loop, after whatever
 * has arrived was taken in and the next requests have left. `soon`: runs something in a later turn. Without it a plan of
 * rich sites takes 6 % longer (docs/design/speed.md).
 */
export function createSpareTime(soon: (turn: () => void) => void = setImmediate): (piece: () => void) => void {
  const pieces: (() => void)[] = [];
  let next = 0;
  const turn = (): void => {
    const piece = pieces[next] as () => void;
    next += 1;
    if (next < pieces.length) soon(turn);
    else pieces.length = next = 0;
    piece();
  };
  return (piece) => {
    if (pieces.push(piece) === 1) soon(turn);
  };
}
