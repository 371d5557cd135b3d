// Runs jobs of a GitLab pipeline as its runners do: each in an empty folder with a clone of the repository, unless
// `GIT_STRATEGY` says otherwise, and with the artifacts of earlier jobs of the same pipeline that it receives.
import { cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closing } from '../closing.ts';
import { memoryFolder } from '../memory-folder.ts';
import { warmCache } from '../warm-cache.ts';
import { writeNpm } from './npm.ts';
import { bash } from './runner.ts';
import { checkout } from './workflow.ts';

export interface PipelineJob {
  readonly stage: string;
  readonly script: readonly string[];
  readonly before_script?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly extends?: string | readonly string[];
  readonly needs?: readonly string[];
  readonly parallel?: number;
  readonly environment?: { readonly name: string };
  readonly rules?: readonly { readonly if: string; readonly when?: string; readonly changes?: readonly string[] }[];
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

/** A pipeline file: its jobs and templates by name, and `stages`. */
export type Pipeline = Readonly<Record<string, PipelineJob>>;

const USUAL_STAGES = ['.pre', 'build', 'test', 'deploy', '.post'];

/** Returns a job with what it has from its templates; the job itself and later templates take precedence. */
export function resolveJob(pipeline: Pipeline, name: string): PipelineJob {
  const job = pipeline[name];
  if (job === undefined) throw new Error(`the pipeline has no job ${name}`);
  const templates = [job.extends ?? []].flat().map((one) => resolveJob(pipeline, one));
  const variables = Object.assign({}, ...[...templates, job].map((one) => one.variables ?? {})) as object;
  return Object.assign({}, ...templates, job, { variables }) as PipelineJob;
}

export interface PipelineGround {
  /** The folder that each job has a clone of. */
  readonly repository: string;
  /** The variables of a job: those of the project, and those of its environment. */
  readonly variables: (name: string, job: PipelineJob) => Readonly<Record<string, string>>;
}

export interface PipelineEnd {
  /** The exit code of the part that failed, or 0. */
  readonly code: number;
  readonly log: string;
  /** Reads a file that the last part left in its folder. */
  readonly file: (name: string) => Promise<string>;
}

export type RunJob = (name: string, variables?: Readonly<Record<string, string>>) => Promise<PipelineEnd>;

/** Returns a function that runs a job; calls with the same event and commit are jobs of one pipeline. Of one test. */
export async function openPipeline(
  pipeline: Pipeline,
  { repository, variables: given }: PipelineGround,
): Promise<RunJob> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-pipeline-'));
  closing({ close: () => rm(folder, { recursive: true, force: true }) });
  const tools = join(folder, 'tools');
  await writeNpm(tools, { onlyCommand: true });
  const stages = (pipeline.stages as readonly string[] | undefined) ?? USUAL_STAGES;
  /** By pipeline, then by job: the folders of its artifacts. */
  const artifacts = new Map<string, Map<string, readonly string[]>>();

  const runPart = async (
    job: PipelineJob,
    inputs: readonly string[],
    variables: Readonly<Record<string, string>>,
  ): Promise<PipelineEnd & { readonly kept: string }> => {
    const [work, kept] = [await mkdtemp(join(folder, 'work-')), await mkdtemp(join(folder, 'artifacts-'))];
    if (!/^(?:none|empty)$/.test(job.variables?.GIT_STRATEGY ?? '')) await checkout(repository, work);
    for (const from of inputs) await cp(from, work, { recursive: true });
    const env: Readonly<Record<string, string>> = {
      PATH: `${tools}:${process.env.PATH ?? ''}`,
      HOME: folder,
      ...warmCache(),
      CI: 'true',
      GITLAB_CI: 'true',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...job.variables,
      CI_PROJECT_ID: '42',
      CI_PROJECT_DIR: work,
      CI_DEFAULT_BRANCH: 'main',
      ...variables,
    };
    const lines = [...(job.before_script ?? []), ...job.script];
    const { code, log } = await bash(lines.join('\n'), { cwd: work, env });
    for (const path of [...(job.artifacts?.paths ?? []), job.artifacts?.reports?.dotenv ?? []].flat()) {
      const name = path.replace(/^\$HOSTWRIGHT_FOLDER\//, `${env.HOSTWRIGHT_FOLDER ?? '.'}/`);
      if (!(await isThere(join(work, name)))) continue;
      await mkdir(dirname(join(kept, name)), { recursive: true });
      await cp(join(work, name), join(kept, name), { recursive: true });
    }
    return { code: code ?? 1, log, file: (name) => readFile(join(work, name), 'utf8'), kept };
  };

  return async (name, variables = {}) => {
    const job = resolveJob(pipeline, name);
    const key = ['CI_PIPELINE_SOURCE', 'CI_MERGE_REQUEST_IID', 'CI_COMMIT_SHA'].map((one) => variables[one]).join(' ');
    const own = artifacts.get(key) ?? new Map<string, readonly string[]>();
    artifacts.set(key, own);
    const isInput = (other: string): boolean =>
      job.needs === undefined
        ? stages.indexOf(resolveJob(pipeline, other).stage) < stages.indexOf(job.stage)
        : job.needs.includes(other);
    const inputs = [...own].filter(([other]) => isInput(other)).flatMap(([, folders]) => folders);
    const total = job.parallel ?? 1;
    const all = { ...given(name, job), ...variables };
    const ends = await Promise.all(
      Array.from({ length: total }, (_, index) =>
        runPart(job, inputs, { ...all, CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(total) }),
      ),
    );
    own.set(
      name,
      ends.map(({ kept }) => kept),
    );
    return {
      code: Math.max(...ends.map((end) => end.code)),
      log: ends.map((end) => end.log).join(''),
      file: (file) => (ends.at(-1) as PipelineEnd).file(file),
    };
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
