// Servers of a test that answer by themselves what comes, on ports of this machine that nobody has.
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Server as AnyServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on a free port of this machine, which it gives. */
export async function listen(server: AnyServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** An HTTP server of this test. */
export async function openServer(answer: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(answer);
  const port = await listen(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, server };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
