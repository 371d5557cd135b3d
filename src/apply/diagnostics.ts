// What the codes of applying (HW4xxx) and of the ledger (HW5xxx, HW716x) mean: the one table of their constant summaries.
import type { Address } from '../model/address.ts';
import type { Diagnostic, Severity } from '../model/diagnostic.ts';

const SUMMARIES = {
  HW4001: 'The live side changed since the review',
  HW4002: 'The live side could not be read',
  HW4003: 'An action failed',
  HW4004: 'The outcome of a request is unknown',
  HW4005: 'The credential was refused',
  HW4006: 'The credential lacks a scope',
  HW4007: 'A secret is missing',
  HW4008: 'An action is not in the reviewed set',
  HW4009: 'This plan was carried out before',
  HW4010: 'Actions wait for each other in a circle',
  HW4011: 'The plan is for another account',
  HW4012: 'The deadline came before the end of the run',
  HW4013: 'A one-time secret cannot be saved',
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
  HW7161: 'The package that PostgreSQL needs is missing',
  HW7162: 'The address of the database is missing',
  HW7163: 'The database has no tables for ledgers',
  HW7164: 'The ledgers of all accounts are in no database',
} as const;

export type ApplyCode = keyof typeof SUMMARIES;

/**
 * A diagnostic of this folder. `detail` says what, why and what to do, and has passed the redactor where it quotes an
 * answer.
 */
export function diagnose(code: ApplyCode, detail: string, address?: Address, severity: Severity = 'error'): Diagnostic {
  return { code, severity, summary: SUMMARIES[code], detail, ...(address !== undefined && { address }) };
}

/** Told once a run, whatever it was that the deadline cut off. */
export function deadlineCame(): Diagnostic {
  return diagnose(
    'HW4012',
    'No further change was begun when the deadline was near, and waiting stopped at the deadline. Run `hostwright apply` again for the rest.',
    undefined,
    'warning',
  );
}
