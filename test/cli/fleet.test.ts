// `fleet` as its user types it: what needs somebody is a row, locks are shown and removed, reports have every form.
import { mkdir, readFile, readlink, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetReport } from '../../src/model/plan/fleet-report.ts';
import type { Fleet } from '../../src/model/plan/fleet.ts';
import { cronOf } from '../../src/worker/schedule.ts';
import { realClock } from '../../src/library/real-clock.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { findFleetProblem, findFleetReportProblem } from '../support/written-schemas.ts';
import { runHere } from '../support/processes/run-here.ts';
import type { Repository } from '../support/processes/git.ts';
import { noGit, repositoryIn } from '../support/processes/git.ts';
import type { CommandLine } from '../support/command-line.ts';
import { openCommandLine } from '../support/command-line.ts';
import { openFolder } from '../support/closing.ts';
import { manifest, workspaceFile } from '../support/manifests.ts';
import { shardOf } from '../../src/usecases/fleet/members.ts';

const ids = ['acc-00001', 'acc-00002', 'acc-00003', 'acc-00004', 'acc-00005'] as const;
const workspaceOf = (account: string, more = ''): string => workspaceFile(`manifests: [sites]${more}`, account);
const siteOf = (account: string): string =>
  manifest('Site', 'shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration: 77 } });

let one: CommandLine;
let run: CommandLine['run'];
let write: CommandLine['write'];
beforeEach(async () => {
  const files = ids.flatMap((id) => [
    [`accounts/${id}/hostwright.yaml`, workspaceOf(id)] as const,
    [`accounts/${id}/sites/shop.json`, siteOf(id)] as const,
  ]);
  one = await openCommandLine({ scenario: 'accounts:5', files: Object.fromEntries(files) });
  ({ run, write } = one);
});
const read = (file: string): Promise<string> => readFile(join(one.root, file), 'utf8');

async function fleetOf(line: string, more: Parameters<typeof run>[1] = {}): Promise<Fleet> {
  const { stdout } = await run(`fleet ${line} --format json`, more);
  const fleet = JSON.parse(stdout) as Fleet;
  expect(findFleetProblem(fleet as never)).toBeUndefined();
  return fleet;
}

const JOB = 'https://github.com/acme/hosting/actions/runs/4000';

/** A run on another machine left its lock. */
async function leaveLock(account: string, extra: object = {}): Promise<void> {
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
  await write(`accounts/${account}/.hostwright/ledger.jsonl.lock`, JSON.stringify(record));
}

describe('what needs somebody', () => {
  it('is a row of fleet doctor with its count: no ledger, a lock, a name that ends soon', async () => {
    await run('fleet ledger init accounts/*');
    await write('accounts/acc-00003/hostwright.yaml', workspaceOf('acc-00003', ', ledger: { file: other.jsonl }'));
    await leaveLock('acc-00004');
    await write('accounts/acc-00005/hostwright.yaml', 'kind: Nothing\n');
    const { code, stdout } = await run('fleet doctor accounts/*', { clock: realClock });
    expect(code).toBe(1);
    expect(stdout).toMatch(/acc-00003 +needs somebody +There is no ledger in other\.jsonl\./);
    expect(stdout).toMatch(
      new RegExp(`acc-00004 +needs somebody +The lock is held by alice, GitHub job ${JOB}/attempts/1`),
    );
    expect(stdout).toContain('5 accounts: 2 in order, 2 need somebody, 1 failed.');
    const { accounts } = await fleetOf('doctor accounts/*', { clock: realClock });
    expect(accounts.map(({ attention = [] }) => attention.length)).toEqual([0, 0, 1, 1, 0]);
  });

  it('is no failure, and the same in many accounts is said once', async () => {
    const { code, stdout } = await run('fleet doctor accounts/*', { clock: realClock });
    expect(code).toBe(0);
    expect(stdout).toMatch(/acc-00001 and 4 more +needs somebody +There is no ledger/);
    expect(stdout).toContain('5 accounts: 5 need somebody.');
  });
});

describe('the locks of many accounts', () => {
  beforeEach(async () => {
    await run('fleet ledger init accounts/*');
    await leaveLock('acc-00002');
    await leaveLock('acc-00003');
    await leaveLock('acc-00004', { hostname: 'pod-2', by: undefined });
  });

  it('are shown, and removed by run, job or machine; another one stays', async () => {
    const shown = (await run('fleet ledger accounts/*')).stdout;
    expect(shown).toMatch(
      /acc-00002 +needs somebody +ledger complete, 0 objects, 0 in flight\. The lock is held by alice/,
    );
    expect(shown).toContain('runner on pod-2, process 7, run run-acc-00004');
    expect(shown).toContain('5 accounts: 2 in order, 3 need somebody.');

    const wrong = await run('fleet ledger unlock accounts/* --run run-nobody');
    expect(wrong.code).toBe(1);
    expect(wrong.all).toContain('HW6660');

    const byJob = await run(`fleet ledger unlock accounts/* --job ${JOB}`);
    expect(byJob.code).toBe(0);
    expect(byJob.stdout).toMatch(/acc-00002 +done +the lock was removed: alice/);
    expect((await run('fleet ledger unlock accounts/* --host pod-2')).code).toBe(0);
    expect((await run('fleet ledger accounts/*')).stdout).toContain('5 accounts: 5 in order.');
  });

  it('of a process that runs here, and one that cannot be read, are left alone', async () => {
    const own = JSON.parse(await read('accounts/acc-00004/.hostwright/ledger.jsonl.lock')) as object;
    const space = await readlink('/proc/self/ns/pid').catch(() => '');
    await leaveLock('acc-00004', { ...own, hostname: hostname(), pid: process.pid, space });
    await write('accounts/acc-00003/.hostwright/ledger.jsonl.lock', 'nonsense');
    const { code, stdout } = await run('fleet ledger unlock accounts/* --run run-acc-00002 --run run-acc-00004');
    expect(code).toBe(1);
    expect(stdout).toContain('HW5012');
    const left = (await fleetOf('ledger accounts/*')).accounts.map(({ note = '' }) => /lock/.test(note));
    expect(left).toEqual([false, false, true, true, false]);
  });

  it('are not removed all at once', async () => {
    const { code, stderr } = await run('fleet ledger unlock accounts/*');
    expect(code).toBe(1);
    expect(stderr).toContain('say whose locks: --run ID, --job ADDRESS or --host NAME');
  });
});

describe('the reports of a fleet', () => {
  it('come as a page and as numbers, of a plan, a run and a drift', async () => {
    const broken = workspaceOf('acc-00005').replace('account: acc-00005', 'account: "no such name"');
    await write('accounts/acc-00005/hostwright.yaml', broken);
    const reports = (name: string) => `--report html=${name}.html --report outputs=${name}.txt`;
    const page = (name: string) => read(`${name}.html`);
    const numbers = async (name: string) =>
      Object.fromEntries((await read(`${name}.txt`)).split('\n').map((line) => line.split('='))) as Record<
        string,
        string
      >;
    await run(`fleet plan accounts/* ${reports('plan')}`);
    expect(await numbers('plan')).toMatchObject({
      accounts: '5',
      failed: '1',
      create: '0',
      update: '4',
      delete: '0',
      charges: '0',
    });
    const planned = await page('plan');
    expect(planned).toContain('acc-00001 and 3 more');
    expect(planned).toContain('<code>acc-00001 acc-00002 acc-00003 acc-00004</code>');
    expect(planned).toMatch(/cacheExpiration<\/code><\/th>.*77/);
    expect(planned).toContain('accounts/acc-00005/hostwright.yaml:3');
    await run(`fleet apply accounts/* --yes ${reports('apply')}`);
    expect(await numbers('apply')).toMatchObject({ create: '0', update: '4', delete: '0', charges: '0' });
    expect(await page('apply')).toMatch(/<li><div class="row"><span class="what"><strong class="good">done/i);
    for (const id of ['acc-00001', 'acc-00002']) {
      const caching = one.site(`${id}-shop`).cdn.caching;
      caching.cache_expiration = id === 'acc-00001' ? 5 : 6;
    }
    await run(`fleet drift accounts/* ${reports('drift')}`);
    expect(await page('drift')).toMatch(/cacheExpiration<\/strong><\/td>.*<code>5<\/code>/);
    for (const name of ['plan', 'apply', 'drift']) {
      const ids = [...(await page(name)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('say a mistake once that many accounts share, also where each has its own name in it', async () => {
    for (const id of ids) {
      const variable = `TOKEN_${id.replace('-', '_').toUpperCase()}`;
      await write(`accounts/${id}/hostwright.yaml`, workspaceOf(id, `, credentialEnv: ${variable}`));
    }
    const { stdout } = await run('fleet plan accounts/*');
    expect(stdout.match(/HW1206/g)).toHaveLength(2);
    expect(stdout).toMatch(/accounts\/acc-00001 and 4 more +error +HW1206/);
  });
});

describe('the report on accounts', () => {
  async function report(files: string): Promise<FleetReport> {
    const { stdout } = await run(`fleet report ${files} --format json`);
    const document = JSON.parse(stdout) as FleetReport;
    expect(findFleetReportProblem(document)).toBeUndefined();
    return document;
  }

  beforeEach(async () => {
    await run('fleet ledger init accounts/*');
    await run('fleet apply accounts/acc-0000[1234] --yes');
    await leaveLock('acc-00002');
    one.site('acc-00003-shop').cdn.caching.cache_expiration = 5;
    await write('accounts/acc-00004/hostwright.yaml', 'kind: Nothing\n');
    await run('fleet drift accounts/acc-0000[1234] --report json=drift.json');
    await run('fleet ledger accounts/* --report json=ledger.json');
  });

  it('says of each how it is, what differs and what its runs did, from the documents of several commands', async () => {
    const { accounts, kinds, outcome } = await report('drift.json ledger.json');
    expect(accounts.map(({ account, state }) => [account, state])).toEqual([
      ['acc-00001', 'in-order'],
      ['acc-00002', 'locked'],
      ['acc-00003', 'drifted'],
      ['acc-00005', 'never-run'],
      ['accounts/acc-00004', 'failed'],
    ]);
    expect(outcome).toBe('error');
    expect(kinds).toEqual([{ kind: 'Caching', objects: 1, accounts: 1 }]);
    expect(accounts[2]?.differs).toEqual([{ address: 'Site/shop/Caching', class: 'drifted' }]);
    expect(accounts[2]?.runs).toMatchObject([
      { by: { via: 'local' }, actions: [{ address: 'Site/shop/Caching', verb: 'update', result: 'done' }], more: 0 },
    ]);
    expect(accounts[1]?.lock).toContain('alice');
    expect(accounts[4]?.problems[0]?.code).toBe('HW1202');
    // The newest word counts, whichever file is named first.
    expect((await report('ledger.json drift.json')).accounts).toEqual(accounts);
  });

  it('does not claim what was not told: without ledgers no runs, without a look no state', async () => {
    const [first] = (await report('drift.json')).accounts;
    expect([first?.state, first && 'runs' in first]).toEqual(['in-order', false]);
    const [never] = (await report('ledger.json')).accounts;
    expect([never?.state, never && 'differs' in never, never?.runs?.length]).toEqual(['never-run', false, 1]);
  });

  it('comes in every form, and parts of one plan are still that plan', async () => {
    const forms = '--report html=page.html --report markdown=page.md --report outputs=page.txt';
    const { code, stdout } = await run(`fleet report drift.json ledger.json ${forms}`);
    expect(code).toBe(1);
    const sentence = '5 accounts: 1 failed, 1 locked, 1 drifted, 1 in order, 1 never run.';
    expect(stdout).toContain(sentence);
    for (const name of ['page.html', 'page.md']) expect(await read(name)).toContain(sentence);
    expect(await read('page.txt')).toContain('accounts=5');
    await run('fleet plan accounts/acc-00001 --report json=plan.json');
    const { stdout: joined } = await run('fleet report plan.json --format json');
    expect(findFleetProblem(JSON.parse(joined))).toBeUndefined();
  });
});

describe.skipIf(noGit !== undefined)('an account that leaves', () => {
  let git: Repository['git'];
  beforeEach(async () => {
    ({ git } = await repositoryIn(one.root));
  });

  async function commit(): Promise<void> {
    await git('add', '--all');
    await git('commit', '--quiet', '--message=x');
  }

  it('is named in the plan of the branch that deletes its folder, and its shard is in the matrix', async () => {
    await git('checkout', '--quiet', '-b', 'branch');
    await rm(join(one.root, 'accounts/acc-00002'), { recursive: true });
    await commit();
    const { all, code } = await run('fleet plan accounts/* --changed-since main --report markdown=plan.md');
    expect(code).toBe(0);
    const said = 'No longer looked after: acc-00002 (What it has stays as it is).';
    expect(all.replaceAll(/\s+/g, ' ')).toContain(said);
    expect((await read('plan.md')).replaceAll(/\s+/g, ' ')).toContain('No longer looked after: acc-00002');
    const { matrix } = JSON.parse(
      (await run('fleet list accounts/* --changed-since main --shards 8 --format json')).stdout,
    ) as { readonly matrix: { readonly shard: readonly string[] } };
    expect(matrix.shard).toEqual([`${shardOf('acc-00002', 8)}/8`]);
    const inShard = await fleetOf(`plan accounts/* --changed-since main --shard ${matrix.shard[0]}`);
    expect(inShard.diagnostics).toMatchObject([{ code: 'HW6662' }]);
  });

  it('says how many objects stay where its ledger can be read', async () => {
    // A remote inside the work tree is refused: anyone who can write the checkout could add hooks to it.
    const remote = join(await openFolder(), 'remote.git');
    await git('init', '--quiet', '--bare', remote);
    await git('remote', 'add', 'origin', remote);
    const ledger = ', ledger: { git: { ref: refs/hostwright/ledgers/two } }';
    await write('accounts/acc-00002/hostwright.yaml', workspaceOf('acc-00002', ledger));
    await commit();
    expect((await run('fleet apply accounts/acc-00002 --yes')).code).toBe(0);
    await git('checkout', '--quiet', '-b', 'branch');
    await rm(join(one.root, 'accounts/acc-00002'), { recursive: true });
    const { diagnostics } = await fleetOf('plan accounts/* --changed-since main');
    expect(diagnostics[0]?.detail).toMatch(/acc-00002 \([1-9]\d* objects? stays? as (it is|they are)\)/);
  });

  it('is not one whose folder was renamed; a workspace file with another ending is told', async () => {
    await git('checkout', '--quiet', '-b', 'branch');
    await git('mv', 'accounts/acc-00002', 'accounts/second');
    await git('mv', 'accounts/acc-00003/hostwright.yaml', 'accounts/acc-00003/hostwright.yml');
    const { diagnostics } = await fleetOf('plan accounts/* --changed-since main');
    expect(diagnostics.map(({ code, detail }) => [code, /acc-0000\d/.exec(detail)?.[0]])).toEqual([
      ['HW6662', 'acc-00003'],
      ['HW6663', 'acc-00003'],
    ]);
    expect((await run('fleet plan accounts/*')).all).toContain('HW6663');
    await git('mv', 'accounts/acc-00003/hostwright.yml', 'accounts/acc-00003/hostwright.yaml');
    expect((await fleetOf('plan accounts/* --changed-since main')).diagnostics).toEqual([]);
  });
});

describe.skipIf(noGit !== undefined)('a shared folder that was empty', () => {
  it('is missing in a clone, which stops nothing; a file that is missing does', async () => {
    await mkdir(join(one.root, 'shared'));
    await write('accounts/acc-00001/hostwright.yaml', workspaceOf('acc-00001', ', shared: [../../shared]'));
    const { git } = await repositoryIn(one.root);
    await git('clone', '--quiet', one.root, 'clone');
    const inClone = (...argv: readonly string[]) =>
      runHere(argv, {
        cwd: join(one.root, 'clone/accounts/acc-00001'),
        env: { PATH: process.env.PATH, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_API_URL: one.sandbox.url },
      });
    for (const argv of [['validate'], ['plan'], ['drift'], ['plan', '--changed-since', 'HEAD'], ['apply', '--yes']]) {
      const { code, stdout, stderr } = await inClone(...argv);
      expect([argv[0], code === 0 || (argv[0] === 'drift' && code === 2), stderr]).toEqual([argv[0], true, stderr]);
      expect(stdout + stderr).not.toContain('HW1001');
    }
    const told = await inClone('validate');
    expect(told.stdout + told.stderr).toContain('HW6661');
    await write(
      'clone/accounts/acc-00001/hostwright.yaml',
      workspaceOf('acc-00001', ', shared: [../../shared/profiles.yaml]'),
    );
    expect(await inClone('validate')).toMatchObject({ code: 1 });
  });
});

it('the schedules that init writes begin at a time of their own for each account, and always the same one', async () => {
  await mkdir(join(one.root, '.git'));
  const crons = async (account: string): Promise<readonly string[]> => {
    await mkdir(join(one.root, 'more', account), { recursive: true });
    const { code } = await run(
      `init more/${account} --account ${account} --start empty --ci github --ledger file --yes`,
    );
    expect(code).toBe(0);
    const texts = await Promise.all(
      ['drift', 'resume'].map((name) => read(`.github/workflows/hostwright-more-${account}-${name}.yml`)),
    );
    return texts.map((text) => /- cron: "([^"]*)"/.exec(text)?.[1] ?? '');
  };
  const [first, second] = [await crons('acc-a'), await crons('acc-b')];
  expect(first).toEqual([cronOf('acc-a', '24h'), cronOf('acc-a', '30m')]);
  expect(second).not.toEqual(first);
  expect(first[1]).toMatch(/^\d+,\d+ \* \* \* \*$/);
});
