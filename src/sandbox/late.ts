// Decides when something fresh shows up in lists: at once, after some list reads, or after a while (the reading `lateLists`).
// Must not know what is listed.
import type { World } from './world.ts';

/** Not yet in any list: for so many list reads, or until then. */
export type Hidden = { reads: number } | { readonly untilMs: number };

/** null: it is listed at once. */
export function lateness(world: World): Hidden | null {
  const [unit, amount] = world.readings.lateLists.split(':');
  if (unit === 'reads') return { reads: Number(amount) };
  return unit === 'ms' ? { untilMs: world.clock.now() + Number(amount) } : null;
}

/** Whether a list already shows it; each list read brings a late one nearer. */
export function isListed(world: World, { hidden }: { readonly hidden: Hidden | null }): boolean {
  if (hidden === null) return true;
  if ('untilMs' in hidden) return world.clock.now() >= hidden.untilMs;
  if (hidden.reads <= 0) return true;
  hidden.reads -= 1;
  return false;
}
