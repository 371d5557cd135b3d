// Decides whether a plan stays under its ceilings: deletes, and what a manifest protects. Each refusal says what would allow it.
// Must not change the plan: a refused plan does not run at all.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Action, Plan } from '../../model/plan.ts';

export interface Ceilings {
  readonly allowDeletes: number;
}

/** One error for each guard that the plan breaks; empty when it may run. */
export function checkGuards(plan: Plan, ceilings: Ceilings): readonly Diagnostic[] {
  return [...checkProtected(plan.actions), ...checkDeletes(plan.actions, ceilings.allowDeletes)];
}

function checkProtected(actions: readonly Action[]): readonly Diagnostic[] {
  return actions
    .filter((action) => action.protected && action.risk.some((risk) => risk === 'delete' || risk === 'charge'))
    .map((action) => ({
      code: 'HW2201',
      severity: 'error',
      summary: 'A protected object would be deleted or charged for',
      detail: `The plan would ${action.verb} ${action.address}, and its manifest says \`lifecycle.protect: true\`. Set protect to false in a reviewed change first, or put back what the manifest no longer names.`,
      address: action.address,
    }));
}

function checkDeletes(actions: readonly Action[], allowed: number): readonly Diagnostic[] {
  const deletes = actions.filter(({ verb }) => verb === 'delete');
  if (deletes.length <= allowed) return [];
  return [
    {
      code: 'HW2202',
      severity: 'error',
      summary: 'The plan deletes more than is allowed',
      detail: `It deletes ${deletes.length} (${deletes.map(({ address }) => address).join(', ')}); ${allowed} allowed. Run apply with \`--allow-deletes ${deletes.length}\`, or set guards.allowDeletes in hostwright.yaml.`,
    },
  ];
}
