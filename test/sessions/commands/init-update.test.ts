// `init --ci ... --update`: what a person changed in a file for CI is never lost, what a new version makes otherwise
// comes in, and the version stands in one place.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../package.json';
import { bringFiles } from '../../../src/usecases/upgrade/ci-files.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { writeEditedFiles } from '../../../src/manifest/edit/write-edited.ts';
import { writeNewFiles } from '../../../src/manifest/write/new-files.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { containing } from '../../support/matchers.ts';

const FILE = '.github/workflows/hostwright-drift.yml';
const LINES = [
  'name: Drift',
  '',
  'on:',
  '  schedule: "1"',
  '',
  'jobs:',
  '  drift:',
  '    runs-on: ubuntu',
  '    steps: []',
];
const OLD = `${LINES.join('\n')}\n`;
const NEW = OLD.replace('steps: []', 'steps: [checkout]');

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

/** What a version makes, in a folder; as `init` writes it. */
async function bring(text: string, update = true) {
  const session = { cwd: folder, timeoutMs: 60_000, ledger: { waitMs: 0, programEnv: { PATH: process.env.PATH } } };
  const found = await bringFiles(session as unknown as Session, [{ file: FILE, text }], { update, version: '9.9.9' });
  expect([...(await writeNewFiles(folder, found.added)), ...(await writeEditedFiles(found.edits))]).toEqual([]);
  return found;
}

describe('a file for CI', () => {
  it('that nobody touched becomes what the new version makes; a second time changes nothing', async () => {
    await bring(OLD, false);
    expect((await bring(NEW)).edits.map(({ file }) => file)).toEqual([FILE, '.hostwright/ci.json']);
    expect(await read()).toBe(NEW);
    expect(await bring(NEW)).toMatchObject({ added: [], edits: [], left: [FILE], diagnostics: [] });
  });

  it('that a person changed elsewhere has both, also over several versions', async () => {
    await bring(OLD, false);
    await write(OLD.replace('"1"', '"7"'));
    expect((await bring(NEW)).diagnostics).toEqual([]);
    expect(await read()).toBe(NEW.replace('"1"', '"7"'));
    const newer = NEW.replace('[checkout]', '[checkout, node]').replace('ubuntu', 'debian');
    expect((await bring(newer)).diagnostics).toEqual([]);
    expect(await read()).toBe(newer.replace('"1"', '"7"'));
    // A version that takes its own change back.
    expect((await bring(OLD)).diagnostics).toEqual([]);
    expect(await read()).toBe(OLD.replace('"1"', '"7"'));
  });

  it('that both changed in the same lines holds both between marks, and is told until a person has decided', async () => {
    await bring(OLD, false);
    await write(OLD.replace('[]', '[mine]'));
    expect((await bring(NEW)).diagnostics).toMatchObject([{ code: 'HW6733', severity: 'error' }]);
    const both = await read();
    expect(both).toContain(
      '<<<<<<< yours\n    steps: [mine]\n=======\n    steps: [checkout]\n>>>>>>> hostwright 9.9.9\n',
    );
    await write(OLD.replace('[]', '[checkout, mine]'));
    expect(await bring(NEW)).toMatchObject({ edits: [], diagnostics: [] });
    expect(await read()).toContain('[checkout, mine]');
  });

  it('of which nobody knows what it was made from is left, with the difference; without --update it is none', async () => {
    await mkdir(join(folder, '.github/workflows'), { recursive: true });
    await write(OLD);
    expect(await bring(NEW, false)).toMatchObject({ added: [], edits: [], left: [FILE], diagnostics: [] });
    expect(await bring(NEW)).toMatchObject({
      edits: [],
      differences: [{ file: FILE, before: OLD, after: NEW }],
      diagnostics: [{ code: 'HW6734' }],
    });
    expect(await read()).toBe(OLD);
  });

  it('that somebody removed comes back', async () => {
    await bring(OLD, false);
    await rm(join(folder, FILE));
    await bring(NEW);
    expect(await read()).toBe(NEW);
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

  it('--update takes a lockfile into account that came later, and keeps a schedule of yours', async () => {
    await init(...FLAGS, '--ci', 'github');
    expect(await read()).toContain('- run: npm install --no-save --ignore-scripts --no-audit --no-fund\n');
    await writeFile(join(folder, 'package-lock.json'), '{ "packages": { "node_modules/hostwright": {} } }');
    await write((await read()).replace(/cron: "[^"]*"/, 'cron: "0 5 * * *"'));
    const { stdout, code } = await init('--ci', 'github', '--update');
    expect([code, stdout]).toEqual([0, containing('Updated, with what you changed in them:\n')]);
    expect(stdout).toMatch(/Next:\n {2}git diff\n {2}hostwright plan\n$/);
    expect(await read()).toContain('- run: npm ci --ignore-scripts --no-audit --no-fund\n');
    expect(await read()).toContain('cron: "0 5 * * *"');
  });

  it('--update shows what it does not know, and does not go without --ci or a workspace', async () => {
    expect((await init('--ci', 'github', '--update')).stderr).toContain('HW6513');
    await init(...FLAGS, '--ci', 'github');
    expect((await init('--update')).stderr).toContain('HW6513');
    await rm(join(folder, '.hostwright/ci.json'));
    await write((await read()).replace('Hostwright drift', 'Drift'));
    const { stdout, stderr, code } = await init('--ci', 'github', '--update');
    expect([code, stdout]).toEqual([1, containing('- name: Drift\n+ name: Hostwright drift\n')]);
    expect(stderr).toContain('HW6734');
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
