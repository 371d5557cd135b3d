// The options of `get`.
import type { Narrowed } from '../../../model/shown.ts';

export interface GetOptions extends Narrowed {
  /** Milliseconds. */
  readonly since?: number;
  /** Milliseconds. */
  readonly until?: number;
  readonly filter?: Readonly<Record<string, string>>;
  readonly chart?: readonly string[];
  readonly watch?: boolean;
  readonly raw?: string;
}
