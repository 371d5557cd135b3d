// How what no longer matches is told: three ways, by what was last applied, what the manifests say and what is live.
// Outside every digest.
import type { Address } from '../address.ts';
import type { SourcePosition } from '../diagnostic.ts';
import type { Json } from '../json.ts';

/**
 * pending: live is as last applied, the manifest is not: somebody changed it and nobody applied. drifted: the manifest
 * is as last applied, live is not: changed out of band. both: each changed. differs: what was last applied is not
 * known. in-flight: an earlier run began it.
 */
export type DriftClass = 'pending' | 'drifted' | 'both' | 'differs' | 'in-flight';

/** One field. A side that is absent has nothing there; `applied` of what `differs` is not known. */
export interface DriftedField {
  readonly path: string;
  readonly class: DriftClass;
  readonly applied?: Json;
  readonly manifest?: Json;
  readonly live?: Json;
  /** The sides are `rotate` marks of something that cannot be read. */
  readonly rotationToken?: true;
  /** Where in the sides there is something about a person, as pointers. */
  readonly personal?: readonly string[];
}

/** Work that the platform's history shows and that may be what changed it. */
export interface ActivityEntry {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** As the platform names them: about a person. */
  readonly by?: string;
}

/** One object. */
export interface DriftItem {
  readonly address: Address;
  readonly class: DriftClass;
  /** missing: declared and not live. extra: live and not declared. */
  readonly is: 'changed' | 'missing' | 'extra' | 'in-flight';
  readonly fields: readonly DriftedField[];
  /** When what was last applied was written down. ISO 8601, in UTC. */
  readonly appliedAt?: string;
  /**
   * What the platform's history shows since then that fits, newest first. Absent: nothing does, or it was not asked.
   */
  readonly activity?: readonly ActivityEntry[];
  readonly source?: SourcePosition;
}

/** The lists of a plan that something may be told in, beside those of a class. */
export type ReportedAs =
  DriftClass | 'blocked' | 'unknown' | 'waiting' | 'manual' | 'deferred' | 'unmanaged' | 'orphaned';

/** What this run was told to leave out: it is counted and named, and decides nothing. */
export interface IgnoredDrift {
  readonly address: Address;
  /** One field; absent: the whole object. */
  readonly path?: string;
  readonly as: ReportedAs;
  /** The `--ignore` that named it. */
  readonly by: string;
}

/** In the order in which they are shown: what needs a person first. */
export const DRIFT_CLASSES: readonly DriftClass[] = ['both', 'drifted', 'differs', 'pending', 'in-flight'];
