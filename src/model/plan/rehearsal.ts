// What came of carrying a plan out once on a copy of the account, made from what the plan had read. It stands beside the
// plan, in no digest of it.
import type { Address } from '../address.ts';
import type { Rehearsal } from '../generated/output/plan.ts';

export type { Rehearsal, Rehearsed } from '../generated/output/plan.ts';

/** What was not carried out there, did not hold, or may not. Everything else of the plan was, and held. */
export function exceptionsOf({ refused, notRehearsed, left, open = [] }: Rehearsal): readonly Address[] {
  return [...new Set([...refused, ...notRehearsed, ...left, ...open].map(({ address }) => address))];
}
