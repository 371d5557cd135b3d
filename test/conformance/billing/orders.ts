// Conformance of orders: what their view shows, how they end, what comes of them.
import assert from 'node:assert/strict';
import { API_KEY, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain } from '../context.ts';
import { SITE, advance, order, orderId, placed, progress, viewed } from './purchase-support.ts';

export const orderCases = casesIn(plain('small'), {
  'ORD-03: an order begins pending, ends completed, or failed with its task': async (client) => {
    const reply = await placed(client, 3_000);
    assert.equal((await viewed(client, reply)).at('order', 'status'), 'pending');
    client.sandbox.state.taskFates.push({ name: 'order.', status: 'FAILED' });
    const second = await order(client);
    advance(client, 10_000);
    assert.equal((await viewed(client, reply)).at('order', 'status'), 'completed');
    assert.equal((await viewed(client, second)).at('order', 'status'), 'failed');
    assert.deepEqual((await progress(client, second)).slice(0, 2), ['checked_out', 'failed']);
    assert.equal((await client.get('/api/sites')).column('sites', 'id').length, 4);
  },
  'ORD-04: the view is nested': async (client) => {
    const reply = await placed(client, 3_000);
    const view = await viewed(client, reply);
    assert.deepEqual(keysOf(view.at()), ['account', 'order', 'payment', 'tasks', 'user']);
    assert.deepEqual(keysOf(view.at('order')), ['created_at', 'id', 'location', 'status', 'updated_at']);
    assert.deepEqual([view.at('account', 'id'), view.at('user', 'email')], ['acc-acme', 'ada@acme.example']);
  },
  'ORD-05: the site is shown once it is there, under other keys than elsewhere': async (client) => {
    const reply = await placed(client, 3_000);
    assert.equal(keysOf((await viewed(client, reply)).at()).includes('site'), false);
    advance(client, 10_000);
    const view = await viewed(client, reply);
    assert.deepEqual(keysOf(view.at('site')), ['domain', 'id', 'location', 'name', 'ssh_data', 'variant']);
    assert.equal((await client.get(`/api/sites/${String(view.at('site', 'id'))}`)).at('site', 'package'), 'pro');
    const resized = await client.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } });
    advance(client, 10_000);
    assert.equal(keysOf((await viewed(client, resized)).at()).includes('site'), false);
  },
  'ORD-06: the subscription has an integer id, and is there only when it exists': async (client) => {
    const reply = await placed(client, 3_000);
    assert.equal((await viewed(client, reply)).at('subscription'), undefined);
    advance(client, 10_000);
    const subscription = (await viewed(client, reply)).at('subscription') as { id: unknown };
    assert.deepEqual(keysOf(subscription), [
      'bucket_month',
      'bucket_type',
      'bucket_year',
      'id',
      'processor_id',
      'status',
    ]);
    assert.equal(typeof subscription.id, 'number');
  },
  'ORD-08: the payment of an order follows its status, in five values': async (client) => {
    const statuses = [
      'pending',
      'awaiting_payment',
      'completed',
      'awaiting_authentication',
      'failed',
      'cancelled',
      'unheard-of',
    ];
    const seen = [];
    for (const status of statuses) {
      client.sandbox.state.orders.set(status, {
        id: status,
        accountId: 'acc-acme',
        status,
        locationShortName: null,
        createdAt: 0,
        updatedAt: 0,
      });
      seen.push((await client.get(`/api/orders/${status}`)).at('payment', 'status'));
    }
    assert.deepEqual(seen, [
      'pending',
      'processing',
      'succeeded',
      'awaiting_authentication',
      'failed',
      'failed',
      'pending',
    ]);
  },
  'ORD-09: the method of a payment may be anything': async (client, start) => {
    await client.call('PATCH', '/_sandbox/accounts/acc-acme', { methodType: 'carrier_pigeon' });
    assert.equal((await order(client)).at('payment', 'method_type'), 'carrier_pigeon');
    assert.equal((await placed(await start({ scenario: 'billing-external' }), 0)).at('payment', 'method_type'), null);
  },
  'ORD-10: the amounts are null for a while': async (client) => {
    const reply = await placed(client, 10_000);
    const amounts = async (): Promise<readonly unknown[]> => {
      const view = await viewed(client, reply);
      return [
        view.at('order', 'status'),
        view.at('payment', 'amount_charged_cents'),
        view.at('payment', 'credit_applied_cents'),
      ];
    };
    assert.deepEqual(await amounts(), ['completed', null, null]);
    advance(client, 60_000);
    assert.deepEqual(await amounts(), ['completed', 2_500, 0]);
  },
  'ORD-20: DELETE cancels an order in progress, and no site comes of it': async (client) => {
    const reply = await placed(client, 3_000);
    const id = await orderId(client, reply);
    answered(await client.call('DELETE', `/api/orders/${id}`), 202);
    advance(client, 10_000);
    assert.deepEqual(await progress(client, reply), ['checked_out', 'cancelled', 'succeeded', 'cancelled']);
    assert.equal((await client.get('/api/sites')).column('sites', 'id').length, 3);
    answered(await client.call('DELETE', '/api/orders/nowhere'), 404);
  },
  'ORD-23: the name in the order is ignored': async (client) => {
    await placed(client, 10_000);
    const names = (await client.get('/api/sites')).column('sites', 'name');
    assert.deepEqual([names.length, names.includes('new')], [4, false]);
  },
  'ORD-46: the task of an order is read before its site is there, by those of its account': async (client) => {
    const reply = await placed(client, 3_000);
    const path = `/api/tasks/${String((await viewed(client, reply)).at('tasks', 0, 'id'))}`;
    for (const token of [API_KEY, READER_API_KEY])
      assert.equal((await client.get(path, { token })).at('status'), 'PENDING');
  },
  'ORD-48: the location is the short name, or null': async (client) => {
    const reply = await placed(client, 3_000);
    assert.equal((await viewed(client, reply)).at('order', 'location'), 'ams');
    const resized = await client.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } });
    advance(client, 3_000);
    assert.equal((await viewed(client, resized)).at('order', 'location'), null);
  },
  'CNV-28: the same order twice is bought twice': async (client) => {
    for (let time = 0; time < 2; time += 1)
      await client.call('POST', '/api/orders', { site: SITE }, { headers: { 'idempotency-key': 'one' } });
    assert.deepEqual([...client.sandbox.creations], [['site order new vanilla/ams/pro/monthly', 2]]);
  },
});
