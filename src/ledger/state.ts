// What a sequence of entries comes to: bindings, what is in flight, which plans are spent. Pure.
import type { Address } from '../model/address.ts';
import type { JsonObject } from '../model/json.ts';
import type { ChainedRow } from '../model/plan/history.ts';
import type { DoneAct, InFlight, LedgerObject, LedgerRun, LedgerView, OpenAct } from '../model/plan/ledger-view.ts';
import { RUNS_KEPT } from '../model/plan/ledger-view.ts';
import type { BegunAction } from '../model/ledger/begun.ts';
import { parseStartedBy } from '../model/plan/started-by.ts';
import type { Outputs } from '../model/plan/step.ts';
import type { LedgerEntry, LedgerLine } from './entries.ts';
import { rotatedSoFar } from './rotation-tokens.ts';

export interface LedgerHeader {
  readonly account: string;
  readonly standing: 'complete' | 'partial';
  /** The number of the last line before the first of this file. */
  readonly after: number;
}

export interface LedgerState {
  readonly add: (line: LedgerLine) => void;
  readonly view: () => LedgerView;
  readonly sequence: () => number;
  /** What is begun at an address and has not ended. */
  readonly begunAt: (address: Address) => InFlight | undefined;
  readonly lastRow: () => ChainedRow | undefined;
}

interface Draft {
  readonly objects: Map<Address, LedgerObject>;
  /** Actions that began and did not end, also those that sent nothing: later entries may be about them. */
  readonly begun: Map<Address, InFlight>;
  /** By the address of a change, the hooks that come after it and may be owed. */
  readonly hooksAfter: Map<Address, Set<Address>>;
  readonly finishedPlans: Set<string>;
  done: BegunAction[];
  interrupted: BegunAction[];
  /** The oldest first. */
  readonly runs: LedgerRun[];
  readonly history: ChainedRow[];
  readonly told: Map<string, Readonly<Record<string, string>>>;
  readonly openActs: Map<string, OpenAct>;
  readonly doneActs: Map<string, DoneAct>;
  isRecorded: boolean;
}

const NOTHING: JsonObject = {};

/** An empty state under a header, to which lines are added one by one. */
export function createState(header: LedgerHeader): LedgerState {
  const draft: Draft = {
    objects: new Map(),
    begun: new Map(),
    hooksAfter: new Map(),
    finishedPlans: new Set(),
    done: [],
    interrupted: [],
    runs: [],
    history: [],
    told: new Map(),
    openActs: new Map(),
    doneActs: new Map(),
    isRecorded: false,
  };
  let sequence = header.after;
  return {
    add: (line) => {
      sequence = line.n;
      take(draft, line.entry, line.atMs);
    },
    view: () => ({
      standing: header.standing,
      account: header.account,
      sequence,
      objects: new Map(draft.objects),
      ...(draft.isRecorded && { recorded: true }),
      inFlight: [...draft.begun.values()].filter((flight) => isInFlight(flight, draft.begun)),
      ...(draft.done.length > 0 && { done: [...draft.done] }),
      ...(draft.interrupted.length > 0 && { interrupted: [...draft.interrupted] }),
      finishedPlans: new Set(draft.finishedPlans),
      ...(draft.runs.length > 0 && { runs: draft.runs.slice(-RUNS_KEPT) }),
      ...(draft.history.length > 0 && { history: [...draft.history] }),
      ...(draft.told.size > 0 && { told: new Map(draft.told) }),
      ...(draft.openActs.size > 0 && { openActs: [...draft.openActs.values()] }),
      ...(draft.doneActs.size > 0 && { doneActs: [...draft.doneActs.values()] }),
    }),
    sequence: () => sequence,
    begunAt: (address) => draft.begun.get(address),
    lastRow: () => draft.history.at(-1),
  };
}

/** True when a request of the action may have left. */
export function hasSent({ answered, unanswered }: Pick<InFlight, 'answered' | 'unanswered'>): boolean {
  return unanswered !== undefined || Object.keys(answered).length > 0;
}

/**
 * An action that began and sent nothing is not in flight: the next plan decides anew whether it is wanted and allowed. A
 * hook that comes after changes is owed once one of them was carried out, and may be while one of them is in flight.
 */
function isInFlight(flight: InFlight, begun: Draft['begun']): boolean {
  if (hasSent(flight)) return true;
  if (flight.action.hook !== 'after') return false;
  return (
    flight.triggered === true ||
    (flight.triggeredBy ?? []).some((address) => hasSent(begun.get(address) ?? { answered: {} }))
  );
}

/** Drops what earlier runs began and never sent: a hook of theirs is not owed by changes of a later run. */
function forgetUnsent({ begun }: Draft, runId: string): void {
  const idle = [...begun.values()].filter((flight) => flight.runId !== runId && !isInFlight(flight, begun));
  for (const { action } of idle) begun.delete(action.address);
}

/** What these lines come to. */
export function replay(header: LedgerHeader, lines: readonly LedgerLine[]): LedgerView {
  const state = createState(header);
  for (const line of lines) state.add(line);
  return state.view();
}

function take(draft: Draft, entry: LedgerEntry, atMs: number): void {
  switch (entry.type) {
    case 'run-started':
      forgetUnsent(draft, entry.runId);
      takeRun(draft, entry, atMs);
      return;
    case 'run-finished': {
      const { runId, planId, complete } = entry;
      if (complete) {
        draft.finishedPlans.add(planId);
        draft.done = [];
        draft.interrupted = [];
      }
      const at = draft.runs.findLastIndex((run) => run.runId === runId && run.planId === planId);
      const run = draft.runs[at];
      if (run !== undefined) draft.runs[at] = { ...run, end: { atMs, complete } };
      return;
    }
    case 'begin':
      takeBegin(draft, entry);
      return;
    case 'bound': {
      const { address, id, owned, applied, outputs, appliedAtMs = atMs } = entry;
      const before = draft.objects.get(address);
      // Rotation tokens belong to one object: another one at the same address begins without them.
      const rotated = entry.rotated ?? (before?.id === id ? before.rotated : undefined);
      const lists = entry.lists ?? (before?.id === id ? before.lists : undefined);
      const createdAtMs = entry.createdAtMs ?? (before?.id === id ? before.createdAtMs : undefined);
      draft.objects.set(address, {
        address,
        id,
        owned,
        applied,
        ...(createdAtMs !== undefined && { createdAtMs }),
        appliedAtMs,
        outputs: outputs ?? (before?.id === id ? before.outputs : {}),
        ...(lists !== undefined && { lists }),
        ...(rotated !== undefined && { rotated }),
      });
      return;
    }
    case 'history':
      draft.history.push({ atMs, row: entry.row, previous: entry.previous });
      return;
    case 'recorded':
      draft.isRecorded = true;
      return;
    case 'told':
      draft.told.set(entry.channel, entry.state);
      return;
    case 'act': {
      const { act, runId, request } = entry;
      draft.openActs.set(act, { act, runId, request, sentAtMs: atMs });
      return;
    }
    case 'acted':
      draft.openActs.delete(entry.act);
      draft.doneActs.delete(entry.act);
      if (entry.kept !== undefined) draft.doneActs.set(entry.act, { act: entry.act, ...entry.kept, doneAtMs: atMs });
      return;
    case 'forgotten':
      draft.objects.delete(entry.address);
      // What was known of it is gone with it: that it is not here says nothing until all is recorded anew.
      draft.isRecorded = false;
      return;
    default:
      takeProgress(draft, entry, atMs);
  }
}

function takeRun(
  { runs }: Draft,
  { runId, planId, approved, by: said }: Extract<LedgerEntry, { readonly type: 'run-started' }>,
  startedAtMs: number,
): void {
  const by = parseStartedBy(said as unknown as JsonObject | undefined);
  runs.push({ runId, planId, startedAtMs, approved, ...(by !== undefined && { by }) });
  // Not at each one: moving the others takes longer than having a few more.
  if (runs.length >= 2 * RUNS_KEPT) runs.splice(0, runs.length - RUNS_KEPT);
}

function takeBegin(
  draft: Draft,
  { runId, action, known, effects, own, triggeredBy, triggered }: Extract<LedgerEntry, { readonly type: 'begin' }>,
): void {
  const flight = { runId, action, answered: {}, known, effects, ...(own !== undefined && { own }) };
  const earlier = draft.begun.get(action.address);
  // What an earlier run owes is not forgotten because a later one owes it as well.
  const owed: Pick<InFlight, 'triggeredBy' | 'triggered'> =
    action.hook !== 'after'
      ? {}
      : {
          triggeredBy: [
            ...new Set([
              ...(earlier?.triggeredBy ?? []),
              ...(triggeredBy ?? action.needs.map(({ address }) => address)),
            ]),
          ],
          ...((earlier?.triggered ?? triggered) === true && { triggered: true as const }),
        };
  draft.begun.set(action.address, { ...flight, ...owed });
  for (const trigger of owed.triggeredBy ?? []) {
    const after = draft.hooksAfter.get(trigger) ?? new Set<Address>();
    draft.hooksAfter.set(trigger, after.add(action.address));
  }
}

/** A change was carried out: the hooks that come after it are owed from now on. */
function takeTriggered(draft: Draft, address: Address): void {
  for (const own of draft.hooksAfter.get(address) ?? []) {
    const flight = draft.begun.get(own);
    if (flight?.triggeredBy?.includes(address) === true) draft.begun.set(own, { ...flight, triggered: true });
  }
}

type Progress = Extract<
  LedgerEntry,
  { readonly type: 'sent' | 'answered' | 'learnt' | 'followed' | 'held' | 'succeeded' | 'failed' | 'confirmed' }
>;

function takeProgress(draft: Draft, entry: Progress, atMs: number): void {
  const { address } = entry;
  if (entry.type === 'succeeded' || entry.type === 'answered' || entry.type === 'followed')
    takeTriggered(draft, address);
  const flight = draft.begun.get(address);
  if (entry.type === 'succeeded') return takeSucceeded(draft, entry, flight, atMs);
  if (flight === undefined) return;
  switch (entry.type) {
    case 'sent': {
      const sendings = flight.unanswered === entry.step ? (flight.sendings ?? 0) + 1 : 1;
      draft.begun.set(address, { ...withoutPending(flight), unanswered: entry.step, sentAtMs: atMs, sendings });
      return;
    }
    case 'answered': {
      const { step, status, row, follow, outputs } = entry;
      const pending = follow === undefined ? {} : { pending: { step, status: status ?? 0, row, follow } };
      draft.begun.set(address, { ...answeredBy(flight, step, outputs), ...pending });
      return;
    }
    case 'learnt':
      draft.begun.set(address, {
        ...flight,
        answered: { ...flight.answered, [entry.step]: { ...flight.answered[entry.step], ...entry.outputs } },
      });
      return;
    case 'followed':
      draft.begun.set(address, answeredBy(flight, entry.step, entry.outputs));
      return;
    case 'held':
      draft.begun.set(address, { ...flight, reason: entry.reason });
      return;
    case 'failed':
      return takeFailed(draft, address, flight, atMs);
    case 'confirmed':
      return takeConfirmed(draft, entry, flight, atMs);
  }
}

function takeSucceeded(
  draft: Draft,
  entry: Extract<LedgerEntry, { readonly type: 'succeeded' }>,
  flight: InFlight | undefined,
  appliedAtMs: number,
): void {
  const { address, id, gone, applied, outputs } = entry;
  draft.begun.delete(address);
  draft.isRecorded = false;
  if (flight !== undefined) draft.done.push(flight.action);
  if (gone) {
    draft.objects.delete(address);
    return;
  }
  const { from: moved, renamedFrom } = flight?.action.expect ?? {};
  const from = moved?.address ?? renamedFrom;
  const origin = from === undefined ? undefined : draft.objects.get(from);
  // What was moved here, or renamed, is no longer known where it came from.
  if (from !== undefined) draft.objects.delete(from);
  const before = draft.objects.get(address);
  const known = id ?? before?.id;
  if (known === undefined) return;
  const same = before?.id === known ? before : undefined;
  const isMade = flight?.action.verb === 'create' && from === undefined;
  const createdAtMs = same?.createdAtMs ?? (isMade ? appliedAtMs : origin?.createdAtMs);
  const rotated = entry.rotated ?? same?.rotated;
  draft.objects.set(address, {
    address,
    id: known,
    owned: true,
    applied,
    ...(createdAtMs !== undefined && { createdAtMs }),
    appliedAtMs,
    ...(same?.lists !== undefined && { lists: same.lists }),
    outputs: { ...same?.outputs, ...outputsOf(flight), ...outputs, ...deliveredBy(same) },
    ...(rotated !== undefined && { rotated }),
  });
}

/** Returns the order that delivered the object: a later order, such as that of a resize, does not take its place. */
function deliveredBy(object: LedgerObject | undefined): Outputs {
  const order = object?.outputs.order;
  return order === undefined ? {} : { order };
}

/**
 * A create that failed after it had made the object leaves it ours: the next plan finishes it, or removes it. Secrets
 * that were written stay so.
 */
function takeFailed(draft: Draft, address: Address, flight: InFlight, appliedAtMs: number): void {
  draft.begun.delete(address);
  if (Object.keys(flight.answered).length > 0) draft.interrupted.push(flight.action);
  const outputs = outputsOf(flight);
  const before = draft.objects.get(address);
  if (flight.action.verb === 'update' && before !== undefined) {
    const rotated = rotatedSoFar(before.rotated, flight);
    if (rotated !== undefined) draft.objects.set(address, { ...before, rotated });
  }
  if (flight.action.verb !== 'create' || outputs.id === undefined) return;
  const rotated = rotatedSoFar(undefined, flight);
  draft.objects.set(address, {
    address,
    id: outputs.id,
    owned: true,
    applied: NOTHING,
    createdAtMs: appliedAtMs,
    appliedAtMs,
    outputs,
    ...(rotated !== undefined && { rotated }),
  });
}

function takeConfirmed(
  draft: Draft,
  { address, id }: Extract<LedgerEntry, { readonly type: 'confirmed' }>,
  flight: InFlight,
  atMs: number,
): void {
  if (id === null) {
    takeFailed(draft, address, flight, atMs);
    return;
  }
  const step = flight.unanswered ?? flight.pending?.step ?? flight.action.idStep;
  if (step !== undefined) draft.begun.set(address, answeredBy(flight, step, { id }));
}

function answeredBy(flight: InFlight, step: string, outputs: Outputs): InFlight {
  const rest = withoutPending(flight);
  return { ...rest, answered: { ...flight.answered, [step]: { ...flight.answered[step], ...outputs } } };
}

/** The same without what its last request had left open. */
function withoutPending({ runId, action, answered, known, effects, own, triggeredBy, triggered }: InFlight): InFlight {
  return {
    runId,
    action,
    answered,
    known,
    effects,
    ...(own !== undefined && { own }),
    ...(triggeredBy !== undefined && { triggeredBy }),
    ...(triggered === true && { triggered }),
  };
}

/** Everything that the answers of an action gave, later ones over earlier ones. */
export function outputsOf(flight: Pick<InFlight, 'answered'> | undefined): Outputs {
  return Object.assign({}, ...Object.values(flight?.answered ?? {})) as Outputs;
}

/** The fewest entries that come to this view, with the times that matter; used to rewrite a long ledger. */
export function entriesOf(view: LedgerView): readonly { readonly atMs?: number; readonly entry: LedgerEntry }[] {
  const bound = [...view.objects.values()].map((object) => ({ entry: { type: 'bound', ...object } as const }));
  const runs = view.runs ?? [];
  const finishedByRuns = new Set(runs.flatMap(({ planId, end }) => (end?.complete === true ? [planId] : [])));
  const finished = [...view.finishedPlans]
    .filter((planId) => !finishedByRuns.has(planId))
    .map((planId) => ({ entry: { type: 'run-finished', runId: '', planId, complete: true } as const }));
  return [
    ...(view.history ?? []).map(({ atMs, ...kept }) => ({ atMs, entry: { type: 'history', ...kept } as const })),
    ...runs.flatMap(entriesOfRun),
    ...bound,
    ...finished,
    ...view.inFlight.flatMap((flight) => entriesInFlight(flight)),
    ...[...(view.told ?? [])].map(([channel, state]) => ({ entry: { type: 'told', channel, state } as const })),
    ...(view.doneActs ?? []).map(({ act, doneAtMs, ...kept }) => ({
      atMs: doneAtMs,
      entry: { type: 'acted', act, kept } as const,
    })),
    ...(view.openActs ?? []).map(({ sentAtMs, ...act }) => ({
      atMs: sentAtMs,
      entry: { type: 'act', ...act } as const,
    })),
    ...(view.recorded === true ? [{ entry: { type: 'recorded' } as const }] : []),
  ];
}

function entriesOfRun({ runId, planId, startedAtMs, approved, by, end }: LedgerRun) {
  const started = { type: 'run-started', runId, planId, approved, ...(by !== undefined && { by }) } as const;
  return [
    { atMs: startedAtMs, entry: started },
    ...(end === undefined
      ? []
      : [{ atMs: end.atMs, entry: { type: 'run-finished', runId, planId, complete: end.complete } as const }]),
  ];
}

function entriesInFlight(flight: InFlight): readonly { readonly atMs?: number; readonly entry: LedgerEntry }[] {
  const {
    runId,
    action,
    known,
    effects,
    own,
    triggeredBy,
    triggered,
    answered,
    pending,
    unanswered,
    sentAtMs,
    sendings,
    reason,
  } = flight;
  const { address } = action;
  const entries: { readonly atMs?: number; readonly entry: LedgerEntry }[] = [
    {
      entry: {
        type: 'begin',
        runId,
        action,
        known,
        effects,
        ...(own !== undefined && { own }),
        ...(triggeredBy !== undefined && { triggeredBy }),
        ...(triggered === true && { triggered }),
      },
    },
  ];
  for (const [step, outputs] of Object.entries(answered)) {
    if (step !== pending?.step)
      entries.push({ entry: { type: 'answered', address, step, status: null, row: null, outputs } });
  }
  if (pending !== undefined) {
    const { step, status, row, follow } = pending;
    entries.push({ entry: { type: 'answered', address, step, status, row, follow, outputs: answered[step] ?? {} } });
  }
  if (unanswered !== undefined) {
    const at = sentAtMs === undefined ? {} : { atMs: sentAtMs };
    for (let count = 0; count < (sendings ?? 1); count += 1)
      entries.push({ ...at, entry: { type: 'sent', address, step: unanswered } });
  }
  if (reason !== undefined) entries.push({ entry: { type: 'held', address, reason } });
  return entries;
}
