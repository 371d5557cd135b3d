// What production moves bytes with, against a server of this process.
import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/platform/transport.ts';
import { undiciTransport } from '../../src/platform/undici-transport.ts';
import { openServer } from '../support/servers/plain.ts';

async function ask(listener: RequestListener, given: Partial<TransportRequest> = {}): Promise<TransportAnswer> {
  const { url: origin } = await openServer(listener);
  const transport: Transport = undiciTransport(origin, 1);
  onTestFinished(() => transport.close?.());
  return transport({ origin, path: '/', method: 'GET', headers: {}, timeoutMs: 60_000, maxBytes: 100, ...given });
}

describe('an answer over the network', () => {
  it('has its headers in lower case, and one that comes twice as one', async () => {
    const { status, headers, body } = await ask((_incoming, outgoing) => {
      outgoing.setHeader('Retry-After', '7');
      outgoing.setHeader('X-Twice', ['a', 'b']);
      outgoing.writeHead(429).end('no');
    });
    expect({ status, body }).toEqual({ status: 429, body: 'no' });
    expect(headers).toMatchObject({ 'retry-after': '7', 'x-twice': 'a, b' });
  });

  it('is not what is told before it', async () => {
    const { status, headers } = await ask((_incoming, outgoing) => {
      outgoing.writeEarlyHints({ link: '</a>; rel=preload' });
      outgoing.writeHead(200, { 'x-real': 'yes' }).end();
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-real': 'yes' });
    expect(headers).not.toHaveProperty('link');
  });

  it('tells that it was broken off, or too large', async () => {
    const brokenOff = await ask((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '10' });
      outgoing.write('half', () => outgoing.destroy());
    });
    expect(brokenOff).toMatchObject({ status: 200, body: 'half', broken: 'broken-off' });
    const tooLarge = await ask((_incoming, outgoing) => outgoing.end('x'.repeat(101)));
    expect(tooLarge).toMatchObject({ status: 200, body: '', broken: 'too-large' });
  });

  it('is waited for no longer than whoever asks wants it', async () => {
    const reason = new Error('nobody waits');
    const later = new AbortController();
    await expect(ask(() => later.abort(reason), { signal: later.signal })).rejects.toBe(reason);
    let asked = false;
    const before = ask(() => (asked = true), { signal: AbortSignal.abort(reason) });
    await expect(before).rejects.toBe(reason);
    expect(asked).toBe(false);
  });
});
