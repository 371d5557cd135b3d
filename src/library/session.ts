// What a use case is given, from options alone: no environment, no working directory, nothing that another call in the
// same process would see. The command line fills the same options from its flags and its environment.
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Clock } from '../model/clock.ts';
import { deadlineOf } from '../model/deadline.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { RunEvent } from '../model/plan/event.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import type { Proxies } from '../usecases/environment/proxies.ts';
import { checkProxies } from '../usecases/environment/proxies.ts';
import type { GuardOptions } from '../usecases/guards.ts';
import type { LedgerAccess, Session } from '../usecases/session.ts';
import { realClock } from './real-clock.ts';

/** Requests in flight when nothing else is said. */
const CONCURRENCY = 16;
/** How long one read may take when nothing else is said. */
const TIMEOUT_MS = 120_000;

/** Which workspace, how its account is reached, and what a call reports while it runs. */
export interface AccountOptions {
  /** The folder that paths are relative to. The workspace file is looked for in it, and in the folders above it. */
  readonly cwd: string;
  /** The workspace file; absent: `hostwright.yaml` is looked for. */
  readonly configFile?: string;
  /** Beats the account of the workspace file. */
  readonly account?: string;
  /** Beats the address of the platform in the workspace file. */
  readonly apiUrl?: string;
  /** A session token, an API key or an OAuth access token; absent: what the workspace file says of credentials. */
  readonly token?: string | undefined;
  /**
   * Values of the variables that manifests and the workspace file name (secrets, tokens, a database, the environment of
   * commands). The environment of the process is never read.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The credentials file whose entries the workspace file names. */
  readonly credentialsFile?: string;
  /** Through which all requests go; absent: none. */
  readonly proxies?: Proxies;
  /** The disk is gone with this process, as in a job of CI: one-time secrets are kept by no file on it. */
  readonly ci?: boolean;
  /** Once it is aborted, reading stops and no change is begun; `apply` finishes what it began. The document says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called with each event of the call. What it throws is ignored. */
  readonly onEvent?: (event: RunEvent) => unknown;
  /**
   * Called with each credential that the call gets from the credentials file: a program that keeps a log leaves it out.
   * What it throws is ignored.
   */
  readonly onSecret?: (secret: string) => unknown;
  /** Requests in flight at most; 16 when absent. */
  readonly parallelism?: number;
  /** Requests a second at most; absent: as many as the platform takes. */
  readonly maxRps?: number;
  /** Milliseconds that one read may take, all its retries together; two minutes when absent. */
  readonly timeoutMs?: number;
  /** Milliseconds that another run which holds the ledger is waited for; 0 when absent. */
  readonly lockTimeoutMs?: number;
  /** Milliseconds after which the call has to be over; absent: it takes as long as it takes. */
  readonly deadlineMs?: number;
  /** A commit, such as `origin/main`, whose workspace file says the guards; absent: the one that is checked out. */
  readonly guardsFrom?: string;
  /** Folders whose files are used whoever owns them, such as a repository that is mounted in a container. Absolute. */
  readonly trustedRoots?: readonly string[];
}

/** What a process gives beside them that is more than one call. */
export interface Surroundings extends Partial<
  Pick<Session, 'alone' | 'computing' | 'connecting' | 'emit' | 'memory' | 'notices' | 'programs' | 'sources' | 'stdin'>
> {
  readonly clock?: Clock;
  readonly by?: StartedBy;
  readonly jobEnd?: LedgerAccess['jobEnd'];
  /** The variable of the environment that names the credentials file, for messages. */
  readonly credentialsVariable?: string;
}

export function openSession(options: AccountOptions, around: Surroundings = {}): Session {
  const { env = {}, signal = new AbortController().signal, timeoutMs = TIMEOUT_MS, deadlineMs } = options;
  const { clock = realClock, by, jobEnd, credentialsVariable: variable, ...rest } = around;
  // Neither Git nor a helper of it has a use for what belongs to this program.
  const programEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HOSTWRIGHT_')));
  const named = (prefix: string) => (variable: string) => (variable.startsWith(prefix) ? env[variable] : undefined);
  const given = (prefix: string) => (variable: string) => named(prefix)(variable)?.trim() || undefined;
  return {
    cwd: options.cwd,
    ...(options.configFile && { configFile: options.configFile }),
    overrides: {
      ...(options.account && { account: options.account }),
      ...(options.apiUrl && { baseUrl: options.apiUrl }),
    },
    // A trailing line break comes with every `$(cat file)` done wrong.
    token: options.token?.trim() || undefined,
    tokenNamed: given('HOSTWRIGHT_TOKEN_'),
    hookNamed: named('HOSTWRIGHT_HOOK_'),
    notifyNamed: given('HOSTWRIGHT_NOTIFY_'),
    ...(options.proxies !== undefined && { proxies: options.proxies }),
    ...(options.credentialsFile !== undefined && {
      credentials: once(async () =>
        (await import('../usecases/credentials/credentials.ts')).createCredentials({
          place: {
            file: options.credentialsFile as string,
            ...(variable !== undefined && { variable }),
            ...(options.trustedRoots !== undefined && { trustedRoots: options.trustedRoots }),
          },
          programEnv,
          env: (name) => env[name],
          home: env.HOME || userInfo().homedir,
          stop: signal,
          onValue: telling(options.onSecret),
        }),
      ),
    }),
    ci: options.ci === true,
    clock,
    emit: telling(options.onEvent),
    stop: signal,
    concurrency: options.parallelism ?? CONCURRENCY,
    ...(options.maxRps !== undefined && { maxRps: options.maxRps }),
    ...(options.guardsFrom && { guardsFrom: options.guardsFrom }),
    ...(options.trustedRoots !== undefined && { trustedRoots: options.trustedRoots }),
    timeoutMs,
    ...(deadlineMs !== undefined && { deadline: deadlineOf(clock.now(), deadlineMs, timeoutMs) }),
    stdin: () => Promise.resolve(new Uint8Array()),
    // Whatever a manifest says, our own variables are not secrets to be sent anywhere.
    env: (name) => (name.startsWith('HOSTWRIGHT_') ? undefined : env[name]),
    ledger: {
      waitMs: options.lockTimeoutMs ?? 0,
      programEnv,
      databaseNamed: given('HOSTWRIGHT_DATABASE_URL'),
      ...(jobEnd !== undefined && { jobEnd }),
    },
    runtime: {
      ...thisMachine(),
      pid: process.pid,
      ...(by !== undefined && { by }),
      random: Math.random,
      uuid: randomUUID,
    },
    ...rest,
  };
}

/** Of the options of a caller those that beat guards. */
export function guardOptions({ approve, allowDeletes, allowCharges, maxSpend }: GuardOptions): GuardOptions {
  return {
    ...(approve !== undefined && { approve }),
    ...(allowDeletes !== undefined && { allowDeletes }),
    ...(allowCharges !== undefined && { allowCharges }),
    ...(maxSpend !== undefined && { maxSpend }),
  };
}

/**
 * Reports a token that a header cannot carry and malformed proxies. The use cases report a missing token, after the
 * problems of the manifests.
 */
export function accessProblems({ token = '', proxies = {} }: Pick<AccountOptions, 'token' | 'proxies'>) {
  const wrong = checkProxies(proxies);
  // A header cannot carry other characters, and the error of the client would show the token.
  if (/^[\x21-\x7e]*$/.test(token.trim())) return wrong;
  return [
    ...wrong,
    diagnose(
      'HW6501',
      'HOSTWRIGHT_TOKEN holds white space, control characters or letters outside ASCII. Set it to the token alone.',
    ),
  ];
}

/** A listener that fails, now or later, ends no run: what was sent has to be written down. */
function telling<Told>(listener: ((told: Told) => unknown) | undefined): (told: Told) => void {
  return (told) => {
    try {
      Promise.resolve(listener?.(told)).catch(() => undefined);
    } catch {
      // As above.
    }
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

export function thisMachine(): { readonly hostname: string; readonly user: string } {
  return { hostname: hostname(), user: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // a container may run as a user that has no name
  }
}
