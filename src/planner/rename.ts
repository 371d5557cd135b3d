// What the ledger means once manifests say `renamedFrom`: what was known of the old address is known of the new one.
import type { Address } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';

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
