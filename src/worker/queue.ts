// The queue of run requests: pg-boss on PostgreSQL, loaded by whoever needs it and by nobody else. It keeps, retries,
// schedules and hands out; what an account needs is decided by the run.
import type * as PgBossPackage from 'pg-boss';
import type { PgBoss, Queue } from 'pg-boss';
import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Dispatcher, RunRequest } from '../events/run-request.ts';
import { priorityOf } from '../events/run-request.ts';
import { isToBeEncrypted, parseDatabaseAddress } from '../platform/sql/database.ts';
import { askSoon, whyAway } from './database.ts';

/** Requests of all accounts. */
export const QUEUE = 'hostwright-runs';
/** Requests whose run failed too often. */
export const DEAD = 'hostwright-dead';

/** What pg-boss asks of Node.js. */
const NODE_NEEDED = [22, 12] as const;

/** A worker that is killed is missed after this. */
const HEARTBEAT_SECONDS = 20;
/** How often anybody looks for what a killed worker left. */
const MONITOR_SECONDS = 10;
/** A request is tried again for an hour at least before it is given up. */
const RETRIES = { retryLimit: 25, retryDelay: 1, retryBackoff: true, retryDelayMax: 300 };
/** Above the deadline of any run. */
const EXPIRE_SECONDS = 3600;

/**
 * One run of an account is active at most (`singleton`, with the account as `singletonKey`): an index of the table says
 * so, not a program. Nothing that is sent is ever dropped: a run answers all requests that waited when it began. The
 * policy `stately` would keep one waiting request only, and so forget what the others asked for; and of two that have to
 * be tried again it gives one up at once.
 */
const RUNS = {
  policy: 'singleton',
  deadLetter: DEAD,
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: EXPIRE_SECONDS,
  ...RETRIES,
} satisfies Omit<Queue, 'name'>;

/** What stands in the way of the queue, for the user. */
export class QueueError extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.detail);
    this.diagnostic = diagnostic;
  }
}

export interface QueueOptions {
  /** `postgres://user:password@host/database`, from HOSTWRIGHT_DATABASE_URL. */
  readonly databaseUrl: string | undefined;
  /** `process.versions.node`. */
  readonly node: string;
  /** Whether it keeps the queue in order as well, as workers do; who only sends need not. */
  readonly works: boolean;
  /** What went wrong beside any request, such as a connection that was lost. */
  readonly onError: (error: Error) => void;
}

/** Opens the queue, and makes its tables where they are missing. Rejects with a {@link QueueError}. */
export async function openQueue({ databaseUrl, node, works, onError }: QueueOptions): Promise<PgBoss> {
  const wrong = checkQueue({ databaseUrl, node });
  if (wrong !== undefined) throw new QueueError(wrong);
  const { PgBoss: Boss } = await loadPgBoss();
  const url = parseDatabaseAddress(databaseUrl as string);
  const boss = new Boss({
    connectionString: databaseUrl as string,
    ...(url !== undefined && isToBeEncrypted(url) && { ssl: true }),
    application_name: 'hostwright',
    supervise: works,
    schedule: works,
    useListenNotify: works,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
  });
  boss.on('error', onError);
  try {
    await boss.start();
    await boss.createQueue(DEAD);
    await boss.createQueue(QUEUE, RUNS);
    const { policy: _policy, ...settings } = RUNS;
    await boss.updateQueue(QUEUE, settings);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw new QueueError(queueFailed(databaseUrl, error as Error));
  }
}

/** What stands in the way before anything is loaded. */
export function checkQueue({ databaseUrl, node }: Pick<QueueOptions, 'databaseUrl' | 'node'>): Diagnostic | undefined {
  return checkNode(node) ?? checkAddress(databaseUrl);
}

async function loadPgBoss(): Promise<typeof PgBossPackage> {
  try {
    return await import('pg-boss');
  } catch (error) {
    throw new QueueError(
      diagnose(
        'HW7132',
        `The package pg-boss could not be loaded (${(error as Error).message.split('\n')[0] ?? ''}). It is not installed with hostwright. Install it beside it: \`npm install pg-boss@12\`, or \`npm install --global pg-boss@12\` where hostwright is installed globally.`,
      ),
    );
  }
}

function checkNode(node: string): Diagnostic | undefined {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [needed, minorNeeded] = NODE_NEEDED;
  if (major > needed || (major === needed && minor >= minorNeeded)) return undefined;
  return diagnose(
    'HW7131',
    `The queue needs Node.js ${needed}.${minorNeeded} or newer, and this is ${node}. All other commands run on it. Start this one with a newer Node.js.`,
  );
}

export function checkAddress(databaseUrl: string | undefined): Diagnostic | undefined {
  if (databaseUrl !== undefined && parseDatabaseAddress(databaseUrl) !== undefined) return undefined;
  const what =
    databaseUrl === undefined
      ? 'HOSTWRIGHT_DATABASE_URL is not set.'
      : 'HOSTWRIGHT_DATABASE_URL is not the address of a PostgreSQL database.';
  return diagnose('HW7133', `${what} Set it to \`postgres://USER:PASSWORD@HOST/DATABASE\`.`);
}

/** What the database did not do. By its host alone: the rest of the address has a password in it. */
export function queueFailed(databaseUrl: string | undefined, error: Error): Diagnostic {
  // A refused connection to several addresses has its reasons one level down.
  const reasons = error instanceof AggregateError ? (error.errors as readonly Error[]) : [error];
  const said = [...new Set(reasons.map(({ message }) => message))].join('; ');
  return diagnose(
    'HW7134',
    `The database at ${parseDatabaseAddress(databaseUrl ?? '')?.host ?? 'HOSTWRIGHT_DATABASE_URL'} did not do what the queue asked for: ${said}. Check the address, and that its user may create a schema in this database. Nothing was run.`,
  );
}

/** The queue as a place for run requests. Rejects with a `QueueError`, whose diagnostic says what to do. */
export async function queueDispatcher({
  clock,
  ...options
}: Omit<QueueOptions, 'works'> & { readonly clock: Clock }): Promise<Dispatcher> {
  const boss = await openQueue({ ...options, works: false });
  return {
    name: 'the queue',
    // Of every policy of pg-boss, this one takes everything: it is kept when this resolves.
    dispatch: async (request: RunRequest) => {
      await boss.send(QUEUE, request, { singletonKey: request.account, priority: priorityOf(request, 'event') });
    },
    unhealthy: () => whyAway(askSoon({ clock }, boss)),
    close: () => boss.stop({ timeout: 5000 }),
  };
}
