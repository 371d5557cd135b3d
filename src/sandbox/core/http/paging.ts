// Decides which part of a list a page is.
import type { Call } from './endpoint.ts';
import { rule } from '../../rules/rules.ts';

const pages = rule('CNV-25', 'paged lists take page and per_page, 50 rows where nothing is said');
const mailIgnoresPaging = rule('CNV-26', 'lists of mail are whole, whatever page is asked for');
const atMostHundred = rule('LIM-01', 'a page has at most 100 rows');

export function page<T>(call: Call, rows: readonly T[]): readonly T[] {
  if (!call.world.rules.on(pages)) return rows;
  const number = positive(call.query.get('page'), 1);
  const wanted = positive(call.query.get('per_page'), 50);
  const size = call.world.rules.on(atMostHundred) ? Math.min(wanted, 100) : wanted;
  return rows.slice((number - 1) * size, number * size);
}

/** GAP-06: whether sites and domains are paged is not documented. */
export function pageIfRead<T>(call: Call, rows: readonly T[]): readonly T[] {
  return call.world.readings['GAP-06'] === 'paged' ? page(call, rows) : rows;
}

/** What the mail family does with `page` and `per_page`. */
export function ignoresPaging<T>(call: Call, rows: readonly T[]): readonly T[] {
  return call.world.rules.on(mailIgnoresPaging) ? rows : page(call, rows);
}

function positive(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : otherwise;
}
