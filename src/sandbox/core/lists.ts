// Which rows a list shows: those that are not too fresh (the ambiguity lateLists), a page at a time. Lists of mail are
// whole, whatever page is asked for (CNV-26).
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

/** The rows that a list already shows. */
export function listed<T extends { readonly hidden: Hidden }>(lists: Pick<Lists, 'clock'>, rows: readonly T[]): T[] {
  return rows.filter((row) => isListed(lists, row));
}

export function page<T>({ query }: { readonly query: URLSearchParams }, rows: readonly T[]): readonly T[] {
  // CNV-25: paged lists take page and per_page, 50 rows where nothing is said.
  const number = positive(query.get('page'), 1);
  const wanted = positive(query.get('per_page'), 50);
  // LIM-01: a page has at most 100 rows.
  const size = Math.min(wanted, 100);
  return rows.slice((number - 1) * size, number * size);
}

/** GAP-06: whether sites and domains are paged is not documented. */
export function pageIfRead<T>(
  call: { readonly query: URLSearchParams } & Pick<Lists, 'ambiguities'>,
  rows: readonly T[],
): readonly T[] {
  return call.ambiguities['GAP-06'] === 'paged' ? page(call, rows) : rows;
}

function positive(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : otherwise;
}
