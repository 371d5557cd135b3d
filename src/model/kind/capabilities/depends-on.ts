// How a kind says that it has no meaning without another one beside it.
import type { Unread } from '../collection.ts';
import type { Answers } from '../read.ts';
import type { FieldUntil } from '../until.ts';

/**
 * While the manifest wants that field false nothing is asked for here, but for removals, which come first.
 */
export interface DependsOn extends FieldUntil {
  /** Why the rest is not to be read, as an answer that is no error says; null when nothing stands in the way. */
  readonly notReady?: (answers: Answers) => Unread | null;
}
