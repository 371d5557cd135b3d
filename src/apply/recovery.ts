// By reading alone, what became of an unsafe request whose answer was lost or said too little. It is read before it is
// repeated (O-73, RTY-03, RTY-04). "Not found" counts only after the grace period: lists may lag behind.
import type { Address } from '../model/address.ts';
import type { RequestStep } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import { pause, pollDelayMs } from './context.ts';
import type { Outputs } from './ledger/entries.ts';
import type { Found } from './look-up.ts';
import { lookUp } from './look-up.ts';

export type LostEnd =
  | { readonly end: 'found'; readonly outputs: Outputs }
  | { readonly end: 'none' }
  | { readonly end: 'unknown'; readonly reason: string }
  | { readonly end: 'unauthorised'; readonly reason: string }
  | { readonly end: 'stopped'; readonly reason: string };

/** How much longer than the grace period is looked, where reading fails, or where an answer said that it happened. */
const PATIENCE_MS = 120_000;

/** Looks until it is found or surely is not. `happened`: the platform said so, only the id is missing. */
export async function findLost(
  context: RunContext,
  address: Address,
  recovery: NonNullable<RequestStep['recovery']>,
  sentAtMs: number,
  happened: boolean,
): Promise<LostEnd> {
  const graceAtMs = sentAtMs + recovery.graceMs;
  // Counted from now where an earlier run did the sending: its patience is not ours.
  const patienceAtMs = Math.max(graceAtMs, context.clock.now()) + PATIENCE_MS;
  for (let polls = 0; ; polls += 1) {
    const lookedAtMs = context.clock.now();
    const found = await lookUp(recovery.lookUp, context, { address, sentAtMs });
    const end = judge(found, lookedAtMs >= (happened ? patienceAtMs : graceAtMs), lookedAtMs >= patienceAtMs);
    if (end !== undefined) return end;
    const untilMs = lookedAtMs < graceAtMs ? graceAtMs : patienceAtMs;
    context.emit({
      type: 'waiting',
      address,
      on: 'whether it was carried out',
      atMs: lookedAtMs,
      deadlineAtMs: untilMs,
    });
    // The look that decides is made right at the end of the grace period, not a pause later.
    if (!(await pause(context, Math.min(pollDelayMs(polls), Math.max(1, untilMs - context.clock.now())))))
      return { end: 'stopped', reason: 'until reading shows whether it was carried out' };
  }
}

/** undefined: look again. */
function judge(found: Found, noneCounts: boolean, patienceOver: boolean): LostEnd | undefined {
  switch (found.found) {
    case 'one':
      return { end: 'found', outputs: found.outputs };
    case 'many':
      return { end: 'unknown', reason: `${found.count} rows answer to it, and which is meant cannot be known` };
    case 'none':
      return noneCounts ? { end: 'none' } : undefined;
    case 'incomplete':
      return patienceOver ? { end: 'unknown', reason: 'it is there without a value that is needed of it' } : undefined;
    case 'unread':
      if (found.error.kind === 'unauthorised') return { end: 'unauthorised', reason: found.error.message };
      return patienceOver
        ? { end: 'unknown', reason: `what it may have made cannot be read: ${found.error.message}` }
        : undefined;
  }
}
