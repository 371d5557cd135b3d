// `get`, kind by kind against the sandbox: what is read and how often, what stands in the rows, which names are taken,
// and that a read that fails is told and never taken for nothing.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Shown } from '../../../src/model/shown.ts';
import { renderRowsJson } from '../../../src/report/json/rows.ts';
import { renderRows } from '../../../src/report/text/rows.ts';
import type { GetRequest, GetResult } from '../../../src/usecases/get/get.ts';
import { getRows, watchRows } from '../../../src/usecases/get/get.ts';
import type { GetKind } from '../../../src/model/shown.ts';
import { findGetKind, GET_KINDS } from '../../../src/usecases/get/kinds.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { VIEWS } from '../../../src/areas/views.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { mailboxOf, siteOf, spaceOf } from '../../support/live.ts';
import { containing, matching } from '../../support/matchers.ts';

type More = Omit<Partial<GetRequest>, 'kind'>;
const request = (kind: string, more: More = {}): GetRequest => ({
  kind: findGetKind(kind) as GetKind,
  detailed: false,
  ...more,
});

/** The kinds that have rows; logs and metrics have none. */
const ROWS = GET_KINDS.map(({ kind }) => kind).filter((kind) => !['logs', 'metrics'].includes(kind));

const isDocument = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/get.schema.json', import.meta.url), 'utf8')) as object,
);

/** Reads rows; whatever comes is as the schema says, holds no secret, and has a value for each column. */
async function get(one: Harness, kind: string, more: More = {}): Promise<GetResult & { readonly rows: Shown['rows'] }> {
  const result = await getRows(one.session(), request(kind, more));
  const json = renderRowsJson(result.shown, result);
  expect(isDocument(JSON.parse(json)), JSON.stringify(isDocument.errors)).toBe(true);
  expect(json).not.toMatch(/sandbox-ssh-password|"password"|"api_token"|"authcode"/);
  for (const { values } of result.shown?.rows ?? [])
    expect(Object.keys(values)).toEqual(result.shown?.columns.map(({ name }) => name));
  return { ...result, rows: result.shown?.rows ?? [] };
}

const valuesOf = ({ rows }: Pick<Shown, 'rows'> = { rows: [] }, ...names: readonly string[]) =>
  rows.map(({ values }) => names.map((name) => values[name]));
const reads = ({ sandbox }: Harness) => sandbox.requests.map(({ method, path }) => `${method} ${path}`);
const table = (shown: Shown | undefined, wide = false) =>
  renderRows(shown as Shown, { color: false, wide, nowMs: Date.parse('2026-01-15T09:00:00Z') });

describe('kinds', () => {
  it('have a view each, and names that no other has', () => {
    expect([...VIEWS.keys()]).toEqual(ROWS);
    const names = GET_KINDS.flatMap(({ kind, singular, short }) => [...new Set([kind, singular, ...short])]);
    expect(new Set(names).size).toBe(names.length);
    for (const written of ['Site', 'sites', 'DomainRegistration', 'panelaccount', 'ms', 'reg'])
      expect(findGetKind(written), written).toBeDefined();
    expect(findGetKind('pods')).toBeUndefined();
  });

  it.each(ROWS)('%s: a refused credential is the answer, once', async (kind) => {
    const one = await openHarness();
    const { outcome, diagnostics } = await getRows(
      one.session({ token: 'wrong' }),
      request(
        kind,
        kind === 'carts' ? { name: 'token' } : findGetKind(kind)?.isNamed === true ? { names: ['a.com'] } : {},
      ),
    );
    expect([outcome, diagnostics.map(({ code }) => code)]).toEqual(['error', ['HW3001']]);
  });
});

describe('sites', () => {
  it('SIT-02, SIT-03: show plan, price, primary domain, PHP and SSH address, never the password', async () => {
    const one = await openHarness();
    const sites = await get(one, 'sites');
    expect(table(sites.shown).split('\n')).toEqual([
      'NAME  PRIMARY DOMAIN                 PLAN  PRICE          PHP  STATUS  SSH',
      'blog  site-blog.tmp.sandbox.example  mini  25.00 monthly  8.3  active  u9@192.0.2.10:2222',
      'docs  docs.example.com               mini  25.00 monthly  8.3  active  u9@192.0.2.10:2222',
      'shop  shop.example.com               pro   240.00 annual  8.2  active  u9@192.0.2.10:2222',
    ]);
    expect(sites.rows[2]?.object).toMatchObject({ ssh: { ipaddr: '192.0.2.10', port: 2222 } });
  });

  it.each(['both', 'plain', 'documented'])('GAP-04 = %s: the view is found, and nothing restarts', async (reading) => {
    const one = await openHarness({ ambiguities: { 'GAP-04': reading } });
    expect(valuesOf(await get(one, 'sites', { name: 'shop' }), 'php')).toEqual([['8.2']]);
    expect(one.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(siteOf(one.sandbox).restarts.cms).toBe(0);
  });

  it('are found by manifest, address, id, name and any hostname, and one view is read', async () => {
    const files = {
      'sites/shop.yaml': 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: store, id: site-shop }\nspec: {}\n',
    };
    const one = await openHarness({ files });
    for (const name of ['store', 'Site/store', 'id:site-shop', 'site-shop', 'shop', 'WWW.shop.example.com']) {
      one.sandbox.requests.length = 0;
      expect(
        (await get(one, 'sites', { name })).rows.map(({ id }) => id),
        name,
      ).toEqual(['site-shop']);
      expect(reads(one).filter((line) => line === 'GET /api/sites/site-shop')).toHaveLength(1);
      expect(reads(one).filter((line) => /sites\/site-(docs|blog)/.test(line))).toEqual([]);
    }
    const wrong = async (name: string) => (await get(one, 'sites', { name })).diagnostics[0]?.detail;
    expect(await wrong('shpo')).toContain('Did you mean `shop`?');
    expect(await wrong('stroe')).toContain('Did you mean `store`?');
    expect(await wrong('Site/stroe')).toContain('No Site manifest is called `stroe`. Did you mean `store`?');
    expect(await wrong('User/store')).toContain('is not the address of a Site');
  });

  it('SIT-08: say why a site tells no more, and which value could not be read', async () => {
    const one = await openHarness({ scenario: 'guards' });
    const sites = await get(one, 'sites');
    expect(sites.outcome).toBe('error');
    const lines = table(sites.shown).split('\n');
    expect(lines.find((line) => line.startsWith('suspended '))).toMatch(/pro +\? +\? +suspended: unpaid invoice +\?$/);
    expect(lines.find((line) => line.startsWith('leaving '))).toMatch(/will be deleted/);
    expect(lines.find((line) => line.startsWith('locked '))).toMatch(/pro +\? +\? +\? +\?$/);
    expect(sites.diagnostics).toMatchObject([{ code: 'HW4570', detail: containing('locked: ') }]);
    // A state that the row names is not a failure.
    for (const name of ['suspended', 'leaving'])
      expect(await get(one, 'sites', { name })).toMatchObject({ outcome: 'done', diagnostics: [] });
    expect(JSON.stringify((await get(one, 'backups')).diagnostics)).toContain(
      'backups: the site is suspended over an unpaid invoice: GET /api/sites/',
    );
  });
});

describe('in sites', () => {
  it('DOM-01: domains name their site', async () => {
    const domains = await get(await openHarness(), 'domains', { site: 'shop' });
    expect(valuesOf(domains, 'hostname', 'site', 'target')).toEqual([
      ['shop.example.com', 'shop', 'site-shop.cdn.sandbox.example'],
      ['www.shop.example.com', 'shop', 'site-shop.cdn.sandbox.example'],
    ]);
  });

  it('SIT-08: hostnames of a site that tells nothing are shown without their target', async () => {
    const one = await openHarness({ scenario: 'guards' });
    const { rows, diagnostics } = await get(one, 'domains', { name: 'suspended.example.com' });
    expect(rows.map(({ values }) => values.target)).toMatchObject([{ is: 'unknown' }]);
    expect(diagnostics).toMatchObject([{ detail: 'suspended: target of its hostnames: suspended: unpaid invoice.' }]);
  });

  it('EDG-07, EDG-02: edge rules are in their order and in the words of a manifest, as a user reads them', async () => {
    const one = await openHarness();
    const run = async (...args: readonly string[]) =>
      (await runCommand(['get', ...args], { cwd: one.root, url: one.sandbox.url })).stdout.replaceAll(/ {2,}/g, ' | ');
    expect(await run('edge-rules', '--site', 'id:site-shop')).toMatch(
      /SITE \| NAME \| ENABLED \| DOES \| MATCH \| TRIGGERS\nshop \| force ssl \| yes \| forceSsl \| any \| url \*\nshop \| old shop \| yes \| redirect to=https:\/\/shop\.example\.com\/ status=301 \| any \| url \*\/old\/\*, \*\/classic\/\*\n/,
    );
    expect(await run('EdgeRule', 'made elsewhere', '-o', 'yaml')).toContain('type: 37');
  });

  it('CCH-01, CDN-04: caching is a line a site; a site without a CDN has none', async () => {
    const one = await openHarness();
    siteOf(one.sandbox, 'docs').cdn.zone = 'none';
    expect(valuesOf(await get(one, 'caching'), 'site', 'expiration', 'differsBy')).toEqual([
      ['blog', -1, { is: 'list', items: [] }],
      ['shop', 3600, { is: 'list', items: ['cookie'] }],
    ]);
    expect(valuesOf(await get(one, 'edge-rules', { site: 'docs' }), 'name')).toEqual([]);
  });

  it('CDN-02, CDN-04: hostnames at the CDN say whether they have their certificate, as a user reads it', async () => {
    const one = await openHarness();
    const { sandbox } = one;
    const run = (...args: readonly string[]) => runCommand(['get', ...args], { cwd: one.root, url: sandbox.url });
    const attached = siteOf(sandbox).domains.find(({ hostname }) => hostname === 'shop.example.com');
    if (attached === undefined) throw new Error('no hostname');
    attached.hasCertificate = false;
    expect((await run('cdn', 'shop.example.com')).stdout).toMatch(
      /^SITE +HOSTNAME +CERTIFICATE +FORCE TLS +CDN\nshop +shop\.example\.com +no +(yes|no) +premium\n$/,
    );
    expect((await run('cdn', '--site', 'docs', '-o', 'wide')).stdout).toMatch(/ORIGIN .*\ndocs +\S+ +yes .*https:\/\//);
    siteOf(sandbox, 'docs').cdn.zone = 'none';
    const all = await get(one, 'cdn');
    expect([all.outcome, all.rows.some(({ values }) => values.site === 'docs')]).toEqual(['done', false]);
  });

  it('BKP-01: backups are volumes, archives what is in them', async () => {
    const one = await openHarness();
    const volumes = await get(one, 'backups', { site: 'id:site-shop' });
    expect(valuesOf(volumes, 'site', 'volume', 'archives')).toEqual([
      ['shop', 'content', 1],
      ['shop', 'database', 0],
    ]);
    expect(valuesOf(await get(one, 'archives'), 'site', 'volume', 'archive', 'id')).toEqual([
      ['shop', 'content', 'nightly', 'arch-nightly'],
    ]);
  });

  it.each(['bare', 'wrapped'])(
    'TSK-06, TSK-07, GAP-14 = %s: tasks are narrowed, and one is read by its id',
    async (value) => {
      const one = await openHarness({ ambiguities: { 'GAP-14': value } });
      expect(valuesOf(await get(one, 'tasks'), 'site', 'id', 'status')).toEqual([['shop', 501, 'OK']]);
      expect((await get(one, 'tasks', { status: 'FAILED' })).rows).toEqual([]);
      one.sandbox.requests.length = 0;
      expect(valuesOf(await get(one, 'tasks', { name: '501' }), 'name')).toEqual([['site.created']]);
      expect(reads(one)).toEqual(['GET /api/tasks/501']);
      expect((await get(one, 'tasks', { name: '999' })).diagnostics).toMatchObject([{ code: 'HW4571' }]);
    },
  );

  it('of a site that its manifest does not lead to is refused by the code that acts on that site have', async () => {
    const unbound =
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: next }\nspec: { domains: [next.example.com] }\n';
    const one = await openHarness({ files: { 'sites/next.yaml': unbound } });
    const answers = [
      await get(one, 'tasks', { site: 'next' }),
      await act(one.session(), { operation: 'restart', address: 'Site/next' }, () => Promise.resolve(true)),
    ];
    expect(answers.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([['HW4507'], ['HW4507']]);
  });

  it('TML-01: the mail of a site, also of one that has none', async () => {
    const mail = await get(await openHarness(), 'site-mail');
    expect(valuesOf(mail, 'site', 'status', 'dns')).toEqual([
      ['blog', 'no account', null],
      ['docs', 'pending', 'unknown'],
      ['shop', 'active', 'verified'],
    ]);
  });

  it('SHD-12, GAP-29: rules of the WAF stand beside own rules, with what becomes of each', async () => {
    for (const reading of ['snake', 'camel']) {
      const one = await openHarness({ scenario: 'shield', ambiguities: { 'GAP-29.case': reading } });
      const rules = await get(one, 'shield-rules', { site: 'premium' });
      expect(valuesOf(rules, 'source', 'id', 'state')).toEqual(
        expect.arrayContaining([
          ['WAF', '942100', 'disabled'],
          ['WAF', '942190', 'on'],
          ['WAF', '941160', 'log only'],
          ['own rule', 'rule-admin', null],
          ['rate limit', 'limit-api', null],
          ['access list', 'list-countries', null],
        ]),
      );
    }
  });

  it('a site that cannot be read has a row that says so; the others are shown', async () => {
    const one = await openHarness();
    one.sandbox.setFaults([{ kind: 'status-before', status: 403, match: { path: '/api/sites/site-docs/backups' } }]);
    const volumes = await get(one, 'backups');
    expect([volumes.outcome, volumes.rows.length]).toEqual(['error', 4]);
    expect(table(volumes.shown).split('\n').at(-1)).toMatch(/^docs +\? +\? +\?/);
    expect(volumes.shown?.notRead).toMatchObject([{ of: 'docs', what: 'backups' }]);
  });
});

describe('mail', () => {
  it('MSP-02, MSP-04: mailspaces show use and quota; wide their webmail, from one view each', async () => {
    const one = await openHarness({ scenario: 'mail' });
    const spaces = await get(one, 'mailspaces');
    expect(reads(one)).toEqual(['GET /api/mailspace']);
    expect(table(spaces.shown)).toMatch(/shop\.example\.com +mail_20 +active +4 MB +100 GB +3 +20/);
    const wide = await get(one, 'mailspaces', { detailed: true });
    expect(table(wide.shown, true)).toContain('https://webmail.sandbox.example/');
    expect(table(wide.shown, true)).toContain('_mailspace-verify.blog.example.com');
  });

  it('MBX-04, MBX-05: mailboxes show use, quota and when they go; wide their two-factor sign-in', async () => {
    const one = await openHarness({ scenario: 'mail' });
    const inShop = { mailspace: 'shop.example.com' };
    const anna = await get(one, 'mailboxes', { ...inShop, name: 'Anna@shop.example.com' });
    expect(valuesOf(anna, 'twoFactor', 'groups')).toEqual([[true, { is: 'list', items: ['team@shop.example.com'] }]]);
    const all = await get(one, 'mailboxes');
    // One mailspace is suspended, which refuses reads too.
    expect(all.shown?.notRead.map(({ of }) => of)).toEqual(['held.example.com']);
    const leaving = mailboxOf(one.sandbox, 'mbx-ben');
    Object.assign(leaving, { status: 'pending_deletion', scheduledDeletionAt: Date.parse('2026-01-27T10:00:00Z') });
    expect(table((await get(one, 'mailboxes', inShop)).shown)).toMatch(
      /ben@shop.* pending_deletion .*2026-01-27, in 12 days/,
    );
  });
});

describe('in mailspaces', () => {
  it('MDM-03, GRP-01, GRP-04, ALS-01: domains with their DNS, groups with their members, aliases with their targets', async () => {
    const one = await openHarness({ scenario: 'mail' });
    const { sandbox } = one;
    const inShop = ['--mailspace', 'shop.example.com'];
    const run = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr, code } = await runCommand(['get', ...args], { cwd: one.root, url: sandbox.url });
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    const domains = await run('mail-domains', ...inShop, '-o', 'wide');
    expect(domains).toMatch(/shop\.example\.com +shop\.example\.com +primary +(managed|manual|setup_needed) +yes/);
    expect(domains).toMatch(
      /shop\.example\.org +pending_verification +- +no .*_mailspace-verify\.shop\.example\.org a1a1/,
    );
    expect(await run('groups', ...inShop)).toMatch(/team@shop\.example\.com +The team +2\n/);
    expect(sandbox.requests.filter(({ path }) => path.includes('/groups/'))).toEqual([]);
    expect(await run('group', 'team@shop.example.com', ...inShop, '-o', 'wide')).toContain(
      'anna@shop.example.com, ben@shop.example.com',
    );
    expect(await run('aliases', ...inShop)).toMatch(/sales@shop\.example\.com +anna@shop\.example\.com +mailbox/);
    expect(await run('alias', 'crew@shop.example.com', ...inShop)).toMatch(/crew@.* +team@shop\.example\.com +group/);
    const { stderr } = await runCommand(['get', 'alias', 'crow@shop.example.com', ...inShop], {
      cwd: one.root,
      url: sandbox.url,
    });
    expect(stderr).toContain('Did you mean `crew@shop.example.com`?');
  });

  it('GRP-02, ALS-02: what one read cannot show is unknown, but for what was asked for by name and is there', async () => {
    const one = await openHarness({ scenario: 'mailboxes:600' });
    const groups = await get(one, 'groups');
    expect([groups.outcome, groups.shown?.notRead]).toMatchObject(['error', [{ what: 'further groups' }]]);
    expect((await get(one, 'aliases')).shown?.notRead).toMatchObject([{ what: 'further aliases' }]);
    expect((await get(one, 'aliases', { name: 'alias-u00010@big.example.com' })).outcome).toBe('done');
  });
});

it('MBX-07: an empty view is not taken for an answer: what only it tells is unknown', async () => {
  const one = await openHarness({ scenario: 'mail' });
  spaceOf(one.sandbox).troubles.push({ part: 'mailbox', times: null });
  const anna = await get(one, 'mailbox', { name: 'anna@shop.example.com', mailspace: 'id:mail-shop' });
  expect(anna.outcome).toBe('error');
  expect(valuesOf(anna, 'quota', 'twoFactor')).toEqual([
    [{ is: 'megabytes', megabytes: 2048 }, expect.objectContaining({ is: 'unknown' })],
  ]);
});

describe('registrations', () => {
  it('REG-04, REG-08, REG-09: show expiry, renewal, process and fees; one of them its site too', async () => {
    const one = await openHarness({ scenario: 'registrar' });
    const all = await get(one, 'registrations');
    expect(reads(one)).toEqual(['GET /api/domain_registrations']);
    const text = table(all.shown, true);
    expect(text).toMatch(/leaving\.com +OK +2027-01-15, in 365 days +yes .* transfer away/);
    expect(text).toMatch(/window\.com .* 2026-01-20, in 5 days/);
    expect(text).toMatch(/paid\.shop .* 5\.00 EUR +15\.00 EUR/);
    expect(valuesOf(await get(one, 'reg', { name: 'shop.example.com' }), 'site')).toEqual([['shop']]);
    expect((await get(one, 'reg', { query: 'paid' })).rows).toHaveLength(2);
  });

  it('GAP-06: a list that may have pages is read on, for contacts as for plans', async () => {
    const one = await openHarness({ scenario: 'registrations:120' });
    const contacts = await get(one, 'contacts');
    expect(contacts.rows).toHaveLength(60);
    expect(contacts.rows.every(({ object }) => (object.used_by as readonly unknown[]).length === 2)).toBe(true);
    expect((await get(one, 'registrations')).rows).toHaveLength(120);
  });

  it('DCT-01, DCT-02: contacts name their registrations and roles, from one list of each', async () => {
    const one = await openHarness({ scenario: 'registrar' });
    const contacts = await get(one, 'contacts');
    expect(reads(one).sort()).toEqual(['GET /api/domain_contacts', 'GET /api/domain_registrations']);
    expect(table(contacts.shown)).toMatch(
      /802 +\S+ +Ben Vries +ben@acme\.example +plain\.com \(tech\) +type=email status=/,
    );
    expect(table(contacts.shown)).toMatch(/801 .* \(all roles\).* and \d+ more/);
    expect((await get(one, 'contacts', { query: 'one.com' })).rows.map(({ id }) => id)).toEqual(['806']);
  });

  it.each([
    ['GAP-50', 'wrapped'],
    ['GAP-50', 'bare'],
    ['GAP-50.validations', 'texts'],
  ])('DCT-01, %s = %s: one contact is found by its number', async (gap, value) => {
    const one = await openHarness({ scenario: 'registrar', ambiguities: { [gap]: value } });
    const [ada] = (await get(one, 'contact', { name: '801' })).rows;
    expect(ada?.object).toMatchObject({
      id: 801,
      email: 'ada@acme.example',
      validations: [expect.anything() as unknown],
    });
    expect((await get(one, 'contact', { name: '999' })).diagnostics).toMatchObject([{ code: 'HW4571' }]);
  });

  it('HST-01: glue records name their registration', async () => {
    const hosts = await get(await openHarness({ scenario: 'registrar' }), 'hosts', { registration: 'plain.com' });
    expect(valuesOf(hosts, 'registration', 'host')).toEqual([['plain.com', 'ns1.plain.com']]);
  });

  it('REG-01: says that the area is closed', async () => {
    const one = await openHarness({ scenario: 'registrar' });
    one.sandbox.state.registrar.enabled = false;
    for (const kind of ['registrations', 'contacts', 'hosts'])
      expect((await get(one, kind)).diagnostics, kind).toMatchObject([
        { code: 'HW4501', detail: matching(/^Domain registration is not switched on for this .*feature_disabled/) },
      ]);
  });
});

const ORDER = {
  'sites/fresh.yaml':
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: fresh }\nspec: { plan: mini, order: { variant: vanilla, location: ams, term: monthly } }\n',
};

describe('the account', () => {
  it('ORD-11, ORD-44: a cart that waits for a person is known from the ledger, with the page to pay on', async () => {
    const one = await openHarness({ scenario: 'billing-3ds', files: ORDER, ledger: true });
    expect((await one.apply({ allowCharges: 1 })).outcome.outcome).toBe('waiting');
    const carts = await get(one, 'carts');
    expect(valuesOf(carts, 'payment')).toEqual([['awaiting_authentication']]);
    expect(table(carts.shown)).toMatch(/https:\/\/pay\.sandbox\.example\/invoices\/cart-[\w-]+$/);
    const [{ id = '' } = {}] = carts.rows;
    expect((await get(one, 'cart', { name: id })).rows).toHaveLength(1);
    expect((await get(one, 'cart', { name: 'another' })).diagnostics).toMatchObject([{ code: 'HW4571' }]);
  });

  it('ORD-02, ORD-04: orders show their payment and what was bought; the newest only', async () => {
    const one = await openHarness({ files: ORDER, ledger: true });
    expect((await one.apply({ allowCharges: 1 })).outcome.outcome).toBe('done');
    const orders = await get(one, 'orders');
    expect(valuesOf(orders, 'status', 'payment', 'for', 'payAt')).toEqual([
      ['completed', 'succeeded', matching(/^site /), null],
    ]);
    expect(JSON.stringify(orders.rows)).not.toContain('password');
    expect(await get(one, 'orders', { limit: 0 })).toMatchObject({ rows: [], cuts: [{ shown: 0, of: 1 }] });
  });

  it('PNL-02, PNL-11: panel accounts of this workspace', async () => {
    const accounts = await get(await openHarness({ scenario: 'panel' }), 'panel-accounts');
    expect(table(accounts.shown)).toMatch(/acmeshop +acmeshop\.example\.com +basic +active +7\.8 GB +19\.5 GB +host1/);
  });

  it('PNL-11: an account beyond the cap of the list is asked for by its name, or its domain', async () => {
    const one = await openHarness({ scenario: 'panel:610' });
    const { sandbox } = one;
    for (const name of ['u00610', 'u00610.example.com', 'u00001']) {
      const found = await get(one, 'panel-accounts', { name });
      expect([found.outcome, found.rows.length], name).toEqual(['done', 1]);
    }
    const { stdout, code } = await runCommand(['get', 'panel-account', 'u00610'], { cwd: one.root, url: sandbox.url });
    expect([code, stdout]).toEqual([0, containing('u00610')]);
    expect((await get(one, 'panel-accounts', { name: 'nobody' })).diagnostics).toMatchObject([{ code: 'HW4571' }]);
    expect((await get(one, 'panel-accounts')).outcome).toBe('error');
  });

  it('USR-01: users', async () => {
    expect(valuesOf(await get(await openHarness(), 'users'), 'email')).toEqual([
      ['ada@acme.example'],
      ['rob@acme.example'],
    ]);
  });

  it.each(['objects', 'texts', 'nested'])('GAP-07 = %s: plans and locations as they come', async (reading) => {
    const about = await get(await openHarness({ ambiguities: { 'GAP-07': reading } }), 'plans');
    expect(table(about.shown)).toMatch(/plan.* pro|plan.*\.pro/i);
    expect(about.shown?.kind).toBe('about');
  });
});

describe('--watch', () => {
  it('ORD-03: shows all orders, then what changes, until each has ended', async () => {
    const one = await openHarness({ files: ORDER, ledger: true });
    await one.apply({ allowCharges: 1 });
    const [order] = one.sandbox.state.orders.values();
    if (order === undefined) throw new Error('no order');
    order.status = 'provisioning';
    const taken: unknown[] = [];
    let sleeps = 0;
    const clock = {
      now: () => one.sandbox.clock.now(),
      sleep: (durationMs: number) => {
        if (durationMs === 5_000 && (sleeps += 1) === 3) order.status = 'completed';
        return one.sandbox.clock.sleep(durationMs);
      },
    };
    const { outcome } = await watchRows(one.session({ clock }), request('orders'), ({ rows }) =>
      taken.push(rows.map(({ values }) => values.status)),
    );
    expect([outcome, taken, sleeps]).toEqual(['done', [['provisioning'], ['completed']], 3]);
  });

  it('SIT-08: goes on beside a site that cannot be read, and ends with what is missing', async () => {
    const one = await openHarness();
    const [task] = one.sandbox.state.tasks.values();
    const docs = siteOf(one.sandbox, 'docs');
    if (task === undefined) throw new Error('no task');
    task.status = 'PAUSED';
    docs.suspended = true;
    const taken: Shown[] = [];
    const clock = {
      now: () => one.sandbox.clock.now(),
      sleep: (durationMs: number) => {
        task.status = 'OK';
        return one.sandbox.clock.sleep(durationMs);
      },
    };
    const ended = await watchRows(one.session({ clock }), request('tasks'), (shown) => taken.push(shown));
    expect([ended.outcome, ended.diagnostics.map(({ code }) => code)]).toEqual(['error', ['HW4570']]);
    expect(taken.map(({ rows, notRead }) => [valuesOf({ rows }, 'status'), notRead.length])).toEqual([
      [[['PAUSED']], 1],
      [[['OK']], 0],
    ]);
  });

  it('TSK-02: ends at once where nothing is on its way, and when it is stopped', async () => {
    const one = await openHarness();
    const taken: Shown[] = [];
    expect((await watchRows(one.session(), request('tasks'), (shown) => taken.push(shown))).outcome).toBe('done');
    expect(taken).toHaveLength(1);
    const [task] = one.sandbox.state.tasks.values();
    if (task === undefined) throw new Error('no task');
    task.status = 'PAUSED';
    const stop = new AbortController();
    const stopped = await watchRows(one.session({ stop: stop.signal }), request('backups'), () => stop.abort());
    expect(stopped.outcome).toBe('interrupted');
  });
});

describe('the command', () => {
  it('is a table, wide, JSON or YAML; lists kinds; refuses what would do nothing', async () => {
    const one = await openHarness();
    const run = (...args: readonly string[]) => runCommand(['get', ...args], { cwd: one.root, url: one.sandbox.url });
    const kinds = await run();
    expect([kinds.code, kinds.stdout.split('\n')[0]]).toEqual([0, matching(/^KIND +ALSO +SHOWS$/)]);
    expect(one.sandbox.requests).toEqual([]);
    expect((await run('site/shop')).stdout).toMatch(/^NAME .*\nshop /);
    expect((await run('sites', '-o', 'wide')).stdout).toContain('site-shop.cdn.sandbox.example');
    expect(JSON.parse((await run('sites', '-o', 'json')).stdout)).toMatchObject({ kind: 'sites', exitCode: 0 });
    expect((await run('site', 'shop', '-o', 'yaml')).stdout).toContain('\nkind: sites\nitems:\n  - id: site-shop\n');
    expect((await run('sits')).stderr).toContain('Did you mean sites?');
    expect((await run('sites', '--watch')).stderr).toContain(
      'does not take --watch. It is for backups, archives, tasks',
    );
    expect((await run('users', '--site', 'shop')).stderr).toContain('does not take --site');
    expect((await run('site', 'none')).code).toBe(1);
    const watched = await run('tasks', '-w', '-o', 'json');
    expect([watched.code, JSON.parse(watched.stdout)]).toMatchObject([0, { id: '501', values: { site: 'shop' } }]);
    expect((await run('site', 'shop', '-o', 'dot')).stderr).toContain('--format dot is for plan');
    expect((await runCommand(['plan', '-o', 'wide'], { cwd: one.root, url: one.sandbox.url })).stderr).toContain(
      '--format wide is for get',
    );
  });
});

describe('prices and suggestions', () => {
  it('distinguishes taken names, own names and failed checks [REG-32, ORD-38]', async () => {
    const one = await openHarness({ scenario: 'registrar' });
    one.sandbox.state.registrar.taken.push('taken.com');
    one.sandbox.state.registrar.premium.push('gold.com');
    const names = ['free.com', 'taken.com', 'plain.com', 'gold.com', 'x.rare', 'x.unknown'];
    const result = await getRows(one.session(), request('prices', { names }));
    expect(valuesOf(result.shown, 'name', 'available')).toEqual([
      ['free.com', 'yes'],
      ['taken.com', 'no'],
      ['plain.com', 'registered in this account'],
      ['gold.com', 'yes'],
      ['x.rare', 'no'],
      ['x.unknown', { is: 'unknown', reason: 'the platform does not sell names of this TLD' }],
    ]);
    expect(valuesOf(result.shown, 'premium')[3]).toEqual([true]);
    expect([result.outcome, result.diagnostics.map(({ code }) => code)]).toEqual(['error', ['HW4570']]);
  });

  it('lists similar names, or reports that there are none [REG-33]', async () => {
    const one = await openHarness({ scenario: 'registrar' });
    const listed = await getRows(one.session(), request('suggestions', { names: ['free.com'] }));
    expect(listed.shown?.rows.length).toBeGreaterThan(0);
    one.sandbox.state.registrar.suggestionsKey = false;
    const { outcome, shown, diagnostics } = await getRows(
      one.session(),
      request('suggestions', { names: ['free.com'] }),
    );
    expect([outcome, shown?.rows.length, diagnostics[0]?.detail]).toEqual([
      'error',
      0,
      containing('has no suggestions'),
    ]);
  });

  it('lists CMS users without their email addresses [CNV-34]', async () => {
    const one = await openHarness();
    const users = await getRows(one.session(), request('cms-users', { site: 'id:site-shop' }));
    expect(valuesOf(users.shown, 'login', 'name', 'roles')).toContainEqual(['editor', 'Ed Itor', 'editor']);
    expect(JSON.stringify(users)).not.toContain('@');
  });
});
