// A move that cannot leave yet: nothing in the plan makes the object ready where it is now, or each waits for another.
import { parentOf } from '../../model/address.ts';
import type { Address } from '../../model/address.ts';
import type { UnorderedAction } from '../../model/plan/plan.ts';
import { byEffect, mayLeaveNow, moveOf, preparationsOf } from '../moves.ts';
import type { Filter } from './filter.ts';

export const moveNotReady: Filter = ({ registry, bound }, { actions }) => {
  const changing = byEffect(actions);
  const canLeave = (action: UnorderedAction, waiting: readonly UnorderedAction[]): boolean => {
    const { from } = action.expect;
    if (from === undefined || mayLeaveNow(from, registry, bound)) return true;
    return preparationsOf(from, changing).some(
      (preparation) => ![...waiting, action].includes(preparation) && canLeave(preparation, [...waiting, action]),
    );
  };
  return (action) => {
    const { from } = action.expect;
    if (from === undefined || canLeave(action, [])) return null;
    const { refuse, refuseSwap } = moveOf(from, registry).leaving;
    const holder = parentOf(from.address) as Address;
    return preparationsOf(from, changing).length === 0 ? refuse(holder) : refuseSwap(holder);
  };
};
