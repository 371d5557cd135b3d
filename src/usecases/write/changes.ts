// Which places of a manifest have to say something else so that it says what is live of one object: its fields, its item
// of a list, its place in it; or of a whole section. A secret is never touched: what cannot be read is not compared.
import { itemToManifest, sectionToManifest } from '../../planner/to-manifest.ts';
import { diffSpec, immutableDifferences } from '../../planner/diff.ts';
import type { Address } from '../../model/address.ts';
import { parseAddress } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, sameJson, unescapePointer, valueAt, withValueAt } from '../../model/json.ts';
import type { Collection, Kind, Member, SectionItem } from '../../model/kind/kind.ts';
import { needsNoManifest, positionOf, siblingsOf } from '../../model/kind/kind.ts';
import { isSectionDeclared } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';

/** Another value for a place of a spec, or none. */
export interface SpecChange {
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** Why a manifest cannot say it. */
export interface Refused {
  readonly reason: string;
  readonly remedy: string;
}

/** The spec with the changes in it. */
export function withChanges(spec: JsonObject, changes: readonly SpecChange[]): JsonObject {
  return changes.reduce((now, { pointer, value }) => withValueAt(now, pointer, value) as JsonObject, spec);
}

export interface LiveObject {
  readonly kind: Kind;
  /** The local name of its root. */
  readonly name: string;
  /** What the root's manifest says, profiles and plain data in it. */
  readonly spec: JsonObject;
  readonly identity: string;
  readonly live: Member | undefined;
  readonly root: Member;
  /** All that is live in its list. */
  readonly observed: Extract<Collection, { readonly state: 'read' }>;
  /** It is to stand where it is in the live list. */
  readonly isMoved?: boolean;
}

/** The changes that make a manifest say what is live; none where it does already. */
export function changesFor(object: LiveObject): readonly SpecChange[] | Refused {
  const { live } = object;
  const declared = declaredIn(object, object.spec);
  if (declared !== undefined) return live === undefined ? removal(object) : update(object, declared, live);
  return live === undefined
    ? {
        reason: 'it is neither declared nor live',
        remedy: 'Check the address: the plan writes it as it has to be.',
      }
    : addition(object, live);
}

/**
 * Returns the changes that make a manifest declare fields that it does not declare, with the values in `live`: a field of
 * a declared object, a section, or for a list that is not declared the whole list, as an authoritative list deletes what
 * it does not name. Fields that `object.spec` declares are left out. `earlier`: changes that the result starts with.
 */
export function declareFields(
  object: LiveObject & { readonly live: Member },
  paths: readonly string[],
  earlier: readonly SpecChange[],
): readonly SpecChange[] | Pick<Refused, 'reason'> {
  const changes: SpecChange[] = [...earlier];
  const before = declaredIn(object, object.spec);
  for (const path of paths.filter((one) => valueAt(before?.spec, one) === undefined)) {
    const spec = withChanges(object.spec, changes);
    const declared = declaredIn(object, spec);
    if (declared !== undefined && valueAt(declared.spec, path) !== undefined) continue;
    const value = valueAt(object.live.spec, path);
    if (value === undefined)
      return { reason: `${path.slice(1)} had no value before, and a manifest cannot take a value away` };
    const declaring = (candidates: readonly (readonly SpecChange[])[]): readonly SpecChange[] | undefined =>
      candidates.find((candidate) => declares(object, withChanges(spec, candidate), path, value));
    const section = declared === undefined ? sectionChangesFor(object, spec) : [];
    const inSection = declared ?? declaredIn(object, withChanges(spec, section));
    const found =
      declaring(declared === undefined ? [...aloneCandidates(object, path), section] : []) ??
      declaring(
        inSection === undefined
          ? []
          : fieldCandidates(object, inSection, path).map((candidate) => [...section, ...candidate]),
      );
    if (found === undefined) return { reason: `a manifest cannot declare the former value of ${path.slice(1)} alone` };
    changes.push(...found);
  }
  return changes;
}

/** The lines for a field of an object that is declared: the field itself first, then what it is written in. */
function fieldCandidates(
  { kind, live }: LiveObject & { readonly live: Member },
  { item }: Declared,
  path: string,
): readonly (readonly SpecChange[])[] {
  const tokens = path.split('/').slice(1);
  const written = itemToManifest(kind, live).value;
  return tokens.flatMap((_token, depth) => {
    const place = `/${tokens.slice(0, tokens.length - depth).join('/')}`;
    const [, token = '', ...below] = place.split('/');
    const pointer = [item.pointers?.[unescapePointer(token)] ?? `${item.pointer}/${token}`, ...below].join('/');
    return [valueAt(live.spec, place), valueAt(written, place)].flatMap((value) =>
      value === undefined ? [] : [[{ pointer, value }]],
    );
  });
}

/** Returns the lines that declare one field of a section of settings that is not declared, in each form of a section. */
function aloneCandidates(
  { kind, live }: LiveObject & { readonly live: Member },
  path: string,
): readonly (readonly SpecChange[])[] {
  if (kind.list === 'additive' || kind.list === 'authoritative') return [];
  const value = valueAt(live.spec, path) as Json;
  const name = escapePointer(live.identity);
  return kind.section.fields.flatMap((field) =>
    [`/${field}${path}`, `/${field}`, `/${field}/${name}`, `/${field}/${name}${path}`].map((pointer) => [
      { pointer, value },
    ]),
  );
}

/** Returns the lines that declare an object in a section that is not declared; of an authoritative list all that is live. */
function sectionChangesFor(
  { kind, live, root, observed }: LiveObject & { readonly live: Member },
  spec: JsonObject,
): readonly SpecChange[] {
  const members = kind.list === 'authoritative' ? observed.members : [live];
  return additions(spec, sectionToManifest(kind, { ...observed, members }, root).spec, '');
}

/** True where a manifest with this spec declares the object with this value at the path. */
function declares(object: LiveObject, spec: JsonObject, path: string, value: Json): boolean {
  try {
    const declared = declaredIn(object, spec);
    return declared !== undefined && sameJson(valueAt(declared.spec, path), value);
  } catch {
    // A kind rejects a spec of another shape.
    return false;
  }
}

/**
 * The changes that add a whole section beside what is there; none where it has people in it, who are written in
 * manifests of their own, which are not made here.
 */
export function sectionChanges(
  kind: Kind,
  collection: Collection,
  root: Member,
  spec: JsonObject,
): readonly SpecChange[] {
  const { spec: parts, data = [] } = sectionToManifest(kind, collection, root);
  return data.length > 0 ? [] : additions(spec, parts, '');
}

function additions(there: Json | undefined, coming: JsonObject, pointer: string): readonly SpecChange[] {
  return Object.entries(coming).flatMap(([key, value]): readonly SpecChange[] => {
    const place = `${pointer}/${escapePointer(key)}`;
    const before = isJsonObject(there) && Object.hasOwn(there, key) ? there[key] : undefined;
    if (before === undefined) return [{ pointer: place, value }];
    return isJsonObject(before) && isJsonObject(value) ? additions(before, value, place) : [];
  });
}

interface Declared {
  readonly item: SectionItem;
  readonly spec: JsonObject;
}

function declaredIn(
  { kind, name, identity }: Pick<LiveObject, 'kind' | 'name' | 'identity'>,
  spec: JsonObject,
): Declared | undefined {
  if (kind.parent !== null && !isSectionDeclared(kind, spec)) return undefined;
  return kind.section
    .expand(spec, name)
    .map((item) => ({ item, spec: normaliseSpec(kind, item.spec) }))
    .find((found) => kind.parent === null || kind.identity(found.spec) === identity);
}

function update(object: LiveObject, declared: Declared, live: Member): readonly SpecChange[] | Refused {
  const { kind } = object;
  const position = positionOf(kind);
  const implied = Object.fromEntries(
    Object.entries(kind.fields).flatMap(([field, rule]) => ('implied' in rule ? [[field, rule.implied]] : [])),
  );
  const wanted = { ...implied, ...declared.spec };
  const different = [
    ...diffSpec(kind, wanted, live.spec).map(({ path, was }) => ({ path, was })),
    ...immutableDifferences(kind, wanted, live.spec).map((field) => ({ path: `/${field}`, was: live.spec[field] })),
  ].filter(({ path }) => path !== `/${position ?? ''}`);
  const changes: SpecChange[] = [];
  for (const { path, was } of different) {
    const spec = withChanges(object.spec, changes);
    if (changes.length > 0 && says({ ...object, spec }, spec, path, was)) continue;
    const change = changeOf({ ...object, spec }, declared, live, path, was);
    if (change === undefined)
      return {
        reason: `no place of the manifest says ${path.slice(1)} by itself`,
        remedy: 'Change the manifest by hand.',
      };
    changes.push(change);
  }
  return object.isMoved === true
    ? [...changes, reordered({ ...object, spec: withChanges(object.spec, changes) })]
    : changes;
}

/** The first of what a manifest could say there, or around it, that reads back as what is live. */
function changeOf(
  object: LiveObject,
  declared: Declared,
  live: Member,
  path: string,
  was: Json | undefined,
): SpecChange | undefined {
  const places = path.split('/').slice(1);
  // What a manifest says in other words has no place of its own for this part.
  return places
    .map((_, depth) => `/${places.slice(0, places.length - depth).join('/')}`)
    .map((place) => changeAt(object, declared, live, { place, path, was }))
    .find((change) => change !== undefined);
}

function changeAt(
  object: LiveObject,
  declared: Declared,
  live: Member,
  { place, path, was }: { readonly place: string; readonly path: string; readonly was: Json | undefined },
): SpecChange | undefined {
  const { kind, spec } = object;
  const [, token = '', ...below] = place.split('/');
  const field = unescapePointer(token);
  const { item } = declared;
  const pointer = [item.pointers?.[field] ?? `${item.pointer}/${token}`, ...below].join('/');
  const written = valueAt(
    itemToManifest(kind, live).value,
    pointer.startsWith(`${item.pointer}/`) ? pointer.slice(item.pointer.length) : place,
  );
  const before = valueAt(spec, pointer);
  const candidates = [manifestPartAt(object, live, pointer), written, place === path ? was : undefined]
    .filter((value) => value !== undefined)
    .sort((left, right) => Number(isInFormOf(before, right)) - Number(isInFormOf(before, left)))
    .map((value) => inOldOrder(object, declared, field, before, value));
  const isSaid = (value: Json | undefined): boolean =>
    says(object, withValueAt(spec, pointer, value) as JsonObject, path, was);
  for (const value of [...candidates, ...(place === path ? [undefined] : [])]) {
    if (isSaid(value)) return { pointer, value: value === undefined ? undefined : asWritten(before, value, isSaid) };
  }
  return undefined;
}

/** True when both say things by the same keys: of several forms people go on with the one that they chose. */
function isInFormOf(before: Json | undefined, value: Json): boolean {
  if (Array.isArray(before) && Array.isArray(value))
    return (before as readonly Json[]).some((old) => (value as readonly Json[]).some((one) => isInFormOf(old, one)));
  if (!isJsonObject(before) || !isJsonObject(value)) return false;
  return Object.keys(value).some((key) => Object.hasOwn(before, key));
}

/** In the form that stood there, and without what did not: as long as it says the same. */
function asWritten(before: Json | undefined, value: Json, isSaid: (value: Json) => boolean): Json {
  if (before === undefined) return value;
  if (isSaid(before)) return before;
  if (Array.isArray(before) && Array.isArray(value)) {
    const old = before as readonly Json[];
    return (value as readonly Json[]).reduce<readonly Json[]>(
      (list, item, index) =>
        list.with(
          index,
          asWritten(old[index], item, (other) => isSaid(list.with(index, other))),
        ),
      value as readonly Json[],
    );
  }
  if (!isJsonObject(before) || !isJsonObject(value)) return value;
  return Object.entries(value).reduce<JsonObject>((whole, [key, item]) => {
    const { [key]: _item, ...others } = whole;
    if (!Object.hasOwn(before, key)) return isSaid(others) ? others : whole;
    return { ...whole, [key]: asWritten(before[key], item, (other) => isSaid({ ...whole, [key]: other })) };
  }, value);
}

/** What the manifest of all that is live in the list would say there: some places are not about one object alone. */
function manifestPartAt({ kind, root, observed }: LiveObject, live: Member, pointer: string): Json | undefined {
  const { toManifest } = kind.section;
  if (toManifest === undefined || /\/\d+(\/|$)/.test(pointer)) return undefined;
  const members = kind.list === 'singleton' || kind.parent === null ? [live] : observed.members;
  return valueAt(
    toManifest(members, { root, items: members.map((member) => itemToManifest(kind, member)) }).spec,
    pointer,
  );
}

/** Where order has no meaning, what stays stays where it stands and as it is written. */
function inOldOrder(
  { kind }: LiveObject,
  { item }: Declared,
  field: string,
  before: Json | undefined,
  value: Json,
): Json {
  if (kind.fields[field]?.shape !== 'set' || !Array.isArray(before) || !Array.isArray(value)) return value;
  const [old, now] = [before as readonly Json[], value as readonly Json[]];
  const normal = (one: Json): Json | undefined =>
    valueAt(normaliseSpec(kind, { ...item.spec, [field]: [one] }), `/${field}/0`);
  const kept = old.filter((one) => now.some((other) => sameJson(normal(one), normal(other))));
  return [...kept, ...now.filter((one) => !kept.some((other) => sameJson(normal(one), normal(other))))];
}

/** True when a manifest with this spec says of the object what is live at a path of it, or nothing. */
function says(object: LiveObject, spec: JsonObject, path: string, live: Json | undefined): boolean {
  try {
    const declared = declaredIn(object, spec);
    const value = declared === undefined ? undefined : valueAt(declared.spec, path);
    return value === undefined
      ? live === undefined || declared === undefined || !Object.hasOwn(declared.spec, path.slice(1))
      : sameJson(value, live);
  } catch {
    // What a kind cannot look into is no manifest.
    return false;
  }
}

/** The declared list in live order. What is not live stays behind what it stood behind. */
function reordered({ kind, name, spec, observed }: LiveObject): SpecChange {
  const pointer = `/${kind.section.fields[0] as string}`;
  const items = kind.section
    .expand(spec, name)
    .map((item, index) => ({ identity: kind.identity(normaliseSpec(kind, item.spec)), index }));
  const order = siblingsOf(kind, observed.members);
  const there = items
    .filter(({ identity }) => order.includes(identity))
    .sort((left, right) => order.indexOf(left.identity) - order.indexOf(right.identity));
  const list = valueAt(spec, pointer) as readonly Json[];
  const rows = items.map((item) => (order.includes(item.identity) ? (there.shift() as typeof item) : item));
  return { pointer, value: rows.map(({ index }) => list[index] as Json) };
}

function removal(object: LiveObject): readonly SpecChange[] | Refused {
  const { kind } = object;
  if (kind.list !== 'additive' && kind.list !== 'authoritative')
    return {
      reason: 'it is not on the account, and there is no list that it could be taken from',
      remedy: 'Remove its section from the manifest.',
    };
  const changes: SpecChange[] = [];
  // It may stand in more than one place.
  for (;;) {
    const declared = declaredIn(object, withChanges(object.spec, changes));
    if (declared === undefined) return changes;
    changes.push({ pointer: declared.item.pointer, value: undefined });
  }
}

function addition(object: LiveObject, live: Member): readonly SpecChange[] | Refused {
  const { kind, name, spec, observed } = object;
  if (needsNoManifest(kind, live))
    return {
      reason: 'it belongs to the platform, comes with its parent or is on its way out',
      remedy: 'Leave it: no plan touches it.',
    };
  const pointer = `/${kind.section.fields[0] as string}`;
  const list = valueAt(spec, pointer);
  if ((kind.list !== 'additive' && kind.list !== 'authoritative') || !Array.isArray(list))
    return {
      reason: `the manifest does not manage ${pointer.slice(1)}`,
      remedy: `Write ${pointer.slice(1)} in the manifest first; \`hostwright export --out FOLDER\` adds what is missing.`,
    };
  const order = siblingsOf(kind, observed.members);
  const place = order.indexOf(live.identity);
  const declared = kind.section
    .expand(spec, name)
    .map((item) => order.indexOf(kind.identity(normaliseSpec(kind, item.spec))));
  const before =
    positionOf(kind) === undefined ? list.length - 1 : declared.findLastIndex((other) => other !== -1 && other < place);
  return [{ pointer, value: (list as readonly Json[]).toSpliced(before + 1, 0, itemToManifest(kind, live).value) }];
}

/** What a list knows the object of an address by. */
export function identityAt(kind: Kind, address: Address): string {
  return kind.list === 'singleton' ? kind.identity({}) : (parseAddress(address)?.at(-1)?.name ?? '');
}
