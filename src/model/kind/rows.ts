// How values are taken out of the platform's answers: what is not as the documents say is an error, never a default
// (RTY-06).
import type { Json, JsonObject, Places } from '../json.ts';
import { isJsonObject, listAt, valueAt } from '../json.ts';

/** An answer that is not what the documents say. What was read is then unknown. */
export class ShapeError extends Error {}

/** The text at a pointer into a row; {@link ShapeError} when it is missing or of another type. */
export function textAt(row: Json | undefined, pointer: string): string {
  const value = valueAt(row, pointer);
  if (typeof value !== 'string')
    throw new ShapeError(`expected text at ${pointer || 'the top'}, found ${describeType(value)}`);
  return value;
}

/**
 * The texts in the list under a key of a row, which is no pointer; {@link ShapeError} for anything else. null is an empty
 * list here, because the answer itself was a success of a strict read.
 */
export function textsAt(row: Json | undefined, key: string): readonly string[] {
  const value = valueAt(row, `/${key}`) ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new ShapeError(`expected a list of texts at ${key}`);
  return value;
}

/** Whether a setting, under a key of a row, is on; {@link ShapeError} for anything but true and false. */
export function flagAt(row: JsonObject, key: string): boolean {
  const value = row[key];
  if (typeof value !== 'boolean')
    throw new ShapeError(`expected true or false at /${key}, found ${describeType(value)}`);
  return value;
}

/**
 * The list at a place; {@link ShapeError} for anything else: null means empty or unknown (CNV-02), and unknown is not
 * empty.
 */
export function rowsAt(answer: Json | undefined, places: Places = ''): readonly JsonObject[] {
  const pointer = typeof places === 'string' ? places : '';
  const list = listAt(answer, places);
  if (list === undefined)
    throw new ShapeError(`expected a list at ${pointer || 'the top'}, found ${describeType(valueAt(answer, pointer))}`);
  return list.map((row: Json, index) => {
    if (!isJsonObject(row))
      throw new ShapeError(`expected an object at ${pointer}/${index}, found ${describeType(row)}`);
    return row;
  });
}

/** The object at the top of an answer. */
export function objectAt(answer: Json | undefined): JsonObject {
  if (!isJsonObject(answer)) throw new ShapeError(`expected an object, found ${describeType(answer)}`);
  return answer;
}

/** The JSON type of a value, for messages. Never the value: it may be a secret. */
export function describeType(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;
}
