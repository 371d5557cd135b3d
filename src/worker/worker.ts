// The use case `serve worker`: takes run requests from the queue and runs them in this process, a few accounts side by side, until
// it is stopped. Several workers share one queue; what one of them leaves when it is killed, another takes up.
import { setMaxListeners } from 'node:events';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Counters } from '../events/counters.ts';
import type { RunRequest } from '../events/run-request.ts';
import { priorityOf, readRunRequest } from '../events/run-request.ts';
import { quote } from '../model/format.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { renderMessages } from '../report/view/messages.ts';
import { renderNotification } from '../report/view/notification.ts';
import { memberSession, sharedByHost } from '../usecases/fleet/fleet.ts';
import type { Member } from '../usecases/fleet/members.ts';
import { findMembers } from '../usecases/fleet/members.ts';
import type { Notify } from '../usecases/notify/addresses.ts';
import { sendNotifications } from '../usecases/notify/addresses.ts';
import { tellRun } from '../usecases/notify/tell.ts';
import type { Session } from '../usecases/session.ts';
import type { Endpoints, Listen } from './endpoints.ts';
import { serveEndpoints } from './endpoints.ts';
import type { Identity } from './identity.ts';
import { claimIdentity, findReplaced } from './identity.ts';
import type { MetricKey } from './metrics.ts';
import { createCounters } from './metrics.ts';
import { askOf, askSoon, errorTeller, whyAway } from './database.ts';
import { operatorsPage } from './page.ts';
import { openQueue, QUEUE, QueueError, queueFailed } from './queue.ts';
import { createReports, fleetReportNow, noteReport, versionOf } from './reports.ts';
import type { InvalidRow, OnInvalid } from './rows.ts';
import { invalidRowMessage, shown } from './rows.ts';
import type { RunEnd } from './run-account.ts';
import { covers, joinAsked, runAccount } from './run-account.ts';
import type { Every } from './schedule.ts';
import { cronOf, keyOf } from './schedule.ts';
import { createStatus, isGood, noteStatus, readWorkStatus, samplesOf } from './status.ts';

export interface WorkOptions {
  readonly folders: readonly string[];
  /** Accounts side by side. */
  readonly concurrency: number;
  readonly driftEvery: Every;
  /** How long runs that are under way may take when the worker is to stop. */
  readonly drainMs: number;
  /** Absent: nobody is told by HTTP. */
  readonly listen?: Listen;
  readonly notify: Notify;
  readonly databaseUrl: string | undefined;
  readonly node: string;
  readonly version: string;
  readonly log: (line: LogLine) => void;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** One thing that happened, for a log of JSON lines. */
export interface LogLine {
  readonly level: 'info' | 'warning' | 'error';
  readonly event: string;
  readonly [field: string]: unknown;
}

/** What one worker has at hand. */
interface Worker {
  readonly session: Session;
  readonly options: WorkOptions;
  readonly boss: PgBoss;
  /** Told of what the database did not do. */
  readonly onError: (error: Error) => void;
  readonly counters: Counters<MetricKey>;
  readonly shared: ReturnType<typeof sharedByHost>['shared'];
  /** Aborted when runs that are under way have to end. */
  readonly drained: AbortSignal;
  /** Absent: nobody declared one. */
  readonly identity?: Identity;
  /** Aborted, with the words for it, when another process has that identity. */
  readonly replaced: AbortController;
  /** Reports a row of the database that cannot be used, once for each row and reason. */
  readonly onInvalid: OnInvalid;
  members: ReadonlyMap<string, Member>;
  active: number;
}

/** What an apply began and the platform has not finished is looked at again after this. */
const LOOK_AGAIN_SECONDS = 5 * 60;
/** An account whose credential is refused is asked again after this: whoever mends it need tell nobody. */
const ASK_AGAIN_SECONDS = 5 * 60;
/** The platform refused the credential, or there is none: it stays so until somebody mends it. */
const WRONG_CREDENTIAL: ReadonlySet<string> = new Set(['HW3001', 'HW3002', 'HW4005', 'HW6033', 'HW6034']);
/** How often the folders are read again, for accounts that came or went. */
const RESCAN_MS = 60_000;
/** What a run that was told to stop has to end. */
const END_MS = 5000;
/** How long a worker that has nothing to do waits before it looks, where nobody wakes it. */
const POLL_SECONDS = 2;

/** Runs until the session is stopped; the diagnostics that forbid to begin, or none. */
export async function work(given: Session, options: WorkOptions): Promise<readonly Diagnostic[]> {
  const { log } = options;
  const replaced = new AbortController();
  const session: Session = { ...given, stop: AbortSignal.any([given.stop, replaced.signal]) };
  const found = await findMembers(session, { folders: options.folders });
  if (found.diagnostics.length > 0) return found.diagnostics;
  let boss: PgBoss;
  const ended = new AbortController();
  const whileOpen = { clock: session.clock, stop: AbortSignal.any([session.stop, ended.signal]) };
  const onError = errorTeller(whileOpen, log, () => whyAway(askSoon(session, boss)));
  try {
    boss = await openQueue({ databaseUrl: options.databaseUrl, node: options.node, works: true, onError });
  } catch (error) {
    ended.abort();
    if (!(error instanceof QueueError)) throw error;
    return [error.diagnostic];
  }
  const drain = new AbortController();
  setMaxListeners(0, drain.signal, session.stop);
  const { shared, close } = sharedByHost(session);
  const worker: Worker = {
    session,
    options,
    boss,
    onError,
    counters: createCounters(),
    shared,
    drained: drain.signal,
    ...identityOf(session),
    replaced,
    onInvalid: invalidRowTeller(log),
    members: byAccount(found.members),
    active: 0,
  };
  let endpoints: Endpoints | undefined;
  try {
    await prepare(worker);
    tellBroken(worker, found.members);
    if (options.listen !== undefined) {
      const opened = await openEndpoints(worker, options.listen);
      if ('code' in opened) return [opened];
      endpoints = opened;
    }
    for (let slot = 0; slot < options.concurrency; slot += 1) await openSlot(worker);
    log({
      level: 'info',
      event: 'worker-started',
      accounts: worker.members.size,
      concurrency: options.concurrency,
      driftEvery: options.driftEvery,
      ...(endpoints !== undefined && { listen: endpoints.url }),
    });
    await untilStopped(worker);
    log({ level: 'info', event: 'worker-stopping', active: worker.active });
    const patience = new AbortController();
    void session.clock.sleep(options.drainMs, patience.signal).then(
      () => drain.abort(new Error('the worker stops')),
      () => undefined,
    );
    await boss.stop({ timeout: options.drainMs + END_MS });
    patience.abort();
    log({ level: 'info', event: 'worker-stopped' });
    return replaced.signal.aborted ? [replaced.signal.reason as Diagnostic] : [];
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    return [error.diagnostic];
  } finally {
    ended.abort();
    await endpoints?.close();
    await boss.stop({ graceful: false }).catch(() => undefined);
    await close();
  }
}

/** Forgotten rows are reported again. */
const MOST_TOLD_ROWS = 10_000;

function invalidRowTeller(log: WorkOptions['log']): OnInvalid {
  const told = new Set<string>();
  return (row) => {
    const key = JSON.stringify(row);
    if (told.has(key)) return;
    if (told.size >= MOST_TOLD_ROWS) told.clear();
    told.add(key);
    log({ level: 'warning', event: 'row-invalid', ...row, message: invalidRowMessage(row) });
  };
}

/** What has to be in the database before the first run. */
async function prepare(worker: Worker): Promise<void> {
  const { boss, options, identity } = worker;
  try {
    await createStatus(askOf(boss));
    await createReports(askOf(boss));
    if (identity !== undefined) await claimIdentity(askOf(boss), identity);
    await syncSchedules(worker);
  } catch (error) {
    throw new QueueError(queueFailed(options.databaseUrl, error as Error));
  }
}

function identityOf({ runtime: { identity: name, hostname: host, uuid } }: Session): Pick<Worker, 'identity'> {
  return name === undefined ? {} : { identity: { name, host, instance: uuid() } };
}

/** Ends this worker when another process has its identity by now. */
async function checkIdentity({ boss, identity, replaced, options: { log } }: Worker): Promise<boolean> {
  if (identity === undefined) return true;
  const found = await findReplaced(askOf(boss), identity);
  if (found !== undefined && !replaced.signal.aborted) {
    log({ level: 'error', event: 'worker-replaced', code: found.code, message: found.detail });
    replaced.abort(found);
  }
  return found === undefined;
}

/** Takes one request after the other. */
async function openSlot(worker: Worker): Promise<void> {
  const { boss } = worker;
  const how = {
    includeMetadata: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: POLL_SECONDS,
  } as const;
  const id = await boss.work(QUEUE, how, async ([job]: Job[]) => {
    try {
      if (job === undefined) return undefined;
      if (!(await checkIdentity(worker))) throw new Error('The worker stops, and the run is made again.');
      return await answer(worker, job);
    } finally {
      // There may be more, of this account too: it need not wait for the next look.
      boss.notifyWorker(id);
    }
  });
}

/** Reads the folders again from time to time, until the worker is to stop. */
async function untilStopped(worker: Worker): Promise<void> {
  const { session, options } = worker;
  while (!session.stop.aborted) {
    await session.clock.sleep(RESCAN_MS, session.stop).catch(() => undefined);
    if (session.stop.aborted) return;
    try {
      await rescan(worker);
    } catch (error) {
      options.log({ level: 'error', event: 'rescan-failed', message: (error as Error).message });
    }
  }
}

/** What cannot be read now keeps the accounts that were known. */
async function rescan(worker: Worker): Promise<void> {
  const { session, options } = worker;
  const { members, diagnostics } = await findMembers(session, { folders: options.folders });
  const [first] = diagnostics;
  if (first !== undefined) {
    options.log({ level: 'error', event: 'rescan-failed', code: first.code, message: first.detail });
    return;
  }
  const before = new Map([...worker.members.values()].map((member) => [member.file, member]));
  const broken = members.filter(({ workspace }) => workspace === undefined);
  tellBroken(
    worker,
    broken.filter(({ file }) => before.get(file)?.workspace !== undefined),
  );
  // Which account a broken file is of was known before: its runs say what is wrong with it.
  worker.members = byAccount(
    members.map((member) => (member.workspace === undefined ? (before.get(member.file) ?? member) : member)),
  );
  await checkIdentity(worker)
    .then(() => syncSchedules(worker))
    .catch(worker.onError);
}

function tellBroken({ counters, options: { log } }: Worker, members: readonly Member[]): void {
  for (const { folder, workspace, diagnostics } of members) {
    const [first] = workspace === undefined ? diagnostics : [];
    if (first === undefined) continue;
    counters.add('refusals', { code: first.code });
    log({ level: 'error', event: 'workspace-broken', workspace: folder, code: first.code, message: first.detail });
  }
}

function byAccount(members: readonly Member[]): ReadonlyMap<string, Member> {
  return new Map(members.map((member) => [member.account, member]));
}

/** Each account that there is has one schedule, and no other has. What is as it should be is not written. */
async function syncSchedules({ boss, members, options: { driftEvery, log } }: Worker): Promise<void> {
  const known = new Map<string, string>();
  for (let after: { readonly name: string; readonly key: string } | undefined; ;) {
    const page = await boss.getSchedules(QUEUE, undefined, { limit: 1000, ...(after !== undefined && { after }) });
    for (const { key, cron } of page) known.set(key, cron);
    const last = page.at(-1);
    if (last === undefined || page.length < 1000) break;
    after = { name: last.name, key: last.key };
  }
  let changed = 0;
  for (const { account, workspace } of members.values()) {
    const cron = cronOf(account, driftEvery);
    if (workspace === undefined || known.get(keyOf(account)) === cron) continue;
    const request: RunRequest = { account, run: 'drift', why: `every ${driftEvery}` };
    await boss.schedule(QUEUE, cron, request, { key: keyOf(account), singletonKey: account, missed: 'once' });
    changed += 1;
  }
  const wanted = new Set([...members.values()].map(({ account }) => keyOf(account)));
  for (const key of known.keys()) {
    if (wanted.has(key)) continue;
    await boss.unschedule(QUEUE, key);
    changed += 1;
  }
  if (changed > 0) log({ level: 'info', event: 'schedules-written', changed });
}

/** `isTold`: that the credential is refused has been told to somebody. */
type Request = RunRequest & { readonly isTold?: boolean };
type Job = JobWithMetadata<unknown>;

/** One run for a request and for all others of its account that wait by now. Throws where it has to be made again. */
async function answer(worker: Worker, job: Job): Promise<object> {
  const { boss, counters, options, session } = worker;
  const fromMs = session.clock.now();
  const request = requestIn(worker, job);
  // It asks for nothing that can be understood: nothing runs, and it is not tried again.
  if (request === undefined) return { outcome: 'refused' };
  const { account } = request;
  const found = await boss.findJobs<unknown>(QUEUE, { key: account, queued: true });
  const others = found.flatMap((other) => {
    const data = requestIn(worker, { id: other.id, data: other.data, singletonKey: account });
    return data === undefined ? [] : [{ id: other.id, data }];
  });
  const requests = [request, ...others.map(({ data }) => data)];
  const asked = joinAsked(requests);
  if (job.retryCount === 0) counters.observe('delay', Math.max(0, fromMs - job.startAfter.getTime()) / 1000);
  options.log({
    level: 'info',
    event: 'run-started',
    account,
    run: asked.run,
    why: [...new Set(requests.map(({ why }) => why))].slice(0, MOST_REASONS),
    job: job.id,
    answers: requests.length,
    attempt: job.retryCount + 1,
  });
  worker.active += 1;
  let end: RunEnd;
  try {
    end = await runOnce(worker, { account, signal: job.signal }, asked.run);
  } finally {
    worker.active -= 1;
  }
  const isRefused = end.outcome === 'error' && end.diagnostics.some(({ code }) => WRONG_CREDENTIAL.has(code));
  const isAgain = !isRefused && (end.outcome === 'error' || end.outcome === 'interrupted');
  const isLast = job.retryCount >= job.retryLimit;
  // What goes wrong is tried again: somebody is told when that did not help soon, and when it is given up.
  // Where another run holds the ledger, it is soon over, or a lock that nobody holds any more.
  const isToTell = isRefused
    ? !requests.some(({ isTold }) => isTold === true)
    : !isAgain || isLast || (job.retryCount === TELL_AT && !isBusy(end));
  const told = isToTell ? await tell(worker, account, end, asked.notify === true) : [];
  await note(worker, account, asked.run, { ...end, diagnostics: [...end.diagnostics, ...told] }, fromMs);
  if (isRefused)
    await boss.send(
      QUEUE,
      { account, ...asked, isTold: true, why: 'the credential of the account is refused' } satisfies Request,
      { singletonKey: account, startAfter: ASK_AGAIN_SECONDS, priority: priorityOf(asked, 'schedule') },
    );
  // What this request asks for too is done when it is made again; if it is given up, the others go their own way.
  const answered = isAgain ? (isLast ? [] : others.filter(({ data }) => covers(request, data))) : others;
  if (answered.length > 0)
    await boss.complete(
      QUEUE,
      answered.map(({ id }) => id),
      { answeredBy: job.id },
      { includeQueued: true },
    );
  if (isAgain) throw new Error(reasonOf(end));
  if (asked.run === 'apply' && inFlightOf(end) > 0)
    await boss.send(
      QUEUE,
      { account, run: 'apply', why: 'what an apply began is not finished yet' } satisfies RunRequest,
      { singletonKey: account, startAfter: LOOK_AGAIN_SECONDS, priority: priorityOf(asked, 'schedule') },
    );
  return { outcome: end.outcome, run: asked.run, drift: driftOf(end), requests: end.requests };
}

/** Returns the request of a job; undefined, and reported, for one that is invalid or belongs to another account. */
function requestIn(
  { onInvalid }: Worker,
  { id, data, singletonKey }: Pick<Job, 'id' | 'data' | 'singletonKey'>,
): Request | undefined {
  const read = readRunRequest(data);
  const isForeign = typeof read !== 'string' && singletonKey !== null && singletonKey !== read.account;
  if (typeof read !== 'string' && !isForeign) return read;
  const reason = typeof read === 'string' ? read : `it is about account ${quote(shown(read.account))}`;
  onInvalid({ store: QUEUE, account: singletonKey ?? 'no account', reason: `${reason} (job ${id})` });
  return undefined;
}

const MOST_REASONS = 10;
/** The attempt, from 0, after which somebody is told that runs of an account fail. */
const TELL_AT = 2;

async function runOnce(
  worker: Worker,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
  run: RunRequest['run'],
): Promise<RunEnd> {
  const { session, shared, drained } = worker;
  if (worker.members.get(account) === undefined) await rescan(worker);
  const member = worker.members.get(account);
  if (member === undefined) return unknownAccount(account);
  const stop = AbortSignal.any([drained, signal]);
  setMaxListeners(0, stop);
  const { credentials } = session;
  // A token may have been replaced since the last run.
  const fresh = credentials === undefined ? undefined : credentials().then((known) => known.fresh());
  const own: Session = {
    ...memberSession(session, member, shared),
    stop,
    ...(fresh !== undefined && { credentials: () => fresh }),
  };
  try {
    return await runAccount(own, { run });
  } catch (error) {
    // A mistake of ours in one account stops no other.
    return {
      outcome: 'error',
      requests: 0,
      diagnostics: [
        diagnose(
          'HW7136',
          `This is a mistake of ours: ${(error as Error).message}. The run is made again, and other accounts go on. Run \`hostwright drift\` in the folder of the account for more.`,
        ),
      ],
    };
  }
}

function unknownAccount(account: string): RunEnd {
  return {
    outcome: 'error',
    requests: 0,
    diagnostics: [
      diagnose(
        'HW7135',
        `A run of ${account} was asked for, and no folder of this worker is its workspace. Start all workers with the same folders, and give them the same commit.`,
      ),
    ],
  };
}

/** Tells the channels of the workspace what is news, and whom `--notify` names of the run, as `drift --notify` does. */
async function tell(worker: Worker, account: string, end: RunEnd, isAsked: boolean): Promise<readonly Diagnostic[]> {
  const { session, options, shared, drained: stop } = worker;
  const { outcome, plan, diagnostics } = end;
  const member = worker.members.get(account);
  const told =
    member === undefined ? [] : await tellRun({ ...memberSession(session, member, shared), stop }, end, renderMessages);
  if (options.notify.addresses.length === 0 || outcome === 'interrupted' || (outcome === 'done' && !isAsked))
    return told;
  const body = renderNotification({
    ...(plan !== undefined && { plan }),
    diagnostics,
    outcome,
    atMs: session.clock.now(),
  });
  return [...told, ...(await sendNotifications({ ...session, stop }, options.notify, body))];
}

/** Another run holds the ledger: nothing need be wrong, and it is tried again. */
function isBusy({ diagnostics }: RunEnd): boolean {
  return diagnostics.some(({ code }) => code === 'HW5004');
}

async function note(
  worker: Worker,
  account: string,
  run: RunRequest['run'],
  end: RunEnd,
  fromMs: number,
): Promise<void> {
  const { boss, counters, options, session } = worker;
  const endedAtMs = session.clock.now();
  const { outcome, diagnostics, requests, ledgerAtMs } = end;
  const wrong = diagnostics.filter(({ severity }) => severity === 'error');
  counters.add('runs', { run, outcome });
  counters.add('requests', {}, requests);
  counters.observe('seconds', (endedAtMs - fromMs) / 1000);
  for (const { code } of wrong) counters.add('refusals', { code });
  options.log({
    level: outcome === 'error' && !isBusy(end) ? 'error' : 'info',
    event: 'run-ended',
    account,
    run,
    outcome,
    drift: driftOf(end),
    inFlight: inFlightOf(end),
    requests,
    ms: endedAtMs - fromMs,
    ...(diagnostics.length > 0 && {
      diagnostics: diagnostics
        .filter(({ severity }) => severity !== 'info')
        .map(({ code, summary, detail }) => ({ code, summary, detail })),
    }),
  });
  if (outcome === 'interrupted') return;
  const member = worker.members.get(account);
  if (member !== undefined)
    await noteReport(askOf(boss), memberSession(session, member, worker.shared), {
      ...{ member, end, endedAtMs, redact: options.redact, onInvalid: worker.onInvalid },
    });
  if (isBusy(end)) return;
  await noteStatus(askOf(boss), {
    account,
    outcome,
    drift: driftOf(end),
    inFlight: inFlightOf(end),
    endedAtMs,
    ...(!isGood(outcome) && { reason: reasonOf(end) }),
    ...(ledgerAtMs !== undefined && { ledgerAtMs }),
  });
}

function driftOf({ plan }: RunEnd): number {
  return (plan?.drift ?? []).filter((item) => item.class !== 'in-flight').length;
}

function inFlightOf({ plan }: RunEnd): number {
  return (plan?.drift ?? []).filter((item) => item.class === 'in-flight').length;
}

/** For the queue, which keeps it beside the request. */
function reasonOf({ outcome, diagnostics, plan }: RunEnd): string {
  if (outcome === 'interrupted') return 'The worker stopped, and the run is made again.';
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  if (first !== undefined) return `${first.code} ${first.summary}: ${first.detail}`;
  const [unread] = plan?.unknown ?? [];
  return unread === undefined ? 'The run failed.' : `${unread.address} could not be read: ${unread.reason}`;
}

async function openEndpoints(worker: Worker, listen: Listen): Promise<Endpoints | Diagnostic> {
  const { boss, counters, session, options } = worker;
  const ask = askSoon(session, boss);
  try {
    return await serveEndpoints(listen, {
      unhealthy: async () => {
        if (session.stop.aborted) return 'the worker stops';
        return whyAway(ask);
      },
      metrics: async () => {
        // Without the database, a worker still tells what it counted itself.
        const status = await readWorkStatus(ask).catch(() => undefined);
        return counters.render([
          { metric: 'info', labels: { version: options.version }, value: 1 },
          { metric: 'accounts', value: worker.members.size },
          { metric: 'active', value: worker.active },
          { metric: 'up', value: status === undefined ? 0 : 1 },
          ...(status === undefined ? [] : samplesOf(status, worker.members)),
        ]);
      },
      page: operatorsPage({
        report: async () => {
          const invalidRuns: InvalidRow[] = [];
          const onInvalid: OnInvalid = (row) => {
            invalidRuns.push(row);
            worker.onInvalid(row);
          };
          const status = await readWorkStatus(ask, onInvalid);
          const now = { nowMs: session.clock.now(), invalidRuns, onInvalid: worker.onInvalid };
          return fleetReportNow(ask, worker.members.values(), status, now);
        },
        version: () => versionOf(ask),
        sleep: (ms) => session.clock.sleep(ms, session.stop),
        nowMs: () => session.clock.now(),
      }),
    });
  } catch (error) {
    return diagnose(
      'HW7137',
      `${listen.host}:${listen.port}: ${(error as Error).message}. Free the port, or name another with \`--listen\`. Nothing was run.`,
    );
  }
}
