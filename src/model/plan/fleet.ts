// What one run over many accounts ends with: one entry for each account, and nothing that spans accounts.
import type { Diagnostic } from '../diagnostic.ts';
import type { Account as AccountDocument, Fleet as FleetDocument } from '../generated/output/fleet.ts';
import type { GuardCheck } from './guard-check.ts';
import type { Outcome } from './outcome.ts';
import type { Plan } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';

export const FLEET_FORMAT = 'hostwright.fleet/1';

export type FleetCommand = FleetDocument['command'];

/** What became of one account. */
export interface FleetAccount extends Omit<
  AccountDocument,
  'diagnostics' | 'plan' | 'guardCheck' | 'rehearsal' | 'result'
> {
  readonly diagnostics: readonly Diagnostic[];
  readonly plan?: Plan;
  readonly guardCheck?: GuardCheck;
  readonly rehearsal?: Rehearsal;
  readonly result?: Outcome;
}

export interface Fleet extends Omit<FleetDocument, 'exitCode' | 'diagnostics' | 'accounts'> {
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly accounts: readonly FleetAccount[];
}

/** A part of all accounts, such as the third of eight. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}
