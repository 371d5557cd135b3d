// Looks for what is live and no manifest names any more: one read for each list in which the ledger, or the earlier
// manifests of this branch, know of something. Nothing is believed from the ledger alone.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import { compareText, kindOf, parentOf, parseAddress } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Collection, Kind, Member } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { Orphaned } from '../../model/plan/orphaned.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Suspect } from '../../planner/drift/orphaned.ts';
import { findSuspects, orphanedIn } from '../../planner/drift/orphaned.ts';
import { withLists } from '../../planner/document.ts';
import { isTargeted } from '../../planner/targets.ts';
import { registry } from '../../areas/index.ts';
import { isGone } from '../../observe/root-probe.ts';
import { readCollection } from '../../observe/read-live.ts';
import { createReader } from '../../observe/reader.ts';
import { manifestFolder } from '../../manifest/write/manifest-folder.ts';
import type { Access } from '../client.ts';
import type { Limits } from './limits.ts';
import { nothingDeclared } from './nothing-declared.ts';
import type { LiveAccount } from './read-account.ts';

/** A manifest is gone. */
const GONE = 'HW6144';

/** Where to look for what no manifest names any more. */
export interface OrphanSearch {
  /** What the manifests declared where this branch began. Absent: nobody looked. */
  readonly former?: readonly DesiredCollection[];
  /** Every manifest of the workspace was read: one that is not among them is gone. */
  readonly everything: boolean;
}

/** A plan with what it was made from, while the account can still be asked. */
interface Planned extends Access, Pick<Limits, 'within' | 'patterns'> {
  readonly plan: Plan;
  readonly live: LiveAccount;
  readonly declared: readonly DesiredCollection[];
}

/** The plan with what is orphaned in it. Rejects for a refused credential only. */
export async function withOrphaned(planned: Planned, search: OrphanSearch): Promise<Plan> {
  const { plan } = planned;
  const found = await orphanedOf(planned, search);
  if (found.length === 0) return plan;
  const told = new Set(found.flatMap(({ objects }) => objects.map(({ address }) => address)));
  const unmanaged = plan.unmanaged.filter(
    ({ collection, kind, identity }) =>
      !told.has(memberAddress(ownerOf(collection, kind), registry.get(kind) as Kind, identity)),
  );
  // What the list says is not said beside it once more.
  const notices = plan.notices.filter(
    ({ code, address }) => code !== GONE || address === undefined || !told.has(address),
  );
  return withLists({ ...plan, notices, orphaned: found }, { ...plan, unmanaged });
}

function ownerOf(collection: string, kind: string): { readonly kind: string; readonly parent: Address | null } {
  return { kind, parent: collection === kind ? null : collection.slice(0, -kind.length - 1) };
}

async function orphanedOf(planned: Planned, { former = [], everything }: OrphanSearch): Promise<readonly Orphaned[]> {
  const { declared, ledger, live } = planned;
  const { bound } = live;
  const suspects = [...findSuspects({ registry, declared, ledger, former, bound })]
    .map(([collection, all]) => [collection, all.filter((one) => isLookedAt(planned, one, everything))] as const)
    .filter(([, all]) => all.length > 0)
    .sort(([left], [right]) => compareText(left, right));
  if (suspects.length === 0) return [];
  const owned = ownedByCollection(ledger);
  const reader = createReader(planned.client);
  const named = new Set([...bound.values()].map(({ id }) => id));
  const roots = new Map(
    declared.flatMap(({ parent, members }) =>
      parent === null ? members.map((root) => [root.address, root] as const) : [],
    ),
  );
  const look = async ([collection, all]: readonly [string, readonly Suspect[]]): Promise<readonly Orphaned[]> => {
    const [{ address } = { address: '' }] = all;
    const kind = registry.get(kindOf(address)) as Kind;
    const parent = parentOf(address);
    const owner = parent === null ? null : bound.get(parent);
    // A root that is not there has nothing in it.
    if (owner === undefined) return [];
    const list = declared.find((one) => one.collection === collection);
    // Whether one can go is asked of those that are ours, and these are.
    const ours = new Set([...(owned.get(collection) ?? []), ...all.map(nameOf)]);
    const seen = await readList(planned, { kind, parent, owner, all, owned: ours }, reader);
    const file = parent === null ? undefined : roots.get(parent)?.sourceOf('')?.file;
    const found = orphanedIn({
      kind,
      parent,
      suspects: all,
      live: seen,
      declared: list,
      file,
      named,
      out: outFor(planned, kind),
    });
    return parent === null ? withoutGone(kind, found, planned) : found;
  };
  const found = await Promise.all(suspects.map(look));
  return found.flat();
}

/** As it is written where the command was run. */
function outFor({ session, workspace }: Planned, { manifest }: Kind): string {
  const folder = manifestFolder(workspace, `${manifest?.file?.folder ?? ''}/name.yaml`);
  return path.relative(session.cwd, path.resolve(workspace.root, folder)) || '.';
}

function nameOf({ address }: Suspect): string {
  return parseAddress(address)?.at(-1)?.name ?? '';
}

/** A list may still show roots that are gone (SIT-07). */
async function withoutGone(
  kind: Kind,
  found: readonly Orphaned[],
  { client }: Pick<Planned, 'client'>,
): Promise<readonly Orphaned[]> {
  const gone = await Promise.all(
    found.map(({ objects: [object] }) =>
      object?.id === undefined ? Promise.resolve(false) : isGone(kind, object.id, client),
    ),
  );
  return found.filter((_one, index) => gone[index] !== true);
}

/** Only what the plan is about: of roots that were read, and of those whose manifest is gone. */
function isLookedAt({ within, plan, patterns }: Planned, { address, former }: Suspect, everything: boolean): boolean {
  // Without targets everything is one, unless the plan is about nothing.
  const isTarget = within?.size !== 0 && isTargeted(address, plan.covers?.targets ?? []);
  const parent = parentOf(address);
  if (parent !== null) return isTarget && (within === undefined || within.has(parent));
  // What a branch took out is no target of its changes: it is in no manifest any more.
  return everything && (isTarget || (patterns === undefined && within !== undefined && former !== undefined));
}

function readList(
  { workspace: { account } }: Planned,
  {
    kind,
    parent,
    owner,
    all,
    owned,
  }: {
    readonly kind: Kind;
    readonly parent: Address | null;
    readonly owner: Member | null;
    readonly all: readonly Suspect[];
    readonly owned: ReadonlySet<string>;
  },
  reader: ReturnType<typeof createReader>,
): Promise<Collection> {
  const declared = nothingDeclared(kind.kind, parent);
  const ids = parent === null ? all.flatMap(({ recorded }) => recorded?.id ?? []) : [];
  return readCollection({ kind, declared, parent: owner, owned, account, whole: true, ids }, reader);
}
