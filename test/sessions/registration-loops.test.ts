// A purchase and a transfer broken at every request and at every sign of life, and run under every reading of what the documents leave open.
// A rerun converges or stops honestly, and nothing is bought twice.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { READINGS } from '../../src/sandbox/readings.ts';
import { REGISTRATION_READINGS } from '../../src/sandbox/readings-registration.ts';
import { ledgerCommand } from '../../src/workflow/ledger.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { bought, CODE, name, startNames, there, withCode } from '../support/registrations.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const DAYS_MS = 6 * 86_400_000;
const REGISTER = ['register', 'fresh.com', name('fresh.com', 'autoRenew: false\n  order: { maxPrice: { amount: "12.00", currency: EUR } }')] as const;
const TRANSFER = ['transfer', 'moving.com', name('moving.com', 'autoRenew: true\n  order: { action: transfer, authcode: { env: CODE } }')] as const;

async function start(document: string | readonly string[], options: HarnessOptions = {}): Promise<Harness> {
  harness = await startNames([document].flat(), { inProcess: true, ...options });
  return harness;
}

const apply = (one: Harness, extra: Parameters<Harness['apply']>[1] = {}) => one.apply({ allowDeletes: 1 }, { ...withCode, ...extra });

/** Runs on until nothing is left to wait for, days later if it has to; a person looks where only a person can know. */
async function runOn(one: Harness, of: string, where: string): Promise<void> {
  let stopped = 0;
  for (let runs = 0; runs < 4; runs += 1) {
    const { outcome } = await apply(one);
    if (outcome.exitCode === 0) break;
    expect(runs, `${where}: ${JSON.stringify(outcome, null, 1)}`).toBeLessThan(3);
    if (outcome.actions.some(({ result }) => result === 'unknown-outcome') && bought(one.sandbox).length === 0) {
      stopped += 1;
      await ledgerCommand(one.session(), { do: 'confirm', address: `DomainRegistration/${of}`, notMade: true });
    }
    one.sandbox.clock.advance(DAYS_MS);
  }
  expect(stopped, where).toBeLessThan(2);
}

async function isAsWanted(one: Harness, action: string, of: string, where: string): Promise<void> {
  expect(bought(one.sandbox).filter(([what]) => what.endsWith(of)), where).toEqual([[`domain order ${action} ${of}`, 1]]);
  expect(there(one.sandbox, of), where).toMatchObject({ status: 'OK', autoRenew: action === 'transfer', ...(action === 'transfer' && { authcode: CODE }) });
  expect(isEmptyPlan(await one.planned()), where).toBe(true);
}

describe.each([REGISTER, TRANSFER])('a %s of %s', (action, of, document) => {
  it('broken by a death at any event', async () => {
    class Died extends Error {}
    for (let at = 1; ; at += 1) {
      const one = await start(document);
      let seen = 0;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      const end = await apply(one, { emit }).catch((error: unknown) => error);
      const isDead = end instanceof Died;
      await runOn(one, of, `death at event ${at}`);
      await isAsWanted(one, action, of, `death at event ${at}`);
      await one.close();
      harness = undefined;
      if (!isDead) break;
      expect(at).toBeLessThan(300);
    }
  }, 120_000);

  const kinds: readonly Omit<Fault, 'at'>[] = [{ kind: 'reset-before' }, { kind: 'reset-after' }, { kind: 'status-before', status: 500 }, { kind: 'status-after', status: 504 }];

  it.each(kinds)('broken by %o at every request', async (fault) => {
    const probe = await start(document);
    await apply(probe);
    // Polls of one path are alike: the first and the last of each.
    const sent = probe.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
    const places = sent.flatMap((one, index) => (sent.indexOf(one) === index || sent.lastIndexOf(one) === index ? [index + 1] : []));
    expect(places.length).toBeGreaterThan(8);
    await probe.close();
    for (const at of places) {
      const where = `${JSON.stringify(fault)} at ${at} of ${sent.length}`;
      const one = await start(document, { faults: [{ ...fault, at }] });
      await apply(one);
      one.sandbox.setFaults([]);
      await runOn(one, of, `${where}: ${JSON.stringify(one.sandbox.requests[at - 1])}`);
      await isAsWanted(one, action, of, where);
      await one.close();
      harness = undefined;
    }
  }, 120_000);
});

describe('both of them', () => {
  const readings = Object.entries(READINGS)
    .filter(([gap]) => Object.hasOwn(REGISTRATION_READINGS, gap) || /^(late|list|empty|GAP-06|GAP-10)/.test(gap))
    .flatMap(([gap, values]) => values.map((value) => [gap, value] as const));

  it.each(readings)('under %s = %s', async (gap, value) => {
    const one = await start([REGISTER[2], TRANSFER[2]], { readings: { [gap]: value } });
    await runOn(one, '', `${gap} = ${value}`);
    for (const [action, of] of [REGISTER, TRANSFER]) await isAsWanted(one, action, of, `${gap} = ${value}`);
  });
});
