// A version of the program as a process: where another one is found, and how it is run with no credential and no way
// out but to the address that it is given.
import { spawn } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isExecutable } from '../../../library/executable.ts';
import { distFile } from '../../../library/package-files.ts';

/** What starts a version: a program and its first arguments. */
export type Start = readonly [program: string, ...args: readonly string[]];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
}

/** This version. */
export function ownStart(): Start {
  return isExecutable ? [process.execPath] : [process.execPath, distFile('main.js')];
}

/**
 * The version that was named: an executable, a folder with the package in it, an archive of npm, or a version that npm
 * takes from its registry into `folder`, an empty one. Gives the reason where there is none.
 */
export async function findVersion(old: string, folder: string, run: Run): Promise<Start | string> {
  const place = resolve(run.cwd, old);
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) return inFolder(place);
  if (found !== undefined && !/\.(tgz|tar\.gz)$/.test(old))
    return /\.[cm]?js$/.test(old) ? [process.execPath, place] : [place];
  if (found === undefined && !/^\d+\.\d+\.\d+[\w.+-]*$/.test(old))
    return 'it is neither a version, such as 0.1.0, nor a file or a folder';
  // A file of its own, so that npm looks for none above.
  await writeFile(join(folder, 'package.json'), '{}');
  const wanted = found === undefined ? `hostwright@${old}` : place;
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', wanted];
  const { code, stderr } = await runProgram(['npm', ...args], { ...run, cwd: folder });
  if (code !== 0) return `npm did not install it: ${stderr.trim().split('\n').slice(0, 2).join(' ')}`;
  return inFolder(folder);
}

async function inFolder(folder: string): Promise<Start | string> {
  for (const below of ['node_modules/hostwright/dist/main.js', 'dist/main.js']) {
    const file = join(folder, below);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return [process.execPath, file];
  }
  return 'the folder holds no dist/main.js, and no node_modules/hostwright';
}

/** Runs a program to its end; one that cannot be started has no exit code. */
export function runProgram([program, ...args]: Start, { cwd, env, stop }: Run): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stop,
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const end = (code: number | null, more = ''): void =>
      done({
        code,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8') + more,
      });
    child.once('error', ({ message }) => end(null, message));
    child.once('close', (code) => end(code));
  });
}
