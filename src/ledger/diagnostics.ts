// What the codes of the ledger (HW5xxx, HW716x) mean: the one table of their constant summaries.
import type { Address } from '../model/address.ts';
import type { Diagnostic, Severity } from '../model/diagnostic.ts';

export const LEDGER_SUMMARIES = {
  HW5001: 'The ledger is damaged',
  HW5002: 'The ledger belongs to another account',
  HW5003: 'The ledger was written by a newer version',
  HW5004: 'The ledger is locked',
  HW5005: 'A damaged ledger was set aside and not replaced',
  HW5006: 'The ledger could not be written',
  HW5007: 'The ledger could not be reached',
  HW5008: 'The last line of the ledger was incomplete',
  HW5009: 'The lock of a run that died was taken over',
  HW5010: 'No such object in the ledger',
  HW5011: 'No request for this object is in flight',
  HW5012: 'The lock is held by a running process',
  HW5013: 'The lock could not be released',
  HW5014: 'The ledger could not be shortened',
  HW5015: 'The history is not whole',
  HW5016: 'No such run in the history',
  HW7161: 'The package that PostgreSQL needs is missing',
  HW7162: 'The address of the database is missing',
  HW7163: 'The database has no tables for ledgers',
  HW7164: 'The ledgers of all accounts are in no database',
} as const;

export type LedgerCode = keyof typeof LEDGER_SUMMARIES;

/** A diagnostic of the ledger. `detail` says what, why and what to do. */
export function diagnose(
  code: LedgerCode,
  detail: string,
  address?: Address,
  severity: Severity = 'error',
): Diagnostic {
  return { code, severity, summary: LEDGER_SUMMARIES[code], detail, ...(address !== undefined && { address }) };
}
