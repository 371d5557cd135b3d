// One root as it is live: what its manifest would have to say, in its own words where it says that already; and all that
// a manifest could say of a root that none names.
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { LeftOut } from '../../model/kind/to-manifest.ts';
import type { Collection, Kind, Member } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Plan, PlanBlocker } from '../../model/plan/plan.ts';
import { registry } from '../../areas/index.ts';
import { rootToManifest } from '../../planner/to-manifest.ts';
import { createReader } from '../../observe/reader.ts';
import { changesAt } from '../write/accept.ts';
import type { Account } from '../account.ts';
import type { Access } from '../client.ts';
import { recordLive } from '../plan/bindings.ts';
import type { LivePlan } from '../plan/plan.ts';
import { planLive } from '../plan/plan.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import { withChanges } from '../write/changes.ts';
import type { NamedRoot } from '../write/documents.ts';
import { nameLiveRoots, newManifests } from '../write/documents.ts';
import type { LiveRoots } from '../write/live.ts';
import { NOTHING_READ } from '../workspace.ts';
import { readInside, readRoots, sectionsOf } from '../write/live.ts';
import { differencesOf } from '../write/proof.ts';
import { openMemoryLedger } from './memory-ledger.ts';
import type { Snapshot } from './snapshot.ts';
import { snapshotOf, viewWith } from './snapshot.ts';

/** An account of which no manifest is a file. */
export interface RootAccess extends Access {
  /** There is no ledger: what was begun is kept in snapshots. */
  readonly isWithoutLedger?: true;
}

/** One root and what is declared of it; `spec` with plain data in the place of references. */
export interface DeclaredRoot {
  readonly address: Address;
  readonly spec: JsonObject;
  readonly declared: readonly DesiredCollection[];
}

export type RootState =
  | { readonly is: 'there'; readonly spec: JsonObject; readonly snapshot: Snapshot; readonly plan: Plan }
  /** The list of all roots shows it no more. */
  | { readonly is: 'gone' }
  /** Nobody can say how it is. */
  | { readonly is: 'unread'; readonly diagnostics: readonly Diagnostic[] };

/** metadata.id names no live object. */
const NO_SUCH_ID = 'HW2001';

/**
 * Looks at what is declared of a root that is bound by its id. What is as declared keeps its words; what is not says
 * what is live.
 */
export async function readRootState(
  access: RootAccess,
  root: DeclaredRoot,
  earlier: Snapshot | undefined,
): Promise<RootState> {
  const view = viewWith(access.ledger, earlier);
  const found = await planLive({
    isPartOfAccount: true,
    ...access,
    declared: root.declared,
    ledger: view,
    targets: [],
    notices: [],
    unfinishedOf: new Set([root.address]),
  });
  return stateIn(access, root, found, view);
}

async function stateIn(
  access: RootAccess,
  { address, spec, declared }: DeclaredRoot,
  { plan, live, diagnostics, unreachable }: LivePlan,
  view: LedgerView,
): Promise<RootState> {
  const roots = live?.observed.get(kindOf(address));
  const isWhole = roots?.state === 'read' && roots.incomplete === undefined;
  if (unreachable !== undefined) return { is: 'unread', diagnostics: [unreachable] };
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (isWhole && errors.length > 0 && errors.every(({ code }) => code === NO_SUCH_ID)) return { is: 'gone' };
  if (plan === undefined || live === undefined) return { is: 'unread', diagnostics };
  const unread = [roots, ...live.observed.values()].find((one) => one?.state === 'unknown');
  if (unread !== undefined && unread.state !== 'read')
    return { is: 'unread', diagnostics: [notRead(address, unread.reason, unread.remedy)] };
  const member = live.bound.get(address);
  if (member === undefined)
    return isWhole
      ? { is: 'gone' }
      : { is: 'unread', diagnostics: [notRead(address, 'the list of them may be cut off', 'Run the command again.')] };
  let now = spec;
  for (const one of differencesOf(plan)) {
    const changes = changesAt({ live, plan, opened: { declared } }, one.address, now);
    if (!('reason' in changes)) now = withChanges(now, changes);
  }
  return {
    is: 'there',
    plan,
    spec: now,
    snapshot: await remember(access, address, member, live, view),
  };
}

/**
 * What a manifest would say of a root, of the sections that the look has read, and of those that are wanted beside them.
 * `unread`: fields of the manifest of which nobody can say how they are.
 */
export async function liveSpecOf(
  access: RootAccess,
  { address, member, observed }: Snapshot,
  isWanted: (section: string) => boolean,
): Promise<{ readonly spec: JsonObject; readonly unread: ReadonlySet<string> }> {
  const kind = registry.get(kindOf(address));
  if (kind === undefined) return { spec: {}, unread: new Set() };
  const wanted = sectionsOf(kind).filter(({ section }) => section.fields.some(isWanted));
  const seen = new Map<string, Collection>();
  for (const { kind: name } of wanted) {
    const live = observed[`${address}/${name}`];
    if (live !== undefined) seen.set(name, live);
  }
  const others = wanted.filter((section) => !seen.has(section.kind));
  const inside =
    others.length === 0 ? undefined : await readInside(accountOf(access), [{ kind, member, address }], () => others);
  for (const [name, live] of inside?.get(address) ?? []) seen.set(name, live);
  const unread = wanted.filter((section) => seen.get(section.kind)?.state !== 'read');
  return {
    spec: rootToManifest(registry, kind, member, seen).spec,
    unread: new Set(unread.flatMap(({ section }) => section.fields.map((at) => at.split('/')[0] ?? ''))),
  };
}

/** What cannot be made as it is declared. */
export interface Obstacle extends PlanBlocker {
  /** The place in the manifest of the root. */
  readonly pointer: string;
}

/** What the platform does not allow as it is declared, or leaves to a person. */
export function obstaclesIn(
  { declared, spec }: DeclaredRoot,
  { plan, live }: { readonly plan: Plan; readonly live: LiveAccount },
): readonly Obstacle[] {
  return [...plan.blocked, ...plan.manual].map((blocker) => {
    const { address } = blocker;
    const changes = changesAt({ live, plan, opened: { declared } }, address, spec);
    const [section = ''] = registry.get(kindOf(address))?.section.fields ?? [];
    const place = address === rootOf(address) ? '' : `/${section}`;
    return { ...blocker, pointer: `/spec${('reason' in changes ? undefined : changes[0]?.pointer) ?? place}` };
  });
}

/** The snapshot of a look, with what a ledger would have recorded of it. */
async function remember(
  { session, workspace: { account }, isWithoutLedger }: RootAccess,
  address: Address,
  member: Member,
  live: LiveAccount,
  view: LedgerView,
): Promise<Snapshot> {
  const { clock } = session;
  const ledger = await openMemoryLedger(session, account, {
    objects: [...view.objects.values()],
    inFlight: view.inFlight,
  });
  await recordLive(ledger, live.declared, [live], registry, clock.now(), false);
  const { objects, inFlight } = ledger.view();
  return snapshotOf(address, member, live, { objects, inFlight: isWithoutLedger === true ? inFlight : [] });
}

function notRead(address: Address, reason: string, remedy: string): Diagnostic {
  return diagnose(
    'HW7002',
    `${address}: ${reason}. Nothing is known of it, so its state is left as it was. ${remedy}`,
    { address },
  );
}

export type FoundRoot =
  | {
      readonly is: 'found';
      readonly name: string;
      readonly id: string;
      /** Manifests: that of the root, and those of the plain data that it names. */
      readonly documents: readonly JsonObject[];
      /** What is live and cannot be said; what is only empty or off is not told. */
      readonly leftOut: readonly LeftOut[];
    }
  | { readonly is: 'missing'; readonly known: readonly string[] }
  | { readonly is: 'unread'; readonly diagnostics: readonly Diagnostic[] };

/** The account, of which nothing is declared. */
export function accountOf({ session, workspace, client, ledger }: RootAccess): Account {
  return {
    session,
    workspace,
    opened: { ...NOTHING_READ, workspace },
    ledger,
    client,
    reader: createReader(client),
  };
}

/**
 * All that a manifest can say of a live root, which is named by its id, by one of its keys, or as the ledger knows it.
 * `isWanted`: which of its sections are read; absent: all.
 */
export async function findRoot(
  access: RootAccess,
  kindName: string,
  called: string,
  isWanted: (section: Kind) => boolean = () => true,
): Promise<FoundRoot> {
  const kind = registry.get(kindName);
  if (kind === undefined) return { is: 'missing', known: [] };
  const account = accountOf(access);
  const { collection, roots } = await namedRootsOf(account, kind);
  if (collection.state !== 'read')
    return { is: 'unread', diagnostics: [notRead(kindName, collection.reason, collection.remedy)] };
  const recorded = access.ledger.objects.get(addressOf(null, kindName, called))?.id;
  const root =
    roots.find(({ member: { id } }) => id === called || id === recorded) ??
    onlyOne(roots.filter(({ member: { keys } }) => keys.some((rank) => rank.includes(called))));
  if (root === undefined) return { is: 'missing', known: roots.map(({ member: { id } }) => id) };
  const { member, name } = root;
  const { documents, unrepresentable } = await newManifests(account, [root], { manifests: [], files: [] }, (kind) =>
    sectionsOf(kind).filter(isWanted),
  );
  const refused = unrepresentable[0];
  if (refused !== undefined)
    return {
      is: 'unread',
      diagnostics: [notRead(root.address, refused.reason, 'Leave it out, and manage it in the dashboard.')],
    };
  return {
    is: 'found',
    name,
    id: member.id,
    documents: documents.map(({ manifest }) => manifest as unknown as JsonObject),
    leftOut: documents.flatMap((document) => document.leftOut.filter(({ reason }) => reason !== undefined)),
  };
}

function onlyOne(roots: readonly NamedRoot[]): NamedRoot | undefined {
  return roots.length === 1 ? roots[0] : undefined;
}

/** All live roots of a kind: as the ledger knows them, or called so that no two have one name. */
export async function namedRootsOf(
  account: Account,
  kind: Kind,
): Promise<Pick<LiveRoots, 'collection'> & { readonly roots: readonly NamedRoot[] }> {
  const { collection, members } = await readRoots(account, kind);
  const live = members.map((member) => ({ kind, member }));
  return { collection, roots: nameLiveRoots(live, account.ledger, { manifests: [], files: [] }) };
}
