// Which members of a collection are there although no list shows them: those that the ledger records, where their kind
// says that a list may not show what is there.
import { kindOf, parentOf } from '../model/address.ts';
import type { Collection, Kind, Member } from '../model/kind/kind.ts';
import type { LedgerObject } from '../model/plan/ledger-view.ts';
import { normaliseSpec } from '../model/kind/normalise.ts';
import type { JsonObject } from '../model/json.ts';

/** The collection with what its kind recalls; as it is where nothing was read. */
export function withLedgerMembers(kind: Kind, live: Collection, recorded: () => Iterable<LedgerObject>): Collection {
  const { fromLedger } = kind.capabilities;
  if (fromLedger === undefined || live.state !== 'read') return live;
  const shown = new Set(live.members.map(({ id }) => id));
  const members = [...recorded()]
    .filter(({ address, id }) => kindOf(address) === kind.kind && parentOf(address) === null && !shown.has(id))
    .map((object): Member => {
      const { id, spec, computed = {}, keys = [] } = fromLedger.decode(object);
      const normalised = normaliseSpec(kind, spec as JsonObject);
      return { id, identity: kind.identity(normalised), spec: normalised, computed, keys };
    });
  return members.length === 0 ? live : { ...live, members: [...live.members, ...members] };
}
