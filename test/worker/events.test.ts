// All of it together: a purchase in the sandbox, its messages to a receiver, the queue, a worker, and the ledger in the same
// database. Once in this process, and once with the built command on the Node.js that the queue asks for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeOf } from '../../.ci/test-all.ts';
import { openAccounts } from '../../src/cli/commands/serve/receiver/accounts.ts';
import { realClock } from '../../src/library/real-clock.ts';
import type { Clock } from '../../src/model/clock.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { queueDispatcher } from '../../src/worker/queue.ts';
import { findMembers } from '../../src/usecases/fleet/members.ts';
import { SECRET, startReceiver } from '../events/ground.ts';
import { runCommand } from '../support/processes/command.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { isWhole } from '../support/whole.ts';
import { node, startWorker } from './running.ts';
import { closing } from '../support/closing.ts';

const HOOKS = 'https://hooks.example.com';
const ACCOUNT = 'acc-acme';

/** A receiver and a worker, however they run. */
interface Service {
  readonly receiver: string;
  /** Where the worker answers. */
  readonly worker: string;
  /** What the worker wrote, a line an event. */
  readonly lines: () => readonly (Readonly<Record<string, unknown>> & { readonly event: string })[];
  readonly stop: () => Promise<void>;
}

interface Ground {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An account whose ledger is in PostgreSQL, with an order that waits to be paid. */
async function order(): Promise<Ground> {
  const databaseUrl = await createDatabase();
  const harness = await openHarness({ scenario: 'billing-3ds', files: {}, inProcess: false });
  const { sandbox, root, write } = harness;
  const folder = `accounts/${ACCOUNT}`;
  await write(
    `${folder}/hostwright.yaml`,
    `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: ${ACCOUNT}
  baseUrl: ${sandbox.url}
  manifests: [sites]
  ledger: { postgres: {} }
  guards: { allowCharges: 1 }
  dismissed: [site-shop, site-blog, site-docs]
  callback: { url: ${HOOKS}/callbacks/${ACCOUNT}, authorization: { env: HOSTWRIGHT_HOOK_AUTHORIZATION } }
`,
  );
  await write(
    `${folder}/sites/launch.yaml`,
    `apiVersion: hostwright/v1
kind: Site
metadata: { name: launch }
spec:
  name: launch
  plan: pro
  order: { variant: vanilla, location: ams, term: monthly }
`,
  );
  await control(sandbox, 'PATCH', `accounts/${ACCOUNT}`, {
    webhookEnabled: true,
    webhookUrl: `${HOOKS}/webhooks`,
    webhookAuth: SECRET,
  });
  const ground = {
    root,
    sandbox,
    databaseUrl,
    env: { HOSTWRIGHT_DATABASE_URL: databaseUrl, HOSTWRIGHT_HOOK_AUTHORIZATION: SECRET },
  };
  expect(await command(ground, 'ledger', 'init')).toMatchObject({ code: 0 });
  // Its time is over when it has ordered: the purchase stays in flight.
  const clock: Clock = { ...sandbox.clock, now: () => (sandbox.state.carts.size === 0 ? 0 : 3_600_000) };
  await runCommand(['apply', '--yes', '--deadline', '3s'], { ...placeOf(ground), clock });
  expect(sandbox.state.carts.size).toBe(1);
  return ground;
}

function placeOf({ root, sandbox, env }: Ground) {
  return { cwd: join(root, 'accounts', ACCOUNT), url: sandbox.url, env };
}

function command(ground: Ground, ...args: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(args, placeOf(ground));
}

async function control({ url }: Sandbox, method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${url}/_sandbox/${path}`, { method, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

/** Sends each message that the sandbox recorded, as often as it is asked to. Returns what was answered. */
async function relay({ sandbox }: Ground, { receiver }: Service): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const { url, attempts } of sandbox.state.webhooks.deliveries)
    for (const { headers, body } of attempts) {
      const { pathname } = new URL(url);
      const answer = await fetch(`${receiver}${pathname}`, { method: 'POST', headers, body: JSON.stringify(body) });
      statuses.push(answer.status);
    }
  return statuses;
}

/** From the payment to the account as declared, by messages alone. */
async function follow(ground: Ground, service: Service): Promise<void> {
  const { sandbox } = ground;
  await control(sandbox, 'POST', 'carts/all/payment', { outcome: 'complete' });
  sandbox.clock.advance(600_000);
  const statuses = await relay(ground, service);
  expect(statuses).toContain(202);
  expect(statuses.filter((status) => status !== 202 && status !== 200)).toEqual([]);
  const seen = (event: string) => service.lines().filter((line) => line.event === event);
  while (seen('run-started').length === 0 || seen('run-ended').length < seen('run-started').length) await sleep(5);
  const [first] = seen('run-started');
  expect(first).toMatchObject({ account: ACCOUNT, run: 'apply' });
  const [ended] = seen('run-ended');
  expect(ended).toMatchObject({
    account: ACCOUNT,
    run: 'apply',
    inFlight: 0,
  });
  expect(['done', 'differences']).toContain(ended?.outcome);

  // Each message once more: there is nothing to run.
  expect(new Set(await relay(ground, service))).toEqual(new Set([200]));
  expect([...sandbox.state.sites.values()].filter(({ name }) => name === 'launch')).toHaveLength(1);
  expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);

  const read = async (): Promise<string> => (await fetch(`${service.worker}/metrics`)).text();
  let metrics = await read();
  // The worker says that a run ended, and then writes down how the account is.
  while (!metrics.includes(`hostwright_account_in_flight{account="${ACCOUNT}"}`)) metrics = await read();
  expect(metrics).toContain(`hostwright_account_in_flight{account="${ACCOUNT}"} 0`);
  expect(metrics).toContain(`hostwright_account_ok{account="${ACCOUNT}"} 1`);
  expect(metrics).toContain(`hostwright_account_ledger_timestamp_seconds{account="${ACCOUNT}"}`);
  // What was sent once more may have begun a run too.
  expect(metrics).toMatch(/hostwright_runs_total\{run="apply",outcome="\w+"\} [1-9]/);

  // A run that the second sending began may hold the ledger until the worker has ended.
  await service.stop();
  expect(await command(ground, 'ledger', 'list', '--all')).toMatchObject({
    code: 0,
    stdout: '1 ledger: 1 complete, nothing in flight.\n',
  });
}

describe.skipIf(noPostgres !== undefined)('from a payment to the site, by messages', () => {
  it('the receiver, the queue, a worker and the ledger in PostgreSQL are one thing', async () => {
    const ground = await order();
    const { root, sandbox, databaseUrl, env } = ground;
    const harness = await openHarness({ files: {} });
    const session: Harness['session'] = (extra = {}) =>
      harness.session({
        cwd: root,
        overrides: { baseUrl: sandbox.url },
        clock: realClock,
        env: (name: string) => env[name],
        ledger: { waitMs: 0, programEnv: {}, databaseNamed: () => databaseUrl },
        storeFor: undefined,
        transport: undefined,
        ...extra,
      } as never);
    const worker = await startWorker({ session }, databaseUrl, { listen: { host: '127.0.0.1', port: 0 } });
    onTestFinished(worker.stop);
    const { members } = await findMembers(session(), { folders: ['accounts/*'] });
    const dispatcher = closing(
      await queueDispatcher({ clock: realClock, databaseUrl, node, onError: () => undefined }),
    );
    const receiver = closing(
      await startReceiver({
        ...openAccounts(session(), ['accounts/*'], members),
        dispatch: dispatcher.dispatch,
      }),
    );
    const started = worker.lines.find(({ event }) => event === 'worker-started');
    await follow(ground, {
      receiver: receiver.url,
      worker: String(started?.listen),
      lines: () => worker.lines,
      stop: worker.stop,
    });
  });
});

const built = join(import.meta.dirname, '../../dist/main.js');
const nodeFolder = isWhole ? await mkdtemp(join(memoryFolder, 'hostwright-node-')) : '';
const found = isWhole ? await nodeOf('22', nodeFolder) : { reason: 'npm test does not ask for another Node.js' };
const reason = noPostgres ?? ('reason' in found ? found.reason : undefined);
if (isWhole && reason !== undefined) process.stderr.write(`the service is not tried: ${reason}\n`);

describe.skipIf(reason !== undefined)('the same, as processes', () => {
  it('a message becomes a run', async () => {
    if ('reason' in found) throw new Error(found.reason);
    const ground = await order();
    const { root, sandbox, env } = ground;
    /** Starts the command; `says` waits for the address that it tells. */
    const begin = (...args: readonly string[]) => {
      const child = spawn(found.node, ['--no-warnings', built, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_API_URL: sandbox.url, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: (Readonly<Record<string, unknown>> & { readonly event: string })[] = [];
      const reader = createInterface({ input: child.stdout });
      reader.on('line', (line) => lines.push(JSON.parse(line) as { readonly event: string }));
      const exit = once(child, 'exit');
      const stop = async (): Promise<void> => {
        child.kill('SIGTERM');
        expect((await exit)[0]).toBe(0);
      };
      onTestFinished(() => void child.kill('SIGKILL'));
      const says = async (field: string): Promise<string> => {
        for (;;) {
          const line = lines.find((one) => typeof one[field] === 'string' && String(one[field]).startsWith('http'));
          if (line !== undefined) return String(line[field]);
          if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
          await sleep(10);
        }
      };
      return { lines, stop, says };
    };
    const receiver = begin('serve', 'receiver', 'accounts/*', '--dispatch', 'pg-boss', '--listen', '127.0.0.1:0');
    const worker = begin('serve', 'worker', 'accounts/*', '--listen', '127.0.0.1:0');
    await follow(ground, {
      receiver: await receiver.says('listen'),
      worker: await worker.says('listen'),
      lines: () => worker.lines,
      stop: async () => {
        await receiver.stop();
        await worker.stop();
      },
    });
    await rm(nodeFolder, { recursive: true, force: true });
  });
});
