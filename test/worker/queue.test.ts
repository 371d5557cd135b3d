// A worker on a real PostgreSQL, in this process: what it does with requests, failures, schedules and the end.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { Dispatcher, RunRequest } from '../../src/events/run-request.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { FleetReport } from '../../src/model/plan/fleet-report.ts';
import { openQueue, QUEUE, queueDispatcher } from '../../src/worker/queue.ts';
import type { WorkOptions } from '../../src/worker/worker.ts';
import { runCommand } from '../support/processes/command.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { createDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import { findFleetReportProblem } from '../support/written-schemas.ts';
import { accountIds, writeAccount } from './accounts.ts';
import type { Running } from './running.ts';
import { node, startWorker } from './running.ts';
import { closing } from '../support/closing.ts';
import { openServer } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

/** A platform with accounts, and folders of so many of them. */
async function platform(accounts: number, written = accounts): Promise<Harness & { readonly ids: readonly string[] }> {
  const harness = await openHarness({ scenario: `accounts:${Math.max(2, accounts)}`, files: {} });
  const ids = accountIds(accounts);
  for (const id of ids.slice(0, written)) await writeAccount(harness.root, id, harness.sandbox.url);
  return { ...harness, ids };
}

async function start(one: Harness, databaseUrl: string, given?: Partial<WorkOptions>): Promise<Running> {
  const worker = await startWorker(one, databaseUrl, given);
  onTestFinished(worker.stop);
  return worker;
}

async function listener(): Promise<{ readonly url: string; readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const { url } = await openServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end();
    });
  });
  return { url: `${url}/`, bodies };
}

async function dispatcherOf(databaseUrl: string): Promise<Dispatcher> {
  return closing(await queueDispatcher({ clock: realClock, databaseUrl, node, onError: () => undefined }));
}

const states = async (databaseUrl: string, account: string): Promise<readonly unknown[]> =>
  (
    await query(
      databaseUrl,
      `SELECT state::text AS state FROM pgboss.job WHERE name = $1 AND singleton_key = $2 ORDER BY created_on`,
      [QUEUE, account],
    )
  ).map(({ state }) => state);

describe.skipIf(noPostgres !== undefined)('a worker', () => {
  it('runs what was asked for before it was there, one run for all requests of an account, and tells of it', async () => {
    const one = await platform(3, 2);
    const told = await listener();
    const [first = '', second = ''] = one.ids;
    const databaseUrl = await createDatabase();
    const { dispatch } = await dispatcherOf(databaseUrl);
    const ask = (account: string, more: Partial<RunRequest> = {}) =>
      dispatch({ account, run: 'drift', why: 'a test', ...more });
    await ask(first, { root: 'Site/shop' });
    await ask(first, { run: 'apply' });
    await ask(first);
    await ask(second);
    const worker = await start(one, databaseUrl, {
      listen: { host: '127.0.0.1', port: 0 },
      notify: { addresses: [told.url], secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    });
    const ended = await worker.until('run-ended', 2);
    const startedLines = worker.lines.filter(({ event }) => event === 'run-started');
    expect(startedLines.find(({ account }) => account === first)).toMatchObject({ run: 'apply', answers: 3 });
    expect(startedLines.find(({ account }) => account === second)).toMatchObject({ run: 'drift', answers: 1 });
    expect(ended).toHaveLength(2);
    for (const line of ended) expect(line).toMatchObject({ outcome: 'differences', drift: 1, inFlight: 0 });
    expect(told.bodies.map((body) => (JSON.parse(body) as { readonly data: object }).data)).toContainEqual(
      expect.objectContaining({ account: first, outcome: 'differences' }),
    );
    // What comes later starts too, of an account that came later.
    await writeAccount(one.root, one.ids[2] ?? '', one.sandbox.url);
    await ask(one.ids[2] ?? '');
    await worker.until('run-ended', 3);
    const { listen } = worker.lines.find(({ event }) => event === 'worker-started') as { readonly listen?: string };
    expect(await (await fetch(`${listen}/healthz`)).text()).toBe('ok\n');
    const metrics = (await (await fetch(`${listen}/metrics`)).text()).split('\n');
    expect(metrics).toContain('hostwright_accounts 3');
    expect(metrics).toContain(`hostwright_account_drift{account="${first}"} 1`);
    expect(metrics).toContain(`hostwright_account_ok{account="${second}"} 1`);
    expect(metrics).toContain('hostwright_runs_total{run="apply",outcome="differences"} 1');
    expect(metrics).toContain('hostwright_queue_dead 0');
    // The page says what these runs found, and nothing of an account that none was made of.
    const report = (await (await fetch(`${listen}/report.json`)).json()) as FleetReport;
    expect(findFleetReportProblem(report)).toBeUndefined();
    const [shown] = report.accounts;
    expect(shown).toMatchObject({
      account: first,
      state: 'drifted',
      outcome: 'differences',
      workspace: `accounts/${first}`,
    });
    expect(shown?.differs).toEqual([{ address: 'Site/shop/Caching', class: 'differs' }]);
    expect(shown?.runs).toEqual([]);
    expect(await (await fetch(`${listen}/`)).text()).toContain(`id="account-${second}"`);
    expect((await fetch(`${listen}/accounts/${second}`)).status).toBe(200);
    expect((await fetch(`${listen}/accounts/acc-other`)).status).toBe(404);
    const schedules = await query(databaseUrl, 'SELECT key, cron FROM pgboss.schedule WHERE name = $1', [QUEUE]);
    expect(schedules.map(({ key }) => key).toSorted()).toEqual(one.ids);
    await worker.stop();
    expect(await states(databaseUrl, first)).toEqual(['completed', 'completed', 'completed']);
  });

  it('tells the channel of a workspace once, whatever other accounts do, and again when it is over', async () => {
    const one = await platform(2);
    const [first = '', second = ''] = one.ids;
    const slack = await listener();
    await writeAccount(one.root, first, one.sandbox.url, {
      notify: '  notify: { slack: { env: HOSTWRIGHT_NOTIFY_SLACK } }\n',
    });
    const databaseUrl = await createDatabase();
    const { dispatch } = await dispatcherOf(databaseUrl);
    const session = (extra?: Parameters<Harness['session']>[0]) =>
      one.session({ ...extra, notifyNamed: () => slack.url });
    const folder = { cwd: join(one.root, 'accounts', first) };
    await ledgerCommand(session(folder), { do: 'init' });
    const worker = await start({ ...one, session }, databaseUrl);
    const ask = async (account: string, runs: number): Promise<void> => {
      await dispatch({ account, run: 'drift', why: 'a test' });
      await worker.until('run-ended', runs);
    };
    await ask(first, 1);
    await ask(second, 2);
    await ask(first, 3);
    const caching = one.sandbox.state.sites.get(`site-${first}-shop`)?.cdn.caching as { cache_expiration: number };
    caching.cache_expiration = 77;
    await ask(first, 4);
    expect(slack.bodies.map((body) => (JSON.parse(body) as { readonly text: string }).text)).toEqual([
      `${first}: 1 differs`,
      `${first}: 1 over`,
    ]);
    await worker.stop();
  });

  it('tries a run again that could not be made, with what was joined to it, and never two runs of an account', async () => {
    const one = await platform(2);
    const [account = ''] = one.ids;
    const databaseUrl = await createDatabase();
    const { dispatch } = await dispatcherOf(databaseUrl);
    one.sandbox.setFaults([{ kind: 'status-before', status: 400 }]);
    await dispatch({ account, run: 'drift', why: 'the first' });
    await dispatch({ account, run: 'drift', why: 'the second' });
    const worker = await start(one, databaseUrl);
    const [failed] = await worker.until('run-ended');
    expect(failed).toMatchObject({ outcome: 'error' });
    one.sandbox.setFaults([]);
    const [, again] = await worker.until('run-ended', 2);
    expect(again).toMatchObject({ outcome: 'differences' });
    await worker.stop();
    expect(await states(databaseUrl, account)).toEqual(['completed', 'completed']);
    expect(worker.lines.filter(({ event }) => event === 'run-ended')).toHaveLength(2);
  });

  it('asks an account whose credential is refused again after minutes, tells that once, and gives nothing up', async () => {
    const one = await platform(2);
    const told = await listener();
    const [account = ''] = one.ids;
    const databaseUrl = await createDatabase();
    const { dispatch } = await dispatcherOf(databaseUrl);
    const worker = await start(one, databaseUrl, {
      notify: { addresses: [told.url], secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    });
    const waiting = async () =>
      query(
        databaseUrl,
        `SELECT data, extract(epoch FROM start_after - created_on)::int AS seconds FROM pgboss.job
         WHERE name = $1 AND state < 'active'`,
        [QUEUE],
      );
    one.sandbox.setFaults([{ kind: 'status-before', status: 401 }]);
    for (const count of [1, 2]) {
      await dispatch({ account, run: 'apply', why: 'an event' });
      await worker.until('run-ended', count);
      // The end of a run is told before it is noted.
      let open;
      do open = await states(databaseUrl, account);
      while (open.includes('active') || !open.includes('created'));
    }
    expect(await waiting()).toEqual([{ data: expect.objectContaining({ run: 'apply' }) as object, seconds: 300 }]);
    expect(told.bodies).toHaveLength(1);
    one.sandbox.setFaults([]);
    await dispatch({ account, run: 'drift', why: 'it is mended' });
    expect((await worker.until('run-ended', 3))[2]).toMatchObject({ run: 'apply', outcome: 'differences' });
    await worker.stop();
    expect(new Set(await states(databaseUrl, account))).toEqual(new Set(['completed']));
  });

  it('without its database says so once, still tells what it counted, and goes on when it is back', async () => {
    const one = await platform(2);
    const databaseUrl = await createDatabase();
    const worker = await start(one, databaseUrl, { listen: { host: '127.0.0.1', port: 0 } });
    const { listen } = worker.lines.find(({ event }) => event === 'worker-started') as { readonly listen?: string };
    const get = async (path: string) => {
      const answer = await fetch(`${listen}${path}`);
      return [answer.status, await answer.text()] as const;
    };
    const name = new URL(databaseUrl).pathname.slice(1);
    const server = databaseUrl.replace(/[^/]+$/, 'postgres');
    await query(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    // It waits until each connection is gone.
    await query(server, 'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [name]);
    await worker.until('queue-error');
    expect(await get('/healthz')).toEqual([503, 'the database does not answer\n']);
    const [status, metrics] = await get('/metrics');
    expect(status).toBe(200);
    expect(metrics.split('\n')).toEqual(expect.arrayContaining(['hostwright_accounts 2', 'hostwright_queue_up 0']));
    expect(metrics).not.toMatch(/^hostwright_queue_dead /m);
    await query(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    await worker.until('queue-back');
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    const { dispatch } = await dispatcherOf(databaseUrl);
    await dispatch({ account: one.ids[0] ?? '', run: 'drift', why: 'a test' });
    await worker.until('run-ended');
    const told = () => worker.lines.map(({ event }) => event).filter((event) => event.startsWith('queue-'));
    await expect.poll(() => told().join()).toMatch(/^(queue-error,queue-back,?)+$/);
  });

  it('ends when another one is started with its identity', async () => {
    const one = await platform(2);
    const databaseUrl = await createDatabase();
    const named = (host: string): Harness => ({
      ...one,
      session: (given) => {
        const session = one.session(given);
        return { ...session, runtime: { ...session.runtime, hostname: host, identity: 'hosting/worker-0' } };
      },
    });
    const first = await startWorker(named('node-1'), databaseUrl, { concurrency: 1 });
    const second = await start(named('node-2'), databaseUrl, { concurrency: 1 });
    const { dispatch } = await dispatcherOf(databaseUrl);
    // Either may take a request; the first one finds out with the first that it takes.
    let isReplaced = false;
    const told = first.until('worker-replaced').finally(() => (isReplaced = true));
    let asked = 0;
    while (!isReplaced) {
      await dispatch({ account: one.ids[asked % 2] ?? '', run: 'drift', why: 'a test' });
      asked += 1;
      await Promise.race([told, second.until('run-ended', asked)]);
    }
    const [replaced] = await told;
    expect(replaced).toMatchObject({ code: 'HW7142', message: containing('node-2') });
    expect(await first.ended).toMatchObject([{ code: 'HW7142' }]);
    await second.until('run-ended', asked);
  });

  it('gives back what it cannot end in time, and another one takes it up', async () => {
    const one = await platform(2);
    const [account = ''] = one.ids;
    const databaseUrl = await createDatabase();
    const { dispatch } = await dispatcherOf(databaseUrl);
    one.sandbox.setFaults([{ kind: 'status-before', status: 503, retryAfter: '20' }]);
    const first = await start(one, databaseUrl, { drainMs: 300 });
    await dispatch({ account, run: 'drift', why: 'a test' });
    await first.until('run-started');
    await first.stop();
    expect(first.lines.find(({ event }) => event === 'run-ended')).toMatchObject({ outcome: 'interrupted' });
    expect(await states(databaseUrl, account)).toEqual(['retry']);
    one.sandbox.setFaults([]);
    const second = await start(one, databaseUrl);
    const [ended] = await second.until('run-ended');
    expect(ended).toMatchObject({ account, outcome: 'differences' });
  });
});

it.skipIf(noPostgres !== undefined)(
  'a database on another machine is reached over TLS, unless its address says otherwise',
  async () => {
    // A name for this machine that does not look like one.
    const databaseUrl = (await createDatabase()).replace('127.0.0.1', '2130706433');
    const open = (url: string) =>
      openQueue({ databaseUrl: url, node: '22.12.0', works: false, onError: () => undefined });
    await expect(open(databaseUrl)).rejects.toThrow('The server does not support SSL connections');
    await (await open(`${databaseUrl}?sslmode=disable`)).stop();
  },
);

describe('the command', () => {
  it('says of a Node.js that is too old, or of a database that is not named, what to do, before anything else', async () => {
    const { code, stderr } = await runCommand(['serve', 'worker', 'nowhere'], {
      cwd: import.meta.dirname,
      url: 'http://127.0.0.1:1',
    });
    expect(code).toBe(1);
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    expect(stderr).toContain(major > 22 || (major === 22 && minor >= 12) ? 'HW7133' : 'HW7131');
  });
});
