// What manifests that are there lack of what is live: sections that none of them manages, and what nobody named in
// additive lists. What they say and what they ignore stays; what would make a plan do anything is left, and told.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, kindOf, rootOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { NotExported } from '../../model/exported.ts';
import { valueAt } from '../../model/json.ts';
import type { Collection, Kind } from '../../model/kind/kind.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { sectionToManifest } from '../../planner/to-manifest.ts';
import { registry } from '../../areas/index.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import type { Account } from '../account.ts';
import { planManifests, quietly } from '../account.ts';
import { orStop, Stopped } from '../client.ts';
import type { SpecChange } from './changes.ts';
import { changesFor, sectionChanges, withChanges } from './changes.ts';
import type { Edits, ObjectChanges, OwnDocument } from './edits.ts';
import { editsFor, findDocument } from './edits.ts';
import type { Addressed, Inside } from './live.ts';
import { isSwitchedOff, readInside, sectionsOf } from './live.ts';
import { withoutMade } from './made.ts';
import { newDifferences, newlyStuck } from './proof.ts';

/** A live root with what is in it, and the manifest that names it. */
interface Written extends Addressed {
  readonly inside: Inside;
  readonly manifest: Manifest;
  readonly document: OwnDocument;
}

export interface Missing extends Edits {
  /** What could not be read, so that nobody knows whether it is missing. */
  readonly unknown: readonly NotExported[];
}

/** The edits that add to the manifests of these roots what they lack. */
export async function findMissing(loud: Account, roots: readonly Addressed[]): Promise<Missing> {
  if (roots.length === 0) return { edits: [], diagnostics: [], unknown: [] };
  const inside = await readInside(loud, roots);
  const account = quietly(loud);
  const manifests = new Map(account.opened.manifests.map((one) => [addressOf(null, one.kind, one.name), one]));
  const written = roots.flatMap((root) =>
    writtenFor(account.opened, manifests.get(root.address), root, inside.get(root.address) ?? new Map()),
  );
  const { edits, diagnostics } = await provenEdits(account, written);
  const own = await withoutMade(account, edits, 'warning');
  return {
    edits: own.edits,
    diagnostics: [...diagnostics, ...own.diagnostics],
    unknown: written.flatMap(unknownIn),
  };
}

/** Round by round without what cannot be edited, or would make a plan do something. */
async function provenEdits(account: Account, roots: readonly Written[]): Promise<Edits> {
  const { opened } = account;
  const { plan } = orStop(await planManifests(account));
  const unmanaged = unmanagedIn(plan);
  let left: ReadonlySet<Address> = new Set();
  let stuck: ReadonlyMap<Address, readonly Diagnostic[]> = new Map();
  for (;;) {
    const own = roots
      .filter(({ address }) => !stuck.has(address))
      .map((root) => ({ root, pieces: piecesOf(unmanaged, root, left) }));
    const pieces = own.flatMap((one) => one.pieces);
    const { edits, diagnostics } = editsFor(opened, pieces);
    if (hasErrors(diagnostics)) {
      // One that cannot be edited is no reason to leave the others.
      const fresh = own.flatMap(({ root: { address }, pieces: these }) =>
        asLeft(address, editsFor(opened, these).diagnostics),
      );
      if (fresh.length === 0) throw new Stopped(diagnostics);
      stuck = new Map([...stuck, ...fresh]);
      continue;
    }
    const reported = [...[...left].map(leftAsItIs), ...[...stuck.values()].flat()];
    if (edits.length === 0) return { edits: [], diagnostics: reported };
    const after = await planManifests(account, { edits });
    const wrong =
      after instanceof Stopped
        ? pieces
            .map(({ address }) => address)
            .filter((address) => after.diagnostics.some((problem) => isAbout(problem, address)))
        : [...newDifferences(plan, after.plan), ...newlyStuck(plan, after.plan)]
            .map(collectionOf)
            .filter((address) => pieces.some((piece) => piece.address === address) && !left.has(address));
    if (wrong.length === 0) {
      orStop(after);
      return { edits, diagnostics: reported };
    }
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
  const warnings = errors.map((one): Diagnostic => ({
    ...one,
    severity: 'warning',
    detail: one.detail.replace('Nothing was written.', 'Its manifest is as it was.'),
  }));
  return errors.length === 0 ? [] : [[address, warnings]];
}

function leftAsItIs(address: Address): Diagnostic {
  return diagnose(
    'HW6723',
    `${address} is not added to its manifest: a plan would then change something, or could not say what is so, or no manifest can say it.`,
    { address },
  );
}

/** The manifest of a root that is to be there, and its document. */
function writtenFor(
  opened: OpenedWorkspace,
  manifest: Manifest | undefined,
  root: Addressed,
  inside: Inside,
): readonly Written[] {
  if (manifest === undefined || manifest.lifecycle.state === 'absent') return [];
  const document = findDocument(opened, manifest.kind, manifest.name);
  return document === undefined ? [] : [{ ...root, inside, manifest, document }];
}

/** A section of a root that its manifest does not leave out. */
interface Observation {
  readonly section: Kind;
  readonly collection: Collection;
  readonly isDeclared: boolean;
}

/** What a manifest could be about, without what it ignores and what rests on what is off. */
function lookedAt({ kind, inside, document: { merged } }: Written): readonly Observation[] {
  const ignored = (valueAt(merged, '/lifecycle/ignore') ?? []) as readonly string[];
  return sectionsOf(kind).flatMap((section): readonly Observation[] => {
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

/** What could be missing, and nobody can tell. What rests on what could not be read either is not told by itself. */
function unknownIn(root: Written): readonly NotExported[] {
  return lookedAt(root)
    .filter(
      ({
        section: {
          capabilities: { dependsOn },
          list,
        },
        collection,
        isDeclared,
      }) => {
        const rest = dependsOn === undefined ? undefined : root.inside.get(dependsOn.kind);
        return (
          collection.state === 'unknown' && (!isDeclared || list === 'additive') && (rest?.state ?? 'read') === 'read'
        );
      },
    )
    .flatMap(({ section, collection }) => sectionToManifest(section, collection, root.member).leftOut ?? [])
    .map(({ what, reason = '' }) => ({
      address: root.address,
      what: what.replaceAll('/', '.'),
      reason,
      unknown: true,
    }));
}

/** Identities by collection. */
function unmanagedIn({ unmanaged }: Plan): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { collection, identity } of unmanaged) {
    const known = found.get(collection);
    if (known === undefined) found.set(collection, [identity]);
    else known.push(identity);
  }
  return found;
}

/** What each section lacks; their addresses are those of the sections. Each comes on what the ones before have added. */
function piecesOf(
  unmanaged: ReadonlyMap<string, readonly string[]>,
  root: Written,
  left: ReadonlySet<Address>,
): readonly ObjectChanges[] {
  const { member, manifest } = root;
  const pieces: ObjectChanges[] = [];
  let { spec } = manifest;
  for (const { section, collection, isDeclared } of lookedAt(root)) {
    const address = addressOf(root.address, section.kind, null);
    if (collection.state !== 'read' || left.has(address)) continue;
    // What a plan tells as unmanaged comes to the end of its list.
    const unnamed = unmanaged.get(address) ?? [];
    const changes = isDeclared
      ? unnamed.reduce<readonly SpecChange[]>((all, identity) => {
          const more = changesFor({
            kind: section,
            name: manifest.name,
            spec: withChanges(spec, all),
            identity,
            live: collection.members.find((one) => one.identity === identity),
            root: member,
            observed: collection,
          });
          return 'reason' in more ? all : [...all, ...more];
        }, [])
      : sectionChanges(section, collection, member, spec);
    if (changes.length > 0) pieces.push({ address, changes });
    spec = withChanges(spec, changes);
  }
  return pieces;
}
