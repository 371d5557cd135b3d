// The ledger in a file: what survives a crash, what is refused, and who may write.
import { randomUUID } from 'node:crypto';
import { appendFile, chmod, readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Action } from '../../src/model/plan/plan.ts';
import type { LedgerEntry, LedgerLine } from '../../src/ledger/entries.ts';
import { parseLine } from '../../src/ledger/entries.ts';
import { fileStore } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerWriteError, recordBindings } from '../../src/ledger/ledger.ts';
import { parseLedger } from '../../src/ledger/ledger-text.ts';
import type { LockRecord } from '../../src/ledger/lock.ts';
import { confirmInFlight, forgetObject, initLedger, unlockLedger } from '../../src/ledger/by-hand.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readLedger } from '../../src/ledger/stored-ledger.ts';
import { entriesOf, replay } from '../../src/ledger/state.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound, codesOf, createThing, openedLedger } from './support.ts';
import { openFolder } from '../support/closing.ts';
import { begunOf } from '../support/actions.ts';

let folder: string;
let file: string;
let options: OpenOptions;

beforeEach(async () => {
  folder = await openFolder();
  file = join(folder, 'deep', '.hostwright', 'ledger.jsonl');
  options = {
    store: fileStore(file),
    account: 'acc',
    clock: virtualClock(),
    owner: { hostname: 'here', pid: process.pid, user: 'me', runId: 'run-1' },
    uuid: randomUUID,
  };
});

const opened = (extra: Partial<OpenOptions> = {}): Promise<Ledger> => openedLedger({ ...options, ...extra });

async function written(...entries: readonly LedgerEntry[]): Promise<void> {
  const ledger = await opened();
  await ledger.append(...entries);
  await ledger.close();
}

const codes = (extra: Partial<OpenOptions> = {}): Promise<readonly string[]> => codesOf({ ...options, ...extra });

describe('a ledger', () => {
  it('that is missing is not an empty one', async () => {
    expect((await readLedger(options)).view.standing).toBe('missing');
    expect(await readdir(folder)).toEqual([]);
    const ledger = await opened();
    expect(ledger.view()).toMatchObject({ standing: 'partial', account: 'acc', sequence: 0 });
    await ledger.close();
    // Nothing was written, so it is still missing.
    expect((await readLedger(options)).view.standing).toBe('missing');
  });

  it('keeps what was appended, for its owner only', async () => {
    await initLedger(options);
    await written(bound('a'), bound('b'));
    await written({ type: 'forgotten', address: 'Thing/a' });
    const { view } = await readLedger(options);
    expect([...view.objects.keys()]).toEqual(['Thing/b']);
    expect(view.sequence).toBe(3);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'deep', '.hostwright'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'deep', '.hostwright'))).toEqual(['ledger.jsonl']);
  });

  it('says that an entry is written when it is, and not when the one before it is', async () => {
    const { store } = options;
    const slow = {
      ...store,
      append: async (text: string, lock: LockRecord) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await store.append(text, lock);
      },
    };
    await written(bound('first'));
    const ledger = await opened({ store: slow });
    const onDisk = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        await ledger.append(bound(`x${index}`));
        return (await readFile(file, 'utf8')).includes(`Thing/x${index}"`);
      }),
    );
    expect(onDisk).toEqual([true, true, true, true]);
    await ledger.close();
  });

  describe('where every write is a journey', () => {
    const update = (index: number): LedgerEntry => ({ type: 'sent', address: `Thing/x${index}`, step: 'paint' });
    /** Counts writes, and what each would carry if it were of the whole ledger. */
    const counted = () => {
      const count = { writes: 0, carried: 0, length: 0 };
      const { store } = options;
      const append = async (text: string, lock: LockRecord): Promise<void> => {
        await store.append(text, lock);
        count.length += text.length;
        count.writes += 1;
        count.carried += count.length;
      };
      return { count, store: { ...store, append, isSlow: true as const } };
    };

    it('writes of 2,000 requests that may be repeated a few times, together no more than a few ledgers', async () => {
      await written(bound('first'));
      const { count, store } = counted();
      const ledger = await opened({ store });
      for (let index = 0; index < 2_000; index += 1) {
        await ledger.note(bound(`x${index}`, 'x'.repeat(1_000)));
        await ledger.announce(update(index));
      }
      await ledger.close();
      expect(count.length).toBeGreaterThan(2_000_000);
      expect(count.writes).toBeLessThan(25);
      expect(count.carried / count.length).toBeLessThan(6);
    });

    it('has the first request of a run on stable storage before it leaves, and one that is not to be repeated always', async () => {
      await written(bound('first'));
      const ledger = await opened({ store: counted().store });
      const isThere = async (text: string): Promise<boolean> => (await readFile(file, 'utf8')).includes(text);
      await ledger.announce(update(1));
      expect(await isThere('Thing/x1')).toBe(true);
      await ledger.announce(update(2));
      expect(await isThere('Thing/x2')).toBe(false);
      await ledger.append(update(3));
      expect([await isThere('Thing/x2'), await isThere('Thing/x3')]).toEqual([true, true]);
      await ledger.close();
    });

    it('sends nothing half a minute after its lock was taken away, also what may be repeated', async () => {
      await written(bound('first'));
      const clock = virtualClock();
      const ledger = await opened({ clock, store: counted().store });
      await ledger.announce(update(1));
      expect((await unlockLedger(options.store, 'elsewhere', { force: true })).changed).toBe(true);
      await clock.sleep(29_000);
      await ledger.announce(update(2));
      await clock.sleep(1_000);
      await expect(ledger.announce(update(3))).rejects.toBeInstanceOf(LedgerWriteError);
      expect((await ledger.close()).map(({ code }) => code)).not.toContain('HW5001');
    });
  });

  it('is no record of all that was there once something is forgotten, until it is all recorded anew', async () => {
    const binding = { address: 'Thing/a', id: '1', owned: true, applied: {} };
    const ledger = await opened();
    await recordBindings(ledger, [binding], true);
    expect(ledger.view().recorded).toBe(true);
    await ledger.append({ type: 'forgotten', address: 'Thing/a' });
    expect(ledger.view().recorded).toBeUndefined();
    await recordBindings(ledger, [binding], true);
    expect(ledger.view().recorded).toBe(true);
    await ledger.close();
  });

  it('records only bindings that differ', async () => {
    const ledger = await opened();
    const binding = { address: 'Thing/a', id: '1', owned: true, applied: { name: 'a' } };
    expect(await recordBindings(ledger, [binding])).toBe(1);
    expect(await recordBindings(ledger, [binding, { ...binding, address: 'Thing/b' }])).toBe(1);
    expect(await recordBindings(ledger, [{ ...binding, applied: { name: 'b' } }])).toBe(1);
    expect(ledger.view().sequence).toBe(3);
    await ledger.close();
  });
});

describe('a damaged ledger', () => {
  beforeEach(async () => {
    await initLedger(options);
    await written(bound('a'), bound('b'), bound('c'));
  });

  it('with a damaged middle is set aside, and apply refuses until it is restored or begun anew', async () => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"Thing/b"', '"Thing/b'));
    expect((await readLedger(options)).diagnostics).toMatchObject([{ code: 'HW5001' }]);
    expect(await codes()).toEqual(['HW5001']);
    expect((await readdir(join(folder, 'deep', '.hostwright'))).sort()).toEqual(['ledger.jsonl.corrupt-1']);
    expect(await codes()).toEqual(['HW5005']);
    expect((await initLedger(options)).changed).toBe(true);
    expect(await codes()).toEqual([]);
  });

  it.each([
    ['a missing line', (lines: string[]) => lines.filter((_, index) => index !== 2)],
    ['a line twice', (lines: string[]) => [...lines.slice(0, 2), lines[1] ?? '', ...lines.slice(2)]],
    ['no header', (lines: string[]) => lines.slice(1)],
    ['a header without account', (lines: string[]) => ['{"format":"hostwright.ledger/1"}', ...lines.slice(1)]],
    ['an empty line', (lines: string[]) => [...lines.slice(0, 2), '', ...lines.slice(2)]],
    [
      'an entry without what it needs',
      (lines: string[]) => [
        ...lines.slice(0, 3),
        '{"n":3,"at":"2026-01-01T00:00:00Z","type":"sent"}',
        ...lines.slice(4),
      ],
    ],
    [
      'an entry about __proto__, which is no address',
      (lines: string[]) => [
        ...lines.slice(0, 3),
        '{"n":3,"at":"2026-01-01T00:00:00Z","type":"forgotten","address":"__proto__"}',
        ...lines.slice(4),
      ],
    ],
    [
      'an action at no address',
      (lines: string[]) => [
        ...lines.slice(0, 3),
        '{"n":3,"at":"2026-01-01T00:00:00Z","type":"begin","runId":"r","action":{"address":"__proto__/x"},"known":{},"effects":[]}',
        ...lines.slice(4),
      ],
    ],
  ])('with %s is damaged', async (_what, mend) => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${mend(lines).join('\n')}\n`);
    expect(await codes()).toEqual(['HW5001']);
  });

  it('of a newer format, or of another account, is refused and left alone', async () => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('hostwright.ledger/2', 'hostwright.ledger/3'));
    expect(await codes()).toEqual(['HW5003']);
    expect((await initLedger(options)).diagnostics).toMatchObject([{ code: 'HW5003' }]);
    await writeFile(file, `${text}{"n":4,"at":"2026-01-01T00:00:00Z","type":"something-new"}\n`);
    expect(await codes()).toEqual(['HW5003']);
    // Whole but for its line feed: it is no torn line that may be cut off.
    await writeFile(file, `${text}{"n":4,"at":"2026-01-01T00:00:00Z","type":"something-new"}`);
    expect(await codes()).toEqual(['HW5003']);
    expect(await readFile(file, 'utf8')).toContain('something-new');
    await writeFile(file, text);
    expect(await codes({ account: 'other' })).toEqual(['HW5002']);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await codes()).toEqual([]);
  });

  it('never crashes the reader, whatever the bytes', async () => {
    const whole = await readFile(file);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const bytes = Buffer.from(whole.subarray(0, Math.max(length, 1)));
        bytes[at % bytes.length] = byte;
        expect(['read', 'damaged', 'newer']).toContain(parseLedger(bytes).state);
      }),
    );
  });
});

/** An entry of each type with every member that it may have. */
const ENTRIES: Readonly<Record<LedgerEntry['type'], JsonObject>> = {
  'run-started': { runId: 'r', planId: 'p', approved: ['a'], by: { via: 'local', user: 'me', host: 'here' } },
  begin: {
    runId: 'r',
    action: begunOf(createThing('a')) as unknown as JsonObject,
    known: { 'Thing/b': { id: '1' } },
    effects: [{ address: 'Thing/b', path: '/name', value: 1 }],
    own: ['a'],
    triggeredBy: ['Thing/b'],
    triggered: true,
  },
  sent: { address: 'Thing/a', step: 's' },
  answered: { address: 'Thing/a', step: 's', status: 200, row: '2xx done', follow: 'look-up', outputs: { id: '1' } },
  learnt: { address: 'Thing/a', step: 's', outputs: { id: '1' } },
  followed: { address: 'Thing/a', step: 's', outputs: { id: '1' } },
  held: { address: 'Thing/a', reason: 'x' },
  succeeded: { address: 'Thing/a', id: '1', gone: false, applied: {}, outputs: {}, rotated: { password: '1' } },
  failed: { address: 'Thing/a', reason: 'x' },
  bound: {
    ...{ address: 'Thing/a', id: '1', owned: true, applied: {}, createdAtMs: 1, appliedAtMs: 1, lists: { Part: 1 } },
    ...{ outputs: { id: '1' }, rotated: { password: '1' } },
  },
  history: { row: { is: 'end', run: 'r', complete: true }, previous: 'x' },
  recorded: {},
  forgotten: { address: 'Thing/a' },
  confirmed: { address: 'Thing/a', id: '1' },
  'run-finished': { runId: 'r', planId: 'p', complete: true },
  act: { act: 'x', runId: 'r', request: 'POST /api/x' },
  told: { channel: 'c', state: { key: 'value' } },
  acted: { act: 'x', kept: { request: 'POST /api/x', untilMs: 1 } },
};
const WRONG: readonly Json[] = [null, 7.5, 'a/../b', true, [], [{}], {}, { x: {} }];
const typeOf = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
/** Members that may be null. */
const NULLABLE = ['id', 'status', 'row'];

describe('the entries of a ledger', () => {
  const cases = Object.entries(ENTRIES).flatMap(([type, members]) =>
    Object.keys(members).map((member) => [type as LedgerEntry['type'], member] as const),
  );

  it.each(cases)('of type %s are damaged where the type of `%s` is another', (type, member) => {
    const lineWith = (value: Json): string =>
      JSON.stringify({ n: 1, at: '2026-01-01T00:00:00.000Z', type, ...ENTRIES[type], [member]: value });
    const valid = ENTRIES[type][member] as Json;
    expect(parseLine(lineWith(valid))).toBeTypeOf('object');
    for (const wrong of WRONG) {
      if (typeOf(wrong) === typeOf(valid) || (wrong === null && NULLABLE.includes(member))) continue;
      expect(parseLine(lineWith(wrong)), JSON.stringify(wrong)).toBeUndefined();
    }
  });
});

describe('a long ledger', () => {
  it('keeps what an earlier run owes: what it goes with, and that it occurred', () => {
    const owed = (...triggeredBy: readonly string[]): LedgerEntry => ({
      type: 'begin',
      runId: 'r',
      action: begunOf({ ...createThing('owed'), hook: 'after' }),
      known: {},
      effects: [],
      triggeredBy,
    });
    const lines = [
      owed('Thing/a'),
      { type: 'succeeded', address: 'Thing/b', id: '1', gone: false, applied: {}, outputs: {} } as const,
    ].map((entry, index): LedgerLine => ({ n: index + 1, atMs: 0, entry }));
    const header = { account: 'acc', standing: 'complete', after: 0 } as const;
    expect(replay(header, lines).inFlight).toEqual([]);
    const more = [
      ...lines,
      ...[
        { type: 'succeeded', address: 'Thing/a', id: '1', gone: false, applied: {}, outputs: {} } as const,
        owed('Thing/b'),
      ].map((entry, index): LedgerLine => ({ n: index + 3, atMs: 0, entry })),
    ];
    expect(replay(header, more).inFlight).toMatchObject([{ triggeredBy: ['Thing/a', 'Thing/b'], triggered: true }]);
  });

  describe('of a run that died', () => {
    const header = { account: 'acc', standing: 'complete', after: 0 } as const;
    const viewOf = (...entries: readonly LedgerEntry[]) =>
      replay(
        header,
        entries.map((entry, index): LedgerLine => ({ n: index + 1, atMs: 0, entry })),
      ).inFlight.map(({ action: { address } }) => address);
    const change: LedgerEntry = {
      type: 'begin',
      runId: 'r',
      action: begunOf(createThing('a')),
      known: {},
      effects: [],
    };
    const purge: LedgerEntry = {
      type: 'begin',
      runId: 'r',
      action: begunOf({ ...createThing('purge'), hook: 'after' }),
      known: {},
      effects: [],
      triggeredBy: ['Thing/a'],
    };
    const sent: LedgerEntry = { type: 'sent', address: 'Thing/a', step: 'make' };
    const succeeded: LedgerEntry = {
      type: 'succeeded',
      address: 'Thing/a',
      id: '1',
      gone: false,
      applied: {},
      outputs: {},
    };
    const nextRun: LedgerEntry = { type: 'run-started', runId: 's', planId: 'p', approved: [] };

    it('has in flight only what it had sent', () => {
      expect([
        viewOf(change),
        viewOf(change, { type: 'held', address: 'Thing/a', reason: 'later' }),
        viewOf(change, sent),
      ]).toEqual([[], [], ['Thing/a']]);
    });

    it('owes what comes after a change once that was carried out, and may while it is in flight', () => {
      expect([viewOf(purge, change), viewOf(purge, change, sent), viewOf(purge, change, sent, succeeded)]).toEqual([
        [],
        ['Thing/purge', 'Thing/a'],
        ['Thing/purge'],
      ]);
    });

    it('owes nothing for what a later run does', () => {
      expect([
        viewOf(purge, nextRun, change, sent, succeeded),
        viewOf(purge, change, sent, nextRun, succeeded),
      ]).toEqual([[], ['Thing/purge']]);
    });
  });

  it('comes to the same view from the fewest entries', () => {
    const address = 'Thing/a';
    const owed: Action = {
      ...createThing('owed'),
      hook: 'after',
      needs: [{ address, rule: 'O-28', reason: 'last' }],
    };
    const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
      fc.constant<LedgerEntry>({
        type: 'begin',
        runId: 'r',
        action: begunOf(createThing('a')),
        known: {},
        effects: [],
      }),
      fc.constantFrom(['Thing/a'], ['Thing/b'], undefined).map((triggeredBy): LedgerEntry => ({
        type: 'begin',
        runId: 'r',
        action: begunOf(owed),
        known: {},
        effects: [],
        ...(triggeredBy !== undefined && { triggeredBy }),
      })),
      fc.constant<LedgerEntry>({ type: 'failed', address: owed.address, reason: 'nothing was carried out' }),
      fc.constantFrom('make', 'paint').map((step): LedgerEntry => ({ type: 'sent', address, step })),
      fc
        .record({
          step: fc.constantFrom('make', 'paint'),
          follow: fc.constantFrom('wait-for', 'look-up', undefined),
          id: fc.constantFrom('1', '2'),
        })
        .map(({ step, follow, id }): LedgerEntry => ({
          type: 'answered',
          address,
          step,
          status: 200,
          row: '2xx done',
          outputs: { id },
          ...(follow !== undefined && { follow: follow as 'wait-for' }),
        })),
      fc
        .constantFrom('make', 'paint')
        .map((step): LedgerEntry => ({ type: 'followed', address, step, outputs: { ns1: 'x' } })),
      fc.constant<LedgerEntry>({ type: 'held', address, reason: 'later' }),
      fc.constant<LedgerEntry>({ type: 'failed', address, reason: 'no' }),
      fc.constantFrom('7', null).map((id): LedgerEntry => ({ type: 'confirmed', address, id })),
      fc.boolean().map((gone): LedgerEntry => ({
        type: 'succeeded',
        address,
        id: gone ? null : '3',
        gone,
        applied: { a: 1 },
        outputs: {},
      })),
      fc.constant<LedgerEntry>(bound('b')),
      fc.constant<LedgerEntry>({
        ...(bound('b') as Extract<LedgerEntry, { readonly type: 'bound' }>),
        appliedAtMs: 5,
        lists: { Part: 3 },
      }),
      fc.constant<LedgerEntry>({ type: 'act', act: 'restore of a', runId: 't', request: 'PATCH /api/a' }),
      fc.constant<LedgerEntry>({ type: 'acted', act: 'restore of a' }),
      fc
        .constantFrom('slack', 'teams')
        .map((channel): LedgerEntry => ({ type: 'told', channel, state: { 'drift Thing/a': 'x' } })),
      fc.constant<LedgerEntry>({ type: 'recorded' }),
      fc.constant<LedgerEntry>({ type: 'run-started', runId: 's', planId: 'p', approved: [] }),
      fc.constant<LedgerEntry>({ type: 'forgotten', address: 'Thing/b' }),
      fc.boolean().map((complete): LedgerEntry => ({ type: 'run-finished', runId: 'r', planId: 'p', complete })),
    );
    const header = { account: 'acc', standing: 'complete', after: 0 } as const;
    const number = (
      entries: readonly { readonly atMs?: number; readonly entry: LedgerEntry }[],
    ): readonly LedgerLine[] =>
      entries.map(({ atMs, entry: given }, index) => ({ n: index + 1, atMs: atMs ?? index, entry: given }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        // What an interrupted run did is not kept: without it the rest of that run needs a review of its own.
        const {
          done: _done,
          interrupted: _interrupted,
          ...view
        } = replay(header, number(entries.map((given) => ({ entry: given }))));
        const again = replay(header, number(entriesOf(view)));
        expect({ ...again, sequence: 0 }).toEqual({ ...view, sequence: 0 });
      }),
    );
  });
});

describe('by hand', () => {
  it('forgets, confirms, and says what is not there', async () => {
    await initLedger(options);
    await written(
      bound('a'),
      { type: 'begin', runId: 'r', action: begunOf(createThing('f')), known: {}, effects: [] },
      { type: 'sent', address: 'Thing/f', step: 'make' },
    );
    expect((await forgetObject(options, 'Thing/z')).diagnostics).toMatchObject([
      { code: 'HW5010', address: 'Thing/z' },
    ]);
    expect((await forgetObject(options, 'Thing/a')).changed).toBe(true);
    expect((await confirmInFlight(options, 'Thing/a', 'not-made')).diagnostics).toMatchObject([{ code: 'HW5011' }]);
    expect((await confirmInFlight(options, 'Thing/f', { id: '42' })).changed).toBe(true);
    const { view } = await readLedger(options);
    expect(view.objects.size).toBe(0);
    expect(view.inFlight).toMatchObject([{ answered: { make: { id: '42' } } }]);
    expect(view.inFlight[0]?.unanswered).toBeUndefined();
  });
});

describe('writing that fails', () => {
  it('fails for ever after', async () => {
    const ledger = await opened();
    await ledger.append(bound('a'));
    // Somebody removes the lock by hand: two writers would tell two stories.
    expect((await unlockLedger(options.store, 'here', { force: true })).changed).toBe(true);
    await expect(ledger.append(bound('b'))).rejects.toBeInstanceOf(LedgerWriteError);
    await expect(ledger.append(bound('c'))).rejects.toBeInstanceOf(LedgerWriteError);
    await ledger.close();
    expect((await readLedger(options)).view.objects.size).toBe(1);
  });

  it.skipIf(process.getuid?.() === 0)('is told of a folder that must not be written', async () => {
    await written(bound('a'));
    await chmod(file, 0o400);
    await expect(openLedger(options)).rejects.toThrow();
  });

  it('leaves a reader with whole entries only', async () => {
    await written(bound('a'), bound('b'));
    await appendFile(file, '{"n":3,"at":"2026');
    expect((await readLedger(options)).view.objects.size).toBe(2);
    await truncate(file, (await stat(file)).size - 3);
    expect((await readLedger(options)).view.objects.size).toBe(2);
  });
});
