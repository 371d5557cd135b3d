// The word, and so the exit code, with which a command that reports ends; a run's own word comes with its outcome.
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { decideOutcome, EXIT_CODES } from '../model/plan/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import { isUnfinished } from '../model/plan/plan.ts';

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

export interface Reported {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * `plan` ends with 0 whenever the whole account that is declared could be read and planned: what it says is its result,
 * not its failure. Something that could not be read was not compared, so that is 1. With `detailed` (`plan
 * --detailed-exitcode`, and `drift` always) what the plan says counts too: 3 when something stands in the way of a
 * declared state, else 2 when there are actions.
 */
export function planOutcome(
  { plan, diagnostics }: Reported,
  how: { readonly detailed: boolean; readonly stopped: boolean },
): OutcomeWord {
  const words: OutcomeWord[] = [];
  if (how.stopped) words.push('interrupted');
  if (plan === undefined || hasErrors(diagnostics)) words.push('error');
  if (plan !== undefined && plan.unknown.length > 0) words.push('error');
  if (plan !== undefined && how.detailed) {
    if (plan.actions.length > 0) words.push('differences');
    if (isUnfinished(plan)) words.push('waiting');
  }
  return decideOutcome(words);
}

export function diagnosticsOutcome(diagnostics: readonly Diagnostic[], stopped: boolean): OutcomeWord {
  return decideOutcome([
    ...(stopped ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) ? (['error'] as const) : []),
  ]);
}
