// The interpreter against plans written by hand: a toy platform behind the real client, a clock whose hour takes no
// time.
import { describe, expect, it } from 'vitest';
import { decideOutcome } from '../../src/model/plan/outcome.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import { LedgerWriteError } from '../../src/ledger/ledger.ts';
import type { Stage } from './support.ts';
import { byName, createThing, paintThing, planOf, removeThing, stage, writesOf } from './support.ts';
import { anAction } from '../support/actions.ts';
import { containing } from '../support/matchers.ts';

const results = (outcome: Awaited<ReturnType<typeof runPlan>>) => outcome.actions.map(({ result }) => result);

describe('a plan that goes well', () => {
  it('makes, waits, changes, verifies, and the ledger knows it all', async () => {
    const own = stage();
    own.platform.lagMs = 3000;
    const outcome = await runPlan(own.run([createThing('a')]));
    expect(outcome).toMatchObject({
      words: ['done'],
      diagnostics: [],
      actions: [{ address: 'Thing/a', verb: 'create', result: 'done', outputs: { id: 'id-1' } }],
    });
    expect(writesOf(own.platform)).toEqual(['POST /api/things', 'PATCH /api/things/id-1']);
    const view = own.ledger.view();
    expect(view.objects.get('Thing/a')).toEqual({
      address: 'Thing/a',
      id: 'id-1',
      owned: true,
      applied: { name: 'a', colour: 'red' },
      createdAtMs: expect.any(Number) as number,
      appliedAtMs: expect.any(Number) as number,
      outputs: { id: 'id-1' },
    });
    expect(view.inFlight).toEqual([]);
    expect([...view.finishedPlans]).toEqual(['plan-1']);
    expect(own.ledger.lines.map(({ entry }) => entry.type)).toEqual([
      'run-started',
      'begin',
      'sent',
      'answered',
      'sent',
      'answered',
      'succeeded',
      'run-finished',
    ]);
    expect(own.events.map(({ type }) => type)).toContain('waiting');
    expect(own.events.at(-1)?.type).toBe('run-finished');
  });

  it('records the request before it is sent', async () => {
    const own = stage();
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'sent' && entry.step === 'make') expect(writesOf(own.platform)).toEqual([]);
    };
    await runPlan(own.run([createThing('a')]));
    expect(own.platform.posts).toBe(1);
  });

  it('does nothing for an empty plan', async () => {
    const own = stage();
    expect(await runPlan(own.run([]))).toEqual({ actions: [], diagnostics: [], words: ['done'] });
    expect(own.ledger.lines).toEqual([]);
  });

  it('removes, and is content when it was gone already', async () => {
    const own = stage();
    own.platform.rows.push({ id: 'x', name: 'a' });
    expect(results(await runPlan(own.run([removeThing('a'), removeThing('b')])))).toEqual(['done', 'already-done']);
    expect(own.platform.rows).toEqual([]);
  });

  it('fills references percent-encoded, and uses the id that is live, not the one of the review', async () => {
    const own = stage();
    own.platform.rows.push({ id: 'a/b', name: 'a', colour: 'blue' });
    const run = own.run([paintThing('a', 'blue', 'red')]);
    expect(results(await runPlan({ ...run, plan: { ...run.plan, bindings: { 'Thing/a': 'old' } } }))).toEqual(['done']);
    expect(writesOf(own.platform)).toEqual(['PATCH /api/things/a%2Fb']);
  });
});

describe('before the first write', () => {
  it('finds what is done already', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'red' }, { id: '2', name: 'b', colour: 'red' });
    const outcome = await runPlan(own.run([createThing('a'), paintThing('b', 'blue', 'red')]));
    expect(results(outcome)).toEqual(['already-done', 'already-done']);
    expect(outcome.words).toEqual(['done']);
    expect(writesOf(own.platform)).toEqual([]);
    expect(own.ledger.view().objects.get('Thing/a')).toMatchObject({ id: '1', owned: true });
  });

  it('sends nothing at all when one action is in conflict', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'green' }, { id: '2', name: 'b', colour: 'blue' });
    const outcome = await runPlan(
      own.run([paintThing('a', 'blue', 'red'), paintThing('b', 'blue', 'red'), createThing('c')]),
    );
    expect(outcome.words).toEqual(['conflict']);
    expect(results(outcome)).toEqual(['not-started', 'not-started', 'not-started']);
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4001', address: 'Thing/a' }]);
    expect(outcome.diagnostics[0]?.detail).toContain('colour: at the review "blue", now "green"');
    expect(writesOf(own.platform)).toEqual([]);
    expect(own.ledger.lines).toEqual([]);
  });

  it.each([
    ['a create of what exists with other values', createThing('a')],
    ['an update of what is gone', paintThing('gone', 'blue', 'red')],
    [
      'a field that appeared',
      anAction({ address: 'Thing/a', verb: 'update', changes: [{ op: 'add', path: '/colour', value: 'red' }] }),
    ],
    ['a neighbour that slipped in', removeThing('a', { expect: { exists: true, tests: [], siblings: ['a'] } })],
    ['a neighbour that left', removeThing('a', { expect: { exists: true, tests: [], siblings: ['a', 'b', 'c'] } })],
  ])('takes %s for a conflict', async (_what, made) => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'green' }, { id: '2', name: 'b' });
    expect((await runPlan(own.run([made]))).words).toEqual(['conflict']);
    expect(writesOf(own.platform)).toEqual([]);
  });

  it('does not compare what is never read back', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'green' });
    const observe = async (...given: Parameters<typeof own.observe>) =>
      new Map(
        [...(await own.observe(...given))].map(
          ([address, seen]) => [address, seen.state === 'present' ? { ...seen, unread: ['colour'] } : seen] as const,
        ),
      );
    expect(results(await runPlan(own.run([createThing('a')], { observe })))).toEqual(['already-done']);
    // An update of nothing else cannot be seen to be done, so it is sent.
    const update = paintThing('a', 'x', 'green', { expect: { exists: true, tests: [] } });
    expect(results(await runPlan(own.run([update], { observe, plan: planOf([update], 'plan-2') })))).toEqual(['done']);
    expect(writesOf(own.platform)).toHaveLength(1);
  });

  it('compares neighbours without those that this plan itself makes or removes', async () => {
    const own = stage();
    const siblings = (given: readonly string[]) => ({ expect: { exists: false, tests: [], siblings: given } });
    // `b` is there already: another run did it.
    own.platform.rows.push({ id: '1', name: 'x' }, { id: '2', name: 'b', colour: 'red' });
    const outcome = await runPlan(
      own.run([
        createThing('a', {}, siblings(['x', 'y'])),
        createThing('b', {}, siblings(['x', 'y'])),
        removeThing('y', { expect: { exists: true, tests: [], siblings: ['x', 'y'] } }),
      ]),
    );
    expect(results(outcome)).toEqual(['done', 'already-done', 'already-done']);
  });

  const unreadable =
    (own: Stage, ...names: readonly string[]): Stage['observe'] =>
    async (...given) =>
      new Map(
        [...(await own.observe(...given))].map(
          ([address, seen]) =>
            [
              address,
              names.includes(address) ? ({ state: 'unknown', reason: 'the list is broken' } as const) : seen,
            ] as const,
        ),
      );

  it('leaves out what cannot be read and what needs it, and does the rest', async () => {
    const own = stage();
    own.platform.rows.push(
      { id: '1', name: 'a', colour: 'blue' },
      { id: '2', name: 'b', colour: 'blue' },
      { id: '3', name: 'd', colour: 'blue' },
    );
    const needsA = paintThing('b', 'blue', 'red', {
      needs: [{ address: 'Thing/a', rule: 'T-1', reason: 'it goes with it' }],
    });
    const outcome = await runPlan(
      own.run([paintThing('a', 'blue', 'red'), needsA, createThing('c'), removeThing('d')], {
        observe: unreadable(own, 'Thing/a'),
      }),
    );
    expect(results(outcome)).toEqual(['not-started', 'skipped', 'done', 'done']);
    expect(outcome.words).toEqual(['partly-applied']);
    expect(outcome.diagnostics).toMatchObject([
      { code: 'HW4002', address: 'Thing/a', detail: containing('The list is broken') },
    ]);
    expect(outcome.actions[0]?.reason).toBe('the list is broken');
    expect(writesOf(own.platform).filter((write) => /\/[12]$/.test(write))).toEqual([]);
    // The next run finds the plan not used up.
    expect(own.ledger.view().finishedPlans.size).toBe(0);
    expect(results(await runPlan(own.run([paintThing('a', 'blue', 'red'), needsA])))).toEqual(['done', 'done']);
  });

  it('does not begin what goes before changes when none of them can be read', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' }, { id: '2', name: 'b', colour: 'blue' });
    const before = createThing('backup', {}, { hook: 'before' });
    const needs = [{ address: 'Thing/backup', rule: 'T-1', reason: 'a backup comes first' }];
    const plan = [before, paintThing('a', 'blue', 'red', { needs }), paintThing('b', 'blue', 'red')];
    expect(results(await runPlan(own.run(plan, { observe: unreadable(own, 'Thing/a') })))).toEqual([
      'not-started',
      'not-started',
      'done',
    ]);
    expect(own.platform.posts).toBe(0);
  });

  it('sends nothing when one action is in conflict and another cannot be read', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'green' }, { id: '2', name: 'b', colour: 'blue' });
    const outcome = await runPlan(
      own.run([paintThing('a', 'blue', 'red'), paintThing('b', 'blue', 'red'), createThing('c')], {
        observe: unreadable(own, 'Thing/b'),
      }),
    );
    expect(outcome.words).toEqual(['conflict', 'error']);
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(['HW4001', 'HW4002']);
    expect(writesOf(own.platform)).toEqual([]);
  });

  it('sends nothing when nothing can be read', async () => {
    const own = stage();
    const observe = () =>
      Promise.resolve(new Map([['Thing/a', { state: 'unknown', reason: 'the list is broken' } as const]]));
    const outcome = await runPlan(own.run([createThing('a'), createThing('b')], { observe }));
    expect(outcome.words).toEqual(['error']);
    expect(outcome.diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ['HW4002', 'Thing/a'],
      ['HW4002', 'Thing/b'],
    ]);
    expect(writesOf(own.platform)).toEqual([]);
  });

  it('knows that nothing can be in what it has yet to make', async () => {
    const own = stage();
    const child = anAction({
      address: 'Thing/a/Part/p',
      verb: 'create',
      needs: [{ address: 'Thing/a', rule: 'O-1', reason: 'it belongs to it' }],
    });
    const observe: typeof own.observe = async (addresses, ids) => {
      const seen = new Map(await own.observe(addresses, ids));
      if (seen.has(child.address) && !own.platform.rows.some(({ name }) => name === 'a'))
        seen.set(child.address, { state: 'unknown', reason: 'Thing/a is not there' });
      return seen;
    };
    expect(results(await runPlan(own.run([createThing('a'), child], { observe })))).toEqual(['done', 'done']);
  });

  it('refuses what was not reviewed, what was carried out before, and what is for another account', async () => {
    const own = stage();
    const run = own.run([createThing('a')]);
    expect(await runPlan({ ...run, approved: [] })).toMatchObject({
      words: ['refused'],
      diagnostics: [{ code: 'HW4008', address: 'Thing/a' }],
    });
    expect(await runPlan({ ...run, plan: { ...run.plan, account: 'other' } })).toMatchObject({
      words: ['refused'],
      diagnostics: [{ code: 'HW4011' }],
    });
    await runPlan(run);
    expect(await runPlan(run)).toMatchObject({ words: ['refused'], diagnostics: [{ code: 'HW4009' }] });
    expect(own.platform.posts).toBe(1);
  });

  it('misses a secret before anything is sent, and lets none into texts', async () => {
    const own = stage();
    const secret = { $secret: { env: 'PASSWORD' } } as const;
    const withSecret = createThing('a', { body: { name: 'a', password: secret } });
    expect(await runPlan(own.run([createThing('b'), withSecret], { resolveSecret: () => undefined }))).toMatchObject({
      words: ['error'],
      diagnostics: [{ code: 'HW4007', address: 'Thing/a' }],
    });
    expect(writesOf(own.platform)).toEqual([]);
    own.platform.fates.push({
      done: false,
      answer: { status: 422, body: { errors: ['hunter2! is too weak'], code: 'weak', echo: 'hunter2!' } },
    });
    const outcome = await runPlan(own.run([withSecret]));
    expect(results(outcome)).toEqual(['failed']);
    expect(own.platform.requests.at(-1)?.body).toContain('hunter2!');
    expect(JSON.stringify([outcome, own.ledger.lines, own.events])).not.toContain('hunter2!');
    expect(JSON.stringify(outcome)).toContain('too weak');
  });
});

describe('right before a request', () => {
  it('skips it when the platform has done it already', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' }, { id: '2', name: 'flag' });
    const skipIf = { lookUp: byName('flag'), reason: 'it did', rule: 'T-2' };
    const paint = paintThing('a', 'blue', 'red', {}, { skipIf });
    expect(results(await runPlan(own.run([paint])))).toEqual(['already-done']);
    expect(writesOf(own.platform)).toEqual([]);
    own.platform.rows.pop();
    expect(results(await runPlan(own.run([paint], { plan: planOf([paint], 'plan-2') })))).toEqual(['done']);
    expect(writesOf(own.platform)).toHaveLength(1);
  });

  it('looks again, and stops at a conflict that came meanwhile', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' }, { id: '2', name: 'b', colour: 'blue' });
    const first = paintThing('b', 'blue', 'red');
    const second = removeThing('a', {
      expect: { exists: true, tests: [{ op: 'test', path: '/colour', value: 'blue' }] },
    });
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'succeeded') own.platform.rows[0] = { id: '1', name: 'a', colour: 'green' };
    };
    const outcome = await runPlan(own.run([first, second]));
    expect(results(outcome)).toEqual(['done', 'failed']);
    expect(outcome.words).toContain('conflict');
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4001', address: 'Thing/a' }]);
    expect(writesOf(own.platform)).toEqual(['PATCH /api/things/2']);
  });
});

describe('the graph', () => {
  const need = (name: string) => [{ address: `Thing/${name}`, rule: 'O-9', reason: 'it comes first' }];

  it('skips dependants, names the cause, and goes on with everything else', async () => {
    const own = stage();
    own.platform.fates.push({ done: false, answer: { status: 422, body: { errors: ['no'], code: 'bad' } } });
    const outcome = await runPlan(
      own.run([
        createThing('a'),
        createThing('b', {}, { needs: need('a') }),
        createThing('c', {}, { needs: need('b') }),
        createThing('d'),
      ]),
    );
    expect(results(outcome)).toEqual(['failed', 'skipped', 'skipped', 'done']);
    expect(outcome.actions[1]?.reason).toBe('it needs Thing/a (O-9: it comes first), which failed');
    expect(outcome.actions[2]?.reason).toContain('Thing/b');
    expect(outcome.words).toEqual(['partly-applied']);
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4003', address: 'Thing/a' }]);
    expect(outcome.diagnostics[0]?.detail).toContain('422 bad: no');
  });

  it('is an error when nothing at all was done', async () => {
    const own = stage();
    own.platform.fates.push({ done: false, answer: { status: 403, body: { error: 'insufficient_scope' } } });
    expect(await runPlan(own.run([createThing('a')]))).toMatchObject({
      words: ['error'],
      diagnostics: [{ code: 'HW4006' }],
    });
  });

  it('stops the whole run when the credential is refused', async () => {
    const own = stage();
    own.platform.fates.push({ done: false, answer: { status: 401, body: { errors: ['expired'] } } });
    const outcome = await runPlan(own.run([createThing('a'), createThing('b'), createThing('c')], { parallelism: 1 }));
    expect(results(outcome)).toEqual(['failed', 'not-started', 'not-started']);
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4005' }]);
    expect(decideOutcome(outcome.words)).toBe('error');
    expect(writesOf(own.platform)).toHaveLength(1);
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  it('tells of a circle instead of waiting for ever', async () => {
    const own = stage();
    const outcome = await runPlan(
      own.run([
        createThing('a', {}, { needs: need('b') }),
        createThing('b', {}, { needs: need('a') }),
        createThing('c'),
      ]),
    );
    expect(results(outcome)).toEqual(['skipped', 'skipped', 'done']);
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4010' }]);
  });
});

describe('when the ledger cannot be written', () => {
  const failAt = (type: string) => {
    const own = stage();
    own.ledger.onAppend = (entry) => {
      if (entry.type === type) throw new LedgerWriteError('disk full');
    };
    return own;
  };

  it('sends nothing', async () => {
    for (const type of ['run-started', 'begin', 'sent']) {
      const own = failAt(type);
      const outcome = await runPlan(own.run([createThing('a')]));
      expect(results(outcome)).toEqual(['not-started']);
      expect(outcome.diagnostics[0]?.code).toBe('HW5006');
      expect(writesOf(own.platform)).toEqual([]);
    }
  });

  it('says so of what was sent, and begins nothing else', async () => {
    const own = failAt('answered');
    const outcome = await runPlan(own.run([createThing('a'), createThing('b')], { parallelism: 1 }));
    expect(results(outcome)).toEqual(['unknown-outcome', 'not-started']);
    expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'make' }]);
  });
});

describe('the stop signal', () => {
  it('finishes and records the running request, begins no new step, and says what remains', async () => {
    const own = stage();
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'sent') own.stop.abort();
    };
    const outcome = await runPlan(own.run([createThing('a'), createThing('b')], { parallelism: 1 }));
    expect(results(outcome)).toEqual(['waiting', 'not-started']);
    expect(outcome.words).toContain('interrupted');
    expect(own.platform.posts).toBe(1);
    expect(own.ledger.view().inFlight).toMatchObject([{ answered: { make: { id: 'id-1' } } }]);
    expect(own.events.map(({ type }) => type)).toContain('interrupted');
  });

  it('does nothing when it was pulled before', async () => {
    const own = stage();
    own.stop.abort();
    const outcome = await runPlan(own.run([createThing('a')]));
    expect(results(outcome)).toEqual(['not-started']);
    expect(writesOf(own.platform)).toEqual([]);
  });

  it('ends a wait', async () => {
    const own = stage();
    own.platform.lagMs = 1e9;
    const run = own.run([createThing('a')]);
    const outcome = await runPlan({ ...run, emit: (event) => event.type === 'waiting' && own.stop.abort() });
    expect(results(outcome)).toEqual(['waiting']);
  });
});

it('says which output a reference misses', async () => {
  const own = stage();
  own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
  const outcome = await runPlan(
    own.run([paintThing('a', 'blue', 'red', {}, { path: path`/api/things/${ref('Site/x', 'ns1')}` })]),
  );
  expect(outcome.actions[0]).toMatchObject({
    result: 'failed',
    reason: 'paint: the ns1 of Site/x is not known: no step before this one gave it',
  });
  expect(writesOf(own.platform)).toEqual([]);
});

describe('an effect of one action on another object', () => {
  const promote = (effects: readonly { address: string; path: string; value: boolean }[]) => ({
    ...paintThing('new', 'blue', 'red', { effects }),
  });
  const remove = removeThing('old', {
    expect: { exists: true, tests: [{ op: 'test', path: '/primary', value: true }] },
  });
  const demoted = [{ address: 'Thing/old', path: '/primary', value: false }];
  const stageWith = (primary: boolean, colour = 'blue') => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'old', primary }, { id: '2', name: 'new', colour });
    return own;
  };

  it('is what the other is held against once the first is done, in this run or before', async () => {
    const own = stageWith(true);
    own.ledger.onAppend = (entry) => {
      if (entry.type === 'succeeded' && entry.address === 'Thing/new')
        own.platform.rows[0] = { id: '1', name: 'old', primary: false };
    };
    expect(results(await runPlan(own.run([promote(demoted), remove])))).toEqual(['done', 'done']);
    const before = stageWith(false, 'red');
    expect(results(await runPlan(before.run([promote(demoted), remove])))).toEqual(['already-done', 'done']);
  });

  it('makes the old value the conflict', async () => {
    const own = stageWith(true, 'red');
    expect((await runPlan(own.run([promote(demoted), remove]))).words).toEqual(['conflict']);
    const notDone = stageWith(false);
    expect((await runPlan(notDone.run([promote(demoted), remove]))).words).toEqual(['conflict']);
  });
});
