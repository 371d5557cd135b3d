// What a rename means: the ledger entries of a live object belong to the address that its manifest has now, and a live
// item of a list under another name is the declared item.
import type { Address } from '../model/address.ts';
import { kindOf, rootOf } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Collection, Kind, Member } from '../model/kind/kind.ts';
import { isInState, memberAddress, positionOf } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import { refusedUpdates } from './action.ts';
import { isAsDeclared } from './diff.ts';

/** Returns old address -> new address for each root whose manifest names its former name and has no entry of its own. */
export function findRenames(
  declared: readonly DesiredCollection[],
  ledger: Pick<LedgerView, 'objects'>,
): ReadonlyMap<Address, Address> {
  const renames = new Map<Address, Address>();
  for (const { address, renamedFrom } of declared.flatMap(({ members }) => members)) {
    if (renamedFrom !== undefined && ledger.objects.has(renamedFrom) && !ledger.objects.has(address))
      renames.set(renamedFrom, address);
  }
  return renames;
}

/** Returns the ledger with the entries of renamed roots, and of everything in them, under the new names. */
export function renameView(ledger: LedgerView, renames: ReadonlyMap<Address, Address>): LedgerView {
  if (renames.size === 0) return ledger;
  const objects = [...ledger.objects.values()].map((object) => ({
    ...object,
    address: renamed(object.address, renames),
  }));
  return { ...ledger, objects: new Map(objects.map((object) => [object.address, object])) };
}

/**
 * Returns, for each ledger entry whose address no longer fits, the address that its object has now; null where the
 * address now means another live object, so that the entry describes nothing that is declared. An entry belongs to the
 * live root that the entry of its root names, whatever that root was called then.
 */
export function movedEntries(
  { objects }: Pick<LedgerView, 'objects'>,
  bound: ReadonlyMap<Address, Pick<Member, 'id'>>,
): ReadonlyMap<Address, Address | null> {
  const addressOfLive = new Map([...bound].map(([address, { id }]) => [liveKey(address, id), address]));
  const moved = new Map<Address, Address | null>();
  for (const { address } of objects.values()) {
    const root = rootOf(address);
    const id = objects.get(root)?.id;
    if (id === undefined) continue;
    const now = addressOfLive.get(liveKey(root, id));
    if (now === undefined ? bound.has(root) : now !== root) {
      const to = now === undefined ? null : `${now}${address.slice(root.length)}`;
      // The entry that is under the new name already is newer.
      const isTaken = to !== null && objects.has(to) && objects.get(now as Address)?.id === id;
      moved.set(address, isTaken ? null : to);
    }
  }
  return moved;
}

function liveKey(root: Address, id: string): string {
  return JSON.stringify([kindOf(root), id]);
}

/** Returns the ledger with each entry under the address that {@link movedEntries} gives it. */
export function withMovedEntries(ledger: LedgerView, bound: ReadonlyMap<Address, Pick<Member, 'id'>>): LedgerView {
  const moved = movedEntries(ledger, bound);
  if (moved.size === 0) return ledger;
  const all = [...ledger.objects.values()];
  const kept = all.filter(({ address }) => !moved.has(address));
  const renamedOnes = all.flatMap((object) => {
    const address = moved.get(object.address);
    return typeof address === 'string' ? [{ ...object, address }] : [];
  });
  return { ...ledger, objects: new Map([...kept, ...renamedOnes].map((object) => [object.address, object])) };
}

/** The address under its new name. */
export function renamed(address: Address, renames: ReadonlyMap<Address, Address>): Address {
  for (const [from, to] of renames) {
    if (address === from || address.startsWith(`${from}/`)) return `${to}${address.slice(from.length)}`;
  }
  return address;
}

/**
 * The live collection with its renamed members under the names that are declared: those whose former name is written
 * (`renamedFrom`), and those that alone have the content of one declared item. Of several nothing is guessed.
 */
export function withRenamed(kind: Kind, declared: DesiredCollection, live: Collection): Collection {
  if (kind.renamedBy === undefined || live.state !== 'read') return live;
  const names = new Set(live.members.map(({ identity }) => identity));
  const wanted = declared.members.filter(({ identity }) => !names.has(identity));
  if (wanted.length === 0 || names.size < live.members.length) return live;
  const named = new Set(declared.members.map(({ identity }) => identity));
  const free = live.members.filter((member) => !named.has(member.identity) && mayBeRenamed(kind, member));
  const byAddress = new Map(free.map((member) => [memberAddress(declared, kind, member.identity), member]));
  const found = new Map<Member, string>();
  for (const { identity, renamedFrom } of wanted) {
    const member = renamedFrom === undefined ? undefined : byAddress.get(renamedFrom);
    if (member !== undefined) found.set(member, identity);
  }
  const taken = new Set(found.values());
  // A `renamedFrom` whose former name is not live is left over from an earlier rename: the content decides.
  const open = wanted.filter(({ identity }) => !taken.has(identity));
  const left = live.incomplete === undefined ? free.filter((member) => !found.has(member)) : [];
  for (const desired of open) {
    const member = onlyOne(left, (one) => isSameContent(kind, desired, one));
    if (member !== undefined && onlyOne(open, (one) => isSameContent(kind, one, member)) !== undefined)
      found.set(member, desired.identity);
  }
  if (found.size === 0) return live;
  const members = live.members.map((member) => ({ ...member, identity: found.get(member) ?? member.identity }));
  return { ...live, members };
}

/** The only item that is so; undefined where none is, or more than one. */
function onlyOne<Item>(items: readonly Item[], isSo: (item: Item) => boolean): Item | undefined {
  const at = items.findIndex(isSo);
  return at === -1 || items.slice(at + 1).some(isSo) ? undefined : items[at];
}

function mayBeRenamed(kind: Kind, member: Member): boolean {
  return member.id !== '' && !isInState(kind, member, 'platform-managed') && !isInState(kind, member, 'deleting');
}

/** All that is declared of the one is live on the other, and it can be written; where a member stands is not compared. */
function isSameContent(kind: Kind, { spec }: Desired, live: Member): boolean {
  const name = kind.renamedBy as string;
  const { [name]: _, [positionOf(kind) ?? '']: _place, ...content } = spec;
  return isAsDeclared(kind, content, live.spec) && refusedUpdates(kind, spec, live).length === 0;
}

/** Returns the name that a live member has now, which differs from its identity until it is renamed. */
export function liveName({ renamedBy }: Kind, { identity, spec, duplicateOf }: Member): string {
  return renamedBy === undefined || duplicateOf !== undefined ? identity : (spec[renamedBy] as string);
}
