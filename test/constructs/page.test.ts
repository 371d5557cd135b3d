// The program of docs/constructs.md and its tests: they run as they stand there, in the test runner of Node.js, with the
// package as it is built.
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nodesOf } from '../support/markdown.ts';
import { openFolder } from '../support/closing.ts';

const root = join(import.meta.dirname, '../..');

it('the page about programs: its tests pass', async () => {
  const folder = await openFolder();
  const text = await readFile(join(root, 'docs/constructs.md'), 'utf8');
  const files = nodesOf(text).flatMap((node) => {
    const [, name] = node.type === 'code' && node.lang === 'ts' ? (/^\/\/ (\S+)\n/.exec(node.value) ?? []) : [];
    return name === undefined || node.type !== 'code' ? [] : [{ name, text: node.value }];
  });
  expect(files.map(({ name }) => name)).toEqual(['hosting.ts', 'hosting.test.ts']);
  for (const file of files) await writeFile(join(folder, file.name), file.text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/hostwright'));
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', tsx, '--test', '--test-reporter=tap', 'hosting.test.ts'],
    { cwd: folder, env: { PATH: process.env.PATH ?? '' } },
  );
  expect(stdout).toMatch(/^# pass 3$/m);
});
