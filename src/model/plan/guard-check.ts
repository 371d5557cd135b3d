// Whether apply would run a plan, as far as guards and the described credential say: told beside the plan, in no digest
// of it, because guards may change while the plan stays the same.
export type { GuardCheck, PolicyChange, Refusal } from '../generated/output/plan.ts';
