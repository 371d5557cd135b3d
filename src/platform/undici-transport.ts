// How bytes move in production: undici's Pool, loaded at the first request because start-up time counts. The only
// importer of undici.
import type { EnvHttpProxyAgent, Pool } from 'undici';
import type { Proxies } from './proxies.ts';
import { proxyFor } from './proxies.ts';
import type { Transport, TransportRequest } from './transport.ts';
import { readBody } from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;

type Dispatcher = Pool | EnvHttpProxyAgent;

interface Pools {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
}

/** A transport to one origin, with at most this many connections for reads. */
export function undiciTransport(origin: string, connections: number, proxies: Proxies = {}): Transport {
  let pools: Promise<Pools> | undefined;
  const open = async (): Promise<Pools> => {
    const { EnvHttpProxyAgent, Pool } = await import('undici');
    const proxy = proxyFor(origin, proxies);
    const poolWith = (options: { readonly pipelining?: number }): Dispatcher =>
      proxy === undefined
        ? new Pool(origin, { connections, connect: { timeout: CONNECT_TIMEOUT_MS }, ...options })
        : new EnvHttpProxyAgent({
            connections,
            ...options,
            httpProxy: proxy,
            httpsProxy: proxy,
            noProxy: proxies.none ?? '',
            proxyTunnel: false,
          });
    // A write on a kept connection can meet a server that is just closing it, and nobody would know whether it was
    // seen: every write gets a fresh connection.
    return { reads: poolWith({}), writes: poolWith({ pipelining: 0 }) };
  };
  const transport = async (request: TransportRequest) => {
    pools ??= open();
    const { reads, writes } = await pools;
    const isRead = request.method === 'GET';
    const { statusCode, headers, body } = await (isRead ? reads : writes)
      .request({
        origin,
        path: request.path,
        reset: !isRead,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: request.timeoutMs,
        bodyTimeout: request.timeoutMs,
        signal: request.signal ?? null,
      })
      .catch(refusedByProxy);
    return { status: statusCode, headers: flatten(headers), ...(await readBody(body, request.maxBytes)) };
  };
  const close = async (): Promise<void> => {
    if (pools === undefined) return;
    const { reads, writes } = await pools;
    await Promise.all([reads.destroy(), writes.destroy()]);
  };
  return Object.assign(transport, { close });
}

/** The global fetch through the proxy for an origin; undefined where there is none. */
export function proxiedFetch(origin: string, proxies: Proxies): typeof fetch | undefined {
  const proxy = proxyFor(origin, proxies);
  if (proxy === undefined) return undefined;
  let agent: EnvHttpProxyAgent | undefined;
  return async (input, init) => {
    const undici = await import('undici');
    agent ??= new undici.EnvHttpProxyAgent({
      httpProxy: proxy,
      httpsProxy: proxy,
      noProxy: proxies.none ?? '',
      proxyTunnel: false,
    });
    // The same fetch as that of Node.js, which takes no proxy.
    const own = undici.fetch as unknown as (
      address: typeof input,
      options: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: EnvHttpProxyAgent },
    ) => Promise<Response>;
    return own(input, { ...init, dispatcher: agent });
  };
}

/** A tunnel that the proxy did not open: nothing can have reached the server behind it. */
function refusedByProxy(error: unknown): never {
  const [, status] = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (status === undefined) throw error;
  throw Object.assign(new Error(`the proxy refuses to connect (${status})`, { cause: error }), {
    code: 'ERR_PROXY_CONNECT',
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
