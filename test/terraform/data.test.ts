// Data sources: what a configuration only looks at.
import { describe, expect, it } from 'vitest';
import { openCore } from '../support/terraform-core.ts';
import { containing } from '../support/matchers.ts';

describe('hostwright_account', () => {
  it('lists what there is by id, and says what could not be read', async () => {
    const { data } = await openCore();
    const { values, said } = await data('hostwright_account', {});
    expect(said).toEqual([]);
    expect(values).toMatchObject({
      id: 'acc-acme',
      sites: { 'site-shop': { name: 'shop' }, 'site-blog': { name: 'blog' }, 'site-docs': { name: 'docs' } },
      mailspaces: {},
      panel_accounts: null,
      unread: { panel_accounts: { reason: containing('not enabled') } },
    });
  });
});

describe('hostwright_site', () => {
  it('is found by id, by hostname and by name, with its settings', async () => {
    const { data } = await openCore();
    const byId = await data('hostwright_site', { name: 'site-shop' });
    expect(byId.values).toMatchObject({ name: 'site-shop', id: 'site-shop', caching: { cache_expiration: 3600 } });
    const byHostname = await data('hostwright_site', { name: 'www.shop.example.com' });
    expect(byHostname).toEqual({ values: { ...(byId.values as object), name: 'www.shop.example.com' }, said: [] });
    const byName = await data('hostwright_site', { name: 'shop' });
    expect(byName).toEqual({ values: { ...(byId.values as object), name: 'shop' }, said: [] });
    expect((await data('hostwright_site', { name: 'nope' })).said.join()).toContain('HW7014');
  });
});

describe('hostwright_dns_records', () => {
  it('SIT-03, DOM-13: tells where the hostnames of a site have to point', async () => {
    const { data, harness } = await openCore();
    const { values } = await data('hostwright_dns_records', { site: 'site-shop' });
    const asked = new Set(harness.sandbox.requests.map(({ path }) => path.split('?')[0]));
    // Of the site, only what its records are made of.
    expect([...asked].sort()).toEqual(['/api/about', '/api/domains', '/api/sites', '/api/sites/site-shop']);
    const target = 'site-shop.cdn.sandbox.example';
    expect(values).toMatchObject({
      cname_target: target,
      verification: {},
      records: [
        { name: 'shop.example.com', type: 'NS', value: null, status: 'not-known' },
        { name: 'www.shop.example.com', type: 'CNAME', value: target },
      ],
    });
  });

  it('MDM-22, MSP-17: tells the records of mail domains, and the proof of those that wait for it', async () => {
    const { data } = await openCore({ scenario: 'mail' });
    const { values } = await data('hostwright_dns_records', { mailspace: 'mail-shop' });
    const { records, verification } = values as unknown as {
      readonly records: readonly { readonly type: string; readonly priority: number | null }[];
      readonly verification: object;
    };
    expect(records.filter(({ type }) => type === 'MX')).toContainEqual(
      expect.objectContaining({ priority: expect.any(Number) as number }),
    );
    expect(Object.values(verification)).toEqual(
      Object.values(verification).map(() => ({
        name: expect.any(String) as string,
        value: expect.any(String) as string,
      })),
    );
  });

  it('MDM-19: is an error and no short list where the records could not be read', async () => {
    const { data } = await openCore({ scenario: 'mail' });
    const { values, said } = await data('hostwright_dns_records', { mailspace: 'mail-held' });
    expect(said.join()).toContain('HW3101');
    expect(values).toBeNull();
  });

  it.each([
    { site: null, mailspace: null },
    { site: 'a', mailspace: 'b' },
  ])('refuses %o', async (config) => {
    const { data } = await openCore();
    expect((await data('hostwright_dns_records', config)).said.join()).toContain('HW7021');
  });
});

describe('hostwright_domain_quote', () => {
  it('REG-32: tells what a name costs, and buys nothing', async () => {
    const { data, harness } = await openCore({ scenario: 'registrar' });
    const before = harness.sandbox.snapshot();
    const { values } = await data('hostwright_domain_quote', { name: 'acme-widgets.com' });
    expect(values).toMatchObject({ available: true, price: { amount: '12.00', currency: 'EUR' }, reason: null });
    const transfer = await data('hostwright_domain_quote', { name: 'acme-widgets.com', action: 'transfer' });
    expect(transfer.values).toMatchObject({ available: false, price: null, reason: expect.any(String) as string });
    expect(harness.sandbox.snapshot()).toEqual(before);
    expect((await data('hostwright_domain_quote', { name: 'a.com', action: 'steal' })).said.join()).toContain('HW7021');
  });

  it('ORD-38: is not a no where the platform could not tell', async () => {
    const { data } = await openCore({ scenario: 'registrar' });
    const owned = await data('hostwright_domain_quote', { name: 'one.com' });
    expect(owned.values).toMatchObject({ available: null, reason: expect.any(String) as string });
  });
});
