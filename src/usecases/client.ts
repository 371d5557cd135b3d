// The client of an account for one command: opened, closed, and how the command ends where it cannot go on: what was
// found forbids it, or a request came to nothing, which is said in words.
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import { ShapeError } from '../model/kind/rows.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Workspace } from '../model/workspace.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { connect, connectToRead, refusedCredential } from './connect.ts';
import type { Session } from './session.ts';
import { findWorkspace, findWorkspaceOrAccount } from './workspace-file.ts';

/** An account with what is needed to work on it. */
export interface Opened {
  readonly workspace: Workspace;
  readonly client: Client;
  readonly session: Session;
}

interface Ended {
  readonly outcome: OutcomeWord;
  readonly diagnostics?: readonly Diagnostic[];
}

type Told<Result> = (Result | Ended) & { readonly diagnostics: readonly Diagnostic[] };

/** `reads`: nothing is sent but reads, so no workspace file is needed, and no read is waited for once they are to stop. */
interface How {
  readonly reads: boolean;
}

/** Lets `use` work on the account of the workspace; no manifest is read. Resolves for everything but our own bugs. */
export async function openAccount<Result extends Ended>(
  session: Session,
  use: (opened: Opened) => Promise<Result>,
  { reads }: How,
): Promise<Told<Result>> {
  const { workspace, diagnostics } = await (reads ? findWorkspaceOrAccount : findWorkspace)(session);
  return workspace === undefined ? { outcome: 'error', diagnostics } : withClient(session, workspace, use, { reads });
}

/** The same for a workspace that is known; `early`: what forbids to go on. */
export async function withClient<Result extends Ended>(
  session: Session,
  workspace: Workspace,
  use: (opened: Opened) => Promise<Result>,
  { reads, early = [] }: How & { readonly early?: readonly Diagnostic[] },
): Promise<Told<Result>> {
  const connection = await (reads ? connectToRead : connect)(session, workspace);
  if ('error' in connection) return { outcome: 'error', diagnostics: [...early, connection.error] };
  const { client, notices } = connection;
  try {
    stopAtErrors(early);
    const result = await use({ session, workspace, client });
    return { ...result, diagnostics: [...notices, ...(result.diagnostics ?? [])] };
  } catch (error) {
    if (session.stop.aborted) return { outcome: 'interrupted', diagnostics: notices };
    const found = error instanceof Stopped ? error.diagnostics : [apiProblem(error, workspace)];
    return { outcome: 'error', diagnostics: [...notices, ...found] };
  } finally {
    await client.close();
  }
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

/** What a failed request means for a command; anything but an ApiError is our own bug and goes on. */
function apiProblem(error: unknown, workspace: Pick<Workspace, 'credentialEnv' | 'credentialEntry'>): Diagnostic {
  if (error instanceof ShapeError) return unexpected(`An answer is not what the documents say: ${error.message}.`);
  if (!(error instanceof ApiError)) return refusedCredential(error, workspace);
  if (error.kind === 'not-found') return diagnose('HW3075', `${error.message}. Check the id that you gave.`);
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
