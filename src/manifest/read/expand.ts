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
import { unresolvedIn, isSectionDeclared } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';

/**
 * Collections in the order of the registry, then of their parents' addresses: the order of files makes no difference.
 */
export function expandManifests(manifests: readonly Manifest[], registry: Registry): readonly DesiredCollection[] {
  const sorted = [...manifests].sort((left, right) => compareText(addressOfRoot(left), addressOfRoot(right)));
  return [...registry.values()].flatMap((kind) => {
    if (kind.parent === null)
      return rootCollection(
        kind,
        sorted.filter((manifest) => manifest.kind === kind.kind),
        registry,
      );
    // What is in an object that goes goes with it; what is done because it goes is still asked for.
    const wanted = sorted.filter(
      ({ lifecycle }) => lifecycle.state === 'present' || kind.capabilities.hook !== undefined,
    );
    return wanted
      .filter((manifest) => manifest.kind === kind.parent && isDeclared(kind, manifest))
      .map((manifest) => sectionCollection(kind, manifest));
  });
}

function rootCollection(kind: Kind, manifests: readonly Manifest[], registry: Registry): readonly DesiredCollection[] {
  if (manifests.length === 0) return [];
  const members = manifests.map((manifest) => rootMember(kind, manifest, registry));
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

function rootMember(kind: Kind, manifest: Manifest, registry: Registry): Desired {
  const item = kind.section.expand(manifest.spec, manifest.name)[0];
  const inside = [...registry.values()]
    .filter(({ parent }) => parent === kind.kind)
    .flatMap(({ section }) => section.fields);
  const rests = restsIn(manifest, '').filter(({ pointer }) => !inside.some((field) => isWithin(pointer, `/${field}`)));
  return {
    address: addressOfRoot(manifest),
    kind: kind.kind,
    parent: null,
    identity: manifest.name,
    spec: item === undefined ? {} : normaliseSpec(kind, item.spec),
    lifecycle: manifest.lifecycle,
    ...(manifest.id !== undefined && { boundId: manifest.id }),
    ...(manifest.renamedFrom !== undefined && { renamedFrom: addressOf(null, kind.kind, manifest.renamedFrom) }),
    ...(rests.length > 0 && { rests }),
    keys: kind.keys?.(manifest.name, manifest.spec) ?? keysOf(manifest, registry),
    sourceOf: (field) => (field === '' ? manifest.sourceOf('/metadata/name') : sourceOfItem(manifest, item, field)),
  };
}

/** Rank 0: what it owns that only one object can own. Rank 1: its display name. */
function keysOf(manifest: Manifest, registry: Registry): readonly (readonly string[])[] {
  const owned = [...registry.values()]
    .filter((kind) => kind.parent === manifest.kind && kind.list === 'additive' && isDeclared(kind, manifest))
    // What it takes from another object says nothing of which one it is itself.
    .flatMap((kind) =>
      sectionCollection(kind, manifest)
        .members.filter(
          ({ spec }) => kind.capabilities.move === undefined || !Object.hasOwn(spec, kind.capabilities.move.consent),
        )
        .map(({ identity }) => identity),
    );
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
  const remove = unlisted !== undefined && valueAt(manifest.spec, `/unlisted/${escapePointer(unlisted)}`) === 'remove';
  const collection = addressOf(parent, kind.kind, null);
  return {
    collection,
    kind: kind.kind,
    parent,
    members:
      awaited.length > 0
        ? []
        : kind.section.expand(manifest.spec, manifest.name).map((item) => sectionMember(kind, manifest, item)),
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

function sectionMember(kind: Kind, manifest: Manifest, item: SectionItem): Desired {
  const parent = addressOfRoot(manifest);
  const spec: JsonObject = normaliseSpec(kind, item.spec);
  const identity = kind.identity(spec);
  const rests = restsIn(manifest, item.pointer);
  return {
    address: memberAddress({ kind: kind.kind, parent }, kind, identity),
    kind: kind.kind,
    parent,
    identity,
    spec,
    lifecycle: { state: 'present', protect: manifest.lifecycle.protect },
    ...(rests.length > 0 && { rests }),
    keys: [[identity]],
    sourceOf: (field) => sourceOfItem(manifest, item, field),
  };
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
  return references.filter(({ pointer, output }) => output === undefined && isWithin(pointer, place));
}

function addressOfRoot(manifest: Manifest): string {
  return addressOf(null, manifest.kind, manifest.name);
}
