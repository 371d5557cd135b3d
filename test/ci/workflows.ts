// Runs a workflow of `examples/ci/github` with the runner for tests.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeGithub } from '../support/servers/github.ts';
import type { Repository } from '../support/processes/git.ts';
import { repositoryIn } from '../support/processes/git.ts';
import { LOCKFILE } from '../support/processes/npm.ts';
import type { JobEnd } from '../support/processes/runner.ts';
import type { Workflow } from '../support/processes/workflow.ts';
import { parseWorkflow, runWorkflowJobs } from '../support/processes/workflow.ts';

export const root = join(import.meta.dirname, '../..');
export const workflowFolder = join(root, 'examples/ci/github');

export async function readWorkflow(file: string): Promise<Workflow> {
  return parseWorkflow(await readFile(join(workflowFolder, file), 'utf8'));
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

/** Runs the one job of a workflow. `inputs`: in addition to those that the workflow names. */
export async function runWorkflow(
  file: string,
  { folder, github, platform, token }: Place,
  { pull, from = 'acme/hosting', sha, before, base, queuedOnto, byHand, branch = 'main' }: Event = {},
  inputs: Readonly<Record<string, string>> = {},
): Promise<JobEnd> {
  const payload = {
    ...(pull !== undefined && {
      pull_request: { number: pull, head: { repo: { full_name: from } }, base: { ref: 'main', sha: base } },
    }),
    ...(queuedOnto !== undefined && { merge_group: { base_sha: queuedOnto } }),
    ...(before !== undefined && { before }),
  };
  const name =
    byHand !== undefined
      ? 'workflow_dispatch'
      : queuedOnto !== undefined
        ? 'merge_group'
        : pull === undefined
          ? 'push'
          : 'pull_request';
  const text = await readFile(join(workflowFolder, file), 'utf8');
  const ended = await runWorkflowJobs(
    text,
    {
      repository: folder,
      github,
      secrets: { HOSTWRIGHT_TOKEN: token, HOSTWRIGHT_READ_TOKEN: token },
      env: { GITHUB_API_URL: github.url },
      kept: ['.hostwright'],
      actionInputs: { 'api-url': platform, ...inputs },
    },
    { name, payload, branch, ...(sha !== undefined && { sha }), ...(byHand !== undefined && { inputs: byHand }) },
  );
  const [end] = ended.actions;
  if (end === undefined && !Object.values(ended.results).includes('skipped'))
    throw new Error(`the workflow did not reach the action: ${ended.log}`);
  return end ?? { result: 'skipped', outputs: {}, log: '', summary: '', steps: {} };
}

/** Makes a folder a repository with a lockfile, ignores what runs leave there and commits the rest; runs Git in it. */
export async function gitIn(folder: string): Promise<Repository['git']> {
  for (const [file, text] of Object.entries(LOCKFILE)) await writeFile(join(folder, file), text);
  await appendFile(join(folder, '.gitignore'), 'node_modules\n.hostwright\n');
  return (await repositoryIn(folder)).git;
}
