// Which objects a set of valid manifests asks for: every root, and every section of it, as collections of wanted
// objects. Pure and synchronous; knows no kind by name.
import { addressOf, compareText } from '../../model/address.ts';
import type { Awaited, Desired, DesiredCollection, Manifest } from '../../model/desired.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, unescapePointer, valueAt } from '../../model/json.ts';
import type { Kind, Registry, SectionItem } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { PlacedReference } from '../../model/manifest-reference.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import { itemsOf, unresolvedIn, isSectionDeclared } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';

/**
 * Collections in the order of the registry, then of their parents' addresses: the order of files makes no difference.
 */
export function expandManifests(manifests: readonly Manifest[], registry: Registry): readonly DesiredCollection[] {
  const sorted = [...manifests].sort((left, right) => compareText(addressOfRoot(left), addressOfRoot(right)));
  const ofKind = new Map<string, Manifest[]>();
  for (const manifest of sorted) {
    const known = ofKind.get(manifest.kind);
    if (known === undefined) ofKind.set(manifest.kind, [manifest]);
    else known.push(manifest);
  }
  const collections: DesiredCollection[] = [];
  for (const kind of registry.values()) {
    if (kind.parent === null) {
      collections.push(...rootCollection(kind, ofKind.get(kind.kind) ?? [], registry));
      continue;
    }
    for (const manifest of ofKind.get(kind.parent) ?? [])
      if (isAskedFor(kind, manifest)) collections.push(sectionCollection(kind, manifest));
  }
  return collections;
}

/** How many objects the same collections would have; nothing is worked out of any of them. */
export function countObjects(manifests: readonly Manifest[], registry: Registry): number {
  const kinds = [...registry.values()];
  const sections = new Map(kinds.map(({ kind }) => [kind, kinds.filter(({ parent }) => parent === kind)]));
  let count = 0;
  for (const manifest of manifests) {
    const below = sections.get(manifest.kind);
    if (below === undefined) continue;
    count += registry.get(manifest.kind)?.parent === null ? 1 : 0;
    for (const kind of below)
      if (isAskedFor(kind, manifest) && unresolvedIn(kind, manifest).length === 0)
        count += itemsOf(kind, manifest).length;
  }
  return count;
}

/** What is in an object that goes goes with it; what is done because it goes is still asked for. */
function isAskedFor(kind: Kind, manifest: Manifest): boolean {
  return (manifest.lifecycle.state === 'present' || kind.capabilities.hook !== undefined) && isDeclared(kind, manifest);
}

function rootCollection(kind: Kind, manifests: readonly Manifest[], registry: Registry): readonly DesiredCollection[] {
  if (manifests.length === 0) return [];
  const children = [...registry.values()].filter(({ parent }) => parent === kind.kind);
  const members = manifests.map((manifest) => rootMember(kind, manifest, children));
  // Which roots there should be is never said: a manifest that is gone is not a delete, and other roots are nobody's
  // business.
  return [
    {
      collection: kind.kind,
      kind: kind.kind,
      parent: null,
      members,
      unlisted: 'keep',
      protect: false,
      partial: true,
      sourceOf: () => undefined,
    },
  ];
}

function rootMember(kind: Kind, manifest: Manifest, children: readonly Kind[]): Desired {
  const item = itemsOf(kind, manifest)[0];
  const isInside = ({ pointer }: PlacedReference): boolean =>
    children.some(({ section }) => section.fields.some((field) => isWithin(pointer, `/${field}`)));
  const rests = restsIn(manifest, '').filter((reference) => !isInside(reference));
  const desired = {
    address: addressOfRoot(manifest),
    kind: kind.kind,
    parent: null,
    identity: manifest.name,
    spec: item === undefined ? {} : normaliseSpec(kind, item.spec),
    lifecycle: manifest.lifecycle,
    keys: kind.keys?.(manifest.name, manifest.spec) ?? keysOf(manifest, children),
    sourceOf: (field: string) =>
      field === '' ? manifest.sourceOf('/metadata/name') : sourceOfItem(manifest, item, field),
  };
  if (manifest.id === undefined && manifest.renamedFrom === undefined && rests.length === 0) return desired;
  return {
    ...desired,
    ...(manifest.id !== undefined && { boundId: manifest.id }),
    ...(manifest.renamedFrom !== undefined && { renamedFrom: addressOf(null, kind.kind, manifest.renamedFrom) }),
    ...(rests.length > 0 && { rests }),
  };
}

/** Rank 0: what it owns that only one object can own. Rank 1: its display name. */
function keysOf(manifest: Manifest, children: readonly Kind[]): readonly (readonly string[])[] {
  const owned = children
    .filter(
      (kind) => kind.list === 'additive' && isDeclared(kind, manifest) && unresolvedIn(kind, manifest).length === 0,
    )
    .flatMap((kind) => {
      const consent = kind.capabilities.move?.consent;
      return (
        itemsOf(kind, manifest)
          .map(({ spec }) => normaliseSpec(kind, spec))
          // What it takes from another object says nothing of which one it is itself.
          .filter((spec) => consent === undefined || !Object.hasOwn(spec, consent))
          .map((spec) => kind.identity(spec))
      );
    });
  const { name } = manifest.spec;
  return [owned, typeof name === 'string' ? [name] : []];
}

function sectionCollection(kind: Kind, manifest: Manifest): DesiredCollection {
  const parent = addressOfRoot(manifest);
  const { fields, unlisted } = kind.section;
  const awaited = unresolvedIn(kind, manifest);
  const declared = fields.filter(
    (field) =>
      valueAt(manifest.spec, `/${field}`) !== undefined ||
      awaited.some(({ pointer }) => isWithin(pointer, `/${field}`)),
  );
  const member = {
    kind,
    manifest,
    parent,
    lifecycle: { state: 'present', protect: manifest.lifecycle.protect },
  } as const;
  const remove = unlisted !== undefined && valueAt(manifest.spec, `/unlisted/${escapePointer(unlisted)}`) === 'remove';
  const collection = addressOf(parent, kind.kind, null);
  return {
    collection,
    kind: kind.kind,
    parent,
    members: awaited.length > 0 ? [] : itemsOf(kind, manifest).map((item) => sectionMember(member, item)),
    ...(awaited.length > 0 && { unresolved: unresolvedOf(kind, manifest, awaited) }),
    unlisted: remove ? 'remove' : 'keep',
    protect: manifest.lifecycle.protect,
    partial: declared[0] !== fields[0],
    rootSpec: manifest.spec,
    sourceOf: (field) =>
      manifest.sourceOf(`/spec/${declared[0] ?? ''}${field === '' ? '' : `/${escapePointer(field)}`}`),
  };
}

/** What no kind can expand yet, and how it is expanded once the values are known. */
function unresolvedOf(kind: Kind, manifest: Manifest, references: readonly PlacedReference[]): Awaited {
  const { spec } = manifest;
  return {
    references,
    written: kind.section.fields.map((field) => valueAt(spec, `/${field}`) ?? null),
    filled: (values) => {
      const whole = [...values].reduce(
        (filled, [pointer, value]) =>
          withValue(filled, pointer.split('/').slice(1).map(unescapePointer), value) as JsonObject,
        spec,
      );
      const collection = sectionCollection(kind, {
        ...manifest,
        spec: whole,
        references: (manifest.references ?? []).filter((reference) => !references.includes(reference)),
      });
      return { ...collection, members: collection.members.map((desired) => ({ ...desired, taken: references })) };
    },
  };
}

/** The value with another one at this place. */
function withValue(value: Json | undefined, [token, ...rest]: readonly string[], other: Json): Json {
  if (token === undefined) return other;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === token ? withValue(item, rest, other) : item));
  const before = isJsonObject(value) ? value : {};
  return { ...before, [token]: withValue(before[token], rest, other) };
}

function sectionMember(
  {
    kind,
    manifest,
    parent,
    lifecycle,
  }: { readonly kind: Kind; readonly manifest: Manifest } & Pick<Desired, 'parent' | 'lifecycle'>,
  item: SectionItem,
): Desired {
  const spec: JsonObject = normaliseSpec(kind, item.spec);
  const identity = kind.identity(spec);
  const rests = restsIn(manifest, item.pointer);
  const desired = {
    address: memberAddress({ kind: kind.kind, parent }, kind, identity),
    kind: kind.kind,
    parent,
    identity,
    spec,
    lifecycle,
    keys: [[identity]],
    sourceOf: (field: string) => sourceOfItem(manifest, item, field),
  };
  // One shape for nearly all of them: those that differ in it slow down everything that looks at one.
  return rests.length === 0 ? desired : { ...desired, rests };
}

/** A field may stand elsewhere than its item; what is not written at all is at the item. */
function sourceOfItem(manifest: Manifest, item: SectionItem | undefined, field: string): SourcePosition | undefined {
  const name = field.replace(/^\//, '');
  const pointer = item?.pointers?.[name] ?? `${item?.pointer ?? ''}${name === '' ? '' : `/${name}`}`;
  return manifest.sourceOf(`/spec${pointer}`);
}

function isDeclared(kind: Kind, manifest: Manifest): boolean {
  return isSectionDeclared(kind, manifest.spec) || unresolvedIn(kind, manifest).length > 0;
}

/** The objects that are named at a place, or in it, and of which no value is taken: an order, and nothing else. */
function restsIn({ references = [] }: Manifest, place: string): readonly PlacedReference[] {
  if (references.length === 0) return references;
  return references.filter(({ pointer, output }) => output === undefined && isWithin(pointer, place));
}

function addressOfRoot(manifest: Manifest): string {
  return addressOf(null, manifest.kind, manifest.name);
}
