// Runs a command that gives a credential, or takes one: without a shell, within a time limit, and without a word of what
// it prints. The program is found outside of the repository, so that no pull request brings it.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../model/clock.ts';
import { quote } from '../../model/format.ts';
import { liesIn } from './credentials-file.ts';

export interface CommandRun {
  /** Absolute. */
  readonly program: string;
  /** What messages call it. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** What it is given on its standard input, which is closed then. Absent: nothing. */
  readonly input?: string;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** No answer of a vault is larger. */
const MAX_BYTES = 1024 * 1024;

/** Where the program of a command is; or why it is not run. `closed`: folders that it must not lie in. */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  closed: readonly string[],
): { readonly program: string } | { readonly reason: string } {
  const endings = path.sep === '\\' ? ['.exe', ''] : [''];
  if (path.isAbsolute(name)) {
    if (!isProgram(name)) return { reason: `the program ${quote(name)} is not there, or may not be run` };
    return liesIn(closed, name)
      ? { reason: `the program ${quote(name)} lies in the repository, where a pull request could change it` }
      : { program: name };
  }
  // A folder of the repository on the PATH, such as node_modules/.bin, is passed over.
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders)
    for (const ending of endings) {
      const program = path.join(folder, name + ending);
      if (isProgram(program) && !liesIn(closed, program)) return { program };
    }
  return { reason: `the program ${quote(name)} is in no folder of the PATH outside of the repository` };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What it printed to standard output, or why there is nothing of use, in words that show none of it. */
export function runCommand({
  program,
  name,
  args,
  cwd,
  env,
  timeoutMs,
  input,
  clock,
  stop,
}: CommandRun): Promise<{ readonly text: string } | { readonly reason: string }> {
  return new Promise((resolve) => {
    const isGroup = path.sep === '/';
    const child = spawn(program, args, {
      cwd,
      env,
      // A group of its own, so that what it has started ends with it.
      detached: isGroup,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    });
    const called = `the command ${quote(name)}`;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const ended = new AbortController();
    const end = (answer: { readonly text: string } | { readonly reason: string }): void => {
      ended.abort();
      stop.removeEventListener('abort', onStop);
      child.stdout?.destroy();
      resolve(answer);
    };
    const kill = (reason: string): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
      end({ reason });
    };
    const onStop = (): void => kill(`${called} was stopped with the run`);
    clock.sleep(timeoutMs, ended.signal).then(
      () => kill(`${called} took longer than ${timeoutMs / 1000} seconds`),
      () => undefined,
    );
    stop.addEventListener('abort', onStop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) kill(`${called} printed more than ${MAX_BYTES / 1024} KiB`);
      else chunks.push(chunk);
    });
    // A program that does not read closes its end.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', ({ code }: NodeJS.ErrnoException) =>
      end({ reason: `${called} could not be started (${code ?? 'unknown'})` }),
    );
    child.on('close', (code, signal) => {
      if (code !== 0)
        end({
          reason: signal === null ? `${called} ended with exit code ${code}` : `${called} was ended by ${signal}`,
        });
      else end({ text: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
