// By one more look, whether what was done holds and what is left, and writes down who is bound to what.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import { deadlineCame, isOver } from '../../model/deadline.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OutcomeWord, Remaining, RemainingWord } from '../../model/plan/outcome.ts';
import type { PlanBlocker, Plan } from '../../model/plan/plan.ts';
import { registry } from '../../areas/index.ts';
import { recordLive } from '../plan/bindings.ts';
import type { LivePlan } from '../plan/plan.ts';
import type { Run, Round } from './run.ts';
import { planNow, narrow, notRecorded } from './run.ts';

interface ReadBack {
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Remaining[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Looks again at every root that was touched: what was done must hold, and what is new is not run unreviewed. Then
 * writes down who is bound to what.
 */
export async function readBack(run: Run, before: LivePlan, rounds: readonly Round[]): Promise<ReadBack> {
  const unfinished = {
    words: rounds.flatMap(({ plan }) => unfinishedIn(plan).words),
    remaining: rounds.flatMap(({ plan }) => unfinishedIn(plan).remaining),
  };
  const result = {
    actions: rounds.flatMap((round) => round.result.actions),
    words: rounds.flatMap((round) => round.result.words),
  };
  const isLate = (): boolean => isOver(run.session.deadline, run.session.clock.now());
  // What is not read because time ran out says nothing.
  const late: ReadBack = {
    words: ['waiting', ...unfinished.words],
    remaining: unfinished.remaining,
    diagnostics: [deadlineCame()],
  };
  if (isLate()) return late;
  if (result.words.includes('conflict') || result.words.includes('interrupted'))
    return { ...unfinished, diagnostics: [] };
  const inFlight = new Set(run.ledger.view().inFlight.map(({ action }) => action.address));
  // What was done and is left to someone outside is looked at too: who that is, and what they have to do, only the live
  // side tells.
  const touched = new Set(
    result.actions
      .filter(({ address, result: ended }) => ended === 'done' || (ended === 'waiting' && !inFlight.has(address)))
      .map(({ address }) => rootOf(address)),
  );
  const declared = narrow(run.declared, touched, ({ parent }) => touched.has(parent as Address));
  const after =
    touched.size === 0
      ? undefined
      : await planNow({ ...run, declared }, { targets: before.targets ?? [] }, [], {
          live: before.live,
          // What was read back after the last write that may concern it is not asked for once more.
          read: run.caches.readBacks.last,
        });
  const unrecorded = await recordLive(
    run.ledger,
    run.declared,
    [before.live, after?.live],
    registry,
    run.session.clock.now(),
    // Of some roots among others, what is declared is not all.
    run.within === undefined && run.limits?.within === undefined,
  ).then(() => [], notRecorded);
  if (unrecorded.length > 0)
    return { words: ['error', ...unfinished.words], remaining: unfinished.remaining, diagnostics: unrecorded };
  if (isLate()) return late;
  if (after === undefined) return { ...unfinished, diagnostics: [] };
  if (after.plan === undefined)
    return { words: ['error', ...unfinished.words], remaining: unfinished.remaining, diagnostics: after.diagnostics };
  const ended = new Map(result.actions.map(({ address, result: word }) => [address, word]));
  const open = after.plan.actions.filter(({ address }) => !ended.has(address) || ended.get(address) === 'done');
  const broken = open.filter(({ address }) => ended.has(address));
  const remaining = open.map(({ address, reason }): Remaining => {
    return ended.has(address)
      ? {
          is: 'unplanned',
          address,
          reason: `it was done and did not hold: ${reason}`,
          remedy: 'Plan again; somebody else may be changing it, or the platform does not keep the value.',
        }
      : {
          is: 'unplanned',
          address,
          reason: `it showed only after this run: ${reason}`,
          remedy: 'Plan again and review it.',
        };
  });
  const reported = new Set(unfinished.remaining.map(({ address, reason }) => `${address} ${reason}`));
  const fresh = [...as('waiting', after.plan.waiting), ...as('by-hand', after.plan.manual)].filter(
    ({ address, reason }) => !inFlight.has(address) && !reported.has(`${address} ${reason}`),
  );
  const words: readonly OutcomeWord[] = [
    ...(broken.length > 0 ? (['partly-applied'] as const) : []),
    ...(open.length > broken.length || fresh.length > 0 ? (['waiting'] as const) : []),
  ];
  return {
    words: [...words, ...unfinished.words],
    remaining: [...unfinished.remaining, ...remaining, ...fresh],
    diagnostics: [],
  };
}

function unfinishedIn(plan: Plan): {
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Remaining[];
} {
  const waiting = [...as('blocked', plan.blocked), ...as('waiting', plan.waiting), ...as('by-hand', plan.manual)];
  const words: readonly OutcomeWord[] = [
    ...(plan.unknown.length > 0 ? (['error'] as const) : []),
    ...(waiting.length > 0 ? (['waiting'] as const) : []),
  ];
  return { words, remaining: [...waiting, ...as('unknown', plan.unknown)] };
}

function as(is: RemainingWord, blockers: readonly PlanBlocker[]): readonly Remaining[] {
  // Where it is declared, the plan says.
  return blockers.map(({ source: _source, ...blocker }) => ({ is, ...blocker }));
}
