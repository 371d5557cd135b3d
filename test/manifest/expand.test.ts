// Manifests to collections: addresses, keys, ignored fields, what is managed, and where each thing stands.
import { describe, expect, test } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { expandManifests } from '../../src/manifest/read/expand.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import { readFrom, readText, site } from './support.ts';

function find(collections: readonly DesiredCollection[], name: string): DesiredCollection | undefined {
  return collections.find(({ collection }) => collection === name);
}

async function expand(text: string): Promise<readonly DesiredCollection[]> {
  const { collections, diagnostics } = await readText(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return collections;
}

const full = `apiVersion: hostwright/v1
kind: Site
metadata: { name: my shop, id: id-1, renamedFrom: old/shop }
lifecycle: { protect: true }
spec:
  name: Shop
  primaryDomain: Shop.Example.com
  domains:
    - www.example.com.
    - hostname: shop.example.com
      attach: dns
  caching:
    smartCache: true
    cookieVaryParameters: [b, a]
  unlisted: { domains: remove }
`;

describe('one site', () => {
  test('the root', async () => {
    const root = find(await expand(full), 'Site');
    expect(root).toMatchObject({ kind: 'Site', parent: null, partial: true, unlisted: 'keep' });
    expect(root?.members[0]).toMatchObject({
      address: 'Site/my%20shop',
      identity: 'my shop',
      parent: null,
      spec: { name: 'Shop' },
      lifecycle: { state: 'present', protect: true },
      boundId: 'id-1',
      renamedFrom: 'Site/old%2Fshop',
      keys: [['www.example.com', 'shop.example.com'], ['Shop']],
    });
    expect(root?.members[0]?.sourceOf('')).toEqual({ file: '-', line: 3, column: 13 });
    expect(root?.members[0]?.sourceOf('name')).toEqual({ file: '-', line: 6, column: 3 });
  });

  test('its hostnames', async () => {
    const domains = find(await expand(full), 'Site/my%20shop/SiteDomain');
    expect(domains).toMatchObject({
      kind: 'SiteDomain',
      parent: 'Site/my%20shop',
      unlisted: 'remove',
      protect: true,
      partial: false,
    });
    expect(domains?.members.map(({ address, spec }) => [address, spec])).toEqual([
      ['Site/my%20shop/SiteDomain/www.example.com', { hostname: 'www.example.com' }],
      ['Site/my%20shop/SiteDomain/shop.example.com', { hostname: 'shop.example.com', attach: 'dns', primary: true }],
    ]);
    expect(domains?.sourceOf('')).toEqual({ file: '-', line: 8, column: 3 });
    expect(domains?.members[0]?.sourceOf('hostname')).toEqual({ file: '-', line: 9, column: 7 });
    expect(domains?.members[1]?.sourceOf('attach')).toEqual({ file: '-', line: 11, column: 7 });
    expect(domains?.members[1]?.sourceOf('/primary')).toEqual({ file: '-', line: 7, column: 3 });
  });

  test('its caching settings, sets sorted', async () => {
    const caching = find(await expand(full), 'Site/my%20shop/Caching');
    expect(caching?.members).toHaveLength(1);
    expect(caching?.members[0]).toMatchObject({
      address: 'Site/my%20shop/Caching',
      spec: { smartCache: true, cookieVaryParameters: ['a', 'b'] },
    });
    expect(caching?.members[0]?.sourceOf('cookieVaryParameters')).toEqual({ file: '-', line: 14, column: 5 });
  });
});

describe('what is managed', () => {
  test('an empty spec manages the root alone', async () => {
    const collections = await expand(site('a', '  {}'));
    expect(collections.map(({ collection }) => collection)).toEqual(['Site']);
    expect(collections[0]?.members[0]).toMatchObject({ spec: {}, keys: [[], []] });
  });

  test('a primary hostname alone says nothing about the list', async () => {
    const domains = find(await expand(site('a', '  primaryDomain: a.example')), 'Site/a/SiteDomain');
    expect(domains).toMatchObject({
      partial: true,
      unlisted: 'keep',
      members: [{ spec: { hostname: 'a.example', primary: true } }],
    });
  });

  test('an empty list is a managed list', async () => {
    expect(find(await expand(site('a', '  domains: []')), 'Site/a/SiteDomain')).toMatchObject({
      partial: false,
      members: [],
    });
  });

  test.each([
    ['/caching/smartCache', ['Site', 'Site/a/SiteDomain', 'Site/a/Caching'], { varyCookie: true }],
    ['/caching', ['Site', 'Site/a/SiteDomain'], undefined],
  ])('ignoring %s', async (pointer, names, spec) => {
    const text = site('a', '  domains: [a.example]\n  caching: { smartCache: true, varyCookie: true }').replace(
      'spec:',
      `lifecycle: { ignore: [${pointer}] }\nspec:`,
    );
    const collections = await expand(text);
    expect(collections.map(({ collection }) => collection)).toEqual(names);
    expect(find(collections, 'Site/a/Caching')?.members[0]?.spec).toEqual(spec);
  });

  test('ignored hostnames do not bind either', async () => {
    const text = site('a', '  name: A\n  domains: [a.example]').replace(
      'spec:',
      'lifecycle: { ignore: [/domains, /name] }\nspec:',
    );
    expect((await expand(text))[0]?.members[0]).toMatchObject({ spec: {}, keys: [[], []] });
  });
});

describe('many sites', () => {
  test('the order of files and documents makes no difference', async () => {
    const texts = ['b', 'a', 'ä', 'C'].map((name) => site(name, `  domains: [${name}.example]`));
    const one = await readFrom({ '1.yaml': texts.join('---\n') });
    const two = await readFrom(Object.fromEntries([...texts].reverse().map((text, index) => [`${index}.yaml`, text])));
    const plain = (collections: readonly DesiredCollection[]) => JSON.stringify(collections);
    expect(plain(one.collections)).toBe(plain(two.collections));
    expect(one.collections.map(({ collection }) => collection)).toEqual([
      'Site',
      'Site/C/SiteDomain',
      'Site/a/SiteDomain',
      'Site/b/SiteDomain',
      'Site/ä/SiteDomain',
    ]);
  });

  test('no manifests, no collections', () => {
    expect(expandManifests([], registry)).toEqual([]);
  });

  test('places are found through aliases and in long files', async () => {
    const text = Array.from({ length: 200 }, (_, index) =>
      site(`s${index}`, `  caching: &c { smartCache: true }\n  domains: [s${index}.example]`),
    ).join('---\n');
    const collections = await expand(text);
    expect(find(collections, 'Site/s150/Caching')?.members[0]?.sourceOf('smartCache')).toEqual({
      file: '-',
      line: 150 * 8 + 6,
      column: 17,
    });
  });
});
