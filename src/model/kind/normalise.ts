// The one form in which wanted and live documents are compared. Runs on both sides alike, or the same thing would
// differ.
import { compareText } from '../address.ts';
import type { Json, JsonObject } from '../json.ts';
import { canonicalJson } from '../json.ts';
import type { Fields } from './field.ts';
import type { Kind } from './kind.ts';

/** The kind's own normal form, then sets sorted and without repeats. Idempotent. */
export function normaliseSpec(kind: Kind, spec: JsonObject): JsonObject {
  const normalised = kind.normalise(spec);
  let sorted: Record<string, Json> | undefined;
  for (const field of setsIn(kind.fields)) {
    const value = normalised[field];
    if (!Array.isArray(value)) continue;
    const set = sortedSet(value as readonly Json[]);
    if (set !== value) (sorted ??= { ...normalised })[field] = set;
  }
  return sorted ?? normalised;
}

const sets = new WeakMap<Fields, readonly string[]>();

function setsIn(fields: Fields): readonly string[] {
  const known = sets.get(fields);
  if (known !== undefined) return known;
  const found = Object.keys(fields).filter((field) => fields[field]?.shape === 'set');
  sets.set(fields, found);
  return found;
}

/** The list itself where it is in order already. */
function sortedSet(items: readonly Json[]): readonly Json[] {
  if (items.length < 2) return items;
  const texts = items.map(canonicalJson);
  if (texts.every((text, index) => index === 0 || (texts[index - 1] as string) < text)) return items;
  const byText = new Map(texts.map((text, index) => [text, items[index] as Json]));
  return [...byText.entries()].sort(([left], [right]) => compareText(left, right)).map(([, item]) => item);
}
