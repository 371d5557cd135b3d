// What a worker counts.
import type { Counters, Metric, Sample as SampleOf } from '../events/counters.ts';
import { countersOf } from '../events/counters.ts';

/** Every metric that there is, in the order in which they are told. */
export const METRICS = {
  info: {
    name: 'hostwright_worker_info',
    type: 'gauge',
    help: 'Always 1; says the version of this worker.',
    labels: ['version'],
  },
  accounts: { name: 'hostwright_accounts', type: 'gauge', help: 'Accounts that this worker has workspaces of.' },
  active: { name: 'hostwright_runs_active', type: 'gauge', help: 'Runs of this worker that are under way.' },
  runs: {
    name: 'hostwright_runs_total',
    type: 'counter',
    help: 'Runs that this worker ended, by how they ended.',
    labels: ['run', 'outcome'],
  },
  seconds: { name: 'hostwright_run_seconds', type: 'histogram', help: 'How long the runs of this worker took.' },
  delay: {
    name: 'hostwright_start_delay_seconds',
    type: 'histogram',
    help: 'From the request to the start of its first run.',
  },
  requests: {
    name: 'hostwright_requests_total',
    type: 'counter',
    help: 'Requests of this worker to the platform, retries included.',
  },
  refusals: {
    name: 'hostwright_refusals_total',
    type: 'counter',
    help: 'What kept runs of this worker from ending well, by the code of the diagnostic.',
    labels: ['code'],
  },
  up: {
    name: 'hostwright_queue_up',
    type: 'gauge',
    help: '1 when the database of the queue answers, else 0: then what is about the queue and the accounts is missing.',
  },
  waiting: { name: 'hostwright_queue_waiting', type: 'gauge', help: 'Requests in the queue that wait for a run.' },
  retrying: { name: 'hostwright_queue_retrying', type: 'gauge', help: 'Requests whose run failed and is made again.' },
  running: { name: 'hostwright_queue_active', type: 'gauge', help: 'Runs that are under way in all workers.' },
  dead: { name: 'hostwright_queue_dead', type: 'gauge', help: 'Requests that were given up after the last retry.' },
  oldest: {
    name: 'hostwright_queue_oldest_seconds',
    type: 'gauge',
    help: 'How long the request that has waited longest could have been run.',
  },
  drift: {
    name: 'hostwright_account_drift',
    type: 'gauge',
    help: 'Objects of the account that differ.',
    labels: ['account'],
  },
  inFlight: {
    name: 'hostwright_account_in_flight',
    type: 'gauge',
    help: 'Objects of the account that an apply began and did not finish.',
    labels: ['account'],
  },
  ok: {
    name: 'hostwright_account_ok',
    type: 'gauge',
    help: '1 when the last run of the account could look at all that is declared, else 0.',
    labels: ['account'],
  },
  lastRun: {
    name: 'hostwright_account_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the last run of the account ended, in any worker.',
    labels: ['account'],
  },
  ledger: {
    name: 'hostwright_account_ledger_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest entry of the ledger of the account was applied.',
    labels: ['account'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricKey = keyof typeof METRICS;
export type Sample = SampleOf<MetricKey>;

export const createCounters = (): Counters<MetricKey> => countersOf(METRICS);
