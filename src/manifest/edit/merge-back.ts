// What a manifest says itself so that, over its profiles, it comes to a given spec: as little as that takes, and nothing
// is changed in a profile, which others share. The inverse of read/merge.ts.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, sameJson } from '../../model/json.ts';
import { branchFor, fieldShape, mergeSpecs } from '../read/merge.ts';
import type { Shape } from '../shape.ts';
import { isOneForm } from '../shape.ts';

interface Sides {
  /** What the profiles come to. */
  readonly shared: Json | undefined;
  /** What the manifest says itself. */
  readonly own: Json | undefined;
  /** What both come to now. */
  readonly now: Json | undefined;
  /** What they are to come to. */
  readonly wanted: Json | undefined;
}

/** The manifest's own spec; undefined where no manifest over these profiles comes to what is wanted. */
export function ownSpec(
  sides: {
    readonly shared: JsonObject;
    readonly own: JsonObject;
    readonly now: JsonObject;
    readonly wanted: JsonObject;
  },
  shape: Shape | undefined,
): JsonObject | undefined {
  const own = ownValue(sides, shape) as JsonObject;
  const unmerged = Object.fromEntries(
    Object.entries(own).filter(([field]) => Object.hasOwn(sides.wanted, field) || own[field] === null),
  );
  return sameJson(mergeSpecs(sides.shared, unmerged, shape), sides.wanted) ? own : undefined;
}

function ownValue(sides: Sides, shape: Shape | undefined): Json | undefined {
  const { shared, own, now, wanted } = sides;
  if (sameJson(now, wanted)) return own;
  if (wanted === undefined) return shared === undefined ? undefined : null;
  const branch = branchFor(shape, wanted);
  // Another form replaces the one that was there.
  if (branch !== undefined && !(isOneForm(branch, shared, wanted) && isOneForm(branch, now, wanted))) return wanted;
  if (isJsonObject(wanted) && (shape === undefined || branch?.is === 'object'))
    return ownMapping(sides, wanted, branch);
  if (branch?.is === 'list' && Array.isArray(wanted))
    return ownItems(sides, wanted as readonly Json[], branch.key ?? '', branch.items);
  return wanted;
}

function ownMapping({ shared, own, now }: Sides, wanted: JsonObject, shape: Shape | undefined): JsonObject {
  const [before, said, merged] = [shared, own, now].map((side) => (isJsonObject(side) ? side : {})) as [
    JsonObject,
    JsonObject,
    JsonObject,
  ];
  const result = new Map(Object.entries(said));
  for (const field of new Set([...Object.keys(merged), ...Object.keys(wanted)])) {
    const value = ownValue(
      { shared: at(before, field), own: at(said, field), now: at(merged, field), wanted: at(wanted, field) },
      fieldShape(shape, field),
    );
    if (value === undefined) result.delete(field);
    else result.set(field, value);
  }
  return Object.fromEntries(result);
}

/** Items by their key: those of a profile stay where they are, so only what differs from them is said. */
function ownItems({ shared, own, now }: Sides, wanted: readonly Json[], key: string, shape: Shape): readonly Json[] {
  const named = (list: Json | undefined, item: Json): Json | undefined =>
    Array.isArray(list)
      ? (list as readonly Json[]).find(
          (other) => isJsonObject(other) && isJsonObject(item) && sameJson(other[key], item[key]),
        )
      : undefined;
  return wanted.flatMap((item) => {
    const before = named(shared, item);
    if (before === undefined) return [item];
    const said = named(own, item);
    const value = ownValue({ shared: before, own: said, now: named(now, item), wanted: item }, shape);
    if (value === undefined || !isJsonObject(value)) return [];
    return [{ [key]: (item as JsonObject)[key] as Json, ...value }];
  });
}

function at(value: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}
