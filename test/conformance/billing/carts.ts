// Conformance of carts: the envelope, and how a purchase goes on in time, or waits for a person.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain } from '../context.ts';
import { advance, DAY_MS, order, placed, poll, progress, viewed } from './purchase-support.ts';

export const cartCases = casesIn(plain('small'), {
  'ORD-11: the envelope says accepted, whatever has become of the cart': async (client) => {
    const reply = await placed(client, 60_000);
    const later = await poll(client, reply);
    assert.deepEqual([reply.at('status'), later.at('status')], ['accepted', 'accepted']);
    assert.deepEqual(keysOf(later.at()), ['cart', 'orders', 'payment', 'status']);
    assert.deepEqual(keysOf(later.at('cart')), ['poll_url', 'rollup_status', 'status', 'token']);
    assert.deepEqual(keysOf(later.at('payment')), ['hosted_invoice_url', 'method_type', 'status']);
    assert.deepEqual(keysOf(later.at('orders', 0)), ['id', 'poll_url', 'status']);
  },
  'CNV-29: poll URLs are absolute, and lead to another host than this one': async (client) => {
    const reply = await placed(client, 3_000);
    const cart = await poll(client, reply);
    const token = String(reply.at('cart', 'token'));
    assert.equal(cart.at('cart', 'poll_url'), `https://platform.sandbox.example/api/carts/${token}`);
    assert.equal(
      cart.at('orders', 0, 'poll_url'),
      `https://platform.sandbox.example/api/orders/${String(cart.at('orders', 0, 'id'))}`,
    );
  },
  'ORD-12: the cart moves on until it is checked out': async (client) => {
    const reply = await placed(client, 0);
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
  'ORD-12/expired: a cart that nobody pays expires, also when the bank says no': async (_client, start) => {
    const client = await start({ scenario: 'billing-3ds' });
    const reply = await placed(client, DAY_MS);
    assert.deepEqual(await progress(client, reply), ['expired', 'failed', 'awaiting_authentication']);
    const second = await order(client);
    answered(
      await client.call('POST', `/_sandbox/carts/${String(second.at('cart', 'token'))}/payment`, {
        outcome: 'decline',
      }),
      200,
    );
    assert.deepEqual(await progress(client, second), ['expired', 'failed', 'awaiting_authentication']);
    assert.deepEqual((await client.get('/api/orders')).column('orders', 'id'), []);
  },
  'ORD-13: the payment of an envelope is one of three': async (client, start) => {
    const reply = await placed(client, 0);
    const seen = [reply.at('payment', 'status')];
    advance(client, 60_000);
    seen.push((await poll(client, reply)).at('payment', 'status'));
    seen.push((await placed(await start({ scenario: 'billing-3ds' }), 0)).at('payment', 'status'));
    assert.deepEqual(seen, ['processing', 'succeeded', 'awaiting_authentication']);
  },
  'ORD-14: billed elsewhere: the payment never succeeds, the order completes': async (_client, start) => {
    const client = await start({ scenario: 'billing-external' });
    const reply = await placed(client, 10 * DAY_MS);
    assert.deepEqual(await progress(client, reply), ['checked_out', 'completed', 'processing', 'completed']);
    assert.equal((await viewed(client, reply)).at('payment', 'amount_charged_cents'), null);
  },
  'ORD-15: no order before the charge has settled, which takes a bank three days': async (_client, start) => {
    const client = await start({ scenario: 'billing-bank' });
    const reply = await placed(client, 2 * DAY_MS);
    assert.deepEqual(reply.at('orders'), []);
    assert.deepEqual(await progress(client, reply), ['active', 'pending', 'processing']);
    assert.deepEqual((await client.get('/api/orders')).column('orders', 'id'), []);
    advance(client, DAY_MS);
    assert.deepEqual((await progress(client, reply)).slice(2), ['succeeded', 'pending']);
    assert.equal((await client.get('/api/orders')).column('orders', 'id').length, 1);
  },
  'ORD-16: a declined charge is a 202 that awaits a person': async (_client, start) => {
    const client = await start({ scenario: 'billing-declined' });
    const reply = await placed(client, 60_000);
    assert.deepEqual([reply.status, reply.at('payment', 'status')], [202, 'awaiting_authentication']);
    assert.deepEqual(await progress(client, reply), ['active', 'pending', 'awaiting_authentication']);
  },
  'ORD-17: the person has a URL to go to, and the purchase goes on afterwards': async (_client, start) => {
    const client = await start({ scenario: 'billing-3ds' });
    const reply = await placed(client, 60_000);
    assert.equal(
      reply.at('payment', 'hosted_invoice_url'),
      `https://pay.sandbox.example/invoices/${String(reply.at('cart', 'token'))}`,
    );
    answered(await client.call('POST', '/_sandbox/carts/all/payment', { outcome: 'complete' }), 200);
    advance(client, 10_000);
    assert.deepEqual(await progress(client, reply), ['checked_out', 'completed', 'succeeded', 'completed']);
  },
});
