// Manifests with their profiles in them, written as YAML: what stands where, and that it means the same when it is read
// again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import type { ExpandedManifest } from '../../src/model/desired.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { expandedManifest, writeManifests } from '../../src/manifest/write/write.ts';
import type { Files } from './support.ts';
import { profile, readFrom, readText, site } from './support.ts';
import { runsOf } from '../support/property-runs.ts';

async function expand(files: Files): Promise<string> {
  const { documents, diagnostics } = await readFrom(files);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return writeManifests(documents.map(expandedManifest));
}

const files = {
  'profiles/base.yaml': profile(
    'base',
    `  caching:
    smartCache: true
    cacheExpiration: 3600
    cookieVaryParameters: [currency]
    queryStringVaryParameters: []
  unlisted: { domains: keep }`,
  ),
  'profiles/shop.yaml': profile(
    'shop',
    `  caching:\n    varyCookie: true\n    queryStringVaryParameters: [${Array.from({ length: 12 }, (_, index) => `parameter-${index}`).join(', ')}]`,
  ),
  'sites/1.yaml': site(
    'shop',
    '  profiles: [base, shop]\n  primaryDomain: shop.example.com\n  domains: [shop.example.com, { hostname: www.example.com, attach: dns }]\n  caching:\n    smartCache: null\n    cacheExpiration: 60',
  ),
  'sites/2.yaml': `${site('plain', '  name: "8.3"')}---\n${site('empty', '  profiles: [base]\n  caching: null\n  unlisted: null').replace('spec:', 'lifecycle: { protect: true, ignore: [/caching/varyAvif] }\nspec:')}`,
};

describe('what is written', () => {
  test('reads as it did', async () => {
    await expect(`${await expand(files)}\n`).toMatchFileSnapshot('golden/expanded.yaml');
  });

  test('needs no profiles and means the same', async () => {
    const before = await readFrom(files);
    const after = await readText(await expand(files));
    expect(after.diagnostics).toEqual([]);
    expect(plain(after.collections)).toEqual(plain(before.collections));
    // Once more gives nothing new, but for the places, which are now its own.
    expect(writeManifests(after.documents.map(expandedManifest))).toBe(
      (await expand(files)).replace(/ # from .*/g, ''),
    );
  });

  test('nothing for an empty set', () => {
    expect(writeManifests([])).toBe('');
  });

  test('hostile text is escaped, in values and in the names of files', () => {
    const manifest: JsonObject = {
      kind: 'Site',
      spec: { name: 'a\u202eb\u001b[31m\u00a0\u{e0001}', other: 'two\nlines', list: ['\u0007', 'plain'] },
    };
    const fromProfiles = {
      '/spec/name': { file: 'x\n\u001b[2Jy.yaml', line: 3, column: 1 },
      '/spec/other': { file: 'o.yaml', line: 4, column: 1 },
    };
    const text = writeManifests([{ manifest, fromProfiles }]);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u202e\u{e0001}]/u);
    expect(parseDocument(text).toJS()).toEqual(manifest);
    expect(text).toContain('# from o.yaml:4');
  });
});

describe('any manifest', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'yes',
      '1',
      '1.0',
      '~',
      'null',
      '# x',
      ': ',
      '- a',
      '"',
      "'",
      '\n',
      'a\n\n',
      ' lead',
      '0x1',
      '[',
      '{',
      '&a',
      '*a',
      '!t',
      '|',
      '%',
    ),
    fc.integer(),
    fc.boolean(),
  );
  const key = fc.constantFrom('name', 'caching', 'smartCache', 'domains', 'a b', 'x: y', '#');
  const value = fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      scalar as fc.Arbitrary<Json>,
      fc.array(tie('node'), { maxLength: 4 }) as fc.Arbitrary<Json>,
      fc.dictionary(key, tie('node'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Json>,
    ),
  })).node;

  test('reads back as it was, whatever came from profiles', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { noNullPrototype: true, minKeys: 1 }), fc.boolean(), (spec, shared) => {
        const manifest = { kind: 'Site', spec } as JsonObject;
        const places = shared
          ? Object.fromEntries(pointersOf(manifest).map((pointer) => [pointer, { file: 'p.yaml', line: 1, column: 1 }]))
          : {};
        const expanded: ExpandedManifest = { manifest, fromProfiles: places };
        const document = parseDocument(writeManifests([expanded]));
        expect(document.errors).toEqual([]);
        expect(document.toJS()).toEqual(manifest);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  test('sound manifests mean the same before and after', async () => {
    const caching = fc.record(
      {
        smartCache: fc.option(fc.boolean()),
        cacheExpiration: fc.option(fc.integer({ min: -1, max: 1e9 })),
        cookieVaryParameters: fc.option(fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/), { maxLength: 4 })),
      },
      { requiredKeys: [] },
    );
    const spec = fc.record(
      { caching: fc.option(caching), unlisted: fc.constant({ domains: 'keep' }) },
      { requiredKeys: [] },
    );
    const own = fc.tuple(spec, fc.subarray(['one', 'two']), fc.boolean()).map(([rest, profiles, turned]) => ({
      ...rest,
      domains: ['a.example'],
      profiles: turned ? [...profiles].reverse() : profiles,
    }));
    await fc.assert(
      fc.asyncProperty(spec, spec, own, async (one, two, site) => {
        const document = (kind: string, name: string, content: object) =>
          stringify({ apiVersion: 'hostwright/v1', kind, metadata: { name }, spec: content });
        const before = await readText(
          [document('SiteProfile', 'one', one), document('SiteProfile', 'two', two), document('Site', 's', site)].join(
            '---\n',
          ),
        );
        expect(before.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        const after = await readText(writeManifests(before.documents.map(expandedManifest)));
        expect(plain(after.collections)).toEqual(plain(before.collections));
      }),
      { numRuns: runsOf(200) },
    );
  });
});

/** Without places, which differ. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function pointersOf(value: Json, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return [pointer, ...Object.entries(value).flatMap(([key, below]) => pointersOf(below, `${pointer}/${key}`))];
}
