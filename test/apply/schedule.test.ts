// The walk over the graph: needs, locks, places, and removals last.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionWord } from '../../src/model/plan/outcome.ts';
import type { Scheduled } from '../../src/apply/schedule.ts';
import { runSchedule } from '../../src/apply/schedule.ts';

interface Item extends Scheduled {
  readonly result: ActionWord;
  readonly turns: number;
}

const item = (index: number, given: Partial<Item> = {}): Item => ({
  ...{ address: `A/${index}`, locks: [], stage: 'change', needs: [], result: 'done', turns: 0 },
  ...given,
});

const items: fc.Arbitrary<readonly Item[]> = fc
  .array(
    fc.record({
      locks: fc.uniqueArray(fc.constantFrom('l1', 'l2', 'l3'), { maxLength: 2 }),
      stage: fc.constantFrom('change' as const, 'change' as const, 'removal' as const),
      needs: fc.array(fc.nat(30), { maxLength: 3 }),
      result: fc.constantFrom<ActionWord[]>('done', 'done', 'done', 'failed', 'waiting'),
      turns: fc.nat(4),
    }),
    { maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map((draft, index) => ({
      ...draft,
      address: `A/${index}`,
      // Only earlier ones, and no change after a removal: what a planner makes.
      needs: draft.needs
        .filter((other) => other < index && !(draft.stage === 'change' && drafts[other]?.stage === 'removal'))
        .map((other) => ({ address: `A/${other}`, rule: 'R', reason: 'b' })),
    })),
  );

async function walk(actions: readonly Item[], parallelism: number, stopped: () => boolean = () => false) {
  const running = new Set<Item>();
  const ran: Item[] = [];
  const skipped = new Set<Item>();
  const ended = new Map<string, ActionWord>();
  let stuck: readonly Item[] = [];
  await runSchedule<Item>({
    actions,
    parallelism,
    stopped,
    settled: new Map(),
    locksOf: ({ locks }) => locks,
    keepsLocks: () => [],
    run: async (item) => {
      expect(running.size).toBeLessThan(parallelism);
      for (const other of running) expect(other.locks.some((lock) => item.locks.includes(lock))).toBe(false);
      for (const { address } of item.needs) expect(ended.get(address)).toBe('done');
      if (item.stage === 'removal') {
        for (const other of actions) if (other.stage === 'change') expect(ended.has(other.address)).toBe(true);
      }
      running.add(item);
      for (let turn = 0; turn < item.turns; turn += 1) await Promise.resolve();
      running.delete(item);
      ran.push(item);
      ended.set(item.address, item.result);
      return item.result;
    },
    skip: (item, need) => {
      expect(ended.get(need.address)).not.toBe('done');
      skipped.add(item);
      ended.set(item.address, 'skipped');
    },
    stuck: (left) => {
      stuck = left;
    },
  });
  return { ran, skipped, stuck, running };
}

describe('the walk', () => {
  it('keeps needs, locks, places and stages, and ends with everything run or skipped', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 6 }), async (actions, parallelism) => {
        const { ran, skipped, stuck, running } = await walk(actions, parallelism);
        expect(running.size).toBe(0);
        expect(stuck).toEqual([]);
        expect(ran.length + skipped.size).toBe(actions.length);
      }),
      { numRuns: 300 },
    );
  });

  it('uses the places it has', async () => {
    let most = 0;
    let running = 0;
    await runSchedule({
      actions: Array.from({ length: 20 }, (_, index) => item(index)),
      parallelism: 5,
      stopped: () => false,
      settled: new Map(),
      locksOf: () => [],
      keepsLocks: () => [],
      run: async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return 'done';
      },
      skip: () => undefined,
      stuck: () => undefined,
    });
    expect(most).toBe(5);
  });

  it.each([
    ['share one lock', { locks: () => ['l'], needs: () => [] }],
    ['have a lock each', { locks: (index: number) => [`l${index}`], needs: () => [] }],
    ['share one lock of two', { locks: (index: number) => ['l', `l${index % 7}`], needs: () => [] }],
    ['all need the first', { locks: () => [], needs: (index: number) => (index === 0 ? [] : [0]) }],
    ['need one another in turn', { locks: () => [], needs: (index: number) => (index === 0 ? [] : [index - 1]) }],
  ])('looks at each of a thousand a few times, where they %s, and runs them in their order', async (_, of) => {
    const actions = Array.from({ length: 1000 }, (_each, index) =>
      item(index, {
        locks: of.locks(index),
        needs: of.needs(index).map((other) => ({ address: `A/${other}`, rule: 'R', reason: 'b' })),
      }),
    );
    let looks = 0;
    const began: Item[] = [];
    await runSchedule<Item>({
      actions,
      parallelism: 4,
      stopped: () => false,
      settled: new Map(),
      locksOf: ({ locks }) => {
        looks += 1;
        return locks;
      },
      keepsLocks: () => [],
      run: (item) => {
        began.push(item);
        return Promise.resolve('done' as const);
      },
      skip: () => undefined,
      stuck: () => undefined,
    });
    expect(began).toEqual(actions);
    expect(looks).toBeLessThan(8 * actions.length);
  });

  it('starts nothing when stopped, and lets what runs end', async () => {
    let stopped = false;
    const { ran, stuck } = await walk(
      [item(0, { turns: 3 }), item(1, { turns: 3 }), item(2, { turns: 3 })],
      2,
      () => stopped || ((stopped = true), false),
    );
    expect(ran).toHaveLength(1);
    expect(stuck).toEqual([]);
  });

  it('takes thousands of actions on one lock in their order', async () => {
    const { ran } = await walk(
      Array.from(
        { length: 3000 },
        (_, index) =>
          ({
            address: `A/${index}`,
            locks: ['l'],
            stage: 'change',
            needs: [],
            result: 'done',
            turns: 0,
          }) satisfies Item,
      ),
      8,
    );
    expect(ran).toHaveLength(3000);
  });

  it('O-72: the next paid action starts when the lock is given back, also while the first goes on', async () => {
    const log: string[] = [];
    const paid = (index: number) => item(index, { locks: [`s${index}`, 'billing'] });
    await runSchedule<Item>({
      actions: [paid(0), paid(1)],
      parallelism: 2,
      stopped: () => false,
      settled: new Map(),
      locksOf: ({ locks }) => locks,
      keepsLocks: () => [],
      run: async ({ address }, release) => {
        log.push(`${address} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        release(['billing', 'not its own']);
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        log.push(`${address} ends`);
        return 'done';
      },
      skip: () => undefined,
      stuck: () => undefined,
    });
    expect(log).toEqual(['A/0 begins', 'A/1 begins', 'A/0 ends', 'A/1 ends']);
  });

  it('O-02: a lock that an action keeps beyond its end makes those who need it be skipped, with its name', async () => {
    const skipped: string[] = [];
    const ran: string[] = [];
    await runSchedule<Item>({
      actions: [item(0, { locks: ['billing'], result: 'unknown-outcome' }), item(1, { locks: ['billing'] }), item(2)],
      parallelism: 1,
      stopped: () => false,
      settled: new Map(),
      locksOf: ({ locks }) => locks,
      keepsLocks: (_, result) => (result === 'unknown-outcome' ? ['billing'] : []),
      run: ({ address, result }) => {
        ran.push(address);
        return Promise.resolve(result);
      },
      skip: ({ address }, need, result) => skipped.push(`${address} ${need.address} ${need.rule} ${result}`),
      stuck: () => undefined,
    });
    expect(ran).toEqual(['A/0', 'A/2']);
    expect(skipped).toEqual(['A/1 A/0 O-72 unknown-outcome']);
  });

  it('rejects with a bug, after what runs has ended', async () => {
    let ended = 0;
    const walked = runSchedule({
      actions: [item(0), item(1), item(2)],
      parallelism: 2,
      stopped: () => false,
      settled: new Map(),
      locksOf: () => [],
      keepsLocks: () => [],
      run: async ({ address }) => {
        if (address === 'A/0') throw new Error('bug');
        await new Promise((resolve) => setImmediate(resolve));
        ended += 1;
        return 'done';
      },
      skip: () => undefined,
      stuck: () => undefined,
    });
    await expect(walked).rejects.toThrow('bug');
    expect(ended).toBe(1);
  });
});
