// The plan document: the program that a reviewer reads and apply interprets. It survives JSON unchanged.
import type { Address } from '../address.ts';
import { compareText, rootOf } from '../address.ts';
import type { Diagnostic, SourcePosition } from '../diagnostic.ts';
import type { DriftItem, IgnoredDrift } from './drift.ts';
import type { Json } from '../json.ts';
import type { Orphaned } from './orphaned.ts';
import type { SecretPlace } from '../secret.ts';
import type { Price } from '../price.ts';
import type { Step } from './step.ts';

export const PLAN_FORMAT = 'hostwright.plan/1';

export type Verb = 'create' | 'update' | 'delete';
/**
 * What an action does that a reviewer has to see. lapse: it is renewed no more, and ends on its day. exposure: it lowers
 * protection. primary: another hostname becomes the
 * primary one of a site, or the primary one goes.
 */
export type Risk = 'charge' | 'delete' | 'lapse' | 'restart' | 'exposure' | 'primary' | 'irreversible';

/** What a run without review may be allowed by name: verbs, and risks that no ceiling counts. `delete` is both. */
export const APPROVABLE = ['create', 'update', 'delete', 'lapse', 'exposure', 'primary', 'irreversible'] as const;
export type Approvable = (typeof APPROVABLE)[number];

/** An RFC 6902 operation on the normalised document of the object, with the value that was there for readers. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly was?: Json;
  readonly value?: Json;
  /** The field holds the secret that is there. `was` and `value` are then its `rotate` marks: never what it holds. */
  readonly secret?: SecretPlace;
  /** The field is a mark: what it marks is done again. `was` is the mark in the ledger. */
  readonly rotationToken?: true;
  /**
   * Where in `was` and `value` there is something about a person, as pointers: formats made for sharing do not show
   * that.
   */
  readonly personal?: readonly string[];
}

/** What must be true of the live object for the action to be the one that was reviewed. */
export interface Expectation {
  readonly exists: boolean;
  /** RFC 6902 tests against the normalised live document. */
  readonly tests: readonly { readonly op: 'test'; readonly path: string; readonly value: Json }[];
  /**
   * Identities of all members of the list, where the list is authoritative: a neighbour slipped in after the review is
   * a conflict.
   */
  readonly siblings?: readonly string[];
  /**
   * `siblings` are in their order, and order is meaning: neighbours that changed places are a conflict. `moved`: this
   * action changes its own place.
   */
  readonly order?: 'kept' | 'moved';
  /**
   * A move: where it comes from. It is there before, and these tests hold when it leaves; afterwards it is gone from
   * there.
   */
  readonly from?: { readonly address: Address; readonly tests: Expectation['tests'] };
  /** Of a rename: the address that it has until it is done. */
  readonly renamedFrom?: Address;
}

/** An ordering edge: this action starts when the other one is done, because of a rule of the platform. */
export interface Need {
  readonly address: Address;
  readonly rule: string;
  readonly reason: string;
}

/**
 * A value in another object that changes when an action is done: a promoted domain makes the previous primary an alias.
 */
export interface Effect {
  readonly address: Address;
  readonly path: string;
  readonly value: Json;
}

/**
 * What the credential must be able to do. Never changes a plan; checked before the first write where it can be known.
 */
export interface Requirement {
  /** A user stands behind it: a system key does not do (CNV-13). */
  readonly userCredential: boolean;
  /** OAuth tokens are refused whatever their scopes (CNV-11). */
  readonly closedToOauth?: true;
  readonly scopes: readonly string[];
  readonly roles: readonly ('can_modify' | 'can_destroy')[];
}

export interface Action {
  readonly address: Address;
  readonly kind: string;
  /**
   * sha256 over account, address, verb, changes, expectations, steps, risk, cost and protection; other objects by
   * address, never by id.
   */
  readonly digest: string;
  readonly verb: Verb;
  readonly reason: string;
  readonly source?: SourcePosition;
  readonly changes: readonly Change[];
  readonly expect: Expectation;
  readonly risk: readonly Risk[];
  /** What it charges, as the platform quoted it for this plan. Absent: nothing, or nobody said what. */
  readonly cost?: Price;
  /** The manifest says `lifecycle.protect`: an action that deletes or charges is refused. */
  readonly protected: boolean;
  readonly requires: Requirement;
  /** Removals start when no change is left to do: a failed create must not leave less than before (O-70). */
  readonly stage: 'change' | 'removal';
  /** What it changes in other objects by itself: once it is done, their expectations are held against these values. */
  readonly effects: readonly Effect[];
  /** Held while the action runs, taken in sorted order: actions with disjoint locks may run side by side. */
  readonly locks: readonly string[];
  readonly steps: readonly Step[];
  readonly needs: readonly Need[];
  /**
   * Done because of other changes, and leaves nothing that could be compared. after: once, when all that it needs has
   * ended, if any of that was carried out. command: by itself, because a person asked for it with a command.
   */
  readonly hook?: 'before' | 'after' | 'command';
  /**
   * Of a delete by a list that never named the object, as far as the ledger knows: what keeps it. `yaml`: its lines under
   * `spec:`. `accept`: `drift --accept` can write them; not where its place in the order is not clear.
   */
  readonly keep?: { readonly yaml: string; readonly accept: boolean };
  /** Of a delete: what the object holds, as it was read for this plan. Outside every digest. */
  readonly holds?: readonly Held[];
}

/** Something in an object that is to be deleted. */
export interface Held {
  /** What one of them is called. */
  readonly what: string;
  /** How many there are. Absent: that could not be read. */
  readonly count?: number;
  /** How they are called, where each has a name. */
  readonly names?: readonly string[];
  /** The part of the object that they belong to. */
  readonly of?: string;
  /** When the newest was made, as the platform writes it. */
  readonly newest?: string;
}

/** An action before it is known which others it waits for. Its digest is the same in every account. */
export type UnorderedAction = Omit<Action, 'needs'>;

/** A live object that no manifest names: left alone, with the YAML that would adopt it. */
export interface Unmanaged {
  readonly collection: string;
  readonly kind: string;
  readonly identity: string;
  readonly yaml: string;
}

/**
 * Cannot be done now, and nothing in this plan changes that. `rule` says which fact of the platform stands in the way.
 */
export interface PlanBlocker {
  readonly address: Address;
  readonly reason: string;
  readonly remedy: string;
  readonly rule?: string;
  /** Where a manifest declares it. Absent: it is in flight, or no file is known. */
  readonly source?: SourcePosition;
}

/** Cannot be observed, and so not be planned, before another action has run. */
export interface Deferred {
  readonly address: Address;
  readonly until: Address;
  readonly reason: string;
  /** sha256 over what the manifests declare there: what is planned later is for this, or is not run. */
  readonly declared: string;
  /** What the manifests declare there, for whoever approves it. Absent: an older version made the plan. */
  readonly objects?: readonly DeferredObject[];
}

/** An object that is declared and planned later: each of its fields, as it would be written to something new. */
export interface DeferredObject {
  readonly address: Address;
  readonly changes: readonly Change[];
}

/** What a plan was limited to: by `--target`, `--changed-since`, or the paths that were named. */
export interface Coverage {
  /** The plan has actions on these and on what is in them, and what those need. Empty: on all that was read. */
  readonly targets: readonly Address[];
  /** Only these roots were read. Absent: all that are declared. */
  readonly read?: readonly Address[];
}

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly charges: number;
  readonly restarts: number;
  readonly manual: number;
  readonly waiting: number;
  readonly blocked: number;
  readonly unknown: number;
  readonly unmanaged: number;
  readonly unchanged: number;
}

export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  /**
   * sha256 over all the rest of the document. Names this plan for single use: the ledger refuses a plan that it has
   * seen finish.
   */
  readonly planId: string;
  /** How long the ledger was when the plan was made; makes the id of a later, equal plan another one. */
  readonly ledgerSequence: number;
  readonly account: string;
  /** sha256 over the sorted action digests. */
  readonly digest: string;
  readonly summary: PlanSummary;
  /** In execution order. */
  readonly actions: readonly Action[];
  /** Ids of the live objects that actions refer to. Outside every digest. */
  readonly bindings: Readonly<Record<Address, string>>;
  readonly unmanaged: readonly Unmanaged[];
  /** Made or declared by us, live, and in no manifest any more. Absent: nothing is, or nobody looked. */
  readonly orphaned?: readonly Orphaned[];
  /** Someone or something stands in the way; the rest goes on. */
  readonly blocked: readonly PlanBlocker[];
  /** Could not be read completely: neither created, changed nor removed. */
  readonly unknown: readonly PlanBlocker[];
  /** In flight from an earlier run, or held by something outside. */
  readonly waiting: readonly PlanBlocker[];
  /** Only a person can do it. */
  readonly manual: readonly PlanBlocker[];
  readonly deferred: readonly Deferred[];
  /** Absent: everything that the workspace declares. */
  readonly covers?: Coverage;
  readonly notices: readonly Diagnostic[];
  /**
   * Of `drift`: what differs, and who changed it as far as that is known. Outside every digest and the id of the plan.
   */
  readonly drift?: readonly DriftItem[];
  /** Of `drift`: what it was told to ignore; none of it is in the other lists. Outside as well. */
  readonly ignored?: readonly IgnoredDrift[];
  /** Of `drift`: kinds of which something is neither declared nor observed. Outside as well. */
  readonly notWatched?: readonly string[];
}

/** True when the plan has nothing to do and nothing left over. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.actions.length === 0 && !isUnfinished(plan);
}

/** True when something declared is not so, and this plan cannot make it so. */
export function isUnfinished(plan: Plan): boolean {
  return (
    plan.blocked.length + plan.unknown.length + plan.waiting.length + plan.manual.length + plan.deferred.length > 0
  );
}

/**
 * What a plan is about: its targets, or what it was limited to; of a plan of everything, the roots in which it does
 * something. Undefined where it does nothing: then only a look at everything shows that there is nothing to do.
 */
export function subjectsOf({ covers, actions, deferred }: Plan): readonly Address[] | undefined {
  if (covers !== undefined) return covers.targets.length > 0 ? covers.targets : covers.read;
  const roots = new Set([...actions, ...deferred].map(({ address }) => rootOf(address)));
  return roots.size === 0 ? undefined : [...roots].sort(compareText);
}
