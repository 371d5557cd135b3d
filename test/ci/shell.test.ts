// The shell script for any CI, run with the built command against the sandbox.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Ended } from '../support/processes/run-here.ts';
import { warmCache } from '../support/warm-cache.ts';
import type { Harness } from '../support/harness.ts';
import { root } from './workflows.ts';
import { openHarness } from '../support/open-harness.ts';
import { containing } from '../support/matchers.ts';

/** Runs bash in a workspace where `hostwright` is on the PATH. */
async function workspace(): Promise<Harness & { readonly bash: (...args: readonly string[]) => Promise<Ended> }> {
  const harness = await openHarness({ example: 'small-agency' });
  const { root: cwd, sandbox } = harness;
  const bin = join(cwd, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await symlink(join(root, 'dist/main.js'), join(bin, 'hostwright'));
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: cwd,
    ...warmCache(),
    CI: 'true',
    HOSTWRIGHT_API_URL: sandbox.url,
    HOSTWRIGHT_TOKEN: API_KEY,
  };
  const bash = (...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn('bash', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => (stdout += String(chunk)));
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  return { ...harness, bash };
}

describe('hostwright.sh', () => {
  const script = join(root, 'examples/ci/shell/hostwright.sh');

  it('plans, runs that plan, finds drift, and says what each end means', async () => {
    const { bash, root: folder, sandbox } = await workspace();
    const run = (...args: readonly string[]): Promise<Ended> => bash(script, ...args);
    expect(await run()).toMatchObject({ code: 1, stderr: containing('usage:') });
    expect(await run('validate')).toMatchObject({ code: 0 });
    expect(await run('plan')).toMatchObject({ code: 0, stderr: containing('there is something to do') });
    expect(await readFile(join(folder, 'hostwright-reports/plan.md'), 'utf8')).toMatch(
      /^<!-- hostwright: plan acc-acme /,
    );
    expect(await readFile(join(folder, 'hostwright-reports/plan.env'), 'utf8')).toMatch(
      /^outcome=differences\nexit_code=2\naccount=acc-acme\ndigest=[0-9a-f]{64}\nactions=\d+\ncreate=\d+\n(?:[a-z]+=\d+\n)+$/,
    );
    expect(await run('apply')).toMatchObject({ code: 0, stderr: containing('done, or nothing to do') });
    expect(await run('drift')).toMatchObject({ code: 0 });
    const shop = sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.cdn.caching.cache_expiration = 5;
    expect(await run('drift')).toMatchObject({ code: 2, stderr: containing('not as declared') });
    expect(await run('apply')).toMatchObject({ code: 4, stderr: containing('is not as it was reviewed') });
    expect(await run('resume')).toMatchObject({ code: 0 });
  });

  it('of a program: runs it without a token first, and the plan names its lines', async () => {
    const { bash, root: folder, write } = await workspace();
    await write(
      'hosting.ts',
      "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\nnew Site(app, 'shop', { id: 'site-shop', phpVersion: '8.3' });\nexport default app;\n",
    );
    await write(
      'hostwright.yaml',
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n  synth: { program: hosting.ts, out: manifests }\n',
    );
    // As a job without one; beside one that leads out, no program is run.
    await rm(join(folder, 'node_modules'), { recursive: true });
    const main = join(root, 'dist/main.js');
    const begun = `export HOSTWRIGHT=${main}; unset HOSTWRIGHT_TOKEN; ${main} init --ci shell --yes`;
    expect(await bash('-c', `${begun} && ${main} synth && bash ci/hostwright.sh synth`)).toMatchObject({ code: 0 });
    expect(await bash('-c', `HOSTWRIGHT=${main} bash ci/hostwright.sh plan`)).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'hostwright-reports/plan.md'), 'utf8')).toContain('hosting.ts:3');
  });
});
