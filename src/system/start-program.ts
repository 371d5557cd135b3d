// Starts every external program: without a shell, with a filtered PATH, the variables that its purpose needs, a time limit
// and a limit of output. No other module may import node:child_process (test/tidy.test.ts, .oxlintrc.json).
import type { StdioOptions } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { visible } from '../model/format.ts';
import type { Purpose } from './environment.ts';
import { variablesFor } from './environment.ts';
import type { Environment } from './search-path.ts';
import { findProgram, searchPath } from './search-path.ts';

export interface ProgramStart {
  readonly purpose: Purpose;
  /** An absolute path, or a name that is searched for in the filtered PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The environment of this process, of which the purpose selects a part. */
  readonly env: Environment;
  /** Variables that are set for this program in addition. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Folders that no program is started from, and that are taken out of the PATH: the checkout. */
  readonly closed: readonly string[];
  /** A person named the program by its path: it may be in a closed folder. */
  readonly isNamed?: boolean;
  readonly timeoutMs: number;
  /** The largest answer, in bytes. */
  readonly maxBytes: number;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
  /** Text for its standard input, which is closed after it. Absent: it has none. */
  readonly input?: Buffer | string;
  /** The descriptor of the answer. `fd3`: standard output is text for the user, and is only given to `onOutput`. */
  readonly answer?: 'stdout' | 'fd3';
  /** Called with each chunk of standard output (if it is not the answer) and standard error. */
  readonly onOutput?: (stream: 'out' | 'err', chunk: Buffer) => void;
  /** Called every 50 ms with the process id; the program is ended with `limit` when it returns false. */
  readonly mayContinue?: (pid: number) => boolean;
}

/** How a program ended. */
export type ProgramEnd =
  | {
      readonly end: 'exit';
      readonly code: number | null;
      readonly signal: string | null;
      readonly answer: Buffer;
      /** The beginning of standard error, unescaped. */
      readonly errors: Buffer;
    }
  | { readonly end: 'time' | 'size' | 'stopped' | 'limit' }
  | { readonly end: 'no start'; readonly reason: string };

/** Of standard error this many bytes are kept, for the message of a failure. */
const MOST_ERROR_BYTES = 64 * 1024;
const WATCH_MS = 50;

/** Starts a program and waits until it has ended and its answer is complete. Never rejects. */
export function startProgram(start: ProgramStart): Promise<ProgramEnd> {
  const prepared = prepare(start);
  if ('reason' in prepared) return Promise.resolve({ end: 'no start', reason: prepared.reason });
  const { input, answer = 'stdout', maxBytes, signal, onOutput, mayContinue } = start;
  return new Promise((done) => {
    const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    const child = spawn(prepared.program, start.args, {
      cwd: start.cwd,
      env: prepared.env,
      // A session of its own: a Ctrl-C does not reach it, a helper without a terminal cannot ask for a password, and
      // everything that it starts ends with it.
      detached: hasGroups,
      stdio: answer === 'fd3' ? [...stdio, 'pipe'] : stdio,
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    const errors: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let isOver = false;
    let ended: ProgramEnd | undefined;
    const finish = (end: ProgramEnd): void => {
      isOver = true;
      late.removeEventListener('abort', whenLate);
      signal?.removeEventListener('abort', whenStopped);
      done(end);
    };
    const endWith = (end: ProgramEnd): void => {
      ended ??= end;
      killGroup(child.pid);
    };
    const late = AbortSignal.timeout(start.timeoutMs);
    const whenLate = (): void => endWith({ end: 'time' });
    const whenStopped = (): void => endWith({ end: 'stopped' });
    late.addEventListener('abort', whenLate, { once: true });
    signal?.addEventListener('abort', whenStopped, { once: true });
    if (signal?.aborted === true) whenStopped();
    const watch = (): void => {
      if (isOver || mayContinue === undefined) return;
      if (child.pid !== undefined && !mayContinue(child.pid)) endWith({ end: 'limit' });
      else AbortSignal.timeout(WATCH_MS).addEventListener('abort', watch, { once: true });
    };
    watch();
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) endWith({ end: 'size' });
      else pieces.push(chunk);
    };
    const [, out, err, third] = child.stdio as unknown as readonly [unknown, Readable, Readable, Readable | undefined];
    out.on('data', answer === 'stdout' ? take : (chunk: Buffer) => onOutput?.('out', chunk));
    third?.on('data', take);
    err.on('data', (chunk: Buffer) => {
      onOutput?.('err', chunk);
      if (errorBytes < MOST_ERROR_BYTES) errors.push(chunk);
      errorBytes += chunk.length;
    });
    // A program that ends early closes its input; its exit code says what happened.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    // A process of the user's program that it left in the background would keep the answer open. Git may leave helpers
    // behind on purpose, such as a cache of credentials.
    child.once('exit', () => {
      if (answer === 'fd3') killGroup(child.pid);
    });
    child.once('error', (error) => finish({ end: 'no start', reason: error.message }));
    child.once('close', (code, killedBy) =>
      finish(
        ended ?? {
          end: 'exit',
          code,
          signal: killedBy,
          answer: Buffer.concat(pieces),
          errors: Buffer.concat(errors),
        },
      ),
    );
  });
}

/** The same while this process waits, which takes less of it; undefined where the program failed or could not be started. */
export function startProgramNow(start: Omit<ProgramStart, 'input' | 'signal' | 'answer'>): Buffer | undefined {
  const prepared = prepare(start);
  if ('reason' in prepared) return undefined;
  const { status, stdout } = spawnSync(prepared.program, start.args, {
    cwd: start.cwd,
    env: prepared.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    timeout: start.timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: start.maxBytes,
  });
  return status === 0 ? stdout : undefined;
}

/** Output of a program as one line for a message: without logins in addresses, escaped, and 600 characters at most. */
export function shownOutput(output: Buffer): string {
  const text = output
    .toString('utf8')
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, '$1***@')
    .replace(/\s+/g, ' ')
    .trim();
  return visible(text).slice(0, 600);
}

const hasGroups = path.sep === '/';

function prepare({
  purpose,
  program,
  env,
  variables = {},
  closed,
  isNamed = false,
}: Pick<ProgramStart, 'purpose' | 'program' | 'env' | 'variables' | 'closed' | 'isNamed'>):
  { readonly program: string; readonly env: Record<string, string> } | { readonly reason: string } {
  const found = findProgram(program, env, isNamed ? [] : closed);
  if ('reason' in found) return found;
  const folders = searchPath(env, closed).join(path.delimiter);
  return {
    program: found.program,
    env: {
      ...variablesFor(purpose, env),
      // A program that declares manifests starts no other.
      ...(purpose !== 'declare' && { PATH: folders }),
      ...variables,
    },
  };
}

/** A process and everything that it started. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL');
  } catch (error) {
    // It has ended already, or groups are unknown here.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
