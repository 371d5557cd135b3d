// A mark outside the ledger: the digest of the newest row of history that this machine has seen. Anyone who can write the
// ledger can cut off the end of its history and leave a whole chain; the mark shows that. It decides nothing.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { parseJsonObject } from '../model/json.ts';
import type { ChainedRow } from '../model/plan/history.ts';
import type { Workspace } from '../model/workspace.ts';
import { digestOf } from './history.ts';

interface Mark {
  readonly digest: string;
  /** ISO time of the row. */
  readonly at: string;
}

/** Where marks are kept. Reading gives nothing where there is nothing, or nothing that can be trusted. */
export interface MarkStore {
  readonly read: (name: string) => Uint8Array | undefined;
  readonly write: (name: string, parts: readonly Uint8Array[]) => void;
}

/** Absent: no mark is kept. */
interface Marked {
  readonly memory?: MarkStore;
}

type Account = Pick<Workspace, 'account' | 'root'>;

/**
 * Records the newest of these rows. Keeps the mark where the row that it names is not among them: these may be the rows of
 * one month only, or the end of the history was removed.
 */
export function writeMark(session: Marked, account: Account, rows: readonly ChainedRow[]): void {
  const row = rows.at(-1);
  const { memory } = session;
  if (row === undefined || memory === undefined) return;
  const before = readMark(session, account);
  if (before !== undefined && !isAmong(before, rows)) return;
  const mark: Mark = { digest: digestOf(row), at: new Date(row.atMs).toISOString() };
  if (mark.digest !== before?.digest) memory.write(nameOf(account), [Buffer.from(JSON.stringify(mark))]);
}

/**
 * Returns HW5015 if the row that this machine saw last is not among the rows, which must be those of all months. Undefined
 * where it is, and where nothing was recorded.
 *
 * @param name - The name of the store, as messages call it.
 */
export function checkMark(
  session: Marked,
  account: Account,
  { name, rows }: { readonly name: string; readonly rows: readonly ChainedRow[] },
): Diagnostic | undefined {
  const mark = readMark(session, account);
  if (mark === undefined || isAmong(mark, rows)) return undefined;
  return diagnose(
    'HW5015',
    `In ${name}, the row of ${mark.at} is missing, which this machine has seen: the end of the history was removed or rewritten. Compare with a copy of the ledger.`,
  );
}

function readMark({ memory }: Marked, account: Account): Mark | undefined {
  const bytes = memory?.read(nameOf(account));
  const { digest, at } = parseJsonObject(bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')) ?? {};
  return typeof digest === 'string' && typeof at === 'string' ? { digest, at } : undefined;
}

function isAmong({ digest }: Mark, rows: readonly ChainedRow[]): boolean {
  // The newest is the likely one.
  return rows.findLast((row) => digestOf(row) === digest) !== undefined;
}

/** One file for each workspace. */
function nameOf({ account, root }: Account): string {
  return `history${createHash('sha256')
    .update(JSON.stringify([root, account]))
    .digest('hex')
    .slice(0, 24)}-mark.json`;
}
