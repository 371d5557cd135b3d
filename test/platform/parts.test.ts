// Redaction, retry decisions and the limiter, alone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyThrown, kindOfStatus } from '../../src/platform/api-error.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import { createRedactor } from '../../src/platform/redact.ts';
import { LONGEST_RETRY_AFTER_MS, MOST_ATTEMPTS, nextAttemptIn, parseRetryAfter } from '../../src/platform/retry.ts';
import { virtualClock } from './virtual-clock.ts';

describe('redactor', () => {
  it('masks a secret in every spelling', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 4, unit: 'binary' }), { minLength: 1, maxLength: 4 }), fc.string(), fc.string(), (secrets, before, after) => {
        const redactor = createRedactor(secrets);
        for (const secret of secrets) {
          const spellings = [secret, JSON.stringify(secret), encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
          for (const spelling of spellings) {
            const masked = redactor.text(`${before}\u0000${spelling}\u0000${after}`).split('\u0000');
            if (!before.includes(secret) && !after.includes(secret) && !secret.includes('\u0000')) expect(masked[1]).not.toContain(secret.length > 3 && !'***'.includes(secret) ? secret : '\u0000never');
          }
        }
      }),
    );
  });

  it('masks the longest first, knows later secrets too, and leaves the rest alone', () => {
    const redactor = createRedactor(['abcd', 'abcdefgh']);
    expect(redactor.text('x abcdefgh y abcd z')).toBe('x *** y *** z');
    redactor.add('later-one');
    redactor.add('');
    expect(redactor.json({ 'later-one': ['later-one', 1, null, true], plain: 'ok' })).toEqual({ '***': ['***', 1, null, true], plain: 'ok' });
  });
});

describe('retry', () => {
  const error = { kind: 'unavailable', status: 503, sent: 'answered', retryAfterMs: undefined } as const;
  const question = { error, unusable: false, unusableAnswers: 0, attempts: 1, nowMs: 0, deadlineAtMs: 1e9, random: () => 0.5 };

  it('waits with full jitter, never past the deadline, never too often', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 0, max: 20_000 }), (attempts, random, deadlineAtMs) => {
        const inMs = nextAttemptIn({ ...question, attempts, random: () => random, deadlineAtMs });
        if (attempts >= MOST_ATTEMPTS) expect(inMs).toBeNull();
        if (inMs !== null) {
          expect(inMs).toBeLessThanOrEqual(Math.min(10_000, 250 * 2 ** (attempts - 1)));
          expect(inMs).toBeLessThan(deadlineAtMs);
        }
      }),
    );
  });

  it('never comes back earlier than asked, and not at all when asked for too much', () => {
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: 5000 } })).toBe(5125);
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: LONGEST_RETRY_AFTER_MS + 1 } })).toBeNull();
    expect(nextAttemptIn({ ...question, error: { ...error, retryAfterMs: 5000 }, deadlineAtMs: 5000 })).toBeNull();
  });

  it('does not repeat refusals', () => {
    for (const kind of ['unauthorised', 'insufficient-scope', 'forbidden', 'not-found', 'conflict', 'invalid', 'redirect'] as const) {
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
    const limiter = createLimiter(16, clock);
    for (let count = 0; count < 10; count += 1) limiter.tooMany(undefined);
    expect(limiter.concurrency()).toBe(8);
    for (let count = 0; count < 10; count += 1) {
      await clock.sleep(1000);
      limiter.tooMany(undefined);
    }
    expect(limiter.concurrency()).toBe(1);
    limiter.wentWell();
    expect(limiter.concurrency()).toBe(1);
    limiter.wentWell();
    expect(limiter.concurrency()).toBe(2);
    for (let count = 0; count < 1000; count += 1) limiter.wentWell();
    expect(limiter.concurrency()).toBe(16);
  });

  it('starts nothing before Retry-After has passed, and never more than it may', async () => {
    const clock = virtualClock();
    const limiter = createLimiter(3, clock);
    limiter.tooMany(5000);
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
    expect(most).toBe(1);
  });
});

describe('what a failure is', () => {
  it('tells what was surely not sent from what may have been', () => {
    const system = (code: string, syscall?: string): Error => Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) });
    expect(classifyThrown(system('ECONNREFUSED', 'connect'))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(system('ENOTFOUND', 'getaddrinfo'))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(system('ETIMEDOUT', 'connect'))).toEqual({ kind: 'timeout', sent: 'no' });
    expect(classifyThrown(system('ETIMEDOUT', 'read'))).toEqual({ kind: 'timeout', sent: 'maybe' });
    expect(classifyThrown(system('ECONNRESET', 'read'))).toEqual({ kind: 'network', sent: 'maybe' });
    expect(classifyThrown(new TypeError('fetch failed', { cause: system('ECONNREFUSED') }))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(new AggregateError([system('ECONNREFUSED', 'connect')]))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown(system('CERT_HAS_EXPIRED'))).toEqual({ kind: 'network', sent: 'no' });
    expect(classifyThrown('odd')).toEqual({ kind: 'network', sent: 'maybe' });
  });

  it('has a kind for every status', () => {
    expect([408, 410, 418, 423, 501, 503, 599].map((status) => kindOfStatus(status, null))).toEqual(['timeout', 'not-found', 'invalid', 'conflict', 'upstream', 'unavailable', 'upstream']);
  });
});
