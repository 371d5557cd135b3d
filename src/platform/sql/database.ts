// How a PostgreSQL database is asked: one statement at a time, each a transaction of its own. Nothing is kept in the
// session of the server, so a pooler may stand in between.
import type { Client } from 'pg';
import type { Clock } from '../../model/clock.ts';
import { untilAborted } from '../until-aborted.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/database`, as everywhere. Absent: nobody said it, and nothing is asked. */
  readonly address: string | undefined;
  readonly clock: Clock;
  /** How long one answer may take. */
  readonly timeoutMs: number;
  /** Once it is aborted, the connection is given up: for what only reads. */
  readonly signal?: AbortSignal;
}

export type Row = Readonly<Record<string, unknown>>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** The answer of an earlier try was lost, and that try may have done the work. */
  readonly wasSentBefore: boolean;
}

export interface Database {
  /** What messages call it: without user and password. */
  readonly name: string;
  /**
   * Sends a statement, and sends it again where a connection that stood was lost; so it must be one that does its work
   * once. Rejects with {@link DatabaseError}.
   */
  readonly run: (text: string, values: readonly unknown[]) => Promise<QueryResult>;
  /** Gives back the connection; used again, it opens another. */
  readonly close: () => Promise<void>;
}

/** No answer, or a refusal. Its words hold no password. */
export class DatabaseError extends Error {
  /**
   * `no-package`: the package `pg` is missing. `no-address`, `bad-address`: what was given is none. Else what the server
   * or the system calls it.
   */
  readonly code: string | undefined;
  /** The answer of an earlier try was lost: see {@link QueryResult}. */
  readonly wasSentBefore: boolean;

  constructor(
    message: string,
    { code, wasSentBefore, cause }: Partial<Pick<DatabaseError, 'code' | 'wasSentBefore' | 'cause'>>,
  ) {
    super(message, { cause });
    this.code = code;
    this.wasSentBefore = wasSentBefore === true;
  }
}

/** A server that fails over is back after a few seconds. */
const PAUSES_MS = [0, 1000, 4000];
const CONNECT_MS = 10_000;

/** A database; connected to with the first statement. */
export function createDatabase({ address, clock, timeoutMs, signal }: DatabaseOptions): Database {
  const url = address === undefined ? undefined : parseDatabaseAddress(address);
  if (address === undefined || url === undefined)
    return {
      name: 'PostgreSQL',
      run: () =>
        Promise.reject(
          new DatabaseError('there is no address', { code: address === undefined ? 'no-address' : 'bad-address' }),
        ),
      close: () => Promise.resolve(),
    };
  const secrets = [url.password, decoded(url.password)].filter((text) => text !== '');
  const redact = (text: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
  let client: Client | undefined;
  let hasConnected = false;

  const connect = async (): Promise<Client> => {
    if (client !== undefined) return client;
    const { Client: PgClient } = await loadPackage();
    const made = new PgClient({
      connectionString: address,
      connectionTimeoutMillis: Math.min(CONNECT_MS, timeoutMs),
      query_timeout: timeoutMs,
      keepAlive: true,
      fallback_application_name: 'hostwright',
      ...(isToBeEncrypted(url) && { ssl: true }),
    });
    // A connection that dies while nobody asks; the next question opens another one.
    made.on('error', () => {
      if (client === made) client = undefined;
    });
    await made.connect();
    client = made;
    hasConnected = true;
    return made;
  };
  const drop = async (): Promise<void> => {
    const dropped = client;
    client = undefined;
    await dropped?.end().catch(() => undefined);
  };

  const ask: Database['run'] = async (text, values) => {
    let wasSentBefore = false;
    for (let tries = 0; ; tries += 1) {
      const pauseMs = PAUSES_MS[tries];
      let sent = false;
      try {
        const connected = await connect();
        sent = true;
        return { rows: (await connected.query<Record<string, unknown>>(text, [...values])).rows, wasSentBefore };
      } catch (error) {
        const { code, message } = wordsOf(error);
        const isStopped = signal?.aborted === true;
        const isFinal =
          isRefusal(error) || code === 'no-package' || !hasConnected || pauseMs === undefined || isStopped;
        if (!isRefusal(error)) await drop();
        if (isFinal) throw new DatabaseError(redact(message), { code, wasSentBefore, cause: error });
        wasSentBefore ||= sent;
        await clock.sleep(pauseMs);
      }
    }
  };

  return {
    name: nameOf(url),
    run: async (text, values) => {
      if (signal === undefined) return ask(text, values);
      try {
        return await untilAborted(signal, () => ask(text, values));
      } catch (error) {
        if (!signal.aborted) throw error;
        void drop();
        throw new DatabaseError('it was broken off: the command is to stop', { cause: error });
      }
    },
    close: drop,
  };
}

async function loadPackage(): Promise<{ readonly Client: typeof Client }> {
  try {
    return await import('pg');
  } catch (error) {
    // Only where it is the package itself that is missing.
    if (error instanceof Error && 'code' in error && /Cannot find (package|module) 'pg'/.test(error.message))
      throw new DatabaseError('the package `pg` is not installed', { code: 'no-package', cause: error });
    throw error;
  }
}

/** The address of a database, with a name of one in it; undefined where it is none. */
export function parseDatabaseAddress(address: string): URL | undefined {
  // A user without a host is common for sockets, and `URL` takes no such thing.
  const complete = address.replace(/^([^/]+:\/\/[^/]*)@\//, '$1@localhost/');
  if (!/^postgres(ql)?:\/\//.test(complete) || !URL.canParse(complete)) return undefined;
  const url = new URL(complete);
  return url.pathname.length > 1 ? url : undefined;
}

/** On another machine, unless the address itself says what is to be done. */
export function isToBeEncrypted({ hostname, searchParams }: URL): boolean {
  if (['ssl', 'sslmode', 'sslnegotiation'].some((name) => searchParams.has(name))) return false;
  const host = searchParams.get('host') ?? decoded(hostname);
  // A socket of this machine is a path.
  return !(
    host === '' ||
    host.startsWith('/') ||
    host === 'localhost' ||
    host === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

function nameOf({ host, pathname, searchParams }: URL): string {
  const place = searchParams.get('host') ?? decoded(host);
  return `the database ${decoded(pathname.slice(1))}${place === '' ? '' : ` on ${place}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The server answered, and what it answered is not that it is going away. */
function isRefusal(error: unknown): boolean {
  // Its classes: connection exception, completion unknown, operator intervention (shutdown, crash).
  return error instanceof Error && 'severity' in error && !/^(08|40003|57P)/.test(wordsOf(error).code ?? '');
}

function wordsOf(error: unknown): { readonly code: string | undefined; readonly message: string } {
  // Several addresses of one host were tried.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code: typeof code === 'string' ? code : undefined, message };
}
