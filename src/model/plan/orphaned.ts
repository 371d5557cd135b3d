// What is live, was made or declared by us, and no manifest names any more. Nothing is done to it: a manifest, or a
// section of one, that is gone is not a delete. It is listed, with the lines that delete it and the lines that keep it.
export type { Orphaned, OrphanedObject, OrphanedRemedy } from '../generated/output/plan.ts';
