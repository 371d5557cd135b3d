// What came of carrying a plan out once on a copy of the account, made from what the plan had read. It stands beside the
// plan, in no digest of it.
export type { Rehearsal, Rehearsed } from '../generated/output/plan.ts';
