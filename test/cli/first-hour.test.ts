// `doctor` and `init` as the built program: flags, environment, streams, exit codes; and that no secret is in anything
// they print or write.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../src/model/doctor.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { useProgram } from './program-under-test.ts';
import { containing } from '../support/matchers.ts';

const { run, folder } = useProgram();
const SECRETS = {
  HOSTWRIGHT_TOKEN: API_KEY,
  HOSTWRIGHT_NOTIFY_SECRET: 'whsec_notify-secret',
  ALICE_PASSWORD: 'hunter2',
};
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('init', () => {
  it('without a terminal names every missing answer, and writes nothing', async () => {
    const { stdout, stderr, code } = await run(['init', 'nothing']);
    expect([stdout, code]).toEqual(['', 1]);
    for (const flag of ['--api-url', '--account', '--start', '--ci', '--ledger', '--yes'])
      expect(stderr).toContain(flag);
    expect(await readdir(folder())).not.toContain('nothing');
  });

  it('writes a workspace that the next two commands take, once', async () => {
    const argv = [
      'init',
      'new',
      '--yes',
      '--account',
      'acc-acme',
      '--api-url',
      sandbox.url,
      '--ci',
      'github',
      '--ledger',
      'file',
      '--max-spend',
      '15.00EUR',
    ];
    const { stdout, stderr, code } = await run(argv, { env: SECRETS });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Written:\n {2}hostwright\.yaml\n/);
    expect(stdout).toMatch(/Next:\n {2}cd new\n {2}npm install \S.*\n {2}hostwright doctor\n {2}hostwright plan\n$/);
    expect(stderr).toContain('HOSTWRIGHT_READ_TOKEN');
    expect(stderr).toContain('which jobs of CI do not share');
    const config = ['--config', join(folder(), 'new/hostwright.yaml')];
    expect((await run(['plan', ...config], { env: SECRETS })).stdout).toContain('no changes');
    expect((await run(['doctor', ...config], { env: SECRETS })).code).toBe(0);
    const again = await run([...argv, '--format', 'json'], { env: SECRETS });
    expect(JSON.parse(again.stdout)).toMatchObject({
      format: 'hostwright.init/1',
      outcome: 'done',
      written: [],
      diagnostics: [],
    });
    expect((await run(argv, { env: SECRETS })).stderr).toContain('of the flags only --ci and --agents count');
    const written = await Promise.all(
      (await readdir(join(folder(), 'new'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
    );
    for (const secret of Object.values(SECRETS))
      expect([stdout, stderr, again.stdout, ...written].join('\n')).not.toContain(secret);
  });

  it('checks a token before it writes anything; without one says where it goes', async () => {
    const argv = ['init', 'other', '--yes', '--account', 'acc-acme', '--api-url', sandbox.url];
    expect(await run(argv, { env: { HOSTWRIGHT_TOKEN: 'nobody' } })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: containing('HW6518'),
    });
    expect(await readdir(folder())).not.toContain('other');
    expect((await run(argv)).stderr).toContain('Set HOSTWRIGHT_TOKEN first; it is kept nowhere.');
    expect((await run(['init', 'other', '--ci', 'shell'])).stdout).toContain('Written:\n  ci/hostwright.sh\n');
    const unchecked = await run(
      ['init', 'unchecked', '--yes', '--account', 'acc-acme', '--api-url', 'http://127.0.0.1:1'],
      { env: SECRETS },
    );
    expect(unchecked).toMatchObject({ code: 0, stderr: containing('The token could not be checked') });
    expect(
      (await run(['init', 'third', '--yes', '--account', 'acc-none', '--api-url', sandbox.url], { env: SECRETS }))
        .stderr,
    ).toContain('reaches no site of the account acc-none');
  });

  it('--start export: all that is live, and the plan is empty', async () => {
    const { stdout, code } = await run(
      ['init', 'live', '--yes', '--account', 'acc-acme', '--api-url', sandbox.url, '--start', 'export'],
      { env: SECRETS },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('  manifests/sites/shop.yaml\n');
    const plan = await run(['plan', '--config', 'live/hostwright.yaml', '--detailed-exitcode'], { env: SECRETS });
    expect([plan.code, plan.stdout]).toEqual([0, containing('no changes')]);
  });

  it('a file is no folder, and a workspace file with a mistake is not gone on with', async () => {
    await writeFile(join(folder(), 'file'), '');
    expect((await run(['init', 'file'])).stderr).toContain('HW6519');
    expect((await run(['init', 'file/below'])).stderr).toContain('HW6519');
    await mkdir(join(folder(), 'broken'));
    await writeFile(
      join(folder(), 'broken/hostwright.yaml'),
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { acount: x }\n',
    );
    expect(await run(['init', 'broken', '--ci', 'shell'])).toMatchObject({ code: 1, stderr: containing('HW1201') });
    expect(await readdir(join(folder(), 'broken'))).toEqual(['hostwright.yaml']);
  });
});

describe('doctor', () => {
  it('says which value counts, and of secrets only that they are set', async () => {
    await mkdir(join(folder(), 'looked-at'));
    await writeFile(
      join(folder(), 'looked-at/hostwright.yaml'),
      `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-file\n  baseUrl: ${sandbox.url}\n  secrets: { env: [ALICE_PASSWORD] }\n`,
    );
    const argv = ['doctor', '--config', 'looked-at/hostwright.yaml', '--account', 'acc-acme'];
    const env = { ...SECRETS, HOSTWRIGHT_ACCOUNT: 'acc-env', HOSTWRIGHT_TIMEOUT: '90s' };
    const { stdout, stderr, code } = await run([...argv, '--format', 'json'], { env });
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as DoctorReport;
    expect(report.settings).toContainEqual({
      name: 'account',
      from: 'flag',
      value: 'acc-acme',
      beats: [
        { from: 'environment', value: 'acc-env' },
        { from: 'file', value: 'acc-file' },
      ],
    });
    expect(report.settings).toContainEqual({ name: 'timeout', from: 'environment', value: '90s', beats: [] });
    for (const name of ['HOSTWRIGHT_TOKEN', 'HOSTWRIGHT_NOTIFY_SECRET'])
      expect(report.settings).toContainEqual({ name, from: 'environment', value: 'set', beats: [] });
    expect(report.findings).toContainEqual({
      area: 'secrets',
      check: 'env ALICE_PASSWORD',
      verdict: 'ok',
      says: 'The environment variable ALICE_PASSWORD is set.',
    });
    const text = await run([...argv, '--verbose'], { env });
    expect(text.stdout).toContain('GET /api/sites');
    for (const secret of Object.values(SECRETS))
      expect(stdout + stderr + text.stdout + text.stderr).not.toContain(secret);
  });

  it('has a schema for what it prints', async () => {
    expect(JSON.parse((await run(['explain', '--schema', 'Doctor'])).stdout)).toMatchObject({
      title: 'Look at the set-up',
    });
  });

  it('without anything says what is missing, and ends with 1', async () => {
    const { stdout, stderr, code } = await run(['doctor'], {
      env: { HOSTWRIGHT_DEADLINE: '0', HOSTWRIGHT_TOKEN: 'two words' },
    });
    expect([stderr, code]).toEqual(['', 1]);
    for (const words of [
      'There is no workspace file',
      'HOSTWRIGHT_DEADLINE is `0`',
      'Token cannot be sent',
      'It is not said where the API is',
    ])
      expect(stdout).toContain(words);
    expect(stdout).not.toContain('two words');
  });
});
