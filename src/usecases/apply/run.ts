// What the parts of one apply share: what the run is given, how it plans anew, what counts as done.
import type { Address } from '../../model/address.ts';
import { collectionOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { InFlight } from '../../model/plan/ledger-view.ts';
import type { Unread } from '../../model/kind/kind.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Workspace } from '../../model/workspace.ts';
import { nextRead, registry, takesCallback } from '../../areas/index.ts';
import { createObserver } from '../../observe/observer.ts';
import type { ObserveBefore } from '../../apply/context.ts';
import type { RunResult } from '../../apply/run-actions.ts';
import { runPlan } from '../../apply/interpreter.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Callback } from '../../apply/callback.ts';
import { LedgerWriteError } from '../../ledger/ledger.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';
import type { Redactor } from '../../platform/redact.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import type { Limits } from '../plan/limits.ts';
import type { LivePlan } from '../plan/plan.ts';
import { planLive } from '../plan/plan.ts';
import type { ScopeRequest } from '../plan/scope.ts';
import type { GuardOptions, UnreviewedRefusal } from '../guards.ts';
import { isStop, readsUntilStopped } from '../connect.ts';
import { secretSinkOf } from '../credentials/secret-sink.ts';
import type { ApprovedBy } from '../../model/plan/started-by.ts';
import { startedBy } from '../ledger.ts';
import { secretResolver } from '../credentials/secrets.ts';
import type { Session } from '../session.ts';
import type { ReadCaches } from './read-caches.ts';
import type { DesiredValues } from './regenerate.ts';
import { desiredValues, recorder, regenerator, rootsOf } from './regenerate.ts';

const PARALLELISM = 10;

/** What the user of `apply` decides. */
export interface ApplyOptions extends GuardOptions, ScopeRequest {
  /** A saved plan that was reviewed. What it says is never run: a fresh plan is, where both agree. */
  readonly plan?: Plan;
  /** What was not carried out when the reviewed plan was rehearsed. Absent: it was not, as far as is known. */
  readonly rehearsedExcept?: readonly Address[];
  /** Digests of the reviewed actions; an action outside them refuses the run. */
  readonly approved?: readonly string[];
  /** The account that the review is of, where it says so. */
  readonly approvedFor?: string;
  /** Actions side by side at most; 10 when absent. */
  readonly parallelism?: number | undefined;
  /** Only continue what is in flight. */
  readonly resumeOnly?: boolean;
  /** Whether it may run. `asked`: a person was asked about it and said yes. Absent: no. */
  readonly confirm?: (plan: Plan, how: { readonly mustAsk: boolean }) => Promise<boolean | 'asked'>;
  /**
   * Asks the forge whether a review approves the plan. Returns the approval, or why there is none, in full sentences.
   * Absent: no forge is asked. `outside`: the actions of the plan that a review of these digests does not approve.
   */
  readonly askForge?: (outside: (digests: readonly string[]) => readonly Address[]) => Promise<ApprovedBy | string>;
  /** What a person types for the same run. */
  readonly byHand?: string;
}

/** What one apply is given, once it holds the ledger. */
export interface Run {
  readonly session: Session;
  readonly options: ApplyOptions;
  readonly workspace: Workspace;
  readonly declared: readonly DesiredCollection[];
  readonly client: Client;
  /** What its reads share. */
  readonly caches: ReadCaches;
  readonly redactor: Redactor;
  readonly ledger: Ledger;
  readonly runId: string;
  /** Who approved the plan that is run. Absent: neither a forge nor a person was asked. */
  readonly approvedBy?: ApprovedBy;
  readonly diagnostics: readonly Diagnostic[];
  /** Returns why unreviewed changes are refused, whatever the options say. Absent: they are not. */
  readonly refusesUnreviewed?: () => Promise<UnreviewedRefusal>;
  /** What its plan is limited to. Absent: what the options name, of everything that is declared. */
  readonly limits?: Limits;
  /** Objects that an earlier round of this run created. Absent: none. */
  readonly created?: ReadonlySet<Address>;
  /** Only what is in flight in these roots is continued. Absent: all of it. */
  readonly within?: ReadonlySet<Address>;
  /** Told which locks the run needs no more, while it goes on. Absent: it is alone in its process. */
  readonly release?: (locks: readonly string[]) => void;
  /** It ends where somebody outside has to act first. */
  readonly waitsForNobody?: true;
  /** As in `LivePlanRequest`. */
  readonly isPartOfAccount?: true;
  /** It is carried out on a copy of the account: no guard has anything to guard. */
  readonly isRehearsal?: true;
}

/** A plan and what became of it: the first, and those that it made possible. */
export interface Round {
  readonly plan: Plan;
  readonly result: RunResult;
}

export const NOTHING_RUN: RunResult = { actions: [], diagnostics: [], words: [] };

/** The addresses of what is done, or was so already. */
export function doneIn(parts: readonly Pick<RunResult, 'actions'>[]): ReadonlySet<Address> {
  return new Set(
    parts.flatMap(({ actions }) =>
      actions.filter(({ result }) => result === 'done' || result === 'already-done').map(({ address }) => address),
    ),
  );
}

/** The credential was refused, or the ledger could not be written: an error, whatever was done before it. */
const ENDS_ALL: ReadonlySet<string> = new Set(['HW3001', 'HW4005', 'HW5006']);

/** In one word, what a part of a run that failed makes of a run of which another part was done. */
export function wordOfFailed(diagnostics: readonly Diagnostic[]): OutcomeWord {
  return diagnostics.some(({ code }) => ENDS_ALL.has(code)) ? 'error' : 'partly-applied';
}

/** The parts of one run, each in the words that hold of the whole. */
export function inWordsOfRun(parts: readonly RunResult[]): readonly RunResult[] {
  if (doneIn(parts).size === 0) return parts;
  return parts.map((part) => ({
    ...part,
    words: part.words.map((word) => (word === 'error' ? wordOfFailed(part.diagnostics) : word)),
  }));
}

/** What the interpreter is given, besides the plan. */
export function runtimeOf(run: Run) {
  const { session, workspace, client, caches, redactor, ledger, runId } = run;
  const { clock, emit, stop, deadline } = session;
  const { owners, recentReads } = caches;
  const recorded = () => ledger.view().objects.values();
  const observerBy = (read: Client['read']) => createObserver(registry, { read }, workspace.account, recorded, owners);
  const observeBefore: ObserveBefore = (read, maxAgeMs) => {
    const recent = (path: string) => recentReads.recent(path, read, maxAgeMs);
    return createObserver(registry, { read: recent }, workspace.account, recorded, owners, recentReads.answeredAtMs);
  };
  return {
    client,
    observe: observerBy((path) => recentReads.read(path, client.read)),
    observeBefore,
    observeAfter: observerBy(caches.readBacks.read),
    parallelism: run.options.parallelism ?? PARALLELISM,
    ledger,
    clock,
    emit,
    stop,
    redactor,
    resolveSecret: session.inMemory?.resolveSecret ?? secretResolver(session, workspace),
    secretSink: secretSinkOf(session, workspace),
    nextRead,
    waits: caches.waits,
    recordOf: recorder(workspace.account, desiredOnce(run)),
    regenerate: regenerator(
      {
        account: workspace.account,
        registry,
        declared: run.declared,
        mayContinue: async () => (await run.refusesUnreviewed?.()) === undefined,
      },
      (flights) => readRootsOf(run, flights),
    ),
    whatToDo: (address: Address) => whatToDo(run, address),
    runId,
    by: startedBy(session),
    ...(run.approvedBy !== undefined && { approvedBy: run.approvedBy }),
    ...(run.waitsForNobody !== undefined && { waitsForNobody: run.waitsForNobody }),
    ...(workspace.callback !== undefined && { callback: callbackOf(session, workspace.callback) }),
    ...(deadline !== undefined && { deadline }),
  };
}

/** Returns the desired values of the run, computed once and only when an action begins. */
function desiredOnce({ declared }: Pick<Run, 'declared'>): () => DesiredValues {
  let values: DesiredValues | undefined;
  return () => (values ??= desiredValues(declared));
}

/** Reads the roots that actions in flight are in, as far as manifests declare them. */
async function readRootsOf(run: Run, flights: readonly InFlight[]): Promise<LiveAccount | undefined> {
  const roots = rootsOf(flights);
  const collections = new Set(flights.map(({ action }) => collectionOf(action.address)));
  const declared = narrow(run.declared, roots, ({ collection }) => collections.has(collection));
  if (declared.length === 0) return undefined;
  const view = run.ledger.view();
  const ledger = { view: () => ({ ...view, inFlight: [] }) };
  return (await planNow({ ...run, ledger, declared }, { targets: [] }, [])).live;
}

/** Of several secrets, while one is replaced by another, the first is sent. */
function callbackOf({ hookNamed }: Session, { url, authorization }: NonNullable<Workspace['callback']>): Callback {
  if (authorization === undefined) return { url, isTakenBy: takesCallback };
  const value = hookNamed?.(authorization.env)?.split(/\r?\n/)[0]?.trim() ?? '';
  return {
    url,
    isTakenBy: takesCallback,
    authorization: /^[\x20-\x7e]+$/.test(value) ? value : { missing: authorization.env },
  };
}

/**
 * What the live object itself says that somebody has to do, such as which record to publish: as the next plan would say
 * it. What cannot be read by now is said at the end of the wait.
 */
async function whatToDo(run: Run, address: Address): Promise<string | undefined> {
  const declared = narrow(
    run.declared,
    new Set([rootOf(address)]),
    ({ collection }) => collection === collectionOf(address),
  );
  if (declared.length === 0) return undefined;
  const view = run.ledger.view();
  try {
    // What is in flight would say so of itself, and of nothing else.
    const ledger = { view: () => ({ ...view, inFlight: [] }) };
    const { plan } = await planNow({ ...run, ledger, declared }, { targets: [] }, []);
    return plan?.waiting.find((one) => one.address === address)?.remedy;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** What an earlier look of the same run leaves to be read by the last one. */
export interface LookBefore {
  readonly live: LiveAccount | undefined;
  readonly read: Client['read'];
}

/**
 * A plan for the account as it is now, under the names that the manifests have now. Where the run is to stop, it waits for
 * no answer, and there is neither a plan nor a diagnostic; but the last look, with `before`, is made to its end.
 */
export async function planNow(
  {
    session,
    workspace,
    declared,
    ledger,
    client,
    within,
    created,
    isPartOfAccount,
  }: Omit<Run, 'ledger'> & { readonly ledger: Pick<Ledger, 'view'> },
  limits: Limits,
  notices: readonly Diagnostic[],
  before?: LookBefore,
): Promise<LivePlan> {
  const view = ledger.view();
  try {
    return await planLive({
      session,
      workspace,
      declared,
      ledger: view,
      ...limits,
      notices,
      client:
        before === undefined
          ? readsUntilStopped(session, { read: client.poll, ask: client.ask })
          : { read: before.read, ask: client.ask },
      known: unavailableIn(before?.live),
      ...(isPartOfAccount !== undefined && { isPartOfAccount }),
      ...(within !== undefined && { unfinishedOf: within }),
      ...(created !== undefined && { created }),
    });
  } catch (error) {
    if (!isStop(session, error)) throw error;
    return { diagnostics: [] };
  }
}

/** Runs a plan, or nothing of it. `hooksDone`: hooks that this run has done already. */
export function runNow(
  run: Run,
  plan: Plan,
  approved: readonly string[],
  hooksDone: ReadonlySet<Address>,
  release?: Run['release'],
): Promise<RunResult> {
  // What is looked at afterwards is not what was read for the plan.
  if (plan.actions.length > 0) run.client.forget();
  return runPlan({
    ...runtimeOf(run),
    plan,
    approved,
    hooksDone,
    ...(release !== undefined && { release }),
  });
}

/** Sections that could not be read because the platform has them not at present. */
function unavailableIn(look: LiveAccount | undefined): ReadonlyMap<string, Unread> {
  return new Map(
    [...(look?.observed ?? [])].flatMap(([collection, seen]) =>
      seen.state !== 'read' && seen.unavailable === true ? [[collection, seen] as const] : [],
    ),
  );
}

/** Bindings are found again by natural key; what was done stands, and the run says that its ledger broke. */
export function notRecorded(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof LedgerWriteError)) throw error;
  return [diagnose('HW5006', `${error.message}. What was done stands; what is bound to what was not written down.`)];
}

/**
 * These roots with the sections that are asked for, and with all that those take values from or wait for: without it
 * nobody could tell whether that is there.
 */
export function narrow(
  declared: readonly DesiredCollection[],
  roots: ReadonlySet<Address>,
  isAsked: (section: DesiredCollection) => boolean,
): readonly DesiredCollection[] {
  const asked = declared.filter((collection) => collection.parent !== null && isAsked(collection));
  const taken = asked.flatMap(({ unresolved }) => unresolved?.references ?? []).map(({ ref }) => ref);
  const read = new Set([...asked.map(({ collection }) => collection), ...taken.map(collectionOf)]);
  const members = declared.flatMap((collection) =>
    collection.parent === null
      ? collection.members.filter(({ address }) => roots.has(address))
      : read.has(collection.collection)
        ? collection.members
        : [],
  );
  const kept = new Set([
    ...roots,
    ...taken.map(rootOf),
    ...members.flatMap(({ restsOn = [] }) => restsOn.map(({ ref }) => rootOf(ref))),
  ]);
  const needed = new Set(members.flatMap(({ kind }) => registry.get(kind)?.capabilities.needs?.kind ?? []));
  return declared.flatMap((collection) => {
    if (collection.parent !== null) return read.has(collection.collection) ? [collection] : [];
    const left = collection.members.filter(({ address }) => needed.has(collection.kind) || kept.has(address));
    return left.length === 0 ? [] : [{ ...collection, members: left }];
  });
}
