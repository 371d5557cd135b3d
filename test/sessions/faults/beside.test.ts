// An action in flight from an earlier run holds its own locks and no others: actions on other sites start at once, and
// the run waits for it at the end.
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { RecordedRequest } from '../../../src/sandbox/core/http/recording.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { confirmNotMade } from '../../support/loops.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';

async function start(options: HarnessOptions): Promise<Harness> {
  return openHarness({ ledger: true, ...options });
}

const order = { plan: 'pro', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } };
const bought = (name: string): string => manifest('Site', name, order);
const SOON_MS = 60_000;

/** A run that dies with a request that never arrived, of those whose path `fits`. */
async function dies(options: HarnessOptions, fits: RegExp): Promise<Harness> {
  const probe = await start(options);
  await probe.apply({ allowCharges: 1 });
  const at = probe.sandbox.requests.findIndex(({ method, path }) => method !== 'GET' && fits.test(path)) + 1;
  expect(at).toBeGreaterThan(0);
  await probe.close();
  const one = await start({ ...options, faults: [{ kind: 'reset-before', at }] });
  class Died extends Error {}
  const emit = (): void => {
    if (one.sandbox.requests.length >= at) throw new Died();
  };
  await expect(one.apply({ allowCharges: 1 }, { emit })).rejects.toBeInstanceOf(Died);
  one.sandbox.setFaults([]);
  return one;
}

/** How long after the beginning of a run each action began for the first time. */
async function begins<Result>(
  one: Harness,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly afterMs: (address: string) => number }> {
  const fromMs = one.sandbox.clock.now();
  one.events.splice(0);
  const result = await run();
  const started = one.events.flatMap((event) => (event.type === 'action-started' ? [event] : []));
  return {
    result,
    afterMs: (address) => (started.find((event) => event.address === address)?.atMs ?? Infinity) - fromMs,
  };
}

const shop = {
  'sites/shop.json': siteManifest('shop', {
    beforeChange: { backup: true },
    phpVersion: '8.3',
    caching: { cacheExpiration: 5 },
  }),
};
const blog = siteManifest('blog', { caching: { cacheExpiration: 4711 } });
const lostBackup = (): Promise<Harness> => dies({ files: shop }, /\/backups\//);
const cacheOf = (one: Harness, name: string): unknown => siteOf(one.sandbox, name).cdn.caching.cache_expiration;

const resultsOf = ({ actions }: Pick<Outcome, 'actions'>): readonly string[] =>
  actions.map(({ address, result }) => `${result} ${address}`).sort();

const backupRequests = (one: Harness): readonly RecordedRequest[] =>
  one.sandbox.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/backups/'));

/** Requires that only the lost backup is open, answers that it was not carried out, and requires that a run completes. */
async function finishes(one: Harness, outcome: Outcome): Promise<Outcome> {
  expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW4004');
  expect(outcome.exitCode).toBe(3);
  expect(outcome.inFlight).toEqual(['Site/shop/Backup']);
  expect(backupRequests(one)).toHaveLength(1);
  expect(await confirmNotMade(one, outcome)).toBe(true);
  const { outcome: last } = await one.apply();
  expect(last, JSON.stringify(last, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
  // The content once more, and the database for the first time.
  expect(backupRequests(one)).toHaveLength(3);
  expect([...one.sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
  return last;
}

describe('a backup whose request was lost', () => {
  it('delays its own site and no other, and is a question until a person answers [BKP-06]', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog);
    const {
      result: { outcome },
      afterMs,
    } = await begins(one, () => one.apply());
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect(afterMs('Site/blog/Caching')).toBeLessThan(SOON_MS);
    // The change that the backup protects does not start without it.
    expect(afterMs('Site/shop/PhpVersion')).toBe(Infinity);
    expect(resultsOf(outcome)).toEqual([
      'done Site/blog/Caching',
      'done Site/shop/Caching',
      'unknown-outcome Site/shop/Backup',
    ]);
    expect(resultsOf(await finishes(one, outcome))).toEqual(['done Site/shop/Backup', 'done Site/shop/PhpVersion']);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('delays no other site of a saved plan', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog);
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toContain('Site/blog/Caching');
    const {
      result: { outcome },
      afterMs,
    } = await begins(one, () => one.apply({ plan }));
    expect(outcome.exitCode, JSON.stringify(outcome, null, 1)).toBe(3);
    expect(afterMs('Site/blog/Caching')).toBeLessThan(SOON_MS);
    expect([cacheOf(one, 'blog'), cacheOf(one, 'shop')]).toEqual([4711, 5]);
    await finishes(one, outcome);
  });

  it('lets the hooks of another site run, once', async () => {
    const one = await lostBackup();
    await one.write(
      'sites/blog.json',
      siteManifest('blog', { caching: { cacheExpiration: 4711 }, afterChange: { purge: true } }),
    );
    const { outcome } = await one.apply();
    expect(siteOf(one.sandbox, 'blog').cdn.purges).toBe(1);
    await finishes(one, outcome);
    expect(siteOf(one.sandbox, 'blog').cdn.purges).toBe(1);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [] });
  });

  it('does not stop a saved plan of other sites, which is then used up', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog);
    const plan = await one.planned({ targets: ['Site/blog'] });
    expect([plan.actions.map(({ address }) => address), plan.waiting]).toEqual([['Site/blog/Caching'], []]);
    const { result, afterMs } = await begins(one, () => one.apply({ plan }));
    expect(resultsOf(result.outcome)).toEqual(['done Site/blog/Caching', 'unknown-outcome Site/shop/Backup']);
    expect(afterMs('Site/blog/Caching')).toBeLessThan(SOON_MS);
    await confirmNotMade(one, result.outcome);
    expect((await one.apply({ plan })).outcome).toMatchObject({
      exitCode: 4,
      diagnostics: [{ code: 'HW2103' }, { code: 'HW6142' }],
    });
  });

  it('is not waited for when the guards refuse the rest', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog.replace('"spec"', '"lifecycle":{"state":"absent"},"spec"'));
    const sent = one.sandbox.requests.length;
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 5 });
    expect(one.sandbox.requests.slice(sent).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('a purchase of which nobody knows what became', () => {
  it('O-72: holds back other purchases, and nothing else', async () => {
    const one = await dies({ files: { 'sites/launch.json': bought('launch') } }, /^\/api\/orders$/);
    await one.write('sites/second.json', bought('second'));
    await one.write('sites/blog.json', blog);
    const { outcome } = await one.apply({ allowCharges: 5 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect(cacheOf(one, 'blog')).toBe(4711);
    expect(one.sandbox.requests.filter(({ method, path }) => method === 'POST' && path === '/api/orders')).toHaveLength(
      1,
    );
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(['HW4004']);
    await ledgerCommand(one.session(), { do: 'confirm', address: 'Site/launch', notMade: true });
    expect((await one.apply({ allowCharges: 5 })).outcome.exitCode).toBe(0);
    expect(
      [...one.sandbox.creations].filter(([what]) => what.startsWith('site order')).map(([, times]) => times),
    ).toEqual([2]);
  });
});

describe('a later round that fails', () => {
  it('after a first one that was done leaves the run partly applied', async () => {
    const launch = manifest('Site', 'launch', { ...order, caching: { cacheExpiration: 4711 } });
    const probe = await start({ files: { 'sites/launch.json': launch } });
    expect((await probe.apply({ allowCharges: 1 })).outcome.exitCode).toBe(0);
    const at =
      probe.sandbox.requests.findIndex(({ method, path }) => method !== 'GET' && path.includes('/caching')) + 1;
    await probe.close();
    const one = await start({
      files: { 'sites/launch.json': launch },
      faults: [{ kind: 'status-before', status: 400, at }],
    });
    const { outcome } = await one.apply({ allowCharges: 1 });
    expect(outcome.actions.map(({ address, result }) => `${result} ${address}`)).toEqual([
      'done Site/launch',
      'failed Site/launch/Caching',
    ]);
    expect(outcome).toMatchObject({ exitCode: 6, outcome: 'partly-applied' });
    expect((await one.apply()).outcome.exitCode).toBe(0);
  });
});
