// What a use case is given from the command line and the environment; it reads the workspace file, which both beat,
// itself.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { version } from '../../package.json';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import { isJob } from '../model/plan/started-by.ts';
import { credentialsIn, isSandboxToken } from '../usecases/environment/credentials.ts';
import type { Proxies } from '../usecases/environment/proxies.ts';
import type { LedgerAccess, Session } from '../usecases/session.ts';
import { escapeText } from '../report/view/escape.ts';
import type { ProgramAccess } from '../usecases/session.ts';
import { distFile } from '../library/package-files.ts';
import type { AccountOptions } from '../library/session.ts';
import { accessProblems, openSession, thisMachine } from '../library/session.ts';
import type { Context } from './context.ts';
import { startedBy } from './started-by.ts';
import { trustedRootProblems, trustedRoots } from './trusted-roots.ts';

export interface RunOptions {
  /** Milliseconds to wait for the ledger lock, in place of the global option. */
  readonly lockTimeout?: number;
  /** A commit. */
  readonly guardsFrom?: string;
  /** A file of places of made YAML. */
  readonly sources?: string;
}

/** The options of a call: from flags and the environment. */
export function accountOptions(
  context: Context,
  { lockTimeout = context.options.lockTimeout, guardsFrom }: RunOptions = {},
): AccountOptions {
  const { options, env } = context;
  const { parallelism, timeout, maxRps, deadline } = options;
  return {
    cwd: context.cwd,
    ...(options.config !== undefined && { configFile: options.config }),
    ...(options.account !== undefined && { account: options.account }),
    ...(options.apiUrl !== undefined && { apiUrl: options.apiUrl }),
    ...accessOf(env),
    env,
    credentialsFile: credentialsPlace(env).file,
    trustedRoots: trustedRoots(env),
    ci: isCi(env),
    signal: context.stop,
    onSecret: (secret) => context.learnt.add(secret),
    ...(parallelism !== undefined && { parallelism }),
    ...(maxRps !== undefined && { maxRps }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(lockTimeout !== undefined && { lockTimeoutMs: lockTimeout }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
    ...(guardsFrom !== undefined && { guardsFrom }),
  };
}

export function createSession(context: Context, options: RunOptions = {}): Session {
  const { env } = context;
  const { sources } = options;
  const { variable } = credentialsPlace(env);
  const by = startedBy(env, thisMachine());
  return openSession(accountOptions(context, options), {
    clock: context.clock,
    emit: (event) => context.progress.emit(event),
    by,
    ...(variable !== undefined && { credentialsVariable: variable }),
    notices: [...unchecked(env), ...trustedRootProblems(env)],
    alone: context.alone,
    connecting: context.watch,
    computing: context.computing,
    ...(context.cache !== undefined && { memory: { ...context.cache.folder, version: context.cache.version } }),
    ...(sources !== undefined && { sources }),
    stdin: async () => {
      const [{ addAbortSignal }, { buffer }] = await Promise.all([
        import('node:stream'),
        import('node:stream/consumers'),
      ]);
      return new Uint8Array(await buffer(addAbortSignal(context.stop, context.stdin)));
    },
    programs: programsOf(context, context.options.runProgram),
    ...forgeOf(env, by),
  });
}

/** How programs are run: beside a credential only where a person says so, once for each program. */
function programsOf(context: Context, anyway = false): ProgramAccess {
  const { env, output } = context;
  const { file, variable } = credentialsPlace(env);
  // Those of the local sandbox open nothing.
  const credentials = credentialsIn(env);
  const known = credentials.find(({ isPath, secrets }) => !isPath && !secrets.every((one) => isSandboxToken(one)));
  const named = credentials.find(({ isPath }) => isPath)?.name;
  const atHand = known?.name ?? variable ?? (existsSync(file) ? 'the credentials file' : undefined);
  const answers = new Map<string, Promise<boolean>>();
  return {
    node: process.execPath,
    version: process.versions.node,
    // Only where a program is run: what is copied elsewhere, such as the Terraform provider, has no such file.
    get child() {
      return distFile('constructs-child.mjs');
    },
    env: (name) => env[name],
    say: (program, line) => output.error(programLine(program, line)),
    ...(atHand !== undefined && !anyway && { credential: atHand }),
    ...(named !== undefined && !anyway && { credentialPath: named }),
    ...(context.canAsk &&
      !isCi(env) && {
        ask: (program, credential) => {
          const answer = answers.get(program) ?? askToRun(context, program, credential);
          answers.set(program, answer);
          return answer;
        },
      }),
  };
}

async function askToRun(context: Context, program: string, credential: string): Promise<boolean> {
  const { askPerson } = await import('./prompt.ts');
  const question = `${escapeText(program, 300)} is a program, and a credential is at hand (${escapeText(credential)}): whoever can change the program could read it. Run it?`;
  return askPerson(context, { question }, 'Only "yes" does:');
}

/** What systems of CI set for their jobs, beside or in place of `CI`. */
const CI_VARIABLES = [
  ...['CI', 'GITHUB_ACTIONS', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS', 'GITLAB_CI', 'JENKINS_URL', 'TF_BUILD', 'BUILDKITE'],
  ...[
    'CIRCLECI',
    'TRAVIS',
    'APPVEYOR',
    'DRONE',
    'SEMAPHORE',
    'TEAMCITY_VERSION',
    'CODEBUILD_BUILD_ID',
    'bamboo_buildKey',
  ],
  ...['BITBUCKET_BUILD_NUMBER', 'CIRRUS_CI', 'GO_PIPELINE_NAME', 'BUILD_BUILDID', 'SYSTEM_TEAMFOUNDATIONCOLLECTIONURI'],
];

function isCi(env: Context['env']): boolean {
  return CI_VARIABLES.some((name) => !['', '0', 'false'].includes((env[name] ?? '').toLowerCase()));
}

/** The credentials file that is named, or where the one of the user is looked for. */
function credentialsPlace(env: Context['env']): { readonly file: string; readonly variable?: string } {
  const named = env.HOSTWRIGHT_CREDENTIALS;
  if (named) return { file: named, variable: 'HOSTWRIGHT_CREDENTIALS' };
  const { XDG_CONFIG_HOME = '', HOME } = env;
  const folder = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return { file: join(folder, 'hostwright', 'credentials.yaml') };
}

/**
 * A line that a program printed. The name before it says whose words they are, and keeps `::error` from the start of the
 * line, where it would be a command to a job.
 */
function programLine(program: string, line: string): string {
  return `${escapeText(program, 300)}: ${escapeText(line)}`;
}

/** The credentials of the environment, and the way through its proxies. */
function accessOf({ HOSTWRIGHT_TOKEN: token, ...env }: Context['env']): Pick<AccountOptions, 'token' | 'proxies'> {
  return { ...(token !== undefined && { token }), proxies: proxiesOf(env) };
}

/** What is wrong with what {@link accessOf} gives. */
export function checkAccess(env: Context['env']): readonly Diagnostic[] {
  return accessProblems(accessOf(env));
}

/** The proxies that the environment names; as everywhere, a name in lower case goes before the same in capitals. */
export function proxiesOf(env: Context['env']): Proxies {
  const valueOf = (name: string): string | undefined => (env[name.toLowerCase()] ?? env[name])?.trim() || undefined;
  const [https, http, none] = [valueOf('HTTPS_PROXY'), valueOf('HTTP_PROXY'), valueOf('NO_PROXY')];
  const extraAuthorities = env.NODE_EXTRA_CA_CERTS?.trim() || undefined;
  return {
    ...(https !== undefined && { https }),
    ...(http !== undefined && { http }),
    ...(none !== undefined && { none }),
    ...(extraAuthorities !== undefined && { extraAuthorities }),
  };
}

/** Node.js was told to take any certificate for good. */
function unchecked({ NODE_TLS_REJECT_UNAUTHORIZED: value }: Context['env']): readonly Diagnostic[] {
  if (value !== '0') return [];
  const detail =
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone between this machine and the platform can read the token and change what is sent. Unset it; for a certificate authority of your own set NODE_EXTRA_CA_CERTS to its file.';
  return [diagnose('HW6576', detail)];
}

/** The same session, whose runs were approved by the reviews of these pull requests. */
export function reviewedIn(session: Session, pulls: readonly number[]): Session {
  const { runtime } = session;
  return pulls.length === 0 || runtime.by === undefined
    ? session
    : { ...session, runtime: { ...runtime, by: { ...runtime.by, pulls } } };
}

/** How the forge of this job is asked about other jobs of its repository; empty where that cannot be. */
function forgeOf(env: Context['env'], by: StartedBy): Pick<LedgerAccess, 'jobEnd'> {
  if (!isJob(by)) return {};
  const { via, server, repository } = by;
  const [apiUrl, token] =
    via === 'github' ? [env.GITHUB_API_URL, env.GITHUB_TOKEN] : [env.CI_API_V4_URL, env.GITLAB_TOKEN];
  if (!apiUrl || !token || !/^[\x21-\x7e]+$/.test(token.trim())) return {};
  const forge = { via, server, repository, apiUrl, token: token.trim(), version, proxies: proxiesOf(env) };
  return { jobEnd: async (holder) => (await import('../forge/job-end.ts')).jobEnd(forge, holder) };
}

export function nothingToAskAbout() {
  return diagnose(
    'HW6513',
    '--approved-by says who confirms what --expect names, and there is no --expect. Nothing was sent.',
  );
}
