// Refusals, broken answers and surprises of the live side: a clear word, no write that rests on them, and everything
// else goes on.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

async function start(options: HarnessOptions): Promise<Harness> {
  return openHarness({ inProcess: false, memoryLedger: false, ...options });
}

const shop = {
  files: { 'sites/shop.json': siteManifest('shop', { domains: ['new.example.com'], caching: { cacheExpiration: 1 } }) },
};
const writes = ({ sandbox }: Harness) => sandbox.requests.filter(({ method }) => method !== 'GET');

describe('the guards of a site', () => {
  it('SIT-08: block a site of which nothing else is read: one read each, in plan, drift and apply', async () => {
    const names = ['healthy', 'suspended', 'leaving', 'everything'];
    const files = Object.fromEntries(
      names.map((name) => [
        `sites/${name}.json`,
        siteManifest(name, { plan: 'max', primaryDomain: `www.${name}.example.com` }),
      ]),
    );
    const { apply, planned, sandbox, root } = await start({ scenario: 'guards', files });
    const plan = await planned();
    expect(plan.blocked.map(({ address }) => address)).toEqual(['Site/everything', 'Site/leaving', 'Site/suspended']);
    expect(plan.actions.map(({ address }) => address)).toContain('Site/healthy');
    expect(plan.actions.filter(({ address }) => !address.startsWith('Site/healthy'))).toEqual([]);
    const below = () => sandbox.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/domains'));
    expect(below().filter(({ path }) => path.startsWith('/api/sites/'))).toHaveLength(names.length);
    for (const command of ['plan', 'drift']) {
      const told = await runCommand([command], { cwd: root, url: sandbox.url, clock: sandbox.clock });
      expect(told.stdout.replaceAll(/\s+/g, ' '), command).toContain('the site is being deleted and is locked');
    }
    await apply({ allowCharges: 5 });
    expect(sandbox.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('healthy'))).toEqual([]);
  });

  it('SIT-08: ask no more of a site below which something is read anyway', async () => {
    const { planned, sandbox } = await start({
      scenario: 'guards',
      files: { 'sites/leaving.json': siteManifest('leaving', { caching: { cacheExpiration: 77 } }) },
    });
    expect((await planned()).blocked.map(({ address }) => address)).toEqual(['Site/leaving']);
    expect(sandbox.requests.map(({ path }) => path)).not.toContain('/api/sites/site-leaving/domains');
  });

  it('block that site, and the others go on (SIT-08, CDN-01, GAP-20)', async () => {
    const names = [
      'healthy',
      'suspended',
      'leaving',
      'locked',
      'view-only',
      'no-cdn',
      'cdn-off',
      'cdn-down',
      'everything',
    ];
    const files = Object.fromEntries(
      names.map((name) => [
        `sites/${name}.json`,
        siteManifest(name, { caching: { smartCache: true, cacheExpiration: 77 } }),
      ]),
    );
    const { apply, planned, sandbox } = await start({ scenario: 'guards', files });
    const plan = await planned();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/healthy/Caching', 'Site/view-only/Caching']);
    expect(Object.fromEntries(plan.blocked.map(({ address, rule }) => [address, rule]))).toEqual({
      'Site/suspended': 'SIT-08',
      'Site/leaving': 'SIT-08',
      'Site/locked/Caching': 'CNV-16',
      'Site/no-cdn/Caching': 'GAP-20',
      'Site/cdn-off/Caching': 'GAP-20',
      'Site/everything': 'SIT-08',
    });
    expect(plan.unknown.map(({ address }) => address)).toEqual(['Site/cdn-down/Caching']);
    const { outcome } = await apply();
    expect(outcome.exitCode).toBe(1);
    expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual([
      ['Site/healthy/Caching', 'done'],
      ['Site/view-only/Caching', 'failed'],
    ]);
    expect(siteOf(sandbox, 'healthy').cdn.caching.cache_expiration).toBe(77);
    expect(
      sandbox.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('view-only')),
    ).toHaveLength(1);
  });
});

describe('the credential', () => {
  it.each([
    ['no-such-token', 'HW3001'],
    ['', 'HW3002'],
  ])('%o: nothing is planned', async (token, code) => {
    const { plan, apply, sandbox } = await start(shop);
    expect((await plan({}, { token })).diagnostics).toMatchObject([{ code, severity: 'error' }]);
    expect((await apply({}, { token })).outcome).toMatchObject({ exitCode: 1, diagnostics: [{ code }] });
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('CNV-10: without the scope for a list, what rests on it is unknown', async () => {
    const { plan } = await start(shop);
    const { plan: made } = await plan({}, { token: oauthToken(['sites:read']) });
    expect(made?.unknown).toMatchObject([{ address: 'Site', rule: 'CNV-10' }]);
    expect(made?.actions).toEqual([]);
  });

  it('CNV-10: without the scope to write, the action fails and says so', async () => {
    const { apply, sandbox } = await start(shop);
    const { outcome } = await apply({}, { token: oauthToken(['sites:read', 'domains:read', 'domains:write']) });
    expect(outcome.actions).toMatchObject([
      { address: 'Site/shop/SiteDomain/new.example.com', result: 'done' },
      { address: 'Site/shop/Caching', result: 'failed', reason: containing('scope') },
    ]);
    expect(outcome.exitCode).toBe(6);
    expect(siteOf(sandbox).cdn.caching.cache_expiration).toBe(3600);
  });

  it('is checked before the first write where the workspace describes it', async () => {
    const workspace =
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  credential: { type: oauth, scopes: [sites:read] }\n';
    const started = await start({ ...shop, workspace });
    expect((await started.apply()).outcome).toMatchObject({ exitCode: 1, diagnostics: [{ code: 'HW2203' }] });
    expect(writes(started)).toEqual([]);
  });

  it('CNV-08: another account shows none of these sites, and nothing is written', async () => {
    const started = await start(shop);
    const { outcome } = await started.apply({}, { overrides: { baseUrl: started.sandbox.url, account: 'acc-nobody' } });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW2001');
    expect(writes(started)).toEqual([]);
  });
});

describe('answers that are not what they should be', () => {
  it.each([
    ['HTML', { kind: 'html' }],
    ['truncated JSON', { kind: 'truncate' }],
    ['no JSON', { kind: 'garbage' }],
    ['a list that is no list', { kind: 'not-a-list' }],
    ['503', { kind: 'status-before', status: 503 }],
  ] as const)('%s for ever: unknown, and no write', async (_name, fault) => {
    const started = await start({
      ...shop,
      faults: [{ ...fault, match: { method: 'GET', path: '/api/domains' }, times: 1000 }],
    });
    const { outcome } = await started.apply();
    expect(outcome.exitCode).toBe(1);
    expect(outcome.remaining.map(({ address }) => address)).toContain('Site');
    expect(writes(started)).toEqual([]);
  });

  it('two live hostnames of one name: that list is left as it is, with the ids of both, and everything else goes on', async () => {
    const started = await start({
      files: {
        'sites/shop.json': siteManifest('shop', {
          domains: ['shop.example.com', 'new.example.com'],
          caching: { cacheExpiration: 1 },
        }),
        'sites/docs.json': siteManifest('docs', { domains: ['more.example.com'] }),
      },
    });
    const live = siteOf(started.sandbox);
    addDomain(started.sandbox.state, live, { hostname: 'SHOP.example.com' });
    const { id } = live.domains.at(-1)!;
    const { outcome } = await started.apply();
    expect(outcome).toMatchObject({
      exitCode: 3,
      remaining: [{ address: 'Site/shop/SiteDomain', reason: containing(id) }],
    });
    expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual([
      ['Site/docs/SiteDomain/more.example.com', 'done'],
      ['Site/shop/Caching', 'done'],
    ]);
    // Nothing is written down of an object that nobody can tell from another.
    expect([...((await ledgerCommand(started.session(), { do: 'list' })).view?.objects.keys() ?? [])]).not.toContain(
      'Site/shop/SiteDomain/shop.example.com',
    );
  });

  it('a hostile account: every string survives, nothing breaks, the store is as wanted', async () => {
    const files = Object.fromEntries(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => [
        `sites/s${index}.json`,
        manifest('Site', `s${index}`, {
          domains: [`h${index}.example.net`, `www.h${index}.example.net`, `extra${index}.example.net`],
          caching: { varyCookie: true },
        }),
      ]),
    );
    const { apply, planned, sandbox } = await start({ scenario: 'hostile', files });
    const { outcome } = await apply();
    expect(outcome.exitCode).toBe(0);
    expect((await planned()).actions).toEqual([]);
    expect([...sandbox.creations.values()]).toEqual(Array.from({ length: 9 }, () => 1));
    expect(JSON.stringify(outcome)).not.toContain('\\u001b');
  });
});

describe('what changed since the review', () => {
  it('is a conflict before the first write (exit 4)', async () => {
    const started = await start({
      files: {
        'sites/shop.json': siteManifest('shop', { domains: ['new.example.com'], caching: { cacheExpiration: 1 } }),
      },
    });
    const plan = await started.planned();
    const live = siteOf(started.sandbox);
    live.cdn.caching.cache_expiration = 99;
    const { outcome } = await started.apply({ plan });
    expect(outcome).toMatchObject({ exitCode: 4, outcome: 'conflict' });
    expect(outcome.diagnostics[0]?.detail).toContain('cacheExpiration: at the review 3600, now 99');
    expect(writes(started)).toEqual([]);
  });

  it('is a conflict when a neighbour slipped into an authoritative list', async () => {
    const started = await start({ example: 'new-primary-domain' });
    const plan = await started.planned();
    const live = siteOf(started.sandbox);
    addDomain(started.sandbox.state, live, { hostname: 'neighbour.example.com' });
    expect((await started.apply({ plan, allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 4 });
    expect(writes(started)).toEqual([]);
  });

  it('refuses an action outside the reviewed set, and takes a subset', async () => {
    const started = await start({ example: 'small-agency' });
    const reviewed = (await started.planned()).actions.map(({ digest }) => digest);
    expect((await started.apply({ approved: reviewed.slice(1) })).outcome).toMatchObject({
      exitCode: 4,
      diagnostics: [{ code: 'HW2104' }],
    });
    expect(writes(started)).toEqual([]);
    expect((await started.apply({ approved: [...reviewed, 'f'.repeat(64)] })).outcome).toMatchObject({ exitCode: 0 });
    expect((await started.apply({ approved: reviewed })).outcome).toMatchObject({ exitCode: 0, actions: [] });
  });

  it('takes what somebody else did meanwhile as done', async () => {
    const started = await start({
      files: {
        'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 1 } }),
        'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 2 } }),
      },
    });
    const plan = await started.planned();
    const live = siteOf(started.sandbox);
    live.cdn.caching.cache_expiration = 1;
    const { outcome } = await started.apply({ plan });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual([
      ['Site/docs/Caching', 'done'],
      ['Site/shop/Caching', 'already-done'],
    ]);
  });

  it('looks once more at what a saved plan did: what did not hold is said', async () => {
    const started = await start({
      files: {
        'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 1 } }),
        'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 2 } }),
      },
    });
    const plan = await started.planned();
    // Somebody changes the first one back while the second one is being written.
    const shopCaching = siteOf(started.sandbox).cdn;
    let writesSeen = 0;
    const changeBack: Session['emit'] = (event) => {
      if (event.type !== 'action-finished' || (writesSeen += 1) !== 2) return;
      shopCaching.caching.cache_expiration = 3600;
      // What was read back within the last minute is not read again.
      started.sandbox.clock.advance(60_000);
    };
    const { outcome } = await started.apply({ plan }, { emit: changeBack });
    expect(outcome).toMatchObject({
      exitCode: 6,
      remaining: [{ address: 'Site/shop/Caching', reason: containing('did not hold') }],
    });
  });
});

describe('guards of the workspace', () => {
  it('refuse deletes that were not allowed, and whatever is protected (exit 5)', async () => {
    const started = await start({ example: 'new-primary-domain' });
    expect((await started.apply()).outcome).toMatchObject({ exitCode: 5, diagnostics: [{ code: 'HW2202' }] });
    expect((await started.apply({ allowDeletes: 1 })).outcome.exitCode).toBe(5);
    await started.write(
      'sites/shop.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nlifecycle: { protect: true }\nspec: { primaryDomain: winkel.example.com, domains: [winkel.example.com], unlisted: { domains: remove } }\n',
    );
    expect((await started.apply({ allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 5 });
    expect(writes(started)).toEqual([]);
  });

  it('run unreviewed nothing but the verbs that are named, and nothing at all when there is another', async () => {
    const started = await start(shop);
    const { actions } = await started.planned();
    expect(new Set(actions.map(({ verb }) => verb))).toEqual(new Set(['create', 'update']));
    const { outcome } = await started.apply({ approve: ['create'] });
    expect(outcome).toMatchObject({ exitCode: 5, outcome: 'refused' });
    expect(outcome.diagnostics.map(({ code, address }) => `${code} ${address}`).sort()).toEqual(
      actions
        .filter(({ verb }) => verb === 'update')
        .map(({ address }) => `HW2210 ${address}`)
        .sort(),
    );
    expect(writes(started)).toEqual([]);
    expect((await started.apply({ approve: ['create', 'update'] })).outcome.exitCode).toBe(0);
  });

  it('hold a refused confirmation for a refusal', async () => {
    const started = await start(shop);
    expect((await started.apply({ confirm: () => Promise.resolve(false) })).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: [{ code: 'HW6102' }],
    });
    expect(writes(started)).toEqual([]);
  });

  it('detach what the ledger shows to be ours and no manifest names any more, and nothing else', async () => {
    const started = await start({
      files: { 'sites/shop.json': siteManifest('shop', { domains: ['shop.example.com', 'ours.example.com'] }) },
    });
    expect((await started.apply()).outcome.exitCode).toBe(0);
    await started.write('sites/shop.json', siteManifest('shop', { domains: ['shop.example.com'] }));
    const plan = await started.planned();
    expect(plan.actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual([
      'delete Site/shop/SiteDomain/ours.example.com',
    ]);
    expect(plan.unmanaged).toEqual([
      {
        collection: 'Site/shop/SiteDomain',
        kind: 'SiteDomain',
        identity: 'www.shop.example.com',
        yaml: 'domains:\n  - www.shop.example.com\n',
      },
    ]);
    expect((await started.apply({ allowDeletes: 1 })).outcome.exitCode).toBe(0);
    expect(
      started.sandbox.state.sites
        .get('site-shop')
        ?.domains.map(({ hostname }) => hostname)
        .sort(),
    ).toEqual(['shop.example.com', 'www.shop.example.com']);
    // The section is absent: nothing of it is managed, whatever the ledger knows.
    await started.write('sites/shop.json', siteManifest('shop', { caching: { smartCache: true } }));
    expect((await started.planned()).actions).toEqual([]);
  });
});

describe('a removal in favour of something', () => {
  it('DOM-11: does not happen while what is to take its place cannot come', async () => {
    const started = await start({
      files: {
        'sites/docs.json': siteManifest('docs', { domains: ['docs.example.com'], primaryDomain: 'docs.example.com' }),
      },
    });
    expect((await started.apply()).outcome.exitCode).toBe(0);
    // www.example.org is attached to a site of somebody else.
    await started.write(
      'sites/docs.json',
      siteManifest('docs', { domains: ['www.example.org'], primaryDomain: 'www.example.org' }),
    );
    const plan = await started.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.blocked.map(({ address, rule }) => `${address} ${rule}`)).toEqual([
      'Site/docs/SiteDomain/docs.example.com DOM-11',
      'Site/docs/SiteDomain/www.example.org O-14',
    ]);
  });
});

describe('a ledger that breaks', () => {
  it.each([1, 2])('after action %i of 2: what was done is told, and no bug is claimed', async (after) => {
    const started = await start({
      files: {
        'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 1 } }),
        'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 2 } }),
      },
    });
    let finished = 0;
    // Somebody takes the lock away, as `ledger unlock --force` would.
    const emit = {
      emit: (event: { readonly type: string }) => {
        if (event.type === 'action-finished' && (finished += 1) === after)
          rmSync(join(started.root, '.hostwright', 'ledger.jsonl.lock'), { force: true });
      },
    };
    const { outcome } = await started.apply({ parallelism: 1 }, emit);
    expect(outcome).toMatchObject({
      exitCode: 1,
      actions: [{ address: 'Site/docs/Caching', result: 'done' }, { address: 'Site/shop/Caching' }],
    });
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW5006');
    expect(outcome.diagnostics.every(({ detail }) => !detail.includes('Nothing was sent'))).toBe(true);
    expect(writes(started)).toHaveLength(after);
    expect((await started.apply()).outcome.exitCode).toBe(0);
    expect(writes(started)).toHaveLength(2);
  });
});

describe('renamedFrom', () => {
  it('carries the binding and what is ours to the new name', async () => {
    const started = await start({
      files: { 'sites/shop.json': siteManifest('shop', { domains: ['shop.example.com', 'ours.example.com'] }) },
    });
    await started.apply();
    await started.write(
      'sites/shop.json',
      JSON.stringify({
        apiVersion: 'hostwright/v1',
        kind: 'Site',
        metadata: { name: 'store', renamedFrom: 'shop' },
        spec: { domains: ['shop.example.com'] },
      }),
    );
    expect((await started.planned()).actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual([
      'delete Site/store/SiteDomain/ours.example.com',
    ]);
    expect((await started.apply({ allowDeletes: 1 })).outcome.exitCode).toBe(0);
    expect((await started.planned()).actions).toEqual([]);
  });
});
