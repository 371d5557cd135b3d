// The use case of a bare `hostwright`: the account of the workspace, its last apply, and the actions in flight. Reads local
// files only.
import { hasErrors } from '../../model/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import type { RunHistory } from '../../model/plan/history.ts';
import { runsIn } from '../../model/plan/history.ts';
import { readHistory } from '../../ledger/stored-ledger.ts';
import { ledgerPlace, storeToRead } from '../ledger.ts';
import type { Session } from '../session.ts';
import { findWorkspace } from '../workspace-file.ts';

/** What the local files show. `unknown` says why the runs are not known. */
export interface Overview {
  readonly account: string;
  /** Absolute path of the workspace file. */
  readonly file: string;
  readonly runs: { readonly last?: RunHistory; readonly inFlight: readonly Address[] } | { readonly unknown: string };
}

/** Returns the overview of the workspace; `invalid` if its file has errors; undefined outside of a workspace. */
export async function readOverview(session: Session): Promise<Overview | 'invalid' | undefined> {
  const { workspace, file } = await findWorkspace(session);
  if (workspace === undefined || file === undefined) return file === undefined ? undefined : 'invalid';
  const { account, ledger } = workspace;
  // Other ledgers need a process or a connection.
  if (!('file' in ledger))
    return { account, file, runs: { unknown: `the ledger is in ${'git' in ledger ? 'Git' : 'PostgreSQL'}` } };
  const { view, rows, diagnostics } = await readHistory({ store: storeToRead(session, workspace), account });
  if (hasErrors(diagnostics))
    return { account, file, runs: { unknown: `${ledgerPlace(session, workspace)} cannot be read` } };
  const last = runsIn({ history: rows, inFlight: view.inFlight })[0];
  return {
    account,
    file,
    runs: { ...(last !== undefined && { last }), inFlight: view.inFlight.map(({ action: { address } }) => address) },
  };
}
