// Whatever is fed in, diagnostics come out: no throw, no hang, no control characters, no place outside the text.
import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { registry } from '../../src/areas/index.ts';
import { expandManifests } from '../../src/manifest/read/expand.ts';
import { validators } from '../../src/manifest/generated/validator-table.ts';
import { formats } from '../../src/manifest/read/formats.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { readManifests } from '../../src/manifest/read/read.ts';
import { validateDocuments } from '../../src/manifest/read/validate.ts';
import { expandedManifest, writeManifests } from '../../src/manifest/write/write.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { runsOf } from '../support/property-runs.ts';

const sound = `apiVersion: hostwright/v1
kind: Site
metadata: { name: shop, id: "1" }
lifecycle: { protect: true, ignore: [/caching/smartCache] }
spec:
  name: &n Shop
  primaryDomain: shop.example.com
  domains:
    - www.example.com
    - { hostname: bücher.example, attach: dns }
  caching: { smartCache: true, cacheExpiration: 60, cookieVaryParameters: [a, b] }
  unlisted: { domains: keep }
---
apiVersion: hostwright/v1
kind: Site
metadata:
  name: "blog"
spec: { profiles: [base, more], caching: { smartCache: null } }
---
apiVersion: hostwright/v1
kind: SiteProfile
metadata: { name: base }
spec: { caching: { smartCache: true, cookieVaryParameters: [a] }, unlisted: null }
---
apiVersion: hostwright/v1
kind: SiteProfile
metadata: { name: more }
spec: { caching: { varyAvif: true } }
`;

async function check(bytes: Uint8Array): Promise<void> {
  const { diagnostics, collections, documents } = await readManifests(['-'], {
    cwd: '/',
    root: '/',
    registry,
    stdin: () => Promise.resolve(bytes),
  });
  const lines = new TextDecoder().decode(bytes).split('\n').length;
  for (const { code, detail, source, frame = '' } of diagnostics) {
    expect(code).toMatch(/^HW1\d{3}$/);
    expect(`${detail}${frame}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(`${detail}${frame}`.length).toBeLessThan(5_000);
    if (source !== undefined) {
      expect(source.line).toBeGreaterThanOrEqual(1);
      expect(source.line).toBeLessThanOrEqual(lines);
      expect(source.column).toBeGreaterThanOrEqual(1);
      expect(source.endColumn).toBeGreaterThanOrEqual(source.column);
    }
  }
  if (hasErrors(diagnostics)) expect(collections).toEqual([]);
  // The order is total and every place can be asked for.
  for (const { members } of collections)
    for (const member of members)
      for (const field of ['', ...Object.keys(member.spec)])
        expect(member.sourceOf(field)?.line).toBeGreaterThanOrEqual(1);
  expect(parseAllDocuments(writeManifests(documents.map(expandedManifest))).flatMap(({ errors }) => errors)).toEqual(
    [],
  );
}

const encode = (text: string) => new TextEncoder().encode(text);
const pieces = [
  '---\n',
  '...\n',
  '- ',
  ': ',
  '? ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|\n',
  '>\n',
  '&a ',
  '*a',
  '!t ',
  '#',
  '%YAML 1.1\n',
  '\t',
  '\r\n',
  '\n',
  '  ',
  ',',
  'a',
  '<<',
  '__proto__',
  'constructor',
  'apiVersion: hostwright/v1\n',
  'kind: Site\n',
  'spec:\n',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\ud800',
  '~',
  '.inf',
  'hostwright',
];

describe('arbitrary', () => {
  test('text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), (text) => check(encode(text))),
      { numRuns: runsOf(500) },
    );
  });

  test('bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), check), { numRuns: runsOf(300) });
  });

  test('scraps of YAML', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) =>
        check(encode(parts.join(''))),
      ),
      { numRuns: runsOf(2_000) },
    );
  });

  test('mutated manifests', async () => {
    const mutation = fc.record({
      at: fc.nat(sound.length),
      cut: fc.nat(12),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) =>
        check(
          encode(mutations.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), sound)),
        ),
      ),
      { numRuns: runsOf(2_000) },
    );
  });
});

const keys = fc.constantFrom(
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'id',
  'lifecycle',
  'ignore',
  'state',
  'spec',
  'domains',
  'hostname',
  'attach',
  'primaryDomain',
  'profiles',
  'caching',
  'smartCache',
  'cookieVaryParameters',
  'unlisted',
  '__proto__',
  'valueOf',
  'toString',
  'constructor',
  'length',
  '',
);
const values = fc.constantFrom<unknown>(
  'hostwright/v1',
  'Site',
  'SiteProfile',
  'shop',
  ['shop'],
  'a.example',
  'A.example.',
  '/caching',
  '/domains/0',
  'absent',
  'present',
  'dns',
  true,
  0,
  -1,
  1.5,
  null,
  '',
  [],
  {},
);
const junk = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    values,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(keys, tie('node'), { maxKeys: 5 }),
  ),
})).node;

describe('documents of any shape', () => {
  test('end in diagnostics', async () => {
    const document = fc.record(
      { apiVersion: values, kind: values, metadata: junk, lifecycle: junk, spec: junk },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) =>
        check(encode(documents.map((item) => stringify(item, { aliasDuplicateObjects: false })).join('---\n'))),
      ),
      { numRuns: runsOf(1_000) },
    );
  });

  test('are judged like the schema itself judges them', async () => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, formats });
    ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
    ajv.addKeyword({ keyword: 'maxItemsErrorMessage', schemaType: 'string' });
    const reference = ajv.compile(
      JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../schemas/site.schema.json'), 'utf8')) as object,
    );
    const caching = fc.dictionary(
      fc.constantFrom('smartCache', 'cacheExpiration', 'cookieVaryParameters', 'junk'),
      fc.oneof(values, fc.array(fc.constantFrom('a', 'b', 'a b'))),
      { noNullPrototype: true },
    );
    const spec = fc.record(
      {
        name: values,
        primaryDomain: values,
        domains: fc.array(
          fc.oneof(
            fc.constantFrom('a.example', 'b.example', '*.x'),
            fc.record({ hostname: values, attach: values }, { requiredKeys: [], noNullPrototype: true }),
          ),
        ),
        caching,
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(spec, (item) => {
        const document = { apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'x' }, spec: item };
        // Repeats in `domains` are found by identity, not by the validator.
        const repeated =
          new Set((item.domains ?? []).map((domain) => JSON.stringify(domain))).size < (item.domains ?? []).length;
        fc.pre(!repeated);
        expect(validators.Site?.(document)).toBe(reference(document));
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});

describe('sound manifests', () => {
  // `xn--` begins an encoded label, and few texts decode.
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/).filter((text) => !text.startsWith('xn--'));
  const hostname = fc.tuple(label, label).map((labels) => labels.join('.'));
  const caching = fc.record(
    {
      smartCache: fc.boolean(),
      cacheExpiration: fc.integer({ min: -1, max: 1e9 }),
      cookieVaryParameters: fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  );
  const specs = fc.array(
    fc.record(
      { name: fc.stringMatching(/^\w{1,10}$/), domains: fc.uniqueArray(hostname, { maxLength: 4 }), caching },
      { requiredKeys: [] },
    ),
    { minLength: 1, maxLength: 4 },
  );

  test('survive YAML and JSON, and mean the same in both', () => {
    fc.assert(
      fc.property(specs, (items) => {
        const owned = items.flatMap(({ domains = [] }) => domains);
        fc.pre(new Set(owned).size === owned.length);
        const documents = items.map((spec, index) => ({
          apiVersion: 'hostwright/v1',
          kind: 'Site',
          metadata: { name: `s${index}` },
          spec,
        }));
        const [yaml, json] = [
          documents.map((item) => stringify(item)).join('---\n'),
          documents.map((item) => JSON.stringify(item)).join('\n---\n'),
        ].map((text) => {
          const { manifests, diagnostics } = validateDocuments(
            parseYaml(new SourceText('x', text)).documents,
            registry,
          );
          expect(diagnostics).toEqual([]);
          return JSON.stringify(expandManifests(manifests, registry));
        });
        expect(yaml).toBe(json);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
