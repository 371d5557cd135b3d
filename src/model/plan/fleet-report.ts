// How the accounts of a fleet are: what a page for operators shows, and the same as JSON.
import type { Account, End, Run, Wait } from '../generated/output/fleet-report.ts';

export type { FleetReport } from '../generated/output/fleet-report.ts';

export const FLEET_REPORT_FORMAT = 'hostwright.fleet-report/1';

export type AccountReport = Account;
export type AccountState = Account['state'];
export type ReportedWait = Wait;
export type ReportedEnd = End;
export type ReportedRun = Run;

/** What needs somebody first. */
export const ACCOUNT_STATES: readonly AccountState[] = [
  'failed',
  'locked',
  'drifted',
  'waiting',
  'in-order',
  'never-run',
];
