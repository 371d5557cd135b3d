// `hostwright ci github` and `hostwright ci gitlab` as users run them, which are the same commands in the words of each forge:
// which file, which stream, which exit code, what is said when something is missing.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { outcomeMarkdown, planMarkdown } from '../support/reports.ts';
import { outcomeOf, shopPlan } from '../report/samples.ts';
import type { FakeGithub } from '../support/servers/github.ts';
import { githubToken, startGithub } from '../support/servers/github.ts';
import type { FakeGitlab } from '../support/servers/gitlab.ts';
import { gitlabToken, startGitlab } from '../support/servers/gitlab.ts';
import { useProgram } from './program-under-test.ts';
import { containing, matching } from '../support/matchers.ts';

const { run: start, folder } = useProgram();
let github: FakeGithub;
let gitlab: FakeGitlab;

/** Between two comments the client pauses for three seconds, which here take no time to speak of. */
beforeAll(() => {
  const { setInterval, clearInterval } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() });
  const hurry = setInterval(() => vi.advanceTimersByTime(100), 1);
  return () => {
    clearInterval(hurry);
    vi.useRealTimers();
  };
});

const file = (name: string): string => join(folder(), name);
beforeAll(async () => {
  [github, gitlab] = await Promise.all([startGithub(), startGitlab()]);
  // One test begins with no comment, whichever test is first.
  for (const forge of [github, gitlab]) for (const number of [7, 8]) forge.addPull(number);
  await writeFile(file('plan.md'), planMarkdown(shopPlan));
  await writeFile(file('drift.md'), planMarkdown(shopPlan, { heading: 'Drift' }));
  await writeFile(file('outcome.md'), outcomeMarkdown(outcomeOf({})));
  await writeFile(file('other.md'), '# Notes\n');
  await writeFile(file('event.json'), JSON.stringify({ pull_request: { number: 8 } }));
  await writeFile(file('broken.json'), '{');
});
afterAll(() => Promise.all([github.close(), gitlab.close()]));

type Env = Readonly<Record<string, string>>;

/** A line of a forge; `name` is `github` or `gitlab`. */
const run = (name: string, line: string, env: Env = {}) =>
  start(['ci', name, ...line.split(' ')], {
    env: {
      ...{ GITHUB_TOKEN: githubToken, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'acme/hosting' },
      ...{ GITLAB_TOKEN: gitlabToken, CI_API_V4_URL: gitlab.url, CI_PROJECT_ID: '42' },
      ...env,
    },
  });

const FORGES = [
  {
    name: 'github',
    comment: 'comment plan.md',
    on: '--pull',
    made: /^Comment created: https:/,
    job: () => ({ GITHUB_EVENT_PATH: file('event.json') }),
    merged: { GITHUB_SHA: 'c1', GITHUB_REF_NAME: 'main' },
    outputs: 'comments=1\n',
    own: 'github-actions[bot]',
    otherAccount: 'HW6606',
    noApproval: /HW6607/,
    issues: () => github.issues,
  },
  {
    name: 'gitlab',
    comment: 'note plan.md',
    on: '--merge-request',
    made: /^Note created: https:\S+\/-\/merge_requests\/8#note_\d+\n$/,
    job: () => ({ CI_MERGE_REQUEST_IID: '8' }),
    merged: { CI_COMMIT_SHA: 'c1', CI_COMMIT_BRANCH: 'main' },
    outputs: 'notes=1\n',
    own: 'project_42_bot_1a2b3c',
    otherAccount: 'HW6624',
    noApproval: /HW6625[^]*No merge request that was merged into main/,
    issues: () => gitlab.issues,
  },
] as const;

describe.each(FORGES)('$name', ({ name, comment, on, ...forge }) => {
  it('writes on the pull request that it is given, or that the job is about', async () => {
    expect(await run(name, `${comment} --outcome differences ${on} 8`)).toMatchObject({
      code: 0,
      stdout: matching(forge.made),
      stderr: '',
    });
    const again = await run(
      name,
      `${comment} --outcome differences --format json --report outputs=${name}.env --report json=told.json`,
      forge.job(),
    );
    expect(again).toMatchObject({ code: 0, stdout: containing('"did": "unchanged"') });
    expect(await readFile(file(`${name}.env`), 'utf8')).toBe(forge.outputs);
    expect(JSON.parse(await readFile(file('told.json'), 'utf8'))).toMatchObject({
      format: `hostwright.${name}/1`,
      outcome: 'done',
      [name]: [{ did: 'unchanged', number: 8 }],
    });
  });

  it('warns when the token is of another account than is believed', async () => {
    const written = (author: string) => run(name, `${comment} --outcome differences ${on} 7 --author ${author}`);
    expect(await written('our-app[bot]')).toMatchObject({ code: 0, stderr: containing(forge.otherAccount) });
    expect(await written(forge.own)).toMatchObject({ code: 0, stderr: '' });
  });

  it('opens an issue for drift, leaves it when a run tells nothing, and closes it', async () => {
    const issue = (more: string) => run(name, `issue drift.md ${more}`);
    const last = () => forge.issues().at(-1);
    expect(await issue('--outcome differences --title Drift!')).toMatchObject({
      code: 0,
      stdout: containing('Issue created'),
    });
    expect(last()).toMatchObject({ title: 'Drift!', state: matching(/^open/) });
    expect((await issue('--outcome error')).stdout).toContain('left as it is');
    expect(last()).toMatchObject({ state: matching(/^open/) });
    expect((await issue('--outcome done')).stdout).toContain('Issue closed');
    expect((await issue('--outcome done')).stdout).toContain('no issue is open');
    for (const form of ['markdown', 'html'])
      expect(await issue(`--outcome error --report ${form}=x`)).toMatchObject({
        code: 1,
        stderr: matching(new RegExp(`no ${form}`, 'i')),
      });
  });

  it('writes an empty set, and says why, when nobody approved', async () => {
    expect(await run(name, 'approved --out approved.txt', forge.merged)).toMatchObject({
      code: 0,
      stdout: matching(/^0 approved actions\nSearched 0 merged (pull|merge) requests\.\n$/),
      stderr: matching(forge.noApproval),
    });
    expect(await readFile(file('approved.txt'), 'utf8')).toBe('');
  });
});

it('GitHub: what a job prints is fenced off', async () => {
  await run('github', 'issue drift.md --outcome differences');
  expect((await run('github', 'issue drift.md --outcome done --format github')).stdout).toMatch(
    /^::stop-commands::[^]*Issue closed[^]*\n::[0-9a-f-]{36}::\n$/,
  );
});

const COMMENT_7 = 'comment plan.md --outcome done --pull 7';
const NOTE_7 = 'note plan.md --outcome done --merge-request 7';
it.each<[what: string, name: string, line: string, env: Env, said: string]>([
  ['no pull request', 'github', 'comment plan.md --outcome done', { GITHUB_EVENT_PATH: '/nowhere' }, 'HW6605'],
  ['an event that is none', 'github', 'comment plan.md --outcome done', { GITHUB_EVENT_PATH: 'broken.json' }, 'HW6605'],
  ['no report of ours', 'github', 'comment other.md --outcome done --pull 7', {}, 'HW6604'],
  ['no file', 'github', 'comment missing.md --outcome done --pull 7', {}, 'HW6604'],
  ['no token', 'github', COMMENT_7, { GITHUB_TOKEN: '' }, 'HW6602'],
  ['no repository', 'github', COMMENT_7, { GITHUB_REPOSITORY: 'x' }, 'HW6602'],
  ['a token that is refused', 'github', COMMENT_7, { GITHUB_TOKEN: 'ghs_other' }, 'GITHUB_TOKEN is not accepted'],
  ['a pull request that is none', 'github', COMMENT_7.replace('7', '99'), {}, '`pull-requests: write`'],
  ['a plan for the issue', 'github', 'issue plan.md --outcome differences', {}, 'HW6604'],
  ['nowhere to write', 'github', 'approved --out missing/approved.txt --commit c1 --branch main', {}, 'HW6608'],
  ['no commit', 'github', 'approved --out approved.txt --branch main', {}, 'HW6602'],
  ['no merge request', 'gitlab', 'note plan.md --outcome done', {}, 'HW6623'],
  ['no file', 'gitlab', 'note missing.md --outcome done --merge-request 7', {}, 'HW6622'],
  ['no token', 'gitlab', NOTE_7, { GITLAB_TOKEN: '' }, 'HW6620'],
  ['no commit', 'gitlab', 'approved --out approved.txt', {}, 'HW6620'],
  ['a token that is refused', 'gitlab', NOTE_7, { GITLAB_TOKEN: 'glpat-other' }, 'GITLAB_TOKEN is not accepted'],
  ['a merge request that is none', 'gitlab', NOTE_7.replace('7', '99'), {}, 'the role Reporter'],
])('%s is an error of %s that says what to do', async (_what, name, line, env, said) => {
  const { code, stderr } = await run(name, line, env);
  expect([code, stderr]).toEqual([1, containing(said)]);
  for (const token of [githubToken, gitlabToken]) expect(stderr).not.toContain(token);
});

it.each([
  ['comment plan.md --pull 7', '--outcome'],
  ['comment plan.md --outcome fine --pull 7', 'Allowed choices'],
  ['comment plan.md --outcome done --pull 7;8', 'several separated by commas'],
  ['issue drift.md --outcome done --format markdown', 'this takes human, github, or json'],
])('refuses github %s', async (line, said) =>
  expect(await run('github', line)).toMatchObject({ code: 1, stderr: containing(said) }),
);
