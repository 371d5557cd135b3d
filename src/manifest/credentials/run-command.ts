// Runs a command that returns a credential, or takes one. Nothing that it prints is shown. Its program is outside of the
// repository, so that a pull request cannot bring it.
import { quote } from '../../model/format.ts';
import { startProgram } from '../../system/start-program.ts';

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
  /** Folders that the program must not be in. */
  readonly closed: readonly string[];
  readonly stop: AbortSignal;
}

/** No answer of a vault is larger. */
const MAX_BYTES = 1024 * 1024;

/** Returns what a command printed to standard output, or why there is nothing to use, in words that contain none of it. */
export async function runCommand(run: CommandRun): Promise<{ readonly text: string } | { readonly reason: string }> {
  const { program, name, args, cwd, env, timeoutMs, input, closed, stop } = run;
  const called = `the command ${quote(name)}`;
  const ended = await startProgram({
    purpose: 'credential',
    program,
    args,
    cwd,
    env,
    closed,
    timeoutMs,
    maxBytes: MAX_BYTES,
    signal: stop,
    ...(input !== undefined && { input }),
  });
  switch (ended.end) {
    case 'exit': {
      const { code, signal, answer } = ended;
      if (code === 0) return { text: answer.toString('utf8') };
      return {
        reason: signal === null ? `${called} ended with exit code ${code}` : `${called} was ended by ${signal}`,
      };
    }
    case 'no start':
      return { reason: `${called} could not be started (${ended.reason})` };
    case 'stopped':
      return { reason: `${called} was stopped with the run` };
    case 'time':
      return { reason: `${called} took longer than ${timeoutMs / 1000} seconds` };
    case 'size':
    case 'limit':
      return { reason: `${called} printed more than ${MAX_BYTES / 1024} KiB` };
  }
}
