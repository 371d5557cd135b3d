// Which objects a set of valid manifests asks for: every root, and every section of it, as collections of wanted
// objects. Pure and synchronous; knows no kind by name.
import type { Address } from '../../model/address.ts';
import { addressOf, compareText } from '../../model/address.ts';
import type { Desired, DesiredCollection, Manifest, Unresolved } from '../../model/desired.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { escapePointer, valueAt, withValueAt } from '../../model/json.ts';
import type { Kind, Registry, SectionItem } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { PlacedReference } from '../../model/manifest-reference.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import { declaredKinds } from '../../model/kind/declared.ts';
import { isFieldDeclared, itemsOf, unresolvedIn } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';

/**
 * Collections in the order of the registry, then of their parents' addresses: the order of files makes no difference.
 */
export function expandManifests(manifests: readonly Manifest[], registry: Registry): readonly DesiredCollection[] {
  const members = new Map<string, Desired[]>();
  const sections = new Map<string, DesiredCollection[]>();
  const byAddress = manifests.map((manifest) => ({ manifest, address: addressOfRoot(manifest) }));
  for (const { manifest, address } of byAddress.sort((left, right) => compareText(left.address, right.address))) {
    const kind = registry.get(manifest.kind);
    if (kind?.parent !== null) continue;
    const own = declaredKinds(manifest, registry).map((below): SectionOf => ({
      kind: below,
      collection: sectionCollection(below, manifest, address),
    }));
    addTo(members, kind.kind, rootMember(kind, manifest, { address, sections: own, registry }));
    for (const { kind: below, collection } of own)
      if (isAskedFor(below, manifest)) addTo(sections, below.kind, collection);
  }
  return [...registry.values()].flatMap((kind) =>
    kind.parent === null ? rootCollection(kind, members.get(kind.kind)) : (sections.get(kind.kind) ?? []),
  );
}

interface SectionOf {
  readonly kind: Kind;
  readonly collection: DesiredCollection;
}

function addTo<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** How many objects the same collections would have; nothing is worked out of any of them. */
export function countObjects(manifests: readonly Manifest[], registry: Registry): number {
  let count = 0;
  for (const manifest of manifests) {
    if (registry.get(manifest.kind)?.parent !== null) continue;
    count += 1;
    for (const kind of declaredKinds(manifest, registry))
      if (isAskedFor(kind, manifest) && unresolvedIn(kind, manifest).length === 0)
        count += itemsOf(kind, manifest).length;
  }
  return count;
}

/** What is in an object that goes goes with it; what is done because it goes is still asked for. */
function isAskedFor(kind: Kind, manifest: Manifest): boolean {
  return manifest.lifecycle.state === 'present' || kind.capabilities.hook !== undefined;
}

function rootCollection(kind: Kind, members: readonly Desired[] | undefined): readonly DesiredCollection[] {
  if (members === undefined) return [];
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

function rootMember(
  kind: Kind,
  manifest: Manifest,
  {
    address,
    sections,
    registry,
  }: { readonly address: Address; readonly sections: readonly SectionOf[]; readonly registry: Registry },
): Desired {
  const item = itemsOf(kind, manifest)[0];
  const isInside = ({ pointer }: PlacedReference): boolean =>
    [...registry.values()].some(
      ({ parent, section }) => parent === kind.kind && section.fields.some((field) => isWithin(pointer, `/${field}`)),
    );
  const restsOn = restsIn(manifest, '').filter((reference) => !isInside(reference));
  const desired = {
    address,
    kind: kind.kind,
    parent: null,
    identity: manifest.name,
    spec: item === undefined ? {} : normaliseSpec(kind, item.spec),
    lifecycle: manifest.lifecycle,
    keys: kind.keys?.(manifest.name, manifest.spec) ?? keysOf(manifest, sections),
    sourceOf: (field: string) =>
      field === '' ? manifest.sourceOf('/metadata/name') : sourceOfItem(manifest, item, field),
  };
  if (manifest.id === undefined && manifest.renamedFrom === undefined && restsOn.length === 0) return desired;
  return {
    ...desired,
    ...(manifest.id !== undefined && { boundId: manifest.id }),
    ...(manifest.renamedFrom !== undefined && { renamedFrom: addressOf(null, kind.kind, manifest.renamedFrom) }),
    ...(restsOn.length > 0 && { restsOn }),
  };
}

/** Rank 0: what it owns that only one object can own. Rank 1: its display name. */
function keysOf({ spec: { name } }: Manifest, sections: readonly SectionOf[]): readonly (readonly string[])[] {
  const owned = sections
    .filter(({ kind }) => kind.list === 'additive')
    .flatMap(({ kind, collection }) => {
      const consent = kind.capabilities.move?.consent;
      return (
        collection.members
          // What it takes from another object says nothing of which one it is itself.
          .filter(({ spec }) => consent === undefined || !Object.hasOwn(spec, consent))
          .map(({ identity }) => identity)
      );
    });
  return [owned, typeof name === 'string' ? [name] : []];
}

function sectionCollection(kind: Kind, manifest: Manifest, parent: Address): DesiredCollection {
  const { fields, unlisted } = kind.section;
  const awaited = unresolvedIn(kind, manifest);
  const declared = fields.filter(
    (field) => isFieldDeclared(manifest.spec, field) || awaited.some(({ pointer }) => isWithin(pointer, `/${field}`)),
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
    ...(awaited.length > 0 && { unresolved: unresolvedOf(kind, manifest, parent, awaited) }),
    unlisted: remove ? 'remove' : 'keep',
    protect: manifest.lifecycle.protect,
    partial: declared[0] !== fields[0],
    rootSpec: manifest.spec,
    sourceOf: (field) =>
      manifest.sourceOf(`/spec/${declared[0] ?? ''}${field === '' ? '' : `/${escapePointer(field)}`}`),
  };
}

/** What no kind can expand yet, and how it is expanded once the values are known. */
function unresolvedOf(
  kind: Kind,
  manifest: Manifest,
  parent: Address,
  references: readonly PlacedReference[],
): Unresolved {
  const { spec } = manifest;
  return {
    references,
    written: kind.section.fields.map((field) => valueAt(spec, `/${field}`) ?? null),
    filled: (values) => {
      const whole = [...values].reduce(
        (filled, [pointer, value]) => withValueAt(filled, pointer, value) as JsonObject,
        spec,
      );
      const others = (manifest.references ?? []).filter((reference) => !references.includes(reference));
      const collection = sectionCollection(kind, { ...manifest, spec: whole, references: others }, parent);
      return {
        ...collection,
        members: collection.members.map((desired) => ({ ...desired, resolvedReferences: references })),
      };
    },
  };
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
  const { renamedFrom, accept, ...written } = item.spec;
  const isWritten = renamedFrom === undefined && accept === undefined;
  const spec: JsonObject = normaliseSpec(kind, isWritten ? item.spec : written);
  const identity = kind.identity(spec);
  const restsOn = restsIn(manifest, item.pointer);
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
  if (restsOn.length === 0 && renamedFrom === undefined) return desired;
  return {
    ...desired,
    ...(restsOn.length > 0 && { restsOn }),
    ...(typeof renamedFrom === 'string' && {
      renamedFrom: memberAddress({ kind: kind.kind, parent }, kind, renamedFrom),
    }),
  };
}

/** A field may stand elsewhere than its item; what is not written at all is at the item. */
function sourceOfItem(manifest: Manifest, item: SectionItem | undefined, field: string): SourcePosition | undefined {
  const name = field.replace(/^\//, '');
  const pointer = item?.pointers?.[name] ?? `${item?.pointer ?? ''}${name === '' ? '' : `/${name}`}`;
  return manifest.sourceOf(`/spec${pointer}`);
}

/** The objects that are named at a place, or in it, and of which no value is taken: an order, and nothing else. */
function restsIn({ references = [] }: Manifest, place: string): readonly PlacedReference[] {
  if (references.length === 0) return references;
  return references.filter(({ pointer, output }) => output === undefined && isWithin(pointer, place));
}

function addressOfRoot(manifest: Manifest): string {
  return addressOf(null, manifest.kind, manifest.name);
}
