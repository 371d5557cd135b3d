// What `lifecycle.ignore` takes out of a spec: what is ignored is as if it were not there, so it is neither managed nor
// read.
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, unescapePointer } from '../model/json.ts';

/** The spec without the values that these pointers name. */
export function withoutIgnored(spec: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce((rest, pointer) => without(rest, pointer.split('/').slice(1).map(unescapePointer)), spec);
}

function without(object: JsonObject, [first, ...below]: readonly string[]): JsonObject {
  if (first === undefined || !Object.hasOwn(object, first)) return object;
  const { [first]: value, ...rest } = object;
  if (below.length === 0) return rest;
  return isJsonObject(value) ? { ...object, [first]: without(value, below) } : object;
}
