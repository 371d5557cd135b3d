// What the codes of applying (HW4xxx) mean: the one table of their constant summaries, with those of the ledger.
import { LEDGER_SUMMARIES } from '../ledger/diagnostics.ts';
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
  ...LEDGER_SUMMARIES,
} as const;

type ApplyCode = keyof typeof SUMMARIES;

/**
 * A diagnostic of apply or of its ledger. `detail` says what, why and what to do, and has passed the redactor where it quotes an
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
