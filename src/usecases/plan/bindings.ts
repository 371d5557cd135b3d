// What the ledger learns from a look at the account: every declared object that is there is bound, and ours from now
// on. What an object's manifest no longer names can be removed later only because it was written down here.
import type { Address } from '../../model/address.ts';
import { collectionOf } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson } from '../../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import { memberAddress, needsNoManifest, positionOf } from '../../model/kind/kind.ts';
import type { LedgerObject, LedgerView } from '../../model/plan/ledger-view.ts';
import type { RotationTokens } from '../../model/secret.ts';
import { rotationTokensIn, rotationTokensOnceKnown } from '../../model/secret.ts';
import { findRenames, movedEntries, renamed } from '../../planner/rename.ts';
import { diffSpec } from '../../planner/diff.ts';
import type { Binding, Ledger } from '../../ledger/ledger.ts';
import { recordBindings } from '../../ledger/ledger.ts';
import type { LiveAccount } from './read-account.ts';
import { memberOf } from './read-account.ts';

/**
 * Records what readings of the account show, later ones over earlier ones, and moves what was renamed. Writes only what
 * differs. `isAll`: the readings are of everything that is declared.
 */
export async function recordLive(
  ledger: Ledger,
  declared: readonly DesiredCollection[],
  accounts: readonly (LiveAccount | undefined)[],
  registry: Registry,
  nowMs: number,
  isAll = true,
): Promise<void> {
  await moveRenamed(ledger, declared, accounts, registry);
  const { objects } = ledger.view();
  const found = new Map<Address, Binding>();
  for (const account of accounts) {
    if (account === undefined) continue;
    const sections = new Map<Address | null, DesiredCollection[]>();
    for (const collection of account.declared)
      sections.set(collection.parent, [...(sections.get(collection.parent) ?? []), collection]);
    for (const desired of account.declared
      .flatMap(({ members }) => members)
      .filter(({ lifecycle }) => lifecycle.state === 'present')) {
      const member = memberOf(account, desired);
      // An unverified binding stays a question.
      if (member === undefined || member.unverified !== undefined) continue;
      const kind = registry.get(desired.kind) as Kind;
      const recorded = knownAs(objects.get(desired.address), member);
      const rotated = rotationTokensOf(kind, desired, recorded);
      const lists =
        desired.parent === null
          ? listsIn(sections.get(desired.address) ?? [], account.observed, registry, recorded?.lists, nowMs)
          : undefined;
      found.set(desired.address, {
        address: desired.address,
        id: member.id,
        owned: true,
        ...appliedOf(kind, desired, member, recorded),
        ...(lists !== undefined && { lists }),
        ...(rotated !== undefined && { rotated }),
      });
    }
  }
  await recordBindings(ledger, [...found.values()], isAll);
}

/** What was recorded of another object that once had this address says nothing of this one. */
function knownAs(recorded: LedgerObject | undefined, { id }: Member): LedgerObject | undefined {
  return recorded?.id === id ? recorded : undefined;
}

/**
 * What a later drift is measured against: the declared fields as they are live. One that is not as declared keeps what
 * was last seen to be so, or nobody could tell afterwards which side was changed.
 */
function appliedOf(
  kind: Kind,
  desired: Desired,
  member: Member,
  recorded: LedgerObject | undefined,
): Pick<Binding, 'applied' | 'appliedAtMs'> {
  const place = positionOf(kind);
  let isKept = false;
  const applied = [...Object.keys(desired.spec), ...(place === undefined ? [] : [place])].flatMap(
    (field): readonly (readonly [string, Json])[] => {
      const live = member.spec[field];
      if (live === undefined) return [];
      const earlier = recorded?.applied[field];
      if (earlier === undefined || field === place || isAsDeclared(kind, field, desired.spec, member.spec))
        return [[field, live]];
      isKept ||= !sameJson(earlier, live);
      return [[field, earlier]];
    },
  );
  const appliedAtMs = isKept ? recorded?.appliedAtMs : undefined;
  return { applied: Object.fromEntries(applied), ...(appliedAtMs !== undefined && { appliedAtMs }) };
}

function isAsDeclared(kind: Kind, field: string, spec: JsonObject, live: JsonObject): boolean {
  if (kind.fields[field]?.rule !== 'updatable') return sameJson(spec[field], live[field]);
  return diffSpec(kind, { [field]: spec[field] as Json }, live).length === 0;
}

/**
 * The lists in an object that are managed as a whole; each with when all that is live in it was first seen to be
 * declared.
 */
function listsIn(
  collections: readonly DesiredCollection[],
  observed: LiveAccount['observed'],
  registry: Registry,
  earlier: LedgerObject['lists'],
  nowMs: number,
): LedgerObject['lists'] {
  const lists = collections.flatMap((collection): readonly (readonly [string, number])[] => {
    const kind = registry.get(collection.kind) as Kind;
    const whole = kind.list === 'authoritative' || (kind.list === 'additive' && collection.unlisted === 'remove');
    if (collection.partial || !whole) return [];
    const atMs =
      earlier?.[kind.kind] ??
      (isAllDeclared(kind, collection, observed.get(collection.collection)) ? nowMs : undefined);
    return atMs === undefined ? [] : [[kind.kind, atMs]];
  });
  return lists.length === 0 && earlier === undefined ? undefined : Object.fromEntries(lists);
}

function isAllDeclared(kind: Kind, collection: DesiredCollection, live: Collection | undefined): boolean {
  if (live?.state !== 'read' || live.incomplete !== undefined) return false;
  const wanted = new Set(collection.members.map(({ address }) => address));
  return live.members.every(
    (member) => wanted.has(memberAddress(collection, kind, member.identity)) || needsNoManifest(kind, member),
  );
}

/** What is live and was not written by us has the mark of today: only another one asks for it to be written. */
function rotationTokensOf(
  kind: Kind,
  { spec }: Desired,
  recorded: LedgerObject | undefined,
): RotationTokens | undefined {
  const rotationTokens = rotationTokensIn(kind, spec);
  return Object.keys(rotationTokens).length === 0
    ? undefined
    : rotationTokensOnceKnown(rotationTokens, recorded?.rotated);
}

/** Returns old address -> new address for items that the ledger knows by their id under a name that nothing declares. */
function renamedItems(
  account: LiveAccount,
  { objects }: Pick<LedgerView, 'objects'>,
  registry: Registry,
): readonly (readonly [Address, Address])[] {
  const members = account.declared.flatMap((collection) =>
    collection.parent === null || registry.get(collection.kind)?.renamedBy === undefined ? [] : collection.members,
  );
  const fresh = members.filter(({ address }) => !objects.has(address));
  if (fresh.length === 0) return [];
  const named = new Set(members.map(({ address }) => address));
  const keyOf = (address: Address, id: string): string => JSON.stringify([collectionOf(address), id]);
  const former = new Map(
    [...objects.values()]
      .filter(({ address }) => !named.has(address))
      .map(({ address, id }) => [keyOf(address, id), address]),
  );
  return fresh.flatMap((desired) => {
    const id = memberOf(account, desired)?.id;
    const from = id === undefined ? undefined : former.get(keyOf(desired.address, id));
    return from === undefined ? [] : [[from, desired.address] as const];
  });
}

/** Writes down the entries of renamed objects under their new names, in the way in which a plan reads them. */
async function moveRenamed(
  ledger: Ledger,
  declared: readonly DesiredCollection[],
  accounts: readonly (LiveAccount | undefined)[],
  registry: Registry,
): Promise<void> {
  await moveEntries(ledger, new Map(findRenames(declared, ledger.view())));
  const read = accounts.filter((account) => account !== undefined);
  await moveEntries(ledger, movedEntries(ledger.view(), new Map(read.flatMap(({ bound }) => [...bound]))));
  await moveEntries(ledger, new Map(read.flatMap((account) => renamedItems(account, ledger.view(), registry))));
}

/** `moved`: old address -> new address of a root or an item, with everything in it; null where the entry is dropped. */
async function moveEntries(ledger: Ledger, moved: ReadonlyMap<Address, Address | null>): Promise<void> {
  if (moved.size === 0) return;
  const { objects } = ledger.view();
  const renames = new Map([...moved].flatMap(([from, to]) => (to === null ? [] : [[from, to] as const])));
  const left = [...objects.values()].filter(
    ({ address }) => moved.get(address) === null || renamed(address, renames) !== address,
  );
  const rebound = left.filter(({ address }) => moved.get(address) !== null);
  await recordBindings(
    ledger,
    rebound.map((object) => ({ ...object, address: renamed(object.address, renames) })),
  );
  const taken = new Set(rebound.map(({ address }) => renamed(address, renames)));
  const forgotten = left.filter(({ address }) => !taken.has(address));
  if (forgotten.length > 0)
    await ledger.note(...forgotten.map(({ address }) => ({ type: 'forgotten', address }) as const));
}
