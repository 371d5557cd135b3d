// Holds the table of threats in SECURITY.md to the tests that it names: each exists, under that title, and of each row one
// is seen to fail when its defence is taken out (`npm run test:all -- --only defences`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFENCES, WITHOUT } from './defences.ts';

const root = join(import.meta.dirname, '..');
const [, table = ''] = /^## Threats\n([\s\S]*)/m.exec(readFileSync(join(root, 'SECURITY.md'), 'utf8')) ?? [];
const rows = table.split('\n').filter((line) => /^\| (?!who \||---)/.test(line) || line.startsWith('| |'));
const proofs = [...table.matchAll(/`(test\/[^`]+\.test\.ts)` "([^"]+)"/g)].map(
  ([, file, title]) => [file as string, title as string] as const,
);

/** The titles of the tests in a file, with the quotes of the source taken away. */
function titlesIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(/\b(?:it|test)(?:\.(?:each|skipIf|runIf)(?:<[^>]*>)?\([\s\S]*?\))*\(\s*'((?:[^'\\]|\\.)*)'/g),
  ].map(([, title]) => (title as string).replaceAll("\\'", "'"));
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

describe('the defences that are taken out', () => {
  it.each(DEFENCES)('stand once in $file: $find', ({ file, find, replace }) => {
    expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  it.each(DEFENCES)('have a test that is there: $title', ({ test, title }) => {
    expect(titlesIn(test)).toContain(title);
  });

  it('are of every row, or it is said why none can be', () => {
    const isTakenOut = (row: string): boolean =>
      DEFENCES.some(({ test, title }) => row.includes(`\`${test}\` "${title}"`)) ||
      Object.keys(WITHOUT).some((proof) => row.includes(proof));
    expect(rows.filter((row) => !isTakenOut(row)).map((row) => row.slice(0, 160))).toEqual([]);
  });

  it('are left out for rows that are there', () => {
    expect(Object.keys(WITHOUT).filter((proof) => !table.includes(proof))).toEqual([]);
  });
});
