// Edge rules, PHP versions and cache layers against the sandbox: drift field by field, lost answers, refusals, order,
// and how many requests it takes.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { EdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import { addEdgeRule, SYSTEM_PREFIX } from '../../../src/sandbox/cdn/edge-rules.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';
import { confirmNotMade } from '../../support/loops.ts';

const manifest = (spec: object, name = 'shop'): string => siteManifest(name, spec);

async function start(spec: object, options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({ files: { 'sites/shop.json': manifest(spec) }, ...options });
}

const rule = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  action: { type: 'BlockRequest' },
  triggers: [{ type: 'Url', patterns: [`*/${name}/*`] }],
  ...extra,
});
const rules = (...names: readonly string[]): object => ({ edgeRules: names.map((name) => rule(name)) });

/** The small account with these rules on the shop, in this order. */
function shopWith(places: Readonly<Record<string, number>>): () => State {
  return () => {
    const { state } = buildScenario('small');
    const site = siteOf({ state });
    site.edgeRules = [];
    for (const [name, OrderIndex] of Object.entries(places)) {
      addEdgeRule(site, {
        Guid: `guid-${name}`,
        Description: name,
        OrderIndex,
        ActionType: 4,
        Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: [`*/${name}/*`] }],
      });
    }
    return state;
  };
}

const stored = ({ sandbox }: Harness): readonly EdgeRule[] =>
  [...siteOf(sandbox).edgeRules].sort((left, right) => left.OrderIndex - right.OrderIndex);
const writes = (one: Harness): readonly string[] => one.writes('/api/sites/site-shop/');
const namesOf = (one: Harness): readonly (string | null)[] => stored(one).map(({ Description }) => Description);

describe('the order of edge rules', () => {
  it('that was changed behind the back is found and repaired with the fewest writes', async () => {
    const one = await start(rules('a', 'b', 'c'), { scenario: shopWith({ a: 10, b: 30, c: 20 }) });
    expect(
      (await one.planned()).actions.map(({ verb, changes: found }) => [verb, found.map(({ path }) => path)]),
    ).toEqual([['update', ['/orderIndex']]]);
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(namesOf(one)).toEqual(['a', 'b', 'c']);
    expect(writes(one)).toEqual(['POST edge_rules']);
  });

  it.each([{ 'GAP-25.order': 'kept' }, { 'GAP-25.order': 'renumbered' }])(
    'a reversed list, %o: Guids stay, a second plan is empty',
    async (ambiguities) => {
      const one = await start(rules('d', 'c', 'b', 'a'), {
        scenario: shopWith({ a: 0, b: 1, c: 2, d: 3 }),
        ambiguities,
      });
      expect((await one.apply()).outcome.outcome).toBe('done');
      expect(stored(one).map(({ Guid }) => Guid)).toEqual(['guid-d', 'guid-c', 'guid-b', 'guid-a']);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('a list that the platform numbered anew plans to nothing', async () => {
    const one = await start(rules('a', 'b', 'c'), { scenario: shopWith({ a: 10, b: 20, c: 30 }) });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    stored(one).forEach((row, index) => {
      row.OrderIndex = index;
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('a rule first among ten is one request, and no rule is removed', async () => {
    const names = [...'abcdefghij'];
    const one = await start(rules('x', ...names), {
      scenario: shopWith(Object.fromEntries(names.map((name, index) => [name, (index + 1) * 10]))),
    });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(writes(one)).toEqual(['POST edge_rules']);
    expect(namesOf(one)).toEqual(['x', ...names]);
  });

  it('neighbours that changed places after the review are a conflict, and nothing is sent', async () => {
    const one = await start(
      { edgeRules: [rule('a'), rule('b'), rule('c', { enabled: false })] },
      { scenario: shopWith({ a: 10, b: 20, c: 30 }) },
    );
    const change = (): void => {
      const [first, second] = stored(one) as [EdgeRule, EdgeRule];
      [first.OrderIndex, second.OrderIndex] = [second.OrderIndex, first.OrderIndex];
    };
    const { outcome } = await one.apply(afterPlanning(change));
    expect(outcome).toMatchObject({ outcome: 'conflict', exitCode: 4 });
    expect(JSON.stringify(outcome.diagnostics)).toContain('a, b, c');
    expect(writes(one)).toEqual([]);
  });

  it('a rule slipped in after the review is a conflict', async () => {
    const one = await start(rules('a', 'b'), { scenario: shopWith({ a: 10 }) });
    const plan = await one.planned();
    addEdgeRule(siteOf(one.sandbox), { Guid: 'guid-new', Description: 'slipped in', OrderIndex: 15 });
    expect((await one.apply({ plan })).outcome).toMatchObject({ outcome: 'conflict' });
    expect(writes(one)).toEqual([]);
  });

  it('a rule that moved to another site is made there and removed here', async () => {
    const one = await start(rules(), {
      scenario: shopWith({ a: 10 }),
      files: { 'sites/shop.json': manifest(rules()), 'sites/docs.json': manifest(rules('a'), 'docs') },
    });
    expect((await one.apply({ allowDeletes: 1 })).outcome.outcome).toBe('done');
    expect([stored(one).length, siteOf(one.sandbox, 'docs').edgeRules.map(({ Description }) => Description)]).toEqual([
      0,
      ['a'],
    ]);
  });

  it('new rules of one site are made one after another, whatever runs side by side', async () => {
    const one = await start(rules('e', 'd', 'c', 'b', 'a'), { scenario: shopWith({}) });
    expect((await one.apply({ parallelism: 16 })).outcome.outcome).toBe('done');
    expect(siteOf(one.sandbox).edgeRules.map(({ Description }) => Description)).toEqual(['e', 'd', 'c', 'b', 'a']);
  });
});

describe('a new edge rule', () => {
  it.each(['reset-after', 'html', 'truncate'] as const)(
    'EDG-10: whose answer is lost (%s) is found by its description and not made twice',
    async (kind) => {
      const probe = await openHarness({ files: { 'sites/shop.json': manifest(rules('a')) }, scenario: shopWith({}) });
      await probe.apply();
      const at = probe.sandbox.requests.findIndex(({ method }) => method === 'POST') + 1;
      for (const list of ['bare', 'wrapped', 'upstream']) {
        const one = await start(rules('a'), {
          scenario: shopWith({}),
          faults: [{ kind, at }],
          ambiguities: { 'GAP-23': list, 'GAP-23.write': 'empty' },
        });
        expect((await one.apply()).outcome.outcome, list).toBe('done');
        expect(namesOf(one)).toEqual(['a']);
        expect(writes(one)).toEqual(['POST edge_rules']);
        await one.close();
      }
    },
  );

  it('whose request never arrived is created once, after a person has answered [EDG-10]', async () => {
    const one = await start(rules('a'), {
      scenario: shopWith({}),
      faults: [
        { kind: 'reset-before', at: 5 },
        { kind: 'status-before', status: 500, at: 5 },
      ],
    });
    const { outcome } = await one.apply();
    expect(outcome.actions.map(({ result }) => result)).toEqual(['unknown-outcome']);
    one.sandbox.setFaults([]);
    await confirmNotMade(one, outcome);
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(namesOf(one)).toEqual(['a']);
    expect([...one.sandbox.creations.values()]).toEqual([1]);
  });

  it.each(['rule', 'empty'])(
    'EDG-16: that the platform never shows (GAP-23.write = %s) stops, is reported, and is not made again',
    async (answer) => {
      const one = await start(
        { edgeRules: [rule(`${SYSTEM_PREFIX}mine`)] },
        { scenario: shopWith({}), ambiguities: { 'GAP-23.write': answer } },
      );
      const { outcome } = await one.apply();
      expect([3, 1]).toContain(outcome.exitCode);
      expect(JSON.stringify(outcome)).toContain(answer === 'rule' ? 'EDG-16' : 'nothing that it made is found');
      await one.apply();
      expect(writes(one)).toEqual(['POST edge_rules']);
    },
  );
});

describe('a rule that is there', () => {
  it.each(['wrapped', 'either', 'flat'])(
    'EDG-12, GAP-24 = %s: keeps everything that the manifest does not mention',
    async (reading) => {
      const one = await start(
        { edgeRules: [rule('a', { action: { type: 'Redirect', parameter1: 'https://new.nl/' } })] },
        { ambiguities: { 'GAP-24': reading }, scenario: shopWith({ a: 7 }) },
      );
      Object.assign(stored(one)[0] as EdgeRule, {
        ActionType: 1,
        ActionParameter1: 'https://old.nl/',
        ActionParameter2: '307',
        ActionParameter3: 'third',
        TriggerMatchingType: 2,
        Enabled: false,
        ExtraActions: [{ ActionType: 37, ActionParameter1: 'x', ActionParameter2: null, ActionParameter3: null }],
      });
      (stored(one)[0] as EdgeRule).ExtraActions = [
        { ActionType: 24, ActionParameter1: 'x', ActionParameter2: null, ActionParameter3: null },
      ];
      expect((await one.apply()).outcome.outcome).toBe('done');
      expect(stored(one)).toMatchObject([
        {
          Guid: 'guid-a',
          OrderIndex: 7,
          ActionType: 1,
          ActionParameter1: 'https://new.nl/',
          ActionParameter2: '307',
          ActionParameter3: 'third',
          TriggerMatchingType: 2,
          Enabled: false,
          ExtraActions: [{ ActionType: 24, ActionParameter1: 'x' }],
        },
      ]);
    },
  );

  it('EDG-13: is switched with one small request', async () => {
    const one = await start({ edgeRules: [rule('a', { enabled: false })] }, { scenario: shopWith({ a: 7 }) });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(writes(one)).toEqual(['PATCH edge_rules/guid-a/enabled']);
    expect(stored(one)).toMatchObject([{ Enabled: false, Triggers: [{ PatternMatches: ['*/a/*'] }] }]);
  });
});

describe('PHP versions and cache layers', () => {
  it.each(['FAILED', 'CANCELLED'] as const)('PHP-03: a task that ends as %s is a failure', async (status) => {
    const one = await start({ phpVersion: '8.3' });
    one.sandbox.state.taskFates.push({ status });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 1,
      actions: [{ address: 'Site/shop/PhpVersion', result: 'failed', reason: containing(status) }],
    });
  });

  it('PHP-06: a change whose answer is lost restarts the site once', async () => {
    const one = await start({ phpVersion: '8.3' }, { faults: [{ kind: 'reset-after', at: 7 }] });
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect(writes(one)).toEqual(['PATCH variants/php']);
    expect(siteOf(one.sandbox).restarts.cms).toBe(1);
  });

  it('PHP-04: an unknown version is said when planning, with those that there are', async () => {
    const one = await start({ phpVersion: '7.0' });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'Site/shop/PhpVersion', remedy: containing('8.1, 8.2, 8.3') }],
    });
  });

  it('PHP-04: a version means the label that has it, and then it is as declared', async () => {
    const one = await start({ phpVersion: '8.3' });
    const site = siteOf(one.sandbox);
    site.phpVariants = site.phpVariants.map((variant) => ({ ...variant, label: `PHP ${variant.label}` }));
    site.phpVersion = 'PHP 8.2';
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([{ changes: [{ path: '/version', was: 'PHP 8.2', value: 'PHP 8.3' }] }]);
    expect((await one.apply({ plan })).outcome).toMatchObject({ exitCode: 0, remaining: [] });
    expect([site.phpVersion, site.restarts.cms]).toEqual(['PHP 8.3', 1]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    // The ledger holds what is live, so that a change behind its back is told as one.
    await one.apply();
    site.phpVersion = 'PHP 8.1';
    expect((await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] })).plan?.drift).toMatchObject([
      { address: 'Site/shop/PhpVersion', class: 'drifted' },
    ]);
  });

  it.each(['error-only', 'with-code'])(
    'CCH-09, GAP-22.code = %s: a layer outside the plan is blocked, the others are done',
    async (code) => {
      const one = await start(
        { cacheLayers: { redis: true, nginx: false, cdn: true } },
        { ambiguities: { 'GAP-22.code': code } },
      );
      const { outcome } = await one.apply();
      expect(outcome).toMatchObject({ outcome: 'waiting', exitCode: 3 });
      expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual([
        ['Site/shop/CacheLayer/nginx', 'done'],
        ['Site/shop/CacheLayer/redis', 'blocked'],
      ]);
      expect(siteOf(one.sandbox).layers).toMatchObject({
        redis: { on: false },
        nginx: { on: false, purges: 0 },
        cdn: { on: true },
      });
      // Nothing is in flight: once the plan of the site has the layer, it is switched on.
      siteOf(one.sandbox).package = 'max';
      await converge(one);
    },
  );

  it('GAP-20: without the CDN they are blocked, and nothing is removed', async () => {
    const one = await start({ ...rules('a'), cacheLayers: { cdn: true } });
    siteOf(one.sandbox).cdn.zone = 'none';
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [
        { address: 'Site/shop/CacheLayer', rule: 'GAP-20' },
        { address: 'Site/shop/EdgeRule', rule: 'GAP-20' },
      ],
    });
  });
});

describe('requests', () => {
  it('of a plan are one a site for each of variants, layers and rules, beside the list of sites', async () => {
    const one = await start({ phpVersion: '8.2', cacheLayers: { cdn: true }, edgeRules: [] });
    await one.planned();
    expect(one.sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/sites',
      'GET /api/sites/site-shop/cache',
      'GET /api/sites/site-shop/edge_rules',
      'GET /api/sites/site-shop/variants',
    ]);
  });
});

describe('mistakes in the manifest are found offline', () => {
  const trigger = { type: 'Url', patterns: ['a'] };
  const six = ['1', '2', '3', '4', '5', '6'];
  const cases: readonly (readonly [string, Json, string])[] = [
    ['six triggers', rule('a', { triggers: six.map((pattern) => ({ type: 'Url', patterns: [pattern] })) }), 'triggers'],
    ['no trigger', rule('a', { triggers: [] }), 'triggers'],
    ['six patterns', rule('a', { triggers: [{ ...trigger, patterns: six }] }), 'patterns'],
    ['no pattern', rule('a', { triggers: [{ ...trigger, patterns: [] }] }), 'patterns'],
    ['an empty pattern', rule('a', { triggers: [{ ...trigger, patterns: [''] }] }), 'is empty'],
    ['an unknown action', rule('a', { action: { type: 'ForceSSl' } }), 'ForceSSL'],
    [
      'a redirect with status 200',
      rule('a', { action: { type: 'Redirect', parameter1: 'https://a.nl/', parameter2: '200' } }),
      '`301`, `302`, `307` or `308`',
    ],
    ['a redirect to nowhere', rule('a', { action: { type: 1 } }), 'parameter1'],
    ['an unknown trigger', rule('a', { triggers: [{ ...trigger, type: 'Uri' }] }), 'Url'],
    ['an unknown way to match', rule('a', { match: 'both' }), 'any'],
  ];

  it.each(cases)('%s', async (_, wrong, text) => {
    const one = await start({ edgeRules: [wrong] });
    const { plan, diagnostics } = await one.plan();
    expect(plan).toBeUndefined();
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.detail).toContain(text);
    expect(one.sandbox.requests).toEqual([]);
  });

  it('one name twice on a site', async () => {
    const one = await start(rules('a', 'a'));
    expect((await one.plan()).diagnostics).toMatchObject([{ code: 'HW1303' }]);
  });
});
