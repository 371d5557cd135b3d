// Lists of which no document says whether they have pages (GAP-06, LIM-01).
import type { Json } from '../model/json.ts';
import { canonicalJson, valueAt } from '../model/json.ts';
import { ShapeError } from '../model/kind/rows.ts';
import type { Client } from './http.ts';

/** A page of one of these sizes may have a next one. */
const PAGE_SIZES: readonly number[] = [50, 100];
const MOST_PAGES = 1000;

/**
 * All rows of a list whose first page is `first`: reads on after a full one, until a page brings no new row. A server
 * that ignores `page` repeats the first. `rowsIn`: the rows of one answer. Rejects with the client's ApiError, or with a
 * {@link ShapeError} where no end comes: what a list without an end does not show is not known to be absent.
 */
export async function readPossiblePages<Row extends Json>(
  client: Pick<Client, 'read'>,
  path: string,
  first: readonly Row[],
  rowsIn: (answer: Json) => readonly Row[],
): Promise<readonly Row[]> {
  if (!PAGE_SIZES.includes(first.length)) return first;
  const keyOf = (row: Row): string => canonicalJson(valueAt(row, '/id') ?? row);
  const rows = new Map(first.map((row) => [keyOf(row), row]));
  for (let page = 2; page <= MOST_PAGES; page += 1) {
    const next = rowsIn(await client.read(`${path}${path.includes('?') ? '&' : '?'}page=${page}`));
    const fresh = next.filter((row) => !rows.has(keyOf(row)));
    for (const row of fresh) rows.set(keyOf(row), row);
    if (fresh.length === 0 || next.length < first.length) return [...rows.values()];
  }
  throw new ShapeError(`the list has more than ${MOST_PAGES} pages`);
}
