// How ledgers lie in a PostgreSQL database: a row a line, for all accounts in one table, and a row a lock in another. A
// write is one statement, which looks at the lock and at the last row before it: so a pooler may stand in between, and
// no write becomes slower as the ledger grows.
import type { QueryResult, Database } from '../platform/sql/database.ts';
import { DatabaseError } from '../platform/sql/database.ts';
import { parseLedger } from './ledger-text.ts';
import type { Holder, LockStore, LockRecord } from './lock.ts';
import { parseLock } from './lock.ts';
import type { LedgerStore } from './store.ts';
import { StoreError } from './store.ts';

/** Names are in byte order ("C"), so that those of damaged ledgers are found by the key. */
const TABLES = [
  'CREATE SCHEMA IF NOT EXISTS hostwright',
  `CREATE TABLE IF NOT EXISTS hostwright.ledger_line (
     account text COLLATE "C" NOT NULL, seq bigint NOT NULL, text text NOT NULL, PRIMARY KEY (account, seq))`,
  `CREATE TABLE IF NOT EXISTS hostwright.ledger_lock (
     account text COLLATE "C" NOT NULL PRIMARY KEY, record jsonb NOT NULL)`,
];

const POLL_MS = 2000;
const MOST_TRIES = 5;
/** What an account cannot have in its id: see the schema of the workspace file. */
const ASIDE = '/corrupt-';
const PLATFORM = '@';

/**
 * Returns the key under which a database keeps the ledger of an account. The same id may exist on two platforms, such as
 * production and staging, so the key has the address of the platform too.
 */
function ledgerKey(account: string, platform: string): string {
  return `${account}${PLATFORM}${new URL(platform).href.replace(/\/$/, '')}`;
}

/** Returns the account and the platform of a key; the platform is absent in keys of 0.1.0. */
export function parseLedgerKey(key: string): { readonly account: string; readonly platform?: string } {
  const at = key.indexOf(PLATFORM);
  return at === -1 ? { account: key } : { account: key.slice(0, at), platform: key.slice(at + 1) };
}

/** Keeps whoever wants to take the lock away waiting until the write is done. */
const HELD = `held AS (
  SELECT account FROM hostwright.ledger_lock WHERE account = $1 AND record->>'token' = $2 FOR SHARE),
last AS (SELECT coalesce(max(seq), 0) AS seq FROM hostwright.ledger_line WHERE account = $1)`;

const INSERT = `INSERT INTO hostwright.ledger_line (account, seq, text)
  SELECT $1, $3::bigint + line.n, line.text
  FROM held, last, unnest($4::text[]) WITH ORDINALITY AS line(text, n)
  WHERE last.seq = $3::bigint RETURNING seq`;

const APPEND = `WITH ${HELD} ${INSERT}`;

const REWRITE = `WITH ${HELD}, gone AS (
  DELETE FROM hostwright.ledger_line USING held, last
  WHERE ledger_line.account = $1 AND ledger_line.seq <= last.seq AND last.seq = $3::bigint)
${INSERT}`;

const SET_ASIDE = `WITH ${HELD}
  UPDATE hostwright.ledger_line SET account = $4 FROM held, last
  WHERE ledger_line.account = $1 AND last.seq = $3::bigint RETURNING ledger_line.seq`;

export interface PostgresStoreOptions {
  readonly database: Database;
  readonly account: string;
  /** The address of the platform that the account belongs to. Absent: a ledger of 0.1.0, which did not record it. */
  readonly platform?: string;
  /** What messages call the place that the address comes from. */
  readonly from: string;
}

/** Returns the store of the ledger of an account in a database. */
export function postgresStore({ database, account: id, platform, from }: PostgresStoreOptions): LedgerStore {
  const account = platform === undefined ? id : ledgerKey(id, platform);
  const toStoreError = (error: unknown): unknown => asStoreError(error, from);
  const ask: Ask = (text, values) =>
    database.run(text, values).catch((error: unknown) => {
      throw toStoreError(error);
    });
  /** The number of the last row that was read or written; 0 when there was none. */
  let last = 0;
  /** As it was last read, until the first write. */
  let bytes = Buffer.alloc(0);
  /** What a write has to put in the place of everything, where the end of what was read is not to stay. */
  let mended: string | undefined;

  const write = async (statement: string, lines: readonly string[], { token }: LockRecord): Promise<void> => {
    const outcome = await database.run(statement, [account, token, last, lines]).catch((error: unknown) => {
      // The second writer of a row: or an earlier try of this very write, of which the answer was lost.
      if (error instanceof DatabaseError && error.code === UNIQUE) return error;
      throw toStoreError(error);
    });
    const isWritten = !(outcome instanceof DatabaseError) && outcome.rows.length === lines.length;
    if (!isWritten && !(outcome.wasSentBefore && (await isThere(last, lines, token))))
      throw new StoreError('its lock is not ours any more, or somebody else wrote it while this run went on');
    last += lines.length;
    bytes = Buffer.alloc(0);
    mended = undefined;
  };
  /** Nobody else writes while the lock is ours, so rows that say the same are those that this run wrote. */
  const isThere = async (after: number, lines: readonly string[], token: string): Promise<boolean> => {
    const { rows } = await ask(
      `SELECT text FROM hostwright.ledger_line WHERE account = $1 AND seq > $3 AND EXISTS (
         SELECT FROM hostwright.ledger_lock WHERE account = $1 AND record->>'token' = $2) ORDER BY seq`,
      [account, token, after],
    );
    return rows.length === lines.length && rows.every(({ text }, index) => text === lines[index]);
  };
  const asideNames = async (): Promise<readonly string[]> => {
    const { rows } = await ask(
      'SELECT DISTINCT account FROM hostwright.ledger_line WHERE account > $1 AND account < $2',
      [`${account}${ASIDE}`, `${account}${ASIDE}:`],
    );
    return rows.map((row) => row.account as string).sort((left, right) => numberOf(left) - numberOf(right));
  };
  const placeOf = (name: string): string => placeIn(database, name);
  /** Throws where 0.1.0 left a ledger of this account id, which may belong to any platform. */
  const refuseFormerKey = async (): Promise<void> => {
    const { rows } = await database
      .run('SELECT text FROM hostwright.ledger_line WHERE account = $1 ORDER BY seq LIMIT 1', [id])
      .catch((error: unknown) => {
        if (error instanceof DatabaseError && error.code === NO_TABLE) return { rows: [] };
        throw toStoreError(error);
      });
    const [row] = rows;
    if (row === undefined || parseLedger(Buffer.from(row.text as string, 'utf8')).state === 'moved') return;
    throw new StoreError(
      `${placeOf(id)} is a ledger from before ledgers had the address of their platform. If it is the one of ${platform}, run \`hostwright ledger move --to postgres\`. If it belongs to another platform, run that in its workspace first`,
      { code: 'HW5018' },
    );
  };

  return {
    name: placeOf(account),
    lock: postgresLock(ask, account),
    prepare: async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          for (const text of await missingTables(ask)) await database.run(text, []);
          return;
        } catch (error) {
          // Two that make it at once: the other one's is as good.
          const isRace = error instanceof DatabaseError && RACES.includes(error.code ?? '') && tries < MOST_TRIES;
          if (!isRace) throw toStoreError(error);
        }
      }
    },
    read: async () => {
      const { rows } = await database
        .run('SELECT seq, text FROM hostwright.ledger_line WHERE account = $1 ORDER BY seq', [account])
        .catch((error: unknown) => {
          // The word of the server that there is no such table, in a schema that is named: surely no ledger.
          if (error instanceof DatabaseError && error.code === NO_TABLE) return { rows: [] };
          throw toStoreError(error);
        });
      if (rows.length === 0 && platform !== undefined) await refuseFormerKey();
      last = Number(rows.at(-1)?.seq ?? 0);
      bytes = Buffer.from(rows.map(({ text }) => text as string).join(''), 'utf8');
      mended = undefined;
      return rows.length === 0 ? undefined : bytes;
    },
    // Goes to the database with the next entry: until then nobody rests on it.
    resume: (kept, ending) => {
      const text = bytes.subarray(0, kept).toString('utf8') + ending;
      mended = kept === bytes.length && ending === '' ? undefined : text;
      bytes = Buffer.alloc(0);
      return Promise.resolve();
    },
    append: (text, record) =>
      mended === undefined ? write(APPEND, linesOf(text), record) : write(REWRITE, linesOf(mended + text), record),
    rewrite: (text, record) => write(REWRITE, linesOf(text), record),
    setAside: async ({ token }) => {
      const target = `${account}${ASIDE}${numberOf((await asideNames()).at(-1) ?? '') + 1}`;
      const { rows, wasSentBefore } = await ask(SET_ASIDE, [account, token, last, target]);
      if (rows.length === 0 && !(wasSentBefore && (await asideNames()).includes(target)))
        throw new StoreError('its lock is not ours any more, or somebody else wrote it while this run went on');
      last = 0;
      return placeOf(target);
    },
    lastSetAside: async () => {
      const name = (await asideNames()).at(-1);
      return name === undefined ? undefined : placeOf(name);
    },
    close: () => database.close(),
  };
}

type Ask = (text: string, values: readonly unknown[]) => Promise<QueryResult>;

function postgresLock(ask: Ask, account: string): LockStore {
  /** The last one that could not be understood, to be removed as it stands. */
  let unreadable = '';
  const look = async (): Promise<Holder | 'none'> => {
    const { rows } = await ask('SELECT record::text FROM hostwright.ledger_lock WHERE account = $1', [account]);
    const [row] = rows;
    if (row === undefined) return 'none';
    const holder = parseLock(row.record as string);
    if (holder === 'unreadable') unreadable = row.record as string;
    return holder;
  };
  /** Also when an earlier try put it there, and its answer was lost. */
  const isOurs = async ({ token }: LockRecord): Promise<boolean> => {
    const holder = await look();
    return typeof holder !== 'string' && holder.token === token;
  };
  return {
    pollMs: POLL_MS,
    take: async (record) => {
      for (;;) {
        const { rows } = await ask(
          `INSERT INTO hostwright.ledger_lock (account, record) VALUES ($1, $2::jsonb)
           ON CONFLICT (account) DO NOTHING RETURNING account`,
          [account, JSON.stringify(record)],
        );
        if (rows.length > 0) return 'taken';
        const holder = await look();
        if (holder === 'none') continue;
        return typeof holder !== 'string' && holder.token === record.token ? 'taken' : holder;
      }
    },
    replace: async (dead, record) => {
      const { rows, wasSentBefore } = await ask(
        `UPDATE hostwright.ledger_lock SET record = $3::jsonb WHERE account = $1 AND record->>'token' = $2
         RETURNING account`,
        [account, dead.token, JSON.stringify(record)],
      );
      return rows.length > 0 || (wasSentBefore && (await isOurs(record)));
    },
    peek: look,
    remove: async (seen) => {
      // Gone already, or another's by now: then it is not ours to remove.
      const [which, value] = seen === 'unreadable' ? ['record::text', unreadable] : ["record->>'token'", seen.token];
      await ask(`DELETE FROM hostwright.ledger_lock WHERE account = $1 AND ${which} = $2`, [account, value]);
    },
  };
}

const UNIQUE = '23505';
const NO_TABLE = '42P01';
/** Two made it at once: duplicate key, schema, table or type in the catalogue, or a row of it that both change. */
const RACES: readonly string[] = [UNIQUE, '42P06', '42P07', '42710', 'XX000'];

/** A role that may not make tables may still use those that somebody made for it. */
async function missingTables(ask: Ask): Promise<readonly string[]> {
  const { rows } = await ask(
    "SELECT count(*)::int AS count FROM information_schema.tables WHERE table_schema = 'hostwright' AND table_name IN ('ledger_line', 'ledger_lock')",
    [],
  );
  return rows[0]?.count === 2 ? [] : TABLES;
}

/** Lines with their line feeds; the last one may have none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function numberOf(name: string): number {
  return Number(/\/corrupt-(\d+)$/.exec(name)?.[1] ?? 0);
}

/** Returns what messages call the ledger under a key. */
export function placeIn(database: Database, key: string): string {
  const { account, platform } = parseLedgerKey(key);
  return `${account}${platform === undefined ? '' : ` (${platform})`} in ${database.name}`;
}

/** The account whose ledger was set aside under this name; undefined where the name is that of an account. */
export function accountOfSetAside(name: string): string | undefined {
  const at = name.lastIndexOf(ASIDE);
  return at === -1 ? undefined : parseLedgerKey(name.slice(0, at)).account;
}

/** An error of the database as what it means for a ledger; our own mistakes as they are. */
export function asStoreError(error: unknown, from: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === 'no-address' || error.code === 'bad-address')
    return new StoreError(
      `${from} ${error.code === 'no-address' ? 'is not set' : 'holds no address of a database'}. Set it to one such as postgres://USER:PASSWORD@db.example.com:5432/DATABASE`,
      { cause: error, code: 'HW7162' },
    );
  if (error.code === 'no-package')
    return new StoreError(
      'a ledger in PostgreSQL needs the package `pg`, which is not installed beside Hostwright. Run `npm install pg` where you installed it (`npx --package hostwright --package pg hostwright` brings both)',
      { cause: error, code: 'HW7161' },
    );
  if (error.code === NO_TABLE)
    return new StoreError(
      'the database has no tables for ledgers yet. If the ledger of this account is in another store, run `hostwright ledger move --to postgres`; if there is none, run `hostwright ledger init` once',
      {
        cause: error,
        code: 'HW7163',
      },
    );
  return new StoreError(error.message, { cause: error });
}
