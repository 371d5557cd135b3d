// Adds the fields that a run set and no manifest declares any more to a plan. A section that no manifest declares is read
// once for them; values come from the account, never from the ledger alone.
import type { Address } from '../../model/address.ts';
import { compareText, kindOf, parentOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import { valueAt } from '../../model/json.ts';
import type { Collection, Kind } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import { findReleased, releasedIn } from '../../planner/drift/released.ts';
import { withLists } from '../../planner/document.ts';
import { isTargeted } from '../../planner/targets.ts';
import { registry } from '../../areas/index.ts';
import { readCollection } from '../../observe/read-live.ts';
import type { Reader } from '../../observe/reader.ts';
import { createReader } from '../../observe/reader.ts';
import type { Access } from '../client.ts';
import type { Limits } from './limits.ts';
import { nothingDeclared } from './nothing-declared.ts';
import type { LiveAccount } from './read-account.ts';

interface Planned extends Access, Pick<Limits, 'within'> {
  readonly plan: Plan;
  readonly live: LiveAccount;
  readonly declared: readonly DesiredCollection[];
}

/** Returns the plan with its released fields. Rejects for a refused credential only. */
export async function withReleased(planned: Planned): Promise<Plan> {
  const { plan, ledger, within, live, client, workspace } = planned;
  const reader = createReader(client);
  const isCovered = (address: Address): boolean =>
    within?.size !== 0 &&
    isTargeted(address, plan.covers?.targets ?? []) &&
    (within === undefined || within.has(rootOf(address)));
  const settings = [...findReleased({ registry, declared: live.declared, ledger })]
    .map(([collection, all]) => [collection, all.filter(({ address }) => isCovered(address))] as const)
    .filter(([, all]) => all.length > 0)
    .sort(([left], [right]) => compareText(left, right));
  const found = await Promise.all(
    settings.map(async ([collection, all]) => {
      const [{ address } = { address: '' }] = all;
      const seen = await readFields({ live, ledger, account: workspace.account }, { collection, fields: all }, reader);
      return parentOf(address) === null
        ? all.flatMap((one) => releasedIn([one], seen, live.bound.get(one.address) ?? null))
        : releasedIn(all, seen);
    }),
  );
  const released = found.flat();
  return released.length === 0 ? plan : withLists({ ...plan, released }, plan);
}

/**
 * Returns a collection with these fields in it: as the plan read it, or as one more read shows it where no manifest
 * declares the collection or the fields.
 */
export async function readFields(
  { live, ledger, account }: { readonly live: LiveAccount; readonly account: string } & Pick<Access, 'ledger'>,
  { collection, fields }: { readonly collection: string; readonly fields: readonly FieldOf[] },
  reader: Reader,
): Promise<Collection> {
  const [{ address } = { address: '' }] = fields;
  const kind = registry.get(kindOf(address)) as Kind;
  const known = live.observed.get(collection);
  const parent = parentOf(address);
  const isMissing = (field: FieldOf): boolean => {
    if (known?.state !== 'read') return false;
    const member = known.members.find(
      ({ identity }) => memberAddress({ kind: kind.kind, parent }, kind, identity) === field.address,
    );
    return member !== undefined && valueAt(member.spec, field.path) === undefined;
  };
  if (known !== undefined && (parent === null || !fields.some(isMissing))) return known;
  const owner = parent === null ? null : live.bound.get(parent);
  if (owner === undefined)
    return { state: 'unknown', reason: `${parent ?? address} is not on the account`, remedy: 'Run plan again.' };
  const owned = ownedByCollection(ledger).get(collection) ?? new Set<string>();
  return readCollection(
    { kind, declared: nothingDeclared(kind.kind, parent), parent: owner, owned, account, whole: true },
    reader,
  );
}

/** A field of an object. */
interface FieldOf {
  readonly address: Address;
  readonly path: string;
}
