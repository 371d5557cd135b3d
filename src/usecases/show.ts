// The use case `show`: a saved plan again. Nothing is read but the plan itself.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan/plan.ts';
import { verifyPlan } from '../planner/digest.ts';

/** What is wrong with a saved plan; empty when it is the one that was made. */
export function checkPlan(plan: Plan): readonly Diagnostic[] {
  return verifyPlan(plan);
}
