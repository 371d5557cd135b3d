// What a manifest of Shield says that only the platform or its upstream knows: the keys of a rate limit, and what is
// listed: managed rules and types of access lists. Both lists are read
// only where something in the manifest is new.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { zoneOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';
import { noticesOf } from '../../support/notices.ts';

async function start(shield: object, options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({
    scenario: 'shield',
    files: { 'sites/site.json': siteManifest('premium', { shield }) },
    ...options,
  });
}

const readsOf = ({ sandbox }: Harness): readonly string[] =>
  sandbox.requests.map(({ path }) => path.replace('/api/sites/site-premium/', '')).sort();
const failing = (path: string): HarnessOptions => ({
  faults: [{ kind: 'status-before', status: 403, match: { path: `/api/sites/site-premium/shield/${path}` } }],
});
const named = (name: string, type: string | number) => ({ name, type, content: ['192.0.2.1'] });

describe('ids of managed rules', () => {
  it.each(['snake', 'camel'])('SHD-12: a wrong one is told with the nearest (GAP-29.case = %s)', async (spelled) => {
    const one = await start(
      { waf: { disabledRules: ['942110', 941100], logOnlyRules: ['777'] } },
      { ambiguities: { 'GAP-29.case': spelled } },
    );
    const notices = noticesOf(await one.planned());
    expect(notices.map(({ code, severity, address }) => [code, severity, address])).toEqual([
      ['HW2390', 'warning', 'Site/premium/ShieldWaf'],
      ['HW2390', 'warning', 'Site/premium/ShieldWaf'],
    ]);
    const said = notices.map(({ detail }) => detail).join('\n');
    expect(said).toContain('disabledRules names the rule 942110.');
    expect(said).toContain('Did you mean 942100 (SQL in a parameter)?');
    expect(said).toMatch(/logOnlyRules names the rule 777\.(?!.*Did you mean)/);
  });

  it('SHD-12: known ones are written without a word, and are not looked up again once they are live', async () => {
    const one = await start({ waf: { disabledRules: ['942190'], logOnlyRules: ['941160'] } });
    const notices = noticesOf(await one.planned());
    expect(notices).toEqual([]);
    expect(readsOf(one)).toContain('shield/waf/rules');
    expect((await one.apply()).outcome.outcome).toBe('done');
    const from = one.sandbox.requests.length;
    await one.planned();
    expect(one.sandbox.requests.slice(from).map(({ path }) => path)).toEqual([
      '/api/sites',
      '/api/sites/site-premium/shield',
    ]);
  });

  it('a list that cannot be read says nothing about an id', async () => {
    const one = await start({ waf: { disabledRules: ['1'] } }, failing('waf/rules'));
    const plan = await one.planned();
    expect([noticesOf(plan), plan.unknown, plan.actions.length]).toEqual([[], [], 1]);
  });
});

describe('types of access lists', () => {
  it.each(['objects', 'map', 'wrapped'])(
    'SHD-21: a type that the platform does not have blocks its list alone, with those that there are (GAP-29.enums = %s)',
    async (shape) => {
      const one = await start(
        { accessLists: [named('New', 9), named('Fine', 'cidr'), named('Countries', 17)] },
        { ambiguities: { 'GAP-29.enums': shape } },
      );
      const { actions, blocked } = await one.planned();
      expect(blocked.map(({ address, reason, remedy }) => [address, reason, remedy])).toEqual(
        [
          ['Site/premium/ShieldAccessList/Countries', '17'],
          ['Site/premium/ShieldAccessList/New', '9'],
        ].map(([address, type]) => [
          address,
          `the platform has no access lists of the type ${String(type)}`,
          'Write one of its types. It has 0 (IP), 1 (CIDR), 2 (ASN), 3 (Country), 4 (Organization), 5 (JA4).',
        ]),
      );
      expect(actions.map(({ address, verb }) => `${verb} ${address}`)).toContain(
        'create Site/premium/ShieldAccessList/Fine',
      );
    },
  );

  it('they are read only where a list is new or has another type', async () => {
    const plan = async (type: string): Promise<readonly string[]> => {
      const one = await start({ accessLists: [{ name: 'Countries', type, content: ['DE'] }] });
      await one.planned();
      const reads = readsOf(one);
      await one.close();
      return reads;
    };
    expect(await plan('country')).not.toContain('shield/access_lists/enums');
    expect(await plan('asn')).toContain('shield/access_lists/enums');
  });

  it('a read that fails says nothing about a type', async () => {
    const one = await start({ accessLists: [named('New', 9)] }, failing('access_lists/enums'));
    const plan = await one.planned();
    expect([plan.blocked, plan.unknown, plan.actions.filter(({ verb }) => verb === 'create').length]).toEqual([
      [],
      [],
      1,
    ]);
  });
});

describe('the configuration of a rate limit', () => {
  const limit = (configuration: JsonObject): JsonObject => ({
    name: 'Api',
    action: 'rateLimit',
    requestCount: 5,
    timeframe: 300,
    conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/api' }],
    configuration,
  });
  const liveOf = ({ sandbox }: Harness): JsonObject =>
    zoneOf(sandbox, 'premium').rateLimits.find(({ name }) => name === 'Api')?.configuration as JsonObject;

  it.each([
    {},
    { 'GAP-29.nesting': 'flat' },
    { 'GAP-30.read': 'snake' },
    { 'GAP-30.keys': 'camel' },
    { 'GAP-33': 'full' },
  ])('SHD-16: further keys are passed on, compared, and kept where they are not named: %j', async (ambiguities) => {
    const one = await start({ rateLimits: [limit({ isPathPattern: true, response: { code: 429 } })] }, { ambiguities });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(liveOf(one)).toMatchObject({ isPathPattern: true, response: { code: 429 } });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    Object.assign(liveOf(one), { isPathPattern: false });
    const { actions } = await one.planned();
    expect(actions.map(({ changes }) => changes)).toEqual([
      [expect.objectContaining({ path: '/configuration/isPathPattern', was: false, value: true })],
    ]);
  });

  it('SHD-20: keys that the manifest does not name stay as they are, at every depth', async () => {
    const one = await start({ rateLimits: [limit({ response: { code: 429 } })] });
    Object.assign(liveOf(one), { label: 'by hand', response: { code: 503, page: 'own' } });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(liveOf(one)).toMatchObject({ label: 'by hand', response: { code: 429, page: 'own' } });
  });

  it('what has a field of its own is not said twice, in either spelling', async () => {
    const one = await start({ rateLimits: [limit({ counter_key_type: 1, timeframe: 10, other: 1 })] });
    const { diagnostics } = await one.plan();
    expect(diagnostics.map(({ code, detail }) => [code, detail?.replace(/^.*?(The key)/, '$1')])).toEqual([
      [
        'HW1309',
        'The key `counter_key_type` is written as the field `countBy` of the rate limit. Keep one of the two.',
      ],
      ['HW1309', 'The key `timeframe` is written as the field `timeframe` of the rate limit. Keep one of the two.'],
    ]);
  });

  // A schema of the upstream that nobody here knows.
  const unknown = { threshold: { hits: 5, perSeconds: 10 }, reaction: 'tarpit', rules: [{ matchAll: ['/api'] }] };

  it.each([{}, { 'GAP-29.nesting': 'flat' }, { 'GAP-33': 'full' }])(
    'SHD-16: alone it is the whole, sent as it is, and then nothing differs: %j',
    async (ambiguities) => {
      const one = await start({ rateLimits: [{ name: 'Api', configuration: unknown }] }, { ambiguities });
      const { outcome } = await one.apply();
      expect(outcome.outcome, JSON.stringify(outcome)).toBe('done');
      const sent = one.sandbox.requests.find(({ method }) => method === 'PATCH');
      expect(sent?.body).toMatchObject({ rule_name: 'Api', rule_configuration: unknown });
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('SHD-16: alone, in the keys of the upstream that are known, it is compared in either case', async () => {
    const configuration = {
      actionType: 1,
      requestCount: 5,
      timeframe: 300,
      variableTypes: { REQUEST_URI: '' },
      operatorType: 6,
      value: '/api',
    };
    const one = await start(
      { rateLimits: [{ name: 'Api', configuration }] },
      { ambiguities: { 'GAP-30.read': 'snake' } },
    );
    await converge(one);
  });

  it('SHD-16: what fields cannot say is exported as it is', async () => {
    const one = await openHarness({ scenario: 'shield' });
    const live = liveOf(one) as Record<string, unknown>;
    for (const key of Object.keys(live)) delete live[key];
    Object.assign(live, unknown);
    const { manifests = [], diagnostics } = await exportAccount(one.session(), { targets: [], out: 'live' });
    const premium = manifests.find(({ file }) => file.includes('premium'));
    expect(premium?.text, JSON.stringify(diagnostics)).toMatch(/rateLimits:[^]*?reaction: tarpit/);
  });

  it('a limit that says neither is refused in words', async () => {
    const one = await start({ rateLimits: [{ name: 'Api', action: 'log' }] });
    const { diagnostics } = await one.plan();
    expect(diagnostics).toMatchObject([{ code: 'HW1202', detail: containing('`timeframe`') }]);
  });
});
