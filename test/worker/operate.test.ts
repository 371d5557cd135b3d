// What a person does with the queue, on a real PostgreSQL: `serve worker status`, `retry` and `forget`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { RunRequest } from '../../src/events/run-request.ts';
import { forgetAccounts, retryAccounts, workStatus } from '../../src/worker/operate.ts';
import { DEAD, openQueue, queueDispatcher } from '../../src/worker/queue.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { runCommand } from '../support/processes/command.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { accountIds, writeAccount } from './accounts.ts';
import type { Running } from './running.ts';
import { node, startWorker } from './running.ts';
import { closing } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

const [first = '', second = ''] = accountIds(2);

interface Ground {
  readonly one: Harness;
  readonly databaseUrl: string;
  readonly options: Parameters<typeof retryAccounts>[0];
  readonly worker: Running;
  readonly ask: (request: Partial<RunRequest>) => Promise<void>;
}

async function begin(): Promise<Ground> {
  const one = await openHarness({ scenario: 'accounts:2', files: {} });
  for (const id of [first, second]) await writeAccount(one.root, id, one.sandbox.url);
  const databaseUrl = await createDatabase();
  const onError = (): void => undefined;
  const worker = await startWorker(one, databaseUrl);
  onTestFinished(worker.stop);
  const { dispatch } = closing(await queueDispatcher({ clock: realClock, databaseUrl, node, onError }));
  return {
    one,
    databaseUrl,
    options: { databaseUrl, node, onError, clock: realClock },
    worker,
    ask: (request) => dispatch({ account: first, run: 'drift', why: 'a test', ...request }),
  };
}

/** As if it had failed for an hour. */
async function giveUp({ options }: Ground, request: RunRequest): Promise<void> {
  const boss = await openQueue({ ...options, works: false });
  await boss.send(DEAD, request, { singletonKey: request.account });
  await boss.stop();
}

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): readonly string[] =>
  diagnostics.map(({ code }) => code);

describe.skipIf(noPostgres !== undefined)('the queue of workers', () => {
  it('says what failed and why, and makes nothing where no worker has been', async () => {
    const empty = await createDatabase();
    expect(codes(await workStatus({ databaseUrl: empty, clock: realClock }))).toEqual(['HW7139']);
    expect(codes(await workStatus({ databaseUrl: empty, clock: realClock }))).toEqual(['HW7139']);

    const ground = await begin();
    const { one, databaseUrl, worker, ask } = ground;
    one.sandbox.setFaults([{ kind: 'status-before', status: 400 }]);
    await ask({});
    await worker.until('run-ended');
    const status = async (...more: readonly string[]) =>
      runCommand(['serve', 'worker', 'status', ...more], {
        cwd: one.root,
        url: one.sandbox.url,
        env: { HOSTWRIGHT_DATABASE_URL: databaseUrl },
      });
    // The end is noted after it was told.
    let document;
    do document = JSON.parse((await status('--format', 'json')).stdout) as { accounts: { lastRun?: object }[] };
    while (document.accounts[0]?.lastRun === undefined);
    expect(document).toMatchObject({
      format: 'hostwright.work/1',
      outcome: 'done',
      accounts: [
        { account: first, lastRun: { outcome: 'error', drift: 0, reason: containing('could not be read: ') } },
        { account: second, requests: [] },
      ],
    });
    const schema = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../schemas/work.schema.json'), 'utf8'),
    ) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(schema, document), JSON.stringify(ajv.errors)).toBe(true);
    const { stdout } = await status();
    expect(stdout).toMatch(new RegExp(`${first} +failed +error`));
    expect(stdout).toMatch(new RegExp(`${second} +never run`));
    expect(stdout).toContain('2 accounts: 1 failed, 1 never run.');
  });

  it('runs at once what failed and what was given up, for all that was asked for', async () => {
    const ground = await begin();
    const { options, worker } = ground;
    await giveUp(ground, { account: first, run: 'apply', why: 'a purchase' });
    await giveUp(ground, { account: first, run: 'drift', notify: true, why: 'an event' });
    expect(codes(await retryAccounts(options, ['acc-00000']))).toEqual(['HW7140']);
    const { queue, message } = await retryAccounts(options, 'all');
    expect(message).toBe(`${first}: asked for an apply that goes on with what is unfinished.`);
    expect(queue).toMatchObject({ givenUp: 0 });
    const [ended] = await worker.until('run-ended');
    expect(ended).toMatchObject({ account: first, run: 'apply', outcome: 'differences' });
    // Of an account that nothing was asked of, a drift.
    await retryAccounts(options, [second]);
    expect((await worker.until('run-ended', 2))[1]).toMatchObject({ account: second, run: 'drift' });
  });

  it('forgets what nobody looks after, when somebody agrees, and no run that is under way', async () => {
    const ground = await begin();
    const { one, options, worker, ask } = ground;
    const questions: string[] = [];
    const answer = (agrees: boolean) => (question: string) => {
      questions.push(question);
      return Promise.resolve(agrees);
    };
    one.sandbox.setFaults([{ kind: 'status-before', status: 503, retryAfter: '20' }]);
    await ask({});
    await worker.until('run-started');
    expect(codes(await forgetAccounts(options, [first], answer(true)))).toEqual(['HW7141']);
    expect(questions).toEqual([]);
    await giveUp(ground, { account: second, run: 'apply', why: 'a purchase' });
    expect((await forgetAccounts(options, [second], answer(false))).outcome).toBe('refused');
    expect((await workStatus(options)).queue).toMatchObject({ givenUp: 1 });
    expect(questions).toEqual([containing(`An apply of ${second} may be unfinished`)]);
    await worker.stop();
    const boss = await openQueue({ ...options, works: false });
    onTestFinished(() => boss.stop());
    const keeps = async (): Promise<number> =>
      (await boss.getDb().executeSql('SELECT account FROM hostwright.account_report', [])).rows.length;
    await boss
      .getDb()
      .executeSql("INSERT INTO hostwright.account_report VALUES ($1, now(), '{}') ON CONFLICT DO NOTHING", [first]);
    expect(await keeps()).toBe(1);
    expect(await forgetAccounts(options, [first, second], answer(true))).toMatchObject({
      outcome: 'done',
      accounts: [],
    });
    expect((await workStatus(options)).accounts).toEqual([]);
    expect(await keeps()).toBe(0);
  });
});
