// Of some kinds a run makes one, the first by address, and none while one is in flight. The others wait.
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/address.ts';
import type { Blocker } from '../../model/kind/kind.ts';
import type { Action } from '../../model/plan/plan.ts';
import { isTargeted } from '../targets.ts';
import type { Filter } from './filter.ts';

export const oneAtATime: Filter = ({ registry, ledger, targets }, { actions }) => {
  const limitOn = ({ kind, verb }: Pick<Action, 'kind' | 'verb'>): Blocker | undefined =>
    verb === 'create' ? registry.get(kind)?.capabilities.fromLedger?.oneByOne : undefined;
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  const isLimited = ({ address, kind, verb }: Pick<Action, 'address' | 'kind' | 'verb'>): boolean =>
    limitOn({ kind, verb }) !== undefined && isTargeted(address, targets) && !inFlight.has(address);
  const firsts = new Map<string, Address | null>();
  for (const { action } of ledger.inFlight) if (limitOn(action) !== undefined) firsts.set(action.kind, null);
  for (const { kind, address } of actions.filter(isLimited)) {
    const first = firsts.get(kind);
    if (first === undefined || (first !== null && compareText(address, first) < 0)) firsts.set(kind, address);
  }
  return (action) => {
    const limit = limitOn(action);
    return limit === undefined || !isLimited(action) || firsts.get(action.kind) === action.address
      ? null
      : { ...limit, as: 'waiting' };
  };
};
