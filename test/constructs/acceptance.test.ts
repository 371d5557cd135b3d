// What `init --lang ts` begins, from the packed tarball in an empty folder, with the real compiler and the real test
// runner: it compiles, its test passes, it makes YAML, and its lines are named.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Installed } from '../support/processes/installed.ts';
import { noBash, packed } from '../support/processes/installed.ts';
import { isWhole } from '../support/whole.ts';
import { containing, matching } from '../support/matchers.ts';

const modules = join(import.meta.dirname, '../../node_modules');

let installed: Installed | undefined;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await installed?.close();
  await sandbox?.close();
  [installed, sandbox] = [undefined, undefined];
});

it.skipIf(!isWhole || noBash !== undefined)('a repository of programs from its first command to its plan', async () => {
  installed = await packed();
  sandbox = await startSandbox({});
  const { folder, run } = installed;
  await run('npm init -y && npm install hostwright-*.tgz');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await mkdir(join(folder, 'node_modules/@types'));
  const links = ['typescript', 'vitest', '@types/node'];
  for (const name of links) await symlink(join(modules, name), join(folder, 'node_modules', name));
  const ended = async (line: string, env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await run(line, { env });
    return { code, printed: `${stdout}${stderr}` };
  };
  const begun = await ended(`hostwright init --lang ts --account acc-acme --api-url ${sandbox.url} --ci github --yes`);
  expect(begun).toMatchObject({ code: 1, printed: containing('origin') });
  const init = `hostwright init --lang ts --account acc-acme --api-url ${sandbox.url} --ci github --ledger file --yes`;
  expect((await ended(init)).code).toBe(0);
  const plan = await readFile(join(folder, '.github/workflows/hostwright-pull-request.yml'), 'utf8');
  expect(plan).toContain('synth --check');
  expect(plan.slice(plan.indexOf('  synth:'), plan.indexOf('  plan:'))).not.toContain('secrets.');
  expect(await ended('node node_modules/typescript/bin/tsc --noEmit')).toEqual({ code: 0, printed: '' });
  expect(await ended('node node_modules/vitest/vitest.mjs run')).toMatchObject({
    code: 0,
    printed: containing('2 passed'),
  });
  // A program is not run beside links that lead out of its workspace.
  for (const name of links) await rm(join(folder, 'node_modules', name));
  const synthesised = await ended('hostwright synth && hostwright synth --check');
  expect(synthesised.code, synthesised.printed).toBe(0);
  const program = await readFile(join(folder, 'hosting.ts'), 'utf8');
  await writeFile(join(folder, 'hosting.ts'), program.replace('3600', '7200'));
  const token = { HOSTWRIGHT_TOKEN: 'sandbox-api-key' };
  expect((await ended('hostwright plan hosting.ts', token)).printed).toMatch(/hosting\.ts:\d+:\d+/);
  expect((await ended('hostwright synth --check')).code).toBe(2);
  // As the two jobs of the pull request do it: the second has a token, and reads the YAML.
  expect((await ended('hostwright synth && hostwright synth --check --sources program-lines.json')).code).toBe(0);
  const job = { ...token, CI: 'true' };
  const inJob = await ended('hostwright plan --sources program-lines.json --report markdown=plan.md', job);
  expect([inJob.code, inJob.printed]).toEqual([0, matching(/hosting\.ts:\d+:\d+/)]);
  const refused = await ended('hostwright plan hosting.ts', { HOSTWRIGHT_TOKEN: 'canary', CI: 'true' });
  expect(refused).toMatchObject({ code: 1, printed: containing('HW1506') });
  expect(refused.printed).not.toContain('canary');
});

const PROGRAM = `import { App, Site, type SiteProps } from 'hostwright/constructs';
const cached = (seconds: number): SiteProps => ({ caching: { smartCache: true, cacheExpiration: seconds } });
const app = new App();
new Site(app, 'shop', Site.merge(cached(3600), { id: 'site-shop' }));
export default app;
`;

/** The same three tests, in the words of a runner. */
const testsOf = (runner: string, throws: string, equal: string): string => `${runner}
import { applyInSandbox, planInSandbox, Template } from 'hostwright/testing';
import app from './hosting.HOW';

test('a template', () => {
  Template.fromApp(app).count('Site', 1);
  Template.fromApp(app).has('Site', 'shop', { caching: { cacheExpiration: 3600 } });
  ${throws}(() => Template.fromApp(app).has('Site', 'shop', { caching: { cacheExpiration: 60 } }), /hosting\\.HOW:4:1/);
});

test('a plan', async () => {
  const { summary } = await planInSandbox(app, { scenario: 'small' });
  ${equal}([summary.delete, summary.charges], [0, 0]);
});

test('an apply, with accidents', async () => {
  const { outcome, again } = await applyInSandbox(app, { scenario: 'small', faults: ['429@3'] });
  ${equal}([outcome.outcome, again.actions], ['done', []]);
});
`;

/** The matcher, as runners that take those use it, and as their types know it. */
const matcherIn = (declared: string): string => `
import { matchers, type HostwrightMatchers } from 'hostwright/testing';
expect.extend(matchers);
${declared}

test('a matcher', () => {
  expect(app).toHaveResource('Site', 'shop', { caching: { cacheExpiration: 3600 } });
  expect(Template.fromApp(app)).toHaveResource('Site', { id: expect.stringContaining('shop') as never });
  expect(app).not.toHaveResource('Site', { phpVersion: '7.4' });
  const fails = () => expect(app).toHaveResource('Site', 'shop', { caching: { cacheExpiration: 60 } });
  expect(fails).toThrow(/hosting\\.ts:4:1[^]*\\+ +cacheExpiration: 3600/);
  expect(() => expect(app).not.toHaveResource('Site')).toThrow('There is a Site with these props');
});
`;

/** A test file of a runner that has `expect`. */
const testsWith = (runner: string, declared: string): string =>
  testsOf(
    `import { expect, test } from '${runner}';
const throws = (work: () => unknown, said: RegExp) => expect(work).toThrow(said);
const equal = (left: unknown, right: unknown) => expect(left).toEqual(right);`,
    'throws',
    'equal',
  ).replaceAll('HOW', 'ts') + matcherIn(declared);

/** The types of `hosting.test.ts` are right. */
const compiled =
  'node node_modules/typescript/bin/tsc --noEmit --strict --module esnext --moduleResolution bundler --allowImportingTsExtensions --skipLibCheck --target es2022 hosting.test.ts';

it.skipIf(!isWhole || noBash !== undefined)('tests of programs in jest', async ({ skip }) => {
  installed = await packed();
  const { folder, run } = installed;
  await run('npm init -y && npm install hostwright-*.tgz');
  // As docs/constructs.md says it; the only thing here that is fetched, with npm set up as it is on this machine.
  const wanted = 'jest@30 @babel/preset-env@7 @babel/preset-typescript@7';
  const fetched = await run(`npm install --save-dev --no-audit --no-fund ${wanted}`, {
    env: { ...(process.env as Record<string, string>), PATH: installed.env.PATH ?? '', npm_config_offline: 'false' },
  });
  if (fetched.code !== 0) skip(`npm cannot fetch jest: ${fetched.stderr.slice(0, 300)}`);
  await symlink(join(modules, 'typescript'), join(folder, 'node_modules/typescript'));
  await writeFile(join(folder, 'hosting.ts'), PROGRAM);
  const declared = "declare module 'expect' {\n  interface Matchers<R> extends HostwrightMatchers<R> {}\n}";
  await writeFile(join(folder, 'hosting.test.ts'), testsWith('@jest/globals', declared));
  expect(await run(compiled)).toEqual({ code: 0, stdout: '', stderr: '' });
  const [env, types] = [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'];
  // Its usual mode, in which everything is CommonJS, and its ES modules.
  for (const [options, settings] of [
    ['', { babel: { presets: [env, types] } }],
    [
      '--experimental-vm-modules',
      { jest: { extensionsToTreatAsEsm: ['.ts'], testMatch: ['**/*.test.ts'] }, babel: { presets: [types] } },
    ],
  ] as const) {
    await writeFile(join(folder, 'package.json'), JSON.stringify(settings));
    const jest = await run(`node ${options} node_modules/jest/bin/jest.js`);
    expect(jest.stderr).toMatch(/^Tests: +4 passed, 4 total$/m);
  }
});

it.skipIf(!isWhole || noBash !== undefined)('tests of programs in vitest', async () => {
  installed = await packed();
  const { folder, run } = installed;
  await run('npm init -y && npm install hostwright-*.tgz');
  for (const name of ['typescript', 'vitest']) await symlink(join(modules, name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'hosting.ts'), PROGRAM);
  const declared = "declare module 'vitest' {\n  interface Matchers<T> extends HostwrightMatchers<T> {}\n}";
  await writeFile(join(folder, 'hosting.test.ts'), testsWith('vitest', declared));
  expect(await run(compiled)).toEqual({ code: 0, stdout: '', stderr: '' });
  const vitest = await run('node node_modules/vitest/vitest.mjs run');
  expect(`${vitest.stdout}${vitest.stderr}`).toContain('4 passed');
});

it.skipIf(!isWhole || noBash !== undefined)('tests of programs in node:test, without a file or a port', async () => {
  installed = await packed();
  const { folder, run } = installed;
  await run('npm init -y && npm install hostwright-*.tgz');
  // Node.js refuses every file that is written, and the test every port.
  const closed =
    "import net from 'node:net';\nnet.Server.prototype.listen = net.Socket.prototype.connect = () => { throw new Error('a port'); };";
  const inNode = testsOf(
    `import { test } from 'node:test';\nimport { deepEqual, throws } from 'node:assert/strict';\n${closed}`,
    'throws',
    'deepEqual',
  ).replaceAll('HOW', 'mjs');
  await writeFile(join(folder, 'hosting.mjs'), PROGRAM.replace(/, type SiteProps|: number|: SiteProps/g, ''));
  await writeFile(join(folder, 'hosting.test.mjs'), inNode);
  const [major = 0] = process.versions.node.split('.').map(Number);
  const permission = major > 22 ? '--permission' : '--experimental-permission';
  const node = await run(`node ${permission} --allow-fs-read=/ --test-reporter=tap hosting.test.mjs`);
  expect(node.stdout).toMatch(/^# pass 3$/m);
});
