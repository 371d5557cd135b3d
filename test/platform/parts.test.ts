// Redaction, retry decisions and the limiter, alone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyThrown, kindOfStatus } from '../../src/platform/api-error.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import { createRedactor } from '../../src/platform/redact.ts';
import type { AnswerMeaning } from '../../src/areas/endpoints.ts';
import { LONGEST_RETRY_AFTER_MS, MOST_ATTEMPTS, nextAttemptIn, parseRetryAfter } from '../../src/platform/retry.ts';
import { virtualClock } from './virtual-clock.ts';

describe('redactor', () => {
  it('masks a secret in every spelling', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 4, unit: 'binary' }), { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.string(),
        (secrets, before, after) => {
          const redactor = createRedactor(secrets);
          for (const secret of secrets) {
            const spellings = [
              secret,
              JSON.stringify(secret),
              encodeURIComponent(secret),
              Buffer.from(secret).toString('base64'),
            ];
            for (const spelling of spellings) {
              const masked = redactor.text(`${before}\u0000${spelling}\u0000${after}`).split('\u0000');
              if (!before.includes(secret) && !after.includes(secret) && !secret.includes('\u0000'))
                expect(masked[1]).not.toContain(secret.length > 3 && !'***'.includes(secret) ? secret : '\u0000never');
            }
          }
        },
      ),
    );
  });

  it('masks the longest first, knows later secrets too, and leaves the rest alone', () => {
    const redactor = createRedactor(['abcd', 'abcdefgh']);
    expect(redactor.text('x abcdefgh y abcd z')).toBe('x *** y *** z');
    redactor.add('later-one');
    redactor.add('');
    expect(redactor.json({ 'later-one': ['later-one', 1, null, true], plain: 'ok' })).toEqual({
      '***': ['***', 1, null, true],
      plain: 'ok',
    });
  });
});

describe('retry', () => {
  const error = { kind: 'unavailable', status: 503, sent: 'answered', retryAfterMs: undefined } as const;
  const question = { error, unusableAnswers: 0, attempts: 1, nowMs: 0, deadlineAtMs: 1e9, random: () => 0.5 };

  it('waits with full jitter, never past the deadline, never too often', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 0, max: 20_000 }),
        (attempts, random, deadlineAtMs) => {
          const inMs = nextAttemptIn({ ...question, attempts, random: () => random, deadlineAtMs });
          if (attempts >= MOST_ATTEMPTS) expect(inMs).toBeNull();
          if (inMs !== null) {
            expect(inMs).toBeLessThanOrEqual(Math.min(10_000, 250 * 2 ** (attempts - 1)));
            expect(inMs).toBeLessThan(deadlineAtMs);
          }
        },
      ),
    );
  });

  it('never comes back earlier than asked, and not at all when asked for too much', () => {
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: 5000 } })).toBe(5125);
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: LONGEST_RETRY_AFTER_MS + 1 } })).toBeNull();
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: 5000 }, deadlineAtMs: 5000 })).toBeNull();
  });

  it('MSP-23, REG-01: repeats what the documents say passes a few times, and no other documented answer', () => {
    const attempts = (documented: AnswerMeaning): number =>
      [1, 2, 3, 4, 5].find((attempts) => nextAttemptIn({ ...question, documented, attempts }) === null) ?? Infinity;
    expect(attempts('retry')).toBe(4);
    for (const means of ['failed', 'blocked', 'done', 'unclear'] as const) expect(attempts(means), means).toBe(1);
  });

  it('does not repeat refusals', () => {
    for (const kind of [
      'unauthorised',
      'insufficient-scope',
      'forbidden',
      'not-found',
      'conflict',
      'invalid',
      'redirect',
    ] as const) {
      expect(nextAttemptIn({ ...question, error: { ...error, kind, status: 400 } })).toBeNull();
    }
  });

  it('reads Retry-After', () => {
    expect(parseRetryAfter('1.5', 0)).toBe(1500);
    expect(parseRetryAfter(new Date(10_000).toUTCString(), 4000)).toBe(6000);
    expect(parseRetryAfter(new Date(0).toUTCString(), 4000)).toBe(0);
    expect(parseRetryAfter('soon', 0)).toBeUndefined();
    expect(parseRetryAfter(undefined, 0)).toBeUndefined();
  });
});

describe('limiter', () => {
  it('halves once a second at most, never below one, and grows back slowly', async () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 16, clock });
    for (let count = 0; count < 10; count += 1) limiter.overloaded();
    expect(limiter.concurrency()).toBe(8);
    for (let count = 0; count < 10; count += 1) {
      await clock.sleep(1000);
      limiter.overloaded();
    }
    expect(limiter.concurrency()).toBe(1);
    limiter.wentWell(clock.now());
    expect(limiter.concurrency()).toBe(1);
    limiter.wentWell(clock.now());
    expect(limiter.concurrency()).toBe(2);
    for (let count = 0; count < 1000; count += 1) limiter.wentWell(clock.now());
    expect(limiter.concurrency()).toBe(16);
  });

  it('takes a 429 for a limit of requests a second: as many are in flight, fewer leave', async () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 16, clock });
    for (let count = 0; count < 10; count += 1) limiter.wentWell(clock.now());
    limiter.rateLimited(clock.now());
    expect(limiter.concurrency()).toBe(16);
    const from = clock.now();
    await Promise.all(Array.from({ length: 10 }, () => limiter.run(() => Promise.resolve())));
    expect(clock.now() - from).toBeGreaterThan(1000);
    expect(clock.now() - from).toBeLessThan(1500);
  });

  it.each(['rateLimited', 'overloaded'] as const)(
    'GAP-02: starts nothing before the Retry-After of %s has passed, and never more than it may',
    async (kind) => {
      const clock = virtualClock();
      const limiter = createLimiter({ most: 3, clock });
      if (kind === 'overloaded') limiter.overloaded(5000);
      else limiter.rateLimited(clock.now(), 5000);
      const from = clock.now();
      let running = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 10 }, () =>
          limiter.run(async () => {
            expect(clock.now() - from).toBeGreaterThanOrEqual(5000);
            most = Math.max(most, (running += 1));
            await clock.sleep(10);
            running -= 1;
          }),
        ),
      );
      expect(most).toBeLessThanOrEqual(3);
    },
  );

  it('waits for a rate limit for five minutes in all, and for other pauses for one minute', async () => {
    const clock = virtualClock();
    const waited = async (limiter: ReturnType<typeof createLimiter>): Promise<number> => {
      const from = clock.now();
      await limiter.run(() => Promise.resolve());
      return clock.now() - from;
    };
    const away = createLimiter({ most: 3, clock });
    away.overloaded(3_600_000);
    const limited = createLimiter({ most: 3, clock });
    limited.rateLimited(clock.now(), 240_000);
    expect([await waited(away), away.refusesUntil()]).toEqual([0, undefined]);
    expect([limited.refusesUntil(), await waited(limited)]).toEqual([undefined, 240_000]);
    // Together with the pause before, this is longer than a request waits. Requests leave the queue and are refused.
    limited.rateLimited(clock.now(), 240_000);
    expect([limited.refusesUntil(), await waited(limited)]).toEqual([clock.now() + 240_000, 0]);
  });

  it('GAP-02: waits longer with every 429 that does not say how long, until one went well', async () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 3, clock });
    const waits: number[] = [];
    const wait = async (): Promise<void> => {
      const from = clock.now();
      await limiter.run(() => Promise.resolve());
      waits.push(clock.now() - from);
      await clock.sleep(1000);
    };
    for (let count = 0; count < 9; count += 1) {
      limiter.rateLimited(clock.now());
      await wait();
    }
    limiter.wentWell(clock.now());
    limiter.rateLimited(clock.now());
    await wait();
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 250]);
  });

  it('lets no more leave a second than it may, wherever the second is cut, and holds nothing back past the end of the run', async () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 8, clock, maxRps: 5 });
    const leftAtMs: number[] = [];
    await Promise.all(Array.from({ length: 25 }, () => limiter.run(() => Promise.resolve(leftAtMs.push(clock.now())))));
    for (const atMs of leftAtMs)
      expect(leftAtMs.filter((other) => other >= atMs && other < atMs + 1000).length).toBeLessThanOrEqual(5);
    expect((leftAtMs.at(-1) as number) - (leftAtMs[0] as number)).toBe(24 * 200);
    const ending = createLimiter({ most: 8, clock, maxRps: 1, endMs: clock.now() + 1500 });
    const from = clock.now();
    await Promise.all(Array.from({ length: 5 }, () => ending.run(() => Promise.resolve())));
    expect(clock.now() - from).toBe(1500);
  });

  it('gives way when answers take much longer than they did, not below a quarter, and takes what stays slow for usual', () => {
    const clock = virtualClock();
    const limiter = createLimiter({ most: 16, clock });
    const rounds = (count: number, tookMs: number): number => {
      for (let round = 0; round < count; round += 1)
        for (let left = limiter.concurrency() * 2; left > 0; left -= 1) limiter.wentWell(clock.now() - tookMs);
      return limiter.concurrency();
    };
    expect(rounds(10, 50)).toBe(16);
    // Twice as long, and a little more: chance.
    expect(rounds(3, 180)).toBe(16);
    expect(rounds(1, 5000)).toBe(14);
    expect(rounds(3, 20_000)).toBeLessThan(12);
    expect(rounds(5, 1_000_000)).toBeGreaterThanOrEqual(4);
    expect(rounds(60, 1_000_000)).toBe(16);
  });
});

describe('what a failure is', () => {
  it('tells what was surely not sent from what may have been', () => {
    const system = (code: string, syscall?: string): Error =>
      Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) });
    expect(classifyThrown(system('ECONNREFUSED', 'connect'))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(system('ENOTFOUND', 'getaddrinfo'))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(system('ETIMEDOUT', 'connect'))).toEqual({ kind: 'timeout', sent: 'no' });
    expect(classifyThrown(system('ETIMEDOUT', 'read'))).toEqual({ kind: 'timeout', sent: 'maybe' });
    expect(classifyThrown(system('ECONNRESET', 'read'))).toEqual({ kind: 'network', sent: 'maybe' });
    expect(classifyThrown(new TypeError('fetch failed', { cause: system('ECONNREFUSED') }))).toEqual({
      kind: 'network',
      sent: 'no',
    });
    expect(classifyThrown(new AggregateError([system('ECONNREFUSED', 'connect')]))).toEqual({
      kind: 'network',
      sent: 'no',
    });
    expect(classifyThrown(system('CERT_HAS_EXPIRED'))).toEqual({ kind: 'network', sent: 'no', isPermanent: true });
    expect(classifyThrown('odd')).toEqual({ kind: 'network', sent: 'maybe' });
  });

  it('has a kind for every status', () => {
    expect([408, 410, 418, 423, 501, 503, 599].map((status) => kindOfStatus(status, null))).toEqual([
      'timeout',
      'not-found',
      'invalid',
      'conflict',
      'upstream',
      'unavailable',
      'upstream',
    ]);
  });
});
