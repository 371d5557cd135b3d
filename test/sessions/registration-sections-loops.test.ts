// A clean-up of registrations broken at every request and at every sign of life, and run under every reading of what the documents leave open.
// A rerun converges, nothing is made twice, and the store is the one that was written down by hand.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { fixtures } from '../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const example = 'a-registrar-clean-up';

async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ example, scenario: 'registrar', ...options });
  return harness;
}

async function isAsWanted(one: Harness, where: string): Promise<void> {
  expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1), where).toEqual([]);
  expect(isEmptyPlan(await one.planned()), where).toBe(true);
  expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]);
}

describe('death loop', () => {
  it('at every event of a run', async () => {
    class Died extends Error {}
    for (let at = 1; ; at += 1) {
      const one = await start();
      let seen = 0;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      const end = await one.apply({}, { emit }).then(({ outcome }) => outcome.exitCode, (error: unknown) => error);
      const where = `death at event ${at}`;
      if (end !== 0) {
        expect(end, where).toBeInstanceOf(Died);
        const { outcome } = await one.apply();
        expect(outcome.exitCode, `${where}: ${JSON.stringify(outcome, null, 1)}`).toBe(0);
      }
      await isAsWanted(one, where);
      await one.close();
      harness = undefined;
      if (end === 0) break;
      expect(at).toBeLessThan(500);
    }
  }, 240_000);
});

describe('kill loop', () => {
  const kinds: readonly Omit<Fault, 'at'>[] = [{ kind: 'reset-before' }, { kind: 'reset-after' }, { kind: 'status-after', status: 502 }, { kind: 'status-before', status: 429, retryAfter: '2' }];

  it.each(kinds)('%o at every request', async (fault) => {
    const probe = await start();
    await probe.apply();
    const total = probe.sandbox.requests.length;
    expect(total).toBeGreaterThan(30);
    await probe.close();
    for (let at = 1; at <= total; at += 1) {
      const one = await start({ faults: [{ ...fault, at }] });
      const first = await one.apply();
      const where = `${JSON.stringify(fault)} at ${at} of ${total}: ${JSON.stringify(one.sandbox.requests[at - 1])}\n${JSON.stringify(first.outcome, null, 1)}`;
      one.sandbox.setFaults([]);
      if (first.outcome.exitCode !== 0) {
        const second = await one.apply();
        expect(second.outcome.exitCode, `${where}\nthen ${JSON.stringify(second.outcome, null, 1)}`).toBe(0);
      }
      await isAsWanted(one, where);
      await one.close();
      harness = undefined;
    }
  }, 240_000);
});
