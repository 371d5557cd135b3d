// Many accounts on GitHub and GitLab: the files in `examples/ci`, linted, and their jobs run as runners do, against the
// sandbox and a small forge.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { noGit, startGit } from '../support/processes/git.ts';
import { isWhole } from '../support/whole.ts';
import type { FakeGithub } from '../support/servers/github.ts';
import { startGithub } from '../support/servers/github.ts';
import { gitlabToken, startGitlab } from '../support/servers/gitlab.ts';
import type { Harness } from '../support/harness.ts';
import type { Workflow, WorkflowEnd } from '../support/processes/workflow.ts';
import { parseWorkflow, runWorkflowJobs } from '../support/processes/workflow.ts';
import { LOCKFILE } from '../support/processes/npm.ts';
import type { Pipeline, RunJob } from '../support/processes/pipeline.ts';
import { openPipeline } from '../support/processes/pipeline.ts';
import { root } from './workflows.ts';
import { openHarness } from '../support/open-harness.ts';
import { closing } from '../support/closing.ts';
import { manifest } from '../support/manifests.ts';
import { containing, matching } from '../support/matchers.ts';
import { lintWorkflow } from '../support/lint-workflow.ts';

const folder = join(root, 'examples/ci/github-fleet');
const lint = (text: string): Promise<readonly object[]> => lintWorkflow(text, '.github/workflows/fleet.yml');

const readFleet = (file: string): Workflow => parseWorkflow(readFileSync(join(folder, file), 'utf8'));

describe.each(readdirSync(folder).sort())('the workflow %s', (file) => {
  it('is one to the linter, pinned, may only read unless a job says more, and has an end', async () => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(await lint(text)).toEqual([]);
    expect(await lint(text.replace('permissions:', 'permission:'))).not.toEqual([]);
    const { permissions, jobs } = readFleet(file);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
      expect(minutes).toBeGreaterThan(0);
      for (const { uses, run = '' } of steps) {
        if (uses !== undefined)
          expect(uses).toMatch(/^actions\/(checkout|setup-node|upload-artifact|download-artifact)@[0-9a-f]{40}$/);
        expect(run).not.toContain('${{');
        if (run.startsWith('npm')) expect(run).toMatch(/^npm ci --ignore-scripts\b/);
      }
    }
  });
});

interface Ground extends Harness {
  readonly github: FakeGithub;
  readonly commit: () => Promise<string>;
  readonly git: (...args: readonly string[]) => Promise<string>;
}

const ids = ['acc-00001', 'acc-00002', 'acc-00003', 'acc-00004', 'acc-00005'];
const siteOf = (account: string, cacheExpiration: number): string =>
  manifest('Site', 'shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration } });

async function begin(): Promise<Ground> {
  const one = await openHarness({
    scenario: 'accounts:5',
    files: {
      ...LOCKFILE,
      '.gitignore':
        'node_modules\nparts\nplans\nresults\ndrift\n*.env\nfleet.json\n.hostwright\n*.txt\n*.md\nfleet-list.json\n',
      ...Object.fromEntries(
        ids.flatMap((id) => [
          [
            `accounts/${id}/hostwright.yaml`,
            `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${id}\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n`,
          ],
          [`accounts/${id}/sites/shop.json`, siteOf(id, 60)],
        ]),
      ),
    },
  });
  const [github, ground] = [closing(await startGithub()), closing(await startGit())];
  const git = async (...args: readonly string[]): Promise<string> => String(await ground.git(one.root, ...args)).trim();
  await git('init', '-q', '-b', 'main');
  const commit = async (): Promise<string> => {
    await git('add', '.');
    await git('commit', '-q', '--allow-empty', '-m', 'change');
    return git('rev-parse', 'HEAD');
  };
  return { ...one, github, git, commit };
}

/** Runs all jobs of a workflow. `before` is called before each job. */
function runJobs(
  { root: repository, github, sandbox }: Ground,
  file: string,
  payload: object,
  sha = '',
  before: (job: string) => Promise<void> | void = () => undefined,
): Promise<WorkflowEnd> {
  const name = (['pull_request', 'merge_group'] as const).find((one) => one in payload);
  return runWorkflowJobs(
    readFileSync(join(folder, file), 'utf8'),
    {
      repository,
      github,
      secrets: { HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_READ_TOKEN: API_KEY },
      env: { GITHUB_API_URL: github.url, HOSTWRIGHT_API_URL: sandbox.url },
      before,
    },
    { name: name ?? (sha === '' ? 'schedule' : 'push'), payload, sha },
  );
}

describe.skipIf(noGit !== undefined)('a pull request that touches two of five accounts', () => {
  it('has one comment, and its merge changes these as reviewed and no other', async () => {
    const one = await begin();
    const before = await one.commit();
    await one.git('update-ref', 'refs/remotes/origin/main', before);
    for (const id of ids.slice(0, 2)) await one.write(`accounts/${id}/sites/shop.json`, siteOf(id, 77));
    await one.commit();
    one.github.addPull(1);
    const pull = { number: 1, base: { ref: 'main' }, head: { repo: { full_name: 'acme/hosting' } } };
    const planned = await runJobs(one, 'pull-request.yml', { pull_request: pull });
    expect(planned.results, planned.log).toEqual({ list: 'success', plan: 'success', report: 'success' });
    expect(one.github.comments).toHaveLength(1);
    expect(one.github.comments[0]?.body).toMatch(
      /^<!-- hostwright: fleet plan\nacc-00001 [0-9a-f]{64}\nacc-00002 [0-9a-f]{64}\n-->[^]*<!-- hostwright-text: plan fleet done -->$/,
    );

    const sha = await one.commit();
    one.github.merge(1, sha);
    const applied = await runJobs(one, 'merge.yml', { before }, sha);
    expect(applied.results, applied.log).toEqual({ list: 'success', apply: 'success', report: 'success' });
    expect(one.github.comments.at(-1)?.body).toMatch(
      /2 accounts: 2 done\.[^]*<!-- hostwright-text: apply fleet done -->$/,
    );
    const live = ids.map((id) => one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching.cache_expiration);
    expect(live.map((value) => value === 77)).toEqual([true, true, false, false, false]);
  });

  it('changes nothing where somebody else wrote or changed the comment', async () => {
    const one = await begin();
    const before = await one.commit();
    await one.git('update-ref', 'refs/remotes/origin/main', before);
    await one.write('accounts/acc-00001/sites/shop.json', siteOf('acc-00001', 77));
    const sha = await one.commit();
    one.github.addPull(1);
    const pull = { number: 1, base: { ref: 'main' }, head: { repo: { full_name: 'acme/hosting' } } };
    await runJobs(one, 'pull-request.yml', { pull_request: pull });
    const [comment] = one.github.comments;
    if (comment === undefined) throw new Error('no comment');
    one.github.edit(comment, 'mallory', comment.body);
    one.github.merge(1, sha);
    const applied = await runJobs(one, 'merge.yml', { before }, sha);
    expect(applied.results, applied.log).toEqual({ list: 'success', apply: 'failure', report: 'failure' });
    expect(applied.log).toMatch(/was changed by mallory/);
    expect(one.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

interface Push {
  readonly before: string;
  readonly sha: string;
}

/** Fails every write to these accounts, in a way that is not tried again. */
function refuseWrites({ sandbox }: Pick<Harness, 'sandbox'>, ...accounts: readonly string[]): void {
  sandbox.setFaults(
    accounts.map((id) => ({
      kind: 'status-before',
      status: 422,
      match: { method: 'PATCH', path: `/api/sites/site-${id}-shop` },
    })),
  );
}

function caching({ sandbox }: Pick<Harness, 'sandbox'>): readonly (number | undefined)[] {
  return ids.map((id) => sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching.cache_expiration);
}

function writesOf({ sandbox }: Pick<Harness, 'sandbox'>): readonly string[] {
  return sandbox.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);
}

/** Nothing runs in any account that no review approves, whatever an option or a file says. */
async function refuseUnreviewed(one: Pick<Ground, 'root' | 'write'>): Promise<void> {
  for (const id of ids) {
    const file = `accounts/${id}/hostwright.yaml`;
    const text = await readFile(join(one.root, file), 'utf8');
    await one.write(file, `${text}  guards: { unreviewed: refuse }\n`);
  }
}

/** What a story of several pull requests is made of: files are changed in one after the other, each from main. */
async function fleetStory() {
  const one = await begin();
  await refuseUnreviewed(one);
  for (const id of ids)
    Object.assign(one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching ?? {}, { cache_expiration: 60 });
  await one.commit();
  /** A pull request with the comment that its workflow makes, merged; its merge workflow has not run yet. */
  const merged = async (
    number: number,
    files: Readonly<Record<string, string>>,
  ): Promise<Push & { planned: WorkflowEnd }> => {
    const before = await one.git('rev-parse', 'HEAD');
    await one.git('update-ref', 'refs/remotes/origin/main', before);
    for (const [file, text] of Object.entries(files)) await one.write(file, text);
    await one.commit();
    one.github.addPull(number);
    const pull = { number, base: { ref: 'main' }, head: { repo: { full_name: 'acme/hosting' } } };
    const planned = await runJobs(one, 'pull-request.yml', { pull_request: pull });
    const sha = await one.commit();
    one.github.merge(number, sha);
    return { before, sha, planned };
  };
  /** The merge workflow at the commit of a push, however late. */
  const apply = async ({ before, sha }: Push): Promise<WorkflowEnd> => {
    await one.git('checkout', '-q', sha);
    try {
      return await runJobs(one, 'merge.yml', { before }, sha);
    } finally {
      await one.git('checkout', '-q', 'main');
    }
  };
  const answerOn = (pull: number): string =>
    one.github.comments.find(({ issue, body }) => issue === pull && body.includes('hostwright-text: apply'))?.body ??
    '';
  return { one, merged, apply, answerOn };
}

describe.skipIf(noGit !== undefined)('the approvals of a fleet', () => {
  it.runIf(isWhole)(
    'last until they are carried out, whatever is merged meanwhile, and however often it fails',
    async () => {
      const { one, merged, apply, answerOn } = await fleetStory();
      const [acc1, acc2, acc3] = ids as [string, string, string];
      const a = await merged(1, {
        [`accounts/${acc1}/sites/shop.json`]: siteOf(acc1, 77),
        [`accounts/${acc2}/sites/shop.json`]: siteOf(acc2, 77),
      });
      refuseWrites(one, acc1);
      const first = await apply(a);
      expect(first.results, first.log).toEqual({ list: 'success', apply: 'failure', report: 'failure' });
      expect(caching(one)).toEqual([60, 77, 60, 60, 60]);
      expect(answerOn(1)).toMatch(/^<!-- hostwright: fleet apply\nacc-00002 [0-9a-f]{64}\n-->/);
      expect(answerOn(1)).toMatch(/2 accounts: 1 done, 1 failed\./);

      // B is about another account. What is left of A is tried again with it, fails again, and is told on A alone.
      const b = await merged(2, { [`accounts/${acc3}/sites/shop.json`]: siteOf(acc3, 78) });
      const second = await apply(b);
      expect(second.results, second.log).toEqual({ list: 'success', apply: 'failure', report: 'failure' });
      expect(caching(one)).toEqual([60, 77, 78, 60, 60]);
      expect(answerOn(1)).toMatch(/^<!-- hostwright: fleet apply\nacc-00002 [0-9a-f]{64}\n-->/);
      expect(answerOn(1)).toMatch(/2 accounts: 1 done, 1 failed\.[^]*done by an earlier run/);
      expect(answerOn(1)).not.toContain(acc3);
      expect(answerOn(2)).toMatch(/1 account: 1 done\.[^]*hostwright-text: apply fleet done -->$/);
      expect(answerOn(2)).not.toContain(acc1);

      // A is run again, at its own commit, and what failed is done. B is not touched by it.
      refuseWrites(one);
      const again = await apply(a);
      expect(again.results, again.log).toEqual({ list: 'success', apply: 'success', report: 'success' });
      expect(caching(one)).toEqual([77, 77, 78, 60, 60]);
      expect(answerOn(1)).toMatch(/2 accounts: 2 done\.[^]*hostwright-text: apply fleet done -->$/);

      // Nothing is left, and a merge that touches no account begins no job that has the token, nor any comment.
      const writes = writesOf(one).length;
      const readme = await merged(3, { 'README.md': 'Hello.\n' });
      expect(readme.planned.results, readme.planned.log).toEqual({
        list: 'success',
        plan: 'skipped',
        report: 'success',
      });
      const nothing = await apply(readme);
      expect(nothing.results, nothing.log).toEqual({ list: 'success', apply: 'skipped', report: 'skipped' });
      expect(one.github.comments.filter(({ issue }) => issue === 3)).toEqual([]);
      expect((await apply(b)).results.apply).toBe('skipped');
      expect(writesOf(one)).toHaveLength(writes);
    },
  );

  it.runIf(isWhole)(
    'are not lost to a run that is late: the next one does its work, and it finds that done',
    async () => {
      const { one, merged, apply, answerOn } = await fleetStory();
      const [acc1, acc2, acc3] = ids as [string, string, string];
      const a = await merged(1, {
        [`accounts/${acc1}/sites/shop.json`]: siteOf(acc1, 77),
        [`accounts/${acc2}/sites/shop.json`]: siteOf(acc2, 77),
      });
      const b = await merged(2, { [`accounts/${acc3}/sites/shop.json`]: siteOf(acc3, 78) });
      const second = await apply(b);
      expect(second.results, second.log).toEqual({ list: 'success', apply: 'success', report: 'success' });
      expect(caching(one)).toEqual([77, 77, 78, 60, 60]);
      expect([answerOn(1), answerOn(2)]).toEqual([matching(/2 accounts: 2 done/), matching(/1 account: 1 done/)]);
      const writes = writesOf(one).length;
      const late = await apply(a);
      expect(late.results, late.log).toEqual({ list: 'success', apply: 'skipped', report: 'skipped' });
      expect(writesOf(one)).toHaveLength(writes);
    },
  );

  it.runIf(isWhole)(
    'of a pull request from which an account is taken out again: its comment is written over, and approves nothing',
    async () => {
      const { one, merged } = await fleetStory();
      const [acc1] = ids as [string];
      const a = await merged(1, { [`accounts/${acc1}/sites/shop.json`]: siteOf(acc1, 77) });
      await one.write(`accounts/${acc1}/sites/shop.json`, siteOf(acc1, 60));
      await one.commit();
      const pull = { number: 1, base: { ref: 'main' }, head: { repo: { full_name: 'acme/hosting' } } };
      await one.git('update-ref', 'refs/remotes/origin/main', a.before);
      const planned = await runJobs(one, 'pull-request.yml', { pull_request: pull });
      expect(planned.results, planned.log).toEqual({ list: 'success', plan: 'skipped', report: 'success' });
      expect(one.github.comments.map(({ body }) => body)).toEqual([
        matching(/^<!-- hostwright: fleet plan of-none\n-->[^]*No account is in this run/),
      ]);
    },
  );

  it.runIf(isWhole)(
    'are missing where something else was merged with it: that account is in the run, to say so on the pull request',
    async () => {
      const { one, merged, apply, answerOn } = await fleetStory();
      const [acc1, acc2] = ids as [string, string];
      const { before } = await merged(1, { [`accounts/${acc2}/sites/shop.json`]: siteOf(acc2, 77) });
      await one.write(`accounts/${acc1}/sites/shop.json`, siteOf(acc1, 77));
      const sha = await one.commit();
      one.github.merge(1, sha);
      const applied = await apply({ before, sha });
      expect(applied.results, applied.log).toEqual({ list: 'success', apply: 'failure', report: 'failure' });
      expect(caching(one)).toEqual([60, 77, 60, 60, 60]);
      expect(answerOn(1)).toMatch(/`acc-00001` \|.*conflict.*nobody reviewed this plan/);
    },
  );
});

describe.skipIf(noGit !== undefined)('the schedules', () => {
  it.runIf(isWhole)(
    'drift: one issue for all accounts, opened, kept and closed; an account that cannot be read fails the run',
    async () => {
      const one = await begin();
      const live = (id: string) => one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching;
      for (const id of ids) Object.assign(live(id) ?? {}, { cache_expiration: 60 });
      await one.commit();
      Object.assign(live(ids[3] as string) ?? {}, { cache_expiration: 5 });
      await one.write('accounts/acc-00002/hostwright.yaml', 'kind: Nothing\n');
      const first = await runJobs(one, 'drift.yml', {});
      expect(first.results.report, first.log).toBe('failure');
      expect(one.github.issues).toMatchObject([
        { state: 'open', body: matching(/5 accounts: 3 as declared, 1 with changes, 1 failed[^]*`acc-00004`/) },
      ]);
      Object.assign(live(ids[3] as string) ?? {}, { cache_expiration: 60 });
      await one.git('checkout', '-q', 'accounts/acc-00002');
      const second = await runJobs(one, 'drift.yml', {});
      expect(second.results, second.log).toEqual({ list: 'success', drift: 'success', report: 'success' });
      expect(one.github.issues).toMatchObject([{ state: 'closed' }]);
    },
  );

  it('resume: goes on with what is in flight, and begins nothing', async () => {
    const one = await begin();
    await one.commit();
    const ended = await runJobs(one, 'resume.yml', {});
    expect(ended.results, ended.log).toEqual({ resume: 'success' });
    expect(one.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

const gitlabFile = join(root, 'examples/ci/gitlab/hostwright-fleet.gitlab-ci.yml');

/** Jobs of the GitLab example, in two parts instead of eight. */
async function gitlabStory() {
  const one = await begin();
  const gitlab = closing(await startGitlab());
  const text = readFileSync(gitlabFile, 'utf8')
    .replace(/-(eq|ne) 8/g, '-$1 2')
    .replaceAll('parallel: 8', 'parallel: 2');
  const runJob = await openPipeline(parse(text) as Pipeline, {
    repository: one.root,
    variables: (_name, { environment }) => ({
      CI_API_V4_URL: gitlab.url,
      CI_COMMIT_BRANCH: 'main',
      GITLAB_TOKEN: gitlabToken,
      HOSTWRIGHT_API_URL: one.sandbox.url,
      HOSTWRIGHT_READ_TOKEN: API_KEY,
      // A variable of the environment.
      ...(environment?.name === 'hosting' && { HOSTWRIGHT_TOKEN: API_KEY }),
    }),
  });
  const run: RunJob = async (name, variables) => {
    const end = await runJob(name, variables);
    expect(end.log).not.toContain(API_KEY);
    expect(end.log).not.toContain(gitlabToken);
    return end;
  };
  return { one, gitlab, run };
}

describe.skipIf(noGit !== undefined)('a fleet on GitLab', () => {
  it.runIf(isWhole)(
    'has one note, whose approval the merge applies and answers; one issue for drift; a resume that begins nothing',
    async () => {
      const { one, gitlab, run } = await gitlabStory();
      const live = () => ids.map((id) => one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching);
      for (const caching of live()) Object.assign(caching ?? {}, { cache_expiration: 60 });
      const before = await one.commit();
      for (const id of ids.slice(0, 2)) await one.write(`accounts/${id}/sites/shop.json`, siteOf(id, 77));
      await one.commit();
      gitlab.addPull(1);
      const request = { CI_MERGE_REQUEST_DIFF_BASE_SHA: before, CI_MERGE_REQUEST_IID: '1' };
      for (const name of ['fleet plan', 'fleet report', 'fleet plan', 'fleet report']) {
        const ended = await run(name, request);
        expect([name, ended.code], ended.log).toEqual([name, 0]);
      }
      expect(gitlab.notes.map(({ body }) => body)).toEqual([
        matching(
          /^<!-- hostwright: fleet plan\nacc-00001 [0-9a-f]{64}\nacc-00002 [0-9a-f]{64}\n-->[^]*hostwright-text: plan fleet done -->$/,
        ),
      ]);

      const sha = await one.commit();
      gitlab.merge(1, sha);
      const push = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: before };
      for (const name of ['fleet approved', 'fleet apply', 'fleet result']) {
        const ended = await run(name, push);
        expect([name, ended.code], ended.log).toEqual([name, 0]);
      }
      expect(gitlab.notes.at(-1)?.body).toMatch(/2 accounts: 2 done\.[^]*hostwright-text: apply fleet done -->$/);
      expect(live().map((caching) => caching?.cache_expiration)).toEqual([77, 77, 60, 60, 60]);

      Object.assign(live()[4] ?? {}, { cache_expiration: 5 });
      // That something differs is no failure of this job (`allow_failure`).
      expect((await run('fleet drift')).code).toBe(2);
      expect(await run('fleet drift report')).toMatchObject({ code: 0 });
      expect(gitlab.issues).toMatchObject([{ state: 'opened', description: containing('acc-00005') }]);
      Object.assign(live()[4] ?? {}, { cache_expiration: 60 });
      await run('fleet drift');
      expect(await run('fleet drift report')).toMatchObject({ code: 0 });
      expect(gitlab.issues).toMatchObject([{ state: 'closed' }]);
      const writes = one.sandbox.requests.filter(({ method }) => method !== 'GET').length;
      expect(await run('fleet resume')).toMatchObject({ code: 0 });
      expect(one.sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
    },
  );

  it.runIf(isWhole)(
    'keeps an approval until it is carried out: what fails is done by a later merge, and each note is about its own',
    async () => {
      const { one, gitlab, run } = await gitlabStory();
      await refuseUnreviewed(one);
      for (const id of ids)
        Object.assign(one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching ?? {}, { cache_expiration: 60 });
      const [acc1, acc2, acc3] = ids as [string, string, string];
      const answerOn = (pull: number): string =>
        gitlab.notes.find(({ iid, body }) => iid === pull && body.includes('hostwright-text: apply'))?.body ?? '';
      const merge = async (number: number, accounts: readonly string[]): Promise<readonly number[]> => {
        const before = await one.git('rev-parse', 'HEAD');
        for (const id of accounts) await one.write(`accounts/${id}/sites/shop.json`, siteOf(id, 77));
        const sha = await one.commit();
        gitlab.addPull(number);
        const request = { CI_MERGE_REQUEST_DIFF_BASE_SHA: before, CI_MERGE_REQUEST_IID: String(number) };
        for (const name of ['fleet plan', 'fleet report']) await run(name, request);
        gitlab.merge(number, sha);
        const push = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: before };
        const codes: number[] = [];
        for (const name of ['fleet approved', 'fleet apply', 'fleet result']) codes.push((await run(name, push)).code);
        return codes;
      };
      await one.commit();
      refuseWrites(one, acc1);
      expect(await merge(1, [acc1, acc2])).toEqual([0, 1, 1]);
      expect(answerOn(1)).toMatch(/^<!-- hostwright: fleet apply\nacc-00002 [0-9a-f]{64}\n-->[^]*1 done, 1 failed/);
      refuseWrites(one);
      expect(await merge(2, [acc3])).toEqual([0, 0, 0]);
      expect(caching(one)).toEqual([77, 77, 77, 60, 60]);
      expect(answerOn(1)).toMatch(/2 accounts: 2 done\.[^]*hostwright-text: apply fleet done -->$/);
      expect(answerOn(2)).toMatch(/1 account: 1 done\./);
      expect(answerOn(2)).not.toContain(acc1);
    },
  );

  it.runIf(isWhole)('changes nothing where somebody else changed the note', async () => {
    const { one, gitlab, run } = await gitlabStory();
    const before = await one.commit();
    await one.write('accounts/acc-00001/sites/shop.json', siteOf('acc-00001', 77));
    const sha = await one.commit();
    gitlab.addPull(1);
    const request = { CI_MERGE_REQUEST_DIFF_BASE_SHA: before, CI_MERGE_REQUEST_IID: '1' };
    await run('fleet plan', request);
    await run('fleet report', request);
    const [note] = gitlab.notes;
    if (note === undefined) throw new Error('no note');
    gitlab.edit(note, 'mallory', note.body);
    gitlab.merge(1, sha);
    const push = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: before };
    expect((await run('fleet approved', push)).log).toMatch(/was changed by mallory/);
    expect((await run('fleet apply', push)).code).toBe(4);
    expect((await run('fleet result', push)).code).toBe(1);
    expect(one.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

it('GitLab: jobs of the stages with rules, parts for all that reach the platform, scripts that bash can read', async () => {
  const text = readFileSync(gitlabFile, 'utf8');
  const pipeline = parse(text) as Pipeline;
  const { stages } = parse(text) as { readonly stages: readonly string[] };
  const jobs = Object.entries(pipeline).filter(([name]) => name.startsWith('fleet '));
  expect(jobs.map(([name]) => name)).toEqual([
    'fleet plan',
    'fleet report',
    'fleet approved',
    'fleet apply',
    'fleet result',
    'fleet drift',
    'fleet drift report',
    'fleet resume',
  ]);
  for (const [name, { stage, script, parallel, ...job }] of jobs) {
    const rules = job.rules ?? [job.extends ?? []].flat().flatMap((base) => pipeline[base]?.rules ?? []);
    // A merge that touches no account begins no job that has the token.
    expect(rules.some(({ changes }) => changes !== undefined)).toBe(/approved|apply|result/.test(name));
    expect(stages).toContain(stage);
    expect(rules.length).toBeGreaterThan(0);
    expect(parallel).toBe(/^fleet (plan|apply|drift|resume)$/.test(name) ? 8 : undefined);
    for (const line of script) await promisify(execFile)('bash', ['-n', '-c', line]);
    for (const { if: rule } of rules)
      expect(rule).toMatch(/CI_MERGE_REQUEST_SOURCE_PROJECT_PATH == \$CI_PROJECT_PATH|== "push"|== "schedule"/);
  }
  for (const [name, { script, environment }] of jobs)
    // The token that writes is for jobs of the environment alone.
    if (/hostwright fleet (plan|apply|drift)/.test(script.join('\n')))
      expect([name, environment !== undefined]).toEqual([name, !script.join('\n').includes('$HOSTWRIGHT_READ_TOKEN')]);
  expect(text).toContain('npm ci --ignore-scripts');
});

describe.skipIf(noGit !== undefined)('a pull request of a fleet whose branch raises its own guards', () => {
  const guarded = (id: string, deletes: number): string =>
    `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${id}\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  guards: { allowDeletes: ${deletes} }\n`;

  it('is told what it changes, and what to do about a delete; its merge queue has nobody to tell', async () => {
    const one = await begin();
    const [id = ''] = ids;
    const base = await one.commit();
    await one.git('update-ref', 'refs/remotes/origin/main', base);
    await one.write(`accounts/${id}/hostwright.yaml`, guarded(id, 7));
    await one.write(
      `accounts/${id}/sites/shop.json`,
      manifest('Site', 'shop', {}, { id: `site-${id}-shop`, lifecycle: { state: 'absent' } }),
    );
    await one.commit();
    const queued = await runJobs(one, 'pull-request.yml', { merge_group: { base_sha: base } });
    expect(queued.results, queued.log).toEqual({ list: 'success', plan: 'success', report: 'success' });
    expect(one.github.comments).toEqual([]);
    one.github.addPull(1);
    const pull = { number: 1, base: { ref: 'main' }, head: { repo: { full_name: 'acme/hosting' } } };
    await runJobs(one, 'pull-request.yml', { pull_request: pull });
    const body = one.github.comments[0]?.body ?? '';
    expect(body).toContain('apply refuses: 1 delete, 0 allowed; the branch changes guards.allowDeletes from 0 to 7');
    expect(body).toMatch(new RegExp(`guards of origin/main, commit .${base.slice(0, 12)}`));
    expect(body).toContain('`guards.allowDeletes` in hostwright.yaml from `0` to `7`');
    expect(body).toContain('in a pull request of its own, merge that one first');
    expect(body).not.toContain('by hand');
  });
});
