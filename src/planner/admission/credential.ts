// Whether the credential that the workspace describes can carry out every action. Never changes a plan; looked at
// before the first write. What the workspace does not describe cannot be checked here: the platform has no call that
// tells (GAP-01).
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Workspace } from '../../model/workspace.ts';

/** One error for each action that the described credential is not able to do. */
export function checkCredential(plan: Plan, credential: Workspace['credential']): readonly Diagnostic[] {
  if (credential === undefined) return [];
  return plan.actions.flatMap((action) => {
    const lacking = lackingIn(action.requires, credential);
    if (lacking === undefined) return [];
    return [
      diagnose(
        'HW2203',
        `To ${action.verb} ${action.address} it needs ${lacking}. Use a credential that has it, or correct \`credential\` in hostwright.yaml.`,
        { address: action.address },
      ),
    ];
  });
}

function lackingIn(
  requires: Plan['actions'][number]['requires'],
  credential: NonNullable<Workspace['credential']>,
): string | undefined {
  // A system key has no user (CNV-13); sessions and API keys bypass scopes entirely (CNV-06).
  if (requires.userCredential && credential.type === 'system') return 'a credential of a user';
  if (requires.closedToOauth === true && credential.type === 'oauth') return 'a session or the API key of a user';
  if (credential.type !== 'oauth' || credential.scopes === undefined) return undefined;
  const missing = requires.scopes.filter((scope) => !credential.scopes?.includes(scope));
  return missing.length === 0 ? undefined : `the scope ${missing.join(' and ')}`;
}
