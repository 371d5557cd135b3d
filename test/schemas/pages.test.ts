// Pages are committed, because people read them on the forge. The generated code is not.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageFiles } from '../../.ci/pages.ts';

const root = path.resolve(import.meta.dirname, '../..');

test.each([...(await pageFiles())])('%s is what the sources give: run `npm run generate`', async (name, text) => {
  const committed = await readFile(path.join(root, name), 'utf8');
  // Compared as a boolean: a difference of 80 kB tells nobody anything.
  expect(committed === text).toBe(true);
});

test('the generated validators need no schema library', async () => {
  const text = await readFile(path.join(root, 'src/manifest/generated/validators.js'), 'utf8');
  expect(text.includes('__require')).toBe(false);
  expect([...text.matchAll(/^import .* from "(.*)";$/gm)].map((match) => match[1])).toEqual(['node:url']);
});
