// What `npm run test:all` names is there.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loopFiles, SAMPLE, shardOf, TUTORIAL } from '../../.ci/test-all.ts';

const root = join(import.meta.dirname, '../..');

it('finds the tests that are quicker in `npm test`, wherever they are', () => {
  const folders = new Set(loopFiles().map((file) => dirname(file).replace('test/', '')));
  const areas = ['cdn', 'commands', 'faults', 'mail', 'panel', 'registration', 'shield', 'site', 'user'];
  expect([...folders].sort()).toEqual([
    'ci',
    'constructs',
    'events',
    'kinds/cdn',
    'library',
    'manifest',
    'properties',
    'report/html',
    'sandbox',
    ...areas.map((area) => `sessions/${area}`),
    'simulation',
    'terraform',
    'test',
    'worker',
  ]);
});

it('samples tests that are there', () => {
  expect([...SAMPLE, TUTORIAL].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('deals the loops out: each to one shard', () => {
  const files = loopFiles();
  expect(shardOf(files, '1/1')).toEqual(files);
  expect(['1/3', '2/3', '3/3'].flatMap((shard) => shardOf(files, shard)).sort()).toEqual(files);
  for (const shard of ['0/3', '4/3', '1', '1/0', 'a/b']) expect(() => shardOf(files, shard)).toThrow('say it as 2/3');
});
