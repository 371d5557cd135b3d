// What would be made before an object of another root that it needs is there, where nothing in the plan brings that;
// and all that would come after it: as a run that cannot do the one leaves out the others.
import type { Address } from '../../model/address.ts';
import { collectionOf } from '../../model/address.ts';
import type { Blocker } from '../../model/kind/kind.ts';
import type { ListedBlocker } from '../collections/collection-plan.ts';
import { createdBy, unmetNeeds } from '../needs.ts';
import { countMembers, orderActions } from '../order.ts';
import type { Filter } from './filter.ts';

export const needsMissing: Filter = (input, plan) => {
  const needs = unmetNeeds(input, plan.actions);
  const inFlight = new Set(input.ledger.inFlight.map(({ action }) => action.address));
  const coming = createdBy(plan.actions.filter(({ address }) => !inFlight.has(address)));
  const missing = needs.filter(({ address }) => !coming.has(address));
  if (missing.length === 0) return () => null;
  const listsOf = new Map<Address, ListedBlocker['list'][]>();
  for (const { address, list } of plan.blockers) listsOf.set(address, [...(listsOf.get(address) ?? []), list]);
  const blockers = new Map<Address, Waiting>(
    missing.map(({ later, address, rule, reason }) => [
      later,
      {
        until: address,
        reason: `${address} is not there yet, and ${reason}`,
        remedy: `It goes on when ${address} is there; see what is said of that.`,
        rule,
        ...listLike(listsOf, inFlight, address),
      },
    ]),
  );
  // In execution order: what is needed stands before what needs it.
  for (const { address, needs: own } of orderActions(
    plan.actions,
    input.registry,
    countMembers(input.observed),
    needs,
  )) {
    const need = own.find((one) => blockers.has(one.address));
    if (need === undefined || blockers.has(address)) continue;
    const first = blockers.get(need.address) as Waiting;
    const reason = `it comes after ${need.address}, which waits for ${first.until}: ${need.reason}`;
    blockers.set(address, { ...first, reason, rule: need.rule });
  }
  return ({ address }) => blockers.get(address) ?? null;
};

interface Waiting extends Blocker {
  /** The object that is not there. */
  readonly until: Address;
}

/** What waits stands in the list in which that stands for which it waits. */
function listLike(
  listsOf: ReadonlyMap<Address, readonly ListedBlocker['list'][]>,
  inFlight: ReadonlySet<Address>,
  missing: Address,
): Pick<Blocker, 'as'> {
  const lists = [missing, collectionOf(missing)].flatMap((address) => listsOf.get(address) ?? []);
  if (lists.includes('unknown')) return { as: 'unknown' };
  return lists.includes('waiting') || inFlight.has(missing) ? { as: 'waiting' } : {};
}
