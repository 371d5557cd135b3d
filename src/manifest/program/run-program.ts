// Runs a program that declares manifests, in a process of its own: without secrets, with little memory and time, and
// with nothing but the workspace to read where Node.js can hold it to that. The only place that starts Node.js. The fence
// keeps slips in; where the operating system has a sandbox, it stands around it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { Readable as Stream } from 'node:stream';
import path from 'node:path';
import { isCredentialName } from '../credentials/variables.ts';
import type { Readable } from './readable.ts';
import { readableFor } from './readable.ts';

/** What running a program needs from outside. */
export interface ProgramAccess {
  /** The Node.js that runs it. */
  readonly node: string;
  /** The version of that, such as `20.18.1`. */
  readonly version: string;
  /** Our side of the process that it runs in, an absolute path: a file, or below `node` where that has it in itself. */
  readonly child: string;
  /** The value of a variable of the environment. */
  readonly env: (name: string) => string | undefined;
  /** Takes a line that a program prints. Whatever stands in it is the program's: it may read like ours, or like a command. */
  readonly say: (program: string, line: string) => void;
  /** At hand where it runs: whoever can change the program could read it. Absent: nothing is, or that was said to be fine. */
  readonly credential?: string;
  /** Asks whether it may run beside that all the same. Absent: nobody can be asked, and it may not. */
  readonly ask?: (program: string, credential: string) => Promise<boolean>;
  /** How a sandbox of the operating system is started; by default what {@link systemSandbox} finds. */
  readonly sandbox?: SystemSandbox | 'none';
  readonly limits?: Partial<ProgramLimits>;
}

export interface ProgramLimits {
  readonly timeMs: number;
  readonly memoryMb: number;
  /** Of the answer. */
  readonly bytes: number;
  /** Files and folders that it may stand beside: each is looked at for links. */
  readonly entries: number;
}

export const LIMITS: ProgramLimits = {
  timeMs: 30_000,
  memoryMb: 512,
  bytes: 64 * 1024 * 1024,
  entries: 500_000,
};
/** What Node.js needs before a program has anything. */
const OWN_MEMORY_MB = 192;
/** How often the memory of the process is looked at; the heap has a limit of its own. */
const WATCH_MS = 50;
/** Of one variable of the environment, as Linux takes it; the text is not all there is in it. */
const LONGEST_VARIABLE = 120_000;
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
  /** Absolute places of secrets in the workspace: it reads none of them. */
  readonly secret: readonly string[];
  readonly stop?: AbortSignal;
  /** How far ahead its clock is, in milliseconds. */
  readonly clockAhead?: number;
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
  | { readonly end: 'link'; readonly link: string }
  | { readonly end: 'entries'; readonly entries: number };

/** Runs it to the end of its answer. */
export function runProgram(run: ProgramRun, access: ProgramAccess): Promise<ProgramEnd> {
  const limits = { ...LIMITS, ...access.limits };
  const readable = readableFor({
    root: run.root,
    program: path.dirname(run.program),
    library: realpathSync(path.dirname(path.dirname(access.child))),
    secret: run.secret,
    entries: limits.entries,
  });
  if ('end' in readable) return Promise.resolve(readable);
  ignoreDebugger();
  const [command, ...before] = sandboxed(access, readable);
  const permissions = permissionsFor(access, limits, readable);
  const isWithin = isWithinNode(access);
  const options = permissions.map((one) => JSON.stringify(one)).join(' ');
  if (isWithin && options.length > LONGEST_VARIABLE)
    return Promise.resolve({ end: 'entries', entries: readable.names.length });
  const ours = [access.child, run.program, String(run.clockAhead ?? 0)];
  return new Promise((done) => {
    const child = spawn(command, [...before, ...(isWithin ? [] : permissions), ...ours], {
      cwd: run.root,
      env: {
        ...environmentFor(run, access),
        ...(isWithin && { NODE_OPTIONS: options }),
      },
      // A group of its own: whatever it may have started ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const [, out, err, answer] = child.stdio as unknown as readonly [null, Stream, Stream, Stream];
    const pieces: Buffer[] = [];
    let size = 0;
    let ended: ProgramEnd | undefined;
    let isOver = false;
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
    const watch = (): void => {
      if (isOver) return;
      if (child.pid !== undefined && residentMb(child.pid) > limits.memoryMb + OWN_MEMORY_MB)
        endWith({ end: 'memory' });
      else AbortSignal.timeout(WATCH_MS).addEventListener('abort', watch, { once: true });
    };
    watch();
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
      else if (isOutOfMemory(printed.last())) finish({ end: 'memory' });
      else finish({ end: 'no answer', code, signal, printed: printed.last() });
    });
    const finish = (end: ProgramEnd): void => {
      late.removeEventListener('abort', whenLate);
      run.stop?.removeEventListener('abort', whenStopped);
      isOver = true;
      done(end);
    };
  });
}

/** An executable that has our side in itself takes what Node.js is told from the environment alone. */
function isWithinNode({ node, child }: Pick<ProgramAccess, 'node' | 'child'>): boolean {
  return child.startsWith(node + path.sep);
}

function permissionsFor(
  { version, child }: ProgramAccess,
  { memoryMb }: ProgramLimits,
  { names }: Readable,
): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isAtLeast = (wanted: number, least: number): boolean => major > wanted || (major === wanted && minor >= least);
  return [
    `--max-old-space-size=${memoryMb}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    isAtLeast(22, 13) ? '--permission' : '--experimental-permission',
    // A thread has none of these permissions. Before 22.18 Node.js itself needs one to load TypeScript.
    ...(isAtLeast(22, 18) ? [] : ['--allow-worker']),
    ...[path.join(path.dirname(child), '*'), ...names].map((name) => `--allow-fs-read=${name}`),
  ];
}

let isDebuggerIgnored = false;

/** SIGUSR1 opens the debugger of Node.js to whoever is on this machine: the program would run code in this process. */
function ignoreDebugger(): void {
  if (isDebuggerIgnored || process.platform === 'win32') return;
  isDebuggerIgnored = true;
  process.on('SIGUSR1', () => undefined);
}

/** A sandbox of the operating system: no network, and no process but its own. */
export interface SystemSandbox {
  readonly name: 'bwrap' | 'unshare';
  /** Absolute. */
  readonly command: string;
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
let found: { readonly sandbox: SystemSandbox | undefined } | undefined;

/** What there is and works: many systems have the command, and do not let users have what it needs. */
export function systemSandbox(): SystemSandbox | undefined {
  if (process.platform !== 'linux') return undefined;
  found ??= {
    sandbox: (['bwrap', 'unshare'] as const)
      .flatMap((name) => FOLDERS.map((folder) => ({ name, command: path.join(folder, name) })))
      .find((one) => existsSync(one.command) && isWorking(one)),
  };
  return found.sandbox;
}

function isWorking(sandbox: SystemSandbox): boolean {
  const [command, ...before] = commandOf(sandbox, process.execPath, { folders: [], hidden: [] });
  return spawnSync(command, [...before, '--version'], { stdio: 'ignore', timeout: 5_000 }).status === 0;
}

function sandboxed(access: ProgramAccess, { folders, hidden }: Readable): readonly [string, ...string[]] {
  const { node, child, sandbox = systemSandbox() } = access;
  if (sandbox === undefined || sandbox === 'none') return [node];
  return commandOf(sandbox, node, {
    folders: [...folders, ...(isWithinNode(access) ? [] : [path.dirname(child)])],
    hidden,
  });
}

function commandOf(
  { name, command }: SystemSandbox,
  node: string,
  { folders, hidden }: Pick<Readable, 'folders' | 'hidden'>,
): readonly [string, ...string[]] {
  if (name === 'unshare') {
    const spaces = [
      '--user',
      '--map-current-user',
      '--net',
      '--ipc',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
    ];
    return [command, ...spaces, '--', node];
  }
  return [
    command,
    ...['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Homes and what programs leave for each other, but for what it may read.
    ...['/home', '/root', '/run', '/tmp', '/var/tmp'].flatMap((place) => (existsSync(place) ? ['--tmpfs', place] : [])),
    ...[...folders, node].flatMap((place) => ['--ro-bind', place, place]),
    ...hidden.flatMap((place) =>
      statSync(place).isDirectory() ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place],
    ),
    ...['--', node],
  ];
}

/** What a process needs to run at all, and what the workspace lists for it. */
function environmentFor({ variables }: ProgramRun, { env }: ProgramAccess): Record<string, string> {
  const names = [
    ...['PATH', 'HOME', 'SystemRoot'],
    ...variables.filter((name) => !/^(HOSTWRIGHT_|NODE_)/i.test(name) && !isCredentialName(name)),
  ];
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

function isOutOfMemory(printed: string): boolean {
  return /heap out of memory|Array buffer allocation failed|Invalid string length/.test(printed);
}

/** The memory of a process and of those below it; 0 where the system does not tell, which only Linux does. */
function residentMb(pid: number): number {
  try {
    const [, resident = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((one) => one !== '');
    return below.reduce((sum, one) => sum + residentMb(Number(one)), Number(resident) / 1_024);
  } catch {
    return 0;
  }
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
