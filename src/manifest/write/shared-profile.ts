// Moves the settings that all of several manifests share into one profile. Manifests merged with the profile have the
// same values as before.
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, sameJson } from '../../model/json.ts';
import { branchFor, fieldShape } from '../read/merge.ts';
import { profileKindOf, PROFILES, sharedShapeOf } from '../read/profile-kinds.ts';
import type { Shape } from '../shape.ts';
import type { RootName, TakenNames } from './name-manifests.ts';
import { nameRoots } from './name-manifests.ts';

/** A profile with fewer values than this is longer than what it saves. */
const FEWEST_VALUES = 2;
/** A profile with more sections than this is called `defaults`. */
const MOST_SECTIONS_IN_NAME = 3;

export interface SharedProfile extends RootName {
  readonly kind: string;
  readonly spec: JsonObject;
}

export interface WithSharedProfile {
  /** Absent if the specs share too little, or manifests of this kind have no profiles. */
  readonly profile?: SharedProfile;
  /** Each spec in the given order, with a reference to the profile and without the values that the profile has. */
  readonly specs: readonly JsonObject[];
  /** Pointers of the values that the profile has, per spec. */
  readonly moved: readonly (readonly string[])[];
}

/** Moves the settings that all specs share into one profile. */
export function shareProfile(kind: string, specs: readonly JsonObject[], taken?: TakenNames): WithSharedProfile {
  const profileKind = profileKindOf(kind);
  const shared = profileKind === undefined || specs.length < 2 ? {} : sharedIn(specs, sharedShapeOf(kind));
  if (profileKind === undefined || valuesIn(shared) < FEWEST_VALUES) return { specs, moved: specs.map(() => []) };
  const [name] = nameRoots([{ kind: profileKind, folder: 'profiles', id: '', called: [nameFor(shared)] }], taken) as [
    RootName,
  ];
  const split = specs.map((spec) => without(spec, shared, ''));
  return {
    profile: { kind: profileKind, ...name, spec: shared },
    specs: split.map(({ rest }) => ({ [PROFILES]: [name.name], ...rest })),
    moved: split.map(({ moved }) => moved),
  };
}

/** Returns the values that are equal in all specs and that a profile may have. */
function sharedIn([first = {}, ...others]: readonly JsonObject[], shape: Shape | undefined): JsonObject {
  return Object.fromEntries(
    Object.keys(first).flatMap((field): readonly (readonly [string, Json])[] => {
      const below = fieldShape(shape, field);
      const values = [first, ...others].flatMap((spec) => (Object.hasOwn(spec, field) ? [spec[field] as Json] : []));
      const [value = null] = values;
      if (below === undefined || value === null || values.length <= others.length) return [];
      if (values.every((one) => sameJson(one, value))) return [[field, value]];
      // A list replaces the list of a profile, so only mappings are split.
      if (!values.every(isJsonObject) || !values.every((one) => branchFor(below, one)?.is === 'object')) return [];
      const inner = sharedIn(values, below);
      return Object.keys(inner).length === 0 ? [] : [[field, inner]];
    }),
  );
}

/** Returns the part of a spec that `shared` does not have, and the pointers of the rest. */
function without(
  spec: JsonObject,
  shared: JsonObject,
  pointer: string,
): { readonly rest: JsonObject; readonly moved: readonly string[] } {
  const moved: string[] = [];
  const rest = Object.entries(spec).flatMap(([field, value]): readonly (readonly [string, Json])[] => {
    const at = `${pointer}/${escapePointer(field)}`;
    const common = Object.hasOwn(shared, field) ? shared[field] : undefined;
    if (common === undefined) return [[field, value]];
    if (!isJsonObject(common) || !isJsonObject(value) || sameJson(common, value)) {
      moved.push(at);
      return [];
    }
    const inner = without(value, common, at);
    moved.push(...inner.moved);
    return [[field, inner.rest]];
  });
  return { rest: Object.fromEntries(rest), moved };
}

function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, below: Json) => count + valuesIn(below), 0);
}

/** Returns the sections of a profile, in alphabetical order, as its name. */
function nameFor(shared: JsonObject): string {
  const sections = Object.keys(shared).sort(compareText);
  return sections.length > MOST_SECTIONS_IN_NAME
    ? 'defaults'
    : sections.map((section) => section.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')).join(' ');
}
