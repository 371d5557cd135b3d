// What a run tells of how far it is, and the form of it that every command begins with.
import type { EmitEvent } from '../../model/plan/event.ts';

export interface Progress {
  readonly emit: EmitEvent;
  /** A line that is always shown, above what is live. */
  readonly note: (text: string) => void;
  /** Takes the live display away, for a question or a result; the next event brings it back. */
  readonly pause: () => void;
  readonly stop: () => void;
}

/** Nothing but notes. */
export function silentProgress(note: (text: string) => void): Progress {
  return { emit: () => undefined, note, pause: () => undefined, stop: () => undefined };
}
