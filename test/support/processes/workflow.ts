// Runs a workflow file as GitHub does: each part of each job in an empty folder, with only what its own steps bring.
// The repository comes from a checkout, Hostwright from `npm ci` with a lockfile, files of other jobs from artifacts of
// jobs that it needs, and the token of the job can do what the job's `permissions` say.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { memoryFolder } from '../memory-folder.ts';
import { githubToken } from '../servers/github.ts';
import type { FakeGithub } from '../servers/github.ts';
import { warmCache } from '../warm-cache.ts';
import { writeNpm } from './npm.ts';
import type { JobEnd, Step } from './runner.ts';
import { bash, fill, isTrue, readOutputs, runAction } from './runner.ts';

export interface WorkflowJob {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes': number;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: string; readonly 'fail-fast'?: boolean };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

export function parseWorkflow(text: string): Workflow {
  return parse(text) as Workflow;
}

/** Returns the permissions of a job's token: those of the job replace those of the workflow. */
export function permissionsOf(workflow: Pick<Workflow, 'permissions'>, job: WorkflowJob): Record<string, string> {
  return { ...(job.permissions ?? workflow.permissions) };
}

/** Returns the names of all jobs that have ended before this one starts. */
export function neededBy(jobs: Workflow['jobs'], name: string): ReadonlySet<string> {
  const direct = [jobs[name]?.needs ?? []].flat();
  return new Set(direct.flatMap((one) => [one, ...neededBy(jobs, one)]));
}

export interface WorkflowEvent {
  readonly name: 'push' | 'pull_request' | 'merge_group' | 'schedule' | 'workflow_dispatch' | 'repository_dispatch';
  /** The payload, which is the context `github.event`. */
  readonly payload: object;
  readonly sha?: string;
  readonly branch?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface WorkflowGround {
  /** The folder that a checkout copies. */
  readonly repository: string;
  readonly github: FakeGithub;
  readonly secrets: Readonly<Record<string, string>>;
  /** Environment of every step in addition to what the workflow sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Inputs for the steps that use the action, in addition to those of the workflow. */
  readonly actionInputs?: Readonly<Record<string, string>>;
  /** Folders of the repository that stand for a store outside of the job, such as that of a ledger. */
  readonly kept?: readonly string[];
  readonly before?: (job: string) => Promise<void> | void;
}

type Result = 'success' | 'failure' | 'skipped';

export interface WorkflowEnd {
  /** By job; `failure` when one of its parts failed. */
  readonly results: Readonly<Record<string, Result>>;
  readonly log: string;
  readonly summary: string;
  /** How the steps ended that use the action. */
  readonly actions: readonly JobEnd[];
}

interface Needed {
  readonly result: Result;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs all jobs of a workflow in the order in which they are written, each part of a matrix in turn. */
export async function runWorkflowJobs(
  text: string,
  ground: WorkflowGround,
  event: WorkflowEvent,
): Promise<WorkflowEnd> {
  const workflow = parseWorkflow(text);
  const { name: eventName, payload, sha = '', branch = 'main', inputs = {} } = event;
  const github = {
    token: githubToken,
    repository: 'acme/hosting',
    event: { repository: { default_branch: 'main' }, ...payload },
    event_name: eventName,
    sha,
    ref: `refs/heads/${branch}`,
    ref_name: branch,
  };
  const needs: Record<string, Needed> = {};
  const run = await mkdtemp(join(memoryFolder, 'hostwright-run-'));
  const actions: JobEnd[] = [];
  let [log, summary] = ['', ''];
  try {
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const own = Object.fromEntries(neededOf(job).map((one) => [one, needs[one] ?? NOT_RUN]));
      const contexts = { github, inputs, needs: own, secrets: ground.secrets };
      if (!isBegun(job, own, contexts)) {
        needs[name] = { result: 'skipped', outputs: {} };
        continue;
      }
      await ground.before?.(name);
      ground.github.allow(permissionsOf(workflow, job));
      const matrix = matrixOf(job, contexts);
      const ends: Needed[] = [];
      for (const [index, cell] of matrix.entries()) {
        const part = {
          run,
          name,
          job,
          workflow,
          contexts: { ...contexts, matrix: cell, strategy: { 'job-index': index } },
        };
        const ended = await runPart(part, ground);
        log += ended.log;
        summary += ended.summary;
        actions.push(...ended.actions);
        ends.push(ended);
      }
      needs[name] = {
        result: ends.every(({ result }) => result === 'success') ? 'success' : 'failure',
        outputs: ends.at(-1)?.outputs ?? {},
      };
    }
  } finally {
    ground.github.allow(undefined);
    await rm(run, { recursive: true, force: true });
  }
  return { results: mapValues(needs, ({ result }) => result), log, summary, actions };
}

const NOT_RUN: Needed = { result: 'skipped', outputs: {} };

function neededOf({ needs = [] }: WorkflowJob): readonly string[] {
  return [needs].flat();
}

/** Without a status function in its condition, a job starts only when all jobs that it needs succeeded. */
function isBegun({ if: condition }: WorkflowJob, needs: Readonly<Record<string, Needed>>, contexts: object): boolean {
  const hasSucceeded = Object.values(needs).every(({ result }) => result === 'success');
  if (condition === undefined) return hasSucceeded;
  return (/\balways\(\)/.test(condition) || hasSucceeded) && isTrue(withStatus(condition, true), contexts);
}

/** Returns a condition with its status functions replaced by their values. */
function withStatus(condition: string, isWell: boolean): string {
  return condition
    .replaceAll('always()', 'true')
    .replaceAll('success()', String(isWell))
    .replaceAll('failure()', String(!isWell));
}

function matrixOf({ strategy }: WorkflowJob, contexts: object): readonly Readonly<Record<string, string>>[] {
  if (strategy === undefined) return [{}];
  const [[key, values] = ['', []]] = Object.entries(JSON.parse(matrixText(strategy.matrix, contexts)) as Matrix);
  if (values.length === 0) throw new Error('GitHub fails the run when a matrix is empty');
  return values.map((value) => ({ [key]: value }));
}

type Matrix = Readonly<Record<string, readonly string[]>>;

/** `${{ fromJSON(needs.list.outputs.matrix) }}` as the JSON that is given to `fromJSON`. */
function matrixText(matrix: string, contexts: object): string {
  return fill(matrix.replace(/fromJSON\((.*)\)/, '$1'), contexts);
}

interface Part {
  /** The folder of the run, with its artifacts and its jobs. */
  readonly run: string;
  readonly name: string;
  readonly job: WorkflowJob;
  readonly workflow: Workflow;
  readonly contexts: { readonly github: { readonly event: object; readonly sha: string; readonly ref_name: string } };
}

async function runPart(
  { run, name, job, workflow, contexts }: Part,
  { repository, env: given, actionInputs = {}, kept = [] }: WorkflowGround,
): Promise<Needed & Pick<WorkflowEnd, 'log' | 'summary' | 'actions'>> {
  const [folder, temp] = [await mkdtemp(join(run, 'work-')), await mkdtemp(join(run, 'temp-'))];
  const files = Object.fromEntries(
    ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_EVENT_PATH'].map((key) => [key, join(temp, key)] as const),
  ) as Record<'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY' | 'GITHUB_EVENT_PATH', string>;
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(contexts.github.event));
  await writeFile(files.GITHUB_STEP_SUMMARY, '');
  const tools = join(temp, 'tools');
  await writeNpm(tools);
  const common = {
    PATH: `${tools}:${process.env.PATH ?? ''}`,
    HOME: temp,
    ...warmCache(),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: folder,
    GITHUB_REPOSITORY: 'acme/hosting',
    GITHUB_SHA: contexts.github.sha,
    GITHUB_REF_NAME: contexts.github.ref_name,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...files,
    ...given,
  };
  const artifacts = join(run, 'artifacts');
  const steps: Record<string, { outputs: Readonly<Record<string, string>>; outcome: Result }> = {};
  const actions: JobEnd[] = [];
  let log = '';
  let isWell = true;
  for (const step of job.steps) {
    const all = { ...contexts, steps };
    const condition = step.if ?? 'success()';
    const hasStatus = /\b(?:always|success|failure)\(\)/.test(condition);
    if ((!hasStatus && !isWell) || !isTrue(withStatus(condition, isWell), all)) continue;
    const value = (text: string): string => fill(text, all);
    const inputs = mapValues(step.with ?? {}, (text) => value(String(text)));
    const failed = (reason: string): Ended => ({ log: `::error::${reason}\n`, isWell: false, outputs: {} });
    let ended: Ended;
    const [, action] = /^actions\/([a-z-]+)@[0-9a-f]{40}$/.exec(step.uses ?? '') ?? [];
    if (action === 'checkout') {
      ended = /^(?:read|write)$/.test(permissionsOf(workflow, job).contents ?? '')
        ? await checkout(repository, folder, kept)
        : failed('checkout: the token has no permission `contents: read`; repository not found');
    } else if (action === 'setup-node') {
      ended = DONE;
    } else if (action === 'upload-artifact') {
      ended = await upload(join(folder, inputs.path ?? ''), join(artifacts, name, inputs.name ?? 'artifact'));
    } else if (action === 'download-artifact') {
      const from = [...neededBy(workflow.jobs, name)].map((one) => join(artifacts, one));
      ended = await download(from, inputs, join(folder, inputs.path ?? '.'));
    } else if (step.uses === './node_modules/hostwright') {
      const at = join(folder, 'node_modules/hostwright');
      if (await isThere(at)) {
        const end = await runAction({
          action: at,
          inputs: { ...inputs, ...actionInputs },
          workspace: folder,
          env: { ...given, ...workflow.env, GIT_CONFIG_GLOBAL: '/dev/null' },
          github: contexts.github as never,
        });
        actions.push(end);
        ended = { log: end.log, isWell: end.result !== 'failure', outputs: end.outputs };
      } else ended = failed(`there is no action at ${step.uses}: its package is not installed`);
    } else if (step.run !== undefined) {
      await writeFile(files.GITHUB_OUTPUT, '');
      const env = { ...common, ...workflow.env, ...mapValues(step.env ?? {}, value) };
      const { code, log: printed } = await bash(step.run, {
        cwd: join(folder, value(step['working-directory'] ?? '.')),
        env,
      });
      ended = { log: printed, isWell: code === 0, outputs: await readOutputs(files.GITHUB_OUTPUT) };
    } else throw new Error(`this runner does not know the step ${JSON.stringify(step)}`);
    log += ended.log;
    if (step.id !== undefined)
      steps[step.id] = { outputs: ended.outputs, outcome: ended.isWell ? 'success' : 'failure' };
    if (!ended.isWell && step['continue-on-error'] !== true) isWell = false;
  }
  for (const name of kept)
    if (await isThere(join(folder, name))) await cp(join(folder, name), join(repository, name), { recursive: true });
  const summary = await readFile(files.GITHUB_STEP_SUMMARY, 'utf8');
  const outputs = mapValues(job.outputs ?? {}, (text) => fill(text, { ...contexts, steps }));
  return { result: isWell ? 'success' : 'failure', outputs, log, summary, actions };
}

interface Ended {
  readonly log: string;
  readonly isWell: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

const DONE: Ended = { log: '', isWell: true, outputs: {} };

/** Deletes what is in the folder, as the action does, and copies the repository without what a clone would not have. */
export async function checkout(repository: string, folder: string, kept: readonly string[] = []): Promise<Ended> {
  await rm(folder, { recursive: true, force: true });
  const isLocal = (name: string): boolean => /^(?:node_modules|\.hostwright)$/.test(name) && !kept.includes(name);
  await cp(repository, folder, { recursive: true, filter: (from) => !isLocal(basename(from)) });
  return DONE;
}

/** Nothing to upload is a warning of the action, and no failure. */
async function upload(path: string, to: string): Promise<Ended> {
  if (!(await isThere(path))) return { ...DONE, log: '::warning::No files were found with the provided path\n' };
  const isFolder = (await stat(path)).isDirectory();
  await mkdir(to, { recursive: true });
  await cp(path, isFolder ? to : join(to, basename(path)), { recursive: true });
  return DONE;
}

/** A name that no artifact has is a failure; a pattern that fits none is not. */
async function download(
  from: readonly string[],
  { name, pattern, 'merge-multiple': isMerged }: Readonly<Record<string, string>>,
  to: string,
): Promise<Ended> {
  for (const folder of from) {
    for (const artifact of await readdir(folder).catch((): readonly string[] => [])) {
      const prefix = pattern?.replace(/\*$/, '');
      if (artifact !== name && (prefix === undefined || !artifact.startsWith(prefix))) continue;
      const isFlat = name !== undefined || isMerged === 'true';
      await cp(join(folder, artifact), isFlat ? to : join(to, artifact), { recursive: true });
      if (name !== undefined) return DONE;
    }
  }
  return name === undefined ? DONE : { ...DONE, isWell: false, log: `::error::Artifact not found for name: ${name}\n` };
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)] as const));
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
