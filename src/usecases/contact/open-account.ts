// What every command on an account as a whole has in common: one client, one ending, no exception for what the platform
// or a person can cause. No manifest is read: whoever is called at night need not mend them first.
import { connect } from '../connect.ts';
import type { Session } from '../session.ts';
import type { Ending, Opened, SiteResult } from '../site/open-site.ts';
import { apiProblem } from '../act/problem.ts';
import { findWorkspace } from '../workspace-file.ts';

/** An account with what is needed to work on it. */
export type OpenAccount = Opened;

/** Lets `use` work on the account of the workspace. Resolves for everything but our own bugs. */
export async function withAccount<Value>(
  session: Session,
  use: (account: OpenAccount) => Promise<Ending<Value>>,
): Promise<SiteResult<Value>> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { outcome: 'error', diagnostics };
  const connection = await connect(session, workspace);
  if ('error' in connection) return { outcome: 'error', diagnostics: [connection.error] };
  const { client, notices } = connection;
  try {
    const ending = await use({ label: workspace.account, workspace, client, session });
    // Ctrl-C at a question is an answer too, and not a refusal.
    return {
      ...ending,
      diagnostics: [...notices, ...(ending.diagnostics ?? [])],
      ...(ending.outcome === 'refused' && session.stop.aborted && { outcome: 'interrupted' }),
    };
  } catch (error) {
    if (session.stop.aborted) return { outcome: 'interrupted', diagnostics: notices };
    return { outcome: 'error', diagnostics: [...notices, apiProblem(error, workspace)] };
  } finally {
    await client.close();
  }
}
