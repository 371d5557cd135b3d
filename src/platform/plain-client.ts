// How a server that is not the platform is asked, such as one that keeps a ledger or takes notifications. Each request is
// sent once; only a read is repeated.
import type { Clock } from '../model/clock.ts';
import { ApiError, kindOfStatus } from './api-error.ts';
import { parseBaseUrl } from './request-url.ts';
import { redirected, unanswered } from './failures.ts';
import type { Proxies } from './proxies.ts';
import { createRedactor } from './redact.ts';
import type { RetryQuestion } from './retry.ts';
import { attemptAgain, isTransient, parseRetryAfter } from './retry.ts';
import type { Transport, WireMethod } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

/** How whoever runs this proves who they are. */
export type PlainCredentials = { readonly token: string } | { readonly username: string; readonly password: string };

export interface PlainClientOptions {
  readonly clock: Clock;
  /** How long one request may take, and one read with all its retries. */
  readonly timeoutMs: number;
  readonly random: () => number;
  readonly credentials?: PlainCredentials;
  readonly proxies?: Proxies;
  /** Once it is aborted, whatever is asked rejects at once: for a client that only reads. */
  readonly signal?: AbortSignal;
  readonly transportTo?: (origin: string) => Transport;
}

export interface PlainRequest {
  readonly method: Exclude<WireMethod, 'GET'>;
  readonly address: string;
  /** JSON text. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
  /** How long it asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

export interface PlainClient {
  /** Any answer to a GET; what may pass is waited out first. Throws {@link ApiError} when there is none. */
  readonly read: (address: string) => Promise<PlainAnswer>;
  /** Any answer to one sending. Throws {@link ApiError} when there is none, saying whether it was `sent`. */
  readonly send: (request: PlainRequest) => Promise<PlainAnswer>;
  /** A text without the credentials. */
  readonly redact: (text: string) => string;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A client that asks whatever address it is told, over HTTPS or on this machine. */
export function createPlainClient({
  clock,
  timeoutMs,
  random,
  credentials,
  proxies,
  signal,
  transportTo = (origin) => undiciTransport(origin, 1, proxies),
}: PlainClientOptions): PlainClient {
  const transports = new Map<string, Transport>();
  const authorization = headerOf(credentials);
  const redactor = createRedactor(secretsOf(credentials));

  const exchange = async (
    method: WireMethod,
    address: string,
    body?: string,
    own: Readonly<Record<string, string>> = {},
  ): Promise<PlainAnswer> => {
    const { origin } = parseBaseUrl(address.replace(/\?.*$/, ''));
    const url = new URL(address);
    const path = url.pathname + url.search;
    const transport = transports.get(origin) ?? transportTo(origin);
    transports.set(origin, transport);
    const headers = {
      ...own,
      accept: 'application/json',
      'user-agent': 'hostwright',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const call = { method, path: address };
    const answer = await transport({
      origin,
      path,
      method,
      headers,
      timeoutMs,
      maxBytes: MAX_BODY_BYTES,
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    }).catch((thrown: unknown) => {
      throw unanswered(call, thrown, redactor);
    });
    if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer.status, redactor);
    // Half a document must not be taken for a whole one.
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

  const read = async (address: string): Promise<PlainAnswer> => {
    const deadlineAtMs = clock.now() + timeoutMs;
    const { result } = await attemptAgain(
      async () => {
        const got = await answerOrError(exchange('GET', address));
        return { result: got, error: failureOf(got) };
      },
      { clock, random, deadlineAtMs, stop: signal },
    );
    if (result instanceof ApiError) throw result;
    return result;
  };

  return {
    read,
    send: ({ method, address, body, headers }) => exchange(method, address, body, headers),
    redact: (text) => redactor.text(text),
    close: async () => {
      await Promise.all([...transports.values()].map(async (transport) => transport.close?.()));
      transports.clear();
    },
  };
}

/** An answer, or the error of there being none. Throws what else is thrown. */
export function answerOrError(answer: Promise<PlainAnswer>): Promise<PlainAnswer | ApiError> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

/** What another attempt may mend; undefined where the answer is about what was asked. */
export function failureOf(got: PlainAnswer | ApiError): RetryQuestion['error'] | undefined {
  if (got instanceof ApiError) return got;
  const { status, retryAfterMs } = got;
  return isTransient(status) ? { kind: kindOfStatus(status, null), status, sent: 'answered', retryAfterMs } : undefined;
}

function headerOf(credentials: PlainCredentials | undefined): string | undefined {
  if (credentials === undefined) return undefined;
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`, 'utf8').toString('base64')}`;
}

function secretsOf(credentials: PlainCredentials | undefined): readonly string[] {
  if (credentials === undefined) return [];
  return 'token' in credentials
    ? [credentials.token]
    : [credentials.password, `${credentials.username}:${credentials.password}`];
}
