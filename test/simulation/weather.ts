// The faults of a simulation. Each is on or off per seed, so that some seeds have one fault alone and reach deep into it.
import type { Chance } from './chance.ts';

/** Probabilities per message or event, and durations in milliseconds. Zero switches a fault off. */
export interface Weather {
  /** A process dies before or after one of its events. */
  readonly crash: number;
  /** A request never arrives, or its response never comes back. */
  readonly loss: number;
  /** A message takes up to `lateMs`. */
  readonly late: number;
  readonly lateMs: number;
  /** A read is delivered twice (a proxy that retries reads; TCP delivers no write twice). */
  readonly duplicate: number;
  /** How long lists do not show a completed write. */
  readonly listLagMs: number;
  /** The platform responds 429 with any Retry-After. */
  readonly tooMany: number;
  /** A burst of 5xx begins; writes in it may or may not have been carried out. */
  readonly outage: number;
  /** Clocks of hosts differ by up to this. */
  readonly skewMs: number;
  /** A process stops for longer than the job of a lock holder is waited for. */
  readonly pause: number;
  readonly pauseMs: number;
  /** The ledger store fails: before the write, after it, or with half of it. */
  readonly store: number;
  /** The ledger store returns an older state to a reader without the lock. */
  readonly staleStore: number;
  /** The forge reports that a job has ended while it still runs. */
  readonly forgeLies: number;
}

const CALM: Weather = {
  crash: 0,
  loss: 0,
  late: 0,
  lateMs: 0,
  duplicate: 0,
  listLagMs: 0,
  tooMany: 0,
  outage: 0,
  skewMs: 0,
  pause: 0,
  pauseMs: 0,
  store: 0,
  staleStore: 0,
  forgeLies: 0,
};

/** What each fault is when it is on. */
const STORMS: Readonly<Record<string, Partial<Weather>>> = {
  crash: { crash: 0.015 },
  loss: { loss: 0.04 },
  late: { late: 0.05, lateMs: 120_000 },
  duplicate: { duplicate: 0.03 },
  lag: { listLagMs: 25_000 },
  'too-many': { tooMany: 0.03 },
  outage: { outage: 0.01 },
  skew: { skewMs: 600_000 },
  pause: { pause: 0.003, pauseMs: 900_000 },
  store: { store: 0.02 },
  'stale-store': { staleStore: 0.05 },
  forge: { forgeLies: 0.2 },
};

export const WEATHERS = ['swarm', 'calm', 'all', ...Object.keys(STORMS)];

/** Returns the weather of a seed: for `swarm` each fault is on with probability one half. */
export function weatherOf(name: string, chance: Chance): Weather {
  const on = Object.keys(STORMS).filter(
    (storm) => name === 'all' || name === storm || (name === 'swarm' && chance.hits(0.5, 'weather', storm)),
  );
  return Object.assign({}, CALM, ...on.map((storm) => STORMS[storm])) as Weather;
}
