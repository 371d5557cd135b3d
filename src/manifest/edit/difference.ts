// By which small steps one value becomes another: as few as lists and mappings allow. That an item of a list stays the
// same item is judged by what tells items apart.
import { diffArrays } from 'diff';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, sameJson, valueAt, withValueAt } from '../../model/json.ts';
import type { Shape } from '../shape.ts';
import { shapeBelow } from '../shape.ts';

export type Path = readonly (string | number)[];

/** One step; `path` is that of the value itself. */
export type EditStep =
  | { readonly do: 'set'; readonly path: Path; readonly value: Json }
  | { readonly do: 'add'; readonly path: Path; readonly value: Json }
  /** Before the item that is there. `from`: it is the item that stands there now, which goes in a later step. */
  | { readonly do: 'insert'; readonly path: Path; readonly value: Json; readonly from?: number }
  | { readonly do: 'drop'; readonly path: Path };

/** The first step from one value to the other; undefined when they are equal. */
export function nextStep(now: Json, wanted: Json, shape: Shape | undefined, path: Path = []): EditStep | undefined {
  if (sameJson(now, wanted)) return undefined;
  if (isJsonObject(now) && isJsonObject(wanted)) return mappingStep(now, wanted, shape, path);
  // What was empty, or becomes it, is written anew: how it looks depends on what is in it.
  if (isList(now) && isList(wanted) && now.length > 0 && wanted.length > 0) return listStep(now, wanted, shape, path);
  return { do: 'set', path, value: wanted };
}

/** The value after the step. */
export function afterStep(value: Json, step: EditStep): Json {
  const pointer = pointerTo(step.path);
  if (step.do !== 'insert') return withValueAt(value, pointer, step.do === 'drop' ? undefined : step.value);
  const around = pointerTo(step.path.slice(0, -1));
  const list = valueAt(value, around) as readonly Json[];
  return withValueAt(value, around, list.toSpliced(step.path.at(-1) as number, 0, step.value));
}

/** A path as a JSON pointer. */
export function pointerTo(path: Path): string {
  return path.map((token) => `/${escapePointer(String(token))}`).join('');
}

/** What comes is written before what goes: a mapping that is empty in between would lose its form. */
function mappingStep(now: JsonObject, wanted: JsonObject, shape: Shape | undefined, path: Path): EditStep | undefined {
  if (Object.keys(now).length === 0 || Object.keys(wanted).length === 0) return { do: 'set', path, value: wanted };
  for (const [key, value] of Object.entries(wanted)) {
    const below = shapeBelow(shape, key);
    const step: EditStep | undefined = Object.hasOwn(now, key)
      ? nextStep(now[key] as Json, value, below, [...path, key])
      : { do: 'add', path: [...path, key], value };
    if (step !== undefined) return step;
  }
  const gone = Object.keys(now).find((key) => !Object.hasOwn(wanted, key));
  return gone === undefined ? undefined : { do: 'drop', path: [...path, gone] };
}

function listStep(
  now: readonly Json[],
  wanted: readonly Json[],
  shape: Shape | undefined,
  path: Path,
): EditStep | undefined {
  const isSame = (left: Json, right: Json): boolean => identityOf(left, right, shape) === 'same';
  const kept = new Set<number>();
  const paired = pairs(now, wanted, shape);
  for (const [index] of paired) kept.add(index);
  const coming = wanted.findIndex((_, index) => !paired.some(([, other]) => other === index));
  if (coming !== -1) {
    const before = paired.findLast(([, other]) => other < coming)?.[0] ?? -1;
    // It comes after what stays before it, and so before what goes.
    const from = now.findIndex((item, index) => !kept.has(index) && isSame(item, wanted[coming] as Json));
    return {
      do: 'insert',
      path: [...path, before + 1],
      ...(from === -1 ? { value: wanted[coming] as Json } : { value: now[from] as Json, from }),
    };
  }
  const going = now.findIndex((_, index) => !kept.has(index));
  if (going !== -1) return { do: 'drop', path: [...path, going] };
  const below = shape?.is === 'list' ? shape.items : undefined;
  for (const [index, other] of paired) {
    const step = nextStep(now[index] as Json, wanted[other] as Json, below, [...path, index]);
    if (step !== undefined) return step;
  }
  return undefined;
}

/** The items that stay, by their numbers in both lists. */
function pairs(
  now: readonly Json[],
  wanted: readonly Json[],
  shape: Shape | undefined,
): readonly (readonly [now: number, wanted: number])[] {
  const chunks = diffArrays([...now], [...wanted], {
    comparator: (left, right) => identityOf(left, right, shape) === 'same',
  });
  const paired: (readonly [now: number, wanted: number])[] = [];
  let [at, to] = [0, 0];
  for (const [index, { added, removed, count }] of chunks.entries()) {
    const next = chunks[index + 1];
    // As many go as come: those that may be the same stay.
    const isExchange = removed && next?.added === true && next.count === count;
    for (let offset = 0; offset < count; offset += 1) {
      const [left, right] = [at + offset, to + offset];
      if (
        (!added && !removed) ||
        (isExchange && identityOf(now[left] as Json, wanted[right] as Json, shape) === 'unsure')
      )
        paired.push([left, right]);
    }
    if (!added) at += count;
    if (!removed) to += count;
  }
  return paired;
}

/**
 * By the key of the list, else by a single value that is written first in the item: that is what people tell items by.
 */
function identityOf(left: Json, right: Json, shape: Shape | undefined): 'same' | 'other' | 'unsure' {
  if (sameJson(left, right)) return 'same';
  if (isList(left) && isList(right)) return 'unsure';
  if (!isJsonObject(left) || !isJsonObject(right)) return 'other';
  const key = (shape?.is === 'list' ? shape.key : undefined) ?? Object.keys(left)[0] ?? '';
  const [one, other] = [left, right].map((item) => (Object.hasOwn(item, key) ? item[key] : undefined));
  if (one === undefined || other === undefined || typeof one === 'object' || typeof other === 'object') return 'unsure';
  return one === other ? 'same' : 'other';
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
