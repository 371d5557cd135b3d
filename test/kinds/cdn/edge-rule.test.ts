import { describe, expect, it } from 'vitest';
import { planKind, readKind } from '../../support/planned.ts';
import {
  ACTION_TYPES,
  decodeRule,
  encodeRule,
  MATCHES,
  TRIGGER_TYPES,
} from '../../../src/areas/cdn/kinds/edge-rule/wire.ts';
import type { EdgeRuleSpec } from '../../../src/areas/cdn/kinds/edge-rule/wire.ts';
import { edgeRule } from '../../../src/areas/cdn/kinds/edge-rule/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import type { RequestStep, Step } from '../../../src/model/plan/step.ts';
import { containing } from '../../support/matchers.ts';

const wire = (extra: JsonObject = {}): JsonObject => ({
  Guid: 'g-1',
  ActionType: 1,
  ActionParameter1: 'https://a.nl/',
  ActionParameter2: '301',
  ActionParameter3: 'kept',
  TriggerMatchingType: 1,
  Description: 'old shop',
  Enabled: true,
  OrderIndex: 10,
  Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: ['*/b/*', '*/a/*'] }],
  ExtraActions: [{ ActionType: 5, ActionParameter1: 'X', ActionParameter2: 'y', ActionParameter3: null }],
  ...extra,
});

const read = (rows: Json) => readKind(edgeRule, { rules: rows });

const wanted = {
  name: 'old shop',
  action: { type: 'Redirect', parameter1: 'https://a.nl/', parameter2: '301' },
  triggers: [{ type: 'Url', patterns: ['*/a/*', '*/b/*'] }],
};

const plan = (specs: readonly JsonObject[], rows: Json) => planKind(edgeRule, specs, { rules: rows });
const request = (steps: readonly Step[], index = 0): RequestStep => steps[index] as RequestStep;
const bodyOf = (steps: readonly Step[]): JsonObject => (request(steps).body as JsonObject).edge_rule as JsonObject;

describe('the numbers of an edge rule', () => {
  const base: EdgeRuleSpec = {
    name: 'x',
    action: { type: 0 },
    extraActions: [],
    match: 'any',
    triggers: [],
    enabled: true,
    orderIndex: 1,
  };

  it('are 35 actions, 14 triggers and three ways to match', () => {
    expect([ACTION_TYPES.length, TRIGGER_TYPES.length, MATCHES.length]).toEqual([35, 14, 3]);
    expect(ACTION_TYPES.flatMap((name, number) => ([0, 1, 2, 4, 5, 23, 28].includes(number) ? [name] : []))).toEqual([
      'ForceSSL',
      'Redirect',
      'OriginUrl',
      'BlockRequest',
      'SetResponseHeader',
      'DisableWAF',
      'DisableShield',
    ]);
  });

  it.each([
    ['any', 0],
    ['all', 1],
    ['none', 2],
  ] as const)('EDG-03: match %s is %i, for rules and for patterns', (name, number) => {
    expect(
      encodeRule({ ...base, match: name, triggers: [{ type: 'Url', match: name, patterns: ['a'] }] }),
    ).toMatchObject({ TriggerMatchingType: number, Triggers: [{ PatternMatchingType: number }] });
    expect(
      decodeRule(
        wire({ TriggerMatchingType: number, Triggers: [{ Type: 0, PatternMatchingType: number, PatternMatches: [] }] }),
      ).spec,
    ).toMatchObject({ match: name, triggers: [{ match: name }] });
  });

  it('survive reading where they have no name, and are sent back as they are', () => {
    const { spec } = decodeRule(
      wire({
        ActionType: 37,
        TriggerMatchingType: 9,
        Triggers: [{ Type: 40, PatternMatchingType: 7, PatternMatches: ['a'] }],
      }),
    );
    expect(spec).toMatchObject({ action: { type: 37 }, match: 9, triggers: [{ type: 40, match: 7 }] });
    expect(encodeRule(spec as EdgeRuleSpec)).toMatchObject({
      ActionType: 37,
      TriggerMatchingType: 9,
      Triggers: [{ Type: 40, PatternMatchingType: 7 }],
    });
  });
});

describe('reading edge rules', () => {
  it('GAP-23: takes a bare list and the only list of an object, and nothing else', () => {
    for (const answer of [[wire()], { edge_rules: [wire()] }, { EdgeRules: [wire()], total: 1 }])
      expect(read(answer).members[0]).toMatchObject({ id: 'g-1', identity: 'old shop' });
    for (const answer of [null, {}, 'x', { a: [], b: [] }, [{ Description: 'no guid' }], [5]])
      expect(() => read(answer)).toThrow(ShapeError);
    expect(read({ edge_rules: [] }).members).toEqual([]);
  });

  it('EDG-17: null, an empty text and nothing at all are the same; so are null and []', () => {
    const empties: readonly JsonObject[] = [
      { ActionParameter3: null, ExtraActions: null, Triggers: null },
      { ActionParameter3: '', ExtraActions: [], Triggers: [] },
    ];
    const missing = Object.fromEntries(
      Object.entries(wire()).filter(([key]) => !['ActionParameter3', 'ExtraActions', 'Triggers'].includes(key)),
    );
    const specs = [...empties.map((extra) => wire(extra)), missing].map((row) => read([row]).members[0]?.spec);
    expect(specs[1]).toEqual(specs[0]);
    expect(specs[2]).toEqual(specs[0]);
    const trigger = (extra: JsonObject): JsonObject => ({ Type: 1, PatternMatchingType: 0, ...extra });
    expect(
      read([wire({ Triggers: [trigger({ Parameter1: '', PatternMatches: null })] })]).members[0]?.spec.triggers,
    ).toEqual([{ type: 'RequestHeader', match: 'any', patterns: [] }]);
    expect(
      read([wire({ Triggers: [trigger({ Parameter1: 'Accept', PatternMatches: ['a'] })] })]).members[0]?.spec.triggers,
    ).toEqual([{ type: 'RequestHeader', match: 'any', patterns: ['a'], parameter1: 'Accept' }]);
  });

  it('takes no answer of another shape', () => {
    for (const junk of [
      { ActionType: '1' },
      { ActionType: 1.5 },
      { Enabled: null },
      { ActionParameter1: 5 },
      { OrderIndex: 'first' },
      { Triggers: [{ Type: 0, PatternMatchingType: 0, PatternMatches: [1] }] },
      { Triggers: [{ Type: 0, PatternMatchingType: 0, PatternMatches: 'a' }] },
    ]) {
      expect(() => decodeRule(wire(junk)), JSON.stringify(junk)).toThrow(ShapeError);
    }
  });

  it('EDG-15: a rule without a description goes by its Guid; of two with one description the list is left alone', () => {
    expect(
      read([wire({ Description: null }), wire({ Description: '', Guid: 'g-2' })]).members.map(
        ({ identity }) => identity,
      ),
    ).toEqual(['g-1', 'g-2']);
    expect(plan([], [wire(), wire({ Guid: 'g-2' })])).toMatchObject({
      actions: [],
      diagnostics: [],
      blocked: [{ address: 'Site/shop/EdgeRule', reason: containing('old shop (ids g-1, g-2)') }],
    });
  });

  it('a rule without a place has none', () => {
    expect(read([wire({ OrderIndex: null })]).members[0]?.spec).not.toHaveProperty('orderIndex');
  });
});

describe('planning edge rules', () => {
  it('patterns and triggers in another order are no difference', () => {
    const triggers = [
      { type: 'Url', patterns: ['*/b/*', '*/a/*'] },
      { type: 'CountryCode', match: 'none', patterns: ['NL'] },
    ];
    const live = wire({
      Triggers: [
        { Type: 4, PatternMatchingType: 2, Parameter1: '', PatternMatches: ['NL'] },
        { Type: 0, PatternMatchingType: 0, PatternMatches: ['*/a/*', '*/b/*'] },
      ],
    });
    expect(plan([{ ...wanted, triggers }], [live])).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('what the manifest does not mention is no difference, and is sent back whole (EDG-12)', () => {
    expect(plan([wanted], [wire()]).actions).toEqual([]);
    const { actions } = plan([{ ...wanted, action: { type: 'Redirect', parameter2: '302' } }], [wire()]);
    expect(actions[0]?.changes).toEqual([{ op: 'replace', path: '/action/parameter2', was: '301', value: '302' }]);
    expect(request(actions[0]?.steps ?? [])).toMatchObject({
      method: 'POST',
      idempotent: true,
      recheck: true,
      rule: 'EDG-11',
      path: ['/api/sites/', { $ref: 'Site/shop' }, '/edge_rules'],
    });
    expect(bodyOf(actions[0]?.steps ?? [])).toEqual({
      Guid: { $ref: 'Site/shop/EdgeRule/old%20shop', output: 'id' },
      ActionType: 1,
      ActionParameter1: 'https://a.nl/',
      ActionParameter2: '302',
      ActionParameter3: 'kept',
      TriggerMatchingType: 1,
      Description: 'old shop',
      Enabled: true,
      OrderIndex: 10,
      Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: '', PatternMatches: ['*/a/*', '*/b/*'] }],
      ExtraActions: [{ ActionType: 5, ActionParameter1: 'X', ActionParameter2: 'y', ActionParameter3: '' }],
    });
  });

  it('the parameters of one action say nothing about another', () => {
    const { actions } = plan([{ ...wanted, action: { type: 'BlockRequest' } }], [wire()]);
    expect(bodyOf(actions[0]?.steps ?? [])).toMatchObject({
      ActionType: 4,
      ActionParameter1: '',
      ActionParameter2: '',
      ActionParameter3: '',
    });
    expect(
      bodyOf(plan([{ ...wanted, action: { type: 'Redirect', parameter3: '' } }], [wire()]).actions[0]?.steps ?? []),
    ).toMatchObject({ ActionParameter1: 'https://a.nl/', ActionParameter3: '' });
  });

  it('O-27: with anything else the replacement carries the switch', () => {
    const [action] = plan([{ ...wanted, match: 'any', enabled: false }], [wire()]).actions;
    expect(action?.steps.map(({ name }) => name)).toEqual(['replace', 'read back']);
    expect(bodyOf(action?.steps ?? [])).toMatchObject({ Enabled: false, TriggerMatchingType: 0 });
  });

  it('a rule without a place gets one', () => {
    const [action] = plan([wanted], [wire({ OrderIndex: null })]).actions;
    expect(action?.changes).toEqual([{ op: 'add', path: '/orderIndex', value: 10 }]);
  });

  it('O-26: rules are changed, then made, then removed', () => {
    const { actions } = plan(
      [
        { ...wanted, enabled: false },
        { ...wanted, name: 'new' },
      ],
      [wire(), wire({ Guid: 'g-2', Description: 'gone', OrderIndex: 5 })],
    );
    expect(actions.map(({ verb, address }) => `${verb} ${address.split('/').pop()}`)).toEqual([
      'update old%20shop',
      'create new',
      'delete gone',
    ]);
    expect(actions[1]?.needs).toEqual([
      expect.objectContaining({ address: 'Site/shop/EdgeRule/old%20shop', rule: 'O-26' }),
    ]);
    expect(actions[2]?.needs.map(({ rule }) => rule)).toEqual(['O-26', 'O-26']);
  });

  it('a rule that is read only is left alone, also when a manifest names it', () => {
    expect(plan([], [wire({ ReadOnly: true })])).toMatchObject({ actions: [], blocked: [] });
    expect(plan([wanted], [wire({ ReadOnly: true })])).toMatchObject({ actions: [], blocked: [], unchanged: 1 });
    expect(plan([{ ...wanted, enabled: false }], [wire({ ReadOnly: true })])).toMatchObject({
      actions: [],
      blocked: [{ address: 'Site/shop/EdgeRule/old%20shop', reason: containing('belongs to the platform') }],
    });
  });
});
