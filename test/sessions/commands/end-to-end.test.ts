// The whole story of a repository, with nothing but the package from its tarball: two pull requests with their plan
// comments, merged out of order and carried out as reviewed; a change that nobody reviewed; a change in the dashboard,
// its issue, its repair. The jobs are those of examples/ci/github.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { BashSession } from '../../support/processes/bash-session.ts';
import { startBash } from '../../support/processes/bash-session.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import type { GitGround } from '../../support/processes/git.ts';
import type { FakeGithub } from '../../support/servers/github.ts';
import { githubToken, startGithub } from '../../support/servers/github.ts';
import type { Installed } from '../../support/processes/installed.ts';
import { installed, noBash } from '../../support/processes/installed.ts';
import type { JobEnd } from '../../support/processes/runner.ts';
import { fill, runAction } from '../../support/processes/runner.ts';
import { isWhole } from '../../support/whole.ts';
import { containing } from '../../support/matchers.ts';

// `npm test` has the same jobs with less around them (test/ci), and the tarball in the tutorial.
const missing = noGit ?? noBash ?? (isWhole ? undefined : 'told by npm run test:all');
const SITES = {
  'sites/shop.yaml':
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec:\n  primaryDomain: shop.example.com\n  domains: [shop.example.com, www.shop.example.com]\n  caching:\n    cacheExpiration: 3600\n',
  'sites/docs.yaml':
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs }\nspec:\n  primaryDomain: docs.example.com\n  domains: [docs.example.com]\n  caching:\n    cacheExpiration: 600\n',
};

interface Story {
  readonly project: Installed;
  readonly ground: GitGround;
  readonly github: FakeGithub;
  readonly shell: BashSession;
  readonly url: string;
  /** The checkout of the person who works. */
  readonly clone: string;
}

interface WorkflowStep {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

let story: Story;
/** The commit of main before the last push to it. */
let before = '';

beforeAll(async () => {
  if (missing !== undefined) return;
  const [project, ground, github] = await Promise.all([installed(), startGit(), startGithub()]);
  const shell = startBash(project.folder, { ...project.env });
  const { printed } = await shell.type('hostwright sandbox --port 0 --clock virtual --format json --quiet &', (text) =>
    text.endsWith('}'),
  );
  const { url } = JSON.parse(printed) as { readonly url: string };
  story = { project, ground, github, shell, url, clone: await ground.clone() };
});

afterAll(async () => {
  await story?.shell.close();
  await Promise.all([story?.github.close(), story?.ground.close(), story?.project.close()]);
});

const git = (...args: readonly string[]): Promise<string> => story.ground.git(story.clone, ...args);

/** A line as the person types it. */
async function type(
  line: string,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return story.project.run(line, {
    cwd: story.clone,
    env: { HOSTWRIGHT_TOKEN: 'sandbox-api-key', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

async function commit(message: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(story.clone, file)), { recursive: true });
    await writeFile(join(story.clone, file), text);
  }
  await git('add', '.');
  await git('commit', '-q', '-m', message);
}

/** What a workflow of examples/ci does at this commit: its checkout, then its action with its inputs. */
async function job(
  workflow: 'pull-request' | 'merge' | 'drift' | 'resume',
  { ref = 'main', event = {} }: { readonly ref?: string; readonly event?: object } = {},
): Promise<JobEnd> {
  const { project, ground, github: forge, url } = story;
  const folder = join(project.folder, 'node_modules', 'hostwright');
  const checkout = await ground.clone('-b', ref);
  const github = {
    token: githubToken,
    repository: 'acme/hosting',
    sha: await ground.git(checkout, 'rev-parse', 'HEAD'),
    ref_name: ref,
    event,
  };
  const { jobs } = parse(await readFile(join(folder, 'examples/ci/github', `${workflow}.yml`), 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly WorkflowStep[] }>>;
  };
  const actions = Object.values(jobs).flatMap(({ steps }) =>
    steps.filter(({ uses }) => uses === './node_modules/hostwright'),
  );
  const ends: JobEnd[] = [];
  for (const { with: given = {} } of actions) {
    const inputs = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        fill(String(value), {
          github,
          inputs: {},
          secrets: { HOSTWRIGHT_TOKEN: 'sandbox-api-key', HOSTWRIGHT_READ_TOKEN: 'sandbox-oauth-read-only' },
        }),
      ]),
    );
    ends.push(
      await runAction({
        action: folder,
        inputs: { ...inputs, 'api-url': url },
        workspace: checkout,
        github,
        env: { ...project.env, GITHUB_API_URL: forge.url },
      }),
    );
  }
  const last = ends.at(-1);
  if (last === undefined) throw new Error(`${workflow} does not use the action`);
  return last;
}

async function openPull(number: number, branch: string, files: Readonly<Record<string, string>>): Promise<JobEnd> {
  await git('checkout', '-q', '-b', branch, 'main');
  await commit(branch, files);
  await git('push', '-q', 'origin', branch);
  story.github.addPull(number);
  return planPull(number, branch);
}

const planPull = (number: number, branch: string): Promise<JobEnd> =>
  job('pull-request', {
    ref: branch,
    event: { pull_request: { number, head: { repo: { full_name: 'acme/hosting' } }, base: { ref: 'main' } } },
  });

async function mergePull(number: number, branch: string): Promise<JobEnd> {
  await git('checkout', '-q', 'main');
  before = await git('rev-parse', 'HEAD');
  await git('merge', '-q', '--no-ff', '-m', `merge ${number}`, branch);
  await git('push', '-q', 'origin', 'main');
  story.github.merge(number, await git('rev-parse', 'HEAD'));
  return job('merge', { event: { before } });
}

const inDashboard = (site: string, caching: object): Promise<Response> =>
  fetch(`${story.url}/_sandbox/sites/${site}/caching`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(caching),
  });
const comments = (pull: number): readonly string[] =>
  story.github.comments.filter(({ issue }) => issue === pull).map(({ body }) => body);
const driftIssues = () => story.github.issues.filter(({ pull_request: pull }) => pull === undefined);

describe.skipIf(missing !== undefined)(
  `a repository and its account${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('begin with a workspace, a ledger in Git and manifests that plan to nothing', async () => {
      const workspace = `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: ${story.url}\n  manifests: [sites]\n  ledger: { git: {} }\n`;
      await commit('toManifest', { 'hostwright.yaml': workspace, ...SITES });
      await git('push', '-q', 'origin', 'main');
      expect(await type('hostwright ledger init')).toMatchObject({ code: 0 });
      expect(await type('hostwright apply --approve update')).toMatchObject({ code: 0 });
      expect(await type('hostwright plan --detailed-exitcode')).toMatchObject({ code: 0 });
    });

    it('show each pull request what it would do, in one comment that a later push writes over', async () => {
      expect(
        await openPull(1, 'shop-cache', { 'sites/shop.yaml': SITES['sites/shop.yaml'].replace('3600', '60') }),
      ).toMatchObject({ result: 'success', outputs: { outcome: 'differences', update: '1' } });
      expect(comments(1)).toEqual([containing('60')]);
      await commit('longer', { 'sites/shop.yaml': SITES['sites/shop.yaml'].replace('3600', '7200') });
      await git('push', '-q', 'origin', 'shop-cache');
      expect(await planPull(1, 'shop-cache')).toMatchObject({ result: 'success' });
      expect(comments(1)).toEqual([containing('7200')]);
      expect(
        await openPull(2, 'docs-cache', { 'sites/docs.yaml': SITES['sites/docs.yaml'].replace('600', '900') }),
      ).toMatchObject({ result: 'success', outputs: { outcome: 'differences', update: '1' } });
    });

    it('carry out the second one first, then the first, each as it was reviewed', async () => {
      expect(await mergePull(2, 'docs-cache')).toMatchObject({
        result: 'success',
        outputs: { outcome: 'done', update: '1', pulls: '2' },
      });
      expect(await mergePull(1, 'shop-cache')).toMatchObject({
        result: 'success',
        outputs: { outcome: 'done', update: '1', pulls: '1' },
      });
      expect(comments(1)).toHaveLength(2);
      expect(await type('git pull -q && hostwright plan --detailed-exitcode')).toMatchObject({ code: 0 });
    });

    it('carry out nothing that nobody reviewed', async () => {
      await git('checkout', '-q', 'main');
      before = await git('rev-parse', 'HEAD');
      await commit('sneak', { 'sites/shop.yaml': SITES['sites/shop.yaml'].replace('3600', '1') });
      await git('push', '-q', 'origin', 'main');
      const end = await job('merge', { event: { before } });
      expect(end).toMatchObject({ result: 'failure', outputs: { outcome: 'conflict' } });
      await git('revert', '--no-edit', 'HEAD');
      await git('push', '-q', 'origin', 'main');
    });

    it('open one issue for what changed in the dashboard, and close it once it is put back', async () => {
      await inDashboard('site-shop', { cache_expiration: 5 });
      expect(await job('drift')).toMatchObject({ result: 'success', outputs: { outcome: 'differences' } });
      expect(driftIssues()).toMatchObject([{ state: 'open', body: containing('caching of site shop') }]);
      await job('drift');
      expect(driftIssues()).toHaveLength(1);
      expect(await type('hostwright apply --approve update')).toMatchObject({ code: 0 });
      expect(await job('drift')).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
      expect(driftIssues()).toMatchObject([{ state: 'closed' }]);
    });

    it('take over what is right in the dashboard by a pull request, and the issue closes', async () => {
      await inDashboard('site-docs', { cache_expiration: 30 });
      expect(await job('drift')).toMatchObject({ result: 'success', outputs: { outcome: 'differences' } });
      expect(driftIssues().filter(({ state }) => state === 'open')).toMatchObject([
        { body: containing('caching of site docs') },
      ]);
      await git('checkout', '-q', '-b', 'accept', 'main');
      expect(await type('hostwright drift --accept Site/docs/Caching')).toMatchObject({ code: 0 });
      expect(await readFile(join(story.clone, 'sites/docs.yaml'), 'utf8')).toBe(
        SITES['sites/docs.yaml'].replace('600', '30'),
      );
      await commit('accept', {});
      await git('push', '-q', 'origin', 'accept');
      story.github.addPull(3);
      expect(await planPull(3, 'accept')).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
      expect(await mergePull(3, 'accept')).toMatchObject({
        result: 'success',
        outputs: { outcome: 'done', update: '0' },
      });
      expect(await job('drift')).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
      expect(driftIssues().filter(({ state }) => state === 'open')).toEqual([]);
    });

    it('go on with nothing when nothing is in flight', async () => {
      expect(await job('resume')).toMatchObject({ result: 'success', outputs: { outcome: 'done' } });
    });
  },
);
