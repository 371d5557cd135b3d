// Runs a workflow of `examples/ci/github` as GitHub would, with the package in place of what `npm ci` brings.
import { appendFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { githubToken } from '../support/servers/github.ts';
import type { FakeGithub } from '../support/servers/github.ts';
import type { Repository } from '../support/processes/git.ts';
import { repositoryIn } from '../support/processes/git.ts';
import type { JobEnd, Step } from '../support/processes/runner.ts';
import { fill, runAction } from '../support/processes/runner.ts';

export const root = join(import.meta.dirname, '../..');
export const workflowFolder = join(root, 'examples/ci/github');

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly Step[];
        readonly environment?: string;
        readonly 'timeout-minutes': number;
      }
    >
  >;
}

export async function readWorkflow(file: string): Promise<Workflow> {
  return parse(await readFile(join(workflowFolder, file), 'utf8')) as Workflow;
}

export interface Event {
  readonly pull?: number;
  /** The repository that the pull request comes from. */
  readonly from?: string;
  /** What was pushed to the branch, and what was there before. */
  readonly sha?: string;
  readonly before?: string;
  /** The commit that the pull request is to be merged onto. */
  readonly base?: string;
  /** The same for a merge queue. */
  readonly queuedOnto?: string;
  /** Started by hand, with these inputs. */
  readonly byHand?: Readonly<Record<string, string>>;
  /** The branch that the run is on. */
  readonly branch?: string;
}

export interface Place {
  readonly folder: string;
  readonly github: FakeGithub;
  readonly platform: string;
  readonly token: string;
}

/** Runs the one job of a workflow. `inputs`: beside those that the workflow names. */
export async function runWorkflow(
  file: string,
  { folder, github, platform, token }: Place,
  { pull, from = 'acme/hosting', sha, before, base, queuedOnto, byHand, branch = 'main' }: Event = {},
  inputs: Readonly<Record<string, string>> = {},
): Promise<JobEnd> {
  const [job] = Object.values((await readWorkflow(file)).jobs);
  const event = {
    repository: { default_branch: 'main' },
    ...(pull !== undefined && {
      pull_request: { number: pull, head: { repo: { full_name: from } }, base: { ref: 'main', sha: base } },
    }),
    ...(queuedOnto !== undefined && { merge_group: { base_sha: queuedOnto } }),
    ...(before !== undefined && { before }),
  };
  const context = {
    token: githubToken,
    repository: 'acme/hosting',
    event,
    ...(sha !== undefined && { sha }),
    ref: `refs/heads/${branch}`,
    ref_name: branch,
    event_name:
      byHand !== undefined
        ? 'workflow_dispatch'
        : queuedOnto !== undefined
          ? 'merge_group'
          : pull === undefined
            ? 'push'
            : 'pull_request',
  };
  const secrets = { HOSTWRIGHT_TOKEN: token, HOSTWRIGHT_READ_TOKEN: token };
  if (job?.if !== undefined && fill(`\${{ ${job.if} }}`, { github: context }) !== 'true')
    return { result: 'skipped', outputs: {}, log: '', summary: '', steps: {} };
  let end: JobEnd | undefined;
  for (const { uses = '', run = '', with: given = {} } of job?.steps ?? []) {
    if (/^actions\/(checkout|setup-node)@/.test(uses)) continue;
    if (run.startsWith('npm ci ')) {
      await mkdir(join(folder, 'node_modules'), { recursive: true });
      await symlink(root, join(folder, 'node_modules/hostwright')).catch(() => undefined);
      continue;
    }
    if (uses !== './node_modules/hostwright') throw new Error(`a step that this test does not know: ${uses}${run}`);
    const filled = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        fill(value, { github: context, secrets, inputs: byHand ?? {} }),
      ]),
    );
    const env = { GITHUB_API_URL: github.url, GIT_CONFIG_GLOBAL: '/dev/null' };
    end = await runAction({
      action: join(folder, 'node_modules/hostwright'),
      inputs: { 'api-url': platform, ...filled, ...inputs },
      workspace: folder,
      env,
      github: context,
    });
  }
  if (end === undefined) throw new Error('the workflow does not use the action');
  return end;
}

/** Makes a folder a repository that ignores what runs leave there, with its files committed; runs Git in it. */
export async function gitIn(folder: string): Promise<Repository['git']> {
  await appendFile(join(folder, '.gitignore'), 'node_modules\n.hostwright\n');
  return (await repositoryIn(folder)).git;
}
