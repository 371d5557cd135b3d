// The use case `import`: one live object gets a manifest. A root a manifest of its own, or the id in the one that has
// its name; what is in a root its lines in the manifest of that root. Proven by a plan before anything is written.
// Sends nothing but reads.
import path from 'node:path';
import type { Address } from '../model/address.ts';
import { addressOf, collectionOf, kindOf, parseAddress, rootOf } from '../model/address.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import { canonicalHostname } from '../model/hostname.ts';
import { valueAt } from '../model/json.ts';
import type { Kind, Member } from '../model/kind/kind.ts';
import { sectionToManifest } from '../planner/to-manifest.ts';
import { dataKinds, registry } from '../kinds/index.ts';
import { isNamedByHostname, nameRoots } from '../manifest/write/name-manifests.ts';
import { representable } from '../manifest/write/representable.ts';
import { writeNewFiles } from '../manifest/write/new-files.ts';
import type { Account, Look, WithRequests } from './accept/account.ts';
import { withAccount } from './accept/account.ts';
import { canonicalAddress, identityAt } from './accept/accept.ts';
import type { SpecChange } from './accept/changes.ts';
import { changesFor } from './accept/changes.ts';
import { findDocument, textsWith } from './accept/documents.ts';
import type { ChangedFile, ObjectChanges } from './accept/edits.ts';
import { editsOf, filesOf, newDifferences, blocker, writeEdits } from './accept/edits.ts';
import { toDocuments, textOf } from './export/documents.ts';
import { knownData, takenBy } from './export/export.ts';
import { provePlansToNothing } from './export/proof.ts';
import type { LiveRoots } from './export/read.ts';
import { readerFor, readInside, readRoots } from './export/read.ts';
import { checkTargets } from './plan/plan.ts';
import type { Session } from './session.ts';
import { openWorkspace, withTexts } from './workspace.ts';

export interface ImportOptions {
  readonly address: Address;
  /** The live object; a root has to be named by it. */
  readonly id?: string;
  /** The file for a new manifest. Absent: where export would put it, in the first place that the workspace reads. */
  readonly out?: string;
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export interface ImportResult extends WithRequests {
  /** Absent when there are errors. */
  readonly files?: readonly ChangedFile[];
  readonly written: boolean;
}

type Imported = Omit<ImportResult, 'requests'>;

/** Adopts one live object. */
export async function importObject(
  session: Session,
  { address: given, ...options }: ImportOptions,
): Promise<ImportResult> {
  const early = checkTargets([given]);
  if (early.length > 0) return { diagnostics: early, requests: 0, written: false };
  const address = canonicalAddress(given);
  const kind = registry.get(kindOf(address));
  const root = registry.get(parseAddress(address)?.[0]?.kind ?? '');
  const isKnown =
    kind !== undefined &&
    root?.manifest?.file !== undefined &&
    (kind === root || kind.parent === root.kind) &&
    kind.capabilities.hook === undefined;
  if (!isKnown)
    return {
      diagnostics: [
        blocker(address, {
          reason: 'nothing that is called that can be adopted',
          remedy:
            'Write the kind and the name of a root, or of what is in one: `Site/shop`, `Mailspace/example.com/Mailbox/a@example.com`.',
        }),
      ],
      requests: 0,
      written: false,
    };
  const request = { session, address, kind, ...options };
  const result = await withAccount(
    session,
    [],
    (account) => (kind === root ? importRoot(request, account) : importMember({ ...request, root }, account)),
    { mayBeEmpty: true },
  );
  return { written: false, ...result, diagnostics: sortDiagnostics(result.diagnostics) };
}

interface ImportRequest extends ImportOptions {
  readonly session: Session;
  readonly kind: Kind;
}

const stop = (address: Address, reason: string, remedy: string): Imported => ({
  diagnostics: [blocker(address, { reason, remedy })],
  written: false,
});

async function importRoot(request: ImportRequest, account: Account): Promise<Imported> {
  const { address, kind, id } = request;
  if (id === undefined)
    return stop(
      address,
      'which live object is meant is not said',
      'Name it with --id; `hostwright export` finds all that no manifest names.',
    );
  const { collection, named, diagnostics } = await readRoots(
    readingOf(request, account),
    kind,
    account.opened.declared,
    readerFor(readingOf(request, account)),
  );
  if (hasErrors(diagnostics)) return { diagnostics, written: false };
  if (collection.state !== 'read') return stop(address, collection.reason, collection.remedy);
  const member = collection.members.find((one) => one.id === id);
  if (member === undefined)
    return stop(
      address,
      `the account has no ${kind.kind} with the id ${id}`,
      'Look the id up on the account; an object of another kind has to be imported under that kind.',
    );
  const held = heldBy(account, named, request, member);
  if (held !== undefined)
    return stop(
      address,
      `${held} has that id`,
      'Two manifests cannot be about one object. Rename that one with `metadata.renamedFrom`, or let the ledger forget it: `hostwright ledger forget`.',
    );
  const existing = account.opened.manifests.find(
    (manifest) => addressOf(null, manifest.kind, manifest.name) === address,
  );
  if (existing === undefined) return newManifest(request, account, member);
  if (existing.id === id) return { diagnostics: [already(address)], files: [], written: false };
  if (existing.id !== undefined)
    return stop(
      address,
      `its manifest is bound to ${existing.id}`,
      'Change `metadata.id` by hand if that is no longer meant.',
    );
  return editManifest(request, account, { address, changes: [], metadata: [{ pointer: '/metadata/id', value: id }] });
}

function readingOf({ session }: ImportRequest, { client, workspace, ledger }: Account) {
  return { client, account: workspace.account, registry, ledger, emit: session.emit, concurrency: session.concurrency };
}

/** Who else is about this object: a manifest, or a record of one. */
function heldBy(
  { ledger }: Account,
  named: LiveRoots['named'],
  { address, kind }: ImportRequest,
  { id }: Member,
): Address | undefined {
  const other = named.get(id);
  if (other !== undefined && other !== address) return other;
  return [...ledger.objects.values()].find(
    (recorded) =>
      recorded.id === id &&
      recorded.address !== address &&
      rootOf(recorded.address) === recorded.address &&
      kindOf(recorded.address) === kind.kind,
  )?.address;
}

function already(address: Address): Diagnostic {
  return {
    code: 'HW6721',
    severity: 'info',
    summary: 'It is adopted already',
    detail: `The manifests name ${address} already. Nothing has to be written.`,
    address,
  };
}

/** A manifest of its own, as export would write it, with the id of the object. */
async function newManifest(request: ImportRequest, account: Account, member: Member): Promise<Imported> {
  const { session, address, kind, id, out, dryRun } = request;
  const { workspace, opened, client, ledger } = account;
  const folder = folderFor(workspace);
  const fromRoot = (file: string): string => path.relative(workspace.root, file).split(path.sep).join('/');
  const taken = takenBy(opened, folder);
  const name = parseAddress(address)?.[0]?.name ?? '';
  const [hostname = ''] = kind.manifest?.file?.called(member) ?? [];
  if (isNamedByHostname(kind.kind) && canonicalHostname(name) !== canonicalHostname(hostname))
    return stop(
      address,
      `what has that id is ${hostname}, and a manifest of this kind has the name of its object`,
      `Import ${addressOf(null, kind.kind, hostname)}, or look the id up.`,
    );
  const [place] = nameRoots(
    [{ kind: kind.kind, folder: kind.manifest?.file?.folder ?? '', id: member.id, called: [name] }],
    taken,
  );
  const roots = [{ kind, member, name, address, file: place?.file ?? '' }];
  const reading = readingOf(request, account);
  const inside = await readInside(reading, roots, readerFor(reading));
  const { documents: said, unrepresentable } = representable(
    toDocuments({ registry, roots, inside, taken, known: knownData(opened) }),
    opened.documents,
    { registry, dataKinds },
  );
  const lost = unrepresentable.find((one) => one.document.address === address);
  if (lost !== undefined) return stop(address, lost.reason, 'Write its manifest by hand.');
  const documents = said.map((document) =>
    document.address === address
      ? { ...document, manifest: { ...document.manifest, metadata: { name, id: id as string } } }
      : document,
  );
  const placeOf = (document: (typeof documents)[number]): string =>
    document.address === address && out !== undefined
      ? path.resolve(session.cwd, out)
      : path.resolve(folder, document.file);
  const texts = documents.map((document) => ({ file: fromRoot(placeOf(document)), text: `${textOf(document)}\n` }));
  const disproof = await provePlansToNothing({
    session,
    workspace,
    client,
    ledger,
    existing: opened.documents,
    documents,
    texts,
  });
  if (hasErrors(disproof)) return { diagnostics: disproof, written: false };
  const unwritten = dryRun ? [] : await writeNewFiles(workspace.root, texts);
  const unread =
    dryRun || hasErrors(unwritten)
      ? []
      : await unreadFiles(
          session,
          texts.map(({ file }) => file),
        );
  return {
    diagnostics: [...disproof, ...unwritten, ...unread],
    ...(!hasErrors(unwritten) && { files: texts.map(({ file, text }) => ({ file, after: text })) }),
    written: !dryRun && !hasErrors(unwritten),
  };
}

/** The first place that the workspace reads manifests from; of a pattern, the folder that it begins with. */
function folderFor({ root, manifests }: Account['workspace']): string {
  const [first = '.'] = manifests.filter((name) => !name.startsWith('!'));
  const parts = first.split('/');
  const end = parts.findIndex(
    (part, index) => /[*?[\]{}()!]/.test(part) || (index === parts.length - 1 && /\.(ya?ml|json)$/.test(part)),
  );
  return path.resolve(
    root,
    (end === -1 ? parts : parts.slice(0, end)).join('/') || (first.startsWith('/') ? '/' : '.'),
  );
}

/** Looked up as a plan would: what it does not find there is not managed. */
async function unreadFiles(session: Session, files: readonly string[]): Promise<readonly Diagnostic[]> {
  const { workspace, texts } = await openWorkspace(session, [], { mayBeEmpty: true });
  const root = workspace?.root ?? session.cwd;
  const read = new Set(texts.map(({ source }) => path.resolve(root, source.name)));
  return files
    .filter((file) => !read.has(path.resolve(root, file)))
    .map((file) => ({
      code: 'HW6724',
      severity: 'warning',
      summary: 'The workspace does not read this manifest',
      detail: `\`${file}\` is written, but \`manifests\` of the workspace file does not lead to it, so no plan sees it. Move it to where manifests are read, or add its place there.`,
    }));
}

/** What is in a root comes into the manifest of that root. */
async function importMember(request: ImportRequest & { readonly root: Kind }, account: Account): Promise<Imported> {
  const { address, kind, id } = request;
  const own = rootOf(address);
  const first = await account.look(account.opened);
  if (!('plan' in first)) return { diagnostics: first.diagnostics, written: false };
  const bound = first.live.bound.get(own);
  const [segment] = parseAddress(own) ?? [];
  const manifest = account.opened.manifests.find((one) => addressOf(null, one.kind, one.name) === own);
  const document = findDocument(account.opened, segment?.kind ?? '', segment?.name ?? '');
  const roots = first.live.observed.get(request.root.kind);
  if (bound === undefined && roots !== undefined && roots.state !== 'read')
    return stop(address, roots.reason, roots.remedy);
  if (manifest === undefined || document === undefined || bound === undefined)
    return stop(
      address,
      `${own} has no manifest that is bound to a live object`,
      `Adopt that first: \`hostwright import ${own} --id ID\`.`,
    );
  const reading = readingOf(request, account);
  const inside = await readInside(
    { ...reading, registry: new Map([[kind.kind, kind]]) },
    [{ kind: request.root, member: bound, address: own }],
    readerFor(reading),
  );
  const observed = inside.get(own)?.get(kind.kind);
  if (observed === undefined || observed.state !== 'read')
    return stop(
      address,
      observed?.reason ?? 'it was not read',
      observed?.remedy ?? 'Run `hostwright plan` to see why.',
    );
  const identity = identityAt(kind, address);
  const live = observed.members.find((member) => member.identity === identity);
  if (live === undefined)
    return stop(
      address,
      `${own} has none that is called that`,
      `Write it as the account does. \`hostwright plan\` tells what no manifest names where a manifest names others; \`hostwright export ${own} --out FOLDER\` adds whatever its manifest lacks.`,
    );
  if (id !== undefined && live.id !== id)
    return stop(address, `the live one has the id ${live.id}, not ${id}`, 'Look the id up, or leave --id out.');
  if (
    account.opened.declared.some(
      (collection) =>
        collection.collection === collectionOf(address) &&
        collection.members.some((desired: Desired) => desired.identity === identity),
    )
  )
    return { diagnostics: [already(address)], files: [], written: false };
  const found = sectionOf(kind, document.merged.spec)
    ? changesFor({
        kind,
        name: manifest.name,
        spec: manifest.spec,
        identity,
        live,
        root: bound,
        observed,
        isMoved: false,
      })
    : newSection(kind, live, bound);
  if ('refused' in found) return { diagnostics: [blocker(address, found.refused)], written: false };
  return editManifest(request, account, { address, changes: found.changes }, first);
}

function sectionOf({ section }: Kind, spec: unknown): boolean {
  return section.fields.some((field) => valueAt(spec as Parameters<typeof valueAt>[0], `/${field}`) !== undefined);
}

/**
 * A section of which nothing is declared yet. Of a list in which what is not named is removed, one alone would remove
 * the others.
 */
function newSection(
  kind: Kind,
  live: Member,
  root: Member,
):
  | { readonly changes: readonly SpecChange[] }
  | { readonly refused: { readonly reason: string; readonly remedy: string } } {
  const place = kind.section.fields[0] ?? '';
  if (kind.list === 'authoritative')
    return {
      refused: {
        reason: `the manifest does not manage ${place}, and what such a list does not name is removed`,
        remedy: 'Write the whole list: `hostwright export --out FOLDER` adds it.',
      },
    };
  const { spec, data = [] } = sectionToManifest(kind, { state: 'read', members: [live], blockers: {} }, root);
  const changes = kind.section.fields.flatMap((field): readonly SpecChange[] => {
    const value = valueAt(spec, `/${field}`);
    return value === undefined ? [] : [{ pointer: `/${field}`, value }];
  });
  return changes.length === 0 || data.length > 0
    ? { refused: { reason: 'no lines of a manifest say it by itself', remedy: 'Write its section by hand.' } }
    : { changes };
}

async function editManifest(
  { address, dryRun }: ImportRequest,
  { opened, look }: Account,
  changes: ObjectChanges,
  first?: Look,
): Promise<Imported> {
  const made = editsOf(opened, [changes]);
  if (hasErrors(made.diagnostics)) return { diagnostics: made.diagnostics, written: false };
  const after = await look(await withTexts(opened, textsWith(opened.texts, made.edits)));
  if (!('plan' in after)) return { diagnostics: after.diagnostics, written: false };
  const reported =
    first === undefined
      ? after.plan.actions.map((action) => action.address).filter((one) => rootOf(one) === address)
      : newDifferences(first.plan, after.plan);
  const differs: readonly Diagnostic[] =
    reported.length === 0
      ? []
      : [
          {
            code: 'HW6722',
            severity: 'info',
            summary: 'The manifest says something else than what is live',
            detail: `It is adopted. The next plan would change ${reported.join(', ')}; \`hostwright drift --accept\` writes what is live into the manifest instead.`,
            address,
          },
        ];
  const unwritten = dryRun ? [] : await writeEdits(made.edits);
  return {
    diagnostics: [...made.diagnostics, ...differs, ...unwritten],
    ...(!hasErrors(unwritten) && { files: filesOf(made.edits) }),
    written: !dryRun && !hasErrors(unwritten),
  };
}
