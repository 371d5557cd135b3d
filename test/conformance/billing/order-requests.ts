// Conformance of the requests of ordering: who may, what is refused, what nothing is bought for.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import { nothingBought, order, orderId, placed, poll, SITE } from './purchase-support.ts';

export const orderRequestCases = casesIn(plain('small'), {
  'ORD-01: orders and carts are read with billing:read, and closed to OAuth otherwise': async (client) => {
    const reply = await placed(client, 3_000);
    const as = { token: oauthToken(['billing:read']) };
    const path = `/api/orders/${await orderId(client, reply)}`;
    answered(await client.get(path, as), 200);
    answered(await client.get(`/api/carts/${String(reply.at('cart', 'token'))}`, as), 200);
    assert.equal(
      (await client.get('/api/orders', { token: oauthToken(['sites:read']) })).at('error'),
      'insufficient_scope',
    );
    for (const method of ['PATCH', 'DELETE'])
      answered(await client.call(method, path, undefined, { token: OAUTH_TOKEN }), 403);
  },
  'ORD-02: a row has six fields; another account has rows of its own': async (client) => {
    await placed(client, 3_000);
    const rows = await client.get('/api/orders');
    assert.deepEqual(keysOf(rows.at('orders', 0)), ['account', 'created_at', 'id', 'location', 'status', 'updated_at']);
    assert.deepEqual((await client.get('/api/orders', { account: 'acc-other' })).column('orders', 'id'), []);
  },
  'ORD-19: PATCH is 400': async (client) => {
    const reply = await placed(client, 3_000);
    refused(
      await client.call('PATCH', `/api/orders/${await orderId(client, reply)}`, { status: 'completed' }),
      400,
      undefined,
    );
  },
  'ORD-21: an unknown cart is 404, and so is a foreign one': async (client) => {
    const reply = await placed(client, 0);
    answered(await poll(client, reply), 200);
    answered(await poll(client, reply, 'acc-other'), 404);
    answered(await client.get('/api/carts/nowhere'), 404);
    assert.deepEqual(keysOf((await poll(client, reply)).at()), keysOf(reply.at()));
  },
  'ORD-22: a site is ordered by variant, location, plan and term: 202': async (client) => {
    answered(await order(client), 202);
    answered(await order(client, { variant: 'extended', location: 'nyc', plan: 'mini', term: 'annual' }), 202);
    answered(await client.call('POST', '/api/orders', { site: SITE, site_name: 'x' }), 422);
  },
  'ORD-24: a callback needs an HTTPS url': async (client) => {
    for (const callback of [{}, { url: 'http://ci.example' }, { authorization: 'x' }, 'https://ci.example'])
      nothingBought(client, await order(client, SITE, { callback }), 422, undefined);
    answered(
      await order(client, SITE, { callback: { url: 'https://ci.example/done', authorization: 'Bearer x' } }),
      202,
    );
  },
  'ORD-25: without customer, payment method or billing contact nothing is bought': async (_client, start) => {
    const client = await start({ scenario: 'billing-no-method' });
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
  'ORD-25/external: where somebody else bills, nobody asks for a payment method': async (_client, start) => {
    const client = await start({ scenario: 'billing-external' });
    answered(await order(client), 202);
  },
  'ORD-27: each refusal has its code, and buys nothing': async (client) => {
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
  'ORD-28: a location without stock may have some later': async (client) => {
    await client.call('PATCH', '/_sandbox/locations/ams', { soldOutFor: 1 });
    nothingBought(client, await order(client), 400, 'over_capacity');
    answered(await order(client), 202);
  },
  'ORD-29: a charge that cannot start is 422': async (client) => {
    await client.call('PATCH', '/_sandbox/accounts/acc-acme', { refusesCharges: true });
    nothingBought(client, await order(client), 422, 'cart_pay_failed');
  },
  'CNV-17: a trial account may not order': async (_client, start) => {
    const client = await start({ scenario: 'billing-trial' });
    nothingBought(client, await order(client), 403, 'trial_account');
  },
});
