// Decides how a kind says where the platform keeps a history of its objects, and which entries of it fit a change. Only
// where the documents say that such a change leaves an entry. Must not take an entry for proof: it says what was done,
// not what it changed.
import type { Json } from '../json.ts';

/** An entry of the history. */
export interface TraceEntry {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly atMs: number;
  readonly by?: string;
}

export interface TraceDefinition {
  /** The one read that has it, by the id of the parent. */
  readonly path: (parentId: string) => string;
  /** The entries in an answer; what of them is not as the documents say is left out. */
  readonly decode: (answer: Json) => readonly TraceEntry[];
  /** True where an entry may be about this field of this object. */
  readonly fits: (entry: TraceEntry, identity: string, field: string) => boolean;
}
