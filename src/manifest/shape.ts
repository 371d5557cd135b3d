// How validation knows which fields there are: a small tree drawn from each schema, without a schema library.
import type { Json, JsonObject } from '../model/json.ts';
import { isJsonObject, unescapePointer } from '../model/json.ts';

/** What a schema allows at one place. */
export type Shape =
  /** `alone`: the fields that stand alone. A mapping has one of these, or only others. */
  | { readonly is: 'object'; readonly fields: Readonly<Record<string, Shape>>; readonly alone?: readonly string[] }
  /** `key`: the field that identifies an item, if there is one. `tooMany`: what to do if there are too many items. */
  | { readonly is: 'list'; readonly key?: string; readonly tooMany?: string; readonly items: Shape }
  | { readonly is: 'choice'; readonly of: readonly Shape[] }
  | {
      readonly is: 'value';
      readonly type: string;
      readonly allowed?: readonly string[];
      /** Says in words what a pattern or format asks for. */
      readonly expected?: string;
      readonly format?: string;
    };

/**
 * The trees by kind, each parsed when it is first asked for: a run asks for few, and mostly where something is wrong.
 */
export function parsedLate(texts: Readonly<Record<string, string>>): Readonly<Record<string, Shape>> {
  const shapes: Record<string, Shape> = {};
  for (const [kind, text] of Object.entries(texts)) {
    const define = (how: PropertyDescriptor): object =>
      Object.defineProperty(shapes, kind, { enumerable: true, configurable: true, ...how });
    define({
      get: () => {
        const value = JSON.parse(text) as Shape;
        define({ value });
        return value;
      },
    });
  }
  return shapes;
}

/** The shape at a JSON pointer into a document, or undefined where the schema has nothing. */
export function shapeAt(shape: Shape | undefined, pointer: string): Shape | undefined {
  let at = shape;
  for (const token of pointer.split('/').slice(1)) at = shapeBelow(at, unescapePointer(token));
  return at;
}

/** The names that the schema allows in the object at this pointer. */
export function fieldsAt(shape: Shape | undefined, pointer: string): readonly string[] {
  const at = shapeAt(shape, pointer);
  if (at === undefined) return [];
  return (at.is === 'choice' ? at.of : [at]).flatMap((branch) =>
    branch.is === 'object' ? Object.keys(branch.fields) : [],
  );
}

/** Pointers to every field of this name outside lists, nearest to the top first. */
export function placesOf(shape: Shape, name: string, pointer = ''): readonly string[] {
  if (shape.is !== 'object') return [];
  const own = Object.hasOwn(shape.fields, name) ? [`${pointer}/${name}`] : [];
  return [
    ...own,
    ...Object.entries(shape.fields).flatMap(([field, below]) => placesOf(below, name, `${pointer}/${field}`)),
  ];
}

/** True when two mappings say the same of several things that one can say, so that one completes the other. */
export function isOneForm(shape: Shape, left: Json | undefined, right: Json | undefined): boolean {
  if (shape.is !== 'object' || shape.alone === undefined || !isJsonObject(left) || !isJsonObject(right)) return true;
  const { alone } = shape;
  const formOf = (value: JsonObject): string => Object.keys(value).find((field) => alone.includes(field)) ?? '';
  return formOf(left) === formOf(right);
}

/** The shape of a field or an item; of a choice, of the first branch that has it. */
export function shapeBelow(shape: Shape | undefined, key: string | number): Shape | undefined {
  switch (shape?.is) {
    case 'object':
      return Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    case 'list':
      return /^\d+$/.test(String(key)) ? shape.items : undefined;
    case 'choice':
      return shape.of.map((branch) => shapeBelow(branch, key)).find((found) => found !== undefined);
    default:
      return undefined;
  }
}
