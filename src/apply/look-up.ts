// How one row is found by reading.
import type { Address } from '../model/address.ts';
import { collectionOf } from '../model/address.ts';
import { canonicalHostname } from '../model/hostname.ts';
import type { Json, Places } from '../model/json.ts';
import { ANY_LIST, listAt, sameJson, valueAt } from '../model/json.ts';
import { ShapeError } from '../model/kind/rows.ts';
import type { Condition, LookUp } from '../model/plan/step.ts';
import { captureOutputs } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import { readPossiblePages } from '../platform/possible-pages.ts';
import type { RunContext } from './context.ts';
import { fillBody, fillPath } from './resolve.ts';
import type { ReadResult } from './results.ts';

type Context = Pick<RunContext, 'client' | 'known' | 'secretOf'>;

/** A request whose answer was lost: `since` and `except` of a look-up are about it. */
export interface LostRequest {
  readonly address: Address;
  readonly sentAtMs: number;
}

/** How far apart the clocks of two machines may be, such as ours and the platform's. */
export const CLOCK_SKEW_MS = 300_000;

/**
 * Reads, and looks for the row. `lost`: the request that may have made it. Throws MissingOutput when the path or a
 * condition cannot be filled in.
 */
export async function lookUp(query: LookUp, context: Context, lost?: LostRequest): Promise<ReadResult> {
  const { path, conditions } = fillLookUp(query, context);
  let fitting: readonly Json[];
  try {
    const all = await readRows(context, path, query);
    const recent = all.filter((row) => isSince(row, query, lost));
    const rows = query.view === undefined ? recent : await readViews(context, query.view, recent);
    const fitsAll = (row: Json): boolean => conditions.every((condition) => fits(row, condition));
    fitting = rows.filter((row) => fitsAll(row) && !belongsToAnother(row, query, context, lost));
    const { capped } = query;
    if (fitting.length === 0 && capped !== undefined && (await isFull(context, capped, all.length)))
      return lookUp(capped.then, context, lost);
  } catch (error) {
    if (error instanceof ShapeError)
      return { result: 'unreadable', error: unusable(`GET ${path} answered as no document says: ${error.message}`) };
    if (error instanceof ApiError) return isGone(query, error) ? { result: 'none' } : { result: 'unreadable', error };
    throw error;
  }
  if (fitting.length > 1)
    return {
      result: 'ambiguous',
      reason: `${fitting.length} rows answer to it, and which is meant cannot be known`,
    };
  const row = fitting[0];
  if (row === undefined) return { result: 'none' };
  const outputs = captureOutputs(query.capture, row);
  const isComplete = Object.keys(outputs).length === Object.keys(query.capture).length;
  // Another one of ours may still be without its row: this may be it.
  return isComplete && !othersAreOpen(query, context, lost)
    ? { result: 'found', outputs }
    : { result: 'incomplete', reason: 'it is there without a value that is needed of it' };
}

/** The path to read and what the row must have. Throws MissingOutput. */
export function fillLookUp(
  query: LookUp,
  context: Pick<RunContext, 'known' | 'secretOf'>,
): { readonly path: string; readonly conditions: readonly FilledCondition[] } {
  return {
    path: fillPath(query.read, context),
    conditions: query.where.map(({ pointer, or = [], as, orAbsent = false, not = false, value }) => ({
      places: [pointer, ...or],
      as,
      orAbsent,
      not,
      wanted: fillBody(value, context),
    })),
  };
}

interface FilledCondition {
  readonly places: readonly string[];
  readonly as: Condition['as'];
  readonly orAbsent: boolean;
  readonly not: boolean;
  readonly wanted: Json;
}

/**
 * Only where the answer itself is the row, or the question says so, does an error mean that there is none; a list that
 * is not found says nothing of its rows (SIT-17).
 */
function isGone({ rows, gone = [] }: LookUp, error: ApiError): boolean {
  if (gone.some(({ status, code }) => status === error.status && (code === undefined || code === error.code)))
    return true;
  return rows === '' && error.kind === 'not-found';
}

/** False only for a row that says that it is older than the lost request. */
function isSince(row: Json, { since }: LookUp, lost: LostRequest | undefined): boolean {
  if (since === undefined || lost === undefined) return true;
  const time = valueAt(row, since);
  const atMs = typeof time === 'string' ? Date.parse(time) : NaN;
  return Number.isNaN(atMs) || atMs >= lost.sentAtMs - CLOCK_SKEW_MS;
}

async function readViews(
  context: Context,
  { path, id }: NonNullable<LookUp['view']>,
  rows: readonly Json[],
): Promise<readonly Json[]> {
  const views: Json[] = [];
  for (const row of rows) {
    const own = valueAt(row, id);
    if (typeof own === 'string' && own !== '')
      views.push(await context.client.read(`${fillPath(path, context)}/${encodeURIComponent(own)}`));
  }
  return views;
}

/** True for a row of another of our objects: by its id, or by the output that tells them apart. */
function belongsToAnother(
  row: Json,
  { except, capture }: LookUp,
  { known }: Context,
  lost: LostRequest | undefined,
): boolean {
  if (except === undefined) return false;
  const value = valueAt(row, except.pointer);
  const { id } = captureOutputs(capture, row);
  // Of an object only its last order is known, and that of a resize names the same object as the one that made it.
  const isIdOfOther = [...known.ids()].some(
    ([address, other]) =>
      lost !== undefined &&
      address !== lost.address &&
      collectionOf(address) === collectionOf(lost.address) &&
      other === id,
  );
  return (
    isIdOfOther ||
    known.all().some(([address, outputs]) => address !== lost?.address && outputs[except.output] === value)
  );
}

/** True while another of our objects has no row yet that could be told from this one. */
function othersAreOpen({ except }: LookUp, { known }: Context, lost: LostRequest | undefined): boolean {
  return (
    except !== undefined &&
    known
      .all()
      .some(
        ([address, outputs]) =>
          address !== lost?.address && outputs[except.open] !== undefined && outputs[except.output] === undefined,
      )
  );
}

async function readRows(context: Context, path: string, { rows: places, ask }: LookUp): Promise<readonly Json[]> {
  const { client } = context;
  if (ask !== undefined) return rowsOf(await client.ask(path, fillBody(ask, context)), places, path);
  const rowsIn = (answer: Json): readonly Json[] => rowsOf(answer, places, path);
  return readPossiblePages(client, path, rowsIn(await client.read(path)), rowsIn);
}

type Capped = NonNullable<LookUp['capped']>;

/** True for a list that may be cut off: what it does not show proves nothing. */
async function isFull(context: Context, { most, beside }: Capped, shown: number): Promise<boolean> {
  let count = shown;
  for (const { read, rows } of beside) {
    const path = fillPath(read, context);
    if (count < most) count += rowsOf(await context.client.read(path), rows, path).length;
  }
  return count >= most;
}

function rowsOf(answer: Json, places: Places, path: string): readonly Json[] {
  const list = listAt(answer, places);
  if (list !== undefined) return list;
  if (places === '') return [answer];
  const isPointer = typeof places === 'string' && places !== ANY_LIST;
  // null means empty or unknown (CNV-02), and unknown is not empty.
  throw unusable(`GET ${path} answered without a list at ${isPointer ? places : 'its top'}`);
}

function unusable(message: string): ApiError {
  return new ApiError({
    kind: 'unusable-answer',
    message,
    status: 200,
    code: null,
    messages: [],
    extra: {},
    sent: 'answered',
    attempts: 1,
  });
}

function fits(row: Json, condition: FilledCondition): boolean {
  const value =
    condition.places.map((pointer) => valueAt(row, pointer) ?? null).find((found) => found !== null) ?? null;
  if (condition.orAbsent && value === null) return true;
  return isWanted(value, condition) !== condition.not;
}

function isWanted(value: Json, { as, wanted }: FilledCondition): boolean {
  if (as === 'hostname')
    return (
      typeof value === 'string' && typeof wanted === 'string' && canonicalHostname(value) === canonicalHostname(wanted)
    );
  if (as === 'beginning') return typeof value === 'string' && typeof wanted === 'string' && value.startsWith(wanted);
  // Ids are kept as text, and some are numbers on the wire (CNV-03).
  if (typeof value === 'number' && typeof wanted === 'string') return String(value) === wanted;
  return sameJson(value, wanted);
}
