// A hostname that moves between two sites: one action, detached and attached back to back, by a consent that names who
// has it. The oracle is the sandbox's own order of requests and count of what was made.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';
import { unusual } from '../../support/whole.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';

const HOST = 'www.shop.example.com';
const ADDRESS = `Site/blog/SiteDomain/${HOST}`;
const consenting = { domains: ['blog.example.com', { hostname: HOST, moveFrom: 'Site/shop' }] };
const moving = {
  'sites/shop.json': siteManifest('shop', { domains: ['shop.example.com'] }),
  'sites/blog.json': siteManifest('blog', consenting),
};
/** The hostname is the primary one of the site that it leaves. */
const movingPrimary = {
  'sites/shop.json': siteManifest('shop', { primaryDomain: HOST, domains: [HOST] }),
  'sites/blog.json': siteManifest('blog', {
    domains: ['blog.example.com', { hostname: 'shop.example.com', moveFrom: 'Site/shop' }],
  }),
};
const moved = {
  sites: {
    'site-shop': { primaryDomain: 'shop.example.com', domains: { 'shop.example.com': 'dns' } },
    'site-blog': { domains: { 'blog.example.com': 'cname', [HOST]: 'cname' } },
  },
};

const writes = ({ sandbox }: Harness): readonly string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const actionOf = (plan: Plan, address: string) => plan.actions.find((action) => action.address === address);

describe('a move', () => {
  it('SIT-08: out of a site that is locked as a whole is not planned', async () => {
    const one = await openHarness({
      files: {
        ...moving,
        'sites/shop.json': siteManifest('shop', { domains: ['shop.example.com'], caching: { smartCache: true } }),
      },
    });
    one.sandbox.state.sites.get('site-shop')!.pendingDelete = true;
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/blog/SiteDomain/blog.example.com']);
    expect(plan.blocked).toMatchObject([
      {
        address: 'Site/blog/SiteDomain/www.shop.example.com',
        rule: 'SIT-08',
        reason: containing('it is in Site/shop'),
      },
      { address: 'Site/shop', rule: 'SIT-08' },
    ]);
  });

  it('O-14: is one action on the new address, back to back, under the locks of both sites, and then all is quiet', async () => {
    const one = await openHarness({ files: moving });
    const plan = await one.planned();
    expect(plan.actions.map(({ address, verb }) => `${verb} ${address}`)).toEqual([
      'create Site/blog/SiteDomain/blog.example.com',
      `create ${ADDRESS}`,
    ]);
    expect(actionOf(plan, ADDRESS)).toMatchObject({
      reason: 'it is in Site/shop, and the manifest says to move it here',
      changes: [{ path: '/hostname' }, { path: '/moveFrom', value: 'Site/shop' }],
      risk: ['delete'],
      locks: ['Site/blog', 'Site/shop'],
      protected: false,
      requires: { roles: ['can_destroy', 'can_modify'] },
      steps: [
        { name: 'detach', recheck: true },
        { name: 'free' },
        { name: 'attach', idempotent: false },
        { name: 'listed' },
      ],
    });
    expect(plan.bindings).toMatchObject({ 'Site/shop': 'site-shop', [`Site/shop/SiteDomain/${HOST}`]: 'dom-www-shop' });
    expect([plan.unmanaged, plan.blocked]).toEqual([[], []]);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, remaining: [] });
    expect(writes(one).slice(1)).toEqual([
      'DELETE /api/sites/site-shop/domain/dom-www-shop',
      'POST /api/sites/site-blog/domains',
    ]);
    expect(one.sandbox.snapshot()).toMatchObject(moved);
    const again = await one.planned();
    expect(isEmptyPlan(again)).toBe(true);
    expect(again.notices).toMatchObject([{ code: 'HW2007', severity: 'info', address: ADDRESS }]);
    await one.write('sites/blog.json', siteManifest('blog', { domains: ['blog.example.com', HOST] }));
    expect((await one.planned()).notices).toEqual([]);
  });

  it('O-14, O-13: of a primary domain waits for the promotion of another one there', async () => {
    const one = await openHarness({ files: movingPrimary });
    const plan = await one.planned();
    const address = 'Site/blog/SiteDomain/shop.example.com';
    expect(actionOf(plan, address)?.needs).toMatchObject([{ address: `Site/shop/SiteDomain/${HOST}`, rule: 'O-14' }]);
    expect((await one.planned({ targets: [address] })).actions.map((action) => action.address)).toEqual([
      `Site/shop/SiteDomain/${HOST}`,
      address,
    ]);
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    const order = writes(one);
    expect(order.indexOf('PATCH /api/sites/site-shop/domains/dom-www-shop')).toBeLessThan(
      order.indexOf('DELETE /api/sites/site-shop/domain/dom-shop'),
    );
    expect(one.sandbox.snapshot()).toMatchObject({
      sites: {
        'site-shop': { primaryDomain: HOST, domains: { [HOST]: 'cname' } },
        'site-blog': { domains: { 'blog.example.com': 'cname', 'shop.example.com': 'cname' } },
      },
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('a reviewed set still holds when the promotion was done before', async () => {
    const one = await openHarness({ files: movingPrimary });
    const approved = (await one.planned()).actions.map(({ digest }) => digest);
    const shop = one.sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.primaryDomainId = 'dom-www-shop';
    expect((await one.apply({ approved })).outcome).toMatchObject({ exitCode: 0 });
  });

  it('goes to a site that is still to be bought, once it is there', async () => {
    const launch = manifest('Site', 'launch', {
      plan: 'pro',
      order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      primaryDomain: HOST,
      domains: [{ hostname: HOST, moveFrom: 'Site/shop', attach: 'dns' }],
    });
    const one = await openHarness({
      files: { 'sites/shop.json': moving['sites/shop.json'], 'sites/launch.json': launch },
    });
    await ledgerCommand(one.session(), { do: 'init' });
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/launch', `Site/launch/SiteDomain/${HOST}`]);
    expect(plan.actions[1]).toMatchObject({
      locks: ['Site/launch', 'Site/shop'],
      needs: [{ address: 'Site/launch', rule: 'O-06' }],
    });
    const { outcome } = await one.apply({ plan, allowCharges: 1 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    const { sites } = one.sandbox.snapshot() as { sites: Record<string, { primaryDomain: string; domains: object }> };
    expect(
      Object.entries(sites)
        .filter(([id]) => !id.startsWith('site-'))
        .map(([, { primaryDomain, domains }]) => [primaryDomain, domains]),
    ).toEqual([[HOST, { [HOST]: 'dns' }]]);
    expect(sites['site-shop']?.domains).toEqual({ 'shop.example.com': 'dns' });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('O-71: comes before the site that it leaves is deleted, whose last and primary hostname it may be', async () => {
    const one = await openHarness({
      files: {
        'sites/docs.json': siteManifest('docs', {}, { lifecycle: { state: 'absent' } }),
        'sites/blog.json': siteManifest('blog', { domains: [{ hostname: 'docs.example.com', moveFrom: 'Site/docs' }] }),
      },
    });
    const plan = await one.planned();
    expect(plan.actions.map(({ address, verb, needs }) => [verb, address, needs.map(({ rule }) => rule)])).toEqual([
      ['create', 'Site/blog/SiteDomain/docs.example.com', []],
      ['delete', 'Site/docs', ['O-71']],
    ]);
    expect(plan.actions[1]?.holds?.[0]).toEqual({ what: 'hostname', count: 0, names: [] });
    expect((await one.apply({ allowDeletes: 1 })).outcome).toMatchObject({ exitCode: 0 });
    expect(one.sandbox.snapshot()).toMatchObject({ sites: { 'site-blog': { primaryDomain: 'docs.example.com' } } });
  });

  it('leaves the list of the old site as it was reviewed, where that list is the whole list', async () => {
    const one = await openHarness({
      files: {
        'sites/shop.json': siteManifest('shop', {
          primaryDomain: 'new.example.com',
          domains: [],
          unlisted: { domains: 'remove' },
        }),
        'sites/blog.json': moving['sites/blog.json'],
      },
    });
    const plan = await one.planned();
    expect(plan.actions.map(({ address, verb }) => `${verb} ${address}`)).toEqual([
      'create Site/blog/SiteDomain/blog.example.com',
      `create ${ADDRESS}`,
      'create Site/shop/SiteDomain/new.example.com',
      'delete Site/shop/SiteDomain/shop.example.com',
    ]);
    const { outcome } = await one.apply({ plan, allowDeletes: 1 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(one.sandbox.snapshot()).toMatchObject({
      sites: { 'site-shop': { domains: { 'new.example.com': 'cname' } } },
    });
  });

  it('is found by its own site without an id: what it takes from another names nothing', async () => {
    const blog = manifest('Site', 'papers', {
      domains: ['docs.example.com', { hostname: HOST, moveFrom: 'Site/shop' }],
    });
    const one = await openHarness({ files: { 'sites/shop.json': moving['sites/shop.json'], 'sites/docs.json': blog } });
    expect((await one.planned()).actions).toMatchObject([
      { address: `Site/papers/SiteDomain/${HOST}`, reason: containing('Site/shop') },
    ]);
    await converge(one);
  });

  it("forgets that the hostname was the old site's own", async () => {
    const one = await openHarness({
      files: { 'sites/shop.json': siteManifest('shop', { domains: ['shop.example.com', HOST] }) },
    });
    await one.apply();
    await one.write('sites/shop.json', moving['sites/shop.json']);
    await one.write('sites/blog.json', moving['sites/blog.json']);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    const { view } = await ledgerCommand(one.session(), { do: 'list' });
    expect([...(view?.objects.keys() ?? [])].filter((address) => address.endsWith(HOST))).toEqual([ADDRESS]);
  });
});

describe('a consent', () => {
  it.each([
    [
      'none, and a manifest has it',
      {},
      `the hostname is attached to Site/shop (id site-shop)`,
      'Write `moveFrom: Site/shop`',
    ],
    [
      'for another site',
      { moveFrom: 'Site/docs' },
      'moveFrom says Site/docs, but the hostname is attached to Site/shop (id site-shop)',
      'Write `moveFrom: Site/shop`',
    ],
    [
      'for a manifest that nobody knows',
      { moveFrom: 'Site/nobody' },
      'moveFrom says Site/nobody',
      'Write `moveFrom: Site/shop`',
    ],
  ])('%s: an obstacle that says who has it and what to write', async (_name, extra, reason, remedy) => {
    const one = await openHarness({
      files: {
        ...moving,
        'sites/docs.json': siteManifest('docs', {}),
        'sites/blog.json': siteManifest('blog', { domains: [{ hostname: HOST, ...extra }] }),
      },
    });
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.blocked).toMatchObject([
      { address: ADDRESS, reason: containing(reason), remedy: containing(remedy), rule: 'O-14' },
    ]);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3 });
    expect(writes(one)).toEqual([]);
  });

  it('names the id where no manifest that was read has it, and never takes from another account', async () => {
    const one = await openHarness({
      files: {
        'sites/blog.json': siteManifest('blog', {
          domains: [
            { hostname: HOST, moveFrom: 'Site/shop' },
            { hostname: 'www.example.org', moveFrom: 'Site/shop' },
          ],
        }),
      },
    });
    expect((await one.planned()).blocked).toMatchObject([
      {
        address: `Site/blog/SiteDomain/www.example.org`,
        reason: 'the hostname is attached to another site (id site-foreign)',
      },
      {
        address: ADDRESS,
        reason: containing('another site (id site-shop)'),
        remedy: containing('metadata.id: site-shop'),
      },
    ]);
  });

  it('to what is attached nowhere asks for a plain attach', async () => {
    const one = await openHarness({
      files: {
        'sites/shop.json': moving['sites/shop.json'],
        'sites/blog.json': siteManifest('blog', {
          domains: [{ hostname: 'fresh.example.com', moveFrom: 'Site/shop' }],
        }),
      },
    });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      { reason: 'will be created', changes: [{ path: '/hostname' }], locks: ['Site/blog'] },
    ]);
    expect((await one.apply({ plan })).outcome).toMatchObject({ exitCode: 0 });
  });

  it.each(['shop', 'blog'])('HW2201: protection of %s forbids it', async (who) => {
    const files = {
      'sites/shop.json': siteManifest(
        'shop',
        { domains: ['shop.example.com'] },
        { lifecycle: { protect: who === 'shop' } },
      ),
      'sites/blog.json': siteManifest('blog', consenting, { lifecycle: { protect: who === 'blog' } }),
    };
    const one = await openHarness({ files });
    expect(actionOf(await one.planned(), ADDRESS)?.protected).toBe(true);
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW2201', address: ADDRESS })]) as unknown,
    });
    expect(writes(one)).toEqual([]);
  });

  it('O-14: to a primary domain is not enough where nothing takes its place', async () => {
    const one = await openHarness({
      files: {
        'sites/shop.json': siteManifest('shop', { domains: [HOST] }),
        'sites/blog.json': movingPrimary['sites/blog.json'],
      },
    });
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/blog/SiteDomain/blog.example.com']);
    expect([plan.blocked, plan.unmanaged]).toMatchObject([
      [
        {
          address: 'Site/blog/SiteDomain/shop.example.com',
          reason: containing('primary domain of Site/shop'),
          remedy: containing('primaryDomain of Site/shop'),
        },
      ],
      [],
    ]);
  });

  it("O-14: two sites that want each other's primary domain are told the way out, and it works", async () => {
    const docs = { primaryDomain: 'docs.example.com', domains: ['docs.example.com'] };
    const swap = {
      'sites/shop.json': siteManifest('shop', {
        primaryDomain: 'docs.example.com',
        domains: [{ hostname: 'docs.example.com', moveFrom: 'Site/docs' }, HOST],
      }),
      'sites/docs.json': siteManifest('docs', {
        primaryDomain: 'shop.example.com',
        domains: [{ hostname: 'shop.example.com', moveFrom: 'Site/shop' }],
      }),
    };
    const one = await openHarness({ files: swap });
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    const wayOut = (holder: string) =>
      `Swap in two runs. First leave these hostnames where they are, and name a third hostname as primaryDomain of ${holder}. When that is applied, write the swap as it is now.`;
    expect(plan.blocked.map(({ address, remedy }) => [address, remedy])).toEqual([
      ['Site/docs/SiteDomain/shop.example.com', wayOut('Site/shop')],
      ['Site/shop/SiteDomain/docs.example.com', wayOut('Site/docs')],
    ]);
    await one.write(
      'sites/shop.json',
      siteManifest('shop', { primaryDomain: HOST, domains: ['shop.example.com', HOST] }),
    );
    await one.write('sites/docs.json', siteManifest('docs', docs));
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    for (const [file, text] of Object.entries(swap)) await one.write(file, text);
    const { outcome } = await one.apply({ allowDeletes: 2 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(one.sandbox.snapshot()).toMatchObject({
      sites: { 'site-shop': { primaryDomain: 'docs.example.com' }, 'site-docs': { primaryDomain: 'shop.example.com' } },
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

describe('what happens between the review and the run', () => {
  const takeAway = ({ sandbox }: Harness, to?: string): void => {
    const { sites } = sandbox.state;
    const shop = sites.get('site-shop');
    const domain = shop?.domains.find(({ id }) => id === 'dom-www-shop');
    if (shop === undefined || domain === undefined) throw new Error('no site');
    shop.domains = shop.domains.filter((one) => one !== domain);
    if (to !== undefined) sites.get(to)?.domains.push({ ...domain, id: 'dom-elsewhere' });
  };

  it.each([undefined, 'site-docs'])(
    'a hostname that is no longer there (now: %s) is a conflict, and nothing is sent',
    async (to) => {
      const one = await openHarness({ files: moving });
      expect((await one.apply(afterPlanning(() => takeAway(one, to)))).outcome).toMatchObject({
        exitCode: 4,
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW4001', address: ADDRESS })]) as unknown,
      });
      expect(writes(one)).toEqual([]);
    },
  );

  it('one that is here already is done already', async () => {
    const one = await openHarness({ files: moving });
    const plan = await one.planned();
    takeAway(one, 'site-blog');
    const { outcome } = await one.apply({ plan });
    expect(outcome).toMatchObject({
      exitCode: 0,
      actions: expect.arrayContaining([
        expect.objectContaining({ address: ADDRESS, result: 'already-done' }),
      ]) as unknown,
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('one that became the primary domain is a conflict', async () => {
    const one = await openHarness({ files: moving });
    const shop = one.sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    const change = (): void => {
      shop.primaryDomainId = 'dom-www-shop';
    };
    expect((await one.apply(afterPlanning(change))).outcome).toMatchObject({ exitCode: 4 });
    expect(writes(one)).toEqual([]);
  });

  it('one that a third site takes in the midst of it stays there', async () => {
    const one = await openHarness({
      files: {
        ...moving,
        'sites/blog.json': siteManifest('blog', { domains: [{ hostname: HOST, moveFrom: 'Site/shop' }] }),
      },
      ambiguities: { 'GAP-19': 'move' },
    });
    const emit = (event: { readonly type: string; readonly step?: string }): void => {
      if (event.type === 'step-started' && event.step === 'free')
        one.sandbox.state.sites.get('site-docs')?.domains.push({
          id: 'dom-third',
          hostname: HOST,
          method: 'cname',
          forceSsl: true,
          hasCertificate: false,
          records: [],
          createdAt: 0,
          updatedAt: 0,
          hidden: null,
        });
    };
    const { outcome } = await one.apply({}, { emit });
    expect(outcome).toMatchObject({ exitCode: 3, actions: [{ address: ADDRESS, result: 'waiting' }] });
    expect(one.sandbox.snapshot()).toMatchObject({
      sites: { 'site-docs': { domains: { [HOST]: 'cname' } }, 'site-blog': { domains: {} } },
    });
  });
});

describe('every reading of what the documents leave open', () => {
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([gap]) => /GAP-(06|09|17|18|19|20)|late|listOrder/.test(gap))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));

  it.each(ambiguities)('%s = %s: converges', async (gap, value) => {
    const one = await openHarness({ files: moving, ambiguities: { [gap]: value } });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(one.sandbox.snapshot()).toMatchObject(moved);
    expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

describe.each([
  ['an alias', moving, moved],
  [
    'the primary domain',
    movingPrimary,
    { sites: { 'site-shop': { primaryDomain: HOST, domains: { [HOST]: 'cname' } } } },
  ],
] as const)('a move of %s, broken off', (what, files, wanted) => {
  const story: Story = {
    name: `a move of ${what}`,
    options: { files },
    run: async (one, extra) => (await one.apply({}, extra)).outcome,
    check: (one, where) => {
      expect(one.sandbox.snapshot(), where).toMatchObject(wanted);
      // It is taken from the site that had it, and from no other.
      expect(
        new Set(one.sandbox.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).size,
        where,
      ).toBe(1);
    },
  };

  it('by a death at any event goes on', () => deathLoop(story));

  killLoop(story);
});
