// Which documents say what is live: one a root, one for each piece of plain data in them, and what is said beside them.
// Pure.
import { stringify } from 'yaml';
import type { Address } from '../../model/address.ts';
import { addressOf, compareText, parseAddress } from '../../model/address.ts';
import type { LeftOut, Comment } from '../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { rootToManifest } from '../../planner/to-manifest.ts';
import type { RootName, RootToName, TakenNames } from '../../manifest/write/name-manifests.ts';
import { nameRoots } from '../../manifest/write/name-manifests.ts';
import type { KnownData } from '../../manifest/write/place-data.ts';
import { placeData } from '../../manifest/write/place-data.ts';
import type { AnnotatedDocument } from '../../manifest/write/representable.ts';
import { writeManifest } from '../../manifest/write/write.ts';

/** A document that is to be written. */
export interface ExportDocument extends AnnotatedDocument {
  readonly address: Address;
  readonly file: string;
  /** The live root that it is about; absent for plain data. */
  readonly member?: Member;
}

/** A live root and what its manifest is called. */
export interface NamedRoot extends LiveRoot, RootName {
  readonly address: Address;
}

const API_VERSION = 'hostwright/v1';

/**
 * Names for live roots: that which the ledger knows them by, or one after what they are called, which nobody in the
 * ledger has.
 */
export function nameLiveRoots(roots: readonly LiveRoot[], ledger: LedgerView, taken: TakenNames): readonly NamedRoot[] {
  const recorded = recordedNames(ledger);
  const nameOf = ({ kind, member }: LiveRoot): string | undefined =>
    recorded.get(JSON.stringify([kind.kind, member.id]))?.name;
  const known = roots.filter((root) => nameOf(root) !== undefined);
  const others = roots.filter((root) => nameOf(root) === undefined);
  const files = nameRoots(
    known.map((root) => toName(root, [nameOf(root) as string])),
    { manifests: [], files: taken.files },
  ).map(({ file }) => file);
  const names = nameRoots(
    others.map((root) => toName(root, root.kind.manifest?.file?.called(root.member) ?? [])),
    { manifests: [...taken.manifests, ...recorded.values()], files: [...taken.files, ...files] },
  );
  return [
    ...known.map((root, index) => named(root, { name: nameOf(root) as string, file: files[index] as string })),
    ...others.map((root, index) => named(root, names[index] as RootName)),
  ];
}

interface LiveRoot {
  readonly kind: Kind;
  readonly member: Member;
}

function toName({ kind, member }: LiveRoot, called: readonly string[]): RootToName {
  return { kind: kind.kind, folder: kind.manifest?.file?.folder ?? '', id: member.id, called };
}

function named({ kind, member }: LiveRoot, { name, file }: RootName): NamedRoot {
  return { kind, member, name, file, address: addressOf(null, kind.kind, name) };
}

/** The names of roots in the ledger, by kind and id. */
function recordedNames(ledger: LedgerView): ReadonlyMap<string, { readonly kind: string; readonly name: string }> {
  return new Map(
    [...ledger.objects.values()].flatMap(({ address, id }) => {
      const segments = parseAddress(address) ?? [];
      const [root] = segments;
      return segments.length === 1 && root !== undefined && root.name !== null
        ? [[JSON.stringify([root.kind, id]), { kind: root.kind, name: root.name }] as const]
        : [];
    }),
  );
}

export interface ToDocumentsRequest {
  readonly registry: Registry;
  readonly roots: readonly NamedRoot[];
  readonly inside: ReadonlyMap<Address, ReadonlyMap<string, Collection>>;
  readonly taken: TakenNames;
  /** Plain data that stands in manifests already. */
  readonly known: readonly KnownData[];
}

/**
 * The documents for live roots, by kind in the order of the registry and then by name, those of plain data behind them.
 */
export function toDocuments({ registry, roots, inside, taken, known }: ToDocumentsRequest): readonly ExportDocument[] {
  const kinds = [...registry.keys()];
  const sorted = [...roots].sort(
    (left, right) =>
      kinds.indexOf(left.kind.kind) - kinds.indexOf(right.kind.kind) || compareText(left.name, right.name),
  );
  const parts = sorted.map((root) =>
    rootToManifest(registry, root.kind, root.member, inside.get(root.address) ?? new Map()),
  );
  const placed = placeData({ roots: parts, known, taken });
  const documents = sorted.map(({ kind, member, name, file, address }, index): ExportDocument => {
    const { spec, leftOut } = placed.roots[index] as (typeof placed.roots)[number];
    return {
      address,
      file,
      member,
      manifest: documentOf(kind.kind, name, spec),
      comments: parts[index]?.comments ?? [],
      leftOut,
    };
  });
  const data = placed.manifests.map(({ kind, name, file, spec, comments }): ExportDocument => ({
    address: addressOf(null, kind, name),
    file,
    manifest: documentOf(kind, name, spec),
    comments,
    leftOut: [],
  }));
  return [...documents, ...data.sort((left, right) => compareText(left.address, right.address))];
}

function documentOf(kind: string, name: string, spec: JsonObject): ExportDocument['manifest'] {
  return { apiVersion: API_VERSION, kind, metadata: { name }, spec };
}

/** The ids of those that are known by a key. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

/** Who is known by which of the best keys. */
export function holdersOf(members: readonly Member[]): Holders {
  const holders = new Map<string, Set<string>>();
  for (const { id, keys } of members)
    for (const key of keys[0] ?? []) holders.set(key, (holders.get(key) ?? new Set()).add(id));
  return holders;
}

/**
 * The document with the id of its object, where its keys alone would not lead to that object for sure: it has none, or
 * others have one of them too. `keysOf` gives what the manifest says it is known by.
 */
export function withIdWhereNeeded(
  document: ExportDocument,
  holders: Holders,
  keysOf: (document: ExportDocument) => readonly (readonly string[])[],
): ExportDocument {
  const { member, manifest } = document;
  if (member === undefined) return document;
  const [keys = []] = keysOf(document);
  const isSure =
    keys.length > 0 && keys.every((key) => holders.get(key)?.size === 1 && holders.get(key)?.has(member.id) === true);
  return isSure
    ? document
    : { ...document, manifest: { ...manifest, metadata: { ...manifest.metadata, id: member.id } } };
}

/** The text of a document, without a line break at its end. */
export function textOf({ manifest, comments, leftOut }: ExportDocument): string {
  const isBare = Object.keys(manifest.spec).length === 0;
  const said = [
    ...comments.map((comment) => ({ ...comment, pointer: `/spec${comment.pointer}` })),
    ...noticesOn(leftOut).map((text): Comment => ({ pointer: '/spec', at: isBare ? 'above' : 'below', text })),
  ];
  return writeManifest({ manifest, comments: said });
}

/**
 * A line for all that is empty, one for each reason for which something is not written, and what it would have been
 * where that is known.
 */
function noticesOn(leftOut: readonly LeftOut[]): readonly string[] {
  const places = (these: readonly LeftOut[]): string =>
    [...new Set(these.map(({ what }) => what.replaceAll('/', '.')))].join(', ');
  const empty = leftOut.filter(({ reason }) => reason === undefined);
  const reasons = new Map<string, LeftOut[]>();
  for (const one of leftOut)
    if (one.reason !== undefined) reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one]);
  return [
    ...(empty.length === 0 ? [] : [`Empty or off, and so not written: ${places(empty)}.`]),
    ...[...reasons].flatMap(([reason, these]) => [
      `Not written: ${places(these)}: ${reason}.`,
      ...these.flatMap(({ spec }) =>
        spec === undefined ? [] : stringify(spec, { lineWidth: 0 }).trimEnd().split('\n'),
      ),
    ]),
  ];
}
