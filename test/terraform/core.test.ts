// What becomes of resources when things do not go as planned: waits, losses, changes behind the back.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core, CoreOptions } from '../support/terraform-core.ts';
import { openCore, tables } from '../support/terraform-core.ts';
import type { Attribute, Fields, Spellings } from '../../src/terraform/value/attribute.ts';
import { fromManifest, toManifest } from '../../src/terraform/value/convert.ts';
import { fromPrivate, toPrivate } from '../../src/terraform/state-view.ts';

const SITE = 'hostwright_site';
const shop = { name: 'shop', caching: { cache_expiration: 7200 } };
const bought = {
  name: 'new',
  display_name: 'New',
  plan: 'pro',
  order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
  caching: { cache_expiration: 7200 },
};
const buying: CoreOptions = { ledger: true, provider: { guards: { allow_charges: 1 } } };

function sitesCalled({ harness }: Core, name: string): number {
  return [...harness.sandbox.state.sites.values()].filter((site) => site.name === name).length;
}

function hostnamesOf({ harness }: Core, site: string): readonly string[] {
  return (harness.sandbox.state.sites.get(site)?.domains ?? []).map(({ hostname }) => hostname);
}

describe('a site', () => {
  it('is imported, planned to nothing, changed and healed', async () => {
    const { run, plan, stored, harness, ...rest } = await openCore({});
    expect(await rest.import(SITE, 'shop', 'site-shop')).toHaveLength(1); // what cannot be said of it
    const { state } = stored.get('shop') as NonNullable<ReturnType<typeof stored.get>>;
    expect((await plan(SITE, 'shop', state)).changes).toBe(false);
    const config = { ...state, caching: { cache_expiration: 7200 } };
    expect((await run(SITE, 'shop', config)).failed).toBe(false);
    const site = harness.sandbox.state.sites.get('site-shop');
    expect(site?.cdn.caching.cache_expiration).toBe(7200);
    if (site !== undefined) site.cdn.caching.cache_expiration = 5;
    const made = await plan(SITE, 'shop', config);
    expect(stored.get('shop')?.state.caching).toMatchObject({ cache_expiration: 5 });
    expect(made.changes).toBe(true);
  });

  it('that was as declared when it was last read is planned without a request, and what is written since is planned', async () => {
    const { run, plan, validate, harness } = await openCore({});
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true };
    expect((await run(SITE, 'shop', config)).failed).toBe(false);
    const asked = harness.sandbox.requests.length;
    expect((await plan(SITE, 'shop', config, { refresh: false })).changes).toBe(false);
    expect(harness.sandbox.requests.length).toBe(asked);
    for (const other of [
      { ...config, caching: { cache_expiration: 7201 } },
      { ...config, domains: { ...config.domains, 'new.example.com': {} } },
      { ...config, php_version: '8.3' },
    ]) {
      expect((await plan(SITE, 'shop', other, { refresh: false })).changes, JSON.stringify(other)).toBe(true);
      expect((await plan(SITE, 'shop', other)).changes, JSON.stringify(other)).toBe(true);
    }
    // What a look has just seen to be as declared is checked no more; what is written anew is.
    expect((await plan(SITE, 'shop', config)).changes).toBe(false);
    expect(await validate(SITE, config)).toEqual([]);
    expect((await validate(SITE, { ...config, caching: { cache_expiration: 'soon' } })).join()).toContain('HW');
  });

  it('whose answers are those of its last read is not worked out again, and whatever changed meanwhile is seen', async () => {
    const { run, refresh, stored, harness } = await openCore({});
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true };
    expect((await run(SITE, 'shop', config)).failed).toBe(false);
    const site = harness.sandbox.state.sites.get('site-shop') as NonNullable<
      ReturnType<typeof harness.sandbox.state.sites.get>
    >;
    const other = [...harness.sandbox.state.sites.values()].find(({ id }) => id !== site.id) as typeof site;
    const edits: Readonly<Record<string, () => void>> = {
      nothing: () => undefined,
      'a declared value': () => void (site.cdn.caching.cache_expiration = 5),
      'its name': () => void (site.name = 'Other'),
      'a hostname that nobody declares': () =>
        void site.domains.push({ ...site.domains[0]!, id: 'd', hostname: 'x.example.com' }),
      'another site': () => void (other.name = 'Elsewhere'),
      'a declared hostname': () => void site.domains.splice(0),
      'all of it': () => void harness.sandbox.state.sites.delete(site.id),
    };
    for (const [what, edit] of Object.entries(edits)) {
      const before = stored.get('shop') as NonNullable<ReturnType<typeof stored.get>>;
      const { fingerprint, ...rest } = fromPrivate(before.private);
      // What is not as declared has none.
      if (what === 'nothing' || what === 'a declared value') expect(fingerprint?.paths).toContain('/api/sites');
      edit();
      await refresh(SITE, 'shop');
      const spared = stored.get('shop');
      stored.set('shop', { ...before, private: toPrivate({ account: 'acc-acme', ...rest }) });
      await refresh(SITE, 'shop');
      expect(spared?.state, what).toEqual(stored.get('shop')?.state);
      if (what === 'nothing') expect(spared?.private).toEqual(before.private);
    }
    expect(stored.has('shop')).toBe(false);
  });

  it('that is live and in no state is not taken over without a word', async () => {
    const { run } = await openCore({});
    const refused = await run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} } });
    expect(refused.said.join()).toContain('HW7006');
    const taken = await run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} }, adopt: true });
    expect(taken.failed).toBe(false);
  });

  it('has a word for its destroy, or is refused before anything is planned', async () => {
    const { validate } = await openCore({});
    expect((await validate(SITE, { ...shop, deletion: 'destroy' })).join()).toContain('! HW7022');
    expect(await validate(SITE, { ...shop, deletion: 'abandon' })).toEqual([]);
  });

  it('O-43: is bought once, whatever is lost between', async () => {
    const it = await openCore(buying);
    const done = await it.run(SITE, 'new', bought);
    expect(done).toMatchObject({ failed: false, changes: true });
    expect((await it.plan(SITE, 'new', bought)).changes).toBe(false);
    it.stored.delete('new');
    const again = await it.run(SITE, 'new', bought);
    expect(again.failed).toBe(false);
    expect(sitesCalled(it, 'New')).toBe(1);
    expect(it.stored.get('new')?.state.status).toBe('ready');
  });

  it('is not bought without a ledger, nor beyond the guards', async () => {
    const without = await openCore({ provider: { guards: { allow_charges: 1 } } });
    expect((await without.run(SITE, 'new', bought)).said.join()).toContain('HW2206');
    const guarded = await openCore({ ledger: true });
    expect((await guarded.run(SITE, 'new', bought)).said.join()).toContain('allow_charges = 1');
    expect(sitesCalled(guarded, 'New')).toBe(0);
  });

  it.each(['billing-3ds', 'billing-bank'])(
    'whose payment waits outside is in the state at once: %s',
    async (scenario) => {
      const it = await openCore({ ...buying, scenario });
      const { clock } = it.harness.sandbox;
      const beginMs = clock.now();
      const waiting = await it.run(SITE, 'new', bought);
      expect(waiting.failed).toBe(false);
      expect(clock.now() - beginMs).toBeLessThan(60_000);
      expect(waiting.said.join()).toContain('HW7010');
      expect(it.stored.get('new')?.state).toMatchObject({ status: 'waiting' });
      expect(it.stored.get('new')?.isTainted).toBeUndefined();
      // Another resource waits for none of it.
      const other = await it.run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} }, adopt: true });
      expect(other).toMatchObject({ failed: false, said: [] });
      expect(it.stored.get('shop')?.state).toMatchObject({ status: 'ready' });
      const still = await it.run(SITE, 'new', bought);
      expect(still).toMatchObject({ failed: false, changes: true });
      expect(it.stored.get('new')?.state).toMatchObject({ status: 'waiting' });
      const { sandbox, session } = it.harness;
      const [token] = [...sandbox.state.carts.keys()];
      if (scenario === 'billing-bank') clock.advance(5 * 86_400_000);
      await session().transport?.({
        origin: sandbox.url,
        path: `/_sandbox/carts/${token}/payment`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ outcome: 'complete' }),
        timeoutMs: 1000,
        maxBytes: 100_000,
      });
      const done = await it.run(SITE, 'new', bought);
      expect(done.said.filter((line) => line.startsWith('!'))).toEqual([]);
      expect(it.stored.get('new')?.state).toMatchObject({ status: 'ready', waiting_for: '' });
      expect((await it.plan(SITE, 'new', bought)).changes).toBe(false);
      expect(sitesCalled(it, 'New')).toBe(1);
    },
  );

  it('HW2202: a registration that is renewed no more is no delete', async () => {
    const it = await openCore({ scenario: 'registrar' });
    const made = await it.plan('hostwright_domain_registration', 'it', {
      ...{ name: 'plain.com', auto_renew: false, adopt: true },
    });
    expect(made.said.join('\n')).not.toContain('HW2202');
    expect(made.said.join('\n')).toContain('lapse');
  });

  it('HW7005: is left alone when the live side changed since the plan', async () => {
    const it = await openCore({});
    await it.run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} }, adopt: true });
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true, caching: { cache_expiration: 99 } };
    const made = await it.plan(SITE, 'shop', config);
    const site = it.harness.sandbox.state.sites.get('site-shop');
    if (site !== undefined) site.cdn.caching.cache_expiration = 5;
    const applied = await it.apply(SITE, 'shop', made);
    expect(applied.said.join()).toContain('HW7005');
    expect(site?.cdn.caching.cache_expiration).toBe(5);
    expect((await it.run(SITE, 'shop', config)).failed).toBe(false);
    expect(site?.cdn.caching.cache_expiration).toBe(99);
  });

  it('DOM-11: loses a hostname that its configuration has no more', async () => {
    const it = await openCore({ provider: { guards: { allow_deletes: 1 } } });
    const hostnames = { 'shop.example.com': {}, 'www.shop.example.com': {} };
    await it.run(SITE, 'shop', { ...shop, domains: hostnames, adopt: true });
    const less = {
      ...shop,
      domains: { 'www.shop.example.com': {} },
      primary_domain: 'www.shop.example.com',
      adopt: true,
    };
    const done = await it.run(SITE, 'shop', less);
    expect(done.failed, done.said.join()).toBe(false);
    expect(hostnamesOf(it, 'site-shop')).not.toContain('shop.example.com');
    expect((await it.plan(SITE, 'shop', less)).changes).toBe(false);
  });

  it.each([true, false])('DOM-15: hands a hostname over in one step, or not: %s', async (inOneStep) => {
    const it = await openCore({ provider: { guards: { allow_deletes: 1 } } });
    const hostnames = { 'shop.example.com': {}, 'www.shop.example.com': {} };
    await it.run(SITE, 'shop', { ...shop, domains: hostnames, adopt: true });
    await it.import(SITE, 'blog', 'site-blog');
    const { caching, name } = it.stored.get('blog')?.state ?? {};
    const blog = { name, caching, domains: it.stored.get('blog')?.state.domains as object };
    await it.run(SITE, 'blog', blog);
    const giver = {
      ...shop,
      domains: { 'shop.example.com': {} },
      adopt: true,
      ...(inOneStep && { hand_over: ['www.shop.example.com'] }),
    };
    const taker = { ...blog, domains: { ...blog.domains, 'www.shop.example.com': { move_from: 'site-shop' } } };
    const given = await it.run(SITE, 'shop', giver);
    expect(given.failed, given.said.join()).toBe(false);
    expect(hostnamesOf(it, 'site-shop').includes('www.shop.example.com')).toBe(inOneStep);
    const taken = await it.run(SITE, 'blog', taker);
    expect(taken.failed, taken.said.join()).toBe(false);
    expect(hostnamesOf(it, 'site-blog')).toContain('www.shop.example.com');
    expect(hostnamesOf(it, 'site-shop')).not.toContain('www.shop.example.com');
    for (const [called, config] of [
      ['shop', giver],
      ['blog', taker],
    ] as const) {
      const left = await it.plan(SITE, called, config);
      expect(left.changes, JSON.stringify([left.said, left.planned])).toBe(false);
    }
  });

  it('is waited for as long as `timeouts` says, and goes on with the next apply', async () => {
    const it = await openCore({ ...buying, scenario: 'billing-3ds' });
    const { clock } = it.harness.sandbox;
    const before = clock.now();
    const waiting = await it.run(SITE, 'new', { ...bought, timeouts: { create: '1m30s' } });
    expect(waiting.failed, waiting.said.join()).toBe(false);
    expect(clock.now() - before).toBeLessThanOrEqual(90_000);
    expect(it.stored.get('new')?.state).toMatchObject({ status: 'waiting' });
    expect((await it.validate(SITE, { ...bought, timeouts: { create: 'soon' } })).join()).toContain('! HW6913');
  });

  it('HW6912: is not replaced, tainted or not', async () => {
    const it = await openCore(buying);
    await it.run(SITE, 'new', bought);
    const stored = it.stored.get('new') as NonNullable<ReturnType<typeof it.stored.get>>;
    it.stored.set('new', { ...stored, isTainted: true });
    const refused = await it.run(SITE, 'new', bought);
    expect(refused).toMatchObject({ failed: true });
    expect(refused.said.join()).toContain('! HW6912');
    expect(sitesCalled(it, 'New')).toBe(1);
    // `terraform untaint`
    it.stored.set('new', stored);
    expect((await it.run(SITE, 'new', bought)).failed).toBe(false);
  });

  it('is destroyed as `deletion` says', async () => {
    const it = await openCore({ provider: { guards: { allow_deletes: 1 } } });
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true };
    await it.run(SITE, 'shop', config);
    expect((await it.run(SITE, 'shop', null)).said.join()).toContain('HW7004');
    await it.run(SITE, 'shop', { ...config, deletion: 'delete' });
    const gone = await it.run(SITE, 'shop', null);
    expect(gone.said.filter((line) => line.startsWith('!'))).toEqual([]);
    expect(it.stored.has('shop')).toBe(false);
  });
});

it('HW2205: says that max_spend refuses a purchase without a quoted price', async () => {
  const { run } = await openCore({ ...buying, provider: { guards: { allow_charges: 10, max_spend: '300.00 EUR' } } });
  const { failed, said } = await run(SITE, 'new', bought);
  expect([failed, said.join()]).toEqual([
    true,
    expect.stringMatching(/! HW2205 .*the price is not quoted.*Remove `max_spend` from `guards` in the provider block/),
  ]);
  expect(said.join()).not.toContain('{  =');
});

describe('a create with `adopt`', () => {
  const moved = {
    name: 'shop2',
    adopt: true,
    domains: { 'www.shop.example.com': {} },
    caching: { cache_expiration: 111 },
  };
  const owner = { ...shop, deletion: 'delete' };

  it.each<[string, (readonly [string, Record<string, unknown> | null])[]]>([
    [
      'planned first',
      [
        ['shop', owner],
        ['shop2', moved],
      ],
    ],
    [
      'planned second',
      [
        ['shop2', moved],
        ['shop', owner],
      ],
    ],
    [
      'deleted first',
      [
        ['shop', null],
        ['shop2', moved],
      ],
    ],
    [
      'deleted second',
      [
        ['shop2', moved],
        ['shop', null],
      ],
    ],
  ])('HW6911: is refused for an object of another resource, which is %s', async (_, changes) => {
    const { run, import: bind, planTogether, harness } = await openCore({ provider: { guards: { allow_deletes: 1 } } });
    await bind(SITE, 'shop', 'site-shop');
    await run(SITE, 'shop', owner);
    const before = harness.sandbox.snapshot();
    const plans = await planTogether(changes.map(([name, config]) => [SITE, name, config] as const));
    expect(plans.map(({ failed }) => failed)).toEqual([false, true]);
    expect(plans[1]?.said.join()).toMatch(/! HW6911 .*Site\/shop2? and Site\/shop2? both have id Site site-shop/);
    expect(harness.sandbox.snapshot()).toEqual(before);
  });

  it('takes over an object that another resource only forgets in the same plan', async () => {
    const { run, import: bind, planTogether } = await openCore();
    await bind(SITE, 'shop', 'site-shop');
    await run(SITE, 'shop', { ...shop, deletion: 'abandon' });
    const plans = await planTogether([
      [SITE, 'shop', null],
      [SITE, 'shop2', moved],
    ]);
    expect(plans.map(({ said }) => said.filter((line) => line.startsWith('!')))).toEqual([[], []]);
  });
});

describe('a value that the pages list', () => {
  const listed = Object.entries(tables).flatMap(([type, { fields }]) =>
    enumsIn(fields).map((one) => ({ type, ...one })),
  );

  it('is accepted in both spellings, and kept in snake case in the state', () => {
    expect(listed.flatMap(({ spellings }) => Object.keys(spellings)).length).toBeGreaterThan(20);
    for (const { attribute, spellings } of listed)
      for (const [snakeCase, camelCase] of Object.entries(spellings)) {
        const fields = { it: { attribute, field: 'it' } };
        const valueOf = (word: string) => (attribute.is === 'list' || attribute.is === 'set' ? [word] : word);
        for (const word of [snakeCase, camelCase])
          expect(toManifest(fields, { it: valueOf(word) }).spec, word).toEqual({ it: valueOf(camelCase) });
        expect(fromManifest(fields, { it: valueOf(camelCase) }, null)).toEqual({ it: valueOf(snakeCase) });
        expect(fromManifest(fields, { it: valueOf(camelCase) }, { it: valueOf(camelCase) })).toEqual({
          it: valueOf(camelCase),
        });
      }
  });

  it('is planned: every value of every list of a page', async () => {
    const { validate } = await openCore();
    const folder = join(import.meta.dirname, '../../docs/terraform/resources');
    const refused: string[] = [];
    let count = 0;
    for (const [type, { fields, part }] of Object.entries(tables)) {
      const page = await readFile(join(folder, `${type.replace('hostwright_', '')}.md`), 'utf8');
      for (const { path, words } of valuesIn(page)) {
        const place = placeIn(fields, path);
        if (place === undefined) continue;
        for (const word of words) {
          count += 1;
          const said = await validate(type, { [part?.name ?? 'name']: 'it.example', ...place(word) });
          refused.push(
            ...said.filter((line) => line.includes(`cannot be \`${word}\``)).map((line) => `${path}: ${line}`),
          );
        }
      }
    }
    expect(count).toBeGreaterThan(100);
    expect(refused).toEqual([]);
  });
});

/** Returns all attributes that have values with two spellings. */
function enumsIn(fields: Fields): readonly { readonly attribute: Attribute; readonly spellings: Spellings }[] {
  return Object.values(fields).flatMap(({ attribute }) => [
    ...('spellings' in attribute && attribute.spellings !== undefined
      ? [{ attribute, spellings: attribute.spellings }]
      : []),
    ...('fields' in attribute ? enumsIn(attribute.fields) : []),
  ]);
}

/** Returns each attribute of a page that lists its values, by its full name. */
function valuesIn(page: string): readonly { readonly path: string; readonly words: readonly string[] }[] {
  const found: { path: string; words: string[] }[] = [];
  let above = '';
  for (const line of page.split('\n')) {
    above = /^### `(.+)`$/.exec(line)?.[1] ?? above;
    const [, name, list] = /^- `(\w+)` .* One of (`[^`]+`(?:, `[^`]+`)+)\./.exec(line) ?? [];
    if (name === undefined || list === undefined) continue;
    found.push({
      path: above === '' ? name : `${above}.${name}`,
      words: list.split(', ').map((one) => one.slice(1, -1)),
    });
  }
  return found;
}

/** Returns a function that puts a value at the path, with one object at each level; undefined: the path has no attribute. */
function placeIn(fields: Fields, path: string): ((word: string) => Record<string, unknown>) | undefined {
  const [name = '', ...rest] = path.split('.');
  const attribute = fields[name]?.attribute;
  if (attribute === undefined) return undefined;
  if (rest.length === 0)
    return (word) => ({
      [name]:
        attribute.is === 'list' || attribute.is === 'set' ? [word] : attribute.is === 'number' ? Number(word) : word,
    });
  const below = 'fields' in attribute ? placeIn(attribute.fields, rest.join('.')) : undefined;
  if (below === undefined) return undefined;
  return (word) => {
    const inside = below(word);
    return { [name]: attribute.is === 'map' ? { one: inside } : attribute.is === 'groups' ? [inside] : inside };
  };
}

describe('a state of another account', () => {
  it('HW7027: is never read, planned, destroyed or applied', async () => {
    const provider: { account?: string; guards: object } = { guards: { allow_deletes: 1, allow_charges: 1 } };
    const { run, plan, apply, refresh, import: bind, stored, harness } = await openCore({ provider });
    const config = { ...shop, deletion: 'delete' };
    await bind(SITE, 'shop', 'site-shop');
    await run(SITE, 'shop', config);
    const saved = await plan(SITE, 'shop', { ...config, caching: { cache_expiration: 1 } });
    const destroy = await plan(SITE, 'shop', null);
    const create = await plan(SITE, 'blog', { name: 'blog', adopt: true, domains: { 'blog.example.com': {} } });
    const before = stored.get('shop');
    const wrong = /! HW7027 .*the state was written for acc-acme, this provider is acc-00000002; nothing was read/;

    provider.account = 'acc-00000002';
    const { requests } = harness.sandbox;
    const count = requests.length;
    expect((await refresh(SITE, 'shop')).join()).toMatch(wrong);
    expect(stored.get('shop')).toEqual(before);
    for (const wanted of [config, { ...config, caching: { cache_expiration: 1 } }, null]) {
      const planned = await plan(SITE, 'shop', wanted, { refresh: false });
      expect([planned.failed, planned.said.join()]).toEqual([true, expect.stringMatching(wrong)]);
    }
    for (const reviewed of [saved, destroy]) {
      const applied = await apply(SITE, 'shop', reviewed);
      expect([applied.failed, applied.said.join()]).toEqual([true, expect.stringMatching(wrong)]);
    }
    expect((await apply(SITE, 'blog', create)).failed).toBe(true);
    expect(requests.slice(count).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(stored.get('shop')?.state).toEqual(before?.state);

    delete provider.account;
    expect(await plan(SITE, 'shop', config)).toMatchObject({ failed: false, changes: false });
  });

  it('HW7024: a deleted site without an order is not said to be bought again', async () => {
    const { run, planTogether, import: bind, harness } = await openCore({ ledger: true });
    await bind(SITE, 'shop', 'site-shop');
    await run(SITE, 'shop', shop);
    harness.sandbox.state.sites.delete('site-shop');
    const [planned] = await planTogether([[SITE, 'shop', shop]]);
    expect([planned?.failed, planned?.said.join()]).toEqual([true, expect.stringContaining('! HW7008')]);
    expect(planned?.said.join()).not.toContain('bought again');
  });
});

describe('a destroy that only forgets', () => {
  const registration = { name: 'plain.com', adopt: true };
  it.each<[string, CoreOptions['scenario'], string, Record<string, unknown>, string]>([
    [
      'a renewed registration',
      'registrar',
      'hostwright_domain_registration',
      registration,
      'renews itself (auto_renew is on)',
    ],
    [
      'an expiring registration',
      'registrar',
      'hostwright_domain_registration',
      { ...registration, auto_renew: false },
      'until it expires (auto_renew is off)',
    ],
    ['a mailspace', 'mail', 'hostwright_mailspace', { name: 'shop.example.com', adopt: true }, 'still paid for'],
    [
      'a site',
      undefined,
      SITE,
      { ...shop, domains: { 'shop.example.com': {} }, adopt: true, deletion: 'abandon' },
      'still paid for',
    ],
  ])('warns about %s in a summary of its own [REG-37]', async (_, scenario, type, config, happens) => {
    const { run } = await openCore({
      ...(scenario !== undefined && { scenario }),
      provider: { guards: { allow_charges: 1, allow_deletes: 1 } },
    });
    expect((await run(type, 'it', config)).failed).toBe(false);
    const { said, failed } = await run(type, 'it', null);
    expect([failed, said]).toEqual([false, [expect.stringMatching(/^HW7016 \w+\/[\w.-]+ stays /)]]);
    expect(said[0]?.split(': ')[0]).toContain(happens);
  });

  it('does not warn about name servers, which cost nothing', async () => {
    const { run, stored } = await openCore({ scenario: 'registrar' });
    const config = { registration: 'plain.com', nameservers: ['ns1.example.net', 'ns2.example.net'] };
    expect((await run('hostwright_nameservers', 'it', config)).failed).toBe(false);
    expect((await run('hostwright_nameservers', 'it', null)).said).toEqual([]);
    expect(stored.has('it')).toBe(false);
  });
});

describe('a secret of the configuration', () => {
  const CANARY = 'Canary-4711-Secret!';

  it('reaches the platform, and is in no state, no plan and no message', async () => {
    const it = await openCore({ scenario: 'mail', ledger: true });
    expect((await it.import('hostwright_mailspace', 'mail', 'shop.example.com')).join()).toContain('HW7007');
    const before = it.stored.get('mail')?.state as Record<string, Record<string, unknown>>;
    const config = {
      ...before,
      mailboxes: {
        ...before.mailboxes,
        'new@shop.example.com': { display_name: 'New', quota_mb: 1000, password: { value: CANARY, rotate: '1' } },
      },
    };
    const made = await it.plan('hostwright_mailspace', 'mail', config);
    expect(made.failed, made.said.join()).toBe(false);
    const applied = await it.apply('hostwright_mailspace', 'mail', made);
    expect(applied.failed, applied.said.join()).toBe(false);
    const sent = JSON.stringify(it.harness.sandbox.requests.map(({ body }) => body ?? null));
    expect(sent).toContain(CANARY);
    const stored = it.stored.get('mail');
    const texts = [
      made.said,
      applied.said,
      made.planned,
      stored?.state,
      fromPrivate(made.private),
      fromPrivate(stored?.private),
      it.harness.events,
    ];
    expect(fromPrivate(stored?.private)).toHaveProperty('snapshot');
    expect(JSON.stringify(texts)).not.toContain(CANARY);
    const again = await it.plan('hostwright_mailspace', 'mail', config);
    expect(again).toMatchObject({ changes: false, failed: false });
    const rotated = {
      ...config.mailboxes,
      'new@shop.example.com': { display_name: 'New', quota_mb: 1000, password: { value: CANARY, rotate: '2' } },
    };
    expect((await it.run('hostwright_mailspace', 'mail', { ...config, mailboxes: rotated })).failed).toBe(false);
  });
});

it('HW7025: a secret in two places, or in none, is refused before anything is planned', async () => {
  const it = await openCore({ scenario: 'mail' });
  const said = (password: object): Promise<readonly string[]> =>
    it.validate('hostwright_mailspace', {
      name: 'shop.example.com',
      mailboxes: { 'a@shop.example.com': { password } },
    });
  expect((await said({ env: 'PASSWORD', value: 'x' })).join()).toContain('HW7025');
  expect((await said({ rotate: '1' })).join()).toContain('HW7025');
  expect((await said({ value: 'x', rotate: '1' })).join()).not.toContain('HW7025');
});

describe('what a state keeps beside its attributes', () => {
  it('says nothing of people whom the configuration does not name', async () => {
    const it = await openCore({ scenario: 'mail', ledger: true });
    const mailboxes = { 'cleo@shop.example.com': { display_name: 'Cleo' } };
    const config = { name: 'shop.example.com', adopt: true, mailboxes };
    expect((await it.run('hostwright_mailspace', 'mail', config)).failed).toBe(false);
    await it.refresh('hostwright_mailspace', 'mail');
    const kept = JSON.stringify(fromPrivate(it.stored.get('mail')?.private));
    expect(kept).toContain('cleo@');
    expect(kept).not.toMatch(/(anna|ben|sales)@/);
    expect((await it.plan('hostwright_mailspace', 'mail', config)).changes).toBe(false);
  });

  it('is read as it was written, by every version', () => {
    const kept = Buffer.from(
      'eNqrVkosKCjKL0tNUbKKVko0VIrVUcrJT84uBnGDM0tS9Ysz8gtAopm5BflFJSB1JUWlqbUAJOMTdA==',
      'base64',
    );
    const content = { approved: ['a1'], locks: ['Site/shop'], imported: true as const };
    expect(fromPrivate(kept)).toEqual(content);
    expect(fromPrivate(toPrivate({ account: 'acc-acme', ...content }))).toEqual({ account: 'acc-acme', ...content });
  });

  it('is nothing where it cannot be read', () => {
    for (const bytes of [undefined, Buffer.alloc(0), Buffer.from('nonsense')]) expect(fromPrivate(bytes)).toEqual({});
  });
});
