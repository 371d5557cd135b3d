// The use case `ledger init`: states that a ledger is complete, after a look for evidence against it: another ledger of the
// account, or paid objects and orders that nothing is bound to.
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import { NOTHING_WANTED } from '../../model/kind/kind.ts';
import type { Unaccounted } from '../../planner/admission/purchase-unproven.ts';
import { unaccountedFor } from '../../planner/admission/purchase-unproven.ts';
import { registry } from '../../areas/index.ts';
import type { Access } from '../client.ts';
import { withClient, whyEnded } from '../client.ts';
import type { LedgerResult } from '../ledger.ts';
import { ledgerCommand, viewLedger } from '../ledger.ts';
import { findOtherLedgers, otherLedgerProblem } from './stores.ts';
import { readAccount } from '../plan/read-account.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';

/**
 * Begins a complete ledger, or declares a partial one complete. Refuses where another ledger of the account exists
 * (HW5018), and, unless `yes`, where paid objects or orders are bound to nothing (HW5020).
 */
export async function initLedgerChecked(session: Session, { yes }: { readonly yes: boolean }): Promise<LedgerResult> {
  const opened = await openWorkspace(session, []);
  const { workspace } = opened;
  if (workspace === undefined) return { diagnostics: opened.diagnostics };
  const { view, diagnostics } = await viewLedger(session, workspace);
  if (!hasErrors(diagnostics) && view.standing === 'complete') return ledgerCommand(session, { do: 'init' });
  const others = await findOtherLedgers(session, workspace);
  if (others.ledgers.length > 0)
    return {
      diagnostics: [...others.diagnostics, ...others.ledgers.map((other) => otherLedgerProblem(other, workspace))],
    };
  const unaccounted =
    hasErrors(opened.diagnostics) || yes ? [] : await findUnaccounted({ session, workspace, ledger: view }, opened);
  if (unaccounted.some((one) => 'code' in one)) return { diagnostics: unaccounted as readonly Diagnostic[] };
  const found = unaccounted as readonly Unaccounted[];
  if (found.length > 0) return { diagnostics: [...others.diagnostics, unaccountedProblem(found)] };
  const result = await ledgerCommand(session, { do: 'init' });
  return { ...result, diagnostics: [...others.diagnostics, ...result.diagnostics] };
}

function unaccountedProblem(found: readonly Unaccounted[]): Diagnostic {
  return diagnose(
    'HW5020',
    `No manifest names these: ${found.map(({ described }) => described).join('; ')}. If a manifest is to manage one of them, write its id as \`metadata.id\`. Dismiss the others in hostwright.yaml: \`dismissed: [${found.map(({ id }) => id).join(', ')}]\` below \`spec:\`. Then run \`hostwright ledger init\` again.`,
  );
}

/** Reads the lists of declared paid roots and their orders; returns what nothing accounts for, or why it is unknown. */
async function findUnaccounted(
  { session, workspace, ledger }: Pick<Access, 'session' | 'workspace' | 'ledger'>,
  { declared: all }: Pick<Awaited<ReturnType<typeof openWorkspace>>, 'declared'>,
): Promise<readonly Unaccounted[] | readonly Diagnostic[]> {
  const declared = all.filter(({ parent, kind, members }) => parent === null && canBuy(kind, members));
  if (declared.length === 0) return [];
  const dismissed = new Set(workspace.dismissed);
  return withClient<readonly Unaccounted[] | readonly Diagnostic[]>(
    session,
    workspace,
    { reads: true },
    async ({ read }) => {
      try {
        const { account } = workspace;
        const { emit, concurrency } = session;
        const live = await readAccount({
          client: { read },
          account,
          registry,
          declared,
          ledger,
          emit,
          concurrency,
          dismissed,
        });
        const input = { ...live, ledger, dismissed };
        return declared.flatMap(({ kind: name }) => {
          const kind = registry.get(name);
          return kind === undefined ? [] : unaccountedFor(input, kind);
        });
      } catch (error) {
        return whyEnded({ session, workspace }, error);
      }
    },
    (error) => [error],
  );
}

/** True if a manifest may buy an object of this kind: a ledger of a workspace that buys nothing need not know purchases. */
function canBuy(name: string, members: DesiredCollection['members']): boolean {
  const kind = registry.get(name);
  return (
    kind?.capabilities.paid !== undefined &&
    members.some(
      ({ lifecycle, spec }) =>
        lifecycle.state === 'present' && (kind.create?.refuse?.(spec, null, NOTHING_WANTED) ?? null) === null,
    )
  );
}
