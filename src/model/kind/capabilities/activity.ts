// How a kind says where the platform keeps a history of its objects, and which entries of it fit a change. Only where
// the documents say that such a change leaves an entry.
import type { Json } from '../../json.ts';

/** An entry of the history. */
export interface HistoryEntry {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly atMs: number;
  readonly by?: string;
}

export interface ActivityDefinition {
  /** The one read that has it, by the id of the parent. */
  readonly path: (parentId: string) => string;
  /** The entries in an answer; what of them is not as the documents say is left out. */
  readonly decode: (answer: Json) => readonly HistoryEntry[];
  /** True where an entry may be about this field of this object. */
  readonly fits: (entry: HistoryEntry, identity: string, field: string) => boolean;
}
