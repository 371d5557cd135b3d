// The story of a repository on GitHub: the workflows of `examples/ci/github` and `action.yml`, run step by step as a runner does, against the sandbox and a small GitHub.
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { stickyText } from '../../src/forge/sticky.ts';
import { COMMENT, renderPlanMarkdown } from '../../src/report/markdown.ts';
import { API_KEY } from '../../src/sandbox/credentials.ts';
import { noGit } from '../support/git.ts';
import type { FakeComment, FakeGithub } from '../support/github.ts';
import { startGithub } from '../support/github.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import type { JobEnd } from '../support/runner.ts';
import type { Event } from './workflows.ts';
import { runWorkflow } from './workflows.ts';

const AUTHOR = 'github-actions[bot]';

interface Repository extends Harness {
  readonly github: FakeGithub;
  readonly job: (file: string, event?: Event, inputs?: Readonly<Record<string, string>>) => Promise<JobEnd>;
  /** Replaces a text in a file of the checkout. */
  readonly change: (file: string, from: string, to: string) => Promise<void>;
  /** Commits what is there. */
  readonly commit: () => Promise<string>;
  readonly writes: () => readonly string[];
  /** A pull request with the comment that its plan job makes, without running the job. */
  readonly review: (number: number) => Promise<FakeComment>;
}

let open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()));
  open = [];
});

async function repository(): Promise<Repository> {
  const harness = await startHarness({ example: 'small-agency' });
  const github = await startGithub();
  open = [harness, github];
  const { root, sandbox } = harness;
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' };
  const git = async (...args: readonly string[]): Promise<string> => (await promisify(execFile)('git', args, { cwd: root, env })).stdout.trim();
  await git('init', '-q', '-b', 'main');
  await appendFile(join(root, '.gitignore'), 'node_modules\n.hostwright\n');
  const commit = async (): Promise<string> => {
    await git('add', '.');
    await git('commit', '-q', '--allow-empty', '-m', 'change');
    return git('rev-parse', 'HEAD');
  };
  await commit();
  return {
    ...harness,
    github,
    commit,
    job: (file, event, inputs) => runWorkflow(file, { folder: root, github, platform: sandbox.url, token: API_KEY }, event, inputs),
    change: async (file, from, to) => {
      const text = await readFile(join(root, file), 'utf8');
      expect(text).toContain(from);
      await harness.write(file, text.replace(from, to));
    },
    review: async (number) => {
      github.addPull(number);
      const report = renderPlanMarkdown(await harness.planned(), { heading: 'Plan', verbose: false, outcome: 'differences', diagnostics: [], limit: COMMENT }) ?? '';
      return github.say(number, AUTHOR, stickyText(report, { what: 'plan', key: '. ', outcome: 'differences' }) ?? '');
    },
    writes: () => sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}

describe.skipIf(noGit !== undefined)('a pull request', () => {
  it('has one comment with its plan, written over when the plan is another, and the job tells the numbers', async () => {
    const { job, github, change, writes } = await repository();
    github.addPull(1);
    for (const text of ['first', 'second', 'third']) github.say(1, 'reviewer', text);
    const first = await job('pull-request.yml', { pull: 1 });
    expect(first, first.log).toMatchObject({ result: 'success', outputs: { mode: 'plan', outcome: 'differences', 'exit-code': '2', account: 'acc-acme', delete: '0', charges: '0' } });
    expect(Number(first.outputs.actions)).toBeGreaterThan(1);
    expect(first.summary).toContain('### Hostwright plan for account');
    expect(first.log).toMatch(/\n::notice file=sites\/[a-z-]+\.yaml,/);
    const mine = () => github.comments.filter(({ user }) => user.login === AUTHOR);
    expect(mine()).toMatchObject([{ body: expect.stringMatching(/^<!-- hostwright: plan acc-acme [0-9a-f]{64}\n[^]*\n<!-- hostwright-text: plan \S+ differences -->$/) as string }]);

    await change('sites/shop.yaml', '7200', '7201');
    expect((await job('pull-request.yml', { pull: 1 })).log).toContain('Comment updated');
    expect(mine()).toHaveLength(1);
    expect(mine()[0]?.body).toContain('7201');
    expect(writes()).toEqual([]);
    expect(first.log.split('\n').filter((line) => line.includes(API_KEY))).toEqual([`::add-mask::${API_KEY}`]);
  }, 60_000);

  it('from a fork is validated, not planned, and nothing is written', async () => {
    const { job, github, sandbox } = await repository();
    github.addPull(1);
    const end = await job('pull-request.yml', { pull: 1, from: 'mallory/hosting' });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { mode: 'validate', outcome: 'done' }, steps: { comment: { outcome: 'skipped' } } });
    expect(end.log).toContain('comes from another repository');
    expect([github.requests, sandbox.requests]).toEqual([[], []]);
  }, 30_000);

  it('that GitHub takes no comment for has its plan all the same, and the job says so', async () => {
    const { job, github } = await repository();
    github.addPull(1);
    github.faults.push({ method: 'POST', path: /comments$/, status: 403, body: { message: 'Resource not accessible by integration' }, times: 9 });
    const end = await job('pull-request.yml', { pull: 1 });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'differences' }, steps: { comment: { outcome: 'failure' } } });
    expect(end.log).toMatch(/::error title=HW6603[^]*Resource not accessible by integration[^]*::warning title=Hostwright::The pull request could not be told/);
    expect(end.outputs.reportText).toContain('### Hostwright plan');
  }, 30_000);

  it('with a manifest that is not valid fails the job and says why where people look', async () => {
    const { job, github, change } = await repository();
    github.addPull(1);
    await change('sites/shop.yaml', 'cacheExpiration', 'cacheExpiratoin');
    const end = await job('pull-request.yml', { pull: 1 });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'error', 'exit-code': '1' } });
    expect(github.comments[0]?.body).toMatch(/HW12\d\d/);
  }, 60_000);
});

describe.skipIf(noGit !== undefined)('a merge', () => {
  it('does what the comment approves, and answers', async () => {
    const { job, github, commit, writes } = await repository();
    github.addPull(1);
    await job('pull-request.yml', { pull: 1 });
    const before = await commit();
    const sha = await commit();
    github.merge(1, sha);
    const end = await job('merge.yml', { sha, before });
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { mode: 'apply', outcome: 'done', failed: '0', remaining: '0', pulls: '1' } });
    expect(writes().length).toBeGreaterThan(0);
    expect(github.comments.map(({ body }) => body.slice(0, 24))).toEqual(['<!-- hostwright: plan ac', '<!-- hostwright: apply a']);
    expect(github.comments[1]?.body).toMatch(/\*\*Done\.\*\*[^]*<!-- hostwright-text: apply \S+ done -->$/);
  }, 60_000);

  it('in another order than the plans were made in runs too, and two that waited run together', async () => {
    const { job, github, change, commit, apply, review } = await repository();
    await apply();
    let before = await commit();
    const merge = async (number: number): Promise<string> => {
      const sha = await commit();
      github.merge(number, sha);
      return sha;
    };
    const run = async (sha: string, outputs: object): Promise<void> => {
      const end = await job('merge.yml', { sha, before });
      expect(end, end.log).toMatchObject({ result: 'success', outputs });
      before = sha;
    };
    // Each from the same commit, as two branches are.
    await change('sites/shop.yaml', '7200', '700');
    await review(1);
    await change('sites/shop.yaml', '700', '7200');
    await change('sites/docs-and-blog.yaml', 'cacheExpiration: -1', 'cacheExpiration: 60');
    await review(2);
    await run(await merge(2), { outcome: 'done', update: '1', pulls: '2' });
    // The first, and one more that is merged before GitHub ran it: its run was dropped for that of the second.
    await change('sites/shop.yaml', '7200', '700');
    await merge(1);
    await change('sites/docs-and-blog.yaml', 'cacheExpiration: 60', 'cacheExpiration: 61');
    await review(3);
    await run(await merge(3), { outcome: 'done', update: '2', pulls: '3,1' });
    expect(github.comments.filter(({ body }) => / done -->$/.test(body)).map(({ issue }) => issue)).toEqual([2, 3, 1]);
  }, 60_000);

  it('of what nobody reviewed is refused, whatever a comment that another wrote or changed says', async () => {
    const { job, github, commit, review, writes } = await repository();
    const before = await commit();
    const real = await review(1);
    github.edit(real, 'mallory', real.body);
    const sha = await commit();
    github.merge(1, sha);
    const end = await job('merge.yml', { sha, before });
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { mode: 'apply' } });
    expect(end.log).toMatch(/was changed by mallory[^]*HW2104/);
    expect(github.comments.at(-1)?.body).toContain('HW2104');
    expect(writes()).toEqual([]);
  }, 60_000);

  it('sends nothing when GitHub cannot say what was approved', async () => {
    const { job, github, commit, sandbox } = await repository();
    github.faults.push({ method: 'GET', path: /pulls$/, status: 404, body: { message: 'Not Found' }, times: 9 });
    const end = await job('merge.yml', { sha: await commit() });
    expect(end, end.log).toMatchObject({ result: 'failure', steps: { approved: { outcome: 'failure' }, run: { outcome: 'skipped' } } });
    expect(end.log).toContain('HW6603');
    expect(sandbox.requests).toEqual([]);
  }, 30_000);
});

describe.skipIf(noGit !== undefined)('a schedule', () => {
  it('opens one issue for drift, keeps it, and closes it when nothing differs', async () => {
    const { job, github, sandbox, apply } = await repository();
    await apply();
    const shop = sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.cdn.caching.cache_expiration = 5;
    const first = await job('drift.yml');
    expect(first, first.log).toMatchObject({ result: 'success', outputs: { outcome: 'differences', issue: expect.stringMatching(/^\d+$/) as string } });
    expect(github.issues).toMatchObject([{ state: 'open', labels: [{ name: 'hostwright-drift' }], body: expect.stringContaining('### Hostwright drift') as string }]);
    github.requests.length = 0;
    expect((await job('drift.yml')).log).toContain('Issue unchanged');
    expect(github.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    shop.cdn.caching.cache_expiration = 7200;
    expect((await job('drift.yml')).log).toContain('Issue closed');
    expect(github.issues).toMatchObject([{ state: 'closed' }]);
    expect(github.comments).toMatchObject([{ body: 'Nothing differs any more: live is as declared.' }]);
  }, 60_000);

  it('fails the job when drift cannot be told to anybody', async () => {
    const { job, github } = await repository();
    github.faults.push({ method: 'GET', path: /issues$/, status: 403, body: { message: 'Resource not accessible by integration' }, times: 9 });
    const end = await job('drift.yml');
    expect(end, end.log).toMatchObject({ result: 'failure', outputs: { outcome: 'differences' } });
    expect(end.log).toContain('nobody was told');
  }, 30_000);

  it('resumes, and what waits is no failure unless it is said to be one', async () => {
    const { job } = await repository();
    expect(await job('resume.yml')).toMatchObject({ result: 'success', outputs: { mode: 'resume', outcome: 'done' } });
    expect(await job('resume.yml', {}, { 'fail-on': 'waiting done' })).toMatchObject({ result: 'failure' });
  }, 30_000);
});

describe.skipIf(noGit !== undefined)('the action', () => {
  it('hands on what it is given as arguments, each as one', async () => {
    const { job, writes } = await repository();
    const inputs = { mode: 'apply', approved: 'everything', arguments: '--target\nSite/docs/Caching\n', paths: 'sites\n', 'allow-deletes': '0', 'allow-charges': '0', 'max-spend': '1.00EUR' };
    const end = await job('merge.yml', {}, inputs);
    expect(end, end.log).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
    expect(writes()).toContain('PATCH /api/sites/site-docs/cdn/caching');
    expect(writes().some((request) => request.includes('site-shop'))).toBe(false);
  }, 30_000);

  it('refuses a mode that it does not know', async () => {
    const { job } = await repository();
    const end = await job('drift.yml', {}, { mode: 'destroy\n::error::x' });
    expect(end).toMatchObject({ result: 'failure', steps: { run: { outcome: 'skipped' } } });
    expect(end.log).not.toContain('\n::error::x');
  }, 30_000);
});
