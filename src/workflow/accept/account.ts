// How use cases that bring manifests to what is live look at the account: once as it is declared, and once more as it
// would be with other texts, where nothing that was read is read again. Sends nothing but reads.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Workspace } from '../../model/workspace.ts';
import { findRenames, renameView } from '../../planner/rename.ts';
import type { Client } from '../../platform/http.ts';
import { connect, refusedCredential } from '../connect.ts';
import { rememberReads } from '../export/read.ts';
import { viewLedger } from '../ledger.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import { planLive } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { openWorkspace } from '../workspace.ts';

/** The account as manifests see it. */
export interface Look {
  readonly opened: OpenedWorkspace;
  readonly plan: Plan;
  readonly live: LiveAccount;
}

export interface Account {
  readonly workspace: Workspace;
  readonly opened: OpenedWorkspace;
  readonly ledger: LedgerView;
  readonly client: Pick<Client, 'read' | 'ask'>;
  /** The plan for these manifests; what stands in its way otherwise. */
  readonly look: (opened: OpenedWorkspace) => Promise<Look | { readonly diagnostics: readonly Diagnostic[] }>;
}

export interface WithRequests {
  readonly diagnostics: readonly Diagnostic[];
  /** How many requests were sent, retries included. */
  readonly requests: number;
}

/** Opens workspace, ledger and client, and closes what has to be closed. */
export async function withAccount<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  session: Session,
  paths: readonly string[],
  work: (account: Account) => Promise<Result>,
  how: Parameters<typeof openWorkspace>[2] = {},
): Promise<(Result | { readonly diagnostics: readonly Diagnostic[] }) & WithRequests> {
  const opened = await openWorkspace(session, paths, how);
  const { workspace } = opened;
  if (workspace === undefined || hasErrors(opened.diagnostics)) return { diagnostics: opened.diagnostics, requests: 0 };
  const { view: ledger, diagnostics } = await viewLedger(session, workspace);
  if (hasErrors(diagnostics)) return { diagnostics: [...opened.diagnostics, ...diagnostics], requests: 0 };
  const connection = connect(session, workspace);
  if ('error' in connection) return { diagnostics: [...opened.diagnostics, connection.error], requests: 0 };
  // An answer is one look at the account: two plans that are held against each other rest on the same one.
  const client = { ...rememberReads(connection.client), ask: connection.client.ask };
  const look = lookWith({ session, workspace, ledger, client });
  try {
    const result = await work({ workspace, opened, ledger, client, look });
    return {
      ...result,
      diagnostics: [...result.diagnostics, ...connection.notices],
      requests: connection.client.stats.reads,
    };
  } catch (error) {
    return {
      diagnostics: [...opened.diagnostics, ...connection.notices, refusedCredential(error)],
      requests: connection.client.stats.reads,
    };
  } finally {
    await connection.client.close();
  }
}

/** Plans for whatever texts, with one client. */
export function lookWith({
  session,
  workspace,
  ledger,
  client,
}: {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly ledger: LedgerView;
  readonly client: Account['client'];
}): Account['look'] {
  return async (now) => {
    if (hasErrors(now.diagnostics)) return { diagnostics: now.diagnostics };
    const planned = await planLive({
      session,
      workspace,
      declared: now.declared,
      ledger: renameView(ledger, findRenames(now.declared, ledger)),
      targets: [],
      notices: [],
      client,
    });
    const { plan, live } = planned;
    return plan === undefined || live === undefined
      ? { diagnostics: planned.diagnostics }
      : { opened: now, plan, live };
  };
}
