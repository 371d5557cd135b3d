// What manifests that are there lack of what is live: sections that none of them manages, and what nobody named in
// asset lists. Nothing that they say is changed, and what they ignore stays out. What would make a plan do anything is
// left as it was, and said.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, kindOf, rootOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { NotExported } from '../../model/exported.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, valueAt } from '../../model/json.ts';
import type { Collection, Kind, Member } from '../../model/kind/kind.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { sectionToManifest } from '../../planner/to-manifest.ts';
import { registry } from '../../kinds/index.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { withTexts } from '../workspace.ts';
import type { Account } from './account.ts';
import type { SpecChange } from './changes.ts';
import { changesFor } from './changes.ts';
import type { FileEdit, OwnDocument } from './documents.ts';
import { findDocument, textsWith } from './documents.ts';
import type { ObjectChanges } from './edits.ts';
import { editsOf, newDifferences } from './edits.ts';

/** A live root that a manifest names, with everything that was read in it. */
export interface NamedLive {
  readonly kind: Kind;
  readonly member: Member;
  readonly address: Address;
  readonly inside: ReadonlyMap<string, Collection>;
}

export interface Missing {
  readonly edits: readonly FileEdit[];
  readonly diagnostics: readonly Diagnostic[];
  /** What could not be read, so that nobody knows whether it is missing. */
  readonly unknown: readonly NotExported[];
}

/** What a section lacks; `address` is that of the section. */
interface Piece extends ObjectChanges {
  readonly spec: JsonObject;
}

/** The edits that add what is missing. */
export async function addMissing(
  account: Pick<Account, 'opened' | 'look'>,
  roots: readonly NamedLive[],
): Promise<Missing> {
  return { ...(await findMissing(account, roots)), unknown: roots.flatMap((root) => unknownIn(account.opened, root)) };
}

async function findMissing(
  { opened, look }: Pick<Account, 'opened' | 'look'>,
  roots: readonly NamedLive[],
): Promise<Omit<Missing, 'unknown'>> {
  const first = await look(opened);
  if (!('plan' in first)) return { edits: [], diagnostics: first.diagnostics };
  let left: ReadonlySet<Address> = new Set();
  let stuck: ReadonlyMap<Address, readonly Diagnostic[]> = new Map();
  for (;;) {
    const own = roots
      .filter(({ address }) => !stuck.has(address))
      .map((root) => ({ root, pieces: piecesOf(opened, first.plan, root, left) }));
    const pieces = own.flatMap((one) => one.pieces);
    const { edits, diagnostics } = editsOf(opened, pieces);
    if (hasErrors(diagnostics)) {
      // One that cannot be edited is no reason to leave the others.
      const fresh = own.flatMap(({ root: { address }, pieces: these }) =>
        asLeft(address, editsOf(opened, these).diagnostics),
      );
      if (fresh.length === 0) return { edits: [], diagnostics };
      stuck = new Map([...stuck, ...fresh]);
      continue;
    }
    const reported = [...reportedOf(left), ...[...stuck.values()].flat()];
    if (edits.length === 0) return { edits: [], diagnostics: reported };
    const after = await look(await withTexts(opened, textsWith(opened.texts, edits)));
    if (!('plan' in after)) {
      const unsaid = pieces
        .map(({ address }) => address)
        .filter((address) => after.diagnostics.some((problem) => isAbout(problem, address)));
      if (unsaid.length === 0) return { edits: [], diagnostics: after.diagnostics };
      left = new Set([...left, ...unsaid]);
      continue;
    }
    const wrong = [...newDifferences(first.plan, after.plan), ...newBlockers(first.plan, after.plan)]
      .map(collectionOf)
      .filter((address) => pieces.some((piece) => piece.address === address) && !left.has(address));
    if (wrong.length === 0) return { edits, diagnostics: reported };
    left = new Set([...left, ...wrong]);
  }
}

/** An error at a place of the section with this address. */
function isAbout({ severity, address, pointer = '' }: Diagnostic, section: Address): boolean {
  return (
    severity === 'error' &&
    address === rootOf(section) &&
    (registry.get(kindOf(section))?.section.fields ?? []).some((field) => isWithin(pointer, `/spec/${field}`))
  );
}

/** Why nothing is added to a manifest, where that is so. */
function asLeft(
  address: Address,
  diagnostics: readonly Diagnostic[],
): readonly (readonly [Address, readonly Diagnostic[]])[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0
    ? []
    : [
        [
          address,
          errors.map((one) => ({
            ...one,
            severity: 'warning',
            detail: one.detail.replace('Nothing was written.', 'Its manifest is as it was.'),
          })),
        ],
      ];
}

function newBlockers(before: Plan, after: Plan): readonly Address[] {
  const all = ({ blocked, unknown, waiting, manual, deferred }: Plan): readonly Address[] =>
    [...blocked, ...unknown, ...waiting, ...manual, ...deferred].map(({ address }) => address);
  const known = new Set(all(before));
  return all(after).filter((address) => !known.has(address));
}

function reportedOf(left: ReadonlySet<Address>): readonly Diagnostic[] {
  return [...left].map((address) => ({
    code: 'HW6723',
    severity: 'info',
    summary: 'A section is left as it is',
    detail: `${address} is not added to its manifest: a plan would then change something, or could not say what is so, or no manifest can say it.`,
    address,
  }));
}

/** A section of a root that its manifest does not leave out. */
interface Observation {
  readonly section: Kind;
  readonly collection: Collection;
  readonly isDeclared: boolean;
}

/** What a manifest could be about, without what it ignores and what rests on what is off. */
function lookedAt({ merged }: OwnDocument, { kind, inside }: NamedLive): readonly Observation[] {
  const ignored = (valueAt(merged, '/lifecycle/ignore') ?? []) as readonly string[];
  return [...registry.values()]
    .filter(({ parent, capabilities: { hook } }) => parent === kind.kind && hook === undefined)
    .flatMap((section): readonly Observation[] => {
      const { fields } = section.section;
      const collection = inside.get(section.kind);
      const isIgnored = fields.some((field) =>
        ignored.some((pointer) => isWithin(pointer, `/${field}`) || isWithin(`/${field}`, pointer)),
      );
      if (collection === undefined || isIgnored || isSwitchedOff(section, inside)) return [];
      return [
        { section, collection, isDeclared: fields.some((field) => valueAt(merged, `/spec/${field}`) !== undefined) },
      ];
    });
}

/** The manifest of a root that is to be there, and its document. */
function writtenFor(
  opened: OpenedWorkspace,
  { address }: NamedLive,
): { readonly manifest: Manifest; readonly document: OwnDocument } | undefined {
  const manifest = opened.manifests.find((one) => addressOf(null, one.kind, one.name) === address);
  const document = manifest === undefined ? undefined : findDocument(opened, manifest.kind, manifest.name);
  return manifest === undefined || document === undefined || manifest.lifecycle.state === 'absent'
    ? undefined
    : { manifest, document };
}

/** What could be missing, and nobody can tell. What rests on what could not be read either is not told by itself. */
function unknownIn(opened: OpenedWorkspace, root: NamedLive): readonly NotExported[] {
  const written = writtenFor(opened, root);
  const sections = written === undefined ? [] : lookedAt(written.document, root);
  return sections.flatMap(({ section, collection, isDeclared }) => {
    const rest =
      section.capabilities.dependsOn === undefined ? undefined : root.inside.get(section.capabilities.dependsOn.kind);
    if (
      collection.state !== 'unknown' ||
      (isDeclared && section.list !== 'additive') ||
      (rest !== undefined && rest.state !== 'read')
    )
      return [];
    return (sectionToManifest(section, collection, root.member).leftOut ?? []).map(({ what, reason = '' }) => ({
      address: root.address,
      what: what.replaceAll('/', '.'),
      reason,
      unknown: true as const,
    }));
  });
}

/** Section by section, each on what the ones before have added. */
function piecesOf(opened: OpenedWorkspace, plan: Plan, root: NamedLive, left: ReadonlySet<Address>): readonly Piece[] {
  const written = writtenFor(opened, root);
  if (written === undefined) return [];
  const { member, address } = root;
  const {
    manifest: { name, spec: declared },
    document,
  } = written;
  const pieces: Piece[] = [];
  let spec = declared;
  for (const { section, collection, isDeclared } of lookedAt(document, root)) {
    const place = addressOf(address, section.kind, null);
    if (collection.state !== 'read' || left.has(place)) continue;
    const found = isDeclared
      ? unnamed({ section, collection, plan, place, member, name, spec })
      : wholeSection(section, collection, member, spec);
    if (found.changes.length > 0) pieces.push({ address: place, ...found });
    spec = found.spec;
  }
  return pieces;
}

function isSwitchedOff({ capabilities: { dependsOn } }: Kind, inside: ReadonlyMap<string, Collection>): boolean {
  const other = dependsOn === undefined ? undefined : inside.get(dependsOn.kind);
  return (
    dependsOn !== undefined &&
    other?.state === 'read' &&
    other.members.every(({ spec }) => spec[dependsOn.field] !== true)
  );
}

type Found = { readonly changes: readonly SpecChange[]; readonly spec: JsonObject };

/** What a plan tells as unmanaged comes to the end of its list. */
function unnamed({
  section,
  collection,
  plan,
  place,
  member,
  name,
  spec,
}: {
  readonly section: Kind;
  readonly collection: Extract<Collection, { readonly state: 'read' }>;
  readonly plan: Plan;
  readonly place: Address;
  readonly member: Member;
  readonly name: string;
  readonly spec: JsonObject;
}): Found {
  return plan.unmanaged
    .filter((one) => one.collection === place)
    .reduce<Found>(
      (found, { identity }) => {
        const live = collection.members.find((one) => one.identity === identity);
        const more = changesFor({
          kind: section,
          name,
          spec: found.spec,
          identity,
          live,
          root: member,
          observed: collection,
          isMoved: false,
        });
        return 'refused' in more ? found : { changes: [...found.changes, ...more.changes], spec: more.spec };
      },
      { changes: [], spec },
    );
}

/** People are written in manifests of their own, which are not made here. */
function wholeSection(section: Kind, collection: Collection, member: Member, spec: JsonObject): Found {
  const { spec: parts, data = [] } = sectionToManifest(section, collection, member);
  if (data.length > 0) return { changes: [], spec };
  const changes = additions(spec, parts, '');
  return { changes, spec: merged(spec, parts) };
}

/** The places of what comes beside what is there. */
function additions(there: Json | undefined, coming: JsonObject, pointer: string): readonly SpecChange[] {
  return Object.entries(coming).flatMap(([key, value]): readonly SpecChange[] => {
    const place = `${pointer}/${escapePointer(key)}`;
    const before = isJsonObject(there) && Object.hasOwn(there, key) ? there[key] : undefined;
    if (before === undefined) return [{ pointer: place, value }];
    return isJsonObject(before) && isJsonObject(value) ? additions(before, value, place) : [];
  });
}

function merged(there: JsonObject, coming: JsonObject): JsonObject {
  const both = Object.entries(coming).map(([key, value]): readonly [string, Json] => {
    const before = Object.hasOwn(there, key) ? there[key] : undefined;
    if (before === undefined) return [key, value];
    return [key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : before];
  });
  return { ...there, ...Object.fromEntries(both) };
}
