// The one HTTP server of the program: every request is checked here before a handler sees it. It answers other hosts,
// other origins, long bodies, slow clients and too many connections by itself, and a handler learns that its connection
// ended even if that happens before its first line.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServerRules {
  /** The longest body of a request, in bytes. 0: requests have none. */
  readonly mostBytes: number;
  /** Of all bodies that are read at the same time. */
  readonly mostBytesAtOnce?: number;
  readonly mostConnections: number;
  /** Connections that wait to be accepted. */
  readonly backlog?: number;
  /** How long a connection is kept open between two requests. */
  readonly keepAliveMs: number;
  /** Other names than those of this machine that a request may have in `Host` on a loopback address. */
  readonly isAnyHost?: (request: IncomingMessage) => boolean;
}

/** A request that passed the checks. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path without its query. */
  readonly path: string;
  /** Aborted when the connection ends, whether or not an answer was sent. */
  readonly closed: AbortSignal;
  /** Reads the body. Rejects with a {@link BodyError}. */
  readonly body: () => Promise<Buffer>;
}

export class BodyError extends Error {
  readonly why: 'too long' | 'too many' | 'cut off';

  constructor(why: BodyError['why']) {
    super(`The body is ${why}.`);
    this.why = why;
  }
}

export interface HttpServer {
  /** Rejects with the error of the system if the address cannot be used. Returns `http://HOST:PORT`. */
  readonly listen: (host: string, port: number) => Promise<string>;
  /** Accepts no more connections and resolves when all have ended. `isNow`: cuts them. */
  readonly close: (how?: { readonly isNow: boolean }) => Promise<void>;
}

/** A whole request has to arrive within this time. */
const REQUEST_WITHIN_MS = 20_000;
const CHECK_MS = 1000;
/** A connection on which nothing is sent or received for this long is cut; longer than any handler may take. */
const IDLE_MS = 120_000;

/** @param handle - Called for each request that passed. Must not reject. */
export function openHttpServer(rules: ServerRules, handle: (exchange: Exchange) => Promise<void>): HttpServer {
  let isLoopback = true;
  let bytesAtOnce = 0;
  const read = async (request: IncomingMessage): Promise<Buffer> => {
    if (Number(request.headers['content-length'] ?? 0) > rules.mostBytes) throw new BodyError('too long');
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        length += part.length;
        bytesAtOnce += part.length;
        if (length > rules.mostBytes) throw new BodyError('too long');
        if (bytesAtOnce > (rules.mostBytesAtOnce ?? Number.POSITIVE_INFINITY)) throw new BodyError('too many');
        parts.push(part);
      }
      return Buffer.concat(parts);
    } catch (error) {
      throw error instanceof BodyError ? error : new BodyError('cut off');
    } finally {
      bytesAtOnce -= length;
    }
  };
  const server = createServer(
    {
      requestTimeout: REQUEST_WITHIN_MS,
      headersTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: rules.keepAliveMs,
    },
    (request, response) => {
      const over = new AbortController();
      // Before any handler: a connection may end during its first wait.
      response.once('close', () => over.abort());
      response.on('error', () => undefined);
      if (response.destroyed) over.abort();
      const refusal = refusalOf(request, rules, isLoopback);
      if (refusal !== undefined) {
        refuse(response, refusal);
        return;
      }
      const path = request.url?.replace(/\?.*$/, '') ?? '';
      void handle({ request, response, path, closed: over.signal, body: () => read(request) });
    },
  );
  server.maxConnections = rules.mostConnections;
  server.timeout = IDLE_MS;
  return {
    listen: async (host, port) => {
      isLoopback = isLoopbackAddress(host);
      server.listen({ port, host, ...(rules.backlog !== undefined && { backlog: rules.backlog }) });
      await once(server, 'listening');
      const { port: bound } = server.address() as AddressInfo;
      return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    },
    close: async ({ isNow } = { isNow: false }) => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      if (isNow) server.closeAllConnections();
      else server.closeIdleConnections();
      await closed;
    },
  };
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

function refusalOf(request: IncomingMessage, rules: ServerRules, isLoopback: boolean): Refusal | undefined {
  const { host = '', origin, 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (isLoopback && !isLocal(host) && rules.isAnyHost?.(request) !== true)
    return {
      status: 421,
      text: 'This server listens on loopback and answers only for localhost. Let the proxy send that as Host.\n',
    };
  // A page of another site may send requests, and its browser says where it is from.
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase())
    return { status: 403, text: 'Requests from pages of other sites are not answered.\n' };
  if (rules.mostBytes === 0 && (chunked !== undefined || Number(length ?? 0) > 0))
    return { status: 413, text: 'Requests have no body here.\n' };
  return undefined;
}

function refuse(response: ServerResponse, { status, text }: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(text);
}

/** A page of another site can have a name of its own resolve to this machine. */
function isLocal(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
