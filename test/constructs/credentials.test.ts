// HW1506: in CI a program is not run beside a credential, whichever it is and whatever the CI is called; and HW6022: no
// workspace gives it one.
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

describe('a program in CI', () => {
  it.each([
    'HOSTWRIGHT_TOKEN',
    'HOSTWRIGHT_TOKEN_ACME',
    'HOSTWRIGHT_READ_TOKEN',
    'HOSTWRIGHT_LEDGER_TOKEN',
    'HOSTWRIGHT_LEDGER_PASSWORD',
    'HOSTWRIGHT_HOOK_AUTHORIZATION',
    'GITHUB_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'GITLAB_TOKEN',
    'CI_JOB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
  ])('is not run beside %s', async (name) => {
    const { code, said } = await validate({ CI: 'true', [name]: 'canary-1234' });
    expect([code, said.includes('HW1506'), said.includes(`a credential (${name})`)]).toEqual([1, true, true]);
    expect(said).not.toContain('canary');
  });

  it('is not run beside the address of a database with its password, and is beside one without', async () => {
    const address = (login: string) => ({
      CI: 'true',
      HOSTWRIGHT_DATABASE_URL: `postgres://${login}db.example.com/hosting`,
    });
    expect((await validate(address('ledger:canary-1@'))).said).toContain('HW1506');
    expect((await validate(address(''))).code).toBe(0);
  });

  it.each(['GITHUB_ACTIONS', 'GITLAB_CI', 'JENKINS_URL', 'TF_BUILD', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID'])(
    'is known by %s too, without `CI`',
    async (name) => {
      expect((await validate({ [name]: 'True', HOSTWRIGHT_TOKEN: 'canary-1234' })).said).toContain('HW1506');
    },
  );

  it('is not run beside a credentials file of the user', async () => {
    await mkdir(join(folder(), '.config/hostwright'), { recursive: true });
    await writeFile(join(folder(), '.config/hostwright/credentials.yaml'), '');
    const { said } = await validate({ CI: 'true', HOME: folder() });
    expect(said).toContain('a credential (the credentials file)');
    expect((await validate({ CI: 'true', HOME: join(folder(), 'nobody') })).code).toBe(0);
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
