// What no manifest declares any more. Objects that are live and were created or declared by us: nothing is done to them, as
// a manifest or a section that was removed is not a delete; a plan lists the lines that delete and that keep each. Fields
// that an update of ours set: they keep their values.
export type { Orphaned, OrphanedObject, OrphanedRemedy, Released } from '../generated/output/plan.ts';
