// Three workers and one queue, each of them a real process of the built command; one after the other is killed with
// SIGKILL, again and again, while events arrive. Every second account has its ledger in the same database. Every account is looked at, no event is lost, nothing is bought twice,
// and no account has two runs at a time.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import { nodeOf } from '../../.ci/test-all.ts';
import type { RunRequest } from '../../src/events/run-request.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { QUEUE, queueDispatcher } from '../../src/worker/queue.ts';
import { runCommand } from '../support/processes/command.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { createDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import { isWhole } from '../support/whole.ts';
import { accountIds, writeAccount } from './accounts.ts';

const command = join(import.meta.dirname, '../../dist/main.js');
const WORKERS = 3;
const ACCOUNTS = 500;
/** These have a purchase that an apply began and did not see the end of. */
const BUYERS = 10;
const KILLING_MS = Number(process.env.HOSTWRIGHT_KILLING_SECONDS ?? 600) * 1000;

interface Line {
  readonly event: string;
  readonly account?: string;
  readonly job?: string;
  readonly outcome?: string;
  readonly atMs: number;
}

interface Run {
  readonly account: string;
  readonly fromMs: number;
  toMs: number;
  outcome?: string;
}

/** One of several, begun again whenever it was killed; what it said about its runs is kept. */
class Worker {
  readonly runs: Run[] = [];
  kills = 0;
  #child: ChildProcess | undefined;
  readonly #node: string;
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  constructor(node: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#node = node;
    this.#cwd = cwd;
    this.#env = env;
  }

  start(): void {
    const args = [
      '--no-warnings',
      command,
      'serve',
      'worker',
      'accounts/*',
      '--drift-every',
      '24h',
      '--concurrency',
      '4',
    ];
    const child = spawn(this.#node, args, { cwd: this.#cwd, env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    const open = new Map<string, Run>();
    createInterface({ input: child.stdout }).on('line', (text) => {
      const { at, ...line } = JSON.parse(text) as Omit<Line, 'atMs'> & { readonly at: string };
      const { event, account = '', outcome } = line;
      if (event === 'run-started') {
        const run: Run = { account, fromMs: Date.parse(at), toMs: Infinity };
        open.set(account, run);
        this.runs.push(run);
      }
      const ended = open.get(account);
      if (event === 'run-ended' && ended !== undefined) {
        open.delete(account);
        ended.toMs = Date.parse(at);
        if (outcome !== undefined) ended.outcome = outcome;
      }
    });
    child.once('exit', () => {
      for (const run of open.values()) run.toMs = Date.now();
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    if (signal === 'SIGKILL') this.kills += 1;
  }
}

const nodeFolder = isWhole ? await mkdtemp(join(memoryFolder, 'hostwright-node-')) : '';
const found = isWhole ? await nodeOf('22', nodeFolder) : { reason: 'it takes ten minutes' };
const reason = noPostgres ?? ('reason' in found ? found.reason : undefined);
if (isWhole && reason !== undefined) process.stderr.write(`killed workers are not tried: ${reason}\n`);

describe.skipIf(reason !== undefined)(`${WORKERS} workers, ${ACCOUNTS} accounts, killed at random`, () => {
  it(
    'look at every account, lose no event, buy nothing twice, and never run an account twice at a time',
    async () => {
      if ('reason' in found) throw new Error(found.reason);
      const root = await mkdtemp(join(memoryFolder, 'hostwright-workers-'));
      const ids = accountIds(ACCOUNTS);
      const sandbox = await startSandbox({ scenario: `accounts:${ACCOUNTS}`, clock: 'real' });
      const databaseUrl = await createDatabase();
      const env = {
        ...process.env,
        HOSTWRIGHT_DATABASE_URL: databaseUrl,
        HOSTWRIGHT_TOKEN: API_KEY,
        HOSTWRIGHT_API_URL: sandbox.url,
      };
      const workers = Array.from({ length: WORKERS }, () => new Worker(found.node, root, env));
      const dispatcher = await queueDispatcher({
        clock: realClock,
        databaseUrl,
        node: '22.12.0',
        onError: (error) => process.stderr.write(`${error.message}\n`),
      });
      const sent: (RunRequest & { readonly atMs: number })[] = [];
      const send = async (request: RunRequest): Promise<void> => {
        const atMs = Date.now();
        await dispatcher.dispatch(request);
        sent.push({ ...request, atMs });
      };
      const waiting = async (): Promise<number> => {
        const [row] = await query(
          databaseUrl,
          `SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1 AND state < 'completed' AND NOT (state = 'created' AND start_after > now())`,
          [QUEUE],
        );
        return Number(row?.count);
      };
      try {
        for (const [index, id] of ids.entries())
          // Half of the ledgers are files, and half are in the database.
          await writeAccount(root, id, sandbox.url, {
            buys: index < BUYERS,
            ...(index % 2 === 1 && { ledger: 'postgres' }),
          });
        const buyers = ids.slice(0, BUYERS);
        for (const id of buyers) {
          const place = {
            cwd: join(root, 'accounts', id),
            url: sandbox.url,
            env: { HOSTWRIGHT_DATABASE_URL: databaseUrl },
          };
          await runCommand(['ledger', 'init'], place);
          // It ends before the platform has made the site: the purchase stays in flight. A slow machine needs a second one
          // to come so far.
          const carts = sandbox.state.carts.size;
          while (sandbox.state.carts.size === carts) await runCommand(['apply', '--yes', '--deadline', '4s'], place);
        }
        for (const worker of workers) worker.start();
        for (const account of ids)
          await send({ account, run: buyers.includes(account) ? 'apply' : 'drift', why: 'the first' });
        const endMs = Date.now() + KILLING_MS;
        const events = (async () => {
          while (Date.now() < endMs) {
            const account = ids[Math.floor(Math.random() * ids.length)] as string;
            await send({ account, run: buyers.includes(account) ? 'apply' : 'drift', why: 'an event' });
            await sleep(1000);
          }
        })();
        while (Date.now() < endMs) {
          await sleep(3000 + Math.random() * 9000);
          const worker = workers[Math.floor(Math.random() * WORKERS)] as Worker;
          await worker.kill('SIGKILL');
          worker.start();
        }
        await events;
        while ((await waiting()) > 0) await sleep(1000);
        // Nothing else to do now: each event becomes a run, and how long that takes is printed.
        const delays: number[] = [];
        for (const account of ids.slice(BUYERS, BUYERS + 20)) {
          const atMs = Date.now();
          await send({ account, run: 'drift', why: 'one event' });
          const started = () =>
            workers.flatMap(({ runs }) => runs).find((one) => one.account === account && one.fromMs >= atMs);
          while (started() === undefined) await sleep(10);
          delays.push((started()?.fromMs ?? NaN) - atMs);
          // Nobody is killed any more, so it ends; the last one would be counted as lost before it has.
          while (started()?.outcome === undefined) await sleep(10);
        }
        const runs = workers.flatMap((worker) => worker.runs);
        const good = runs.filter(({ outcome }) => ['done', 'differences', 'waiting'].includes(outcome ?? ''));
        const planned = new Set(good.map(({ account }) => account));
        // Requests that a later run, or one that they were joined to, never answered.
        const lost = sent.filter(
          ({ account, atMs }) => !good.some((run) => run.account === account && run.fromMs >= atMs),
        );
        const dead = await query(databaseUrl, `SELECT data FROM pgboss.job WHERE name = 'hostwright-dead'`);
        const bought = [...sandbox.state.sites.values()].filter(({ name }) => name === 'launch');
        const most = Math.max(...ids.map((id) => mostAtOnce(runs.filter(({ account }) => account === id))));
        const kills = workers.reduce((sum, worker) => sum + worker.kills, 0);
        const sorted = delays.toSorted((left, right) => left - right);
        process.stdout.write(
          `${ACCOUNTS} accounts, ${WORKERS} workers, ${kills} kills in ${KILLING_MS / 60_000} min: ${planned.size} accounts planned, ${sent.length} events, ${lost.length} lost, ${dead.length} given up, ${runs.length} runs, ${bought.length} purchases for ${BUYERS} buyers, ${most} run at once an account at most; event to run: median ${sorted[10]} ms, longest ${sorted.at(-1)} ms\n`,
        );
        expect(planned.size).toBe(ACCOUNTS);
        expect(lost).toEqual([]);
        expect(dead).toEqual([]);
        expect(new Set(bought.map(({ accountId }) => accountId)).size).toBe(bought.length);
        expect(bought).toHaveLength(BUYERS);
        expect(most).toBe(1);
      } finally {
        await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
        await dispatcher.close();
        await sandbox.close();
        await Promise.all([root, nodeFolder].map((folder) => rm(folder, { recursive: true, force: true })));
      }
    },
    KILLING_MS + 900_000,
  );
});

function mostAtOnce(runs: readonly Run[]): number {
  const moments = runs.flatMap(({ fromMs, toMs }) => [
    { atMs: fromMs, by: 1 },
    { atMs: toMs, by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of moments.toSorted((left, right) => left.atMs - right.atMs || left.by - right.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
