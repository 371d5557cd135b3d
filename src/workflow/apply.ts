// The use case `apply`: continue what is in flight, plan or take the reviewed plan, check what it rests on, run it, read back.
// Must not run an action that nobody reviewed, nor anything at all when one of them is in conflict.
import type { Address } from '../model/address.ts';
import { collectionOf, rootOf } from '../model/address.ts';
import type { DesiredCollection } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { ActionOutcome, Outcome, OutcomeWord } from '../model/outcome.ts';
import { decideOutcome, EXIT_CODES, OUTCOME_FORMAT } from '../model/outcome.ts';
import type { Action, Obstacle, Plan, Risk, Verb } from '../model/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { checkCredential } from '../engine/checks/credential.ts';
import { checkGuards } from '../engine/checks/guards.ts';
import { declaredDigest } from '../engine/digest.ts';
import { isOccasion } from '../engine/occasions.ts';
import { partOf } from '../engine/plan.ts';
import { findRenames, renameView } from '../engine/rename.ts';
import { registry } from '../kinds/index.ts';
import { createObserver } from '../observe/observer.ts';
import type { RunResult } from '../apply/interpreter.ts';
import { isComplete, runPlan } from '../apply/interpreter.ts';
import type { Ledger } from '../apply/ledger/ledger.ts';
import { LedgerWriteError } from '../apply/ledger/ledger.ts';
import { openLedger } from '../apply/ledger/stored-ledger.ts';
import { closeRun, resumeInFlight } from '../apply/resume.ts';
import type { Client } from '../platform/http.ts';
import type { Redactor } from '../platform/redact.ts';
import { createRedactor } from '../platform/redact.ts';
import { checkApproved, checkSavedPlan } from './approval.ts';
import { recordLive } from './bindings.ts';
import { connect } from './connect.ts';
import { findNotHeld } from './held.ts';
import { ledgerOptions } from './ledger.ts';
import type { LivePlan } from './plan.ts';
import { checkTargets, planLive } from './plan.ts';
import { secretResolver } from './secrets.ts';
import type { Session } from './session.ts';
import { openWorkspace } from './workspace.ts';

export interface ApplyOptions {
  readonly paths: readonly string[];
  /** A saved plan: run as it is, or not at all. */
  readonly plan?: Plan;
  /** Digests of the reviewed actions; an action outside them refuses the run. */
  readonly approved?: readonly string[];
  readonly targets: readonly Address[];
  readonly allowDeletes?: number;
  readonly allowCharges?: number;
  /** `15.00 EUR` */
  readonly maxSpend?: string;
  /** Verbs that may run without review; a plan with another one is refused. */
  readonly approve?: readonly Verb[];
  readonly parallelism: number;
  /** Only continue what is in flight. */
  readonly resumeOnly: boolean;
  readonly confirm: (plan: Plan) => Promise<boolean>;
}

export interface ApplyResult {
  readonly outcome: Outcome;
  readonly plan?: Plan;
}

/** Runs to the end, to a wait, to a conflict or to a refusal; the outcome says which, in one word. Never throws for what a user or the platform can cause. */
export async function applyWorkspace(session: Session, options: ApplyOptions): Promise<ApplyResult> {
  const opened = await openWorkspace(session, options.paths);
  const found = [...opened.diagnostics, ...checkTargets(options.targets)];
  const { workspace } = opened;
  if (workspace === undefined || hasErrors(found)) return stopped('error', { account: workspace?.account ?? '', diagnostics: found });
  const early = [...found, ...(options.plan === undefined ? [] : checkSavedPlan(options.plan, workspace.account))];
  if (hasErrors(early)) return stopped('error', { account: workspace.account, diagnostics: early });
  // One for the whole run: what a secret is known to be by one part, no other part may tell.
  const redactor = createRedactor();
  const connection = connect(session, workspace, redactor);
  if ('error' in connection) return stopped('error', { account: workspace.account, diagnostics: [...early, connection.error] });
  const runId = session.runtime.uuid();
  const locked = await openLedger(ledgerOptions(session, workspace, runId));
  const diagnostics = [...early, ...locked.diagnostics];
  let remarks: readonly Diagnostic[] = [];
  try {
    const { ledger } = locked;
    if (ledger === undefined) return stopped(session.stop.aborted ? 'interrupted' : 'error', { account: workspace.account, diagnostics });
    const ran = runLocked({ session, options, workspace, declared: opened.declared, client: connection.client, redactor, ledger, runId, diagnostics });
    const { outcome, ...rest } = await ran.finally(async () => {
      remarks = await ledger.close();
    });
    return withRemarks({ outcome: redacted(outcome, redactor), ...rest }, remarks);
  } finally {
    await connection.client.close();
  }
}

/** What went wrong after the last word was said: it changes no word. */
function withRemarks(result: ApplyResult, remarks: readonly Diagnostic[]): ApplyResult {
  if (remarks.length === 0) return result;
  return { ...result, outcome: { ...result.outcome, diagnostics: sortDiagnostics([...result.outcome.diagnostics, ...remarks]) } };
}

interface Run {
  readonly session: Session;
  readonly options: ApplyOptions;
  readonly workspace: Workspace;
  readonly declared: readonly DesiredCollection[];
  readonly client: Client;
  readonly redactor: Redactor;
  readonly ledger: Ledger;
  readonly runId: string;
  readonly diagnostics: readonly Diagnostic[];
}

async function runLocked(run: Run): Promise<ApplyResult> {
  const { options, workspace } = run;
  const resumed = await resumeInFlight(runtimeOf(run));
  const early = [...run.diagnostics, ...resumed.diagnostics];
  const end = (words: readonly OutcomeWord[], rest: Partial<Ending> = {}): ApplyResult =>
    finished([...resumed.words, ...words], { account: workspace.account, client: run.client, ...rest, actions: [...resumed.actions, ...(rest.actions ?? [])], diagnostics: [...early, ...(rest.diagnostics ?? [])] });
  if (options.resumeOnly || resumed.words.includes('interrupted') || resumed.words.includes('error')) {
    const closed = options.resumeOnly ? await closeRun(runtimeOf(run)) : NOTHING_RUN;
    return end(closed.words, { actions: closed.actions, diagnostics: closed.diagnostics });
  }

  const planned: LivePlan = options.plan === undefined ? await planNow(run, options.targets, early) : { plan: options.plan, diagnostics: [] };
  const { plan } = planned;
  if (plan === undefined) return end(['error'], { diagnostics: planned.diagnostics });
  const refusal = refuse(run, plan);
  if (refusal !== undefined) return end([refusal.word], { plan, diagnostics: refusal.diagnostics });
  const confirmed = await options.confirm(plan);
  if (run.session.stop.aborted) return end(['interrupted'], { plan });
  if (!confirmed) return end(['refused'], { plan, diagnostics: [notConfirmed()] });

  const result = await runPlan({ ...runtimeOf(run), plan, parallelism: options.parallelism, approved: options.approved ?? plan.actions.map(({ digest }) => digest), through: doneIn(resumed) });
  const later = await runDeferred(run, plan, { ...result, actions: [...resumed.actions, ...result.actions] });
  const closed = await close(run, plan, result);
  const back = await readBack(run, planned, [{ plan, result }, ...later.rounds].map((round) => withoutDone(round, closed)));
  return end([...result.words, ...later.words, ...closed.words, ...back.words], {
    plan,
    actions: [...result.actions, ...later.rounds.flatMap((round) => round.result.actions), ...closed.actions],
    diagnostics: [...result.diagnostics, ...later.diagnostics, ...closed.diagnostics, ...back.diagnostics],
    // What a later round left out shows again in the last look.
    remaining: [...later.remaining, ...back.remaining.filter(({ address }) => !later.remaining.some((known) => known.address === address))],
  });
}

interface Later {
  readonly rounds: readonly Round[];
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Obstacle[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Round {
  readonly plan: Plan;
  readonly result: RunResult;
}

const NOTHING_RUN: RunResult = { actions: [], diagnostics: [], words: [] };

function doneIn({ actions }: Pick<RunResult, 'actions'>): ReadonlySet<Address> {
  return new Set(actions.filter(({ result }) => result === 'done' || result === 'already-done').map(({ address }) => address));
}

/** What comes after all other changes, those of later rounds too. Only then is the plan used up. */
async function close(run: Run, plan: Plan, result: RunResult): Promise<RunResult> {
  // A run that was refused as a whole sent nothing, and what an earlier one owes waits for the next.
  if (result.actions.length > 0 && result.actions.every(({ result: end }) => end === 'not-started')) return NOTHING_RUN;
  const closed = asPart(await closeRun(runtimeOf(run)), result);
  if (!plan.actions.some(({ occasion }) => occasion === 'after') || !isComplete(result.actions) || !closed.actions.every(({ result: end }) => end === 'done' || end === 'skipped')) return closed;
  const unwritten = await run.ledger.append({ type: 'run-finished', runId: run.runId, planId: plan.planId, complete: true }).then(() => [], notRecorded);
  return unwritten.length === 0 ? closed : { ...closed, diagnostics: [...closed.diagnostics, ...unwritten], words: [...closed.words, 'error'] };
}

/** What failed after other changes were made leaves the run partly applied. */
function asPart(closed: RunResult, result: RunResult): RunResult {
  const onlyFailed = closed.diagnostics.length > 0 && closed.diagnostics.every(({ code }) => code === 'HW4003');
  return onlyFailed && doneIn(result).size > 0 ? { ...closed, words: closed.words.map((word) => (word === 'error' ? 'partly-applied' : word)) } : closed;
}

/** What the plan found in flight and this run has done since is not left over. */
function withoutDone({ plan, result }: Round, closed: RunResult): Round {
  const done = new Set(closed.actions.filter(({ result: end }) => end === 'done' || end === 'skipped').map(({ address }) => address));
  return { plan: { ...plan, waiting: plan.waiting.filter(({ address }) => !done.has(address)) }, result };
}

const UNREVIEWED: readonly Risk[] = ['delete', 'charge', 'exposure'];

/**
 * What could not be read before the first round is planned now that its object is there, for what was declared when the plan was made. New
 * deletes, charges and exposure are not run unreviewed.
 */
async function runDeferred(run: Run, { deferred }: Plan, { actions, words }: RunResult, through: ReadonlySet<Address> = new Set()): Promise<Later> {
  const made = doneIn({ actions });
  const sections = words.includes('interrupted') ? [] : run.declared.filter((collection) => deferred.some(({ address, until, declared }) => address === collection.collection && made.has(until) && declared === declaredDigest(collection)));
  const planned = new Set(sections.map(({ collection }) => collection));
  const left = deferred.filter(({ address }) => !planned.has(address)).map(({ address, until, because }): Obstacle => ({ address, because: `${because} (${until})`, todo: 'Plan again when it is there.' }));
  const waiting: readonly OutcomeWord[] = left.length > 0 ? ['waiting'] : [];
  if (sections.length === 0) return { rounds: [], words: waiting, remaining: left, diagnostics: [] };
  const rounds = await runSections(run, sections, new Set([...through, ...made]));
  return { ...rounds, words: [...waiting, ...rounds.words], remaining: [...left, ...rounds.remaining] };
}

/** One more round, for these sections alone; what it makes readable in its turn comes after it. */
async function runSections(run: Run, sections: readonly DesiredCollection[], through: ReadonlySet<Address>): Promise<Later> {
  const planned = new Set(sections.map(({ collection }) => collection));
  const roots = new Set(sections.map(({ parent }) => parent as Address));
  const declared = run.declared.map((collection) => (collection.parent === null ? narrow(collection, roots) : sections.includes(collection) || (isOccasion(collection, registry) && roots.has(collection.parent)) ? collection : undefined)).filter((collection) => collection !== undefined);
  const next = await planNow({ ...run, declared }, [...planned], []);
  if (next.plan === undefined) return { rounds: [], words: ['error'], remaining: [], diagnostics: next.diagnostics };
  const mayRun = (action: Action): boolean => planned.has(collectionOf(action.address)) && runsUnreviewed(action, run.options.approve);
  const changes = next.plan.actions.filter(mayRun);
  const goesAlong = ({ address, occasion, needs }: Action): boolean => occasion !== undefined && changes.some((change) => needs.some((need) => need.address === change.address) || change.needs.some((need) => need.address === address));
  const plan = partOf(next.plan, (action) => mayRun(action) || goesAlong(action));
  const unreviewed = next.plan.actions.filter(({ address }) => planned.has(collectionOf(address)) && !plan.actions.some((action) => action.address === address));
  const risky = unreviewed.map(({ address, reason, verb, risk }): Obstacle => ({ address, because: `it showed only after this run, and nobody reviewed it: ${reason} (${(risk.length > 0 ? risk : [verb]).join(', ')})`, todo: 'Plan again and review it.' }));
  const result = await runPlan({ ...runtimeOf(run), plan, parallelism: run.options.parallelism, approved: plan.actions.map(({ digest }) => digest), through });
  const later = await runDeferred(run, plan, result, through);
  return {
    rounds: [{ plan, result }, ...later.rounds],
    words: [...(risky.length > 0 ? (['waiting'] as const) : []), ...result.words, ...later.words],
    remaining: [...risky, ...later.remaining],
    diagnostics: [...result.diagnostics, ...later.diagnostics],
  };
}

/** Whether an action that showed only on the way may run. */
function runsUnreviewed({ verb, risk }: Action, approve: readonly Verb[] | undefined): boolean {
  return !risk.some((one) => UNREVIEWED.includes(one)) && (approve === undefined || approve.includes(verb));
}

/** What the interpreter is given, besides the plan. */
function runtimeOf({ session, workspace, client, redactor, ledger, runId }: Run) {
  const { clock, emit, stop } = session;
  return { client, observe: createObserver(registry, client, workspace.account), ledger, clock, emit, stop, redactor, resolveSecret: secretResolver(session, workspace), runId };
}

function planNow({ session, workspace, declared, ledger, client }: Run, targets: readonly Address[], remarks: readonly Diagnostic[]): Promise<LivePlan> {
  const view = ledger.view();
  return planLive({ session, workspace, declared, ledger: renameView(view, findRenames(declared, view)), targets, remarks, client });
}

/** What forbids the plan before anything is asked or sent: the reviewed set first, then guards, then the credential. */
function refuse({ options, workspace, ledger }: Run, plan: Plan): { readonly word: OutcomeWord; readonly diagnostics: readonly Diagnostic[] } | undefined {
  const outside = checkApproved(plan, options.approved, ledger.view());
  if (outside.length > 0) return { word: 'conflict', diagnostics: outside };
  const maxSpend = options.maxSpend ?? workspace.guards.maxSpend;
  const ceilings = { allowDeletes: options.allowDeletes ?? workspace.guards.allowDeletes, allowCharges: options.allowCharges ?? workspace.guards.allowCharges };
  const guards = checkGuards(plan, { ...ceilings, ...(maxSpend !== undefined && { maxSpend }), ...(options.approve !== undefined && { approve: options.approve }) }, ledger.view().standing);
  if (guards.length > 0) return { word: 'refused', diagnostics: guards };
  const credential = checkCredential(plan, workspace.credential);
  return credential.length > 0 ? { word: 'error', diagnostics: credential } : undefined;
}

interface ReadBack {
  readonly words: readonly OutcomeWord[];
  readonly remaining: readonly Obstacle[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks again at every root that was touched: what was done must hold, and what is new is not run unreviewed. Then writes down who is bound to what. */
async function readBack(run: Run, before: LivePlan, rounds: readonly Round[]): Promise<ReadBack> {
  const unfinished = { words: rounds.flatMap(({ plan }) => unfinishedIn(plan).words), remaining: rounds.flatMap(({ plan }) => unfinishedIn(plan).remaining) };
  const result = { actions: rounds.flatMap((round) => round.result.actions), words: rounds.flatMap((round) => round.result.words) };
  if (result.words.includes('conflict') || result.words.includes('interrupted')) return { ...unfinished, diagnostics: [] };
  if (run.options.plan !== undefined) {
    const notHeld = (await Promise.all(rounds.map(({ plan, result: { actions } }) => findNotHeld(plan, actions, runtimeOf(run).observe)))).flat();
    return { words: [...(notHeld.length > 0 ? (['partly-applied'] as const) : []), ...unfinished.words], remaining: [...unfinished.remaining, ...notHeld], diagnostics: [] };
  }
  const inFlight = new Set(run.ledger.view().inFlight.map(({ action }) => action.address));
  // What was done and is left to someone outside is looked at too: who that is, and what they have to do, only the live side tells.
  const touched = new Set(result.actions.filter(({ address, result: ended }) => ended === 'done' || (ended === 'waiting' && !inFlight.has(address))).map(({ address }) => rootOf(address)));
  const declared = run.declared.map((collection) => narrow(collection, touched)).filter((collection) => collection !== undefined);
  const after = touched.size === 0 ? undefined : await planNow({ ...run, declared }, run.options.targets, []);
  const unrecorded = await recordLive(run.ledger, run.declared, [before.live, after?.live], registry).then(() => [], notRecorded);
  if (unrecorded.length > 0) return { words: ['error', ...unfinished.words], remaining: unfinished.remaining, diagnostics: unrecorded };
  if (after === undefined) return { ...unfinished, diagnostics: [] };
  if (after.plan === undefined) return { words: ['error', ...unfinished.words], remaining: unfinished.remaining, diagnostics: after.diagnostics };
  const ended = new Map(result.actions.map(({ address, result: word }) => [address, word]));
  const open = after.plan.actions.filter(({ address }) => !ended.has(address) || ended.get(address) === 'done');
  const broken = open.filter(({ address }) => ended.has(address));
  const remaining = open.map(({ address, reason }): Obstacle => {
    return ended.has(address)
      ? { address, because: `it was done and did not hold: ${reason}`, todo: 'Plan again; somebody else may be changing it, or the platform does not keep the value.' }
      : { address, because: `it showed only after this run: ${reason}`, todo: 'Plan again and review it.' };
  });
  const told = new Set(unfinished.remaining.map(({ address, because }) => `${address} ${because}`));
  const fresh = [...after.plan.waiting, ...after.plan.manual].filter(({ address, because }) => !inFlight.has(address) && !told.has(`${address} ${because}`));
  const words: readonly OutcomeWord[] = [...(broken.length > 0 ? (['partly-applied'] as const) : []), ...(open.length > broken.length || fresh.length > 0 ? (['waiting'] as const) : [])];
  return { words: [...words, ...unfinished.words], remaining: [...unfinished.remaining, ...remaining, ...fresh], diagnostics: [] };
}

/** Bindings are found again by natural key; what was done stands, and the run says that its ledger broke. */
function notRecorded(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof LedgerWriteError)) throw error;
  return [{ code: 'HW5006', severity: 'error', summary: 'The ledger could not be written', detail: `${error.message}. What was done stands; what is bound to what was not written down.` }];
}

function unfinishedIn(plan: Plan): { readonly words: readonly OutcomeWord[]; readonly remaining: readonly Obstacle[] } {
  const waiting = [...plan.blocked, ...plan.waiting, ...plan.manual];
  const words: readonly OutcomeWord[] = [...(plan.unknown.length > 0 ? (['error'] as const) : []), ...(waiting.length > 0 ? (['waiting'] as const) : [])];
  return { words, remaining: [...waiting, ...plan.unknown] };
}

/** The collections of the touched roots, and of root collections the touched members. */
function narrow(collection: DesiredCollection, touched: ReadonlySet<Address>): DesiredCollection | undefined {
  if (collection.parent !== null) return touched.has(rootOf(collection.parent)) ? collection : undefined;
  const members = collection.members.filter(({ address }) => touched.has(address));
  return members.length === 0 ? undefined : { ...collection, members };
}

interface Ending {
  readonly account: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly client: Pick<Client, 'stats'>;
  readonly plan: Plan;
  readonly actions: readonly ActionOutcome[];
  readonly remaining: readonly Obstacle[];
}

function finished(words: readonly OutcomeWord[], { account, diagnostics, client, plan, actions = [], remaining = [] }: Partial<Ending> & Pick<Ending, 'account' | 'diagnostics'>): ApplyResult {
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
      diagnostics: sortDiagnostics(diagnostics),
      requests: { reads: client?.stats.reads ?? 0, writes: client?.stats.writes ?? 0 },
    },
    ...(plan !== undefined && { plan }),
  };
}

/** The texts of an outcome quote live values and answers, and a platform may send back what it was sent. */
function redacted(outcome: Outcome, { text }: Redactor): Outcome {
  return {
    ...outcome,
    actions: outcome.actions.map((action) => ({ ...action, ...(action.because !== undefined && { because: text(action.because) }) })),
    remaining: outcome.remaining.map((obstacle) => ({ ...obstacle, because: text(obstacle.because) })),
    diagnostics: outcome.diagnostics.map((diagnostic) => ({ ...diagnostic, detail: text(diagnostic.detail) })),
  };
}

function stopped(word: OutcomeWord, ending: Pick<Ending, 'account' | 'diagnostics'>): ApplyResult {
  return finished([word], ending);
}

function notConfirmed(): Diagnostic {
  return { code: 'HW6102', severity: 'error', summary: 'The plan was not confirmed', detail: 'Nothing was sent.' };
}
