// How a use case reaches the account: one client, or a diagnostic that says why there can be none: no account, no
// credential (O-01).
import { setMaxListeners } from 'node:events';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Json } from '../model/json.ts';
import type { Workspace } from '../model/workspace.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { createClient } from '../platform/http.ts';
import type { Redactor } from '../platform/redact.ts';
import { untilAborted } from '../platform/until-aborted.ts';
import type { Session } from './session.ts';

/** A client for the workspace's account, or the error that forbids one. */
export async function connect(
  session: Session,
  workspace: Workspace,
  redactor?: Redactor,
): Promise<{ readonly client: Client; readonly notices: readonly Diagnostic[] } | { readonly error: Diagnostic }> {
  const found = await tokenFor(session, workspace);
  if ('error' in found) return found;
  const { token } = found;
  if (token === undefined || token === '') return { error: noToken(workspace) };
  session.connecting?.();
  try {
    const { clock, concurrency, timeoutMs, emit, deadline, maxRps, proxies, onRequest, notices = [] } = session;
    const shared = session.shared?.(workspace.baseUrl);
    const transport = session.transport ?? shared?.transport;
    const sendAs = workspace.credential?.sendAs;
    const client = createClient({
      baseUrl: workspace.baseUrl,
      token,
      account: workspace.account,
      clock,
      concurrency,
      timeoutMs,
      emit,
      random: session.runtime.random,
      ...(deadline !== undefined && { deadline }),
      ...(maxRps !== undefined && { maxRps }),
      ...(shared !== undefined && { limiter: shared.limiter }),
      ...(transport !== undefined && { transport }),
      ...(proxies !== undefined && { proxies }),
      ...(onRequest !== undefined && { onRequest }),
      ...(sendAs !== undefined && { authorization: sendAs }),
      ...(redactor !== undefined && { redactor }),
    });
    return { client, notices };
  } catch (error) {
    return { error: diagnose('HW3003', `${(error as Error).message} Nothing was sent.`) };
  }
}

/** The same for a command that only reads: once it is to stop, each of its reads rejects with the reason, see {@link isStop}. */
export async function connectToRead(session: Session, workspace: Workspace): ReturnType<typeof connect> {
  const connection = await connect(session, workspace);
  if ('error' in connection) return connection;
  const { client, notices } = connection;
  const signal = signalFor(session);
  return {
    client: {
      ...client,
      read: (path, options) => client.read(path, { signal, ...options }),
      ask: (path, body, options) => client.ask(path, body, { signal, ...options }),
    },
    notices,
  };
}

/**
 * The same of a client that others wait for too: from then on its reads are left to themselves, and end when the client is
 * closed.
 */
export function readsUntilStopped(
  session: Pick<Session, 'stop'>,
  { read, ask }: Pick<Client, 'read' | 'ask'>,
): Pick<Client, 'read' | 'ask'> {
  const signal = signalFor(session);
  return {
    read: (path, options) => untilAborted(signal, () => read(path, options)),
    ask: (path, body, options) => untilAborted(signal, () => ask(path, body, options)),
  };
}

/** One that each read in flight may listen to. */
function signalFor({ stop }: Pick<Session, 'stop'>): AbortSignal {
  const signal = AbortSignal.any([stop]);
  setMaxListeners(0, signal);
  return signal;
}

/** True for what a read rejects with because its command is to stop. */
export function isStop({ stop }: Pick<Session, 'stop'>, error: unknown): boolean {
  return stop.aborted && error === stop.reason;
}

/** The credential of a workspace: of the entry or the variable that it names, else the one of the session. */
export async function tokenFor(
  { token, tokenNamed, credentials }: Pick<Session, 'token' | 'tokenNamed' | 'credentials'>,
  { credentialEnv, credentialEntry, account, root }: TokenPlace & Pick<Workspace, 'account' | 'root'>,
): Promise<{ readonly token: string | undefined } | { readonly error: Diagnostic }> {
  if (credentialEntry === undefined)
    return { token: credentialEnv === undefined ? token : tokenNamed?.(credentialEnv) };
  const got = await (await credentials?.())?.get('tokens', { entry: credentialEntry, account, root });
  if (got === undefined || 'diagnostic' in got)
    return got === undefined ? { token: undefined } : { error: got.diagnostic };
  // A header cannot carry other characters, and the error of the client would show the token.
  return /^[\x21-\x7e]+$/.test(got.value)
    ? { token: got.value }
    : {
        error: diagnose(
          'HW6501',
          `The entry ${credentialEntry} of the credentials file gives white space, control characters or letters outside ASCII. Let it give the token alone.`,
        ),
      };
}

type TokenPlace = Pick<Workspace, 'credentialEnv' | 'credentialEntry'>;

/** What messages call the place that the token comes from. */
export function tokenPlace({ credentialEnv = 'HOSTWRIGHT_TOKEN', credentialEntry }: TokenPlace): string {
  return credentialEntry === undefined ? credentialEnv : `the entry ${credentialEntry} of the credentials file`;
}

/** What a thrown ApiError means for the whole run; anything else is rethrown: it is our own bug. */
export function refusedCredential(error: unknown, place: TokenPlace): Diagnostic {
  if (!(error instanceof ApiError) || error.kind !== 'unauthorised') throw error;
  return diagnose(
    'HW3001',
    `${error.message}. Nothing more was sent. Check that ${tokenPlace(place)} holds a token of this account that is still valid.`,
  );
}

function noToken(place: TokenPlace): Diagnostic {
  return diagnose(
    'HW3002',
    `Set ${place.credentialEntry === undefined ? 'the environment variable ' : ''}${tokenPlace(place)} to a session token, an API key or an OAuth access token of the account. A read-only token is enough for plan and drift.`,
  );
}

/** What it means for a whole command that not one request was answered. */
export function platformUnreachable({ baseUrl }: Pick<Workspace, 'baseUrl'>, error: ApiError): Diagnostic {
  return diagnose(
    'HW3050',
    `The platform at ${baseUrl} cannot be reached: ${causeOf(error)}. Nothing could be read, so nothing was planned and nothing was changed.`,
  );
}

/** Returns why a request got no response, without the request. */
function causeOf({ kind, message, cause }: ApiError): string {
  const reported = cause instanceof Error ? cause.message : '';
  if (reported === '') return message;
  return kind === 'timeout' && !reported.startsWith('no connection') ? 'no response in time' : reported;
}

/** Returns the client, and a function that returns the first failure as long as no request was answered. */
export function watched<Asked extends Pick<Client, 'read' | 'ask'>>(
  client: Asked,
): { readonly client: Pick<Client, 'read' | 'ask'>; readonly silence: () => ApiError | undefined } {
  let answered = false;
  let failure: ApiError | undefined;
  const watch = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await asked;
      answered = true;
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status === null) failure ??= error;
      else answered = true;
      throw error;
    }
  };
  return {
    client: {
      read: (path, options) => watch(client.read(path, options)),
      ask: (path, body, options) => watch(client.ask(path, body, options)),
    },
    silence: () => (answered ? undefined : failure),
  };
}

/** Also what could not be answered is not asked again: everybody sees the same. */
export function rememberReads({ read }: Pick<Client, 'read'>): Client['read'] {
  const answers = new Map<string, Promise<Json>>();
  return (path, options) => {
    const answer = answers.get(path) ?? read(path, options);
    answers.set(path, answer);
    return answer;
  };
}
