// The use case `export`: manifests for what is live and no manifest names, proven to plan to nothing before anything is
// written. Sends nothing but reads.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf, parentOf, parseAddress } from '../../model/address.ts';
import type { DesiredCollection, Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Exported, NotExported } from '../../model/exported.ts';
import type { Kind, Member } from '../../model/kind/kind.ts';
import { isInState, statusBlocker } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Workspace } from '../../model/workspace.ts';
import { dataKinds, registry } from '../../kinds/index.ts';
import { expandManifests } from '../../manifest/read/expand.ts';
import type { TakenNames } from '../../manifest/write/name-manifests.ts';
import { representable } from '../../manifest/write/representable.ts';
import { writeNewFiles } from '../../manifest/write/new-files.ts';
import type { Client } from '../../platform/http.ts';
import type { Reader } from '../../observe/reader.ts';
import { lookWith } from '../accept/account.ts';
import type { ChangedFile } from '../accept/edits.ts';
import { filesOf, writeEdits } from '../accept/edits.ts';
import type { Missing } from '../accept/missing.ts';
import { addMissing } from '../accept/missing.ts';
import { connect, refusedCredential } from '../connect.ts';
import type { ExportDocument, NamedRoot } from './documents.ts';
import { toDocuments, holdersOf, nameLiveRoots, textOf, withIdWhereNeeded } from './documents.ts';
import { withProfiles } from './profiles.ts';
import { provePlansToNothing } from './proof.ts';
import type { ExportReading, LiveRoots } from './read.ts';
import { readerFor, readInside, readRoots, rememberReads } from './read.ts';
import { viewLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { openWorkspace } from '../workspace.ts';

export interface ExportOptions {
  /** Kinds, and addresses of roots; empty: everything. */
  readonly targets: readonly string[];
  /** The folder to write to. Absent: nothing is written. */
  readonly out?: string;
  /** Settings that several share become profiles. */
  readonly profiles?: boolean;
}

export interface ExportResult {
  /** Absent when there are errors. */
  readonly manifests?: readonly Exported[];
  readonly leftOut: readonly NotExported[];
  /** Manifests that were there and got what they lacked; only where a folder is named. */
  readonly edited?: readonly ChangedFile[];
  /** Live roots of the kinds asked for that manifests name already. */
  readonly named: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: number;
}

const NOTHING = { leftOut: [], named: 0, requests: 0 } as const;

/** Reads the account, composes manifests, proves them, and writes them where a folder is named. */
export async function exportAccount(session: Session, options: ExportOptions): Promise<ExportResult> {
  return exportInto(session, await openWorkspace(session, [], { mayBeEmpty: true }), options);
}

/** The same for a workspace that is open, or of which nothing is written yet. */
export async function exportInto(
  session: Session,
  opened: OpenedWorkspace,
  options: ExportOptions,
): Promise<ExportResult> {
  const early = [...opened.diagnostics, ...checkTargets(options.targets)];
  const { workspace } = opened;
  if (workspace === undefined || hasErrors(early)) return { ...NOTHING, diagnostics: sortDiagnostics(early) };
  const { view, diagnostics: ofLedger } = await viewLedger(session, workspace);
  const connection = hasErrors(ofLedger) ? undefined : connect(session, workspace);
  const before = [...early, ...ofLedger];
  if (connection === undefined || 'error' in connection)
    return {
      ...NOTHING,
      diagnostics: sortDiagnostics([...before, ...(connection === undefined ? [] : [connection.error])]),
    };
  const { client, notices } = connection;
  try {
    const result = await exportLive({ session, workspace, ledger: view, client, opened, options });
    return {
      ...result,
      diagnostics: sortDiagnostics([...before, ...notices, ...result.diagnostics]),
      requests: client.stats.reads,
    };
  } catch (error) {
    return {
      ...NOTHING,
      diagnostics: sortDiagnostics([...before, ...notices, refusedCredential(error)]),
      requests: client.stats.reads,
    };
  } finally {
    await client.close();
  }
}

interface Exporting {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly ledger: LedgerView;
  readonly client: Client;
  readonly opened: OpenedWorkspace;
  readonly options: ExportOptions;
}

async function exportLive(exporting: Exporting): Promise<Omit<ExportResult, 'requests'>> {
  const { session, workspace, ledger, opened, options } = exporting;
  const client = rememberReads(exporting.client);
  const reading: ExportReading = {
    client,
    account: workspace.account,
    registry,
    ledger,
    emit: session.emit,
    concurrency: session.concurrency,
  };
  const reader = readerFor(reading);
  const kinds = await Promise.all(
    kindsOf(options.targets).map((kind) => readRoots(reading, kind, opened.declared, reader)),
  );
  const bindings = kinds.flatMap(({ diagnostics }) => diagnostics);
  if (hasErrors(bindings)) return { ...NOTHING, diagnostics: bindings };
  const taken = takenBy(opened, path.resolve(session.cwd, options.out ?? workspace.root));
  const chosen = choose(
    kinds,
    options.targets,
    nameLiveRoots(kinds.flatMap(newRoots), ledger, taken),
    opened.manifests,
  );
  if (hasErrors(chosen.diagnostics)) return { ...NOTHING, diagnostics: chosen.diagnostics };
  const inside = await readInside(reading, chosen.roots, reader);
  const parts = toDocuments({ registry, roots: chosen.roots, inside, taken, known: knownData(opened) });
  const { documents: said, unrepresentable } = representable(parts, opened.documents, { registry, dataKinds });
  const everybody = new Map(
    kinds.map(({ kind, collection }) => [kind.kind, holdersOf(collection.state === 'read' ? collection.members : [])]),
  );
  const bound = said.map((document) =>
    withIdWhereNeeded(document, everybody.get(document.manifest.kind) ?? new Map(), keysOf),
  );
  const documents = options.profiles === true ? withProfiles(bound, registry, taken) : bound;
  const leftOut = [
    ...unread(kinds),
    ...chosen.leftOut,
    ...unrepresentable.map(({ document: { address }, reason }) => ({ address, reason })),
    ...documents.flatMap(leftOutOf),
  ];
  const texts = documents.map((document) => ({ file: document.file, text: `${textOf(document)}\n` }));
  const disproof = await provePlansToNothing({
    session,
    workspace,
    client: { ...exporting.client, read: client.read },
    ledger,
    existing: opened.documents,
    documents,
    texts,
  });
  const result = { leftOut, named: kinds.reduce((sum, { named }) => sum + named.size, 0) };
  if (hasErrors(disproof) || session.stop.aborted) return { ...result, diagnostics: disproof };
  const missing =
    options.out === undefined
      ? NONE_MISSING
      : await completeManifests(exporting, kinds, { ...reading, client }, reader);
  if (hasErrors(missing.diagnostics) || session.stop.aborted) return { ...result, diagnostics: missing.diagnostics };
  const unwritten = options.out === undefined ? [] : await writeNewFiles(path.resolve(session.cwd, options.out), texts);
  if (hasErrors(unwritten)) return { ...result, diagnostics: unwritten };
  const { edits } = missing;
  const unedited = [...missing.diagnostics, ...(await writeEdits(edits))];
  return {
    ...result,
    leftOut: [...leftOut, ...missing.unknown],
    edited: filesOf(edits),
    manifests: documents.map((document, index) => exported(document, texts[index]?.text ?? '')),
    diagnostics: [...disproof, ...unedited, ...unknownParts([...leftOut, ...missing.unknown]), ...leftRoots(leftOut)],
  };
}

const NONE_MISSING = { edits: [], diagnostics: [], unknown: [] } as const;

/** What is live and missing in manifests that are there already is added to them. */
async function completeManifests(
  { session, workspace, ledger, client: asking, opened, options }: Exporting,
  kinds: readonly LiveRoots[],
  reading: ExportReading,
  reader: Reader,
): Promise<Missing> {
  const roots = kinds.flatMap(({ kind, collection, named }) =>
    (collection.state === 'read' ? collection.members : []).flatMap((member) => {
      const address = named.get(member.id);
      const isAsked =
        address !== undefined &&
        (options.targets.length === 0 || options.targets.includes(address) || options.targets.includes(kind.kind));
      return isAsked && statusBlocker(kind, member) === null ? [{ kind, member, address }] : [];
    }),
  );
  if (roots.length === 0) return NONE_MISSING;
  const inside = await readInside(reading, roots, reader);
  const client = { read: reading.client.read, ask: asking.ask };
  const look = lookWith({ session: { ...session, emit: () => undefined }, workspace, ledger, client });
  return addMissing(
    { opened, look },
    roots.map((root) => ({ ...root, inside: inside.get(root.address) ?? new Map() })),
  );
}

/** Kinds that are written down. */
function kindsOf(targets: readonly string[]): readonly Kind[] {
  const asked = new Set(targets.map((target) => kindOf(target)));
  return [...registry.values()].filter(
    ({ kind, parent, manifest }) =>
      parent === null && manifest?.file !== undefined && (targets.length === 0 || asked.has(kind)),
  );
}

function checkTargets(targets: readonly string[]): readonly Diagnostic[] {
  const known = kindsOf([]).map(({ kind }) => kind);
  return targets
    .filter(
      (target) => parseAddress(target) === undefined || parentOf(target) !== null || !known.includes(kindOf(target)),
    )
    .map((target) => ({
      code: 'HW6701',
      severity: 'error',
      summary: 'That cannot be exported',
      detail: `\`${target}\` is neither a kind nor the address of an object of one of these: ${known.join(', ')}. What is inside such an object comes with it.`,
    }));
}

/** What exists already and keeps its name; files as they are seen from the folder that is written to. */
export function takenBy({ manifests, texts, workspace }: OpenedWorkspace, folder: string): TakenNames {
  const files = texts.map(({ source }) =>
    path
      .relative(folder, path.resolve(workspace?.root ?? folder, source.name))
      .split(path.sep)
      .join('/'),
  );
  return { manifests: manifests.map(({ kind, name }) => ({ kind, name })), files };
}

/** Plain data that manifests can name again. */
export function knownData({ manifests }: OpenedWorkspace) {
  return manifests.filter(({ kind }) => dataKinds.has(kind)).map(({ kind, name, spec }) => ({ kind, name, spec }));
}

function newRoots({ kind, collection, named }: LiveRoots): readonly { readonly kind: Kind; readonly member: Member }[] {
  return collection.state === 'read'
    ? collection.members.filter(({ id }) => !named.has(id)).map((member) => ({ kind, member }))
    : [];
}

interface Chosen {
  readonly roots: readonly NamedRoot[];
  readonly leftOut: readonly NotExported[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The roots that are asked for, without those in which nothing can be read or done for now. */
function choose(
  kinds: readonly LiveRoots[],
  targets: readonly string[],
  roots: readonly NamedRoot[],
  manifests: readonly Manifest[],
): Chosen {
  const named = new Set(manifests.map(({ kind, name }) => addressOf(null, kind, name)));
  const asked = (address: Address): boolean =>
    targets.length === 0 || targets.includes(address) || targets.includes(kindOf(address));
  const readable = new Set(kinds.filter(({ collection }) => collection.state === 'read').map(({ kind }) => kind.kind));
  const missing = targets.filter(
    (target) =>
      target.includes('/') &&
      readable.has(kindOf(target)) &&
      !named.has(target) &&
      !roots.some(({ address }) => address === target),
  );
  const wanted = roots.filter(({ address }) => asked(address));
  const idle = wanted.flatMap(({ address, kind, member }): readonly NotExported[] => {
    if (isInState(kind, member, 'platform-managed')) return [{ address, reason: 'it belongs to the platform' }];
    const held = statusBlocker(kind, member);
    if (held !== null) return [{ address, reason: `${held.reason} (${held.rule})` }];
    return isInState(kind, member, 'deleting') ? [{ address, reason: 'it is on its way out' }] : [];
  });
  const idleOnes = new Set(idle.map(({ address }) => address));
  return {
    roots: wanted.filter(({ address }) => !idleOnes.has(address)),
    leftOut: idle,
    diagnostics: missing.map((target) => notFound(target, roots)),
  };
}

function notFound(target: string, roots: readonly NamedRoot[]): Diagnostic {
  const same = roots.filter(({ kind }) => kind.kind === kindOf(target)).map(({ address }) => address);
  const there =
    same.length === 0
      ? 'The account has none that no manifest names'
      : `There are ${same.slice(0, SHOWN).join(', ')}${same.length > SHOWN ? ` and ${same.length - SHOWN} more` : ''}`;
  return {
    code: 'HW6705',
    severity: 'error',
    summary: 'Nothing live is called that',
    detail: `\`${target}\` is what no live object would be called here. ${there}.`,
  };
}

const SHOWN = 10;

/** Kinds of which not even the list could be read. */
function unread(kinds: readonly LiveRoots[]): readonly NotExported[] {
  return kinds.flatMap(({ kind, collection }): readonly NotExported[] =>
    collection.state === 'read'
      ? []
      : [{ address: kind.kind, reason: collection.reason, ...(collection.state === 'unknown' && { unknown: true }) }],
  );
}

function leftOutOf({ address, leftOut }: ExportDocument): readonly NotExported[] {
  return leftOut.map(({ what, reason, unknown }) => ({
    address,
    what: what.replaceAll('/', '.'),
    ...(reason !== undefined && { reason }),
    ...(unknown === true && { unknown }),
  }));
}

function exported({ address, file, manifest, comments }: ExportDocument, text: string): Exported {
  return { address, file, manifest, text, comments };
}

/** What a manifest says that it is known by. */
function keysOf({ manifest, address }: ExportDocument): readonly (readonly string[])[] {
  const { kind, metadata, spec } = manifest;
  const alone: Manifest = {
    kind,
    name: typeof metadata.name === 'string' ? metadata.name : '',
    lifecycle: { state: 'present', protect: false },
    spec,
    sourceOf: () => undefined,
  };
  const declared: readonly DesiredCollection[] = expandManifests([alone], registry);
  return declared.flatMap(({ members }) => members).find((member) => member.address === address)?.keys ?? [];
}

function unknownParts(leftOut: readonly NotExported[]): readonly Diagnostic[] {
  return leftOut
    .filter(({ unknown }) => unknown === true)
    .map(({ address, what, reason = '' }) => ({
      code: 'HW6706',
      severity: 'warning',
      summary: 'Not everything could be read',
      detail: `${what === undefined ? 'It' : `\`${what}\``} is not written, because what is live there is not known: ${reason}. Run export again for it, or write it by hand.`,
      address,
    }));
}

function leftRoots(leftOut: readonly NotExported[]): readonly Diagnostic[] {
  return leftOut
    .filter(({ what, unknown }) => what === undefined && unknown !== true)
    .map(({ address, reason = '' }) => ({
      code: 'HW6707',
      severity: 'info',
      summary: 'Something live is not written',
      detail: `There is no manifest for it: ${reason}.`,
      address,
    }));
}
