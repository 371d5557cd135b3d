// The use case `export ADDRESS --id ID`: one live object gets a manifest. A root a manifest of its own, or the id in the one that has
// its name; what is in a root its lines in the manifest of that root. Sends nothing but reads.
import path from 'node:path';
import type { Address } from '../model/address.ts';
import {
  addressOf,
  canonicalAddress,
  collectionOf,
  kindOf,
  parseAddress,
  rootNameOf,
  rootOf,
} from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { canonicalHostname } from '../model/hostname.ts';
import { valueAt } from '../model/json.ts';
import type { Kind, Member } from '../model/kind/kind.ts';
import { registry } from '../areas/index.ts';
import { fromFolder } from '../manifest/read/load.ts';
import { isNamedByHostname } from '../manifest/write/name-manifests.ts';
import { checkTargets } from './plan/plan.ts';
import type { Session } from './session.ts';
import { openWorkspace } from './workspace.ts';
import type { Account, PlannedManifests, WithRequests } from './account.ts';
import { planManifests, unwritable, withAccount } from './account.ts';
import { orStop, stopAtErrors, Stopped } from './client.ts';
import type { Refused, SpecChange } from './write/changes.ts';
import { changesFor, identityAt, sectionChanges } from './write/changes.ts';
import type { ExportDocument } from './write/documents.ts';
import { nameLiveRoot, newManifests, takenBy, textOf, withId } from './write/documents.ts';
import type { ObjectChanges } from './write/edits.ts';
import { editsFor, findDocument } from './write/edits.ts';
import { withoutMade } from './write/made.ts';
import { readInside, readRoots } from './write/live.ts';
import { newDifferences, provePlansToNothing } from './write/proof.ts';
import type { Written } from './write/save.ts';
import { save } from './write/save.ts';

export interface ImportOptions {
  readonly address: Address;
  /** The live object; a root has to be named by it. */
  readonly id?: string;
  /** The file for a new manifest. Absent: where export would put it, in the first place that the workspace reads. */
  readonly out?: string;
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export type ImportResult = Written & WithRequests;
type Imported = Written & { readonly diagnostics: readonly Diagnostic[] };

/** Adopts one live object. */
export async function importObject(session: Session, given: ImportOptions): Promise<ImportResult> {
  const none = { requests: 0, written: false };
  const wrong = checkTargets([given.address]);
  if (wrong.length > 0) return { diagnostics: wrong, ...none };
  const address = canonicalAddress(given.address);
  const kind = kindToImport(address);
  if (kind === undefined) return { diagnostics: [nothingToImport(address)], ...none };
  const opened = await openWorkspace(session, [], { mayBeEmpty: true });
  const work = kind.parent === null ? importRoot : importMember;
  const result = await withAccount(session, opened, (account) => work(account, { ...given, address, kind }));
  return { written: false, ...result };
}

interface Wanted extends ImportOptions {
  readonly kind: Kind;
}

/** Roots that have manifests, and what is in one. */
function kindToImport(address: Address): Kind | undefined {
  const kind = registry.get(kindOf(address));
  const root = registry.get(parseAddress(address)?.[0]?.kind ?? '');
  const isKnown = root?.manifest?.file !== undefined && (kind === root || kind?.parent === root.kind);
  return isKnown && kind?.capabilities.hook === undefined ? kind : undefined;
}

function nothingToImport(address: Address): Diagnostic {
  return unwritable(
    address,
    'there is no kind of that name that can be imported',
    'Write the kind and the name of a root, or of what is in one: `Site/shop`, `Mailspace/example.com/Mailbox/a@example.com`.',
  );
}

function stop(address: Address, reason: string, remedy: string): never {
  throw new Stopped([unwritable(address, reason, remedy)]);
}

/** A root gets a manifest of its own, or its id in the one that is there. */
async function importRoot(account: Account, options: Wanted): Promise<Imported> {
  const { address, id } = options;
  const member = await freeRoot(account, options);
  const existing = account.opened.manifests.find(({ kind, name }) => addressOf(null, kind, name) === address);
  if (existing === undefined) return intoNewFile(account, member, options);
  if (existing.id === member.id) return already(address);
  if (existing.id !== undefined)
    stop(
      address,
      `its manifest is bound to ${existing.id}`,
      'Change `metadata.id` by hand if that is no longer meant.',
    );
  return intoManifest(account, { address, changes: [], ...(id !== undefined && { id }) }, options);
}

/** The live root that is meant, which nobody else is about. */
async function freeRoot(account: Account, { address, kind, id }: Wanted): Promise<Member> {
  if (id === undefined)
    stop(
      address,
      'which live object is meant is not said',
      'Name it with --id; `hostwright export` finds all that no manifest names.',
    );
  const { collection, named, diagnostics } = await readRoots(account, kind);
  stopAtErrors(diagnostics);
  if (collection.state !== 'read') stop(address, collection.reason, collection.remedy);
  const member = collection.members.find((one) => one.id === id);
  if (member === undefined)
    stop(
      address,
      `the account has no ${kind.kind} with the id ${id}`,
      'Look the id up on the account; an object of another kind has to be imported under that kind.',
    );
  const recorded = [...account.ledger.objects.values()]
    .filter((one) => one.id === id && rootOf(one.address) === one.address && kindOf(one.address) === kind.kind)
    .map((one) => one.address);
  const holder = [named.get(id) ?? address, ...recorded].find((other) => other !== address);
  if (holder !== undefined)
    stop(
      address,
      `${holder} has that id`,
      'Two manifests cannot be about one object. Rename that one with `metadata.renamedFrom`, or let the ledger forget it: `hostwright ledger forget`.',
    );
  return member;
}

function already(address: Address): Imported {
  const reported: Diagnostic = diagnose('HW6721', `The manifests name ${address} already. Nothing has to be written.`, {
    address,
  });
  return { diagnostics: [reported], files: [], written: false };
}

/** A manifest of its own, as export would write it, with the id of the object. */
async function intoNewFile(
  account: Account,
  member: Member,
  { address, kind, out, dryRun }: Wanted,
): Promise<Imported> {
  const { session, workspace, opened } = account;
  const name = rootNameOf(address);
  const [hostname = ''] = kind.manifest?.file?.called(member) ?? [];
  if (isNamedByHostname(kind.kind) && canonicalHostname(name) !== canonicalHostname(hostname))
    stop(
      address,
      `what has that id is ${hostname}, and a manifest of this kind has the name of its object`,
      `Import ${addressOf(null, kind.kind, hostname)}, or look the id up.`,
    );
  const folder = folderFor(workspace);
  const taken = takenBy(opened, folder);
  const { documents, unrepresentable } = await newManifests(
    account,
    [nameLiveRoot({ kind, member }, name, taken)],
    taken,
  );
  const lost = unrepresentable.find(({ document }) => document.address === address);
  if (lost !== undefined)
    stop(
      address,
      lost.reason,
      'Write no manifest of it while that is so: it would be refused or blocked. Import it again when it is over.',
    );
  const isIt = (document: ExportDocument): boolean => document.address === address;
  const placeOf = (document: ExportDocument): string =>
    isIt(document) && out !== undefined ? path.resolve(session.cwd, out) : path.resolve(folder, document.file);
  const added = documents.map((document) => ({
    file: fromFolder(workspace.root, placeOf(document)),
    text: textOf(isIt(document) ? withId(document, member.id) : document),
  }));
  await provePlansToNothing(account, documents, added);
  const saved = await save({ added, folder: workspace.root, dryRun });
  return dryRun
    ? saved
    : {
        ...saved,
        diagnostics: await unreadFiles(
          session,
          added.map(({ file }) => file),
        ),
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
    .map((file) =>
      diagnose(
        'HW6724',
        `\`${file}\` is written, but \`manifests\` of the workspace file does not lead to it, so no plan sees it. Move it to where manifests are read, or add its place there.`,
      ),
    );
}

/** What is in a root comes into the manifest of that root. */
async function importMember(account: Account, options: Wanted): Promise<Imported> {
  const { address } = options;
  const before = orStop(await planManifests(account));
  const changes = await changesOf(account, before, options);
  return changes === undefined ? already(address) : intoManifest(account, { address, changes }, options, before);
}

/** What the manifest of the root has to say for it; undefined where it says that already. */
async function changesOf(
  account: Account,
  { live: { bound, observed } }: PlannedManifests,
  { address, kind, id }: Wanted,
): Promise<readonly SpecChange[] | undefined> {
  const { opened } = account;
  const own = rootOf(address);
  const root = bound.get(own);
  const roots = observed.get(kindOf(own));
  if (root === undefined && roots !== undefined && roots.state !== 'read') stop(address, roots.reason, roots.remedy);
  const manifest = opened.manifests.find((one) => addressOf(null, one.kind, one.name) === own);
  const document = manifest === undefined ? undefined : findDocument(opened, manifest.kind, manifest.name);
  if (manifest === undefined || document === undefined || root === undefined)
    stop(
      address,
      `${own} has no manifest that is bound to a live object`,
      `Adopt that first: \`hostwright export ${own} --id ID\`.`,
    );
  const inside = await readInside(
    account,
    [{ kind: registry.get(manifest.kind) as Kind, member: root, address: own }],
    () => [kind],
  );
  const section = inside.get(own)?.get(kind.kind);
  if (section?.state !== 'read')
    stop(address, section?.reason ?? 'it was not read', section?.remedy ?? 'Run `hostwright plan` to see why.');
  const identity = identityAt(kind, address);
  const live = section.members.find((member) => member.identity === identity);
  if (live === undefined)
    stop(
      address,
      `${own} has none that is called that`,
      `Write it as the account does. \`hostwright plan\` tells what no manifest names where a manifest names others; \`hostwright export ${own} --out FOLDER\` adds whatever its manifest lacks.`,
    );
  if (id !== undefined && live.id !== id)
    stop(address, `the live one has the id ${live.id}, not ${id}`, 'Look the id up, or leave --id out.');
  const declared = opened.declared.find(({ collection }) => collection === collectionOf(address));
  if (declared?.members.some((member) => member.identity === identity) === true) return undefined;
  const { name, spec } = manifest;
  const isManaged = kind.section.fields.some((field) => valueAt(document.merged, `/spec/${field}`) !== undefined);
  const changes = isManaged
    ? changesFor({ kind, name, spec, identity, live, root, observed: section })
    : newSection(kind, live, root, spec);
  return 'reason' in changes ? stop(address, changes.reason, changes.remedy) : changes;
}

/**
 * A section of which nothing is declared yet. Of a list in which what is not named is removed, one alone would remove
 * the others.
 */
function newSection(
  kind: Kind,
  live: Member,
  root: Member,
  spec: Parameters<typeof sectionChanges>[3],
): readonly SpecChange[] | Refused {
  if (kind.list === 'authoritative')
    return {
      reason: `the manifest does not manage ${kind.section.fields[0] ?? ''}, and what such a list does not name is removed`,
      remedy: 'Write the whole list: `hostwright export --out FOLDER` adds it.',
    };
  const changes = sectionChanges(kind, { state: 'read', members: [live], blockers: {} }, root, spec);
  return changes.length > 0
    ? changes
    : { reason: 'no lines of a manifest say it by itself', remedy: 'Write its section by hand.' };
}

/** The manifest that is there says it too; what it says otherwise than live is told, and stays. */
async function intoManifest(
  account: Account,
  changes: ObjectChanges,
  { address, dryRun }: ImportOptions,
  before?: PlannedManifests,
): Promise<Imported> {
  const { edits, diagnostics } = editsFor(account.opened, [changes]);
  stopAtErrors([...diagnostics, ...(await withoutMade(account, edits, 'error')).diagnostics]);
  const { plan } = orStop(await planManifests(account, { edits }));
  const differing =
    before === undefined
      ? plan.actions.map((action) => action.address).filter((one) => rootOf(one) === address)
      : newDifferences(before.plan, plan);
  const differs: Diagnostic = diagnose(
    'HW6722',
    `The object is adopted. The next plan would change ${differing.join(', ')}; \`hostwright drift --accept\` writes the live values into the manifest instead.`,
    { address },
  );
  return save({ edits, dryRun, reported: differing.length === 0 ? diagnostics : [...diagnostics, differs] });
}
