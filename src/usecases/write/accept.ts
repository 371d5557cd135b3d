// The use case `drift --accept`: what is live of some objects is written into the manifests, where they say it. All of
// it, or nothing: it is written only when a plan for the manifests as they would be finds nothing more to do there.
// Sends nothing but reads.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import {
  addressOf,
  canonicalAddress,
  collectionOf,
  kindOf,
  parseAddress,
  rootNameOf,
  rootOf,
} from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { positionOf } from '../../model/kind/kind.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { registry } from '../../areas/index.ts';
import { compareManifests } from '../../manifest/read/changed.ts';
import type { MadeFile } from '../../manifest/write/made-files.ts';
import { writeMadeFiles } from '../../manifest/write/made-files.ts';
import { addressPattern } from '../../planner/targets.ts';
import { touchedBy } from '../../planner/touched.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { checkTargets } from '../plan/plan.ts';
import { chooseScope } from '../plan/scope.ts';
import { chooseTargets } from '../plan/targets.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { openWorkspace } from '../workspace.ts';
import type { Account, PlannedManifests, WithRequests } from '../account.ts';
import { drafted, planManifests, quietly, unwritable, withAccount } from '../account.ts';
import { orStop, stopAtErrors, Stopped } from '../client.ts';
import { acceptedFiles, shownFiles } from '../observed/accept.ts';
import { compareWithFolder } from '../observed/drift.ts';
import { declaredIn, documentsFor } from '../observed/record.ts';
import type { Refused, SpecChange } from './changes.ts';
import { changesFor, identityAt, withChanges } from './changes.ts';
import type { ObjectChanges } from './edits.ts';
import { editsFor } from './edits.ts';
import { withoutMade } from './made.ts';
import { differencesOf, isDifference, newDifferences } from './proof.ts';
import type { Written } from './save.ts';
import { save } from './save.ts';

export interface AcceptOptions {
  readonly paths: readonly string[];
  /** Addresses, or globs; what differs in an object that is named is meant too. */
  readonly addresses: readonly Address[];
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export type AcceptResult = Written & WithRequests;

/** Writes what is live of these objects into their manifests. */
export async function acceptLive(
  session: Session,
  { paths, addresses: given, dryRun }: AcceptOptions,
): Promise<AcceptResult> {
  const wrong = checkTargets(given.filter((one) => !GLOB.test(one)));
  if (wrong.length > 0) return { diagnostics: wrong, requests: 0, written: false };
  const result = await withAccount(session, await openWorkspace(session, paths), async (account) => {
    const within = await rootsToRead(account, given);
    const before = orStop(await planManifests(account, { ...(within !== undefined && { within }) }));
    const observed = await observedAt(account, before, given);
    const { addresses, idle } = meant(
      account,
      before,
      given.filter((one) => !observed.only.has(one)),
    );
    const { changes, diagnostics: same } = changesOf(account, before, addresses);
    const { edits, diagnostics } = editsFor(account.opened, changes);
    const reported = stopAtErrors([...idle, ...same, ...diagnostics]);
    stopAtErrors((await withoutMade(account, edits, 'error')).diagnostics);
    const proof = edits.length === 0 ? [] : await prove(account, { before, within }, edits, addresses);
    const saved = await save({ edits, dryRun, reported: stopAtErrors([...reported, ...proof]) });
    const { workspace } = account;
    if (!dryRun)
      stopAtErrors(await writeMadeFiles(path.resolve(workspace.root, workspace.observed ?? ''), observed.files));
    return { ...saved, files: [...(saved.files ?? []), ...shownFiles(workspace.observed ?? '', observed.files)] };
  });
  return { written: false, ...result };
}

/** The roots that the objects are in and what those rest on; undefined: all. */
async function rootsToRead(
  { session, opened, ledger }: Account,
  given: readonly Address[],
): Promise<ReadonlySet<Address> | undefined> {
  const reviewed = given.map(canonicalAddress);
  if (reviewed.some((address) => GLOB.test(rootOf(address)))) return undefined;
  const scope = await chooseScope(session, opened, { paths: [], targets: [], reviewed }, ledger);
  return 'error' in scope ? undefined : scope.limits.within;
}

/** What the observed manifests say otherwise than live, of the objects that are named; `only`: arguments that mean nothing else. */
async function observedAt(
  account: Account,
  { plan, live }: PlannedManifests,
  given: readonly string[],
): Promise<{ readonly files: readonly MadeFile[]; readonly only: ReadonlySet<string> }> {
  if (account.workspace.observed === undefined) return { files: [], only: new Set() };
  const roots = new Set(given.map((one) => rootOf(canonicalAddress(one))));
  const isOpen = [...roots].some((root) => GLOB.test(root));
  const found = await compareWithFolder({ ...quietly(account), live }, isOpen ? undefined : roots);
  stopAtErrors(found.diagnostics);
  if (found.folder === undefined) return { files: [], only: new Set() };
  const patterns = given.map((text) => ({ text, matches: addressPattern(text) }));
  const isIn = (address: Address, { text, matches }: (typeof patterns)[number]): boolean =>
    address.split('/').some((_part, at, parts) => {
      const above = parts.slice(0, at + 1).join('/');
      return above === canonicalAddress(text) || matches(above);
    });
  const items = found.items.filter(({ address }) => patterns.some((one) => isIn(address, one)));
  const differing = differencesOf(plan);
  const only = patterns.filter(
    (one) => items.some(({ address }) => isIn(address, one)) && !differing.some(({ address }) => isIn(address, one)),
  );
  const fresh = documentsFor(found.look.roots, declaredIn(account));
  return { files: acceptedFiles(found.folder, fresh, items), only: new Set(only.map(({ text }) => text)) };
}

/** What begins a wildcard. */
const GLOB = /[*?{[]/;

/**
 * What differs at the objects that are named and in them; an object itself where nothing does, for it may be live and
 * named by no manifest. `idle`: which globs name nothing that differs.
 */
function meant(
  { ledger }: Account,
  { plan, live }: PlannedManifests,
  given: readonly string[],
): { readonly addresses: readonly Address[]; readonly idle: readonly Diagnostic[] } {
  const idle: Diagnostic[] = [];
  const differing = differencesOf(plan).map(({ address }) => address);
  const found = given.flatMap((written) => {
    const address = canonicalAddress(written);
    // A hostname may begin with `*` itself.
    const isGlob = GLOB.test(written) && !isNamed(live, address);
    const chosen = isGlob ? chooseTargets([written], live, ledger) : { targets: [address], diagnostics: [] };
    stopAtErrors(chosen.diagnostics);
    const inside = differing.filter((one) => isTargetOf(one, chosen.targets));
    if (isGlob && inside.length === 0) idle.push(nothingDiffers(written));
    return inside.length > 0 || isGlob ? inside : chosen.targets;
  });
  return { addresses: [...new Set(found)], idle };
}

/** True for a live or declared object of this very name. */
function isNamed({ declared, observed }: PlannedManifests['live'], address: Address): boolean {
  const collection = collectionOf(address);
  const live = observed.get(collection);
  const kind = registry.get(kindOf(address));
  return (
    declared.some(({ members }) => members.some((member) => member.address === address)) ||
    (kind !== undefined &&
      live?.state === 'read' &&
      live.members.some(({ identity }) => identity === identityAt(kind, address)))
  );
}

function isTargetOf(address: Address, targets: readonly Address[]): boolean {
  return targets.some((target) => address === target || address.startsWith(`${target}/`));
}

/** What has to change in the manifests so that they say what is live; of what they say already, that. */
function changesOf(
  { opened, ledger }: Account,
  before: PlannedManifests,
  addresses: readonly Address[],
): { readonly changes: readonly ObjectChanges[]; readonly diagnostics: readonly Diagnostic[] } {
  const specs = new Map(opened.manifests.map(({ kind, name, spec }) => [addressOf(null, kind, name), spec]));
  const objects: ObjectChanges[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const address of addresses) {
    const spec = specs.get(rootOf(address));
    const changes = ledger.inFlight.some(({ action }) => action.address === address)
      ? {
          reason: 'a run has begun something there, and how that ended is not known',
          remedy: 'Run `hostwright apply --resume` first.',
        }
      : changesAt(before, address, spec);
    if ('reason' in changes) diagnostics.push(unwritable(address, changes.reason, changes.remedy));
    else if (changes.length === 0) diagnostics.push(nothingDiffers(address));
    else {
      specs.set(rootOf(address), withChanges(spec as JsonObject, changes));
      objects.push({ address, changes });
    }
  }
  return { changes: objects, diagnostics: stopAtErrors(diagnostics) };
}

function nothingDiffers(address: string): Diagnostic {
  return diagnose(
    'HW6715',
    `What the manifests say of ${address}, and of what is in it, is what is live. Nothing has to be accepted.`,
    { address },
  );
}

/** The changes of the manifest of an object's root. */
export function changesAt(
  {
    live,
    plan,
    opened,
  }: Pick<PlannedManifests, 'live' | 'plan'> & { readonly opened: Pick<OpenedWorkspace, 'declared'> },
  address: Address,
  spec: JsonObject | undefined,
): readonly SpecChange[] | Refused {
  const refuse = (reason: string, remedy: string): Refused => ({ reason, remedy });
  const root = rootOf(address);
  const bound = live.bound.get(root);
  if (spec === undefined)
    return refuse(
      'no manifest that was read declares it',
      `Check the address, or adopt it: \`hostwright export ${root} --id ID\`.`,
    );
  const roots = bound === undefined ? live.observed.get(kindOf(root)) : undefined;
  if (roots !== undefined && roots.state !== 'read') return refuse(roots.reason, roots.remedy);
  if (bound === undefined)
    return refuse(
      address === root ? 'it is not on the account any more' : `${root} is not on the account`,
      'Remove its manifest, or run `hostwright plan` to see what would be done.',
    );
  const declared = declaredAt(opened, address);
  if (declared === undefined)
    return refuse(
      'its manifest does not manage it',
      'Write its section in the manifest first; `hostwright export --out FOLDER` adds what is missing.',
    );
  const { kind, collection } = declared;
  if (collection.unresolved !== undefined)
    return refuse('what is declared there is taken from another object', 'Change the manifest by hand.');
  const observed = live.observed.get(collection.collection);
  if (observed === undefined || observed.state !== 'read')
    return refuse(observed?.reason ?? 'it was not read', observed?.remedy ?? 'Run `hostwright plan` to see why.');
  const name = rootNameOf(root);
  const identity = kind.parent === null ? bound.identity : identityAt(kind, address);
  const member = kind.parent === null ? bound : observed.members.find((one) => one.identity === identity);
  const absent = observed.incomplete?.absent?.includes(identity) === true;
  if (member === undefined && observed.incomplete !== undefined && !absent)
    return refuse(observed.incomplete.reason, observed.incomplete.remedy);
  const position = positionOf(kind);
  const isMoved =
    position !== undefined &&
    plan.actions.some(
      (action) => action.address === address && action.changes.some(({ path }) => path === `/${position}`),
    );
  return changesFor({ kind, name, spec, identity, live: member, root: bound, observed, isMoved });
}

function declaredAt(
  { declared }: Pick<OpenedWorkspace, 'declared'>,
  address: Address,
): { readonly kind: Kind; readonly collection: DesiredCollection } | undefined {
  const isRoot = address === rootOf(address);
  const collection = declared.find(
    (one) => one.collection === (isRoot ? parseAddress(address)?.[0]?.kind : collectionOf(address)),
  );
  const kind = collection === undefined ? undefined : registry.get(collection.kind);
  return collection === undefined || kind === undefined ? undefined : { kind, collection };
}

/**
 * The plan for the manifests as they would be must find nothing more to do there, and is told where it finds something
 * new elsewhere.
 */
async function prove(
  account: Account,
  planned: { readonly before: PlannedManifests; readonly within: ReadonlySet<Address> | undefined },
  edits: readonly FileEdit[],
  addresses: readonly Address[],
): Promise<readonly Diagnostic[]> {
  const opened = await drafted(account, { edits });
  const { changed } = compareManifests(account.opened.manifests, opened.manifests, registry);
  // The same place of a manifest may say it of objects in other roots too.
  const touched = [...touchedBy(changed, opened.declared, registry).roots];
  const { within } = planned;
  const isPart = within !== undefined && touched.every((root) => within.has(root));
  const before = isPart || within === undefined ? planned.before : orStop(await planManifests(account));
  const after = await planManifests({ ...account, opened }, isPart ? { within } : {});
  if (after instanceof Stopped)
    return after.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      detail: `${diagnostic.detail} That is what the edited manifests would say; nothing was written.`,
    }));
  const left = addresses.filter((address) => differsAt(after.plan, address));
  const fresh = newDifferences(before.plan, after.plan);
  const elsewhere: Diagnostic = diagnose(
    'HW6718',
    `The same place of a manifest says it of other objects too: the next plan changes ${fresh.join(', ')}.`,
  );
  return [
    ...left.map((address) =>
      unwritable(
        address,
        'with what is live in its manifest it would still differ',
        'Change the manifest by hand; `hostwright plan` shows what differs.',
      ),
    ),
    ...(fresh.length === 0 ? [] : [elsewhere]),
  ];
}

function differsAt({ actions, blocked, manual, unknown, waiting, unmanaged }: Plan, address: Address): boolean {
  const isAt = (one: { readonly address: Address }): boolean => one.address === address;
  return (
    actions.some((action) => isAt(action) && isDifference(action)) ||
    [...blocked, ...manual, ...unknown, ...waiting].some(isAt) ||
    unmanaged.some(
      ({ collection, identity, kind }) =>
        collectionOf(address) === collection && identity === identityAt(registry.get(kind) as Kind, address),
    )
  );
}
