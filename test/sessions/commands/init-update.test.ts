// `init --ci ... --update`: unmodified CI files are overwritten, modified ones are left, and one file names the version.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../package.json';
import { compareCiFiles } from '../../../src/usecases/write/ci-files.ts';
import { writeEditedFiles } from '../../../src/manifest/edit/write-edited.ts';
import { writeNewFiles } from '../../../src/manifest/write/new-files.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { containing } from '../../support/matchers.ts';

const FILE = '.github/workflows/hostwright-drift.yml';
const OLD = 'name: Drift\non: { schedule: "1" }\njobs: {}\n';
const NEW = OLD.replace('jobs: {}', 'jobs: { drift: {} }');

let parent = '';
let folder = '';
let count = 0;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hostwright-update-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));
beforeEach(async () => {
  folder = join(parent, `w${(count += 1)}`);
  await mkdir(folder);
});

const read = (file = FILE): Promise<string> => readFile(join(folder, file), 'utf8');
const write = (text: string): Promise<void> => writeFile(join(folder, FILE), text);

/** Compares and writes the file that a version generates, as `init` does. */
async function bring(text: string, update = true, file = FILE) {
  const found = await compareCiFiles(folder, [{ file, text }], { update });
  expect([...(await writeNewFiles(folder, found.added)), ...(await writeEditedFiles(found.edits))]).toEqual([]);
  return found;
}

describe('a generated CI file', () => {
  it('is overwritten if it is unmodified, also with the line endings of Windows; a second time changes nothing', async () => {
    for (const convert of [(text: string) => text, (text: string) => text.replaceAll('\n', '\r\n')]) {
      await bring(OLD);
      await write(convert(await read()));
      expect((await bring(NEW)).edits.map(({ file }) => file)).toEqual([FILE]);
      expect(await read()).toMatch(/^# hostwright-checksum: [0-9a-f]{64}\nname: Drift\n/);
      expect(await bring(NEW)).toMatchObject({ added: [], edits: [], left: [FILE], diagnostics: [] });
      await rm(join(folder, FILE));
    }
  });

  it.each([
    ['a modified line', (text: string) => text.replace('"1"', '"7"')],
    ['a removed checksum', (text: string) => text.replace(/^#.*\n/, '')],
    ['a checksum of something else', (text: string) => text.replace(/[0-9a-f]{64}/, '0'.repeat(64))],
  ])('is left and shown as a diff with %s; without --update it is only left', async (_what, modify) => {
    await bring(OLD);
    const before = modify(await read());
    await write(before);
    expect(await bring(NEW, false)).toMatchObject({ added: [], edits: [], left: [FILE], diagnostics: [] });
    expect(await bring(NEW)).toMatchObject({
      edits: [],
      left: [FILE],
      differences: [{ file: FILE, before }],
      diagnostics: [{ code: 'HW6734', severity: 'error' }],
    });
    expect(await read()).toBe(before);
  });

  it('is left where a link leads out of the repository', async () => {
    await mkdir(join(folder, '.git'));
    await symlink(parent, join(folder, 'ci'));
    const { edits, added, diagnostics } = await bring(NEW, true, 'ci/hostwright.sh');
    expect([edits, added, diagnostics]).toMatchObject([[], [], [{ code: 'HW6734' }]]);
  });

  it('is written again if it was deleted, and keeps the first line of a script', async () => {
    await bring(OLD);
    await rm(join(folder, FILE));
    await bring('#!/bin/sh\nset -u\n');
    expect(await read()).toMatch(/^#!\/bin\/sh\n# hostwright-checksum: [0-9a-f]{64}\nset -u\n$/);
    expect((await bring(NEW)).edits).toHaveLength(1);
  });
});

describe('hostwright init', () => {
  const init = (...args: readonly string[]) =>
    runHere(['init', ...args], { cwd: folder, env: { PATH: process.env.PATH } });
  const FLAGS = '--api-url https://api.example.com --account acc-acme --start empty --ledger file'.split(' ');

  it.each(['github', 'gitlab'])('--ci %s: the version is in package.json and in no other file', async (ci) => {
    expect((await init(...FLAGS, '--ci', ci)).stdout).toContain(
      `npm install --save-dev --save-exact hostwright@${version}\n`,
    );
    expect(JSON.parse(await read('package.json'))).toEqual({ private: true, devDependencies: { hostwright: version } });
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    for (const { parentPath, name } of names) {
      const text = await readFile(join(parentPath, name), 'utf8');
      if (name !== 'package.json') expect([name, text]).not.toEqual([name, containing(`@${version}`)]);
    }
  });

  it('--update takes a new lockfile into account, and leaves a file with your schedule', async () => {
    await init(...FLAGS, '--ci', 'github');
    expect(await read()).toContain('- run: npm install --no-save --ignore-scripts --no-audit --no-fund\n');
    await writeFile(join(folder, 'package-lock.json'), '{ "packages": { "node_modules/hostwright": {} } }');
    const updated = await init('--ci', 'github', '--update');
    expect([updated.code, updated.stdout]).toEqual([0, containing('Updated:\n')]);
    expect(updated.stdout).toMatch(/Next:\n {2}git diff\n {2}hostwright plan\n$/);
    expect(await read()).toContain('- run: npm ci --ignore-scripts --no-audit --no-fund\n');
    await write((await read()).replace(/cron: "[^"]*"/, 'cron: "0 5 * * *"'));
    const { stdout, stderr, code } = await init('--ci', 'github', '--update');
    expect([code, stdout]).toEqual([1, containing('-     - cron: "0 5 * * *"')]);
    expect(stderr).toContain('HW6734');
    expect(await read()).toContain('cron: "0 5 * * *"');
  });

  it('--update needs --ci and a workspace, and leaves package.json and .gitlab-ci.yml to the user', async () => {
    expect((await init('--ci', 'gitlab', '--update')).stderr).toContain('HW6513');
    await init(...FLAGS, '--ci', 'gitlab');
    expect((await init('--update')).stderr).toContain('HW6513');
    await writeFile(join(folder, '.gitlab-ci.yml'), 'stages: [mine]\n');
    expect((await init('--ci', 'gitlab', '--update')).code).toBe(0);
    expect(await read('.gitlab-ci.yml')).toBe('stages: [mine]\n');
  });

  it('the version of several accounts is in one place too, at the root of the repository', async () => {
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder });
    for (const name of ['a', 'b']) {
      const { stdout } = await init(`accounts/${name}`, ...FLAGS, '--ci', 'github');
      expect(stdout).toContain(`  npm install --prefix ../.. --save-dev --save-exact hostwright@${version}\n`);
    }
    expect(await readdir(join(folder, 'accounts/b'))).not.toContain('package.json');
    expect(await read('package.json')).toContain(`"hostwright": "${version}"`);
  });
});
