// A plan that is carried out once on a copy of the account before anybody sees it.
import fs from 'node:fs';
import net from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { showRehearsal } from '../../../src/report/view/rehearsal.ts';
import { openCopy } from '../../../src/library/copy.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { Rehearsal } from '../../../src/model/plan/rehearsal.ts';
import { exceptionsOf } from '../../../src/model/plan/rehearsal.ts';
import type { Transport, TransportAnswer } from '../../../src/platform/transport.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { ApplyOptions } from '../../../src/usecases/apply/run.ts';
import type { RehearsedPlan } from '../../../src/usecases/rehearse/plan.ts';
import type { OpenCopy } from '../../../src/usecases/rehearse/rehearse.ts';
import { planRehearsed } from '../../../src/usecases/rehearse/plan.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { reviewOf } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteOf } from '../../support/live.ts';
import { DISMISSED } from '../../support/manifests.ts';

const WORKSPACE = `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [all]\n  secrets: { env: [PW] }\n  ${DISMISSED}\n`;

const manifest = (kind: string, name: string, spec: JsonObject, id?: string): JsonObject => ({
  apiVersion: 'hostwright/v1',
  kind,
  metadata: { name, ...(id !== undefined && { id }) },
  spec,
});
const site = (name: string, spec: JsonObject): JsonObject => manifest('Site', name, spec, `site-${name}`);
const order = (spec: JsonObject): JsonObject =>
  manifest('Site', 'brand', { order: { location: 'ams', variant: 'vanilla', term: 'monthly' }, plan: 'pro', ...spec });
const mail = (spec: JsonObject, name = 'shop.example.com'): JsonObject => manifest('Mailspace', name, spec);
const mailbox = (address: string): JsonObject => mail({ mailboxes: [{ address, password: { env: 'PW' } }] });
const alias = (address: string): JsonObject => mail({ aliases: [{ address, target: 'anna@shop.example.com' }] });
const group = (email: string): JsonObject => mail({ groups: [{ email, name: 'Group' }] });
const domain = (name: string): JsonObject => mail({ domains: [{ name }] });
const name = (of: string, spec: JsonObject): JsonObject => manifest('DomainRegistration', of, spec);
const limit = (on: string, timeframe: number): JsonObject =>
  site(on, { shield: { rateLimits: [{ name: 'Odd', configuration: { timeframe } }] } });
const oauth = (...scopes: readonly string[]): string =>
  `{ type: oauth, scopes: [${scopes.map((one) => `"${one}"`).join(', ')}] }`;
const panel = manifest('PanelAccount', 'shop', { package: 'max' }, 'acmeshop');
const LONG = 'a'.repeat(65);

/** Scenario, manifest, the request that is refused, what the place of the manifest names, and what the credential is. */
type Mistake = readonly [scenario: string, document: JsonObject, refused: string, named: string, credential?: string];

/** What no other check finds: only the platform refuses it. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a mailbox on a domain that is not served': [
    'mail',
    mailbox('a@nowhere.example'),
    'POST /api/mailspace/mail-shop/mailboxes',
    'a@nowhere.example',
  ],
  'a mailbox with two dots': [
    'mail',
    mailbox('a..b@shop.example.com'),
    'POST /api/mailspace/mail-shop/mailboxes',
    'a..b@',
  ],
  'a mailbox that begins with a dot': [
    'mail',
    mailbox('.a@shop.example.com'),
    'POST /api/mailspace/mail-shop/mailboxes',
    '.a@',
  ],
  'a mailbox with a quotation mark': [
    'mail',
    mailbox('a"b@shop.example.com'),
    'POST /api/mailspace/mail-shop/mailboxes',
    'b@shop',
  ],
  'a mailbox with a long name': [
    'mail',
    mailbox(`${LONG}@shop.example.com`),
    'POST /api/mailspace/mail-shop/mailboxes',
    LONG,
  ],
  'an alias on a domain that is not served': [
    'mail',
    alias('a@nowhere.example'),
    'POST /api/mailspace/mail-shop/aliases',
    'a@nowhere.example',
  ],
  'an alias with two dots': ['mail', alias('a..b@shop.example.com'), 'POST /api/mailspace/mail-shop/aliases', 'a..b@'],
  'an alias with a long name': [
    'mail',
    alias(`${LONG}@shop.example.com`),
    'POST /api/mailspace/mail-shop/aliases',
    LONG,
  ],
  'a group on a domain that is not served': [
    'mail',
    group('g@nowhere.example'),
    'POST /api/mailspace/mail-shop/groups',
    'g@nowhere',
  ],
  'a group with two dots': ['mail', group('g..g@shop.example.com'), 'POST /api/mailspace/mail-shop/groups', 'g..g@'],
  'a mail domain of another mailspace': [
    'mail',
    domain('docs.example.com'),
    'POST /api/mailspace/mail-shop/domains',
    'docs.example.com',
  ],
  'a mail domain of a mailspace that is not set up': [
    'mail',
    domain('blog.example.com'),
    'POST /api/mailspace/mail-shop/domains',
    'blog.example.com',
  ],
  'a mail domain of a mailspace about to be deleted': [
    'mail',
    domain('leaving.example.com'),
    'POST /api/mailspace/mail-shop/domains',
    'leaving.example.com',
  ],
  'a mail domain that is none': ['mail', domain('-a.example'), 'POST /api/mailspace/mail-shop/domains', '-a.example'],
  'name servers where no registrar is': [
    'registrar',
    name('orphan.zz', { nameservers: ['ns1.a.example'] }),
    'PATCH /api/domain_registrations/reg-orphan.zz/nameservers',
    'nameservers',
  ],
  'a lock where no registrar is': [
    'registrar',
    name('orphan.zz', { locked: true }),
    'PATCH /api/domain_registrations/reg-orphan.zz/lock',
    'locked',
  ],
  'renewal where no registrar is': [
    'registrar',
    name('orphan.zz', { autoRenew: false }),
    'PATCH /api/domain_registrations/reg-orphan.zz',
    'autoRenew',
  ],
  'a plan of a site that nobody sells': ['small', site('docs', { plan: 'giga' }), 'PATCH /api/sites/site-docs', 'giga'],
  'an order at a place that is none': [
    'small',
    order({ order: { location: 'mars', variant: 'vanilla', term: 'monthly' } }),
    'POST /api/orders',
    'brand',
  ],
  'an order of a plan that is none': ['small', order({ plan: 'giga' }), 'POST /api/orders', 'brand'],
  'a timeframe that is none': ['shield', limit('basic', 7), 'POST /api/sites/site-basic/shield/rate_limits', 'Odd'],
  'a timeframe that is none, on a premium plan': [
    'shield',
    limit('premium', 13),
    'POST /api/sites/site-premium/shield/rate_limits',
    'Odd',
  ],
  'caching with a token that only reads': [
    'small',
    site('shop', { caching: { cacheExpiration: 5 } }),
    'PATCH /api/sites/site-shop/cdn/caching',
    'cacheExpiration',
    oauth('sites:read', 'domains:read'),
  ],
  'a PHP version with a token that only reads': [
    'small',
    site('shop', { phpVersion: '8.3' }),
    'PATCH /api/sites/site-shop/variants/php',
    'phpVersion',
    oauth('sites:read'),
  ],
  'a mail domain with a token that only reads': [
    'mail',
    domain('new.example'),
    'POST /api/mailspace/mail-shop/domains',
    'new.example',
    oauth('mailspace:read'),
  ],
  'a lock with a token that only reads': [
    'registrar',
    name('plain.com', { locked: true }),
    'PATCH /api/domain_registrations/reg-plain.com/lock',
    'locked',
    oauth('domains:read'),
  ],
  'a panel account with an OAuth token': [
    'panel',
    panel,
    'PATCH /api/panel_accounts/acmeshop',
    'max',
    oauth('panel:read'),
  ],
  'an order with an OAuth token': [
    'small',
    order({}),
    'POST /api/orders',
    'brand',
    oauth('sites:read', 'sites:write', 'billing:read', 'domains:read'),
  ],
  'an order with a system key': ['small', order({}), 'POST /api/orders', 'brand', '{ type: system }'],
  'a panel account with a system key': [
    'panel',
    panel,
    'PATCH /api/panel_accounts/acmeshop',
    'max',
    '{ type: system }',
  ],
  'a larger plan with a system key': [
    'small',
    site('docs', { plan: 'pro' }),
    'PATCH /api/sites/site-docs',
    'plan',
    '{ type: system }',
  ],
};

async function rehearsed(
  options: HarnessOptions,
  open: OpenCopy = openCopy,
): Promise<RehearsedPlan & { readonly harness: Harness; readonly rehearsal: Rehearsal }> {
  const harness = await openHarness({ workspace: WORKSPACE, ledger: true, ...options });
  const result = await planRehearsed(
    harness.session({ env: () => 'A-good-word-4' }),
    { paths: [], targets: [] },
    { always: true, openCopy: open },
  );
  if (result.rehearsal === undefined) throw new Error(`no rehearsal: ${JSON.stringify(result.diagnostics)}`);
  return { ...result, harness, rehearsal: result.rehearsal };
}

const declaring = (document: JsonObject): HarnessOptions => ({
  files: { 'all/one.yaml': JSON.stringify(document, null, 1) },
});

/** A list that no document says whether a write replaces (GAP-21). */
const OTHER_COOKIES: HarnessOptions = {
  scenario: () => {
    const { state } = buildScenario('small');
    siteOf({ state }).cdn.caching.cookie_vary_parameters = ['old'];
    return state;
  },
  ...declaring(site('shop', { caching: { cookieVaryParameters: ['new'] } })),
};

describe('a rehearsal', () => {
  it('carries a plan out on a copy, plans again, and sends the account nothing', async () => {
    const { harness, rehearsal, diagnostics } = await rehearsed(
      declaring(site('shop', { caching: { cacheExpiration: 600 } })),
    );
    expect(rehearsal).toEqual({ result: 'passed', actions: 1, rounds: 1, refused: [], notRehearsed: [], left: [] });
    expect(diagnostics).toEqual([]);
    expect(harness.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(harness.sandbox.state.sites.get('site-shop')?.cdn.caching.cache_expiration).not.toBe(600);
  });

  it('opens no connection and writes no file', async () => {
    const sockets = vi.spyOn(net.Socket.prototype, 'connect');
    const files = vi.spyOn(fs.promises, 'open');
    const { rehearsal } = await rehearsed(declaring(order({ domains: ['brand.example.com'] })));
    expect(rehearsal).toMatchObject({ result: 'passed', actions: 2 });
    expect([sockets.mock.calls, files.mock.calls]).toEqual([[], []]);
  });

  it.each(Object.entries(MISTAKES))(
    'finds %s, with the line',
    async (_what, [scenario, document, request, named, credential]) => {
      const files = declaring(document);
      const workspace = WORKSPACE + (credential === undefined ? '' : `  credential: ${credential}\n`);
      const { rehearsal, diagnostics } = await rehearsed({ ...files, scenario, workspace });
      expect(rehearsal.result).toBe('refused');
      const [refused] = rehearsal.refused;
      expect(refused?.request).toBe(request);
      const line = refused?.source?.line ?? 0;
      const lines = files.files?.['all/one.yaml']
        ?.split('\n')
        .slice(line - 1, line + 3)
        .join('\n');
      expect(lines).toContain(JSON.stringify(named).slice(1, -1));
      expect(diagnostics).toContainEqual(
        expect.objectContaining({ code: 'HW2801', source: expect.objectContaining({ line }) as unknown }),
      );
    },
  );

  it('names for each of several that are refused alike the request of its own', async () => {
    const files = {
      'all/two.yaml': ['shop', 'docs'].map((id) => JSON.stringify(site(id, { plan: 'giga' }))).join('\n---\n'),
    };
    const { rehearsal, diagnostics } = await rehearsed({ files });
    expect(JSON.stringify([rehearsal, diagnostics])).not.toContain('the platform answered');
    expect(rehearsal.refused.map(({ address, request }) => [address, request]).toSorted()).toEqual([
      ['Site/docs', 'PATCH /api/sites/site-docs'],
      ['Site/shop', 'PATCH /api/sites/site-shop'],
    ]);
  });

  it('finds nothing once what it names is changed', async () => {
    expect((await rehearsed({ scenario: 'mail', ...declaring(mailbox('a@nowhere.example')) })).rehearsal.result).toBe(
      'refused',
    );
    const changed = await rehearsed({ scenario: 'mail', ...declaring(mailbox('a@shop.example.com')) });
    expect(changed.rehearsal).toMatchObject({ result: 'passed', refused: [] });
    expect(changed.diagnostics).toEqual([]);
  });

  it('has not passed where nobody could look again, and says nothing where it was interrupted', async () => {
    const stop = new AbortController();
    const after =
      (say: (path: string) => TransportAnswer | undefined): OpenCopy =>
      async (answers, options) => {
        const copy = await openCopy(answers, options);
        let isChanged = false;
        const transport: Transport = async (request) => {
          const said = isChanged && request.method === 'GET' ? say(request.path) : undefined;
          isChanged ||= request.method === 'PATCH';
          return said ?? copy.transport(request);
        };
        return { ...copy, transport };
      };
    const options = declaring(site('shop', { caching: { cacheExpiration: 600 } }));
    const { harness, rehearsal } = await rehearsed(
      options,
      after((path) => (/caching/.test(path) ? undefined : { status: 401, headers: {}, body: '{}' })),
    );
    expect(rehearsal).toMatchObject({ result: 'in-part', notRehearsed: [{ address: 'Site/shop/Caching' }] });
    const interrupted = await planRehearsed(
      harness.session({ stop: stop.signal }),
      { paths: [], targets: [] },
      { always: true, openCopy: after(() => void stop.abort()) },
    );
    expect(interrupted.plan?.actions).toHaveLength(1);
    expect(interrupted.rehearsal).toBeUndefined();
  });

  it('says what would not hold, and nothing once the kept value is declared', async () => {
    // A platform that forgets a value as soon as it has been read back.
    const forgetful: OpenCopy = async (answers, options) => {
      const copy = await openCopy(answers, options);
      let reads = Infinity;
      const transport: Transport = async (request) => {
        const answer = await copy.transport(request);
        if (request.method === 'PATCH') reads = 1;
        const isForgotten = request.path.endsWith('/cdn/caching') && request.method === 'GET' && (reads -= 1) < 0;
        return isForgotten
          ? { ...answer, body: answer.body.replace('"cache_expiration":600', '"cache_expiration":-1') }
          : answer;
      };
      return { ...copy, transport };
    };
    const declared = declaring(site('shop', { caching: { cacheExpiration: 600 } }));
    const { rehearsal, diagnostics } = await rehearsed(declared, forgetful);
    expect(rehearsal).toMatchObject({ result: 'not-settled', left: [{ address: 'Site/shop/Caching' }] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['HW2802']);
    const kept = await rehearsed(
      declaring(site('shop', { caching: { cacheExpiration: -1, smartCache: true } })),
      forgetful,
    );
    expect(kept.diagnostics).toEqual([]);
  });

  it('says what depends on a reading of the documents, and refuses nothing for it', async () => {
    const { rehearsal, diagnostics } = await rehearsed(OTHER_COOKIES);
    expect(rehearsal).toMatchObject({
      result: 'passed',
      open: [{ address: 'Site/shop/Caching', rule: 'GAP-21' }],
    });
    expect(showRehearsal(rehearsal).line).toBe(
      'Rehearsed: 1 action, 1 round; 1 action may be refused, or not hold: no document says which.',
    );
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['HW2804', 'warning']]);
  });

  it.each([
    ['one of thirty questions', ['GAP-929'], 'GAP-929'],
    ['two of thirty questions together, and neither alone', ['GAP-903', 'GAP-928'], undefined],
  ])('finds what depends on %s', async (_, matter, rule) => {
    const asked = Array.from({ length: 30 }, (_, index) => ({
      ambiguity: `GAP-9${String(index).padStart(2, '0')}`,
      readings: ['other'],
    }));
    let plays = 0;
    const { rehearsal } = await rehearsed(OTHER_COOKIES, async (answers, { ambiguities, ...options }) => {
      plays += 1;
      const isOther = matter.every((ambiguity) => ambiguity in ambiguities);
      const copy = await openCopy(answers, { ...options, ambiguities: isOther ? { 'GAP-21': 'merge' } : {} });
      return { ...copy, leftOpen: () => asked };
    });
    expect(rehearsal.open?.map((one) => [one.address, one.rule])).toEqual([['Site/shop/Caching', rule]]);
    expect(plays).toBeLessThan(30);
  });

  it('makes nothing up: what was not read is not rehearsed', async () => {
    const { rehearsal, diagnostics } = await rehearsed({
      scenario: 'panel',
      ...declaring(manifest('PanelAccount', 'shop', { package: 'mini' }, 'acmeshop')),
    });
    expect(rehearsal).toMatchObject({
      result: 'in-part',
      actions: 0,
      refused: [],
      notRehearsed: [{ address: 'PanelAccount/shop', reason: 'not read: how much fits into the package mini' }],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['HW2803']);
  });

  it('is not made where nobody asks, and in CI where the workspace does', async () => {
    const harness = await openHarness({
      workspace: `${WORKSPACE}  rehearse: true\n`,
      ...declaring(site('shop', { caching: { cacheExpiration: 600 } })),
    });
    const asked = (ci: boolean) =>
      planRehearsed(harness.session({ ci }), { paths: [], targets: [] }, { always: false, openCopy });
    expect((await asked(false)).rehearsal).toBeUndefined();
    expect((await asked(true)).rehearsal?.result).toBe('passed');
  });

  it.each<[string, (plan: Plan, rehearsal: Rehearsal) => Partial<ApplyOptions>]>([
    ['a saved plan', (plan, rehearsal) => ({ plan, rehearsedExcept: exceptionsOf(rehearsal) })],
    ['a comment that was reviewed', reviewOf],
  ])('that passed is held against an apply that fails, of %s', async (_, optionsOf) => {
    const { harness, plan, rehearsal } = await rehearsed(
      declaring(site('shop', { caching: { cacheExpiration: 600 } })),
    );
    harness.sandbox.setFaults([{ kind: 'status-before', status: 422, match: { method: 'PATCH' } }]);
    const { outcome } = await harness.apply(optionsOf(plan as Plan, rehearsal));
    expect(outcome.actions.map(({ result }) => result)).toEqual(['failed']);
    expect(outcome.diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ['HW2805', 'Site/shop/Caching'],
      ['HW4003', 'Site/shop/Caching'],
    ]);
  });
});
