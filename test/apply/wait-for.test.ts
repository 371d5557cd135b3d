// Waiting: until a read says so, or a task ends; a deadline that passes is no failure.
import { describe, expect, it } from 'vitest';
import type { WaitFor, Step } from '../../src/model/plan/step.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import { resumeInFlight } from '../../src/apply/resume.ts';
import type { Stage } from './support.ts';
import { byName, stage } from './support.ts';
import { anAction } from '../support/actions.ts';

/** PATCH that answers with a task, and waits for it. */
const withTask = (deadlineMs = 60_000) =>
  anAction({
    address: 'Thing/a',
    verb: 'update',
    changes: [{ op: 'replace', path: '/colour', was: 'blue', value: 'red' }],
    steps: [
      {
        do: 'request',
        name: 'start',
        method: 'PATCH',
        path: path`/api/things/${ref('Thing/a')}`,
        body: { task: 7 },
        idempotent: true,
        answers: [
          {
            status: '2xx',
            has: '/task',
            then: 'wait-for',
            capture: { task: '/task' },
            waitFor: { how: 'task', task: ref('Thing/a', 'task'), deadlineMs, reason: 'the task ends' },
          },
        ],
        reason: 'start it',
      },
    ],
  });

function stageWithTask(statuses: readonly string[], wrapped: boolean): Stage {
  const own = stage();
  own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
  let polls = 0;
  own.platform.answers.set('/api/tasks/7', () => {
    const task = {
      id: 7,
      name: 'site.php',
      status: statuses[Math.min(polls, statuses.length - 1)] ?? 'OK',
      data: 'FAILED',
    };
    polls += 1;
    return { status: 200, body: wrapped ? { task } : task };
  });
  return own;
}

describe('the interval between two polls', () => {
  it('is kept when a later part of the run continues a wait', async () => {
    const own = stageWithTask(['RUNNING'], false);
    const times: number[] = [];
    const { platform, clock } = own;
    const inner = platform.answers.get('/api/tasks/7');
    platform.answers.set('/api/tasks/7', () => {
      times.push(clock.now());
      return inner?.() ?? { status: 404, body: '' };
    });
    const waits = new Map();
    await runPlan(own.run([withTask()], { waits, patienceMs: 4000 }));
    for (let part = 0; part < 3; part += 1) await resumeInFlight({ ...own.resume(), waits, patienceMs: 9000 });
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    expect(gaps).toEqual(gaps.toSorted((left, right) => left - right));
  });
});

describe('a task', () => {
  it.each([
    [['PENDING', 'RUNNING', 'PAUSED', 'SOMETHING', 'OK'], 'done'],
    [['RUNNING', 'FAILED'], 'failed'],
    [['CANCELLED'], 'failed'],
    [['PAUSED'], 'waiting'],
  ] as const)('that goes %j ends %s, bare or wrapped', async (statuses, result) => {
    for (const wrapped of [false, true]) {
      const own = stageWithTask(statuses, wrapped);
      const outcome = await runPlan(own.run([withTask()]));
      expect(outcome.actions[0]?.result).toBe(result);
      if (result === 'waiting') expect(outcome.words).toEqual(['waiting']);
      if (result === 'failed') expect(outcome.actions[0]?.reason).toContain('task 7 (site.php) ended as');
    }
  });

  it('is polled with growing pauses', async () => {
    const own = stageWithTask(['RUNNING'], false);
    await runPlan(own.run([withTask()]));
    expect(own.clock.slept.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(own.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  });

  it('that outlives its deadline is continued by the next run, without a second request', async () => {
    const own = stageWithTask(['RUNNING'], false);
    expect((await runPlan(own.run([withTask()]))).actions[0]?.result).toBe('waiting');
    expect(own.ledger.view().inFlight).toMatchObject([{ pending: { step: 'start', follow: 'wait-for' } }]);
    own.platform.answers.set('/api/tasks/7', () => ({ status: 200, body: { status: 'OK' } }));
    expect(await resumeInFlight(own.resume())).toMatchObject({ words: ['done'], actions: [{ result: 'done' }] });
    expect(own.platform.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  it.each([
    [401, 'waiting', 'error'],
    [403, 'waiting', 'waiting'],
    [404, 'waiting', 'waiting'],
    [503, 'waiting', 'waiting'],
  ] as const)('whose read answers %i leaves the action %s', async (status, result, word) => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
    own.platform.answers.set('/api/tasks/7', () => ({ status, body: '' }));
    const outcome = await runPlan(own.run([withTask()]));
    expect(outcome.actions[0]?.result).toBe(result);
    expect(outcome.words).toContain(word);
  });
});

describe('until', () => {
  const waiting = (waitFor: Partial<Extract<WaitFor, { how: 'until' }>>, more: readonly Step[] = []) =>
    anAction({
      address: 'Thing/a',
      verb: 'create',
      steps: [
        {
          do: 'wait-for',
          name: 'wait',
          waitFor: {
            how: 'until',
            found: true,
            lookUp: byName('x'),
            deadlineMs: 5000,
            reason: 'it is there',
            ...waitFor,
          },
        },
        ...more,
      ],
    });

  it('takes what it finds', async () => {
    const own = stage();
    own.platform.rows.push({ id: '5', name: 'x' });
    expect(await runPlan(own.run([waiting({})]))).toMatchObject({
      actions: [{ result: 'done', outputs: { id: '5' } }],
    });
  });

  it('does not choose between two, unless it takes nothing of them', async () => {
    const own = stage();
    own.platform.rows.push({ id: '5', name: 'x' }, { id: '6', name: 'x' });
    expect((await runPlan(own.run([waiting({})]))).actions[0]?.result).toBe('failed');
    const other = stage();
    other.platform.rows.push({ id: '5', name: 'x' }, { id: '6', name: 'x' });
    expect((await runPlan(other.run([waiting({ lookUp: { ...byName('x'), capture: {} } })]))).actions[0]?.result).toBe(
      'done',
    );
  });

  it('waits for a value that is still to come', async () => {
    const own = stage();
    let polls = 0;
    own.platform.answers.set('/api/things', () => ({
      status: 200,
      body: { things: [{ id: (polls += 1) > 2 ? 12 : null, name: 'x' }] },
    }));
    expect(await runPlan(own.run([waiting({})]))).toMatchObject({
      actions: [{ result: 'done', outputs: { id: '12' } }],
    });
  });

  it('takes 404 of the object itself, and only that, for its absence', async () => {
    const gone = (read: string, rows: string) =>
      waiting({ found: false, lookUp: { read: [read], rows, where: [], capture: {} } });
    const own = stage();
    expect((await runPlan(own.run([gone('/api/single/1', '')]))).actions[0]?.result).toBe('done');
    const other = stage();
    expect((await runPlan(other.run([gone('/api/list', '/rows')]))).actions[0]?.result).toBe('waiting');
  });
});

describe('a locate step', () => {
  const find = (name: string) =>
    anAction({
      address: 'Thing/a',
      verb: 'create',
      steps: [{ do: 'look-up', name: 'find', lookUp: byName(name), reason: 'it is needed' }],
    });

  it('takes one, and stops at none or many', async () => {
    const own = stage();
    own.platform.rows.push({ id: '5', name: 'x' }, { id: '6', name: 'y' }, { id: '7', name: 'y' });
    expect(await runPlan(own.run([find('x')]))).toMatchObject({ actions: [{ result: 'done', outputs: { id: '5' } }] });
    for (const name of ['y', 'z']) {
      const other = stage();
      other.platform.rows.push(...own.platform.rows);
      expect((await runPlan(other.run([find(name)]))).actions[0]?.result).toBe('failed');
    }
  });
});

describe('verify', () => {
  it('says which field reads back as what', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue', size: 1 });
    const made = anAction({
      address: 'Thing/a',
      verb: 'update',
      changes: [
        { op: 'replace', path: '/colour', was: 'blue', value: 'red' },
        { op: 'replace', path: '/size', was: 1, value: 2 },
      ],
      steps: [
        {
          do: 'request',
          name: 'write',
          method: 'PATCH',
          path: path`/api/things/${ref('Thing/a')}`,
          body: { colour: 'red' },
          idempotent: true,
          answers: [{ status: '2xx', then: 'done' }],
          reason: 'w',
        },
        { do: 'verify', name: 'read back', reason: 'v' },
      ],
    });
    const outcome = await runPlan(own.run([made]));
    expect(outcome.actions[0]).toMatchObject({
      result: 'failed',
      reason: 'read back: /size reads back as 1, wanted 2',
    });
  });
});
