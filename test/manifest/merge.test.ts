// The laws of merging, over specs of every shape that a schema can give them, against a model that knows nothing but
// paths.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownSpec } from '../../src/manifest/edit/merge-back.ts';
import { mergeSpecs, originOf } from '../../src/manifest/read/merge.ts';
import type { Shape } from '../../src/manifest/shape.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { escapePointer, isJsonObject, valueAt } from '../../src/model/json.ts';
import { runsOf } from '../support/property-runs.ts';

const value: Shape = { is: 'value', type: 'any' };
const shape: Shape = {
  is: 'object',
  fields: {
    a: value,
    b: value,
    section: {
      is: 'object',
      fields: {
        x: value,
        y: value,
        'd/p~': { is: 'object', fields: { z: value, list: { is: 'list', items: value } } },
      },
    },
    rules: {
      is: 'list',
      key: 'name',
      items: {
        is: 'object',
        fields: {
          name: value,
          on: value,
          more: { is: 'object', fields: { p: value, q: value } },
          steps: { is: 'list', items: { is: 'object', fields: { p: value } } },
        },
      },
    },
    either: {
      is: 'choice',
      of: [
        { is: 'object', fields: { env: value } },
        { is: 'object', fields: { file: value } },
      ],
    },
    maybe: { is: 'choice', of: [value, { is: 'object', fields: { p: value, q: value } }] },
  },
};

const leaf = fc.constantFrom<Json>(0, 1, 2, 'x', 'y', true);
const said = (inner: fc.Arbitrary<Json>) =>
  fc.oneof({ weight: 4, arbitrary: inner }, { weight: 1, arbitrary: fc.constant<Json>(null) });
const object = (fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Json>;
const pq = object({ p: said(leaf), q: said(leaf) });
const plainList = fc.array(leaf, { maxLength: 3 }) as fc.Arbitrary<Json>;
const rule = fc
  .tuple(
    fc.constantFrom('r1', 'r2', 'r3'),
    object({
      on: said(leaf),
      more: said(pq),
      steps: said(fc.array(object({ p: leaf }), { maxLength: 2 }) as fc.Arbitrary<Json>),
    }),
  )
  .map(([name, rest]): JsonObject => ({ name, ...(rest as JsonObject) }));
const spec = object({
  a: said(leaf),
  b: said(plainList),
  section: said(
    object({ x: said(leaf), y: said(leaf), 'd/p~': said(object({ z: said(leaf), list: said(plainList) })) }),
  ),
  rules: said(fc.uniqueArray(rule, { maxLength: 3, selector: ({ name }) => nameOf(name) })),
  either: said(fc.oneof(object({ env: leaf }), object({ file: leaf }))),
  maybe: said(fc.oneof(leaf, pq)),
}) as fc.Arbitrary<JsonObject>;

function nameOf(name: Json | undefined): string {
  return typeof name === 'string' ? name : '';
}

function merged(...specs: readonly JsonObject[]): JsonObject {
  return specs.reduce((earlier, later) => mergeSpecs(earlier, later, shape), {});
}

/** What specs say, path by path, one after the other: named items under their names, with their order beside them. */
function modelOf(specs: readonly JsonObject[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const forget = (path: string): void =>
    [...said.keys()]
      .filter((known) => known === path || known.startsWith(`${path}>`))
      .forEach((known) => said.delete(known));
  const replace = (path: string, text: string): void => {
    forget(path);
    said.set(path, text);
  };
  const say = (path: string, item: Json): void => {
    if (item === null) return forget(path);
    const isWhole = /either$/.test(path) || !(isJsonObject(item) || /rules$/.test(path));
    if (isWhole) return replace(path, JSON.stringify(item));
    const mark = isJsonObject(item) ? 'mapping' : 'list';
    if (said.get(path) !== mark) replace(path, mark);
    if (isJsonObject(item)) return Object.entries(item).forEach(([field, below]) => say(`${path}>${field}`, below));
    for (const below of item as readonly JsonObject[]) say(`${path}>${nameOf(below.name)}`, below);
  };
  for (const one of specs) say('', one);
  return said;
}

function leavesOf(document: Json, pointer = ''): readonly string[] {
  if (typeof document !== 'object' || document === null) return [pointer];
  const below = Object.entries(document).flatMap(([key, item]) => leavesOf(item, `${pointer}/${escapePointer(key)}`));
  return [pointer, ...below];
}

function check(law: (...specs: readonly JsonObject[]) => void): void {
  fc.assert(
    fc.property(spec, spec, spec, (one, two, three) => {
      law(one, two, three);
    }),
    { numRuns: runsOf(2_000) },
  );
}

describe('laws', () => {
  test('every value is the last one that was said, and null takes out what was said before', () => {
    check((one, two, three) =>
      expect(Object.fromEntries(modelOf([merged(one, two, three)]))).toEqual(
        Object.fromEntries(modelOf([one, two, three])),
      ),
    );
  });

  test('what nobody says is not there, and null is nowhere', () => {
    check((...specs) => {
      const result = merged(...specs);
      expect(JSON.stringify(result)).not.toContain('null');
      for (const field of Object.keys(result)) expect(specs.some((one) => Object.hasOwn(one, field))).toBe(true);
    });
  });

  test('the same once more changes nothing', () => {
    check((one, two) => {
      const result = merged(one, two);
      expect(mergeSpecs(result, two, shape)).toEqual(result);
      expect(mergeSpecs(result, result, shape)).toEqual(result);
      expect(mergeSpecs({}, result, shape)).toEqual(result);
      expect(mergeSpecs(result, {}, shape)).toEqual(result);
    });
  });

  test('items with a name keep the order of the first list, new ones follow', () => {
    check((one, two) => {
      const names = (rules: Json | undefined) =>
        Array.isArray(rules) ? (rules as readonly JsonObject[]).map(({ name }) => name) : [];
      const [first, second] = [names(one?.rules), names(two?.rules)];
      fc.pre(one?.rules !== null && Array.isArray(two?.rules));
      expect(names(merged(one, two).rules)).toEqual([...first, ...second.filter((name) => !first.includes(name))]);
    });
  });

  test('nothing that goes in is changed', () => {
    check((...specs) => {
      const before = JSON.stringify(specs);
      merged(...specs);
      expect(JSON.stringify(specs)).toBe(before);
    });
  });

  test('every value is found where it was said last', () => {
    check((...specs) => {
      const result = merged(...specs);
      for (const pointer of leavesOf(result)) {
        const { spec: number, pointer: place } = originOf(specs, shape, pointer);
        const there = valueAt(specs[number], place);
        const here = valueAt(result, pointer);
        expect(there).toBeDefined();
        if (typeof here !== 'object') expect(there).toBe(here);
        // No later one says anything there.
        if (typeof here !== 'object')
          for (const later of specs.slice(number + 1))
            expect(modelOf([later]).get(pathOf(result, pointer))).toBeUndefined();
      }
    });
  });
});

/** The path of the model for a pointer into a merged spec. */
function pathOf(document: Json, pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce((path, token, depth) => {
    const around = valueAt(
      document,
      tokens
        .slice(0, depth)
        .map((part) => `/${part}`)
        .join(''),
    );
    const item =
      Array.isArray(around) && /rules$/.test(path) ? (around as readonly JsonObject[])[Number(token)] : undefined;
    return `${path}>${item === undefined ? token.replaceAll('~1', '/').replaceAll('~0', '~') : nameOf(item.name)}`;
  }, '');
}

describe('single cases', () => {
  test('a name that stands twice in one list stays there twice', () => {
    expect(
      merged(
        { rules: [{ name: 'a', on: 1 }] },
        {
          rules: [
            { name: 'a', on: 2 },
            { name: 'a', on: 3 },
          ],
        },
      ).rules,
    ).toEqual([
      { name: 'a', on: 2 },
      { name: 'a', on: 3 },
    ]);
    expect(
      originOf([{ rules: [{ name: 'a' }] }, { rules: [{ name: 'a' }, { name: 'a' }] }], shape, '/rules/1'),
    ).toEqual({ spec: 1, pointer: '/rules/1' });
  });

  test('an item without a name is an item of its own', () => {
    expect(merged({ rules: [{ on: 1 }, 5] }, { rules: [{ on: 2 }, { name: 7 }] }).rules).toEqual([
      { on: 1 },
      5,
      { on: 2 },
      { name: 7 },
    ]);
  });

  test('a list without names is replaced, also by an empty one', () => {
    expect(merged({ section: { 'd/p~': { list: [1, 2] } } }, { section: { 'd/p~': { list: [] } } })).toEqual({
      section: { 'd/p~': { list: [] } },
    });
  });

  test('null is a value where the schema has no field', () => {
    expect(merged({ junk: 1 }, { junk: null, section: { junk: null } })).toEqual({
      junk: null,
      section: { junk: null },
    });
  });

  test('names of prototypes are names', () => {
    const evil = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as JsonObject;
    const result = merged(evil, { section: JSON.parse('{"__proto__": null}') as JsonObject });
    expect(Object.keys(result)).toEqual(['__proto__', 'constructor', 'section']);
    expect(({} as { readonly x?: number }).x).toBeUndefined();
  });

  test('what is not there is at the nearest thing around it', () => {
    const specs = [{ section: { x: 1 } }, { section: { y: 1 } }, { a: 1 }];
    expect(originOf(specs, shape, '/section/d~1p~0/z')).toEqual({ spec: 1, pointer: '/section/d~1p~0/z' });
    expect(originOf(specs, shape, '/section')).toEqual({ spec: 1, pointer: '/section' });
    expect(originOf(specs, shape, '/nothing')).toEqual({ spec: 2, pointer: '/nothing' });
  });
});

describe('a mapping that says one of several things', () => {
  const action: Shape = {
    is: 'object',
    fields: { to: value, block: value, type: value, more: value },
    alone: ['to', 'block'],
  };
  const one: Shape = { is: 'object', fields: { action } };
  const over = (earlier: JsonObject, later: JsonObject): Json | undefined =>
    mergeSpecs({ action: earlier }, { action: later }, one).action;

  test('is replaced by one that says another, and completed by one that says the same', () => {
    expect(over({ to: 'a' }, { block: 'b' })).toEqual({ block: 'b' });
    expect(over({ to: 'a' }, { type: 1, more: 2 })).toEqual({ type: 1, more: 2 });
    expect(over({ type: 1, more: 2 }, { block: 'b' })).toEqual({ block: 'b' });
    expect(over({ type: 1, more: 2 }, { more: 3 })).toEqual({ type: 1, more: 3 });
    expect(over({ to: 'a' }, { to: 'c' })).toEqual({ to: 'c' });
  });

  test('is told by whoever said it last', () => {
    const specs = [{ action: { to: 'a' } }, { action: { block: 'b' } }];
    expect(originOf(specs, one, '/action/block')).toEqual({ spec: 1, pointer: '/action/block' });
    expect(originOf(specs, one, '/action/to')).toEqual({ spec: 1, pointer: '/action/to' });
  });

  test('of a manifest over its profile is written whole where it comes to say another', () => {
    const shared = { action: { to: 'a' } };
    const wanted = { action: { block: 'b' } };
    expect(ownSpec({ shared, own: {}, now: shared, wanted }, one)).toEqual(wanted);
  });
});
