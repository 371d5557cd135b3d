// Shield against the sandbox: from nothing to everything in one run, reactivation with leftovers, deactivation, plans,
// refusals, drift field by field.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { SHIELD_AMBIGUITIES } from '../../../src/sandbox/shield/ambiguities.ts';
import { addEdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest, WHOLE_SHIELD } from '../../support/manifests.ts';
import { isWhole, unusual } from '../../support/whole.ts';
import { siteOf, zoneOf } from '../../support/live.ts';
import { containing, matching } from '../../support/matchers.ts';

async function start(
  site: string,
  shield: object,
  { spec = {}, ...options }: HarnessOptions & { readonly spec?: object } = {},
): Promise<Harness> {
  return openHarness({
    scenario: 'shield',
    files: { 'sites/site.json': siteManifest(site, { ...spec, shield }) },
    ...options,
  });
}

const ALLOW = { allowDeletes: 9, allowCharges: 1 };
const writes = (one: Harness): readonly string[] => one.writes(/^\/api\/sites\/[^/]+\//);

const rule = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  action: 'block',
  variable: 'REQUEST_URI',
  operator: 'contains',
  value: `/${name}`,
  ...extra,
});
const limit = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  action: 'rateLimit',
  requestCount: 5,
  timeframe: 10,
  conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/login' }],
  ...extra,
});
const everything = {
  ...WHOLE_SHIELD,
  accessLists: WHOLE_SHIELD.accessLists.map((list) => ({
    ...list,
    checksum: '37fcff24bf62035b2b08020afc08b4fecd4fcffce57ab23518e3561ff0fe76b9',
  })),
};

describe('activation', () => {
  it('case 49, O-21, O-24: from nothing to everything in one run, parts that could not be read before included; the WAF blocks last', async () => {
    const one = await start('none', everything);
    const plan = await one.planned();
    expect(plan.actions.map(({ address, risk }) => [address, risk])).toEqual([['Site/none/Shield', ['charge']]]);
    expect(plan.deferred.map(({ address, until }) => [address.split('/').at(-1), until])).toEqual(
      ['ShieldAccessList', 'ShieldBotDetection', 'ShieldCustomRule', 'ShieldDdos', 'ShieldRateLimit', 'ShieldWaf'].map(
        (kind) => [kind, 'Site/none/Shield'],
      ),
    );
    const { outcome } = await one.apply({ plan, ...ALLOW });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, remaining: [] });
    expect(writes(one)[0]).toBe('POST shield');
    expect(writes(one).at(-1)).toBe('PATCH shield/waf');
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(zoneOf(one.sandbox, 'none')).toMatchObject({
      active: true,
      tier: 'advanced',
      waf: { enabled: true, executionMode: 1 },
      whitelabel: true,
    });
  });

  it('a plan that goes up is a charge: refused without its ceiling, and nothing is sent', async () => {
    const one = await start('basic', { plan: 'business' });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 5, diagnostics: [{ code: 'HW2204' }] });
    expect(writes(one)).toEqual([]);
    expect((await one.apply(ALLOW)).outcome.outcome).toBe('done');
    expect(zoneOf(one.sandbox, 'basic').tier).toBe('business');
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it.each(['as-left', 'as-before', 'fresh'])(
    'GAP-27.post = %s: reactivated with leftovers, what is there is adopted, what is not wanted waits for a review',
    async (post) => {
      const one = await start(
        'resting',
        { ...everything, customRules: [rule('Admin area', { value: '/admin' })], accessLists: [], rateLimits: [] },
        { ambiguities: { 'GAP-27.post': post } },
      );
      const { outcome } = await one.apply(ALLOW);
      expect(outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
      expect(outcome.remaining.map(({ address }) => address.replace('Site/resting/', ''))).toEqual([
        'ShieldAccessList/Countries',
        'ShieldAccessList/Partners',
        'ShieldCustomRule/Legacy',
        'ShieldRateLimit/Api',
      ]);
      await converge(one, ALLOW);
      expect(zoneOf(one.sandbox, 'resting')).toMatchObject({
        active: true,
        tier: 'advanced',
        customRules: [{ id: 'rule-admin' }],
        rateLimits: [],
        accessLists: [],
      });
    },
  );

  it('GAP-27.post = refuse: a Shield that cannot come back is a failure with the words of the platform', async () => {
    const one = await start(
      'resting',
      { enabled: true, waf: { enabled: true } },
      { ambiguities: { 'GAP-27.post': 'refuse' } },
    );
    const { outcome } = await one.apply();
    expect(JSON.stringify(outcome)).toContain('Shield was deactivated');
    expect(outcome.outcome).not.toBe('done');
    expect(writes(one)).toEqual(['POST shield']);
  });

  it('GAP-20: without the CDN it is blocked, with everything in it, before anything is sent', async () => {
    const one = await start('no-cdn', { enabled: true, waf: { enabled: true }, rateLimits: [] });
    const plan = await one.planned();
    expect([plan.actions, plan.deferred, plan.blocked.map(({ address, rule: id }) => [address, id])]).toEqual([
      [],
      [],
      [
        ['Site/no-cdn/Shield', 'GAP-20'],
        ['Site/no-cdn/ShieldRateLimit', 'SHD-02'],
        ['Site/no-cdn/ShieldWaf', 'SHD-02'],
      ],
    ]);
  });

  it.each(['shield_not_active', 'cdn_not_active'])(
    'GAP-26 = %s: a pull zone that is gone by then blocks it, and it is not asked for again',
    async (code) => {
      const one = await start('none', { enabled: true }, { ambiguities: { 'GAP-26': code } });
      const change = (): void => {
        siteOf(one.sandbox, 'none').cdn.zone = 'none';
      };
      expect((await one.apply(afterPlanning(change))).outcome).toMatchObject({
        exitCode: 3,
        actions: [{ result: 'blocked', reason: containing('CDN of the site is not active') }],
      });
      expect(writes(one)).toEqual(['POST shield']);
    },
  );

  it('SHD-01: a plan of the site without Shield blocks; one that is about to come with it is waited for', async () => {
    const one = await start('bare', { enabled: true, ddos: { sensitivity: 'low' } });
    expect((await one.planned()).blocked).toMatchObject([{ rule: 'SHD-01' }, { rule: 'SHD-01' }]);
    await one.write(
      'sites/site.json',
      siteManifest('bare', { name: 'bare', plan: 'pro', shield: { enabled: true, ddos: { sensitivity: 'low' } } }),
    );
    const plan = await one.planned();
    expect(plan.deferred.map(({ address, until }) => [address, until])).toEqual([
      ['Site/bare/Shield', 'Site/bare'],
      ['Site/bare/ShieldDdos', 'Site/bare'],
    ]);
  });

  it('SHD-01: off is as declared where the plan of the site has no Shield, with whatever else is declared of it', async () => {
    const one = await start('bare', { enabled: false, waf: { enabled: true }, customRules: [rule('one')] });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, outcome: 'done', remaining: [] });
    expect(writes(one)).toEqual([]);
  });

  it('O-06, O-21: a site that is bought gets its Shield, and what is in it, in the same run', async () => {
    const spec = {
      plan: 'pro',
      order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      primaryDomain: 'launch.example.com',
      shield: { enabled: true, ddos: { challengeWindow: 900 }, rateLimits: [limit('Login')] },
    };
    const harness = await openHarness({
      example: 'a-site-from-nothing',
      files: { 'sites/launch.yaml': manifest('Site', 'launch', spec) },
    });
    await ledgerCommand(harness.session(), { do: 'init' });
    expect((await harness.planned()).deferred).toHaveLength(3);
    const { outcome } = await harness.apply(ALLOW);
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(outcome.actions.map(({ address }) => address.split('/').slice(2).join('/'))).toEqual([
      '',
      'SiteDomain/launch.example.com',
      'Shield',
      'ShieldDdos',
      'ShieldRateLimit/Login',
    ]);
    expect(isEmptyPlan(await harness.planned())).toBe(true);
  });

  it('SHD-02: what rests on a Shield that nobody wants active is blocked and says what to write', async () => {
    const one = await start('none', { rateLimits: [limit('Login')] });
    expect(await one.planned()).toMatchObject({
      actions: [],
      deferred: [],
      blocked: [{ address: 'Site/none/ShieldRateLimit', remedy: containing('shield.enabled: true') }],
    });
  });

  it('SHD-26: learning is asked for once and never again', async () => {
    const one = await start(
      'none',
      { enabled: true, learnOnActivation: true },
      { ambiguities: { 'GAP-27.fresh': 'off' } },
    );
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(zoneOf(one.sandbox, 'none').learning.on).toBe(true);
    one.sandbox.clock.advance(8 * 86_400_000);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

describe('deactivation', () => {
  it('O-08, O-25, O-70: comes before a resize to a plan that has no Shield, after the removals in it; the rest of the removals come last', async () => {
    const one = await start(
      'premium',
      { enabled: false, customRules: [], rateLimits: [], accessLists: [] },
      {
        spec: { name: 'premium', plan: 'bare', cacheLayers: { nginx: false }, edgeRules: [], phpVersion: '8.2' },
        ledger: true,
      },
    );
    const site = siteOf(one.sandbox, 'premium');
    Object.assign(site.layers.nginx, { on: true });
    addEdgeRule(site, { Guid: 'edge-old', ActionType: 0, Description: 'old', OrderIndex: 1 });
    const plan = await one.planned();
    const order = plan.actions.map(({ address }) => address.replace(/^Site\/premium/, '').replace(/^\/(\w+).*/, '$1'));
    expect(order.indexOf('Shield')).toBeGreaterThan(order.lastIndexOf('ShieldCustomRule'));
    expect(order.slice(order.indexOf('Shield'))).toEqual(['Shield', '', 'PhpVersion', 'EdgeRule']);
    expect(order.indexOf('CacheLayer')).toBeLessThan(order.indexOf(''));
    const { outcome } = await one.apply(ALLOW);
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done', remaining: [] });
    expect(site).toMatchObject({ package: 'bare', shield: { zone: { active: false, customRules: [] } } });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('O-70: without a resize it waits for every change, as before', async () => {
    const one = await start('premium', { enabled: false }, { spec: { cacheLayers: { nginx: true } } });
    expect((await one.planned()).actions.map(({ address }) => address)).toEqual([
      'Site/premium/CacheLayer/nginx',
      'Site/premium/Shield',
    ]);
  });

  it.each(['inactive', 'refuse'])(
    'SHD-04, O-25, GAP-27 = %s: removals first, then off; what else is declared is not asked for',
    async (reading) => {
      const one = await start(
        'premium',
        { ...everything, enabled: false, customRules: [rule('new')] },
        { ambiguities: { 'GAP-27': reading, 'GAP-27.below': 'answer' } },
      );
      const plan = await one.planned();
      expect(plan.actions.map(({ address, verb }) => `${verb} ${address.replace('Site/premium/', '')}`)).toEqual([
        'delete ShieldAccessList/Countries',
        'delete ShieldAccessList/Partners',
        'delete ShieldCustomRule/Admin%20area',
        'delete ShieldCustomRule/Legacy',
        'delete ShieldRateLimit/Api',
        'update Shield',
      ]);
      expect(plan.actions.at(-1)).toMatchObject({ risk: ['exposure'], stage: 'removal' });
      expect((await one.apply(ALLOW)).outcome.outcome).toBe('done');
      expect(writes(one).at(-1)).toBe('DELETE shield');
      expect(zoneOf(one.sandbox, 'premium').active).toBe(false);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );
});

describe('what lowers protection', () => {
  it.each([
    [{ enabled: false }, {}],
    [{ waf: { executionMode: 'log' } }, {}],
    [{ ddos: { sensitivity: 'off' } }, {}],
    [
      {
        accessLists: [
          { name: 'Partners', type: 'cidr', content: [] },
          { name: 'Countries', type: 'country', content: ['NL', 'DE'] },
        ],
      },
      {},
    ],
    [
      {},
      {
        edgeRules: [{ name: 'open', action: { type: 'DisableShield' }, triggers: [{ type: 'Url', patterns: ['*'] }] }],
      },
    ],
  ])('%j, %j does not run unreviewed unless it is named', async (part, spec) => {
    const one = await start('premium', part, { spec });
    const { outcome } = await one.apply({ approve: ['create', 'update'] });
    expect(outcome).toMatchObject({ exitCode: 5 });
    expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'HW2210', detail: matching(/lowers protection.*`--approve create,update,exposure`/) },
    ]);
    expect(writes(one)).toEqual([]);
    await converge(one, { approve: ['create', 'update', 'exposure'] });
  });

  it.each([
    [undefined, 3],
    [['create', 'update'], 3],
    [['create', 'update', 'exposure'], 0],
  ] as const)(
    'SHD-01: where it shows only after another step, with --approve %j it ends with exit %i',
    async (approve, exitCode) => {
      const one = await start('bare', { waf: { executionMode: 'log' } }, { spec: { plan: 'pro' } });
      const at = siteOf(one.sandbox, 'bare');
      await ledgerCommand(one.session(), { do: 'init' });
      at.shield.zone = structuredClone(zoneOf(one.sandbox, 'premium'));
      const { outcome } = await one.apply({ ...ALLOW, ...(approve !== undefined && { approve }) });
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode });
      if (exitCode === 3)
        expect(outcome.remaining).toMatchObject([
          { address: 'Site/bare/ShieldWaf', reason: containing('nobody reviewed it') },
        ]);
      expect(zoneOf(one.sandbox, 'bare').waf.executionMode).toBe(exitCode === 3 ? 1 : 0);
    },
  );
});

describe('Shield plans', () => {
  it('case 50, O-23, GAP-32: down only with a consent by value, after the removals', async () => {
    const shield = { plan: 'basic', customRules: [] };
    const one = await start('premium', shield);
    expect((await one.planned()).blocked).toMatchObject([{ address: 'Site/premium/Shield', rule: 'GAP-32' }]);
    await one.write('sites/site.json', siteManifest('premium', { shield: { ...shield, planDowngrade: 'basic' } }));
    expect((await one.planned()).actions.map(({ address }) => address.replace('Site/premium/', ''))).toEqual([
      'ShieldCustomRule/Admin%20area',
      'ShieldCustomRule/Legacy',
      'Shield',
    ]);
    expect((await one.apply(ALLOW)).outcome.outcome).toBe('done');
    expect(zoneOf(one.sandbox, 'premium').tier).toBe('basic');
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('O-22: what takes a premium plan comes after the upgrade; without one it is blocked before anything is sent', async () => {
    const shield = { customRules: [rule('one')], botDetection: { executionMode: 'challenge' } };
    const one = await start('basic', shield);
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'SHD-15' }, { rule: 'SHD-14' }] });
    await one.write('sites/site.json', siteManifest('basic', { shield: { ...shield, plan: 'advanced' } }));
    expect((await one.planned()).actions.slice(1).map(({ needs }) => needs[0])).toMatchObject([
      { address: 'Site/basic/Shield', rule: 'O-22' },
      { address: 'Site/basic/Shield', rule: 'O-22' },
    ]);
    await converge(one, ALLOW);
  });

  it('case 55, GAP-32 = business-up: a refusal blocks its own item alone', async () => {
    const one = await start(
      'premium',
      {
        customRules: [
          rule('Admin area', { value: '/admin' }),
          rule('Legacy', { action: 'bypass', variable: 'REQUEST_HEADERS', value: '/admin' }),
          rule('new'),
        ],
        ddos: { challengeWindow: 60 },
      },
      { ambiguities: { 'GAP-32': 'business-up' } },
    );
    const { outcome } = await one.apply();
    expect(outcome.actions.map(({ address, result }) => [address.replace('Site/premium/', ''), result])).toEqual([
      ['ShieldCustomRule/new', 'blocked'],
      ['ShieldDdos', 'done'],
    ]);
    expect(outcome).toMatchObject({ exitCode: 3 });
    expect(outcome.actions[0]?.reason).toContain('premium');
  });

  it.each(['refused', 'accepted-with-error'])(
    'GAP-32.upgrade = %s: what the platform says is shown, and it stays to be done',
    async (upgrade) => {
      const one = await start('basic', { plan: 'advanced' }, { ambiguities: { 'GAP-32.upgrade': upgrade } });
      const { outcome } = await one.apply(ALLOW);
      expect(outcome).toMatchObject({
        exitCode: 3,
        actions: [{ result: 'blocked', reason: containing('A higher Shield plan costs') }],
      });
      expect(writes(one)).toEqual(['PATCH shield']);
    },
  );

  it.each(['refused', 'accepted-with-error'])(
    'case 61, GAP-32.items = %s: a list that is full says so, and nothing is removed for it',
    async (items) => {
      const one = await start(
        'basic',
        { rateLimits: [limit('Login'), limit('New')] },
        { ambiguities: { 'GAP-32.items': items } },
      );
      const { outcome } = await one.apply(ALLOW);
      expect(outcome).toMatchObject({ exitCode: 3 });
      expect(outcome.actions.find(({ address }) => address.endsWith('/New'))).toMatchObject({
        result: 'blocked',
        reason: containing('at most 2'),
      });
      expect(zoneOf(one.sandbox, 'basic').rateLimits).toHaveLength(2);
    },
  );
});

describe('what cannot be written', () => {
  it('case 60: intricate rules made elsewhere are left alone, others are written', async () => {
    const one = await start('intricate', {
      customRules: ['Negated', 'Transformed', 'Chained', 'Plain'].map((name) => rule(name, { value: '/other' })),
    });
    const rules = zoneOf(one.sandbox, 'intricate').customRules;
    rules.splice(
      rules.findIndex(({ name }) => name === 'Twin'),
      2,
    );
    const before = JSON.stringify(rules.slice(0, 3));
    const { outcome } = await one.apply();
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [{ address: 'Site/intricate/ShieldCustomRule/Plain', result: 'done' }],
    });
    expect(outcome.remaining.map(({ reason }) => /\((.*)\)/.exec(reason)?.[1])).toEqual([
      'further conditions',
      'negation',
      'transformations',
    ]);
    expect(JSON.stringify(zoneOf(one.sandbox, 'intricate').customRules.slice(0, 3))).toBe(before);
  });

  it('SHD-27: a list with two live rules of one name is left as it is, with the ids of both; the rest goes on', async () => {
    const one = await start('intricate', { customRules: [], rateLimits: [limit('New')] });
    const ids = zoneOf(one.sandbox, 'intricate')
      .customRules.filter(({ name }) => name === 'Twin')
      .map(({ id }) => id);
    const { outcome } = await one.apply(ALLOW);
    expect(outcome).toMatchObject({
      exitCode: 3,
      remaining: [{ address: 'Site/intricate/ShieldCustomRule', reason: containing(ids.sort().join(', ')) }],
    });
    expect(outcome.actions.map(({ address, result }) => [address, result])).toContainEqual([
      'Site/intricate/ShieldRateLimit/New',
      'done',
    ]);
  });

  it('GAP-29.id = none: nothing is changed or removed, and every one is named', async () => {
    const one = await start(
      'premium',
      { rateLimits: [], customRules: [rule('Admin area', { value: '/x' })] },
      { ambiguities: { 'GAP-29.id': 'none' } },
    );
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ rule: 'GAP-29' }, { rule: 'GAP-29' }, { rule: 'GAP-29' }],
    });
  });

  it.each(SHIELD_AMBIGUITIES['GAP-30'])(
    'case 59, SHD-18, GAP-30 = %s: a refused timeframe is shown, not tried again, and stays to be done',
    async (reading) => {
      const one = await start(
        'basic',
        {
          rateLimits: [
            limit('Login', { timeframe: 3600 }),
            limit('Search', { timeframe: 1 }),
            limit('New', { timeframe: 3600 }),
          ],
        },
        { ambiguities: { 'GAP-30': reading } },
      );
      const { outcome } = await one.apply();
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
      expect(outcome.actions.map(({ address, result }) => [address.split('/').at(-1), result])).toEqual([
        ['Login', 'blocked'],
        ['New', 'skipped'],
      ]);
      expect(JSON.stringify(outcome)).toContain('The longest timeframe of this plan is 10 seconds');
      expect(writes(one)).toEqual(['PATCH shield/rate_limits/limit-login']);
      await one.write(
        'sites/site.json',
        siteManifest('basic', {
          shield: {
            rateLimits: [limit('Login'), limit('Search', { timeframe: 1 }), limit('New', { timeframe: 3600 })],
          },
        }),
      );
      // A create that is answered with 502 may have been carried out (RTY-04); with any other status it was refused.
      const isUnknown = reading === '502';
      expect((await one.apply()).outcome).toMatchObject({
        exitCode: 3,
        actions: [{ result: isUnknown ? 'unknown-outcome' : 'blocked', reason: containing('The longest timeframe') }],
      });
      expect(writes(one).slice(1)).toEqual(['POST shield/rate_limits']);
      const { actions, waiting } = await one.planned();
      expect([actions.length, waiting.length]).toEqual(isUnknown ? [0, 1] : [1, 0]);
    },
  );

  it('case 56, SHD-17: a name with other than letters, digits and spaces is told offline', async () => {
    const one = await start('basic', { rateLimits: [limit('api-limit', { description: 'a.b' })] });
    const { diagnostics, requests } = await one.plan();
    expect([diagnostics.map(({ code }) => code), requests]).toEqual([['HW1206', 'HW1206'], 0]);
    expect(JSON.stringify(diagnostics)).toContain('ASCII letters, digits and spaces');
  });

  it('case 64, GAP-33.lists = content-only: a type that the platform does not change is reported', async () => {
    const one = await start(
      'basic',
      { accessLists: [{ name: 'Office', type: 'cidr', content: ['192.0.2.1', '192.0.2.2'] }] },
      { ambiguities: { 'GAP-33.lists': 'content-only' } },
    );
    expect((await one.apply()).outcome.actions).toMatchObject([
      { result: 'failed', reason: containing('/type reads back as "ip"') },
    ]);
    expect(writes(one)).toHaveLength(1);
  });

  it('SHD-25: while the upstream fails nothing is known, and nothing is removed', async () => {
    const one = await start('down', { rateLimits: [] });
    expect(await one.planned()).toMatchObject({ actions: [], unknown: [{ address: 'Site/down/ShieldRateLimit' }] });
  });
});

describe('drift behind the back', () => {
  it('Shield /enabled and /plan are found too', async () => {
    const one = await start('none', { enabled: true, plan: 'advanced' });
    expect((await one.apply(ALLOW)).outcome.outcome).toBe('done');
    zoneOf(one.sandbox, 'none').tier = 'basic';
    expect((await one.planned()).actions).toMatchObject([{ changes: [{ path: '/plan' }] }]);
    zoneOf(one.sandbox, 'none').active = false;
    expect((await one.apply(ALLOW)).outcome.outcome).toBe('done');
    expect(zoneOf(one.sandbox, 'none')).toMatchObject({ active: true, tier: 'advanced' });
  });
});

describe('every reading of what the documents leave open', () => {
  // What it stops at, and says; everything else converges in one run.
  const stops: Readonly<Record<string, string>> = {
    'GAP-28=words': 'GAP-28',
    'GAP-28.ddos=words': 'GAP-28',
    'GAP-29.id=none': 'without an id',
    'GAP-32=business-up': 'premium',
    'GAP-32.upgrade=refused': 'costs',
    'GAP-32.upgrade=accepted-with-error': 'costs',
  };
  // What this story asks of: sites, domains, the CDN and Shield. All but Shield is asked of in other stories too.
  const asked = isWhole
    ? /^GAP-(0\d|1[0-9]|2\d|3[0-3]|59|6[25])(\.|$)|^(late|list|empty|learning)/
    : /^GAP-(20|2[6-9]|3[0-3])(\.|$)|^learning/;
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([gap]) => asked.test(gap))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const))
    .filter(([, value]) => value !== 'raw');

  it.each(ambiguities)('%s = %s: the shielded shop converges, or stops and says so', async (gap, value) => {
    const harness = await openHarness({ example: 'shielded-shop', scenario: 'shield', ambiguities: { [gap]: value } });
    const { apply, planned, sandbox } = harness;
    const { outcome } = await apply({ allowDeletes: 1 });
    const reason = stops[`${gap}=${value}`];
    if (reason === undefined) {
      expect(outcome.outcome, JSON.stringify(outcome, null, 1)).toBe('done');
      expect(isEmptyPlan(await planned())).toBe(true);
    } else {
      expect([3, 6]).toContain(outcome.exitCode);
      expect(JSON.stringify(outcome)).toContain(reason);
    }
    expect([...sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
  });
});

describe('the shielded shop', () => {
  it('leaves exactly the store that was written down by hand', async () => {
    const harness = await openHarness({ example: 'shielded-shop', scenario: 'shield' });
    expect((await harness.apply({ allowDeletes: 1 })).outcome.outcome).toBe('done');
    expect(harness.sandbox.snapshot()).toMatchObject(fixtures['shielded-shop']);
  });
});

describe('requests of a plan', () => {
  const reads = async (site: string, shield: object, options: HarnessOptions = {}): Promise<readonly string[]> => {
    const one = await start(site, shield, options);
    await one.planned();
    return one.sandbox.requests
      .map(({ method, path }) => `${method} ${path.replace(`/api/sites/site-${site}/`, '')}`)
      .sort();
  };

  it('SHD-05: are one for zone, WAF and DDoS together', async () => {
    expect(
      await reads('premium', { enabled: true, plan: 'advanced', waf: { enabled: true }, ddos: { sensitivity: 'low' } }),
    ).toEqual(['GET /api/sites', 'GET shield']);
  });

  it('are one more for each list and for bots, and one for each access list that comes without content', async () => {
    expect(await reads('premium', { botDetection: {}, customRules: [], rateLimits: [], accessLists: [] })).toEqual([
      'GET /api/sites',
      'GET shield',
      'GET shield/access_lists',
      'GET shield/access_lists/list-countries',
      'GET shield/access_lists/list-partners',
      'GET shield/bot_detection',
      'GET shield/rate_limits',
      'GET shield/waf_custom_rules',
    ]);
  });

  it('are none for content that comes with the list (GAP-31), nor for anything in a Shield that is off', async () => {
    expect(await reads('premium', { accessLists: [] }, { ambiguities: { 'GAP-31': 'present' } })).toEqual([
      'GET /api/sites',
      'GET shield',
      'GET shield/access_lists',
    ]);
    expect(await reads('resting', { enabled: true, customRules: [], accessLists: [] })).toEqual([
      'GET /api/sites',
      'GET cdn',
      'GET shield',
    ]);
  });
});
