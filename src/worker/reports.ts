// What the last run of each account told, kept for the page of operators in the database that all workers share. Nothing
// about a person is in it but who started a run, and no secret.
import type { RunEnd } from './run-account.ts';
import type { AccountReport, FleetReport } from '../model/plan/fleet-report.ts';
import { decideOutcome } from '../model/plan/outcome.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Member } from '../usecases/fleet/members.ts';
import { accountReport, ledgerReport, reportOf } from '../usecases/fleet/report.ts';
import { viewLedger } from '../usecases/ledger.ts';
import type { Session } from '../usecases/session.ts';
import type { Ask } from './database.ts';
import { DEAD, QUEUE } from './queue.ts';
import type { InvalidRow, OnInvalid } from './rows.ts';
import { invalidRowMessage, MOST_REPORT, readReportRow, REPORT_ROW } from './rows.ts';
import type { WorkStatus } from './status.ts';

/** Two statements of this kind at the same time may meet in PostgreSQL's catalogue: then it is there. */
const ALREADY_THERE = ['23505', '42P07'];

export async function createReports(ask: Ask): Promise<void> {
  await ask(
    `CREATE TABLE IF NOT EXISTS hostwright.account_report (
       account text PRIMARY KEY, at timestamptz NOT NULL, report text NOT NULL)`,
    [],
  ).catch((error: unknown) => {
    if (!ALREADY_THERE.includes((error as { readonly code?: string }).code ?? '')) throw error;
  });
}

/** Takes out what is kept of an account. */
export async function forgetReport(ask: Ask, account: string): Promise<void> {
  await createReports(ask);
  await ask('DELETE FROM hostwright.account_report WHERE account = $1', [account]);
}

interface Reports {
  readonly reports: ReadonlyMap<string, AccountReport>;
  /** By account: rows that cannot be used. */
  readonly invalid: ReadonlyMap<string, InvalidRow>;
}

async function readReports(ask: Ask, account?: string): Promise<Reports> {
  const { rows } = (await ask(
    `SELECT account, CASE WHEN length(report) <= $2 THEN report END AS report
     FROM hostwright.account_report WHERE $1::text IS NULL OR account = $1`,
    [account ?? null, MOST_REPORT],
  )) as { readonly rows: readonly { readonly account: string; readonly report: string | null }[] };
  const [reports, invalid] = [new Map<string, AccountReport>(), new Map<string, InvalidRow>()];
  for (const row of rows) {
    const found = await readReportRow(row.account, row.report);
    if (typeof found !== 'string') reports.set(row.account, found);
    else invalid.set(row.account, { store: 'hostwright.account_report', account: row.account, reason: found });
  }
  return { reports, invalid };
}

export interface Ended {
  readonly member: Member;
  readonly end: RunEnd;
  readonly endedAtMs: number;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly onInvalid: OnInvalid;
}

/** Keeps what a run told; one that ended earlier than what is known changes nothing. */
export async function noteReport(
  ask: Ask,
  own: Session,
  { member, end, endedAtMs, redact, onInvalid }: Ended,
): Promise<void> {
  const { account, folder, workspace } = member;
  const { reports, invalid } = await readReports(ask, account);
  invalid.forEach(onInvalid);
  const before = reports.get(account);
  const [held] = end.diagnostics.filter(({ code }) => code === 'HW5004');
  const kept =
    workspace === undefined || held !== undefined ? undefined : await viewLedger(own, workspace).catch(() => undefined);
  const { outcome, diagnostics, plan, result } = end;
  const at = new Date(endedAtMs).toISOString();
  const look = {
    outcome,
    at,
    diagnostics,
    ...(plan === undefined ? result !== undefined && { result } : { plan }),
    isWhole: true,
  };
  const report: AccountReport =
    held === undefined || before === undefined
      ? accountReport({ account, workspace: folder }, [look], {
          before: before ?? { waits: [] },
          ...(kept !== undefined && !hasErrors(kept.diagnostics) && { ledger: ledgerReport(kept.view, endedAtMs) }),
        })
      : // A run that could not begin says nothing new of the account.
        { ...before, state: 'locked', lock: held.detail };
  await ask(
    `INSERT INTO hostwright.account_report AS known (account, at, report)
     VALUES ($1, to_timestamp($2::double precision), $3)
     ON CONFLICT (account) DO UPDATE SET at = excluded.at, report = excluded.report WHERE known.at <= excluded.at`,
    [account, endedAtMs / 1000, JSON.stringify({ format: REPORT_ROW, ...each(report, redact) })],
  );
}

/** Every text of a document, changed. */
function each<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => each(one, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, each(one as unknown, change)])) as Value;
}

/** What changes whenever the report does. */
export async function versionOf(ask: Ask): Promise<string> {
  const { rows } = await ask(
    `SELECT md5(concat(
       (SELECT string_agg(account || at::text, ',' ORDER BY account) FROM hostwright.account_report),
       (SELECT string_agg(account || ended_at::text, ',' ORDER BY account) FROM hostwright.account_run),
       (SELECT string_agg(id::text || state::text, ',' ORDER BY id) FROM pgboss.job
        WHERE name IN ($1, $2) AND state < 'completed'))) AS version`,
    [QUEUE, DEAD],
  );
  return (rows[0] as { readonly version: string }).version;
}

export interface Now {
  readonly nowMs: number;
  /** Rows that `readWorkStatus` reported. */
  readonly invalidRuns: readonly InvalidRow[];
  readonly onInvalid: OnInvalid;
}

/** How the accounts of a worker are, by what all workers noted and by the queue. */
export async function fleetReportNow(
  ask: Ask,
  members: Iterable<Member>,
  { accounts: known }: WorkStatus,
  { nowMs, invalidRuns, onInvalid }: Now,
): Promise<FleetReport> {
  const { reports, invalid } = await readReports(ask);
  invalid.forEach(onInvalid);
  const unused = new Map<string, readonly InvalidRow[]>();
  for (const row of [...invalid.values(), ...invalidRuns])
    unused.set(row.account, [...(unused.get(row.account) ?? []), row]);
  const status = new Map(known.map((one) => [one.account, one]));
  const accounts = [...members].map(({ account, folder }): AccountReport => {
    const { lastRun, requests = [], heldBy } = status.get(account) ?? {};
    const kept = reports.get(account);
    const empty = { account, workspace: folder, state: 'never-run', problems: [], waits: [], ends: [] } as const;
    // An older worker keeps how a run ended, and no report of it.
    const isOld = lastRun !== undefined && Date.parse(lastRun.endedAt) > Date.parse(kept?.lookedAt ?? '1970-01-01');
    const report: AccountReport = isOld
      ? {
          ...empty,
          state: stateOf(lastRun.outcome),
          lookedAt: lastRun.endedAt,
          outcome: lastRun.outcome,
          problems: lastRun.reason === undefined ? [] : [{ says: lastRun.reason }],
        }
      : (kept ?? empty);
    const states = requests.map(({ state }) => state);
    const queue = (['active', 'retrying', 'given-up', 'waiting'] as const).find((state) => states.includes(state));
    const problems = (unused.get(account) ?? []).map((row) => ({ says: invalidRowMessage(row) }));
    return {
      ...report,
      workspace: folder,
      problems: [...report.problems, ...problems],
      ...(heldBy !== undefined && { lock: `The lock is held by ${heldBy}.` }),
      // Its own run may hold it.
      ...(heldBy !== undefined && queue !== 'active' && { state: 'locked' as const }),
      ...(queue !== undefined && { queue }),
    };
  });
  const words = accounts.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome as OutcomeWord]));
  return reportOf(accounts, nowMs, decideOutcome(words));
}

function stateOf(outcome: OutcomeWord): AccountReport['state'] {
  if (outcome === 'done') return 'in-order';
  return outcome === 'waiting' ? 'waiting' : outcome === 'differences' ? 'drifted' : 'failed';
}
