// How a server that is not the platform is asked: one that keeps a ledger. Each request is sent once; only a read is
// repeated.
import type { Clock } from '../model/clock.ts';
import { ApiError, kindOfStatus } from './api-error.ts';
import { endpointOf } from './endpoint.ts';
import { redirected, unanswered } from './failures.ts';
import type { Proxies } from './proxies.ts';
import { createRedactor } from './redact.ts';
import { isTransient, nextAttemptIn, parseRetryAfter } from './retry.ts';
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
    const { origin } = endpointOf(address.replace(/\?.*$/, ''));
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
    for (let attempts = 1; ; attempts += 1) {
      const got = await exchange('GET', address).catch((error: unknown) => {
        if (error instanceof ApiError) return error;
        throw error;
      });
      if (!(got instanceof ApiError) && !isTransient(got.status)) return got;
      const error =
        got instanceof ApiError
          ? got
          : {
              kind: kindOfStatus(got.status, null),
              status: got.status,
              sent: 'answered' as const,
              retryAfterMs: got.retryAfterMs,
            };
      const inMs = nextAttemptIn({ error, unusableAnswers: 0, attempts, nowMs: clock.now(), deadlineAtMs, random });
      if (inMs !== null && signal?.aborted !== true) {
        await clock.sleep(inMs, signal).catch(() => undefined);
        continue;
      }
      if (got instanceof ApiError) throw got;
      return got;
    }
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
