// Which actions of a fresh plan a saved plan approves. What runs is always the fresh action; the saved plan only says
// which actions were reviewed.
import type { Address } from '../../model/address.ts';
import { collectionOf, parentOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, diagnosticSource } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { canonicalJson, sameJson } from '../../model/json.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome, Outcome, OutcomeWord, Remaining } from '../../model/plan/outcome.ts';
import type { Action, Deferred, Effect, Plan } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import { actionDigest, declaredDigest } from '../../planner/digest.ts';
import { partOf } from '../../planner/document.ts';
import { createContext } from '../../apply/context.ts';
import type { ActionState } from '../../apply/expectations.ts';
import { fieldName, ownIdentitiesOf } from '../../apply/expectations.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import { rotatedAfter } from '../../ledger/rotation-tokens.ts';
import { lookAtAll, refusalsAfterLook } from '../../apply/preflight.ts';
import type { LivePlan } from '../plan/plan.ts';
import { rootsIn } from '../plan/limits.ts';
import { desiredValues, isLeftOf, isUnchanged } from './regenerate.ts';
import type { Run } from './run.ts';
import { doneIn, runtimeOf } from './run.ts';

/** What of a fresh plan may run under a review. */
export interface Reviewed {
  /** The reviewed actions of the fresh plan. Its id is that of the saved plan when nothing of that is left over. */
  readonly plan: Plan;
  /** What the saved plan has and the fresh one has no more, because it is done. */
  readonly done: readonly ActionOutcome[];
  /** Sections that are planned later, each for what was declared when it was reviewed. */
  readonly deferred: readonly Deferred[];
  /** Actions of the fresh plan that the saved plan could not plan yet. They do not run: nobody has reviewed them. */
  readonly unplanned: readonly Remaining[];
}

export interface Refused extends Pick<Outcome, 'unreviewed'> {
  readonly word: OutcomeWord;
  readonly diagnostics: readonly Diagnostic[];
}

/** The manifests are what is applied: a saved plan without them has nothing to be held against. */
export function checkManifests({ actions }: Plan, declared: readonly DesiredCollection[]): readonly Diagnostic[] {
  const roots = new Set(rootsIn(declared));
  if (actions.length === 0 || actions.some(({ address }) => roots.has(rootOf(address)))) return [];
  const detail = `No manifest that was read declares ${rootOf((actions[0] as Action).address)}. Apply plans again and runs only what the saved plan and the fresh one agree on, so it needs the manifests that the plan was made from: check out that commit, or name them as for plan (\`hostwright apply plan.json sites/\`, or \`-\` for standard input).`;
  return [diagnose('HW2156', detail)];
}

/** Compares a fresh plan with the saved one. */
export async function compareWithSaved(
  saved: Plan,
  fresh: Plan,
  { live }: LivePlan,
  run: Run,
  soFar: readonly Pick<RunResult, 'actions'>[],
): Promise<Reviewed | Refused> {
  const planned = new Set(fresh.actions.map(({ address }) => address));
  const through = doneIn(soFar);
  const gone = saved.actions.filter(
    ({ address, hook }) => hook === undefined && !planned.has(address) && !through.has(address),
  );
  const isStuck = heldBackBy(fresh);
  const stuck = new Set(gone.filter(({ address }) => isStuck(address)));
  const observation = await lookAtGone(
    gone.filter((action) => !stuck.has(action)),
    saved,
    live,
    run,
  );
  if ('word' in observation) return observation;
  const finished = new Set([...through, ...observation.done.map(({ address }) => address)]);
  const own = ownIdentitiesOf(saved.actions);
  const effects = saved.actions.filter(({ address }) => finished.has(address)).flatMap((action) => action.effects);
  const reviewed = new Map(saved.actions.map((action) => [action.address, action]));
  const wanted = new Map(saved.deferred.map(({ address, declared }) => [address, declared]));
  const late = new Set(
    run.declared
      .filter((section) => {
        const digest = wanted.get(section.collection);
        return digest !== undefined && digest === declaredDigest(section);
      })
      .map(({ collection }) => collection),
  );
  const wasHeldBack = heldBackBy({ ...saved, deferred: [] });
  // What the saved plan said could not be done yet was not reviewed: it is left to the next plan, and refuses nothing.
  const isLate = ({ address }: Action): boolean =>
    !reviewed.has(address) && (late.has(collectionOf(address)) || wasHeldBack(address));
  const triggeredLate = (action: Action): boolean =>
    action.hook !== undefined &&
    !reviewed.has(action.address) &&
    fresh.actions.every((other) => !isPair(action, other) || isLate(other));
  const { interrupted = [] } = run.ledger.view();
  const desired = desiredValues(run.declared);
  /** What is left of a reviewed action that an earlier run began. */
  const isLeft = (before: Action, action: Action): boolean =>
    interrupted.some(
      (begun) =>
        begun.digest === before.digest &&
        actionDigest(saved.account, begun) === before.digest &&
        isUnchanged(saved.account, begun, desired) &&
        isLeftOf(begun, action),
    );
  const held = fresh.actions.filter((action) => !isLate(action) && !triggeredLate(action));
  const found = held.flatMap((action): readonly Diagnostic[] => {
    const before = reviewed.get(action.address);
    if (before === undefined) return [outsideReview(action, 'the saved plan has no action on it')];
    if (actionDigest(saved.account, asOfNow(before, action, own, effects)) !== action.digest)
      return isLeft(before, action) ? [] : [outsideReview(action, whatChanged(before, action))];
    const edited = editedParts(before, action);
    return edited.length === 0 ? [] : [otherParts(action, edited)];
  });
  const diagnostics = [...observation.diagnostics, ...found];
  if (diagnostics.length > 0) return { word: 'conflict', diagnostics };
  if (observation.unreadable.length > 0) return { word: 'error', diagnostics: observation.unreadable };
  const kept = new Set(held);
  const plan = held.length === fresh.actions.length ? fresh : partOf(fresh, (action) => kept.has(action));
  const open = new Set(fresh.actions.filter(isLate).map(({ address }) => collectionOf(address)));
  return {
    // The ledger takes a saved plan once. One of which something is blocked has not ended yet.
    plan: stuck.size === 0 ? { ...plan, planId: saved.planId } : plan,
    done: observation.done,
    deferred: [
      ...fresh.deferred.map((section) => ({ ...section, declared: wanted.get(section.address) ?? '' })),
      ...saved.deferred.filter(({ address }) => open.has(address)),
    ],
    unplanned: fresh.actions
      .filter((action) => isLate(action) && !late.has(collectionOf(action.address)))
      .map(({ address, reason }) => ({
        is: 'unplanned',
        address,
        reason: `it could not be planned when the plan was saved: ${reason}`,
        remedy: 'Plan again, and have the new plan reviewed.',
      })),
  };
}

/** Tells what a plan says cannot be done now, by itself or with what it is in. */
function heldBackBy({ blocked, unknown, waiting, manual, deferred }: Plan): (address: Address) => boolean {
  const reported = new Set([...blocked, ...unknown, ...waiting, ...manual, ...deferred].map((one) => one.address));
  return (address) => {
    for (let own: Address | null = address; own !== null; own = parentOf(own))
      if (reported.has(own) || reported.has(collectionOf(own))) return true;
    return false;
  };
}

interface LookedAtGone {
  readonly done: readonly ActionOutcome[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the account did not tell. */
  readonly unreadable: readonly Diagnostic[];
}

/** What became of the actions that are in the saved plan alone: done, or the account or the manifests changed. */
async function lookAtGone(
  gone: readonly Action[],
  saved: Plan,
  live: LivePlan['live'],
  run: Run,
): Promise<LookedAtGone | Refused> {
  const roots = new Set(rootsIn(run.declared));
  const declared = gone.filter(({ address }) => roots.has(rootOf(address)));
  const undeclared = gone
    .filter(({ address }) => !roots.has(rootOf(address)))
    .map((action) => noLonger(action, `no manifest that was read declares ${rootOf(action.address)}`));
  if (declared.length === 0) return { done: [], diagnostics: undeclared, unreadable: [] };
  const context = createContext(runtimeOf(run), saved.actions, new Map(), run.redactor);
  for (const [address, { id }] of live?.bound ?? []) context.known.learn(address, { id });
  const observation = await lookAtAll(declared, context);
  if ('word' in observation) return observation;
  const stateOf = (action: Action) => observation.states.get(action) as ActionState;
  const { objects } = run.ledger.view();
  const done = declared.filter((action) => stateOf(action).state === 'already-done' || isWritten(action, objects));
  const ended = new Set(done);
  const changed = declared.flatMap((action): readonly Diagnostic[] => {
    const live = stateOf(action);
    if (ended.has(action) || live.state === 'unreadable') return [];
    return [noLonger(action, live.state === 'conflict' ? live.reason : 'the manifests do not ask for it any more')];
  });
  return {
    done: done.map(({ address, verb }) => ({ address, verb, result: 'already-done' })),
    diagnostics: [...undeclared, ...changed],
    unreadable: refusalsAfterLook(observation).flatMap(({ word, diagnostics }) =>
      word === 'error' ? diagnostics : [],
    ),
  };
}

/** True when the ledger has all its marks: what is written with a mark is never read back. */
function isWritten({ address, verb, changes }: Action, objects: LedgerView['objects']): boolean {
  const recorded = objects.get(address)?.rotated ?? {};
  const rotationTokens = Object.entries(rotatedAfter(undefined, changes) ?? {});
  return (
    verb === 'update' &&
    rotationTokens.length > 0 &&
    rotationTokens.every(
      ([field, rotationToken]) => Object.hasOwn(recorded, field) && recorded[field] === rotationToken,
    )
  );
}

/**
 * The reviewed action as it reads after an earlier run did part of the plan: objects that the plan itself makes or
 * removes are no new neighbours, and effects of actions that are done are there.
 */
function asOfNow(
  reviewed: Action,
  fresh: Action,
  own: ReadonlyMap<string, ReadonlySet<string>>,
  effects: readonly Effect[],
): Action {
  const identities = own.get(collectionOf(reviewed.address));
  const others = (names: readonly string[] | undefined): readonly string[] | undefined =>
    names?.filter((name) => identities?.has(name) !== true);
  const { siblings } = fresh.expect;
  const isSameList =
    siblings !== undefined && sameJson([...(others(siblings) ?? [])], [...(others(reviewed.expect.siblings) ?? [])]);
  const valueAt = (path: string): Effect | undefined =>
    effects.findLast((effect) => effect.address === reviewed.address && effect.path === path);
  return {
    ...reviewed,
    // A risk that is gone needs no new review: the old primary hostname is not primary any more, for instance.
    risk: fresh.risk.every((risk) => reviewed.risk.includes(risk)) ? fresh.risk : reviewed.risk,
    changes: reviewed.changes.map((change) =>
      valueAt(change.path) === undefined ? change : { ...change, was: (valueAt(change.path) as Effect).value },
    ),
    expect: {
      ...reviewed.expect,
      tests: reviewed.expect.tests.map((test) => ({ ...test, value: (valueAt(test.path) ?? test).value })),
      ...(isSameList && reviewed.expect.siblings !== undefined && { siblings }),
    },
  };
}

/** What a reviewer is shown and no digest of an action covers: where the file says it otherwise, somebody edited it. */
function editedParts(saved: Action, fresh: Action): readonly string[] {
  const shown = ['kind', 'reason', 'requires', 'effects', 'hook'] as const;
  return shown.filter((key) => textOf(saved[key]) !== textOf(fresh[key]));
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonicalJson(JSON.parse(JSON.stringify(value)) as Json);
}

/** What differs between what was reviewed and what would run, in words: `cacheExpiration: at the review 5, now 777`. */
export function whatChanged(reviewed: Action, fresh: Action): string {
  if (reviewed.verb !== fresh.verb) return `at the review to ${reviewed.verb}, now to ${fresh.verb}`;
  const now = new Map(fresh.changes.map((change) => [change.path, change]));
  const before = new Map(reviewed.changes.map((change) => [change.path, change]));
  const values = [...new Set([...before.keys(), ...now.keys()])].flatMap((path): readonly string[] => {
    const [was, is] = [before.get(path), now.get(path)];
    const field = fieldName(path);
    return [
      ...(sameJson(was?.was, is?.was) || is === undefined
        ? []
        : [`${field}: at the review ${show(was?.was, was)}, now ${show(is.was, is)}`]),
      ...(sameJson(was?.value, is?.value)
        ? []
        : [
            `${field} to become: at the review ${was === undefined ? 'what it is' : show(was.value, was)}, now ${is === undefined ? 'what it is' : show(is.value, is)}`,
          ]),
    ];
  });
  const others = (['expect', 'steps', 'risk', 'cost', 'protected'] as const).filter(
    (key) => textOf(reviewed[key]) !== textOf(fresh[key]),
  );
  const factOf = {
    risk: ({ risk }: Action) => risk.join(', ') || 'none',
    cost: ({ cost }: Action) => (cost === undefined ? 'none' : showPrice(cost)),
    protected: (action: Action) => String(action.protected),
  };
  const computed = others.flatMap((key) =>
    key in factOf
      ? [
          `${key}: at the review ${factOf[key as keyof typeof factOf](reviewed)}, now ${factOf[key as keyof typeof factOf](fresh)}`,
        ]
      : [],
  );
  const all = [...values, ...computed];
  return all.length > 0
    ? all.join('; ')
    : others.includes('steps')
      ? 'its requests differ'
      : 'what it expects of the account differs';
}

/** What it would do now, in words: `cacheExpiration is 777 and becomes 60`. */
export function nowOf({ verb, changes, reason }: Action): string {
  const values = changes.map(
    (change) => `${fieldName(change.path)} is ${show(change.was, change)} and becomes ${show(change.value, change)}`,
  );
  return verb === 'update' && values.length > 0 ? values.join('; ') : reason;
}

/** What is about a person is read by others in a comment or a log. */
function show(value: Json | undefined, change: Action['changes'][number] | undefined): string {
  if (value === undefined) return 'nothing';
  return change?.personal === undefined ? JSON.stringify(value) : '(personal)';
}

/** One of the two is a hook, and it goes with the other. */
function isPair(hook: Action, { address, needs }: Action): boolean {
  return needs.some((need) => need.address === hook.address) || hook.needs.some((need) => need.address === address);
}

const AGAIN = 'Nothing is run. Make the plan again and have it reviewed.';

/** An action that nobody reviewed as it is now. */
export function outsideReview(action: Action, reason: string): Diagnostic {
  return diagnose('HW2104', `${action.address}: ${reason}. ${AGAIN}`, {
    address: action.address,
    ...diagnosticSource(action.source),
  });
}

function noLonger({ address, verb }: Action, reason: string): Diagnostic {
  return diagnose(
    'HW2157',
    `To ${verb} ${address} was reviewed, and it is neither done nor to be done: ${reason}. ${AGAIN}`,
    { address },
  );
}

function otherParts({ address, verb }: Action, keys: readonly string[]): Diagnostic {
  return diagnose(
    'HW2158',
    `To ${verb} ${address} is as reviewed, but its ${keys.join(', ')} in the file ${keys.length === 1 ? 'is' : 'are'} not what the manifests and the account give, so its reviewer saw something else. ${AGAIN}`,
    { address },
  );
}
