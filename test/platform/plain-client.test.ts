// The client for servers that are not the platform: where it goes, what it repeats, what it never lets out.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { PlainClientOptions } from '../../src/platform/plain-client.ts';
import { createPlainClient } from '../../src/platform/plain-client.ts';
import type { TransportAnswer, TransportRequest } from '../../src/platform/transport.ts';
import { virtualClock } from './virtual-clock.ts';

function setUp(answers: readonly (Partial<TransportAnswer> | Error)[], extra: Partial<PlainClientOptions> = {}) {
  const requests: TransportRequest[] = [];
  const clock = virtualClock();
  const transport = async (request: TransportRequest): Promise<TransportAnswer> => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return Promise.resolve({ status: 200, headers: {}, body: '', ...answer });
  };
  const client = createPlainClient({
    clock,
    timeoutMs: 60_000,
    random: () => 0.5,
    transportTo: () => transport,
    ...extra,
  });
  return { client, requests, clock };
}
const broken = Object.assign(new Error('the connection of hunter2 broke'), { code: 'ECONNRESET' });

describe('a plain client', () => {
  it('goes where it is told, with the credentials and the query, and nothing of the platform', async () => {
    const { client, requests } = setUp([{ status: 200, body: 'x' }], { credentials: { token: 'hunter2' } });
    expect(await client.send({ method: 'LOCK', address: 'https://state.example/a/b?ID=1', body: '{}' })).toMatchObject({
      status: 200,
      body: 'x',
    });
    expect(requests).toMatchObject([
      {
        origin: 'https://state.example',
        path: '/a/b?ID=1',
        method: 'LOCK',
        body: '{}',
        headers: { authorization: 'Bearer hunter2' },
      },
    ]);
    expect(requests[0]?.headers).not.toHaveProperty('x-auth-account');
  });

  it.each(['http://state.example/a', 'https://u:p@state.example/a', 'ftp://state.example'])(
    'sends nothing to %s',
    async (address) => {
      const { client, requests } = setUp([{}]);
      await expect(client.read(address)).rejects.toThrow();
      expect(requests).toEqual([]);
    },
  );

  it('repeats a read that broke or met a busy server, and nothing else', async () => {
    const reading = setUp([broken, { status: 429, headers: { 'retry-after': '5' } }, { status: 200, body: 'ok' }]);
    expect(await reading.client.read('https://state.example/')).toMatchObject({ body: 'ok' });
    expect(reading.clock.slept[1]).toBeGreaterThanOrEqual(5000);
    const refused = setUp([{ status: 403 }]);
    expect(await refused.client.read('https://state.example/')).toMatchObject({ status: 403 });
    expect(refused.requests).toHaveLength(1);
    const writing = setUp([broken, { status: 200 }]);
    await expect(
      writing.client.send({ method: 'POST', address: 'https://state.example/', body: '{}' }),
    ).rejects.toMatchObject({ kind: 'network', sent: 'maybe' });
    expect(writing.requests).toHaveLength(1);
  });

  it('gives up a read that never works, in time', async () => {
    const { client, requests } = setUp([broken]);
    await expect(client.read('https://state.example/')).rejects.toMatchObject({ kind: 'network' });
    expect(requests).toHaveLength(8);
    const busy = setUp([{ status: 500 }]);
    expect(await busy.client.read('https://state.example/')).toMatchObject({ status: 500 });
    expect(busy.requests).toHaveLength(8);
  });

  it('follows no redirect, takes no half answer, and keeps its credentials to itself', async () => {
    const credentials = { username: 'ci', password: 'hunter2' };
    const moved = setUp([{ status: 302, headers: { location: 'https://elsewhere.example' } }], { credentials });
    await expect(moved.client.read('https://state.example/')).rejects.toMatchObject({ kind: 'redirect' });
    for (const half of ['broken-off', 'too-large'] as const) {
      const cut = setUp([{ body: '{', broken: half }], { credentials });
      await expect(
        cut.client.send({ method: 'POST', address: 'https://state.example/', body: '{}' }),
      ).rejects.toMatchObject({ sent: 'maybe' });
    }
    const { client } = setUp([broken], { credentials });
    const thrown: unknown[] = [];
    await client
      .send({ method: 'POST', address: 'https://state.example/', body: '{}' })
      .catch((error: unknown) => thrown.push(error));
    expect(inspect(thrown, { depth: 9 })).toMatch(/ApiError.*\*\*\* broke/);
    expect(inspect(thrown, { depth: 9 })).not.toContain('hunter2');
    expect(client.redact(`x hunter2 ${Buffer.from('ci:hunter2').toString('base64')}`)).toBe('x *** ***');
  });
});
