// The rows of history that entries come to, and the chain that shows when one was taken out or changed.
import { createHash } from 'node:crypto';
import { isText, isTime, objectOf } from '../model/common/checks.ts';
import type { Json } from '../model/json.ts';
import { canonicalJson, isJsonObject, parseJsonObject } from '../model/json.ts';
import type { ChainedRow, HistoryIds, HistoryRow } from '../model/plan/history.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import { groupBy } from '../model/common/lists.ts';
import type { LedgerEntry } from './entries.ts';
import { hasSent, outputsOf } from './state.ts';

/** A row to be written down; the ledger adds the digest of the one before. */
export function historyEntry(row: HistoryRow): LedgerEntry {
  return { type: 'history', row, previous: '' };
}

/** What an entry adds to the history; `flight` is what it is about, as it was before. */
export function historyRowOf(entry: LedgerEntry, flight: InFlight | undefined): HistoryRow | undefined {
  if (entry.type === 'run-finished' && entry.runId !== '')
    return { is: 'end', run: entry.runId, complete: entry.complete };
  if (flight === undefined || !hasSent(flight)) return undefined;
  const { runId: run, action } = flight;
  const { address, verb, changes } = action;
  const ended = { is: 'action', run, address, verb, ...idsOf(entry, flight) } as const;
  if (entry.type === 'succeeded') return { ...ended, result: 'done' };
  if (entry.type === 'confirmed' && entry.id === null)
    return { ...ended, result: 'failed', reason: 'somebody found that it was not carried out' };
  if (entry.type !== 'failed') return undefined;
  // What went wrong may be told with the values.
  const isPlain = changes.every(({ personal = [], secret }) => personal.length === 0 && secret === undefined);
  return { ...ended, result: 'failed', ...(isPlain && { reason: entry.reason }) };
}

/** Returns the ids of an action that creates or pays for something, as far as the platform returned them. */
function idsOf(entry: LedgerEntry, flight: InFlight): HistoryIds {
  const { verb, risk } = flight.action;
  if (verb !== 'create' && !risk.includes('charge')) return {};
  const outputs = outputsOf(flight);
  const { cart, order } = outputs;
  const id = entry.type === 'succeeded' ? (entry.id ?? outputs.id) : outputs.id;
  return {
    ...(id !== undefined && { id }),
    ...(cart !== undefined && { cart }),
    ...(order !== undefined && { order }),
  };
}

/** The digest of a row with the one before it. */
export function digestOf({ atMs, row, previous }: ChainedRow): string {
  return createHash('sha256')
    .update(canonicalJson({ at: new Date(atMs).toISOString(), previous, row: JSON.parse(JSON.stringify(row)) as Json }))
    .digest('hex');
}

/**
 * The first row that does not follow from the one before it; undefined where none is missing and none was changed. `a
 * part`: rows before the first are elsewhere.
 */
export function brokenAt(
  rows: readonly ChainedRow[],
  from: 'the first' | 'a part' = 'the first',
): ChainedRow | undefined {
  let before = from === 'a part' ? rows[0]?.previous : '';
  for (const row of rows) {
    if (row.previous !== before) return row;
    before = digestOf(row);
  }
  return undefined;
}

/** Rows as lines of a file of their own. */
export function formatRows(rows: readonly ChainedRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

const isStoredRow = objectOf({ atMs: isTime, row: isJsonObject, previous: isText });

/** Returns the rows in such a file. A line that is not a row is left out, which breaks the chain. */
export function parseRows(bytes: Buffer): readonly ChainedRow[] {
  const lines = bytes.toString('utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const value = parseJsonObject(line);
    return isStoredRow(value) ? [value as unknown as ChainedRow] : [];
  });
}

/** The rows that were written in earlier months, by month; the last row of all stays, for the next one to follow. */
export function earlierMonths(rows: readonly ChainedRow[], nowMs: number): ReadonlyMap<string, readonly ChainedRow[]> {
  const earlier = rows.slice(0, -1).filter(({ atMs }) => monthOf(atMs) !== monthOf(nowMs));
  return groupBy(earlier, ({ atMs }) => monthOf(atMs));
}

function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** All rows, in order, each once: a run that died between two writes leaves some in both places. */
export function joinRows(...parts: readonly (readonly ChainedRow[])[]): readonly ChainedRow[] {
  return [
    ...new Map(parts.flat().map((row) => [canonicalJson(JSON.parse(JSON.stringify(row)) as Json), row])).values(),
  ];
}
