// What every command is given: how to print, where progress goes, whom it may ask. Flags have beaten the environment
// before.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Clock } from '../model/clock.ts';
import { quoteForShell } from '../report/view/shell.ts';
import { redactorFor } from '../usecases/environment/credentials.ts';
import type { GithubJob } from './github-job.ts';
import type { Question } from './agent.ts';
import { agentIn } from './agent.ts';
import type { Output } from './output.ts';
import { isDevice } from './output.ts';
import type { ReportFile } from './parse.ts';
import type { Progress } from './progress/silent.ts';
import { silentProgress } from './progress/silent.ts';
import type { CacheFolder } from './start/cache-folder.ts';
import { realClock } from '../library/real-clock.ts';

/**
 * `markdown` and `github` are for the commands that report on manifests, plans and runs, `mermaid` and `dot` for
 * pictures, `wide` and `yaml` for `get`.
 */
export type Format = 'human' | 'json' | 'markdown' | 'github' | 'mermaid' | 'dot' | 'wide' | 'yaml';

/** Options that every command takes; commander has filled in the environment's values. */
export interface GlobalOptions {
  readonly config?: string;
  readonly account?: string;
  readonly apiUrl?: string;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly format: Format;
  /** The result once more, in other forms. */
  readonly report?: readonly ReportFile[];
  /** Maximum concurrent requests and actions. */
  readonly parallelism?: number;
  /** Maximum requests per second. */
  readonly maxRps?: number;
  /** Milliseconds that a response may take. */
  readonly timeout?: number;
  /** Milliseconds after which the command has to be over. */
  readonly deadline?: number;
  /** Milliseconds to wait for the ledger lock of a concurrent run. */
  readonly lockTimeout?: number;
  /** Programs run next to a credential without confirmation, also in CI. */
  readonly runProgram?: boolean;
  /** Shared reports include personal values. */
  readonly showPersonal?: boolean;
}

/** A folder, and the version of the program: what another version left there is not for this one. */
export interface Cache {
  readonly folder: CacheFolder;
  readonly version: string;
}

export interface Context {
  readonly options: GlobalOptions;
  readonly output: Output;
  /** Takes the credentials of the environment out of a text that leaves in another way than by `output`. */
  readonly redact: (text: string) => string;
  /** The command as it was typed, as a shell takes it once more. */
  readonly again: string;
  /** The same without the options that answer for a person. */
  readonly byHand: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** From here on signals end the run in order; before, they may end it at once. */
  readonly watch: () => void;
  /** Until then they do, and nothing else goes on in this process. */
  readonly alone: boolean;
  /** Does what takes the processor for long, when no listener of signals is called. */
  readonly computing: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /** Values of credentials that this process was given beside its environment: no message may show them. */
  readonly learnt: Set<string>;
  readonly json: boolean;
  /** With `--format github`. */
  readonly github?: GithubJob;
  /** The folder of the user for what can be worked out again; absent: nothing is kept. */
  readonly cache?: Cache;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  /** Columns for results. */
  readonly width: number;
  /** Columns after which prose is broken between words; undefined where nobody reads in a terminal. */
  readonly wrapAt: { readonly stdout: number | undefined; readonly stderr: number | undefined };
  /** A person can be asked, or an agent is there, which gets the question as a document. */
  readonly canAsk: boolean;
  /** The coding agent that runs this. */
  readonly agent?: string;
  /** What is wrong with values of options in the environment, for `doctor`. */
  readonly invalidValues: readonly Diagnostic[];
  /** The question that a person would have been asked: the agent gets nothing else. */
  unanswered?: Question;
  /** Set by a command that runs long; silent until then. */
  progress: Progress;
  /** A file that `--report` names could not be written: whatever the command ends with, that is an error. */
  reportFailed: boolean;
  /** One line on stderr that is not about what went wrong: gone with --quiet. */
  readonly hint: (text: string) => void;
}

const WIDTH_UNKNOWN = 100;

export function createContext(
  options: GlobalOptions,
  {
    process,
    argv = [],
    cwd = process.cwd(),
    output,
    stop,
    watch = () => undefined,
    alone = false,
    computing = (work) => Promise.resolve(work()),
    github,
    cache,
    clock = realClock,
    learnt = new Set(),
    invalidValues = [],
  }: {
    readonly process: NodeJS.Process;
    /** The arguments, from the command on. */
    readonly argv?: readonly string[];
    readonly cwd?: string;
    readonly output: Output;
    readonly stop: AbortSignal;
    readonly watch?: () => void;
    readonly alone?: boolean;
    readonly computing?: Context['computing'];
    readonly github?: GithubJob;
    readonly cache?: Cache;
    readonly clock?: Clock;
    readonly learnt?: Set<string>;
    readonly invalidValues?: readonly Diagnostic[];
  },
): Context {
  const { env } = process;
  const colorOf = (isTty: boolean): boolean =>
    decideColor({ flag: options.color === false ? false : undefined, env, isTty });
  const agent = agentIn(env);
  const context: Context = {
    options,
    invalidValues,
    output: agent === undefined ? output : untilAsked(output, () => context.unanswered !== undefined),
    redact: redactorFor(env, learnt),
    get again() {
      return ['hostwright', ...typedAgain(argv).map(quoteForShell)].join(' ');
    },
    get byHand() {
      return ['hostwright', ...withoutConsent(typedAgain(argv)).map(quoteForShell)].join(' ');
    },
    env,
    cwd,
    // The streams of Node.js take longer to load than the manifests of most repositories.
    get stdin() {
      return process.stdin;
    },
    get stderr() {
      return process.stderr;
    },
    clock,
    stop,
    watch,
    alone,
    computing,
    learnt,
    json: options.format === 'json',
    ...(github !== undefined && { github }),
    ...(cache !== undefined && { cache }),
    color: {
      get stdout() {
        return colorOf(isTerminal(1, process));
      },
      get stderr() {
        return colorOf(isTerminal(2, process));
      },
    },
    get width() {
      return columnsOf(1, process) ?? WIDTH_UNKNOWN;
    },
    wrapAt: {
      get stdout() {
        return columnsOf(1, process);
      },
      get stderr() {
        return columnsOf(2, process);
      },
    },
    get canAsk() {
      return agent !== undefined || (isTerminal(0, process) && isInteractive(isTerminal(2, process), env));
    },
    ...(agent !== undefined && { agent }),
    reportFailed: false,
    progress: silentProgress((text) => output.error(text)),
    hint: (text) => {
      if (options.quiet !== true) context.output.error(text);
    },
  };
  return context;
}

/** Results and what goes with them, but for those of a command that could not ask its question. */
function untilAsked(output: Output, isAsked: () => boolean): Output {
  return {
    ...output,
    result: (text) => (isAsked() ? undefined : output.result(text)),
    stream: (pieces) => (isAsked() ? Promise.resolve() : output.stream(pieces)),
    error: (text) => (isAsked() ? undefined : output.error(text)),
  };
}

function withoutConsent(argv: readonly string[]): readonly string[] {
  return argv.filter(
    (word, index) =>
      word !== '--yes' && word !== '--approve' && !word.startsWith('--approve=') && argv[index - 1] !== '--approve',
  );
}

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

/** What is no device is no terminal; a file or a pipe is told apart without loading the stream. */
function isTerminal(fd: 0 | 1 | 2, given: NodeJS.Process): boolean {
  if (given === process && !isDevice(fd)) return false;
  return given[STREAMS[fd]].isTTY;
}

/** How wide a terminal is; undefined: it is none. */
function columnsOf(fd: 1 | 2, given: NodeJS.Process): number | undefined {
  if (!isTerminal(fd, given)) return undefined;
  const { columns = WIDTH_UNKNOWN } = fd === 1 ? given.stdout : given.stderr;
  return Math.min(Math.max(columns, 60), 160);
}

/** From here on a run shows how far it is. */
export async function startProgress(context: Context): Promise<void> {
  const { options, env, clock, redact } = context;
  // As it was when the context was made.
  if (options.quiet === true) return;
  const { stderr } = context;
  const { createProgress, everyInterval } = await import('./progress/progress.ts');
  const mode = isInteractive(stderr.isTTY, env) ? 'live' : 'lines';
  context.progress = await createProgress({ stream: stderr, mode, clock, every: everyInterval, redact });
}

/** Resolves once the run is to end. */
export function untilStopped({ stop }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The flag, then FORCE_COLOR, then NO_COLOR, then what the stream is: as Node.js itself orders them. */
export function decideColor({
  flag,
  env,
  isTty,
}: {
  /** False for `--no-color`. */
  readonly flag: false | undefined;
  readonly env: Context['env'];
  readonly isTty: boolean;
}): boolean {
  if (flag === false) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return isInteractive(isTty, env);
}

/** A person looks at it, and the terminal can move its cursor. */
export function isInteractive(isTty: boolean, env: Context['env']): boolean {
  return isTty && env.TERM !== 'dumb' && (env.CI === undefined || env.CI === '' || env.CI === 'false');
}

/** The arguments that a person types to run it once more: where a job kept its reports, and its form, is not theirs. */
function typedAgain(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const isJobs = (one: string, next: string | undefined): boolean =>
    one === '--report' || (one === '--format' && next === 'github');
  return argv.filter(
    (one, index) =>
      (end !== -1 && index >= end) ||
      !(
        isJobs(one, argv[index + 1]) ||
        (index > 0 && isJobs(argv[index - 1] as string, one)) ||
        one.startsWith('--report=') ||
        one === '--format=github'
      ),
  );
}

/** Returns true if the result is to be printed as a graph. */
export function isGraph({ options: { format } }: Pick<Context, 'options'>): boolean {
  return format === 'mermaid' || format === 'dot';
}
