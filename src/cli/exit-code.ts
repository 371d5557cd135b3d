// The word, and so the exit code, with which a command that reports ends; a run's own word comes with its outcome.
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES } from '../model/plan/outcome.ts';

export { diagnosticsOutcome, planOutcome } from '../model/plan/plan-outcome.ts';

/** A flag that is not known, a missing argument, a mistake of ours. */
export const USAGE_ERROR = EXIT_CODES.error;
export const INTERRUPTED = EXIT_CODES.interrupted;

export function exitCodeOf(word: OutcomeWord): number {
  return EXIT_CODES[word];
}

/**
 * The exit code of a command whose result could not be written: an error, unless it ended with something that counts
 * for more.
 */
export function exitCodeUnwritten(exitCode: number): number {
  const word = (Object.keys(EXIT_CODES) as OutcomeWord[]).find((one) => EXIT_CODES[one] === exitCode) ?? 'error';
  return exitCodeOf(decideOutcome([word, 'error']));
}
