// What the client sends while the platform fails everything, and while it asks for a pause.
import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../src/model/deadline.ts';
import type { RunEvent } from '../../src/model/plan/event.ts';
import { ApiError } from '../../src/platform/api-error.ts';
import type { Client } from '../../src/platform/http.ts';
import { createClient } from '../../src/platform/http.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import type { Transport } from '../../src/platform/transport.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { virtualClock } from './virtual-clock.ts';

interface Sent {
  readonly key: string;
  readonly atMs: number;
}

interface Bench {
  readonly clock: VirtualClock;
  readonly client: Client;
  readonly sent: Sent[];
  readonly events: RunEvent[];
}

type Answer = (key: string, clock: VirtualClock) => { readonly status: number; readonly retryAfter?: string };

function bench(answer: Answer, options: Partial<Parameters<typeof createClient>[0]> = {}): Bench {
  const clock = virtualClock();
  const sent: Sent[] = [];
  const events: RunEvent[] = [];
  const transport: Transport = ({ method, path }) => {
    const key = `${method} ${path}`;
    sent.push({ key, atMs: clock.now() });
    const { status, retryAfter } = answer(key, clock);
    return Promise.resolve({
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      body: status === 200 ? '{"ok":true}' : '{"errors":["down"]}',
    });
  };
  const client = createClient({
    baseUrl: 'https://platform.example',
    token: 'token',
    account: 'acc-1',
    clock,
    concurrency: 16,
    timeoutMs: 60_000,
    random: () => 0.5,
    transport,
    emit: (event) => events.push(event),
    ...options,
  });
  return { clock, client, sent, events };
}

async function errorOf(asked: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }
}

const readAll = (client: Client, count: number, from = 0): Promise<readonly (ApiError | undefined)[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => errorOf(client.read(`/api/${from + index}`))));

describe('an outage', () => {
  it.each([500, 502, 503, 504])(
    'ends a run of 1000 reads after the reads in flight, with one reason (%i)',
    async (status) => {
      const { client, sent, clock } = bench(() => ({ status }));
      const startedAtMs = clock.now();
      const errors = await readAll(client, 1000);
      expect(new Set(sent.map(({ key }) => key)).size).toBeLessThanOrEqual(16);
      expect(errors.every((error) => error !== undefined)).toBe(true);
      expect(clock.now() - startedAtMs).toBeLessThan(60_000);
      const held = errors.filter((error) => error?.sent === 'no');
      expect(held.length).toBeGreaterThan(980);
      expect(new Set(held.map((error) => error?.sharedReason)).size).toBe(1);
      expect(held[0]?.sharedReason).toMatch(
        /^\d+ different requests in a row have failed since \S+Z: the platform answered 50\d \(down\), so other requests are not sent$/,
      );
      const count = sent.length;
      expect((await errorOf(client.read('/api/new')))?.sent).toBe('no');
      expect((await errorOf(client.ask('/api/new', {})))?.sent).toBe('no');
      expect((await errorOf(client.send({ method: 'POST', path: '/api/new' })))?.sent).toBe('no');
      expect(sent).toHaveLength(count);
      expect(client.finalOutage()?.requests).toBeGreaterThanOrEqual(10);
    },
  );

  it('of a few seconds fails no read', async () => {
    let upAtMs = Infinity;
    const { client, clock } = bench((_key, time) => ({ status: time.now() < upAtMs ? 503 : 200 }));
    upAtMs = clock.now() + 3000;
    expect((await readAll(client, 300)).filter((error) => error !== undefined)).toEqual([]);
    expect(client.outage()).toBeUndefined();
  });

  it('ends when a repeated request is answered', async () => {
    let status = 503;
    const { client } = bench(() => ({ status }));
    await readAll(client, 20);
    expect(client.finalOutage()).toBeDefined();
    status = 200;
    expect(await client.poll('/api/0')).toEqual({ ok: true });
    expect(await client.read('/api/new')).toEqual({ ok: true });
  });

  it('needs ten different requests in a row', async () => {
    let index = 0;
    const { client } = bench(() => ({ status: (index += 1) % 9 === 0 ? 200 : 503 }), { concurrency: 1 });
    for (let count = 0; count < 100; count += 1)
      await client.send({ method: 'PATCH', path: `/api/${count}` }).catch(() => undefined);
    expect(client.outage()).toBeUndefined();
    const one = bench(() => ({ status: 503 }));
    for (let count = 0; count < 50; count += 1) await errorOf(one.client.poll('/api/same'));
    expect(one.client.outage()).toBeUndefined();
  });

  it('is not inferred from errors that the documents describe', async () => {
    const { client } = bench(() => ({ status: 503 }), {
      transport: () =>
        Promise.resolve({ status: 503, headers: {}, body: '{"errors":["off"],"code":"feature_disabled"}' }),
    });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => errorOf(client.read(`/api/domain_registrations/${index}.example`))),
    );
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => errorOf(client.read(`/api/domain_registrations?page=${index}`))),
    );
    expect(client.outage()).toBeUndefined();
  });

  it('is shared by all accounts that share a limiter', async () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 16, clock });
    const first = bench(() => ({ status: 503 }), { limiter, clock });
    const second = bench(() => ({ status: 200 }), { limiter, clock, account: 'acc-2' });
    await readAll(first.client, 20);
    expect((await errorOf(second.client.read('/api/0')))?.sent).toBe('no');
    expect(second.sent).toEqual([]);
  });
});

describe('Retry-After', () => {
  const SECONDS = [1, 5, 60, 61, 240, 299, 301, 3600] as const;
  const cases = [429, 503].flatMap((status) => SECONDS.map((seconds) => ({ status, seconds })));

  it.each(cases)('is honoured by every kind of request ($status, $seconds s)', async ({ status, seconds }) => {
    const asked = new Map<string, number>();
    const { client, sent, clock } = bench((key, time) => {
      if (asked.has(key)) return { status: 200 };
      asked.set(key, time.now());
      return { status, retryAfter: String(seconds) };
    });
    const use = [
      () => client.read('/api/read'),
      () => client.poll('/api/poll'),
      () => client.ask('/api/ask', {}),
      () => client.send({ method: 'PUT', path: '/api/send' }),
    ];
    for (let round = 0; round < 12; round += 1) {
      for (const one of use) await errorOf(one());
      await clock.sleep(3000);
    }
    for (const [key, atMs] of asked) {
      const [first, second] = sent.filter((one) => one.key === key);
      expect(first?.atMs).toBe(atMs);
      if (second !== undefined) expect(second.atMs - atMs).toBeGreaterThanOrEqual(seconds * 1000);
    }
    if (status !== 429) return;
    // One account, one limit: nothing else leaves either.
    const [first, next] = sent;
    if (next !== undefined) expect(next.atMs - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(seconds * 1000);
  });

  it('of a rate limit is reported before the wait, which the timeout of a read does not limit', async () => {
    let isLimited = true;
    const { client, events, clock, sent } = bench(() => {
      const answer = isLimited ? { status: 429, retryAfter: '240' } : { status: 200 };
      isLimited = false;
      return answer;
    });
    const startedAtMs = clock.now();
    expect(await client.read('/api/x')).toEqual({ ok: true });
    expect(events[0]).toEqual({ type: 'paused', untilMs: startedAtMs + 240_000, isWaitedFor: true });
    expect(sent).toHaveLength(2);
  });

  it('that is longer than the command waits ends it with the time', async () => {
    const { client, events, sent, clock } = bench(() => ({ status: 429, retryAfter: '3600' }), { concurrency: 1 });
    const untilMs = clock.now() + 3_600_000;
    const [first, second] = await readAll(client, 2);
    expect(events[0]).toEqual({ type: 'paused', untilMs, isWaitedFor: false });
    expect(first).toMatchObject({ resumesAtMs: untilMs, status: 429 });
    expect(first?.message).toContain('accepts it again from 2023-11-14T23:13:20Z on (Retry-After)');
    expect(second).toMatchObject({ resumesAtMs: untilMs, sent: 'no' });
    expect(second?.message).toContain('the platform accepts no requests before 2023-11-14T23:13:20Z');
    expect(client.refusedUntil()).toBe(untilMs);
    expect(sent).toHaveLength(1);
    expect(clock.now()).toBeLessThan(untilMs - 3_590_000);
  });

  it('is waited for up to the deadline of the run', async () => {
    let isLimited = true;
    const clock = virtualClock();
    const { client, sent } = bench(
      () => {
        const answer = isLimited ? { status: 429, retryAfter: '1000' } : { status: 200 };
        isLimited = false;
        return answer;
      },
      { clock, deadline: deadlineOf(clock.now(), 2_000_000, 60_000) },
    );
    expect(await client.read('/api/x')).toEqual({ ok: true });
    expect(sent).toHaveLength(2);
  });
});
