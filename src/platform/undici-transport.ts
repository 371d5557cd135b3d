// How bytes move in production: undici's Pool, loaded at the first request because start-up time counts. The only
// importer of undici.
import type { Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Proxies } from './proxies.ts';
import { connectionError, proxyFor } from './proxies.ts';
import type { Broken, Transport, TransportAnswer, TransportRequest } from './transport.ts';
import { decodeBody } from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;

interface Pools {
  readonly reads: Pool | EnvHttpProxyAgent;
  readonly writes: Pool | EnvHttpProxyAgent;
}

/** A transport to one origin, with at most this many connections for reads. */
export function undiciTransport(origin: string, connections: number, proxies: Proxies = {}): Transport {
  let pools: Promise<Pools> | undefined;
  const open = async (): Promise<Pools> => {
    const { EnvHttpProxyAgent, Pool } = await import('undici');
    const proxy = proxyFor(origin, proxies);
    const poolWith = (options: { readonly pipelining?: number }): Pool | EnvHttpProxyAgent =>
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
  let opened: Pools | undefined;
  const send = ({ reads, writes }: Pools, request: TransportRequest): Promise<TransportAnswer> =>
    (request.method === 'GET' ? dispatch(reads, request, false) : dispatch(writes, request, true)).catch(
      (error: unknown) => {
        throw connectionError(error, { origin, proxies });
      },
    );
  const transport = async (request: TransportRequest): Promise<TransportAnswer> => {
    pools ??= open();
    opened ??= await pools;
    return send(opened, request);
  };
  const close = async (): Promise<void> => {
    if (pools === undefined) return;
    const { reads, writes } = await pools;
    await Promise.all([reads.destroy(), writes.destroy()]);
  };
  return Object.assign(transport, { close });
}

/**
 * One request over undici's dispatcher: `request()` makes a stream of each body, which costs as much as the rest of a
 * small answer. `reset`: its connection is closed after it.
 */
function dispatch(dispatcher: Dispatcher, request: TransportRequest, reset: boolean): Promise<TransportAnswer> {
  const { origin, path, method, headers, body = null, timeoutMs, maxBytes, signal } = request;
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(maxBytes, resolve, reject);
    const options = { origin, path, method, headers, body, reset, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    if (signal !== undefined) receiver.abortOn(signal);
    dispatcher.dispatch(options, receiver);
  });
}

/**
 * Collects the parts of one answer. These are the methods that undici calls itself; those that it documents beside them
 * get every header made into text, which costs more than the JSON of a small answer.
 */
class Receiver implements Dispatcher.DispatchHandler {
  private readonly parts: Buffer[] = [];
  private size = 0;
  private status = 0;
  private headers: readonly Buffer[] = [];
  private abort: ((error: Error) => void) | undefined;
  private calledOff: { readonly reason: Error } | undefined;
  private stopListening: (() => void) | undefined;

  private readonly maxBytes: number;
  private readonly resolve: (answer: TransportAnswer) => void;
  private readonly reject: (error: unknown) => void;

  constructor(maxBytes: number, resolve: Receiver['resolve'], reject: Receiver['reject']) {
    this.maxBytes = maxBytes;
    this.resolve = resolve;
    this.reject = reject;
  }

  abortOn(signal: AbortSignal): void {
    const callOff = (): void => {
      this.calledOff = { reason: signal.reason as Error };
      this.abort?.(this.calledOff.reason);
    };
    if (signal.aborted) return callOff();
    signal.addEventListener('abort', callOff, { once: true });
    this.stopListening = () => signal.removeEventListener('abort', callOff);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort;
    if (this.calledOff !== undefined) abort(this.calledOff.reason);
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    // What is told before the answer itself has a lower one.
    if (status >= 200) {
      this.status = status;
      this.headers = headers;
    }
    return true;
  }

  onData(part: Buffer): boolean {
    this.size += part.byteLength;
    if (this.size <= this.maxBytes) this.parts.push(part);
    else {
      this.answer('', 'too-large');
      this.abort?.(new Error('the answer is too large'));
    }
    return true;
  }

  onComplete(): void {
    this.answer(decodeBody(this.parts));
  }

  onError(error: Error): void {
    if (this.status !== 0) return this.answer(decodeBody(this.parts), 'broken-off');
    this.stopListening?.();
    this.reject(error);
  }

  private answer(body: string, broken?: Broken): void {
    this.stopListening?.();
    this.resolve(new Answered(this.status, this.headers, body, broken));
  }
}

/** Its headers are read when somebody asks for them: of most answers nobody does. */
class Answered implements TransportAnswer {
  readonly status: number;
  readonly body: string;
  declare readonly broken?: Broken;
  private readonly raw: readonly Buffer[];

  constructor(status: number, raw: readonly Buffer[], body: string, broken: Broken | undefined) {
    this.status = status;
    this.raw = raw;
    this.body = body;
    if (broken !== undefined) this.broken = broken;
  }

  get headers(): TransportAnswer['headers'] {
    const headers: Record<string, string> = {};
    for (let at = 0; at + 1 < this.raw.length; at += 2) {
      const name = String(this.raw[at]).toLowerCase();
      const value = (this.raw[at + 1] as Buffer).toString('latin1');
      headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
    }
    return headers;
  }
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
    return own(input, { ...init, dispatcher: agent }).catch((error: unknown) => {
      throw connectionError(error, { origin, proxies });
    });
  };
}
