import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function start(spec: object, options: HarnessOptions = {}, metadata: object = {}): Promise<Harness> {
  harness = await startHarness({ scenario: 'panel', ledger: true, files: { 'sites/a.json': JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'PanelAccount', metadata: { name: 'legacy', ...metadata }, spec }) }, ...options });
  return harness;
}

describe('thin', () => {
  it('buys', async () => {
    const one = await start({ package: 'pro', order: { term: 'annual', domain: 'owned.example.com' } });
    const plan = await one.planned();

    const { outcome } = await one.apply({ allowCharges: 1 });
    console.log(JSON.stringify(outcome, null, 1));
    console.log(JSON.stringify((one.sandbox.snapshot() as {panelAccounts: unknown}).panelAccounts, null, 1), JSON.stringify(one.sandbox.requests.map(({ method, path }) => `${method} ${path}`), null, 1));
    const again = await one.planned();
    expect(isEmptyPlan(again), JSON.stringify(again, null, 1)).toBe(true);
  });
});
