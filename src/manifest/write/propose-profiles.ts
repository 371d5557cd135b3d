// Which settings that several manifests share become profiles, so that a hundred alike are read once. First whole
// sections that are equal, then sections that are nearly equal: a manifest says what differs, over the profile.
// Manifests with their profiles merged into them say what they said before.
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import {
  canonicalJson,
  escapePointer,
  isJsonObject,
  sameJson,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../model/json.ts';
import { groupBy } from '../../model/common/lists.ts';
import { nameRoots, slugOf } from './name-manifests.ts';
import type { RootName, TakenNames } from './name-manifests.ts';
import { branchFor, fieldShape, mergeSpecs } from '../read/merge.ts';
import { profileKindOf, PROFILES, sharedShapeOf } from '../read/profile-kinds.ts';
import type { Shape } from '../shape.ts';
import { shapeAt } from '../shape.ts';

/** A profile with fewer values than this is longer than what it saves. */
const FEWEST_VALUES = 2;
/** How many manifests have to share something for it to become a profile. */
const FEWEST_USERS = 2;
/** A profile of more sections than this is not named after them. */
const MOST_NAMED = 2;

export interface ProfileRequest {
  /** The kind of the manifests. */
  readonly kind: string;
  /** What they say, without profiles. */
  readonly specs: readonly JsonObject[];
  /**
   * Places of their sections, as keys joined by `/` (`caching`, `shield/waf`). One that no profile may hold is left
   * where it is.
   */
  readonly sections: readonly string[];
  readonly taken?: TakenNames;
}

export interface ProposedProfile extends RootName {
  readonly kind: string;
  readonly spec: JsonObject;
}

export interface ProposedProfiles {
  readonly profiles: readonly ProposedProfile[];
  /**
   * Each spec as it came in, in the same order: the profiles that it starts from, and what is left for itself to say.
   */
  readonly specs: readonly JsonObject[];
  /** For each spec, the pointers of what stands in a profile now. */
  readonly moved: readonly (readonly string[])[];
}

/** One value of one section, and the numbers of the specs that start from it. */
interface Shared {
  readonly section: string;
  readonly value: Json;
  readonly users: readonly number[];
}

interface Group {
  readonly users: readonly number[];
  readonly parts: readonly Shared[];
}

/** Profiles for what is shared, most used first, and the specs without that. */
export function proposeProfiles({ kind, specs, sections, taken }: ProfileRequest): ProposedProfiles {
  const profileKind = profileKindOf(kind);
  const shape = sharedShapeOf(kind);
  if (profileKind === undefined) return { profiles: [], specs, moved: specs.map(() => []) };
  const shareable = [...new Set(sections)].filter((section) => shapeAt(shape, pointerOf(section)) !== undefined);
  const shared = sharedIn(specs, shareable).filter(({ users }) => users.length >= FEWEST_USERS);
  const equal = absorb(groupsOf(shared).filter(isWorthIt), shared).sort(byUse);
  const near = withNear(specs, equal, shape);
  const groups = [...near, ...groupsOf(alikeIn(specs, near, shareable, shape))].sort(byUse);
  const names = nameGroups(profileKind, groups, taken);
  return {
    profiles: groups.map(({ parts }, index) => ({
      kind: profileKind,
      ...(names[index] as RootName),
      spec: specOf(parts),
    })),
    ...rewritten(specs, groups, names, shape),
  };
}

function sharedIn(specs: readonly JsonObject[], sections: readonly string[]): readonly Shared[] {
  return sections.flatMap((section) => {
    const found = new Map<string, { readonly value: Json; readonly users: number[] }>();
    for (const [index, spec] of specs.entries()) {
      const value = valueAt(spec, pointerOf(section));
      if (value === undefined) continue;
      const text = canonicalJson(value);
      const known = found.get(text);
      if (known === undefined) found.set(text, { value, users: [index] });
      else known.users.push(index);
    }
    return [...found.values()].map(({ value, users }) => ({ section, value, users }));
  });
}

/** What exactly the same manifests share is one profile. */
function groupsOf(shared: readonly Shared[]): readonly Group[] {
  const groups = groupBy(shared, ({ users }) => users.join(' '));
  return [...groups.values()].map((parts) => ({ users: (parts[0] as Shared).users, parts }));
}

function isWorthIt({ parts }: Group): boolean {
  return parts.reduce((count, { value }) => count + valuesIn(value), 0) >= FEWEST_VALUES;
}

function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, below: Json) => count + valuesIn(below), 0);
}

/** What makes no profile by itself goes with one that there is, where all who use that have it too. */
function absorb(groups: readonly Group[], shared: readonly Shared[]): Group[] {
  const grouped = new Set(groups.flatMap(({ parts }) => parts));
  const rest = shared.filter((part) => !grouped.has(part)).map((part) => ({ part, users: new Set(part.users) }));
  const covered = new Set<string>();
  return [...groups].sort(byUse).map(({ users, parts }) => {
    const fitting = rest.filter(({ part, users: having }) =>
      users.every((user) => having.has(user) && !covered.has(`${user} ${part.section}`)),
    );
    for (const { part } of fitting) for (const user of users) covered.add(`${user} ${part.section}`);
    return { users, parts: [...parts, ...fitting.map(({ part }) => part)] };
  });
}

/** The groups with those specs that say little else over all that a group holds. */
function withNear(specs: readonly JsonObject[], groups: readonly Group[], shape: Shape | undefined): Group[] {
  const covered = coveredBy(groups);
  const joined = new Map<Group, number[]>();
  for (const [index, spec] of specs.entries()) {
    const fitting = groups
      .filter(({ parts }) => parts.every(({ section }) => !covered.has(`${index} ${section}`)))
      .map((group) => ({ group, saved: savedBy(group.parts, spec, shape) }))
      .filter(({ saved }) => saved >= FEWEST_VALUES)
      .sort((left, right) => right.saved - left.saved);
    for (const { group } of fitting) {
      const sections = group.parts.map(({ section }) => `${index} ${section}`);
      if (sections.some((section) => covered.has(section))) continue;
      for (const section of sections) covered.add(section);
      joined.set(group, [...(joined.get(group) ?? []), index]);
    }
  }
  return groups.map((group) => ({
    users: [...group.users, ...(joined.get(group) ?? [])].sort((left, right) => left - right),
    parts: group.parts,
  }));
}

function coveredBy(groups: readonly Group[]): Set<string> {
  return new Set(
    groups.flatMap(({ users, parts }) => parts.flatMap(({ section }) => users.map((user) => `${user} ${section}`))),
  );
}

/** How many values a spec need not say itself over these parts; 0 where one of them is no start for it. */
function savedBy(parts: readonly Shared[], spec: JsonObject, shape: Shape | undefined): number {
  let saved = 0;
  for (const { section, value } of parts) {
    const own = valueAt(spec, pointerOf(section));
    const left = own === undefined ? undefined : differenceOver(value, own, shapeAt(shape, pointerOf(section)));
    if (own === undefined || left === undefined || !isMostlySaved(own, left)) return 0;
    saved += valuesIn(own) - valuesIn(left);
  }
  return saved;
}

function isMostlySaved(own: Json, left: Json): boolean {
  return valuesIn(left) * 2 <= valuesIn(own);
}

/** What is typical of each section that is in no group yet, and the specs that say little else. */
function alikeIn(
  specs: readonly JsonObject[],
  groups: readonly Group[],
  sections: readonly string[],
  shape: Shape | undefined,
): readonly Shared[] {
  const covered = coveredBy(groups);
  return sections.flatMap((section) => {
    const below = shapeAt(shape, pointerOf(section));
    let rest = specs.flatMap((spec, index) => {
      const value = valueAt(spec, pointerOf(section));
      return isJsonObject(value) && !covered.has(`${index} ${section}`) ? [{ index, value }] : [];
    });
    const found: Shared[] = [];
    for (;;) {
      const value = typicalOf(
        rest.map((one) => one.value),
        below,
      );
      const part = { section, value, users: [] };
      const users = rest.filter(
        (one) => savedBy([part], withValueAt({}, pointerOf(section), one.value) as JsonObject, shape) >= FEWEST_VALUES,
      );
      if (users.length < FEWEST_USERS) return found;
      found.push({ section, value, users: users.map(({ index }) => index) });
      const taken = new Set(users);
      rest = rest.filter((one) => !taken.has(one));
    }
  });
}

/** The fields that at least half of the values have alike. */
function typicalOf(values: readonly JsonObject[], shape: Shape | undefined): JsonObject {
  const fields = [...new Set(values.flatMap((value) => Object.keys(value)))].sort(compareText);
  const typical = fields.flatMap((field): readonly (readonly [string, Json])[] => {
    const having = values.flatMap((value) => (Object.hasOwn(value, field) ? [value[field] as Json] : []));
    if (having.length < FEWEST_USERS || having.length * 2 < values.length) return [];
    const below = fieldShape(shape, field);
    if (having.every(isJsonObject) && having.every((value) => branchFor(below, value)?.is === 'object')) {
      const inner = typicalOf(having, below);
      return Object.keys(inner).length === 0 ? [] : [[field, inner]];
    }
    const counts = new Map<string, number>();
    for (const value of having) counts.set(canonicalJson(value), (counts.get(canonicalJson(value)) ?? 0) + 1);
    const [[text, count] = ['', 0]] = [...counts].sort(
      ([one, many], [other, few]) => few - many || compareText(one, other),
    );
    return count >= FEWEST_USERS && count * 2 >= values.length ? [[field, JSON.parse(text) as Json]] : [];
  });
  return Object.fromEntries(typical);
}

/** What a value has to say over another one to come to what it is; undefined where it cannot. */
function differenceOver(base: Json, own: Json, shape: Shape | undefined): Json | undefined {
  if (!isJsonObject(base) || !isJsonObject(own)) return sameJson(base, own) ? {} : undefined;
  const difference = fieldsOver(base, own, shape);
  return sameJson(mergeSpecs(base, difference, shape), own) ? difference : undefined;
}

function fieldsOver(base: JsonObject, own: JsonObject, shape: Shape | undefined): JsonObject {
  const said = Object.entries(own).flatMap(([field, value]): readonly (readonly [string, Json])[] => {
    const before = Object.hasOwn(base, field) ? base[field] : undefined;
    if (before !== undefined && sameJson(before, value)) return [];
    const below = fieldShape(shape, field);
    return isJsonObject(before) && isJsonObject(value) && branchFor(below, value)?.is === 'object'
      ? [[field, fieldsOver(before, value, below)]]
      : [[field, value]];
  });
  const gone = Object.keys(base).filter((field) => !Object.hasOwn(own, field));
  return Object.fromEntries([...said, ...gone.map((field) => [field, null] as const)]);
}

/** Most used first; then by what they hold, so that the order of the manifests makes no difference. */
function byUse(left: Group, right: Group): number {
  return (
    right.users.length - left.users.length ||
    compareText(canonicalJson(specOf(left.parts)), canonicalJson(specOf(right.parts)))
  );
}

/** After what they hold, where that is short. */
function nameGroups(profileKind: string, groups: readonly Group[], taken: TakenNames | undefined): readonly RootName[] {
  const counts = new Map<string, number>();
  const roots = groups.map(({ parts }) => {
    const base =
      parts.length > MOST_NAMED
        ? 'shared'
        : parts
            .map(({ section }) => section.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))
            .sort(compareText)
            .join(' ');
    const number = (counts.get(base) ?? 0) + 1;
    counts.set(base, number);
    return { kind: profileKind, folder: 'profiles', id: `${slugOf(base)}-${number}`, called: [base] };
  });
  return nameRoots(roots, taken);
}

function rewritten(
  specs: readonly JsonObject[],
  groups: readonly Group[],
  names: readonly RootName[],
  shape: Shape | undefined,
): Pick<ProposedProfiles, 'specs' | 'moved'> {
  const used = specs.map((): { readonly names: string[]; readonly parts: Map<string, Json> } => ({
    names: [],
    parts: new Map(),
  }));
  for (const [index, { users, parts }] of groups.entries()) {
    for (const user of users) {
      used[user]?.names.push((names[index] as RootName).name);
      for (const { section, value } of parts) used[user]?.parts.set(section, value);
    }
  }
  const moved: (readonly string[])[] = [];
  const left = specs.map((spec, index) => {
    const { names: profiles = [], parts = new Map<string, Json>() } = used[index] ?? {};
    const places: string[] = [];
    let own = spec;
    for (const [section, base] of parts) {
      const pointer = pointerOf(section);
      const value = valueAt(spec, pointer) as Json;
      const said = differenceOver(base, value, shapeAt(shape, pointer)) ?? value;
      const isSaid = isJsonObject(said) && Object.keys(said).length > 0;
      own = (isSaid ? withValueAt(own, pointer, said) : withoutValueAt(own, pointer)) as JsonObject;
      places.push(...(isSaid ? unsaid(value, said, pointer) : [pointer]));
    }
    moved.push(places);
    return profiles.length === 0 ? spec : { [PROFILES]: profiles, ...own };
  });
  return { specs: left, moved };
}

/** The pointers of what a value held and does not say itself any more. */
function unsaid(value: Json, said: Json | undefined, pointer: string): readonly string[] {
  if (said === undefined) return [pointer];
  if (!isJsonObject(value) || !isJsonObject(said)) return [];
  return Object.entries(value).flatMap(([field, below]) =>
    unsaid(below, Object.hasOwn(said, field) ? said[field] : undefined, `${pointer}/${escapePointer(field)}`),
  );
}

function specOf(parts: readonly Shared[]): JsonObject {
  return parts.reduce<JsonObject>(
    (spec, { section, value }) => withValueAt(spec, pointerOf(section), value) as JsonObject,
    {},
  );
}

function pointerOf(section: string): string {
  return section
    .split('/')
    .map((key) => `/${escapePointer(key)}`)
    .join('');
}
