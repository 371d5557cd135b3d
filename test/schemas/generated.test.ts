// What is generated from the schemas is committed: this fails when the two no longer agree.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generateFiles } from '../../.ci/generate.ts';
import { isWhole } from '../support/whole.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = await generateFiles();

test.each([...files])('%s is what the schemas give: run `npm run generate`', async (name, text) => {
  const committed = await readFile(path.join(root, name), 'utf8');
  // Compared as a boolean: a difference of 80 kB tells nobody anything.
  expect(committed === text).toBe(true);
});

test('the generated validators need no schema library', () => {
  const text = files.get('src/manifest/generated/validators.js') ?? '';
  expect(text.includes('__require')).toBe(false);
  expect([...text.matchAll(/^import .* from "(.*)";$/gm)].map((match) => match[1])).toEqual(['node:url']);
});

test.runIf(isWhole)('two runs give the same bytes', async () => {
  expect(await generateFiles()).toEqual(files);
});
