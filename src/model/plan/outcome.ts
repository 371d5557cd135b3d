// How a run ends, in one word and one exit code, and what is told of each action.
import type { Address } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { PlanBlocker, Verb } from './plan.ts';

export const OUTCOME_FORMAT = 'hostwright.outcome/1';

export type OutcomeWord =
  'done' | 'differences' | 'waiting' | 'partly-applied' | 'error' | 'refused' | 'conflict' | 'interrupted';

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

/** How an action ended, in one word. */
export type ActionWord =
  | 'done' // carried out
  | 'already-done' // live was as wanted before anything was sent
  | 'failed'
  | 'skipped' // something that it needs failed or waits
  | 'blocked' // refused for a reason outside; nothing was done
  | 'waiting' // its deadline passed, or someone outside must act
  | 'unknown-outcome' // sent, and nobody can know by reading whether it was carried out
  | 'not-started'; // interrupted or refused before it began

export interface ActionOutcome {
  readonly address: Address;
  readonly verb: Verb;
  readonly result: ActionWord;
  readonly reason?: string;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** Why something is still not as declared. */
export type RemainingWord =
  | 'blocked' // the platform or the manifests do not allow it as it is: it does not pass by itself
  | 'by-hand' // the platform has no call for it
  | 'waiting' // somebody or something outside has to act
  | 'unknown' // it could not be read
  | 'unplanned'; // a new plan has it as an action

export interface Remaining extends PlanBlocker {
  readonly is?: RemainingWord;
}

export interface Outcome {
  readonly format: typeof OUTCOME_FORMAT;
  readonly outcome: OutcomeWord;
  readonly exitCode: number;
  readonly account: string;
  readonly planDigest: string;
  readonly actions: readonly ActionOutcome[];
  /** What the read-back after the run still found to differ or could not do. */
  readonly remaining: readonly Remaining[];
  /** What is begun and not over: only `--resume` continues it. Absent: the run ended before it had the ledger. */
  readonly inFlight?: readonly Address[];
  /** Nobody reviewed this plan, and the workspace refuses that: what a person runs instead, where that is known. */
  readonly unreviewed?: { readonly planId: string; readonly command?: string };
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: { readonly reads: number; readonly writes: number };
}
