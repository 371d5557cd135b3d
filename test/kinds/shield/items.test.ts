// Custom rules, rate limits and access lists: read in every shape, written whole, found by name, and left alone where a
// write would lose something.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../../src/apply/answers.ts';
import { contextOf, planKind, readKind } from '../../support/planned.ts';
import { shieldAccessList } from '../../../src/areas/shield/kinds/access-list.ts';
import { shieldCustomRule } from '../../../src/areas/shield/kinds/custom-rule.ts';
import { canonicalEntries } from '../../../src/areas/shield/kinds/entries.ts';
import { shieldRateLimit } from '../../../src/areas/shield/kinds/rate-limit/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Answers, Kind } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { RequestStep, Step } from '../../../src/model/plan/step.ts';
import { containing } from '../../support/matchers.ts';

const zone: JsonObject = { active: true, plan: 'advanced' };

function plan(
  kind: Kind,
  specs: readonly JsonObject[],
  items: Json,
  {
    zone: own = zone,
    contents = [],
    rootSpec = {},
  }: { readonly contents?: Json; readonly zone?: JsonObject; readonly rootSpec?: JsonObject } = {},
) {
  return planKind(kind, specs, { zone: own, items, contents }, { rootSpec });
}

const first = (steps: readonly Step[] | undefined): RequestStep => steps?.[0] as RequestStep;
const pathOf = (kind: Kind, name: string, answers: Answers) => kind.reads[name]?.path(contextOf(kind, [], { answers }));

const configuration: JsonObject = {
  action_type: 1,
  variable_type: 'REQUEST_URI',
  variable_subselector: '',
  operator_type: 2,
  severity_type: 1,
  value: '/admin',
};
const ruleRow = (extra: JsonObject = {}): JsonObject => ({
  id: 'r-1',
  rule_name: 'Admin',
  rule_description: null,
  rule_configuration: configuration,
  ...extra,
});
const rule: JsonObject = {
  name: 'Admin',
  action: 'block',
  variable: 'REQUEST_URI',
  operator: 'contains',
  severity: 'warning',
  value: '/admin',
};

describe.each([
  [shieldCustomRule, 'waf_custom_rules', 'customRules'],
  [shieldRateLimit, 'rate_limits', 'rateLimits'],
  [shieldAccessList, 'access_lists', 'accessLists'],
] as const)('%o', (kind, word, key) => {
  const named = (name: string): JsonObject => ({ id: name, rule_name: name, name, read_only: false });

  it('is one list, read only while Shield is active', () => {
    expect([pathOf(kind, 'items', { zone }), pathOf(kind, 'items', { zone: { active: false } })]).toEqual([
      `/api/sites/site%2F1/shield/${word}`,
      null,
    ]);
    expect(kind.capabilities.dependsOn?.notReady?.({ zone: null })).toMatchObject({
      state: 'deferred',
      rule: 'SHD-02',
    });
    expect(kind.section.expand({ shield: { [key]: [{ name: 'a' }] } })).toEqual([
      { name: 'a', spec: { name: 'a' }, pointer: `/shield/${key}/0` },
    ]);
    expect([kind.identity({ name: 'a' }), kind.identity({})]).toEqual(['a', '']);
  });

  it("GAP-29, GAP-31: the list is taken however it is wrapped, the platform's own rows beside or among it left alone", () => {
    const rows = [named('a'), { ...named('own'), read_only: true }, { ...named('own too'), readOnly: true }];
    for (const answer of [
      rows,
      { [word]: rows },
      { data: rows },
      { custom_lists: rows, managed_lists: [named('x')] },
      { whatever: rows, total: 3 },
    ]) {
      const { members } = readKind(kind, { zone, items: answer, contents: ['a'].map(() => ({ content: '' })) });
      expect(members.map(({ identity }) => identity)).toEqual(['a', 'own', 'own too']);
      expect(members.map((member) => kind.status?.(member)?.is)).toEqual([
        undefined,
        'platform-managed',
        'platform-managed',
      ]);
    }
    for (const junk of [null, {}, { a: [], b: [] }, [5]])
      expect(() => readKind(kind, { zone, items: junk, contents: [] })).toThrow(ShapeError);
  });

  it('GAP-29: the id has many names, and may be a number; without one nothing is changed or removed', () => {
    for (const [idKey, id] of [
      ['id', 'i'],
      ['rule_id', 7],
      ['ruleId', 'i'],
      ['list_id', 8],
      ['listId', 'i'],
    ] as const) {
      expect(
        readKind(kind, { zone, items: [{ [idKey]: id, rule_name: 'a', name: 'a', content: '' }], contents: [] })
          .members[0],
      ).toMatchObject({ id: String(id), computed: { hasId: true } });
    }
    const { actions, blocked } = plan(kind, [], [{ rule_name: 'a', name: 'a', id: '' }]);
    expect([actions, blocked]).toMatchObject([[], [{ rule: 'GAP-29', reason: containing('without an id') }]]);
    expect(readKind(kind, { zone, items: [{ id: 'i-9', content: '' }], contents: [] }).members[0]?.identity).toBe(
      'i-9',
    );
  });
});

describe('ShieldCustomRule', () => {
  it('GAP-29: nested or flat, snake or camel, one variable or a map: no difference', () => {
    const map = {
      actionType: 'Block',
      variableTypes: { REQUEST_URI: '' },
      operatorType: 2,
      severityType: 'WARNING',
      value: '/admin',
      isNegated: false,
      transformationTypes: [],
      chainedRuleConditions: [],
    };
    for (const row of [
      ruleRow(),
      { ...configuration, id: 1, rule_name: 'Admin', rule_description: '' },
      { id: 'r', ruleName: 'Admin', ruleConfiguration: map },
      { ...map, id: 'r', ruleName: 'Admin' },
    ]) {
      expect(plan(shieldCustomRule, [rule], [row]), JSON.stringify(row)).toMatchObject({
        actions: [],
        blocked: [],
        unchanged: 1,
      });
    }
  });

  it('GAP-33: a change sends everything, with what is not mentioned as it is live', () => {
    const { value: _value, severity: _severity, ...some } = rule;
    const [action] = plan(
      shieldCustomRule,
      [{ ...some, action: 'log' }],
      [ruleRow({ rule_description: 'kept' })],
    ).actions;
    expect(action?.changes).toEqual([{ op: 'replace', path: '/action', was: 'block', value: 'log' }]);
    expect(first(action?.steps)).toMatchObject({
      method: 'PATCH',
      recheck: true,
      body: { rule_name: 'Admin', rule_description: 'kept', rule_configuration: { ...configuration, action_type: 2 } },
    });
  });

  it.each([
    [{ is_negated: true }, 'negation'],
    [{ isRegexVariable: true }, 'a variable by pattern'],
    [{ transformation_types: [8] }, 'transformations'],
    [{ chained_rule_conditions: [{}] }, 'further conditions'],
    [{ variable_types: { A: '', REQUEST_URI: '' } }, 'several variables'],
  ])('case 60: a live rule with %j is never replaced; as it is wanted, it is not complained about', (more, words) => {
    const row = ruleRow({ rule_configuration: { ...configuration, ...more } });
    expect(plan(shieldCustomRule, [{ ...rule, action: 'log' }], [row])).toMatchObject({
      actions: [],
      blocked: [{ rule: 'SHD-13', reason: containing(words) }],
    });
    expect(plan(shieldCustomRule, [{ name: 'Admin', action: 'block' }], [row])).toMatchObject({
      actions: [],
      blocked: [],
      unchanged: 1,
    });
  });

  it('GAP-28: what is live and not known is not overwritten', () => {
    expect(
      plan(
        shieldCustomRule,
        [{ ...rule, value: 'x' }],
        [ruleRow({ rule_configuration: { ...configuration, action_type: 'Tarpit', variable_types: {} } })],
      ),
    ).toMatchObject({ actions: [], blocked: [{ rule: 'GAP-28' }] });
  });

  it('case 55, SHD-14: a new rule on the basic plan is blocked alone, and says what it needs', () => {
    const basic = { zone: { active: true, plan: 'basic' } };
    expect(
      plan(
        shieldCustomRule,
        [rule, { ...rule, name: 'there', action: 'log' }],
        [ruleRow({ rule_name: 'there' })],
        basic,
      ),
    ).toMatchObject({
      actions: [{ verb: 'update' }],
      blocked: [{ address: 'Site/shop/ShieldCustomRule/Admin', rule: 'SHD-14' }],
    });
    expect(
      plan(shieldCustomRule, [rule], [], { ...basic, rootSpec: { shield: { plan: 'business' } } }).actions,
    ).toHaveLength(1);
    expect(plan(shieldCustomRule, [rule], [], { rootSpec: { shield: { plan: 'basic' } } }).actions).toEqual([]);
  });

  it('O-26: changed, made, removed, in this order', () => {
    const { actions } = plan(
      shieldCustomRule,
      [
        { ...rule, action: 'log' },
        { ...rule, name: 'new' },
      ],
      [ruleRow(), ruleRow({ id: 'r-2', rule_name: 'old' })],
    );
    expect(actions.map(({ verb, needs }) => [verb, needs.map(({ rule: id }) => id)])).toEqual([
      ['update', []],
      ['create', ['O-26']],
      ['delete', ['O-26', 'O-26']],
    ]);
  });
});

describe('ShieldRateLimit', () => {
  const live: JsonObject = {
    actionType: 1,
    variableTypes: { REQUEST_URI: '' },
    operatorType: 2,
    value: '/login',
    requestCount: 5,
    timeframe: 10,
  };
  const row = (extra: JsonObject = {}): JsonObject => ({
    id: 'l-1',
    rule_name: 'Login',
    rule_description: '',
    rule_configuration: { ...live, ...extra },
  });
  const limit: JsonObject = {
    name: 'Login',
    action: 'rateLimit',
    requestCount: 5,
    timeframe: 10,
    conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/login' }],
  };

  it('case 57: what the upstream leaves out is its default', () => {
    expect(
      plan(
        shieldRateLimit,
        [{ ...limit, severity: 'notice', countBy: 'ip', description: '', transformations: [] }],
        [row()],
      ),
    ).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('case 58: conditions and transformations in another order are no difference', () => {
    const conditions = [
      ...(limit.conditions as JsonObject[]),
      { variable: 'REQUEST_METHOD', operator: 15, value: 'POST', negated: false, subselector: '' },
    ];
    const chained = row({
      variableTypes: { REQUEST_METHOD: '' },
      operatorType: 15,
      value: 'POST',
      chainedRuleConditions: [
        { variableTypes: { REQUEST_URI: '' }, operatorType: 2, value: '/login', isNegated: false },
      ],
      transformationTypes: [19, 8],
    });
    expect(
      plan(shieldRateLimit, [{ ...limit, conditions, transformations: ['lowercase', 'urlDecode', 8] }], [chained]),
    ).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('GAP-30: reads camel and snake keys, nested and flat, with defaults that nobody wrote', () => {
    const snake = {
      action_type: 1,
      variable_types: { REQUEST_URI: '' },
      operator_type: 2,
      value: '/login',
      request_count: 5,
      timeframe: 10,
      is_negated: false,
    };
    for (const one of [
      { id: 1, rule_name: 'Login', rule_configuration: snake },
      { ...live, id: 1, ruleName: 'Login', x_extra: 1 },
      row({ isRegexVariable: false, counterKeyType: 0, transformationTypes: [], chainedRuleConditions: [] }),
    ]) {
      expect(plan(shieldRateLimit, [limit], [one])).toMatchObject({ actions: [], unchanged: 1 });
    }
  });

  it('SHD-16, SHD-20: a change keeps what is live and not mentioned, also what nobody knows', () => {
    const body = (wanted: JsonObject, one: JsonObject) =>
      first(plan(shieldRateLimit, [wanted], [one]).actions[0]?.steps).body as JsonObject;
    expect(body({ name: 'Login', action: 'log' }, row({ future_key: { a_b: 1 }, blockTime: 60 }))).toEqual({
      rule_name: 'Login',
      rule_description: '',
      rule_configuration: {
        ...live,
        futureKey: { aB: 1 },
        blockTime: 60,
        actionType: 2,
        counterKeyType: 0,
        severityType: 0,
        transformationTypes: [],
        isNegated: false,
        isRegexVariable: false,
        chainedRuleConditions: [],
      },
    });
    // Flat, only known keys can be told from the rest of the row.
    expect(
      body({ ...limit, requestCount: 9 }, { ...live, id: 'l', rule_name: 'Login', x_extra: 1 }).rule_configuration,
    ).not.toHaveProperty('xExtra');
  });

  it('case 59, SHD-18: a refusal of the upstream is not tried again, whatever its status', () => {
    const step = first(plan(shieldRateLimit, [{ ...limit, timeframe: 3600 }], [row()]).actions[0]?.steps);
    for (const [status, body] of [
      [200, { errors: ['no'] }],
      [400, {}],
      [422, {}],
      [502, {}],
    ] as const) {
      expect(judgeAnswer(step, { status, code: null, messages: [], extra: {}, body }).result, String(status)).toBe(
        'blocked',
      );
    }
  });

  it.each([
    ['conditions', { chainedRuleConditions: 'x' }],
    ['conditions', { variableTypes: { A: '', B: '' } }],
    ['conditions', { operatorType: 'like' }],
    ['conditions', { operatorType: null }],
    ['conditions', { chainedRuleConditions: [{ operatorType: 1 }] }],
    ['transformations', { transformationTypes: ['rot13'] }],
    ['transformations', { transformationTypes: 5 }],
  ])('GAP-28: %s that are live and not known (%j) are kept unless they are declared', (field, strange) => {
    const wanted = { ...limit, transformations: [], requestCount: 9 };
    expect(plan(shieldRateLimit, [wanted], [row(strange)])).toMatchObject({
      actions: [],
      blocked: [{ reason: containing(field) }],
    });
    const kept = plan(shieldRateLimit, [{ name: 'Login', requestCount: 9 }], [row(strange)]).actions[0];
    expect((first(kept?.steps).body as JsonObject).rule_configuration).toMatchObject({ ...strange, requestCount: 9 });
  });

  it('names that nobody knows stay as they are written', () => {
    expect(
      normaliseSpec(shieldRateLimit, { conditions: [{ variable: 'A', operator: 'like' }], transformations: ['rot13'] }),
    ).toEqual({ conditions: [{ variable: 'A', operator: 'like' }], transformations: ['rot13'] });
  });

  it('without any condition there are none', () => {
    expect(
      readKind(shieldRateLimit, { zone, items: [{ id: 'x', rule_name: 'a', rule_configuration: { timeframe: 1 } }] })
        .members[0]?.spec,
    ).toMatchObject({ conditions: [] });
  });
});

describe('ShieldAccessList', () => {
  const list = { name: 'Office', type: 'cidr', content: ['10.0.0.0/24', '1.2.3.4'] };

  it('GAP-31: reads by id the lists that come without content, and no others', () => {
    const items = [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b', content: '' },
      { id: 'c', name: 'c', read_only: true },
      { name: 'd' },
      { id: 'e/f', name: 'e' },
    ];
    expect(pathOf(shieldAccessList, 'contents', { zone, items })).toEqual([
      '/api/sites/site%2F1/shield/access_lists/a',
      '/api/sites/site%2F1/shield/access_lists/e%2Ff',
    ]);
    expect(pathOf(shieldAccessList, 'contents', { zone: null })).toBeNull();
    const { members } = readKind(shieldAccessList, {
      zone,
      items,
      contents: [{ content: '1.1.1.1' }, { access_list: { id: 'e', content: null } }],
    });
    expect(members.map(({ spec }) => spec.content)).toEqual([['1.1.1.1'], [], undefined, undefined, []]);
  });

  it('case 62, case 63: text or list, any order and spelling: no difference', () => {
    const items = [{ id: 'a', name: 'Office', description: null, type: 1, content: '1.2.3.4\n10.0.0.0/24' }];
    for (const content of ['10.0.0.9/24\r\n\r\n  1.2.3.4/32 \n1.2.3.4\n', ['1.2.3.4', '10.0.0.0/24', '1.2.3.4']])
      expect(plan(shieldAccessList, [{ ...list, content, type: 1 }], items)).toMatchObject({
        actions: [],
        unchanged: 1,
      });
  });

  it('case 65: an empty list has no entry', () => {
    expect(canonicalEntries('', 'ip')).toEqual([]);
    expect(
      plan(shieldAccessList, [{ ...list, content: [] }], [{ id: 'a', name: 'Office', type: 1, content: '' }]),
    ).toMatchObject({ actions: [], unchanged: 1 });
  });

  it('GAP-31, GAP-33: is written whole; a checksum only where one is given', () => {
    expect(first(plan(shieldAccessList, [list], []).actions[0]?.steps).body).toEqual({
      name: 'Office',
      description: '',
      type: 1,
      content: '1.2.3.4\n10.0.0.0/24',
    });
    expect(first(plan(shieldAccessList, [{ ...list, checksum: 'abc' }], []).actions[0]?.steps).body).toMatchObject({
      checksum: 'abc',
    });
    const live = [{ id: 'a', name: 'Office', description: 'kept', type: 'CIDR', content: '1.2.3.4', checksum: 'x' }];
    expect(first(plan(shieldAccessList, [list], live).actions[0]?.steps).body).toEqual({
      name: 'Office',
      description: 'kept',
      type: 1,
      content: '1.2.3.4\n10.0.0.0/24',
    });
    expect(
      plan(
        shieldAccessList,
        [{ ...list, type: 9, content: [] }],
        [{ id: 'a', name: 'Office', type: 'Fax', content: '' }],
      ),
    ).toMatchObject({ actions: [], blocked: [{ rule: 'GAP-28' }] });
    expect(normaliseSpec(shieldAccessList, { type: 'fax', content: 'b\na' })).toEqual({
      type: 'fax',
      content: ['a', 'b'],
    });
  });

  it.each([
    ['10.0.0.1/24', '10.0.0.0/24'],
    ['1.2.3.4/32', '1.2.3.4'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::/36', '2001:db8:f000::/36'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.1.2.3/08', '10.0.0.0/8'],
    ['1', '1'],
    ['0x7f.1', '0x7f.1'],
    ['010.0.0.1', '010.0.0.1'],
    ['10.0.0.1/33', '10.0.0.1/33'],
    ['10.0.0.1/x', '10.0.0.1/x'],
    ['10.0.0.1/8/9', '10.0.0.1/8/9'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['example', 'example'],
  ])('case 63: %s is %s', (entry, canonical) => expect(canonicalEntries([entry], 'cidr')).toEqual([canonical]));

  it('countries, numbers and fingerprints have one spelling each', () => {
    expect([
      canonicalEntries('nl\nNL', 'country'),
      canonicalEntries('13335\nas13335\nx', 'asn'),
      canonicalEntries(['T13D\nt13d'], 'ja4'),
      canonicalEntries('Acme', 'organization'),
    ]).toEqual([['NL'], ['AS13335', 'x'], ['t13d'], ['Acme']]);
  });

  it('is a set: canonical entries stay as they are, in any order', () => {
    const entry = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV4(), fc.nat(40)).map(([ip, bits]) => `${ip}/${bits}`),
      fc.tuple(fc.ipV6(), fc.nat(140)).map(([ip, bits]) => `${ip}/${bits}`),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(entry),
        fc.constantFrom('ip', 'cidr', 'asn', 'country', 'ja4', 'organization', 7),
        (entries, type) => {
          const once = canonicalEntries(entries, type);
          expect(canonicalEntries(once, type)).toEqual(once);
          expect(canonicalEntries([...entries].reverse().join('\r\n'), type)).toEqual(
            canonicalEntries(entries.join('\n'), type),
          );
        },
      ),
    );
  });
});

describe('the types of access lists', () => {
  const wrong = (types: Json, type: Json) =>
    shieldAccessList.blockers?.(
      { zone, items: [], contents: [], types },
      contextOf(shieldAccessList, [{ name: 'L', type, content: [] }], {
        rootSpec: { shield: { accessLists: [{ name: 'L', type, content: [] }] } },
      }),
    ).L?.reason;

  it('SHD-21: a name has to have the number that the platform gives it; a number is taken as it is', () => {
    const other = [
      { value: 3, name: 'ASN' },
      { value: 4, name: 'Country' },
    ];
    expect(wrong(other, 'country')).toBe('the type country would be sent as 3, and the platform gives it the number 4');
    expect(wrong(other, 'ja4')).toBe('the platform has no access lists of the type ja4 (number 5)');
    expect([wrong(other, 4), wrong(other, 3)]).toEqual([undefined, undefined]);
  });

  it.each<[Json]>([[[0, 1, 2]], [{ '0': 'IP', '1': 'CIDR' }], [{ IP: 0 }], [{ actions: [7], listTypes: [0, 1] }]])(
    'GAP-29: are known in the shape %j',
    (types) => {
      expect([wrong(types, 'ip'), wrong(types, 7)]).toEqual([
        undefined,
        'the platform has no access lists of the type 7',
      ]);
    },
  );

  it.each<[Json]>([
    [null],
    [[]],
    [{}],
    ['ip'],
    [['ip', 'cidr']],
    [{ a: [0], b: [1] }],
    [[{ label: 'IP' }]],
    [{ 0: [] }],
  ])('GAP-29: nothing is claimed where the answer is %j', (types) => {
    expect(wrong(types, 99)).toBeUndefined();
  });
});
