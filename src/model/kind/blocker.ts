// Why something cannot be done now, as a kind says it, and what to do about it.
export interface Blocker {
  readonly reason: string;
  readonly remedy: string;
  readonly rule: string;
  /** In which list of the plan it is told. Absent: `blocked`. */
  readonly as?: 'manual' | 'waiting' | 'unknown';
  /** It says that what the object `needs` is not there, and counts only where no manifest declares that. */
  readonly unlessDeclared?: true;
}
