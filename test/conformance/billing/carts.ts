// Conformance of carts: the envelope, and how a purchase goes on in time, or waits for a person.
import assert from 'node:assert/strict';
import { keysOf } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { advance, DAY_MS, order, placed, poll, progress, viewed } from './purchase-support.ts';

export const cartCases: readonly ConformanceCase[] = [
  {
    rule: 'ORD-11',
    title: 'the envelope says accepted, whatever has become of the cart',
    async run(context) {
      const { client, reply } = await placed(context, 60_000);
      const later = await poll(client, reply);
      assert.deepEqual([reply.at('status'), later.at('status')], ['accepted', 'accepted']);
      assert.deepEqual(keysOf(later.at()), ['cart', 'orders', 'payment', 'status']);
      assert.deepEqual(keysOf(later.at('cart')), ['poll_url', 'rollup_status', 'status', 'token']);
      assert.deepEqual(keysOf(later.at('payment')), ['hosted_invoice_url', 'method_type', 'status']);
      assert.deepEqual(keysOf(later.at('orders', 0)), ['id', 'poll_url', 'status']);
    },
  },
  {
    rule: 'CNV-29',
    title: 'poll URLs are absolute, and lead to another host than this one',
    async run(context) {
      const { client, reply } = await placed(context, 3_000);
      const cart = await poll(client, reply);
      const token = String(reply.at('cart', 'token'));
      assert.equal(cart.at('cart', 'poll_url'), `https://platform.sandbox.example/api/carts/${token}`);
      assert.equal(
        cart.at('orders', 0, 'poll_url'),
        `https://platform.sandbox.example/api/orders/${String(cart.at('orders', 0, 'id'))}`,
      );
    },
  },
  {
    rule: 'ORD-12',
    title: 'the cart moves on until it is checked out',
    async run(context) {
      const { client, reply } = await placed(context, 0);
      const seen = [await progress(client, reply)];
      for (const waitMs of [3_000, 1_000, 4_000]) {
        advance(client, waitMs);
        seen.push(await progress(client, reply));
      }
      assert.deepEqual(seen, [
        ['active', 'pending', 'processing'],
        ['processing', 'processing', 'succeeded', 'pending'],
        ['awaiting_provisioning', 'processing', 'succeeded', 'provisioning'],
        ['checked_out', 'completed', 'succeeded', 'completed'],
      ]);
    },
  },
  {
    rule: 'ORD-12/expired',
    title: 'a cart that nobody pays expires, also when the bank says no',
    async run(context) {
      const { client, reply } = await placed(context, DAY_MS, 'billing-3ds');
      assert.deepEqual(await progress(client, reply), ['expired', 'failed', 'awaiting_authentication']);
      const second = await order(client);
      assert.equal(
        (
          await client.call('POST', `/_sandbox/carts/${String(second.at('cart', 'token'))}/payment`, {
            outcome: 'decline',
          })
        ).status,
        200,
      );
      assert.deepEqual(await progress(client, second), ['expired', 'failed', 'awaiting_authentication']);
      assert.deepEqual((await client.get('/api/orders')).column('orders', 'id'), []);
    },
  },
  {
    rule: 'ORD-13',
    title: 'the payment of an envelope is one of three',
    async run(context) {
      const { client, reply } = await placed(context, 0);
      const seen = [reply.at('payment', 'status')];
      advance(client, 60_000);
      seen.push((await poll(client, reply)).at('payment', 'status'));
      seen.push((await placed(context, 0, 'billing-3ds')).reply.at('payment', 'status'));
      assert.deepEqual(seen, ['processing', 'succeeded', 'awaiting_authentication']);
    },
  },
  {
    rule: 'ORD-14',
    title: 'billed elsewhere: the payment never succeeds, the order completes',
    async run(context) {
      const { client, reply } = await placed(context, 10 * DAY_MS, 'billing-external');
      assert.deepEqual(await progress(client, reply), ['checked_out', 'completed', 'processing', 'completed']);
      assert.equal((await viewed(client, reply)).at('payment', 'amount_charged_cents'), null);
    },
  },
  {
    rule: 'ORD-15',
    title: 'no order before the charge has settled, which takes a bank three days',
    async run(context) {
      const { client, reply } = await placed(context, 2 * DAY_MS, 'billing-bank');
      assert.deepEqual(reply.at('orders'), []);
      assert.deepEqual(await progress(client, reply), ['active', 'pending', 'processing']);
      assert.deepEqual((await client.get('/api/orders')).column('orders', 'id'), []);
      advance(client, DAY_MS);
      assert.deepEqual((await progress(client, reply)).slice(2), ['succeeded', 'pending']);
      assert.equal((await client.get('/api/orders')).column('orders', 'id').length, 1);
    },
  },
  {
    rule: 'ORD-16',
    title: 'a declined charge is a 202 that awaits a person',
    async run(context) {
      const { client, reply } = await placed(context, 60_000, 'billing-declined');
      assert.deepEqual([reply.status, reply.at('payment', 'status')], [202, 'awaiting_authentication']);
      assert.deepEqual(await progress(client, reply), ['active', 'pending', 'awaiting_authentication']);
    },
  },
  {
    rule: 'ORD-17',
    title: 'the person has a URL to go to, and the purchase goes on afterwards',
    async run(context) {
      const { client, reply } = await placed(context, 60_000, 'billing-3ds');
      assert.equal(
        reply.at('payment', 'hosted_invoice_url'),
        `https://pay.sandbox.example/invoices/${String(reply.at('cart', 'token'))}`,
      );
      assert.equal((await client.call('POST', '/_sandbox/carts/all/payment', { outcome: 'complete' })).status, 200);
      advance(client, 10_000);
      assert.deepEqual(await progress(client, reply), ['checked_out', 'completed', 'succeeded', 'completed']);
    },
  },
];
