// The whole client under limits of requests that it is not told: how much of what is allowed it uses, and how much of
// what it sends is refused.
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/platform/http.ts';
import { createPace } from '../../src/platform/pace.ts';
import type { Transport } from '../../src/platform/transport.ts';
import type { Limit } from './limits.ts';
import { fixedWindow, slidingWindow, tokenBucket } from './limits.ts';
import { virtualClock } from './virtual-clock.ts';

interface Case {
  readonly limit?: Limit;
  /** A 429 says when to come again, in whole seconds. */
  readonly retryAfter?: boolean;
  /** Requests a second of somebody else, evenly apart but for a little; the second from when on. */
  readonly others?: number;
  readonly othersFromS?: number;
  readonly requests?: number;
}

const CONCURRENCY = 16;
const LATENCY_MS = 80;

/** Numbers that look random, the same each time. */
function randomNumbers(): () => number {
  let state = 3;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function work({ limit, retryAfter = false, others = 0, othersFromS = 0, requests = 2000 }: Case) {
  const clock = virtualClock();
  const random = randomNumbers();
  const fromMs = clock.now();
  let sent = 0;
  let refused = 0;
  let othersAtMs = fromMs + othersFromS * 1000;
  let othersServed = 0;
  const half = (): Promise<void> => clock.sleep((LATENCY_MS / 2) * (0.5 + random()));
  const transport: Transport = async () => {
    sent += 1;
    await half();
    const nowMs = clock.now();
    for (; others > 0 && othersAtMs <= nowMs; othersAtMs += (1000 / others) * (0.9 + 0.2 * random()))
      if (limit?.take(othersAtMs) === 0) othersServed += 1;
    const waitMs = limit?.take(nowMs) ?? 0;
    await half();
    if (waitMs === 0) return { status: 200, headers: {}, body: '{}' };
    refused += 1;
    return { status: 429, headers: retryAfter ? { 'retry-after': String(Math.ceil(waitMs / 1000)) } : {}, body: '' };
  };
  const client = createClient({
    baseUrl: 'https://platform.example',
    token: 't',
    account: 'a',
    clock,
    concurrency: CONCURRENCY,
    timeoutMs: 600_000,
    random,
    transport,
  });
  let left = requests;
  await Promise.all(
    Array.from({ length: 2 * CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        await client.read('/api/x');
      }
    }),
  );
  const seconds = (clock.now() - fromMs) / 1000;
  return {
    used: limit === undefined ? 1 : requests / (limit.atOnce + limit.perSecond * seconds - othersServed),
    refused: refused / sent,
    seconds,
  };
}

describe('a limit of requests (CNV-27, GAP-02)', () => {
  const LIMITS: Readonly<Record<string, () => Limit>> = {
    'a second by the clock': () => fixedWindow(30),
    'any second': () => slidingWindow(30),
    'a bucket of a second': () => tokenBucket(30, 30),
    'a bucket that lets a burst through': () => tokenBucket(30, 100),
    'a bucket that is small': () => tokenBucket(30, 5),
  };
  const cases = Object.keys(LIMITS).flatMap((name) =>
    [false, true].flatMap((retryAfter) => [0, 15].map((others) => ({ name, retryAfter, others }))),
  );

  it.each(cases)(
    'of 30 a second is found and used: $name, Retry-After $retryAfter, $others of them used by somebody else',
    async ({ name, ...given }) => {
      const { used, refused } = await work({ ...given, limit: (LIMITS[name] as () => Limit)() });
      expect(used).toBeGreaterThan(0.8);
      expect(refused).toBeLessThan(0.03);
    },
  );

  it.each([false, true])('of 30 a second costs a plan of 900 reads little time: Retry-After %s', async (retryAfter) => {
    const { seconds, refused } = await work({ limit: slidingWindow(30), retryAfter, requests: 900 });
    expect(seconds).toBeLessThan(40);
    expect(refused).toBeLessThan(0.04);
  });

  it('of 30 a second by the clock is not met again and again by a plan of 250 reads, whenever it begins', async () => {
    const seconds = [];
    for (const offsetMs of [0, 130, 260, 390, 520, 650, 780, 910])
      seconds.push((await work({ limit: fixedWindow(30, 1000, offsetMs), retryAfter: true, requests: 250 })).seconds);
    expect(seconds.reduce((sum, one) => sum + one, 0) / seconds.length).toBeLessThan(10.2);
  });

  it('is found again when somebody else comes', async () => {
    const { used, refused } = await work({ limit: slidingWindow(30), others: 15, othersFromS: 30 });
    expect(used).toBeGreaterThan(0.8);
    expect(refused).toBeLessThan(0.03);
  });

  it.each([false, true])(
    'over many seconds is kept to without refusal after refusal: Retry-After %s',
    async (retryAfter) => {
      const { used, refused } = await work({ limit: fixedWindow(30, 10_000), retryAfter });
      expect(used).toBeGreaterThan(0.8);
      expect(refused).toBeLessThan(0.04);
    },
  );

  it('of three a second is found too', async () => {
    const { used, refused } = await work({ limit: tokenBucket(3, 3), requests: 600 });
    expect(used).toBeGreaterThan(0.75);
    expect(refused).toBeLessThan(0.06);
  });

  it('that is not there holds nothing back', async () => {
    const { seconds } = await work({});
    expect(seconds).toBeLessThan(((2000 / CONCURRENCY) * LATENCY_MS * 1.2) / 1000);
  });
});

describe('a pace', () => {
  it('does not come to a halt where requests are refused whatever it does', () => {
    const pace = createPace();
    for (let atMs = 0; atMs < 100_000; atMs += 100) {
      pace.leaves(true, atMs);
      pace.served(atMs, atMs + 10);
      pace.refused(atMs + 20, atMs + 30);
      expect(pace.gapMs()).toBeLessThanOrEqual(1000);
    }
  });

  it('does not grow by requests that need not wait for it', () => {
    const pace = createPace();
    pace.leaves(false, 0);
    pace.served(0, 10);
    pace.refused(0, 10);
    const gapMs = pace.gapMs();
    for (let atMs = 100; atMs < 100_000; atMs += 1000) pace.leaves(false, atMs);
    expect(pace.gapMs()).toBe(gapMs);
    for (let atMs = 100_000; atMs < 120_000; atMs += 1000) pace.leaves(true, atMs);
    expect(pace.gapMs()).toBeLessThan(gapMs / 2);
  });
});
