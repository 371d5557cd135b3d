// The classes that are drawn from the schemas: one for each kind, whose props become what YAML would hold.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as constructs from '../../src/constructs/index.ts';
import type { Construct } from '../../src/constructs/index.ts';
import {
  App,
  Contact,
  DomainRegistration,
  Mailspace,
  Manifest,
  secret,
  Site,
  SiteProfile,
} from '../../src/constructs/index.ts';
import { dataKinds, registry } from '../../src/areas/index.ts';
import { shapes } from '../../src/manifest/generated/shapes.ts';
import { fieldShape, mergeSpecs } from '../../src/manifest/read/merge.ts';
import type { Shape } from '../../src/manifest/shape.ts';
import { shapeAt } from '../../src/manifest/shape.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';

interface Example {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly lifecycle?: object;
  readonly spec: object;
}

const folder = join(import.meta.dirname, '../../schemas');
const schemas = readdirSync(folder)
  .filter((name) => name.endsWith('.schema.json') && name !== 'hostwright.schema.json')
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject)
  .map(
    (schema) =>
      schema as unknown as {
        readonly properties: { readonly kind?: { readonly const: string }; readonly metadata?: object };
        readonly examples: readonly Example[];
      },
  )
  .filter(({ properties }) => properties.metadata !== undefined && properties.kind !== undefined);
const kinds = schemas.map(({ properties }) => properties.kind?.const as string);

type AnyClass = new (scope: Construct, name: string, props: object) => Manifest;

function classOf(kind: string): AnyClass {
  const found: unknown = Object.entries(constructs).find(([name]) => name === kind)?.[1];
  expect(found, `${kind} has no class`).toBeTypeOf('function');
  return found as AnyClass;
}

function documentsOf(app: App): readonly unknown[] {
  return app.synth().accounts.flatMap(({ manifests }) => manifests.map(({ value }) => value));
}

describe('a class for each kind', () => {
  it('is there for every root of the registry and every data kind', () => {
    const roots = [...registry.values()].filter(({ parent }) => parent === null).map(({ kind }) => kind);
    for (const kind of [...roots, ...dataKinds.keys()]) expect(kinds).toContain(kind);
  });

  it.each(kinds)('%s: props become the document that YAML holds', (kind) => {
    const examples = schemas.find(({ properties }) => properties.kind?.const === kind)?.examples ?? [];
    for (const example of examples) {
      const app = new App();
      const { name, ...metadata } = example.metadata;
      const { lifecycle } = example;
      new (classOf(kind))(app, name, { ...example.spec, ...metadata, ...(lifecycle !== undefined && { lifecycle }) });
      expect(documentsOf(app)).toEqual([example]);
    }
    expect(examples.length).toBeGreaterThan(0);
  });
});

describe('references', () => {
  it('are objects: another manifest, an output of one, a profile', () => {
    const app = new App();
    const owner = new Contact(app, 'acme', {} as never);
    const registration = new DomainRegistration(app, 'example.com');
    const base = new SiteProfile(app, 'base');
    const old = new Site(app, 'old shop');
    const site = new Site(app, 'shop', {
      profiles: [base, 'other'],
      domains: [{ hostname: 'www.example.com', moveFrom: old, registration }],
    });
    new DomainRegistration(app, 'example.org', {
      contacts: { owner },
      nameservers: site.siteDomain('www.example.com').nameservers,
    });
    const specs = documentsOf(app).map((document) => (document as Example).spec);
    expect(specs.slice(-2)).toEqual([
      {
        profiles: ['base', 'other'],
        domains: [
          {
            hostname: 'www.example.com',
            moveFrom: 'Site/old%20shop',
            registration: { ref: 'DomainRegistration/example.com' },
          },
        ],
      },
      {
        contacts: { owner: { ref: 'Contact/acme' } },
        nameservers: { ref: 'Site/shop/SiteDomain/www.example.com', output: 'nameservers' },
      },
    ]);
  });
});

describe('props', () => {
  it('are a copy that nobody can change, and leave out what is undefined', () => {
    const caching = { smartCache: true, cacheExpiration: undefined as never };
    const app = new App();
    const site = new Site(app, 'shop', { caching });
    caching.smartCache = false;
    expect(() => Object.assign(site.props.caching as object, { smartCache: false })).toThrow(TypeError);
    expect(documentsOf(app)).toMatchObject([{ spec: { caching: { smartCache: true } } }]);
    expect(JSON.stringify(documentsOf(app))).not.toContain('cacheExpiration');
  });

  it('that hold themselves, or a `__proto__`, are told', () => {
    const loop: Record<string, unknown> = {};
    loop.caching = loop;
    const app = new App();
    new Site(app, 'a', loop);
    new Site(app, 'b', JSON.parse('{ "caching": { "__proto__": 1 } }') as object);
    const problems = app.synth().accounts.flatMap(({ manifests }) => manifests.flatMap((one) => one.problems));
    expect(problems.map(({ pointer, what }) => `${pointer} ${what}`)).toEqual([
      '/caching holds itself',
      '/caching/__proto__ is called `__proto__`, as no field can be',
    ]);
  });

  it('name where a secret comes from, and hold none', () => {
    expect(secret.env('MAIL_PASSWORD', { rotate: '1' })).toEqual({ env: 'MAIL_PASSWORD', rotate: '1' });
    expect(secret.file('secrets/a')).toEqual({ file: 'secrets/a' });
  });
});

/** Values that fit a shape roughly: what merges is the same whether or not a schema would take it. */
function valueFor(shape: Shape | undefined, depth: number): fc.Arbitrary<Json> {
  const leaf = fc.constantFrom<Json>(null, true, 1, 'a', 'b', [], ['a'], {});
  if (shape === undefined || depth === 0) return leaf;
  if (shape.is === 'choice') return fc.oneof(...shape.of.map((one) => valueFor(one, depth)));
  if (shape.is === 'list') {
    const { key = '' } = shape;
    const named = fc
      .tuple(fc.constantFrom('x', 'y', 'z'), valueFor(shape.items, depth - 1))
      .map(([name, item]): Json =>
        typeof item === 'object' && item !== null && !Array.isArray(item) && key !== ''
          ? { ...item, [key]: name }
          : item,
      );
    return fc.array(named, { maxLength: 3 });
  }
  if (shape.is === 'value') return leaf;
  const names = Object.keys(shape.fields);
  return fc
    .uniqueArray(fc.constantFrom(...names, 'unknown'), { maxLength: 4 })
    .chain((fields) =>
      fc.record(Object.fromEntries(fields.map((field) => [field, valueFor(fieldShape(shape, field), depth - 1)]))),
    );
}

describe('merge', () => {
  const shape = shapeAt(shapes.Site, '/spec');

  it('is what profiles do', () => {
    const spec = valueFor(shape, 4) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 3 }), (layers) => {
        const merged = layers.reduce((earlier, later) => mergeSpecs(earlier, later, shape), {});
        expect(Site.merge(...(layers as object[]))).toEqual(merged);
      }),
      { numRuns: 300 },
    );
  });

  it('merges the lists of a mailspace and a registration by what tells their items apart', () => {
    const [nl, be] = [
      { email: 'nl@example.com', name: 'Team' },
      { email: 'be@example.com', name: 'Team' },
    ];
    const boxes = (address: string, more: object) => ({
      mailboxes: [{ address, ...more }],
      aliases: [{ address: `x${address}`, target: address }],
    });
    expect(
      Mailspace.merge(
        { groups: [nl], ...boxes('a@example.com', { quota: 1 }) },
        {
          groups: [be, { email: 'nl@example.com', name: 'Dutch' }],
          ...boxes('a@example.com', { displayName: 'A' }),
        },
      ),
    ).toEqual({
      groups: [{ email: 'nl@example.com', name: 'Dutch' }, be],
      mailboxes: [{ address: 'a@example.com', quota: 1, displayName: 'A' }],
      aliases: [{ address: 'xa@example.com', target: 'a@example.com' }],
    });
    const host = (hostName: string, ...addresses: readonly string[]) => ({ hosts: [{ hostName, addresses }] });
    expect(
      DomainRegistration.merge(
        host('ns1', '1.1.1.1') as object,
        host('ns2', '1.1.1.2') as object,
        host('ns1', '1.1.1.3') as object,
      ),
    ).toEqual({ hosts: [...host('ns1', '1.1.1.3').hosts, ...host('ns2', '1.1.1.2').hosts] });
  });

  it('merges named lists by name, and takes out what is null', () => {
    const base = Site.merge({ caching: { smartCache: true, cacheExpiration: 60 }, lifecycle: { protect: true } });
    expect(Site.merge(base, { caching: { smartCache: null }, lifecycle: { state: 'present' } })).toEqual({
      caching: { cacheExpiration: 60 },
      lifecycle: { protect: true, state: 'present' },
    });
  });

  it('keeps constructs as they are', () => {
    const app = new App();
    const owner = new Contact(app, 'acme', {} as never);
    const merged = DomainRegistration.merge({ contacts: { owner } }, { autoRenew: true });
    expect(merged.contacts?.owner).toBe(owner);
    expect(owner).toBeInstanceOf(Manifest);
  });
});
