// Hundreds of manifests cost about what parsing their YAML costs, and traps do not take minutes. No absolute times:
// machines differ.
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { registry } from '../../src/kinds/index.ts';
import { readManifests } from '../../src/manifest/read/read.ts';
import { profile, readText, site } from './support.ts';

const COUNT = 300;

function manifest(index: number): string {
  return site(
    `site-${index}`,
    `  name: Site number ${index}
  primaryDomain: www.site-${index}.example.com
  domains:
    - www.site-${index}.example.com
    - site-${index}.example.com
    - hostname: shop.site-${index}.example.com
      attach: dns
  caching:
    smartCache: true
    cacheExpiration: 3600
    browserCacheExpiration: 600
    queryStringOrdering: true
    cacheErrorResponses: false
    varyAvif: true
    varyWebp: true
    varyMobile: false
    varyHostname: true
    varyCookie: true
    disableCookies: false
    cacheSlice: false
    staleWhileOffline: true
    staleWhileUpdating: true
    cookieVaryParameters: [currency, lang]
    queryStringVaryParameters:
      - page
      - sort`,
  );
}

/** By the processor's time: what else the machine does meanwhile is not ours. */
async function costOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** The middle of three, which take turns. */
async function ratioOf(work: () => unknown, floor: () => unknown): Promise<number> {
  const ratios: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const bare = await costOf(floor);
    ratios.push((await costOf(work)) / bare);
  }
  return ratios.sort((left, right) => left - right)[1] as number;
}

test('many manifests take about as long as their YAML', async () => {
  const text = Array.from({ length: COUNT }, (_, index) => manifest(index)).join('---\n');
  const stdin = () => Promise.resolve(new TextEncoder().encode(text));
  const read = () => readManifests(['-'], { cwd: '/', root: '/', registry, stdin });
  expect((await read()).collections).toHaveLength(2 * COUNT + 1);
  const yaml = () => parseAllDocuments(text).map((document) => document.toJS() as unknown);
  expect(await ratioOf(read, yaml)).toBeLessThan(4);
});

test('many manifests on two profiles take little longer than as many that say it all themselves', async () => {
  const caching = (text: string) => text.slice(text.indexOf('  caching:'));
  const shared =
    profile('one', caching(manifest(0))) +
    '---\n' +
    profile('two', '  caching: { varyMobile: true, cookieVaryParameters: [lang] }');
  const plain = Array.from({ length: COUNT }, (_, index) => manifest(index)).join('---\n');
  // The same text and two profiles below it: what is measured is merging, not what profiles save.
  const profiled = `${shared}---\n${Array.from({ length: COUNT }, (_, index) => manifest(index).replace('spec:\n', 'spec:\n  profiles: [one, two]\n')).join('---\n')}`;
  const read = (text: string) =>
    readManifests(['-'], {
      cwd: '/',
      root: '/',
      registry,
      stdin: () => Promise.resolve(new TextEncoder().encode(text)),
    });
  expect((await read(profiled)).collections).toHaveLength(2 * COUNT + 1);
  expect((await read(profiled)).diagnostics).toEqual([]);
  expect(
    await ratioOf(
      () => read(profiled),
      () => read(plain),
    ),
  ).toBeLessThan(1.5);
});

test('a place in a merged manifest is looked for once it is asked for', async () => {
  const rules = profile('one', '  caching: { smartCache: true }');
  const sites = Array.from({ length: 1_000 }, (_, index) =>
    site(`s${index}`, '  profiles: [one]\n  caching: { varyAvif: true }'),
  ).join('---\n');
  const { collections } = await readText(`${rules}---\n${sites}`);
  const lines = collections
    .filter(({ kind }) => kind === 'Caching')
    .map(({ members }) => members[0]?.sourceOf('smartCache')?.line);
  expect(new Set(lines)).toEqual(new Set([6]));
  expect(lines).toHaveLength(1_000);
});

describe('traps end', () => {
  const count = 20_000;
  const lines = (line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  test.each<readonly [string, string, string]>([
    [
      'a long list without repeats',
      site('a', `  caching:\n    cookieVaryParameters:\n${lines((index) => `      - p${index}`)}`),
      '',
    ],
    ['a long list of hostnames', site('a', `  domains:\n${lines((index) => `    - h${index}.example`)}`), ''],
    [
      'many unknown fields',
      site(
        'a',
        lines((index) => `  k${index}: 1`),
      ),
      'HW1201',
    ],
    ['one key again and again', site('a', '  k: 1\n'.repeat(count)), 'HW1102'],
    ['many aliases', site('a', `  domains: [&a a.example, ${'*a, '.repeat(count)}]`), 'HW1104'],
    ['many documents', '---\na\n'.repeat(count / 5), 'HW1110'],
    ['a line of words that look like secrets', site('a', `  ${'token'.repeat(count)}: 1`), 'HW1101'],
    ['a long hostname', site('a', `  primaryDomain: ${'a-'.repeat(count)}.${'b.'.repeat(count)}`), 'HW1207'],
  ])('%s', async (_name, text, code) => {
    const { diagnostics } = await readText(text);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(code === '' ? [] : expect.arrayContaining([code]));
  });
});
