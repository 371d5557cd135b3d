// How a run ends, in one word and one exit code, and what is told of each action.
import type { Action as ActionDocument, Blocker, Outcome as OutcomeDocument } from '../generated/output/outcome.ts';
import type { PlanBlocker } from './plan.ts';

export const OUTCOME_FORMAT = 'hostwright.outcome/1';

export type OutcomeWord = OutcomeDocument['outcome'];

/** Exit code of each word. */
export const EXIT_CODES: Readonly<Record<OutcomeWord, number>> = {
  done: 0,
  error: 1,
  differences: 2,
  waiting: 3,
  conflict: 4,
  refused: 5,
  'partly-applied': 6,
  interrupted: 130,
};

// Highest first: of several words that are true of one run, this order decides.
const PRECEDENCE: readonly OutcomeWord[] = [
  'interrupted',
  'conflict',
  'refused',
  'error',
  'partly-applied',
  'waiting',
  'differences',
  'done',
];

/** The word that decides the exit code when several are true. */
export function decideOutcome(words: readonly OutcomeWord[]): OutcomeWord {
  return PRECEDENCE.find((word) => words.includes(word)) ?? 'done';
}

export type { Action as ActionOutcome } from '../generated/output/outcome.ts';

/** How an action ended. `skipped`: something that it needs failed or waits. */
export type ActionWord = ActionDocument['result'];

/** Why something is still not as declared. */
export type RemainingWord = NonNullable<Blocker['is']>;

export interface Remaining extends PlanBlocker, Pick<Blocker, 'is'> {}

/** `remaining`: what the read-back after the run still found to differ or could not do. */
export interface Outcome extends Omit<OutcomeDocument, 'remaining'> {
  readonly remaining: readonly Remaining[];
}
