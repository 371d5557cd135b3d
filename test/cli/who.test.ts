// Who did it: each run in the ledger, and its lock, name the job, the person and the pull requests. A lock of a job that
// its forge calls ended is taken over; nobody but the forge of this very repository is asked.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Harness } from '../support/harness.ts';
import type { Ended } from '../support/processes/run-here.ts';
import { runHere } from '../support/processes/run-here.ts';
import { openHarness } from '../support/open-harness.ts';
import { openServer } from '../support/servers/plain.ts';
import { siteManifest } from '../support/manifests.ts';

const JOB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/hosting',
  GITHUB_RUN_ID: '4711',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_ACTOR: 'bob',
  GITHUB_TRIGGERING_ACTOR: 'alice',
  GITHUB_SHA: '1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c',
};
const BY = {
  via: 'github',
  server: 'https://github.com',
  repository: 'acme/hosting',
  job: '4711',
  attempt: '2',
  url: 'https://github.com/acme/hosting/actions/runs/4711/attempts/2',
  actor: 'alice',
  commit: JOB.GITHUB_SHA,
};
const GITLAB_JOB = {
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://gitlab.example.com',
  CI_PROJECT_PATH: 'acme/hosting',
  CI_PROJECT_ID: '7',
  CI_JOB_ID: '99',
  CI_JOB_URL: 'https://gitlab.example.com/acme/hosting/-/jobs/99',
  GITLAB_USER_LOGIN: 'carol',
  CI_COMMIT_SHA: JOB.GITHUB_SHA,
};
const GITLAB_BY = {
  via: 'gitlab',
  server: 'https://gitlab.example.com',
  repository: 'acme/hosting',
  job: '99',
  url: GITLAB_JOB.CI_JOB_URL,
  actor: 'carol',
  commit: JOB.GITHUB_SHA,
};

let one: Harness;
beforeEach(async () => {
  one = await openHarness({ scenario: 'small', inProcess: false, memoryLedger: false });
  await one.write('sites/shop.json', siteWith(77));
});

function siteWith(cacheExpiration: number): string {
  return siteManifest('shop', { caching: { cacheExpiration } });
}

function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runHere(argv, {
    cwd: one.root,
    env: { PATH: process.env.PATH, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_API_URL: one.sandbox.url, ...env },
  });
}

async function listed(): Promise<{ readonly runs?: readonly { readonly by?: object; readonly complete?: boolean }[] }> {
  return JSON.parse((await run(['ledger', 'list', '--format', 'json'])).stdout) as never;
}

describe('a run in the ledger', () => {
  it('names the job, who started it and the pull requests that approved it', async () => {
    const plan = JSON.parse((await run(['plan', '--format', 'json'])).stdout) as {
      readonly actions: readonly { readonly digest: string }[];
    };
    const digests = plan.actions.map(({ digest }) => `${digest}\n`).join('');
    await one.write('approved.txt', `# approved by 12, 14\n${digests}`);
    expect(await run(['apply', '--expect', 'approved.txt'], JOB)).toMatchObject({ code: 0 });
    expect((await listed()).runs).toMatchObject([{ by: { ...BY, pulls: [12, 14] }, complete: true }]);
    const { stdout } = await run(['ledger', 'list']);
    for (const part of ['alice', BY.url, 'commit 1f2e3d4c5b6a', 'pull requests 12, 14', 'complete'])
      expect(stdout).toContain(part);
  });

  it('names a job of GitLab, and the user at a machine that is none', async () => {
    expect(await run(['apply', '--yes'], { ...GITLAB_JOB, CI_MERGE_REQUEST_IID: '5' })).toMatchObject({ code: 0 });
    await one.write('sites/shop.json', siteWith(78));
    expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
    const { runs } = await listed();
    expect(runs?.map(({ by }) => by)).toMatchObject([{ ...GITLAB_BY, pulls: [5] }, { via: 'local' }]);
  });

  it('of an older version is still read', async () => {
    await run(['apply', '--yes'], JOB);
    const file = join(one.root, '.hostwright/ledger.jsonl');
    const text = await readFile(file, 'utf8');
    expect(text).toContain(',"by":{');
    await writeFile(file, text.replace(/,"by":\{[^}]*\}/g, ''));
    expect((await listed()).runs).toMatchObject([{ complete: true }]);
    expect((await run(['ledger', 'list'])).stdout).toContain('not known by whom');
  });
});

interface Forge {
  readonly url: string;
  readonly asked: { readonly path: string; readonly token: string | undefined }[];
}

/** Answers whatever is asked with one document. */
async function forgeSaying(body: object, status = 200): Promise<Forge> {
  const asked: { readonly path: string; readonly token: string | undefined }[] = [];
  const { url } = await openServer((request, response) => {
    asked.push({ path: request.url ?? '', token: request.headers.authorization });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return { url, asked };
}

/** A runner that is gone left its lock. */
async function leaveLock(by: object): Promise<void> {
  await mkdir(join(one.root, '.hostwright'), { recursive: true });
  const record = {
    hostname: 'runner-1',
    pid: 7,
    user: 'runner',
    runId: 'run-lost',
    token: '0-1',
    since: '2026-01-01T00:00:00.000Z',
    started: '',
    space: '',
    by,
  };
  await writeFile(join(one.root, '.hostwright/ledger.jsonl.lock'), JSON.stringify(record));
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const LOST = { ...BY, job: '4000', attempt: '1', url: 'https://github.com/acme/hosting/actions/runs/4000/attempts/1' };

describe('the lock of a job', () => {
  const apply = (forge: Forge, env: Readonly<Record<string, string>> = {}) =>
    run(['apply', '--yes'], { ...JOB, GITHUB_API_URL: forge.url, GITHUB_TOKEN: 'ghs_secret', ...env });

  it('that GitHub calls ended is taken over, and the outcome says whose it was', async () => {
    const forge = await forgeSaying({ status: 'completed', updated_at: ago(6) });
    await leaveLock(LOST);
    const { code, stdout, stderr } = await apply(forge);
    expect({ code, said: stdout + stderr }).toMatchObject({ code: 0 });
    for (const part of ['HW5009', 'alice', LOST.url, 'run-lost', 'ended at'])
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(part);
    expect(forge.asked).toEqual([
      { path: '/repos/acme/hosting/actions/runs/4000/attempts/1', token: 'Bearer ghs_secret' },
    ]);
  });

  it('that GitLab calls ended is taken over', async () => {
    const forge = await forgeSaying({ status: 'canceled', finished_at: ago(6) });
    await leaveLock(GITLAB_BY);
    const env = { ...GITLAB_JOB, CI_JOB_ID: '100', CI_API_V4_URL: `${forge.url}/api/v4`, GITLAB_TOKEN: 'glpat' };
    expect(await run(['apply', '--yes'], env)).toMatchObject({ code: 0 });
    expect(forge.asked.map(({ path }) => path)).toEqual(['/api/v4/projects/acme%2Fhosting/jobs/99']);
  });

  it.each([
    ['goes on', { status: 'in_progress', updated_at: ago(60) }, 200],
    ['nobody may ask about', { message: 'Resource not accessible by integration' }, 403],
    ['ended without a time', { status: 'completed' }, 200],
  ])('that %s is left alone', async (_what, body, status) => {
    const forge = await forgeSaying(body, status);
    await leaveLock(LOST);
    const { code, stdout, stderr } = await apply(forge);
    expect(code).toBe(1);
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(/HW5004.*alice.*hostwright ledger unlock/);
    expect(forge.asked).toHaveLength(1);
  });

  it('that has only just ended is not taken yet: what its process had begun to send may still arrive', async () => {
    const forge = await forgeSaying({ status: 'completed', updated_at: ago(1) });
    await leaveLock(LOST);
    const { code, stdout, stderr } = await apply(forge);
    expect(code).toBe(1);
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(/That job has ended.*takes the lock over from .* on/);
  });

  it.each([
    ['another repository', { ...LOST, repository: 'acme/other' }, {}],
    ['another server', { ...LOST, server: 'https://github.example.com' }, {}],
    ['another forge', GITLAB_BY, {}],
    ['a job number that is a path', { ...LOST, job: '../../user' }, {}],
    ['an attempt that is a path', { ...LOST, attempt: '1/../../x' }, {}],
    ['this one, without a token', LOST, { GITHUB_TOKEN: '' }],
    ['this one, and the address of the API is not encrypted', LOST, { GITHUB_API_URL: 'http://github.example.com' }],
  ])('of %s is asked of nobody, and a person decides', async (_what, by, env) => {
    const forge = await forgeSaying({ status: 'completed', updated_at: ago(60) });
    await leaveLock({ ...by, apiUrl: forge.url });
    expect(await apply(forge, env)).toMatchObject({ code: 1 });
    expect(forge.asked).toEqual([]);
    await rm(join(one.root, '.hostwright/ledger.jsonl.lock'));
    expect(await apply(forge, env)).toMatchObject({ code: 0 });
  });
});
