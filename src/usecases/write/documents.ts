// New manifests for live roots: one for each root, one for each piece of plain data in them, and what is said beside it.
import path from 'node:path';
import { stringify } from 'yaml';
import type { Address } from '../../model/address.ts';
import { addressOf, compareText, parentOf, parseAddress } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { LeftOut, Comment } from '../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Collection, Kind, Member } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { dataKinds, registry } from '../../areas/index.ts';
import { fromFolder } from '../../manifest/read/load.ts';
import { expandManifests } from '../../manifest/read/expand.ts';
import { rootToManifest } from '../../planner/to-manifest.ts';
import type { RootName, RootToName, TakenNames } from '../../manifest/write/name-manifests.ts';
import { nameRoots } from '../../manifest/write/name-manifests.ts';
import { placeData } from '../../manifest/write/place-data.ts';
import type { AnnotatedDocument, Representable } from '../../manifest/write/representable.ts';
import { representable } from '../../manifest/write/representable.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import type { Account } from '../account.ts';
import type { Addressed, LiveRoots } from './live.ts';
import { readInside } from './live.ts';

export { fromFolder } from '../../manifest/read/load.ts';

/** A document that is to be written. */
export interface ExportDocument extends AnnotatedDocument {
  readonly address: Address;
  readonly file: string;
  /** A comment at the start of the file. */
  readonly header?: string;
  /** The live root that it is about; absent for plain data. */
  readonly member?: Member;
}

/** A live root and what its manifest is called. */
export interface NamedRoot extends Addressed, RootName {}

/** What exists already and keeps its name; files as they are seen from the folder that is written to. */
export function takenBy({ manifests, texts, workspace }: OpenedWorkspace, folder: string): TakenNames {
  const files = texts.map(({ source }) => fromFolder(folder, path.resolve(workspace?.root ?? folder, source.name)));
  return { manifests: manifests.map(({ kind, name }) => ({ kind, name })), files };
}

type LiveRoot = Pick<Addressed, 'kind' | 'member'>;

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
  const kept = nameRoots(
    known.map((root) => toName(root, [nameOf(root) as string])),
    { manifests: [], files: taken.files },
  ).map(({ file }, index) => ({ file, name: nameOf(known[index] as LiveRoot) as string }));
  const made = nameRoots(
    others.map((root) => toName(root, root.kind.manifest?.file?.called(root.member) ?? [])),
    {
      manifests: [...taken.manifests, ...recorded.values()],
      files: [...taken.files, ...kept.map(({ file }) => file)],
    },
  );
  const names = [...kept, ...made];
  return [...known, ...others].map((root, index) => named(root, names[index] as RootName));
}

/** A live root under the name that is given for it. */
export function nameLiveRoot(root: LiveRoot, name: string, taken: TakenNames): NamedRoot {
  const [{ file }] = nameRoots([toName(root, [name])], taken) as [RootName];
  return named(root, { name, file });
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
      const [{ kind, name } = { kind: '', name: null }] =
        parentOf(address) === null ? (parseAddress(address) ?? []) : [];
      return name === null ? [] : [[JSON.stringify([kind, id]), { kind, name }] as const];
    }),
  );
}

/**
 * The documents for live roots, by kind in the order of the registry and then by name, those of plain data behind them;
 * without what no manifest can say. `sections`: what is read of each; absent: everything.
 */
export async function newManifests(
  account: Account,
  roots: readonly NamedRoot[],
  taken: TakenNames,
  sections?: (root: Kind) => readonly Kind[],
): Promise<Representable<ExportDocument>> {
  const inside = await readInside(account, roots, sections);
  const { manifests, documents } = account.opened;
  const kinds = [...registry.keys()];
  // Whoever asks for single sections wants what can be read, and plans nothing.
  const whole = sections === undefined ? roots : [];
  const locked = new Map(whole.flatMap(({ address }) => lockOf(address, inside.get(address))));
  const sorted = roots
    .filter(({ address }) => !locked.has(address))
    .sort(
      (left, right) =>
        kinds.indexOf(left.kind.kind) - kinds.indexOf(right.kind.kind) || compareText(left.name, right.name),
    );
  const parts = sorted.map(({ kind, member, address }) =>
    rootToManifest(registry, kind, member, inside.get(address) ?? new Map()),
  );
  const known = manifests.filter(({ kind }) => dataKinds.has(kind));
  const placed = placeData({ roots: parts, known, taken });
  const own = sorted.map(({ kind: { kind }, member, name, file }, index): ExportDocument => {
    const { spec, leftOut } = placed.roots[index] as (typeof placed.roots)[number];
    return { ...newDocument({ kind, name, file, spec, comments: parts[index]?.comments ?? [] }), member, leftOut };
  });
  const data = placed.manifests.map(newDocument).sort((left, right) => compareText(left.address, right.address));
  const found = representable([...own, ...data], documents, { registry, dataKinds });
  const lockedRoots = roots.flatMap((root) => {
    const reason = locked.get(root.address);
    return reason === undefined ? [] : [{ document: newDocument({ ...root, kind: root.kind.kind, spec: {} }), reason }];
  });
  return { ...found, unrepresentable: [...found.unrepresentable, ...lockedRoots] };
}

/** Why nothing can be done with a root, as something that is read in it says: a plan for it would be blocked (SIT-08). */
function lockOf(
  address: Address,
  inside: ReadonlyMap<string, Collection> = new Map(),
): readonly (readonly [Address, string])[] {
  for (const read of inside.values())
    if (read.state === 'blocked' && read.root !== undefined) return [[address, read.root.reason]];
  return [];
}

/** A document that nothing is left out of. */
export function newDocument({
  kind,
  name,
  file,
  spec,
  comments = [],
}: RootName & {
  readonly kind: string;
  readonly spec: JsonObject;
  readonly comments?: readonly Comment[];
}): ExportDocument {
  return {
    address: addressOf(null, kind, name),
    file,
    manifest: { apiVersion: 'hostwright/v1', kind, metadata: { name }, spec },
    comments,
    leftOut: [],
  };
}

/** The document with the id of its object. */
export function withId(document: ExportDocument, id: string): ExportDocument {
  const { manifest } = document;
  return { ...document, manifest: { ...manifest, metadata: { ...manifest.metadata, id } } };
}

/**
 * The documents, each with the id of its object where its keys alone would not lead to that object for sure: it has
 * none, or others have one of them too.
 */
export function withIdsWhereNeeded(
  documents: readonly ExportDocument[],
  live: readonly LiveRoots[],
): readonly ExportDocument[] {
  const holders = new Map<string, Set<string>>();
  const holdersOf = (kind: string, key: string): Set<string> => holders.get(JSON.stringify([kind, key])) ?? new Set();
  for (const { kind, members } of live)
    for (const { id, keys } of members)
      for (const key of keys[0] ?? []) holders.set(JSON.stringify([kind.kind, key]), holdersOf(kind.kind, key).add(id));
  const keys = keysOf(documents.filter(({ member }) => member !== undefined));
  return documents.map((document) => {
    const { address, member, manifest } = document;
    if (member === undefined) return document;
    const known = (keys.get(address) ?? []).map((key) => holdersOf(manifest.kind, key));
    const isSure = known.length > 0 && known.every((ids) => ids.size === 1 && ids.has(member.id));
    return isSure ? document : withId(document, member.id);
  });
}

/** The best of what each manifest says that it is known by. */
function keysOf(documents: readonly ExportDocument[]): ReadonlyMap<Address, readonly string[]> {
  const manifests = documents.map(({ manifest: { kind, metadata, spec } }): Manifest => ({
    kind,
    name: metadata.name as string,
    lifecycle: { state: 'present', protect: false },
    spec,
    sourceOf: () => undefined,
  }));
  const declared = expandManifests(manifests, registry).flatMap(({ members }) => members);
  return new Map(declared.map(({ address, keys: [best = []] }) => [address, best]));
}

/** The text of a document. */
export function textOf(document: ExportDocument): string {
  const said = commentsOf(document).map((comment) => ({ ...comment, pointer: `/spec${comment.pointer}` }));
  const header = document.header === undefined ? '' : `# ${document.header}\n`;
  return `${header}${writeManifest({ manifest: document.manifest, comments: said })}\n`;
}

/** What is said beside a document; pointers lead into its spec. */
function commentsOf({ manifest, comments, leftOut }: ExportDocument): readonly Comment[] {
  const isBare = Object.keys(manifest.spec).length === 0;
  return [
    ...comments,
    ...noticesOn(leftOut).map((text): Comment => ({ pointer: '', at: isBare ? 'above' : 'below', text })),
  ];
}

/**
 * A line for all that is empty, one for each reason for which something is not written, and what it would have been
 * where that is known.
 */
function noticesOn(leftOut: readonly LeftOut[]): readonly string[] {
  const reasons = [undefined, ...new Set(leftOut.flatMap(({ reason }) => reason ?? []))];
  return reasons.flatMap((reason) => {
    const these = leftOut.filter((one) => one.reason === reason);
    if (these.length === 0) return [];
    const places = [...new Set(these.map(({ what }) => what.replaceAll('/', '.')))].join(', ');
    if (reason === undefined) return [`Empty or off, and so not written: ${places}.`];
    const written = these.flatMap(({ spec }) =>
      spec === undefined ? [] : stringify(spec, { lineWidth: 0 }).trimEnd().split('\n'),
    );
    return [`Not written: ${places}: ${reason}.`, ...written];
  });
}
