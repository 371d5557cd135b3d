// Custom rules, rate limits and access lists: read in every shape, written whole, found by name, and left alone where a
// write would lose something.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planKind, readKind } from '../../support/planned.ts';
import { shieldAccessList } from '../../../src/areas/shield/kinds/access-list.ts';
import { shieldCustomRule } from '../../../src/areas/shield/kinds/custom-rule.ts';
import { canonicalEntries } from '../../../src/areas/shield/kinds/entries.ts';
import { shieldRateLimit } from '../../../src/areas/shield/kinds/rate-limit/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Kind } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { RequestStep, Step } from '../../../src/model/plan/step.ts';

const zone: JsonObject = { active: true, plan: 'advanced' };

function plan(
  kind: Kind,
  specs: readonly JsonObject[],
  items: Json,
  { zone: of = zone, rootSpec = {} }: { readonly zone?: JsonObject; readonly rootSpec?: JsonObject } = {},
) {
  return planKind(kind, specs, { zone: of, items, contents: [] }, { rootSpec });
}

const first = (steps: readonly Step[] | undefined): RequestStep => steps?.[0] as RequestStep;
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

describe.each([shieldCustomRule, shieldRateLimit, shieldAccessList])('$kind', (kind) => {
  const read = (items: Json) => readKind(kind, { zone, items, contents: [] });

  it('GAP-29, GAP-31: takes no answer of another shape', () => {
    for (const junk of [null, {}, { a: [], b: [] }, [5]]) expect(() => read(junk)).toThrow(ShapeError);
  });

  it("the platform's own rows are told by either spelling", () => {
    const own = { id: 'own', rule_name: 'own', name: 'own', content: '' };
    for (const more of [{ read_only: true }, { readOnly: true }])
      expect(read([{ ...own, ...more }]).members.map((member) => kind.status?.(member)?.is)).toEqual([
        'platform-managed',
      ]);
  });

  it.each([
    ['id', 'i'],
    ['rule_id', 7],
    ['ruleId', 'i'],
    ['list_id', 8],
    ['listId', 'i'],
  ])('GAP-29: the id may be called %s, and be %j', (called, id) => {
    expect(read([{ [called]: id, rule_name: 'a', name: 'a', content: '' }]).members).toMatchObject([
      { id: String(id), computed: { hasId: true } },
    ]);
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
      blocked: [{ rule: 'SHD-13', reason: expect.stringContaining(words) as string }],
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

  it('case 55, SHD-14: on the basic plan only a new rule is blocked, and not where the plan goes up too', () => {
    const basic = { zone: { active: true, plan: 'basic' } };
    const there = { ...rule, name: 'there', action: 'log' };
    expect(plan(shieldCustomRule, [rule, there], [ruleRow({ rule_name: 'there' })], basic)).toMatchObject({
      actions: [{ verb: 'update' }],
      blocked: [{ address: 'Site/shop/ShieldCustomRule/Admin', rule: 'SHD-14' }],
    });
    expect(
      plan(shieldCustomRule, [rule], [], { ...basic, rootSpec: { shield: { plan: 'business' } } }).actions,
    ).toHaveLength(1);
    expect(plan(shieldCustomRule, [rule], [], { rootSpec: { shield: { plan: 'basic' } } }).actions).toEqual([]);
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
      blocked: [{ reason: expect.stringContaining(field) as string }],
    });
    const kept = plan(shieldRateLimit, [{ name: 'Login', requestCount: 9 }], [row(strange)]).actions[0];
    expect((first(kept?.steps).body as JsonObject).rule_configuration).toMatchObject({ ...strange, requestCount: 9 });
  });

  it('names that nobody knows stay as they are written', () => {
    expect(
      normaliseSpec(shieldRateLimit, { conditions: [{ variable: 'A', operator: 'like' }], transformations: ['rot13'] }),
    ).toEqual({ conditions: [{ variable: 'A', operator: 'like' }], transformations: ['rot13'] });
  });
});

describe('ShieldAccessList', () => {
  const list = { name: 'Office', type: 'cidr', content: ['10.0.0.0/24', '1.2.3.4'] };

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
  const wrong = (types: Json, type: Json) => {
    const spec = { name: 'L', type, content: [] };
    const around = { rootSpec: { shield: { accessLists: [spec] } } };
    return readKind(shieldAccessList, { zone, items: [], contents: [], types }, [spec], around).blockers.L?.reason;
  };

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
