// Laws over every YAML file with jobs: those that users copy, those that `init` writes, and our own. A job starts in an
// empty folder with a token of limited permissions, so each thing that its steps use has to be brought by an earlier
// step of the same job. The stories in the other files of this folder run the jobs under the same conditions.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ciFiles } from '../../src/cli/commands/init/ci.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { closing, openFolder } from '../support/closing.ts';
import { manifest } from '../support/manifests.ts';
import { openHarness } from '../support/open-harness.ts';
import { noGit } from '../support/processes/git.ts';
import { writeNpm } from '../support/processes/npm.ts';
import type { Pipeline } from '../support/processes/pipeline.ts';
import { resolveJob } from '../support/processes/pipeline.ts';
import type { Step } from '../support/processes/runner.ts';
import type { Workflow, WorkflowJob } from '../support/processes/workflow.ts';
import { neededBy, parseWorkflow, permissionsOf, runWorkflowJobs } from '../support/processes/workflow.ts';
import { startGithub } from '../support/servers/github.ts';
import { gitIn, root } from './workflows.ts';

const place = (folder: string, lockfile?: string) => ({
  root: '/repository',
  folder,
  shared: [],
  registryVariables: [],
  ...(lockfile !== undefined && { lockfile }),
});

/** By name: the files that the folder has, and what `init` makes of them at the root, in a folder and for a program. */
async function workflowFiles(): Promise<readonly (readonly [string, string])[]> {
  const folders = [
    '.github/workflows',
    ...['github', 'github-events', 'github-fleet'].map((one) => `examples/ci/${one}`),
  ];
  const shipped = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map(
      (file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')] as const,
    ),
  );
  const written = await Promise.all(
    [place('', ''), place('accounts/a', ''), place('accounts/a', 'accounts/a')].flatMap((at) =>
      [false, true].map((isProgram) => ciFiles('github', 'acc-acme', at, { isProgram })),
    ),
  );
  return [...shipped, ...written.flat().map(({ file, text }) => [`init ${file}`, text] as const)];
}

async function pipelineFiles(): Promise<readonly (readonly [string, Pipeline])[]> {
  const folder = join(root, 'examples/ci/gitlab');
  const shipped = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  const written = await Promise.all(
    [place('', ''), place('accounts/a', '')].flatMap((at) =>
      [false, true].map((isProgram) => ciFiles('gitlab', 'acc-acme', at, { isProgram })),
    ),
  );
  const texts = [...shipped, ...written.flat().map(({ file, text }) => [`init ${file}`, text] as const)];
  // A file with `spec` has two documents, of which the last has the jobs.
  return texts.map(([file, text]) => [file, parseAllDocuments(text).at(-1)?.toJS() as Pipeline] as const);
}

const isCheckout = ({ uses = '' }: Step): boolean => uses.startsWith('actions/checkout@');
const commandOf = ({ run = '', uses = '', with: inputs = {} }: Step): string =>
  uses.startsWith('./') ? `hostwright ${JSON.stringify(inputs)}` : run;

/** What a command needs, by a pattern of its text: permissions of the token, with their level. */
const PERMISSIONS: readonly (readonly [RegExp, Readonly<Record<string, 'read' | 'write'>>])[] = [
  [/(?:github|ci github) (?:comment|answer)\b|"mode":"(?:plan|apply)"/, { 'pull-requests': 'write' }],
  [/(?:github|ci github) issue\b|"mode":"drift"/, { issues: 'write' }],
  [/(?:github|ci github) (?:approved|answer)\b|--approved-by/, { 'pull-requests': 'read', contents: 'read' }],
  [/"mode":"(?:apply|resume)"|fleet apply/, { actions: 'read' }],
];
/** What runs files of the repository or its packages. */
const USES_FILES = /\bnpm (?:ci|run|test)\b|node_modules\/|^bash \.|\bgit (?:diff|log|status)\b/m;
const NEEDS_HISTORY = /--changed-since|--guards-from|"guards-from"/;

/** Returns what one job lacks, in words. */
function faultsOf(workflow: Workflow, name: string, job: WorkflowJob): readonly string[] {
  const faults: string[] = [];
  const permissions = permissionsOf(workflow, job);
  const allows = (permission: string, level: 'read' | 'write'): boolean =>
    permissions[permission] === 'write' || permissions[permission] === level;
  const checkoutAt = job.steps.findIndex(isCheckout);
  const installAt = job.steps.findIndex(({ run = '' }) => /\bnpm ci\b/.test(run));
  for (const [index, step] of job.steps.entries()) {
    const command = commandOf(step);
    const before = (at: number): boolean => at !== -1 && at < index;
    if (USES_FILES.test(command) && !before(checkoutAt)) faults.push(`step ${index} has no checkout before it`);
    if (/node_modules\/|^hostwright/.test(command) && !before(installAt))
      faults.push(`step ${index} runs before npm ci`);
    if (isCheckout(step) && !allows('contents', 'read')) faults.push('checkout without `contents: read`');
    if (step.uses?.startsWith('actions/download-artifact@') === true) {
      if (before(checkoutAt) !== checkoutAt >= 0) faults.push('checkout would delete the artifacts');
      const wanted = (step.with?.name ?? step.with?.pattern ?? '').replace(/\*$/, '');
      const uploaded = [...neededBy(workflow.jobs, name)].flatMap((one) =>
        (workflow.jobs[one]?.steps ?? []).filter(({ uses = '' }) => uses.startsWith('actions/upload-artifact@')),
      );
      if (!uploaded.some((one) => one.with?.name?.startsWith(wanted)))
        faults.push(`no job that it needs uploads ${wanted}`);
    }
    if (NEEDS_HISTORY.test(command) && String(job.steps[checkoutAt]?.with?.['fetch-depth']) !== '0')
      faults.push(`step ${index} needs the history`);
    for (const [pattern, needed] of PERMISSIONS)
      if (pattern.test(command))
        for (const [permission, level] of Object.entries(needed))
          if (!allows(permission, level)) faults.push(`step ${index} needs ${permission}: ${level}`);
  }
  return faults;
}

const faultsIn = (text: string): readonly string[] => {
  const workflow = parseWorkflow(text);
  return Object.entries(workflow.jobs).flatMap(([name, job]) =>
    faultsOf(workflow, name, job).map((fault) => `${name}: ${fault}`),
  );
};

const workflows = await workflowFiles();

describe('each job of a workflow', () => {
  it.each(workflows)('has a checkout before npm ci, artifacts and the permissions that its steps need: %s', (_, text) =>
    expect(faultsIn(text)).toEqual([]),
  );

  const [, merge = ''] = workflows.find(([file]) => file === 'examples/ci/github-fleet/merge.yml') ?? [];
  const [, plan = ''] = workflows.find(([file]) => file === 'examples/ci/github-fleet/pull-request.yml') ?? [];

  it.each([
    [
      'a checkout',
      merge.replaceAll(/^ {6}- uses: actions\/checkout.*\n(?: {8}.*\n)*/gm, ''),
      'has no checkout before it',
    ],
    ['contents: read', plan.replace(/^ {6}contents: read # the lockfile\n/m, ''), 'checkout without `contents: read`'],
    ['pull-requests: write', plan.replace('pull-requests: write', 'pull-requests: read'), 'needs pull-requests: write'],
    ['the history', plan.replaceAll(/^ {10}fetch-depth: 0.*\n/gm, '          clean: true\n'), 'needs the history'],
    ['needs', merge.replace('needs: [list, apply]', 'needs: [list]'), 'uploads part-'],
    ['npm ci', merge.replaceAll(/^ {6}- run: npm ci.*\n/gm, ''), 'runs before npm ci'],
  ])('is reported when it lacks %s', (_what, text, fault) => expect(faultsIn(text).join('\n')).toContain(fault));
});

describe('each job of a pipeline', () => {
  it('clones the repository, with its history where it needs that, and installs before it runs anything', async () => {
    for (const [file, pipeline] of await pipelineFiles()) {
      const names = Object.keys(pipeline).filter((name) => pipeline[name]?.script !== undefined);
      if (pipeline.include === undefined) expect(names, file).not.toEqual([]);
      for (const name of names) {
        const job = resolveJob(pipeline, name);
        const lines = [...(job.before_script ?? []), ...job.script];
        const installed = lines.findIndex((line) => line.includes('npm '));
        const run = lines.findIndex((line) => /\bhostwright [a-z]/.test(line));
        expect([file, name, installed >= 0 && installed < run]).toEqual([file, name, true]);
        expect([file, name, job.variables?.GIT_STRATEGY]).toEqual([file, name, undefined]);
        const needsHistory = lines.some((line) => NEEDS_HISTORY.test(line));
        expect([file, name, !needsHistory || job.variables?.GIT_DEPTH === '0']).toEqual([file, name, true]);
      }
    }
  });
});

describe('the runner for tests', () => {
  it('has an npm that fails without a lockfile, as the real one does', async () => {
    const [tools, empty] = [await openFolder(), await openFolder()];
    await writeNpm(tools);
    const run = (path: string) =>
      spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: empty,
        env: { ...process.env, PATH: path },
        encoding: 'utf8',
      });
    for (const path of [process.env.PATH ?? '', `${tools}:${process.env.PATH}`])
      expect(run(path)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('existing package-lock.json') as string,
      });
  });

  it('fails a job that installs without a checkout, or checks out without the permission', async () => {
    const github = closing(await startGithub());
    const job = (permissions: string, steps: string): string =>
      `permissions: ${permissions}\njobs: { report: { steps: [${steps}] } }\n`;
    const [checkout, install] = [`{ uses: actions/checkout@${'0'.repeat(40)} }`, '{ run: npm ci --ignore-scripts }'];
    const repository = await openFolder({ 'package-lock.json': '{}' });
    const run = async (text: string) =>
      (await runWorkflowJobs(text, { repository, github, secrets: {}, env: {} }, { name: 'push', payload: {} }))
        .results;
    expect(await run(job('{ contents: read }', `${checkout}, ${install}`))).toEqual({ report: 'success' });
    expect(await run(job('{ contents: read }', install))).toEqual({ report: 'failure' });
    expect(await run(job('{ issues: write }', `${checkout}, ${install}`))).toEqual({ report: 'failure' });
  });
});

describe.skipIf(noGit !== undefined)('an event', () => {
  it.each(['drift', 'apply'])('runs the job %s in the folder of its account', async (run) => {
    const text = readFileSync(join(root, 'examples/ci/github-events/events.yml'), 'utf8');
    const account = 'acc-00001';
    const one = await openHarness({
      scenario: 'accounts:2',
      files: {
        [`accounts/${account}/hostwright.yaml`]: `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${account}\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n`,
        [`accounts/${account}/sites/shop.json`]: manifest('Site', 'shop', { domains: [`shop.${account}.example.com`] }),
      },
    });
    await gitIn(one.root);
    const github = closing(await startGithub());
    const ended = await runWorkflowJobs(
      text,
      {
        repository: one.root,
        github,
        secrets: { HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_READ_TOKEN: API_KEY },
        env: { GITHUB_API_URL: github.url, HOSTWRIGHT_API_URL: one.sandbox.url },
      },
      { name: 'repository_dispatch', payload: { client_payload: { run, account, why: 'Site created: shop' } } },
    );
    expect(ended.results, ended.log).toEqual({
      drift: run === 'drift' ? 'success' : 'skipped',
      apply: run === 'apply' ? 'success' : 'skipped',
    });
  });
});
