// Every way out goes through the proxy that the environment names, and no credential travels unencrypted by it.
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/platform/http.ts';
import { createPlainClient } from '../../src/platform/plain-client.ts';
import { proxyAddress, proxyFor } from '../../src/platform/proxies.ts';
import { proxiedFetch } from '../../src/platform/undici-transport.ts';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { makeCertificate } from '../../src/terraform/wire/certificate.ts';
import { ApiError } from '../../src/platform/api-error.ts';
import type { Proxies } from '../../src/platform/proxies.ts';
import { connectionError } from '../../src/platform/proxies.ts';
import { listen } from '../support/servers/plain.ts';
import { startWebProxy } from '../support/servers/web-proxy.ts';
import { virtualClock } from './virtual-clock.ts';
import { closing } from '../support/closing.ts';
import { openServer } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

async function startServer() {
  const seen: string[] = [];
  const { url } = await openServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.connection}`);
    outgoing.end('{"ok":true}');
  });
  return { url, seen };
}

const startProxy = async (credentials?: string) => closing(await startWebProxy(credentials));

describe('the proxy for an origin', () => {
  const proxies = { https: 'http://proxy.example:3128', http: 'http://plain.example:3128' };

  it('is that of its scheme', () => {
    expect(proxyFor('https://platform.example', proxies)).toBe('http://proxy.example:3128');
    expect(proxyFor('https://platform.example', { http: 'http://plain.example' })).toBeUndefined();
    expect(proxyFor('https://platform.example', {})).toBeUndefined();
  });

  it('is on this machine where the request is not encrypted', () => {
    expect(proxyFor('http://127.0.0.1:4010', proxies)).toBeUndefined();
    expect(proxyFor('http://127.0.0.1:4010', { http: 'http://localhost:3128' })).toBe('http://localhost:3128');
  });

  it('has an address with http or https, or none', () => {
    expect(['proxy.example:3128', 'http://u:p@proxy.example', 'https://proxy.example:8443'].map(proxyAddress)).toEqual([
      'http://proxy.example:3128',
      'http://u:p@proxy.example',
      'https://proxy.example:8443',
    ]);
    expect(['socks5://proxy.example', 'http://', 'http://a b', '::'].map(proxyAddress)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a request', () => {
  const options = {
    token: 'tok',
    account: 'acc',
    clock: virtualClock(),
    concurrency: 4,
    timeoutMs: 60_000,
    random: () => 0,
  };

  it('to the platform goes through the proxy, reads and writes alike, each write on its own connection', async () => {
    const [server, proxy] = [await startServer(), await startProxy('user:secret')];
    const client = closing(createClient({ ...options, baseUrl: server.url, proxies: { http: proxy.url } }));
    expect(await client.read('/api/x')).toEqual({ ok: true });
    expect(await client.send({ method: 'POST', path: '/api/y', body: {} })).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([`GET ${server.url}/api/x`, `POST ${server.url}/api/y`]);
    expect(server.seen).toEqual(['GET /api/x keep-alive', 'POST /api/y close']);
  });

  it('goes directly where NO_PROXY says so', async () => {
    const [server, proxy] = [await startServer(), await startProxy()];
    const client = closing(
      createClient({ ...options, baseUrl: server.url, proxies: { http: proxy.url, none: 'example.com, 127.0.0.1' } }),
    );
    await client.read('/api/x');
    expect([proxy.asked.length, server.seen.length]).toEqual([0, 1]);
  });

  it('are used for notifications and GitHub', async () => {
    const [server, proxy] = [await startServer(), await startProxy()];
    const client = closing(createPlainClient({ clock: virtualClock(), timeoutMs: 5000, proxies: { http: proxy.url } }));
    expect(await client.send({ address: `${server.url}/hook`, body: '{}' })).toMatchObject({ status: 200 });
    const answer = await proxiedFetch(server.url, { http: proxy.url })?.(`${server.url}/repos`);
    expect(await answer?.json()).toEqual({ ok: true });
    expect(proxy.asked).toEqual([`POST ${server.url}/hook`, `GET ${server.url}/repos`]);
    expect(proxiedFetch('https://api.github.com', {})).toBeUndefined();
  });

  it('that the proxy does not let through was never sent', async () => {
    const proxy = await startProxy();
    proxy.refuseWith = 403;
    const client = closing(
      createClient({ ...options, baseUrl: 'https://platform.example', proxies: { https: proxy.url } }),
    );
    await expect(client.send({ method: 'POST', path: '/api/x' })).rejects.toMatchObject({
      kind: 'network',
      sent: 'no',
      message: containing(`the proxy ${proxy.url} refuses to connect to https://platform.example (403)`),
    });
    expect(proxy.asked).toEqual(['CONNECT platform.example:443']);
  });
});

describe('a network error names the hop that failed', () => {
  /** A port on which nothing listens. */
  async function closedPort(): Promise<number> {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  /** A server on localhost with a certificate that nobody has signed but itself. */
  async function startTlsServer(): Promise<string> {
    const { key, pem: cert } = makeCertificate(Date.now(), Buffer.from('0102030405060708', 'hex'));
    const server = createTlsServer({ key, cert }, (_incoming, outgoing) => outgoing.end('{"ok":true}'));
    const port = await listen(server);
    closing({
      close: () =>
        new Promise<void>((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        }),
    });
    return `https://localhost:${port}`;
  }

  async function failure(baseUrl: string, proxies: Proxies = {}): Promise<ApiError> {
    const client = closing(
      createClient({
        baseUrl,
        proxies,
        token: 'tok',
        account: 'acc',
        clock: virtualClock(),
        concurrency: 1,
        timeoutMs: 60_000,
        random: () => 0,
      }),
    );
    const error: unknown = await client.read('/api/x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).message).not.toMatch(/SSL routines|ECONN|EPROTO|user:secret/);
    return error as ApiError;
  }

  it('the platform, or the proxy, that refuses a connection', async () => {
    const [platform, proxy] = [await closedPort(), await closedPort()];
    const direct = await failure(`http://127.0.0.1:${platform}`);
    expect(direct.sharedReason).toBe(
      `the platform cannot be reached: connection refused by http://127.0.0.1:${platform}`,
    );
    for (const [scheme, variable] of [
      ['http', 'HTTP_PROXY'],
      ['https', 'HTTPS_PROXY'],
    ] as const) {
      const { message, sent } = await failure(`${scheme}://localhost:${platform}`, {
        [scheme]: `http://user:secret@127.0.0.1:${proxy}`,
      });
      expect(message).toContain(`connection refused by the proxy http://127.0.0.1:${proxy} (${variable})`);
      expect(sent).toBe('no');
    }
  });

  it('a proxy that wants a password', async () => {
    const proxy = await startProxy('user:secret');
    const bare = proxy.url.replace('user:secret@', '');
    const { message } = await failure('https://platform.example', { https: bare });
    expect(message).toContain(
      `the proxy ${bare} refuses to connect to https://platform.example (407). Set user and password in HTTPS_PROXY`,
    );
  });

  it('a server, or a proxy, without TLS', async () => {
    const [server, proxy] = [await startServer(), await startProxy()];
    const origin = server.url.replace('http:', 'https:');
    const direct = await failure(origin);
    expect(direct.message).toContain(`${origin} does not use TLS. Check the scheme and the port of the address`);
    const secure = proxy.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    const proxied = await failure('https://platform.example', { https: secure });
    expect(proxied.message).toContain(`the proxy ${secure} does not use TLS. Write http:// in HTTPS_PROXY`);
    // Another attempt would meet the same.
    expect([direct.attempts, proxied.attempts, direct.sent]).toEqual([1, 1, 'no']);
  });

  it('an unknown authority, with the variable for its certificate', async () => {
    const [origin, proxy] = [await startTlsServer(), await startProxy()];
    for (const proxies of [{}, { https: proxy.url }]) {
      const { message, attempts } = await failure(origin, proxies);
      expect(message).toContain(
        `the certificate of ${origin} is signed by an unknown authority. If you trust that authority, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate`,
      );
      expect(attempts).toBe(1);
    }
    const { message } = await failure(origin, { extraAuthorities: '/etc/wrong.pem' });
    expect(message).toContain('NODE_EXTRA_CA_CERTS is /etc/wrong.pem: check that this file can be read');
  });

  it('the DNS, with the host that has no address', async () => {
    const direct = await failure('https://nowhere.invalid');
    expect(direct.message).toMatch(/(no address|no DNS server responded) for the host of https:\/\/nowhere\.invalid/);
    const proxied = await failure('https://platform.example', { https: 'http://proxy.invalid:3128' });
    expect(proxied.message).toContain('for the host of the proxy http://proxy.invalid:3128 (HTTPS_PROXY)');
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'the certificate of https://p.example has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of https://p.example is for another host name'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is signed by an unknown authority'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'the TLS handshake with https://p.example failed (ERR_SSL_'],
    ['ENETUNREACH', 'there is no network route to https://p.example'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time with https://p.example'],
    ['EAI_AGAIN', 'no DNS server responded for the host of https://p.example'],
  ])('%s', (code, words) => {
    const thrown = Object.assign(new Error('library text'), { code });
    const named = connectionError(thrown, { origin: 'https://p.example', proxies: {} });
    expect(named).toMatchObject({ code, message: containing(words) });
  });

  it('returns other errors unchanged', () => {
    const thrown = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    expect(connectionError(thrown, { origin: 'https://p.example', proxies: {} })).toBe(thrown);
  });
});
