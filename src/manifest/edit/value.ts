// What a document is once a place in it holds another value. Pure; must not know how a document is written.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, unescapePointer } from '../../model/json.ts';

/**
 * The value with another one at a JSON pointer, or with none. A mapping that is missing on the way there comes with it.
 */
export function withValueAt(value: Json | undefined, pointer: string, wanted: Json | undefined): Json {
  return changed(value, pointer.split('/').slice(1).map(unescapePointer), wanted) as Json;
}

function changed(
  value: Json | undefined,
  [token, ...rest]: readonly string[],
  wanted: Json | undefined,
): Json | undefined {
  if (token === undefined) return wanted;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const index = token === '-' ? items.length : Number(token);
    const below = changed(items[index], rest, wanted);
    return below === undefined ? items.toSpliced(index, 1) : items.toSpliced(index, 1, below);
  }
  const before: JsonObject = isJsonObject(value) ? value : {};
  const below = changed(before[token], rest, wanted);
  const others = new Map(Object.entries(before));
  if (below === undefined) others.delete(token);
  else others.set(token, below);
  return Object.fromEntries(others);
}
