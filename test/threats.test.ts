// Holds the table of threats in SECURITY.md to the tests that it names: each exists, under that title.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const [, table = ''] = /^## Threats\n([\s\S]*)/m.exec(readFileSync(join(root, 'SECURITY.md'), 'utf8')) ?? [];
const rows = table.split('\n').filter((line) => /^\| (?!who|---)/.test(line) || line.startsWith('| |'));
const proofs = [...table.matchAll(/`(test\/[^`]+\.test\.ts)` "([^"]+)"/g)].map(
  ([, file, title]) => [file as string, title as string] as const,
);

/** The titles of the tests in a file, with the quotes of the source taken away. */
function titlesIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\b(?:it|test)(?:\.each(?:<[^>]*>)?\([\s\S]*?\))?\(\s*'((?:[^'\\]|\\.)*)'/g)].map(
    ([, title]) => (title as string).replaceAll("\\'", "'"),
  );
}

describe('the table of threats', () => {
  it('names a proof in every row', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !/`test\/[^`]+` "/.test(row))).toEqual([]);
  });

  it.each(proofs)('%s: %s', (file, title) => {
    expect(titlesIn(file)).toContain(title);
  });
});
