import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  collectionOf,
  compareText,
  kindOf,
  parentOf,
  parseAddress,
  rootOf,
} from '../../src/model/address.ts';
import { deadlineOf, isNear, isOver } from '../../src/model/deadline.ts';
import { hasErrors, sortDiagnostics } from '../../src/model/diagnostic.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { canonicalHostname } from '../../src/model/hostname.ts';
import { invariant } from '../../src/model/invariant.ts';
import {
  ANY_LIST,
  canonicalJson,
  canonicalPieces,
  covers,
  escapePointer,
  isJsonObject,
  isTooDeep,
  listIn,
  sameJson,
  unescapePointer,
  valueAt,
} from '../../src/model/json.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { immutable, positioned, positionOf, siblingsOf } from '../../src/model/kind/kind.ts';
import { describeType as describeType } from '../../src/model/kind/rows.ts';
import { objectAt, rowsAt, ShapeError, textAt } from '../../src/model/kind/rows.ts';
import { MISSING_LEDGER, ownedByCollection } from '../../src/model/plan/ledger-view.ts';
import { decideOutcome, EXIT_CODES } from '../../src/model/plan/outcome.ts';
import { parsePrice, showPrice, sumPrices } from '../../src/model/price.ts';
import { isReference, isSecretReference, literal, path, ref, referencesIn } from '../../src/model/plan/step.ts';
import { ledgerOf } from '../support/desired.ts';

describe('lists of which nobody says how they are wrapped', () => {
  it('are the answer itself, or the only list in it', () => {
    expect(listIn([1])).toEqual([1]);
    expect(listIn({ rows: [1], total: 1 })).toEqual([1]);
    for (const answer of [undefined, null, 'x', 1, {}, { a: [], b: [] }, { a: { b: [] } }])
      expect(listIn(answer)).toBeUndefined();
    expect(rowsAt({ rows: [{}] }, ANY_LIST)).toEqual([{}]);
    expect(() => rowsAt({ a: [], b: [] }, ANY_LIST)).toThrow(ShapeError);
  });
});

describe('covers', () => {
  it('lets objects hold more than was wanted, at every depth, and nothing else', () => {
    expect(covers({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } })).toBe(true);
    expect(covers({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(covers({ a: [1, 2] }, { a: [1] })).toBe(false);
    expect(covers([1], [1])).toBe(true);
    expect(covers(1, { a: 1 })).toBe(false);
    expect(covers(undefined, undefined)).toBe(true);
  });
});

describe('prices', () => {
  it('are whole hundredths of one currency', () => {
    expect(['15.00 EUR', '15 EUR', '0.5 USD', '7.05EUR'].map(parsePrice)).toEqual([
      { amountCents: 1500, currency: 'EUR' },
      { amountCents: 1500, currency: 'EUR' },
      { amountCents: 50, currency: 'USD' },
      { amountCents: 705, currency: 'EUR' },
    ]);
    for (const text of ['', '15', '15.000 EUR', '15,00 EUR', '-1 EUR', '1 eur', '1 EUROS'])
      expect(parsePrice(text), text).toBeUndefined();
    expect(
      [
        { amountCents: 1205, currency: 'EUR' },
        { amountCents: 7, currency: 'USD' },
      ].map(showPrice),
    ).toEqual(['12.05 EUR', '0.07 USD']);
    expect(
      sumPrices([
        { amountCents: 1, currency: 'EUR' },
        { amountCents: 2, currency: 'USD' },
        { amountCents: 3, currency: 'EUR' },
      ]),
    ).toEqual([
      { amountCents: 4, currency: 'EUR' },
      { amountCents: 2, currency: 'USD' },
    ]);
  });
});

describe('siblings', () => {
  const members = [
    { identity: 'b', spec: { at: 2 } },
    { identity: 'd', spec: {} },
    { identity: 'c', spec: { at: 2 } },
    { identity: 'a', spec: {} },
    { identity: 'e', spec: { at: 1 } },
  ];

  it('stand in their order where order is meaning, those without a place last, else by name', () => {
    expect(siblingsOf({ fields: { at: positioned() } }, members)).toEqual(['e', 'b', 'c', 'a', 'd']);
    expect(siblingsOf({ fields: { at: immutable('why') } }, members)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([positionOf({ fields: { at: positioned() } }), positionOf({ fields: {} })]).toEqual(['at', undefined]);
  });
});

describe('addresses', () => {
  it('name an object by its place', () => {
    const domain = addressOf(addressOf(null, 'Site', 'shop'), 'SiteDomain', 'www.example.com');
    expect(domain).toBe('Site/shop/SiteDomain/www.example.com');
    expect(parseAddress(domain)).toEqual([
      { kind: 'Site', name: 'shop' },
      { kind: 'SiteDomain', name: 'www.example.com' },
    ]);
    expect([parentOf(domain), rootOf(domain), collectionOf(domain), kindOf(domain)]).toEqual([
      'Site/shop',
      'Site/shop',
      'Site/shop/SiteDomain',
      'SiteDomain',
    ]);
  });

  it('name the only one of its kind without a name', () => {
    expect(addressOf('Site/shop', 'Caching', null)).toBe('Site/shop/Caching');
    expect(parseAddress('Site/shop/Caching')?.at(-1)).toEqual({ kind: 'Caching', name: null });
    expect([
      parentOf('Site/shop/Caching'),
      collectionOf('Site/shop/Caching'),
      kindOf('Site/shop/Caching'),
      parentOf('Site/shop'),
      parentOf('Site'),
    ]).toEqual(['Site/shop', 'Site/shop/Caching', 'Caching', null, null]);
  });

  it('encode what would be read as something else, and come back', () => {
    expect(addressOf(null, 'Site', 'a b/c%\u0007\u202e')).toBe('Site/a%20b%2Fc%25%07%E2%80%AE');
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        expect(parseAddress(addressOf(null, 'Site', name))).toEqual([{ kind: 'Site', name }]);
      }),
    );
  });

  it('refuse text that is none', () => {
    for (const text of ['', 'site/x', 'Site//x', 'Site/%', 'Site/a/x/b', '/Site'])
      expect(parseAddress(text), text).toBeUndefined();
  });

  it('compare by code point', () => {
    expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
  });
});

describe('JSON values', () => {
  it('are equal whatever the order of keys', () => {
    expect(sameJson({ a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 })).toBe(true);
    expect([
      sameJson([1, 2], [2, 1]),
      sameJson(undefined, null),
      sameJson(null, undefined),
      sameJson('x', 'x'),
      sameJson(0, false),
    ]).toEqual([false, false, false, true, false]);
    expect(canonicalJson(undefined as unknown as Json)).toBe('null');
    expect(() => canonicalJson([Number.NaN])).toThrow('JSON has no text for NaN');
  });

  it('are reached by pointers through own keys only', () => {
    const document = { a: { 'b/c': [10, { '~': 'x' }] } };
    expect(valueAt(document, '/a/b~1c/1/~0')).toBe('x');
    expect(valueAt(document, '')).toBe(document);
    for (const pointer of ['/a/none', '/a/b~1c/9', '/a/b~1c/0/deeper', '/__proto__', '/a/constructor'])
      expect(valueAt(document, pointer), pointer).toBeUndefined();
    expect(valueAt({ a: null }, '/a/b')).toBeUndefined();
  });

  it('escape and unescape pointer tokens', () => {
    fc.assert(
      fc.property(fc.string(), (token) => {
        expect(unescapePointer(escapePointer(token))).toBe(token);
      }),
    );
  });

  it('are objects only when they are', () => {
    expect([{}, [], null, 'x', undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
  });
});

describe('hostnames', () => {
  it('are one in any case, with or without a trailing dot, in either form', () => {
    expect(canonicalHostname(' WWW.Example.COM. ')).toBe('www.example.com');
    expect(canonicalHostname('bücher.example')).toBe('xn--bcher-kva.example');
    expect(canonicalHostname('not a hostname!')).toBe('not a hostname!');
  });

  it('have an idempotent canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string()), (text) => {
        expect(canonicalHostname(canonicalHostname(text))).toBe(canonicalHostname(text));
      }),
    );
  });
});

describe('templates', () => {
  it('keep references in paths and encode text', () => {
    expect(path`/api/sites/${ref('Site/a')}/domains/${'a/b'}`).toEqual([
      '/api/sites/',
      { $ref: 'Site/a', output: 'id' },
      '/domains/',
      'a%2Fb',
    ]);
    expect(path`${ref('Site/a', 'cname')}`).toEqual([{ $ref: 'Site/a', output: 'cname' }]);
  });

  it('find every reference, and none in data or secrets', () => {
    const one = ref('Site/a');
    expect(
      referencesIn({
        a: [one, { b: one }],
        c: 'x',
        d: null,
        e: { $secret: { env: 'X' } },
        f: literal({ $ref: 'no', output: 'no' }),
      }),
    ).toEqual([one, one]);
    expect(referencesIn(path`/x/${one}`)).toEqual([one]);
  });

  it('wrap data that looks like a reference', () => {
    expect(literal({ a: [{ $ref: 'x' }] })).toEqual({ $literal: { a: [{ $ref: 'x' }] } });
    expect(literal({ a: [1, 'x', null] })).toEqual({ a: [1, 'x', null] });
    expect([
      isReference({ $ref: 'x' }),
      isReference(null),
      isSecretReference({ $secret: 'x' }),
      isSecretReference({ $secret: { env: 'X' } }),
    ]).toEqual([false, false, false, true]);
  });
});

describe('diagnostics', () => {
  const at = (
    file: string,
    line: number,
    column: number,
    code: Diagnostic['code'] = 'HW1001',
    extra: Partial<Diagnostic> = {},
  ): Diagnostic => ({
    code,
    severity: 'error',
    summary: '',
    detail: '',
    source: { file, line, column, endLine: line, endColumn: column },
    ...extra,
  });

  it('are shown by file, line, column, code, address and text', () => {
    const bare: Diagnostic = { code: 'HW1001', severity: 'info', summary: '', detail: '' };
    const sorted = [
      bare,
      at('a', 1, 1),
      at('a', 1, 2),
      at('a', 2, 1),
      at('b', 1, 1, 'HW1001'),
      at('b', 1, 1, 'HW1002'),
      at('b', 1, 1, 'HW1002', { address: 'X' }),
      at('b', 1, 1, 'HW1002', { address: 'X', detail: 'z' }),
    ];
    expect(sortDiagnostics([...sorted].reverse())).toEqual(sorted);
    expect(sortDiagnostics([at('a', 1, 1), bare])).toEqual([bare, at('a', 1, 1)]);
    expect(sortDiagnostics([at('b', 1, 1, 'HW1002', { address: 'X' }), at('b', 1, 1, 'HW1002')])[0]).not.toHaveProperty(
      'address',
    );
  });

  it('forbid going on only when one is an error', () => {
    expect(hasErrors([])).toBe(false);
    expect(hasErrors([{ ...at('a', 1, 1), severity: 'warning' }])).toBe(false);
    expect(hasErrors([at('a', 1, 1)])).toBe(true);
  });
});

describe('outcomes', () => {
  it('are decided by the highest word', () => {
    expect(decideOutcome([])).toBe('done');
    expect(decideOutcome(['done', 'waiting', 'partly-applied'])).toBe('partly-applied');
    expect(decideOutcome(['refused', 'conflict', 'interrupted'])).toBe('interrupted');
    expect(decideOutcome(['differences', 'error'])).toBe('error');
  });

  it('have the documented exit codes', () => {
    expect(EXIT_CODES).toEqual({
      done: 0,
      error: 1,
      differences: 2,
      waiting: 3,
      conflict: 4,
      refused: 5,
      'partly-applied': 6,
      interrupted: 130,
    });
  });
});

describe('answers', () => {
  it('are read strictly: null is not an empty list (CNV-02)', () => {
    expect(rowsAt({ rows: [{ a: 1 }] }, '/rows')).toEqual([{ a: 1 }]);
    for (const [answer, pointer] of [
      [null, ''],
      [{ rows: null }, '/rows'],
      [{}, '/rows'],
      ['x', ''],
      [[1], ''],
      [{ rows: [null] }, '/rows'],
    ] as const)
      expect(() => rowsAt(answer, pointer)).toThrow(ShapeError);
    expect(() => rowsAt(null)).toThrow('expected a list at the top, found null');
  });

  it('say what was found without its value', () => {
    expect(() => textAt({ id: 7 }, '/id')).toThrow('expected text at /id, found a number');
    expect(() => textAt(7, '')).toThrow('expected text at the top, found a number');
    expect(textAt({ id: 'x' }, '/id')).toBe('x');
    expect(() => objectAt([])).toThrow('expected an object, found a list');
    expect(objectAt({ a: 1 })).toEqual({ a: 1 });
    expect([undefined, null, [], {}, true].map((value) => describeType(value as Json | undefined))).toEqual([
      'nothing',
      'null',
      'a list',
      'an object',
      'a boolean',
    ]);
  });
});

describe('the ledger view', () => {
  it('knows what is ours, by collection', () => {
    const ledger = ledgerOf(
      { address: 'Site/a/SiteDomain/x.nl' },
      { address: 'Site/a/SiteDomain/y.nl' },
      { address: 'Site/a/SiteDomain/z.nl', owned: false },
      { address: 'Site/a/Caching' },
      { address: 'not an address' },
    );
    expect(ownedByCollection(ledger)).toEqual(new Map([['Site/a/SiteDomain', new Set(['x.nl', 'y.nl'])]]));
    expect(ownedByCollection(MISSING_LEDGER)).toEqual(new Map());
  });
});

describe('invariant', () => {
  it('says that the bug is ours', () => {
    expect(() => invariant(false, 'it broke')).toThrow('bug in hostwright: it broke');
    expect(() => invariant(true, 'fine')).not.toThrow();
  });
});

describe('a deadline', () => {
  it('keeps its end for answers: as long as a request may take, a quarter of the whole at most', () => {
    expect(deadlineOf(1000, 600_000, 120_000)).toEqual({ atMs: 601_000, lastWriteAtMs: 481_000 });
    expect(deadlineOf(1000, 60_000, 120_000)).toEqual({ atMs: 61_000, lastWriteAtMs: 46_000 });
  });

  it('is near before it is over, and there need be none', () => {
    const deadline = deadlineOf(0, 100, 1000);
    expect([74, 75, 99, 100].map((nowMs) => [isNear(deadline, nowMs), isOver(deadline, nowMs)])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ]);
    expect([isNear(undefined, 1e15), isOver(undefined, 1e15)]).toEqual([false, false]);
  });
});

describe('nesting', () => {
  it('is too deep far before a walk could exhaust the stack', () => {
    const nested = (depth: number): Json =>
      depth === 0 ? 'x' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
    expect([0, 1, 200, 201, 1000].map((depth) => isTooDeep(nested(depth)))).toEqual([false, false, false, true, true]);
    expect(isTooDeep(null)).toBe(false);
  });
});

describe('the canonical text', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

  it('is that of RFC 8785, whole and in pieces', () => {
    fc.assert(
      fc.property(object, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
        expect([...canonicalPieces(value)].join('')).toBe(canonicalize(value));
      }),
    );
    const odd = { b: [undefined, -0, '\ud800', []], a: undefined, ['__proto__']: {} } as unknown as JsonObject;
    expect(canonicalJson(odd)).toBe('{"__proto__":{},"b":[null,0,"\\ud800",[]]}');
    expect([...canonicalPieces(odd)].join('')).toBe(canonicalJson(odd));
  });

  it('is equal for the values that are the same, and for no others', () => {
    const small = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b') }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(small, small, (one, other) => {
        expect(sameJson(one, other)).toBe(canonicalize(one) === canonicalize(other));
        expect(sameJson(one, structuredClone(one))).toBe(true);
        expect(sameJson([{ x: one }], [{ x: other }])).toBe(canonicalize(one) === canonicalize(other));
      }),
    );
    expect(sameJson({ a: 1 }, { a: 1, b: undefined } as unknown as Json)).toBe(true);
    expect(sameJson({ a: 1, c: undefined } as unknown as Json, { a: 1, b: 2 })).toBe(false);
    expect(sameJson([], {})).toBe(false);
  });
});
