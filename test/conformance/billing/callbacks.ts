// Conformance of callbacks: which orders take one, what it says, when it is fired and repeated.
import assert from 'node:assert/strict';
import { BACK_END_KEY, OAUTH_TOKEN } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { MINUTE_MS, SHOP, answering, buy, minutes, sent, wait } from '../panel/support.ts';
import { order, orderId, SITE } from './purchase-support.ts';

const URL = 'https://ci.example/done';
const HOURS = 60 * MINUTE_MS;
const callback = { url: URL, authorization: 'Token fake' };
const asBackEnd = { token: BACK_END_KEY };

/** Orders a site with a callback, delivered to whoever answers like this. */
async function called(client: Client, ...answers: readonly object[]): Promise<void> {
  if (answers.length > 0) await answering(client, URL, ...answers);
  await order(client, SITE, { callback });
}

export const callbackCases = casesIn(plain('panel'), {
  'CBK-01: sites and panel accounts take a callback; a resize and a mailspace do not': async (client) => {
    await order(client, SITE, { callback });
    await buy(client, { callback });
    answered(await client.call('PATCH', SHOP, { package: 'pro', callback }), 422);
    answered(await client.call('POST', '/api/mailspace', { domain: 'new.example.com', callback }), 422);
    wait(client, 60_000);
    assert.equal((await sent(client, 'callback')).length, 2);
  },
  'CBK-02: a POST of timestamp, success and data, with the authorization as it was given': async (client) => {
    await called(client);
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
  'CBK-02/stable: the timestamp is that of the first attempt, also later': async (client) => {
    await called(client, { status: 500 }, { status: 500 }, { status: 200 });
    wait(client, 60 * MINUTE_MS);
    const attempts = (await sent(client, 'callback'))[0]?.attempts ?? [];
    assert.deepEqual([attempts.length, new Set(attempts.map(({ body }) => JSON.stringify(body))).size], [3, 1]);
  },
  'CBK-03: fired once: when the task is OK or has failed, not before, and not where it was called off': async (
    client,
  ) => {
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
  'CBK-04: repeated after 2, then 5, then 15 minutes': async (client) => {
    await called(client, { status: 500 });
    wait(client, 60 * MINUTE_MS);
    const [delivery] = await sent(client, 'callback');
    assert.ok(delivery !== undefined);
    assert.deepEqual([minutes(delivery), delivery.state], [[0, 2, 4, 6, 11, 26, 41, 56], 'waiting']);
  },
  'CBK-04/success: any 2xx is a success; a redirect, an error and silence are not': async (client) => {
    await called(client, { status: 302 }, { status: 404 }, { status: null }, { status: 204 });
    wait(client, 60 * MINUTE_MS);
    const [delivery] = await sent(client, 'callback');
    assert.deepEqual(
      [delivery?.attempts.map(({ answer }) => answer), delivery?.state],
      [[302, 404, 'unreachable', 204], 'delivered'],
    );
  },
  'CBK-04/timeout: after thirty seconds nobody waits any more': async (client) => {
    await called(client, { status: 200, afterMs: 30_001 }, { status: 200, afterMs: 29_000 });
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
  'CBK-04/end: given up four hours after the first attempt': async (client) => {
    await called(client, { status: 500 });
    wait(client, 6 * HOURS);
    const [delivery] = await sent(client, 'callback');
    assert.ok(delivery !== undefined);
    assert.deepEqual([minutes(delivery).at(-1), delivery.state], [236, 'given-up']);
  },
  'CBK-06: an endpoint tells which address the service sees': async (client) => {
    assert.equal((await client.get('/api/webhooks/task')).at('ip_address'), '127.0.0.1');
  },
  "CBK-07: a report answers 200 in any case, counts once, and is the back end's alone": async (client) => {
    await called(client, { status: 200 });
    wait(client, 4_000);
    const task = [...client.sandbox.state.tasks.values()].at(-1);
    assert.ok(task !== undefined);
    for (let time = 0; time < 2; time += 1)
      answered(
        await client.call('POST', `/api/webhooks/task/${task.id}`, { success: false, data: 'x' }, asBackEnd),
        200,
      );
    answered(await client.call('POST', '/api/webhooks/task/424242', { success: true }, asBackEnd), 200);
    refused(await client.call('POST', `/api/webhooks/task/${task.id}`, { success: true }), 401, undefined);
    answered(
      await client.call('POST', `/api/webhooks/task/${task.id}`, { success: true }, { token: OAUTH_TOKEN }),
      403,
    );
    wait(client, 60_000);
    assert.deepEqual([task.status, task.data, (await sent(client, 'callback')).length], ['FAILED', 'x', 1]);
  },
});
