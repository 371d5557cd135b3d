// Decides how bytes move in production: undici's Pool, loaded at the first request because start-up time counts.
// The only importer of undici. Must not retry or follow redirects (Pool does neither).
import type { Pool } from 'undici';
import type { Transport, TransportRequest } from './transport.ts';
import { readBody } from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;

interface Pools {
  readonly reads: Pool;
  readonly writes: Pool;
}

/** A transport to one origin, with at most this many connections for reads. */
export function undiciTransport(origin: string, connections: number): Transport {
  let pools: Promise<Pools> | undefined;
  const open = async (): Promise<Pools> => {
    const { Pool } = await import('undici');
    const connect = { timeout: CONNECT_TIMEOUT_MS };
    return {
      reads: new Pool(origin, { connections, connect }),
      // A write on a kept connection can meet a server that is just closing it, and nobody would know whether it was
      // seen: every write gets a fresh connection.
      writes: new Pool(origin, { connections, connect, pipelining: 0 }),
    };
  };
  const transport = async (request: TransportRequest) => {
    pools ??= open();
    const { reads, writes } = await pools;
    const pool = request.method === 'GET' ? reads : writes;
    const { statusCode, headers, body } = await pool.request({
      path: request.path,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
      signal: request.signal ?? null,
    });
    return { status: statusCode, headers: flatten(headers), ...(await readBody(body, request.maxBytes)) };
  };
  const close = async (): Promise<void> => {
    if (pools === undefined) return;
    const { reads, writes } = await pools;
    await Promise.all([reads.destroy(), writes.destroy()]);
  };
  return Object.assign(transport, { close });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
