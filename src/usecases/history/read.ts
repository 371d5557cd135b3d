// The use case `history`: what runs did to the account, as the ledger keeps it, and whether all of it is still there.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { ChainedRow, RunHistory } from '../../model/plan/history.ts';
import { isHistoryRow, runsIn } from '../../model/plan/history.ts';
import { brokenAt } from '../../ledger/history.ts';
import { readHistory } from '../../ledger/stored-ledger.ts';
import { storeToRead } from '../ledger.ts';
import { findMembers } from '../fleet/members.ts';
import type { Session } from '../session.ts';
import { checkMark, writeMark } from '../../ledger/history-mark.ts';
import { findWorkspace } from '../workspace-file.ts';

export interface HistoryOptions {
  /** Only what was done to this object, and in it. */
  readonly address?: Address;
  /** Only this run; the beginning of its id will do. */
  readonly run?: string;
}

export interface HistoryResult {
  readonly account: string;
  /** The newest first. Absent: the ledger could not be read, or there is no such run. */
  readonly runs?: readonly RunHistory[];
  /** How many rows were checked, each against the one before it. */
  readonly rows: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the history of an account. Nothing is written or locked, and the platform is not asked. */
export async function readRuns(session: Session, { address, run }: HistoryOptions = {}): Promise<HistoryResult> {
  const { workspace, diagnostics } = await findWorkspace(session);
  if (workspace === undefined) return { account: '', rows: 0, diagnostics };
  const { account } = workspace;
  const store = storeToRead(session, workspace);
  const { view, rows, diagnostics: found } = await readHistory({ store, account });
  const result = { account, rows: rows.length };
  if (hasErrors(found)) return { ...result, diagnostics: found };
  const broken = brokenAt(rows);
  const invalid = rows.filter(({ row }) => !isHistoryRow(row));
  const unseen = checkMark(session, workspace, { name: store.name, rows });
  if (broken === undefined && unseen === undefined) writeMark(session, workspace, rows);
  const problems = [
    ...found,
    ...(broken === undefined
      ? []
      : [
          diagnose(
            'HW5015',
            `In ${store.name}, ${describeRow(broken)} does not follow from the one before it: a row was changed or removed. Compare with a copy of the ledger.`,
          ),
        ]),
    ...(unseen === undefined ? [] : [unseen]),
    ...(invalid[0] === undefined
      ? []
      : [
          diagnose(
            'HW5015',
            `In ${store.name}, ${describeRow(invalid[0])}${invalid.length === 1 ? ' is' : ` and ${invalid.length - 1} more are`} not valid, and left out of the history. Compare with a copy of the ledger.`,
          ),
        ]),
  ];
  const all = runsIn({ history: rows, inFlight: view.inFlight });
  const named = run === undefined ? all : all.filter((one) => one.run.startsWith(run));
  if (run !== undefined && named.length !== 1) {
    const what = named.length === 0 ? 'No run' : 'More than one run';
    const detail = `${what} in ${store.name} begins with ${run}. \`hostwright history\` shows which there are.`;
    return { ...result, diagnostics: [...problems, diagnose('HW5016', detail)] };
  }
  return {
    ...result,
    runs: address === undefined ? named : named.flatMap((one) => within(one, address)),
    diagnostics: problems,
  };
}

/** Returns how a message names a row, which may be anything. */
function describeRow({ atMs, row }: ChainedRow): string {
  const { run } = row as { readonly run?: unknown };
  return `the row of ${new Date(atMs).toISOString()}${typeof run === 'string' ? ` (run ${run})` : ''}`;
}

function within(run: RunHistory, address: Address): readonly RunHistory[] {
  const actions = run.actions.filter((one) => one.address === address || one.address.startsWith(`${address}/`));
  return actions.length === 0 ? [] : [{ ...run, actions }];
}

export interface AccountRuns extends HistoryResult {
  /** The folder of its workspace, as it was found. */
  readonly folder: string;
}

/** The histories of the workspaces in folders, or globs of them, by account. */
export async function readAllRuns(
  session: Session,
  folders: readonly string[],
): Promise<{ readonly accounts: readonly AccountRuns[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { members, diagnostics, notices } = await findMembers(session, { folders });
  if (hasErrors(diagnostics)) return { accounts: [], diagnostics };
  const accounts: AccountRuns[] = [];
  for (const { file, folder, account } of members)
    accounts.push({ ...(await readRuns({ ...session, configFile: file })), account, folder });
  return { accounts, diagnostics: [...notices, ...accounts.flatMap((one) => one.diagnostics)] };
}
