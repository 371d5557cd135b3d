// Runs the command against a sandbox, in its own folder and with only the environment that is given: in this process, or
// as a user does, built and in another one.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Clock } from '../../../src/model/clock.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { warmCache } from '../warm-cache.ts';
import type { Ended } from './run-here.ts';
import { runHere } from './run-here.ts';

const command = join(import.meta.dirname, '../../../dist/main.js');

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

interface Place {
  readonly cwd: string;
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For a command in this process: that of the sandbox, in which nothing really waits. */
  readonly clock?: Clock;
  readonly input?: string;
}

function environmentOf({ cwd, url, env = {} }: Place): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env.PATH,
    HOME: cwd,
    HOSTWRIGHT_CACHE: 'off',
    HOSTWRIGHT_API_URL: url,
    HOSTWRIGHT_TOKEN: API_KEY,
    CI: 'true',
    ...env,
  };
}

/** Runs the command in this process, after those that were asked for before. */
export function runCommand(args: readonly string[], place: Place): Promise<Ended> {
  return runHere(args, {
    cwd: place.cwd,
    env: environmentOf(place),
    ...(place.clock !== undefined && { clock: place.clock }),
    ...(place.input !== undefined && { input: place.input }),
  });
}

/** Starts the built command: for what is about processes, signals and locks. */
export function start(args: readonly string[], place: Place): Running {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: place.cwd,
    env: { ...environmentOf(place), ...warmCache(), HOSTWRIGHT_CACHE: undefined, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr })) };
}
