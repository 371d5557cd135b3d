// What can go wrong between a run and its database: answers that are lost, a server that is away, rights and tables that
// are missing.
import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerWriteError } from '../../src/ledger/ledger.ts';
import { initLedger } from '../../src/ledger/by-hand.ts';
import { postgresStore } from '../../src/ledger/postgres-store.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readLedger } from '../../src/ledger/stored-ledger.ts';
import { createDatabase } from '../../src/platform/sql/database.ts';
import { createDatabase as createTestDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound } from './support.ts';
import { listen } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

const clock = virtualClock(Date.parse('2026-03-01T00:00:00Z'));

function optionsAt(address: string | undefined, runId = 'run-1'): OpenOptions {
  const database = createDatabase({ address, clock, timeoutMs: 20_000 });
  onTestFinished(() => database.close());
  return {
    store: postgresStore({
      database,
      account: 'acc',
      platform: 'https://api.example.com',
      from: 'the environment variable HOSTWRIGHT_DATABASE_URL',
    }),
    account: 'acc',
    clock,
    owner: { hostname: hostname(), pid: process.pid, user: 'me', runId },
    uuid: randomUUID,
  };
}

interface Wire {
  readonly address: string;
  /** What becomes of the next statement: it never arrives, or its answer is lost. */
  cut: 'none' | 'request' | 'answer';
  /** Bytes that were sent to the database. */
  sent: number;
}

/** Stands between a run and the database. */
async function startWire(database: string): Promise<Wire> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(Number(target.port), target.hostname);
    const end = (): void => {
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) sockets.add(socket.on('error', end).on('close', end));
    let isLost = false;
    client.on('data', (bytes) => {
      wire.sent += bytes.length;
      if (wire.cut === 'request') {
        wire.cut = 'none';
        end();
        return;
      }
      if (wire.cut === 'answer') {
        wire.cut = 'none';
        isLost = true;
      }
      behind.write(bytes);
    });
    behind.on('data', (bytes) => (isLost ? end() : client.write(bytes)));
  });
  const port = await listen(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const place = new URL(database);
  place.port = String(port);
  const wire: Wire = { address: place.href, cut: 'none', sent: 0 };
  return wire;
}

describe.skipIf(noPostgres !== undefined)('a ledger in PostgreSQL', () => {
  it.each(['request', 'answer'] as const)('writes once where the %s of a write is lost', async (lost) => {
    const database = await createTestDatabase();
    const wire = await startWire(database);
    const options = optionsAt(wire.address);
    expect(await initLedger(options)).toEqual({ changed: true, diagnostics: [] });
    // The lock, a line, a whole ledger, and the lock again.
    wire.cut = lost;
    const { ledger, diagnostics } = await openLedger(options);
    expect(diagnostics).toEqual([]);
    for (const name of ['a', 'b', 'c']) {
      wire.cut = lost;
      await ledger?.append(bound(name), bound(`${name}2`));
    }
    void Array.from({ length: 1200 }, (_, index) => ledger?.append(bound(`x${index % 3}`)));
    await ledger?.append(bound('d'));
    wire.cut = lost;
    expect(await ledger?.close()).toEqual([]);
    expect(await query(database, 'SELECT count(*)::int AS count FROM hostwright.ledger_line')).toEqual([{ count: 11 }]);
    expect(await query(database, 'SELECT * FROM hostwright.ledger_lock')).toEqual([]);
    const { view } = await readLedger(optionsAt(database));
    expect([view.standing, view.objects.size]).toEqual(['complete', 10]);
  });

  it('ends the writing where the lock was taken away while an answer was lost', async () => {
    const database = await createTestDatabase();
    const wire = await startWire(database);
    const options = optionsAt(wire.address);
    await initLedger(options);
    const { ledger } = await openLedger(options);
    await ledger?.append(bound('a'));
    await query(database, 'DELETE FROM hostwright.ledger_lock');
    wire.cut = 'request';
    await expect(ledger?.append(bound('b'))).rejects.toBeInstanceOf(LedgerWriteError);
    await ledger?.close();
    expect((await readLedger(optionsAt(database))).view.objects.size).toBe(1);
  });

  it('is not a missing one where the server is away, refuses, or may not be looked at', async () => {
    const database = await createTestDatabase();
    await initLedger(optionsAt(database));
    const { password } = new URL(database);
    await query(database, "CREATE ROLE outsider LOGIN PASSWORD 'outsider-secret'").catch(() => undefined);
    const as = (change: (url: URL) => void): string => {
      const url = new URL(database);
      change(url);
      return url.href;
    };
    const places = [
      as((url) => (url.port = '1')),
      as((url) => (url.password = 'wrong-secret')),
      as((url) => (url.pathname = '/no_such_database')),
      as((url) => Object.assign(url, { username: 'outsider', password: 'outsider-secret' })),
      as((url) => (url.hostname = 'no-such-host.invalid')),
    ];
    for (const address of places) {
      const read = await readLedger(optionsAt(address));
      const opened = await openLedger(optionsAt(address));
      for (const { diagnostics } of [read, opened])
        expect(diagnostics, new URL(address).pathname).toMatchObject([
          { code: 'HW5007', detail: containing('a ledger that cannot be reached is not a missing one') },
        ]);
      expect(JSON.stringify([read.diagnostics, opened.diagnostics])).not.toMatch(new RegExp(`secret|${password}`));
    }
  });

  it('without tables is missing, and nothing is locked until somebody makes them', async () => {
    const address = await createTestDatabase();
    const options = optionsAt(address);
    expect(await readLedger(options)).toMatchObject({ view: { standing: 'missing' }, diagnostics: [] });
    expect((await openLedger(options)).diagnostics).toMatchObject([{ code: 'HW7163' }]);
    // Several accounts at once, in a database where nothing is.
    const made = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((account) => {
        const database = createDatabase({ address, clock, timeoutMs: 20_000 });
        const store = postgresStore({
          database,
          account,
          platform: 'https://api.example.com',
          from: 'the environment variable HOSTWRIGHT_DATABASE_URL',
        });
        return initLedger({ ...options, store, account });
      }),
    );
    expect(made).toEqual(made.map(() => ({ changed: true, diagnostics: [] })));
  });

  it('needs of its tables no more than the docs say, and of a plan no more than to read', async () => {
    const database = await createTestDatabase();
    await initLedger(optionsAt(database));
    const as = async (role: string, rights: string): Promise<OpenOptions> => {
      for (const text of [
        `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`,
        `GRANT USAGE ON SCHEMA hostwright TO ${role}`,
        `GRANT ${rights} ON hostwright.ledger_line, hostwright.ledger_lock TO ${role}`,
      ])
        await query(database, text);
      const url = new URL(database);
      return optionsAt(Object.assign(url, { username: role, password: 'secret' }).href);
    };
    const writer = await as('writer', 'SELECT, INSERT, UPDATE, DELETE');
    expect(await initLedger(writer)).toEqual({ changed: false, diagnostics: [] });
    const { ledger } = await openLedger(writer);
    await ledger?.append(bound('a'));
    expect(await ledger?.close()).toEqual([]);
    const reader = await as('reader', 'SELECT');
    expect((await readLedger(reader)).view.objects.size).toBe(1);
    expect((await openLedger(reader)).diagnostics).toMatchObject([{ code: 'HW5007' }]);
  });

  it('sends no more for an entry however long it is', async () => {
    const wire = await startWire(await createTestDatabase());
    const options = optionsAt(wire.address);
    await initLedger(options);
    const { ledger } = await openLedger(options);
    const costOf = async (name: string): Promise<number> => {
      const before = wire.sent;
      await ledger?.append(bound(name));
      return wire.sent - before;
    };
    const first = await costOf('a');
    for (let count = 0; count < 500; count += 1) void ledger?.append(bound('b'));
    await ledger?.append(bound('c'));
    expect((await costOf('d')) - first).toBeLessThan(10);
    await ledger?.close();
  });
});

describe('the address of a database', () => {
  it.each([undefined, 'hunter2-secret', 'https://db.example.com/x', 'postgres://user:hunter2-secret@db.example.com'])(
    'that is %s is told without showing it',
    async (address) => {
      const { diagnostics } = await readLedger(optionsAt(address));
      expect(diagnostics).toMatchObject([{ code: 'HW7162', detail: containing('HOSTWRIGHT_DATABASE_URL') }]);
      expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
    },
  );

  it('is named without user and password', () => {
    const nameOf = (address: string): string => createDatabase({ address, clock, timeoutMs: 1 }).name;
    expect(nameOf('postgres://user:pass@db.example.com:5433/hosting')).toBe(
      'the database hosting on db.example.com:5433',
    );
    expect(nameOf('postgresql://user:pass@/hosting?host=/run/postgresql')).toBe(
      'the database hosting on /run/postgresql',
    );
    expect(nameOf('postgresql:///hosting?host=/run/postgresql')).toBe('the database hosting on /run/postgresql');
  });
});
