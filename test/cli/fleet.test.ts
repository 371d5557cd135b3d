// `fleet` as its user types it: what needs somebody is a row, locks are shown and removed, reports have every form.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fleet } from '../../src/model/plan/fleet.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { findFleetProblem } from '../support/written-schemas.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import type { Ended } from '../support/processes/run-here.ts';
import { runHere } from '../support/processes/run-here.ts';

const ids = ['acc-00001', 'acc-00002', 'acc-00003', 'acc-00004', 'acc-00005'] as const;
const workspaceOf = (account: string, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${account}\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n${more}`;
const siteOf = (account: string): string =>
  JSON.stringify({
    apiVersion: 'hostwright/v1',
    kind: 'Site',
    metadata: { name: 'shop' },
    spec: { domains: [`shop.${account}.example.com`], caching: { cacheExpiration: 77 } },
  });

let one: Harness;
beforeEach(async () => {
  const files = ids.flatMap((id) => [
    [`accounts/${id}/hostwright.yaml`, workspaceOf(id)],
    [`accounts/${id}/sites/shop.json`, siteOf(id)],
  ]);
  one = await startHarness({
    scenario: 'accounts:5',
    inProcess: false,
    memoryLedger: false,
    files: Object.fromEntries(files) as Record<string, string>,
  });
});
afterEach(() => one.close());

function run(...argv: readonly string[]): Promise<Ended> {
  return runHere(argv, {
    cwd: one.root,
    env: { PATH: process.env.PATH, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_API_URL: one.sandbox.url },
  });
}

async function fleetOf(...argv: readonly string[]): Promise<Fleet> {
  const { stdout } = await run('fleet', ...argv, '--format', 'json');
  const fleet = JSON.parse(stdout) as Fleet;
  expect(findFleetProblem(fleet as never)).toBeUndefined();
  return fleet;
}

const JOB = 'https://github.com/acme/hosting/actions/runs/4000';

/** A run on another machine left its lock. */
async function leaveLock(account: string, extra: object = {}): Promise<void> {
  const folder = join(one.root, 'accounts', account, '.hostwright');
  await mkdir(folder, { recursive: true });
  const record = {
    hostname: 'runner-1',
    pid: 7,
    user: 'runner',
    runId: `run-${account}`,
    token: '0-1',
    since: '2026-01-01T00:00:00.000Z',
    started: '',
    space: 'pid:[1]',
    by: {
      via: 'github',
      server: 'https://github.com',
      repository: 'acme/hosting',
      job: '4000',
      attempt: '1',
      url: `${JOB}/attempts/1`,
      actor: 'alice',
      commit: '1f2e3d4c5b6a',
    },
    ...extra,
  };
  await writeFile(join(folder, 'ledger.jsonl.lock'), JSON.stringify(record));
}

describe('what needs somebody', () => {
  it('is a row of fleet doctor with its count: no ledger, a lock, a name that ends soon', async () => {
    await run('fleet', 'ledger', 'init', 'accounts/*');
    await writeFile(
      join(one.root, 'accounts/acc-00003/hostwright.yaml'),
      workspaceOf('acc-00003', '  ledger: { file: other.jsonl }\n'),
    );
    await leaveLock('acc-00004');
    await writeFile(join(one.root, 'accounts/acc-00005/hostwright.yaml'), 'kind: Nothing\n');
    const { code, stdout } = await run('fleet', 'doctor', 'accounts/*');
    expect(code).toBe(1);
    expect(stdout).toMatch(/acc-00003 +needs somebody +There is no ledger in other\.jsonl\./);
    expect(stdout).toMatch(
      new RegExp(`acc-00004 +needs somebody +The lock is held by alice, GitHub job ${JOB}/attempts/1`),
    );
    expect(stdout).toContain('5 accounts: 2 in order, 2 need somebody, 1 failed.');
    const { accounts } = await fleetOf('doctor', 'accounts/*');
    expect(accounts.map(({ attention = [] }) => attention.length)).toEqual([0, 0, 1, 1, 0]);
  });

  it('is no failure, and the same in many accounts is said once', async () => {
    const { code, stdout } = await run('fleet', 'doctor', 'accounts/*');
    expect(code).toBe(0);
    expect(stdout).toMatch(/acc-00001 and 4 more +needs somebody +There is no ledger/);
    expect(stdout).toContain('5 accounts: 5 need somebody.');
  });
});

describe('the locks of many accounts', () => {
  beforeEach(async () => {
    await run('fleet', 'ledger', 'init', 'accounts/*');
    await leaveLock('acc-00002');
    await leaveLock('acc-00003');
    await leaveLock('acc-00004', { hostname: 'pod-2', by: undefined });
  });

  it('are shown, and removed by run, job or machine; another one stays', async () => {
    const shown = (await run('fleet', 'ledger', 'accounts/*')).stdout;
    expect(shown).toMatch(/acc-00002 +needs somebody +complete, 0 objects, 0 in flight\. The lock is held by alice/);
    expect(shown).toContain('runner on pod-2, process 7, run run-acc-00004');
    expect(shown).toContain('5 accounts: 2 in order, 3 need somebody.');

    const wrong = await run('fleet', 'ledger', 'unlock', 'accounts/*', '--run', 'run-nobody');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout + wrong.stderr).toContain('HW6660');

    const byJob = await run('fleet', 'ledger', 'unlock', 'accounts/*', '--job', JOB);
    expect(byJob.code).toBe(0);
    expect(byJob.stdout).toMatch(/acc-00002 +done +the lock was removed: alice/);
    expect((await run('fleet', 'ledger', 'unlock', 'accounts/*', '--host', 'pod-2')).code).toBe(0);
    expect((await run('fleet', 'ledger', 'accounts/*')).stdout).toContain('5 accounts: 5 in order.');
  });

  it('of a process that runs here, and one that cannot be read, are left alone', async () => {
    const own = JSON.parse(
      await readFile(join(one.root, 'accounts/acc-00004/.hostwright/ledger.jsonl.lock'), 'utf8'),
    ) as object;
    const { hostname } = await import('node:os');
    const { readlink } = await import('node:fs/promises');
    const space = await readlink('/proc/self/ns/pid').catch(() => '');
    await leaveLock('acc-00004', { ...own, hostname: hostname(), pid: process.pid, space });
    await writeFile(join(one.root, 'accounts/acc-00003/.hostwright/ledger.jsonl.lock'), 'nonsense');
    const { code, stdout } = await run(
      'fleet',
      'ledger',
      'unlock',
      'accounts/*',
      '--run',
      'run-acc-00002',
      '--run',
      'run-acc-00004',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('HW5012');
    const left = (await fleetOf('ledger', 'accounts/*')).accounts.map(({ note = '' }) => /lock/.test(note));
    expect(left).toEqual([false, false, true, true, false]);
  });

  it('are not removed all at once', async () => {
    const { code, stderr } = await run('fleet', 'ledger', 'unlock', 'accounts/*');
    expect(code).toBe(1);
    expect(stderr).toContain('say whose locks: --run ID, --job ADDRESS or --host NAME');
  });
});
