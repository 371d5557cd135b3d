// What export proved to be equal is in the ledger: the first drift says which side changed.
import { describe, expect, it } from 'vitest';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteOf } from '../../support/live.ts';

async function exported(options: HarnessOptions = {}) {
  const one = await openHarness(options);
  const { diagnostics } = await exportAccount(one.session(), { targets: ['Site'], out: '.' });
  return { one, codes: diagnostics.map(({ code }) => code) };
}

const drift = async (one: Harness) =>
  (await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] })).plan?.drift;

describe('export into a workspace with a ledger', () => {
  it('promise 3: is recorded: what changes on the platform is told as changed there', async () => {
    const { one, codes } = await exported({ ledger: true });
    expect(codes).not.toContain('HW6726');
    expect(await drift(one)).toEqual([]);
    const site = siteOf(one.sandbox);
    site.cdn.caching.smart_cache = !site.cdn.caching.smart_cache;
    expect((await drift(one))?.map((item) => item.class)).toEqual(['drifted']);
    const { view } = await ledgerCommand(one.session(), { do: 'list' });
    expect(view?.recorded).toBe(true);
    expect([...(view?.objects.values() ?? [])].every(({ createdAtMs }) => createdAtMs === undefined)).toBe(true);
  });

  it('of a workspace that declares more, only what was proven is recorded', async () => {
    const text = '{"apiVersion":"hostwright/v1","kind":"Site","metadata":{"name":"docs","id":"site-docs"},"spec":{}}';
    const { one } = await exported({ ledger: true, files: { 'sites/docs.json': text } });
    const { view } = await ledgerCommand(one.session(), { do: 'list' });
    expect(view?.objects.size).toBeGreaterThan(0);
    expect(view?.recorded).toBeUndefined();
  });
});

it('without a ledger nothing is recorded, and that is said', async () => {
  const { one, codes } = await exported();
  expect(codes).toContain('HW6726');
  expect((await ledgerCommand(one.session(), { do: 'list' })).view?.standing).toBe('missing');
});
