// Sends requests to servers other than the platform, such as receivers of notifications. Each request is sent once.
import type { Clock } from '../model/clock.ts';
import { ApiError, kindOfStatus } from './api-error.ts';
import { parseBaseUrl } from './request-url.ts';
import { redirected, unanswered } from './failures.ts';
import type { Proxies } from './proxies.ts';
import { createRedactor } from './redact.ts';
import type { RetryQuestion } from './retry.ts';
import { isTransient, parseRetryAfter } from './retry.ts';
import type { Transport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

export interface PlainClientOptions {
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
  readonly proxies?: Proxies;
  readonly transportTo?: (origin: string) => Transport;
}

export interface PlainRequest {
  readonly address: string;
  /** JSON text. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
  /** Milliseconds to wait before the next request, as the server demands. */
  readonly retryAfterMs?: number | undefined;
}

export interface PlainClient {
  /** Sends one POST. Throws {@link ApiError} when there is no complete response, with whether it was `sent`. */
  readonly send: (request: PlainRequest) => Promise<PlainAnswer>;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Creates a client that sends to any HTTPS address, or to an HTTP address of this machine. */
export function createPlainClient({
  clock,
  timeoutMs,
  proxies,
  transportTo = (origin) => undiciTransport(origin, 1, proxies),
}: PlainClientOptions): PlainClient {
  const transports = new Map<string, Transport>();
  const redactor = createRedactor([]);

  const send = async ({ address, body, headers }: PlainRequest): Promise<PlainAnswer> => {
    const { origin } = parseBaseUrl(address.replace(/\?.*$/, ''));
    const url = new URL(address);
    const transport = transports.get(origin) ?? transportTo(origin);
    transports.set(origin, transport);
    const call = { method: 'POST', path: address } as const;
    const answer = await transport({
      origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        'user-agent': 'hostwright',
        'content-type': 'application/json',
      },
      body,
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
    }).catch((thrown: unknown) => {
      throw unanswered(call, thrown, redactor);
    });
    if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer.status, redactor);
    if (answer.broken !== undefined)
      throw unanswered(
        call,
        new Error(`the answer was ${answer.broken === 'too-large' ? 'too large' : 'broken off'}`),
        redactor,
      );
    return {
      status: answer.status,
      body: answer.body,
      retryAfterMs: parseRetryAfter(answer.headers['retry-after'], clock.now()),
    };
  };

  return {
    send,
    close: async () => {
      await Promise.all([...transports.values()].map(async (transport) => transport.close?.()));
      transports.clear();
    },
  };
}

/** Returns the answer, or the {@link ApiError} that `send` threw. Rethrows any other error. */
export function answerOrError(answer: Promise<PlainAnswer>): Promise<PlainAnswer | ApiError> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

/** Returns the error of a failure that another attempt may resolve; undefined for every other answer. */
export function failureOf(got: PlainAnswer | ApiError): RetryQuestion['error'] | undefined {
  if (got instanceof ApiError) return got;
  const { status, retryAfterMs } = got;
  return isTransient(status) ? { kind: kindOfStatus(status, null), status, sent: 'answered', retryAfterMs } : undefined;
}
