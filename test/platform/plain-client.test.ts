// The client for servers other than the platform.
import { describe, expect, it } from 'vitest';
import type { PlainClientOptions } from '../../src/platform/plain-client.ts';
import { createPlainClient } from '../../src/platform/plain-client.ts';
import type { TransportAnswer, TransportRequest } from '../../src/platform/transport.ts';
import { virtualClock } from './virtual-clock.ts';

function setUp(answers: readonly (Partial<TransportAnswer> | Error)[], extra: Partial<PlainClientOptions> = {}) {
  const requests: TransportRequest[] = [];
  const transport = async (request: TransportRequest): Promise<TransportAnswer> => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return Promise.resolve({ status: 200, headers: {}, body: '', ...answer });
  };
  const client = createPlainClient({
    clock: virtualClock(),
    timeoutMs: 60_000,
    transportTo: () => transport,
    ...extra,
  });
  return { client, requests };
}
const BROKEN = Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
const send = (client: ReturnType<typeof setUp>['client'], address = 'https://hooks.example/a/b?id=1') =>
  client.send({ address, body: '{}', headers: { 'x-id': '7' } });

describe('createPlainClient', () => {
  it('sends the body and headers to the address, without anything of the platform', async () => {
    const { client, requests } = setUp([{ status: 200, body: 'x' }]);
    expect(await send(client)).toMatchObject({ status: 200, body: 'x' });
    expect(requests).toMatchObject([
      { origin: 'https://hooks.example', path: '/a/b?id=1', method: 'POST', body: '{}', headers: { 'x-id': '7' } },
    ]);
    for (const name of ['authorization', 'x-auth-account']) expect(requests[0]?.headers).not.toHaveProperty(name);
  });

  it.each(['http://hooks.example/a', 'https://u:p@hooks.example/a', 'ftp://hooks.example'])(
    'sends nothing to %s',
    async (address) => {
      const { client, requests } = setUp([{}]);
      await expect(send(client, address)).rejects.toThrow();
      expect(requests).toEqual([]);
    },
  );

  it.each([
    ['a connection that breaks', BROKEN, { kind: 'network', sent: 'maybe' }],
    ['a response that breaks off', { body: '{', broken: 'broken-off' }, { sent: 'maybe' }],
    ['a response that is too large', { body: '{', broken: 'too-large' }, { sent: 'maybe' }],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }, { kind: 'redirect' }],
  ] as const)('sends once and throws for %s', async (_what, answer, error) => {
    const { client, requests } = setUp([answer, { status: 200 }]);
    await expect(send(client)).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });

  it('returns the delay that the server demands, in milliseconds', async () => {
    const { client } = setUp([{ status: 429, headers: { 'retry-after': '5' } }]);
    expect(await send(client)).toMatchObject({ status: 429, retryAfterMs: 5000 });
  });
});
