// The bill of materials of dist: as CycloneDX 1.6 demands it, of exactly the packages whose licences are passed on, and
// the same bytes for the same bundle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { SBOM_FILE, sbomOf } from '../../.ci/sbom.ts';

const root = join(import.meta.dirname, '../..');

/** What the specification demands of the parts that are used: https://cyclonedx.org/docs/1.6/json. */
const licence = {
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      required: ['license'],
      properties: {
        license: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          // An id has to be one of SPDX: these are the ones that may be bundled.
          properties: {
            id: {
              enum: [
                '0BSD',
                'Apache-2.0',
                'BSD-2-Clause',
                'BSD-3-Clause',
                'BlueOak-1.0.0',
                'ISC',
                'MIT',
                'MIT-0',
                'Unlicense',
              ],
            },
          },
        },
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['expression'],
      properties: { expression: { type: 'string', pattern: '^[A-Za-z0-9.+() -]+$' } },
    },
  ],
};
const component = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'name'],
  properties: {
    type: { enum: ['application', 'library'] },
    'bom-ref': { type: 'string', minLength: 1 },
    group: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string', maxLength: 1024 },
    description: { type: 'string' },
    licenses: { type: 'array', items: licence, minItems: 1 },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[a-z0-9._-]+/)?[a-z0-9._-]+@[0-9][0-9A-Za-z.%-]*$' },
  },
};
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      additionalProperties: false,
      properties: {
        lifecycles: { type: 'array', items: { type: 'object', properties: { phase: { const: 'build' } } } },
        component,
      },
    },
    components: { type: 'array', items: component, uniqueItems: true, minItems: 50 },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['ref'],
        properties: {
          ref: { type: 'string' },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
    compositions: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['aggregate'],
        properties: {
          aggregate: { enum: ['complete', 'incomplete', 'unknown'] },
          assemblies: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
  },
};

interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
}

interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly compositions: readonly { readonly assemblies: readonly string[] }[];
}

const folder = join(root, 'dist');
const text = readFileSync(join(folder, SBOM_FILE), 'utf8');
const sbom = JSON.parse(text) as Sbom;

describe('the bill of materials', () => {
  it('is as CycloneDX 1.6 demands', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
    expect([validate(sbom), validate.errors]).toEqual([true, null]);
  });

  it('names each thing once, and refers to nothing else', () => {
    const refs = [sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(sbom.dependencies.map(({ ref }) => ref)).toEqual(refs);
    expect(sbom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn)).toEqual(refs.slice(1));
    expect(sbom.compositions.flatMap(({ assemblies }) => assemblies)).toEqual(refs.slice(0, 1));
  });

  it('has exactly the packages of THIRD-PARTY.txt, and is of the version of the package', () => {
    const notices = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8');
    expect(sbom.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`)).toEqual(
      [...notices.matchAll(/^== (\S+ \S+) \(/gm)].map(([, one]) => one),
    );
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Component;
    expect(sbom.metadata.component).toMatchObject({ type: 'application', name, version });
  });

  it('has nothing of the time or the machine in it', () => {
    expect(text).not.toMatch(/timestamp|serialNumber|urn:uuid/);
    expect(text).not.toContain(root);
  });

  it('tells one licence from an expression of several, and encodes what a package URL has to', () => {
    const product = { name: 'p', version: '1.0.0', description: 'P.', license: 'MIT' };
    const bundled = [{ name: '@a/b', version: '1.0.0+x', license: '(MIT OR CC0-1.0)', texts: [] }];
    expect((JSON.parse(sbomOf(product, bundled)) as Sbom).components).toEqual([
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40a/b@1.0.0%2Bx',
        group: '@a',
        name: 'b',
        version: '1.0.0+x',
        licenses: [{ expression: '(MIT OR CC0-1.0)' }],
        purl: 'pkg:npm/%40a/b@1.0.0%2Bx',
      },
    ]);
  });
});
