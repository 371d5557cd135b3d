// A run that dies anywhere is continued: nothing is made twice, nothing is forgotten.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BILLING_LOCK } from '../../src/model/kind/kind.ts';
import type { Observer } from '../../src/model/plan/observed.ts';
import type { Action } from '../../src/model/plan/plan.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { LedgerLine } from '../../src/ledger/entries.ts';
import { resumeInFlight } from '../../src/apply/resume.ts';
import type { Stage } from './support.ts';
import { createThing, memoryLedger, paintThing, removeThing, stage, writesOf } from './support.ts';
import { containing } from '../support/matchers.ts';

const optionsOf = (own: Stage) => own.resume();

/** Thrown where the run dies: nothing after it happens. */
class Killed extends Error {}

/** Runs until `entries` entries are in the ledger, then dies: before or after that request reached the platform. */
async function dieAfter(own: Stage, actions: readonly Action[], entries: number): Promise<boolean> {
  own.ledger.onAppend = () => {
    if (own.ledger.lines.length >= entries) throw new Killed();
  };
  const died = await runPlan(own.run(actions)).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Killed) return true;
      throw error;
    },
  );
  own.ledger = memoryLedger(own.clock, own.ledger.lines);
  return died;
}

/** The whole: resume, then what a new plan would still do. */
async function finishWith(own: Stage, actions: readonly Action[]): Promise<void> {
  const resumed = await resumeInFlight(optionsOf(own));
  expect(resumed.words).toEqual(['done']);
  expect(own.ledger.view().inFlight).toEqual([]);
  const outcome = await runPlan(own.run(actions));
  expect(outcome.words, JSON.stringify(outcome)).toEqual([
    own.ledger.view().finishedPlans.size > 0 && outcome.words.includes('refused') ? 'refused' : 'done',
  ]);
}

describe('a run that died', () => {
  it('after any entry is continued without making anything twice', async () => {
    const actions = [
      createThing('a'),
      createThing('b', {}, { needs: [{ address: 'Thing/a', rule: 'O-1', reason: 'first' }] }),
    ];
    let deaths = 0;
    for (let entries = 0; ; entries += 1) {
      const own = stage();
      if (!(await dieAfter(own, actions, entries))) break;
      deaths += 1;
      await finishWith(own, actions);
      expect(own.platform.posts).toBe(2);
      expect(own.platform.rows).toMatchObject([
        { name: 'a', colour: 'red' },
        { name: 'b', colour: 'red' },
      ]);
      expect(own.ledger.view().objects.get('Thing/a')).toMatchObject({
        id: 'id-1',
        owned: true,
        applied: { name: 'a', colour: 'red' },
      });
    }
    expect(deaths).toBe(14);
  });

  it('with its journal cut after any entry makes each thing once, whatever became of the requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 9000 }),
        fc.array(
          fc.constantFrom(
            { done: true, answer: 'none' } as const,
            { done: false, answer: 'none' } as const,
            { done: true, answer: { status: 503 } } as const,
          ),
          { maxLength: 2 },
        ),
        async (entries, lagMs, fates) => {
          const own = stage();
          own.platform.lagMs = lagMs;
          own.platform.fates.push(...fates);
          const actions = [createThing('a'), paintThing('b', 'blue', 'red')];
          own.platform.rows.push({ id: 'b1', name: 'b', colour: 'blue' });
          await dieAfter(own, actions, entries);
          own.platform.fates.length = 0;
          await finishWith(own, actions);
          expect(own.platform.posts).toBe(1);
          expect(own.platform.rows.filter(({ name }) => name === 'a')).toHaveLength(1);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps the prefix property also for journals that were cut, not only killed', async () => {
    const whole = stage();
    await runPlan(whole.run([createThing('a')]));
    const lines: readonly LedgerLine[] = whole.ledger.lines;
    for (let count = 0; count <= lines.length; count += 1) {
      // The platform is as the whole run left it: the journal lost its end, the platform did not.
      const own = stage();
      own.platform.rows.push(...whole.platform.rows);
      own.run([createThing('a')]);
      own.ledger = memoryLedger(own.clock, lines.slice(0, count));
      const resumed = await resumeInFlight(optionsOf(own));
      expect(resumed.words).toEqual(['done']);
      expect(own.platform.posts).toBe(0);
      expect(own.ledger.view().inFlight).toEqual([]);
    }
  });
});

describe('resuming', () => {
  /** Dies when the answer of its first request would be written down, and with nothing but `sent` in the journal. */
  const dieAtAnswer = async (own: Stage, action: Action): Promise<void> => {
    await dieAfter(own, [action], 3);
    expect(own.ledger.lines.map(({ entry }) => entry.type)).toEqual(['run-started', 'begin', 'sent']);
  };
  const held = async (actions: readonly Action[], own = stage()) => {
    own.platform.fates.push({ done: true, answer: 'none' });
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'answered' || entry.type === 'held' || entry.type === 'failed') throw new Killed();
    };
    await runPlan(own.run(actions)).catch(() => undefined);
    own.ledger = memoryLedger(own.clock, own.ledger.lines);
    return own;
  };

  it('does nothing when nothing is in flight', async () => {
    const own = stage();
    expect(await resumeInFlight(optionsOf(own))).toEqual({ actions: [], diagnostics: [], words: ['done'] });
    expect(own.platform.requests).toEqual([]);
  });

  it.each([
    ['an hour ago', 3_600_000, 0],
    ['a minute ago, by a clock that may be behind', 60_000, 10_000],
    ['a year from now, by a clock that is ahead', -365 * 86_400_000, 10_000],
  ])('waits out the grace period before it sends again what was sent %s', async (_, agoMs, waitedMs) => {
    const own = await held([createThing('a')]);
    own.platform.rows.length = 0;
    own.ledger = memoryLedger(
      own.clock,
      own.ledger.lines.map((line) => ({ ...line, atMs: own.clock.now() - agoMs })),
    );
    const from = own.clock.now();
    expect((await resumeInFlight(optionsOf(own))).words).toEqual(['done']);
    expect(own.clock.now() - from).toBe(waitedMs);
    expect(own.platform.posts).toBe(2);
  });

  it('leaves in flight what still cannot be known', async () => {
    const own = await held([
      createThing('a', {
        recovery: {
          lookUp: {
            read: ['/api/things'],
            rows: '/things',
            where: [{ pointer: '/name', value: 'never' }],
            capture: { id: '/id' },
          },
          ifNotFound: 'unknown',
          graceMs: 0,
          rule: 'T',
        },
      }),
    ]);
    expect(await resumeInFlight(optionsOf(own))).toMatchObject({
      words: ['waiting'],
      actions: [{ result: 'unknown-outcome' }],
      diagnostics: [{ code: 'HW4004' }],
    });
    expect(own.ledger.view().inFlight).toHaveLength(1);
    await own.ledger.append({ type: 'confirmed', address: 'Thing/a', id: 'id-1' });
    expect(await resumeInFlight(optionsOf(own))).toMatchObject({
      words: ['done'],
      actions: [{ result: 'done', outputs: { id: 'id-1' } }],
    });
    expect(own.platform.posts).toBe(1);
  });

  it('lets go of what a person says was never made', async () => {
    const own = await held([createThing('a')]);
    await own.ledger.append({ type: 'confirmed', address: 'Thing/a', id: null });
    expect(own.ledger.view().inFlight).toEqual([]);
    expect(own.ledger.view().objects.size).toBe(0);
  });

  it.each([
    ['a purchase', createThing('a', { unlocks: [BILLING_LOCK] })],
    ['a delete', removeThing('b')],
    ['a change', paintThing('b', 'blue', 'red')],
  ] as const)('finds nothing in flight where %s was begun and never sent', async (_what, action) => {
    const own = stage();
    own.platform.rows.push({ id: 'b1', name: 'b', colour: 'blue' });
    await dieAfter(own, [action], 2);
    expect(own.ledger.lines.map(({ entry }) => entry.type)).toEqual(['run-started', 'begin']);
    expect(own.ledger.view().inFlight).toEqual([]);
    expect(await resumeInFlight(optionsOf(own))).toEqual({ actions: [], diagnostics: [], words: ['done'] });
    expect(writesOf(own.platform)).toEqual([]);
    expect((await runPlan(own.run([action]))).words).toEqual(['done']);
    expect(writesOf(own.platform)).toHaveLength(action.verb === 'create' ? 2 : 1);
  });

  it('does not send a delete again that was not carried out: the next plan decides anew', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a' });
    own.platform.fates.push({ done: false, answer: { status: 200 } });
    await dieAtAnswer(own, removeThing('a'));
    expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'remove' }]);
    const sent = writesOf(own.platform).length;
    const resumed = await resumeInFlight(optionsOf(own));
    expect(resumed).toMatchObject({
      words: ['done'],
      actions: [{ result: 'not-started', reason: containing('the next plan decides anew') }],
    });
    expect(writesOf(own.platform)).toHaveLength(sent);
    expect(own.platform.rows).toHaveLength(1);
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  it('leaves a delete in flight while nobody can read whether it was carried out', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a' });
    await dieAtAnswer(own, removeThing('a'));
    const sent = writesOf(own.platform).length;
    const unread: Observer = (addresses) =>
      Promise.resolve(
        new Map(addresses.map((address) => [address, { state: 'unknown', reason: 'the list is broken' }])),
      );
    expect(await resumeInFlight({ ...optionsOf(own), observe: unread })).toMatchObject({
      words: ['error', 'waiting'],
      diagnostics: [{ code: 'HW4002' }],
      actions: [{ result: 'waiting' }],
    });
    expect(own.ledger.view().inFlight).toHaveLength(1);
    expect(writesOf(own.platform)).toHaveLength(sent);
  });

  it('buys nothing for an action that had done something else before: what is bought is planned anew', async () => {
    const base = createThing('a');
    const action = {
      ...base,
      steps: base.steps.map((step) =>
        step.do === 'request' && step.name === 'paint' ? { ...step, unlocks: [BILLING_LOCK] } : step,
      ),
    };
    const own = stage();
    await dieAfter(own, [action], 4);
    expect(own.ledger.view().inFlight).toMatchObject([{ answered: { make: { id: 'id-1' } } }]);
    expect(await resumeInFlight(optionsOf(own))).toMatchObject({
      words: ['done'],
      actions: [{ result: 'not-started', reason: containing('paint: it was never sent') }],
    });
    expect(writesOf(own.platform)).toEqual(['POST /api/things']);
    // What it had made is known to be ours.
    expect(own.ledger.view()).toMatchObject({ inFlight: [] });
    expect(own.ledger.view().objects.get('Thing/a')?.id).toBe('id-1');
  });

  it('with little patience leaves in flight what only waits, and says what for', async () => {
    const own = stage();
    own.platform.lagMs = 100_000;
    await dieAfter(own, [createThing('a')], 4);
    const from = own.clock.now();
    expect(await resumeInFlight({ ...optionsOf(own), patienceMs: 5_000 })).toMatchObject({
      words: ['waiting'],
      actions: [
        { result: 'waiting', reason: 'listed: still pending, which waits until it is listed; last seen: pending' },
      ],
    });
    expect(own.clock.now() - from).toBeLessThanOrEqual(5_000);
    expect(await resumeInFlight({ ...optionsOf(own), only: new Set(['Thing/other']) })).toMatchObject({ actions: [] });
    expect(await resumeInFlight({ ...optionsOf(own), only: new Set(['Thing/a']) })).toMatchObject({
      words: ['done'],
      actions: [{ result: 'done' }],
    });
    expect(own.platform.posts).toBe(1);
  });

  it('continues a delete whose answer was lost', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a' });
    await held([removeThing('a')], own);
    expect(await resumeInFlight(optionsOf(own))).toMatchObject({ words: ['done'], actions: [{ result: 'done' }] });
    expect(own.platform.rows).toEqual([]);
  });

  it('goes on with others where a secret of one is gone', async () => {
    const own = stage();
    own.platform.rows.push({ id: 'b1', name: 'b', colour: 'blue' });
    const secretive = createThing('a', { body: { name: 'a', password: { $secret: { env: 'P' } } } });
    await dieAfter(own, [secretive, paintThing('b', 'blue', 'red')], 5);
    expect(own.ledger.view().inFlight).toHaveLength(2);
    const resumed = await resumeInFlight({ ...optionsOf(own), resolveSecret: () => undefined });
    expect(resumed.words).toEqual(['error', 'done']);
    expect(resumed.actions).toMatchObject([
      { address: 'Thing/a', result: 'waiting' },
      { address: 'Thing/b', result: 'done' },
    ]);
  });

  it('names a secret that is gone, and touches nothing', async () => {
    const own = stage();
    await dieAfter(own, [createThing('a', { body: { name: 'a', password: { $secret: { env: 'P' } } } })], 3);
    const sent = writesOf(own.platform).length;
    expect(await resumeInFlight({ ...optionsOf(own), resolveSecret: () => undefined })).toMatchObject({
      words: ['error'],
      diagnostics: [{ code: 'HW4007' }],
      actions: [{ result: 'waiting' }],
    });
    expect(writesOf(own.platform)).toHaveLength(sent);
  });
});
