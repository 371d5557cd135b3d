// Conformance of callbacks: which orders take one, what it says, when it is fired and repeated.
import assert from 'node:assert/strict';
import { BACK_END_KEY, OAUTH_TOKEN } from '../../../src/sandbox/core/http/credentials.ts';
import { keysOf, refused } from '../context.ts';
import type { CaseContext, Client, ConformanceCase } from '../context.ts';
import { MINUTE_MS, SHOP, answering, buy, minutes, sent, startPanel, wait } from '../panel/support.ts';
import { order, orderId, SITE } from './purchase-support.ts';

const URL = 'https://ci.example/done';
const HOURS = 60 * MINUTE_MS;
const callback = { url: URL, authorization: 'Token fake' };
const asBackEnd = { token: BACK_END_KEY };

/** A site with a callback, delivered to whoever answers like this. */
async function called(context: CaseContext, ...answers: readonly object[]): Promise<Client> {
  const client = await startPanel(context);
  if (answers.length > 0) await answering(client, URL, ...answers);
  await order(client, SITE, { callback });
  return client;
}

export const callbackCases: readonly ConformanceCase[] = [
  {
    rule: 'CBK-01',
    title: 'sites and panel accounts take a callback; a resize and a mailspace do not',
    async run(context) {
      const client = await startPanel(context);
      await order(client, SITE, { callback });
      await buy(client, { callback });
      assert.equal((await client.call('PATCH', SHOP, { package: 'pro', callback })).status, 422);
      assert.equal((await client.call('POST', '/api/mailspace', { domain: 'new.example.com', callback })).status, 422);
      wait(client, 60_000);
      assert.equal((await sent(client, 'callback')).length, 2);
    },
  },
  {
    rule: 'CBK-02',
    title: 'a POST of timestamp, success and data, with the authorization as it was given',
    async run(context) {
      const client = await called(context);
      await buy(client, { callback: { url: 'https://ci.example/quiet' } });
      wait(client, 60_000);
      const [delivery, quiet] = await sent(client, 'callback');
      const attempt = delivery?.attempts[0];
      assert.deepEqual([delivery?.method, delivery?.url, delivery?.state], ['POST', URL, 'delivered']);
      assert.deepEqual(
        [attempt?.headers['authorization'], attempt?.headers['accept']],
        ['Token fake', 'application/json'],
      );
      assert.deepEqual(attempt?.body, {
        timestamp: Math.floor((delivery?.firedAt ?? 0) / 1000),
        success: true,
        data: '',
      });
      assert.equal(keysOf(quiet?.attempts[0]?.headers).includes('authorization'), false);
    },
  },
  {
    rule: 'CBK-02/stable',
    title: 'the timestamp is that of the first attempt, also later',
    async run(context) {
      const client = await called(context, { status: 500 }, { status: 500 }, { status: 200 });
      wait(client, 60 * MINUTE_MS);
      const attempts = (await sent(client, 'callback'))[0]?.attempts ?? [];
      assert.deepEqual([attempts.length, new Set(attempts.map(({ body }) => JSON.stringify(body))).size], [3, 1]);
    },
  },
  {
    rule: 'CBK-03',
    title: 'fired once: when the task is OK or has failed, not before, and not where it was called off',
    async run(context) {
      const client = await startPanel(context);
      client.sandbox.state.taskFates.push({ name: 'order.', status: 'FAILED' });
      await order(client, SITE, { callback });
      wait(client, 7_999);
      assert.equal((await sent(client, 'callback')).length, 0);
      wait(client, 60_000);
      const second = await order(client, SITE, { callback: { url: `${URL}/2` } });
      wait(client, 4_000);
      const id = await orderId(client, second);
      const task = String((await client.get(`/api/orders/${id}`)).at('tasks', 0, 'id'));
      await client.call('POST', `/api/webhooks/task/${task}`, { success: true, data: 'made' }, asBackEnd);
      wait(client, 60_000);
      const third = await order(client, SITE, { callback: { url: `${URL}/3` } });
      wait(client, 4_000);
      await client.call('DELETE', `/api/orders/${await orderId(client, third)}`);
      wait(client, 60_000);
      const bodies = (await sent(client, 'callback')).map(
        ({ attempts }) => attempts[0]?.body as { success: boolean; data: string },
      );
      assert.deepEqual(
        bodies.map(({ success, data }) => [success, data]),
        [
          [false, ''],
          [true, 'made'],
        ],
      );
    },
  },
  {
    rule: 'CBK-04',
    title: 'repeated after 2, then 5, then 15 minutes',
    async run(context) {
      const client = await called(context, { status: 500 });
      wait(client, 60 * MINUTE_MS);
      const [delivery] = await sent(client, 'callback');
      assert.ok(delivery !== undefined);
      assert.deepEqual([minutes(delivery), delivery.state], [[0, 2, 4, 6, 11, 26, 41, 56], 'waiting']);
    },
  },
  {
    rule: 'CBK-04/success',
    title: 'any 2xx is a success; a redirect, an error and silence are not',
    async run(context) {
      const client = await called(context, { status: 302 }, { status: 404 }, { status: null }, { status: 204 });
      wait(client, 60 * MINUTE_MS);
      const [delivery] = await sent(client, 'callback');
      assert.deepEqual(
        [delivery?.attempts.map(({ answer }) => answer), delivery?.state],
        [[302, 404, 'unreachable', 204], 'delivered'],
      );
    },
  },
  {
    rule: 'CBK-04/timeout',
    title: 'after thirty seconds nobody waits any more',
    async run(context) {
      const client = await called(context, { status: 200, afterMs: 30_001 }, { status: 200, afterMs: 29_000 });
      wait(client, 60 * MINUTE_MS);
      const [delivery] = await sent(client, 'callback');
      assert.ok(delivery !== undefined);
      assert.deepEqual(
        [delivery.attempts.map(({ answer }) => answer), minutes(delivery)],
        [
          ['timeout', 200],
          [0, 2.5],
        ],
      );
    },
  },
  {
    rule: 'CBK-04/end',
    title: 'given up four hours after the first attempt',
    async run(context) {
      const client = await called(context, { status: 500 });
      wait(client, 6 * HOURS);
      const [delivery] = await sent(client, 'callback');
      assert.ok(delivery !== undefined);
      assert.deepEqual([minutes(delivery).at(-1), delivery.state], [236, 'given-up']);
    },
  },
  {
    rule: 'CBK-06',
    title: 'an endpoint tells which address the service sees',
    async run(context) {
      assert.equal((await (await startPanel(context)).get('/api/webhooks/task')).at('ip_address'), '127.0.0.1');
    },
  },
  {
    rule: 'CBK-07',
    title: "a report answers 200 in any case, counts once, and is the back end's alone",
    async run(context) {
      const client = await called(context, { status: 200 });
      wait(client, 4_000);
      const task = [...client.sandbox.state.tasks.values()].at(-1);
      assert.ok(task !== undefined);
      for (let time = 0; time < 2; time += 1)
        assert.equal(
          (await client.call('POST', `/api/webhooks/task/${task.id}`, { success: false, data: 'x' }, asBackEnd)).status,
          200,
        );
      assert.equal((await client.call('POST', '/api/webhooks/task/424242', { success: true }, asBackEnd)).status, 200);
      refused(await client.call('POST', `/api/webhooks/task/${task.id}`, { success: true }), 401, undefined);
      assert.equal(
        (await client.call('POST', `/api/webhooks/task/${task.id}`, { success: true }, { token: OAUTH_TOKEN })).status,
        403,
      );
      wait(client, 60_000);
      assert.deepEqual([task.status, task.data, (await sent(client, 'callback')).length], ['FAILED', 'x', 1]);
    },
  },
];
