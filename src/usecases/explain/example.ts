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
  const whole = (document.examples ?? []).filter((example) => isJsonObject(example));
  const ways = (['around', 'own'] as const).flatMap((from) =>
    (['example', 'there'] as const).flatMap((leaf) =>
      (['required', 'all'] as const).map((keep): Way => ({ keep, leaf, from })),
    ),
  );
  const candidates = whole.flatMap((example) => ways.map((way) => grow(top(document), names, example, way)));
  return candidates.find(
    (candidate): candidate is JsonObject => isJsonObject(candidate) && holds(candidate, names) && isValid(candidate),
  );
}

/**
 * How an example is grown: with what is required beside the field, or all; with the field's own example, or what stands
 * there already; from what stands around it, or from an example of its own where a mapping takes one of several forms.
 */
interface Way {
  readonly keep: 'required' | 'all';
  readonly leaf: 'example' | 'there';
  readonly from: 'around' | 'own';
}

/** The example of a place with the field in it. */
function grow(
  place: Place,
  [name, ...rest]: readonly string[],
  inherited: Json | undefined,
  way: Way,
): Json | undefined {
  const { schema, document, path } = place;
  const { keep, leaf, from } = way;
  if (name === undefined) return leaf === 'there' ? (inherited ?? schema.examples?.[0]) : schema.examples?.[0];
  const example = schema.examples?.find((one) => holds(one, [name]));
  const isOther = from === 'own' && example !== undefined && !holds(inherited, [name]);
  const own = isOther ? example : (inherited ?? example ?? schema.examples?.[0]);
  if (fieldOf(place, name)?.path.startsWith(`${path}[]`) === true)
    return Array.isArray(own) ? growItem(place, [name, ...rest], own, way) : undefined;
  const field = fieldOf(place, name);
  if (field === undefined) return undefined;
  const form = formWith(document, schema, name);
  const base = isJsonObject(own) ? own : form?.examples?.find((example) => isJsonObject(example));
  const there = Object.entries(isJsonObject(base) ? base : {});
  const needed = there.filter(([key]) => form?.required?.includes(key) === true);
  const isEnough = new Set([name, ...needed.map(([key]) => key)]).size >= (form?.minProperties ?? 0);
  const kept = keep === 'all' || isOther || !isEnough ? there : needed;
  const value = grow(field, rest, isJsonObject(base) ? base[name] : undefined, way);
  if (value === undefined) return undefined;
  const before = Object.fromEntries(kept);
  // A field keeps its place, so that the example reads as others do.
  return { ...before, ...(keep === 'required' && { ...requiredOf(document, form, before) }), [name]: value };
}

function growItem(
  { schema, document, path, required }: Place,
  names: readonly string[],
  own: readonly Json[],
  way: Way,
): Json | undefined {
  const place = {
    document,
    schema: resolved(
      document,
      schema.items ??
        schema.oneOf?.map((branch) => resolved(document, branch)).find(({ type }) => type === 'array')?.items ??
        {},
    ),
    path,
    required,
  };
  const item =
    own.find((one) => isJsonObject(one) && Object.hasOwn(one, names[0] as string)) ??
    own.find((one) => isJsonObject(one));
  const grown = grow(place, names, item, way);
  return grown === undefined ? undefined : [grown];
}

/** The form of a value that has the field. */
function formWith(document: Schema, schema: Schema, name: string): Schema | undefined {
  if (schema.oneOf === undefined) return schema;
  return schema.oneOf
    .map((branch) => resolved(document, branch))
    .find((branch) => branch.type === 'object' && Object.hasOwn(branch.properties ?? {}, name));
}

/** What a mapping needs and its example does not have. */
function requiredOf(document: Schema, form: Schema | undefined, there: JsonObject): JsonObject {
  const missing = (form?.required ?? []).filter((name) => !Object.hasOwn(there, name));
  return Object.fromEntries(
    missing.flatMap((name) => {
      const example = resolved(document, form?.properties?.[name] ?? {}).examples?.[0];
      return example === undefined ? [] : [[name, example] as const];
    }),
  );
}

function holds(value: Json | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item: Json) => holds(item, [name, ...rest]));
  return isJsonObject(value) && Object.hasOwn(value, name) && holds(value[name], rest);
}
