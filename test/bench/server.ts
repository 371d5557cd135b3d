// The platform of the bench, in a process of its own: the sandbox, with a delay before each answer. Where little is
// written an answer is worked out once and remembered, so that the server's own work does not drown what is measured.
// Its first argument is a `Served` as JSON; over its channel it tells its address, and on `take` what was asked since.
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSandbox } from '../../src/sandbox/server.ts';
import type { State } from '../../src/sandbox/core/state.ts';
import { scenarioState } from '../../src/sandbox/scenarios.ts';
import { benchSites, largeSites, richSites } from './accounts.ts';

export interface Served {
  /** `fleet`: `count` accounts of three sites each. */
  readonly account: 'bench' | 'rich' | 'large' | 'registrar' | 'mail-down' | 'fleet';
  readonly count: number;
  readonly latencyMs?: number;
  /** Answers are remembered until something is written. */
  readonly reads?: true;
  /** Refuses what comes above this many requests in a second, with 429 and `Retry-After: 1`. */
  readonly maxRps?: number;
  /** An area that is closed: paths that begin so are answered 503 with this code. */
  readonly closed?: { readonly path: string; readonly code: string };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** Which account it was about. */
  readonly account: string;
}

/** What came since the last time, in order, and the headers of the first of them. */
export interface Taken {
  readonly requests: readonly Asked[];
  /** When the first of them came, in epoch milliseconds. Absent: none came. */
  readonly firstAtMs?: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { account, count, latencyMs = 0, reads, maxRps, closed } = JSON.parse(process.argv[2] as string) as Served;

function build(): State {
  if (account === 'bench') return benchSites({ count }).build();
  if (account === 'fleet') return scenarioState(`accounts:${count}`);
  if (account === 'rich') return richSites({ count }).build();
  if (account === 'large') return largeSites({ count }).build();
  const state = account === 'mail-down' ? benchSites({ count }).build() : scenarioState('registrar');
  if (account === 'mail-down') state.mailDown = true;
  return state;
}

const open = () => openSandbox({ scenario: build, clock: 'real' });
let { app, requests } = open();
const remembered = new Map<string, Answer>();
let asked: Asked[] = [];
let firstHeaders: Readonly<Record<string, string>> = {};
let firstAtMs: number | undefined;
let window = { second: 0, count: 0 };

function isRefused(): boolean {
  if (maxRps === undefined) return false;
  const second = Math.floor(Date.now() / 1000);
  if (second !== window.second) window = { second, count: 0 };
  window.count += 1;
  return window.count > maxRps;
}

function accountOf({ headers }: IncomingMessage): string {
  return String(headers['x-auth-account'] ?? '');
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(incoming: IncomingMessage, body: string): Promise<Answer> {
  const { method = 'GET', url = '/' } = incoming;
  // What a list shows may depend on the account.
  const key = `${accountOf(incoming)} ${url}`;
  if (isRefused()) return { status: 429, headers: { 'retry-after': '1' }, body: '' };
  if (closed !== undefined && url.startsWith(closed.path))
    return {
      status: 503,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: 'Not available', code: closed.code }),
    };
  const known = reads === true && method === 'GET' ? remembered.get(key) : undefined;
  if (known !== undefined) return known;
  const response = await app.fetch(
    new Request(`http://127.0.0.1${url}`, {
      method,
      headers: incoming.headers as Record<string, string>,
      ...(body !== '' && { body }),
    }),
    { incoming },
  );
  // Nobody looks at what the sandbox writes down.
  requests.length = 0;
  const made = { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  if (method !== 'GET') remembered.clear();
  else if (reads === true) remembered.set(key, made);
  return made;
}

const server = createServer((incoming, outgoing) => {
  void (async () => {
    const from = performance.now();
    firstAtMs ??= Date.now();
    const { method = 'GET', url: path = '/' } = incoming;
    const body = method === 'GET' ? '' : await bodyOf(incoming);
    const made = await answer(incoming, body);
    if (asked.length === 0) firstHeaders = incoming.headers as Record<string, string>;
    asked.push({ method, path, body, status: made.status, account: accountOf(incoming) });
    const send = (): void => {
      outgoing.writeHead(made.status, made.headers).end(made.body);
    };
    const leftMs = latencyMs - (performance.now() - from);
    if (leftMs > 0) setTimeout(send, leftMs);
    else send();
  })();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);

process.on('message', (message) => {
  if (message === 'take') {
    process.send?.({
      requests: asked,
      headers: firstHeaders,
      ...(firstAtMs !== undefined && { firstAtMs }),
    } satisfies Taken);
    asked = [];
    firstAtMs = undefined;
  } else if (message === 'reset') {
    ({ app, requests } = open());
    remembered.clear();
    asked = [];
    process.send?.('done');
  }
});
process.once('disconnect', () => process.exit());
