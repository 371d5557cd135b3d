// Which lines of a manifest say what is live: of one member, of a section, of a whole root. The lines of one member are
// what a plan offers to paste too. Nothing is left out without a word.
import type { ManifestPart, ManifestItem, LeftOut, LiveMember, Comment } from '../model/kind/to-manifest.ts';
import { itemsPlacedAt, commentsAt, placedAt, withoutEmpty } from '../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { deepMerge, isJsonObject } from '../model/json.ts';
import type { Collection, FieldRule, Kind, Member, Registry, Unread } from '../model/kind/kind.ts';
import { isInState, positionOf, siblingsOf } from '../model/kind/kind.ts';

/** All that can be said of one live root. */
export type ManifestRoot = Required<ManifestPart>;

/** The lines of one live member, as its list holds it. */
export function itemToManifest(kind: Kind, member: LiveMember): ManifestItem {
  const comments = kind.manifest?.comments?.(member) ?? [];
  const doubt: readonly Comment[] =
    member.doubt === undefined ? [] : [{ pointer: '', text: `Not all of it is known: ${member.doubt}.` }];
  return { value: kind.manifest?.item?.(member) ?? declarable(kind, member.spec), comments: [...doubt, ...comments] };
}

/** What can be read and declared. Of a list without what is empty: that is left as it is. */
function declarable({ fields, list }: Kind, spec: JsonObject): JsonObject {
  const written = (field: FieldRule): boolean =>
    (field.rule === 'updatable' || field.rule === 'immutable') && field.shape !== 'position' && !('implied' in field);
  const found = Object.fromEntries(
    Object.keys(fields).flatMap((field) =>
      written(fields[field] as FieldRule) && Object.hasOwn(spec, field) ? [[field, spec[field] as Json]] : [],
    ),
  );
  return list === 'additive' || list === 'authoritative' ? withoutEmpty(found) : found;
}

/**
 * One section of a live root, or the fields of the root itself. `leaving` are the objects of the root that are scheduled
 * for deletion, as `Kind/identity`: a member that names one of them is not written, because a plan would block it.
 */
export function sectionToManifest(
  kind: Kind,
  collection: Collection,
  root: LiveMember,
  leaving: ReadonlySet<string> = new Set(),
): ManifestPart {
  const what = placeOf(kind);
  if (collection.state !== 'read')
    return {
      spec: {},
      leftOut: [{ what, reason: reasonOf(collection), ...(collection.state === 'unknown' && { unknown: true }) }],
    };
  const { shown, leftOut } = choose(kind, inOrder(kind, collection.members), what, leaving);
  const without = (one: Omit<LeftOut, 'what'>): ManifestPart => ({ spec: {}, leftOut: [...leftOut, { what, ...one }] });
  const twice = shown.find(({ identity }, index) => shown.findIndex((other) => other.identity === identity) !== index);
  if (twice !== undefined)
    return without({ reason: `two of them are called ${twice.identity}, so they cannot be told apart` });
  const items = shown.map((member) => itemToManifest(kind, member));
  const parts = kind.section.toManifest?.(shown, { root, items }) ?? derived(kind, items);
  const unordered = sharedPositions(kind, shown);
  if (unordered.length > 0) {
    const reason = `${unordered.join(', ')} have the same position, or none, so their order is not known. Uncomment the list to manage them: apply then numbers them`;
    return without({ reason, spec: parts.spec });
  }
  const empty =
    isEmpty(parts.spec) &&
    (parts.data ?? []).length === 0 &&
    (parts.leftOut ?? []).length === 0 &&
    leftOut.length === 0 &&
    kind.parent !== null;
  const comments = [
    ...(parts.comments ?? []),
    ...(collection.incomplete === undefined || isEmpty(parts.spec)
      ? []
      : [{ pointer: `/${what}`, text: `There may be more: ${collection.incomplete.reason}.` }]),
  ];
  return { ...parts, comments, leftOut: [...leftOut, ...(parts.leftOut ?? []), ...(empty ? [{ what }] : [])] };
}

/** A live root with everything that was read in it; `observed` by kind. What was not asked for is not there. */
export function rootToManifest(
  registry: Registry,
  kind: Kind,
  root: Member,
  observed: ReadonlyMap<string, Collection>,
): ManifestRoot {
  const own = sectionToManifest(kind, { state: 'read', members: [root], blockers: {} }, root);
  const sections = [...registry.values()].filter(
    ({ parent, capabilities: { hook } }) => parent === kind.kind && hook === undefined,
  );
  const leaving = new Set(sections.flatMap((section) => leavingIn(section, observed.get(section.kind))));
  const parts = sections.flatMap((section): readonly ManifestPart[] => {
    const collection = observed.get(section.kind);
    if (collection === undefined) return [];
    // Why the other is not there, or that it is off, says it for all that rests on it.
    return isMeaningless(section, collection, observed) ? [] : [sectionToManifest(section, collection, root, leaving)];
  });
  const all = [own, ...parts];
  return {
    spec: all.reduce<JsonObject>((spec, part) => deepMerge(spec, part.spec), {}),
    comments: all.flatMap(({ comments = [] }) => comments),
    leftOut: all.flatMap(({ leftOut = [] }) => leftOut),
    data: all.flatMap(({ data = [] }) => data),
  };
}

/** The members that are scheduled for deletion, as `Kind/identity`. */
function leavingIn(kind: Kind, collection: Collection | undefined): readonly string[] {
  if (collection?.state !== 'read') return [];
  return collection.members
    .filter((member) => isInState(kind, member, 'deleting'))
    .map(({ identity }) => `${kind.kind}/${identity}`);
}

/** The first object scheduled for deletion that a member names. */
function namedLeaving({ capabilities: { refersTo } }: Kind, { spec }: Member, leaving: ReadonlySet<string>) {
  return refersTo?.(spec).find(({ kinds, name }) => kinds.some((other) => leaving.has(`${other}/${name}`)));
}

/** What the places of a section have in common, or the first of them. */
function placeOf({ section }: Kind): string {
  const [first = '', ...others] = section.fields;
  const [above, below] = first.split('/');
  return below !== undefined && others.length > 0 && others.every((field) => field.startsWith(`${above}/`))
    ? (above as string)
    : first;
}

function reasonOf({ reason, rule }: Unread): string {
  return rule === undefined ? reason : `${reason} (${rule})`;
}

/** What it has no meaning without is off, or cannot be read either. */
function isMeaningless(
  { capabilities: { dependsOn } }: Kind,
  { state }: Collection,
  observed: ReadonlyMap<string, Collection>,
): boolean {
  const other = dependsOn === undefined ? undefined : observed.get(dependsOn.kind);
  if (dependsOn === undefined || other === undefined) return false;
  return other.state === 'read' ? other.members.every(({ spec }) => spec[dependsOn.field] === false) : state !== 'read';
}

function inOrder(kind: Kind, members: readonly Member[]): readonly Member[] {
  const places = new Map(siblingsOf(kind, members).map((identity, index) => [identity, index] as const));
  return [...members].sort(
    (left, right) => (places.get(left.identity) as number) - (places.get(right.identity) as number),
  );
}

/**
 * Returns the members that are written. Left out are members of the platform, members that are frozen or scheduled for
 * deletion, members that name an object scheduled for deletion, and members that exist with their parent and declare
 * nothing more.
 */
function choose(
  kind: Kind,
  members: readonly Member[],
  what: string,
  leaving: ReadonlySet<string>,
): { readonly shown: readonly Member[]; readonly leftOut: readonly LeftOut[] } {
  const shown: Member[] = [];
  const leftOut: LeftOut[] = [];
  const leave = (member: Member, reason: string): void => {
    leftOut.push({
      what,
      reason: kind.list === 'singleton' || kind.parent === null ? reason : `${member.identity}: ${reason}`,
      members: [member.identity],
    });
  };
  for (const member of members) {
    const status = kind.status?.(member);
    if (status?.is === 'platform-managed' || (status?.is === 'implicit' && !isMoreThanThere(kind, member))) continue;
    if (status?.is === 'deleting') leave(member, 'it is on its way out');
    else if (status?.is === 'frozen' && kind.parent !== null)
      leave(member, `${status.blocker.reason} (${status.blocker.rule})`);
    else {
      const named = namedLeaving(kind, member, leaving);
      if (named === undefined) shown.push(member);
      else leave(member, `it ${named.relation} ${named.name}, which is scheduled for deletion`);
    }
  }
  return { shown, leftOut };
}

function isMoreThanThere(kind: Kind, member: Member): boolean {
  const { value } = itemToManifest(kind, member);
  return isJsonObject(value) && Object.keys(value).length > 1;
}

/** Of an ordered list, those of which nobody can say which comes first. */
export function sharedPositions(kind: Kind, members: readonly Member[]): readonly string[] {
  const field = positionOf(kind);
  if (field === undefined || members.length < 2) return [];
  const isClear = ({ spec: { [field]: place } }: Member): boolean =>
    typeof place === 'number' && members.filter(({ spec }) => spec[field] === place).length === 1;
  return members.filter((member) => !isClear(member)).map(({ identity }) => identity);
}

/** Where a kind says nothing else: a list at its place, or the only one there; the fields of a root at the top. */
function derived(kind: Kind, items: readonly ManifestItem[]): ManifestPart {
  const place = kind.parent === null ? '' : placeOf(kind);
  const isList = kind.list === 'additive' || kind.list === 'authoritative';
  const [only] = items;
  if (only === undefined) return { spec: {} };
  if (place === '') return { spec: only.value as JsonObject, comments: only.comments };
  if (!isList)
    return saysNothing(only.value)
      ? { spec: {} }
      : { spec: placedAt(place, only.value), comments: commentsAt(`/${place}`, only.comments) };
  return itemsPlacedAt(place, items);
}

/** True for what says nothing: off, none, an empty text, or a list or an object of nothing else. */
function saysNothing(value: Json): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.values(value).every((item: Json) => saysNothing(item));
}

function isEmpty(spec: JsonObject): boolean {
  return Object.keys(spec).length === 0;
}
