// How a run of the program begins and ends: the context a command gets, signals, the exit code, and what our own
// mistakes look like.
import { CommanderError } from 'commander';
import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { decideOutcome } from '../model/plan/outcome.ts';
import { escapeText } from '../report/view/escape.ts';
import { redactorFor } from '../usecases/environment/credentials.ts';
import { COMPLETE, complete } from './completion/complete.ts';
import type { CliCommand, Execute } from './command.ts';
import type { Cache, Context, GlobalOptions } from './context.ts';
import { createContext } from './context.ts';
import { exitCodeOf, exitCodeUnwritten, INTERRUPTED, USAGE_ERROR } from './exit-code.ts';
import type { Output } from './output.ts';
import { createOutput, redacted } from './output.ts';
import { InvalidValues } from './start/environment.ts';
import { buildProgram, EVERYDAY, firstSentence, standsAlone } from './program.ts';

/**
 * What main.ts gives to a run; without it, a run prints to the streams of the process and keeps nothing. The time is the
 * real one unless a test gives its own.
 */
export interface Surroundings {
  readonly output?: Output;
  readonly cache?: Cache;
  readonly clock?: Clock;
  /** Called when a run has ended as it should, before the program goes. */
  readonly keep?: () => void;
}

export async function run(
  argv: readonly string[],
  version: string,
  { output: given = createOutput(process.stdout, process.stderr), cache, clock, keep }: Surroundings = {},
): Promise<void> {
  const learnt = new Set<string>();
  const redact = redactorFor(process.env, learnt);
  const output = redacted(given, redact);
  const stop = new AbortController();
  const invalidValues = new InvalidValues();
  let context: Context | undefined;

  const end = async (exitCode: number): Promise<never> => {
    await output.flush();
    const unwritten = output.unwritten();
    if (unwritten !== undefined) {
      const detail = `Standard output: ${unwritten}. What the command did stands; only its result is missing, or cut off.`;
      await say(diagnose('HW6570', detail));
      exitCode = exitCodeUnwritten(exitCode);
    }
    if (exitCode === 0) keep?.();
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
    output.error(reportBug(error, process.env, learnt));
    return end(USAGE_ERROR);
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (error) => void fail(error));
  let compute: ReturnType<typeof watchSignals> | undefined;
  const watch = (): void => {
    compute ??= watchSignals(process, {
      first: () => {
        stop.abort(new Error('interrupted'));
        if (context?.options.quiet !== true)
          context?.progress.note('Stopping; nothing new is started. Once more to exit at once.');
      },
      second: (signal) => process.kill(process.pid, signal),
    });
  };

  const execute: Execute = async <Options>(
    command: CliCommand,
    work: Parameters<typeof execute<Options>>[1],
  ): Promise<void> => {
    const options = command.optsWithGlobals<GlobalOptions & Options>();
    const cwd = workingFolder();
    if (cwd === undefined) {
      const detail =
        'The directory that the command was started in was removed. Change to one that is there. Nothing was sent.';
      await say(diagnose('HW6571', detail));
      return end(USAGE_ERROR);
    }
    const job =
      options.format === 'github'
        ? (await import('./github-job.ts')).githubJob({ cwd, env: process.env, output, redact })
        : undefined;
    job?.begin();
    // No handler runs while JavaScript computes: what leaves nothing behind ends by itself, and these leave nothing
    // before they connect.
    const isBare =
      command.parent?.parent === null &&
      ['validate', 'plan', 'drift', 'apply'].includes(command.name()) &&
      job === undefined &&
      !command.args.some((path) => /\.m?[jt]s$/.test(path));
    if (!isBare) watch();
    const leavesNothing = isBare && command.name() !== 'apply';
    context = createContext(options, {
      process,
      argv,
      cwd,
      output,
      stop: stop.signal,
      watch,
      alone: isBare,
      computing: async (work) => {
        // A signal that came before is looked at before.
        await new Promise(setImmediate);
        return compute === undefined ? work() : compute(work, leavesNothing);
      },
      ...(job !== undefined && { github: job }),
      ...(cache !== undefined && { cache }),
      ...(clock !== undefined && { clock }),
      learnt,
      invalidValues: invalidValues.all(),
    });
    const refused = invalidValues.of(command);
    const word =
      refused.length === 0
        ? await work(context, options)
        : await (await import('./report.ts')).reportProblems(context, refused);
    context.progress.stop();
    if (context.unanswered !== undefined) {
      output.result((await import('./agent.ts')).questionDocument(context.unanswered, context));
      await end(exitCodeOf('refused'));
    }
    await end(exitCodeOf(context.reportFailed ? decideOutcome([word, 'error']) : word));
  };

  /** False where the command line is refused, or asks for help: both are for the whole program to answer. */
  const runAlone = async (only: string): Promise<boolean> => {
    const silent = { ...output, raw: () => undefined };
    try {
      const program = buildProgram(version, silent, execute, only);
      invalidValues.take(program, process.env);
      await program.parseAsync(argv, { from: 'user' });
      await end(0);
      return true;
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return false;
    }
  };

  if (argv[0] === COMPLETE) {
    const words = argv.slice(argv[1] === '--' ? 2 : 1);
    for (const name of await completed(words, version, output, stop.signal)) output.result(name);
    await end(0);
  }
  // What the parser itself says is held back until it is known whether there is a better answer.
  let refusal = '';
  const held = {
    ...output,
    raw: (stream: 'stdout' | 'stderr', text: string): void => {
      if (stream === 'stderr') refusal += text;
      else output.raw(stream, text);
    },
  };
  try {
    const [only] = argv;
    if (standsAlone(only) && (await runAlone(only))) return;
    const program = buildProgram(version, held, execute);
    invalidValues.take(program, process.env);
    if (only === undefined) program.command(OVERVIEW, { hidden: true }).action(() => showOverview(program));
    await program.parseAsync(only === undefined ? [OVERVIEW] : argv, { from: 'user' });
    await end(0);
  } catch (error) {
    if (error instanceof CommanderError) {
      const isRefused = refusal.startsWith('error: ');
      output.raw('stderr', isRefused ? (await import('./habits.ts')).withHabit(refusal) : refusal);
      await end(error.exitCode);
    }
    if (stop.signal.aborted) await end(INTERRUPTED);
    await fail(error);
  }
}

/** The command that a bare `hostwright` runs. */
const OVERVIEW = '__overview';

/** Prints the overview of the workspace, with the everyday commands of the program. */
function showOverview(program: CliCommand): Promise<void> {
  const everyday = EVERYDAY.flatMap((name) =>
    program.commands.filter((one) => one.name() === name).map((one) => [name, firstSentence(one)] as const),
  );
  return program.execute(async (context) => (await import('./help/overview.ts')).printOverview(context, everyday));
}

/** What the last word may be, for a shell that asks. Whatever is wrong, nothing is said of it in the middle of a line. */
async function completed(
  words: readonly string[],
  version: string,
  output: Output,
  stop: AbortSignal,
): Promise<readonly string[]> {
  const program = buildProgram(version, output, () => Promise.resolve());
  const { HOSTWRIGHT_CONFIG, HOSTWRIGHT_ACCOUNT, HOSTWRIGHT_API_URL } = process.env;
  try {
    return await complete(program, words, (given) => {
      const config = given['--config'] ?? HOSTWRIGHT_CONFIG;
      const account = given['--account'] ?? HOSTWRIGHT_ACCOUNT;
      const apiUrl = given['--api-url'] ?? HOSTWRIGHT_API_URL;
      const options: GlobalOptions = {
        format: 'human',
        quiet: true,
        ...(config !== undefined && { config }),
        ...(account !== undefined && { account }),
        ...(apiUrl !== undefined && { apiUrl }),
      };
      return createContext(options, { process, argv: [], output, stop });
    });
  } catch {
    return [];
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

export interface SignalSource {
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof SIGNALS)[number];

/**
 * The first signal asks for a graceful end, the second ends the process. What is returned is for work that takes the
 * processor for long, when no listener is called: the second signal ends it all the same, and with `leavesNothing` the
 * first does. Elsewhere the listeners stay: one that goes takes with it what came since the loop last looked.
 */
export function watchSignals(
  source: SignalSource,
  act: { readonly first: () => void; readonly second: (signal: Signal) => void },
): <Result>(work: () => Result | Promise<Result>, leavesNothing: boolean) => Promise<Result> {
  let asked = false;
  let computing = 0;
  const listener = (signal: Signal): void => {
    if (asked) {
      forget();
      act.second(signal);
    } else {
      asked = true;
      act.first();
    }
  };
  const listen = (): void => SIGNALS.forEach((signal) => source.on(signal, listener));
  const forget = (): void => SIGNALS.forEach((signal) => source.off(signal, listener));
  listen();
  return async (work, leavesNothing) => {
    if (!asked && !leavesNothing) return work();
    computing += 1;
    // Without a listener the system ends the process.
    forget();
    try {
      return await work();
    } finally {
      computing -= 1;
      if (computing === 0) listen();
    }
  };
}

/** A mistake of ours in one line, without a token; with the stack when HOSTWRIGHT_DEBUG is set. */
export function reportBug(error: unknown, env: Context['env'], learnt: ReadonlySet<string> = new Set()): string {
  const redact = redactorFor(env, learnt);
  const reported = error instanceof Error ? error.message : String(error);
  const line = `hostwright: this is a bug in hostwright, please report it: ${escapeText(redact(reported.replace(/^bug in hostwright: /, '')))}`;
  const stack = error instanceof Error && env.HOSTWRIGHT_DEBUG ? (error.stack ?? '').split('\n') : [];
  return [line, ...stack.map((part) => escapeText(redact(part)))].join('\n');
}
