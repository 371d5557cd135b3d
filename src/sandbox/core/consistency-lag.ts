// Decides how late a fresh row shows up in lists (the reading lateLists). Must not know what the row is.
import type { World } from './world.ts';

/** Not yet in any list: for so many list reads, or until then. */
export type Hidden = { reads: number } | { untilMs: number } | null;

export function lateness(world: World): Hidden {
  const [unit, amount] = world.readings.lateLists.split(':');
  if (amount === undefined) return null;
  return unit === 'ms' ? { untilMs: world.clock.now() + Number(amount) } : { reads: Number(amount) };
}

/** Whether a list already shows it; each list read brings a late row nearer. */
export function isListed(world: World, { hidden }: { readonly hidden: Hidden }): boolean {
  if (hidden === null) return true;
  if ('untilMs' in hidden) return world.clock.now() >= hidden.untilMs;
  if (hidden.reads <= 0) return true;
  hidden.reads -= 1;
  return false;
}
