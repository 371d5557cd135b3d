// How late a fresh row shows up in lists (the ambiguity lateLists).
import type { Ambiguities } from './ambiguities.ts';
import type { SandboxClock } from './clock.ts';

interface Lists {
  readonly ambiguities: Ambiguities;
  readonly clock: SandboxClock;
}

/** Not yet in any list: for so many list reads, or until then. */
export type Hidden = { reads: number } | { untilMs: number } | null;

export function consistencyLag({ ambiguities, clock }: Lists): Hidden {
  const [unit, amount] = ambiguities.lateLists.split(':');
  if (amount === undefined) return null;
  return unit === 'ms' ? { untilMs: clock.now() + Number(amount) } : { reads: Number(amount) };
}

/** Whether a list already shows it; each list read brings a late row nearer. */
export function isListed({ clock }: Pick<Lists, 'clock'>, { hidden }: { readonly hidden: Hidden }): boolean {
  if (hidden === null) return true;
  if ('untilMs' in hidden) return clock.now() >= hidden.untilMs;
  if (hidden.reads <= 0) return true;
  hidden.reads -= 1;
  return false;
}
