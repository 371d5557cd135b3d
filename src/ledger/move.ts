// Moves a ledger from one store to another: the entries and the history are copied and read back before the old store gets
// a tombstone, which keeps a clone with the old setting from writing there.
import { diagnose } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import type { ChainedRow } from '../model/plan/history.ts';
import type { Changed } from './by-hand.ts';
import type { LedgerLine } from './entries.ts';
import { formatRows, joinRows, parseRows } from './history.ts';
import type { LedgerContent } from './ledger-text.ts';
import { formatLedger, formatTombstone, parseLedger } from './ledger-text.ts';
import type { Lock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import type { OpenOptions } from './stored-ledger.ts';
import { lockLedger, objectionTo, releaseAndClose, storeFailure } from './stored-ledger.ts';

/**
 * Moves the ledger of `from` to `to`. Running it again after an interruption continues it: a copy that is already there
 * and equal is kept. A different ledger in the new store is never overwritten (HW5019).
 */
export async function moveLedger(from: OpenOptions, to: OpenOptions): Promise<Changed> {
  try {
    await to.store.prepare?.();
  } catch (error) {
    await Promise.all([from.store.close(), to.store.close()]);
    return { changed: false, diagnostics: [storeFailure(error, to.store)] };
  }
  return withLock(from, (fromLock) => withLock(to, (toLock) => move(from, to, fromLock, toLock)));
}

async function withLock(options: OpenOptions, use: (lock: Lock) => Promise<Changed>): Promise<Changed> {
  const locked = await lockLedger(options);
  if (!('lock' in locked)) return { changed: false, diagnostics: locked.diagnostics };
  let result: Changed;
  let notices: readonly Diagnostic[] = [];
  try {
    result = await use(locked.lock);
  } catch (error) {
    result = { changed: false, diagnostics: [storeFailure(error, options.store)] };
  } finally {
    notices = await releaseAndClose(options.store, locked.lock);
  }
  return { changed: result.changed, diagnostics: [...locked.diagnostics, ...result.diagnostics, ...notices] };
}

async function move(from: OpenOptions, to: OpenOptions, fromLock: Lock, toLock: Lock): Promise<Changed> {
  const refused = (...diagnostics: readonly Diagnostic[]): Changed => ({ changed: false, diagnostics });
  const bytes = await from.store.read();
  if (bytes === undefined) return refused(notMoved(`There is no ledger in ${from.store.name}.`));
  const content = parseLedger(bytes);
  const objection = objectionTo(content, from.store.name, from.account);
  if (objection !== undefined || content.state !== 'read')
    return refused(...(objection === undefined ? [] : [objection]));
  const rows = await monthsOf(from.store);
  const present = await to.store.read();
  const there = present === undefined ? undefined : parseLedger(present);
  if (there !== undefined && there.state !== 'moved') {
    const isCopy = there.state === 'read' && (await isSame(to.store, there, content, rows));
    if (!isCopy)
      return refused(
        notMoved(
          `${to.store.name} already has a ledger of its own. Nothing was changed. Compare the two with \`hostwright ledger list\`, and delete the one that is obsolete.`,
        ),
      );
  } else await copy(to.store, content, rows, toLock);
  const written = await to.store.read();
  const copied = written === undefined ? undefined : parseLedger(written);
  if (copied?.state !== 'read' || !(await isSame(to.store, copied, content, rows)))
    return refused(
      notMoved(`The copy in ${to.store.name} differs from ${from.store.name}. The ledger there is unchanged.`),
    );
  const movedAt = new Date(from.clock.now()).toISOString();
  const tombstone = formatTombstone({ account: from.account, movedTo: to.store.name, movedAt });
  await from.store.rewrite(tombstone, fromLock.record);
  return { changed: true, diagnostics: [] };
}

function notMoved(detail: string): Diagnostic {
  return diagnose('HW5019', detail);
}

type MonthRows = ReadonlyMap<string, readonly ChainedRow[]>;

async function monthsOf({ months }: LedgerStore): Promise<MonthRows> {
  const rows = new Map<string, readonly ChainedRow[]>();
  for (const month of [...((await months?.list()) ?? [])].sort())
    rows.set(month, parseRows((await months?.read(month)) ?? Buffer.alloc(0)));
  return rows;
}

async function copy(
  store: LedgerStore,
  { header, lines }: LedgerContent,
  rows: MonthRows,
  { record }: Lock,
): Promise<void> {
  if (store.months !== undefined || rows.size === 0) {
    for (const [month, all] of rows) await store.months?.write(month, formatRows(all), record);
    await store.rewrite(formatLedger(header, lines), record);
    return;
  }
  // A store without months keeps all rows with the entries, the oldest first.
  const known = new Set(
    lines.flatMap(({ atMs, entry }) => (entry.type === 'history' ? [keyOf({ ...entry, atMs })] : [])),
  );
  const earlier = [...rows.values()].flat().filter((row) => !known.has(keyOf(row)));
  const all: readonly Omit<LedgerLine, 'n'>[] = [
    ...earlier.map(({ atMs, ...row }) => ({ atMs, entry: { type: 'history', ...row } as const })),
    ...lines,
  ];
  const numbered = all.map((line, index) => ({ ...line, n: header.after + index + 1 }));
  await store.rewrite(formatLedger(header, numbered), record);
}

function keyOf({ atMs, row, previous }: ChainedRow): string {
  return canonicalJson(JSON.parse(JSON.stringify({ atMs, row, previous })) as Json);
}

/** True if a store holds the same entries and the same history, in whichever files. */
async function isSame(
  store: LedgerStore,
  copied: LedgerContent,
  { header, lines }: LedgerContent,
  rows: MonthRows,
): Promise<boolean> {
  const all = (content: readonly LedgerLine[], months: MonthRows): string =>
    JSON.stringify([
      joinRows(
        ...months.values(),
        content.flatMap(({ atMs, entry }) =>
          entry.type === 'history' ? [{ atMs, row: entry.row, previous: entry.previous }] : [],
        ),
      ).map(keyOf),
      content.flatMap(({ atMs, entry }) => (entry.type === 'history' ? [] : [{ atMs, entry }])),
    ]);
  return (
    copied.header.account === header.account &&
    copied.header.standing === header.standing &&
    all(copied.lines, await monthsOf(store)) === all(lines, rows)
  );
}
