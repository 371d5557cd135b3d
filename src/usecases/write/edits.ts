// How changes of what manifests say become texts of files: each change in the document that says it, its own or one
// that holds plain data for it, never a profile, which others share.
import type { Address } from '../../model/address.ts';
import { addressOf, parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import { invariant } from '../../model/invariant.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { valueAt, withValueAt } from '../../model/json.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import { dataKinds } from '../../areas/index.ts';
import { editDocuments } from '../../manifest/edit/edit.ts';
import { ownSpec } from '../../manifest/edit/merge-back.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import type { LoadedText } from '../../manifest/read/load.ts';
import { parseYaml } from '../../manifest/read/parse.ts';
import type { SourceText } from '../../manifest/read/source-text.ts';
import { PROFILES, profileKindOf, sharedShapeOf } from '../../manifest/read/profile-kinds.ts';
import { chainOf } from '../../manifest/read/profiles.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { unwritable } from '../account.ts';
import type { SpecChange } from './changes.ts';

/** Changes of the spec of an object's root. */
export interface ObjectChanges {
  readonly address: Address;
  readonly changes: readonly SpecChange[];
  /** What its manifest is bound to from now on. */
  readonly id?: string;
}

export interface Edits {
  readonly edits: readonly FileEdit[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A document in a file, as it was written. */
export interface OwnDocument {
  readonly text: LoadedText;
  /** Among the documents of the file that hold anything. */
  readonly number: number;
  readonly value: JsonObject;
  /** With its profiles in it. */
  readonly merged: JsonObject;
}

/** A document and what it is to come to, profiles in it. */
interface WantedDocument {
  readonly document: OwnDocument;
  readonly value: JsonObject;
}

/** The files once all of the changes are made, in their order. */
export function editsFor(opened: OpenedWorkspace, objects: readonly ObjectChanges[]): Edits {
  const wanted = new Map<Address, WantedDocument>();
  const diagnostics = objects.flatMap((object) => addTo(wanted, opened, object));
  if (hasErrors(diagnostics)) return { edits: [], diagnostics };
  const values = [...wanted].map(([address, { document, value }]) => ({
    address,
    document,
    value: ownValue(opened, document, value),
  }));
  const stuck = values.filter(({ value }) => value === undefined).map(({ address }) => onlyProfile(address));
  if (stuck.length > 0) return { edits: [], diagnostics: stuck };
  const files = [...new Set(values.map(({ document }) => document.text))].map((text) =>
    editFile(text, values.filter(({ document }) => document.text === text) as readonly WantedDocument[]),
  );
  return {
    edits: files.flatMap((file) => ('after' in file && file.after !== file.before ? [file] : [])),
    diagnostics: [...diagnostics, ...files.flatMap((file) => ('after' in file ? [] : [file]))],
  };
}

/** Puts the changes into the documents that say what is to change. */
function addTo(
  wanted: Map<Address, WantedDocument>,
  opened: OpenedWorkspace,
  { address, changes, id }: ObjectChanges,
): readonly Diagnostic[] {
  const [root] = parseAddress(address) ?? [];
  invariant(root !== undefined, `${address} has no root`);
  const own = { kind: root.kind, name: root.name ?? '' };
  const documentOf = ({ kind, name }: Omit<Place, 'pointer'>): WantedDocument => {
    const known = wanted.get(addressOf(null, kind, name));
    const document = known?.document ?? findDocument(opened, kind, name);
    invariant(document !== undefined, `no document says ${kind} ${name}`);
    return known ?? { document, value: document.merged };
  };
  const put = (place: Place, to: Json | undefined): OwnDocument => {
    const { document, value } = documentOf(place);
    wanted.set(addressOf(null, place.kind, place.name), {
      document,
      value: withValueAt(value, place.pointer, to) as JsonObject,
    });
    return document;
  };
  let isShared = false;
  for (const { pointer, value } of changes) {
    const place = placeIn({ ...own, pointer: `/spec${pointer}` }, documentOf(own).value);
    if (typeof place === 'string')
      return [unwritable(address, `what stands there is taken from ${place}`, 'Change the manifest by hand.')];
    const { merged } = put(place, value);
    isShared ||=
      valueAt(merged, place.pointer) !== undefined &&
      opened.documents.find((document) => document.value === merged)?.place(place.pointer).shared === true;
  }
  if (id !== undefined) put({ ...own, pointer: '/metadata/id' }, id);
  return isShared ? [overridden(address)] : [];
}

/** The document of a manifest. */
export function findDocument(
  { documents, texts }: Pick<OpenedWorkspace, 'documents' | 'texts'>,
  kind: string,
  name: string,
): OwnDocument | undefined {
  const merged = byName(documents).get(nameKey(kind, name));
  const text = texts.find(({ source }) => source === merged?.source);
  if (merged === undefined || text === undefined) return undefined;
  const values = writtenIn(text.source);
  const number = values.findIndex((value) => isNamed(value, kind, name));
  return { text, number, value: values[number] as JsonObject, merged: merged.value as JsonObject };
}

type Documents = OpenedWorkspace['documents'];

// A file can hold the manifests of hundreds of objects, each of which is looked up: it is read once.
const named = new WeakMap<Documents, ReadonlyMap<string, Documents[number]>>();
const written = new WeakMap<SourceText, readonly Json[]>();

/** The first document of each kind and name. */
function byName(documents: Documents): ReadonlyMap<string, Documents[number]> {
  const known = named.get(documents);
  if (known !== undefined) return known;
  const index = new Map<string, Documents[number]>();
  for (const document of documents) {
    const key = nameKey(valueAt(document.value, '/kind'), valueAt(document.value, '/metadata/name'));
    if (!index.has(key)) index.set(key, document);
  }
  named.set(documents, index);
  return index;
}

function nameKey(kind: Json | undefined, name: Json | undefined): string {
  return JSON.stringify([kind ?? null, name ?? null]);
}

/** The documents of a file as they were written, profiles not in them. */
function writtenIn(source: SourceText): readonly Json[] {
  const known = written.get(source) ?? parseYaml(source).documents.map(({ value }) => value);
  written.set(source, known);
  return known;
}

function isNamed(value: Json, kind: string, name: string): boolean {
  return valueAt(value, '/kind') === kind && valueAt(value, '/metadata/name') === name;
}

/** A place in the document of a manifest. */
interface Place {
  readonly kind: string;
  readonly name: string;
  readonly pointer: string;
}

/** Where a place leads to once references to plain data are followed; any other reference on the way stays one. */
function placeIn(place: Place, value: JsonObject): Place | string {
  const tokens = place.pointer.split('/');
  for (let depth = 2; depth < tokens.length; depth += 1) {
    const reference = manifestReference(valueAt(value, tokens.slice(0, depth).join('/')));
    if (reference === undefined) continue;
    const [data, ...below] = parseAddress(reference.ref) ?? [];
    if (data === undefined || below.length > 0 || !dataKinds.has(data.kind) || reference.output !== undefined)
      return reference.ref;
    return { kind: data.kind, name: data.name ?? '', pointer: ['/spec', ...tokens.slice(depth)].join('/') };
  }
  return place;
}

/**
 * What a document is to hold itself, so that with its profiles it comes to this; undefined where only a profile could
 * say it.
 */
function ownValue(
  { texts }: OpenedWorkspace,
  { value, merged }: OwnDocument,
  wanted: JsonObject,
): JsonObject | undefined {
  const kind = value.kind as string;
  const shape = sharedShapeOf(kind);
  const [now, own, to] = [merged.spec, value.spec, wanted.spec] as [JsonObject, JsonObject, JsonObject];
  if (shape === undefined) return { ...value, ...wanted };
  const { merged: shared } = chainOf(profilesNamed(texts, profileKindOf(kind) ?? '', own[PROFILES]), shape);
  const spec = ownSpec({ shared, own, now, wanted: to }, shape);
  return spec === undefined ? undefined : { ...value, ...wanted, spec };
}

/** Profiles as they are written. */
function profilesNamed(texts: readonly LoadedText[], kind: string, named: Json | undefined) {
  const names = Array.isArray(named) ? [...new Set(named as readonly Json[])] : [];
  if (names.length === 0) return [];
  const profiles = texts
    .filter(({ source }) => source.text.includes(kind))
    .flatMap(({ source }) => parseYaml(source).documents.filter(({ value }) => valueAt(value, '/kind') === kind));
  return names.flatMap((name) => profiles.find(({ value }) => valueAt(value, '/metadata/name') === name) ?? []);
}

/** The file with other values in its documents, or why not, and what to paste. */
function editFile({ source, file }: LoadedText, wanted: readonly WantedDocument[]): FileEdit | Diagnostic {
  const values = new Map(wanted.map(({ document, value }) => [document.number, value]));
  const result = editDocuments(source.text, values);
  if ('text' in result)
    return { file: source.name, ...(file !== undefined && { path: file }), before: source.text, after: result.text };
  const { refused, pointer } = result;
  const value = values.get(result.document) ?? {};
  const place = pointer.replace(/\/\d+(\/.*)?$/, '');
  return diagnose(
    'HW6713',
    `In ${source.name}, ${JSON.stringify(value.kind)} ${JSON.stringify(valueAt(value, '/metadata/name') ?? null)}, at ${pointer}: ${refused}. Nothing was written. Write there by hand what stands above.`,
    { frame: writeManifest({ manifest: withValueAt(undefined, place, valueAt(value, place) ?? null) as JsonObject }) },
  );
}

function onlyProfile(address: Address): Diagnostic {
  return unwritable(
    address,
    'a profile says it for several manifests, and no manifest can take it out or put it elsewhere by itself',
    'Change the profile, or stop using it here.',
  );
}

function overridden(address: Address): Diagnostic {
  return diagnose(
    'HW6717',
    `What the manifest says of ${address} comes from a profile, which others share. What is live stands in the manifest itself now; the profile is as it was.`,
    { address },
  );
}
