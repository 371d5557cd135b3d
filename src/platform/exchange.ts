// Decides one exchange: which headers go along, where the token may go, how many exchanges run at once.
// Must not retry: one call is one sending.
import type { Clock } from '../model/clock.ts';
import type { Method } from '../model/request.ts';
import { checkPath, endpointOf } from './endpoint.ts';
import type { Answer } from './envelope.ts';
import { readEnvelope } from './envelope.ts';
import { redirected, refusedPath, unanswered } from './failures.ts';
import { createLimiter } from './limiter.ts';
import type { Redactor } from './redact.ts';
import type { Transport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

export interface ExchangeOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly account: string;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly transport?: Transport;
  /** How the credential stands in its header: the documents do not show how an API key is sent (GAP-01). Default: bearer. */
  readonly authorization?: 'bearer' | 'raw';
  readonly maxBodyBytes?: number;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: string;
  /** It changes nothing, whatever its method. */
  readonly isQuestion?: true;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Exchange {
  /** Any answer but a redirect; rejects with an ApiError when there is none. */
  readonly exchange: (call: Call) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const USER_AGENT = 'hostwright';
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const HEADER_TEXT = /^[\u0021-\u007e]+$/;

/** Exchanges with one origin for one account; throws for a base URL, token or account that must not be used. */
export function createExchange(options: ExchangeOptions, redactor: Redactor, stats: { reads: number; writes: number }): Exchange {
  const { clock, token, account, concurrency, maxBodyBytes = MAX_BODY_BYTES } = options;
  const { origin, prefix } = endpointOf(options.baseUrl);
  if (!HEADER_TEXT.test(token)) throw new Error('The token is empty or holds characters that no HTTP header can carry.');
  if (!HEADER_TEXT.test(account)) throw new Error('The account id is empty or holds characters that no HTTP header can carry.');
  redactor.add(token);
  const transport = options.transport ?? undiciTransport(origin, concurrency);
  const limiter = createLimiter(concurrency, clock);
  // The account header always goes along: without it some lists widen to everything the user can reach (CNV-07, CNV-08).
  const headers = { authorization: options.authorization === 'raw' ? token : `Bearer ${token}`, 'x-auth-account': account, accept: 'application/json', 'user-agent': USER_AGENT };
  const headersWithBody = { ...headers, 'content-type': 'application/json' };

  const sendNow = async (call: Call): Promise<Answer> => {
    const { method, path, body, isQuestion = false, timeoutMs, signal } = call;
    signal?.throwIfAborted();
    stats[isQuestion ? 'reads' : 'writes'] += 1;
    const request = { origin, path: prefix + path, method, timeoutMs, maxBytes: maxBodyBytes, ...(signal !== undefined && { signal }) };
    const response = await transport(body === undefined ? { ...request, headers } : { ...request, headers: headersWithBody, body }).catch((thrown: unknown) => {
      // A read that was called off is no failure of the platform; a write that was called off may have been seen.
      if (isQuestion) signal?.throwIfAborted();
      throw unanswered(call, thrown, redactor);
    });
    const answer = readEnvelope(response, redactor, clock.now());
    if (answer.status === 429) limiter.tooMany(answer.retryAfterMs);
    else limiter.wentWell();
    if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer.status, redactor);
    return answer;
  };

  return {
    exchange: (call) => {
      const objection = checkPath(call.path);
      return objection === null ? limiter.run(() => sendNow(call)) : Promise.reject(refusedPath(call, objection, redactor));
    },
    close: async () => transport.close?.(),
  };
}
