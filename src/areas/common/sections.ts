// The usual ways in which a manifest holds objects of a kind: as one object, as one value, as a list.
import type { Json, JsonObject } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import type { Section, SectionItem } from '../../model/kind/kind.ts';

/** One object at a place (`caching`, `shield/waf`). */
export function objectSection(place: string): Section {
  const pointer = `/${place}`;
  return {
    fields: [place],
    expand: (spec) => [{ name: null, spec: valueAt(spec, pointer) as JsonObject, pointer }],
  };
}

/** One value, which becomes the field of this name. */
export function fieldSection(place: string, field = place): Section {
  const pointer = `/${place}`;
  return {
    fields: [place],
    expand: (spec) => [{ name: null, spec: { [field]: spec[place] ?? null }, pointer, pointers: { [field]: pointer } }],
  };
}

/** A list; `nameOf` says by what each of its items is known. */
export function listSection(
  place: string,
  nameOf: (item: JsonObject) => string,
  claims?: (name: string, item: JsonObject) => NonNullable<SectionItem['claims']>,
): Section {
  return {
    fields: [place],
    expand: (spec) =>
      (valueAt(spec, `/${place}`) as Json as readonly JsonObject[]).map((item, index) => {
        const name = nameOf(item);
        return {
          name,
          spec: item,
          pointer: `/${place}/${index}`,
          ...(claims !== undefined && { claims: claims(name, item) }),
        };
      }),
  };
}
