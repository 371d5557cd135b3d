// What an export proved to be equal is written to the ledger, so that the first drift can tell which side changed.
// Values of manifests and rotation marks only, never a secret. Without a ledger nothing is written, and that is said.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Workspace } from '../../model/workspace.ts';
import { registry } from '../../areas/index.ts';
import { inLedger, viewLedger } from '../ledger.ts';
import { recordLive } from '../plan/bindings.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import type { Session } from '../session.ts';

export interface Baseline {
  readonly live: LiveAccount;
  /** The manifests that were written are all that the workspace has: what is not recorded was not declared. */
  readonly isAll: boolean;
}

/** Records what was proven. A failure is a warning: the manifests are written, and the next apply records as well. */
export async function recordBaseline(
  session: Session,
  workspace: Workspace,
  { live, isAll }: Baseline,
): Promise<readonly Diagnostic[]> {
  const objects = live.declared.flatMap(({ members }) => members).length;
  if (objects === 0) return [];
  const { view, diagnostics: unread } = await viewLedger(session, workspace);
  if (unread.length > 0) return unread.map((one) => notRecorded(one.detail));
  if (view.standing === 'missing') return [noLedger()];
  const recorded = await inLedger({ session, workspace }, (ledger) =>
    recordLive(ledger, live.declared, [live], registry, session.clock.now(), isAll),
  );
  if ('diagnostics' in recorded) return recorded.diagnostics.map(({ detail }) => notRecorded(detail));
  return 'failure' in recorded ? [notRecorded(recorded.failure.message)] : [];
}

function noLedger(): Diagnostic {
  return diagnose(
    'HW6726',
    'What was exported is not recorded, so the first drift cannot say which side changed. To record it, run `hostwright ledger init`, then `hostwright apply`, which finds nothing to do.',
  );
}

function notRecorded(said: string): Diagnostic {
  return diagnose(
    'HW6727',
    `The manifests are written, and the ledger could not be: ${said} Until the next apply, drift cannot say which side changed.`,
  );
}
