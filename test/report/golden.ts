// Compares text with a file beside the tests. `UPDATE_GOLDEN=1 npx vitest run test/report` writes the files anew; a
// person reads the diff.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'golden');

export function expectGolden(name: string, text: string): void {
  const file = join(folder, name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  expect(`${text}\n`).toBe(readFileSync(file, 'utf8'));
}
