// What all workers know together: how the last run of each account ended, and what is in the queue. It is kept in the
// database, so that every worker tells the same of an account, whichever of them ran it last.
import type { PgBoss } from 'pg-boss';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { Sample } from './metrics.ts';
import { DEAD, QUEUE } from './queue.ts';

export interface AccountStatus {
  readonly account: string;
  readonly outcome: OutcomeWord;
  readonly drift: number;
  readonly inFlight: number;
  readonly endedAtMs: number;
  readonly ledgerAtMs?: number;
}

type Database = ReturnType<PgBoss['getDb']>;

/** Two statements of this kind at the same time may meet in PostgreSQL's catalogue: then it is there. */
const ALREADY_THERE = ['23505', '42P07'];

export async function createStatus(db: Database): Promise<void> {
  try {
    await db.executeSql('CREATE SCHEMA IF NOT EXISTS hostwright');
    await db.executeSql(
      `CREATE TABLE IF NOT EXISTS hostwright.account_run (
         account text PRIMARY KEY, outcome text NOT NULL, drift integer NOT NULL, in_flight integer NOT NULL,
         ended_at timestamptz NOT NULL, ledger_at timestamptz)`,
    );
  } catch (error) {
    if (!ALREADY_THERE.includes((error as { readonly code?: string }).code ?? '')) throw error;
  }
}

/** Notes how a run ended; an older end than the one that is known changes nothing. */
export async function noteStatus(db: Database, status: AccountStatus): Promise<void> {
  const { account, outcome, drift, inFlight, endedAtMs, ledgerAtMs } = status;
  await db.executeSql(
    `INSERT INTO hostwright.account_run AS known (account, outcome, drift, in_flight, ended_at, ledger_at)
     VALUES ($1, $2, $3, $4, to_timestamp($5::double precision), to_timestamp($6::double precision))
     ON CONFLICT (account) DO UPDATE
       SET outcome = excluded.outcome, drift = excluded.drift, in_flight = excluded.in_flight,
           ended_at = excluded.ended_at, ledger_at = COALESCE(excluded.ledger_at, known.ledger_at)
       WHERE known.ended_at <= excluded.ended_at`,
    [account, outcome, drift, inFlight, endedAtMs / 1000, ledgerAtMs === undefined ? null : ledgerAtMs / 1000],
  );
}

interface AccountRow {
  readonly account: string;
  readonly outcome: OutcomeWord;
  readonly drift: number;
  readonly in_flight: number;
  readonly ended: number;
  readonly ledger: number | null;
}

interface QueueRow {
  readonly name: string;
  readonly state: string;
  readonly count: number;
  readonly oldest: number | null;
}

/** What the database says now, of these accounts and of the queue. */
export async function readStatus(db: Database, accounts: ReadonlySet<string>): Promise<readonly Sample[]> {
  const [known, jobs] = await Promise.all([
    db.executeSql(
      `SELECT account, outcome, drift, in_flight, extract(epoch FROM ended_at)::double precision AS ended,
              extract(epoch FROM ledger_at)::double precision AS ledger
       FROM hostwright.account_run ORDER BY account`,
    ) as Promise<{ readonly rows: readonly AccountRow[] }>,
    // The table of jobs is a documented part of pg-boss.
    db.executeSql(
      `SELECT name, state::text AS state, count(*)::int AS count,
              extract(epoch FROM now() - min(start_after) FILTER (WHERE start_after <= now()))::double precision AS oldest
       FROM pgboss.job WHERE name IN ($1, $2) AND state < 'completed' GROUP BY name, state`,
      [QUEUE, DEAD],
    ) as Promise<{ readonly rows: readonly QueueRow[] }>,
  ]);
  const inState = (state: string): QueueRow | undefined =>
    jobs.rows.find((row) => row.name === QUEUE && row.state === state);
  const [waiting, retrying] = [inState('created'), inState('retry')];
  return [
    { metric: 'waiting', value: waiting?.count ?? 0 },
    { metric: 'retrying', value: retrying?.count ?? 0 },
    { metric: 'running', value: inState('active')?.count ?? 0 },
    { metric: 'dead', value: jobs.rows.filter(({ name }) => name === DEAD).reduce((sum, { count }) => sum + count, 0) },
    { metric: 'oldest', value: Math.max(0, waiting?.oldest ?? 0, retrying?.oldest ?? 0) },
    ...known.rows
      .filter(({ account }) => accounts.has(account))
      .flatMap(({ account, outcome, drift, in_flight: inFlight, ended, ledger }): readonly Sample[] => {
        const labels = { account };
        const isOk = ['done', 'differences', 'waiting'].includes(outcome);
        return [
          { metric: 'drift', labels, value: drift },
          { metric: 'inFlight', labels, value: inFlight },
          { metric: 'ok', labels, value: isOk ? 1 : 0 },
          { metric: 'lastRun', labels, value: ended },
          ...(ledger === null ? [] : [{ metric: 'ledger', labels, value: ledger } as const]),
        ];
      }),
  ];
}
