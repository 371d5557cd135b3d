// Runs a program that declares manifests, in a process of its own: without secrets, with little memory and time, and
// with nothing but the workspace to read where Node.js can hold it to that. The only place that starts Node.js. The fence
// keeps slips in; what keeps a secret safe is that there is none in that process.
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import path from 'node:path';
import { linkOut } from './links.ts';

/** What running a program needs from outside. */
export interface ProgramAccess {
  /** The Node.js that runs it. */
  readonly node: string;
  /** The version of that, such as `20.18.1`. */
  readonly version: string;
  /** Our side of the process that it runs in, an absolute path. */
  readonly child: string;
  /** The value of a variable of the environment. */
  readonly env: (name: string) => string | undefined;
  /** Takes a line that a program prints. Whatever stands in it is the program's: it may read like ours, or like a command. */
  readonly say: (program: string, line: string) => void;
  /** It may be run here: a program that a pull request brings must not be, where a credential is at hand. */
  readonly refused?: 'credential';
  readonly limits?: Partial<ProgramLimits>;
}

export interface ProgramLimits {
  readonly timeMs: number;
  readonly memoryMb: number;
  /** Of the answer. */
  readonly bytes: number;
}

export const LIMITS: ProgramLimits = { timeMs: 30_000, memoryMb: 512, bytes: 64 * 1024 * 1024 };
/** What a program prints beyond this is passed over. */
const PRINTED_BYTES = 256 * 1024;

export interface ProgramRun {
  /** Absolute. */
  readonly program: string;
  /** What users call it. */
  readonly shown: string;
  /** The folder of the workspace: what may be read. */
  readonly root: string;
  /** Names of variables that it is given beside those that every process needs. */
  readonly variables: readonly string[];
  readonly stop?: AbortSignal;
}

/** What became of the process. */
export type ProgramEnd =
  | { readonly end: 'answer'; readonly text: string }
  | {
      readonly end: 'no answer';
      readonly code: number | null;
      readonly signal: string | null;
      readonly printed: string;
    }
  | { readonly end: 'time' | 'memory' | 'size' | 'stopped' }
  | { readonly end: 'no start'; readonly reason: string }
  | { readonly end: 'link'; readonly link: string };

/** Runs it to the end of its answer. */
export function runProgram(run: ProgramRun, access: ProgramAccess): Promise<ProgramEnd> {
  const limits = { ...LIMITS, ...access.limits };
  const link = linkOut(run.root, readableFolders(run, access));
  if (link !== undefined) return Promise.resolve({ end: 'link', link });
  return new Promise((done) => {
    const child = spawn(access.node, argumentsFor(run, access, limits), {
      cwd: run.root,
      env: environmentFor(run, access),
      // A group of its own: whatever it may have started ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const [, out, err, answer] = child.stdio as unknown as readonly [null, Readable, Readable, Readable];
    const pieces: Buffer[] = [];
    let size = 0;
    let ended: ProgramEnd | undefined;
    const printed = printer((line) => access.say(run.shown, line));
    const kill = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const endWith = (end: ProgramEnd): void => {
      ended ??= end;
      kill();
    };
    const late = AbortSignal.timeout(limits.timeMs);
    const whenLate = (): void => endWith({ end: 'time' });
    const whenStopped = (): void => endWith({ end: 'stopped' });
    late.addEventListener('abort', whenLate, { once: true });
    run.stop?.addEventListener('abort', whenStopped, { once: true });
    if (run.stop?.aborted === true) whenStopped();
    out.on('data', (chunk: Buffer) => printed.take('out', chunk));
    err.on('data', (chunk: Buffer) => printed.take('err', chunk));
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) endWith({ end: 'size' });
      else pieces.push(chunk);
    });
    // The answer is whole once its end is closed, which a program that goes on in the background does not do.
    child.once('exit', kill);
    child.once('error', (error) => {
      finish({ end: 'no start', reason: error.message });
    });
    child.once('close', (code, signal) => {
      printed.flush();
      const text = Buffer.concat(pieces).toString('utf8');
      if (ended !== undefined) finish(ended);
      else if (code === 0 && text !== '') finish({ end: 'answer', text });
      else if (isOutOfMemory(code, signal, printed.last())) finish({ end: 'memory' });
      else finish({ end: 'no answer', code, signal, printed: printed.last() });
    });
    const finish = (end: ProgramEnd): void => {
      late.removeEventListener('abort', whenLate);
      run.stop?.removeEventListener('abort', whenStopped);
      done(end);
    };
  });
}

function argumentsFor(run: ProgramRun, access: ProgramAccess, { memoryMb }: ProgramLimits): readonly string[] {
  const { version, child } = access;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > 22 || (major === 22 && minor >= 13);
  return [
    `--max-old-space-size=${memoryMb}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    isNew ? '--permission' : '--experimental-permission',
    '--allow-worker',
    ...readableFolders(run, access).map((folder) => `--allow-fs-read=${path.join(folder, '*')}`),
    child,
    run.program,
  ];
}

function readableFolders({ program, root }: ProgramRun, { child }: ProgramAccess): readonly string[] {
  return [...new Set([root, path.dirname(program), path.dirname(child), ...packageFolders(root)])];
}

/** Where packages are looked for: beside the workspace and in each folder above it. */
function packageFolders(root: string): readonly string[] {
  const above = path.dirname(root);
  return [path.join(root, 'node_modules'), ...(above === root ? [] : packageFolders(above))];
}

/** What a process needs to run at all, and what the workspace lists for it. */
function environmentFor({ variables }: ProgramRun, { env }: ProgramAccess): Record<string, string> {
  const names = ['PATH', 'HOME', 'SystemRoot', ...variables.filter((name) => !/^(HOSTWRIGHT_|NODE_)/i.test(name))];
  const given = names.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(given), TZ: 'UTC' };
}

/** Lines as they come; of the last ones a little is kept, for whoever asks why it ended. */
function printer(say: (line: string) => void): {
  readonly take: (stream: 'out' | 'err', chunk: Buffer) => void;
  readonly flush: () => void;
  readonly last: () => string;
} {
  const rest = { out: '', err: '' };
  let left = PRINTED_BYTES;
  let last = '';
  // What V8 says when the memory is used up is no help to anybody.
  let quiet = false;
  const line = (text: string): void => {
    last = `${last}${text}\n`.slice(-4_000);
    quiet ||= text.includes('<--- Last few GCs --->');
    if (!quiet && text.trim() !== '') say(text);
  };
  return {
    take: (stream, chunk) => {
      if (left <= 0) return;
      left -= chunk.length;
      const lines = `${rest[stream]}${chunk.toString('utf8')}`.split('\n');
      rest[stream] = lines.pop() ?? '';
      for (const text of lines) line(text);
      if (left > 0) return;
      Object.assign(rest, { out: '', err: '' });
      say('(what it prints from here on is left out)');
    },
    flush: () => {
      for (const stream of ['out', 'err'] as const) {
        if (rest[stream] !== '') line(rest[stream]);
        rest[stream] = '';
      }
    },
    last: () => last,
  };
}

function isOutOfMemory(code: number | null, signal: string | null, printed: string): boolean {
  return (
    /heap out of memory|Array buffer allocation failed|Invalid string length/.test(printed) &&
    (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || code === 134 || code === 5)
  );
}

/** A process and whatever it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended already, or groups are not known here.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
