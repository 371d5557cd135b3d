// The files that users copy or name are what GitHub, GitLab, pre-commit and a shell take: linted offline, pinned, with
// no more rights than they need.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Action, Step } from '../support/processes/runner.ts';
import { readAction } from '../support/processes/runner.ts';
import { readWorkflow, root, workflowFolder } from './workflows.ts';
import { containing } from '../support/matchers.ts';
import { lintWorkflow } from '../support/lint-workflow.ts';

const action: Action = await readAction(root);
const actionText = readFileSync(join(root, 'action.yml'), 'utf8');
const { version, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly files: readonly string[];
};
const workflows = readdirSync(workflowFolder).sort();

function checkBash(script: string): void {
  execFileSync('bash', ['-n', '-c', script], { stdio: 'pipe' });
}

describe('the action', () => {
  it('is one to the linter, which finds what is wrong', () => {
    expect(validateAction(actionText).errors).toEqual([]);
    expect(validateAction(actionText.replace('shell: bash', 'shel: bash')).errors).not.toEqual([]);
  });

  it('has steps that are sound to the linter of workflows: expressions, contexts, no untrusted text in a script', async () => {
    const { steps } = action.runs;
    // As a workflow that is called with the same inputs: the linter knows those.
    const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: 'string' }]));
    const workflow = stringify({
      on: { workflow_call: { inputs } },
      jobs: { action: { 'runs-on': 'ubuntu-latest', steps } },
    });
    expect(await lintWorkflow(workflow, '.github/workflows/action.yml')).toEqual([]);
    expect(
      await lintWorkflow(workflow.replace('steps.start.outputs', 'step.start.outputs'), '.github/workflows/action.yml'),
    ).not.toEqual([]);
  });

  it('has scripts without expressions, that bash can read', () => {
    for (const { run = '' } of action.runs.steps) {
      expect(run).not.toContain('${{');
      checkBash(run);
    }
  });

  it('gives each step the tokens that it needs, and explains every input and output', () => {
    const holders = (token: string): readonly Step[] =>
      action.runs.steps.filter(({ env = {} }) => Object.values(env).some((value) => value.includes(token)));
    expect(holders('inputs.token').map(({ id }) => id)).toEqual(['run']);
    expect(holders('inputs.github-token').map(({ id }) => id)).toEqual(['approved', 'run', 'comment', 'issue']);
    // Plan and drift read what a branch says: GitHub's token is not beside them.
    expect(action.runs.steps.find(({ id }) => id === 'run')?.env?.GITHUB_TOKEN).toMatch(
      /^\$\{\{ contains\('apply resume', steps\.start\.outputs\.mode\) && inputs\.github-token \|\| '' \}\}$/,
    );
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)])
      expect(description).toMatch(/^[A-Za-z][^]*\.$/);
    expect(action.inputs.version?.default).toBe(version);
  });

  it('comes with the package, beside the workflows', () =>
    expect(files).toEqual(expect.arrayContaining(['action.yml', 'examples'])));
});

describe.each(workflows)('the workflow %s', (file) => {
  const text = readFileSync(join(workflowFolder, file), 'utf8');

  it('is one to the linter, which finds what is wrong', async () => {
    expect(await lintWorkflow(text, `.github/workflows/${file}`)).toEqual([]);
    expect(await lintWorkflow(text.replace('permissions:', 'permission:'), `.github/workflows/${file}`)).not.toEqual(
      [],
    );
  });

  it('is pinned, names its rights and its group, has an end, and gives the action only what it has', async () => {
    const { permissions, concurrency, jobs } = await readWorkflow(file);
    expect(Object.keys(permissions)).toContain('contents');
    expect(concurrency.group).toMatch(/^hostwright-[a-z]+-ACCOUNT(-|$)/);
    for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
      expect(minutes).toBeGreaterThan(0);
      for (const { uses, run, with: given = {} } of steps) {
        if (uses !== undefined)
          expect(uses).toMatch(/^(actions\/(checkout|setup-node)@[0-9a-f]{40}|\.\/node_modules\/hostwright)$/);
        if (run !== undefined) expect(run).toMatch(/^npm ci --ignore-scripts\b/);
        if (uses?.startsWith('./') === true)
          expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
      }
    }
  });
});

it('the workflows are those that the manual names', () =>
  expect(workflows).toEqual(['drift.yml', 'merge.yml', 'pull-request.yml', 'resume.yml']));

it('what writes runs one at a time and is never stopped half way; what waits of it is dropped for nothing but its like', async () => {
  const [drift, merge, , resume] = await Promise.all(workflows.map(readWorkflow));
  for (const writes of [merge, resume]) expect(writes?.concurrency['cancel-in-progress']).toBe(false);
  expect(new Set([drift, merge, resume].map((workflow) => workflow?.concurrency.group)).size).toBe(3);
});

interface GitlabJob {
  readonly stage: string;
  readonly script: readonly string[];
  readonly extends: string;
  readonly resource_group?: string;
  readonly environment?: { readonly name: string };
  readonly rules: readonly { readonly if: string }[];
  readonly artifacts?: { readonly reports?: Readonly<Record<string, string>> };
}

describe('GitLab', () => {
  const text = readFileSync(join(root, 'examples/ci/gitlab/hostwright.gitlab-ci.yml'), 'utf8');
  const pipeline = parse(text) as Readonly<Record<string, GitlabJob>>;
  const jobs = Object.entries(pipeline).filter(([name]) => name.startsWith('hostwright '));

  it('has jobs of the stages that every pipeline has, with rules and scripts that bash can read', () => {
    expect(jobs.map(([name]) => name)).toEqual(
      ['validate', 'plan', 'apply', 'drift', 'resume'].map((name) => `hostwright ${name}`),
    );
    expect(Object.keys(pipeline)).not.toContain('stages');
    for (const [, job] of jobs) {
      expect(['test', 'deploy']).toContain(job.stage);
      expect(job.extends).toBe('.hostwright');
      expect(job.rules.length).toBeGreaterThan(0);
      job.script.forEach(checkBash);
      for (const file of Object.values(job.artifacts?.reports ?? {})) {
        const written = file.replace('$HOSTWRIGHT_FOLDER/', '');
        expect(job.script.join('\n')).toContain(`=${written}`);
      }
    }
    expect(text).toContain('npm ci --ignore-scripts');
  });

  it('writes one at a time in its environment, and plans no merge request of a fork', () => {
    for (const name of ['hostwright apply', 'hostwright resume'])
      expect(pipeline[name]).toMatchObject({ resource_group: 'hostwright-ACCOUNT', environment: { name: 'hosting' } });
    expect(pipeline['hostwright plan']?.rules.map((rule) => rule.if)).toEqual([
      containing('$CI_MERGE_REQUEST_SOURCE_PROJECT_PATH == $CI_PROJECT_PATH'),
    ]);
  });

  it('gives the token that writes to jobs of the environment alone', () => {
    for (const [name, { script, environment }] of jobs) {
      const reads = script.join('\n').includes('HOSTWRIGHT_TOKEN="$HOSTWRIGHT_READ_TOKEN"');
      expect([name, reads || environment !== undefined || name === 'hostwright validate']).toEqual([name, true]);
      expect(script.join('\n')).not.toMatch(/CI_JOB_TOKEN|GITLAB_TOKEN/);
    }
  });
});

it('the hooks of pre-commit validate the whole workspace, and lay out what was changed', () => {
  expect(parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'))).toMatchObject([
    {
      id: 'hostwright-validate',
      entry: 'hostwright validate',
      language: 'node',
      pass_filenames: false,
      files: expect.any(String) as string,
    },
    { id: 'hostwright-fmt', entry: 'hostwright fmt', language: 'node', files: expect.any(String) as string },
  ]);
});

it('the shell script can be run, and bash can read it', () => {
  const script = join(root, 'examples/ci/shell/hostwright.sh');
  expect(statSync(script).mode & 0o111).not.toBe(0);
  checkBash(readFileSync(script, 'utf8'));
});
