// The workflow and the pipeline for events: linted, pinned, without a value of a message in a script; and their way from
// an account to its folder, run as it stands.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { Step } from '../support/processes/runner.ts';
import { root } from './workflows.ts';
import { openFolder } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';
import { lintWorkflow } from '../support/lint-workflow.ts';

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
    expect(await lintWorkflow(github, '.github/workflows/events.yml')).toEqual([]);
    const broken = github.replace('permissions:', 'permission:');
    expect(await lintWorkflow(broken, '.github/workflows/events.yml')).not.toEqual([]);
  });

  it('is pinned, may only read unless a job says more, and takes values of an event through variables', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency.group).toContain('client_payload.account');
    for (const { steps } of Object.values(jobs))
      for (const { uses, run = '' } of steps) {
        if (uses !== undefined)
          expect(uses).toMatch(/^(actions\/(checkout|setup-node)@[0-9a-f]{40}|\.\/node_modules\/hostwright)$/);
        expect(run).not.toContain('${{');
        if (run.startsWith('npm')) expect(run).toMatch(/^npm ci --ignore-scripts\b/);
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

interface Pipeline {
  readonly [job: string]: {
    readonly rules?: readonly { readonly if: string }[];
    readonly before_script?: readonly string[];
    readonly script?: readonly string[];
  };
}

interface Input {
  readonly default: string;
  readonly options?: readonly string[];
  readonly regex?: string;
}

/** The file with its inputs filled in, as GitLab does: a value that an input does not take makes no pipeline. */
function pipelineWith(given: Readonly<Record<string, string>>): Pipeline {
  const [header, body] = parseAllDocuments(gitlab);
  const { inputs } = (header?.toJS() as { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } }).spec;
  const unknown = Object.keys(given).filter((name) => inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`no such input: ${unknown.join(', ')}`);
  const values = new Map(
    Object.entries(inputs).map(([name, { default: usual, options, regex }]) => {
      const value = given[name] ?? usual;
      if (options?.includes(value) === false || (regex !== undefined && !new RegExp(regex).test(value)))
        throw new Error(`${name} does not take ${value}`);
      return [name, value];
    }),
  );
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_match, name: string) => values.get(name) ?? 'NO INPUT')
      : Array.isArray(value)
        ? value.map(fill)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]))
          : value;
  return fill(body?.toJS()) as Pipeline;
}

describe('the pipeline', () => {
  const told = { run: 'apply', account: 'acc-acme', why: 'Site created: shop', notify: '' };

  it('runs for triggers of the default branch only, each kind of run in a job of its own', () => {
    const rules = (run: string) => Object.values(pipelineWith({ ...told, run })).flatMap(({ rules: own = [] }) => own);
    const trigger = '$CI_PIPELINE_SOURCE == "trigger" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
    for (const run of ['drift', 'apply', ''])
      expect(rules(run).map((rule) => rule.if)).toEqual([
        `${trigger} && "${run}" == "drift"`,
        `${trigger} && "${run}" == "apply"`,
      ]);
    expect(gitlab).toContain('npm ci --ignore-scripts --no-audit --no-fund\n');
  });

  it('takes what the receiver sends, and no value that a shell would expand', () => {
    expect(Object.keys(pipelineWith(told))).toContain('hostwright event apply');
    for (const bad of ["'; evil; '", '$HOSTWRIGHT_TOKEN', '`id`', 'a\nb', '$(id)'])
      for (const name of ['account', 'why', 'run', 'notify', 'folders'])
        expect(() => pipelineWith({ ...told, [name]: bad })).toThrow('does not take');
    // Whatever a trigger can say is an input: no variable of a job is named after one.
    expect(gitlab.replaceAll(/^#.*$/gm, '')).not.toMatch(/\$HOSTWRIGHT_(RUN|FOLDERS)/);
  });

  it.each([
    ['HOSTWRIGHT_API_URL', 'https://evil.example'],
    ['NODE_OPTIONS', '--require=/tmp/evil.js'],
    ['npm_config_registry', 'https://evil.example'],
    ['NPM_CONFIG_USERCONFIG', '/tmp/npmrc'],
    ['https_proxy', 'http://evil.example'],
    ['GIT_CONFIG_COUNT', '0'],
    ['', ''],
  ])('is refused before anything is installed when a trigger sets %o', async (name, value) => {
    const folder = await openFolder();
    const bin = join(folder, 'node_modules/.bin');
    await mkdir(bin, { recursive: true });
    await mkdir(join(folder, 'accounts/acme'), { recursive: true });
    const fleet = JSON.stringify({ accounts: [{ account: 'acc-acme', workspace: 'accounts/acme' }] });
    const said = join(folder, 'said');
    await writeFile(
      join(bin, 'hostwright'),
      `#!/bin/sh\nif [ "$1" = fleet ]; then echo '${fleet}'; fi\necho "$*" >>${said}\n`,
    );
    await writeFile(join(bin, 'npm'), `#!/bin/sh\necho "npm $1" >>${said}\n`);
    await Promise.all(['hostwright', 'npm'].map((program) => chmod(join(bin, program), 0o755)));
    const jobs = pipelineWith(told);
    const lines = [
      ...(jobs['.hostwright-event']?.before_script ?? []),
      ...(jobs['hostwright event apply']?.script ?? []),
    ];
    const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], {
      cwd: folder,
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        CI_PROJECT_DIR: folder,
        ...(name !== '' && { [name]: value }),
      },
      encoding: 'utf8',
    });
    const ran = await readFile(said, 'utf8').catch(() => '');
    if (name === '') {
      expect([status, ran], stderr).toEqual([0, containing('apply --resume')]);
    } else {
      expect([status, ran]).toEqual([1, '']);
      expect(stderr).toContain(name);
    }
  });
});

it.each([
  ['GitHub', /^ +(folder=\$\(node .*)$/m.exec(github)?.[1]],
  ['GitLab', /^ +- (folder=\$\(node .*)$/m.exec(gitlab)?.[1]],
])('%s finds the folder of an account, and none of a stranger', async (_forge, line = '') => {
  const folder = await openFolder();
  const accounts = [{ account: 'acc-acme', workspace: 'accounts/acme' }];
  await writeFile(join(folder, 'accounts.json'), JSON.stringify({ accounts }));
  const find = (account: string): string =>
    execFileSync('bash', ['-euc', `${line.replace('$[[ inputs.account ]]', account)}\nprintf %s "$folder"`], {
      cwd: folder,
      env: { ...process.env, ACCOUNT: account },
      encoding: 'utf8',
    });
  expect(find('acc-acme')).toBe('accounts/acme');
  expect(find('$(touch x)')).toBe('');
});

it('GitHub shows what was told as plain code in the summary', async () => {
  const folder = await openFolder();
  const { jobs } = parse(github) as Workflow;
  const [step] = jobs.drift?.steps.filter(({ env }) => env?.WHY !== undefined) ?? [];
  const summary = join(folder, 'summary');
  const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', step?.run ?? ''], {
    env: { ...process.env, WHY: 'site `x` [a](https://evil) <img src=x>\n# $HOME', GITHUB_STEP_SUMMARY: summary },
  });
  expect(status).toBe(1);
  expect(await readFile(summary, 'utf8')).toBe('`site ?x? ?a??https://evil? ?img src?x??? ?HOME`\n');
});
