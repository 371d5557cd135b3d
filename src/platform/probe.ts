// How the platform is looked at to learn about it, rather than about what it holds: each read is sent once, whatever
// its answer is, and how long it took and what the server's clock said is kept.
import type { Clock } from '../model/clock.ts';
import type { Json } from '../model/json.ts';
import type { ApiErrorKind } from './api-error.ts';
import { ApiError } from './api-error.ts';
import { parseBaseUrl } from './request-url.ts';
import { createExchange } from './exchange.ts';
import { errorOf } from './failures.ts';
import type { Proxies } from './proxies.ts';
import type { Redactor } from './redact.ts';
import type { Transport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Absent: no header names one, and lists widen to all that the credential reaches (CNV-08). */
  readonly account?: string;
  readonly authorization?: 'bearer' | 'raw';
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly redactor: Redactor;
  readonly transport?: Transport;
  readonly proxies?: Proxies;
  readonly signal?: AbortSignal;
}

/** What one read came to. */
export interface ProbeRead {
  readonly path: string;
  /** null: no answer. */
  readonly status: number | null;
  readonly code: string | null;
  /** Absent: a success with a body. */
  readonly error?: ApiErrorKind;
  /** Why, without the token. */
  readonly reason?: string;
  readonly body?: Json;
}

/** One exchange as the clock saw it. */
export interface Timing {
  readonly tookMs: number;
  /** How far the server's clock was ahead of ours, half-way through; whole seconds are all that its header tells. */
  readonly aheadMs?: number;
}

export interface Probe {
  readonly read: (path: string) => Promise<ProbeRead>;
  readonly timings: readonly Timing[];
  readonly close: () => Promise<void>;
}

const AT_ONCE = 4;

/**
 * A probe of one origin; throws, in a sentence for a person, for a base URL, token or account that must not be used.
 */
export function createProbe({ redactor, signal, transport: given, ...options }: ProbeOptions): Probe {
  const { clock, timeoutMs } = options;
  const timings: Timing[] = [];
  const transport = given ?? undiciTransport(parseBaseUrl(options.baseUrl).origin, AT_ONCE, options.proxies);
  const timed: Transport = async (request) => {
    const leftAtMs = clock.now();
    const answer = await transport(request);
    const tookMs = clock.now() - leftAtMs;
    const serverMs = Date.parse(answer.headers.date ?? '');
    timings.push({ tookMs, ...(!Number.isNaN(serverMs) && { aheadMs: serverMs - (leftAtMs + tookMs / 2) }) });
    return answer;
  };
  const { exchange } = createExchange({ ...options, concurrency: AT_ONCE, transport: timed }, redactor, {
    reads: 0,
    writes: 0,
  });
  const read = async (path: string): Promise<ProbeRead> => {
    const call = { method: 'GET', path, isQuestion: true, timeoutMs, ...(signal !== undefined && { signal }) } as const;
    try {
      const answer = await exchange(call);
      const error = errorOf(call, answer, 1, redactor);
      const { status, code, body } = answer;
      return error === undefined ? { path, status, code, ...(body !== undefined && { body }) } : failed(path, error);
    } catch (thrown) {
      if (thrown instanceof ApiError) return failed(path, thrown);
      if (signal?.aborted === true)
        return { path, status: null, code: null, error: 'timeout', reason: 'it was called off' };
      throw thrown;
    }
  };
  return { read, timings, close: async () => transport.close?.() };
}

function failed(path: string, { kind, status, code, message }: ApiError): ProbeRead {
  return { path, status, code, error: kind, reason: message };
}
