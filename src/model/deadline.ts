// For a run that has to be over by some time, when nothing that writes is begun any more and when nothing is waited
// for.
import type { Diagnostic } from './diagnostic.ts';
import { diagnose } from './diagnostic.ts';

export interface Deadline {
  /** Waits and reads end here. */
  readonly atMs: number;
  /** No write begins from here on: the rest is for the answers to those that were begun. */
  readonly lastWriteAtMs: number;
}

/**
 * The deadline of a run that begins now. A write has as long to be answered as any other has, but never more than the
 * last quarter.
 */
export function deadlineOf(nowMs: number, durationMs: number, timeoutMs: number): Deadline {
  const atMs = nowMs + durationMs;
  return { atMs, lastWriteAtMs: atMs - Math.min(timeoutMs, durationMs / 4) };
}

/** True when no write may begin. */
export function isNear(deadline: Deadline | undefined, nowMs: number): boolean {
  return deadline !== undefined && nowMs >= deadline.lastWriteAtMs;
}

/** True when nothing is waited for any more. */
export function isOver(deadline: Deadline | undefined, nowMs: number): boolean {
  return deadline !== undefined && nowMs >= deadline.atMs;
}

/** Returns the diagnostic of a plan that could not be made before the deadline. */
export function readingTooLate(): Diagnostic {
  return diagnose(
    'HW4012',
    'The account could not be read before the deadline, so nothing was planned and nothing was changed. Run the command again with a later `--deadline`.',
  );
}

/** The diagnostic of a run that its deadline cut off; once a run, whatever was left undone. */
export function deadlineCame(): Diagnostic {
  return diagnose(
    'HW4012',
    'No further change was begun when the deadline was near, and waiting stopped at the deadline. Run `hostwright apply` again for the rest.',
  );
}
