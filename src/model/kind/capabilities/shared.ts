// A live object that several declared members use: an edit through one of them changes it in all.
import type { JsonObject } from '../../json.ts';

export interface SharedDefinition {
  /**
   * Returns what tells the shared live object from others, where a write of these fields edits it in place; undefined
   * where it does not.
   */
  readonly key: (computed: JsonObject, fields: readonly string[]) => string | undefined;
  /** Returns all other uses of the object, also in roots that no manifest declares. */
  readonly uses: (computed: JsonObject) => readonly SharedUse[];
  /** Why the others change as well, for people. */
  readonly reason: string;
  readonly rule: string;
}

/** One use of a shared object: in the section of this kind, in the root with this natural key. */
export interface SharedUse {
  readonly root: string;
  readonly kind: string;
  /** Where the section has the fields of the object: `/admin`, or an empty text for the section itself. */
  readonly at: string;
}
