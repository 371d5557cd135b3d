// What is live, was made or declared by us, and no manifest names any more. Nothing is done to it: a manifest, or a
// section of one, that is gone is not a delete. It is listed, with the lines that delete it and the lines that keep it.
import type { Address } from '../address.ts';
import type { SourcePosition } from '../diagnostic.ts';

export interface OrphanedObject {
  readonly address: Address;
  /** How the ledger knows it: `created` by a run of ours, or `recorded` when a manifest named it. Absent: it does not. */
  readonly made?: {
    readonly by: 'created' | 'recorded';
    /** ISO 8601, in UTC. Absent: an older ledger did not write it down. */
    readonly at?: string;
  };
  /** Where it stood before this branch removed it, as far as the earlier manifests were looked at. */
  readonly removedFrom?: SourcePosition;
  /** Of the live object that was seen. */
  readonly id?: string;
  /** Why nobody could look whether it is there. Absent: it was seen live. */
  readonly unread?: string;
}

/** What can be written into a manifest, or run. */
export interface OrphanedRemedy {
  /** Lines of YAML: under `spec:` of the manifest of its root; for a root a whole manifest. */
  readonly yaml?: string;
  readonly command?: string;
  /** Those that it is about. Absent: all. */
  readonly only?: readonly Address[];
  /** Why neither is there, and what to do instead. */
  readonly reason?: string;
}

/** All of them in one list of one object; a root stands by itself. */
export interface Orphaned {
  /** `Site/shop/EdgeRule`; of a root its own address. */
  readonly collection: string;
  readonly kind: string;
  readonly objects: readonly OrphanedObject[];
  /** The manifest of its root. Absent: of a root, whose manifest is gone. */
  readonly file?: string;
  /** Deletes all of them. Absent: they could not be looked at. */
  readonly remove?: OrphanedRemedy;
  /** Names all of them in a manifest again. Absent: they could not be looked at. */
  readonly keep?: OrphanedRemedy;
}
