// What a person does with the queue of workers: looks at it, has accounts run again, and takes out those that nobody looks
// after any more.
import type { PgBoss } from 'pg-boss';
import type { RunRequest } from '../events/run-request.ts';
import { priorityOf, readRunRequest } from '../events/run-request.ts';
import type { Clock } from '../model/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Account } from '../model/generated/output/work.ts';
import { createDatabase } from '../platform/sql/database.ts';
import type { QueueOptions } from './queue.ts';
import { askOf } from './database.ts';
import { DEAD, openQueue, QUEUE, QueueError, queueFailed } from './queue.ts';
import { forgetReport } from './reports.ts';
import type { InvalidRow } from './rows.ts';
import { invalidRowMessage } from './rows.ts';
import { joinAsked } from './run-account.ts';
import { keyOf } from './schedule.ts';
import type { WorkStatus } from './status.ts';
import { isGood, NO_TABLE, readWorkStatus } from './status.ts';

export interface Operated extends Partial<WorkStatus> {
  readonly outcome: 'done' | 'error' | 'refused';
  /** What was done, in a sentence an account. Absent: it was only looked, or nothing was done. */
  readonly message?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface OperateOptions extends Omit<QueueOptions, 'works'> {
  readonly clock: Clock;
}

/** A look, which makes nothing where nothing is. `databaseUrl` is the address of a database. */
export async function workStatus({
  databaseUrl,
  clock,
}: Pick<OperateOptions, 'databaseUrl' | 'clock'>): Promise<Operated> {
  const database = createDatabase({ address: databaseUrl, clock, timeoutMs: 30_000 });
  try {
    const invalid = new Map<string, InvalidRow>();
    const status = await readWorkStatus(database.run, (row) => invalid.set(`${row.store} ${row.account}`, row));
    return { outcome: 'done', ...status, diagnostics: [...invalid.values()].map(invalidRow) };
  } catch (error) {
    return failed([statusFailed(databaseUrl, error as Error)]);
  } finally {
    await database.close();
  }
}

function invalidRow(row: InvalidRow): Diagnostic {
  return diagnose('HW7143', invalidRowMessage(row));
}

function statusFailed(databaseUrl: string | undefined, error: Error): Diagnostic {
  if ((error as { readonly code?: string }).code !== NO_TABLE) return queueFailed(databaseUrl, error);
  return diagnose(
    'HW7139',
    'There is no queue in the database of HOSTWRIGHT_DATABASE_URL. Check that it is the address that the workers have, or start one: it makes what is missing.',
  );
}

/** Runs each account at once, for all that is asked for and was given up; `all`: those that wait for another try. */
export function retryAccounts(options: OperateOptions, accounts: readonly string[] | 'all'): Promise<Operated> {
  return operate(options, accounts, async (boss, { account }) => {
    const [dead, queued] = await Promise.all([jobsOf(boss, DEAD, account), jobsOf(boss, QUEUE, account)]);
    const asked = joinAsked(
      [...dead, ...queued].flatMap(({ request }) => (typeof request === 'string' ? [] : [request])),
    );
    const why = 'somebody asked for it with `hostwright serve worker retry`';
    // Cut off in between, it is asked for twice: one run answers both.
    await boss.send(QUEUE, { account, ...asked, why } satisfies RunRequest, {
      singletonKey: account,
      priority: priorityOf(asked, 'person'),
    });
    await deleteJobs(boss, DEAD, dead);
    return `${account}: asked for ${asked.run === 'apply' ? 'an apply that goes on with what is unfinished' : 'a drift'}.`;
  });
}

/** Takes out all that is known of these accounts, when somebody agrees to that. */
export function forgetAccounts(
  options: OperateOptions,
  accounts: readonly string[],
  confirm: (question: string) => Promise<boolean>,
): Promise<Operated> {
  return operate(
    options,
    accounts,
    async (boss, { account }) => {
      for (const queue of [QUEUE, DEAD]) await deleteJobs(boss, queue, await jobsOf(boss, queue, account));
      await boss.unschedule(QUEUE, keyOf(account));
      await askOf(boss)('DELETE FROM hostwright.account_run WHERE account = $1', [account]);
      await forgetReport(askOf(boss), account);
      return `${account} is forgotten.`;
    },
    async (found) => {
      const busy = found.filter(({ requests }) => requests.some(({ state }) => state === 'active'));
      if (busy.length > 0) return failed(busy.map(({ account }) => underWay(account)));
      return (await confirm(forgetQuestion(found))) ? undefined : { outcome: 'refused', diagnostics: [] };
    },
  );
}

function forgetQuestion(found: readonly Account[]): string {
  const unfinished = found.filter(
    ({ lastRun, requests }) => (lastRun?.inFlight ?? 0) > 0 || requests.some(({ run }) => run === 'apply'),
  );
  const lost = unfinished.map(({ account }) => account).join(', ');
  return [
    `Forget ${found.map(({ account }) => account).join(', ')}: what was asked for, how the last run ended, what the page shows of it, and the schedule?`,
    'Neither the account nor its ledger is changed.',
    ...(lost === ''
      ? []
      : [
          `An apply of ${lost} may be unfinished, and no worker will go on with it: \`hostwright apply --resume\` does.`,
        ]),
  ].join(' ');
}

type Jobs = readonly { readonly id: string; readonly request: RunRequest | string }[];

async function jobsOf(boss: PgBoss, queue: string, account: string): Promise<Jobs> {
  const jobs = await boss.findJobs<unknown>(queue, { key: account, queued: true, limit: 100_000 });
  return jobs.map(({ id, data }) => ({ id, request: readRunRequest(data) }));
}

async function deleteJobs(boss: PgBoss, queue: string, jobs: Jobs): Promise<void> {
  if (jobs.length > 0)
    await boss.deleteJob(
      queue,
      jobs.map(({ id }) => id),
    );
}

/** What somebody has to look at, or has looked at and mended. */
function hasFailed({ lastRun, requests }: Account): boolean {
  const isTried = requests.some(({ state }) => state === 'retrying' || state === 'given-up');
  return isTried || (lastRun !== undefined && !isGood(lastRun.outcome));
}

/** `agreed`: what stands in the way of all of it, before anything is done. */
async function operate(
  { clock, onError, ...options }: OperateOptions,
  accounts: readonly string[] | 'all',
  act: (boss: PgBoss, account: Account) => Promise<string>,
  agreed: (found: readonly Account[]) => Promise<Operated | undefined> = () => Promise.resolve(undefined),
): Promise<Operated> {
  const looked = await workStatus({ ...options, clock });
  if (looked.accounts === undefined) return looked;
  const known = new Map(looked.accounts.map((one) => [one.account, one]));
  const unknown = accounts === 'all' ? [] : accounts.filter((account) => !known.has(account));
  if (unknown.length > 0) return failed(unknown.map(unknownToQueue));
  const found =
    accounts === 'all'
      ? looked.accounts.filter(hasFailed)
      : [...new Set(accounts)].map((account) => known.get(account) as Account);
  const objection = await agreed(found);
  if (objection !== undefined) return objection;
  const done: string[] = [];
  let boss: PgBoss | undefined;
  try {
    boss = await openQueue({ ...options, works: false, onError });
    for (const account of found) done.push(await act(boss, account));
    const { queue, accounts: after } = await readWorkStatus(askOf(boss));
    const meant = new Set(found.map(({ account }) => account));
    return {
      outcome: 'done',
      message: done.length === 0 ? 'No account has failed.' : done.join('\n'),
      queue,
      accounts: after.filter(({ account }) => meant.has(account)),
      diagnostics: [],
    };
  } catch (error) {
    const problem = error instanceof QueueError ? error.diagnostic : queueFailed(options.databaseUrl, error as Error);
    return { ...failed([problem]), ...(done.length > 0 && { message: done.join('\n') }) };
  } finally {
    await boss?.stop({ timeout: 5000 });
  }
}

function failed(diagnostics: readonly Diagnostic[]): Operated {
  return { outcome: 'error', diagnostics };
}

function unknownToQueue(account: string): Diagnostic {
  return diagnose(
    'HW7140',
    `Neither the queue nor the database knows an account ${account}. \`hostwright serve worker status\` names those that are known. Nothing was done.`,
  );
}

function underWay(account: string): Diagnostic {
  return diagnose(
    'HW7141',
    `A worker runs ${account} now, and would note how that ended. Take its workspace away from the workers, wait for the run to end, and forget it then. Nothing was forgotten.`,
  );
}
