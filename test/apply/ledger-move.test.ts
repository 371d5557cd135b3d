// Moving a ledger between stores, for each pair of them: entries and history arrive, and the old store names the new one.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initLedger } from '../../src/ledger/by-hand.ts';
import { fileStore } from '../../src/ledger/file-store.ts';
import { gitStore } from '../../src/ledger/git/git-store.ts';
import { brokenAt, historyEntry } from '../../src/ledger/history.ts';
import { moveLedger } from '../../src/ledger/move.ts';
import { postgresStore } from '../../src/ledger/postgres-store.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readHistory, readLedger } from '../../src/ledger/stored-ledger.ts';
import { createDatabase } from '../../src/platform/sql/database.ts';
import { closing } from '../support/closing.ts';
import { noGit, startGit } from '../support/processes/git.ts';
import { createDatabase as createTestDatabase, noPostgres } from '../support/servers/postgres.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound } from './support.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

const account = 'acc-1';
let locks = 0;
const clock = virtualClock(Date.parse('2026-03-01T00:00:00Z'));

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

type Open = () => Promise<LedgerStore>;

async function inFile(): Promise<Open> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-move-'));
  closing({ close: () => rm(folder, { recursive: true, force: true }) });
  return () => Promise.resolve(fileStore(join(folder, 'ledger.jsonl')));
}

async function inGit(): Promise<Open> {
  const ground = closing(await startGit());
  return async () =>
    gitStore({
      remote: 'origin',
      ref: 'refs/hostwright/ledger',
      folder: await ground.clone(),
      env: ground.env,
      timeoutMs: 60_000,
      clock,
    });
}

async function inPostgres(): Promise<Open> {
  const address = await createTestDatabase();
  return () =>
    Promise.resolve(
      postgresStore({
        database: createDatabase({ address, clock, timeoutMs: 20_000 }),
        account,
        platform: 'https://api.example.com',
        from: 'DATABASE',
      }),
    );
}

const STORES = {
  file: inFile,
  ...(noGit === undefined && { git: inGit }),
  ...(noPostgres === undefined && { postgres: inPostgres }),
} as const;

const options = (store: LedgerStore): OpenOptions => ({
  store,
  account,
  clock,
  owner: { hostname: 'host', pid: 1, user: 'alice', runId: 'run-1' },
  uuid: () => `lock-${(locks += 1)}`,
});

/** A complete ledger with a binding, and rows of history of two months. */
async function fill(open: Open): Promise<void> {
  expect((await initLedger(options(await open()))).diagnostics).toEqual([]);
  for (const run of ['one', 'two']) {
    const { ledger, diagnostics } = await openLedger(options(await open()));
    expect(diagnostics).toEqual([]);
    await ledger?.append(bound(run), historyEntry({ is: 'run', run, actions: [] }));
    // Enough lines that the ledger is compacted, and the rows of the earlier month leave it.
    for (let count = 0; run === 'two' && count < 1100; count += 100)
      await ledger?.append(...Array.from({ length: 100 }, () => bound('two')));
    await ledger?.close();
    await clock.sleep(40 * 86_400_000);
  }
}

const pairs = Object.keys(STORES).flatMap((from) =>
  Object.keys(STORES)
    .filter((to) => to !== from)
    .map((to) => [from, to] as const),
) as readonly (readonly [keyof typeof STORES, keyof typeof STORES])[];

describe.each(pairs)('a ledger that is moved from %s to %s', (fromKind, toKind) => {
  it('has its entries and its whole history there, and is refused in the old store', async () => {
    const from = await (STORES[fromKind] as () => Promise<Open>)();
    const to = await (STORES[toKind] as () => Promise<Open>)();
    await fill(from);
    const before = await readHistory({ store: await from(), account });
    const target = await to();
    expect(await moveLedger(options(await from()), options(target))).toEqual({ changed: true, diagnostics: [] });
    const after = await readHistory({ store: await to(), account });
    expect(after.diagnostics).toEqual([]);
    expect(after.view).toMatchObject({ standing: 'complete', objects: before.view.objects });
    expect(after.rows).toEqual(before.rows);
    expect(brokenAt(after.rows)).toBeUndefined();
    for (const read of [readLedger({ store: await from(), account }), openLedger(options(await from()))]) {
      const { diagnostics } = await read;
      expect(codesOf(diagnostics)).toEqual(['HW5017']);
      expect(diagnostics[0]?.detail).toContain(target.name);
    }
    expect((await initLedger(options(await from()))).changed).toBe(false);
  });

  it('is not written over another one', async () => {
    const from = await (STORES[fromKind] as () => Promise<Open>)();
    const to = await (STORES[toKind] as () => Promise<Open>)();
    await fill(from);
    await initLedger(options(await to()));
    expect(codesOf((await moveLedger(options(await from()), options(await to()))).diagnostics)).toEqual(['HW5019']);
    expect((await readLedger({ store: await from(), account })).diagnostics).toEqual([]);
  });
});

it('continues a move that died before the old store had its tombstone', async () => {
  const [from, to] = [await inFile(), await inFile()];
  await fill(from);
  const store = await from();
  const dying = { ...store, rewrite: () => Promise.reject(new Error('killed')) };
  await expect(moveLedger(options(dying), options(await to()))).rejects.toThrow('killed');
  const again = await moveLedger(options(await from()), options(await to()));
  expect(again).toEqual({ changed: true, diagnostics: [] });
});

it('leaves a format that 0.1.0 refuses as newer', async () => {
  const [from, to] = [await inFile(), await inFile()];
  await fill(from);
  const { name } = await from();
  await moveLedger(options(await from()), options(await to()));
  expect(JSON.parse(await readFile(name, 'utf8'))).toMatchObject({ format: 'hostwright.ledger/2', standing: 'moved' });
});
