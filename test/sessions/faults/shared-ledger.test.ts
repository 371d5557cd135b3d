// The command on machines that share no disk: the ledger is in a Git remote or on a server, a run is killed, another
// clone goes on. In a process of its own where it gets a signal.
import { rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openLedger } from '../../../src/ledger/stored-ledger.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import type { Hooks } from '../../../src/sandbox/core/http/app.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import type { Workspace } from '../../../src/model/workspace.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { ledgerOptions } from '../../../src/usecases/ledger.ts';
import { findWorkspace } from '../../../src/usecases/workspace-file.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import type { Running } from '../../support/processes/command.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runCommand, start } from '../../support/processes/command.ts';
import type { GitGround } from '../../support/processes/git.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import { closing } from '../../support/closing.ts';
import { containing } from '../../support/matchers.ts';

const manifest =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec:\n  primaryDomain: www.blog.example.com\n  domains: [blog.example.com, www.blog.example.com]\n  caching: { smartCache: true, cacheExpiration: 60 }\n';
const ref = 'refs/hostwright/ledger';
if (noGit !== undefined) process.stderr.write(`skipped: sessions with a ledger in a Git remote: ${noGit}\n`);

async function fill(folder: string, ledger: string): Promise<void> {
  await mkdir(join(folder, 'sites'), { recursive: true });
  await writeFile(
    join(folder, 'hostwright.yaml'),
    `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites], ledger: ${ledger} }\n`,
  );
  await writeFile(join(folder, 'sites', 'blog.yaml'), manifest);
}

interface Stage {
  readonly ground: GitGround;
  readonly sandbox: Sandbox;
  readonly clone: () => Promise<string>;
  readonly begin: (cwd: string, ...args: readonly string[]) => Running;
  readonly run: (cwd: string, ...args: readonly string[]) => Promise<Ended>;
  /** The same by a clock that only waiting moves. */
  readonly waitFor: (cwd: string, ...args: readonly string[]) => Promise<Ended>;
}

/**
 * A remote with a ledger of its own, and clones of it with a workspace. Every clone is shallow, as a checkout in CI is.
 */
async function stage(hooks: Hooks = {}): Promise<Stage> {
  const ground = closing(await startGit());
  const sandbox = closing(await startSandbox({ scenario: 'small', hooks }));
  const clone = async (): Promise<string> => {
    const folder = await ground.clone('--depth=1');
    await fill(folder, '{ git: {} }');
    return folder;
  };
  const env = { HOME: ground.env.HOME ?? '', GIT_CONFIG_NOSYSTEM: '1' };
  return {
    ground,
    sandbox,
    clone,
    begin: (cwd, ...args) => start(args, { cwd, url: sandbox.url, env }),
    run: (cwd, ...args) => runCommand(args, { cwd, url: sandbox.url, env }),
    waitFor: (cwd, ...args) => runCommand(args, { cwd, url: sandbox.url, env, clock: sandbox.clock }),
  };
}

describe.skipIf(noGit !== undefined)('a ledger in a Git remote', () => {
  it.each(['before', 'after'] as const)(
    'is all that another clone needs when a run is killed %s a write is carried out',
    async (when) => {
      let first: Running | undefined;
      const killed: string[] = [];
      const kill = async ({ n }: { readonly n: number }): Promise<void> => {
        const request = one.sandbox.requests[n - 1];
        if (first === undefined || request === undefined || request.method === 'GET') return;
        killed.push(`${request.method} ${request.path}`);
        first.child.kill('SIGKILL');
        await first.ended;
        first = undefined;
      };
      const one: Stage = await stage({ [when]: kill });
      const { run, begin, clone, ground, sandbox } = one;
      first = begin(await clone(), 'apply', '--yes');
      await first.ended;
      expect(killed).toHaveLength(1);
      expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)', 'refs/hostwright')).toBe(
        `${ref}\n${ref}-lock`,
      );

      const second = await clone();
      expect((await run(second, 'ledger', 'list')).stdout).toContain('in flight');
      const again = await run(second, 'apply', '--yes');
      expect(again, again.stderr).toMatchObject({ code: 0, stderr: containing('HW5009') });
      const third = await clone();
      expect(await run(third, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
      expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
      // Nothing is left behind but the ledger; no branch was touched.
      expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/main\n${ref}`);
      expect(
        (await ground.git(third, 'status', '--porcelain')).split('\n').every((line) => line.startsWith('??')),
      ).toBe(true);
    },
  );

  it('is waited for with --lock-timeout, and who holds it is told; then the run gives up', async () => {
    const { run, begin, clone, ground, waitFor } = await stage();
    const folder = await clone();
    expect(await run(folder, 'ledger', 'init')).toMatchObject({
      code: 0,
      stdout: `The ledger ${ref} on origin is complete from now on.\n`,
    });
    // A run on another machine: its lock is put there by hand.
    const record = {
      token: 'abc',
      hostname: 'runner-7',
      pid: 1,
      user: 'alice',
      runId: 'run-7',
      since: '2026-03-01T00:00:00.000Z',
      started: '',
      space: '',
    };
    await writeFile(join(ground.folder, 'lock.json'), JSON.stringify(record));
    const { bare, git } = ground;
    const blob = await git(bare, 'hash-object', '-w', join(ground.folder, 'lock.json'));
    await git(bare, 'update-index', '--add', '--cacheinfo', `100644,${blob},lock.json`);
    await git(
      bare,
      'update-ref',
      `${ref}-lock`,
      await git(bare, 'commit-tree', '-m', 'lock', await git(bare, 'write-tree')),
    );

    const at = await run(folder, 'apply', '--yes');
    expect(at).toMatchObject({
      code: 1,
      stderr: containing('alice on runner-7, process 1, run run-7, since 2026-03-01T00:00:00.000Z'),
    });
    const late = await waitFor(folder, 'apply', '--yes', '--lock-timeout', '2s');
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('Waiting up to 2s for the ledger. It is held by alice on runner-7');
    expect(late.stderr).toContain('as long as --lock-timeout says, and gave up');
    expect(await waitFor(folder, 'ledger', 'forget', 'Site/blog', '--lock-timeout', '1s')).toMatchObject({
      code: 1,
      stderr: containing('held by alice'),
    });
    // Plans read without the lock.
    expect((await run(folder, 'plan')).code).toBe(0);

    const waiting = begin(folder, 'apply', '--yes', '--lock-timeout', '10m');
    await new Promise<void>((resolve) =>
      waiting.child.stderr?.on('data', (data) => String(data).includes('alice') && resolve()),
    );
    waiting.child.kill('SIGTERM');
    expect((await waiting.ended).code).toBe(130);

    // Without a terminal it removes nothing; with --yes it reports whose lock it removed.
    expect(await run(folder, 'ledger', 'unlock')).toMatchObject({ code: 1, stderr: containing('HW6514') });
    expect(await run(folder, 'ledger', 'unlock', '--yes')).toMatchObject({
      code: 0,
      stdout: containing('Removed the lock of alice'),
    });
    expect(await run(folder, 'apply', '--yes')).toMatchObject({ code: 0 });
  });

  it('that is gone while a run goes on stops it, and the run says so', async () => {
    let remote = '';
    const { run, clone, ground, sandbox } = await stage({
      before: async ({ n }: { readonly n: number }) => {
        if (sandbox.requests[n - 1]?.method !== 'GET' && remote !== '')
          await rm(remote, { recursive: true, force: true });
      },
    });
    const folder = await clone();
    remote = ground.bare;
    const { code, stdout, stderr } = await run(folder, 'apply', '--yes', '--format', 'json');
    const outcome = JSON.parse(stdout) as Outcome;
    expect([code, outcome.outcome], stderr).toEqual([1, 'error']);
    expect(outcome.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(
      expect.arrayContaining(['HW5006', 'HW5013']),
    );
  });
});

describe.skipIf(noGit !== undefined)('a run whose lock goes to a Git remote with its first entry', () => {
  const changes = {
    'sites/blog.yaml': manifest,
    'sites/docs.yaml':
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs, id: site-docs }\nspec: { caching: { cacheExpiration: 4711 } }\n',
  };
  async function begin(): Promise<Harness> {
    const ground = closing(await startGit());
    const one = await openHarness({
      folder: await ground.clone(),
      programEnv: ground.env,
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites], ledger: { git: {} } }\n',
      files: changes,
      ledger: true,
    });
    return one;
  }
  const writes = (one: Harness) =>
    one.sandbox.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);

  it('begins anew when another run was faster, and nothing is sent twice', async () => {
    const one = await begin();
    let asked = 0;
    const confirm = async (): Promise<boolean> => {
      asked += 1;
      if (asked === 1) expect((await one.apply({ targets: ['Site/docs'] })).outcome.outcome).toBe('done');
      return true;
    };
    const { outcome } = await one.apply({ confirm });
    expect([outcome.outcome, asked]).toEqual(['done', 2]);
    expect(new Set(writes(one)).size).toBe(writes(one).length);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect((await one.apply()).outcome).toMatchObject({ outcome: 'done', actions: [] });
  });

  it('sends nothing while the other one holds it', async () => {
    const one = await begin();
    const options = ledgerOptions(
      one.session(),
      (await findWorkspace(one.session())).workspace as Workspace,
      'run-other',
    );
    let holder: Ledger | undefined;
    const { outcome } = await one.apply({
      confirm: async () => {
        holder = (await openLedger(options)).ledger;
        return true;
      },
    });
    expect([outcome.outcome, outcome.diagnostics.map(({ code }) => code)]).toEqual(['error', ['HW5004']]);
    expect(writes(one)).toEqual([]);
    await holder?.close();
    expect((await one.apply()).outcome.outcome).toBe('done');
  });
});
