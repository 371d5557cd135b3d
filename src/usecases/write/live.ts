// How an account is read to be written down: the roots of a kind, then every section of those that are chosen.
import type { Address } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Collection, Kind, Member } from '../../model/kind/kind.ts';
import { isInState, statusBlocker } from '../../model/kind/kind.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import { registry } from '../../areas/index.ts';
import { bindRoots } from '../../planner/bind.ts';
import { withLedgerMembers } from '../../observe/from-ledger.ts';
import { readCollection } from '../../observe/read-live.ts';
import type { Account } from '../account.ts';
import { sideBySide } from '../side-by-side.ts';
import { nothingDeclared } from '../plan/nothing-declared.ts';

/** As much of an account as reading takes. */
export type ReadingAccount = Pick<Account, 'session' | 'workspace' | 'ledger' | 'reader'> & {
  readonly opened: Pick<Account['opened'], 'declared'>;
};

/** The kinds of roots that manifests are written for. */
export const ROOT_KINDS: readonly Kind[] = [...registry.values()].filter(
  ({ parent, manifest }) => parent === null && manifest?.file !== undefined,
);

/** The live roots of one kind. */
export interface LiveRoots {
  readonly kind: Kind;
  readonly collection: Collection;
  /** The same; none where they could not be read. */
  readonly members: readonly Member[];
  /** The members that manifests name already, by id. */
  readonly named: ReadonlyMap<string, Address>;
  /** Manifests that could be about more than one of them, or about none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A live root under the address that it has, or gets. */
export interface Addressed {
  readonly kind: Kind;
  readonly member: Member;
  readonly address: Address;
}

/** All live roots of a kind, and which of them the manifests name. */
export async function readRoots(account: ReadingAccount, kind: Kind): Promise<LiveRoots> {
  const { opened, ledger } = account;
  const declared =
    opened.declared.find((one) => one.kind === kind.kind && one.parent === null) ?? nothingDeclared(kind.kind, null);
  const owned = ownedByCollection(ledger).get(kind.kind) ?? new Set<string>();
  const collection = withLedgerMembers(kind, await readWhole(account, kind, declared, null, owned), () =>
    ledger.objects.values(),
  );
  if (collection.state !== 'read') return { kind, collection, members: [], named: new Map(), diagnostics: [] };
  const { members } = collection;
  const { bound, diagnostics } = bindRoots(declared, members, ledger);
  return {
    kind,
    collection,
    members,
    named: new Map([...bound].map(([address, { id }]) => [id, address])),
    diagnostics,
  };
}

/** What a root has inside, by kind. */
export type Inside = ReadonlyMap<string, Collection>;

/** The kinds of what a root has inside and a manifest can say. */
export function sectionsOf(root: Kind): readonly Kind[] {
  return [...registry.values()].filter(
    ({ parent, capabilities }) => parent === root.kind && capabilities.hook === undefined,
  );
}

/** True where what a section has no meaning without is off. */
export function isSwitchedOff({ capabilities: { dependsOn } }: Kind, inside: Inside): boolean {
  const other = dependsOn === undefined ? undefined : inside.get(dependsOn.kind);
  return (
    dependsOn !== undefined &&
    other?.state === 'read' &&
    other.members.every(({ spec }) => spec[dependsOn.field] !== true)
  );
}

/** What stands in each of the roots, by their addresses. Rejects for a refused credential only. */
export async function readInside(
  account: ReadingAccount,
  roots: readonly Addressed[],
  sections: (root: Kind) => readonly Kind[] = sectionsOf,
): Promise<ReadonlyMap<Address, Inside>> {
  const { session } = account;
  const inside = new Map(roots.map(({ address }) => [address, new Map<string, Collection>()]));
  const looks = roots.flatMap(({ kind, member, address }) =>
    sections(kind).map((section) => ({ section, member, address })),
  );
  let done = 0;
  await sideBySide(looks, 2 * session.concurrency, async ({ section, member, address }) => {
    const declared = nothingDeclared(section.kind, address);
    inside.get(address)?.set(section.kind, await readWhole(account, section, declared, member, new Set()));
    done += 1;
    session.emit({ type: 'reading', done, total: looks.length });
  });
  return inside;
}

function readWhole(
  { workspace: { account }, reader }: ReadingAccount,
  kind: Kind,
  declared: DesiredCollection,
  parent: Member | null,
  owned: ReadonlySet<string>,
): Promise<Collection> {
  return readCollection({ kind, declared, parent, owned, account, whole: true }, reader);
}

/** Why nothing can be read or done in a live root for now; undefined: something can. */
export function whyIdle({ kind, member }: Pick<Addressed, 'kind' | 'member'>): string | undefined {
  if (isInState(kind, member, 'platform-managed')) return 'it belongs to the platform';
  const blocker = statusBlocker(kind, member);
  if (blocker !== null) return `${blocker.reason} (${blocker.rule})`;
  return isInState(kind, member, 'deleting') ? 'it is on its way out' : undefined;
}
