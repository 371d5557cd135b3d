// Conformance of the requests of ordering: who may, what is refused, what nothing is bought for.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { keysOf, refused } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { nothingBought, order, orderId, placed, poll, SITE } from './purchase-support.ts';

export const orderRequestCases: readonly ConformanceCase[] = [
  {
    rule: 'ORD-01',
    title: 'orders and carts are read with billing:read, and closed to OAuth otherwise',
    async run(context) {
      const { client, reply } = await placed(context, 3_000);
      const as = { token: oauthToken(['billing:read']) };
      const path = `/api/orders/${await orderId(client, reply)}`;
      assert.equal((await client.get(path, as)).status, 200);
      assert.equal((await client.get(`/api/carts/${String(reply.at('cart', 'token'))}`, as)).status, 200);
      assert.equal(
        (await client.get('/api/orders', { token: oauthToken(['sites:read']) })).at('error'),
        'insufficient_scope',
      );
      for (const method of ['PATCH', 'DELETE'])
        assert.equal((await client.call(method, path, undefined, { token: OAUTH_TOKEN })).status, 403);
    },
  },
  {
    rule: 'ORD-02',
    title: 'a row has six fields; another account has rows of its own',
    async run(context) {
      const { client } = await placed(context, 3_000);
      const rows = await client.get('/api/orders');
      assert.deepEqual(keysOf(rows.at('orders', 0)), [
        'account',
        'created_at',
        'id',
        'location',
        'status',
        'updated_at',
      ]);
      assert.deepEqual((await client.get('/api/orders', { account: 'acc-other' })).column('orders', 'id'), []);
    },
  },
  {
    rule: 'ORD-19',
    title: 'PATCH is 400',
    async run(context) {
      const { client, reply } = await placed(context, 3_000);
      refused(
        await client.call('PATCH', `/api/orders/${await orderId(client, reply)}`, { status: 'completed' }),
        400,
        undefined,
      );
    },
  },
  {
    rule: 'ORD-21',
    title: 'an unknown cart is 404, and so is a foreign one',
    async run(context) {
      const { client, reply } = await placed(context, 0);
      assert.equal((await poll(client, reply)).status, 200);
      assert.equal((await poll(client, reply, 'acc-other')).status, 404);
      assert.equal((await client.get('/api/carts/nowhere')).status, 404);
      assert.deepEqual(keysOf((await poll(client, reply)).at()), keysOf(reply.at()));
    },
  },
  {
    rule: 'ORD-22',
    title: 'a site is ordered by variant, location, plan and term: 202',
    async run(context) {
      const client = await context.start();
      assert.equal((await order(client)).status, 202);
      assert.equal(
        (await order(client, { variant: 'extended', location: 'nyc', plan: 'mini', term: 'annual' })).status,
        202,
      );
      assert.equal((await client.call('POST', '/api/orders', { site: SITE, site_name: 'x' })).status, 422);
    },
  },
  {
    rule: 'ORD-24',
    title: 'a callback needs an HTTPS url',
    async run(context) {
      const client = await context.start();
      for (const callback of [{}, { url: 'http://ci.example' }, { authorization: 'x' }, 'https://ci.example'])
        nothingBought(client, await order(client, SITE, { callback }), 422, undefined);
      assert.equal(
        (await order(client, SITE, { callback: { url: 'https://ci.example/done', authorization: 'Bearer x' } })).status,
        202,
      );
    },
  },
  {
    rule: 'ORD-25',
    title: 'without customer, payment method or billing contact nothing is bought',
    async run(context) {
      const client = await context.start({ scenario: 'billing-no-method' });
      nothingBought(client, await order(client), 400, 'no_default_payment_method');
      for (const lacking of [{ hasCustomer: false }, { contactComplete: false }]) {
        await client.call('PATCH', '/_sandbox/accounts/acc-acme', {
          methodType: 'card',
          hasCustomer: true,
          contactComplete: true,
          ...lacking,
        });
        nothingBought(client, await order(client), 400, 'no_default_payment_method');
      }
    },
  },
  {
    rule: 'ORD-25/external',
    title: 'where somebody else bills, nobody asks for a payment method',
    async run(context) {
      const client = await context.start({ scenario: 'billing-external' });
      assert.equal((await order(client)).status, 202);
    },
  },
  {
    rule: 'ORD-27',
    title: 'each refusal has its code, and buys nothing',
    async run(context) {
      const client = await context.start();
      nothingBought(
        client,
        await client.call('POST', '/api/orders', { site: SITE }, { account: null }),
        400,
        'missing_account',
      );
      nothingBought(client, await order(client, { ...SITE, variant: 'strawberry' }), 400, 'unknown_variant');
      nothingBought(client, await order(client, { ...SITE, location: 'moon' }), 400, 'unknown_location');
      nothingBought(client, await order(client, { ...SITE, term: 'weekly' }), 400, 'unknown_term');
      nothingBought(client, await order(client, { ...SITE, plan: 'huge' }), 400, 'unknown_product');
      const plan = client.sandbox.state.plans.find(({ shortName }) => shortName === 'pro');
      assert.ok(plan !== undefined);
      plan.unpricedTerms = ['monthly'];
      nothingBought(client, await order(client), 400, 'no_price_for_plan');
      plan.orderable = false;
      nothingBought(client, await order(client), 400, 'unknown_product');
      await client.call('PATCH', '/_sandbox/accounts/acc-acme', { refusesItems: true });
      nothingBought(client, await order(client, { ...SITE, plan: 'max' }), 400, 'item_add_failed');
      await client.call('PATCH', '/_sandbox/accounts/acc-acme', { canOrder: false });
      nothingBought(client, await order(client), 400, 'account_cannot_order');
    },
  },
  {
    rule: 'ORD-28',
    title: 'a location without stock may have some later',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', '/_sandbox/locations/ams', { soldOutFor: 1 });
      nothingBought(client, await order(client), 400, 'over_capacity');
      assert.equal((await order(client)).status, 202);
    },
  },
  {
    rule: 'ORD-29',
    title: 'a charge that cannot start is 422',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', '/_sandbox/accounts/acc-acme', { refusesCharges: true });
      nothingBought(client, await order(client), 422, 'cart_pay_failed');
    },
  },
  {
    rule: 'CNV-17',
    title: 'a trial account may not order',
    async run(context) {
      const client = await context.start({ scenario: 'billing-trial' });
      nothingBought(client, await order(client), 403, 'trial_account');
    },
  },
];
