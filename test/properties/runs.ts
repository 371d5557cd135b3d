// How many random cases there are: few enough for every change, as many as wanted by HOSTWRIGHT_PROPERTY_RUNS (the number of whole runs; the others follow).

const USUAL_RUNS = 1_000;

/** A property that is tried `usual` times among a thousand whole runs. */
export function runsOf(usual: number): number {
  return Math.max(1, Math.ceil((usual * Number(process.env.HOSTWRIGHT_PROPERTY_RUNS ?? USUAL_RUNS)) / USUAL_RUNS));
}

/** The seed that a failure printed. */
export function seedOf(): { readonly seed?: number } {
  const seed = process.env.HOSTWRIGHT_PROPERTY_SEED;
  return seed === undefined ? {} : { seed: Number(seed) };
}
