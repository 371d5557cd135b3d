// Decides what is run once the first round is over: what could not be read before, then what comes after all other
// changes. Must not run a delete, a charge or exposure that nobody reviewed.
import type { Address } from '../../model/address.ts';
import { collectionOf } from '../../model/address.ts';
import { isNear, isOver } from '../../model/deadline.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionOutcome, OutcomeWord } from '../../model/plan/outcome.ts';
import type { Action, Obstacle, Plan, Risk, Verb } from '../../model/plan/plan.ts';
import { declaredDigest } from '../../planner/digest.ts';
import { isOccasion } from '../../planner/hooks.ts';
import { partOf } from '../../planner/plan.ts';
import { registry } from '../../kinds/index.ts';
import { deadlineCame } from '../../apply/diagnostics.ts';
import type { RunResult } from '../../apply/interpreter.ts';
import { isComplete, runPlan } from '../../apply/interpreter.ts';
import { closeRun } from '../../apply/resume.ts';
import type { Run, Round } from './run.ts';
import { NOTHING_RUN, runtimeOf, planNow, doneIn, narrow, notRecorded, wordOfFailed } from './run.ts';

/** The rounds that were run, and what is to be said beside their own words and diagnostics. */
interface Later {
  readonly rounds: readonly Round[];
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Obstacle[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What comes after all other changes, those of later rounds too. Only then is the plan used up. */
export async function close(run: Run, { plan, result }: Round, rounds: readonly Round[]): Promise<RunResult> {
  // A run that was refused as a whole sent nothing, and what an earlier one owes waits for the next.
  if (result.actions.length > 0 && result.actions.every(({ result: end }) => end === 'not-started')) return NOTHING_RUN;
  const done = await closeRun(runtimeOf(run));
  const told = new Set(done.actions.map(({ address }) => address));
  const idle = new Map(
    rounds
      .flatMap((round) => round.plan.actions)
      .filter(({ address, occasion }) => occasion === 'after' && !told.has(address))
      .map(({ address, verb }) => [address, verb]),
  );
  const skipped = [...idle].map(([address, verb]): ActionOutcome => ({
    address,
    verb,
    result: 'skipped',
    because: 'none of the changes that it goes with was carried out',
  }));
  const closed = { ...done, actions: [...done.actions, ...skipped] };
  if (
    !plan.actions.some(({ occasion }) => occasion === 'after') ||
    !isComplete(result.actions) ||
    !closed.actions.every(({ result: end }) => end === 'done' || end === 'skipped')
  )
    return closed;
  const unwritten = await run.ledger
    .append({ type: 'run-finished', runId: run.runId, planId: plan.planId, complete: true })
    .then(() => [], notRecorded);
  return unwritten.length === 0
    ? closed
    : { ...closed, diagnostics: [...closed.diagnostics, ...unwritten], words: [...closed.words, 'error'] };
}

/** What the plan found in flight and this run has done since is not left over. */
export function withoutDone({ plan, result }: Round, closed: RunResult): Round {
  const done = new Set(
    closed.actions.filter(({ result: end }) => end === 'done' || end === 'skipped').map(({ address }) => address),
  );
  return { plan: { ...plan, waiting: plan.waiting.filter(({ address }) => !done.has(address)) }, result };
}

const UNREVIEWED: readonly Risk[] = ['delete', 'charge', 'exposure'];

/**
 * What could not be read before the first round is planned now that its object is there, for what was declared when the
 * plan was made. New deletes, charges and exposure are not run unreviewed.
 */
export async function runDeferred(
  run: Run,
  { deferred }: Pick<Plan, 'deferred'>,
  { actions, words }: RunResult,
  through: ReadonlySet<Address> = new Set(),
): Promise<Later> {
  const made = doneIn([{ actions }]);
  const sections =
    words.includes('interrupted') || isNear(run.session.deadline, run.session.clock.now())
      ? []
      : run.declared.filter((collection) =>
          deferred.some(
            ({ address, until, declared }) =>
              address === collection.collection && made.has(until) && declared === declaredDigest(collection),
          ),
        );
  const planned = new Set(sections.map(({ collection }) => collection));
  const left = deferred
    .filter(({ address }) => !planned.has(address))
    .map(({ address, until, because }): Obstacle => ({
      address,
      because: `${because} (${until})`,
      todo: 'Plan again when it is there.',
    }));
  const waiting: readonly OutcomeWord[] = left.length > 0 ? ['waiting'] : [];
  if (sections.length === 0) return { rounds: [], words: waiting, remaining: left, diagnostics: [] };
  const rounds = await runSections(run, sections, new Set([...through, ...made]));
  return { ...rounds, words: [...waiting, ...rounds.words], remaining: [...left, ...rounds.remaining] };
}

/** One more round, for these sections alone; what it makes readable in its turn comes after it. */
async function runSections(
  run: Run,
  sections: readonly DesiredCollection[],
  through: ReadonlySet<Address>,
): Promise<Later> {
  const planned = new Set(sections.map(({ collection }) => collection));
  const roots = new Set(sections.map(({ parent }) => parent as Address));
  const declared = narrow(
    run.declared,
    roots,
    (collection) =>
      sections.includes(collection) || (isOccasion(collection, registry) && roots.has(collection.parent as Address)),
  );
  const next = await planNow({ ...run, declared }, { targets: [...planned] }, []);
  if (isOver(run.session.deadline, run.session.clock.now()))
    return { rounds: [], words: ['waiting'], remaining: [], diagnostics: [deadlineCame()] };
  if (next.plan === undefined)
    return { rounds: [], words: [wordOfFailed(next.diagnostics)], remaining: [], diagnostics: next.diagnostics };
  const unmet = unmetIn(next.plan.actions, ({ address }) => planned.has(collectionOf(address)));
  const mayRun = (action: Action): boolean =>
    planned.has(collectionOf(action.address)) &&
    !unmet.has(action.address) &&
    runsUnreviewed(action, run.options.approve);
  const changes = next.plan.actions.filter(mayRun);
  const goesAlong = ({ address, occasion, needs }: Action): boolean =>
    occasion !== undefined &&
    changes.some(
      (change) =>
        needs.some((need) => need.address === change.address) || change.needs.some((need) => need.address === address),
    );
  const plan = partOf(next.plan, (action) => mayRun(action) || goesAlong(action));
  const unreviewed = next.plan.actions.filter(
    ({ address }) => planned.has(collectionOf(address)) && !plan.actions.some((action) => action.address === address),
  );
  const risky = unreviewed.map(({ address, reason, verb, risk }): Obstacle => {
    const need = unmet.get(address);
    const because =
      need === undefined
        ? `it showed only after this run, and nobody reviewed it: ${reason} (${(risk.length > 0 ? risk : [verb]).join(', ')})`
        : `it comes after ${need}, which is not done`;
    return { address, because, todo: 'Plan again and review it.' };
  });
  const result = await runPlan({
    ...runtimeOf(run),
    plan,
    parallelism: run.options.parallelism,
    approved: plan.actions.map(({ digest }) => digest),
    through,
  });
  const later = await runDeferred(run, plan, result, through);
  return {
    rounds: [{ plan, result }, ...later.rounds],
    words: [...(risky.length > 0 ? (['waiting'] as const) : []), ...later.words],
    remaining: [...risky, ...later.remaining],
    diagnostics: later.diagnostics,
  };
}

/**
 * The actions that come after one that is no part of the round, and after which; in execution order, so that what comes
 * after those is found too.
 */
function unmetIn(actions: readonly Action[], isPart: (action: Action) => boolean): ReadonlyMap<Address, Address> {
  const outside = new Set(
    actions.filter((action) => action.occasion === undefined && !isPart(action)).map(({ address }) => address),
  );
  const unmet = new Map<Address, Address>();
  for (const { address, needs } of actions) {
    const need = needs.find((one) => outside.has(one.address) || unmet.has(one.address));
    if (need !== undefined && !outside.has(address)) unmet.set(address, need.address);
  }
  return unmet;
}

/** Whether an action that showed only on the way may run. */
function runsUnreviewed({ verb, risk }: Action, approve: readonly Verb[] | undefined): boolean {
  return !risk.some((one) => UNREVIEWED.includes(one)) && (approve === undefined || approve.includes(verb));
}
