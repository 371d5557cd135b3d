// What a process counts, and how Prometheus reads it (text format 0.0.4).
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/** One line: of which metric, and what it is now. */
export interface Sample<Key extends string> {
  readonly metric: Key;
  readonly labels?: Labels;
  readonly value: number;
}

/** Seconds. */
const BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800];

export interface Counters<Key extends string> {
  readonly add: (metric: Key, labels?: Labels, by?: number) => void;
  readonly observe: (metric: Key, seconds: number) => void;
  /** As text, with what is known at this moment beside what was counted. */
  readonly render: (now: readonly Sample<Key>[]) => Promise<string>;
}

export function countersOf<Key extends string>(metrics: Readonly<Record<Key, Metric>>): Counters<Key> {
  const registry = new Registry();
  const counters = new Map<Key, Counter>();
  const gauges = new Map<Key, Gauge>();
  const histograms = new Map<Key, Histogram>();
  for (const [key, { type, labels = [], ...about }] of Object.entries(metrics) as [Key, Metric][]) {
    const options = { ...about, labelNames: labels, registers: [registry] };
    if (type === 'counter') counters.set(key, new Counter(options));
    else if (type === 'gauge') gauges.set(key, new Gauge(options));
    else histograms.set(key, new Histogram({ ...options, buckets: BUCKETS }));
  }
  return {
    add: (metric, labels = {}, by = 1) => counters.get(metric)?.inc(labels, by),
    observe: (metric, seconds) => histograms.get(metric)?.observe(seconds),
    render: (now) => {
      for (const [key, gauge] of gauges) {
        gauge.reset();
        // What is not known now is missing, and not 0.
        if (metrics[key].labels === undefined) gauge.remove();
      }
      for (const { metric, labels = {}, value } of now) gauges.get(metric)?.set(labels, value);
      return registry.metrics();
    },
  };
}
