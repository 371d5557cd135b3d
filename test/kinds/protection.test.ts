// What lowers protection. The law holds for every field that the schemas give Shield and edge rules: a new one cannot
// be forgotten.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAction, deleteAction, updateAction } from '../../src/planner/action.ts';
import { ACTION_TYPES } from '../../src/areas/cdn/kinds/edge-rule/wire.ts';
import { registry } from '../../src/areas/index.ts';
import {
  AGGRESSIONS,
  BOT_MODES,
  BOT_SENSITIVITIES,
  DDOS_SENSITIVITIES,
  LIMIT_ACTIONS,
  MODES,
  PLANS,
  RULE_ACTIONS,
  SEVERITIES,
} from '../../src/areas/shield/kinds/names.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { sameJson } from '../../src/model/json.ts';
import type { Kind, Member } from '../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';
import { sampleOf } from '../support/samples.ts';

const kindOf = (name: string): Kind => registry.get(name) as Kind;
const context = { address: 'Site/shop/X', parent: 'Site/shop', protect: false, members: [], sourceOf: () => undefined };

const live = (name: string): JsonObject => sampleOf(kindOf(name)).live;
const RULE = live('ShieldCustomRule');
const LIMIT = live('ShieldRateLimit');
const LIST = live('ShieldAccessList');
const url = (...patterns: readonly string[]): JsonObject => ({ type: 'Url', match: 'any', patterns });
const country = (...patterns: readonly string[]): JsonObject => ({ type: 'CountryCode', match: 'any', patterns });
const edge = (type: string | number, extra: JsonObject = {}, ...parameters: readonly string[]): JsonObject => ({
  name: 'e',
  match: 'any',
  triggers: [url('*/x/*')],
  enabled: true,
  extraActions: [],
  orderIndex: 1,
  action: { type, ...Object.fromEntries(parameters.map((value, index) => [`parameter${index + 1}`, value])) },
  ...extra,
});

type Case = readonly [kind: string, before: JsonObject | null, after: JsonObject | null, exposes: boolean];

/** One case for each change of one field of a live object. */
const changes = (kind: string, live: JsonObject, exposes: boolean, ...wanted: readonly JsonObject[]): readonly Case[] =>
  wanted.map((one) => [kind, live, { ...live, ...one }, exposes]);

const ZONE = live('Shield');
const WAF = live('ShieldWaf');
const WATCHING = { ...WAF, executionMode: 'log' };
const DDOS = live('ShieldDdos');
const BOTS = live('ShieldBotDetection');

const CASES: readonly Case[] = [
  ...changes('Shield', ZONE, true, { enabled: false }, { plan: 'basic' }),
  ...changes('Shield', ZONE, false, { plan: 'business' }, { whitelabelResponsePages: false }),
  ['Shield', { enabled: false }, { enabled: true }, false],
  ['Shield', { enabled: false }, { enabled: true, plan: 'basic', learnOnActivation: true }, false],
  ...changes(
    'ShieldWaf',
    WAF,
    true,
    { enabled: false },
    { executionMode: 'log' },
    { executionMode: 7 },
    { disabledRules: ['1', '3'] },
    { logOnlyRules: ['2', '3'] },
  ),
  ...changes(
    'ShieldWaf',
    WAF,
    false,
    { disabledRules: [] },
    { logOnlyRules: [] },
    { disabledRules: [], logOnlyRules: ['1', '2'] },
  ),
  ...changes('ShieldWaf', WATCHING, false, { executionMode: 'block' }),
  // What is off protects nothing, whatever is set in it.
  ...changes(
    'ShieldWaf',
    { ...WAF, enabled: false },
    false,
    { enabled: true },
    { executionMode: 'log', disabledRules: ['9'], logOnlyRules: ['8'] },
  ),
  // What the platform does not tell may have been stronger.
  ['ShieldWaf', { enabled: true }, { enabled: true, executionMode: 'log' }, true],
  ['ShieldWaf', { enabled: true }, { enabled: true, executionMode: 'block' }, false],
  ['ShieldWaf', { enabled: true }, { enabled: true, disabledRules: ['1'] }, true],
  ['ShieldWaf', { executionMode: 'block' }, { executionMode: 'block', enabled: false }, true],
  ...changes(
    'ShieldDdos',
    DDOS,
    true,
    { sensitivity: 'low' },
    { sensitivity: 'off' },
    { sensitivity: 9 },
    { executionMode: 'log' },
    { challengeWindow: 601 },
  ),
  ...changes('ShieldDdos', DDOS, false, { sensitivity: 'high' }, { challengeWindow: 599 }),
  ...changes('ShieldDdos', { ...DDOS, executionMode: 'log' }, false, { executionMode: 'block' }),
  ...changes('ShieldDdos', { ...DDOS, sensitivity: 9 }, true, { sensitivity: 'challenge' }),
  ['ShieldDdos', {}, { challengeWindow: 1 }, true],
  ...changes(
    'ShieldBotDetection',
    BOTS,
    true,
    { executionMode: 'log' },
    { requestIntegritySensitivity: 'low' },
    { ipAddressSensitivity: 'off' },
    { browserFingerprintSensitivity: 'low' },
    { browserFingerprintAggression: 'low' },
    { browserFingerprintAggression: 'custom' },
    { browserFingerprintComplexEnabled: false },
  ),
  ...changes(
    'ShieldBotDetection',
    BOTS,
    false,
    { requestIntegritySensitivity: 'high' },
    { ipAddressSensitivity: 'high' },
    { browserFingerprintSensitivity: 'high' },
    { browserFingerprintAggression: 'high' },
  ),
  ...changes(
    'ShieldBotDetection',
    { ...BOTS, executionMode: 'log', browserFingerprintComplexEnabled: false },
    false,
    { executionMode: 'challenge' },
    { browserFingerprintComplexEnabled: true },
  ),
  ...changes(
    'ShieldCustomRule',
    RULE,
    true,
    { action: 'log' },
    { action: 'challenge' },
    { action: 'allow' },
    { action: 9 },
    { variable: 'GEO' },
    { subselector: 'x' },
    { operator: 'rx' },
    { severity: 'notice' },
    { value: '/' },
  ),
  ...changes('ShieldCustomRule', RULE, false, { description: 'other' }),
  ...changes(
    'ShieldCustomRule',
    { ...RULE, action: 'log', severity: 'notice' },
    false,
    { action: 'block', value: '/b' },
    { variable: 'GEO' },
    { subselector: 'x' },
    { operator: 'rx' },
    { value: '/' },
    { severity: 'critical' },
  ),
  ...changes('ShieldCustomRule', { ...RULE, action: 'log' }, true, { action: 'bypass' }),
  ...changes('ShieldCustomRule', { ...RULE, action: 'allow' }, true, { action: 'bypass' }, { value: '/' }),
  ...changes(
    'ShieldCustomRule',
    { ...RULE, action: 'allow' },
    false,
    { action: 'block', value: '/' },
    { action: 'log' },
  ),
  ...changes('ShieldCustomRule', { ...RULE, severity: 'notice' }, false, { severity: 'critical' }),
  ...Object.keys(RULE_ACTIONS).map((action): Case => [
    'ShieldCustomRule',
    { ...RULE, action },
    null,
    ['block', 'challenge'].includes(action),
  ]),
  ...Object.keys(RULE_ACTIONS).map((action): Case => [
    'ShieldCustomRule',
    null,
    { ...RULE, action },
    ['allow', 'bypass'].includes(action),
  ]),
  ['ShieldCustomRule', { ...RULE, action: 9 }, null, true],
  ['ShieldCustomRule', null, { ...RULE, action: 9 }, true],
  ['ShieldCustomRule', { name: 'r' }, null, true],
  ...changes(
    'ShieldRateLimit',
    LIMIT,
    true,
    { action: 'log' },
    { action: 'challenge' },
    { requestCount: 6 },
    { timeframe: 10 },
    { blockTime: 30 },
    { countBy: 'host' },
    { severity: 'notice' },
    { conditions: [] },
    { transformations: [] },
    { configuration: { isPathPattern: false } },
  ),
  ...changes(
    'ShieldRateLimit',
    LIMIT,
    false,
    { description: 'other' },
    { requestCount: 4 },
    { timeframe: 300 },
    { blockTime: 90 },
  ),
  ...changes(
    'ShieldRateLimit',
    { ...LIMIT, action: 'log', severity: 'notice' },
    false,
    { action: 'rateLimit' },
    { requestCount: 6 },
    { countBy: 'host' },
    { conditions: [] },
    { transformations: [] },
    { configuration: { isPathPattern: false } },
    { severity: 'critical' },
  ),
  ['ShieldRateLimit', LIMIT, null, true],
  ['ShieldRateLimit', { ...LIMIT, action: 'log' }, null, false],
  ['ShieldRateLimit', null, LIMIT, false],
  ['ShieldRateLimit', null, { ...LIMIT, action: 9 }, true],
  // Whether a list blocks or lets through is not known (SHD-21): who is on it matters either way.
  ...changes(
    'ShieldAccessList',
    LIST,
    true,
    { content: [] },
    { content: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
    { type: 'cidr' },
  ),
  ...changes('ShieldAccessList', LIST, false, { description: 'other' }),
  ['ShieldAccessList', LIST, null, true],
  ['ShieldAccessList', { ...LIST, content: [] }, null, false],
  ['ShieldAccessList', null, LIST, true],
  ['ShieldAccessList', null, { ...LIST, content: [], checksum: 'x' }, false],
  ['EdgeRule', edge('ForceSSL'), null, true],
  ['EdgeRule', null, edge('ForceSSL'), false],
  [
    'EdgeRule',
    { name: 'e', action: { type: 'ForceSSL' } },
    { name: 'e', action: { type: 'ForceSSL' }, match: 'any' },
    false,
  ],
  ['EdgeRule', edge('DisableShield'), null, false],
  ['EdgeRule', null, edge('DisableShield'), true],
  ['EdgeRule', null, edge('DisableShield', { enabled: false }), false],
  ['EdgeRule', edge('OriginUrl'), null, false],
  ['EdgeRule', null, edge(34 + 1), true],
  ['EdgeRule', edge(34 + 1), null, true],
  ['EdgeRule', null, edge('RunEdgeScript'), true],
  ['EdgeRule', null, edge('OriginUrl', { extraActions: [{ type: 'DisableWAF' }] }), true],
  ['EdgeRule', edge('Redirect', { triggers: [url('http://*')] }, 'https://a.nl/', '301'), null, true],
  ['EdgeRule', edge('Redirect', {}, 'https://a.nl/', '301'), null, false],
  ['EdgeRule', edge('SetStatusCode', {}, '403'), null, true],
  ['EdgeRule', edge('SetStatusCode', {}, '200'), null, false],
  ['EdgeRule', edge('SetResponseHeader', {}, 'Strict-Transport-Security', 'max-age=1'), null, true],
  ['EdgeRule', null, edge('SetResponseHeader', {}, 'Access-Control-Allow-Origin', '*'), true],
  ['EdgeRule', edge('SetResponseHeader', {}, 'X-Anything', 'y'), null, false],
  ...changes(
    'EdgeRule',
    edge('BlockRequest', { triggers: [country('A1', 'A2')] }),
    true,
    { action: { type: 'OriginUrl' } },
    { enabled: false },
    { match: 'none' },
    { triggers: [country('A1')] },
    { triggers: [] },
    { triggers: [url('A1', 'A2')] },
  ),
  ...changes(
    'EdgeRule',
    edge('BlockRequest', { triggers: [country('A1', 'A2')] }),
    false,
    { triggers: [country('A1', 'A2', 'A3')] },
    // All of one trigger is any of it.
    { match: 'all' },
    { triggers: [country('A2', 'A1'), url('*/x/*')] },
    { extraActions: [{ type: 'ForceSSL' }] },
    { orderIndex: 9 },
  ),
  ...changes('EdgeRule', edge('BlockRequest', { triggers: [] }), false, { extraActions: [{ type: 'ForceSSL' }] }),
  ...changes(
    'EdgeRule',
    edge('BlockRequest', { match: 'all', triggers: [country('A1'), url('*/x/*')] }),
    false,
    { triggers: [url('*/x/*')] },
    { triggers: [country('A1', 'A2'), url('*/x/*')] },
  ),
  ...changes('EdgeRule', edge('BlockRequest', { match: 'all', triggers: [country('A1')] }), true, {
    triggers: [country('A1'), url('*/x/*')],
  }),
  ...changes('EdgeRule', edge('BlockRequest', { match: 'none' }), true, { triggers: [country('A1')] }),
  ...changes('EdgeRule', edge('BlockRequest', { match: 'none' }), false, { extraActions: [{ type: 'ForceSSL' }] }),
  ...changes(
    'EdgeRule',
    edge('DisableWAF', { triggers: [url('*/a/*', '*/b/*')] }),
    false,
    { triggers: [url('*/a/*')] },
    { enabled: false },
    { action: { type: 'ForceSSL' } },
    { action: { type: 'OriginUrl' } },
  ),
  ...changes(
    'EdgeRule',
    edge('DisableWAF', { triggers: [url('*/a/*')] }),
    true,
    { triggers: [url('*/a/*', '*/b/*')] },
    { triggers: [] },
    { triggers: [{ ...url('*/b/*'), match: 'none' }] },
    { action: { type: 'DisableShield' } },
    { extraActions: [{ type: 'DisableShield' }] },
  ),
  ...changes(
    'EdgeRule',
    edge('OverrideCacheTime', {}, '60'),
    false,
    { action: { type: 'OverrideCacheTime', parameter1: '90' } },
    { match: 'all' },
    { enabled: false },
    { triggers: [] },
    { orderIndex: 9 },
  ),
  ...changes('EdgeRule', edge('SetRequestsPerSecondLimit', {}, '5'), true, {
    action: { type: 'SetRequestsPerSecondLimit', parameter1: '9' },
  }),
];

function riskOf(kind: Kind, before: JsonObject | null, after: JsonObject | null): readonly string[] {
  const [live, wanted] = [before, after].map((spec) => (spec === null ? null : normaliseSpec(kind, spec)));
  const computed = { unclear: [], configuration: {}, hasId: true };
  if (live === null || live === undefined) return createAction(kind, wanted as JsonObject, context).risk;
  if (wanted === null || wanted === undefined)
    return deleteAction(kind, { spec: live, computed }, 'not wanted', context).risk;
  return updateAction(kind, wanted, { spec: live, computed }, context)?.risk ?? [];
}

describe('one definition of what lowers protection', () => {
  it.each(
    CASES.map(([kind, before, after, exposes]) => ({
      kind,
      exposes,
      before,
      after,
      text: JSON.stringify([before, after]),
    })),
  )('$kind: $exposes for $text', ({ kind, exposes, before, after }) => {
    expect(riskOf(kindOf(kind), before, after).includes('exposure')).toBe(exposes);
  });
});

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly properties?: object }>>;
}

const { $defs } = JSON.parse(
  await readFile(path.resolve(import.meta.dirname, '../../schemas/site.schema.json'), 'utf8'),
) as Schema;
const PROTECTED = [...registry.values()].filter(({ section }) =>
  section.fields.some((field) => field === 'edgeRules' || field.startsWith('shield/')),
);
const all = PROTECTED.flatMap((kind) =>
  Object.entries(kind.fields).map(([field, rule]) => ({ name: kind.kind, field, rule })),
);

describe('the law of protection', () => {
  it('knows all kinds and fields that the schemas give Shield and edge rules', () => {
    // A former name, and what is accepted, are none of what the platform has.
    const names = (definition: string) =>
      Object.keys($defs[definition]?.properties ?? {}).filter((field) => !['renamedFrom', 'accept'].includes(field));
    const zone = names('shield').filter(
      (field) =>
        !PROTECTED.some(({ section }) => section.fields.includes(`shield/${field}`) && section.fields.length === 1),
    );
    const written = [
      'edgeRule',
      'shieldAccessList',
      'shieldBotDetection',
      'shieldCustomRule',
      'shieldDdos',
      'shieldRateLimit',
      'shieldWaf',
    ].flatMap(names);
    expect(zone.length).toBeGreaterThan(0);
    expect(all.map(({ field }) => field).sort()).toEqual([...zone, ...written, 'orderIndex'].sort());
  });

  it.each(all)(
    '$name $field says which of its changes lower protection, or that none does',
    ({ name, field, rule: { lowers } }) => {
      expect(lowers).toBeDefined();
      const changed = CASES.filter(
        ([kind, before, after]) => kind === name && !sameJson(before?.[field], after?.[field]),
      );
      const alone = changed.filter(
        ([kind, before, after]) =>
          before !== null &&
          after !== null &&
          Object.keys(kindOf(kind).fields).every((other) => other === field || sameJson(before[other], after[other])),
      );
      if (lowers === 'never') expect(alone.filter(([, , , exposes]) => exposes)).toEqual([]);
      // Both are shown by a case; an access list has no harmless change, only harmless ends.
      else
        expect(new Set((name === 'ShieldAccessList' ? changed : alone).map(([, , , exposes]) => exposes))).toEqual(
          new Set([true, false]),
        );
    },
  );

  it.each([
    ['ShieldWaf', 'executionMode', MODES],
    ['ShieldDdos', 'executionMode', MODES],
    ['ShieldDdos', 'sensitivity', DDOS_SENSITIVITIES],
    ['ShieldBotDetection', 'executionMode', BOT_MODES],
    ['ShieldBotDetection', 'ipAddressSensitivity', BOT_SENSITIVITIES],
    ['ShieldBotDetection', 'browserFingerprintAggression', AGGRESSIONS],
    ['Shield', 'plan', PLANS],
  ] as const)('%s %s: of two values one way lowers protection, or both', (name, field, values) => {
    const kind = kindOf(name);
    const written = [
      ...new Set(Object.keys(values).map((value) => normaliseSpec(kind, { [field]: value })[field] as string)),
    ];
    for (const one of written) {
      for (const other of written.filter((value) => value !== one)) {
        const down = [
          [one, other],
          [other, one],
        ].map(([from, to]) =>
          riskOf(kind, { enabled: true, [field]: from as string }, { enabled: true, [field]: to as string }).includes(
            'exposure',
          ),
        );
        expect(down, `${one} ${other}`).toContain(true);
      }
    }
  });

  it('no value of an action or a severity is forgotten: to change it one way or the other is a risk', () => {
    for (const [name, field, values] of [
      ['ShieldCustomRule', 'action', RULE_ACTIONS],
      ['ShieldRateLimit', 'action', LIMIT_ACTIONS],
      ['ShieldCustomRule', 'severity', SEVERITIES],
    ] as const) {
      const kind = kindOf(name);
      const base = name === 'ShieldRateLimit' ? LIMIT : RULE;
      const written = [
        ...new Set(Object.keys(values).map((value) => normaliseSpec(kind, { [field]: value })[field] as string)),
      ];
      for (const one of written)
        for (const other of written.filter((value) => value !== one))
          expect(
            [
              [one, other],
              [other, one],
            ].map(([from, to]) =>
              riskOf(kind, { ...base, [field]: from as string }, { ...base, [field]: to as string }).includes(
                'exposure',
              ),
            ),
            `${one} ${other}`,
          ).toContain(true);
    }
  });

  it('EDG-02: every action that is named to switch something off or on is a risk one way', () => {
    for (const type of ACTION_TYPES.filter((action) =>
      /^(?:Disable|Bypass)(?:WAF|Shield|Token|AwsS3)|^Force(?:SSL)|^Block|^EnableToken|Limit$/.test(action),
    )) {
      expect(
        [riskOf(kindOf('EdgeRule'), null, edge(type)), riskOf(kindOf('EdgeRule'), edge(type), null)].filter((risk) =>
          risk.includes('exposure'),
        ),
        type,
      ).toHaveLength(1);
    }
  });
});

describe('protection elsewhere', () => {
  it.each<Case>([
    ['RegistrationLock', { locked: true }, { locked: false }, true],
    ['RegistrationLock', { locked: false }, { locked: true }, false],
    ['RegistrationPrivacy', { privacyProtect: true }, { privacyProtect: false }, true],
    ['RegistrationDnssec', { enabled: true }, { enabled: false }, true],
    ['Mailbox', { address: 'a@b.nl', allowedIps: ['192.0.2.1'] }, { address: 'a@b.nl', allowedIps: [] }, true],
    [
      'Mailbox',
      { address: 'a@b.nl', allowedIps: ['192.0.2.1'] },
      { address: 'a@b.nl', allowedIps: ['192.0.2.1', '192.0.2.2'] },
      true,
    ],
    [
      'Mailbox',
      { address: 'a@b.nl', allowedIps: ['192.0.2.1', '192.0.2.2'] },
      { address: 'a@b.nl', allowedIps: ['192.0.2.1'] },
      false,
    ],
    ['Mailbox', { address: 'a@b.nl', allowedIps: [] }, { address: 'a@b.nl', allowedIps: ['192.0.2.1'] }, false],
  ])('%s %j -> %j: %j', (name, before, after, exposes) => {
    expect(riskOf(kindOf(name), before, after).includes('exposure')).toBe(exposes);
  });

  it('a mailbox that is new or goes lets nobody in who was kept out', () => {
    expect(
      riskOf(kindOf('Mailbox'), null, { address: 'a@b.nl', allowedIps: [], password: { env: 'P' } }),
    ).not.toContain('exposure');
    expect(riskOf(kindOf('Mailbox'), { address: 'a@b.nl', allowedIps: ['192.0.2.1'] }, null)).toEqual(['delete']);
  });
});

describe('the primary hostname of a site', () => {
  const kind = kindOf('SiteDomain');
  const former: Member = {
    identity: 'old.nl',
    id: 'd-1',
    spec: { hostname: 'old.nl', primary: true },
    computed: {},
    keys: [],
  };
  const alias = { spec: { hostname: 'new.nl', primary: false }, computed: {} };

  it('DOM-09, DOM-11: whoever takes its place, attached for that or there before, is a risk of its own, and so is its end', () => {
    const among = { ...context, members: [former] };
    expect(createAction(kind, { hostname: 'new.nl', primary: true }, among).risk).toEqual(['primary']);
    expect(updateAction(kind, { hostname: 'new.nl', primary: true }, alias, among)?.risk).toEqual(['primary']);
    expect(deleteAction(kind, former, 'not wanted', among).risk).toEqual(['delete', 'primary']);
  });

  it('DOM-08: the first hostname of a site, and every alias, takes no place and gives none away', () => {
    expect(createAction(kind, { hostname: 'new.nl', primary: true }, context).risk).toEqual([]);
    expect(createAction(kind, { hostname: 'new.nl' }, { ...context, members: [former] }).risk).toEqual([]);
    expect(deleteAction(kind, alias, 'not wanted', context).risk).toEqual(['delete']);
  });
});
