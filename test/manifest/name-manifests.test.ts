import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNamedByHostname, nameRoots, slugOf } from '../../src/manifest/write/name-manifests.ts';
import type { RootToName, TakenNames } from '../../src/manifest/write/name-manifests.ts';
import { validateSite, validateUser } from '../../src/manifest/generated/validators.js';

const site = (id: string, ...called: readonly string[]): RootToName => ({ kind: 'Site', folder: 'sites', id, called });
const registration = (name: string): RootToName => ({
  kind: 'DomainRegistration',
  folder: 'registrations',
  id: `id-${name}`,
  called: [name],
});
const namesOf = (roots: readonly RootToName[], taken?: TakenNames) => nameRoots(roots, taken).map(({ name }) => name);
const filesOf = (roots: readonly RootToName[], taken?: TakenNames) => nameRoots(roots, taken).map(({ file }) => file);

describe('the name of a manifest', () => {
  it('is what its object is called, as one word', () => {
    expect(nameRoots([site('1', 'Shop Ams', 'shop.example.com')])).toEqual([
      { name: 'shop-ams', file: 'sites/shop-ams.yaml' },
    ]);
    expect(namesOf([site('1', 'WooCommerce Größe & Co.')])).toEqual(['woocommerce-groesse-and-co']);
  });

  it('is the next best where nothing readable is left of it: a hostname, its id, its kind', () => {
    expect(namesOf([site('1', '\u{1f680}', 'shop.example.com'), site('42', '', '\u202e'), site('\u0007', '')])).toEqual(
      ['shop-example-com', '42', 'site'],
    );
  });

  it('goes to the one with the smaller id where two are called the same, whichever comes first', () => {
    const [a, b] = [site('a', 'Shop', 'shop.example.com'), site('b', 'shop!', 'shop.example.org')];
    expect(namesOf([a, b])).toEqual(['shop', 'shop-example-org']);
    expect(namesOf([b, a])).toEqual(['shop-example-org', 'shop']);
  });

  it('is not taken from who can be called nothing else', () => {
    expect(namesOf([site('a', 'Shop'), site('b', 'Shop', 'Store'), site('c', 'Store')])).toEqual([
      'shop',
      'b',
      'store',
    ]);
  });

  it('has a number where all else is taken', () => {
    expect(
      namesOf([site('a', 'a'), site('b', 'a', 'b'), site('c', 'b')], {
        manifests: [
          { kind: 'Site', name: 'A' },
          { kind: 'Site', name: 'c' },
          { kind: 'Site', name: 'site' },
        ],
        files: [],
      }),
    ).toEqual(['a-2', 'a-3', 'b']);
  });

  it('is none that a manifest of its kind has already, and may be one of another kind', () => {
    const taken = {
      manifests: [
        { kind: 'Site', name: 'shop' },
        { kind: 'User', name: 'blog' },
      ],
      files: ['sites/Blog.yaml'],
    };
    expect(nameRoots([site('x', 'Shop'), site('y', 'Blog')], taken)).toEqual([
      { name: 'x', file: 'sites/x.yaml' },
      { name: 'blog', file: 'sites/blog-2.yaml' },
    ]);
  });

  it('is the hostname itself where manifests are named so', () => {
    expect(['Site', 'Contact', 'User', 'PanelAccount'].filter(isNamedByHostname)).toEqual([]);
    expect(['DomainRegistration', 'Mailspace'].filter(isNamedByHostname)).toEqual(['DomainRegistration', 'Mailspace']);
    expect(nameRoots([registration('b\u00fccher.example'), registration('example.com')])).toEqual([
      { name: 'b\u00fccher.example', file: 'registrations/xn--bcher-kva.example.yaml' },
      { name: 'example.com', file: 'registrations/example.com.yaml' },
    ]);
  });
});

describe('the file of a manifest', () => {
  it.each(['CON', 'prn', 'nul', 'com1', 'LPT9', 'conin$'])('is none that Windows keeps for itself: %s', (called) => {
    expect(filesOf([site('1', called)])[0]).toMatch(/^sites\/(_[a-z0-9]+|conin)\.yaml$/);
  });

  it('is marked too where only the first part of a hostname is such a name', () => {
    expect(filesOf([registration('con.example'), registration('contact.example')])).toEqual([
      'registrations/_con.example.yaml',
      'registrations/contact.example.yaml',
    ]);
  });

  it('stays in its folder, whatever its object is called', () => {
    expect(
      filesOf([
        site('1', '../../etc/passwd'),
        registration('../../x'),
        registration('\u202e'),
        site('2', '.'),
        site('3', 'C:\\x'),
      ]),
    ).toEqual([
      'sites/etc-passwd.yaml',
      'registrations/x.yaml',
      'registrations/unnamed.yaml',
      'sites/2.yaml',
      'sites/c-x.yaml',
    ]);
  });

  it('is short enough, and none twice, where hostnames are long and alike', () => {
    const long = Array.from({ length: 4 }, () => 'a'.repeat(60)).join('.');
    const files = filesOf([registration(`${long}.com`), registration(`${long}.org`)]);
    expect(new Set(files).size).toBe(2);
    expect(files.every((file) => file.length < 150)).toBe(true);
  });
});

const HOSTILE = [
  'CON',
  'con',
  'Con.',
  '../x',
  '\u202egnp.exe',
  '\u{1f680}',
  '',
  ' ',
  '\u0000',
  'a'.repeat(10_000),
  '__proto__',
  'constructor',
  'Shop',
  'shop',
  'SHOP',
  'shop-2',
  '.',
  '..',
  'site',
  '\ud800',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 30 }));
const roots = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('Site', 'User'),
    folder: fc.constantFrom('sites', 'users'),
    id: fc.string({ minLength: 1, maxLength: 8 }),
    called: fc.array(text, { maxLength: 3 }),
  }),
  { maxLength: 12, selector: ({ kind, id }) => `${kind} ${id}` },
);

describe('names, whatever objects are called', () => {
  it('are valid, and none is there twice on any file system', () => {
    fc.assert(
      fc.property(roots, fc.array(text, { maxLength: 4 }), (objects, there) => {
        const named = nameRoots(objects, {
          manifests: there.map((name) => ({ kind: 'Site', name })),
          files: there.map((name) => `sites/${name}.yaml`),
        });
        for (const [index, { name, file }] of named.entries()) {
          const { kind, folder } = objects[index] as RootToName;
          expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(file).toMatch(new RegExp(`^${folder}/_?[a-z0-9]+(-[a-z0-9]+)*\\.yaml$`));
          expect(file.length).toBeLessThan(150);
          const document: unknown = {
            apiVersion: 'hostwright/v1',
            kind,
            metadata: { name },
            spec: kind === 'User' ? { email: 'a@b.example', fname: 'A', lname: 'B' } : {},
          };
          expect((kind === 'User' ? validateUser : validateSite)(document)).toBe(true);
          if (kind === 'Site') expect(there.map((one) => one.toLowerCase())).not.toContain(name);
        }
        expect(new Set(named.map(({ file }) => file)).size).toBe(objects.length);
        expect(new Set(named.map(({ name }, index) => `${objects[index]?.kind}/${name}`)).size).toBe(objects.length);
      }),
    );
  });

  it('are the same in whatever order the objects come', () => {
    fc.assert(
      fc.property(
        roots.chain((objects) =>
          fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
        ),
        ([objects, shuffled]) => {
          const keyed = (list: readonly RootToName[]) =>
            new Map(nameRoots(list).map((name, index) => [`${list[index]?.kind} ${list[index]?.id}`, name]));
          for (const [key, name] of keyed(objects)) expect(keyed(shuffled).get(key)).toEqual(name);
        },
      ),
    );
  });

  it('cost little where thousands are called the same', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...site(`\u202e${index}`, 'Shop'),
      id: '!'.repeat(index + 1),
    }));
    const names = namesOf(many);
    expect(new Set(names).size).toBe(5_000);
    expect(names).toContain('shop-4999');
  });

  it('do not end in a hyphen where they are cut', () => {
    expect(slugOf(`${'a'.repeat(59)} b`)).toBe('a'.repeat(59));
  });
});
