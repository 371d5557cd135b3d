// How answers of Shield are read whose shape is not documented (GAP-29): wrapped or not, nested or flat, snake or camel
// case. It must not take what it cannot understand for something else, nor for nothing: it is named, and never
// overwritten (GAP-28).
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import { objectAt } from '../../../model/kind/rows.ts';
import type { Names } from './names.ts';
import { nameIn } from './names.ts';
import { snakeCase } from '../../common/wire-names.ts';

/** undefined: it is there and means nothing known. */
export type Parse = (value: Json) => Json | undefined;

/** One field of a spec: where its value is in an answer, and what it means. */
export type Reading = readonly [field: string, value: Json | undefined, parse: Parse];

export interface Understood {
  readonly spec: JsonObject;
  /** Fields that are there and were not understood. */
  readonly unclear: readonly string[];
}

/** What is null or not there is left out: a declared value is then written (CNV-02). */
export function understand(readings: readonly Reading[]): Understood {
  const spec: Record<string, Json> = {};
  const unclear: string[] = [];
  for (const [field, value, parse] of readings) {
    if (value === undefined || value === null) continue;
    const meaning = parse(value);
    if (meaning === undefined) unclear.push(field);
    else spec[field] = meaning;
  }
  return { spec, unclear };
}

export const named =
  (names: Names): Parse =>
  (value) =>
    nameIn(names, value);
export const text: Parse = (value) => (typeof value === 'string' ? value : undefined);
export const number: Parse = (value) => (typeof value === 'number' ? value : undefined);
export const flag: Parse = (value) => (typeof value === 'boolean' ? value : undefined);

/** Ids of rules are texts, and some write them as numbers (SHD-11). */
export const texts: Parse = (value) => {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
  return isList ? (value as readonly (string | number)[]).map(String) : undefined;
};

/** The value under a key in snake case, or under the same in camel case; null counts as nothing. */
export function keyIn(row: JsonObject, key: string): Json | undefined {
  return row[key] ?? row[camelCase(key)] ?? undefined;
}

/** The object itself, or the one that it is wrapped in: `isIt` knows it when it sees it. */
export function unwrap(answer: Json | undefined, isIt: (row: JsonObject) => boolean): JsonObject {
  const outer = objectAt(answer);
  return isIt(outer)
    ? outer
    : (Object.values(outer).find((inner): inner is JsonObject => isJsonObject(inner) && isIt(inner)) ?? outer);
}

/** The id under any of its names, as text; undefined where there is none. */
export function idIn(row: JsonObject): string | undefined {
  const id = ID_KEYS.map((key) => row[key]).find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined || id === '' ? undefined : String(id);
}

const ID_KEYS = ['id', 'rule_id', 'ruleId', 'list_id', 'listId'];
export const ID_PLACES: readonly string[] = ID_KEYS.map((key) => `/${key}`);

/** The configuration of a rule, nested or among its other keys. */
export function configurationOf(row: JsonObject): { readonly configuration: JsonObject; readonly isNested: boolean } {
  const nested = keyIn(row, 'rule_configuration');
  return isJsonObject(nested) ? { configuration: nested, isNested: true } : { configuration: row, isNested: false };
}

/** `rule_name` -> `ruleName`; names of variables, in capitals, stay as they are. */
export function camelCase(key: string): string {
  return key.replace(/(?<=[a-z0-9])_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** All keys in camel case, at every depth. */
export function inCamelCase(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inCamelCase(item));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [camelCase(key), inCamelCase(item)]))
    : value;
}

/** The keys of a body that the fields of a spec have, each with what is sent for it. */
export function bodyOf(
  fields: readonly string[],
  spec: JsonObject,
  names: Readonly<Record<string, Names>>,
  prefix = '',
): JsonObject {
  return Object.fromEntries(
    fields.map((field) => {
      const table = names[field];
      const value = spec[field] as Json;
      return [prefix + snakeCase(field), table === undefined ? value : (table[value as string] ?? value)];
    }),
  );
}
