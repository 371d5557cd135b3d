// The executable of this machine does what the npm package does, where no Node.js is: everything that loads a part of
// itself, starts itself again, or reads a file that came with it.
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { noTerraform } from '../support/processes/terraform.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import type { Bare } from './made.ts';
import { executable, here, noRelease, openBare, root, version } from './made.ts';
import { containing, matching } from '../support/matchers.ts';

const PROVIDER = `terraform-provider-hostwright_v${version}`;

describe.skipIf(noRelease !== undefined)('the executable, without Node.js', () => {
  let bare: Bare;
  let sandbox: Sandbox;
  const own = (): Record<string, string> => ({ HOSTWRIGHT_API_URL: sandbox.url, HOSTWRIGHT_TOKEN: API_KEY });
  const hostwright = (args: readonly string[], cwd = bare.folder) => bare.run(executable, args, { cwd, env: own() });
  /** A copy of an example, in a folder of its own. */
  const example = async (name: string): Promise<string> => {
    const folder = join(bare.folder, name);
    await cp(join(root, 'examples', name), folder, { recursive: true });
    return folder;
  };

  beforeAll(async () => {
    bare = await openBare(['sh', 'bash', 'git', 'terraform', 'bwrap', 'unshare']);
    sandbox = await startSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    await bare.close();
  });

  it('says its version, and there is no other Node.js', async () => {
    expect(await hostwright(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await bare.run('/bin/sh', ['-c', 'command -v node'])).code).not.toBe(0);
  });

  it('validates, plans, applies, and has nothing left to do', async () => {
    const folder = await example('small-agency');
    expect((await hostwright(['validate'], folder)).stdout).toContain('Valid: 3 manifests');
    expect((await hostwright(['plan', '--detailed-exitcode'], folder)).code).toBe(2);
    const { code, stdout } = await hostwright(['apply', '--yes'], folder);
    expect([code, stdout]).toEqual([0, containing('Done.')]);
    expect((await hostwright(['plan', '--detailed-exitcode'], folder)).stdout).toContain('no changes');
  });

  it('runs a program in a process of its own, which reads nothing but the workspace, "whatever it is called"', async () => {
    const folder = join(bare.folder, 'a "quoted" name');
    await cp(join(root, 'examples/constructs/agency'), folder, { recursive: true });
    await writeFile(join(folder, '.env'), 'SECRET=1\n');
    expect(await bare.run(executable, ['synth', '--check'], { cwd: folder })).toMatchObject({ code: 0 });
    const lines = [
      "import { App } from 'hostwright/constructs';",
      "import { existsSync, readFileSync } from 'node:fs';",
      'const told: string = [process.argv.length, process.argv[2], process.env.NODE_OPTIONS].join();',
      'console.log(told);',
      "readFileSync('/etc/passwd');",
      'export default new App();',
    ];
    await writeFile(join(folder, 'reads.ts'), lines.join('\n'));
    const { code, stdout, stderr } = await bare.run(executable, ['validate', 'reads.ts'], { cwd: folder });
    expect([code, stdout]).toEqual([1, matching(/^reads\.ts:5:1: error HW1503[^]*tried to read \/etc\/passwd/)]);
    expect(stderr).toContain(`reads.ts: 4,${folder}/reads.ts,\n`);
  });

  it('has its schemas, its pages, its workflows and its completion in itself', async () => {
    expect((await hostwright(['explain', '--schema'])).stdout).toContain('DomainRegistration');
    expect(JSON.parse((await hostwright(['explain', '--schema', 'Site'])).stdout)).toHaveProperty('$defs');
    expect((await hostwright(['explain', 'O-18'])).code).toBe(0);
    expect((await hostwright(['completion', 'bash'])).stdout).toContain('complete ');
    expect((await hostwright(['__complete', '--', 'pl'])).stdout).toContain('plan');
    const made = await hostwright([
      'init',
      'new',
      '--yes',
      '--account',
      'acc-acme',
      '--ci',
      'github',
      '--ledger',
      'file',
    ]);
    expect(made).toMatchObject({ code: 0 });
    expect(await readdir(join(bare.folder, 'new/.github/workflows'))).not.toEqual([]);
  });

  it('keeps what V8 made of it, for itself alone', async () => {
    await hostwright(['explain', 'HW1201']);
    const kept = await readdir(join(bare.folder, 'home/.cache/hostwright'));
    expect(kept.filter((name) => name.startsWith('code-explain-'))).toHaveLength(1);
  });

  it.skipIf(noPostgres !== undefined)(
    'works from a queue in PostgreSQL, with the packages for that in itself',
    async () => {
      const folder = await example('small-agency');
      const child = spawn(executable, ['serve', 'worker', '.', '--drift-every', '24h'], {
        cwd: folder,
        env: { ...bare.env, ...own(), HOSTWRIGHT_DATABASE_URL: await createDatabase() },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      try {
        for await (const line of createInterface(child.stdout)) {
          const { event } = JSON.parse(line) as { readonly event: string };
          if (event === 'worker-started') break;
        }
      } finally {
        child.kill();
      }
      expect(await ended).toBe(0);
    },
  );

  it.skipIf(noTerraform !== undefined)('is the Terraform provider, by another name', async () => {
    const folder = join(bare.folder, 'terraform');
    await mkdir(folder);
    const { stdout } = await hostwright(['terraform', 'install'], folder);
    const plugin = `terraform.d/plugins/registry.terraform.io/hostwright/hostwright/${version}/${here}/${PROVIDER}`;
    expect((await readFile(join(folder, plugin))).equals(await readFile(executable))).toBe(true);
    await writeFile(join(folder, 'versions.tf'), stdout.slice(stdout.indexOf('terraform {')));
    await writeFile(
      join(folder, 'main.tf'),
      'provider "hostwright" {\n  account = "acc-acme"\n}\nimport {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\nresource "hostwright_site" "shop" {\n  name  = "shop"\n  adopt = true\n  php_version = "8.2"\n}\n',
    );
    const terraform = (...args: readonly string[]) => bare.run('terraform', args, { cwd: folder, env: own() });
    expect((await terraform('init', '-no-color')).stdout).toContain('successfully initialized');
    expect(await terraform('plan', '-no-color')).toMatchObject({ code: 0, stdout: containing('1 to import') });
  });
});
