// How a kind says which of two actions comes first, and why.
import type { Action } from '../plan/plan.ts';

/**
 * An ordering constraint between actions, by the number of its rule. `within` bounds which pairs are looked at; what
 * rests on another root is told by `needs`.
 */
export interface OrderRule {
  readonly rule: string;
  readonly reason: string;
  readonly within: 'parent' | 'root';
  readonly before: (action: OrderedAction) => boolean;
  readonly after: (action: OrderedAction) => boolean;
  /** Of those, only the pairs that have to do with each other. Absent: all. */
  readonly between?: (before: OrderedAction, after: OrderedAction) => boolean;
  /**
   * A removal that goes first here does not wait for the changes, as removals do (O-70): it frees what the other takes,
   * or could not be done after it.
   */
  readonly frees?: true;
}

/** What an ordering constraint may look at. */
export interface OrderedAction extends Pick<Action, 'address' | 'kind' | 'verb' | 'changes' | 'stage' | 'hook'> {
  /** How many members the collection had when it was read. */
  readonly liveMembers: number;
}
