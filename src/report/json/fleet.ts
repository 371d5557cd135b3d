// What one run over many accounts ends with, as JSON. A file of its own: what hides people loads the words of all kinds,
// which no other document needs.
import type { Fleet } from '../../model/plan/fleet.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { withoutPersonal } from '../view/personal.ts';
import { diagnosticDocuments, PLAN_ITEMS, renderJson } from './index.ts';

/**
 * Parts of it go from job to job as artifacts, which whoever may read the repository can take: nothing about a person is
 * in it.
 */
export function renderFleetJson(fleet: Fleet): string {
  return renderJson({
    ...fleet,
    diagnostics: diagnosticDocuments(fleet.diagnostics),
    accounts: fleet.accounts.map(({ diagnostics, plan, result, ...account }) => ({
      ...account,
      diagnostics: diagnosticDocuments(diagnostics),
      ...(plan !== undefined && { plan: sharedPlan(plan) }),
      ...(result !== undefined && { result: { ...result, diagnostics: diagnosticDocuments(result.diagnostics) } }),
    })),
  });
}

function sharedPlan(plan: Plan): object {
  const shown = withoutPersonal(plan);
  return { ...shown, notices: shown.notices.map(PLAN_ITEMS.notices) };
}
