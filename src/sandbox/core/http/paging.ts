// Which part of a list a page is. Lists of mail are whole, whatever page is asked for (CNV-26).
import type { Call } from './endpoint.ts';

export function page<T>(call: Call, rows: readonly T[]): readonly T[] {
  // CNV-25: paged lists take page and per_page, 50 rows where nothing is said.
  const number = positive(call.query.get('page'), 1);
  const wanted = positive(call.query.get('per_page'), 50);
  // LIM-01: a page has at most 100 rows.
  const size = Math.min(wanted, 100);
  return rows.slice((number - 1) * size, number * size);
}

/** GAP-06: whether sites and domains are paged is not documented. */
export function pageIfRead<T>(call: Call, rows: readonly T[]): readonly T[] {
  return call.world.ambiguities['GAP-06'] === 'paged' ? page(call, rows) : rows;
}

function positive(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : otherwise;
}
