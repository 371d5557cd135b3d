// What a reviewed order rests on, what a run itself moves, and answers that only somebody else can change.
import { describe, expect, it } from 'vitest';
import { classify, mismatches, ownIdentitiesOf } from '../../src/apply/expectations.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { Observed } from '../../src/model/plan/observed.ts';
import type { Expectation } from '../../src/model/plan/plan.ts';
import { createThing, paintThing, stage } from './support.ts';

const live = (siblings: readonly string[], document: Record<string, number | boolean | string> = {}): Observed => ({
  state: 'present',
  id: '1',
  document: { on: false, at: 20, ...document },
  siblings,
  position: 'at',
});
const expectation = (extra: Partial<Expectation> = {}): Expectation => ({
  exists: true,
  tests: [{ op: 'test', path: '/on', value: false }],
  siblings: ['a', 'b', 'c'],
  order: 'kept',
  ...extra,
});
const turnOn = (extra: Partial<Expectation> = {}) =>
  ({
    address: 'Box/x/Rule/b',
    verb: 'update',
    changes: [{ op: 'replace', path: '/on', was: false, value: true }],
    expect: expectation(extra),
  }) as const;
const moved = {
  address: 'Box/x/Rule/b',
  verb: 'update',
  changes: [{ op: 'replace', path: '/at', was: 20, value: 40 }],
  expect: expectation({ tests: [], order: 'moved' }),
} as const;

describe('an expectation of an order', () => {
  it('holds for the same neighbours in the same order, and for no other', () => {
    expect(classify(turnOn(), live(['a', 'b', 'c'])).state).toBe('as-reviewed');
    expect(classify(turnOn(), live(['b', 'a', 'c'])).state).toBe('conflict');
    expect(classify(turnOn(), live(['a', 'b'])).state).toBe('conflict');
    const { order: _order, ...unordered } = expectation();
    expect(classify({ ...turnOn(), expect: unordered }, live(['c', 'b', 'a'])).state).toBe('as-reviewed');
  });

  it('leaves out what the run itself makes, removes and moves, and what a run that died had begun to', () => {
    const own = ownIdentitiesOf(
      [moved, turnOn()],
      [{ action: turnOn() as never, own: ['c'] }, { action: turnOn() as never }],
    );
    expect([...(own.get('Box/x/Rule') ?? [])]).toEqual(['b', 'c']);
    expect(classify(turnOn(), live(['b', 'a', 'c']), { identities: new Set(['b']), effects: [] }).state).toBe(
      'as-reviewed',
    );
    expect(classify(turnOn(), live(['c', 'a', 'b']), { identities: new Set(['b']), effects: [] }).state).toBe(
      'conflict',
    );
  });

  it('takes another number for no evidence: not of a conflict, not of a failure, not of being done', () => {
    expect(classify(moved, live(['a', 'b', 'c'], { at: 1 })).state).toBe('as-reviewed');
    expect(classify(moved, live(['a', 'b', 'c'], { at: 40 })).state).toBe('already-done');
    expect(mismatches(moved, live(['a', 'c', 'b'], { at: 2 }) as never)).toEqual([]);
    expect(
      classify({ ...moved, changes: [{ op: 'add', path: '/at', value: 40 }] }, live(['a', 'b', 'c'], { at: 1 })).state,
    ).toBe('as-reviewed');
  });
});

describe('an answer that only somebody else can change', () => {
  it('is blocked: nothing stays in flight, what needs it is skipped, the rest goes on', async () => {
    const own = stage();
    own.platform.fates.push({ done: false, answer: { status: 422, body: { error: 'not_in_plan', layer: 'x' } } });
    const answers = [
      { status: 422, code: 'not_in_plan', then: 'blocked', reason: 'the plan does not have it' },
    ] as const;
    const result = await runPlan(
      own.run([
        createThing('a', { answers }),
        createThing('b', {}, { needs: [{ address: 'Thing/a', rule: 'O-1', reason: 'first' }] }),
        createThing('c'),
      ]),
    );
    expect(result.actions.map(({ result: word }) => word)).toEqual(['blocked', 'skipped', 'done']);
    expect(result.actions[0]?.reason).toContain('the plan does not have it');
    expect(result.words).toEqual(['waiting']);
    expect(result.diagnostics).toEqual([]);
    expect(own.ledger.view().inFlight).toEqual([]);
  });
});

describe('a list of which nobody says how it is wrapped', () => {
  const named = (rows: string) => ({
    read: ['/api/odd'],
    rows,
    where: [{ pointer: '/name', value: 'a' }],
    capture: { id: '/id' },
  });
  it.each([
    [[{ id: 'id-0', name: 'a' }], 'done'],
    [{ things: [{ id: 'id-0', name: 'a' }] }, 'done'],
    [{ a: [], b: [] }, 'failed'],
  ] as const)('%j: %s', async (body, word) => {
    const own = stage();
    own.platform.rows.push({ id: 'id-0', name: 'a', colour: 'red' });
    own.platform.answers.set('/api/odd', () => ({ status: 200, body: body }));
    const action = paintThing('a', 'red', 'blue');
    const result = await runPlan(
      own.run([
        {
          ...action,
          steps: [{ do: 'look-up', name: 'find', lookUp: named('*'), reason: 'the list has it' }, ...action.steps],
        },
      ]),
    );
    expect(result.actions[0]?.result).toBe(word);
  });
});
