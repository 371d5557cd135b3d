// What becomes of resources when things do not go as planned: waits, losses, changes behind the back.
import { inflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Core, CoreOptions } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';

let core: Core | undefined;
afterEach(async () => {
  await core?.close();
  core = undefined;
});
async function open(options: CoreOptions): Promise<Core> {
  core = await openCore(options);
  return core;
}

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

describe('a site', () => {
  it('is imported, planned to nothing, changed and healed', async () => {
    const { run, plan, stored, harness, ...rest } = await open({});
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

  it('that is live and in no state is not taken over without a word', async () => {
    const { run } = await open({});
    const refused = await run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} } });
    expect(refused.said.join()).toContain('HW7006');
    const taken = await run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} }, adopt: true });
    expect(taken.failed).toBe(false);
  });

  it('has a word for its destroy, or is refused before anything is planned', async () => {
    const { validate } = await open({});
    expect((await validate(SITE, { ...shop, deletion: 'destroy' })).join()).toContain('! HW7022');
    expect(await validate(SITE, { ...shop, deletion: 'abandon' })).toEqual([]);
  });

  it('O-43: is bought once, whatever is lost between', async () => {
    const it = await open(buying);
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
    const without = await open({ provider: { guards: { allow_charges: 1 } } });
    expect((await without.run(SITE, 'new', bought)).said.join()).toContain('HW2206');
    await without.close();
    const guarded = await open({ ledger: true });
    expect((await guarded.run(SITE, 'new', bought)).said.join()).toContain('allow_charges = 1');
    expect(sitesCalled(guarded, 'New')).toBe(0);
  });

  it('whose payment waits for a person is in the state, and is bought once', async () => {
    const it = await open({ ...buying, scenario: 'billing-3ds' });
    const waiting = await it.run(SITE, 'new', bought);
    expect(waiting.failed).toBe(false);
    expect(waiting.said.join()).toContain('HW7010');
    expect(it.stored.get('new')?.state).toMatchObject({ status: 'waiting' });
    expect(it.stored.get('new')?.isTainted).toBeUndefined();
    const still = await it.run(SITE, 'new', bought);
    expect(still).toMatchObject({ failed: false, changes: true });
    expect(it.stored.get('new')?.state).toMatchObject({ status: 'waiting' });
    const { sandbox, session } = it.harness;
    const [token] = [...sandbox.state.carts.keys()];
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
  });

  it('HW7005: is left alone when the live side changed since the plan', async () => {
    const it = await open({});
    await it.run(SITE, 'shop', { ...shop, domains: { 'shop.example.com': {} }, adopt: true });
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true, caching: { cache_expiration: 99 } };
    const made = await it.plan(SITE, 'shop', config);
    const site = it.harness.sandbox.state.sites.get('site-shop');
    if (site !== undefined) site.cdn.caching.cache_expiration = 5;
    const applied = await it.apply(SITE, 'shop', made);
    expect(applied.said.join()).toContain('HW7005');
    expect(site?.cdn.caching.cache_expiration).toBe(5);
  });

  it('is destroyed as `deletion` says', async () => {
    const it = await open({ provider: { guards: { allow_deletes: 1 } } });
    const config = { ...shop, domains: { 'shop.example.com': {} }, adopt: true };
    await it.run(SITE, 'shop', config);
    expect((await it.run(SITE, 'shop', null)).said.join()).toContain('HW7004');
    await it.run(SITE, 'shop', { ...config, deletion: 'delete' });
    const gone = await it.run(SITE, 'shop', null);
    expect(gone.said.filter((line) => line.startsWith('!'))).toEqual([]);
    expect(it.stored.has('shop')).toBe(false);
  });
});

describe('a secret of the configuration', () => {
  const CANARY = 'Canary-4711-Secret!';

  it('reaches the platform, and is in no state, no plan and no message', async () => {
    const it = await open({ scenario: 'mail', ledger: true });
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
      inflateRawSync(made.private).toString(),
      inflateRawSync(stored?.private ?? Buffer.alloc(0)).toString(),
      it.harness.events,
    ];
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
