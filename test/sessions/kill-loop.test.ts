// For every request n of an apply: the connection breaks, or an error answers, before and after n is processed; the rerun converges,
// and no creation was processed twice. The oracle is the sandbox's own count.
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

/** What an example needs of the sandbox. */
const of = (example: string): HarnessOptions => ({ example, ...(example === 'shielded-shop' && { scenario: 'shield' }) });

async function countRequests(example: string): Promise<number> {
  const { apply, sandbox, close } = await startHarness(of(example));
  await apply({ allowDeletes: 2 });
  await close();
  return sandbox.requests.length;
}

const kinds: readonly Omit<Fault, 'at'>[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 500 },
  { kind: 'status-after', status: 502 },
  { kind: 'status-before', status: 429, retryAfter: '2' },
  { kind: 'status-before', status: 503 },
  { kind: 'html' },
  { kind: 'truncate' },
];

/** Dies at its nth sign of life: nothing after it happens in that process. */
class Died extends Error {}

describe.each(['small-agency', 'hardened-shop', 'sender-identity', 'shielded-shop'] as const)('death loop of %s', (example) => {
  it('at every event of a run', async () => {
    // The last one has many events that are alike.
    for (let at = 1; ; at += example === 'shielded-shop' ? 6 : 1) {
      const one = await startHarness(of(example));
      harness = one;
      let seen = 0;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      const end = await one.apply({ allowDeletes: 2 }, { emit }).then(({ outcome }) => outcome.exitCode, (error: unknown) => error);
      const where = `death at event ${at}`;
      if (end !== 0) {
        expect(end, where).toBeInstanceOf(Died);
        const { outcome } = await one.apply({ allowDeletes: 2 });
        expect(outcome.exitCode, `${where}: ${JSON.stringify(outcome, null, 1)}`).toBe(0);
      }
      expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1), where).toEqual([]);
      expect(isEmptyPlan(await one.planned()), where).toBe(true);
      expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]);
      await one.close();
      harness = undefined;
      if (end === 0) break;
      expect(at).toBeLessThan(500);
    }
  }, 120_000);
});

describe.each(['small-agency', 'new-primary-domain', 'hardened-shop', 'sender-identity'] as const)('kill loop of %s', (example) => {
  it.each(kinds)('%o at every request', async (fault) => {
    const total = await countRequests(example);
    expect(total).toBeGreaterThan(10);
    for (let at = 1; at <= total; at += 1) {
      harness = await startHarness({ ...of(example), faults: [{ ...fault, at }] });
      const first = await harness.apply({ allowDeletes: 2 });
      const where = `${JSON.stringify(fault)} at ${at} of ${total}: ${JSON.stringify(harness.sandbox.requests[at - 1])}\n${JSON.stringify(first.outcome, null, 1)}`;
      harness.sandbox.setFaults([]);
      if (first.outcome.exitCode !== 0) {
        const second = await harness.apply({ allowDeletes: 2 });
        expect(second.outcome.exitCode, `${where}\nthen ${JSON.stringify(second.outcome, null, 1)}`).toBe(0);
      }
      expect([...harness.sandbox.creations.entries()].filter(([, times]) => times > 1), where).toEqual([]);
      expect(isEmptyPlan(await harness.planned()), where).toBe(true);
      expect(harness.sandbox.snapshot(), where).toMatchObject(fixtures[example]);
      await harness.close();
      harness = undefined;
    }
    process.stdout.write(`${example}: ${JSON.stringify(fault)} at each of ${total} requests\n`);
  }, 120_000);
});

// Its many reads are of the kind that the loops above break already.
describe('kill loop of shielded-shop', () => {
  it.each(kinds.filter(({ kind, status }) => ['reset-before', 'reset-after', 'html'].includes(kind) || status === 502))('%o at every write', async (fault) => {
    const example = 'shielded-shop';
    const whole = await startHarness(of(example));
    await whole.apply({ allowDeletes: 2 });
    await whole.close();
    const { requests } = whole.sandbox;
    const places = requests.flatMap(({ method }, index) => (method === 'GET' ? [] : [index + 1]));
    expect(places.length).toBeGreaterThan(15);
    for (const at of places) {
      harness = await startHarness({ ...of(example), faults: [{ ...fault, at }] });
      const { outcome } = await harness.apply({ allowDeletes: 2 });
      const where = `${JSON.stringify(fault)} at ${at}: ${JSON.stringify(harness.sandbox.requests[at - 1])}\n${JSON.stringify(outcome, null, 1)}`;
      harness.sandbox.setFaults([]);
      if (outcome.exitCode !== 0) expect((await harness.apply({ allowDeletes: 2 })).outcome.exitCode, where).toBe(0);
      expect([...harness.sandbox.creations.entries()].filter(([, times]) => times > 1), where).toEqual([]);
      expect(isEmptyPlan(await harness.planned()), where).toBe(true);
      expect(harness.sandbox.snapshot(), where).toMatchObject(fixtures[example]);
      await harness.close();
      harness = undefined;
    }
  }, 180_000);
});
