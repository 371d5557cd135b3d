// What a read gave, how a step ended, how an action ended: the three results of the interpreter.
import type { ActionOutcome } from '../model/plan/outcome.ts';
import type { Outputs } from '../model/plan/step.ts';
import type { ApiError } from '../platform/api-error.ts';

/** What looking for one row gave. None, one, many, and "could not be read" are told apart, never guessed. */
export type ReadResult =
  | { readonly result: 'found'; readonly outputs: Outputs }
  | { readonly result: 'none' }
  /** The row is there, and a value that was to be captured is not: an object whose id is still to come. */
  | { readonly result: 'incomplete'; readonly reason: string }
  | { readonly result: 'ambiguous'; readonly reason: string }
  | { readonly result: 'unreadable'; readonly error: ApiError };

/** How a step ended. */
export type StepResult =
  | { readonly result: 'done'; readonly outputs: Outputs }
  | { readonly result: 'failed'; readonly reason: string; readonly cause?: 'conflict' | 'scope' }
  /** It needs an answer to a read, and got none. */
  | { readonly result: 'unreadable'; readonly reason: string }
  /** Refused for a reason outside; nothing was done. */
  | { readonly result: 'blocked'; readonly reason: string }
  /** Its deadline passed, or someone outside must act: it stays in flight. */
  | { readonly result: 'waiting'; readonly reason: string }
  /** Done, and what is missing is up to someone outside: nothing stays in flight. */
  | { readonly result: 'pending-external'; readonly reason: string }
  /** Nobody can know by reading whether it was carried out. */
  | { readonly result: 'unknown'; readonly reason: string }
  /** Left out of what an earlier run began: the next plan decides anew. */
  | { readonly result: 'dropped'; readonly reason: string }
  /** `refused`: the request itself was, so that it changed nothing. */
  | { readonly result: 'unauthorised'; readonly reason: string; readonly refused?: true }
  /** The run was stopped before it ended. `reason`: what was waited for. */
  | { readonly result: 'stopped'; readonly reason?: string };

/** How an action ended: what is told of it, and what that means for the run as a whole. */
export interface ActionResult extends ActionOutcome {
  readonly cause?: 'conflict' | 'unreadable' | 'scope' | 'unauthorised' | 'ledger' | 'deadline';
  /** The reason without the step, which other actions may share. */
  readonly sharedReason?: string;
}
