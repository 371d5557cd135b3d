// Drift over whole sessions: apply, then somebody changes the account, the manifests, both, or nobody knows. Each class
// on each kind of object.
import { beforeEach, describe, expect, it } from 'vitest';
import type { DriftItem } from '../../../src/model/plan/drift.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import type { Site } from '../../../src/sandbox/core/state.ts';
import type { DriftOptions } from '../../../src/usecases/drift.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { matching } from '../../support/matchers.ts';

const rule = (name: string, url = `*/${name}/*`) => ({
  name,
  triggers: [{ type: 'Url', patterns: [url] }],
  action: { type: 'BlockRequest' },
});
const DOCS = {
  phpVersion: '8.2',
  domains: ['docs.example.com'],
  caching: { smartCache: true, cacheExpiration: 60 },
  cacheLayers: { nginx: true },
  edgeRules: [rule('one'), rule('two')],
};

async function start(spec: object = DOCS, options: HarnessOptions = {}): Promise<Harness> {
  const one = await openHarness({
    scenario: 'small',
    files: { 'sites/docs.json': siteManifest('docs', spec) },
    ledger: true,
    ...options,
  });
  docs(one).package = 'pro'; // which has every cache layer
  return one;
}

/** Applied as declared. */
async function applied(spec: object = DOCS, options: HarnessOptions = {}): Promise<Harness> {
  const one = await start(spec, options);
  await apply(one);
  return one;
}

async function apply(one: Harness, options: Parameters<Harness['apply']>[0] = {}): Promise<void> {
  const { outcome } = await one.apply(options);
  expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
}

const declare = (one: Harness, spec: object) => one.write('sites/docs.json', siteManifest('docs', spec));
const docs = (one: Harness): Site => one.site('docs');

async function drift(
  one: Harness,
  options: Partial<DriftOptions> = {},
): Promise<Plan & { readonly drift: readonly DriftItem[] }> {
  const { plan, diagnostics } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [], ...options });
  if (plan?.drift === undefined) throw new Error(JSON.stringify(diagnostics, null, 1));
  return { ...plan, drift: plan.drift };
}

/** Each address with its class, and its fields with theirs. */
const reported = (items: readonly DriftItem[]) =>
  Object.fromEntries(
    items.map(({ address, class: which, is, fields }) => [
      address,
      is === 'changed' ? Object.fromEntries(fields.map((field) => [field.path, field.class])) : `${is}: ${which}`,
    ]),
  );

/** Somebody else, over the API. */
async function send(one: Harness, method: 'PATCH' | 'DELETE', path: string, body?: object): Promise<void> {
  const transport = one.session().transport as NonNullable<ReturnType<Harness['session']>['transport']>;
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    'x-auth-account': 'acc-acme',
    'content-type': 'application/json',
  };
  const { status, body: text } = await transport({
    origin: 'http://127.0.0.1:1',
    path,
    method,
    headers,
    timeoutMs: 1000,
    maxBytes: 100_000,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(status, text).toBeLessThan(300);
}

describe('a site', () => {
  let one: Harness;
  beforeEach(async () => {
    one = await applied();
  });

  it('that is as declared has none', async () => {
    const { drift: items, actions } = await drift(one);
    expect({ items, actions }).toEqual({ items: [], actions: [] });
  });

  it('drifted where only the account changed, pending where only the manifest did, both where each did', async () => {
    docs(one).cdn.caching.smart_cache = false;
    docs(one).cdn.caching.cache_expiration = 999;
    await declare(one, { ...DOCS, phpVersion: '8.3', caching: { smartCache: true, cacheExpiration: 120 } });
    const { drift: items } = await drift(one);
    expect(reported(items)).toEqual({
      'Site/docs/Caching': { '/smartCache': 'drifted', '/cacheExpiration': 'both' },
      'Site/docs/PhpVersion': { '/version': 'pending' },
    });
    expect(items.map(({ class: which }) => which)).toEqual(['both', 'pending']);
    expect(items[0]?.fields[1]).toEqual({
      path: '/cacheExpiration',
      class: 'both',
      applied: 60,
      manifest: 120,
      live: 999,
    });
    expect(Date.parse(items[0]?.appliedAt ?? '')).toBeLessThanOrEqual(one.sandbox.clock.now());
  });

  it('is pending where a field, a member or a section is declared that was not', async () => {
    await declare(one, {
      ...DOCS,
      caching: { ...DOCS.caching, varyCookie: true },
      domains: ['docs.example.com', 'more.example.com'],
      cacheLayers: { nginx: true, redis: true },
    });
    expect(reported((await drift(one)).drift)).toEqual({
      'Site/docs/CacheLayer/redis': { '/enabled': 'pending' },
      'Site/docs/Caching': { '/varyCookie': 'pending' },
      'Site/docs/SiteDomain/more.example.com': 'missing: pending',
    });
  });

  it('drifted where a member is gone, and is pending where the manifest no longer names one', async () => {
    docs(one).edgeRules.splice(0, 1);
    await declare(one, { ...DOCS, edgeRules: [rule('one')] });
    expect(reported((await drift(one)).drift)).toEqual({
      'Site/docs/EdgeRule/one': 'missing: drifted',
      'Site/docs/EdgeRule/two': 'extra: pending',
    });
  });

  it('drifted where an authoritative list has a member that nobody declared; in a list of assets it is unmanaged', async () => {
    docs(one).edgeRules.push({
      ...(docs(one).edgeRules[0] as Site['edgeRules'][number]),
      Guid: 'edge-new',
      Description: 'new',
      OrderIndex: 50,
    });
    addDomain(one.sandbox.state, docs(one), { hostname: 'else.example.com' });
    const { drift: items, unmanaged } = await drift(one);
    expect(reported(items)).toEqual({ 'Site/docs/EdgeRule/new': 'extra: drifted' });
    expect(unmanaged.map(({ identity }) => identity)).toEqual(['else.example.com']);
  });

  it('tells who changed an order that has meaning', async () => {
    const [first, second] = docs(one).edgeRules as [Site['edgeRules'][number], Site['edgeRules'][number]];
    [first.OrderIndex, second.OrderIndex] = [second.OrderIndex, first.OrderIndex];
    expect([...new Set((await drift(one)).drift.map(({ class: which }) => which))]).toEqual(['drifted']);
    [first.OrderIndex, second.OrderIndex] = [second.OrderIndex, first.OrderIndex];
    await declare(one, { ...DOCS, edgeRules: [rule('two'), rule('one')] });
    expect([...new Set((await drift(one)).drift.map(({ class: which }) => which))]).toEqual(['pending']);
  });

  it('keeps what was last applied while a run does something else', async () => {
    docs(one).cdn.caching.smart_cache = false;
    await declare(one, { ...DOCS, phpVersion: '8.3' });
    one.sandbox.clock.advance(3_600_000);
    await apply(one, { targets: ['Site/docs/PhpVersion'] });
    const {
      drift: [item, ...others],
    } = await drift(one);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      address: 'Site/docs/Caching',
      class: 'drifted',
      fields: [{ applied: true, live: false }],
    });
    expect(Date.parse(item?.appliedAt ?? '')).toBeLessThan(one.sandbox.clock.now() - 3_500_000);
  });
});

describe('what was last applied', () => {
  it('is not known without a ledger, nor where one was never applied: it differs', async () => {
    const one = await start(DOCS);
    const differs = {
      'Site/docs/CacheLayer/nginx': { '/enabled': 'differs' },
      'Site/docs/Caching': { '/smartCache': 'differs', '/cacheExpiration': 'differs' },
      'Site/docs/EdgeRule/one': 'missing: differs',
      'Site/docs/EdgeRule/two': 'missing: differs',
      'Site/docs/PhpVersion': { '/version': 'differs' },
    };
    expect(reported((await drift(one)).drift)).toEqual(differs);
    const bare = await openHarness({
      scenario: 'small',
      files: { 'sites/docs.json': siteManifest('docs', { ...DOCS, edgeRules: [] }) },
    });
    docs(bare).edgeRules.push({
      ...(bare.site('shop').edgeRules[0] as Site['edgeRules'][number]),
      Guid: 'edge-x',
      Description: 'x',
    });
    expect(reported((await drift(bare)).drift)).toMatchObject({ 'Site/docs/EdgeRule/x': 'extra: differs' });
  });

  it('is known of what was found as declared, too', async () => {
    const one = await applied({ domains: ['docs.example.com'], phpVersion: '8.3' });
    expect(one.sandbox.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/domains'))).toEqual(
      [],
    );
    docs(one).domains.length = 0;
    expect(reported((await drift(one)).drift)).toMatchObject({
      'Site/docs/SiteDomain/docs.example.com': 'missing: drifted',
    });
  });

  it('is known of what a saved plan did not touch, too', async () => {
    const one = await applied({ caching: { smartCache: true } });
    await declare(one, { caching: { smartCache: false }, edgeRules: [rule('one')] });
    await apply(one, { plan: await one.planned() });
    docs(one).edgeRules.length = 0;
    docs(one).cdn.caching.smart_cache = true;
    await declare(one, { caching: { smartCache: false, varyCookie: true }, edgeRules: [rule('one'), rule('two')] });
    expect(reported((await drift(one)).drift)).toEqual({
      'Site/docs/Caching': { '/smartCache': 'drifted', '/varyCookie': 'pending' },
      'Site/docs/EdgeRule/one': 'missing: drifted',
      'Site/docs/EdgeRule/two': 'missing: pending',
    });
  });
});

describe('TSK-01 the history of a site', () => {
  const since = (one: Harness) => one.sandbox.requests.length;

  it('names who may have changed what is a task, and is read once for each site that drifted', async () => {
    const one = await applied();
    one.sandbox.clock.advance(3_600_000);
    await send(one, 'PATCH', '/api/sites/site-docs/variants/php', { variant_id: phpVariant(one, '8.3') });
    await send(one, 'DELETE', '/api/sites/site-docs/cache/nginx');
    await send(one, 'DELETE', '/api/sites/site-docs/cache/nginx/purge');
    one.sandbox.clock.advance(60_000);
    const before = since(one);
    const { drift: items } = await drift(one);
    expect(one.sent(before).filter((request) => request.endsWith('/tasks'))).toEqual([
      'GET /api/sites/site-docs/tasks',
    ]);
    const php = items.find(({ address }) => address === 'Site/docs/PhpVersion');
    expect(php).toMatchObject({
      class: 'drifted',
      activity: [{ name: 'site.variant.php', status: 'OK', by: matching(/\w/) }],
    });
    expect(Date.parse(php?.activity?.[0]?.at ?? '')).toBeGreaterThan(Date.parse(php?.appliedAt ?? ''));
    // TSK-11: emptying a cache switches nothing.
    expect(
      items.find(({ address }) => address === 'Site/docs/CacheLayer/nginx')?.activity?.map(({ name }) => name),
    ).toEqual(['site.cache.nginx_disable']);
  });

  it('TSK-02: what failed changed nothing, and what came before the last apply neither; without an entry nobody is named', async () => {
    const one = await applied();
    docs(one).phpVersion = '8.3';
    one.sandbox.state.taskFates.push({ name: 'site.variant.php', status: 'FAILED' });
    one.sandbox.clock.advance(60_000);
    await send(one, 'PATCH', '/api/sites/site-docs/variants/php', { variant_id: phpVariant(one, '8.1') });
    one.sandbox.clock.advance(60_000);
    const [item] = (await drift(one)).drift;
    expect(item).toMatchObject({ address: 'Site/docs/PhpVersion', class: 'drifted' });
    expect(item).not.toHaveProperty('activity');
  });

  it('is not asked where nothing of it drifted: pending, or of a kind that leaves no task', async () => {
    const one = await applied();
    docs(one).cdn.caching.smart_cache = false;
    await declare(one, { ...DOCS, phpVersion: '8.3' });
    const before = since(one);
    await drift(one);
    expect(one.sandbox.requests.slice(before).filter(({ path }) => path.includes('/tasks'))).toEqual([]);
  });

  it('that cannot be read is said, and what drifted is told all the same', async () => {
    const one = await applied();
    docs(one).phpVersion = '8.3';
    one.sandbox.setFaults([{ kind: 'status-before', status: 403, match: { path: '/api/sites/site-docs/tasks' } }]);
    const { plan, diagnostics } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    expect(reported(plan?.drift ?? [])).toEqual({ 'Site/docs/PhpVersion': { '/version': 'drifted' } });
    expect(diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['HW2602 info']);
  });
});

function phpVariant(harness: Harness, label: string): number {
  const variant = docs(harness).phpVariants.find((one) => one.label === label);
  if (variant === undefined) throw new Error(`no PHP ${label}`);
  return variant.id;
}

describe('--ignore', () => {
  async function spoilt(): Promise<Harness> {
    const one = await applied();
    docs(one).cdn.caching.smart_cache = false;
    docs(one).cdn.caching.cache_expiration = 1;
    docs(one).phpVersion = '8.3';
    return one;
  }

  it('leaves out objects with what is in them, and fields; each is named, with what named it', async () => {
    const one = await spoilt();
    const {
      drift: items,
      ignored,
      actions,
    } = await drift(one, { ignore: ['Site/*/Caching#/smartCache', 'Site/docs/PhpVersion'] });
    expect(reported(items)).toEqual({ 'Site/docs/Caching': { '/cacheExpiration': 'drifted' } });
    expect(actions.map(({ address }) => address)).toEqual(['Site/docs/Caching']);
    expect(ignored).toEqual([
      { address: 'Site/docs/Caching', path: '/smartCache', as: 'drifted', by: 'Site/*/Caching#/smartCache' },
      { address: 'Site/docs/PhpVersion', as: 'drifted', by: 'Site/docs/PhpVersion' },
    ]);
  });

  it('of everything leaves nothing to do, and of nothing is a warning', async () => {
    const one = await spoilt();
    const { plan, diagnostics } = await driftWorkspace(one.session(), {
      paths: [],
      targets: [],
      ignore: ['Site/docs', 'Site/other'],
    });
    expect(plan).toMatchObject({ actions: [], drift: [], summary: { update: 0 } });
    expect(plan?.ignored).toHaveLength(2);
    expect(diagnostics.map(({ code, severity, detail }) => `${code} ${severity} ${detail}`)).toEqual([
      matching(/^HW2601 warning .*Site\/other/),
    ]);
  });
});

describe('what is no site', () => {
  it('a mailbox drifts, is pending and goes missing as anything else', async () => {
    const boxes = (quotaMb: number) => ({
      mailboxes: [
        { address: 'anna@shop.example.com', displayName: 'Anna', quotaMb },
        { address: 'ben@shop.example.com', displayName: 'Ben' },
      ],
    });
    const files = (quotaMb: number) => ({
      'sites/docs.json': manifest('Mailspace', 'shop.example.com', boxes(quotaMb)),
    });
    const one = await openHarness({ scenario: 'mail', files: files(2048), ledger: true });
    await apply(one);
    const space = [...one.sandbox.state.mail.spaces.values()].find(({ domain }) => domain === 'shop.example.com');
    const anna = space?.mailboxes.find(({ id }) => id === 'mbx-anna');
    Object.assign(anna ?? {}, { displayName: 'Other' });
    await one.write('sites/docs.json', files(4096)['sites/docs.json']);
    expect(reported((await drift(one)).drift)).toEqual({
      'Mailspace/shop.example.com/Mailbox/anna@shop.example.com': { '/displayName': 'drifted', '/quotaMb': 'pending' },
    });
    expect((await drift(one)).drift[0]?.class).toBe('both');
    space?.mailboxes.splice(
      space.mailboxes.findIndex(({ id }) => id === 'mbx-anna'),
      1,
    );
    expect(reported((await drift(one)).drift)).toEqual({
      'Mailspace/shop.example.com/Mailbox/anna@shop.example.com': 'missing: drifted',
    });
  });

  it('a section of a registration drifts, and is pending', async () => {
    const lock = (locked: boolean) => manifest('DomainRegistration', 'locked.com', { locked });
    const one = await openHarness({ scenario: 'registrar', files: { 'sites/docs.json': lock(true) }, ledger: true });
    await apply(one);
    const [live] = [...one.sandbox.state.registrar.registrations.values()].filter(({ id }) => id === 'reg-locked.com');
    Object.assign(live ?? {}, { locked: false });
    const classes = async () => (await drift(one)).drift.map(({ address, class: which }) => `${address} ${which}`);
    expect(await classes()).toEqual(['DomainRegistration/locked.com/RegistrationLock drifted']);
    Object.assign(live ?? {}, { locked: true });
    await one.write('sites/docs.json', lock(false));
    expect(await classes()).toEqual(['DomainRegistration/locked.com/RegistrationLock pending']);
  });
});
