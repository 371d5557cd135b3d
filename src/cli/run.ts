// How a run of the program begins and ends: the context a command gets, the exit code, and what our own mistakes look
// like.
import { CommanderError } from 'commander';
import { reportBug } from './bug.ts';
import type { Context, GlobalOptions } from './context.ts';
import { createContext } from './context.ts';
import { exitCodeOf, exitCodeUnwritten, INTERRUPTED, USAGE_ERROR } from './exit-code.ts';
import { createOutput } from './output.ts';
import { buildProgram } from './program.ts';
import { problem } from './settings.ts';
import { watchSignals } from './signals.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';

export async function run(argv: readonly string[], version: string): Promise<void> {
  const output = createOutput(process.stdout, process.stderr);
  const stop = new AbortController();
  let context: Context | undefined;

  const end = async (exitCode: number): Promise<never> => {
    await output.flush();
    const unwritten = output.unwritten();
    if (unwritten !== undefined) {
      const detail = `Standard output: ${unwritten}. What the command did stands; only its result is missing, or cut off.`;
      await say(problem('HW6570', 'The result could not be written', detail));
      exitCode = exitCodeUnwritten(exitCode);
    }
    // Not left to the event loop: an open connection or timer must not keep a finished run alive.
    process.exit(exitCode);
  };
  const say = async (diagnostic: Diagnostic): Promise<void> => {
    const { renderDiagnostics } = await import('../report/text/diagnostics.ts');
    output.error(renderDiagnostics([diagnostic], { color: false }));
    await output.flush();
  };
  const fail = (error: unknown): Promise<never> => {
    context?.progress.stop();
    output.error(reportBug(error, process.env));
    return end(USAGE_ERROR);
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (error) => void fail(error));
  watchSignals(process, {
    first: () => {
      stop.abort(new Error('interrupted'));
      if (context?.options.quiet !== true)
        context?.progress.note('Stopping; nothing new is started. Once more to exit at once.');
    },
    second: () => process.exit(INTERRUPTED),
  });

  const execute = async (
    options: GlobalOptions,
    command: (context: Context) => Promise<OutcomeWord>,
  ): Promise<void> => {
    const cwd = workingFolder();
    if (cwd === undefined) {
      const detail =
        'The directory that the command was started in was removed. Change to one that is there. Nothing was sent.';
      await say(problem('HW6571', 'The working directory is gone', detail));
      return end(USAGE_ERROR);
    }
    const job =
      options.format === 'github'
        ? (await import('./commands/github/job.ts')).githubJob({ cwd, env: process.env, output })
        : undefined;
    job?.begin();
    context = createContext(options, {
      process,
      cwd,
      output,
      stop: stop.signal,
      ...(job !== undefined && { github: job }),
    });
    const word = await command(context);
    context.progress.stop();
    await end(exitCodeOf(word));
  };

  try {
    await buildProgram(version, output, execute).parseAsync(argv, { from: 'user' });
    await end(0);
  } catch (error) {
    if (error instanceof CommanderError) await end(error.exitCode);
    if (stop.signal.aborted) await end(INTERRUPTED);
    await fail(error);
  }
}

/** The working directory; undefined when there is none any more. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
