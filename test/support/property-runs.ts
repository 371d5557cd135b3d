// How many random cases there are: a twentieth of them for every change, all in `npm run test:all`, as many as wanted by
// HOSTWRIGHT_PROPERTY_RUNS. With 1000, which is all, 2,000 sites and mailspaces are really run; the others follow.
import { isWhole } from './whole.ts';

const RUNS = Number(process.env.HOSTWRIGHT_PROPERTY_RUNS ?? (isWhole ? 1_000 : 50));

/** A property that is tried `most` times among a thousand whole runs. */
export function runsOf(most: number): number {
  return Math.max(1, Math.ceil((most * RUNS) / 1_000));
}

/**
 * The same cases for everybody, so that a change is judged by itself; others by HOSTWRIGHT_PROPERTY_SEED, such as the
 * one that a failure printed.
 */
export function seedOf(): { readonly seed: number } {
  return { seed: Number(process.env.HOSTWRIGHT_PROPERTY_SEED ?? 1) };
}
