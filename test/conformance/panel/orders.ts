// Conformance of buying and resizing panel accounts.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { BLOG, SHOP, buy, paying, platform, rowFor, stored, usernames, wait } from './support.ts';
import { nothingBought, orderId, poll, progress, viewed } from '../billing/purchase-support.ts';

const resize = (client: Client, wanted: string, path = SHOP) => client.call('PATCH', path, { package: wanted });

export const panelOrderCases = casesIn(plain('panel'), {
  "PNL-13: bought by key or code, for a term or the workspace's; the envelope is that of every cart": async (
    client,
  ) => {
    await client.call('PUT', '/_sandbox/accounts/acc-acme', { billingTerm: 'annual' });
    const reply = await buy(client, { package: 'M' });
    assert.deepEqual(
      [reply.status, keysOf(reply.at()), reply.at('orders')],
      [202, ['cart', 'orders', 'payment', 'status'], []],
    );
    await buy(client, { domain: 'spare.example.com', term: 'monthly' });
    wait(client, 300_000);
    assert.deepEqual(
      [...client.sandbox.creations],
      [
        ['panel account owned.example.com basic/annual', 1],
        ['panel account spare.example.com basic/monthly', 1],
      ],
    );
    const terms = await Promise.all(
      ['owned.example.com', 'spare.example.com'].map(
        async (domain) => (await rowFor(client, domain))?.['subscription'] as { term: string },
      ),
    );
    assert.deepEqual(
      terms.map(({ term }) => term),
      ['annual', 'monthly'],
    );
  },
  'PNL-13/placeholder: without a domain the account gets a placeholder, and is found as what is new in the list':
    async (client) => {
      const before = await usernames(client);
      const reply = await buy(client, { domain: undefined });
      wait(client, 300_000);
      const made = (await usernames(client)).filter((name) => !before.includes(name));
      assert.equal(made.length, 1);
      assert.match(
        String((await client.get(`/api/panel_accounts/${String(made[0])}`)).at('panel_account', 'primary_domain')),
        /\.placeholder\./,
      );
      assert.equal((await poll(client, reply)).text.includes(String(made[0])), false);
    },
  'PNL-13: an account whose order fails, or is called off, is taken back': async (client) => {
    client.sandbox.state.taskFates.push({ name: 'order.panel_account', status: 'FAILED' });
    const reply = await buy(client);
    wait(client, 4_000);
    assert.equal((await rowFor(client, 'owned.example.com'))?.['state'], 'provisioning');
    wait(client, 10_000);
    assert.deepEqual(
      [await progress(client, reply), await rowFor(client, 'owned.example.com')],
      [['checked_out', 'failed', 'succeeded', 'failed'], undefined],
    );
    const second = await buy(client);
    wait(client, 4_000);
    await client.call('DELETE', `/api/orders/${await orderId(client, second)}`);
    assert.equal(await rowFor(client, 'owned.example.com'), undefined);
  },
  'PNL-14: a resize takes nothing but a package, and costs what the term of the subscription says': async (client) => {
    for (const extra of [{ term: 'annual' }, { domain: 'owned.example.com' }])
      answered(await client.call('PATCH', BLOG, { package: 'pro', ...extra }), 422);
    const reply = await resize(client, 'L', BLOG);
    answered(reply, 202);
    wait(client, 100_000);
    const view = await viewed(client, reply);
    assert.deepEqual(
      [view.at('order', 'status'), view.at('payment', 'amount_charged_cents'), keysOf(view.at()).includes('site')],
      ['completed', 12_000, false],
    );
    assert.deepEqual([...client.sandbox.creations], [['resize of panel account acmeblog to pro', 1]]);
  },
  'PNL-14/external: where somebody else bills nothing is charged, and the order completes all the same': async (
    client,
  ) => {
    await paying(client, { processor: false, methodType: null, hasCustomer: false });
    const reply = await resize(client, 'pro');
    answered(reply, 202);
    wait(client, 100_000);
    assert.deepEqual(await progress(client, reply), ['checked_out', 'completed', 'processing', 'completed']);
    assert.equal((await viewed(client, reply)).at('payment', 'amount_charged_cents'), null);
  },
  'PNL-15: a second resize is refused while the first is applied, or waits for a person, and then no longer': async (
    client,
  ) => {
    await resize(client, 'pro');
    refused(await resize(client, 'max'), 409, 'resize_in_flight');
    wait(client, 4_000);
    refused(await resize(client, 'max'), 409, 'resize_in_flight');
    wait(client, 10_000);
    answered(await resize(client, 'max'), 202);
    await paying(client, { outcome: 'authentication' });
    await resize(client, 'pro', BLOG);
    refused(await resize(client, 'max', BLOG), 409, 'resize_in_flight');
    wait(client, 2 * 86_400_000);
    answered(await resize(client, 'max', BLOG), 202);
  },
  'PNL-16: each refusal of a purchase has its code, and nothing is bought': async (client) => {
    nothingBought(client, await buy(client, { package: 'huge' }), 400, 'unknown_package');
    nothingBought(client, await buy(client, { term: 'weekly' }), 400, 'invalid_term');
    await platform(client, { unavailable: ['basic'], unpriced: ['pro/monthly'] });
    nothingBought(client, await buy(client), 400, 'product_unavailable');
    nothingBought(client, await buy(client, { package: 'pro' }), 422, 'no_price_for_plan');
    for (const [billing, status, code] of [
      [{ methodType: null }, 400, 'no_default_payment_method'],
      [{ methodType: 'card', refusesItems: true }, 422, 'cart_add_failed'],
      [{ refusesItems: false, refusesCharges: true }, 422, 'cart_pay_failed'],
    ] as const) {
      await paying(client, billing);
      nothingBought(client, await buy(client, { package: 'max' }), status, code);
    }
    nothingBought(client, await resize(client, 'huge'), 400, 'unknown_package');
    nothingBought(client, await resize(client, 'mini', BLOG), 422, 'same_package');
    nothingBought(
      client,
      await buy(client, { package: 'max', callback: { url: 'http://ci.example' } }),
      422,
      undefined,
    );
  },
  "PNL-16/domain: the domain is one's own and registered, an expired one too, and on no other account": async (
    client,
  ) => {
    const at = (domain: string) => buy(client, { domain });
    nothingBought(client, await at('nowhere.example.com'), 422, 'domain_not_registered');
    nothingBought(client, await at('zoned.example.com'), 422, 'domain_not_registered');
    nothingBought(client, await at('theirs.example.com'), 422, 'domain_not_owned');
    nothingBought(client, await at('acmeblog.example.com'), 422, 'domain_in_use');
    await platform(client, { troubles: ['domains'] });
    nothingBought(client, await at('owned.example.com'), 503, 'panel_unavailable');
    await platform(client, { troubles: [] });
    for (const domain of ['lapsed.example.com', 'OWNED.example.com']) answered(await at(domain), 202);
    wait(client, 4_000);
    refused(await at('owned.example.com'), 422, 'domain_in_use');
  },
  'PNL-17: a smaller package has to hold disk, mailboxes and add-on domains; a larger one is not asked': async (
    client,
  ) => {
    for (const mirror of [
      { usedMb: 6_000, mailboxes: 0, addons: [] },
      { usedMb: 0, mailboxes: 6 },
      { mailboxes: 0, addons: ['x.example.com'] },
    ]) {
      await client.call('PATCH', '/_sandbox/panel/acmeshop', { mirror });
      nothingBought(client, await resize(client, 'mini'), 422, 'usage_exceeds_package');
    }
    await client.call('PATCH', '/_sandbox/panel/acmeshop', { mirror: { usedMb: 90_000 } });
    answered(await resize(client, 'pro'), 202);
  },
  'PNL-17/same: the same package is the one of the mirror, and the one provisioned last': async (client) => {
    await resize(client, 'pro');
    wait(client, 20_000);
    for (const wanted of ['pro', 'basic', 'L', 'M']) refused(await resize(client, wanted), 422, 'same_package');
  },
  'PNL-18: DELETE schedules the deletion: the account stays, locked, until its time has come': async (client) => {
    answered(await client.call('DELETE', SHOP), 204);
    const reply = await client.get(SHOP);
    assert.deepEqual(
      [reply.at('panel_account', 'state'), reply.at('panel_account', 'delete_scheduled_at')],
      ['pending_deletion', '2026-02-14T09:00:00.000Z'],
    );
    refused(await resize(client, 'pro'), 403, 'pending_deletion');
    wait(client, 31 * 86_400_000);
    refused(await client.get(SHOP), 404, 'account_not_found');
  },
  'PNL-19: only an account about to be deleted can be purged': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-48': 'flat' } });
    answered(await client.call('POST', `${SHOP}/purge`), 422);
    answered(await client.call('POST', '/api/panel_accounts/acmegone/purge'), 204);
    assert.deepEqual([stored(client).purged, stored(client, 'acmegone').purged], [false, true]);
  },
});
