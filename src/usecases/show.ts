// A saved plan again: whether a value is one, and whether it is the one that was made. Nothing is read but the plan itself.
import type { Code, Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, isTooDeep } from '../model/json.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Rehearsal } from '../model/plan/rehearsal.ts';
import { PLAN_FORMAT } from '../model/plan/plan.ts';

export { verifyPlan as checkPlan } from '../planner/digest.ts';

/** Takes a value for a saved plan where it has the shape of one. `name`: what it is called in messages. */
export async function readPlan(
  value: unknown,
  name: string,
): Promise<{ readonly plan: Plan; readonly rehearsal?: Rehearsal } | { readonly diagnostic: Diagnostic }> {
  const format = isJsonObject(value) && typeof value.format === 'string' ? value.format : '';
  if (format !== PLAN_FORMAT && format.startsWith('hostwright.plan/'))
    return broken(
      'HW6502',
      `${name} says \`${format.slice(0, 80)}\`; this version reads \`${PLAN_FORMAT}\`. Upgrade hostwright, or make the plan again.`,
    );
  const found = isTooDeep(value as JsonObject)
    ? `${name} is nested too deeply to be a plan`
    : await findShapeProblem(value).then((problem) => problem && `${name}: ${problem}`);
  if (found !== undefined) return broken('HW6503', `${found}. Nothing is run. Make the plan again.`);
  // What `plan --format json` adds to the plan says how that command ended and what guards said; it is no part
  // of the plan that its id covers.
  const {
    outcome: _outcome,
    exitCode: _exitCode,
    guardCheck: _guardCheck,
    rehearsal,
    diagnostics: _diagnostics,
    ...plan
  } = value as JsonObject;
  return {
    plan: plan as unknown as Plan,
    ...(rehearsal !== undefined && { rehearsal: rehearsal as unknown as Rehearsal }),
  };
}

/** The first place where a value is not as the schema of plans says, in words; undefined when it is a plan. */
export async function findShapeProblem(value: unknown): Promise<string | undefined> {
  const { validatePlan } = await import('./generated/validate-plan.js');
  if (validatePlan(value)) return undefined;
  // A condition only says that what follows from it does not hold; the error of that comes before.
  const first = validatePlan.errors?.find(({ keyword }) => keyword !== 'if');
  return `${first?.instancePath || 'the document'} ${first?.message ?? 'is not a plan'}`;
}

function broken(code: Code, detail: string): { readonly diagnostic: Diagnostic } {
  return { diagnostic: diagnose(code, detail) };
}
