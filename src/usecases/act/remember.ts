// What is remembered of requests that persons asked for: when a message was sent, and when learning is to end. It is
// written after the platform took the request, to a ledger that is there. Nothing rests on it but what people are told.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { DoneAct, KeptAct, LedgerView } from '../../model/plan/ledger-view.ts';
import { LedgerWriteError } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/stored-ledger.ts';
import { ledgerOptions, viewLedger } from '../ledger.ts';
import type { Ending, Opened } from '../site/open-site.ts';

/** Days after its end in which somebody is told of what should have ended. */
const TOLD_DAYS = 30;
const DAY_MS = 86_400_000;

/** The ledger for a command that looks at it before it acts. Absent: it must not be used, and the ending says why. */
export async function viewForAct({
  session,
  workspace,
}: Pick<Opened, 'session' | 'workspace'>): Promise<{ readonly view: LedgerView } | { readonly ending: Ending<never> }> {
  const { view, diagnostics } = await viewLedger(session, workspace);
  return hasErrors(diagnostics) ? { ending: { outcome: 'error', diagnostics } } : { view };
}

/** What is remembered under a name. */
export function rememberedAs({ doneActs = [] }: LedgerView, name: string): DoneAct | undefined {
  return doneActs.find(({ act }) => act === name);
}

/**
 * Remembers `kept` under a name, or forgets what is remembered under it. The result is empty, or says in one warning
 * why it was not written.
 */
export async function remember(
  { session, workspace }: Pick<Opened, 'session' | 'workspace'>,
  act: string,
  kept: KeptAct | undefined,
): Promise<readonly Diagnostic[]> {
  const { ledger, diagnostics } = await openLedger(ledgerOptions(session, workspace, session.runtime.uuid()));
  if (ledger === undefined) return notRemembered(diagnostics.map(({ detail }) => detail).join(' '));
  let failure: LedgerWriteError | undefined;
  try {
    await ledger.append({ type: 'acted', act, ...(kept !== undefined && { kept }) });
  } catch (error) {
    if (!(error instanceof LedgerWriteError)) throw error;
    failure = error;
  }
  const notices = [...diagnostics, ...(await ledger.close())];
  return failure === undefined ? notices : [...notices, ...notRemembered(`${failure.message}.`)];
}

function notRemembered(why: string): readonly Diagnostic[] {
  return [diagnose('HW4588', `It was done, and the ledger could not be written: ${why} Nobody is told of it later.`)];
}

/** What should have ended, for as long as somebody is told. */
export function overdue({ doneActs = [] }: Pick<LedgerView, 'doneActs'>, nowMs: number): readonly DoneAct[] {
  return doneActs.filter(({ untilMs = Infinity }) => untilMs <= nowMs && nowMs < untilMs + TOLD_DAYS * DAY_MS);
}
