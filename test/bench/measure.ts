// Runs programs as processes, and says what they took. Nothing is measured in the process of the bench itself.
import { spawn } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import type { Readable } from 'node:stream';

export interface Ran {
  readonly code: number | null;
  readonly wallMs: number;
  /** User and system time of the whole process, from its start until it is gone. */
  readonly cpuMs: number;
  /** The most memory that it had; 0 of a program that does not say so (USAGE). */
  readonly peakMb: number;
  readonly stderr: string;
}

/** What a process of Node.js says of its memory when it ends: a file for `--require`. */
export const USAGE = `process.on('exit', () => {
  try {
    require('node:fs').writeSync(5, String(process.resourceUsage().maxRSS / 1024));
  } catch {}
});
`;

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Its times go to 3, what the program says on stderr to 4. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&4; } 2>&3';

/**
 * Runs a program to its end; what it prints is read and thrown away. Its times are bash's: a process cannot count what
 * its own end costs, and Node.js does not tell what its children cost.
 */
export async function runProgram({ file, args, cwd, env = {} }: Program): Promise<Ran> {
  const child = spawn('bash', ['-c', TIMED, 'bash', file, ...args], {
    cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe', 'pipe'],
  });
  const said = ['', '', ''];
  child.stdout?.resume();
  [3, 4, 5].forEach((stream, index) =>
    (child.stdio[stream] as Readable).on('data', (chunk) => (said[index] += String(chunk))),
  );
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [times = '', stderr = '', memory = ''] = said;
  const [real = 0, user = 0, system = 0] = times.trim().split(' ').map(Number);
  return { code, wallMs: real * 1000, cpuMs: (user + system) * 1000, peakMb: Number(memory), stderr };
}

/** Other programs run: what they do to times they do not do to CPU. */
export function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > cpus().length / 2;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 || sorted.length === 0 ? above : (below + above) / 2;
}
