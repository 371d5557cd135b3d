// What a worker counts, and how Prometheus reads it (text format 0.0.4).

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
}

/** Every metric that there is, in the order in which they are told. */
export const METRICS = {
  info: { name: 'hostwright_worker_info', type: 'gauge', help: 'Always 1; says the version of this worker.' },
  accounts: { name: 'hostwright_accounts', type: 'gauge', help: 'Accounts that this worker has workspaces of.' },
  active: { name: 'hostwright_runs_active', type: 'gauge', help: 'Runs of this worker that are under way.' },
  runs: { name: 'hostwright_runs_total', type: 'counter', help: 'Runs that this worker ended, by how they ended.' },
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
  drift: { name: 'hostwright_account_drift', type: 'gauge', help: 'Objects of the account that differ.' },
  inFlight: {
    name: 'hostwright_account_in_flight',
    type: 'gauge',
    help: 'Objects of the account that an apply began and did not finish.',
  },
  ok: {
    name: 'hostwright_account_ok',
    type: 'gauge',
    help: '1 when the last run of the account could look at all that is declared, else 0.',
  },
  lastRun: {
    name: 'hostwright_account_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the last run of the account ended, in any worker.',
  },
  ledger: {
    name: 'hostwright_account_ledger_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest entry of the ledger of the account was applied.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricKey = keyof typeof METRICS;
export type Labels = Readonly<Record<string, string>>;

/** One line: of which metric, and what it is now. */
export interface Sample {
  readonly metric: MetricKey;
  readonly labels?: Labels;
  readonly value: number;
}

/** Seconds. */
const BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800];

export interface Counters {
  readonly add: (metric: MetricKey, labels?: Labels, by?: number) => void;
  readonly observe: (metric: MetricKey, seconds: number) => void;
  /** As text, with what is known at this moment beside what was counted. */
  readonly render: (now: readonly Sample[]) => string;
}

export function createCounters(): Counters {
  const counts = new Map<MetricKey, Map<string, number>>();
  const observed = new Map<MetricKey, { readonly buckets: number[]; sum: number; count: number }>();
  const linesOf = (key: MetricKey, now: readonly Sample[]): readonly string[] => {
    const { name, type } = METRICS[key];
    if (type === 'histogram') {
      const { buckets, sum, count } = observed.get(key) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      return [
        ...buckets.map((value, index) => `${name}_bucket{le="${BUCKETS[index]}"} ${value}`),
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${sum}`,
        `${name}_count ${count}`,
      ];
    }
    const counted = [...(counts.get(key) ?? [])].map(([labels, value]) => `${name}${labels} ${value}`);
    const known = now
      .filter(({ metric }) => metric === key)
      .map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
    return [...counted, ...known];
  };
  return {
    add: (metric, labels = {}, by = 1) => {
      const text = labelText(labels);
      const series = counts.get(metric) ?? new Map<string, number>();
      counts.set(metric, series.set(text, (series.get(text) ?? 0) + by));
    },
    observe: (metric, seconds) => {
      const one = observed.get(metric) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      observed.set(metric, one);
      one.sum += seconds;
      one.count += 1;
      for (const [index, most] of BUCKETS.entries())
        if (seconds <= most) one.buckets[index] = (one.buckets[index] ?? 0) + 1;
    },
    render: (now) =>
      (Object.keys(METRICS) as MetricKey[])
        .flatMap((key) => {
          const { name, help, type } = METRICS[key];
          return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...linesOf(key, now), ''];
        })
        .filter((line) => line !== '')
        .join('\n')
        .concat('\n'),
  };
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
