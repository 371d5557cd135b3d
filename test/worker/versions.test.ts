// Workers and receivers of several versions on one queue, as docs/upgrade.md says: what is asked for is understood, and
// what a newer version wrote is left alone and tried again.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { RunRequest } from '../../src/events/run-request.ts';
import { queueDispatcher } from '../../src/worker/queue.ts';
import type { LogLine } from '../../src/worker/worker.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { accountIds, writeAccount } from './accounts.ts';
import type { Running } from './running.ts';
import { node, startWorker } from './running.ts';
import { openHarness } from '../support/open-harness.ts';

const NEWER = '{"format":"hostwright.ledger/3"}\n';

/** The first runs of an account to end, whatever ended meanwhile of others. */
async function endsOf(worker: Running, of: string, count: number): Promise<readonly LogLine[]> {
  for (let seen = count; ; seen += 1) {
    const own = (await worker.until('run-ended', seen)).filter(({ account }) => account === of);
    if (own.length >= count) return own.slice(0, count);
  }
}

it.skipIf(noPostgres !== undefined)(
  'a worker takes what a newer receiver asks for; an account whose ledger a newer worker wrote is left alone and tried again',
  async () => {
    const one = await openHarness({ scenario: 'accounts:2', files: {}, memoryLedger: false });
    const [first = '', second = ''] = accountIds(2);
    for (const account of [first, second]) await writeAccount(one.root, account, one.sandbox.url);
    const file = join(one.root, 'accounts', second, '.hostwright/ledger.jsonl');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, NEWER);
    const databaseUrl = await createDatabase();
    const { dispatch, close } = await queueDispatcher({
      databaseUrl,
      node,
      clock: realClock,
      onError: () => undefined,
    });
    await dispatch({ account: first, run: 'drift', why: 'a test', since: 'a later version' } as RunRequest);
    await dispatch({ account: second, run: 'apply', why: 'a test' });
    const worker = await startWorker(one, databaseUrl);
    try {
      expect(await endsOf(worker, first, 1)).toMatchObject([{ outcome: 'differences' }]);
      expect(await endsOf(worker, second, 1)).toMatchObject([{ outcome: 'error' }]);
      expect(JSON.stringify(worker.lines)).toContain('HW5003');
      expect(await readFile(file, 'utf8')).toBe(NEWER);
      // As if a worker of the newer version took it.
      await rm(file);
      const ends = async (seen: number): Promise<unknown> => {
        const { outcome } = (await endsOf(worker, second, seen))[seen - 1] as LogLine;
        return outcome === 'error' ? ends(seen + 1) : outcome;
      };
      // It may have been tried once more before.
      expect(await ends(2)).toBe('differences');
    } finally {
      await worker.stop();
      await close();
    }
  },
);
