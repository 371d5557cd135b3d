// Large manifests and traps end. What reading costs beside the YAML in it is measured by `npm run bench`.
import { describe, expect, test, vi } from 'vitest';
import { profile, readText, site } from './support.ts';

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

test('errors are copied at most as often as there are errors', async () => {
  const count = 20_000;
  const concat = vi.spyOn(Array.prototype, 'concat');
  const { diagnostics } = await readText(site('a', `  domains:\n${'    - a\n'.repeat(count)}`));
  const copied = concat.mock.contexts.reduce<number>((sum, list) => sum + (list as unknown[]).length, 0);
  concat.mockRestore();
  expect(copied).toBeLessThan(10 * count);
  expect(diagnostics.at(-1)?.code).toBe('HW1207');
  expect(diagnostics.find(({ code }) => code === 'HW1214')?.detail).toContain('And 19,900 more in this document.');
});
