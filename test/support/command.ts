// Runs the built command as a user does: another process, its own folder, only the environment that is given.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';

const command = join(import.meta.dirname, '../../dist/main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts the command in a folder, against a sandbox. */
export function start(
  args: readonly string[],
  {
    cwd,
    url,
    env = {},
  }: { readonly cwd: string; readonly url: string; readonly env?: Readonly<Record<string, string>> },
): Running {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, HOSTWRIGHT_API_URL: url, HOSTWRIGHT_TOKEN: API_KEY, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr })) };
}
