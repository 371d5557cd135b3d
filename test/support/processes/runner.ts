// Runs a composite action as GitHub's runner does: inputs and their defaults, expressions (GitHub's own evaluator),
// conditions, the files that steps write to. Only what such an action may use; everything else is an error.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions';
import { parse } from 'yaml';
import { warmCache } from '../warm-cache.ts';

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: boolean;
}

export interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default?: string; readonly required?: boolean }>
  >;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Job {
  /** Where `action.yml` is. */
  readonly action: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The checkout. */
  readonly workspace: string;
  /** What a step gets beside what it names itself. */
  readonly env: Readonly<Record<string, string>>;
  /** The context `github`; `event` is also what GITHUB_EVENT_PATH holds. */
  readonly github: {
    readonly token: string;
    readonly repository: string;
    readonly sha?: string;
    readonly ref?: string;
    readonly ref_name?: string;
    readonly event_name?: string;
    readonly event: object;
  };
}

export interface JobEnd {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  /** Everything that was printed. */
  readonly log: string;
  readonly summary: string;
  /** Step by its id, or its name: how it ended, and the environment that it had beyond the common one. */
  readonly steps: Readonly<Record<string, { readonly outcome: 'success' | 'failure' | 'skipped' }>>;
}

export async function readAction(folder: string): Promise<Action> {
  return parse(await readFile(join(folder, 'action.yml'), 'utf8')) as Action;
}

/** The value of a text with `${{ }}` in it. */
export function fill(text: string, contexts: object): string {
  return text.replace(/\$\{\{([^]*?)\}\}/g, (_match, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  );
}

function evaluate(expression: string, contexts: object) {
  const { tokens } = new Lexer(expression.trim()).lex();
  const status = ['success', 'failure', 'always', 'cancelled'].map((name) => ({
    name,
    description: '',
    minArgs: 0,
    maxArgs: 0,
  }));
  const tree = new Parser(tokens, Object.keys(contexts), [...Object.values(wellKnownFunctions), ...status]).parse();
  return new Evaluator(tree, JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary).evaluate();
}

/** Whether a condition holds: of a step, or of a job. */
export function isTrue(condition: string, contexts: object): boolean {
  const value = evaluate(condition.replace(/^\$\{\{|\}\}$/g, ''), contexts);
  const text = value.coerceString();
  return text !== '' && text !== 'false' && text !== '0';
}

export async function runAction({ action, inputs: given, workspace, env, github }: Job): Promise<JobEnd> {
  const { inputs: declared, outputs: reported, runs } = await readAction(action);
  const unknown = Object.keys(given).filter((name) => declared[name] === undefined);
  if (unknown.length > 0 || runs.using !== 'composite')
    throw new Error(`this runner knows composite actions and declared inputs: ${unknown.join(', ')}`);
  const inputs = Object.fromEntries(
    Object.entries(declared).map(([name, { default: usual = '' }]) => [name, given[name] ?? fill(usual, { github })]),
  );
  const temp = await mkdtemp(join(tmpdir(), 'hostwright-runner-'));
  const files = {
    GITHUB_OUTPUT: join(temp, 'output'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary'),
    GITHUB_EVENT_PATH: join(temp, 'event.json'),
  };
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(github.event));
  await writeFile(files.GITHUB_STEP_SUMMARY, '');
  await mkdir(join(temp, 'tools'));
  const common = {
    PATH: process.env.PATH ?? '',
    HOME: temp,
    ...warmCache(),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: temp,
    GITHUB_ACTION_PATH: action,
    GITHUB_REPOSITORY: github.repository,
    ...(github.sha !== undefined && { GITHUB_SHA: github.sha }),
    ...(github.ref_name !== undefined && { GITHUB_REF_NAME: github.ref_name }),
    ...files,
    ...env,
  };
  const steps: Record<string, { outputs: Record<string, string>; outcome: 'success' | 'failure' | 'skipped' }> = {};
  const names: Record<string, { outcome: 'success' | 'failure' | 'skipped' }> = {};
  let log = '';
  let result: JobEnd['result'] = 'success';
  for (const [index, step] of runs.steps.entries()) {
    const key = step.id ?? step.name ?? String(index);
    const contexts = { inputs, github, steps };
    const runsIt = result === 'success' && (step.if === undefined || isTrue(step.if, contexts));
    let outcome: 'success' | 'failure' | 'skipped' = 'skipped';
    let outputs: Record<string, string> = {};
    if (runsIt) {
      if (step.run === undefined || step.shell !== 'bash') throw new Error(`this runner runs bash: ${key}`);
      await writeFile(files.GITHUB_OUTPUT, '');
      const own = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value, contexts)]),
      );
      const ended = await bash(step.run, {
        cwd: join(workspace, fill(step['working-directory'] ?? '.', contexts)),
        env: { ...common, ...own },
      });
      log += ended.log;
      outcome = ended.code === 0 ? 'success' : 'failure';
      outputs = await readOutputs(files.GITHUB_OUTPUT);
      if (outcome === 'failure' && step['continue-on-error'] !== true) result = 'failure';
    }
    names[key] = { outcome };
    if (step.id !== undefined) steps[step.id] = { outputs, outcome };
  }
  const summary = await readFile(files.GITHUB_STEP_SUMMARY, 'utf8');
  const outputs = Object.fromEntries(
    Object.entries(reported).map(([name, { value }]) => [name, fill(value, { steps })]),
  );
  const kept = {
    result,
    outputs: { ...outputs, reportText: await readFile(outputs.report ?? '', 'utf8').catch(() => '') },
    log,
    summary,
    steps: names,
  };
  await rm(temp, { recursive: true, force: true });
  return kept;
}

/** Reads the outputs that a step wrote to the file `GITHUB_OUTPUT`. */
export async function readOutputs(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Runs a script as GitHub's runner starts it. */
export function bash(
  script: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stdout.on('data', (chunk) => (log += String(chunk)));
    child.stderr.on('data', (chunk) => (log += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, log }));
  });
}
