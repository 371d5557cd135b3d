// What is run once the first round is over: what could not be read before, then what comes after all other changes.
import type { Address } from '../../model/address.ts';
import { collectionOf, kindOf } from '../../model/address.ts';
import { deadlineCame, isNear, isOver } from '../../model/deadline.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionOutcome, OutcomeWord, Remaining } from '../../model/plan/outcome.ts';
import type { Action, Approvable, Deferred, Plan, Risk } from '../../model/plan/plan.ts';
import { unapproved } from '../../planner/admission/guards.ts';
import { declaredDigest } from '../../planner/digest.ts';
import { isHook } from '../../planner/hooks.ts';
import { partOf } from '../../planner/document.ts';
import { registry } from '../../areas/index.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import { isComplete } from '../../apply/interpreter.ts';
import { runOwedHooks } from '../../apply/resume.ts';
import type { Run, Round } from './run.ts';
import { NOTHING_RUN, runNow, runtimeOf, planNow, doneIn, narrow, notRecorded, wordOfFailed } from './run.ts';

/** The rounds that were run, and what is to be said beside their own words and diagnostics. */
interface Later {
  readonly rounds: readonly Round[];
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Remaining[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What comes after all other changes, those of later rounds too. Only then is the plan used up. */
export async function closeRounds(run: Run, { plan, result }: Round, rounds: readonly Round[]): Promise<RunResult> {
  // A run that was refused as a whole sent nothing, and what an earlier one owes waits for the next.
  if (result.actions.length > 0 && result.actions.every(({ result: end }) => end === 'not-started')) return NOTHING_RUN;
  const done = await runOwedHooks(runtimeOf(run));
  const reported = new Set(done.actions.map(({ address }) => address));
  const idle = new Map(
    rounds
      .flatMap((round) => round.plan.actions)
      .filter(({ address, hook }) => hook === 'after' && !reported.has(address))
      .map(({ address, verb }) => [address, verb]),
  );
  const skipped = [...idle].map(([address, verb]): ActionOutcome => ({
    address,
    verb,
    result: 'skipped',
    reason: 'none of the changes that it goes with was carried out',
  }));
  const closed = { ...done, actions: [...done.actions, ...skipped] };
  if (
    !plan.actions.some(({ hook }) => hook === 'after') ||
    !isComplete(result.actions) ||
    !closed.actions.every(({ result: end }) => end === 'done' || end === 'skipped')
  )
    return closed;
  const unwritten = await run.ledger
    .note({ type: 'run-finished', runId: run.runId, planId: plan.planId, complete: true })
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

/** Never run in a later round: their ceilings were counted on the plan that was reviewed. */
const COUNTED: readonly Risk[] = ['delete', 'lapse', 'charge'];

/** With no `--approve` every verb may run, and no risk that has to be named. */
const VERBS: readonly Approvable[] = ['create', 'update', 'delete'];

/**
 * What could not be read before the first round is planned now that its object is there, for what was declared when the
 * plan was made. Deletes and charges are never run here. What lowers protection, or has another risk that `--approve`
 * has to name, is run only where it names it.
 */
export async function runDeferred(
  run: Run,
  { deferred, actions: reviewed }: Pick<Plan, 'deferred' | 'actions'>,
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
    .map(({ address, until, reason }): Remaining => ({
      is: 'unplanned',
      address,
      reason: `${reason} (${until})`,
      remedy: 'Plan again when it is there.',
    }));
  const waiting: readonly OutcomeWord[] = left.length > 0 ? ['waiting'] : [];
  if (sections.length === 0) return { rounds: [], words: waiting, remaining: left, diagnostics: [] };
  const fresh = new Set(deferred.filter((one) => isFresh(one, reviewed)).map(({ address }) => address));
  const created = new Set(
    actions.flatMap(({ address, verb, result }) => (verb === 'create' && result === 'done' ? [address] : [])),
  );
  const rounds = await runSections(run, { sections, fresh, created }, new Set([...through, ...made]));
  return { ...rounds, words: [...waiting, ...rounds.words], remaining: [...left, ...rounds.remaining] };
}

interface Readable {
  readonly sections: readonly DesiredCollection[];
  /** Those in which nothing was in force before this run. */
  readonly fresh: ReadonlySet<Address>;
  /** Objects that this run created. */
  readonly created: ReadonlySet<Address>;
}

/** One more round, for these sections alone; what it makes readable in its turn comes after it. */
async function runSections(
  run: Run,
  { sections, fresh, created }: Readable,
  through: ReadonlySet<Address>,
): Promise<Later> {
  const planned = new Set(sections.map(({ collection }) => collection));
  const roots = new Set(sections.map(({ parent }) => parent as Address));
  const declared = narrow(
    run.declared,
    roots,
    (collection) =>
      sections.includes(collection) || (isHook(collection, registry) && roots.has(collection.parent as Address)),
  );
  const next = await planNow({ ...run, declared, created }, { targets: [...planned] }, []);
  if (isOver(run.session.deadline, run.session.clock.now()))
    return { rounds: [], words: ['waiting'], remaining: [], diagnostics: [deadlineCame()] };
  if (next.plan === undefined)
    return {
      rounds: [],
      words: [run.session.stop.aborted ? 'interrupted' : wordOfFailed(next.diagnostics)],
      remaining: [],
      diagnostics: next.diagnostics,
    };
  const unmet = unmetIn(next.plan.actions, ({ address }) => planned.has(collectionOf(address)));
  const mayRun = (action: Action): boolean => {
    const section = collectionOf(action.address);
    return (
      planned.has(section) &&
      !unmet.has(action.address) &&
      runsUnreviewed(action, fresh.has(section), run.options.approve)
    );
  };
  const changes = next.plan.actions.filter(mayRun);
  const goesAlong = ({ address, hook, needs }: Action): boolean =>
    hook !== undefined &&
    changes.some(
      (change) =>
        needs.some((need) => need.address === change.address) || change.needs.some((need) => need.address === address),
    );
  const plan = partOf(next.plan, (action) => mayRun(action) || goesAlong(action));
  const unreviewed = next.plan.actions.filter(
    ({ address }) => planned.has(collectionOf(address)) && !plan.actions.some((action) => action.address === address),
  );
  const risky = unreviewed.map(({ address, reason: why, verb, risk }): Remaining => {
    const need = unmet.get(address);
    const reason =
      need === undefined
        ? `it showed only after this run, and nobody reviewed it: ${why} (${(risk.length > 0 ? risk : [verb]).join(', ')})`
        : `it comes after ${need}, which is not done`;
    return { is: 'unplanned', address, reason, remedy: 'Plan again and review it.' };
  });
  const result = await runNow(
    run,
    plan,
    plan.actions.map(({ digest }) => digest),
    through,
  );
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
    actions.filter((action) => action.hook === undefined && !isPart(action)).map(({ address }) => address),
  );
  const unmet = new Map<Address, Address>();
  for (const { address, needs } of actions) {
    const need = needs.find((one) => outside.has(one.address) || unmet.has(one.address));
    if (need !== undefined && !outside.has(address)) unmet.set(address, need.address);
  }
  return unmet;
}

/** Whether an action that showed only on the way may run. `isNew`: nothing in its section was in force before. */
function runsUnreviewed(action: Action, isNew: boolean, approve: readonly Approvable[] = VERBS): boolean {
  if (action.grounds === 'ledger') return false;
  if (action.risk.some((one) => COUNTED.includes(one))) return false;
  return unapproved(action, approve).every((word) => word === 'exposure' && isNew);
}

/**
 * True where this run made the object around a section, or switched on what it rests on: nothing there protected
 * before.
 */
function isFresh({ address, until }: Deferred, actions: readonly Action[]): boolean {
  const dependsOn = registry.get(kindOf(address))?.capabilities.dependsOn;
  const switchesOn = ({ kind, changes }: Action): boolean =>
    kind === dependsOn?.kind && changes.some(({ path, value }) => path === `/${dependsOn.field}` && value === true);
  return actions.some((action) => action.address === until && (action.verb === 'create' || switchesOn(action)));
}
