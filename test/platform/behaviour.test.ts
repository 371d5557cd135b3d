// The same behaviour over both transports: undici against node:http, fetch against nock.
import http from 'node:http';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/platform/api-error.ts';
import { fetchTransport } from '../../src/platform/fetch-transport.ts';
import type { Client } from '../../src/platform/http.ts';
import { createClient } from '../../src/platform/http.ts';
import { virtualClock } from './virtual-clock.ts';
import { listen } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Break the connection before, or after the head of the answer. */
  readonly broken?: 'before' | 'midway';
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

interface Server {
  readonly url: string;
  readonly script: Reply[];
  readonly seen: Seen[];
  readonly close: () => Promise<void>;
}

async function startServer(): Promise<Server> {
  const script: Reply[] = [];
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      });
      const { status, body = '', headers = {}, broken } = script.shift() ?? { status: 200, body: '{}' };
      if (broken === 'before') return void request.socket.destroy();
      if (broken === 'midway') {
        response.writeHead(status, { ...headers, 'content-length': String(body.length + 100) });
        response.write(body, () => request.socket.destroy());
        return;
      }
      response.writeHead(status, headers);
      response.end(body);
    });
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, script, seen, close };
}

/** nock as a server with the same script. */
function startNock(): Server {
  const script: Reply[] = [];
  const seen: Seen[] = [];
  nock.disableNetConnect();
  const url = 'https://platform.example.net';
  const answer = function (this: nock.ReplyFnContext, uri: string, requestBody: nock.Body): nock.ReplyFnResult {
    const headers = Object.fromEntries(Object.entries(this.req.headers).map(([name, value]) => [name, String(value)]));
    seen.push({
      method: this.req.method,
      url: uri,
      headers,
      body: typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody),
    });
    const { status, body = '', headers: sent = {} } = script.shift() ?? { status: 200, body: '{}' };
    return [status, body, sent];
  };
  for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const)
    nock(url).persist()[method](/.*/).reply(answer);
  return { url, script, seen, close: () => Promise.resolve(nock.restore()) };
}

for (const transport of ['undici', 'fetch'] as const) {
  describe(`client over ${transport}`, () => {
    let server: Server;
    let client: Client;
    const clock = virtualClock();
    const TOKEN = 'tok-secret-123';

    beforeAll(async () => {
      server = transport === 'undici' ? await startServer() : startNock();
      client = createClient({
        baseUrl: server.url,
        token: TOKEN,
        account: 'acc-1',
        clock,
        concurrency: 4,
        timeoutMs: 60_000,
        random: () => 0.5,
        ...(transport === 'fetch' && { transport: fetchTransport() }),
      });
    });
    afterEach(() => {
      server.script.length = 0;
      server.seen.length = 0;
    });
    afterAll(async () => {
      await client.close();
      await server.close();
    });
    const failing = async (path = '/api/x'): Promise<ApiError> => {
      const error: unknown = await client.read(path).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    };

    it('sends credential, account and accept with every request', async () => {
      server.script.push({ status: 200, body: '{"sites":[]}' });
      expect(await client.read('/api/sites?page=2')).toEqual({ sites: [] });
      expect(server.seen[0]).toMatchObject({
        method: 'GET',
        url: '/api/sites?page=2',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'x-auth-account': 'acc-1',
          accept: 'application/json',
          'user-agent': 'hostwright',
        },
      });
    });

    it('sends the credential bare where the account wants that', async () => {
      const raw = createClient({
        baseUrl: server.url,
        token: TOKEN,
        account: 'acc-1',
        clock,
        concurrency: 1,
        timeoutMs: 1000,
        random: () => 0,
        authorization: 'raw',
        ...(transport === 'fetch' && { transport: fetchTransport() }),
      });
      await raw.read('/api/x');
      expect(server.seen[0]?.headers.authorization).toBe(TOKEN);
      await raw.close();
    });

    it('does not require a content type, only a body that parses', async () => {
      server.script.push({ status: 200, body: '[1]', headers: { 'content-type': 'text/plain' } });
      expect(await client.read('/api/x')).toEqual([1]);
    });

    it.each([
      ['/api/domain_registrations', 503, 'feature_disabled', 1],
      ['/api/sites/s1/mail', 503, 'mailprovider_unavailable', 1],
      ['/api/mailspace/m1/mailboxes', 503, 'mailhost_unavailable', 1],
      ['/api/mailspace/m1/domains/a.nl', 503, 'mailhost_unavailable', 4],
      ['/api/panel_accounts?q=a.nl', 503, 'panel_unavailable', 4],
      ['/api/mailspace/m1/aliases', 503, 'aliases_unavailable', 4],
      ['/api/sites/s1/shield', 502, 'x_upstream', 4],
      ['/api/sites', 503, 'feature_disabled', 8],
    ])('asks %s after %i %s as often as the documents make it worth', async (path, status, code, times) => {
      for (let count = 0; count < 20; count += 1)
        server.script.push({ status, body: JSON.stringify({ errors: ['no'], code }) });
      server.seen.length = 0;
      expect(await failing(path)).toMatchObject({ status, code, attempts: times });
      expect(server.seen).toHaveLength(times);
    });

    it.each([429, 500, 502, 503, 504, 520])('reads again after %i, whatever its body', async (status) => {
      server.script.push({ status, body: '{"errors":["busy"],"code":"busy"}' }, { status: 200, body: '{"ok":true}' });
      expect(await client.read('/api/x')).toEqual({ ok: true });
      expect(server.seen).toHaveLength(2);
    });

    it.each([400, 404, 409, 422, 501])(
      'does not read again after %i, which is about what was asked',
      async (status) => {
        server.script.push({ status, body: '{"errors":["boom"],"code":"boom"}' });
        expect(await failing()).toMatchObject({ status, code: 'boom', attempts: 1 });
      },
    );

    it('reads again after a page of somebody in front of the platform', async () => {
      server.script.push({ status: 500, body: '<html>oops</html>' }, { status: 200, body: '1' });
      expect(await client.read('/api/x')).toBe(1);
    });

    it('waits as long as Retry-After says, in seconds or as a date', async () => {
      clock.slept.length = 0;
      server.script.push(
        { status: 503, headers: { 'retry-after': '7' } },
        { status: 503, headers: { 'retry-after': new Date(clock.now() + 20_000).toUTCString() } },
        { status: 200, body: '1' },
      );
      await client.read('/api/x');
      // What other tests were refused for may hold it back a little beside.
      const [first, second] = clock.slept.filter((ms) => ms > 1000);
      expect(first).toBeGreaterThanOrEqual(7000);
      expect(second).toBeGreaterThan(11_000);
    });

    it('does not wait for more than it may', async () => {
      server.script.push({ status: 503, headers: { 'retry-after': '3600' } });
      expect(await failing('/api/away')).toMatchObject({ kind: 'unavailable', attempts: 1, retryAfterMs: 3_600_000 });
    });

    it('gives up at the deadline', async () => {
      for (let count = 0; count < 20; count += 1) server.script.push({ status: 503 });
      const error = await failing();
      expect(error.kind).toBe('unavailable');
      expect(error.attempts).toBeGreaterThan(3);
      expect(error.attempts).toBeLessThanOrEqual(8);
    });

    it('reads a success that cannot be understood once more, then says so', async () => {
      server.script.push({ status: 200, body: '<html>' }, { status: 200, body: '{"a":' });
      expect(await failing()).toMatchObject({ kind: 'unusable-answer', status: 200, attempts: 2 });
      server.script.push({ status: 200, body: '{"a":' }, { status: 200, body: '{"a":1}' });
      expect(await client.read('/api/x')).toEqual({ a: 1 });
    });

    it('never follows a redirect', async () => {
      server.script.push({ status: 302, headers: { location: 'https://elsewhere.example/' } });
      expect(await failing()).toMatchObject({ kind: 'redirect', status: 302 });
      expect(server.seen).toHaveLength(1);
      server.script.push({ status: 303, headers: { location: '/api/y' } });
      await expect(client.send({ method: 'POST', path: '/api/x' })).rejects.toMatchObject({
        kind: 'redirect',
        sent: 'maybe',
      });
    });

    it('refuses paths that could mean another place', async () => {
      for (const path of [
        'https://evil.example/api',
        '//evil.example/api',
        '/api//x',
        '/api/../x',
        '/api/%2E%2e/x',
        '/api/./x',
        '/api/a b',
        '/api\\x',
        '/api/x#y',
        '/api/é',
        'api/x',
      ]) {
        expect((await failing(path)).message).toContain('is not sent');
      }
      expect(server.seen).toHaveLength(0);
      await client.read('/api/a%2Fb/..c');
      expect(server.seen[0]?.url).toBe('/api/a%2Fb/..c');
    });

    it('puts a question by POST as it reads: again until it is answered, and counted as a read', async () => {
      const before = { ...client.stats };
      server.script.push({ status: 503, body: '{}' }, { status: 200, body: '{"available":true}' });
      expect(await client.ask('/api/check', { domain: 'a.com' })).toEqual({ available: true });
      expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
        ['POST', '/api/check', '{"domain":"a.com"}'],
        ['POST', '/api/check', '{"domain":"a.com"}'],
      ]);
      expect([client.stats.reads - before.reads, client.stats.writes - before.writes]).toEqual([2, 0]);
    });

    it('sends a write once, whatever comes back', async () => {
      for (const status of [200, 422, 429, 500, 503]) {
        server.script.push({ status, body: '{"errors":["no"],"code":"c","remediation":"pay"}' });
        const answer = await client.send({ method: 'POST', path: '/api/x', body: { b: 1, a: [2] } });
        expect(answer.status).toBe(status);
        expect(answer.code).toBe(status === 200 ? null : 'c');
        if (status !== 200) expect(answer).toMatchObject({ messages: ['no'], extra: { remediation: 'pay' } });
      }
      expect(server.seen).toHaveLength(5);
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ b: 1, a: [2] });
      expect(server.seen[0]?.headers['content-type']).toBe('application/json');
    });

    it('says what is wrong with the body of an answer to a write', async () => {
      server.script.push(
        { status: 200, body: '<html>' },
        { status: 201, body: '{"id":' },
        { status: 200, body: 'fine' },
        { status: 204 },
        { status: 404 },
      );
      const write = () => client.send({ method: 'PATCH', path: '/api/x' });
      expect(await write()).toMatchObject({ unusable: 'html', body: undefined });
      expect(await write()).toMatchObject({ unusable: 'truncated', body: undefined });
      expect(await write()).toMatchObject({ unusable: 'not-json' });
      expect(await write()).toEqual({ status: 204, code: null, messages: [], extra: {}, body: undefined });
      expect(await write()).toMatchObject({ status: 404, code: null, messages: [] });
    });

    it('understands every error envelope', async () => {
      const cases: readonly [Reply, object][] = [
        [
          {
            status: 403,
            body: '{"error":"insufficient_scope","error_description":"needs sites:write","scope":"sites:write"}',
          },
          { kind: 'insufficient-scope', code: 'insufficient_scope', extra: { scope: 'sites:write' } },
        ],
        [
          { status: 422, body: '{"error":"Unknown cache type","allowed":["redis"]}' },
          { kind: 'invalid', code: null, messages: ['Unknown cache type'], extra: { allowed: ['redis'] } },
        ],
        [
          { status: 422, body: '{"error":"cache_type_unavailable","cache_type":"redis"}' },
          { kind: 'invalid', code: 'cache_type_unavailable', extra: { cache_type: 'redis' } },
        ],
        [
          { status: 422, body: '{"errors":["push failed"]}' },
          { kind: 'invalid', code: null, messages: ['push failed'] },
        ],
        [
          { status: 404, body: '' },
          { kind: 'not-found', code: null, messages: [] },
        ],
        [
          { status: 401, body: '{"errors":["who"],"code":"user_required"}' },
          { kind: 'forbidden', code: 'user_required' },
        ],
        [{ status: 401, body: '' }, { kind: 'unauthorised' }],
        [{ status: 402, body: '{"errors":["unpaid"],"code":"service_suspended"}' }, { kind: 'forbidden' }],
        [
          { status: 409, body: '{"errors":["x"],"code":"cdn_not_active"}' },
          { kind: 'conflict', code: 'cdn_not_active' },
        ],
        [
          { status: 400, body: '{"errors":{"name":["is bad"]}}' },
          { kind: 'invalid', messages: ['name is bad'] },
        ],
      ];
      for (const [reply, wanted] of cases) {
        server.script.push(reply);
        expect(await failing()).toMatchObject(wanted);
      }
    });

    it('lets no token into an error', async () => {
      server.script.push({
        status: 400,
        body: JSON.stringify({
          errors: [`bad ${TOKEN}`],
          code: 'x',
          echo: { [TOKEN]: Buffer.from(TOKEN).toString('base64') },
        }),
      });
      const error = await failing(`/api/${TOKEN}`);
      expect(JSON.stringify([error.message, error.messages, error.extra, error.stack, error.cause])).not.toMatch(
        new RegExp(`${TOKEN}|${Buffer.from(TOKEN).toString('base64')}`),
      );
    });

    it('gives up when it is called off', async () => {
      const controller = new AbortController();
      controller.abort(new Error('enough'));
      await expect(client.read('/api/x', { signal: controller.signal })).rejects.toThrow('enough');
    });

    if (transport === 'undici') {
      it('reads again after a broken connection', async () => {
        server.script.push(
          { status: 200, broken: 'before' },
          { status: 200, body: '{"a"', broken: 'midway' },
          { status: 200, body: '1' },
        );
        expect(await client.read('/api/x')).toBe(1);
      });

      it('says of a write that got no answer that it may have arrived', async () => {
        server.script.push({ status: 200, broken: 'before' });
        await expect(client.send({ method: 'POST', path: '/api/x' })).rejects.toMatchObject({
          kind: 'network',
          sent: 'maybe',
          status: null,
        });
        server.script.push({ status: 201, body: '{"id":', broken: 'midway' });
        expect(await client.send({ method: 'POST', path: '/api/x' })).toMatchObject({
          status: 201,
          unusable: 'broken-off',
        });
      });
    }
  });
}

describe('client without a server', () => {
  const options = {
    token: 't',
    account: 'a',
    clock: virtualClock(),
    concurrency: 2,
    timeoutMs: 60_000,
    random: () => 0,
  };

  it('says that nothing was sent when there is nobody', async () => {
    const server = await startServer();
    await server.close();
    const client = createClient({ ...options, baseUrl: server.url });
    await expect(client.send({ method: 'POST', path: '/api/x' })).rejects.toMatchObject({
      kind: 'network',
      sent: 'no',
    });
    await expect(client.read('/api/x')).rejects.toMatchObject({ kind: 'network', sent: 'no', attempts: 4 });
    expect(client.stats).toEqual({ reads: 4, writes: 1, retries: 3 });
    await client.close();
  });

  it.each([
    ['TML-02: a part of the platform that is off', '/api/sites/s1/mail', 'mailprovider_unavailable', 4],
    ['a 503 that no document explains', '/api/sites', 'try_later', 2],
  ])('%s: %s answers 503 %s, and then %i requests are in flight', async (_case, path, code, most) => {
    let inFlight = 0;
    const release: (() => void)[] = [];
    const transport = async ({ path: asked }: { readonly path: string }) => {
      if (asked === path) return { status: 503, headers: {}, body: JSON.stringify({ errors: ['no'], code }) };
      inFlight += 1;
      await new Promise<void>((resolve) => release.push(resolve));
      return { status: 200, headers: {}, body: '{}' };
    };
    const client = createClient({
      ...options,
      timeoutMs: 1,
      concurrency: 4,
      baseUrl: 'https://platform.example.net',
      transport,
    });
    await expect(client.read(path)).rejects.toMatchObject({ status: 503 });
    const reads = Array.from({ length: 6 }, (_, index) => client.read(`/api/others/${index}`));
    // All of this happens in turns of this process, and these are more than it takes.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(inFlight).toBe(most);
    for (let done = 0; done < 6; done += 1) {
      while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
      release.shift()?.();
    }
    await Promise.all(reads);
    await client.close();
  });

  it.each(['{"order":1e309}', `[${'9'.repeat(310)}]`, '{"deep":[[-1e400]]}'])(
    'takes %s for no answer: no plan could hold that number',
    async (body) => {
      const transport = () => Promise.resolve({ status: 200, headers: {}, body });
      const client = createClient({ ...options, token: 'tok-9', baseUrl: 'https://platform.example.net', transport });
      await expect(client.read('/api/x')).rejects.toMatchObject({
        kind: 'unusable-answer',
        message: containing('holding a number that is too large'),
      });
      await client.close();
    },
  );

  it('repeats so many reads of a run, and a share of those that follow', async () => {
    let requests = 0;
    let status = 500;
    const transport = () =>
      Promise.resolve({ status, headers: {}, body: (requests += 1) > 0 ? '{"errors":["boom"]}' : '' });
    const client = createClient({ ...options, baseUrl: 'https://platform.example', transport });
    const readAll = async (count: number): Promise<readonly ApiError[]> => {
      const failed: ApiError[] = [];
      for (let index = 0; index < count; index += 1)
        await client.read(`/api/${index}`).catch((error: unknown) => failed.push(error as ApiError));
      return failed;
    };
    // The other half of the requests is answered: it is not an outage.
    const errors: ApiError[] = [];
    for (let index = 0; index < 1000; index += 1) {
      errors.push(...(await readAll(1)));
      status = 404;
      await readAll(1);
      status = 500;
    }
    expect([errors[0]?.attempts, errors.at(-1)?.attempts]).toEqual([8, 1]);
    expect(errors.at(-1)?.message).toContain(
      'answered 500 (boom); it is not read again, because too many reads of this run have failed',
    );
    // Without a budget it would be 9,000.
    expect(requests).toBeGreaterThan(2600);
    expect(requests).toBeLessThan(2950);
    // A limit is no failure, and reads that go well pay for others.
    status = 429;
    expect((await readAll(1))[0]?.attempts).toBe(8);
    status = 200;
    await readAll(50);
    status = 502;
    expect((await readAll(1))[0]?.attempts).toBe(8);
  });

  it('says of a write that timed out that it may have arrived', async () => {
    const server = http.createServer(() => undefined);
    const port = await listen(server);
    const client = createClient({ ...options, timeoutMs: 100, baseUrl: `http://127.0.0.1:${port}` });
    await expect(client.send({ method: 'POST', path: '/api/x' })).rejects.toMatchObject({
      kind: 'timeout',
      sent: 'maybe',
    });
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  it('refuses a body that is too large', async () => {
    const server = await startServer();
    const client = createClient({ ...options, baseUrl: server.url, maxBodyBytes: 10 });
    server.script.push({ status: 200, body: '"0123456789012"' }, { status: 200, body: '"0123456789012"' });
    await expect(client.read('/api/x')).rejects.toMatchObject({ kind: 'unusable-answer' });
    await client.close();
    await server.close();
  });

  it('checks the base URL, the token and the account at once', () => {
    for (const baseUrl of [
      'nonsense',
      'ftp://x',
      'http://example.com',
      'https://u:p@example.com',
      'https://example.com?x=1',
      'https://example.com/#x',
      'http://127.0.0.1.example.com',
    ]) {
      expect(() => createClient({ ...options, baseUrl })).toThrow();
    }
    for (const baseUrl of ['https://example.com/base/', 'http://localhost:1', 'http://127.0.0.1:9', 'http://[::1]:9'])
      expect(() => createClient({ ...options, baseUrl })).not.toThrow();
    expect(() => createClient({ ...options, baseUrl: 'https://example.com', token: 'a\nb' })).toThrow(/token/);
    expect(() => createClient({ ...options, baseUrl: 'https://example.com', token: '' })).toThrow(/token/);
    expect(() => createClient({ ...options, baseUrl: 'https://example.com', account: 'ä' })).toThrow(/account/);
  });
});
