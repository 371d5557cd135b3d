// HW1506: a program is not run beside a credential, whichever it is, unless a person at a terminal says so; and HW6022: no
// workspace gives it one.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useProgram } from '../cli/program-under-test.ts';

const { folder, run } = useProgram();
const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1"';
beforeAll(async () => {
  await writeFile(join(folder(), 'hostwright.yaml'), `${WORKSPACE} }\n`);
  await writeFile(
    join(folder(), 'hosting.ts'),
    "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\nnew Site(app, 'shop');\nexport default app;\n",
  );
});

const validate = async (env: Readonly<Record<string, string>>, ...options: readonly string[]) => {
  const { code, stdout, stderr } = await run(['validate', 'hosting.ts', ...options], {
    env: { HOME: folder(), ...env },
  });
  return { code, said: `${stdout}${stderr}` };
};

/** Runs the built command at a terminal, and types this line. */
function atTerminal(typed: string, env: Readonly<Record<string, string>>): Promise<string> {
  const command = `'${process.execPath}' '${join(import.meta.dirname, '../../dist/main.js')}' validate hosting.ts`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder(),
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', HOME: folder(), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    // This terminal is narrow, and nothing in it is in colour for long.
    said = `${said}${bytes.toString('utf8')}`.replaceAll(/\u001b\[\d*m/g, '').replaceAll(/\s+/g, ' ');
    if (said.includes('Run it?') && child.stdin.writable) child.stdin.end(`${typed}\n`);
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', () => done(said));
  });
}

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) process.stderr.write('questions at a terminal are not tried: there is no `script`\n');

describe('a program', () => {
  it.each([
    'HOSTWRIGHT_TOKEN',
    'HOSTWRIGHT_TOKEN_ACME',
    'HOSTWRIGHT_READ_TOKEN',
    'HOSTWRIGHT_HOOK_AUTHORIZATION',
    'GITHUB_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'GITLAB_TOKEN',
    'CI_JOB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    // By the shape of the name.
    'CLOUDFLARE_API_TOKEN',
    'DOCKER_AUTH_CONFIG',
    'STRIPE_KEY',
    'SESSION_SECRET',
    'MYSQL_PASSWORD',
  ])('is not run beside %s', async (name) => {
    const { code, said } = await validate({ [name]: 'canary-1234' });
    expect([code, said.includes('HW1506'), said.includes(`at hand (${name})`)]).toEqual([1, true, true]);
    expect(said).not.toContain('canary');
  });

  it('is not run beside the address of a database with its password, and is beside one without', async () => {
    const address = (login: string) => ({
      HOSTWRIGHT_DATABASE_URL: `postgres://${login}db.example.com/hosting`,
    });
    expect((await validate(address('ledger:canary-1@'))).said).toContain('HW1506');
    expect((await validate(address(''))).code).toBe(0);
  });

  const terminalIt = it.skipIf(!hasTerminal);
  terminalIt('is run where a person at a terminal says so', async () => {
    const env = { HOSTWRIGHT_TOKEN: 'canary-1234' };
    expect(await atTerminal('yes', env)).toMatch(/at hand \(HOSTWRIGHT_TOKEN\)[^]*Valid: 1 manifest/);
    const no = await atTerminal('no', env);
    expect([no.includes('HW1506'), no.includes('canary')]).toEqual([true, false]);
  });

  terminalIt.each(['CI', 'GITHUB_ACTIONS', 'GITLAB_CI', 'JENKINS_URL', 'TF_BUILD', 'TEAMCITY_VERSION', 'BUILDKITE'])(
    'asks nobody in %s',
    async (name) => {
      const said = await atTerminal('yes', { [name]: 'True', HOSTWRIGHT_TOKEN: 'canary-1234' });
      expect([said.includes('HW1506'), said.includes('Run it?')]).toEqual([true, false]);
    },
  );

  it('is run beside a token of the local sandbox, which opens nothing', async () => {
    expect((await validate({ HOSTWRIGHT_TOKEN: 'sandbox-api-key' })).code).toBe(0);
  });

  it('is not run beside a credentials file of the user', async () => {
    const home = join(folder(), 'somebody');
    await mkdir(join(home, '.config/hostwright'), { recursive: true });
    await writeFile(join(home, '.config/hostwright/credentials.yaml'), '');
    const { said } = await validate({ HOME: home });
    expect(said).toContain('at hand (the credentials file)');
    expect((await validate({ HOME: join(folder(), 'nobody') })).code).toBe(0);
  });

  it('is run where `--run-program` says that only people who are trusted can change it', async () => {
    expect((await validate({ CI: 'true', HOSTWRIGHT_TOKEN: 'canary-1234' }, '--run-program')).code).toBe(0);
  });
});

describe('synth.env', () => {
  it.each(['GITLAB_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'SHOP_API_KEY', 'DB_PASSWORD'])(
    'never takes %s',
    async (name) => {
      await writeFile(join(folder(), 'env.yaml'), `${WORKSPACE}, synth: { env: [STAGE, ${name}] } }\n`);
      const { said } = await validate({}, '--config', 'env.yaml');
      expect(said).toContain(`The program must not be given \`${name}\`, which is the name of a credential.`);
    },
  );
});
