// Runs the program as users do: in this process, or as it was built (`npm run build`) where a process is the point.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runHere } from '../support/processes/run-here.ts';

const built = join(import.meta.dirname, '../../dist');

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface Run {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A command that the program is an argument of: `['sh', '-c', 'exec "$@" > /dev/full', 'sh']`. */
  readonly within?: readonly string[];
  /** Is given the running process, to close a pipe or send a signal. */
  readonly during?: (child: ChildProcess) => void;
}

/** A folder of its own, and a way to run the program there. */
export function useProgram(): {
  readonly folder: () => string;
  readonly run: (argv: readonly string[], options?: Run) => Promise<Ended>;
} {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostwright-cli-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    folder: () => folder,
    run: (argv, options = {}) =>
      isMoreThanItsWords(options)
        ? runProgram(folder, argv, options)
        : runHere(argv, {
            cwd: folder,
            env: { PATH: process.env.PATH, ...options.env },
            ...(options.input !== undefined && { input: options.input }),
          }),
  };
}

function isMoreThanItsWords({ within, during }: Run): boolean {
  return within !== undefined || during !== undefined;
}

function runProgram(
  cwd: string,
  argv: readonly string[],
  { env = {}, input = '', within = [], during }: Run = {},
): Promise<Ended> {
  const { PATH = '' } = process.env;
  const [command = process.execPath, ...args] = [...within, process.execPath, join(built, 'main.js'), ...argv];
  const child = spawn(command, args, { cwd, env: { PATH, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  during?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ stdout, stderr, code }));
  });
}
