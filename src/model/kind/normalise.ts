// The one form in which wanted and live documents are compared. Runs on both sides alike, or the same thing would
// differ.
import { compareText } from '../address.ts';
import type { Json, JsonObject } from '../json.ts';
import { canonicalJson } from '../json.ts';
import type { Kind } from './kind.ts';

/** The kind's own normal form, then sets sorted and without repeats. Idempotent. */
export function normaliseSpec(kind: Kind, spec: JsonObject): JsonObject {
  const normalised = kind.normalise(spec);
  return Object.fromEntries(
    Object.entries(normalised).map(([field, value]) => [
      field,
      kind.fields[field]?.shape === 'set' && Array.isArray(value) ? sortedSet(value) : value,
    ]),
  );
}

function sortedSet(items: readonly Json[]): readonly Json[] {
  const byText = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...byText.entries()].sort(([left], [right]) => compareText(left, right)).map(([, item]) => item);
}
