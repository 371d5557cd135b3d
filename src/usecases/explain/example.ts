// The shortest manifest that shows a field: what the field needs around it, from the examples of the schemas, and
// nothing else.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Place, Schema } from './schema.ts';
import { fieldOf, resolved, top } from './schema.ts';

/**
 * A manifest of the document's kind with these fields in it, one inside the other; undefined when no example of the
 * schema leads there.
 */
export function exampleOf(
  document: Schema,
  names: readonly string[],
  isValid: (manifest: JsonObject) => boolean,
): JsonObject | undefined {
  const [whole] = document.examples ?? [];
  return [false, true]
    .map((isOwn) => grow(top(document), names, whole, isOwn))
    .find((candidate): candidate is JsonObject => isJsonObject(candidate) && isValid(candidate));
}

/**
 * The example of a place with the field in it, and what is required beside it. `isOwn`: where what is inherited takes
 * another of several forms, an example of the field's own form is taken in its place.
 */
function grow(
  place: Place,
  [name, ...rest]: readonly string[],
  inherited: Json | undefined,
  isOwn: boolean,
): Json | undefined {
  const { schema, document, path } = place;
  if (name === undefined) return schema.examples?.[0];
  const field = fieldOf(place, name);
  if (field === undefined) return undefined;
  const example = schema.examples?.find((one) => holds(one, [name]));
  const isOther = isOwn && example !== undefined && !holds(inherited, [name]);
  const own = isOther ? example : (inherited ?? example ?? schema.examples?.[0]);
  if (field.path.startsWith(`${path}[]`)) {
    const items = { ...place, schema: resolved(document, schema.items ?? {}) };
    const item = Array.isArray(own) ? grow(items, [name, ...rest], own.find(isJsonObject), isOwn) : undefined;
    return item && [item];
  }
  const form = formWith(document, schema, name);
  const base = isJsonObject(own) ? own : {};
  const there = Object.entries(base);
  const needed = there.filter(([key]) => form?.required?.includes(key) === true);
  const isEnough = new Set([name, ...needed.map(([key]) => key)]).size >= (form?.minProperties ?? 0);
  const value = grow(field, rest, base[name], isOwn);
  if (value === undefined) return undefined;
  // A field keeps its place, so that the example reads as others do.
  return { ...Object.fromEntries(isOther || !isEnough ? there : needed), [name]: value };
}

/** The form of a value that has the field. */
function formWith(document: Schema, schema: Schema, name: string): Schema | undefined {
  if (schema.oneOf === undefined) return schema;
  return schema.oneOf
    .map((branch) => resolved(document, branch))
    .find((branch) => branch.type === 'object' && Object.hasOwn(branch.properties ?? {}, name));
}

function holds(value: Json | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item: Json) => holds(item, [name, ...rest]));
  return isJsonObject(value) && Object.hasOwn(value, name) && holds(value[name], rest);
}
