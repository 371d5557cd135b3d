// Which settings that several manifests share become profiles, so that a hundred alike are read once: whole sections,
// never a part of one. Manifests with their profiles merged into them say what they said before.
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { canonicalJson, escapePointer, valueAt, withoutValueAt, withValueAt } from '../../model/json.ts';
import { nameRoots, slugOf } from './name-manifests.ts';
import type { RootName, TakenNames } from './name-manifests.ts';
import { profileKindOf, PROFILES, sharedShapeOf } from '../read/profile-kinds.ts';
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

/** One value of one section, and the numbers of the specs that have it. */
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
  const groups = absorb(groupsOf(shared).filter(isWorthIt), shared).sort(byUse);
  const names = nameGroups(profileKind, groups, taken);
  return {
    profiles: groups.map(({ parts }, index) => ({
      kind: profileKind,
      ...(names[index] as RootName),
      spec: specOf(parts),
    })),
    ...rewritten(specs, groups, names),
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
  const groups = new Map<string, Shared[]>();
  for (const part of shared) {
    const key = part.users.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
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
): Pick<ProposedProfiles, 'specs' | 'moved'> {
  const used = specs.map((): { readonly names: string[]; readonly sections: Set<string> } => ({
    names: [],
    sections: new Set(),
  }));
  for (const [index, { users, parts }] of groups.entries()) {
    for (const user of users) {
      used[user]?.names.push((names[index] as RootName).name);
      for (const { section } of parts) used[user]?.sections.add(section);
    }
  }
  return {
    specs: specs.map((spec, index) => {
      const { names: profiles = [], sections = new Set<string>() } = used[index] ?? {};
      return profiles.length === 0
        ? spec
        : {
            [PROFILES]: profiles,
            ...[...sections].reduce((left, section) => withoutValueAt(left, pointerOf(section)) as JsonObject, spec),
          };
    }),
    moved: used.map(({ sections }) => [...sections].map(pointerOf)),
  };
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
