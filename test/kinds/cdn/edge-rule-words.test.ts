// The words that a manifest has for edge rules: they are the same rule as `type` with `parameter1..3`, whatever it is.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeRule } from '../../../src/areas/cdn/kinds/edge-rule/index.ts';
import type { EdgeRuleSpec } from '../../../src/areas/cdn/kinds/edge-rule/wire.ts';
import { ACTION_TYPES, decodeRule, encodeRule, TRIGGER_TYPES } from '../../../src/areas/cdn/kinds/edge-rule/wire.ts';
import { formats } from '../../../src/manifest/read/formats.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import {
  ACTION_WORDS,
  NoWordError,
  readAction,
  readTrigger,
  TRIGGER_WORDS,
  writeAction,
  writeTrigger,
} from '../../../src/areas/cdn/kinds/edge-rule/written.ts';
import { diffSpec } from '../../../src/planner/diff.ts';
import { runsOf, seedOf } from '../../support/property-runs.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const schema = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../schemas/site.schema.json'), 'utf8'),
) as { readonly $defs: Readonly<Record<string, Schema>> };
const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
ajv.addKeyword({ keyword: 'maxItemsErrorMessage', schemaType: 'string' });
const isAction = ajv.compile({ $ref: '#/$defs/edgeAction', $defs: schema.$defs });
const isTrigger = ajv.compile({ $ref: '#/$defs/edgeTrigger', $defs: schema.$defs });

const RAW_ACTION = ['type', 'parameter1', 'parameter2', 'parameter3'];
const RAW_TRIGGER = ['type', 'match', 'patterns', 'parameter1'];

/** What the platform holds after the rule is read, written to a manifest and read from there. */
function roundTrip(row: JsonObject): {
  readonly item: JsonObject;
  readonly body: JsonObject;
  readonly live: JsonObject;
} {
  const { spec } = decodeRule(row);
  const live = normaliseSpec(edgeRule, spec as unknown as JsonObject);
  const item = edgeRule.manifest?.item?.({ spec: live, computed: {} }) as JsonObject;
  const read = normaliseSpec(edgeRule, { extraActions: [], ...item });
  return { item, live, body: encodeRule({ orderIndex: 1, ...read } as unknown as EdgeRuleSpec) };
}

const row = (extra: JsonObject): JsonObject => ({
  Guid: 'g',
  Description: 'x',
  ActionType: 4,
  ActionParameter1: '',
  ActionParameter2: '',
  ActionParameter3: '',
  TriggerMatchingType: 0,
  Enabled: true,
  OrderIndex: 1,
  Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: '', PatternMatches: ['*'] }],
  ExtraActions: [],
  ...extra,
});

function withoutGuid({ Guid: _guid, ...rest }: JsonObject): JsonObject {
  return rest;
}

describe('the words for edge rules', () => {
  it('EDG-02: are those of the schema, with the same parameters, for types of their own numbers', () => {
    const fields = schema.$defs.edgeAction?.properties ?? {};
    expect(
      Object.keys(fields)
        .filter((key) => !RAW_ACTION.includes(key))
        .sort(),
    ).toEqual(Object.keys(ACTION_WORDS).sort());
    for (const [word, { type, number, parameters }] of Object.entries(ACTION_WORDS)) {
      expect(ACTION_TYPES[number]).toBe(type);
      expect(Object.keys(fields[word]?.properties ?? {})).toEqual(parameters.map(({ key }) => key));
      expect(fields[word]?.required ?? []).toEqual(parameters.flatMap(({ key, required }) => (required ? [key] : [])));
      expect(fields[word]?.description).toContain(`type \`${type}\``);
    }
  });

  it('EDG-04: are those of the schema, for triggers', () => {
    const fields = schema.$defs.edgeTrigger?.properties ?? {};
    expect(
      Object.keys(fields)
        .filter((key) => !RAW_TRIGGER.includes(key))
        .sort(),
    ).toEqual(Object.keys(TRIGGER_WORDS).sort());
    for (const [word, { type }] of Object.entries(TRIGGER_WORDS)) {
      expect(TRIGGER_TYPES).toContain(type);
      expect(fields[word]?.description).toContain(`type \`${type}\``);
    }
  });

  it.each([
    [
      { redirect: { to: 'https://a.nl/{{path}}', status: 308 } },
      { type: 'Redirect', parameter1: 'https://a.nl/{{path}}', parameter2: '308' },
    ],
    [{ redirect: { to: '%{Url.Scheme}://a.nl/' } }, { type: 'Redirect', parameter1: '%{Url.Scheme}://a.nl/' }],
    [{ block: {} }, { type: 'BlockRequest' }],
    [{ cacheTime: { seconds: 0 } }, { type: 'OverrideCacheTime', parameter1: '0' }],
    [{ setResponseHeader: { name: 'X', value: '' } }, { type: 'SetResponseHeader', parameter1: 'X', parameter2: '' }],
  ])('EDG-02: %j is %j, there and back', (words, raw) => {
    expect(isAction(words)).toBe(true);
    expect(readAction(words)).toEqual(raw);
    expect(writeAction(raw)).toEqual(words);
  });

  it.each([
    [{ url: ['*/old/*'] }, { type: 'Url', match: 'any', patterns: ['*/old/*'] }],
    [{ country: { none: ['BE'] } }, { type: 'CountryCode', match: 'none', patterns: ['BE'] }],
    [
      { header: { name: 'Accept', all: ['a*', '*b'] } },
      { type: 'RequestHeader', match: 'all', patterns: ['a*', '*b'], parameter1: 'Accept' },
    ],
    [
      { cookie: { name: 'sid', patterns: ['*'] } },
      { type: 'CookieValue', match: 'any', patterns: ['*'], parameter1: 'sid' },
    ],
    [{ statusCode: [404] }, { type: 'StatusCode', match: 'any', patterns: ['404'] }],
    [{ random: { percent: 50 } }, { type: 'RandomChance', match: 'any', patterns: ['50'] }],
  ])('EDG-04: %j is %j, there and back', (words, raw) => {
    expect(isTrigger(words)).toBe(true);
    expect(readTrigger(words)).toEqual(raw);
    expect(writeTrigger(raw)).toEqual(words);
  });

  it.each([
    { type: 'BlockRequest', parameter1: 'x' },
    { type: 'Redirect', parameter1: '/new' },
    { type: 'OverrideCacheTime', parameter1: '007' },
    { type: 'OverrideCacheTime', parameter1: '-1' },
    { type: 'SetStatusCode', parameter1: '' },
    { type: 'SetNetworkRateLimit', parameter1: '100' },
    { type: 37 },
  ])('EDG-02: do not say %j, which stays as it is', (raw) => {
    expect(writeAction(raw)).toEqual(Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== '')));
  });

  it.each([
    { type: 'CountryCode', match: 'any', patterns: ['nl'] },
    { type: 'UrlExtension', match: 'any', patterns: ['.mp4'] },
    { type: 'RequestHeader', match: 'any', patterns: ['x'] },
    { type: 'Url', match: 'any', patterns: ['x'], parameter1: 'y' },
    { type: 'RandomChance', match: 'none', patterns: ['50'] },
    { type: 'Url', match: 7, patterns: ['x'] },
    { type: 40, match: 'any', patterns: ['x'] },
  ])('EDG-04: do not say %j, which stays as it is', (raw) => {
    expect(writeTrigger(raw)).toEqual(raw);
  });

  it.each<JsonObject>([
    {},
    { block: {}, forceSsl: {} },
    { block: {}, parameter1: 'x' },
    { type: 'x', block: {} },
    { blok: {} },
    { block: { to: 'x' } },
    { block: [] },
  ])('refuse %j', (written) => {
    expect(() => readAction(written)).toThrow(NoWordError);
  });

  it.each(Array.from({ length: 40 }, (_, number) => number))(
    'EDG-02, EDG-04: number %i plans nothing after it is written down, with and without parameters',
    (number) => {
      for (const parameters of [[], ['x'], ['300'], ['https://a.nl/', '301'], ['X-A', 'b', 'c']]) {
        const [one = '', two = '', three = ''] = parameters;
        const given = row({
          ActionType: number,
          ActionParameter1: one,
          ActionParameter2: two,
          ActionParameter3: three,
          Triggers: [{ Type: number, PatternMatchingType: 2, Parameter1: three, PatternMatches: [one || '*'] }],
          ExtraActions: [{ ActionType: number, ActionParameter1: one, ActionParameter2: two, ActionParameter3: three }],
        });
        const { item, body, live } = roundTrip(given);
        expect(body).toEqual(withoutGuid(given));
        expect(diffSpec(edgeRule, normaliseSpec(edgeRule, item), live)).toEqual([]);
      }
    },
  );

  it('EDG-12: any rule that is written down is the same bytes, and words are what the schema takes', () => {
    const text = fc.oneof(
      fc.constantFrom(
        '',
        '0',
        '50',
        '301',
        '404',
        'NL',
        'GET',
        'X-A',
        'https://a.nl/',
        '/x',
        '{{path}}',
        'a b',
        '.mp4',
      ),
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    const match = fc.integer({ min: 0, max: 3 });
    const action = fc.record({
      ActionType: fc.integer({ min: 0, max: 40 }),
      ActionParameter1: text,
      ActionParameter2: text,
      ActionParameter3: fc.oneof(fc.constant(''), text),
    });
    const trigger = fc.record({
      Type: fc.integer({ min: 0, max: 20 }),
      PatternMatchingType: match,
      Parameter1: text,
      PatternMatches: fc.uniqueArray(text, { minLength: 1, maxLength: 5 }).map((patterns) => [...patterns].sort()),
    });
    fc.assert(
      fc.property(action, fc.array(action, { maxLength: 3 }), trigger, match, (own, ExtraActions, one, matching) => {
        const given = row({ ...own, ExtraActions, Triggers: [one], TriggerMatchingType: matching });
        const { item, body } = roundTrip(given);
        expect(body).toEqual(withoutGuid(given));
        for (const written of [item.action, ...((item.extraActions ?? []) as readonly Json[])] as readonly JsonObject[])
          if (!Object.hasOwn(written, 'type')) expect([written, isAction(written)]).toEqual([written, true]);
        for (const written of item.triggers as readonly JsonObject[])
          if (!Object.hasOwn(written, 'type')) expect([written, isTrigger(written)]).toEqual([written, true]);
      }),
      { numRuns: runsOf(2_000), ...seedOf() },
    );
  });
});
