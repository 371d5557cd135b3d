// What `npm run test:all` names is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopFiles, SAMPLE, TUTORIAL } from '../../.ci/test-all.ts';

const root = join(import.meta.dirname, '../..');

it('finds the tests with loops, in every area that has some', () => {
  const areas = new Set(loopFiles().map((file) => file.split('/')[2]));
  expect([...areas].sort()).toEqual(['commands', 'faults', 'mail', 'panel', 'registration', 'site']);
});

it('samples tests that are there', () => {
  expect([...SAMPLE, TUTORIAL].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
