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
import { ledgerCommand, ledgerOptions, viewLedger } from '../ledger.ts';
import { initLedger } from '../../ledger/by-hand.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
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
  const evidence = await evidenceAgainst({ session, workspace, ledger: view }, opened, { yes });
  if (evidence.isRefused) return { diagnostics: evidence.diagnostics };
  const result = await ledgerCommand(session, { do: 'init' });
  return { ...result, diagnostics: [...evidence.diagnostics, ...result.diagnostics] };
}

/** What {@link beginLedger} found or did. */
export interface BegunLedger {
  readonly made: boolean;
  /** The standing of the ledger before. */
  readonly standing: LedgerView['standing'];
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates a complete ledger if the account has none, after the checks of {@link initLedgerChecked}. Never changes a ledger. */
export async function beginLedger(session: Session): Promise<BegunLedger> {
  const opened = await openWorkspace(session, []);
  const { workspace } = opened;
  if (workspace === undefined) return { made: false, standing: 'missing', diagnostics: opened.diagnostics };
  const { view, diagnostics } = await viewLedger(session, workspace);
  const { standing } = view;
  if (hasErrors(diagnostics) || standing !== 'missing') return { made: false, standing, diagnostics };
  const evidence = await evidenceAgainst({ session, workspace, ledger: view }, opened, { yes: false });
  if (evidence.isRefused) return { made: false, standing, diagnostics: evidence.diagnostics };
  const options = ledgerOptions(session, workspace, session.runtime.uuid());
  const { changed, diagnostics: said } = await initLedger(options, { onlyMissing: true });
  return { made: changed, standing: 'complete', diagnostics: [...evidence.diagnostics, ...said] };
}

/** What speaks against a complete ledger: another ledger of the account (HW5018), and paid objects bound to nothing (HW5020). */
async function evidenceAgainst(
  access: Pick<Access, 'session' | 'workspace' | 'ledger'>,
  opened: Pick<Awaited<ReturnType<typeof openWorkspace>>, 'declared' | 'diagnostics'>,
  { yes }: { readonly yes: boolean },
): Promise<{ readonly isRefused: boolean; readonly diagnostics: readonly Diagnostic[] }> {
  const { session, workspace } = access;
  const others = await findOtherLedgers(session, workspace);
  if (others.ledgers.length > 0) {
    const problems = others.ledgers.map((other) => otherLedgerProblem(other, workspace));
    return { isRefused: true, diagnostics: [...others.diagnostics, ...problems] };
  }
  const unaccounted = hasErrors(opened.diagnostics) || yes ? [] : await findUnaccounted(access, opened);
  if (unaccounted.some((one) => 'code' in one))
    return { isRefused: true, diagnostics: unaccounted as readonly Diagnostic[] };
  const found = unaccounted as readonly Unaccounted[];
  return found.length > 0
    ? { isRefused: true, diagnostics: [...others.diagnostics, unaccountedProblem(found)] }
    : { isRefused: false, diagnostics: others.diagnostics };
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
