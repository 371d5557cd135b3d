// Profiles in manifests: what is wanted, where each value stands, what is told and how often.
import { describe, expect, test } from 'vitest';
import type { DesiredCollection } from '../../src/model/desired.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { meaningProblems } from '../../src/manifest/read/semantic-checks.ts';
import type { ParsedDocument } from '../../src/manifest/read/parse.ts';
import { parseYaml, problemAt } from '../../src/manifest/read/parse.ts';
import { chainOf, mergeDocument } from '../../src/manifest/read/profiles.ts';
import type { Shape } from '../../src/manifest/shape.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { toyRegistry } from '../support/toy-kinds.ts';
import type { Files } from './support.ts';
import { brief, profile, readFrom, readText, site } from './support.ts';
import { containing, matching } from '../support/matchers.ts';

async function caching(files: Files): Promise<DesiredCollection | undefined> {
  const { collections, diagnostics } = await readFrom(files);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return collections.find(({ kind }) => kind === 'Caching');
}

const base = profile(
  'base',
  '  caching:\n    smartCache: true\n    cacheExpiration: 60\n    cookieVaryParameters: [b, a]',
);
const shop = profile('shop', '  caching:\n    cacheExpiration: 120\n    varyCookie: true');

describe('what is wanted', () => {
  test('profiles in order, the site last', async () => {
    const files = (names: string, own = '') => ({
      'profiles.yaml': `${base}---\n${shop}`,
      'site.yaml': site('s', `  profiles: [${names}]\n${own}`),
    });
    expect((await caching(files('base')))?.members[0]?.spec).toEqual({
      smartCache: true,
      cacheExpiration: 60,
      cookieVaryParameters: ['a', 'b'],
    });
    expect((await caching(files('base, shop')))?.members[0]?.spec).toEqual({
      smartCache: true,
      cacheExpiration: 120,
      varyCookie: true,
      cookieVaryParameters: ['a', 'b'],
    });
    expect((await caching(files('shop, base')))?.members[0]?.spec).toMatchObject({ cacheExpiration: 60 });
    expect(
      (await caching(files('base, shop', '  caching: { cacheExpiration: 5, cookieVaryParameters: [c] }')))?.members[0]
        ?.spec,
    ).toEqual({ smartCache: true, cacheExpiration: 5, varyCookie: true, cookieVaryParameters: ['c'] });
  });

  test('null takes a field out, or the whole section; a later profile can do it too', async () => {
    const one = { 'profiles.yaml': base };
    expect(
      (
        await caching({
          ...one,
          'site.yaml': site('s', '  profiles: [base]\n  caching: { smartCache: null, varyAvif: true }'),
        })
      )?.members[0]?.spec,
    ).toEqual({ cacheExpiration: 60, varyAvif: true, cookieVaryParameters: ['a', 'b'] });
    expect(await caching({ ...one, 'site.yaml': site('s', '  profiles: [base]\n  caching: null') })).toBeUndefined();
    const two = `${base}---\n${profile('less', '  caching: { smartCache: ~ }')}`;
    expect(
      (await caching({ 'profiles.yaml': two, 'site.yaml': site('s', '  profiles: [base, less]') }))?.members[0]?.spec,
    ).not.toHaveProperty('smartCache');
    expect(
      (await caching({ 'profiles.yaml': two, 'site.yaml': site('s', '  profiles: [less, base]') }))?.members[0]?.spec,
    ).toHaveProperty('smartCache');
  });

  test('without profiles null is what is not written', async () => {
    const { collections, diagnostics } = await readText(
      site('s', '  unlisted:\n  caching: { smartCache: null, varyAvif: true }'),
    );
    expect(diagnostics).toEqual([]);
    expect(JSON.stringify(collections)).toBe(
      JSON.stringify((await readText(site('s', '  caching: { varyAvif: true }'))).collections),
    );
  });

  test('what is ignored is ignored after merging', async () => {
    const text = site('s', '  profiles: [base]\n  caching: { varyAvif: true }').replace(
      'spec:',
      'lifecycle: { ignore: [/caching/smartCache, /caching/varyAvif] }\nspec:',
    );
    expect((await caching({ 'a.yaml': base, 'b.yaml': text }))?.members[0]?.spec).toEqual({
      cacheExpiration: 60,
      cookieVaryParameters: ['a', 'b'],
    });
  });

  test('a profile wants nothing by itself, and a site without profiles is as before', async () => {
    expect((await readText(base)).collections).toEqual([]);
    const { collections, manifests } = await readFrom({ 'a.yaml': base, 'b.yaml': site('s') });
    expect(collections.map(({ collection }) => collection)).toEqual(['Site']);
    expect(manifests.map(({ kind }) => kind)).toEqual(['SiteProfile', 'Site']);
  });

  test('the order of files makes no difference', async () => {
    const text = site('s', '  profiles: [base, shop]');
    const one = await readFrom({ '1.yaml': text, '2.yaml': shop, '3.yaml': base });
    const two = await readFrom({ '1.yaml': base, '2.yaml': shop, '3.yaml': text });
    expect(JSON.stringify(one.collections)).toBe(JSON.stringify(two.collections));
  });
});

describe('where it stands', () => {
  test('each field where it was said last', async () => {
    const found = await caching({
      'base.yaml': base,
      'shop.yaml': shop,
      'site.yaml': site('s', '  profiles: [base, shop]\n  caching: { varyAvif: true }'),
    });
    const at = (field: string) => {
      const { file, line } = found?.members[0]?.sourceOf(field) ?? { file: '', line: 0 };
      return `${file}:${line}`;
    };
    expect(['smartCache', 'cacheExpiration', 'varyCookie', 'varyAvif', 'cookieVaryParameters', ''].map(at)).toEqual([
      'base.yaml:7',
      'shop.yaml:7',
      'shop.yaml:8',
      'site.yaml:7',
      'base.yaml:9',
      'site.yaml:7',
    ]);
    // What no one says is at the section of the site.
    expect(at('disableCookies')).toBe('site.yaml:7');
  });

  test('a section that only a profile has is at the profile', async () => {
    const found = await caching({ 'base.yaml': base, 'site.yaml': site('s', '  profiles: [base]') });
    expect(found?.sourceOf('')).toEqual({ file: 'base.yaml', line: 6, column: 3 });
  });
});

describe('what is told', () => {
  const users = Array.from({ length: 20 }, (_, index) =>
    site(`s${index}`, '  profiles: [base]\n  caching: { varyAvif: true }'),
  ).join('---\n');

  test.each([
    ['  caching: { smartCache: yes }', 'HW1203 a.yaml:6:26 «yes»'],
    ['  caching: { smartCash: true }', 'HW1201 a.yaml:6:14 «smartCash»'],
    ['  caching: { cookieVaryParameters: [a, a] }', 'HW1208 a.yaml:6:40 «a»'],
    ['  unlisted: { domains: remove }', 'HW1308 a.yaml:6:15 «domains»'],
    ['  domains: [a.example]', 'HW1324 a.yaml:6:3 «domains»'],
    ['  caching: 5', 'HW1203 a.yaml:6:12 «5»'],
  ])('a mistake in a profile once, at the profile, whoever uses it: %s', async (spec, gives) => {
    const { diagnostics } = await readFrom({ 'a.yaml': profile('base', spec), 'b.yaml': users });
    expect(diagnostics.map(brief)).toEqual([gives]);
  });

  test('a mistake of a site at the site', async () => {
    const { diagnostics } = await readFrom({
      'a.yaml': base,
      'b.yaml': site('s', '  profiles: [base]\n  caching: { smartCache: yes }'),
    });
    expect(diagnostics.map(brief)).toEqual(['HW1203 b.yaml:7:26 «yes»']);
    expect(diagnostics[0]).toMatchObject({ pointer: '/spec/caching/smartCache', address: 'Site/s' });
  });

  test('that nobody uses a profile is no error', async () => {
    const { diagnostics, collections } = await readFrom({ 'a.yaml': base, 'b.yaml': site('s') });
    expect(diagnostics).toMatchObject([{ code: 'HW1323', severity: 'info', address: 'SiteProfile/base' }]);
    expect(collections).toHaveLength(1);
  });

  test.each(['5', '[[base]]', '[null]', '{ base: true }', '""'])('profiles: %s is refused', async (names) => {
    const { diagnostics } = await readText(site('s', `  profiles: ${names}`));
    expect(diagnostics.some(({ code }) => code === 'HW1203' || code === 'HW1320')).toBe(true);
  });
});

test('an item of a list is named as it is counted where it stands', async () => {
  const text = site(
    's',
    '  profiles: [base]\n  domains:\n    - a.example\n    - { hostname: b.example, attach: soon, junk: 1 }',
  );
  const { diagnostics } = await readFrom({ 'a.yaml': base, 'b.yaml': text });
  expect(diagnostics.map(({ detail }) => detail)).toEqual([
    containing('`attach` cannot be `soon`'),
    containing('in `domains[1]`'),
  ]);
});

describe('lists whose items have names', () => {
  const shape: Shape = {
    is: 'object',
    fields: {
      rules: {
        is: 'list',
        key: 'name',
        items: {
          is: 'object',
          fields: {
            name: { is: 'value', type: 'string' },
            size: { is: 'value', type: 'number' },
            colour: { is: 'value', type: 'string' },
          },
        },
      },
    },
  };
  const document = (file: string, rules: string): ParsedDocument => {
    const text = `kind: Box\nmetadata: { name: ${file} }\nspec:\n  rules:\n${rules}`;
    return parseYaml(new SourceText(`${file}.yaml`, text)).documents[0] as ParsedDocument;
  };
  const shared = document('shared', '    - { name: first, size: 1, colour: red }\n    - { name: second, size: 2 }\n');

  function over(rules: string): ParsedDocument {
    return mergeDocument(document('box', rules), chainOf([shared], shape), shape);
  }

  function problems(merged: ParsedDocument): readonly string[] {
    const manifest = {
      kind: 'Box',
      name: 'box',
      lifecycle: { state: 'present', protect: false },
      spec: (merged.value as { readonly spec: JsonObject }).spec,
      sourceOf: () => undefined,
    } as const;
    return meaningProblems([{ document: merged, kind: 'Box', address: 'Box/box', manifest }], toyRegistry).map(
      (diagnostic) => `${brief(diagnostic)} ${diagnostic.detail}`,
    );
  }

  test('merge by name; each field is at its own place', () => {
    const merged = over('    - { name: third }\n    - { name: first, colour: null, size: 9 }\n');
    expect((merged.value as { readonly spec: Json }).spec).toEqual({
      rules: [{ name: 'first', size: 9 }, { name: 'second', size: 2 }, { name: 'third' }],
    });
    const at = (pointer: string) => brief(problemAt(merged, pointer, 'HW1203', 'It is.'));
    expect(at('/spec/rules/0/size')).toBe('HW1203 box.yaml:6:42 «9»');
    expect(at('/spec/rules/1/size')).toBe('HW1203 shared.yaml:6:29 «2»');
    expect(at('/spec/rules/2')).toBe('HW1203 box.yaml:5:7 «{ name: third }»');
    expect(merged.place('/spec/rules/1/size')).toMatchObject({ shared: true, pointer: '/spec/rules/1/size' });
    expect(merged.place('/spec/rules/2/name')).toMatchObject({ shared: false, pointer: '/spec/rules/0/name' });
    expect(problems(merged)).toEqual([]);
  });

  test('a name twice in one list is told with both places, wherever they are', () => {
    expect(problems(over('    - { name: first }\n    - { name: first }\n'))).toEqual([
      matching(/^HW1303 box\.yaml:6:7 .*`first` is declared at `box\.yaml:5` already/),
    ]);
    const twice = document('twice', '    - { name: same }\n    - { name: same }\n');
    const merged = mergeDocument(document('box', '    - { name: other }\n'), chainOf([shared, twice], shape), shape);
    expect(problems(merged)).toEqual([
      matching(/^HW1303 twice\.yaml:6:7 .*`same` is declared at `twice\.yaml:5` already/),
    ]);
  });
});
