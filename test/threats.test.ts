// Holds the table of threats in ARCHITECTURE.md to the tests that it names: each file is there, and has a test or a case of that name.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const section = /## Who may be hostile\n([^]*?)\n## /.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))?.[1] ?? '';
const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| who '));

describe('the table of threats', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows.map((row) => [row.split('|')[2]?.trim() ?? '', row]))('names what stops who tries to %s, and a test that is there', (_what, row) => {
    const [, , , stopped = '', proof = ''] = row.split('|').map((cell) => cell.trim());
    expect(stopped).not.toBe('');
    const named = proof.split('; ').map((one) => /^`([^`]+\.test\.ts)` "([^"]+)"$/.exec(one));
    for (const [index, match] of named.entries()) {
      const [, file = '', name = ''] = match ?? [];
      expect(existsSync(join(root, file)) && file !== '', `${proof.split('; ')[index]} names no test file`).toBe(true);
      const titles = [...readFileSync(join(root, file), 'utf8').matchAll(/(?:\b(?:it|test|describe)[.\w]*|\))\(\s*[`'"]([^\n]*)|name: '([^'\n]*)'/g)].map(([, title, listed]) => title ?? listed ?? '');
      expect(titles.some((title) => title.includes(name)), `${file} has no test named "${name}": ${titles.join(' / ').slice(0, 1500)}`).toBe(true);
    }
  });
});
