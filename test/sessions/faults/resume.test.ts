// `apply --resume` does what is journalled and nothing else: over a story with a purchase no new action, no read but
// those that follow what is in flight, although the manifests and the account have more to do by then.
import { describe, expect, it } from 'vitest';
import type { Harness } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { siteOf } from '../../support/live.ts';

const ORDER = /^\/api\/orders$/;
const other =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec: { caching: { cacheExpiration: 4711 } }\n';

/** A run that dies as soon as the platform has taken its order, and what is sent after that. */
async function died(scenario = 'small'): Promise<{ readonly one: Harness; readonly since: () => readonly string[] }> {
  const one = await openHarness({ example: 'a-site-from-nothing', ledger: true, scenario });
  class Died extends Error {}
  const emit = (): void => {
    if (
      one.sandbox.requests.some(({ method, path, status }) => method === 'POST' && ORDER.test(path) && status !== null)
    )
      throw new Died();
  };
  await expect(one.apply({}, { emit })).rejects.toBeInstanceOf(Died);
  const sent = one.sandbox.requests.length;
  return {
    one,
    since: () => one.sandbox.requests.slice(sent).map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`),
  };
}

describe('apply --resume', () => {
  it('follows the purchase to its end: nothing is bought, begun or read beside it', async () => {
    const { one, since } = await died();
    // More to do by now: another manifest, and a site that somebody else changed.
    await one.write('sites/blog.yaml', other);
    siteOf(one.sandbox).name = 'Renamed elsewhere';
    const { outcome, plan } = await one.apply({ resumeOnly: true });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 0,
      // What is left of it once it is bought.
      actions: [{ address: 'Site/launch', verb: 'update', result: 'done' }],
    });
    expect(outcome.actions).toHaveLength(1);
    expect(plan).toBeUndefined();
    // The cart, its order, and the one site that came of it; the rename that belongs to the same action is its only
    // write.
    const site = [...one.sandbox.state.sites.keys()].find((id) => !id.startsWith('site-')) ?? '';
    expect(new Set(since().map((line) => line.replace(/(carts|orders)\/[^/]+/, '$1/ID').replace(site, 'NEW')))).toEqual(
      new Set([
        'GET /api/about',
        'GET /api/carts/ID',
        'GET /api/domains',
        'GET /api/orders/ID',
        'GET /api/sites',
        'GET /api/sites/NEW/domains',
        'PATCH /api/sites/NEW',
      ]),
    );
    expect(siteOf(one.sandbox, 'blog').cdn.caching.cache_expiration).not.toBe(4711);
    expect([...one.sandbox.creations].filter(([name]) => name.startsWith('site order'))).toMatchObject([
      [expect.anything(), 1],
    ]);
    // The rest is for a run that plans.
    expect((await one.planned()).actions.map(({ address }) => address)).toContain('Site/blog/Caching');
    await converge(one);
    expect([...one.sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
  });

  it('that finds the purchase unpaid waits, once more and again, and sends nothing', async () => {
    const { one, since } = await died('billing-3ds');
    for (const _again of [1, 2])
      expect((await one.apply({ resumeOnly: true })).outcome).toMatchObject({
        exitCode: 3,
        actions: [{ address: 'Site/launch', result: 'waiting' }],
      });
    expect(since().filter((line) => !line.startsWith('GET /api/carts/'))).toEqual([]);
  });

  it('with nothing in flight sends nothing at all', async () => {
    const one = await openHarness({ example: 'a-site-from-nothing', ledger: true });
    expect((await one.apply({ resumeOnly: true })).outcome).toMatchObject({ exitCode: 0, actions: [] });
    expect(one.sandbox.requests).toEqual([]);
  });
});

describe('an action that an earlier run began and never sent, and whose object cannot be read now', () => {
  it('is left to the next plan, and the rest of the run goes on', async () => {
    const site = (name: string, hostname: string) =>
      `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec: { domains: [${hostname}], caching: { cacheExpiration: 4711 } }\n`;
    const one = await openHarness({ scenario: 'sites:3', files: { 'sites/a.yaml': site('a', 's00001.example.com') } });
    class Died extends Error {}
    const emit = ({ type }: { readonly type: string }): void => {
      if (type === 'step-started') throw new Died();
    };
    await expect(one.apply({}, { emit })).rejects.toBeInstanceOf(Died);
    await one.write('sites/b.yaml', site('b', 's00002.example.com'));
    one.sandbox.setFaults([
      { kind: 'status-before', status: 500, match: { method: 'GET', path: '/api/sites/site-s00001/' } },
    ]);
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 1,
      actions: [{ address: 'Site/b/Caching', result: 'done' }],
      remaining: [{ address: 'Site/a/Caching' }],
    });
    one.sandbox.setFaults([]);
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 0,
      actions: [{ address: 'Site/a/Caching', result: 'done' }],
    });
  });
});
