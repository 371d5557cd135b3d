// A run that has to be over by some time, for every time: nothing that writes is begun when the deadline is near, what
// was begun is recorded, `--resume` continues only that, and the next run converges without doing anything twice.
import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../../src/model/deadline.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { isWhole } from '../../support/whole.ts';

const REQUEST_MS = 2000;
/** A deadline after each of so many requests. */
const EVERY = isWhole ? 1 : 4;

/** A sandbox in which every request takes two seconds of its time, and when each write began. */
async function start(options: HarnessOptions): Promise<{
  readonly one: Harness;
  readonly writesAtMs: number[];
  readonly endsIn: (durationMs: number) => Pick<Session, 'deadline'> & { readonly deadline: object };
}> {
  const writesAtMs: number[] = [];
  const before = ({ method }: { readonly method: string }): void => {
    const { clock } = one.sandbox;
    if (method !== 'GET') writesAtMs.push(clock.now());
    clock.advance(REQUEST_MS);
  };
  const one: Harness = await openHarness({ ...options, hooks: { before } });
  return {
    one,
    writesAtMs,
    endsIn: (durationMs) => ({ deadline: deadlineOf(one.sandbox.clock.now(), durationMs, 60_000) }),
  };
}

const purchases = ({ sandbox }: Harness): readonly (readonly [string, number])[] =>
  [...sandbox.creations].filter(([, times]) => times > 1);

describe.each([
  { example: 'small-agency' },
  { example: 'a-site-from-nothing', ledger: true },
  { example: 'new-primary-domain' },
] as const)('the deadline of $example', (options) => {
  it('at every point of a run: nothing that writes begins after it, and the next run converges', async () => {
    let cutOff = 0;
    for (let durationMs = REQUEST_MS; ; durationMs += REQUEST_MS * EVERY) {
      const { one, writesAtMs, endsIn } = await start(options);
      const limit = endsIn(durationMs);
      // One by one, so that the sandbox's time is the run's.
      const { outcome } = await one.apply({ allowDeletes: 2, parallelism: 1 }, { ...limit, concurrency: 1 });
      const where = `${durationMs} ms: ${JSON.stringify(outcome, null, 1)}`;
      expect(
        writesAtMs.filter((atMs) => atMs >= (limit.deadline as { lastWriteAtMs: number }).lastWriteAtMs),
        where,
      ).toEqual([]);
      if (outcome.exitCode === 0) break;
      cutOff += 1;
      expect(outcome.outcome, where).toBe('waiting');
      expect(
        outcome.diagnostics.filter(({ code }) => code === 'HW4012'),
        where,
      ).toHaveLength(1);
      const begun = new Set(one.sandbox.creations.keys());
      const flying = outcome.actions.filter(({ result }) => result === 'waiting').length;
      const { outcome: resumed } = await one.apply({ resumeOnly: true });
      expect([0, 3], `${where}\nthen ${JSON.stringify(resumed, null, 1)}`).toContain(resumed.exitCode);
      expect(resumed.actions.length, where).toBeGreaterThanOrEqual(flying);
      if (flying === 0) expect(new Set(one.sandbox.creations.keys()), where).toEqual(begun);
      const { outcome: last } = await one.apply({ allowDeletes: 2 });
      expect(last.exitCode, `${where}\nthen ${JSON.stringify(last, null, 1)}`).toBe(0);
      expect(purchases(one), where).toEqual([]);
      expect(isEmptyPlan(await one.planned()), where).toBe(true);
      await one.close();
      expect(durationMs).toBeLessThan(3_600_000);
    }
    expect(cutOff).toBeGreaterThan(3);
  });
});

describe('a deadline', () => {
  it('leaves a plan that says nothing alone', async () => {
    const { one, endsIn } = await start({ example: 'caching-only' });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect((await one.apply({}, endsIn(600_000))).outcome).toMatchObject({ exitCode: 0, actions: [], diagnostics: [] });
  });

  it('that came while the account was read is no evidence of anything', async () => {
    const { one, endsIn } = await start({ example: 'small-agency' });
    const { outcome } = await one.apply({}, endsIn(1));
    expect(outcome).toMatchObject({
      exitCode: 3,
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4012', severity: 'warning' }],
    });
    expect(outcome.remaining).toEqual([]);
  });

  it('cuts a long wait short: what was sent stays in flight, and --resume follows it', async () => {
    const { one, endsIn } = await start({ example: 'a-site-from-nothing', ledger: true, scenario: 'billing-bank' });
    const fromMs = one.sandbox.clock.now();
    const { outcome } = await one.apply({}, endsIn(120_000));
    expect(outcome).toMatchObject({ exitCode: 3 });
    expect(one.sandbox.clock.now() - fromMs).toBeLessThan(120_000 + 2 * REQUEST_MS);
    expect(purchases(one)).toEqual([]);
    expect([...one.sandbox.creations.keys()].filter((name) => name.startsWith('site order'))).toHaveLength(1);
  });

  it('is not outlasted by a server that asks to come back later', async () => {
    const { one, writesAtMs, endsIn } = await start({
      example: 'caching-only',
      faults: [{ kind: 'status-before', status: 429, retryAfter: '50', match: { method: 'GET' }, times: 3 }],
    });
    const fromMs = one.sandbox.clock.now();
    const limit = endsIn(60_000);
    const { outcome } = await one.apply({}, limit);
    // What the platform did not tell in time is unread, as it is without a deadline.
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(writesAtMs).toEqual([]);
    expect(one.sandbox.clock.now() - fromMs).toBeLessThanOrEqual(60_000 + 2 * REQUEST_MS);
  });
});
