// How many random cases there are: few enough for every change, as many as wanted by HOSTWRIGHT_PROPERTY_RUNS (1000, as
// usual, is 2,000 sites and mailspaces that are really run; the others follow).

const USUAL_RUNS = 1_000;

/** A property that is tried `usual` times among a thousand whole runs. */
export function runsOf(usual: number): number {
  return Math.max(1, Math.ceil((usual * Number(process.env.HOSTWRIGHT_PROPERTY_RUNS ?? USUAL_RUNS)) / USUAL_RUNS));
}

/**
 * The same cases for everybody, so that a change is judged by itself; others by HOSTWRIGHT_PROPERTY_SEED, such as the
 * one that a failure printed.
 */
export function seedOf(): { readonly seed: number } {
  return { seed: Number(process.env.HOSTWRIGHT_PROPERTY_SEED ?? 1) };
}
