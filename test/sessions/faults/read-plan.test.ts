// A plan sends nothing but reads, and no read more than it needs: one site list, one domain list, one document a site
// that declares caching.
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';

async function requestsOf(
  files: Readonly<Record<string, string>>,
  scenario = 'small',
  ledger?: string,
): Promise<readonly string[]> {
  const harness = await openHarness({
    files: { ...files, ...(ledger !== undefined && { '.hostwright/ledger.jsonl': ledger }) },
    memoryLedger: false,
    scenario,
  });
  await harness.planned();
  return harness.sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort();
}

describe('the reads of a plan', () => {
  it('SIT-08: are two lists for all hostnames of all sites, and one read a site that may be locked', async () => {
    expect(
      await requestsOf({
        'sites/a.json': siteManifest('shop', { domains: ['shop.example.com'] }),
        'sites/b.json': siteManifest('docs', { domains: ['docs.example.com'], primaryDomain: 'docs.example.com' }),
      }),
    ).toEqual([
      'GET /api/domains',
      'GET /api/sites',
      'GET /api/sites/site-docs/domains',
      'GET /api/sites/site-shop/domains',
    ]);
  });

  it('are one list and one document a site for caching alone, or where there is nothing to read', async () => {
    expect(
      await requestsOf({
        'sites/a.json': siteManifest('shop', { caching: { smartCache: true } }),
        'sites/b.json': siteManifest('docs', { name: 'docs' }),
      }),
    ).toEqual(['GET /api/sites', 'GET /api/sites/site-docs/domains', 'GET /api/sites/site-shop/cdn/caching']);
  });

  it('are one list and one document a site for mail alone', async () => {
    expect(await requestsOf({ 'sites/a.json': siteManifest('shop', { mail: { fromLocalPart: 'orders' } }) })).toEqual([
      'GET /api/sites',
      'GET /api/sites/site-shop/mail',
    ]);
  });

  it('are the CDN status too where a hostname is about to be detached', async () => {
    expect(
      await requestsOf({
        'sites/a.json': siteManifest('shop', {
          domains: ['shop.example.com'],
          primaryDomain: 'shop.example.com',
          unlisted: { domains: 'remove' },
        }),
      }),
    ).toEqual(['GET /api/domains', 'GET /api/sites', 'GET /api/sites/site-shop/cdn']);
  });

  it('are 2 + one a site, whether it declares caching or not, for 120 sites', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `s${String(index + 1).padStart(5, '0')}`);
    const manifest = names
      .map(
        (name) =>
          `---\n${siteManifest(name, { domains: [`${name}.example.com`], ...(name.endsWith('7') && { caching: { smartCache: true } }) })}\n`,
      )
      .join('');
    expect(await requestsOf({ 'sites/all.yaml': manifest }, 'sites:120')).toHaveLength(2 + 120);
  });

  it('are one more for a list that has exactly the size of a page (GAP-06)', async () => {
    expect(
      await requestsOf({ 'sites/all.json': siteManifest('s00001', { caching: { smartCache: true } }) }, 'sites:50'),
    ).toEqual(['GET /api/sites', 'GET /api/sites/site-s00001/cdn/caching', 'GET /api/sites?page=2']);
  });

  it('O-03: are the list of plans too, only where a live package is none of the declared plans', async () => {
    expect(
      await requestsOf({
        'sites/a.json': siteManifest('shop', { plan: 'pro' }),
        'sites/b.json': siteManifest('docs', { plan: 'mini' }),
      }),
    ).toEqual(['GET /api/sites', 'GET /api/sites/site-docs/domains', 'GET /api/sites/site-shop/domains']);
    expect(await requestsOf({ 'sites/a.json': siteManifest('shop', { plan: 'pro' }) })).toEqual([
      'GET /api/about',
      'GET /api/sites',
      'GET /api/sites/site-shop/domains',
    ]);
  });

  it('are two lists for a site to be bought, the orders for a lost purchase, and the orders for a failed payment [ORD-43]', async () => {
    const order = {
      plan: 'pro',
      order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      domains: ['new.example.com'],
      caching: { smartCache: true },
    };
    // No live package is the plan to buy, but nothing is compared with it.
    expect(await requestsOf({ 'sites/a.json': manifest('Site', 'new', order) })).toEqual([
      'GET /api/about',
      'GET /api/domains',
      'GET /api/orders?per_page=100',
      'GET /api/orders?per_page=100',
      'GET /api/sites',
    ]);
  });

  it('are two more for a site that is to be absent and that the list still shows: its hostnames, and its backups', async () => {
    const text = siteManifest('docs', { caching: { smartCache: true } }, { lifecycle: { state: 'absent' } });
    expect(await requestsOf({ 'sites/a.json': text })).toEqual([
      'GET /api/sites',
      'GET /api/sites/site-docs/backups',
      'GET /api/sites/site-docs/domains',
    ]);
  });

  it('are sent again for a saved plan, which then costs what any apply does: a look before the first write, and one at what was done', async () => {
    const count = async (saved: boolean): Promise<readonly string[]> => {
      const harness = await openHarness({
        files: { 'sites/a.json': siteManifest('shop', { caching: { cacheExpiration: 5 } }) },
      });
      const plan = await harness.planned();
      const from = harness.sandbox.requests.length;
      expect((await harness.apply(saved ? { plan } : {})).outcome.exitCode).toBe(0);
      const sent = harness.sandbox.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
      return sent;
    };
    const sent = await count(true);
    expect(sent).toEqual(await count(false));
    expect(sent.slice(0, 4)).toEqual([
      'GET /api/sites',
      'GET /api/sites/site-shop/cdn/caching',
      'GET /api/sites',
      'GET /api/sites/site-shop/cdn/caching',
    ]);
  });

  it('are all there is: no file is written, and a read-only token is enough', async () => {
    const harness = await openHarness({ example: 'small-agency', memoryLedger: false });
    const { plan, diagnostics } = await harness.plan({}, { token: 'sandbox-oauth-read-only' });
    expect(diagnostics).toEqual([]);
    expect(plan?.actions.length).toBeGreaterThan(0);
    expect(harness.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
    const { readdir } = await import('node:fs/promises');
    expect((await readdir(harness.root)).sort()).toEqual(['README.md', 'hostwright.yaml', 'sites']);
  });

  describe('of a mailspace', () => {
    const space = (name: string, spec: object) => ({
      'sites/mail.json': manifest('Mailspace', name, spec),
    });
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        address: `u${String(index + 1).padStart(5, '0')}@big.example.com`,
        status: 'active',
      }));
    const inBig = (...paths: readonly string[]) =>
      ['GET /api/mailspace', ...paths.map((path) => `GET /api/mailspace/mail-big/${path}`)].sort();

    it('are the list and one list a section, however many mailboxes there are', async () => {
      expect(await requestsOf(space('big.example.com', { mailboxes: addresses(400) }), 'mailboxes:400')).toEqual(
        inBig('mailboxes'),
      );
      const aliases = Array.from({ length: 40 }, (_, index) => ({
        address: `alias-u${String((index + 1) * 10).padStart(5, '0')}@big.example.com`,
        target: `u${String((index + 1) * 10).padStart(5, '0')}@big.example.com`,
      }));
      const groups = [
        { email: 'first@big.example.com', name: 'First', members: ['u00001@big.example.com'] },
        { email: 'all@big.example.com', name: 'All' },
      ];
      expect(
        await requestsOf(
          space('big.example.com', { mailboxes: addresses(400), domains: [], groups, aliases }),
          'mailboxes:400',
        ),
      ).toEqual(inBig('mailboxes', 'domains', 'groups', 'groups/grp-first', 'aliases'));
    });

    it('are one more for each mailbox that declares what only its view tells', async () => {
      const [one, two] = addresses(2);
      expect(
        await requestsOf(space('big.example.com', { mailboxes: [{ ...one, allowedIps: [] }, two] }), 'mailboxes:400'),
      ).toEqual(inBig('mailboxes', 'mailboxes/mbx-u00001'));
    });

    it('LIM-04: are one more for each of 1,000 mailboxes that a list cut off at 500 does not show', async () => {
      const requests = await requestsOf(space('big.example.com', { mailboxes: addresses(1000) }), 'mailboxes:1000');
      expect(requests.filter((request) => request.includes('/check'))).toHaveLength(500);
      expect(requests).toHaveLength(2 + 500);
    });

    it('are the list alone where nothing in it is declared, and the view while a record has to be published', async () => {
      expect(await requestsOf(space('shop.example.com', { package: 'mail_20' }), 'mail')).toEqual([
        'GET /api/mailspace',
      ]);
      expect(await requestsOf(space('blog.example.com', { mailboxes: [] }), 'mail')).toEqual([
        'GET /api/mailspace',
        'GET /api/mailspace/mail-blog',
      ]);
    });
  });

  describe('of panel accounts', () => {
    const account = (rest: { readonly id?: string } = {}) => ({
      'sites/panel.json': manifest('PanelAccount', 'a', { package: 'mini' }, rest),
    });
    const page = (number: number) => `GET /api/panel_accounts?per_page=100${number === 1 ? '' : `&page=${number}`}`;

    it.each([
      [0, 1],
      [7, 2],
      [250, 4],
      [500, 6],
      [600, 6],
    ])('PNL-11: of %d are pages until one is empty: %d', async (count, pages) => {
      expect(await requestsOf(account(), `panel:${count}`)).toEqual(
        Array.from({ length: pages }, (_, index) => page(index + 1)).sort(),
      );
    });

    it('PNL-11: are a search for each declared one that a full list does not show', async () => {
      const searches = async (id: string): Promise<readonly string[]> => {
        const harness = await openHarness({
          files: account({ id }),
          scenario: 'panel:600',
          ambiguities: { listOrder: 'stored' },
        });
        await harness.planned();
        return harness.sandbox.requests.map(({ path }) => path).filter((path) => path.includes('q='));
      };
      expect(await searches('u00555')).toEqual([
        '/api/panel_accounts?per_page=100&q=u00555',
        '/api/panel_accounts?per_page=100&q=u00555&page=2',
      ]);
      expect(await searches('u00001')).toEqual([]);
    });
  });
});
