// What one run over many accounts ends with: one entry for each account, and nothing that spans accounts.
import type { Diagnostic } from '../diagnostic.ts';
import type { GuardCheck } from './guard-check.ts';
import type { Outcome, OutcomeWord } from './outcome.ts';
import type { Plan, PlanSummary } from './plan.ts';

export const FLEET_FORMAT = 'hostwright.fleet/1';

export type FleetCommand = 'plan' | 'apply' | 'drift' | 'doctor' | 'ledger';

/** What became of one account. */
export interface FleetAccount {
  readonly account: string;
  /** The folder of its workspace, seen from where the command ran. */
  readonly workspace: string;
  readonly outcome: OutcomeWord;
  /** In one line, what a reader of the table should know beside the counts. */
  readonly note?: string;
  /**
   * Of `doctor` and `ledger`: what a person should look at though nothing failed, a sentence each. Absent: nothing.
   */
  readonly attention?: readonly string[];
  /** Of `plan`, `drift` and `apply`: what the plan of this run counted. */
  readonly summary?: PlanSummary;
  /** sha256 over the actions of its plan: what `fleet apply --expect` approves. */
  readonly digest?: string;
  /** The same where the same is done, whatever the account: such accounts are told in one row. */
  readonly content?: string;
  readonly requests: number;
  readonly ms: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Only where it has something to tell: hundreds of empty plans would be told for nothing. */
  readonly plan?: Plan;
  /** Of `plan`: whether apply would run it, where it would not, or where the branch changes what decides that. */
  readonly guardCheck?: GuardCheck;
  /** Of `apply`, where something was run. */
  readonly result?: Outcome;
}

export interface Fleet {
  readonly format: typeof FLEET_FORMAT;
  readonly command: FleetCommand;
  /** The parts that this was joined from, such as `3/8`. Absent: it is whole. */
  readonly shards?: readonly string[];
  readonly outcome: OutcomeWord;
  readonly exitCode: number;
  /** What stands in the way of the run as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** By account, in the order of their ids. */
  readonly accounts: readonly FleetAccount[];
}

/** A part of all accounts, such as the third of eight. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}
