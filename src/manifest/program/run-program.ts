// Runs a program that declares manifests, in a process of its own: without secrets, with little memory and time, and
// with nothing but the workspace to read where Node.js can hold it to that. The only place that starts Node.js. The fence
// keeps slips in; where the operating system has a sandbox, it stands around it.
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { ProbedSandbox, SystemSandbox } from '../../system/sandbox.ts';
import { sandboxCommand, systemSandbox, withNode } from '../../system/sandbox.ts';
import { startProgram } from '../../system/start-program.ts';
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
  /** A variable that names a socket or a file which opens something: at hand where no sandbox hides it. Absent: none. */
  readonly credentialPath?: string;
  /** Asks whether it may run beside that all the same. Absent: nobody can be asked, and it may not. */
  readonly ask?: (program: string, credential: string) => Promise<boolean>;
  /** The sandbox of the operating system. Absent: the one that {@link systemSandbox} finds. */
  readonly sandbox?: SystemSandbox | ProbedSandbox | 'none';
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

/** Runs a program until its answer is complete. */
export async function runProgram(run: ProgramRun, access: ProgramAccess): Promise<ProgramEnd> {
  const limits = { ...LIMITS, ...access.limits };
  const readable = readableFor({
    root: run.root,
    program: path.dirname(run.program),
    library: realpathSync(path.dirname(path.dirname(access.child))),
    secret: run.secret,
    entries: limits.entries,
  });
  if ('end' in readable) return readable;
  ignoreDebugger();
  const [command, ...before] = await sandboxed(access, readable, run.root);
  const permissions = permissionsFor(access, limits, readable);
  const isWithin = isWithinNode(access);
  const options = permissions.map((one) => JSON.stringify(one)).join(' ');
  if (isWithin && options.length > LONGEST_VARIABLE) return { end: 'entries', entries: readable.names.length };
  const ours = [access.child, run.program, String(run.clockAhead ?? 0)];
  const printed = printer((line) => access.say(run.shown, line));
  const ended = await startProgram({
    purpose: 'declare',
    program: command,
    args: [...before, ...(isWithin ? [] : permissions), ...ours],
    cwd: run.root,
    env: {},
    variables: { ...environmentFor(run, access), ...(isWithin && { NODE_OPTIONS: options }) },
    // A person named the program, and Node.js is this process.
    closed: [],
    timeoutMs: limits.timeMs,
    maxBytes: limits.bytes,
    ...(run.stop !== undefined && { signal: run.stop }),
    answer: 'fd3',
    onOutput: printed.take,
    mayContinue: (pid) => residentMb(pid) <= limits.memoryMb + OWN_MEMORY_MB,
  });
  printed.flush();
  switch (ended.end) {
    case 'no start':
      return ended;
    case 'limit':
      return { end: 'memory' };
    case 'exit': {
      const { code, signal, answer } = ended;
      if (code === 0 && answer.length > 0) return { end: 'answer', text: answer.toString('utf8') };
      if (isOutOfMemory(printed.last())) return { end: 'memory' };
      return { end: 'no answer', code, signal, printed: printed.last() };
    }
    case 'time':
    case 'size':
    case 'stopped':
      return { end: ended.end };
  }
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

/** Returns true if a program runs in a sandbox that passed its test, which hides sockets and files of the user. */
export async function isSandboxed({ sandbox, node, child }: ProgramAccess): Promise<boolean> {
  return (sandbox ?? (await systemSandbox({ node, child })) ?? 'none') !== 'none';
}

/** Returns Node.js, or the sandbox command that starts it. */
async function sandboxed(
  access: ProgramAccess,
  { folders, hidden }: Readable,
  cwd: string,
): Promise<readonly [string, ...string[]]> {
  const { node, child } = access;
  const sandbox = access.sandbox ?? (await systemSandbox({ node, child }));
  if (sandbox === undefined || sandbox === 'none') return [node];
  return sandboxCommand(sandbox, node, { folders: [...folders, ...withNode({ node, child })], hidden, cwd });
}

/** Returns the variables of a program: those that the workspace lists for it, without credentials. */
function environmentFor({ variables }: ProgramRun, { env }: ProgramAccess): Record<string, string> {
  const names = [
    'SystemRoot',
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
