// What a rename means: what the ledger knew of the old address it knows of the new one, and a live item of a list under
// another name is the declared item.
import type { Address } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Collection, Kind, Member } from '../model/kind/kind.ts';
import { isInState, memberAddress, positionOf } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import { refusedUpdates } from './action.ts';
import { isAsDeclared } from './diff.ts';

/**
 * Old address -> new address, for every root that was renamed and that the ledger does not know by its new name yet.
 */
export function findRenames(declared: readonly DesiredCollection[], ledger: LedgerView): ReadonlyMap<Address, Address> {
  const renames = new Map<Address, Address>();
  for (const { address, renamedFrom } of declared.flatMap(({ members }) => members)) {
    if (renamedFrom !== undefined && ledger.objects.has(renamedFrom) && !ledger.objects.has(address))
      renames.set(renamedFrom, address);
  }
  return renames;
}

/** The ledger as it reads under the new names, with everything that belongs to a renamed root. */
export function renameView(ledger: LedgerView, renames: ReadonlyMap<Address, Address>): LedgerView {
  if (renames.size === 0) return ledger;
  const objects = [...ledger.objects.values()].map((object) => ({
    ...object,
    address: renamed(object.address, renames),
  }));
  return { ...ledger, objects: new Map(objects.map((object) => [object.address, object])) };
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
  const open = wanted.filter(({ identity, renamedFrom }) => renamedFrom === undefined && !taken.has(identity));
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

/** The name that a live member has now: another than its identity while it is still to be renamed. */
export function liveName({ renamedBy }: Kind, { identity, spec }: Member): string {
  return renamedBy === undefined ? identity : (spec[renamedBy] as string);
}
