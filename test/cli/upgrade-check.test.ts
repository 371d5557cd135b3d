// `upgrade-check`: two versions of the program plan from the same answers, and neither of them has the token, a secret or
// a way to write.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Installed } from '../support/processes/installed.ts';
import { installed, noBash } from '../support/processes/installed.ts';
import { runHere } from '../support/processes/run-here.ts';
import { containing, matching } from '../support/matchers.ts';

const root = join(import.meta.dirname, '../..');
let sandbox: Sandbox;
let ground = '';
let package_: Installed;

beforeAll(async () => {
  ground = await mkdtemp(join(tmpdir(), 'hostwright-check-'));
  await cp(join(root, 'examples/small-agency'), join(ground, 'accounts/acme'), { recursive: true });
  await mkdir(join(ground, 'shared'));
  sandbox = await startSandbox({ scenario: 'small' });
  package_ = await installed();
});
afterAll(() => Promise.all([sandbox.close(), package_.close(), rm(ground, { recursive: true, force: true })]));

const check = (old: string, ...args: readonly string[]) =>
  runHere(['upgrade-check', old, ...args], {
    cwd: join(ground, 'accounts/acme'),
    env: {
      PATH: process.env.PATH,
      HOME: ground,
      npm_config_offline: 'true',
      HOSTWRIGHT_TOKEN: API_KEY,
      HOSTWRIGHT_API_URL: sandbox.url,
      HOSTWRIGHT_CACHE: 'off',
    },
  });

/** A program in the place of an old version, which may do something beside. */
async function standIn(name: string, beside: string, change = ''): Promise<string> {
  const file = join(ground, `${name}.mjs`);
  const real = JSON.stringify(join(root, 'dist/main.js'));
  await writeFile(
    file,
    `import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
if (process.argv[2] === '--version') { console.log('0.0.9'); process.exit(); }
${beside}
const plan = JSON.parse(execFileSync(process.execPath, [${real}, ...process.argv.slice(2)]));
${change}
console.log(JSON.stringify(plan));
`,
  );
  return file;
}

describe.skipIf(noBash !== undefined)('the package of this commit', () => {
  it('plans the same, from an archive and from a folder; each read is sent once, and nothing else', async () => {
    const [archive = ''] = (await readdir(package_.folder)).filter((name) => name.endsWith('.tgz'));
    for (const old of [join(package_.folder, archive), package_.folder]) {
      const before = sandbox.requests.length;
      const { code, stdout } = await check(old);
      expect([code, stdout]).toEqual([
        0,
        matching(
          /^(\S+) and this version \(\1\) plan the same: 6 actions, 8 requests, from 5 answers of the account\.\n$/,
        ),
      ]);
      const sent = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
      expect([sent.length, new Set(sent).size, sent.every((one) => one.startsWith('GET '))]).toEqual([5, 5, true]);
    }
  });

  it('with one change planted in it is told apart, by the request', async () => {
    const old = join(ground, 'planted');
    await cp(join(package_.folder, 'node_modules/hostwright'), join(old, 'node_modules/hostwright'), {
      recursive: true,
    });
    const dist = join(old, 'node_modules/hostwright/dist');
    for (const name of (await readdir(dist)).filter((file) => file.endsWith('.js'))) {
      const text = await readFile(join(dist, name), 'utf8');
      if (text.includes('provision_method'))
        await writeFile(join(dist, name), text.replaceAll('provision_method', 'provisioning'));
    }
    const { code, stdout } = await check(old);
    expect(code).toBe(2);
    expect(stdout).toContain(
      'Site/shop/SiteDomain/shop.example.net\n  … 1 unchanged\n  POST /api/sites/{"$ref":"Site/shop","output":"id"}/domains\n  {\n    "domain": "shop.example.net",\n-   "provisioning": "dns"\n+   "provision_method": "dns"\n  }\n',
    );
    expect(stdout).toContain('do not plan the same');
    expect(stdout).not.toContain('Site/shop/Caching');
  });
});

describe('another version', () => {
  it('that leaves an action out, or has another order, is told apart; its JSON says so too', async () => {
    const fewer = await check(await standIn('fewer', '', 'plan.actions.pop(); plan.actions.reverse();'), '-o', 'json');
    expect(JSON.parse(fewer.stdout)).toMatchObject({
      format: 'hostwright.upgrade-check/1',
      outcome: 'differences',
      exitCode: 2,
      versions: { before: '0.0.9' },
      keepsReviews: true,
      differences: [
        { what: 'Site/shop/Caching', before: '', after: containing('PATCH') },
        { what: 'the order of the actions' },
      ],
    });
    const digest = await check(await standIn('digest', '', "plan.digest = 'other';"));
    expect([digest.code, digest.stderr]).toEqual([0, containing('The digests differ')]);
  });

  it('has no token, no secret and no file but the manifests and the ledger; what it does beside reads is refused', async () => {
    const seen = join(ground, 'seen.json');
    await writeFile(join(ground, 'accounts/acme/credentials.txt'), 'a-secret-in-the-folder');
    const old = await standIn(
      'curious',
      `import { readdirSync } from 'node:fs';
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, files: readdirSync('.', { recursive: true }) }));
const headers = { authorization: 'Bearer ' + process.env.HOSTWRIGHT_TOKEN };
await fetch(process.env.HOSTWRIGHT_API_URL + '/api/sites/site-shop', { method: 'DELETE', headers });
await fetch(process.env.HOSTWRIGHT_API_URL + '/api/sites', { headers: { authorization: 'Bearer guessed' } });`,
    );
    const before = sandbox.requests.length;
    const { code, stderr } = await check(old);
    expect([code, stderr]).toEqual([1, containing('HW6752')]);
    expect(stderr).toContain('0.0.9 asked for DELETE /api/sites/site-shop while it planned');
    expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    const { env, files } = JSON.parse(await readFile(seen, 'utf8')) as {
      readonly env: Readonly<Record<string, string>>;
      readonly files: readonly string[];
    };
    expect(JSON.stringify(env)).not.toContain(API_KEY);
    expect(env).toMatchObject({ HOSTWRIGHT_TOKEN: matching(/^upgrade-check-[0-9a-f]{32}$/) });
    const sites = await readdir(join(root, 'examples/small-agency/sites'));
    expect([...files].sort()).toEqual(
      ['.git', '.git/HEAD', 'hostwright.yaml', 'sites', ...sites.map((name) => `sites/${name}`)].sort(),
    );
  });

  it('that makes no plan, or is not there, is told with why; nothing was compared', async () => {
    const broken = await check(await standIn('broken', "console.error('cannot read this ledger'); process.exit(1);"));
    expect([broken.code, broken.stderr]).toEqual([1, containing('HW6751')]);
    expect(broken.stderr).toContain('cannot read this ledger');
    for (const old of ['nowhere', '99.0.0', join(ground, 'shared')])
      expect((await check(old)).stderr).toContain('HW6750');
  });
});
