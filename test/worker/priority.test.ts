// The order in which a worker takes requests that wait, on a real PostgreSQL.
import { expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import { retryAccounts } from '../../src/worker/operate.ts';
import { openQueue, QUEUE, queueDispatcher } from '../../src/worker/queue.ts';
import { closing } from '../support/closing.ts';
import { openHarness } from '../support/open-harness.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { accountIds, writeAccount } from './accounts.ts';
import { node, startWorker } from './running.ts';

it.skipIf(noPostgres !== undefined)(
  'a worker resumes an apply first, then answers events, then people, then the schedule',
  async () => {
    const one = await openHarness({ scenario: 'accounts:4', files: {} });
    const ids = accountIds(4);
    for (const id of ids) await writeAccount(one.root, id, one.sandbox.url);
    const [scheduled = '', person = '', event = '', paid = ''] = ids;
    const databaseUrl = await createDatabase();
    const options = { databaseUrl, node, onError: () => undefined };
    // A worker creates the tables that `retry` reads.
    await (await startWorker(one, databaseUrl)).stop();
    // Each request is sent before the one that has to overtake it.
    const boss = await openQueue({ ...options, works: false });
    await boss.send(QUEUE, { account: scheduled, run: 'drift', why: 'every 24h' }, { singletonKey: scheduled });
    await boss.send(QUEUE, { account: person, run: 'drift', why: 'every 24h' }, { singletonKey: person });
    await boss.stop();
    expect((await retryAccounts({ ...options, clock: realClock }, [person])).diagnostics).toEqual([]);
    const { dispatch } = closing(await queueDispatcher({ ...options, clock: realClock }));
    await dispatch({ account: event, run: 'drift', notify: true, why: 'an alarm' });
    await dispatch({ account: paid, run: 'apply', why: 'the callback of an order' });
    const worker = await startWorker(one, databaseUrl, { concurrency: 1 });
    onTestFinished(worker.stop);
    await worker.until('run-ended', 4);
    const started = worker.lines.filter((line) => line.event === 'run-started');
    expect(started.map(({ account }) => account)).toEqual([paid, event, person, scheduled]);
  },
);
