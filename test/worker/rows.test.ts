// Rows of the database are data: each writable store of workers is filled with hostile documents, on a real PostgreSQL.
// No request is sent that an empty store would not have led to, other accounts are unaffected, and the bad row is named.
import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import type { FleetReport } from '../../src/model/plan/fleet-report.ts';
import { workStatus } from '../../src/worker/operate.ts';
import { openQueue, QUEUE } from '../../src/worker/queue.ts';
import { REPORT_ROW } from '../../src/worker/rows.ts';
import { openHarness } from '../support/open-harness.ts';
import { containing } from '../support/matchers.ts';
import { createDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import { accountIds, writeAccount } from './accounts.ts';
import { node, startWorker } from './running.ts';

const accounts = accountIds(2);
const [first = '', second = ''] = accounts;

/** A report as it should be. */
const good = (account: string): object => ({
  format: REPORT_ROW,
  account,
  workspace: 'accounts/x',
  state: 'in-order',
  lookedAt: '2026-01-01T00:00:00.000Z',
  outcome: 'done',
  problems: [],
  waits: [],
  ends: [],
});

/** Every way in which one field of a document can be wrong. */
const wrongValues: readonly unknown[] = [
  null,
  7,
  'x'.repeat(5000),
  [],
  {},
  true,
  { __proto__: null, constructor: 'x' },
];

const reports: readonly (readonly [string, string])[] = [
  ['no JSON', '{not json'],
  ['an empty text', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['only an account', JSON.stringify({ account: first })],
  ['another account', JSON.stringify(good(second))],
  ['a newer format', JSON.stringify({ ...good(first), format: 'hostwright.account-report/2' })],
  ['__proto__', `{"__proto__":${JSON.stringify(good(first))}}`],
  ['a time that is not one', JSON.stringify({ ...good(first), lookedAt: 'yesterday' })],
  ['a huge document', JSON.stringify({ ...good(first), problems: [{ says: 'x'.repeat(3_000_000) }] })],
  ...['state', 'problems', 'waits', 'ends', 'workspace'].flatMap((field) =>
    wrongValues
      .filter(
        (value) =>
          !(field === 'workspace' && typeof value === 'string') &&
          !(Array.isArray(value) && field !== 'state' && field !== 'workspace'),
      )
      .map(
        (value) =>
          [
            `${field}: ${JSON.stringify(value).slice(0, 30)}`,
            JSON.stringify({ ...good(first), [field]: value }),
          ] as const,
      ),
  ),
];

const jobs: readonly (readonly [string, unknown])[] = [
  ['nothing', {}],
  ['a list', []],
  ['another verb', { account: first, run: 'destroy', why: 'x' }],
  ['another account', { account: second, run: 'apply', why: 'x' }],
  ['no reason', { account: first, run: 'apply' }],
  ['a long reason', { account: first, run: 'apply', why: 'x'.repeat(100_000) }],
  ['a reason that is an object', { account: first, run: 'apply', why: { toString: 'x' } }],
  ['no account', { run: 'apply', why: 'x' }],
  ['an account that is an object', { account: { id: first }, run: 'apply', why: 'x' }],
  ['an object for a root', { account: first, run: 'apply', why: 'x', root: {} }],
  ['a text for a flag', { account: first, run: 'apply', why: 'x', notify: 'yes' }],
  ['__proto__', JSON.parse(`{"__proto__":{"account":"${first}","run":"apply","why":"x"}}`)],
];

describe.skipIf(noPostgres !== undefined)('the rows of workers', () => {
  it('that are hostile lead to no request, hide no other account, and are named in the log and on the page', async () => {
    const one = await openHarness({ scenario: 'accounts:2', files: {} });
    for (const id of accounts) await writeAccount(one.root, id, one.sandbox.url);
    const databaseUrl = await createDatabase();
    const worker = await startWorker(one, databaseUrl, { listen: { host: '127.0.0.1', port: 0 } });
    const [started] = worker.lines.filter(({ event }) => event === 'worker-started');
    const read = async (): Promise<FleetReport> => {
      const answer = await fetch(`${String(started?.listen)}/report.json`);
      expect(answer.status).toBe(200);
      return (await answer.json()) as FleetReport;
    };
    const put = (account: string, text: string) =>
      query(
        databaseUrl,
        `INSERT INTO hostwright.account_report (account, at, report) VALUES ($1, now() - random() * interval '1 hour', $2)
         ON CONFLICT (account) DO UPDATE SET at = excluded.at, report = excluded.report`,
        [account, text],
      );
    await put(second, JSON.stringify(good(second)));
    const before = one.sandbox.requests.length;
    for (const [what, text] of reports) {
      await put(first, text);
      const byAccount = new Map((await read()).accounts.map((row) => [row.account, row]));
      expect([what, byAccount.get(second)?.state]).toEqual([what, 'in-order']);
      expect([what, byAccount.get(first)?.state, byAccount.get(first)?.problems]).toEqual([
        what,
        'never-run',
        [{ says: containing(`The row of ${first} in hostwright.account_report is not used`) }],
      ]);
    }
    const told = worker.lines.filter(({ event }) => event === 'row-invalid');
    expect(told.length).toBeGreaterThan(10);
    for (const line of told) expect(line).toMatchObject({ level: 'warning', account: first });

    for (const [column, value] of [
      ['outcome', "'great'"],
      ['outcome', "'__proto__'"],
      ['ended_at', "'infinity'"],
      ['ledger_at', "'-infinity'"],
      ['drift', '-1'],
    ]) {
      await query(
        databaseUrl,
        `INSERT INTO hostwright.account_run AS known (account, outcome, drift, in_flight, ended_at) VALUES ($1, 'done', 0, 0, now())
         ON CONFLICT (account) DO UPDATE SET outcome = 'done', drift = 0, ended_at = now(), ledger_at = NULL`,
        [first],
      );
      await query(databaseUrl, `UPDATE hostwright.account_run SET ${column} = ${value}`, []);
      const row = (await read()).accounts.find(({ account }) => account === first);
      expect([column, value, row?.problems]).toEqual([
        column,
        value,
        expect.arrayContaining([{ says: containing(`The row of ${first} in hostwright.account_run is not used`) }]),
      ]);
      const status = await workStatus({ databaseUrl, clock: realClock });
      expect(status).toMatchObject({ outcome: 'done', diagnostics: [{ code: 'HW7143', detail: containing(first) }] });
    }
    expect(one.sandbox.requests.length).toBe(before);
    await worker.stop();
  });

  it('of the queue that are hostile are answered without a run; one that is well formed is run after them', async () => {
    const one = await openHarness({ scenario: 'accounts:2', files: {} });
    for (const id of accounts) await writeAccount(one.root, id, one.sandbox.url);
    const databaseUrl = await createDatabase();
    const onError = (): void => undefined;
    const boss = await openQueue({ databaseUrl, node, works: false, onError });
    for (const [, data] of jobs) await boss.send(QUEUE, data as object, { singletonKey: first });
    await boss.stop({ graceful: false });
    const worker = await startWorker(one, databaseUrl);
    const told = await worker.until('row-invalid', jobs.length);
    expect(new Set(told.map(({ store, account }) => `${String(store)} ${String(account)}`))).toEqual(
      new Set([`hostwright-runs ${first}`]),
    );
    expect(worker.lines.filter(({ event }) => event === 'run-started')).toEqual([]);
    expect(one.sandbox.requests).toEqual([]);
    const again = await openQueue({ databaseUrl, node, works: false, onError });
    await again.send(QUEUE, { account: second, run: 'drift', why: 'a test' }, { singletonKey: second });
    await again.stop({ graceful: false });
    await worker.until('run-ended');
    await worker.stop();
  });
});
