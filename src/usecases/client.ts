// An account for one command: its client, opened and closed, its ledger, and how the command ends where it cannot go on:
// what was found forbids it, or a request came to nothing, which is said in words.
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, failureWord, hasErrors } from '../model/diagnostic.ts';
import { ShapeError } from '../model/kind/rows.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Workspace } from '../model/workspace.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import type { Redactor } from '../platform/redact.ts';
import type { StoppedClient } from '../platform/outage/why-stopped.ts';
import { whyNotSent } from '../platform/outage/why-stopped.ts';
import { connect, connectToRead, isStop, refusedCredential } from './connect.ts';
import { viewLedger } from './ledger.ts';
import type { Session } from './session.ts';
import { findWorkspace, findWorkspaceOrAccount } from './workspace-file.ts';

/** An account as everybody sees it: its workspace, whom to ask, and what its ledger says. */
export interface Access {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly client: Pick<Client, 'read' | 'ask'> & StoppedClient;
  readonly ledger: LedgerView;
}

/** `reads`: nothing is sent but reads, and none is waited for once they are to stop. */
interface Connecting {
  readonly reads: boolean;
  /** What a secret is known to be by more than this client. */
  readonly redactor?: Redactor;
}

/** Lets `work` use the client of an account, and closes it. `failed`: what it comes to where there can be none. */
export async function withClient<Result>(
  session: Session,
  workspace: Workspace,
  { reads, redactor }: Connecting,
  work: (client: Client, notices: readonly Diagnostic[]) => Promise<Result>,
  failed: (error: Diagnostic) => Result,
): Promise<Result> {
  const connection = await (reads ? connectToRead(session, workspace) : connect(session, workspace, redactor));
  if ('error' in connection) return failed(connection.error);
  const { client, notices } = connection;
  try {
    return await work(client, notices);
  } finally {
    await client.close();
  }
}

/** An account with what is needed to work on it. */
export type Opened = Pick<Access, 'session' | 'workspace'> & { readonly client: Client };

interface Ended {
  readonly outcome: OutcomeWord;
  readonly diagnostics?: readonly Diagnostic[];
}

type Told<Result> = (Result | Ended) & { readonly diagnostics: readonly Diagnostic[] };

/**
 * Lets `use` work on the account of the workspace; no manifest is read. What only reads needs no workspace file. Resolves
 * for everything but our own bugs.
 */
export async function openAccount<Result extends Ended>(
  session: Session,
  use: (opened: Opened) => Promise<Result>,
  { reads }: Pick<Connecting, 'reads'>,
): Promise<Told<Result>> {
  const { workspace, diagnostics } = await (reads ? findWorkspaceOrAccount : findWorkspace)(session);
  return workspace === undefined
    ? { outcome: 'error', diagnostics }
    : openAccountOf(session, workspace, use, { reads });
}

/** The same for a workspace that is known; `early`: what forbids to go on. */
export async function openAccountOf<Result extends Ended>(
  session: Session,
  workspace: Workspace,
  use: (opened: Opened) => Promise<Result>,
  { reads, early = [] }: Pick<Connecting, 'reads'> & { readonly early?: readonly Diagnostic[] },
): Promise<Told<Result>> {
  return withClient<Told<Result>>(
    session,
    workspace,
    { reads },
    async (client, notices) => {
      try {
        stopAtErrors(early);
        const result = await use({ session, workspace, client });
        return { ...result, diagnostics: [...notices, ...(result.diagnostics ?? [])] };
      } catch (error) {
        return session.stop.aborted
          ? { outcome: 'interrupted', diagnostics: notices }
          : endedBy([...notices, ...whyEnded({ session, workspace }, error)]);
      }
    },
    (error) => ({ outcome: 'error', diagnostics: [...early, error] }),
  );
}

function endedBy(diagnostics: readonly Diagnostic[]): Ended & { readonly diagnostics: readonly Diagnostic[] } {
  return { outcome: failureWord(diagnostics), diagnostics };
}

/** What the ledger says. Rejects with {@link Stopped} where it cannot be read. */
export async function ledgerOrStop({ session, workspace }: Pick<Access, 'session' | 'workspace'>): Promise<LedgerView> {
  const { view, diagnostics } = await viewLedger(session, workspace);
  stopAtErrors(diagnostics);
  return view;
}

/** Ends a command: what was found forbids to go on. */
export class Stopped extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super('stopped');
    this.diagnostics = diagnostics;
  }
}

/** What was found, where it lets the command go on. */
export function orStop<Found>(found: Found | Stopped): Found {
  if (found instanceof Stopped) throw found;
  return found;
}

/** The diagnostics, where none of them is an error. */
export function stopAtErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) throw new Stopped(diagnostics);
  return diagnostics;
}

/** Why work on an account came to its end before it was done; nothing where it was to stop. Throws our own bugs. */
export function whyEnded(
  { session, workspace }: Pick<Access, 'session' | 'workspace'>,
  error: unknown,
): readonly Diagnostic[] {
  if (isStop(session, error)) return [];
  return error instanceof Stopped ? error.diagnostics : [apiProblem(error, workspace)];
}

/** What cannot be read tells nothing, so nothing is said of it: a plan does not fail for a remark. */
export async function orNothing<Value>(told: Promise<Value>): Promise<Value | undefined> {
  try {
    return await told;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** What a failed request means for a command; anything but an ApiError is our own bug and goes on. */
function apiProblem(error: unknown, workspace: Pick<Workspace, 'credentialEnv' | 'credentialEntry'>): Diagnostic {
  if (error instanceof ShapeError) return unexpected(`An answer is not what the documents say: ${error.message}.`);
  if (!(error instanceof ApiError)) return refusedCredential(error, workspace);
  if (error.kind === 'not-found') return diagnose('HW3075', `${error.message}. Check the id that you gave.`);
  const stopped = whyNotSent(error);
  if (stopped !== undefined) return stopped;
  const reason = sentence(reasonOf(error));
  if (error.kind === 'insufficient-scope')
    return diagnose(
      'HW4590',
      `${reason}. Use a credential that has it. \`hostwright doctor\` shows what this one may read.`,
    );
  if (isRefusal(error)) return diagnose('HW4501', `${reason}.`);
  return error.kind === 'unauthorised' ? refusedCredential(error, workspace) : unexpected(`${error.message}.`);
}

/** Refused because of what the account, the object or the credential is: the same read would be refused again. */
function isRefusal({ kind, documented }: ApiError): boolean {
  return kind === 'forbidden' || documented?.means === 'failed' || documented?.means === 'blocked';
}

function unexpected(detail: string): Diagnostic {
  return diagnose('HW3004', detail);
}

/** Why a read came to nothing: what the documents say of the answer, and the answer. */
export function reasonOf({ kind, message, documented, extra }: ApiError): string {
  const scope = typeof extra.scope === 'string' ? `the scope ${extra.scope}` : 'a scope that this read needs';
  const reason = kind === 'insufficient-scope' ? `the credential lacks ${scope}` : documented?.reason;
  return reason === undefined ? message : `${reason}: ${message}`;
}

/** With a capital letter at its beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
