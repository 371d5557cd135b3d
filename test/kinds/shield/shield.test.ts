// The zone, its WAF, DDoS protection and bots: what is read in every shape, what is sent, and what is refused before
// anything is sent.
import { describe, expect, it } from 'vitest';
import type { Around } from '../../support/planned.ts';
import { contextOf, planKind, readKind } from '../../support/planned.ts';
import { edgeRule } from '../../../src/areas/cdn/kinds/edge-rule/index.ts';
import { shieldBotDetection } from '../../../src/areas/shield/kinds/bot-detection.ts';
import { shieldDdos } from '../../../src/areas/shield/kinds/ddos.ts';
import {
  AGGRESSIONS,
  BOT_MODES,
  BOT_SENSITIVITIES,
  COUNTED_BY,
  DDOS_SENSITIVITIES,
  LIMIT_ACTIONS,
  LIST_TYPES,
  MODES,
  nameIn,
  numberIn,
  OPERATORS,
  PLANS,
  RULE_ACTIONS,
  SEVERITIES,
  TRANSFORMATIONS,
} from '../../../src/areas/shield/kinds/names.ts';
import type { Names } from '../../../src/areas/shield/kinds/names.ts';
import { flag, number, text, texts, understand } from '../../../src/areas/shield/kinds/wire.ts';
import { shieldWaf } from '../../../src/areas/shield/kinds/waf.ts';
import { shield } from '../../../src/areas/shield/kinds/zone/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Answers, Kind, OrderedAction } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { RequestStep, Step } from '../../../src/model/plan/step.ts';
import { containing } from '../../support/matchers.ts';

const zone = (extra: JsonObject = {}): JsonObject => ({
  active: true,
  plan: 'advanced',
  whitelabel_response_pages: false,
  waf: {
    enabled: true,
    execution_mode: 'Log',
    disabled_rules: ['942100'],
    log_only_rules: null,
    learning_mode: false,
    learning_mode_until: null,
  },
  ddos: { sensitivity: 2, execution_mode: 'Block', challenge_window: 3600 },
  ...extra,
});

const plan = (kind: Kind, spec: JsonObject, answers: Answers, rootSpec: JsonObject = {}) =>
  planKind(kind, [spec], answers, { rootSpec });
const requests = (steps: readonly Step[] | undefined): readonly RequestStep[] =>
  (steps ?? []).filter((step) => step.do === 'request');
const brief = (steps: readonly Step[] | undefined) =>
  requests(steps).map(({ method, path, body }) => [method, path.at(-1), body]);
const pathOf = (
  kind: Kind,
  name: string,
  answers: Answers = {},
  specs: readonly JsonObject[] = [],
  around: Around = {},
) => kind.reads[name]?.path(contextOf(kind, specs, { answers, ...around }));

describe('names', () => {
  const tables: readonly (readonly [string, Names])[] = Object.entries({
    PLANS,
    MODES,
    DDOS_SENSITIVITIES,
    BOT_MODES,
    BOT_SENSITIVITIES,
    AGGRESSIONS,
    RULE_ACTIONS,
    SEVERITIES,
    LIMIT_ACTIONS,
    COUNTED_BY,
    LIST_TYPES,
    OPERATORS,
    TRANSFORMATIONS,
  });

  it.each(tables)('of %s: there and back, in any spelling, aliases too', (_table, names) => {
    for (const [name, number] of Object.entries(names)) {
      const canonical = nameIn(names, name) as string;
      expect(numberIn(names, canonical)).toBe(number);
      for (const spelling of [number, String(number), name.toUpperCase(), name.toLowerCase()])
        expect(nameIn(names, spelling)).toBe(canonical);
    }
  });

  it('are those of the documents where they give any (SHD-06, SHD-09, SHD-13, SHD-19)', () => {
    expect([PLANS, MODES, RULE_ACTIONS, SEVERITIES]).toEqual([
      { basic: 0, advanced: 1, business: 2, enterprise: 3 },
      { log: 0, block: 1 },
      { block: 1, log: 2, challenge: 3, allow: 4, bypass: 5 },
      { notice: 0, warning: 1, critical: 2 },
    ]);
    expect(nameIn(COUNTED_BY, 'IP + JA4')).toBe('ipJa4');
    expect(nameIn(LIMIT_ACTIONS, 'Rate Limit')).toBe('rateLimit');
  });

  it('GAP-28: a number without a name is itself, a text without one is not understood', () => {
    expect([
      nameIn(MODES, 7),
      nameIn(MODES, '7'),
      numberIn(MODES, 7),
      nameIn(MODES, 'Detection'),
      nameIn(MODES, true),
      nameIn(MODES, undefined),
    ]).toEqual([7, 7, 7, undefined, undefined, undefined]);
    expect([nameIn(DDOS_SENSITIVITIES, 'asleep'), nameIn(DDOS_SENSITIVITIES, 'Extreme')]).toEqual(['off', 'challenge']);
  });
});

describe('what is neither known nor of its type', () => {
  it('GAP-28: is left as it is written in a manifest, and named when it is live', () => {
    expect(normaliseSpec(shieldDdos, { sensitivity: 'paranoid' })).toEqual({ sensitivity: 'paranoid' });
    expect(
      understand([
        ['a', 5, text],
        ['b', 'x', number],
        ['c', 'x', flag],
        ['d', [{}], texts],
        ['e', null, flag],
        ['f', undefined, flag],
        ['g', ['x', 7], texts],
        ['h', 'x', text],
      ]),
    ).toEqual({ spec: { g: ['x', '7'], h: 'x' }, unclear: ['a', 'b', 'c', 'd'] });
    expect(
      readKind(shieldBotDetection, { zone: zone(), bots: { execution_mode: 1, ip_address: 5 } }).members[0]?.spec,
    ).toEqual({ executionMode: 'challenge' });
  });
});

describe('Shield', () => {
  it('SHD-02: is one request; the CDN is asked for only where Shield is to be activated', () => {
    expect(pathOf(shield, 'zone')).toBe('/api/sites/site%2F1/shield');
    expect(pathOf(shield, 'cdn', { zone: null }, [{ enabled: true }])).toBe('/api/sites/site%2F1/cdn');
    for (const [answer, spec] of [
      [zone(), { enabled: true }],
      [null, { enabled: false }],
      [null, { plan: 'basic' }],
    ] as const)
      expect(pathOf(shield, 'cdn', { zone: answer }, [spec])).toBeNull();
  });

  it('SHD-05, GAP-27, GAP-29: reads the zone bare or wrapped; none and one that is off are the same', () => {
    for (const answer of [zone(), { shield: zone() }, { data: zone(), total: 1 }])
      expect(readKind(shield, { zone: answer }).members[0]).toMatchObject({
        id: 'shield',
        spec: { enabled: true, plan: 'advanced', whitelabelResponsePages: false },
      });
    expect(readKind(shield, { zone: null, cdn: {} }).members).toMatchObject([
      { spec: { enabled: false }, computed: { hasCdn: true, plan: null } },
    ]);
    expect(readKind(shield, { zone: zone({ active: false }), cdn: null }).members).toMatchObject([
      { spec: { enabled: false }, computed: { hasCdn: false, plan: 'advanced' } },
    ]);
    expect(
      readKind(shield, { zone: zone({ plan: 'platinum', whitelabel_response_pages: null }) }).members[0]?.spec,
    ).toEqual({ enabled: true });
    for (const junk of [[], 'x', {}, { shield: { plan: 'basic' } }])
      expect(() => readKind(shield, { zone: junk })).toThrow(ShapeError);
  });

  it('expands to its own fields; of what is off nothing else is wanted', () => {
    const { expand } = shield.section;
    expect(expand({ shield: { enabled: true, plan: 'basic', waf: {} } })).toEqual([
      { name: null, spec: { enabled: true, plan: 'basic' }, pointer: '/shield' },
    ]);
    expect(expand({ shield: { enabled: false, plan: 'advanced' } })[0]?.spec).toEqual({ enabled: false });
    expect(shield.identity({})).toBe('Shield');
    expect(shieldWaf.section.expand({ shield: { waf: { enabled: true } } })).toEqual([
      { name: null, spec: { enabled: true }, pointer: '/shield/waf' },
    ]);
    expect([shieldWaf, shieldDdos, shieldBotDetection].map((kind) => kind.identity({}))).toEqual([
      'ShieldWaf',
      'ShieldDdos',
      'ShieldBotDetection',
    ]);
    expect(shieldDdos.section.expand({ shield: { ddos: {} } })[0]?.pointer).toBe('/shield/ddos');
    expect(shieldBotDetection.section.expand({ shield: { botDetection: {} } })[0]?.pointer).toBe(
      '/shield/botDetection',
    );
  });

  it('case 49, SHD-03, SHD-08: is activated once, then set, with plan_type alone and learning only where it is asked for', () => {
    const [action] = plan(
      shield,
      { enabled: true, plan: 'business', learnOnActivation: true, whitelabelResponsePages: true },
      { zone: null, cdn: {} },
    ).actions;
    expect(action).toMatchObject({
      verb: 'update',
      stage: 'change',
      risk: ['charge'],
      locks: ['Site/shop', 'billing'],
      requires: { roles: ['can_modify'] },
    });
    expect(brief(action?.steps)).toEqual([
      ['POST', '/shield', undefined],
      ['PATCH', '/shield', { learning_mode: true }],
      ['PATCH', '/shield', { plan_type: 2 }],
      ['PATCH', '/shield', { whitelabel_response_pages: true }],
    ]);
    expect(requests(action?.steps)[0]).toMatchObject({
      idempotent: false,
      recovery: {
        ifNotFound: 'ask',
        lookUp: { gone: [{ status: 409, code: 'shield_not_active' }], where: [{ pointer: '/active', value: true }] },
      },
    });
    expect(
      brief(plan(shield, { enabled: true, learnOnActivation: false }, { zone: null, cdn: {} }).actions[0]?.steps)[1],
    ).toEqual(['PATCH', '/shield', { learning_mode: false }]);
    expect(brief(plan(shield, { enabled: true }, { zone: null, cdn: {} }).actions[0]?.steps)).toEqual([
      ['POST', '/shield', undefined],
    ]);
    expect(plan(shield, { enabled: true, learnOnActivation: true }, { zone: zone() })).toMatchObject({
      actions: [],
      unchanged: 1,
    });
  });

  it('case 53, SHD-26: learning that is over is said, and not started again', () => {
    const over = { zone: zone({ waf: { learning_mode: false, learning_mode_until: '2026-01-08T00:00:00Z' } }) };
    expect(plan(shield, { enabled: true, learnOnActivation: true }, over)).toMatchObject({
      actions: [],
      unchanged: 1,
      diagnostics: [{ code: 'HW2302', severity: 'info', detail: containing('2026-01-08') }],
    });
    expect(plan(shield, { enabled: true }, over).diagnostics).toEqual([]);
    expect(
      plan(
        shield,
        { enabled: true, learnOnActivation: true },
        { zone: zone({ waf: { learning_mode: true, learning_mode_until: '2027' } }) },
      ).diagnostics,
    ).toEqual([]);
    expect(plan(shield, { enabled: true, learnOnActivation: true }, { zone: null, cdn: {} }).diagnostics).toEqual([]);
  });

  it('SHD-04: is deactivated last of all, and says that it exposes', () => {
    const [action] = plan(shield, { enabled: false }, { zone: zone() }).actions;
    expect(action).toMatchObject({ stage: 'removal', risk: ['exposure'], requires: { roles: ['can_destroy'] } });
    expect(brief(action?.steps)).toEqual([['DELETE', '/shield', undefined]]);
    expect(plan(shield, { enabled: false }, { zone: null })).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('case 50, GAP-32: a higher plan charges; a lower one takes a consent that names it, and comes last', () => {
    expect(plan(shield, { plan: 'advanced' }, { zone: zone({ plan: 'Advanced' }) })).toMatchObject({
      actions: [],
      unchanged: 1,
    });
    expect(plan(shield, { plan: 'enterprise' }, { zone: zone() }).actions[0]).toMatchObject({
      risk: ['charge'],
      stage: 'change',
    });
    expect(plan(shield, { plan: 'basic' }, { zone: zone() })).toMatchObject({
      actions: [],
      blocked: [{ rule: 'GAP-32', remedy: containing('shield.planDowngrade: basic') }],
    });
    expect(plan(shield, { plan: 'basic', planDowngrade: 'advanced' }, { zone: zone() }).blocked).toHaveLength(1);
    expect(plan(shield, { plan: 'basic', planDowngrade: 'basic' }, { zone: zone() })).toMatchObject({
      blocked: [],
      actions: [{ stage: 'removal', risk: ['exposure'], locks: ['Site/shop', 'billing'] }],
    });
    expect(plan(shield, { plan: 'basic', whitelabelResponsePages: true }, { zone: zone() })).toMatchObject({
      blocked: [{}],
      actions: [{ changes: [{ path: '/whitelabelResponsePages' }], risk: [] }],
    });
    expect(plan(shield, { plan: 'basic' }, { zone: zone({ plan: 'platinum' }) })).toMatchObject({
      actions: [],
      blocked: [{ rule: 'GAP-28' }],
    });
  });

  it('GAP-27: a plan is never lowered unseen by an activation', () => {
    const basic = { enabled: true, plan: 'basic' };
    const [fresh] = plan(shield, basic, { zone: null, cdn: {} }).actions;
    expect([brief(fresh?.steps).length, fresh?.risk, fresh?.steps.at(-1)]).toMatchObject([
      1,
      [],
      { do: 'verify', only: ['plan'] },
    ]);
    expect(
      brief(plan(shield, { ...basic, planDowngrade: 'basic' }, { zone: null, cdn: {} }).actions[0]?.steps)[1],
    ).toEqual(['PATCH', '/shield', { plan_type: 0 }]);
    expect(plan(shield, basic, { zone: zone({ active: false }), cdn: {} })).toMatchObject({
      blocked: [{ rule: 'GAP-32' }],
      actions: [{ changes: [{ path: '/enabled' }] }],
    });
  });

  it('GAP-20, SHD-02: without the CDN, or where nobody wants it active, it is blocked once', () => {
    expect(
      plan(shield, { enabled: true, plan: 'advanced', whitelabelResponsePages: true }, { zone: null, cdn: null }),
    ).toMatchObject({ actions: [], blocked: [{ rule: 'GAP-20' }] });
    expect(plan(shield, { plan: 'advanced', whitelabelResponsePages: true }, { zone: null }).blocked).toMatchObject([
      { rule: 'SHD-02', remedy: containing('enabled: true') },
    ]);
  });

  it('orders by O-22, O-23 and O-25', () => {
    const action = (
      kind: string,
      verb: OrderedAction['verb'],
      stage: OrderedAction['stage'],
      ...changes: OrderedAction['changes']
    ): OrderedAction => ({ address: 'x', kind, verb, stage, changes, liveMembers: 0 });
    const up = action('Shield', 'update', 'change', { op: 'replace', path: '/plan', value: 'business' });
    const down = action('Shield', 'update', 'removal', { op: 'replace', path: '/plan', value: 'basic' });
    const off = action('Shield', 'update', 'removal', { op: 'replace', path: '/enabled', value: false });
    const rule = (id: string) => shield.order.find((one) => one.rule === id);
    expect([
      rule('O-22')?.before(up),
      rule('O-22')?.before(down),
      rule('O-22')?.after(action('ShieldRateLimit', 'create', 'change')),
      rule('O-22')?.after(action('ShieldWaf', 'update', 'change')),
    ]).toEqual([true, false, true, false]);
    expect([
      rule('O-23')?.before(action('ShieldCustomRule', 'delete', 'removal')),
      rule('O-23')?.before(down),
      rule('O-23')?.after(down),
      rule('O-23')?.after(up),
    ]).toEqual([true, false, true, false]);
    expect([
      rule('O-25')?.before(action('ShieldAccessList', 'delete', 'removal')),
      rule('O-25')?.before(action('ShieldAccessList', 'update', 'change')),
      rule('O-25')?.after(off),
      rule('O-25')?.after(down),
    ]).toEqual([true, false, true, false]);
  });
});

describe.each([shieldWaf, shieldDdos, shieldBotDetection])('$kind', (kind) => {
  it('rests on Shield: while that is off nothing of it is read (GAP-27)', () => {
    expect([
      kind.capabilities.dependsOn?.notReady?.({ zone: zone({ active: false }) }),
      kind.capabilities.dependsOn?.notReady?.({ zone: zone() }),
    ]).toMatchObject([{ state: 'deferred', until: { kind: 'Shield', field: 'enabled' } }, null]);
    expect(kind.capabilities.dependsOn).toMatchObject({ kind: 'Shield', field: 'enabled' });
  });
});

describe('ShieldWaf', () => {
  it.each(['Log', 'log', 'LOG', '0', 0])('case 51, GAP-28: the mode %j is log', (mode) => {
    expect(plan(shieldWaf, { executionMode: 'log' }, { zone: zone({ waf: { execution_mode: mode } }) })).toMatchObject({
      actions: [],
      unchanged: 1,
    });
  });

  it('GAP-28: a mode that is not known is never overwritten; the rest is written without it', () => {
    const strange = { zone: zone({ waf: { enabled: false, execution_mode: 'Detection', disabled_rules: [] } }) };
    const { actions, blocked } = plan(
      shieldWaf,
      { executionMode: 'block', enabled: true, disabledRules: ['1'] },
      strange,
    );
    expect(blocked).toMatchObject([{ rule: 'GAP-28', reason: containing('executionMode is') }]);
    expect(brief(actions[0]?.steps)).toEqual([
      ['PATCH', '/shield/waf', { waf_enabled: true, waf_disabled_rules: ['1'] }],
    ]);
    expect(
      plan(
        shieldWaf,
        { disabledRules: ['1'], logOnlyRules: ['2'] },
        { zone: zone({ waf: { disabled_rules: 'x', log_only_rules: 5 } }) },
      ).blocked[0]?.reason,
    ).toContain('disabledRules, logOnlyRules are');
  });

  it('case 52, SHD-10, SHD-11: lists are sets of texts, written whole and together, in one request', () => {
    expect(
      plan(
        shieldWaf,
        { disabledRules: [942100, '941100', '942100'] },
        { zone: zone({ waf: { disabled_rules: ['941100', 942100] } }) },
      ),
    ).toMatchObject({ actions: [], unchanged: 1 });
    const [action] = plan(
      shieldWaf,
      { disabledRules: ['3', 2], logOnlyRules: [], executionMode: 'block' },
      { zone: zone({ waf: { execution_mode: 'log', disabled_rules: [], log_only_rules: ['9'] } }) },
    ).actions;
    expect(brief(action?.steps)).toEqual([
      ['PATCH', '/shield/waf', { waf_execution_mode: 1, waf_disabled_rules: ['2', '3'], waf_log_only_rules: [] }],
    ]);
    expect(readKind(shieldWaf, { zone: zone({ waf: null }) }).members[0]?.spec).toEqual({
      disabledRules: [],
      logOnlyRules: [],
    });
  });

  it('O-24: begins to block after lists, rules that let through, and edge rules that go past it', () => {
    const [{ before, after }] = shieldWaf.order as [(typeof shieldWaf.order)[number]];
    const action = (
      kind: string,
      verb: OrderedAction['verb'],
      ...changes: OrderedAction['changes']
    ): OrderedAction => ({ address: 'x', kind, verb, stage: 'change', changes, liveMembers: 0 });
    const add = (path: string, value: Json): OrderedAction['changes'][number] => ({ op: 'add', path, value });
    expect(
      [
        action('ShieldAccessList', 'create'),
        action('ShieldCustomRule', 'update', add('/value', 'x')),
        action('ShieldCustomRule', 'create', add('/action', 'allow')),
        action('ShieldCustomRule', 'create', add('/action', 'bypass')),
        action('EdgeRule', 'create', add('/action', { type: 'DisableWAF' })),
        action('EdgeRule', 'update', add('/action/type', 'DisableShield')),
      ].map(before),
    ).toEqual(Array(6).fill(true));
    expect(
      [
        action('ShieldAccessList', 'delete'),
        action('ShieldCustomRule', 'create', add('/action', 'block')),
        action('ShieldCustomRule', 'create', add('/value', 'allow')),
        action('EdgeRule', 'create', add('/action', { type: 'ForceSSL' }), { op: 'remove', path: '/x' }),
        action('Caching', 'update'),
      ].map(before),
    ).toEqual(Array(5).fill(false));
    expect(
      [add('/executionMode', 'block'), add('/enabled', true), add('/executionMode', 'log'), add('/enabled', false)].map(
        (change) => after(action('ShieldWaf', 'update', change)),
      ),
    ).toEqual([true, true, false, false]);
    expect(after(action('Caching', 'update', add('/enabled', true)))).toBe(false);
  });

  it('a rule that is off and logs is a contradiction', () => {
    expect(
      shieldWaf.section.lint?.({ shield: { waf: { disabledRules: [1, '2'], logOnlyRules: ['3', '1'] } } }),
    ).toMatchObject([{ is: 'contradiction', pointer: '/shield/waf/logOnlyRules/1' }]);
    expect(shieldWaf.section.lint?.({ shield: { waf: {} } })).toEqual([]);
  });

  it('SHD-29: an edge rule that goes past Shield is said, whether it is named or numbered', () => {
    const rule = (type: Json, extra: Json = []) => ({ name: 'a', action: { type }, extraActions: extra, triggers: [] });
    const lint = (edgeRules: Json, of: JsonObject = { shield: {} }) => edgeRule.section.lint?.({ edgeRules, ...of });
    expect(lint([rule('ForceSSL', [{ type: 23 }]), rule(28)])).toMatchObject([
      { is: 'idle', pointer: '/edgeRules/0/extraActions/0/type', what: containing('without the WAF') },
      { pointer: '/edgeRules/1/action/type' },
    ]);
    expect(lint([{ name: 'b', action: { type: 'DisableShieldRateLimiting' } }])).toHaveLength(1);
    expect(lint([rule('DisableShield')], {})).toEqual([]);
  });
});

describe('ShieldDdos', () => {
  it('GAP-28: a mode that is not known stands in its own way only', () => {
    const { actions, blocked } = plan(
      shieldDdos,
      { executionMode: 'block', sensitivity: 'low' },
      { zone: zone({ ddos: { sensitivity: 2, execution_mode: 'Mitigate' } }) },
    );
    expect([blocked.length, brief(actions[0]?.steps)]).toEqual([1, [['PATCH', '/shield', { ddos_sensitivity: 1 }]]]);
  });
});

describe('ShieldBotDetection', () => {
  const flat: JsonObject = {
    execution_mode: 0,
    request_integrity_sensitivity: 1,
    ip_address_sensitivity: 2,
    browser_fingerprint_sensitivity: 3,
    browser_fingerprint_aggression: 2,
    browser_fingerprint_complex_enabled: true,
  };
  const nested: JsonObject = {
    executionMode: 0,
    requestIntegrity: { sensitivity: 1 },
    ipAddress: { sensitivity: 2 },
    browserFingerprint: { sensitivity: 3, aggression: 2, complexEnabled: true },
  };
  const as = {
    executionMode: 'log',
    requestIntegritySensitivity: 'low',
    ipAddressSensitivity: 'medium',
    browserFingerprintSensitivity: 'high',
    browserFingerprintAggression: 'medium',
    browserFingerprintComplexEnabled: true,
  };

  it.each([[flat], [nested], [{ bot_detection: flat }], [{ data: nested, x: 1 }]])(
    'case 54, GAP-29: %j is no difference',
    (bots) => {
      expect(readKind(shieldBotDetection, { zone: zone(), bots }).members[0]?.spec).toEqual(as);
      expect(plan(shieldBotDetection, as, { zone: zone(), bots })).toMatchObject({ actions: [], unchanged: 1 });
    },
  );

  it('SHD-15, GAP-32: on the basic plan it is refused before anything is sent, unless the plan goes up too', () => {
    const basic = { zone: zone({ plan: 'basic' }), bots: flat };
    expect(plan(shieldBotDetection, { executionMode: 'challenge' }, basic)).toMatchObject({
      actions: [],
      blocked: [{ rule: 'SHD-15', remedy: containing('shield.plan') }],
    });
    expect(
      plan(shieldBotDetection, { executionMode: 'challenge' }, basic, { shield: { plan: 'advanced' } }).actions,
    ).toHaveLength(1);
    expect(
      plan(
        shieldBotDetection,
        { executionMode: 'challenge' },
        { zone: zone(), bots: { ...flat, execution_mode: 'Enforce' } },
      ),
    ).toMatchObject({ actions: [], blocked: [{ rule: 'GAP-28' }] });
    expect(
      plan(
        shieldBotDetection,
        { ipAddressSensitivity: 'off' },
        { zone: zone(), bots: { ...flat, execution_mode: 'Enforce' } },
      ).actions,
    ).toHaveLength(1);
  });
});

describe('ids of managed rules', () => {
  const doubted = (rules: Json, disabledRules: readonly Json[]) =>
    shieldWaf.capabilities
      .doubts?.({ zone: zone(), rules }, {
        declared: { members: [{ identity: 'ShieldWaf', spec: { disabledRules } }] },
      } as never)
      .ShieldWaf?.map(({ detail }) =>
        /names the rule (\S+)\..*?(?:Did you mean (.*)\? )?`/.exec(detail ?? '')?.slice(1),
      );

  it.each<[Json]>([
    [[{ rules: [{ rule_id: '941100', name: 'Script' }, { rule_id: 942100 }] }]],
    [[{ ruleId: 'group', rules: [{ ruleId: '941100' }, { id: 942100 }] }]],
    [{ groups: [{ managed_rules: ['941100', 942100] }] }],
    [[{ rules: [{ id: 'inner', rules: [{ id: '941100' }, { id: '942100' }] }] }]],
  ])('SHD-12: are found in %j', (rules) => {
    expect(doubted(rules, [941100, '942100'])).toEqual([]);
    expect(doubted(rules, ['942101', 'group', 'inner'])?.map((found) => [found?.[0], found?.[1]])).toEqual([
      ['942101', '942100'],
      ['group', undefined],
      ['inner', undefined],
    ]);
  });

  it.each<[Json]>([[null], [[]], [[{ id: '1' }]], [['941100']], [{ rules: 'none' }], [[{ rules: [null, {}] }]]])(
    'SHD-12: nothing is claimed where the answer is %j',
    (rules) => {
      expect(doubted(rules, ['7'])).toEqual([]);
    },
  );
});
