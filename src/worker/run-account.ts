// One run of one account on behalf of the queue: goes on with what an earlier apply left unfinished, where that was asked
// for, and then looks at the whole account.
import { deadlineOf } from '../model/deadline.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome, OutcomeWord } from '../model/plan/outcome.ts';
import { decideOutcome } from '../model/plan/outcome.ts';
import { planOutcome } from '../model/plan/plan-outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { RunRequest } from '../events/run-request.ts';
import { applyWorkspace } from '../usecases/apply/apply.ts';
import { driftWorkspace } from '../usecases/drift.ts';
import type { Session } from '../usecases/session.ts';

/** What the queue may ask for: requests that wait for the same account are answered by one run. */
export type Asked = Pick<RunRequest, 'run' | 'notify'>;

export interface RunEnd {
  readonly outcome: OutcomeWord;
  /** Of the look at the account. Absent: none could be made. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Of what was resumed. Absent: nothing was to be. */
  readonly result?: Outcome;
  readonly requests: number;
  /** When the newest of what the ledger holds was written. Absent: it holds nothing. */
  readonly ledgerAtMs?: number;
}

/** How long a resumed apply is waited for. What takes longer is looked at again later, and holds nobody up. */
const RESUME_MS = 3 * 60_000;
/** How long a look at an account may take. */
const LOOK_MS = 15 * 60_000;

/** What one run has to do so that everybody who asked has what they asked for. */
export function joinAsked(asked: readonly Asked[]): Asked {
  return {
    run: asked.some(({ run }) => run === 'apply') ? 'apply' : 'drift',
    ...(asked.some(({ notify }) => notify === true) && { notify: true }),
  };
}

/** Whether a run for the one does all that the other asks for. */
export function covers(one: Asked, other: Asked): boolean {
  return (one.run === 'apply' || other.run === 'drift') && (one.notify === true || other.notify !== true);
}

/**
 * Runs it. The root that a request names is a hint: the whole account is looked at, so that requests can be joined and
 * nothing is missed that the event did not tell.
 */
export async function runAccount(session: Session, { run }: Asked): Promise<RunEnd> {
  const within = (durationMs: number): Session => ({
    ...session,
    deadline: deadlineOf(session.clock.now(), durationMs, session.timeoutMs),
  });
  const resumed = run === 'apply' ? await resume(within(RESUME_MS)) : undefined;
  const words = resumed === undefined ? [] : [resumed.outcome];
  // A run that could not go on, because another holds the ledger, is made again as a whole.
  if (resumed !== undefined && ['error', 'interrupted'].includes(resumed.outcome)) return resumed;
  const drift = await driftWorkspace(within(LOOK_MS));
  const { plan, diagnostics, requests, ledgerAtMs } = drift;
  const outcome = planOutcome(drift, { detailed: true, stopped: session.stop.aborted });
  return {
    outcome: decideOutcome([...words, outcome]),
    ...(plan !== undefined && { plan }),
    diagnostics: [...(resumed?.diagnostics ?? []), ...diagnostics],
    ...(resumed?.result !== undefined && { result: resumed.result }),
    requests: (resumed?.requests ?? 0) + requests,
    ...(ledgerAtMs !== undefined && { ledgerAtMs }),
  };
}

/** `apply --resume`: what was sent is not sent again, and nothing new is planned. */
async function resume(session: Session): Promise<RunEnd> {
  const { outcome } = await applyWorkspace(session, { resumeOnly: true });
  const { reads, writes } = outcome.requests;
  return { outcome: outcome.outcome, diagnostics: outcome.diagnostics, result: outcome, requests: reads + writes };
}
