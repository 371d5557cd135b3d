import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createFaults, parseFaults } from '../../src/sandbox/core/http/faults.ts';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

const headers = { authorization: 'Bearer sandbox-api-key' };
const PURGE = '/api/sites/site-shop/cdn/caching/purge';
let sandbox: Sandbox | undefined;

afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

async function send(fault: Fault, method = 'POST', path = PURGE) {
  sandbox = await startSandbox({ faults: [fault] });
  const response = await fetch(sandbox.url + path, { method, headers });
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
}

/** Whether a whole answer came, as the protocol counts it. */
async function isAnswered(fault: Fault): Promise<boolean> {
  // Nothing comes after a request that hangs, so whoever sent it stops waiting when it was processed.
  const after = (): void => {
    if (fault.kind === 'hang') setImmediate(() => sent.destroy());
  };
  const { url } = (sandbox = await startSandbox({ faults: [fault], hooks: { after } }));
  const sent = request(url + PURGE, { method: 'POST', headers, agent: false });
  return new Promise((resolve) => {
    sent.once('error', () => resolve(false));
    sent.once('response', (response) => {
      response.once('error', () => undefined).resume();
      response.once('close', () => resolve(response.complete));
    });
    sent.end();
  });
}

const purges = (): number | undefined => sandbox?.state.sites.get('site-shop')?.cdn.purges;

describe('faults strike before or after the request is processed', () => {
  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
    ['truncate', 1],
    ['hang', 1],
  ] as const)('%s loses the answer', async (kind, processed) => {
    expect(await isAnswered({ kind })).toBe(false);
    expect(purges()).toBe(processed);
    expect(sandbox?.requests).toMatchObject([{ n: 1, method: 'POST', path: PURGE, status: null, fault: kind }]);
  });

  it.each([
    [{ kind: 'status-before', status: 503, retryAfter: '7' }, 0, 503],
    [{ kind: 'status-after', status: 502 }, 1, 502],
    [{ kind: 'html' }, 1, 200],
    [{ kind: 'garbage' }, 1, 200],
    [{ kind: 'slow', delayMs: 20 }, 1, 204],
  ] as const)('%o answers something else', async (fault, processed, status) => {
    const reply = await send(fault);
    expect(reply.status).toBe(status);
    expect(purges()).toBe(processed);
    expect(reply.retryAfter).toBe('retryAfter' in fault ? '7' : null);
    if (fault.kind === 'html' || fault.kind === 'garbage')
      expect(() => {
        JSON.parse(reply.text);
      }).toThrow();
  });

  it('not-a-list puts an object where the list was', async () => {
    const reply = await send({ kind: 'not-a-list' }, 'GET', '/api/sites');
    expect(JSON.parse(reply.text)).toMatchObject({ sites: {} });
  });
});

describe('faults pick their requests', () => {
  const request = (n: number, method = 'GET', path = '/api/sites') => ({ n, method, path });
  const strikes = (fault: Fault, requests: ReturnType<typeof request>[]) => {
    const picker = createFaults([fault]);
    return requests.map((one) => picker.pick(one) !== undefined);
  };

  it('by number', () => {
    expect(strikes({ kind: 'hang', at: 2 }, [request(1), request(2), request(3)])).toEqual([false, true, false]);
  });

  it('by method and prefix, so many times', () => {
    const fault: Fault = { kind: 'hang', match: { method: 'post', path: '/api/sites' }, times: 1 };
    expect(
      strikes(fault, [
        request(1),
        request(2, 'POST', '/api/domains'),
        request(3, 'POST', '/api/sites/1'),
        request(4, 'POST'),
      ]),
    ).toEqual([false, false, true, false]);
  });

  it('by pattern, without the query', () => {
    const fault: Fault = { kind: 'hang', match: { path: '/api/sites/*/cdn' } };
    expect(
      strikes(fault, [request(1, 'GET', '/api/sites/1/cdn?x=1'), request(2, 'GET', '/api/sites/1/cdn/caching')]),
    ).toEqual([true, false]);
  });

  it('by chance, the same each time', () => {
    const many = Array.from({ length: 1000 }, (_, index) => request(index + 1));
    const hits = strikes({ kind: 'hang', probability: 0.1, seed: 3 }, many);
    expect(hits).toEqual(strikes({ kind: 'hang', probability: 0.1, seed: 3 }, many));
    const count = hits.filter(Boolean).length;
    expect(count).toBeGreaterThan(60);
    expect(count).toBeLessThan(140);
  });
});

describe('faults as text', () => {
  it('are read', () => {
    expect(
      parseFaults(
        'reset-after@3, status-before:429@5:retry-after=2:times=1,slow:method=post:path=/api/sites/*:delay=20:seed=4,hang@25%',
      ),
    ).toEqual([
      { kind: 'reset-after', at: 3 },
      { kind: 'status-before', status: 429, at: 5, retryAfter: '2', times: 1 },
      { kind: 'slow', match: { method: 'POST', path: '/api/sites/*' }, delayMs: 20, seed: 4 },
      { kind: 'hang', probability: 0.25 },
    ]);
  });

  it('a bare percentage strikes that share of all requests', () => {
    const picker = createFaults(parseFaults('20%'));
    const hits = Array.from({ length: 2000 }, (_, index) =>
      picker.pick({ n: index + 1, method: 'GET', path: '/' }),
    ).filter((one) => one !== undefined);
    expect(hits.length).toBeGreaterThan(320);
    expect(hits.length).toBeLessThan(480);
    expect(new Set(hits.map(({ kind, status }) => `${kind} ${status ?? ''}`)).size).toBe(5);
  });

  it.each([
    ['explode@3', "fault 'explode@3': 'explode' is no fault"],
    ['hang@x', "the request number after @ is a whole number, not 'x'"],
    ['hang@0', "a fault's 'at' counts from 1, not 0"],
    ['status-after:999', "a fault's status is 200 to 599, not 999"],
    ['slow:delay', "'delay' is no option of the form name=value"],
    ['slow:colour=red', "'colour' is no option; there are: retry-after"],
    ['150%', "a fault's probability is 0 to 1, not 1.5"],
  ])('%s is refused', (text, message) => {
    expect(() => parseFaults(text)).toThrow(message);
  });
});
