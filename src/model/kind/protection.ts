// What a field says about protection: which of its changes let through what was stopped before, or may.
import type { Json, JsonObject } from '../json.ts';

/** The change of one field, and the whole object: `before` is null when it is made, `after` when it is removed. */
export interface ProtectionChange {
  readonly was: Json | undefined;
  readonly value: Json | undefined;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/**
 * True when the change lowers protection, and when nobody can know that it does not. Asked where the value differs, and
 * of every field of what is removed.
 */
export type Lowers = (change: ProtectionChange) => boolean;
