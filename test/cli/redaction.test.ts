// What the environment holds never leaves in a text: whoever echoes it, prints it or answers with it. The built program
// runs as a job would run it.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialsIn, redactorFor } from '../../src/usecases/environment/credentials.ts';
import {
  API_KEY,
  BACK_END_KEY,
  OAUTH_READ_ONLY_TOKEN,
  OAUTH_TOKEN,
  oauthToken,
  READER_API_KEY,
  SESSION_TOKEN,
  SYSTEM_KEY,
} from '../../src/sandbox/core/http/credentials.ts';
import { siteEvent } from '../events/ground.ts';
import { useProgram } from './program-under-test.ts';
import { listen, freePort } from '../support/servers/plain.ts';

const { run, folder } = useProgram();
/** In a process of its own. */
const runBuilt: typeof run = (argv, options = {}) => run(argv, { during: () => undefined, ...options });

/** A server that says back everything that it is sent, as one with a debugging page does. */
let echo: Server;
let url = '';
beforeAll(async () => {
  echo = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `bad: ${request.headers.authorization ?? ''} ${body}`, code: 'bad' }));
    });
  });
  url = `http://127.0.0.1:${await listen(echo)}`;
  await writeFile(
    join(folder(), 'hostwright.yaml'),
    `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "${url}" }\n`,
  );
  await writeFile(join(folder(), 'plan.md'), '<!-- hostwright: plan -->\n# Plan\n');
});
afterAll(() => new Promise((resolve) => echo.close(resolve)));

describe('what a server says back', () => {
  it.each([
    ['GitHub', ['ci', 'github', 'approved', '--out', 'x'], { GITHUB_TOKEN: 'ghs_canary-canary-2' }],
    ['GitLab', ['ci', 'gitlab', 'approved', '--out', 'x'], { GITLAB_TOKEN: 'glpat-canary-canary-3' }],
  ] as const)('is without the credential of %s', async (_who, argv, credential: Readonly<Record<string, string>>) => {
    const config = join(folder(), 'server.yaml');
    await writeFile(config, `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: a, baseUrl: "${url}" }\n`);
    const { stdout, stderr, code } = await runBuilt([...argv, '--config', config, '--report', 'json=told.json'], {
      env: {
        HOME: folder(),
        GITHUB_REPOSITORY: 'acme/hosting',
        GITHUB_API_URL: url,
        GITHUB_SHA: 'abc',
        GITHUB_REF_NAME: 'main',
        CI_API_V4_URL: `${url}/api/v4`,
        CI_PROJECT_ID: '1',
        CI_COMMIT_SHA: 'abc',
        CI_COMMIT_BRANCH: 'main',
        ...credential,
      },
    });
    expect(code).not.toBe(0);
    const told = await readFile(join(folder(), 'told.json'), 'utf8').catch(() => '');
    expect(`${stdout}${stderr}${told}`).not.toMatch(/canary-/);
  });
});

describe('a program that declares manifests', () => {
  const PROGRAM = [
    "import { App, Site } from 'hostwright/constructs';",
    "for (const line of ['::error file=a.ts,line=1::pwned', '::add-mask::shop', '##[error]pwned', '##vso[task.setvariable variable=A]b', 'Valid: 1 manifest, 2 objects', 'token-canary-1234'])",
    '  console.log(line);',
    'const app = new App();',
    "new Site(app, 'shop');",
    'export default app;',
  ].join('\n');

  it('is named at each line that it prints, commands no job, and shows no credential', async () => {
    const here = join(folder(), 'program');
    await mkdir(join(here, 'node_modules'), { recursive: true });
    await writeFile(join(here, 'hosting.ts'), PROGRAM);
    await symlink(join(import.meta.dirname, '../..'), join(here, 'node_modules/hostwright'));
    await writeFile(
      join(here, 'hostwright.yaml'),
      `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "${url}" }\n`,
    );
    const { stdout, stderr, code } = await runBuilt(
      ['validate', 'program/hosting.ts', '--config', 'program/hostwright.yaml', '--run-program'],
      { env: { HOME: folder(), HOSTWRIGHT_TOKEN: 'token-canary-1234' } },
    );
    expect([code, stderr.split('\n').filter((line) => line !== '')]).toEqual([
      0,
      [
        'program/hosting.ts: ::error file=a.ts,line=1::pwned',
        'program/hosting.ts: ::add-mask::shop',
        'program/hosting.ts: #\\u{23}[error]pwned',
        'program/hosting.ts: #\\u{23}vso[task.setvariable variable=A]b',
        'program/hosting.ts: Valid: 1 manifest, 2 objects',
        'program/hosting.ts: ***',
      ],
    ]);
    expect(stdout.startsWith('Valid: 1 manifest')).toBe(true);
  });
});

describe('the receiver', () => {
  it('tells a caller that a message was not taken, and its log why, without the trigger token', async () => {
    const port = await freePort();
    const authorization = 'Bearer hook-canary-0123456789';
    let said = '';
    const { stdout, stderr } = await run(
      ['serve', 'receiver', '.', '--listen', `127.0.0.1:${port}`, '--dispatch', 'gitlab', '--project', 'acme/hosting'],
      {
        env: {
          HOME: folder(),
          GITLAB_TRIGGER_TOKEN: 'glptt-canary-canary',
          CI_API_V4_URL: `${url}/api/v4`,
          HOSTWRIGHT_HOOK_AUTHORIZATION: authorization,
        },
        during: (child) => {
          const isUp = (): Promise<boolean> =>
            fetch(`http://127.0.0.1:${port}/healthz`).then(
              ({ ok }) => ok,
              () => false,
            );
          void (async () => {
            while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
            const body = JSON.stringify(siteEvent('created'));
            const answer = await fetch(`http://127.0.0.1:${port}/webhooks`, {
              method: 'POST',
              headers: { authorization },
              body,
            });
            said = `${answer.status} ${await answer.text()}`;
          })().finally(() => child.kill('SIGTERM'));
        },
      },
    );
    expect(said).toBe('503 {"result":"refused","message":"It was not taken. Send it again later."}\n');
    expect(stdout).toContain('It was not taken by GitLab');
    expect(stdout + stderr).not.toContain('canary');
  });
});

describe('the list of credentials', () => {
  const NAMES = [
    ...['HOSTWRIGHT_TOKEN', 'HOSTWRIGHT_TOKEN_ACC_1', 'HOSTWRIGHT_READ_TOKEN', 'HOSTWRIGHT_READ_TOKEN_ACC_1'],
    ...['HOSTWRIGHT_HOOK_AUTHORIZATION', 'HOSTWRIGHT_HOOK_X'],
    ...['HOSTWRIGHT_NOTIFY_SECRET', 'GITHUB_TOKEN', 'GH_TOKEN', 'GH_ENTERPRISE_TOKEN', 'ACTIONS_RUNTIME_TOKEN'],
    ...['ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'GITLAB_TOKEN', 'GITLAB_TRIGGER_TOKEN', 'CI_JOB_TOKEN', 'CI_JOB_JWT_V2'],
    ...['CI_REGISTRY_PASSWORD', 'CI_DEPLOY_PASSWORD', 'SYSTEM_ACCESSTOKEN', 'BITBUCKET_ACCESS_TOKEN', 'CIRCLE_TOKEN'],
    ...['NPM_TOKEN', 'NODE_AUTH_TOKEN', 'PGPASSWORD', 'VAULT_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AZURE_CLIENT_SECRET'],
  ];

  it.each(NAMES)('has %s', (name) => {
    expect(credentialsIn({ [name]: 'canary-1234' })).toMatchObject([
      { name, secrets: expect.arrayContaining(['canary-1234']) as string[] },
    ]);
  });

  it('of an address has what its login hides, and nothing of one without', () => {
    const env = { HOSTWRIGHT_DATABASE_URL_STAGE: 'postgres://user:p%40ssw0rd-canary@db.example.com/hosting' };
    expect(redactorFor(env)('could not reach p@ssw0rd-canary, p%40ssw0rd-canary')).toBe('could not reach ***, ***');
    expect(credentialsIn({ HTTPS_PROXY: 'http://proxy.example.com:3128', HOSTWRIGHT_ACCOUNT: 'acc-acme' })).toEqual([]);
  });

  it('of a header has what stands behind its scheme', () => {
    const redact = redactorFor({ HOSTWRIGHT_HOOK_AUTHORIZATION: 'Bearer new-canary\nBearer old-canary' });
    expect(redact('new-canary and old-canary')).toBe('*** and ***');
  });

  it('leaves words and the tokens of the sandbox alone', () => {
    expect(redactorFor({ HOSTWRIGHT_TOKEN: 'site' })('a site')).toBe('a site');
    const ofSandbox = [
      ...[SESSION_TOKEN, API_KEY, READER_API_KEY, OAUTH_TOKEN, OAUTH_READ_ONLY_TOKEN, SYSTEM_KEY, BACK_END_KEY],
      ...[oauthToken(['sites:read', 'panel:read']), 'sandbox-user-token-7'],
    ];
    for (const token of ofSandbox) expect(redactorFor({ HOSTWRIGHT_TOKEN: token })(`"${token}"`)).toBe(`"${token}"`);
    expect(redactorFor({ HOSTWRIGHT_TOKEN: 'sandbox-9f8e7d6c' })('"sandbox-9f8e7d6c"')).toBe('"***"');
  });
});
