// The recipe "Add a kind" of CONTRIBUTING.md, followed block by block in a copy of the repository: every edit fits, every
// command ends well, and the new kind is short to write. When not everything is played, only the edits are made; `.ci/run`
// follows all of it.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Step } from './support/console-blocks.ts';
import { stepsBelow } from './support/console-blocks.ts';
import { noBash } from './support/processes/installed.ts';
import { isWhole } from './support/whole.ts';
import { openFolder } from './support/closing.ts';

const root = join(import.meta.dirname, '..');
const NOT_COPIED = ['node_modules', '.git', 'dist', 'coverage', 'reports', '.stryker-tmp', '.hostwright'];
/** Of a list of items that are made, changed and removed: schema, sandbox, tests, what `get` shows and the kind itself. */
const MOST_LINES = 149;
const MOST_FILES = 12;

async function copyOfRepository(): Promise<string> {
  const copy = await openFolder();
  const names = (await readdir(root)).filter((name) => !NOT_COPIED.includes(name));
  await Promise.all(names.map((name) => cp(join(root, name), join(copy, name), { recursive: true })));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Without what the test runner says to its own children. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$)/.test(name)),
);

async function follow(step: Step, copy: string): Promise<void> {
  const where = `CONTRIBUTING.md:${step.line}`;
  if (step.is === 'command') {
    const end = await promisify(execFile)('bash', ['-c', step.command], { cwd: copy, env, maxBuffer: 64 << 20 }).catch(
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}\n${stderr}`,
    );
    expect(typeof end === 'string' ? end.slice(-4_000) : '', `${where}: ${step.command}`).toBe('');
    return;
  }
  const path = join(copy, step.path);
  if (step.is === 'file') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.text, { flag: 'wx' });
    return;
  }
  const parts = (await readFile(path, 'utf8')).split(step.before);
  expect(parts, `${where}: what is edited stands in ${step.path} once`).toHaveLength(2);
  await writeFile(path, parts.join(step.after));
}

/** The laws of the endpoints notice when a kind leaves its rows out. */
async function failsWithout(step: Extract<Step, { readonly is: 'edit' }>, copy: string): Promise<void> {
  await follow({ ...step, before: step.after, after: step.before }, copy);
  for (const law of ['test/areas', 'test/kinds/documented-answers.test.ts']) {
    const end = await promisify(execFile)('npx', ['vitest', 'run', law], { cwd: copy, env, maxBuffer: 64 << 20 }).then(
      () => 'nothing failed',
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
    );
    expect(end, law).toMatch(/bookmark/i);
  }
}

/** Lines that somebody writes. */
function written(step: Step): number {
  if (step.is === 'command') return 0;
  const lines = (text: string): number => text.split('\n').length - 1;
  return step.is === 'file' ? lines(step.text) : lines(step.after) - lines(step.before);
}

it.skipIf(noBash !== undefined)('the recipe for a kind leads from its schema to a change that is applied', async () => {
  const steps = stepsBelow(await readFile(join(root, 'CONTRIBUTING.md'), 'utf8'), 'Add a kind');
  expect(steps.filter(({ is }) => is === 'command').length).toBeGreaterThan(5);
  expect(steps.reduce((sum, step) => sum + written(step), 0)).toBeLessThanOrEqual(MOST_LINES);
  const touched = new Set(steps.flatMap((step) => (step.is === 'command' ? [] : [step.path])));
  expect(touched.size).toBeLessThanOrEqual(MOST_FILES);
  const folder = await copyOfRepository();
  for (const step of steps) if (isWhole || step.is !== 'command') await follow(step, folder);
  const rows = steps.filter((step) => step.is === 'edit' && step.path.endsWith('/endpoints.ts'));
  expect(rows).toHaveLength(1);
  for (const step of rows) if (isWhole && step.is === 'edit') await failsWithout(step, folder);
});
