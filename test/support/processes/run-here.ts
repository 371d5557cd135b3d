// Runs the command line in this process, as `hostwright` would: its own folder, environment and streams. For tests in
// which starting a process is not the point; one command at a time.
import { PassThrough, Writable } from 'node:stream';
import { version } from '../../../package.json';
import { run } from '../../../src/cli/run.ts';
import type { Clock } from '../../../src/model/clock.ts';
import { findActProblemIn } from '../written-schemas.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Here {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Whose time it is, such as a sandbox's, in which nothing really waits. Absent: the real time. */
  readonly clock?: Clock;
}

const EVENTS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'] as const;

let last: Promise<unknown> = Promise.resolve();

/** Waits for the commands that were asked for before. */
export function runHere(argv: readonly string[], here: Here): Promise<Ended> {
  const ended = last.then(() => runNow(argv, here));
  last = ended.catch(() => undefined);
  return ended;
}

async function runNow(argv: readonly string[], { cwd, env, input = '', clock }: Here): Promise<Ended> {
  const [stdout, stderr] = [collector(), collector()];
  const stdin = new PassThrough();
  stdin.end(input);
  const before = process.cwd();
  const listeners = EVENTS.map((event) => [event, process.rawListeners(event)] as const);
  const own = Object.getOwnPropertyDescriptors(process);
  // The first exit is the end: what a real process does not live to do is waited for, and not looked at.
  let ended: Ended | undefined;
  const exit = (code = 0): void => {
    ended ??= { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  const give = (values: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true });
  };
  process.chdir(cwd);
  give({ stdout: stdout.stream, stderr: stderr.stream, stdin, exit, env: { ...env } });
  try {
    await run(argv, version, clock === undefined ? {} : { clock });
    if (ended === undefined) throw new Error('the command ended without an exit code');
    const problem = findActProblemIn(ended.stdout);
    if (problem !== undefined) throw new Error(`not as schemas/act.schema.json says: ${problem}`);
    return ended;
  } finally {
    for (const name of ['stdout', 'stderr', 'stdin', 'exit', 'env'] as const)
      Object.defineProperty(process, name, own[name]);
    process.chdir(before);
    for (const [event, kept] of listeners)
      for (const listener of process.rawListeners(event))
        if (!kept.includes(listener)) process.off(event, listener as () => void);
  }
}

function collector(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
