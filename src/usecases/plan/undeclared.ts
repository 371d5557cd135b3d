// Paid objects of the account that no manifest declares and nothing is bound to, such as a site that was bought in the
// dashboard: plan and drift report them, from the lists that were read for the plan anyway.
import { cut } from '../../model/common/count.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Kind, Member } from '../../model/kind/kind.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { describeObject, unboundRoots } from '../../planner/admission/purchase-unproven.ts';
import { withNotices } from '../../planner/document.ts';
import { registry } from '../../areas/index.ts';
import type { Access } from '../client.ts';
import type { LiveAccount } from './read-account.ts';

/** Objects of a kind that are named in one notice. */
const MOST_NAMED = 10;

/** Returns the plan with a notice for each paid kind that has undeclared live objects. */
export function withUndeclared(
  plan: Plan,
  { ledger, live, workspace }: Pick<Access, 'ledger' | 'workspace'> & { readonly live: LiveAccount },
): Plan {
  const input = { ...live, registry, ledger, dismissed: new Set(workspace.dismissed) };
  const notices = live.declared.flatMap(({ kind: name, parent }) => {
    const kind = registry.get(name);
    if (parent !== null || kind?.capabilities.paid === undefined) return [];
    const objects = unboundRoots(input, kind);
    return objects.length === 0 ? [] : [noticeOf(kind, objects)];
  });
  return withNotices(plan, notices);
}

function noticeOf(kind: Kind, objects: readonly Member[]): Diagnostic {
  const named = cut(
    objects,
    MOST_NAMED,
    (member) => describeObject(kind, member),
    (left) => `${left} more`,
  );
  return diagnose(
    'HW2063',
    `No manifest declares these ${kind.kind} objects of the account: ${named.join('; ')}. To manage one, run \`hostwright export ${kind.kind}/NAME --id ID\`. To leave one alone, add its id to \`dismissed\` in hostwright.yaml.`,
  );
}
