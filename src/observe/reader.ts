// How answers are shared: one request a path a run, one index a list, whoever asks.
import { canonicalHostname } from '../model/hostname.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { ReadContext, ReadSpec } from '../model/kind/kind.ts';
import { rowsAt, ShapeError, textAt } from '../model/kind/rows.ts';
import type { Client } from '../platform/http.ts';
import { readPossiblePages } from '../platform/possible-pages.ts';

/** Answers of one look at the live side; thrown away after it, so that nothing stale is used twice. */
export interface Reader {
  /** The answer of a read; rejects with the client's ApiError or a {@link ShapeError}. */
  readonly answer: (spec: ReadSpec, path: string, context: ReadContext) => Promise<Json>;
}

const MOST_PAGES = 1000;

/**
 * The lists in an answer by their place, and the indexes of a list. They are of the answer itself, so several readers of
 * one answer share them.
 */
const listsIn = new WeakMap<object, Map<string, readonly JsonObject[]>>();
const indexesOf = new WeakMap<readonly JsonObject[], Map<string, RowIndex>>();

/** A reader over a client. */
export function createReader(client: Pick<Client, 'read'>): Reader {
  const answers = new Map<string, Promise<Json>>();
  const lists = new Map<string, Promise<readonly JsonObject[]>>();

  const whole = (path: string): Promise<Json> => remember(answers, path, () => client.read(path));
  const list = (spec: ReadSpec, path: string): Promise<readonly JsonObject[]> =>
    remember(lists, path, async () => {
      const rows = rowsIn(await whole(path), spec.rows);
      if (spec.pages === undefined) return rows;
      return spec.pages === 'unsure'
        ? readPossiblePages(client, path, rows, (answer) => rowsAt(answer, spec.rows ?? ''))
        : readUntilEmptyPage(client, path, spec.rows ?? '', spec.pages, rows);
    });

  const indexOf = (rows: readonly JsonObject[], { pointer: at }: NonNullable<ReadSpec['where']>): RowIndex => {
    const [pointer, as] = typeof at === 'string' ? [at] : [at.hostname, 'hostname' as const];
    const key = as === undefined ? pointer : `${pointer} ${as}`;
    const known = indexesOf.get(rows)?.get(key);
    if (known !== undefined) return known;
    const index = indexRows(rows, pointer, as);
    indexesOf.set(rows, (indexesOf.get(rows) ?? new Map<string, RowIndex>()).set(key, index));
    return index;
  };

  return {
    answer: async (spec, path, context) => {
      if (spec.rows === undefined) return whole(path);
      const rows = await list(spec, path);
      if (spec.where === undefined) return rows;
      const index = indexOf(rows, spec.where);
      const wanted = spec.where.equals(context);
      return typeof wanted === 'string' ? (index.get(wanted) ?? []) : wanted.flatMap((value) => index.get(value) ?? []);
    },
  };
}

function rowsIn(answer: Json, places: ReadSpec['rows']): readonly JsonObject[] {
  if (typeof answer !== 'object' || answer === null) return rowsAt(answer, places);
  const known = listsIn.get(answer) ?? new Map<string, readonly JsonObject[]>();
  listsIn.set(answer, known);
  const key = JSON.stringify(places ?? '');
  const rows = known.get(key) ?? rowsAt(answer, places);
  known.set(key, rows);
  return rows;
}

type RowIndex = ReadonlyMap<string, readonly JsonObject[]>;

/**
 * Reads page after page until one is empty: how many there are is never told. Pages may overlap, and a server that
 * ignores `page` repeats the first.
 */
async function readUntilEmptyPage(
  client: Pick<Client, 'read'>,
  path: string,
  pointer: string,
  key: string,
  first: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const rows = new Map(first.map((row) => [textAt(row, key), row]));
  for (let page = 2, known = 0; rows.size > known; page += 1) {
    if (page > MOST_PAGES) throw new ShapeError(`the list has more than ${MOST_PAGES} pages`);
    known = rows.size;
    const next = rowsAt(await client.read(`${path}${path.includes('?') ? '&' : '?'}page=${page}`), pointer);
    for (const row of next) rows.set(textAt(row, key), row);
  }
  return [...rows.values()];
}

function indexRows(rows: readonly JsonObject[], pointer: string, as: 'hostname' | undefined): RowIndex {
  const index = new Map<string, JsonObject[]>();
  for (const row of rows) {
    const value = valueAt(row, pointer);
    if (typeof value !== 'string') continue;
    const key = as === 'hostname' ? canonicalHostname(value) : value;
    const group = index.get(key);
    if (group === undefined) index.set(key, [row]);
    else group.push(row);
  }
  return index;
}

function remember<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
