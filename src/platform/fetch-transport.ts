// How bytes move over the global fetch: for tests that intercept it, and for hosts that bring their own.
import type { Transport } from './transport.ts';
import { readBody } from './transport.ts';

/** A transport over the global fetch as it is at the time of each request. */
export function fetchTransport(): Transport {
  return async ({ origin, path, method, headers, body, timeoutMs, maxBytes, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers },
      body: body ?? null,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const read =
      response.body === null ? { body: '' } : await readBody(response.body as AsyncIterable<Uint8Array>, maxBytes);
    return { status: response.status, headers: Object.fromEntries(response.headers), ...read };
  };
}
