// Every way out goes through the proxy that the environment names, and no credential travels unencrypted by it.
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/platform/http.ts';
import { createPlainClient } from '../../src/platform/plain-client.ts';
import { proxyAddress, proxyFor } from '../../src/platform/proxies.ts';
import { proxiedFetch } from '../../src/platform/undici-transport.ts';
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
      message: containing('the proxy refuses to connect (403)'),
    });
    expect(proxy.asked).toEqual(['CONNECT platform.example:443']);
  });
});
