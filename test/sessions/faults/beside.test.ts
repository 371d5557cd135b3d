// What an earlier run left in flight holds its own locks and nothing else: other sites go on at once, and what waits is
// waited for at the end.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
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

describe('a backup that is lost', () => {
  it('holds back its own site, and no other; in the end all is done', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog);
    const {
      result: { outcome },
      afterMs,
    } = await begins(one, () => one.apply());
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
    expect(afterMs('Site/blog/Caching')).toBeLessThan(SOON_MS);
    // A minute is left to the lost request before another backup is asked for (BKP-06).
    for (const address of ['Site/shop/PhpVersion', 'Site/shop/Caching'])
      expect(afterMs(address)).toBeGreaterThan(SOON_MS);
    expect(outcome.actions.map(({ address, result }) => `${result} ${address}`).sort()).toEqual([
      'already-done Site/shop/Backup',
      'done Site/blog/Caching',
      'done Site/shop/Backup',
      'done Site/shop/Caching',
      'done Site/shop/PhpVersion',
    ]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('holds back no other site of a saved plan', async () => {
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
    expect((await one.apply()).outcome.exitCode).toBe(0);
  });

  it('lets another site do what comes after its changes, once', async () => {
    const one = await lostBackup();
    await one.write(
      'sites/blog.json',
      siteManifest('blog', { caching: { cacheExpiration: 4711 }, afterChange: { purge: true } }),
    );
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
    expect(siteOf(one.sandbox, 'blog').cdn.purges).toBe(1);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [] });
  });

  it('uses up no saved plan of which all could go on', async () => {
    const one = await lostBackup();
    await one.write('sites/blog.json', blog);
    const plan = await one.planned({ targets: ['Site/blog'] });
    expect([plan.actions.map(({ address }) => address), plan.waiting]).toEqual([['Site/blog/Caching'], []]);
    const { result, afterMs } = await begins(one, () => one.apply({ plan }));
    expect(result.outcome.exitCode, JSON.stringify(result.outcome, null, 1)).toBe(0);
    expect(afterMs('Site/blog/Caching')).toBeLessThan(SOON_MS);
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
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 6, outcome: 'partly-applied' });
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
