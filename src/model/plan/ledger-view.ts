// What the engine may know of the ledger: who is bound to what, what is ours, what was last applied. Read only. The
// truth is the manifests and the API; this is the safety net for what neither can tell.
import type { Address } from '../address.ts';
import { collectionOf, parseAddress } from '../address.ts';
import type { JsonObject } from '../json.ts';
import type { ChainedRow } from './history.ts';
import type { BegunAction } from '../ledger/begun.ts';
import type { Effect } from './plan.ts';
import type { RotationTokens } from '../secret.ts';
import type { StartedBy } from './started-by.ts';

export interface LedgerObject {
  readonly address: Address;
  readonly id: string;
  /** Named by a manifest once, or made by us: may be removed when no manifest names it any more. */
  readonly owned: boolean;
  /**
   * The normalised values of the last apply: of each declared field what was last seen to be as declared, else what was
   * first seen.
   */
  readonly applied: JsonObject;
  /** When a run of ours made it. Absent: it was there before, or an older version made it. */
  readonly createdAtMs?: number;
  /** Since when `applied` is known to have been so. */
  readonly appliedAtMs?: number;
  /**
   * The kinds of which all that was live in it was once seen to be declared and is recorded, and when: what is not
   * recorded came later.
   */
  readonly lists?: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** With which rotation token each secret was last written. */
  readonly rotated?: RotationTokens;
}

/** An action that has not ended and may have sent a request; or a hook that is owed by a change that was carried out. */
export interface InFlight {
  readonly runId: string;
  /** Facts about the action. Its steps are generated again from the templates of its kind. */
  readonly action: BegunAction;
  /** Request steps whose answer is recorded, with what was taken from it. */
  readonly answered: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** An answered request step of which the rest is still to do: what its answer promised, or finding what it made. */
  readonly pending?: {
    readonly step: string;
    readonly status: number;
    /** The name of the row of the answer table that took it; null where the defaults did. */
    readonly row: string | null;
    readonly follow: 'wait-for' | 'look-up';
  };
  /** A request that was sent and whose answer was never recorded. */
  readonly unanswered?: string;
  /** Of `unanswered`: when it was last sent, and how often. */
  readonly sentAtMs?: number;
  readonly sendings?: number;
  /** Outputs of other objects that its steps refer to, as they were known when it began. */
  readonly known: Readonly<Record<Address, Readonly<Record<string, string>>>>;
  /** What earlier actions of that run had changed in this object when it began. */
  readonly effects: readonly Effect[];
  /** Identities in its collection that its run creates, deletes or moves. */
  readonly own?: readonly string[];
  /** Of a hook that comes after changes: their addresses, in every run that began it. */
  readonly triggeredBy?: readonly Address[];
  /** At least one of those changes was carried out since the hook was begun. */
  readonly triggered?: true;
  readonly reason?: string;
}

/** A plan that was carried out, or begun. A run that plans again has one for each of its plans. */
export interface LedgerRun {
  readonly runId: string;
  readonly planId: string;
  readonly startedAtMs: number;
  /** The digests that it was allowed to run. */
  readonly approved: readonly string[];
  /** Absent: an older version wrote it. */
  readonly by?: StartedBy;
  /** Absent: it has not ended, or it was killed. `complete`: everything in the plan was done. */
  readonly end?: { readonly atMs: number; readonly complete: boolean };
}

/** A request that a person asked for by a command, and of which nobody knows what became of it. */
export interface OpenAct {
  /** What was to be done to what: `run restore shop (site-shop) content from nightly`. */
  readonly act: string;
  readonly runId: string;
  /** Method and path. */
  readonly request: string;
  readonly sentAtMs: number;
}

/** What is remembered of a request that a person asked for and that was accepted. */
export interface KeptAct {
  /** Method and path. */
  readonly request: string;
  /** When a person wanted its effect to end: no call sets that, so somebody has to be told. */
  readonly untilMs?: number;
}

export interface DoneAct extends KeptAct {
  readonly act: string;
  readonly doneAtMs: number;
}

export interface LedgerView {
  /**
   * `complete`: made by `ledger init` or restored; `partial`: began when none was found, so that its silence proves
   * nothing; `missing`.
   */
  readonly standing: 'complete' | 'partial' | 'missing';
  readonly account: string | undefined;
  /** Grows with every entry; makes a plan's id single use. */
  readonly sequence: number;
  readonly objects: ReadonlyMap<Address, LedgerObject>;
  /**
   * Nothing was applied since all that was declared and live was written down: what is not in `objects` was not there,
   * or not declared.
   */
  readonly recorded?: true;
  readonly inFlight: readonly InFlight[];
  /**
   * Actions that ended well since the last run that did everything it was to do, the oldest first: what an interrupted run
   * did. Absent: none, or the ledger was written anew since.
   */
  readonly done?: readonly BegunAction[];
  /**
   * Actions that ended after a request of theirs was answered and before all were sent, the oldest first: the next plan
   * has what is left of them. Absent: none, or a run has done everything since.
   */
  readonly interrupted?: readonly BegunAction[];
  /** Ids of plans that were carried out to the end. */
  readonly finishedPlans: ReadonlySet<string>;
  /** The newest {@link RUNS_KEPT} runs, the oldest first. Absent: none. */
  readonly runs?: readonly LedgerRun[];
  /** What runs did, the oldest first. Absent: nothing that was written down. */
  readonly history?: readonly ChainedRow[];
  /** What each channel of notifications was told and is still so, by key. Absent: nothing was told. */
  readonly told?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Absent: none. */
  readonly openActs?: readonly OpenAct[];
  /** The last of each name that is remembered. Absent: none. */
  readonly doneActs?: readonly DoneAct[];
}

/** So many runs are remembered, also when the ledger is written anew. */
export const RUNS_KEPT = 500;

export const MISSING_LEDGER: LedgerView = {
  standing: 'missing',
  account: undefined,
  sequence: 0,
  objects: new Map(),
  inFlight: [],
  finishedPlans: new Set(),
};

/** The identities that are ours, by collection. */
export function ownedByCollection(ledger: Pick<LedgerView, 'objects'>): ReadonlyMap<string, ReadonlySet<string>> {
  const owned = new Map<string, Set<string>>();
  for (const object of ledger.objects.values()) {
    const name = parseAddress(object.address)?.at(-1)?.name;
    if (!object.owned || typeof name !== 'string') continue;
    const collection = collectionOf(object.address);
    owned.set(collection, (owned.get(collection) ?? new Set<string>()).add(name));
  }
  return owned;
}
