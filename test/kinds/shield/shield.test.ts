// The zone, its WAF, DDoS protection and bots: what is read in every shape, what is sent, and what is refused before
// anything is sent.
import { describe, expect, it } from 'vitest';
import { planKind, readKind } from '../../support/planned.ts';
import { edgeRule } from '../../../src/areas/cdn/kinds/edge-rule/index.ts';
import { shieldDdos } from '../../../src/areas/shield/kinds/ddos.ts';
import {
  COUNTED_BY,
  DDOS_SENSITIVITIES,
  LIMIT_ACTIONS,
  MODES,
  nameIn,
  numberIn,
  PLANS,
  RULE_ACTIONS,
  SEVERITIES,
} from '../../../src/areas/shield/kinds/names.ts';
import { flag, number, text, texts, understand } from '../../../src/areas/shield/kinds/wire.ts';
import { shieldWaf } from '../../../src/areas/shield/kinds/waf.ts';
import { shield } from '../../../src/areas/shield/kinds/zone/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Answers, Kind, OrderedAction } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { RequestStep, Step } from '../../../src/model/plan/step.ts';

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
describe('names', () => {
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
  });
});

describe('Shield', () => {
  it('takes no answer of another shape', () => {
    for (const junk of [[], 'x', {}, { shield: { plan: 'basic' } }])
      expect(() => readKind(shield, { zone: junk })).toThrow(ShapeError);
  });

  it('case 49, SHD-03, SHD-08: is activated once, then set, with plan_type alone and learning only where it is asked for', () => {
    const sent = (spec: JsonObject) =>
      brief(plan(shield, { enabled: true, ...spec }, { zone: null, cdn: {} }).actions[0]?.steps);
    expect(sent({ plan: 'business', learnOnActivation: true, whitelabelResponsePages: true })).toEqual([
      ['POST', '/shield', undefined],
      ['PATCH', '/shield', { learning_mode: true }],
      ['PATCH', '/shield', { plan_type: 2 }],
      ['PATCH', '/shield', { whitelabel_response_pages: true }],
    ]);
    expect(sent({ learnOnActivation: false })[1]).toEqual(['PATCH', '/shield', { learning_mode: false }]);
    expect(sent({})).toEqual([['POST', '/shield', undefined]]);
    expect(plan(shield, { enabled: true, learnOnActivation: true }, { zone: zone() })).toMatchObject({ unchanged: 1 });
  });

  it('case 53, SHD-26: learning that is over is said, and not started again', () => {
    const over = { zone: zone({ waf: { learning_mode: false, learning_mode_until: '2026-01-08T00:00:00Z' } }) };
    expect(plan(shield, { enabled: true, learnOnActivation: true }, over)).toMatchObject({
      actions: [],
      unchanged: 1,
      diagnostics: [{ code: 'HW2302', severity: 'info', detail: expect.stringContaining('2026-01-08') as string }],
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

  it('case 50, GAP-32: a lower plan is refused alone, and where the live one is not known', () => {
    expect(plan(shield, { plan: 'basic', planDowngrade: 'advanced' }, { zone: zone() }).blocked).toHaveLength(1);
    expect(plan(shield, { plan: 'basic', whitelabelResponsePages: true }, { zone: zone() })).toMatchObject({
      blocked: [{ rule: 'GAP-32' }],
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
});

describe('ShieldWaf', () => {
  it('GAP-28: a mode that is not known is never overwritten; the rest is written without it', () => {
    const strange = { zone: zone({ waf: { enabled: false, execution_mode: 'Detection', disabled_rules: [] } }) };
    const { actions, blocked } = plan(
      shieldWaf,
      { executionMode: 'block', enabled: true, disabledRules: ['1'] },
      strange,
    );
    expect(blocked).toMatchObject([{ rule: 'GAP-28', reason: expect.stringContaining('executionMode is') as string }]);
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
    const action = plan(
      shieldWaf,
      { disabledRules: ['3', 2, '3'], logOnlyRules: [], executionMode: 'block' },
      { zone: zone({ waf: { execution_mode: 'log', disabled_rules: [], log_only_rules: ['9'] } }) },
    ).actions[0];
    expect(brief(action?.steps)).toEqual([
      ['PATCH', '/shield/waf', { waf_execution_mode: 1, waf_disabled_rules: ['2', '3'], waf_log_only_rules: [] }],
    ]);
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
      {
        is: 'idle',
        pointer: '/edgeRules/0/extraActions/0/type',
        what: expect.stringContaining('without the WAF') as string,
      },
      { pointer: '/edgeRules/1/action/type' },
    ]);
    expect(lint([{ name: 'b', action: { type: 'DisableShieldRateLimiting' } }])).toHaveLength(1);
    expect(lint([rule('DisableShield')], {})).toEqual([]);
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
