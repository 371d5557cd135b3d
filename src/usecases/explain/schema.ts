// What a JSON Schema says at one place: references followed, choices and lists looked into, in words.
import type { Json } from '../../model/json.ts';

/** As much of a JSON Schema as ours use. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly minProperties?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patternErrorMessage?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** One place of a schema, references followed. */
export interface Place {
  readonly document: Schema;
  readonly schema: Schema;
  /** `edgeRules[].triggers`, of the whole document. */
  readonly path: string;
  readonly required: boolean;
}

/** The whole document. */
export function top(document: Schema): Place {
  return { document, schema: document, path: '', required: true };
}

/** The field of this name in a mapping, in the items of a list, or in one of several forms. */
export function fieldOf(place: Place, name: string): Place | undefined {
  for (const { schema, path } of mappingsAt(place)) {
    const { properties = {}, additionalProperties, required = [] } = schema;
    const field = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof additionalProperties === 'object'
        ? additionalProperties
        : undefined;
    if (field !== undefined)
      return {
        document: place.document,
        schema: resolved(place.document, field),
        path: path === '' ? name : `${path}.${name}`,
        required: required.includes(name),
      };
  }
  return undefined;
}

/** The field that names lead to, one inside the other. */
export function placeAt(place: Place, names: readonly string[]): Place | undefined {
  return names.reduce<Place | undefined>((at, name) => at && fieldOf(at, name), place);
}

/** The names in a path such as `edgeRules[].triggers`. */
export function namesIn(path: string): readonly string[] {
  return path.replaceAll('[]', '').split('.');
}

/** Every field that can be written at a place, each once. */
export function fieldsOf(place: Place): readonly Place[] {
  const names = new Set(mappingsAt(place).flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
  return [...names].flatMap((name) => fieldOf(place, name) ?? []);
}

/** The mappings that a value at a place may be, or hold as items. */
function mappingsAt({ document, schema, path, required }: Place): readonly Place[] {
  const { type, items, oneOf } = schema;
  const below = (one: Schema, at: string): readonly Place[] =>
    mappingsAt({ document, schema: resolved(document, one), path: at, required });
  if (oneOf !== undefined) return oneOf.flatMap((branch) => below(branch, path));
  if (type === 'array') return below(items ?? {}, `${path}[]`);
  return type === 'object' ? [{ document, schema, path, required }] : [];
}

/** One form of a value. */
export interface Form {
  /** The field that chooses it; absent where the value itself has one of several forms. */
  readonly field?: string;
  readonly place: Place;
}

/**
 * The forms of which a value takes one, of the items of a list too: several branches, one of them with fields; or a
 * mapping that needs a field and requires none in particular.
 */
export function formsOf(place: Place): readonly Form[] {
  const { document, schema, path } = place;
  const { type, items, oneOf, minProperties, required = [], properties = {} } = schema;
  if (type === 'array') return formsOf({ ...place, schema: resolved(document, items ?? {}), path: `${path}[]` });
  if (oneOf !== undefined) {
    const branches = oneOf.map((branch) => ({ place: { ...place, schema: resolved(document, branch) } }));
    const hasFields = (form: Form): boolean => fieldsOf(form.place).length > 0;
    // A list of something in place of the one thing is its forms.
    const only = branches.length === 1 ? branches[0] : undefined;
    return only === undefined ? (branches.some(hasFields) ? branches : []) : formsOf(only.place);
  }
  if (type !== 'object' || minProperties !== 1 || required.length > 0) return [];
  return Object.keys(properties).flatMap((field) => {
    const at = fieldOf(place, field);
    return at === undefined || isPlain(document, at.schema) ? [] : [{ field, place: at }];
  });
}

/** A single value, whatever its form. */
function isPlain(document: Schema, unresolved: Schema): boolean {
  const { type, oneOf } = resolved(document, unresolved);
  return oneOf === undefined
    ? type !== 'object' && type !== 'array'
    : oneOf.every((branch) => isPlain(document, branch));
}

/** `list of text`, `text or mapping`. */
export function typeOf(document: Schema, unresolved: Schema): string {
  const schema = resolved(document, unresolved);
  if (schema.oneOf !== undefined)
    return [...new Set(schema.oneOf.map((branch) => typeOf(document, branch)))].join(' or ');
  if (schema.type === 'array') {
    const items = typeOf(document, schema.items ?? {});
    return `list of ${items.includes(' or ') ? `(${items})` : items}`;
  }
  if (schema.type === 'object' && schema.additionalProperties === true) return 'mapping of names to any value';
  if (schema.type === 'object')
    return schema.properties === undefined && typeof schema.additionalProperties === 'object'
      ? `mapping of names to ${typeOf(document, schema.additionalProperties)}`
      : 'mapping';
  return (
    { string: 'text', boolean: 'true or false', integer: 'whole number', number: 'number' }[schema.type ?? ''] ??
    'value'
  );
}

/** What a value has to keep to, beside its type. */
export function limitsOf(document: Schema, unresolved: Schema): readonly string[] {
  const { oneOf, items, patternErrorMessage, minItems, maxItems, uniqueItems, minLength, maxLength, minimum, maximum } =
    resolved(document, unresolved);
  if (oneOf !== undefined) return [...new Set(oneOf.flatMap((branch) => limitsOf(document, branch)))];
  return [
    ...range(minItems, maxItems, 'items'),
    ...(uniqueItems === true ? ['nothing twice'] : []),
    ...range(minimum, maximum, ''),
    // The words for a pattern tell the length as well.
    ...(patternErrorMessage === undefined ? range(minLength, maxLength, 'characters') : [patternErrorMessage]),
    ...(items === undefined ? [] : itemLimits(document, items)),
  ];
}

function itemLimits(document: Schema, items: Schema): readonly string[] {
  const { type } = resolved(document, items);
  return type === 'object' ? [] : limitsOf(document, items).map((limit) => `each: ${limit}`);
}

/** The values that are named, of the value itself or of the items of a list. */
export function allowedAt(document: Schema, unresolved: Schema): readonly Json[] {
  const { const: only, enum: several, items, oneOf } = resolved(document, unresolved);
  if (only !== undefined) return [only];
  if (several !== undefined) return several;
  return [...(items === undefined ? [] : [items]), ...(oneOf ?? [])].flatMap((one) => allowedAt(document, one));
}

export function resolved(document: Schema, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  const target = $ref === undefined ? undefined : document.$defs?.[$ref.replace('#/$defs/', '')];
  return target === undefined ? own : { ...resolved(document, target), ...own };
}

function range(from: number | undefined, most: number | undefined, what: string): readonly string[] {
  // The largest number that JSON can be trusted with is no limit that anybody meets.
  const to = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const tail = what === '' ? '' : ` ${what}`;
  if (from !== undefined && to !== undefined)
    return [from === to ? `exactly ${from}${tail}` : `${from} to ${to}${tail}`];
  if (to !== undefined) return [`at most ${to}${tail}`];
  // One item at least is worth a word, one character is not.
  return from === undefined || (from === 1 && what === 'characters') ? [] : [`at least ${from}${tail}`];
}
