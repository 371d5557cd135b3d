// A purchase, a resize and a deletion of panel accounts, broken at every request that differs from the one before it and at every new sign of life.
// A rerun converges or stops for a person, nothing is bought twice, and the store is the one that was written down by hand.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/event.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { ledgerCommand } from '../../src/workflow/ledger.ts';
import { fixtures } from '../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const example = 'a-panel-account';
// One action at a time: the same request has the same number in every run.
const apply = (one: Harness, extra: Parameters<Harness['apply']>[1] = {}) => one.apply({ allowCharges: 2, allowDeletes: 1, parallelism: 1 }, extra);

async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ example, scenario: 'panel', ledger: true, inProcess: true, ...options });
  return harness;
}

async function isAsWanted(one: Harness, where: string): Promise<void> {
  expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1), where).toEqual([]);
  expect(isEmptyPlan(await one.planned()), where).toBe(true);
  expect(one.sandbox.snapshot(), where).toMatchObject(fixtures[example]);
}

/** The places of what differs from what stands before it: of looks that are repeated while something is waited for, the first. */
function turns(texts: readonly string[]): readonly number[] {
  return texts.flatMap((text, index) => (text === texts[index - 1] ? [] : [index]));
}

describe('kill loop', () => {
  const kinds: readonly Omit<Fault, 'at'>[] = [{ kind: 'reset-before' }, { kind: 'reset-after' }, { kind: 'status-after', status: 502 }];

  it.each(kinds)('%o at every request', async (fault) => {
    const probe = await start();
    await apply(probe);
    const places = turns(probe.sandbox.requests.map(({ method, path }) => `${method} ${path.replace(/cart-.*|[0-9a-f-]{36}/, ':id')}`));
    expect(places.length).toBeGreaterThan(15);
    await probe.close();
    for (const at of places.map((index) => index + 1)) {
      const one = await start({ faults: [{ ...fault, at }] });
      const first = await apply(one);
      const where = `${JSON.stringify(fault)} at ${at}: ${JSON.stringify(one.sandbox.requests[at - 1])}\n${JSON.stringify(first.outcome, null, 1)}`;
      one.sandbox.setFaults([]);
      let { outcome } = first.outcome.exitCode === 0 ? first : await apply(one);
      const unclear = outcome.actions.filter(({ result }) => result === 'unknown-outcome');
      // Nobody can know by reading (ORD-44, PNL-15); the person who looks into the dashboard sees that nothing was bought.
      for (const { address } of unclear) await ledgerCommand(one.session(), { do: 'confirm', address, notMade: true });
      if (unclear.length > 0) ({ outcome } = await apply(one));
      expect(outcome.exitCode, `${where}\nthen ${JSON.stringify(outcome, null, 1)}`).toBe(0);
      await isAsWanted(one, where);
      await one.close();
      harness = undefined;
    }
  }, 120_000);
});

describe('death loop', () => {
  it('at every new sign of life', async () => {
    class Died extends Error {}
    const textOf = (event: RunEvent): string => [event.type, 'address' in event ? event.address : '', 'step' in event ? event.step : ''].join(' ');
    const probe = await start();
    await apply(probe);
    const places = turns(probe.events.map(textOf));
    expect(places.length).toBeGreaterThan(15);
    await probe.close();
    for (const at of places) {
      const one = await start();
      let seen = -1;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      expect(await apply(one, { emit }).catch((error: unknown) => error)).toBeInstanceOf(Died);
      const { outcome } = await apply(one);
      const where = `death at event ${at}: ${JSON.stringify(outcome, null, 1)}`;
      expect(outcome.exitCode, where).toBe(0);
      await isAsWanted(one, where);
      await one.close();
      harness = undefined;
    }
  }, 120_000);
});
