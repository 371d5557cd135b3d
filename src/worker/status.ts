// What all workers know together: how the last run of each account ended, and what is in the queue. It is kept in the
// database, so that every worker tells the same of an account, whichever of them ran it last.
import type { Account, LastRun, Requests, Work } from '../model/generated/output/work.ts';
import { quote } from '../model/format.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { EXIT_CODES } from '../model/plan/outcome.ts';
import { describeLock, parseLedgerKey } from '../usecases/ledger.ts';
import { IDENTITY_TABLE } from './identity.ts';
import type { Sample } from './metrics.ts';
import type { Ask } from './database.ts';
import { DEAD, QUEUE } from './queue.ts';
import type { OnInvalid } from './rows.ts';
import { shown } from './rows.ts';

export interface AccountStatus {
  readonly account: string;
  readonly outcome: OutcomeWord;
  readonly drift: number;
  readonly inFlight: number;
  readonly endedAtMs: number;
  /** Why it did not end well. */
  readonly reason?: string;
  readonly ledgerAtMs?: number;
}

/** Two statements of this kind at the same time may meet in PostgreSQL's catalogue: then it is there. */
const ALREADY_THERE = ['23505', '42P07', '42701'];
export const NO_TABLE = '42P01';

export async function createStatus(ask: Ask): Promise<void> {
  try {
    await ask('CREATE SCHEMA IF NOT EXISTS hostwright', []);
    await ask(
      `CREATE TABLE IF NOT EXISTS hostwright.account_run (
         account text PRIMARY KEY, outcome text NOT NULL, drift integer NOT NULL, in_flight integer NOT NULL,
         ended_at timestamptz NOT NULL, ledger_at timestamptz, reason text)`,
      [],
    );
    await ask(IDENTITY_TABLE, []);
    // Only who owns the table may alter it, also where there is nothing to alter.
    const { rows } = await ask(
      `SELECT 1 FROM information_schema.columns
       WHERE table_schema = 'hostwright' AND table_name = 'account_run' AND column_name = 'reason'`,
      [],
    );
    if (rows.length === 0) await ask('ALTER TABLE hostwright.account_run ADD COLUMN reason text', []);
  } catch (error) {
    if (!ALREADY_THERE.includes(codeOf(error))) throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as { readonly code?: string }).code ?? '';
}

/** Notes how a run ended; an older end than the one that is known changes nothing. */
export async function noteStatus(ask: Ask, status: AccountStatus): Promise<void> {
  const { account, outcome, drift, inFlight, endedAtMs, reason, ledgerAtMs } = status;
  await ask(
    `INSERT INTO hostwright.account_run AS known (account, outcome, drift, in_flight, ended_at, ledger_at, reason)
     VALUES ($1, $2, $3, $4, to_timestamp($5::double precision), to_timestamp($6::double precision), $7)
     ON CONFLICT (account) DO UPDATE
       SET outcome = excluded.outcome, drift = excluded.drift, in_flight = excluded.in_flight,
           ended_at = excluded.ended_at, ledger_at = COALESCE(excluded.ledger_at, known.ledger_at), reason = excluded.reason
       WHERE known.ended_at <= excluded.ended_at`,
    [
      account,
      outcome,
      drift,
      inFlight,
      endedAtMs / 1000,
      ledgerAtMs === undefined ? null : ledgerAtMs / 1000,
      reason ?? null,
    ],
  );
}

/** How workers stand: what `hostwright serve worker status`, the metrics and the page of operators are made of. */
export type WorkStatus = Required<Pick<Work, 'queue' | 'accounts'>>;

/** One row an account, without what has never run. An older worker may have made a table without reasons. */
const RUNS = `SELECT account, outcome, drift, in_flight, ended_at, ledger_at, to_jsonb(known)->>'reason' AS reason
  FROM hostwright.account_run AS known`;
/** The tables of jobs and schedules are a documented part of pg-boss. */
const REQUESTS = `SELECT COALESCE(singleton_key, data->>'account') AS account, name, state::text AS state, data->>'run' AS run,
    count(*)::int AS count, max(retry_count)::int AS retries, min(created_on) AS since,
    min(start_after) AS starts, now() AS now,
    extract(epoch FROM now() - min(start_after) FILTER (WHERE start_after <= now()))::double precision AS oldest,
    (array_agg(data->>'why' ORDER BY created_on DESC))[1] AS why,
    (array_agg(COALESCE(output, source_output)->>'message' ORDER BY created_on DESC))[1] AS reason
  FROM pgboss.job WHERE name IN ($1, $2) AND state < 'completed' GROUP BY 1, 2, 3, 4 ORDER BY min(created_on)`;
const SCHEDULED = "SELECT data->>'account' AS account FROM pgboss.schedule WHERE name = $1";
const LOCKS = 'SELECT account, record::text AS record FROM hostwright.ledger_lock';

/** What the database says now. Rejects where it cannot be asked, or where no worker has ever used it. */
export async function readWorkStatus(ask: Ask, onInvalid: OnInvalid = () => undefined): Promise<WorkStatus> {
  const [runs, requests, scheduled, locks] = await Promise.all([
    ask(RUNS, []) as Promise<{ readonly rows: readonly RunRow[] }>,
    ask(REQUESTS, [QUEUE, DEAD]) as Promise<{ readonly rows: readonly RequestRow[] }>,
    ask(SCHEDULED, [QUEUE]) as Promise<{ readonly rows: readonly { readonly account: string }[] }>,
    // There are none where all ledgers are elsewhere.
    ask(LOCKS, []).catch((error: unknown) => {
      if (codeOf(error) !== NO_TABLE) throw error;
      return { rows: [] };
    }) as Promise<{ readonly rows: readonly { readonly account: string; readonly record: string }[] }>,
  ]);
  const lastRuns = new Map<string, LastRun>();
  for (const row of runs.rows) {
    const found = lastRunOf(row);
    if (typeof found !== 'string') lastRuns.set(row.account, found);
    else onInvalid({ store: 'hostwright.account_run', account: row.account, reason: found });
  }
  const asked = new Map<string, Requests[]>();
  for (const row of requests.rows) {
    const account = row.account ?? 'no account';
    const found = requestsOf(row);
    if (typeof found !== 'string' && row.account !== null) asked.set(account, [...(asked.get(account) ?? []), found]);
    else
      onInvalid({ store: 'hostwright-runs', account, reason: typeof found === 'string' ? found : 'it has no account' });
  }
  const holders = new Map(
    locks.rows.map(({ account: key, record }) => [parseLedgerKey(key).account, describeLock(record)]),
  );
  const known = new Set([
    ...lastRuns.keys(),
    ...asked.keys(),
    ...holders.keys(),
    ...scheduled.rows.map(({ account }) => account).filter((account) => typeof account === 'string'),
  ]);
  const sum = (state: Requests['state']): number =>
    requests.rows.reduce((total, row) => total + (stateOf(row) === state ? row.count : 0), 0);
  const waits = requests.rows.filter((row) => ['waiting', 'retrying'].includes(stateOf(row)));
  return {
    queue: {
      waiting: sum('waiting'),
      retrying: sum('retrying'),
      active: sum('active'),
      givenUp: sum('given-up'),
      oldestSeconds: Math.round(Math.max(0, ...waits.map(({ oldest }) => oldest ?? 0))),
    },
    accounts: [...known].sort().map((account): Account => {
      const [lastRun, heldBy] = [lastRuns.get(account), holders.get(account)];
      return {
        account,
        ...(lastRun !== undefined && { lastRun }),
        requests: asked.get(account) ?? [],
        ...(heldBy !== undefined && { heldBy }),
      };
    }),
  };
}

interface RunRow {
  readonly account: string;
  readonly outcome: LastRun['outcome'];
  readonly drift: number;
  readonly in_flight: number;
  readonly ended_at: Date;
  readonly ledger_at: Date | null;
  readonly reason: string | null;
}

function lastRunOf({
  outcome,
  drift,
  in_flight: inFlight,
  ended_at: ended,
  ledger_at: ledger,
  reason,
}: RunRow): LastRun | string {
  if (!Object.hasOwn(EXIT_CODES, outcome)) return `its outcome is ${quote(shown(outcome))}`;
  if (drift < 0 || inFlight < 0) return 'it has a negative number';
  if (!isTime(ended) || (ledger !== null && !isTime(ledger))) return 'it has no valid time';
  return {
    outcome,
    endedAt: ended.toISOString(),
    drift,
    inFlight,
    // An older worker writes none, and leaves that of an earlier run.
    ...(reason !== null && !isGood(outcome) && { reason: reason.slice(0, MOST_TEXT) }),
    ...(ledger !== null && { ledgerAt: ledger.toISOString() }),
  };
}

const MOST_TEXT = 2000;

/** `infinity` is a time to PostgreSQL. */
function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

interface RequestRow {
  readonly account: string | null;
  readonly name: string;
  readonly state: string;
  readonly run: Requests['run'];
  readonly count: number;
  readonly retries: number;
  readonly since: Date;
  readonly starts: Date;
  readonly now: Date;
  readonly oldest: number | null;
  readonly why: string | null;
  readonly reason: string | null;
}

function stateOf({ name, state }: RequestRow): Requests['state'] {
  if (name === DEAD) return 'given-up';
  return state === 'active' ? 'active' : state === 'retry' ? 'retrying' : 'waiting';
}

function requestsOf(row: RequestRow): Requests | string {
  if (row.run !== 'apply' && row.run !== 'drift') return `its run is ${quote(shown(row.run))}`;
  if (!isTime(row.since) || !isTime(row.starts)) return 'it has no valid time';
  const { run, count, retries, since, starts, now, why, reason } = row;
  const state = stateOf(row);
  const isBegun = state === 'active' || state === 'retrying';
  return {
    state,
    run,
    count,
    attempts: retries + (isBegun ? 1 : 0),
    since: since.toISOString(),
    ...((state === 'waiting' || state === 'retrying') && starts > now && { startsAt: starts.toISOString() }),
    ...(why !== null && { why: why.slice(0, MOST_TEXT) }),
    ...(reason !== null && { reason: reason.slice(0, MOST_TEXT) }),
  };
}

/** The run could look at all that is declared. */
export function isGood(outcome: OutcomeWord): boolean {
  return ['done', 'differences', 'waiting'].includes(outcome);
}

/** The gauges of it, of the accounts that this worker has workspaces of. */
export function samplesOf(
  { queue, accounts }: WorkStatus,
  own: { readonly has: (account: string) => boolean },
): readonly Sample[] {
  const seconds = (at: string): number => Date.parse(at) / 1000;
  return [
    { metric: 'waiting', value: queue.waiting },
    { metric: 'retrying', value: queue.retrying },
    { metric: 'running', value: queue.active },
    { metric: 'dead', value: queue.givenUp },
    { metric: 'oldest', value: queue.oldestSeconds },
    ...accounts.flatMap(({ account, lastRun }): readonly Sample[] => {
      if (lastRun === undefined || !own.has(account)) return [];
      const labels = { account };
      return [
        { metric: 'drift', labels, value: lastRun.drift },
        { metric: 'inFlight', labels, value: lastRun.inFlight },
        { metric: 'ok', labels, value: isGood(lastRun.outcome) ? 1 : 0 },
        { metric: 'lastRun', labels, value: seconds(lastRun.endedAt) },
        ...(lastRun.ledgerAt === undefined
          ? []
          : [{ metric: 'ledger', labels, value: seconds(lastRun.ledgerAt) } as const]),
      ];
    }),
  ];
}
