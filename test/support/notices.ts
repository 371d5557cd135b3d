// The notices of a plan that are about the objects of a test.
import type { Plan } from '../../src/model/plan/plan.ts';

/** Returns the notices without HW2063: most scenarios have paid objects that no manifest of the test declares. */
export function noticesOf(plan: Pick<Plan, 'notices'> | undefined): Plan['notices'] {
  return (plan?.notices ?? []).filter(({ code }) => code !== 'HW2063');
}
