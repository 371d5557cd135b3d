// Stands between the program and a sandbox, keeps every byte of what was sent, and may change what comes back: a
// platform that lies.
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './plain.ts';

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Returned {
  readonly status: number;
  readonly body: string;
}

export interface Proxy {
  readonly url: string;
  readonly passed: Passed[];
  readonly close: () => Promise<void>;
}

export async function startProxy(
  target: string,
  change: (request: Passed, answer: Returned) => Returned = (_request, answer) => answer,
): Promise<Proxy> {
  const passed: Passed[] = [];
  const forward = async (incoming: IncomingMessage): Promise<Returned> => {
    const { method = 'GET', url: path = '/' } = incoming;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        name === 'host' || name === 'connection' || name === 'content-length' ? [] : [[name, String(value)]],
      ),
    );
    const request = { method, path, headers, body: await text(incoming) };
    passed.push(request);
    const answer = await fetch(target + path, { method, headers, ...(request.body !== '' && { body: request.body }) });
    return change(request, { status: answer.status, body: await answer.text() });
  };
  const server = createServer((incoming, outgoing) => {
    forward(incoming).then(
      ({ status, body }) =>
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : body),
      () => outgoing.destroy(),
    );
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
