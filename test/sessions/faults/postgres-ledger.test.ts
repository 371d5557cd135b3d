// The command line with ledgers in PostgreSQL: many accounts in one database, and one look at what is in flight in all
// of them.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { postgresStore } from '../../../src/ledger/postgres-store.ts';
import { openLedger } from '../../../src/ledger/stored-ledger.ts';
import { createDatabase as openDatabase } from '../../../src/platform/sql/database.ts';
import { createThing } from '../../apply/support.ts';
import { virtualClock } from '../../platform/virtual-clock.ts';
import { createDatabase, noPostgres, query } from '../../support/servers/postgres.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { openFolder, writeFiles } from '../../support/closing.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { containing, matching } from '../../support/matchers.ts';
import { begunOf } from '../../support/actions.ts';

const accounts = ['acc-1', 'acc-2', 'acc-3', 'acc-4'] as const;
let folder: string;
let database: string;
beforeEach(async () => {
  if (noPostgres !== undefined) return;
  folder = await openFolder(
    Object.fromEntries(
      accounts.map((account) => [
        `accounts/${account}/hostwright.yaml`,
        workspaceFile('ledger: { postgres: {} }', account),
      ]),
    ),
  );
  database = await createDatabase();
});
const write = (file: string, text: string): Promise<void> => writeFiles(folder, { [file]: text });

function run(...argv: readonly string[]): Promise<Ended> {
  return runIn('.', { HOSTWRIGHT_DATABASE_URL: database }, ...argv);
}

async function runIn(place: string, env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Ended> {
  const ended = await runHere(argv, { cwd: join(folder, place), env });
  expect(JSON.stringify(ended)).not.toContain(new URL(database).password);
  return ended;
}

/** A run that died after it had sent a request. */
async function leaveInFlight(account: string): Promise<void> {
  const clock = virtualClock(Date.parse('2026-03-01T00:00:00Z'));
  const opened = openDatabase({ address: database, clock, timeoutMs: 20_000 });
  const store = postgresStore({
    database: opened,
    account,
    platform: 'http://127.0.0.1:1',
    from: 'the environment variable HOSTWRIGHT_DATABASE_URL',
  });
  const { ledger } = await openLedger({
    store,
    account,
    clock,
    owner: { hostname: 'runner-7', pid: 1, user: 'alice', runId: 'run-7' },
    uuid: randomUUID,
  });
  await ledger?.append(
    { type: 'begin', runId: 'run-7', action: begunOf(createThing('shop')), known: {}, effects: [] },
    { type: 'sent', address: 'Thing/shop', step: 'make' },
  );
  await store.close();
}

describe.skipIf(noPostgres !== undefined)('ledgers in PostgreSQL', () => {
  it('are begun for a whole fleet, and shown in one look', async () => {
    expect(await run('ledger', 'list', '--all')).toMatchObject({ code: 1, stderr: containing('HW7163') });
    const begun = await run('fleet', 'ledger', 'init', 'accounts/*', '--all', '--jobs', '4');
    expect(begun, begun.stderr).toMatchObject({ code: 0 });
    expect(begun.stdout.match(/made, and complete from now on/g)).toHaveLength(4);
    expect((await run('ledger', 'list', '--all')).stdout).toBe('4 ledgers: 4 complete, nothing in flight.\n');

    await leaveInFlight('acc-2');
    const { stdout } = await run('ledger', 'list', '--all');
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'ACCOUNT  LEDGER    IN FLIGHT     HELD BY',
      matching(/^acc-2 {4}complete {2}\+ Thing\/shop {2}alice on runner-7, process 1, run run-7, since /),
      '',
      '4 ledgers: 4 complete, 1 with something in flight.',
      '',
    ]);
    const { accounts: listed } = JSON.parse((await run('ledger', 'list', '--all', '--format', 'json')).stdout) as {
      readonly accounts: readonly { readonly account: string; readonly inFlight: readonly unknown[] }[];
    };
    expect(listed.map(({ account, inFlight }) => [account, inFlight.length])).toEqual(
      accounts.map((account) => [account, account === 'acc-2' ? 1 : 0]),
    );
    // In a workspace, of the database that it names.
    const here = await runIn(
      'accounts/acc-1',
      { HOSTWRIGHT_DATABASE_URL: database },
      'ledger',
      'list',
      '--all',
      '--quiet',
    );
    expect(here.stdout).toContain('4 ledgers');
    expect((await run('fleet', 'ledger', 'accounts/*')).stdout).toContain('complete, 0 objects, 1 in flight');
  });

  it('that are there are left as they are when the others of a fleet are begun', async () => {
    await leaveInFlight('acc-1').catch(() => undefined);
    expect((await run('fleet', 'ledger', 'init', 'accounts/acc-2', 'accounts/acc-3')).code).toBe(0);
    await leaveInFlight('acc-1');
    await query(
      database,
      "UPDATE hostwright.ledger_line SET text = 'nonsense' WHERE account = 'acc-2@http://127.0.0.1:1'",
    );
    await query(
      database,
      "UPDATE hostwright.ledger_line SET account = 'acc-3@http://127.0.0.1:1/corrupt-1' WHERE account = 'acc-3@http://127.0.0.1:1'",
    );
    const { code, stdout } = await run('fleet', 'ledger', 'init', 'accounts/*', '--format', 'json');
    expect(code).toBe(1);
    const fleet = JSON.parse(stdout) as {
      readonly accounts: readonly {
        readonly outcome: string;
        readonly note?: string;
        readonly diagnostics: readonly { readonly code: string }[];
      }[];
    };
    expect(
      fleet.accounts.map(({ outcome, note = '', diagnostics }) => [outcome, diagnostics[0]?.code ?? note.slice(0, 26)]),
    ).toEqual([
      ['done', 'there already, and partial'],
      ['error', 'HW5001'],
      ['error', 'HW5005'],
      ['done', 'made, and complete from no'],
    ]);
    const all = await run('ledger', 'list', '--all');
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(/acc-1 +partial[^]*acc-2 +damaged[^]*acc-3 +set aside as acc-3@\S+\/corrupt-1/);
    expect(all.stdout).toContain('4 ledgers: 1 complete, 1 with something in flight.');
  });

  it('are asked for in one look only where there is a database', async () => {
    await write(
      'other/hostwright.yaml',
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: a, baseUrl: "http://127.0.0.1:1" }\n',
    );
    for (const [place, env] of [
      ['.', {}],
      ['other', { HOSTWRIGHT_DATABASE_URL: database }],
    ] as const)
      expect(await runIn(place, env, 'ledger', 'list', '--all')).toMatchObject({
        code: 1,
        stderr: containing('HW7164'),
      });
    expect(await runIn('accounts/acc-1', {}, 'ledger', 'list', '--all')).toMatchObject({
      code: 1,
      stderr: containing('HW7162'),
    });
  });

  it('are what `init --ledger postgres` begins, and `doctor` looks at', async () => {
    const env = { HOSTWRIGHT_DATABASE_URL: database };
    const flags = ['--api-url', 'http://127.0.0.1:1', '--account', 'acc-9', '--ledger', 'postgres', '--yes'];
    const none = await runIn('.', {}, 'init', 'new', ...flags);
    expect(none).toMatchObject({ code: 1, stderr: containing('HW7162') });
    const made = await runIn('.', env, 'init', 'new', ...flags);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'new/hostwright.yaml'), 'utf8')).toContain(
      'ledger:\n    # A database that jobs in CI and people share. Its address comes from this environment variable; it is never in here.\n    postgres:\n      env: HOSTWRIGHT_DATABASE_URL\n',
    );
    const { stdout } = await runIn('new', env, 'doctor');
    expect(stdout).toMatch(
      /The ledger in acc-9 \(http:\/\/127\.0\.0\.1:1\) in the database \S+ on 127\.0\.0\.1:\d+ is complete: 0 objects bound\./,
    );
    expect(await runIn('new', env, 'ledger', 'init')).toMatchObject({
      code: 0,
      stdout: containing('was complete already'),
    });
  });
});
