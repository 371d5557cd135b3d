import { describe, expect, it, vi } from 'vitest';
import { buildScenario } from '../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { sandboxes } from './sandboxes.ts';

const start = sandboxes();

describe('options are checked', () => {
  it.each([
    [{ scenario: 'huge' }, "unknown scenario 'huge'; there are: empty, small, guards, hostile, billing-bank"],
    [{ ambiguities: { 'GAP-99': 'x' } }, "unknown ambiguity 'GAP-99'; there are: GAP-01"],
    [{ ambiguities: { 'GAP-21': 'x' } }, "ambiguity 'GAP-21' cannot be 'x'; it is one of: replace, merge"],
    [{ ambiguities: { lateLists: 'x' } }, 'reads:N, ms:N'],
  ] as [SandboxOptions, string][])('%o', async (options, message) => {
    await expect(startSandbox(options)).rejects.toThrow(message);
  });
});

describe('what is remembered', () => {
  it('requests under /api, counted, without credentials', async () => {
    const { sandbox, client } = await start();
    await client.get('/api/sites?x=1');
    await fetch(`${sandbox.url}/_sandbox/creations`);
    await client.call('POST', '/api/sites/site-blog/domains', { domain: 'a.example.com', provision_method: 'dns' });
    expect(sandbox.requests).toMatchObject([
      {
        n: 1,
        method: 'GET',
        path: '/api/sites?x=1',
        status: 200,
        body: null,
        headers: { authorization: '[redacted]' },
      },
      { n: 2, method: 'POST', status: 200, body: { domain: 'a.example.com', provision_method: 'dns' } },
    ]);
    expect(JSON.stringify(sandbox.requests)).not.toContain('sandbox-api-key');
  });

  it('hooks run around the processing', async () => {
    const seen: unknown[] = [];
    const { sandbox, client } = await start({
      hooks: {
        before: ({ n }) => {
          seen.push(['before', n, purges()]);
        },
        after: ({ n, status }) => {
          seen.push(['after', n, purges(), status]);
        },
      },
    });
    const purges = () => sandbox.state.sites.get('site-shop')?.cdn.purges;
    await client.call('POST', '/api/sites/site-shop/cdn/caching/purge');
    expect(seen).toEqual([
      ['before', 1, 0],
      ['after', 1, 1, null],
    ]);
  });

  it('a snapshot that a person could have written', async () => {
    const { sandbox, client } = await start({ scenario: 'empty' });
    expect(sandbox.snapshot()).toEqual({ sites: {}, tasks: [] });
    const small = await start();
    await small.client.call('POST', '/api/sites/site-blog/domains', {
      domain: 'a.example.com',
      provision_method: 'dns',
    });
    expect(small.sandbox.snapshot()).toMatchObject({
      sites: {
        'site-blog': {
          account: 'acc-acme',
          primaryDomain: 'a.example.com',
          domains: { 'a.example.com': 'dns' },
          restarts: { cms: 0 },
        },
      },
    });
    expect((await client.get('/api/sites')).at('sites')).toEqual([]);
  });
});

describe('lists are not what one hopes for', () => {
  it('a late domain shows up after so many reads, or after a while', async () => {
    const { client } = await start({ ambiguities: { lateLists: 'reads:2' } });
    await client.call('POST', '/api/sites/site-blog/domains', { domain: 'a.example.com', provision_method: 'cname' });
    const read = async () => (await client.get('/api/sites/site-blog/domains')).column('domains', 'hostname').length;
    expect([await read(), await read(), await read()]).toEqual([0, 0, 1]);
    const timed = await start({ ambiguities: { lateLists: 'ms:300' } });
    await timed.client.call('POST', '/api/sites/site-blog/domains', {
      domain: 'a.example.com',
      provision_method: 'cname',
    });
    expect((await timed.client.get('/api/domains')).column('domains', 'hostname')).not.toContain('a.example.com');
    await timed.sandbox.clock.sleep(300);
    expect((await timed.client.get('/api/domains')).column('domains', 'hostname')).toContain('a.example.com');
  });

  it('the order of rows is not the order of creation, and may change between reads', async () => {
    const ids = async (listOrder: string) => {
      const { client } = await start({ scenario: 'sites:20', ambiguities: { listOrder } });
      const read = async () => ((await client.get('/api/sites')).at('sites') as { id: string }[]).map(({ id }) => id);
      return [await read(), await read()] as const;
    };
    const [stored] = await ids('stored');
    const [once, again] = await ids('shuffled');
    const [first, second] = await ids('reshuffled');
    expect(stored).toEqual([...stored].sort());
    expect(once).not.toEqual(stored);
    expect(again).toEqual(once);
    expect(second).not.toEqual(first);
  });

  it('hostile ids and names come through, lists included', async () => {
    const { sandbox, client } = await start({ scenario: 'hostile' });
    const listed = (await client.get('/api/sites')).column('sites', 'name');
    expect(listed).toContain('__proto__');
    for (const site of sandbox.state.sites.values()) {
      const path = `/api/sites/${encodeURIComponent(site.id)}`;
      expect((await client.get(path)).at('site', 'id')).toBe(site.id);
      const odd = site.domains[0]?.id ?? '';
      expect((await client.call('PATCH', `${path}/domains/${encodeURIComponent(odd)}`)).status).toBe(204);
      expect((await client.get(`${path}/cdn/caching`)).at('cookie_vary_parameters')).toBeNull();
    }
    expect(Object.keys((sandbox.snapshot() as { sites: object }).sites)).toContain('__proto__');
  });
});

describe('size', () => {
  it('ten thousand sites are built and listed', async () => {
    const { client } = await start({ scenario: 'sites:10000' });
    expect((await client.get('/api/sites')).column('sites', 'id').length).toBe(10_000);
    expect((await client.get('/api/domains')).column('domains', 'id').length).toBe(20_000);
  });
});

describe('the control surface', () => {
  it("changes a site behind the client's back", async () => {
    const { sandbox, client } = await start();
    await client.call('PATCH', '/_sandbox/sites/site-shop/caching', { vary_webp: true });
    await client.call('POST', '/_sandbox/sites/site-blog/domains', { hostname: 'b.example.com', method: 'dns' });
    await client.call('POST', '/_sandbox/sites/site-shop/domains', { hostname: 'c.example.com', primary: true });
    await client.call('DELETE', '/_sandbox/sites/site-docs/domains', { hostname: 'docs.example.com' });
    expect(sandbox.requests).toEqual([]);
    expect((await client.get('/api/sites/site-shop/cdn/caching')).at('vary_webp')).toBe(true);
    expect((await client.get('/api/sites')).column('sites', 'primary_domain')).toEqual([
      'b.example.com',
      'c.example.com',
      'site-docs.tmp.sandbox.example',
    ]);
    expect(sandbox.creations.size).toBe(0);
  });

  it('changes edge rules, PHP version, plan and layers, and decides what becomes of tasks', async () => {
    const { sandbox, client } = await start();
    await client.call('PATCH', '/_sandbox/sites/site-shop', {
      package: 'max',
      php: '8.1',
      layers: { redis: true, cdn: false },
    });
    await client.call('POST', '/_sandbox/sites/site-docs/edge_rules', { Description: 'new', ActionType: 4 });
    await client.call('PATCH', '/_sandbox/sites/site-shop/edge_rules/edge-headers', { Enabled: true });
    await client.call('DELETE', '/_sandbox/sites/site-shop/edge_rules/edge-old-shop');
    await client.call('POST', '/_sandbox/tasks/fates', { fates: [{ name: 'site.cache', status: 'FAILED' }] });
    expect(sandbox.snapshot()).toMatchObject({
      sites: {
        'site-shop': {
          package: 'max',
          php: '8.1',
          layers: { redis: true, cdn: false, nginx: true },
          edgeRules: { headers: { Enabled: true } },
        },
        'site-docs': { edgeRules: { new: { ActionType: 4 } } },
      },
    });
    const { sites } = sandbox.snapshot() as { sites: Record<string, { edgeRules: object }> };
    expect(Object.keys(sites['site-shop']?.edgeRules ?? {})).toEqual([
      '[platform] block bad bots',
      'force ssl',
      'headers',
      'made elsewhere',
    ]);
    await client.call('PATCH', '/api/sites/site-shop/cache/cdn');
    sandbox.clock.advance(10_000);
    expect((await client.get('/api/sites/site-shop/cache')).at('cdn')).toBe(false);
    expect((await client.get('/api/sites/site-shop/tasks/FAILED/filter')).column(null, 'name')).toEqual([
      'site.cache.cdn_enable',
    ]);
  });

  it('shows the store, the requests and the creations', async () => {
    const { client } = await start();
    await client.call('POST', '/api/sites/site-blog/domains', { domain: 'a.example.com', provision_method: 'dns' });
    expect((await client.call('GET', '/_sandbox/state')).at()).toMatchObject({
      sites: { 'site-shop': { name: 'shop' } },
      users: { 'user-rob': { siteRoles: { 'site-shop': 'none' } } },
    });
    expect((await client.call('GET', '/_sandbox/requests')).at()).toHaveLength(1);
    expect((await client.call('GET', '/_sandbox/creations')).at()).toEqual({ 'domain a.example.com on site-blog': 1 });
  });

  it('moves the clock and sets faults', async () => {
    const { sandbox, client } = await start();
    const before = sandbox.clock.now();
    const moved = await client.call('POST', '/_sandbox/clock', { advanceMs: 60_000 });
    expect(moved.at()).toEqual({ now: before + 60_000 });
    await client.call('POST', '/_sandbox/faults', { text: 'status-before:503' });
    expect((await client.get('/api/sites')).status).toBe(503);
    await client.call('POST', '/_sandbox/faults', { faults: [] });
    expect((await client.get('/api/sites')).status).toBe(200);
  });

  it.each([
    ['POST', '/clock', { advanceMs: 'x' }, 400],
    ['POST', '/clock', { advanceMs: -1 }, 400],
    ['POST', '/faults', { text: 'bang' }, 400],
    ['PATCH', '/sites/none/caching', {}, 404],
    ['DELETE', '/sites/site-shop/domains', { hostname: 'none' }, 400],
    ['POST', '/sites/site-shop/domains', {}, 400],
    ['POST', '/tasks/fates', {}, 400],
    ['PATCH', '/tasks/1', { status: 'OK' }, 404],
    ['PATCH', '/sites/site-shop/edge_rules/none', {}, 404],
    ['POST', '/carts/all/payment', { outcome: 'perhaps' }, 400],
    ['POST', '/carts/all/payment', { outcome: 'complete' }, 404],
    ['PATCH', '/accounts/none', {}, 404],
    ['PATCH', '/locations/none', {}, 404],
  ])('%s %s %o is refused', async (method, path, body, status) => {
    const { client } = await start();
    expect((await client.call(method, `/_sandbox${path}`, body)).status).toBe(status);
  });
});

describe('the clock', () => {
  it('is virtual unless told otherwise', async () => {
    const virtual = await start();
    const real = await start({ clock: 'real' });
    expect(virtual.sandbox.clock.now()).toBe(Date.UTC(2026, 0, 15, 9));
    expect(real.sandbox.clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 16));
    await virtual.sandbox.clock.sleep(3_600_000);
    expect(virtual.sandbox.clock.now()).toBe(Date.UTC(2026, 0, 15, 10));
    await real.sandbox.clock.sleep(1);
    await expect(real.sandbox.clock.sleep(3_600_000, AbortSignal.timeout(5))).rejects.toThrow();
  });

  it('lets what follows from an effect count from that effect, however far the clock jumps', async () => {
    const { sandbox, client } = await start({ scenario: 'billing-bank' });
    await client.call('POST', '/api/orders', {
      site: { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' },
    });
    sandbox.clock.advance(10 * 86_400_000);
    const order = (await client.get('/api/orders')).at('orders', 0) as { status: string; created_at: string };
    expect(order).toMatchObject({ status: 'completed', created_at: '2026-01-18T09:00:00.000Z' });
  });

  it('runs tasks in real time too', async () => {
    const { sandbox, client } = await start({ clock: 'real' });
    await client.call('POST', '/api/sites/site-blog');
    sandbox.clock.advance(60_000);
    expect((await client.get('/api/sites/site-blog/tasks')).column(null, 'status')).toEqual(['OK']);
  });
});

it('a scenario may be a function, and latency is real', async () => {
  const { client } = await start({ scenario: () => buildScenario('guards').state, latencyMs: 30 });
  const waits = vi.spyOn(globalThis, 'setTimeout');
  expect((await client.get('/api/sites')).column('sites', 'id')).toContain('site-healthy');
  expect(waits.mock.calls.map(([, ms]) => ms)).toContain(30);
});
