// What is in flight in the ledgers of all accounts of a database. Reads only, and takes no lock.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { AccountLedger } from '../model/plan/ledgers.ts';
import type { Database, Row } from '../platform/sql/database.ts';
import { parseLedger } from './ledger-text.ts';
import { describeLock } from './lock.ts';
import { accountOfSetAside, asStoreError, parseLedgerKey, placeIn } from './postgres-store.ts';
import { replay } from './state.ts';
import { objectionTo } from './stored-ledger.ts';

/** Accounts in one question: their ledgers are in memory together. */
const PAGE = 100;

/** Each account as it was at one moment, with its lock. */
const QUERY = `WITH page AS (
  SELECT account FROM (
    SELECT DISTINCT account FROM hostwright.ledger_line WHERE account > $1
    UNION SELECT account FROM hostwright.ledger_lock WHERE account > $1) AS known
  ORDER BY account LIMIT ${PAGE})
SELECT account,
  (SELECT string_agg(text, '' ORDER BY seq) FROM hostwright.ledger_line AS line WHERE line.account = page.account) AS text,
  (SELECT record::text FROM hostwright.ledger_lock AS lock WHERE lock.account = page.account) AS lock
FROM page ORDER BY account`;

export interface ReadLedgers {
  readonly ledgers: readonly AccountLedger[];
  /** What is wrong with single ones. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The ledgers of all accounts, by account. Rejects with a `StoreError` where the database cannot be asked. */
export async function readAllLedgers(database: Database, from: string): Promise<ReadLedgers> {
  const ledgers: AccountLedger[] = [];
  const diagnostics: Diagnostic[] = [];
  let after = '';
  for (;;) {
    const { rows } = await database.run(QUERY, [after]).catch((error: unknown) => {
      throw asStoreError(error, from);
    });
    for (const row of rows) {
      const { ledger, objection } = ledgerIn(row, database);
      ledgers.push(ledger);
      if (objection !== undefined) diagnostics.push(objection);
    }
    const last = rows.at(-1)?.account;
    if (rows.length < PAGE || typeof last !== 'string') return { ledgers, diagnostics };
    after = last;
  }
}

function ledgerIn(
  { account: key, text, lock }: Row,
  database: Database,
): { readonly ledger: AccountLedger; readonly objection?: Diagnostic } {
  const place = key as string;
  const { account, platform } = parseLedgerKey(place);
  const base = {
    account,
    ...(platform !== undefined && { platform }),
    objects: 0,
    inFlight: [],
    openActs: [],
    ...(typeof lock === 'string' && { heldBy: describeLock(lock) }),
  };
  const owner = accountOfSetAside(place);
  if (owner !== undefined) return { ledger: { ...base, account: owner, standing: 'set-aside', place } };
  if (typeof text !== 'string') return { ledger: { ...base, standing: 'missing' } };
  const content = parseLedger(Buffer.from(text, 'utf8'));
  const objection = objectionTo(content, placeIn(database, place), account);
  if (content.state === 'moved') return { ledger: { ...base, standing: 'moved', place: content.movedTo } };
  if (objection !== undefined || content.state !== 'read')
    return { ledger: { ...base, standing: 'damaged' }, ...(objection !== undefined && { objection }) };
  const { objects, inFlight, openActs = [] } = replay(content.header, content.lines);
  const writtenAtMs = content.lines.at(-1)?.atMs;
  return {
    ledger: {
      ...base,
      standing: content.header.standing,
      objects: objects.size,
      inFlight: inFlight.map(({ runId, action: { address, verb }, unanswered }) => ({
        address,
        verb,
        runId,
        ...(unanswered !== undefined && { unanswered }),
      })),
      openActs: openActs.map(({ act }) => act),
      ...(writtenAtMs !== undefined && { writtenAtMs }),
    },
  };
}
