// `/healthz`, `/metrics` and the page of operators, for whoever watches a worker.
import { openHttpServer } from '../events/http-server.ts';
import type { OperatorsPage } from './page.ts';

export interface Listen {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Endpoints {
  /** `http://127.0.0.1:9090` */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface Watched {
  /** Why it takes no work; undefined when it does. */
  readonly unhealthy: () => Promise<string | undefined>;
  readonly metrics: () => Promise<string>;
  readonly page: OperatorsPage;
}

/** Readers of the page, and everyone who reads metrics and health. */
const MOST_CONNECTIONS = 500;
const KEPT_OPEN_MS = 5000;

/** Rejects with the error of the system when the address cannot be listened on. */
export async function serveEndpoints(
  { host, port }: Listen,
  { unhealthy, metrics, page }: Watched,
): Promise<Endpoints> {
  const answer = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
    if (path === '/healthz') {
      const reason = await unhealthy();
      return reason === undefined ? { status: 200, text: 'ok\n' } : { status: 503, text: `${reason}\n` };
    }
    if (path === '/metrics') return { status: 200, text: await metrics() };
    return { status: 404, text: 'There are /, /healthz and /metrics.\n' };
  };
  const server = openHttpServer(
    { mostBytes: 0, mostConnections: MOST_CONNECTIONS, keepAliveMs: KEPT_OPEN_MS },
    async (exchange) => {
      const { request, response, path } = exchange;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && page.has(path)) {
        await page.answer(exchange).catch(() => {
          if (!response.headersSent) response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
          response.end('the database did not answer\n');
        });
        return;
      }
      const { status, text } = isRead
        ? await answer(path).catch(() => ({ status: 503, text: 'the database did not answer\n' }))
        : { status: 405, text: 'Only GET.\n' };
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : text);
    },
  );
  const url = await server.listen(host, port);
  return { url, close: () => server.close({ isNow: true }) };
}
