// What is in flight is not planned again, and nothing beside it can count on it: the next run goes on with it.
import type { Filter } from './filter.ts';
import { IN_FLIGHT } from './filter.ts';

export const alreadyInFlight: Filter = ({ ledger }) => {
  const inFlight = new Set(ledger.inFlight.map(({ action }) => action.address));
  return ({ address }) => (inFlight.has(address) ? IN_FLIGHT : null);
};
