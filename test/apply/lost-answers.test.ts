// What is made of every kind of answer, and of none: never twice, and never a guess.
import { describe, expect, it } from 'vitest';
import type { AnswerRow, RequestStep } from '../../src/model/plan/step.ts';
import { ref } from '../../src/model/plan/step.ts';
import { judgeAnswer } from '../../src/apply/answers.ts';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { Answer } from '../../src/platform/http.ts';
import type { Fate, Stage } from './support.ts';
import { byName, CREATED, createThing, paintThing, stage, writesOf } from './support.ts';
import { containing } from '../support/matchers.ts';

const NO_ANSWER: Fate = { done: true, answer: 'none' };
const NOT_DONE: Fate = { done: false, answer: 'none' };

async function makeOne(own: Stage, fates: readonly Fate[], post: Partial<RequestStep> = {}) {
  own.platform.fates.push(...fates);
  const outcome = await runPlan(own.run([createThing('a', post)]));
  return { outcome, result: outcome.actions[0]?.result, reason: outcome.actions[0]?.reason ?? '' };
}

describe('an unsafe request', () => {
  it.each([
    ['no answer', NO_ANSWER],
    ['500', { done: true, answer: { status: 500 } }],
    ['503', { done: true, answer: { status: 503 } }],
    ['429', { done: true, answer: { status: 429 } }],
    ['a success without its id', { done: true, answer: { status: 201, body: { id: null } } }],
    ['a success that is a page', { done: true, answer: { status: 200, body: '<html>' } }],
    ['a success that is cut short', { done: true, answer: { status: 200, body: '{"id": "id-' } }],
  ] satisfies readonly (readonly [string, Fate])[])(
    'that was carried out is found by reading after %s',
    async (_what, fate) => {
      const own = stage();
      own.platform.lagMs = 4000;
      expect((await makeOne(own, [fate])).result).toBe('done');
      expect(own.platform.posts).toBe(1);
      expect(own.ledger.view().objects.get('Thing/a')?.id).toBe('id-1');
    },
  );

  it('is sent again after the grace period where the platform refuses a second one', async () => {
    const own = stage();
    const from = own.clock.now();
    expect((await makeOne(own, [NOT_DONE])).result).toBe('done');
    expect(own.platform.posts).toBe(1);
    expect(writesOf(own.platform).filter((write) => write.startsWith('POST'))).toHaveLength(2);
    const [first, second] = own.ledger.lines.filter(({ entry }) => entry.type === 'sent').map(({ atMs }) => atMs);
    expect(first).toBe(from);
    expect((second ?? 0) - from).toBeGreaterThanOrEqual(10_000);
    expect((second ?? 0) - from).toBeLessThan(10_100);
  });

  it('is not sent again while a list that lags may hide it', async () => {
    const own = stage();
    own.platform.lagMs = 9999;
    expect((await makeOne(own, [NO_ANSWER])).result).toBe('done');
    expect(own.platform.posts).toBe(1);
  });

  it('is sent three times at most', async () => {
    const own = stage();
    const { result, reason } = await makeOne(own, [NOT_DONE, NOT_DONE, NOT_DONE, NOT_DONE]);
    expect(result).toBe('failed');
    expect(reason).toContain('sent 3 times');
    expect(writesOf(own.platform)).toHaveLength(3);
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  it.each(['ask', 'unknown'] as const)('is never sent again where `%s` follows', async (ifNotFound) => {
    const own = stage();
    const { outcome, result } = await makeOne(own, [NO_ANSWER], {
      recovery: { lookUp: byName('elsewhere'), ifNotFound, graceMs: 10_000, rule: 'T-9' },
    });
    expect(result).toBe('unknown-outcome');
    expect(outcome.diagnostics).toMatchObject([{ code: 'HW4004', address: 'Thing/a' }]);
    expect(outcome.words).toEqual(['waiting']);
    expect(outcome.diagnostics[0]?.detail).toContain('hostwright ledger confirm Thing/a');
    expect(writesOf(own.platform)).toHaveLength(1);
    expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'make', sendings: 1 }]);
  });

  it('fails without a second request where the next plan reads the value', async () => {
    const own = stage();
    const { result, reason } = await makeOne(own, [NO_ANSWER], {
      recovery: { lookUp: byName('elsewhere'), ifNotFound: 'plan-again', graceMs: 10_000, rule: 'T-9' },
    });
    expect([result, reason]).toEqual(['failed', containing('the next plan reads the value again')]);
    expect(writesOf(own.platform)).toHaveLength(1);
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  const TAKEN: Fate = { done: false, answer: { status: 422, body: { code: 'address_taken', errors: ['taken'] } } };

  it('whose repetition is refused is looked for, because the first may be the reason', async () => {
    const own = stage();
    own.platform.lagMs = 60_000;
    expect((await makeOne(own, [NO_ANSWER, TAKEN])).result).toBe('done');
    expect(writesOf(own.platform).filter((write) => write.startsWith('POST'))).toHaveLength(2);
    expect(own.platform.posts).toBe(1);
  });

  it.each([
    ['a row of the step', [{ status: 422, then: 'fail' }, ...CREATED]],
    ['the table of answers', CREATED],
    ['a look-up', [{ status: 422, then: 'look-up' }, ...CREATED]],
  ] satisfies readonly (readonly [string, readonly AnswerRow[]])[])(
    'whose repetition is refused by %s is a question, not a failure, while no read shows it',
    async (_by, answers) => {
      const own = stage();
      own.platform.lagMs = 1e9;
      const { result, reason } = await makeOne(own, [NO_ANSWER, TAKEN], { answers });
      expect([result, reason]).toEqual(['unknown-outcome', containing('an earlier request had no response')]);
      expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'make' }]);
    },
  );

  it('is a question when its repetition never leaves', async () => {
    const own = stage();
    const unsent = Array.from({ length: 9 }, (): Fate => ({ done: false, answer: 'unsent' }));
    own.platform.lagMs = 1e9;
    expect((await makeOne(own, [NO_ANSWER, ...unsent])).result).toBe('unknown-outcome');
  });

  it('is left alone when two rows answer to it', async () => {
    const own = stage();
    const many = {
      lookUp: { ...byName('twin'), capture: { id: '/id' } },
      ifNotFound: 'ask',
      graceMs: 0,
      rule: 'T',
    } as const;
    own.platform.rows.push({ id: '8', name: 'twin' }, { id: '9', name: 'twin' });
    const { result, reason } = await makeOne(own, [NO_ANSWER], { recovery: many });
    expect(result).toBe('unknown-outcome');
    expect(reason).toContain('2 rows');
    expect(writesOf(own.platform)).toHaveLength(1);
  });

  it('is left alone when nothing can be read', async () => {
    const own = stage();
    own.platform.answers.set('/api/things', () => ({ status: 502, body: '' }));
    expect((await makeOne(own, [NO_ANSWER])).result).toBe('unknown-outcome');
    own.platform.answers.set('/api/things', () => ({ status: 200, body: { things: null } }));
    const other = stage();
    other.platform.answers.set('/api/things', () => ({ status: 200, body: { things: null } }));
    expect((await makeOne(other, [NO_ANSWER])).result).toBe('unknown-outcome');
    expect(other.platform.posts).toBe(1);
  });

  it('without a way to find out is left alone', async () => {
    const own = stage();
    const lostless = createThing('a');
    const [first, ...rest] = lostless.steps;
    const { recovery: _lost, ...bare } = first as RequestStep;
    own.platform.fates.push(NO_ANSWER);
    const outcome = await runPlan(own.run([{ ...lostless, steps: [bare, ...rest] }]));
    expect(outcome.actions[0]?.result).toBe('unknown-outcome');
  });

  it('that an answer says happened is never sent again', async () => {
    const own = stage();
    own.platform.lagMs = 1e9;
    const { result } = await makeOne(own, [{ done: true, answer: { status: 201, body: {} } }]);
    expect(result).toBe('unknown-outcome');
    expect(own.platform.posts).toBe(1);
    expect(own.ledger.view().inFlight).toMatchObject([{ pending: { step: 'make', follow: 'look-up', status: 201 } }]);
  });

  it('kept in spite of an error is found; one that was not is an error', async () => {
    const rows: readonly AnswerRow[] = [
      { status: 422, code: 'create_failed', then: 'look-up' },
      { status: '2xx', has: '/id', then: 'done', capture: { id: '/id' } },
    ];
    const answer = { status: 422, body: { errors: ['sorry'], code: 'create_failed' } };
    const kept = stage();
    expect((await makeOne(kept, [{ done: true, answer }], { answers: rows })).result).toBe('done');
    const not = stage();
    const { result, reason } = await makeOne(not, [{ done: false, answer }], { answers: rows });
    expect(result).toBe('failed');
    expect(reason).toContain('create_failed: sorry');
    expect(writesOf(not.platform)).toHaveLength(1);
  });

  it('that never left is sent again at once', async () => {
    const own = stage();
    expect((await makeOne(own, [{ done: false, answer: 'unsent' }])).result).toBe('done');
    const never = stage();
    const { result, reason } = await makeOne(
      never,
      Array.from({ length: 9 }, () => ({ done: false, answer: 'unsent' }) as const),
    );
    expect(result).toBe('failed');
    expect(reason).toContain('could not be sent');
    expect(never.platform.posts).toBe(0);
  });

  it('is not sent when what would find it later cannot be asked', async () => {
    const own = stage();
    const recovery = {
      lookUp: { ...byName('a'), where: [{ pointer: '/id', value: ref('Thing/nobody') }] },
      ifNotFound: 'unknown',
      graceMs: 0,
      rule: 'T',
    } as const;
    expect((await makeOne(own, [], { recovery })).result).toBe('failed');
    expect(writesOf(own.platform)).toEqual([]);
  });

  it('stays in flight when the credential is refused while it is looked for', async () => {
    const own = stage();
    own.platform.answers.set('/api/things', () => ({ status: 401, body: '' }));
    const { result, outcome } = await makeOne(own, [NO_ANSWER]);
    expect(result).toBe('waiting');
    expect(outcome.words).toContain('error');
    expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'make' }]);
  });

  it('is looked for on every page of a list that may go on', async () => {
    const own = stage();
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `p${from + index}`, name: `p${from + index}` }));
    own.platform.answers.set('/api/things', () => ({ status: 200, body: { things: page(0, 50) } }));
    own.platform.answers.set('/api/things?page=2', () => ({
      status: 200,
      body: { things: [...page(50, 3), ...own.platform.rows] },
    }));
    expect((await makeOne(own, [NO_ANSWER])).result).toBe('done');
    expect(own.platform.posts).toBe(1);
  });
});

describe('a request that is refused before it leaves', () => {
  it.each(['.', '..'])('fails at once for an id `%s`, and the rest goes on', async (id) => {
    const own = stage();
    own.platform.rows.push({ id, name: 'a', colour: 'blue' }, { id: '2', name: 'b', colour: 'blue' });
    const outcome = await runPlan(own.run([paintThing('a', 'blue', 'red'), paintThing('b', 'blue', 'red')]));
    expect(outcome.actions).toMatchObject([
      { result: 'failed', reason: containing('is not sent: it holds a segment of dots') },
      { result: 'done' },
    ]);
    expect(outcome.words).toEqual(['partly-applied']);
    expect(
      own.ledger.lines
        .filter(({ entry }) => entry.type === 'sent')
        .map(({ entry }) => (entry as { address: string }).address),
    ).toEqual(['Thing/b']);
    expect(own.ledger.view().inFlight).toEqual([]);
    expect(own.events.filter(({ type }) => type === 'retrying')).toEqual([]);
  });

  it('fails at once for another host, also where it may not be repeated', async () => {
    const own = stage();
    const { result, reason } = await makeOne(own, [], { path: ['//host.example/api/things'] });
    expect([result, reason]).toEqual(['failed', containing('is not sent: it holds two slashes in a row')]);
    expect(writesOf(own.platform)).toEqual([]);
  });
});

describe('a safe request', () => {
  it('is sent again after 429, 5xx and no answer, a bounded number of times', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
    own.platform.fates.push(
      { done: false, answer: { status: 429 } },
      { done: false, answer: { status: 503 } },
      NO_ANSWER,
    );
    expect((await runPlan(own.run([paintThing('a', 'blue', 'red')]))).actions[0]?.result).toBe('done');
    expect(writesOf(own.platform)).toHaveLength(4);
    expect(own.events.filter(({ type }) => type === 'retrying')).toHaveLength(3);
    const never = stage();
    never.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
    never.platform.fates.push(...Array.from({ length: 9 }, () => NOT_DONE));
    const outcome = await runPlan(never.run([paintThing('a', 'blue', 'red')]));
    expect(outcome.actions[0]?.result).toBe('failed');
    expect(writesOf(never.platform)).toHaveLength(5);
  });

  it('stops at any other refusal, with all that the platform said', async () => {
    const own = stage();
    own.platform.rows.push({ id: '1', name: 'a', colour: 'blue' });
    own.platform.fates.push({
      done: false,
      answer: { status: 402, body: { errors: ['Unpaid'], code: 'payment_required', portal_url: 'https://pay' } },
    });
    const outcome = await runPlan(own.run([paintThing('a', 'blue', 'red')]));
    expect(outcome.actions[0]).toMatchObject({
      result: 'failed',
      reason: 'paint: the platform answered 402 payment_required: Unpaid (portal_url: https://pay)',
    });
    expect(writesOf(own.platform)).toHaveLength(1);
  });
});

describe('the table of answers', () => {
  const step = (answers: readonly AnswerRow[], extra: Partial<RequestStep> = {}): RequestStep => ({
    do: 'request',
    name: 's',
    method: 'POST',
    path: ['/api/x'],
    idempotent: true,
    answers,
    reason: 'b',
    ...extra,
  });
  const answer = (status: number, extra: Partial<Answer> = {}): Answer => ({
    status,
    code: null,
    messages: [],
    extra: {},
    body: undefined,
    ...extra,
  });

  it('takes the first row that fits, by status, code and what the body has', () => {
    const table = step([
      { status: 202, has: '/cart', then: 'waiting', capture: { cart: '/cart/token' }, reason: 'pay' },
      { status: 202, has: '/task', then: 'done', capture: { task: '/task' } },
      { status: 409, code: 'busy', then: 'waiting', reason: 'busy' },
      { status: '4xx', then: 'fail', reason: 'refused' },
      { status: '2xx', then: 'done' },
    ]);
    expect(judgeAnswer(table, answer(202, { body: { cart: { token: 't' } } }))).toMatchObject({
      result: 'taken',
      row: '202 has /cart waiting',
      then: 'waiting',
      outputs: { cart: 't' },
      reason: 'pay',
    });
    expect(judgeAnswer(table, answer(202, { body: { cart: null, task: 17 } }))).toMatchObject({
      result: 'taken',
      row: '202 has /task done',
      outputs: { task: '17' },
    });
    expect(judgeAnswer(table, answer(409, { code: 'busy' }))).toMatchObject({ result: 'taken', then: 'waiting' });
    expect(judgeAnswer(table, answer(409, { code: 'other' }))).toMatchObject({
      result: 'failed',
      reason: 'refused (the platform answered 409 other)',
    });
    expect(judgeAnswer(table, answer(204))).toMatchObject({ result: 'taken', row: '2xx done', outputs: {} });
    expect(judgeAnswer(table, answer(401))).toMatchObject({ result: 'unauthorised' });
    expect(judgeAnswer(table, answer(401, { code: 'user_required' }))).toMatchObject({ result: 'failed' });
    expect(judgeAnswer(table, answer(403, { code: 'insufficient_scope' }))).toMatchObject({
      result: 'failed',
      cause: 'scope',
    });
  });

  it('without a row: a success is accepted where it does no harm, 408, 429 and 5xx are ambiguous, the rest stops', () => {
    expect(judgeAnswer(step([]), answer(200))).toMatchObject({ result: 'taken', row: null });
    expect(judgeAnswer(step([]), answer(200, { unusable: 'html' }))).toMatchObject({ result: 'unclear' });
    expect(judgeAnswer(step([{ status: '2xx', then: 'done' }]), answer(200, { unusable: 'html' }))).toMatchObject({
      result: 'unclear',
    });
    expect(judgeAnswer(step([{ status: '2xx', then: 'done' }]), answer(200, { unusable: 'not-json' }))).toMatchObject({
      result: 'taken',
      row: '2xx done',
    });
    expect(judgeAnswer(step([], { idempotent: false }), answer(200))).toMatchObject({ result: 'unclear' });
    for (const status of [408, 429, 500, 503])
      expect(judgeAnswer(step([]), answer(status, { retryAfterMs: 5 }))).toMatchObject({
        result: 'unclear',
        retryAfterMs: 5,
      });
    for (const status of [400, 404, 422])
      expect(judgeAnswer(step([]), answer(status))).toMatchObject({ result: 'failed' });
  });
});
