// The contract of ledger stores, run against each of them: a file, a ref of a Git remote, PostgreSQL.
import { randomUUID } from 'node:crypto';
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runsIn } from '../../src/model/plan/history.ts';
import type { LedgerEntry } from '../../src/ledger/entries.ts';
import { fileStore } from '../../src/ledger/file-store.ts';
import { gitStore } from '../../src/ledger/git/git-store.ts';
import { brokenAt, historyEntry } from '../../src/ledger/history.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerWriteError } from '../../src/ledger/ledger.ts';
import type { LockRecord } from '../../src/ledger/lock.ts';
import { takeLock } from '../../src/ledger/lock.ts';
import { confirmInFlight, forgetObject, initLedger, unlockLedger } from '../../src/ledger/by-hand.ts';
import { postgresStore } from '../../src/ledger/postgres-store.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { StoreError } from '../../src/ledger/store.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readHistory, readLedger } from '../../src/ledger/stored-ledger.ts';
import { createDatabase } from '../../src/platform/sql/database.ts';
import { noGit, startGit } from '../support/processes/git.ts';
import { createDatabase as createTestDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound, codesOf, createThing, openedLedger } from './support.ts';
import { openFolder } from '../support/closing.ts';
import { containing, matching } from '../support/matchers.ts';
import { begunOf } from '../support/actions.ts';

/** Somewhere to keep a ledger, and a way past the store to look at it and to damage it. */
interface Ground {
  /** As another machine sees it. */
  readonly store: () => Promise<LedgerStore>;
  readonly text: () => Promise<string>;
  readonly plant: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const clock = virtualClock(Date.parse('2026-03-01T00:00:00Z'));

async function fileGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const file = join(folder, 'state', 'ledger.jsonl');
  return {
    store: () => Promise.resolve(fileStore(file)),
    text: () => readFile(file, 'utf8'),
    plant: async (text) => {
      await mkdir(join(folder, 'state'), { recursive: true });
      await writeFile(file, text);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function gitGround(): Promise<Ground> {
  const ground = await startGit();
  const { bare, git, folder } = ground;
  const ref = 'refs/hostwright/ledger';
  return {
    store: async () =>
      gitStore({ remote: 'origin', ref, folder: await ground.clone(), env: ground.env, timeoutMs: 60_000, clock }),
    text: async () => `${await git(bare, 'cat-file', 'blob', `${ref}:ledger.jsonl`)}\n`,
    plant: async (text) => {
      await writeFile(join(folder, 'planted'), text);
      const blob = await git(bare, 'hash-object', '-w', join(folder, 'planted'));
      await git(bare, 'read-tree', '--empty');
      await git(bare, 'update-index', '--add', '--cacheinfo', `100644,${blob},ledger.jsonl`);
      await git(
        bare,
        'update-ref',
        ref,
        await git(bare, 'commit-tree', '-m', 'planted', await git(bare, 'write-tree')),
      );
    },
    close: ground.close,
  };
}

async function postgresGround(): Promise<Ground> {
  const address = await createTestDatabase();
  const stores: LedgerStore[] = [];
  const store = (): LedgerStore => {
    const database = createDatabase({ address, clock, timeoutMs: 60_000 });
    const made = postgresStore({
      database,
      account: 'acc',
      platform: 'https://api.example.com',
      from: 'HOSTWRIGHT_DATABASE_URL',
    });
    stores.push(made);
    return made;
  };
  await store().prepare?.();
  return {
    store: () => Promise.resolve(store()),
    text: async () =>
      (
        await query(
          address,
          "SELECT text FROM hostwright.ledger_line WHERE account = 'acc@https://api.example.com' ORDER BY seq",
        )
      )
        .map(({ text }) => text)
        .join(''),
    plant: async (text) => {
      await query(address, "DELETE FROM hostwright.ledger_line WHERE account = 'acc@https://api.example.com'");
      await query(
        address,
        "INSERT INTO hostwright.ledger_line SELECT 'acc@https://api.example.com', n, line FROM unnest($1::text[]) WITH ORDINALITY AS planted(line, n)",
        [text.match(/[^\n]*\n|[^\n]+$/g)],
      );
    },
    close: async () => {
      await Promise.all(stores.map((one) => one.close()));
    },
  };
}

const grounds = [
  { name: 'a file', start: fileGround, skip: undefined },
  { name: 'a Git remote', start: gitGround, skip: noGit },
  { name: 'PostgreSQL', start: postgresGround, skip: noPostgres },
];
afterAll(() => {
  for (const { name, skip } of grounds)
    if (skip !== undefined) process.stderr.write(`skipped: a ledger in ${name}: ${skip}\n`);
});

describe.each(grounds)('a ledger in $name', ({ start, skip }) => {
  let ground: Ground;
  let options: OpenOptions;

  beforeEach(async () => {
    if (skip !== undefined) return;
    ground = await start();
    options = await another('run-1');
  });
  afterEach(async () => {
    if (skip !== undefined) return;
    await options.store.close();
    await ground.close();
  });

  async function another(runId: string, extra: Partial<OpenOptions> = {}): Promise<OpenOptions> {
    return {
      store: await ground.store(),
      account: 'acc',
      clock,
      owner: { hostname: hostname(), pid: process.pid, user: 'me', runId },
      uuid: randomUUID,
      ...extra,
    };
  }
  /** Somebody on another machine, whose process nobody here can look at. */
  const alice = () => another('run-1', { owner: { hostname: 'elsewhere', pid: 7, user: 'alice', runId: 'run-1' } });
  const opened = (from = options): Promise<Ledger> => openedLedger(from);
  async function written(...entries: readonly LedgerEntry[]): Promise<void> {
    const ledger = await opened();
    await ledger.append(...entries);
    expect(await ledger.close()).toEqual([]);
  }
  const codes = (from = options): Promise<readonly string[]> => codesOf(from);
  const check = it.skipIf(skip !== undefined);

  check('that is missing is not an empty one', async () => {
    expect((await readLedger(options)).view.standing).toBe('missing');
    const ledger = await opened();
    expect(ledger.view()).toMatchObject({ standing: 'partial', sequence: 0 });
    await ledger.close();
    expect((await readLedger(options)).view.standing).toBe('missing');
    await written(bound('a'));
    expect((await readLedger(options)).view).toMatchObject({ standing: 'partial', sequence: 1 });
    expect(await initLedger(options)).toEqual({ changed: true, diagnostics: [] });
    expect(await initLedger(options)).toEqual({ changed: false, diagnostics: [] });
    const { view } = await readLedger(await another('run-2'));
    expect(view.standing).toBe('complete');
    expect(view.objects.get('Thing/a')?.id).toBe('id-a');
  });

  check('keeps what was appended, in order, for whoever comes next', async () => {
    const ledger = await opened();
    await Promise.all(Array.from({ length: 20 }, (_, index) => ledger.append(bound(`x${index}`))));
    await ledger.append({ type: 'forgotten', address: 'Thing/x3' });
    await ledger.close();
    const next = await opened(await another('run-2'));
    expect([...next.view().objects.keys()]).toEqual(
      Array.from({ length: 20 }, (_, index) => `Thing/x${index}`).filter((name) => name !== 'Thing/x3'),
    );
    await next.append(bound('späť'));
    await next.close();
    expect((await readLedger(options)).view).toMatchObject({ sequence: 22 });
    expect((await ground.text()).split('\n')).toHaveLength(24);
  });

  check('that grew long is written anew after the run, and says the same', async () => {
    const ledger = await opened();
    await ledger.append(
      { type: 'begin', runId: 'r', action: begunOf(createThing('flight')), known: {}, effects: [] },
      { type: 'sent', address: 'Thing/flight', step: 'make' },
    );
    // Who did it is never written away.
    const by = { via: 'local', user: 'alice', host: 'desk', pulls: [12] } as const;
    await ledger.append(
      { type: 'run-started', runId: 'old', planId: 'old', approved: [] },
      { type: 'run-started', runId: 'r', planId: 'p', approved: ['digest'], by },
      { type: 'run-finished', runId: 'r', planId: 'p', complete: true },
    );
    expect(ledger.view().runs).toMatchObject([{ runId: 'old' }, { runId: 'r', by, end: { complete: true } }]);
    for (let count = 0; count < 1200; count += 1) void ledger.append(bound(`x${count % 10}`, `id-${count}`));
    await ledger.append(bound('last'));
    const before = ledger.view();
    expect(await ledger.close()).toEqual([]);
    expect((await ground.text()).split('\n').length).toBeLessThan(30);
    expect({ ...(await readLedger(options)).view, sequence: 0 }).toEqual({ ...before, sequence: 0 });
    await written(bound('after'));
    expect((await readLedger(options)).view.objects.size).toBe(12);
  });

  check(
    'tells for ever what runs did: a month that is over goes to a file of its own, where there are files',
    async () => {
      const ownClock = virtualClock();
      const run = async (runId: string): Promise<void> => {
        const ledger = await opened(await another(runId, { clock: ownClock }));
        await ledger.append(
          historyEntry({ is: 'run', run: runId, actions: [{ address: 'Thing/a', verb: 'update', changes: [] }] }),
          { type: 'begin', runId, action: { ...begunOf(createThing('a')), verb: 'update' }, known: {}, effects: [] },
          { type: 'sent', address: 'Thing/a', step: 'make' },
          { type: 'succeeded', address: 'Thing/a', id: 'a', gone: false, applied: {}, outputs: {} },
          { type: 'run-finished', runId, planId: runId, complete: true },
          ...Array.from({ length: 1100 }, () => bound('x')),
        );
        expect(await ledger.close()).toEqual([]);
      };
      for (const runId of ['one', 'two', 'three']) {
        await run(runId);
        await ownClock.sleep(40 * 24 * 3_600_000);
      }
      const place = await another('reader');
      const { view, rows, diagnostics } = await readHistory(place);
      expect([diagnostics, brokenAt(rows)]).toEqual([[], undefined]);
      expect(runsIn({ history: rows, inFlight: [] }).map(({ run: id, actions }) => [id, actions[0]?.result])).toEqual([
        ['three', 'done'],
        ['two', 'done'],
        ['one', 'done'],
      ]);
      expect(view.history?.length).toBe(place.store.months === undefined ? 9 : 3);
      expect((await place.store.months?.list())?.length ?? 2).toBe(2);
      expect(brokenAt(rows.filter((_, index) => index !== 4))?.row.run).toBe('two');
      await place.store.close();
    },
  );

  check('has one writer: a second is told who holds it, since when, and can take over only from the dead', async () => {
    const mine = await opened(await alice());
    const refused = await openLedger(await another('run-2'));
    expect(refused.ledger).toBeUndefined();
    expect(refused.diagnostics).toMatchObject([{ code: 'HW5004' }]);
    for (const part of ['alice', 'elsewhere', 'since 2026-03-', 'hostwright ledger unlock', '--lock-timeout'])
      expect(refused.diagnostics[0]?.detail).toContain(part);
    await mine.append(bound('a'));
    await mine.close();

    const dead = await another('dead', {
      owner: { hostname: hostname(), pid: 2 ** 22 + 1, user: 'ghost', runId: 'dead' },
      uuid: randomUUID,
    });
    await opened(dead);
    await dead.store.close();
    const tries = await Promise.all(
      Array.from({ length: 3 }, async (_, index) => openLedger(await another(`run-${index}`))),
    );
    const won = tries.filter(({ ledger }) => ledger !== undefined);
    expect(won).toHaveLength(1);
    expect(won[0]?.diagnostics).toMatchObject([{ code: 'HW5009', severity: 'warning' }]);
    await won[0]?.ledger?.append(bound('b'));
    await won[0]?.ledger?.close();
    expect((await readLedger(options)).view.objects.size).toBe(2);
  });

  check('is waited for as long as one is told to, and given up in words', async () => {
    const holder = await alice();
    const mine = await opened(holder);
    const reported: string[] = [];
    const fromMs = clock.now();
    const refused = await openLedger(await another('run-2', { waitMs: 60_000, onHeld: (who) => reported.push(who) }));
    expect(refused.diagnostics).toMatchObject([
      { code: 'HW5004', detail: containing('as long as --lock-timeout says, and gave up') },
    ]);
    expect(clock.now() - fromMs).toBeGreaterThanOrEqual(60_000);
    expect(reported).toEqual([matching(/^alice on elsewhere, process 7, run run-1, since 2026-/)]);

    const waiting = openLedger(await another('run-3', { waitMs: 3_600_000_000 }));
    await mine.close();
    const { ledger, diagnostics } = await waiting;
    expect(diagnostics).toEqual([]);
    expect(ledger).toBeDefined();
    await ledger?.close();
  });

  check('stops waiting when it is told to', async () => {
    const mine = await opened(await alice());
    const stop = new AbortController();
    const { ledger, diagnostics } = await openLedger(
      await another('run-2', { waitMs: 3_600_000_000, stop: stop.signal, onHeld: () => stop.abort() }),
    );
    expect([ledger, diagnostics[0]?.code]).toEqual([undefined, 'HW5004']);
    await mine.close();
  });

  check('of two that write, the one whose lock was taken away writes nothing more', async () => {
    const first = await opened(await alice());
    await first.append(bound('a'));
    expect(await unlockLedger(await ground.store(), hostname())).toMatchObject({
      changed: true,
      heldBy: { user: 'alice', runId: 'run-1' },
    });
    const second = await opened(await another('run-2'));
    const race = await Promise.allSettled([first.append(bound('lost')), second.append(bound('b'))]);
    expect(race.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await expect(first.append(bound('lost-too'))).rejects.toBeInstanceOf(LedgerWriteError);
    await first.close();
    // The end of the first leaves the lock of the second alone.
    await second.append(bound('c'));
    await second.close();
    expect([...(await readLedger(options)).view.objects.keys()]).toEqual(['Thing/a', 'Thing/b', 'Thing/c']);
  });

  check('of many that open it at once lets one in', async () => {
    const tries = await Promise.all(
      Array.from({ length: 3 }, async (_, index) => openLedger(await another(`run-${index}`))),
    );
    expect(tries.filter(({ ledger }) => ledger !== undefined)).toHaveLength(1);
    for (const { ledger } of tries) await ledger?.close();
    expect(await codes()).toEqual([]);
  });

  check('with a torn last line goes on without it, and says so', async () => {
    await written(bound('a'), bound('b'));
    const text = await ground.text();
    for (const [cut, expected, objects] of [
      [1, [], 3],
      [20, ['HW5008'], 2],
    ] as const) {
      await ground.plant(text.slice(0, -cut));
      expect((await readLedger(options)).diagnostics).toEqual([]);
      const { ledger, diagnostics } = await openLedger(options);
      expect(diagnostics.map(({ code }) => code)).toEqual(expected);
      await ledger?.append(bound('d'));
      await ledger?.close();
      const { view } = await readLedger(options);
      expect([view.objects.size, view.objects.has('Thing/d')]).toEqual([objects, true]);
    }
  });

  check('that is damaged is set aside, and nothing runs until it is restored or begun anew', async () => {
    await written(bound('a'), bound('b'), bound('c'));
    for (const round of [1, 2]) {
      const text = await ground.text();
      await ground.plant(text.replace('"n":1,', '"n":9,'));
      expect((await readLedger(options)).diagnostics).toMatchObject([{ code: 'HW5001' }]);
      expect((await initLedger(options)).diagnostics).toMatchObject([{ code: 'HW5001' }]);
      expect(await codes()).toEqual(['HW5001']);
      const { diagnostics } = await openLedger(await another('run-2'));
      expect(diagnostics).toMatchObject([{ code: 'HW5005', detail: containing(String(round)) }]);
      expect((await readLedger(options)).view.standing).toBe('missing');
      expect((await initLedger(options)).changed).toBe(true);
      await written(bound('a'));
    }
    expect(await codes()).toEqual([]);
  });

  check('of a newer format, or of another account, is refused and left alone', async () => {
    await written(bound('a'));
    const text = await ground.text();
    await ground.plant(text.replace('hostwright.ledger/2', 'hostwright.ledger/3'));
    expect(await codes()).toEqual(['HW5003']);
    expect((await initLedger(options)).diagnostics).toMatchObject([{ code: 'HW5003' }]);
    await ground.plant(`${text}{"n":2,"at":"2026-01-01T00:00:00Z","type":"something-new"}\n`);
    expect(await codes()).toEqual(['HW5003']);
    await ground.plant(text);
    expect(await codes({ ...options, account: 'other' })).toEqual(['HW5002']);
    expect(await ground.text()).toBe(text);
    expect(await codes()).toEqual([]);
  });

  check('takes what a person says', async () => {
    await initLedger(options);
    await written(
      bound('a'),
      { type: 'begin', runId: 'r', action: begunOf(createThing('f')), known: {}, effects: [] },
      { type: 'sent', address: 'Thing/f', step: 'make' },
    );
    expect((await forgetObject(options, 'Thing/z')).diagnostics).toMatchObject([{ code: 'HW5010' }]);
    expect(await forgetObject(options, 'Thing/a')).toEqual({ changed: true, diagnostics: [] });
    expect(await confirmInFlight(options, 'Thing/f', { id: '42' })).toEqual({ changed: true, diagnostics: [] });
    expect((await readLedger(options)).view.inFlight).toMatchObject([{ answered: { make: { id: '42' } } }]);
    expect(await unlockLedger(options.store, hostname())).toMatchObject({ changed: false, diagnostics: [] });
  });

  check('reports a lock that cannot be released, and keeps what was written', async () => {
    const { store } = options;
    const remove = (): Promise<never> => Promise.reject(new StoreError('refused'));
    const ledger = await opened({ ...options, store: { ...store, lock: { ...store.lock, remove } } });
    await ledger.append(bound('a'));
    expect(await ledger.close()).toMatchObject([
      { code: 'HW5013', severity: 'warning', detail: containing('hostwright ledger unlock') },
    ]);
    options = await another('run-2');
    expect((await readLedger(options)).view.objects.size).toBe(1);
    expect((await openLedger(options)).diagnostics).toMatchObject([{ code: 'HW5004' }]);
    expect(await unlockLedger(options.store, hostname(), { force: true })).toMatchObject({ changed: true });
    await (await opened()).close();
  });

  check('is unlocked by hand, but not from a process that runs here', async () => {
    const taken = await takeLock(options.store.lock, options.owner, clock, { uuid: randomUUID, waitMs: 0 });
    const { record } = taken as { readonly record: LockRecord };
    expect(await unlockLedger(await ground.store(), hostname())).toMatchObject({
      changed: false,
      diagnostics: [{ code: 'HW5012' }],
    });
    expect(await (await ground.store()).lock.peek()).toEqual(record);
    expect(await unlockLedger(await ground.store(), hostname(), { force: true })).toMatchObject({
      changed: true,
      diagnostics: [],
    });
    expect(await options.store.lock.peek()).toBe('none');
  });
});

describe('a ledger in a file', () => {
  const lockOf = {
    ...{ token: 'a', pid: 1, hostname: 'h', user: 'u', runId: 'r' },
    ...{ since: '2026-03-01T00:00:00Z', started: '', space: '' },
  } as LockRecord;

  it('is never written through a link: not by the name of a new one, and not in its own place', async () => {
    const folder = await openFolder();
    const [victim, file] = [join(folder, 'victim'), join(folder, 'ledger.jsonl')];
    await writeFile(victim, 'precious');
    for (const name of ['ledger.jsonl.new', 'ledger.jsonl.lock.a']) await symlink(victim, join(folder, name));
    const store = fileStore(file);
    await expect(store.lock.take(lockOf)).rejects.toThrow('EEXIST');
    await rm(join(folder, 'ledger.jsonl.lock.a'));
    expect(await store.lock.take(lockOf)).toBe('taken');
    await store.rewrite('new', lockOf);
    expect(await readFile(file, 'utf8')).toBe('new');
    await rm(file);
    await symlink(victim, file);
    await expect(store.append('more', lockOf)).rejects.toThrow('ledger.jsonl` is a link');
    await expect(store.resume(0, '')).rejects.toThrow('ledger.jsonl` is a link');
    expect(await readFile(victim, 'utf8')).toBe('precious');
    await store.close();
  });
});
