// The HTTP server of the receiver and of a worker's page: what it answers by itself, whatever a client does.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/events/http-server.ts';
import { openHttpServer } from '../../src/events/http-server.ts';
import { reportOf } from '../../src/usecases/fleet/report.ts';
import type { Endpoints } from '../../src/worker/endpoints.ts';
import { serveEndpoints } from '../../src/worker/endpoints.ts';
import { operatorsPage } from '../../src/worker/page.ts';
import { closing } from '../support/closing.ts';
import { isWhole } from '../support/whole.ts';
import type { Ground } from './ground.ts';
import { SECRET, startReceiver } from './ground.ts';

let worker: Endpoints;
let receiver: Ground;
beforeEach(async () => {
  worker = await serveEndpoints(
    { host: '127.0.0.1', port: 0 },
    {
      unhealthy: () => Promise.resolve(undefined),
      metrics: () => Promise.resolve('hostwright_up 1\n'),
      page: operatorsPage({
        report: () => Promise.resolve(reportOf([], 0, 'done')),
        // A database takes its time.
        version: () => pause(20).then(() => '1'),
        sleep: (ms) => pause(Math.min(ms, 20)),
        nowMs: () => 0,
      }),
    },
  );
  receiver = await startReceiver();
});
afterEach(() => Promise.all([worker.close(), receiver.close()]));

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    })
      .on('error', reject)
      .end(body);
  });
}

const WORKER_PATHS = ['/', '/report.json', '/events', '/accounts/x.html', '/metrics', '/healthz', '/nothing'];
const RECEIVER_PATHS = ['/metrics', '/healthz', '/webhooks', '/callbacks/acc-acme', '/'];

describe('on loopback', () => {
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:9090'])(
    'a request for the host %o is refused on every path',
    async (host) => {
      for (const path of WORKER_PATHS)
        expect([path, await ask(`${worker.url}${path}`, { headers: { host } })]).toEqual([path, 421]);
      for (const path of RECEIVER_PATHS)
        expect([path, await ask(`${receiver.url}${path}`, { headers: { host } })]).toEqual([path, 421]);
    },
  );

  it.each(['localhost', 'LOCALHOST:9090', '127.0.0.1:1', '[::1]:9090'])(
    'a request for %s is answered',
    async (host) => {
      expect(await ask(`${worker.url}/metrics`, { headers: { host } })).toBe(200);
      expect(await ask(`${receiver.url}/metrics`, { headers: { host } })).toBe(200);
    },
  );

  it('a message with the secret is taken for the name that a proxy hands on, and refused without the secret', async () => {
    const post = (authorization: string) =>
      ask(`${receiver.url}/callbacks/acc-acme`, {
        method: 'POST',
        headers: { host: 'hooks.example.com', authorization },
        body: JSON.stringify({ success: true, timestamp: 1 }),
      });
    expect(await post(SECRET)).toBe(202);
    expect(await post('Bearer other')).toBe(401);
  });
});

it('a page of another site is refused on every path, and the page itself is not', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
    for (const [base, paths] of [
      [worker.url, WORKER_PATHS],
      [receiver.url, RECEIVER_PATHS],
    ] as const)
      for (const path of paths)
        expect([origin, path, await ask(`${base}${path}`, { headers: { origin } })]).toEqual([origin, path, 403]);
  expect(await ask(`${worker.url}/report.json`, { headers: { origin: worker.url } })).toBe(200);
});

it('a body is refused where requests have none, and where it is too long, however it is sent', async () => {
  for (const path of WORKER_PATHS) {
    expect(await ask(`${worker.url}${path}`, { method: 'POST', body: 'x' })).toBe(413);
    const headers = { 'transfer-encoding': 'chunked' };
    expect(await ask(`${worker.url}${path}`, { method: 'GET', headers, body: 'x' })).toBe(413);
  }
  const headers = { authorization: SECRET };
  const long = 'x'.repeat(300 * 1024);
  expect(await ask(`${receiver.url}/webhooks`, { method: 'POST', headers, body: long })).toBe(413);
});

const portOf = (url: string): number => Number(new URL(url).port);

/** Sends a text and returns the connection. */
function send(url: string, text: string): Socket {
  const socket = connect(portOf(url), '127.0.0.1', () => socket.write(text));
  socket.on('error', () => undefined);
  return socket;
}

const GET_EVENTS = 'GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n';

it('400 connections to /events that are cut within milliseconds leave room for readers', async () => {
  for (let round = 0; round < 8; round += 1) {
    const sockets = Array.from({ length: 50 }, () => send(worker.url, GET_EVENTS));
    for (const [index, socket] of sockets.entries()) setTimeout(() => socket.resetAndDestroy(), index % 10);
    await pause(30);
  }
  await pause(100);
  expect(await ask(`${worker.url}/events`)).toBe(200);
});

it('100 readers are the most, and one that leaves makes room', async () => {
  const sockets = Array.from({ length: 100 }, () => send(worker.url, GET_EVENTS));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await ask(`${worker.url}/events`)).toBe(503);
  sockets[0]?.destroy();
  await expect.poll(() => ask(`${worker.url}/events`)).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('a server', () => {
  async function open(mostConnections: number, handle: Parameters<typeof openHttpServer>[1]): Promise<string> {
    const server: HttpServer = openHttpServer({ mostBytes: 10, mostConnections, keepAliveMs: 1000 }, handle);
    closing({ close: () => server.close({ isNow: true }) });
    return server.listen('127.0.0.1', 0);
  }

  it('tells a handler that its connection ended, also while it waits before its first line', async () => {
    const seen: boolean[] = [];
    const url = await open(10, async ({ closed, response }) => {
      await pause(50);
      seen.push(closed.aborted);
      response.end();
    });
    const socket = send(url, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await pause(20);
    socket.resetAndDestroy();
    await expect.poll(() => seen).toEqual([true]);
    expect(await ask(url)).toBe(200);
  });

  it('closes connections beyond its limit at once', async () => {
    const url = await open(3, ({ response }) => Promise.resolve(void response.end()));
    const idle = Array.from({ length: 3 }, () => send(url, 'GET'));
    await pause(50);
    const fourth = send(url, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await new Promise((resolve) => fourth.once('close', resolve));
    for (const socket of idle) socket.destroy();
    await expect.poll(() => ask(url).catch(() => 0)).toBe(200);
  });

  it.runIf(isWhole)('ends slow clients: nothing sent, half a header, half a body', async () => {
    const url = await open(10, async ({ body, response }) => {
      await body().catch(() => undefined);
      response.end();
    });
    const texts = [
      '',
      'GET / HTTP/1.1\r\nhost: local',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nx',
    ];
    const sockets = texts.map((text) => send(url, text));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve))));
  });
});
