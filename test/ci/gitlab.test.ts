// The story of a repository on GitLab: merge requests and merges, with the jobs of `examples/ci/gitlab` run step by step
// as a runner does, against the sandbox and a small GitLab.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ciFiles } from '../../src/cli/commands/init/ci.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { noGit } from '../support/processes/git.ts';
import type { Pipeline, RunJob } from '../support/processes/pipeline.ts';
import { openPipeline } from '../support/processes/pipeline.ts';
import type { FakeGitlab } from '../support/servers/gitlab.ts';
import { BOT, gitlabToken, startGitlab } from '../support/servers/gitlab.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { isWhole } from '../support/whole.ts';
import { gitIn } from './workflows.ts';
import { openHarness } from '../support/open-harness.ts';
import { closing } from '../support/closing.ts';
import { containing, matching } from '../support/matchers.ts';

interface Story extends Harness {
  readonly gitlab: FakeGitlab;
  readonly job: RunJob;
  readonly commit: () => Promise<string>;
  readonly text: (file: string) => Promise<string>;
  readonly writes: () => readonly string[];
}

async function story(options: HarnessOptions = { example: 'small-agency' }): Promise<Story> {
  const harness = await openHarness(options);
  const gitlab = closing(await startGitlab());
  const { root: folder, sandbox } = harness;
  const git = await gitIn(folder);
  const place = { root: folder, folder: '', lockfile: '', shared: [], registryVariables: [] };
  const [file] = await ciFiles('gitlab', 'acc-acme', place, { isProgram: options.files?.['hosting.ts'] !== undefined });
  const runJob = await openPipeline(parse(file?.text ?? '') as Pipeline, {
    repository: folder,
    variables: (_name, { environment: { name: environment } = { name: '' } }) => ({
      CI_API_V4_URL: gitlab.url,
      CI_JOB_TOKEN: 'glcbt-of-the-job',
      CI_REPOSITORY_URL: 'https://gitlab-ci-token:glcbt-of-the-job@gitlab.example.com/acme/hosting.git',
      HOSTWRIGHT_API_URL: sandbox.url,
      // Each is for environments alone.
      ...(environment.startsWith('hosting') && { GITLAB_TOKEN: gitlabToken, HOSTWRIGHT_READ_TOKEN: API_KEY }),
      ...(environment === 'hosting' && { HOSTWRIGHT_TOKEN: API_KEY }),
    }),
  });
  const job: RunJob = async (name, variables) => {
    const end = await runJob(name, variables);
    expect(end.log).not.toContain(API_KEY);
    expect(end.log).not.toContain(gitlabToken);
    return end;
  };
  return {
    ...harness,
    gitlab,
    job,
    commit: async () => {
      await git('add', '.');
      await git('commit', '-q', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
    text: (name) => readFile(join(folder, name), 'utf8'),
    writes: () => sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method),
  };
}

describe.skipIf(noGit !== undefined)('GitLab', () => {
  it('a merge request has one note with its plan and three reports; the merge does what it approves, and answers', async () => {
    const { job, gitlab, commit, writes } = await story();
    gitlab.addPull(1);
    const validated = await job('hostwright validate');
    expect(validated.code, validated.log).toBe(0);
    const before = await commit();
    const planned = await job('hostwright plan', { CI_MERGE_REQUEST_IID: '1' });
    expect(planned.code, planned.log).toBe(0);
    expect(gitlab.notes).toMatchObject([
      {
        author: { username: BOT },
        body: matching(
          /^<!-- hostwright: plan acc-acme [0-9a-f]{64}\n[^]*\n<!-- hostwright-text: plan \S+ differences -->$/,
        ),
      },
    ]);
    const numbers = JSON.parse(await planned.file('plan-numbers.json')) as Readonly<Record<string, number>>;
    expect(Object.keys(numbers)).toEqual(['create', 'update', 'delete']);
    expect(await planned.file('plan.env')).toContain(
      `create=${numbers.create ?? -1}\nupdate=${numbers.update ?? -1}\n`,
    );
    expect(JSON.parse(await planned.file('plan-quality.json'))).toContainEqual(
      expect.objectContaining({ location: { path: matching(/^sites\//), lines: expect.anything() as object } }),
    );
    expect(await planned.file('plan-junit.xml')).toMatch(/^<\?xml[^]*failures="0"/);
    expect([writes(), gitlab.orders]).toEqual([[], []]);

    const sha = await commit();
    gitlab.merge(1, sha);
    const push = {
      CI_PIPELINE_SOURCE: 'push',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SHA: sha,
      CI_COMMIT_BEFORE_SHA: before,
    };
    const applied = await job('hostwright apply', push);
    expect(applied.code, applied.log).toBe(0);
    expect(writes().length).toBeGreaterThan(0);
    expect(gitlab.notes[1]?.body).toMatch(/\*\*Done\.\*\*[^]*<!-- hostwright-text: apply \S+ done -->$/);
    expect(await job('hostwright resume')).toMatchObject({ code: 0 });
  });

  it.runIf(isWhole)('a program is run in a job without a token, and the note names its lines', async () => {
    const site = (hostname: string) =>
      `import { App, Site } from 'hostwright/constructs';\nconst app = new App();\nnew Site(app, 'shop', {\n  id: 'site-shop',\n  phpVersion: '${hostname}',\n});\nexport default app;\n`;
    const { job, gitlab, commit, write } = await story({
      files: {
        'hosting.ts': site('8.3'),
        'hostwright.yaml':
          'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n  synth: { program: hosting.ts, out: manifests }\n',
        'manifests/sites/shop.yaml':
          '# Made by hostwright synth from hosting.ts. Do not edit.\napiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\n  id: site-shop\nspec:\n  phpVersion: "8.3"\n',
      },
    });
    const base = await commit();
    gitlab.addPull(1);
    const request = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
    const run = await job('hostwright synth', request);
    expect(run.code, run.log).toBe(0);
    const planned = await job('hostwright plan', request);
    expect(planned.code, planned.log).toBe(0);
    expect(gitlab.notes[0]?.body).toContain('hosting.ts:5');
    expect(await planned.file('plan-quality.json')).toContain('"path": "hosting.ts"');
    // A token that every job has.
    const beside = await job('hostwright synth', { HOSTWRIGHT_READ_TOKEN: 'a-token-that-reads' });
    expect([beside.code, beside.log]).toEqual([1, matching(/HW1506[^]*\(HOSTWRIGHT_READ_TOKEN\)/)]);
    await write('hosting.ts', site('8.2'));
    expect(await job('hostwright synth')).toMatchObject({ code: 2, log: containing('+   phpVersion: "8.2"') });
  });

  it('a merge of what nobody reviewed is refused, whatever a note that another changed says; by hand everything runs', async () => {
    const { job, gitlab, commit, writes } = await story();
    gitlab.addPull(1);
    await job('hostwright plan', { CI_MERGE_REQUEST_IID: '1' });
    const [note] = gitlab.notes;
    if (note === undefined) throw new Error('no note');
    gitlab.edit(note, 'mallory', note.body);
    const sha = await commit();
    gitlab.merge(1, sha);
    const push = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: sha };
    const refused = await job('hostwright apply', {
      ...push,
      CI_PIPELINE_SOURCE: 'push',
      HOSTWRIGHT_APPROVED: 'everything',
    });
    expect(refused.code, refused.log).not.toBe(0);
    expect(refused.log).toMatch(/was changed by mallory[^]*HW2104/);
    expect(gitlab.notes.at(-1)?.body).toContain('HW2104');
    expect(writes()).toEqual([]);
    const byHand = await job('hostwright apply', {
      ...push,
      CI_PIPELINE_SOURCE: 'web',
      HOSTWRIGHT_APPROVED: 'everything',
    });
    expect(byHand.code, byHand.log).toBe(0);
    expect(writes().length).toBeGreaterThan(0);
  });

  it.runIf(isWhole)(
    'a delete is planned under the guards of the target branch, refused at the merge, and runs by hand with its variable',
    async () => {
      const { job, gitlab, commit, write, text, apply, writes } = await story();
      await apply();
      const base = await commit();
      const [file, guards] = ['sites/docs-and-blog.yaml', '  guards: { allowDeletes: 9 }\n'];
      await write(file, (await text(file)).replace(', www.blog.example.com]', ']\n  unlisted: { domains: remove }'));
      await write('hostwright.yaml', `${(await text('hostwright.yaml')).trimEnd()}\n${guards}`);
      gitlab.addPull(1);
      await job('hostwright plan', { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
      const body = gitlab.notes[0]?.body ?? '';
      expect(body).toMatch(/Apply will refuse this: 1 delete, 0 allowed \(guards of commit/);
      expect(body).toContain('`guards.allowDeletes` in hostwright.yaml from `0` to `9`');
      const [, name = '', value = ''] = /on GitLab `(HOSTWRIGHT_\w+)=(\d+)`/.exec(body) ?? [];
      const sha = await commit();
      gitlab.merge(1, sha);
      const push = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: base };
      const deletes = () => writes().filter((method) => method === 'DELETE').length;
      const refused = await job('hostwright apply', { ...push, CI_PIPELINE_SOURCE: 'push', [name]: value });
      expect([refused.code, deletes()], refused.log).toEqual([5, 0]);
      const done = await job('hostwright apply', { ...push, CI_PIPELINE_SOURCE: 'web', [name]: value });
      expect([done.code, deletes()], done.log).toEqual([0, 1]);
    },
  );

  it.runIf(isWhole)('a merge where nothing runs unreviewed asks GitLab itself, and by hand nothing runs', async () => {
    const { job, gitlab, commit, text, write, writes } = await story();
    await write('hostwright.yaml', `${await text('hostwright.yaml')}  guards: { unreviewed: refuse }\n`);
    const before = await commit();
    gitlab.addPull(1);
    await job('hostwright plan', { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: before });
    const sha = await commit();
    gitlab.merge(1, sha);
    const push = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: sha, CI_COMMIT_BEFORE_SHA: before };
    const byHand = await job('hostwright apply', {
      ...push,
      CI_PIPELINE_SOURCE: 'web',
      HOSTWRIGHT_APPROVED: 'everything',
    });
    expect([byHand.code, byHand.log]).toEqual([5, containing('HW2111')]);
    expect(writes()).toEqual([]);
    const applied = await job('hostwright apply', { ...push, CI_PIPELINE_SOURCE: 'push' });
    expect(applied.code, applied.log).toBe(0);
    expect(writes().length).toBeGreaterThan(0);
  });

  it('sends nothing when GitLab cannot say what was approved', async () => {
    const { job, gitlab, commit, sandbox } = await story();
    gitlab.faults.push({
      method: 'GET',
      path: /merge_requests$/,
      status: 403,
      body: { message: '403 Forbidden' },
      times: 9,
    });
    const sha = await commit();
    const end = await job('hostwright apply', {
      CI_PIPELINE_SOURCE: 'push',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SHA: sha,
    });
    expect([end.code, end.log]).toEqual([1, containing('HW6621')]);
    expect(sandbox.requests).toEqual([]);
  });

  it.runIf(isWhole)(
    'a schedule opens one issue for drift, and closes it; it fails when nobody could be told',
    async () => {
      const { job, gitlab, sandbox, apply } = await story();
      await apply();
      const shop = sandbox.state.sites.get('site-shop');
      if (shop === undefined) throw new Error('no site');
      shop.cdn.caching.cache_expiration = 5;
      const first = await job('hostwright drift');
      expect(first.code, first.log).toBe(0);
      expect(gitlab.issues).toMatchObject([
        { state: 'opened', labels: ['hostwright-drift'], description: containing('### Hostwright drift') },
      ]);
      shop.cdn.caching.cache_expiration = 7200;
      expect((await job('hostwright drift')).log).toContain('Issue closed');
      expect(gitlab.issues).toMatchObject([{ state: 'closed' }]);
      gitlab.faults.push({ method: 'GET', path: /issues$/, status: 403, body: { message: '403 Forbidden' }, times: 9 });
      expect(await job('hostwright drift')).toMatchObject({ code: 1 });
    },
  );
});
