// `/healthz`, `/metrics` and the page of operators, for whoever watches a worker.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Rejects with the error of the system when the address cannot be listened on. */
export async function serveEndpoints(
  { host, port }: Listen,
  { unhealthy, metrics, page }: Watched,
): Promise<Endpoints> {
  const answer = async (path: string | undefined): Promise<{ readonly status: number; readonly text: string }> => {
    if (path === '/healthz') {
      const reason = await unhealthy();
      return reason === undefined ? { status: 200, text: 'ok\n' } : { status: 503, text: `${reason}\n` };
    }
    if (path === '/metrics') return { status: 200, text: await metrics() };
    return { status: 404, text: 'There are /, /healthz and /metrics.\n' };
  };
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?')[0] ?? '';
    if (isRead && page.has(path)) {
      void page.answer(path, request, response).catch(() => {
        if (!response.headersSent) response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
        response.end('the database did not answer\n');
      });
      return;
    }
    const answered = isRead
      ? answer(path).catch(() => ({ status: 503, text: 'the database did not answer\n' }))
      : Promise.resolve({ status: 405, text: 'Only GET.\n' });
    void answered.then(({ status, text }) => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(request.method === 'HEAD' ? undefined : text);
    });
  });
  await listening(server, { host, port });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port }: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
