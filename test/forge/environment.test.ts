// `doctor` asks the forge whether the environment of the jobs is closed to branches: the built command in a repository
// that `init` wrote, against made-up answers of GitHub and GitLab.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { DoctorReport, Finding } from '../../src/model/doctor.ts';
import { ciFiles } from '../../src/cli/commands/init/ci.ts';
import { root } from '../ci/workflows.ts';
import { openFolder } from '../support/closing.ts';
import { openServer } from '../support/servers/plain.ts';
import { containing, matching } from '../support/matchers.ts';

type Answers = Readonly<Record<string, object | number>>;

const GITHUB_AT = '/repos/acme/hosting';
const GITLAB_AT = '/projects/acme%2Fhosting';

/** The findings of `doctor` on the forge, and what was asked. `answers`: by path; a number is a refusal. */
async function doctor(
  ci: 'github' | 'gitlab',
  answers: Answers,
  { token = 'forge-token' }: { readonly token?: string } = {},
): Promise<{ readonly findings: readonly Finding[]; readonly asked: readonly string[]; readonly printed: string }> {
  const asked: string[] = [];
  const { url } = await openServer((request, response) => {
    const path = (request.url ?? '').replace('/api/v4', '').replace(/\?.*/, '');
    asked.push(`${request.method} ${path} ${request.headers.authorization}`);
    const answer = answers[path] ?? 404;
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof answer === 'number' ? { message: 'no' } : answer));
  });
  const folder = await openFolder({
    '.git/config': '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@forge.example:acme/hosting.git\n',
  });
  const place = { root: folder, folder: '', shared: [], registryVariables: [] };
  for (const { file, text } of await ciFiles(ci, 'acc-acme', place)) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ...(ci === 'github'
      ? { GITHUB_API_URL: url, GITHUB_TOKEN: token }
      : { CI_API_V4_URL: `${url}/api/v4`, GITLAB_TOKEN: token }),
  };
  const args = [join(root, 'dist/main.js'), 'doctor', '--format', 'json'];
  // It fails for want of a workspace file and a token of the platform.
  const printed = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
  const { findings } = JSON.parse(printed) as DoctorReport;
  return { findings: findings.filter(({ area }) => area === 'forge'), asked, printed };
}

const says = (findings: readonly Finding[]): readonly string[] => findings.map((one) => `${one.verdict}: ${one.says}`);

describe('GitHub', () => {
  const repo = { default_branch: 'main' };
  const environment = `${GITHUB_AT}/environments/hosting`;
  const reviewed = [{ type: 'required_reviewers', reviewers: [{ type: 'User' }] }];
  const custom = { protected_branches: false, custom_branch_policies: true };

  it('is asked with reads alone, and an environment of the default branch with reviewers is in order', async () => {
    const { findings, asked, printed } = await doctor('github', {
      [GITHUB_AT]: repo,
      [environment]: { deployment_branch_policy: custom, protection_rules: reviewed },
      [`${environment}/deployment-branch-policies`]: { branch_policies: [{ name: 'main' }] },
    });
    expect(says(findings)).toEqual([
      'ok: Only `main` can use the environment `hosting` on GitHub.',
      'ok: GitHub asks somebody before a job uses the environment `hosting`.',
    ]);
    expect(asked.map((line) => line.replace(/ Bearer forge-token$/, ''))).toEqual(
      expect.arrayContaining([
        `GET ${GITHUB_AT}`,
        `GET ${environment}`,
        `GET ${environment}/deployment-branch-policies`,
      ]),
    );
    expect(printed).not.toContain('forge-token');
  });

  it.each([
    ['every branch', { deployment_branch_policy: null, protection_rules: [] }, 'Every branch can use the environment'],
    ['other branches', { deployment_branch_policy: custom }, 'Beside `main`, `release/*` can use the environment'],
  ])('that lets %s in is a warning with the remedy', async (_what, answer, words) => {
    const { findings } = await doctor('github', {
      [GITHUB_AT]: repo,
      [environment]: answer,
      [`${environment}/deployment-branch-policies`]: { branch_policies: [{ name: 'main' }, { name: 'release/*' }] },
    });
    expect(findings[0]).toMatchObject({
      verdict: 'warning',
      says: containing(words),
      remedy: containing('Restrict it to `main`'),
    });
    expect(findings[1]).toMatchObject({ verdict: 'warning', says: containing('Nobody is asked') });
  });

  it('without the environment says so; what it may not ask, and without a token, it does not know', async () => {
    const none = await doctor('github', { [GITHUB_AT]: repo });
    expect(says(none.findings)).toEqual([matching(/^warning: GitHub has no environment `hosting`/)]);
    const refused = await doctor('github', { [GITHUB_AT]: repo, [environment]: 403 });
    expect(says(refused.findings)).toEqual([matching(/^unknown: .*does not tell it with this token \(403\)/)]);
    const alone = await doctor('github', {}, { token: '' });
    expect(says(alone.findings)).toEqual([matching(/^unknown: .*GITHUB_TOKEN holds no token/)]);
    expect(alone.asked).toEqual([]);
  });
});

describe('GitLab', () => {
  const project = { default_branch: 'main' };

  it('is asked for protected branches and who may deploy, and never for the value of a variable', async () => {
    const { findings, asked } = await doctor('gitlab', {
      [GITLAB_AT]: project,
      [`${GITLAB_AT}/protected_branches`]: [{ name: 'main' }],
      [`${GITLAB_AT}/protected_environments/hosting`]: { name: 'hosting' },
    });
    expect(findings.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'unknown']);
    expect(asked.join('\n')).not.toContain('variables');
  });

  it('with a default branch that anybody may push to is a warning; what it may not ask is not known', async () => {
    const open = await doctor('gitlab', { [GITLAB_AT]: project, [`${GITLAB_AT}/protected_branches`]: [] });
    expect(says(open.findings)).toEqual([
      'warning: The default branch `main` is not protected on GitLab.',
      matching(/^warning: Nobody is asked/),
      matching(/^unknown: /),
    ]);
    const refused = await doctor('gitlab', { [GITLAB_AT]: 403 });
    expect(says(refused.findings)).toEqual([matching(/^unknown: .*\(403\)/)]);
  });
});
