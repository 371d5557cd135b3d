// The use case `apply`: continue what is in flight, plan or take the reviewed plan, check what it rests on, run it,
// read back.
import type { Address } from '../../model/address.ts';
import { collectionOf, kindOf, rootOf } from '../../model/address.ts';
import { deadlineCame, isNear, isOver } from '../../model/deadline.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  diagnose,
  diagnosticSource,
  failureWord,
  hasErrors,
  sortDiagnostics,
  withDetail,
} from '../../model/diagnostic.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome, Outcome, OutcomeWord, Remaining } from '../../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES, OUTCOME_FORMAT } from '../../model/plan/outcome.ts';
import type { BegunAction } from '../../model/ledger/begun.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { endsSomething, subjectsOf } from '../../model/plan/plan.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import { openLedger } from '../../ledger/stored-ledger.ts';
import { resumeInFlight, resumeRun } from '../../apply/resume.ts';
import { WORKSPACE_FILE } from '../../manifest/read/load.ts';
import { registry } from '../../areas/index.ts';
import type { Client } from '../../platform/http.ts';
import type { Redactor } from '../../platform/redact.ts';
import { createRedactor } from '../../platform/redact.ts';
import { approvedOf, checkApproved, checkReviewed, checkSavedPlan, checkUnused } from './approval.ts';
import { withClient } from '../client.ts';
import { ledgerOptions } from '../ledger.ts';
import type { UnreviewedRefusal } from '../guards.ts';
import { chooseGuards, guardsNotCounted, refusalsOf, refusesUnreviewed } from '../guards.ts';
import { writeMark } from '../../ledger/history-mark.ts';
import type { LivePlan } from '../plan/plan.ts';
import { chooseScope } from '../plan/scope.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import { partOf } from '../../planner/document.ts';
import { independentPart, planWithout } from './partial-plan.ts';
import { withReadCaches } from './read-caches.ts';
import { closeRounds, runDeferred, withoutDone } from './replan.ts';
import { readBack } from './read-back.ts';
import type { Refused, Reviewed } from './review.ts';
import { checkManifests, compareWithSaved } from './review.ts';
import { desiredValues, isLeftOf, isUnchanged } from './regenerate.ts';
import { missingAfter, undeclaredLeft } from './undeclared.ts';
import type { ApplyOptions, Round, Run } from './run.ts';
import { inWordsOfRun, narrow, runNow, runtimeOf, planNow, doneIn, notRecorded } from './run.ts';

export interface ApplyResult {
  readonly outcome: Outcome;
  readonly plan?: Plan;
  /** How many plans it ran, one after the other. Absent: it did not come to that. */
  readonly rounds?: number;
}

/**
 * Runs to the end, to a wait, to a conflict or to a refusal; the outcome says which, in one word. Never throws for what
 * a user or the platform can cause.
 */
export async function applyWorkspace(session: Session, options: ApplyOptions): Promise<ApplyResult> {
  const saved = options.plan;
  const opened = await openWorkspace(session, options.paths ?? [], saved === undefined ? {} : { mayBeEmpty: true });
  const { diagnostics: found, file = WORKSPACE_FILE } = opened;
  const account = opened.workspace?.account ?? '';
  const stopped = (diagnostics: readonly Diagnostic[], word: OutcomeWord = 'error'): ApplyResult =>
    finished([word], { account, diagnostics });
  if (opened.workspace === undefined || hasErrors(found)) return stopped(found);
  const chosen = await chooseGuards(session, opened.workspace, file);
  const { guards } = chosen;
  if (guards === undefined) return stopped([...found, ...chosen.diagnostics]);
  const workspace = { ...opened.workspace, guards };
  let isStrict: Promise<UnreviewedRefusal> | undefined;
  const isStrictOnce = (): Promise<UnreviewedRefusal> => (isStrict ??= refusesUnreviewed(session, workspace, file));
  const early = [
    ...found,
    ...guardsNotCounted(chosen, session.guardsFrom),
    ...checkReviewed(options.approvedFor, account),
    ...(saved === undefined ? [] : [...checkSavedPlan(saved, account), ...checkManifests(saved, opened.declared)]),
  ];
  if (hasErrors(early)) return stopped(early);
  // One for the whole run: what a secret is known to be by one part, no other part may tell.
  const redactor = createRedactor();
  const holding = async (
    client: Client,
    ofClient: readonly Diagnostic[],
    withFirstWrite: boolean,
  ): Promise<ApplyResult> => {
    const runId = session.runtime.uuid();
    const locked = await openLedger({ ...ledgerOptions(session, workspace, runId), withFirstWrite });
    const diagnostics = [...early, ...ofClient, ...locked.diagnostics];
    const { ledger } = locked;
    if (ledger === undefined) return stopped(diagnostics, session.stop.aborted ? 'interrupted' : 'error');
    let notices: readonly Diagnostic[] = [];
    let result: ApplyResult;
    try {
      const reviewed = saved === undefined ? options.reviewed : subjectsOf(saved);
      const request = { ...options, ...(reviewed !== undefined && { reviewed }) };
      const scope = await chooseScope(session, opened, request, ledger.view());
      if ('error' in scope) return stopped([...diagnostics, scope.error]);
      result = await applyDeclared({
        session,
        options,
        workspace,
        declared: opened.declared,
        limits: scope.limits,
        ...withReadCaches(client, session.clock),
        redactor,
        ledger,
        runId,
        diagnostics: [...diagnostics, ...scope.notices],
        refusesUnreviewed: isStrictOnce,
      });
    } finally {
      notices = await ledger.close();
      writeMark(session, workspace, ledger.view().history ?? []);
    }
    // Nothing was sent yet: it is begun anew, from what the other run left, and this time under the lock.
    return withFirstWrite && ledger.isOutrun()
      ? holding(client, ofClient, false)
      : withNotices(result, [...notices, ...unseenIn(result.outcome, options.rehearsedExcept)]);
  };
  return withClient(
    session,
    workspace,
    { reads: false, redactor },
    (client, ofClient) => holding(client, ofClient, true),
    (error) => stopped([...early, error]),
  );
}

/**
 * Runs what is declared, wherever it came from, under a ledger that is open: to the end, to a wait, to a conflict or to a
 * refusal. Client and ledger stay open; no text of the outcome tells a secret.
 */
export async function applyDeclared(run: Run): Promise<ApplyResult> {
  const result = await runLocked(run);
  return { ...result, outcome: redacted(result.outcome, run.redactor) };
}

/** What went wrong while the ledger was closed. What was not written down is an error; all else changes no word. */
export function withNotices<Result extends { readonly outcome: Outcome }>(
  result: Result,
  notices: readonly Diagnostic[],
): Result {
  if (notices.length === 0) return result;
  const { outcome: word, diagnostics, ...rest } = result.outcome;
  const outcome = decideOutcome([word, ...(hasErrors(notices) ? (['error'] as const) : [])]);
  return {
    ...result,
    outcome: {
      ...rest,
      outcome,
      exitCode: EXIT_CODES[outcome],
      diagnostics: sortDiagnostics([...diagnostics, ...notices]),
    },
  };
}

/** What failed here and was carried out on the copy of the account, when the plan was rehearsed. */
function unseenIn({ actions }: Outcome, rehearsedExcept: readonly Address[] | undefined): readonly Diagnostic[] {
  if (rehearsedExcept === undefined) return [];
  return actions
    .filter(
      ({ address, result }) => (result === 'failed' || result === 'blocked') && !rehearsedExcept.includes(address),
    )
    .map(({ address }) =>
      diagnose(
        'HW2805',
        `${address} was carried out on a copy of the account when the plan was made, and not here. Either the account has changed since, or the platform does what its documents do not say.`,
        { address },
      ),
    );
}

/** How long the rest of an apply is held back by what an earlier run left in flight. */
const FIRST_LOOK_MS = 30_000;

async function runLocked(run: Run): Promise<ApplyResult> {
  if (run.options.resumeOnly === true) return resumeOnly(run);
  const begun = run.ledger.view().inFlight;
  const first = await resumeInFlight({ ...runtimeOf(run), ...ownInFlight(run), patienceMs: FIRST_LOOK_MS });
  const resumed = withUndeclared(run, begun, first);
  if (resumed.pending !== true || resumed.stopped === true)
    return withMissing(run, begun, await runPlanned(run, { parts: [withoutDropped(resumed)], rounds: [] }));

  const followed = new Set(
    resumed.actions.filter(({ result }) => result !== 'unknown-outcome').map(({ address }) => address),
  );
  const waiting = run.ledger.view().inFlight.filter(({ action }) => followed.has(action.address));
  const beside = await runBeside(run, resumed, waiting);
  if ('outcome' in beside) return beside;
  // What became of these is said when the wait is over.
  const waits = new Set(waiting.map(({ action }) => action.address));
  const ended = {
    ...resumed,
    actions: resumed.actions.filter(({ address }) => !waits.has(address)),
    words: resumed.words.filter((word) => word !== 'waiting'),
  };
  const waited = withUndeclared(run, begun, await resumeInFlight({ ...runtimeOf(run), only: waits }));
  const parts = [withoutDropped(ended), ...beside.rounds.map(({ result }) => result), withoutDropped(waited)];
  return withMissing(run, begun, await runPlanned(run, { parts, rounds: beside.rounds }));
}

/** Of what is in flight, what this run may continue: all of it, or what is in the roots that it is about. */
function ownInFlight({ ledger, within, options }: Run): { readonly only?: ReadonlySet<Address> } {
  const { inFlight } = ledger.view();
  // What a command has begun is not this run's to go on with, unless it is asked to.
  const isOwn = ({ action: { hook, address } }: InFlight): boolean =>
    (hook !== 'command' || options.resumeOnly === true) && within?.has(rootOf(address)) !== false;
  if (inFlight.every(isOwn)) return {};
  return { only: new Set(inFlight.filter(isOwn).map(({ action }) => action.address)) };
}

/**
 * The result without the actions that were not carried out: the plan that follows has them again. An object that was
 * created is reported as done, and the plan that follows has the requests that were not sent.
 */
function withoutDropped(resumed: RunResult): RunResult {
  if (resumed.stopped === true) return resumed;
  return {
    ...resumed,
    actions: resumed.actions.flatMap((action): readonly ActionOutcome[] => {
      if (action.result !== 'not-started') return [action];
      if (action.verb !== 'create' || action.outputs?.id === undefined) return [];
      const { reason: _reason, ...created } = action;
      return [{ ...created, result: 'done' }];
    }),
  };
}

/** The same with what is to be reported of objects that no manifest declares any more. */
function withUndeclared(run: Run, begun: readonly InFlight[], resumed: RunResult): RunResult {
  const found = undeclaredLeft(begun, resumed.actions, {
    desired: desiredValues(run.declared),
    objects: run.ledger.view().objects,
  });
  if (found.length === 0) return resumed;
  return {
    ...resumed,
    diagnostics: [...resumed.diagnostics, ...found],
    words: [...resumed.words, ...(hasErrors(found) ? (['error'] as const) : [])],
  };
}

/** Adds an error for each declared object that an interrupted run removed and that still does not exist. */
function withMissing(run: Run, begun: readonly InFlight[], result: ApplyResult): ApplyResult {
  const { outcome } = result;
  const open = new Set(run.ledger.view().inFlight.map(({ action }) => action.address));
  const found = missingAfter(begun, outcome.actions, {
    desired: desiredValues(run.declared),
    isOpen: (address) => open.has(address),
    isAbsent: (address) =>
      result.plan?.actions.some((action) => action.address === address && action.verb === 'create') === true,
  });
  if (found.length === 0) return result;
  const word = decideOutcome([outcome.outcome, 'error']);
  const diagnostics = sortDiagnostics([...outcome.diagnostics, ...found]);
  return { ...result, outcome: { ...outcome, diagnostics, outcome: word, exitCode: EXIT_CODES[word] } };
}

/** What a run has come to so far. */
interface SoFar {
  readonly parts: readonly RunResult[];
  /** The plans that were run, with what became of each. */
  readonly rounds: readonly Round[];
}

async function resumeOnly(run: Run): Promise<ApplyResult> {
  const { inFlight } = run.ledger.view();
  const begun = new Map(inFlight.map(({ action }) => [action.address, action]));
  let left: ReadonlySet<Address> = new Set();
  const parts = await resumeRun(
    { ...runtimeOf(run), ...ownInFlight(run) },
    {
      withOwedHooks: true,
      andThen: async (resumed) => {
        const rest = await runLeft(run, begun, notStartedIn(resumed));
        left = new Set(rest?.actions.map(({ address }) => address));
        return rest === undefined ? [] : [rest];
      },
    },
  );
  const [resumed, ...others] = parts.map((part, index) => ({
    ...(index === 0 ? withUndeclared(run, inFlight, part) : part),
    actions: part.actions.filter(({ address, result }) => result !== 'not-started' || !left.has(address)),
  }));
  // What turned out not to be carried out, and was not done now, is left to a run that plans.
  const open: readonly OutcomeWord[] = resumed !== undefined && notStartedIn(resumed).size > 0 ? ['waiting'] : [];
  return endOf(run, { parts: resumed === undefined ? [] : [resumed, ...others], rounds: [] }, open);
}

function notStartedIn({ actions }: RunResult): ReadonlySet<Address> {
  return new Set(actions.flatMap(({ address, result }) => (result === 'not-started' ? [address] : [])));
}

/**
 * Plans the objects of interrupted actions anew, and runs what is left of those whose manifest asks for the same as when
 * they began. What spends or ends something is left to the next plan, and so is everything where only reviewed actions
 * may run: `--resume` has no review. Undefined where nothing runs.
 */
async function runLeft(
  run: Run,
  begun: ReadonlyMap<Address, BegunAction>,
  addresses: ReadonlySet<Address>,
): Promise<RunResult | undefined> {
  const { account } = run.workspace;
  const desired = desiredValues(run.declared);
  const interrupted = [...addresses]
    .flatMap((address) => begun.get(address) ?? [])
    .filter((action) => isUnchanged(account, action, desired));
  if (interrupted.length === 0 || (await run.refusesUnreviewed?.()) !== undefined) return undefined;
  const collections = new Set(interrupted.map(({ address }) => collectionOf(address)));
  const declared = narrow(run.declared, new Set(interrupted.map(({ address }) => rootOf(address))), ({ collection }) =>
    collections.has(collection),
  );
  const targets = interrupted.map(({ address }) => address);
  const { plan: fresh } = await planNow({ ...run, declared }, { targets }, []);
  if (fresh === undefined) return undefined;
  const plan = partOf(
    fresh,
    (action) => action.grounds === undefined && !isCounted(action) && interrupted.some((one) => isLeftOf(one, action)),
  );
  if (plan.actions.length === 0 || refuseUnasked(run, plan, []) !== undefined) return undefined;
  return runNow(
    run,
    plan,
    plan.actions.map(({ digest }) => digest),
    new Set(),
  );
}

/** True for an action that spends or ends something, which guards count. */
function isCounted(action: Action): boolean {
  return endsSomething(action) || action.risk.includes('charge') || action.risk.includes('lapse');
}

type Beside = Pick<SoFar, 'rounds'> | ApplyResult;

/** While something waits: what has nothing to do with it is planned and run; or the end, when that is refused. */
async function runBeside(run: Run, resumed: RunResult, waiting: readonly InFlight[]): Promise<Beside> {
  const { planned, reviewed } = await planReviewed(run, { parts: [resumed], rounds: [] }, []);
  // Whatever else there is to say is said when the wait is over.
  if (reviewed === undefined || 'word' in reviewed || isTooLate(run, planned.plan)) return { rounds: [] };
  const { plan } = reviewed;
  const part = independentPart(plan, waiting, run.runId);
  if (part.actions.length === 0) return { rounds: [] };
  const consent = await requestConsent(run, plan, part, []);
  if ('word' in consent) return endOf(run, { parts: [resumed], rounds: [] }, [consent.word], { plan, ...consent });
  const result = await runNow({ ...run, ...consent }, part, approvedIn(run, plan), doneIn([resumed]));
  const isRefused = result.actions.every(({ result: end }) => end === 'not-started');
  return isRefused
    ? endOf(run, { parts: [resumed, result], rounds: [] }, [], { plan })
    : { rounds: [{ plan: part, result }] };
}

/** A fresh plan, and what of it may run: all of it, or what a saved plan has too. */
async function planReviewed(
  run: Run,
  { parts }: SoFar,
  notices: readonly Diagnostic[],
): Promise<{ readonly planned: LivePlan; readonly reviewed?: Reviewed | Refused }> {
  const saved = run.options.plan;
  const limits = run.limits ?? { targets: [], patterns: run.options.targets ?? [] };
  const planned = await planNow(run, limits, notices);
  const { plan: fresh, unreachable } = planned;
  if (unreachable !== undefined) return { planned: { diagnostics: [unreachable] } };
  if (fresh === undefined) return { planned };
  if (saved === undefined)
    return { planned, reviewed: { plan: fresh, done: [], deferred: fresh.deferred, unplanned: [] } };
  return { planned, reviewed: await compareWithSaved(saved, fresh, planned, run, parts) };
}

/** Plans, compares the plan with the reviewed one, and runs it with all that follows from it. */
async function runPlanned(run: Run, soFar: SoFar): Promise<ApplyResult> {
  const { options } = run;
  if (soFar.parts.some((part) => part.stopped)) return endOf(run, soFar);
  const used = options.plan === undefined ? [] : checkUnused(options.plan, run.ledger.view());
  if (used.length > 0) return endOf(run, soFar, ['conflict'], { diagnostics: used });
  const { planned, reviewed } = await planReviewed(run, soFar, noticesOf(run, soFar));
  const { plan: fresh } = planned;
  if (isTooLate(run, fresh))
    return endOf(run, soFar, ['waiting'], {
      ...(fresh !== undefined && { plan: fresh }),
      actions: (fresh?.actions ?? []).map(notBegun),
      diagnostics: [deadlineCame()],
    });
  if (fresh === undefined || reviewed === undefined)
    return endOf(run, soFar, [run.session.stop.aborted ? 'interrupted' : failureWord(planned.diagnostics)], {
      diagnostics: planned.diagnostics,
    });
  if ('word' in reviewed) return endOf(run, soFar, [reviewed.word], { plan: fresh, diagnostics: reviewed.diagnostics });
  const { done } = reviewed;
  const plan = withoutFailed(reviewed.plan, soFar, run.runId);
  const consent = await requestConsent(run, plan, plan, soFar.rounds);
  if ('word' in consent) return endOf(run, soFar, [consent.word], { plan, ...consent });

  // It pays for nothing after this, so whoever waits to pay need not wait for its end.
  const result = await runNow({ ...run, ...consent }, plan, approvedIn(run, plan), doneIn(soFar.parts), run.release);
  const first: Round = { plan, result };
  const later = await runDeferred(
    run,
    { actions: plan.actions, deferred: reviewed.deferred },
    {
      ...result,
      actions: [...soFar.parts.flatMap(({ actions }) => actions), ...done, ...result.actions],
    },
  );
  const rounds = [...soFar.rounds, first, ...later.rounds];
  const closed = await closeRounds(run, first, rounds);
  const unwritten = await useUp(run, reviewed);
  const back = await readBack(
    run,
    planned,
    rounds.map((round) => withoutDone(round, closed)),
  );
  const reported = [...later.remaining, ...reviewed.unplanned];
  return endOf(
    run,
    { parts: [...soFar.parts, result, ...later.rounds.map((round) => round.result), closed], rounds },
    [
      ...later.words,
      ...back.words,
      ...(reviewed.unplanned.length > 0 ? (['waiting'] as const) : []),
      ...(unwritten.length > 0 ? (['error'] as const) : []),
    ],
    {
      plan,
      actions: done,
      diagnostics: [...later.diagnostics, ...unwritten, ...back.diagnostics],
      // What a later round left out shows again in the last look.
      remaining: [
        ...reported,
        ...back.remaining.filter(({ address }) => !reported.some((known) => known.address === address)),
      ],
    },
  );
}

/** A saved plan of which nothing is left to do is used up without a run. */
async function useUp(
  { options: { plan: saved }, ledger, runId }: Run,
  { plan, deferred }: Reviewed,
): Promise<readonly Diagnostic[]> {
  if (
    saved === undefined ||
    saved.actions.length === 0 ||
    plan.planId !== saved.planId ||
    plan.actions.length > 0 ||
    deferred.length > 0
  )
    return [];
  return ledger.note({ type: 'run-finished', runId, planId: saved.planId, complete: true }).then(() => [], notRecorded);
}

/** What failed in a run is not tried again in it: a person may have to look, and a payment was perhaps declined. */
function withoutFailed(plan: Plan, { parts }: SoFar, runId: string): Plan {
  const failed = new Set(
    parts.flatMap(({ actions }) => actions.filter(({ result }) => result === 'failed').map(({ address }) => address)),
  );
  return plan.actions.some(({ address }) => failed.has(address)) ? planWithout(plan, failed, runId) : plan;
}

function approvedIn({ options, ledger, declared }: Run, plan: Plan): readonly string[] {
  return approvedOf(plan, options.approved, ledger.view(), desiredValues(declared));
}

function noticesOf({ diagnostics }: Run, { parts }: SoFar): readonly Diagnostic[] {
  return [...diagnostics, ...parts.flatMap((part) => part.diagnostics)];
}

/** The end of a run: what its parts came to, and what else is to be said. */
function endOf(run: Run, soFar: SoFar, words: readonly OutcomeWord[] = [], rest: Partial<Ending> = {}): ApplyResult {
  const parts = inWordsOfRun(soFar.parts);
  const actions = [...parts.flatMap((part) => part.actions), ...(rest.actions ?? [])];
  const own = [...parts.flatMap((part) => part.words), ...words];
  // A run that left a planned action out is not done, whatever its reason.
  const isLeftOut = own.every((word) => word === 'done') && actions.some(({ result }) => result === 'not-started');
  const ended = finished(isLeftOut ? ['waiting'] : own, {
    account: run.workspace.account,
    client: run.client,
    inFlight: run.ledger.view().inFlight.map(({ action }) => action.address),
    ...rest,
    actions,
    diagnostics: [...noticesOf(run, soFar), ...(rest.diagnostics ?? []), ...actions.flatMap(leftToDo)],
  });
  return { ...ended, rounds: soFar.rounds.filter(({ plan }) => plan.actions.length > 0).length };
}

/** What a person has to do about an object that was made. */
function leftToDo({ address, verb, result }: ActionOutcome): readonly Diagnostic[] {
  const toDo = verb === 'create' && result === 'done' ? registry.get(kindOf(address))?.create?.notice : undefined;
  return toDo === undefined ? [] : [{ ...toDo, address }];
}

/** What was read when time had run out is not to be relied on, and what would write is not even asked about. */
function isTooLate({ session: { clock, deadline } }: Run, plan: Plan | undefined): boolean {
  return isOver(deadline, clock.now()) || (isNear(deadline, clock.now()) && plan?.actions.length !== 0);
}

function notBegun({ address, verb }: Plan['actions'][number]): ActionOutcome {
  return { address, verb, result: 'not-started', reason: 'the deadline was too near to begin it' };
}

/**
 * Checks the plan against the reviewed set, the guards and the credential, then asks the forge and the user about what
 * runs `now`. Returns who approved it, or why it is refused.
 */
async function requestConsent(
  run: Run,
  plan: Plan,
  now: Plan,
  rounds: readonly Round[],
): Promise<Refused | Pick<Run, 'approvedBy'>> {
  const { options, session } = run;
  const refused = refuseUnasked(run, plan, rounds);
  if (refused !== undefined) return refused;
  const { askForge } = options;
  // Where a forge is named, its word is needed whatever files and refs of this checkout say about the workspace.
  const isEmpty = now.actions.length + now.deferred.length === 0;
  const refusal =
    isEmpty || run.refusesUnreviewed === undefined || askForge !== undefined
      ? undefined
      : await run.refusesUnreviewed();
  const refusesAll =
    refusal !== undefined || (run.refusesUnreviewed !== undefined && !isEmpty && askForge !== undefined);
  const unproven = run.isRehearsal === true ? [] : unreviewedByName(run, plan);
  const mustAsk = refusesAll || unproven.length > 0;
  const outside = (digests: readonly string[]): readonly Address[] => {
    const approved = new Set(approvedOf(plan, digests, run.ledger.view(), desiredValues(run.declared)));
    return plan.actions.filter(({ digest }) => !approved.has(digest)).map(({ address }) => address);
  };
  const approval = refusesAll ? await askForge?.(outside) : undefined;
  const unapproved = typeof approval === 'string' ? approval : undefined;
  const isApproved = typeof approval === 'object';
  const confirmed =
    unapproved === undefined && ((await options.confirm?.(now, { mustAsk: mustAsk && !isApproved })) ?? false);
  if (session.stop.aborted) return { word: 'interrupted', diagnostics: [] };
  if (unapproved !== undefined || (refusesAll && !isApproved && confirmed === true))
    return {
      word: 'refused',
      diagnostics: [unreviewed(plan, options, unapproved ?? noOption(refusal))],
      unreviewed: { planId: plan.planId, ...(options.byHand !== undefined && { command: options.byHand }) },
    };
  if (unproven.length > 0 && confirmed === true)
    return { word: 'refused', diagnostics: unproven.map((action) => onlyLedger(action)) };
  if (confirmed === false) return { word: 'refused', diagnostics: [notConfirmed()] };
  const { user, hostname: host } = session.runtime;
  const approvedBy = confirmed === 'asked' ? ({ via: 'terminal', user, host } as const) : approval;
  return typeof approvedBy === 'object' ? { approvedBy } : {};
}

/**
 * Returns the actions that only the ledger gives grounds for and that no review names. A saved plan and a set of digests
 * name every action that they allow; a number of deletes and `--approve delete` name none.
 */
function unreviewedByName({ options }: Run, { actions }: Plan): readonly Plan['actions'][number][] {
  if (options.approved !== undefined || options.plan !== undefined) return [];
  return actions.filter(({ grounds }) => grounds === 'ledger');
}

function onlyLedger({ address, verb, digest, source }: Plan['actions'][number]): Diagnostic {
  const why = verb === 'delete' ? 'that it is ours' : 'which value it gets';
  return diagnose(
    'HW2211',
    `Only the ledger says ${why}. Nothing is run. Have the plan reviewed and run it with \`apply plan.json\` or \`--expect\` (its digest is ${digest}), or run apply at a terminal and answer the question.`,
    { address, ...diagnosticSource(source) },
  );
}

/** `refusal`: why unreviewed changes are refused. */
function noOption(refusal: UnreviewedRefusal): string {
  const why = refusal === undefined ? '' : `${refusal} `;
  return `${why}No option takes the place of a person who is asked at a terminal, or of an approval that the forge confirms (\`--expect\` with \`--approved-by\`).`;
}

/** `who`: who has to approve it, and why nobody has. */
function unreviewed({ planId }: Plan, { byHand }: ApplyOptions, who: string): Diagnostic {
  const command = byHand === undefined ? '' : ` A person can run it at a terminal, and is asked: \`${byHand}\`.`;
  return diagnose('HW2111', `${who}${command} Nothing was sent. Plan ${planId}.`);
}

function refuseUnasked(
  { options, workspace, ledger, isRehearsal, declared }: Run,
  plan: Plan,
  rounds: readonly Round[],
): Refused | undefined {
  if (isRehearsal === true) return undefined;
  const outside = checkApproved(plan, options.approved, ledger.view(), desiredValues(declared));
  if (outside.length > 0) return { word: 'conflict', diagnostics: outside };
  // Ceilings are for the whole run: what an earlier round of it did counts.
  const planned = new Set(plan.actions.map(({ digest }) => digest));
  const earlier = rounds.flatMap((round) => {
    const done = doneIn([round.result]);
    return round.plan.actions.filter(({ address, digest }) => done.has(address) && !planned.has(digest));
  });
  const { guards, credential } = refusalsOf(
    { ...plan, actions: [...earlier, ...plan.actions] },
    workspace,
    options,
    ledger.view().standing,
  );
  if (guards.length > 0)
    return { word: 'refused', diagnostics: guards.map(({ short: _short, ...diagnostic }) => diagnostic) };
  return credential.length > 0 ? { word: 'error', diagnostics: credential } : undefined;
}

interface Ending {
  readonly account: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly client: Pick<Client, 'stats'>;
  readonly plan: Plan;
  readonly actions: readonly ActionOutcome[];
  readonly remaining: readonly Remaining[];
  readonly inFlight: readonly Address[];
  readonly unreviewed: NonNullable<Outcome['unreviewed']>;
}

function finished(
  words: readonly OutcomeWord[],
  {
    account,
    diagnostics,
    client,
    plan,
    actions = [],
    remaining = [],
    inFlight,
    unreviewed: unseen,
  }: Partial<Ending> & Pick<Ending, 'account' | 'diagnostics'>,
): ApplyResult {
  const outcome = decideOutcome(words);
  return {
    outcome: {
      format: OUTCOME_FORMAT,
      outcome,
      exitCode: EXIT_CODES[outcome],
      account,
      planDigest: plan?.digest ?? '',
      actions,
      remaining,
      ...(inFlight !== undefined && { inFlight }),
      ...(unseen !== undefined && { unreviewed: unseen }),
      diagnostics: sortDiagnostics(deadlineOnce(diagnostics)),
      requests: { reads: client?.stats.reads ?? 0, writes: client?.stats.writes ?? 0 },
    },
    ...(plan !== undefined && { plan }),
  };
}

/** Several parts of a run may meet its deadline. */
function deadlineOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { code } = deadlineCame();
  return diagnostics.filter(
    (diagnostic, index) => diagnostic.code !== code || diagnostics.findIndex((other) => other.code === code) === index,
  );
}

/** The texts of an outcome quote live values and answers, and a platform may send back what it was sent. */
function redacted(outcome: Outcome, { text }: Redactor): Outcome {
  return {
    ...outcome,
    actions: outcome.actions.map((action) => ({
      ...action,
      ...(action.reason !== undefined && { reason: text(action.reason) }),
    })),
    remaining: outcome.remaining.map((blocker) => ({ ...blocker, reason: text(blocker.reason) })),
    diagnostics: outcome.diagnostics.map((diagnostic) => withDetail(diagnostic, text)),
  };
}

function notConfirmed(): Diagnostic {
  return diagnose('HW6102', 'Nothing was sent.');
}
