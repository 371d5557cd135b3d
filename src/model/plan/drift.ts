// How what no longer matches is told: three ways, by what was last applied, what the manifests say and what is live.
// Outside every digest.
import type { DriftField, DriftItem, IgnoredDrift } from '../generated/output/plan.ts';

export type { ActivityEntry, DriftItem, IgnoredDrift } from '../generated/output/plan.ts';

/**
 * pending: live is as last applied, the manifest is not: somebody changed it and nobody applied. drifted: the manifest
 * is as last applied, live is not: changed out of band. both: each changed. differs: what was last applied is not
 * known. undeclared: no manifest declares it, and live is not as it was observed, which is what `applied` holds then.
 * in-flight: an earlier run began it.
 */
export type DriftClass = DriftItem['class'];

/** One field. A side that is absent has nothing there; `applied` of what `differs` is not known. */
export type DriftedField = DriftField;

/** The lists of a plan that something may be told in, beside those of a class. */
export type ReportedAs = IgnoredDrift['as'];

/** In the order in which they are shown: what needs a person first. */
export const DRIFT_CLASSES: readonly DriftClass[] = [
  'both',
  'drifted',
  'differs',
  'undeclared',
  'pending',
  'in-flight',
];
