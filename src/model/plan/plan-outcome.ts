// The words that a plan, and what has nothing but diagnostics, end with.
import type { Diagnostic } from '../diagnostic.ts';
import { failureWord, hasErrors } from '../diagnostic.ts';
import type { OutcomeWord } from './outcome.ts';
import { decideOutcome } from './outcome.ts';
import type { Plan } from './plan.ts';
import { isUnfinished } from './plan.ts';

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
  if (plan === undefined || hasErrors(diagnostics)) words.push(failureWord(diagnostics));
  if (plan !== undefined && plan.unknown.length > 0) words.push('error');
  if (plan !== undefined && how.detailed) {
    const isElsewhere = plan.drift?.some((item) => item.class === 'undeclared') === true;
    if (plan.actions.length > 0 || isElsewhere) words.push('differences');
    if (isUnfinished(plan)) words.push('waiting');
  }
  return decideOutcome(words);
}

export function diagnosticsOutcome(diagnostics: readonly Diagnostic[], stopped: boolean): OutcomeWord {
  return decideOutcome([
    ...(stopped ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) || failureWord(diagnostics) === 'waiting' ? [failureWord(diagnostics)] : []),
  ]);
}
