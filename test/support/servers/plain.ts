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

let given = 0;

/**
 * A port that nobody listens on, for a program that is started with it. It is below those that systems hand out, and each
 * process has its own, so nobody takes it before that program does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + ((process.pid * 8 + given) % 10_000);
    given += 1;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
