// Decides which documents say what is live: one a root, one for each piece of plain data in them, and what is said beside them. Pure.
// Must not read anything, and must not know any kind by name.
import type { Address } from '../model/address.ts';
import { addressOf, compareText, parseAddress } from '../model/address.ts';
import type { ComposedData, LeftOut, Note } from '../model/compose.ts';
import type { JsonObject } from '../model/json.ts';
import { canonicalJson, unescapePointer } from '../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../model/kind.ts';
import type { LedgerView } from '../model/ledger-view.ts';
import type { ComposedRoot } from '../engine/compose.ts';
import { composeRoot } from '../engine/compose.ts';
import type { RootName, TakenNames } from '../manifest/name-manifests.ts';
import { nameRoots } from '../manifest/name-manifests.ts';
import type { ComposedDocument } from '../manifest/sayable.ts';
import { writeManifest } from '../manifest/write.ts';
import { stringify } from 'yaml';

/** A document that is to be written. */
export interface ExportDocument extends ComposedDocument {
  readonly address: Address;
  readonly file: string;
  /** The live root that it is about; absent for plain data. */
  readonly member?: Member;
}

/** A live root and what its manifest is called. */
export interface NamedRoot extends RootName {
  readonly kind: Kind;
  readonly member: Member;
  readonly address: Address;
}

const API_VERSION = 'hostwright/v1';

/** Names for live roots: that which the ledger knows them by, or one after what they are called. */
export function nameLiveRoots(roots: readonly { readonly kind: Kind; readonly member: Member }[], ledger: LedgerView, taken: TakenNames): readonly NamedRoot[] {
  const recorded = recordedNames(ledger);
  const known = roots.map(({ kind, member }) => recorded.get(JSON.stringify([kind.kind, member.id])));
  const others = [...recorded.values()].filter((name) => !known.includes(name));
  const names = nameRoots(
    roots.map(({ kind, member }, index) => ({ kind: kind.kind, folder: kind.filing?.folder ?? '', id: member.id, called: known[index] === undefined ? (kind.filing?.called(member) ?? []) : [known[index].name] })),
    { ...taken, manifests: [...taken.manifests, ...others] },
  );
  return roots.map(({ kind, member }, index) => {
    const { name: given, file } = names[index] as RootName;
    const name = known[index]?.name ?? given;
    return { kind, member, name, file, address: addressOf(null, kind.kind, name) };
  });
}

/** The names of roots in the ledger, by kind and id. */
function recordedNames(ledger: LedgerView): ReadonlyMap<string, { readonly kind: string; readonly name: string }> {
  return new Map([...ledger.objects.values()].flatMap(({ address, id }) => {
    const segments = parseAddress(address) ?? [];
    const [root] = segments;
    return segments.length === 1 && root !== undefined && root.name !== null ? [[JSON.stringify([root.kind, id]), { kind: root.kind, name: root.name }] as const] : [];
  }));
}

export interface ComposeRequest {
  readonly registry: Registry;
  readonly roots: readonly NamedRoot[];
  readonly inside: ReadonlyMap<Address, ReadonlyMap<string, Collection>>;
  readonly taken: TakenNames;
}

/** The documents for live roots, by kind in the order of the registry and then by name, those of plain data behind them. */
export function composeDocuments({ registry, roots, inside, taken }: ComposeRequest): readonly ExportDocument[] {
  const composed = roots.map((root) => ({ root, composed: composeRoot(registry, root.kind, root.member, inside.get(root.address) ?? new Map()) }));
  const data = nameData(composed.flatMap(({ composed: { data: own } }) => own), taken);
  const kinds = [...registry.keys()];
  const sorted = composed.sort((left, right) => kinds.indexOf(left.root.kind.kind) - kinds.indexOf(right.root.kind.kind) || compareText(left.root.name, right.root.name));
  return [...sorted.map((one) => rootDocument(one.root, one.composed, data)), ...dataDocuments(data)];
}

function rootDocument({ kind, member, name, file, address }: NamedRoot, { spec, notes, leftOut, data: own }: ComposedRoot, data: NamedData): ExportDocument {
  const whole = own.reduce((filled, one) => withReference(filled, one.pointer.split('/').slice(1).map(unescapePointer), `${one.kind}/${data.get(keyOf(one))?.name ?? ''}`), spec);
  return { address, file, member, manifest: { apiVersion: API_VERSION, kind: kind.kind, metadata: { name }, spec: whole }, notes, leftOut };
}

function withReference(spec: JsonObject, [token = '', ...rest]: readonly string[], ref: string): JsonObject {
  return { ...spec, [token]: rest.length === 0 ? { ref } : withReference((spec[token] ?? {}) as JsonObject, rest, ref) };
}

type NamedData = ReadonlyMap<string, RootName & { readonly data: ComposedData }>;

/** Equal data is one manifest, whoever has it. */
function nameData(all: readonly ComposedData[], taken: TakenNames): NamedData {
  const different = new Map(all.map((data) => [keyOf(data), data]));
  const names = nameRoots([...different].map(([id, { kind, folder, called }]) => ({ kind, folder, id, called })), taken);
  return new Map([...different].map(([key, data], index) => [key, { ...(names[index] as RootName), data }]));
}

function keyOf({ kind, spec }: ComposedData): string {
  return canonicalJson([kind, spec]);
}

function dataDocuments(data: NamedData): readonly ExportDocument[] {
  const documents = [...data.values()].map(({ name, file, data: { kind, spec, notes = [] } }): ExportDocument => ({ address: addressOf(null, kind, name), file, manifest: { apiVersion: API_VERSION, kind, metadata: { name }, spec }, notes, leftOut: [] }));
  return documents.sort((left, right) => compareText(left.address, right.address));
}

/** The ids of those that are known by a key. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

/** Who is known by which of the best keys. */
export function holdersOf(members: readonly Member[]): Holders {
  const holders = new Map<string, Set<string>>();
  for (const { id, keys } of members) for (const key of keys[0] ?? []) holders.set(key, (holders.get(key) ?? new Set()).add(id));
  return holders;
}

/**
 * The document with the id of its object, where its keys alone would not lead to that object for sure: it has none, or others have one of them too.
 * `keysOf` gives what the manifest says it is known by.
 */
export function withIdWhereNeeded(document: ExportDocument, holders: Holders, keysOf: (document: ExportDocument) => readonly (readonly string[])[]): ExportDocument {
  const { member, manifest } = document;
  if (member === undefined) return document;
  const [keys = []] = keysOf(document);
  const isSure = keys.length > 0 && keys.every((key) => holders.get(key)?.size === 1 && holders.get(key)?.has(member.id) === true);
  return isSure ? document : { ...document, manifest: { ...manifest, metadata: { ...manifest.metadata, id: member.id } } };
}

/** The text of a document, without a line break at its end. */
export function textOf({ manifest, notes, leftOut }: ExportDocument): string {
  const isBare = Object.keys(manifest.spec).length === 0;
  const said = [...notes.map((note) => ({ ...note, pointer: `/spec${note.pointer}` })), ...remarksOn(leftOut).map((text): Note => ({ pointer: '/spec', at: isBare ? 'above' : 'below', text }))];
  return writeManifest({ manifest, notes: said });
}

/** A line for all that is empty, one for each reason for which something is not written, and what it would have been where that is known. */
function remarksOn(leftOut: readonly LeftOut[]): readonly string[] {
  const places = (these: readonly LeftOut[]): string => [...new Set(these.map(({ what }) => what.replaceAll('/', '.')))].join(', ');
  const empty = leftOut.filter(({ because }) => because === undefined);
  const reasons = new Map<string, LeftOut[]>();
  for (const one of leftOut) if (one.because !== undefined) reasons.set(one.because, [...(reasons.get(one.because) ?? []), one]);
  return [
    ...(empty.length === 0 ? [] : [`Empty or off, and so not written: ${places(empty)}.`]),
    ...[...reasons].flatMap(([because, these]) => [`Not written: ${places(these)}: ${because}.`, ...these.flatMap(({ spec }) => (spec === undefined ? [] : stringify(spec, { lineWidth: 0 }).trimEnd().split('\n')))]),
  ];
}
