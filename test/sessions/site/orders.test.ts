// Buying, resizing and deleting sites: every payment outcome, every reading of what a resize answers, lost answers,
// deaths in the midst. The oracle of "never charged twice" is the sandbox's own count of processed purchases.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { headLines } from '../../../src/report/view/head-lines.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import type { Mishap, Story } from '../../support/loops.ts';
import { confirmNotMade, deathLoop, killLoop, mishap } from '../../support/loops.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const example = 'a-site-from-nothing';
/** The example with another manifest of a site in place of its own, from `metadata` on. */
const launchAs = (text: string) => ({
  files: { 'sites/launch.yaml': `apiVersion: hostwright/v1\nkind: Site\nmetadata: ${text}` },
});

function start(options: HarnessOptions = {}, ledger = true): Promise<Harness> {
  return openHarness({ example, ...options, ...(ledger && { ledger }) });
}

function bought({ sandbox }: Harness): number {
  return [...sandbox.creations]
    .filter(([name]) => name.startsWith('site order'))
    .reduce((sum, [, times]) => sum + times, 0);
}

/** The sites that were not there before. */
function newSites({ sandbox }: Harness): readonly unknown[] {
  const { sites } = sandbox.snapshot() as { readonly sites: Readonly<Record<string, unknown>> };
  return Object.entries(sites)
    .filter(([id]) => !id.startsWith('site-'))
    .map(([, site]) => site);
}

const finished = {
  account: 'acc-acme',
  name: 'Launch',
  package: 'pro',
  primaryDomain: 'launch.example.com',
  domains: { 'launch.example.com': 'cname', 'www.launch.example.com': 'dns' },
  php: '8.3',
  layers: { nginx: true },
  cdn: { caching: { cache_expiration: 600 } },
  edgeRules: { 'force tls': { ActionType: 0, Enabled: true, Triggers: [{ Type: 0, PatternMatches: ['http://*'] }] } },
};

describe('a site from nothing', () => {
  it('O-05, O-06: is bought, named, given its hostnames, and its settings are planned when it is there', async () => {
    const one = await start();
    const plan = await one.planned();
    expect(plan.actions.map(({ address, verb }) => `${verb} ${address}`)).toEqual([
      'create Site/launch',
      'create Site/launch/SiteDomain/launch.example.com',
      'create Site/launch/SiteDomain/www.launch.example.com',
    ]);
    expect(plan.actions[0]).toMatchObject({
      risk: ['charge'],
      locks: ['Site/launch', 'billing'],
      requires: { userCredential: true, closedToOauth: true },
    });
    expect(plan.actions[1]?.needs).toMatchObject([{ address: 'Site/launch', rule: 'O-06' }]);
    expect(plan.deferred.map(({ address }) => address).sort()).toEqual([
      'Site/launch/CacheLayer',
      'Site/launch/Caching',
      'Site/launch/EdgeRule',
      'Site/launch/PhpVersion',
    ]);
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done', remaining: [] });
    expect(newSites(one)).toMatchObject([finished]);
    expect(bought(one)).toBe(1);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('what shows only when it is there runs unreviewed only when its verb is approved', async () => {
    const one = await start();
    const { outcome } = await one.apply({ approve: ['create'] });
    expect(outcome).toMatchObject({ exitCode: 3 });
    const left = outcome.remaining
      .filter(({ reason }) => reason.includes('nobody reviewed it'))
      .map(({ address }) => address);
    expect(left).toContain('Site/launch/Caching');
    expect(outcome.actions.map(({ verb }) => verb).every((verb) => verb === 'create')).toBe(true);
    expect((await one.apply({ approve: ['create', 'update'] })).outcome.exitCode).toBe(0);
    expect([newSites(one), bought(one)]).toMatchObject([[finished], 1]);
  });

  it('a saved plan runs its deferred sections too, for what was declared when it was made', async () => {
    const one = await start();
    const plan = await one.planned();
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(newSites(one)).toMatchObject([finished]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('a saved plan leaves what the manifests say otherwise by now to the next plan', async () => {
    const one = await start();
    const plan = await one.planned();
    await one.write(
      'sites/launch.yaml',
      (await import('node:fs'))
        .readFileSync(`${one.root}/sites/launch.yaml`, 'utf8')
        .replace('cacheExpiration: 600', 'cacheExpiration: 601'),
    );
    const { outcome } = await one.apply({ plan });
    expect(outcome).toMatchObject({ exitCode: 3, remaining: [{ address: 'Site/launch/Caching' }] });
    expect(newSites(one)).toMatchObject([{ php: '8.3', layers: { nginx: true } }]);
  });

  it.each([
    ['HW2204', { allowCharges: 0 }, true],
    ['HW2205', { maxSpend: '100.00 EUR' }, true],
    ['HW2206', {}, false],
  ] as const)('%s: nothing is bought past a ceiling, or without a complete ledger', async (code, options, ledger) => {
    const one = await start({}, ledger);
    const { outcome } = await one.apply(options);
    expect(outcome).toMatchObject({
      exitCode: 5,
      outcome: 'refused',
      diagnostics: expect.arrayContaining([expect.objectContaining({ code })]) as unknown,
    });
    expect(outcome.requests.writes).toBe(0);
    expect(bought(one)).toBe(0);
  });

  it('ORD-23: without an order block nothing is ever bought', async () => {
    const one = await start(launchAs('{ name: launch }\nspec: { plan: pro, caching: { smartCache: true } }\n'));
    const plan = await one.planned();
    expect(plan).toMatchObject({ actions: [], deferred: [], blocked: [{ address: 'Site/launch', rule: 'ORD-23' }] });
  });

  it('ORD-22: an order without a plan says so', async () => {
    const one = await start(
      launchAs('{ name: launch }\nspec: { order: { variant: vanilla, location: ams, term: monthly } }\n'),
    );
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ address: 'Site/launch', rule: 'ORD-22' }] });
  });

  it('DOM-15: a hostname that is attached elsewhere is told before anything is bought', async () => {
    const one = await start(
      launchAs(
        '{ name: launch }\nspec:\n  plan: pro\n  order: { variant: vanilla, location: ams, term: monthly }\n  domains: [launch.example.com, www.example.org]\n',
      ),
    );
    const plan = await one.planned();
    expect(plan.blocked).toMatchObject([{ address: 'Site/launch/SiteDomain/www.example.org', rule: 'O-14' }]);
    expect(plan.actions.map(({ address }) => address)).toEqual([
      'Site/launch',
      'Site/launch/SiteDomain/launch.example.com',
    ]);
  });
});

describe('payment', () => {
  const pay = async (one: Harness): Promise<void> => {
    const [token] = [...one.sandbox.state.carts.keys()];
    await fetch(`${one.sandbox.url}/_sandbox/carts/${token}/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'complete' }),
    });
  };

  it.each(['billing-3ds', 'billing-declined'])(
    'ORD-16, ORD-17: %s waits for a person, says where, and goes on when that person has paid',
    async (scenario) => {
      const one = await start({ scenario });
      const { outcome } = await one.apply();
      expect(outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
      expect(outcome.actions[0]?.reason).toContain('https://pay.sandbox.example/invoices/');
      expect(outcome.actions.slice(1).every(({ result }) => result === 'skipped')).toBe(true);
      const waiting = await one.planned();
      expect(waiting.actions).toEqual([]);
      expect(waiting.waiting[0]?.reason).toContain('https://pay.sandbox.example/invoices/');
      await pay(one);
      const second = await one.apply();
      expect(second.outcome, JSON.stringify(second.outcome, null, 1)).toMatchObject({ exitCode: 0 });
      expect(newSites(one)).toMatchObject([finished]);
      expect(bought(one)).toBe(1);
    },
  );

  it('ORD-12: a cart that expires was not bought; the next plan buys anew', async () => {
    const one = await start({ scenario: 'billing-3ds' });
    await one.apply();
    one.sandbox.clock.advance(2 * 86_400_000);
    const { outcome } = await one.apply({ resumeOnly: true });
    expect(outcome).toMatchObject({ outcome: 'error', actions: [{ address: 'Site/launch', result: 'failed' }] });
    expect((await one.planned()).actions[0]).toMatchObject({ address: 'Site/launch', verb: 'create' });
  });

  it('ORD-18: a bank transfer takes days, and every run until then says so', async () => {
    const one = await start({ scenario: 'billing-bank' });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    one.sandbox.clock.advance(4 * 86_400_000);
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(bought(one)).toBe(1);
  });

  it('ORD-14: where somebody else bills the order is waited for, never the payment', async () => {
    const one = await start({ scenario: 'billing-external' });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(newSites(one)).toMatchObject([finished]);
  });

  it.each([
    ['billing-no-method', 'no_default_payment_method'],
    ['billing-trial', 'trial_account'],
  ])('%s: refused beforehand, nothing in flight', async (scenario, code) => {
    const one = await start({ scenario });
    const { outcome } = await one.apply();
    expect(outcome.actions[0]).toMatchObject({ result: 'failed', reason: containing(code) });
    expect((await one.planned()).waiting).toEqual([]);
    expect(bought(one)).toBe(0);
  });

  it('ORD-28: a location without stock blocks, and is tried again by the next run', async () => {
    const one = await start();
    await fetch(`${one.sandbox.url}/_sandbox/locations/ams`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ soldOutFor: 1 }),
    });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked' }, { result: 'skipped' }, { result: 'skipped' }],
    });
    expect(bought(one)).toBe(0);
  });
});

describe('a lost answer to an order', () => {
  const lost = (at: number): Fault => ({ kind: 'reset-after', at });
  const orderAt = async (): Promise<number> => {
    const one = await start();
    await one.apply();
    const at = one.sandbox.requests.findIndex(({ method, path }) => method === 'POST' && path === '/api/orders') + 1;
    await one.close();
    return at;
  };

  it('GAP-11: is settled by the orders made since, never by a second POST', async () => {
    const at = await orderAt();
    const one = await start({ faults: [lost(at)] });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(bought(one)).toBe(1);
    expect(newSites(one)).toMatchObject([finished]);
  });

  it('ORD-44: that nothing shows proves nothing: no second POST, in any run, until a person has spoken', async () => {
    const at = await orderAt();
    const one = await start({ faults: [{ kind: 'reset-before', at }] });
    const first = await one.apply();
    expect(first.outcome.actions[0]).toMatchObject({ result: 'unknown-outcome' });
    expect(first.outcome.diagnostics.map(({ detail }) => detail).join()).toContain(
      'hostwright ledger confirm Site/launch',
    );
    await one.apply();
    expect(bought(one)).toBe(0);
    await ledgerCommand(one.session(), { do: 'confirm', address: 'Site/launch', notMade: true });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    expect(bought(one)).toBe(1);
  });

  it('ORD-44: a bank transfer whose answer was lost is found when its order appears', async () => {
    const at = await orderAt();
    const one = await start({ scenario: 'billing-bank', faults: [lost(at)] });
    expect((await one.apply()).outcome.actions[0]).toMatchObject({ result: 'unknown-outcome' });
    one.sandbox.clock.advance(4 * 86_400_000);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    expect(bought(one)).toBe(1);
  });

  it('`ledger confirm --id` records the site that a person found; nothing is written to it until the manifest has the id [ORD-43]', async () => {
    const at = await orderAt();
    const one = await start({ scenario: 'billing-bank', faults: [lost(at)] });
    await one.apply();
    one.sandbox.clock.advance(4 * 86_400_000);
    const [site] = [...one.sandbox.state.sites.values()].filter(({ id }) => !id.startsWith('site-'));
    await ledgerCommand(one.session(), { do: 'confirm', address: 'Site/launch', id: site?.id ?? '' });
    const writes = one.writes();
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 3,
      remaining: [{ is: 'blocked', address: 'Site/launch', remedy: containing(`metadata: { id: ${site?.id ?? ''} }`) }],
    });
    expect(one.writes()).toEqual(writes);
    const text = await readFile(join(one.root, 'sites/launch.yaml'), 'utf8');
    await one.write('sites/launch.yaml', text.replace('name: launch\n', `name: launch\n  id: ${site?.id ?? ''}\n`));
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(newSites(one)).toMatchObject([finished]);
    expect(bought(one)).toBe(1);
  });
});

const second =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: second }\nspec:\n  plan: pro\n  order: { variant: vanilla, location: ams, term: monthly }\n';

describe('several purchases', () => {
  it('O-72: go one at a time until the cart is journalled, then side by side', async () => {
    const one = await start({ files: { 'sites/second.yaml': second } });
    const { outcome } = await one.apply({ allowCharges: 2 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(newSites(one)).toHaveLength(2);
    const posts = one.sandbox.requests.filter(({ method, path }) => method === 'POST' && path === '/api/orders');
    expect(posts).toHaveLength(2);
  });

  it('O-02: while nobody knows what became of one, no other is sent, in this run or the next', async () => {
    const one = await start({ files: { 'sites/second.yaml': second } });
    await one.apply({ allowCharges: 2 });
    const at = one.sandbox.requests.findIndex(({ method, path }) => method === 'POST' && path === '/api/orders') + 1;
    await one.close();
    const again = await start({ files: { 'sites/second.yaml': second }, faults: [{ kind: 'reset-before', at }] });
    const { outcome } = await again.apply({ allowCharges: 2 });
    expect(outcome.actions.find(({ address }) => address === 'Site/launch')).toMatchObject({
      result: 'unknown-outcome',
    });
    expect(outcome.actions.find(({ address }) => address === 'Site/second')).toMatchObject({
      result: 'skipped',
      reason: containing('O-72'),
    });
    expect(await again.planned()).toMatchObject({ actions: [], blocked: [{ address: 'Site/second', rule: 'O-02' }] });
    expect(bought(again)).toBe(0);
  });

  it('GAP-11: an order of ours is never taken for the lost one of another', async () => {
    const one = await start({ files: { 'sites/second.yaml': second } });
    const begun = new Set<string>();
    const emit: Session['emit'] = (event) => {
      if (event.type !== 'step-started' || event.step !== 'order') return;
      begun.add(event.address);
      // The answer of the first is in the ledger by now; its order is still to come.
      if (begun.size === 2)
        one.sandbox.setFaults([{ kind: 'reset-before', match: { method: 'POST', path: '/api/orders' }, times: 1 }]);
    };
    const { outcome } = await one.apply({ allowCharges: 2 }, { emit });
    expect(
      outcome.actions
        .filter(({ address }) => /^Site\/[^/]+$/.test(address))
        .map(({ result }) => result)
        .sort(),
    ).toEqual(['done', 'unknown-outcome']);
    expect(newSites(one)).toHaveLength(1);
    expect(bought(one)).toBe(1);
  });

  it('GAP-11: nor is one of ours that was resized since, so that its last order is another', async () => {
    const one = await start({ files: { 'sites/launch.yaml': second } });
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    await one.write('sites/launch.yaml', second.replace('plan: pro', 'plan: max'));
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    await one.write('sites/third.yaml', second.replace('name: second', 'name: third'));
    one.sandbox.setFaults([{ kind: 'reset-before', match: { method: 'POST', path: '/api/orders' }, times: 1 }]);
    const { outcome } = await one.apply({ allowCharges: 1 });
    expect(outcome.actions.find(({ address }) => address === 'Site/third')).toMatchObject({
      result: 'unknown-outcome',
    });
    expect(newSites(one)).toHaveLength(1);
  });
});

describe('a resize', () => {
  const resize = {
    'sites/launch.yaml':
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\nspec:\n  name: blog\n  plan: max\n  cacheLayers: { redis: true }\n',
  };

  it.each(['cart', 'task', 'plain'])(
    'GAP-05 = %s: is followed, and the new layer comes after it (O-07)',
    async (reading) => {
      const one = await start({ files: resize, ambiguities: { 'GAP-05': reading } });
      const plan = await one.planned();
      expect(plan.actions).toMatchObject([
        { address: 'Site/blog', verb: 'update', risk: ['charge', 'restart'] },
        { address: 'Site/blog/CacheLayer/redis', needs: [{ address: 'Site/blog', rule: 'O-07' }] },
      ]);
      const { outcome } = await one.apply();
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
      expect(one.sandbox.snapshot()).toMatchObject({
        sites: { 'site-blog': { name: 'blog', package: 'max', layers: { redis: true } } },
      });
      expect([...one.sandbox.creations].filter(([name]) => name.startsWith('resize'))).toEqual([
        ['resize of site-blog to max', 1],
      ]);
      expect(isEmptyPlan(await one.planned())).toBe(true);
      one.sandbox.state.sites.get('site-blog')!.package = 'mini';
      const drift = await one.planned();
      expect(drift.actions.filter(({ changes }) => changes.some(({ path }) => path === '/plan'))).toHaveLength(1);
    },
  );

  it.each(['false', 'null', 'absent', 'as-left'])(
    'O-08, GAP-22 = %s: what the manifest switches off goes before it, what it switches on comes after it',
    async (reading) => {
      const spec = 'spec:\n  name: blog\n  plan: pro\n  cacheLayers: { redis: false, nginx: true }\n';
      const one = await start({
        files: { 'sites/launch.yaml': `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\n${spec}` },
        ambiguities: { 'GAP-22': reading },
      });
      const blog = one.sandbox.state.sites.get('site-blog')!;
      Object.assign(blog, { package: 'max' });
      Object.assign(blog.layers.redis, { on: true });
      const plan = await one.planned();
      expect(plan.actions).toMatchObject([
        { address: 'Site/blog/CacheLayer/redis', needs: [] },
        { address: 'Site/blog', needs: [{ address: 'Site/blog/CacheLayer/redis', rule: 'O-08' }] },
        { address: 'Site/blog/CacheLayer/nginx', needs: [{ address: 'Site/blog', rule: 'O-07' }] },
      ]);
      const { outcome } = await one.apply();
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
      expect(one.sandbox.snapshot()).toMatchObject({
        sites: { 'site-blog': { package: 'pro', layers: { redis: false, nginx: true } } },
      });
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('O-08: without the layer switched off first, nothing is charged', async () => {
    const spec = 'spec:\n  name: blog\n  plan: mini\n  cacheLayers: { redis: false }\n';
    const one = await start({
      files: { 'sites/launch.yaml': `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\n${spec}` },
      faults: [{ kind: 'status-before', status: 422, match: { method: 'DELETE' }, times: 9 }],
    });
    const blog = one.sandbox.state.sites.get('site-blog')!;
    Object.assign(blog, { package: 'max' });
    Object.assign(blog.layers.redis, { on: true });
    const { outcome } = await one.apply();
    expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual([
      ['Site/blog/CacheLayer/redis', 'failed'],
      ['Site/blog', 'skipped'],
    ]);
    expect(blog.package).toBe('max');
  });

  it.each(['cart', 'task', 'plain'])(
    'GAP-05 = %s: a lost answer is confirmed by the list of sites',
    async (reading) => {
      const probe = await start({ files: resize, ambiguities: { 'GAP-05': reading } });
      await probe.apply();
      const at =
        probe.sandbox.requests.findIndex(({ method, path }) => method === 'PATCH' && path === '/api/sites/site-blog') +
        1;
      await probe.close();
      const one = await start({
        files: resize,
        ambiguities: { 'GAP-05': reading },
        faults: [{ kind: 'reset-after', at }],
      });
      const { outcome } = await one.apply();
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
      expect([...one.sandbox.creations].filter(([name]) => name.startsWith('resize'))).toEqual([
        ['resize of site-blog to max', 1],
      ]);
    },
  );

  it('GAP-05: a live package that is the name of no plan is not compared, and the rest goes on', async () => {
    const one = await start(launchAs('{ name: blog, id: site-blog }\nspec: { name: Blog, plan: max }\n'));
    one.sandbox.state.sites.get('site-blog')!.package = 'Legacy 2019';
    const plan = await one.planned();
    expect(plan.blocked).toMatchObject([{ address: 'Site/blog', rule: 'GAP-05', reason: containing('Legacy 2019') }]);
    expect(plan.actions).toMatchObject([{ changes: [{ path: '/name' }] }]);
  });

  it.each([
    ['pendingDelete', 'being deleted'],
    ['suspended', 'unpaid invoice'],
  ] as const)(
    'SIT-08, GAP-08: of a site that is %s as a whole, as a read in it shows, nothing is planned, and that is told once',
    async (flag, reason) => {
      const spec =
        'spec:\n  name: Blog\n  plan: max\n  primaryDomain: new.example.com\n  cacheLayers: { redis: true }\n  phpVersion: "8.3"\n  beforeChange: { backup: true }\n';
      const one = await start(launchAs(`{ name: blog, id: site-blog }\n${spec}`));
      one.sandbox.state.sites.get('site-blog')![flag] = true;
      expect(await one.planned()).toMatchObject({
        actions: [],
        deferred: [],
        unknown: [],
        blocked: [{ address: 'Site/blog', rule: 'SIT-08', reason: containing(reason) }],
      });
      const { outcome } = await one.apply();
      expect(outcome).toMatchObject({
        exitCode: 3,
        actions: [],
        requests: { writes: 0 },
        remaining: [{ address: 'Site/blog' }],
      });
      one.sandbox.state.sites.get('site-blog')![flag] = false;
      expect((await one.planned()).actions.map(({ address }) => address)).toContain('Site/blog');
    },
  );

  it('a rename and a resize in one: the name alone first, then the plan with the new name', async () => {
    const one = await start(launchAs('{ name: blog, id: site-blog }\nspec: { name: Blog, plan: max }\n'));
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(one.sandbox.snapshot()).toMatchObject({ sites: { 'site-blog': { name: 'Blog', package: 'max' } } });
  });
});

describe('a plan and a location that the platform does not list', () => {
  const spec = 'plan: gold, order: { variant: vanilla, location: mars, term: monthly }';

  it.each(['objects', 'texts', 'nested'])(
    'GAP-07 = %s: are told when planning, with those that it lists, and once the site is there no more',
    async (reading) => {
      const one = await start({
        ...launchAs(`{ name: new }\nspec: { ${spec} }\n`),
        ambiguities: { 'GAP-07': reading },
      });
      const { notices } = await one.planned();
      expect(notices).toMatchObject(
        ['gold (GET /api/about lists', 'mars (GET /api/about lists'].map((detail) => ({
          code: 'HW2061',
          severity: 'warning',
          address: 'Site/new',
          detail: containing(detail),
        })),
      );
      await one.write(
        'sites/launch.yaml',
        `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec: { name: Renamed, ${spec.replace('gold', 'mini')} }\n`,
      );
      expect((await one.planned()).notices).toEqual([]);
      await one.write(
        'sites/launch.yaml',
        `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec: { ${spec} }\n`,
      );
      expect((await one.planned()).notices).toMatchObject([{ code: 'HW2061', detail: containing('gold') }]);
    },
  );
});

describe('a site that has left the list', () => {
  it('GAP-08: is not replaced by a purchase: a person looks, and says so', async () => {
    const one = await start({ ambiguities: { 'GAP-08': 'unlisted' } });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    [...one.sandbox.state.sites.values()].find(({ name }) => name === 'Launch')!.pendingDelete = true;
    const plan = await one.planned();
    expect(plan).toMatchObject({
      actions: [],
      manual: [{ address: 'Site/launch', rule: 'GAP-08', remedy: containing('hostwright ledger forget Site/launch') }],
    });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, actions: [], requests: { writes: 0 } });
    expect(bought(one)).toBe(1);
    await ledgerCommand(one.session(), { do: 'forget', address: 'Site/launch' });
    expect((await one.planned()).actions.map(({ address, verb }) => `${verb} ${address}`)).toContain(
      'create Site/launch',
    );
  });

  it('is bought anew after a deletion that this workspace asked for', async () => {
    const one = await start({ ambiguities: { 'GAP-08': 'unlisted' } });
    await one.apply();
    const text = await readFile(join(one.root, 'sites/launch.yaml'), 'utf8');
    await one.write('sites/launch.yaml', text.replace('\nspec:', '\nlifecycle: { state: absent }\nspec:'));
    expect((await one.apply({ allowDeletes: 1 })).outcome).toMatchObject({ exitCode: 0 });
    await one.write('sites/launch.yaml', text);
    expect((await one.planned()).actions.map(({ address, verb }) => `${verb} ${address}`)).toContain(
      'create Site/launch',
    );
  });
});

describe('a site that is to be absent', () => {
  const absent = {
    'sites/launch.yaml':
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs }\nlifecycle: { state: absent }\nspec: { domains: [docs.example.com] }\n',
  };

  it.each(['listed', 'unlisted'])(
    'GAP-08 = %s: is deleted last, once, with a warning, and stays so',
    async (reading) => {
      const one = await start({ files: absent, ambiguities: { 'GAP-08': reading } });
      const from = one.sandbox.requests.length;
      const plan = await one.planned();
      const read = one.sandbox.requests.slice(from).map(({ path }) => path);
      expect(read).toContain('/api/sites/site-docs/domains');
      expect(read).toEqual([...new Set(read)]);
      expect(plan.actions).toMatchObject([
        { address: 'Site/docs', verb: 'delete', risk: ['delete', 'irreversible'], stage: 'removal' },
      ]);
      expect(plan.notices).toMatchObject([{ code: 'HW2006', address: 'Site/docs' }]);
      expect(plan.actions[0]?.holds).toEqual([
        { what: 'hostname', count: 1, names: ['docs.example.com'] },
        { what: 'backup archive', count: 0 },
      ]);
      expect((await one.apply()).outcome).toMatchObject({ exitCode: 5 });
      const { outcome } = await one.apply({ allowDeletes: 1 });
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
      expect(one.sandbox.snapshot()).toMatchObject({ sites: { 'site-docs': { pendingDelete: true } } });
      expect(isEmptyPlan(await one.planned())).toBe(true);
      expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [] });
    },
  );

  it('promise 3: with metadata.id too, and also when the site has left the list', async () => {
    const one = await start({
      files: { 'sites/launch.yaml': absent['sites/launch.yaml'].replace('name: docs', 'name: docs, id: site-docs') },
    });
    expect((await one.apply({ allowDeletes: 1 })).outcome).toMatchObject({ exitCode: 0 });
    one.sandbox.state.sites.delete('site-docs');
    const { plan, diagnostics } = await one.plan();
    expect(plan).toMatchObject({ actions: [], summary: { unchanged: 1 } });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['HW2060', 'info']]);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [], remaining: [] });
  });

  it('a saved plan of it holds when it is looked at once more', async () => {
    const one = await start({ files: absent });
    expect((await one.apply({ plan: await one.planned(), allowDeletes: 1 })).outcome).toMatchObject({ exitCode: 0 });
  });

  it.each([[], ['Site/shop']])('says what is in it, as far as that can be read: target %s', async (...targets) => {
    const files = { 'sites/launch.yaml': absent['sites/launch.yaml'].replaceAll('docs', 'shop') };
    const one = await start({ files });
    const plan = await one.planned({ targets });
    const says =
      'Delete site shop: the manifest says `lifecycle.state: absent`; hostnames: shop.example.com, www.shop.example.com; backup archives:';
    expect(headLines(plan.actions).map(({ text }) => text)).toEqual([
      `${says} 1 of content (newest 2026-01-14), none of database; cannot be undone`,
    ]);
    await one.close();
    const refused: Fault = { kind: 'status-before', status: 403, match: { path: '/api/sites/site-shop/backups' } };
    const other = await (await start({ files, faults: [refused] })).planned({ targets });
    expect(headLines(other.actions)[0]?.text).toBe(`${says} not known; cannot be undone`);
    expect(other.digest).toBe(plan.digest);
  });

  it('is refused while it is protected', async () => {
    const one = await start({
      files: {
        'sites/launch.yaml': absent['sites/launch.yaml'].replace('state: absent', 'state: absent, protect: true'),
      },
    });
    expect((await one.apply({ allowDeletes: 1 })).outcome.diagnostics.map(({ code }) => code)).toContain('HW2201');
  });

  it('that was never there is as wanted', async () => {
    const one = await start(launchAs('{ name: none }\nlifecycle: { state: absent }\nspec: {}\n'));
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

const story: Story = {
  name: example,
  options: { example, ledger: true },
  run: async (one, extra) => (await one.apply({}, extra)).outcome,
  check: (one, where) => {
    expect(bought(one), where).toBe(1);
    expect(newSites(one), where).toMatchObject([finished]);
  },
  // Nobody can know by reading; the person who looks into the dashboard sees that nothing was bought.
  confirmLost: async (one, { actions }, where) => {
    if (actions.some(({ address, result }) => address === 'Site/launch' && result === 'unknown-outcome'))
      expect(bought(one), where).toBe(0);
    return confirmNotMade(one, { actions });
  },
};

describe('kill loop through a full order', () => {
  killLoop(story);

  it('a death at any sign of life is survived', () => deathLoop(story));
});

describe('a purchase that does not end as it should', () => {
  const control = (one: Harness, path: string, outcome: string): Promise<unknown> =>
    fetch(`${one.sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
  const pay = (one: Harness): Promise<unknown> =>
    control(one, `carts/${[...one.sandbox.state.carts.keys()].join()}/payment`, 'complete');
  const overSockets = { ...story, options: { example, ledger: true } as const };

  it.each<Mishap>([
    {
      name: '3-D Secure, and a person pays',
      options: { scenario: 'billing-3ds' },
      exitCode: 3,
      remedy: async (one) => void (await pay(one)),
    },
    {
      name: 'a declined card, and a person pays in another way',
      options: { scenario: 'billing-declined' },
      exitCode: 3,
      remedy: async (one) => void (await pay(one)),
    },
    {
      name: 'a bank transfer that takes days',
      options: { scenario: 'billing-bank' },
      exitCode: 3,
      remedy: (one) => Promise.resolve(one.sandbox.clock.advance(4 * 86_400_000)),
    },
    {
      name: 'an order that stands still, and is moved on',
      before: ({ sandbox }) => sandbox.state.taskFates.push({ name: 'order.', status: 'PENDING' }),
      exitCode: 3,
      remedy: async (one) => {
        const [task] = [...one.sandbox.state.tasks.values()].filter(({ name }) => name.startsWith('order.'));
        await fetch(`${one.sandbox.url}/_sandbox/tasks/${task?.id}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status: 'OK' }),
        });
      },
    },
  ])('$name: one purchase, done by the next run', (one) => mishap(overSockets, one));

  it.each<readonly [string, string, (one: Harness) => Promise<number>]>([
    [
      'an order that fails with its task',
      'small',
      async (one) => {
        one.sandbox.state.taskFates.push({ name: 'order.', status: 'FAILED' });
        return (await one.apply()).outcome.exitCode;
      },
    ],
    [
      'a cart that expires',
      'billing-3ds',
      async (one) => {
        await one.apply();
        one.sandbox.clock.advance(2 * 86_400_000);
        return (await one.apply({ resumeOnly: true })).outcome.exitCode;
      },
    ],
  ])('%s is said, in flight no more, and left to the next plan to buy anew', async (_name, scenario, meet) => {
    const one = await start({ scenario });
    expect([1, 6]).toContain(await meet(one));
    expect(newSites(one)).toEqual([]);
    const plan = await one.planned();
    expect(plan.waiting).toEqual([]);
    expect(plan.actions[0]).toMatchObject({ address: 'Site/launch', verb: 'create', risk: ['charge'] });
  });
});
