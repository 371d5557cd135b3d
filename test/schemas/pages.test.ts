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

test.each(['validators', 'workspace-validator'])('the generated %s need no schema library', async (name) => {
  const text = await readFile(path.join(root, `src/manifest/generated/${name}.js`), 'utf8');
  expect(text.includes('__require')).toBe(false);
  const imported = [...text.matchAll(/^import .* from "(.*)";$/gm)].map((match) => match[1]);
  expect(imported.filter((module) => module !== 'node:url')).toEqual([]);
});
