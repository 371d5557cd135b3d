// A ledger that the workspace file names and that is not there: a plan without it is right about what is declared, and
// says nothing of what was declared before.
import { diagnose } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { withNotices } from '../../planner/document.ts';
import { ledgerPlace } from '../ledger.ts';
import type { Access } from '../client.ts';

/** The plan with a notice where the ledger is missing that the workspace file names. */
export function withNoLedger(
  plan: Plan,
  { session, ledger, workspace }: Pick<Access, 'session' | 'ledger' | 'workspace'>,
): Plan {
  if (ledger.standing !== 'missing' || workspace.namesLedger !== true) return plan;
  const notice = diagnose(
    'HW2045',
    `There is none in ${ledgerPlace(session, workspace)}, so what was removed from the manifests, or bought, is not known. Restore it. If there never was one, run \`hostwright ledger init\`, then \`hostwright apply\`.`,
  );
  return withNotices(plan, [notice]);
}
