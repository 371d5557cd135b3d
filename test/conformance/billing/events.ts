// Conformance of billing events: which there are, what they say, what is never told.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain } from '../context.ts';
import type { Client } from '../context.ts';
import {
  BLOG,
  HOOK,
  MINUTE_MS,
  SHOP,
  actions,
  answering,
  buy,
  events,
  listen,
  minutes,
  paying,
  sent,
  wait,
} from '../panel/support.ts';
import { SITE, order } from './purchase-support.ts';
import { makeUser } from '../user/users.ts';

const removeBlog = (client: Client) => client.call('DELETE', '/api/sites/site-blog');
const domainEvent = (client: Client, action: string, rest: object = {}) =>
  client.call('POST', '/_sandbox/domain_events', { action, name: 'owned.co.example', ...rest });

export const billingEventCases = casesIn(plain('panel'), {
  'CBK-08: dropped silently unless enabled with a URL': async (client) => {
    await removeBlog(client);
    await paying(client, { webhookUrl: HOOK });
    await client.call('DELETE', '/api/sites/site-docs');
    await paying(client, { webhookUrl: null, webhookEnabled: true });
    await client.call('DELETE', SHOP);
    assert.deepEqual(await sent(client, 'event'), []);
    await listen(client);
    await client.call('DELETE', BLOG);
    assert.deepEqual(
      (await sent(client, 'event')).map(({ url, attempts }) => [url, attempts[0]?.headers['authorization']]),
      [[HOOK, 'Basic fake']],
    );
  },
  'CBK-09: repeated by its age: after 5, 10 or 15 minutes, for four hours; a blank authorization is none': async (
    client,
  ) => {
    await listen(client);
    await paying(client, { webhookAuth: '' });
    await answering(client, HOOK, { status: 301 });
    await removeBlog(client);
    wait(client, 300 * MINUTE_MS);
    const [delivery] = await sent(client, 'event');
    assert.ok(delivery !== undefined);
    assert.deepEqual(
      [minutes(delivery).slice(0, 4), minutes(delivery).at(-1), delivery.state],
      [[0, 5, 20, 35], 230, 'given-up'],
    );
    assert.deepEqual(keysOf(delivery.attempts[0]?.headers), ['accept', 'content-type']);
  },
  'CBK-10: an action, and one block that is named after its resource': async (client) => {
    await listen(client);
    await removeBlog(client);
    await client.call('DELETE', SHOP);
    await domainEvent(client, 'expired');
    assert.deepEqual(await actions(client), ['site deleted', 'panel_account_link deleted', 'domain expired']);
  },
  'CBK-11: a repeated delivery says the same, whatever has changed since': async (client) => {
    await listen(client);
    await answering(client, HOOK, { status: 500 }, { status: 200 });
    await client.call('POST', '/_sandbox/sites/site-shop/owner', { accountId: 'acc-acme' });
    await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'renamed' } });
    wait(client, 10 * MINUTE_MS);
    await client.call('POST', '/_sandbox/deliveries/0/repeat');
    const attempts = (await sent(client, 'event'))[0]?.attempts ?? [];
    assert.deepEqual([attempts.length, new Set(attempts.map(({ body }) => JSON.stringify(body))).size], [3, 1]);
    assert.equal(
      typeof ((await events(client))[0]?.['site'] as { subscription: { updated_at: unknown } }).subscription.updated_at,
      'string',
    );
  },
  'SIT-15: a site is created, resized, handed over and deleted; its callback tells nothing of it': async (client) => {
    await listen(client);
    await order(client, SITE, { callback: { url: 'https://ci.example/done' } });
    await client.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } });
    wait(client, 60_000);
    await client.call('POST', '/_sandbox/sites/site-shop/owner', { accountId: 'acc-acme' });
    await removeBlog(client);
    assert.deepEqual([...(await actions(client))].sort(), [
      'site created',
      'site deleted',
      'site owner_change',
      'site resized',
    ]);
    assert.deepEqual(
      (await sent(client, 'callback')).map(({ attempts }) => keysOf(attempts[0]?.body)),
      [['data', 'success', 'timestamp']],
    );
    const blog = (await events(client)).at(-1)?.['site'];
    for (const key of ['cdn_id', 'cdn_cname', 'sftp_base_path', 'dunning_suspended', 'subscription'])
      assert.ok(keysOf(blog).includes(key), key);
  },
  'CBK-12: a panel account has the same four events': async (client) => {
    await listen(client);
    await buy(client);
    await client.call('PATCH', SHOP, { package: 'pro' });
    wait(client, 300_000);
    await client.call('POST', '/_sandbox/panel/acmeshop/owner', { accountId: 'acc-acme' });
    await client.call('DELETE', SHOP);
    const block = 'panel_account_link';
    assert.deepEqual([...(await actions(client))].sort(), [
      `${block} created`,
      `${block} deleted`,
      `${block} owner_change`,
      `${block} resized`,
    ]);
  },
  'CBK-12/once: resized is told when the package has changed, once, and not where the order fails': async (client) => {
    await listen(client);
    client.sandbox.state.taskFates.push({ name: 'panel_account.resize', status: 'FAILED' });
    await client.call('PATCH', SHOP, { package: 'pro' });
    wait(client, 300_000);
    assert.deepEqual(await actions(client), []);
    await client.call('PATCH', SHOP, { package: 'pro' });
    wait(client, 300_000);
    assert.deepEqual(await actions(client), ['panel_account_link resized']);
  },
  'CBK-13: deleted is told at the soft delete, neither at a restore nor at the purge, and only where the processor bills':
    async (client) => {
      await listen(client);
      await client.call('DELETE', BLOG);
      await client.call('PATCH', '/_sandbox/panel/acmeblog', { deletion: null });
      await client.call('DELETE', SHOP);
      wait(client, 40 * 86_400_000);
      assert.deepEqual(await actions(client), ['panel_account_link deleted', 'panel_account_link deleted']);
      for (const billing of [{ processor: false }, { processor: true, trial: true }]) {
        await paying(client, billing);
        await client.call('DELETE', billing.trial === true ? BLOG : '/api/panel_accounts/acmeheld');
      }
      assert.equal((await sent(client, 'event')).length, 2);
    },
  'CBK-14: seven events of domains have a price, eight have none': async (client) => {
    await listen(client);
    const priced = [
      'registered',
      'transferred_in',
      'renewed',
      'restored',
      'registrant_change',
      'privacy_enabled',
      'local_contact_added',
    ];
    const free = [
      'transferred_out',
      'expired',
      'redemption',
      'purged',
      'privacy_disabled',
      'local_contact_removed',
      'auto_renew_enabled',
      'auto_renew_disabled',
    ];
    for (const action of [...priced, ...free]) answered(await domainEvent(client, action), 200);
    answered(await domainEvent(client, 'created'), 400);
    const costs = (await events(client))
      .filter(({ domain }) => (domain as { price: unknown }).price !== null)
      .map(({ action }) => action);
    assert.deepEqual(costs, priced);
  },
  'CBK-15: the block of a domain, whose tld is a text': async (client) => {
    await listen(client);
    await domainEvent(client, 'redemption', { status: 'EXPIRED', recoveryPhase: 'redemption' });
    const domain = (await events(client))[0]?.['domain'] as Record<string, unknown>;
    assert.deepEqual(keysOf(domain), [
      'account',
      'auto_renew',
      'expires_at',
      'id',
      'name',
      'object',
      'price',
      'privacy_protect',
      'recovery_phase',
      'status',
      'tld',
    ]);
    assert.deepEqual(
      [domain['object'], domain['tld'], domain['recovery_phase']],
      ['domain_registration', 'co.example', 'redemption'],
    );
  },
  'CBK-16: the block of a panel account: its username twice, no times, no subscription where there is none': async (
    client,
  ) => {
    await listen(client);
    await client.call('DELETE', BLOG);
    await client.call('DELETE', '/api/panel_accounts/acme_old');
    const [blog, old] = (await events(client)).map(({ panel_account_link: block }) => block as Record<string, unknown>);
    assert.deepEqual(blog, {
      object: 'panel_account_link',
      id: 'panel-acmeblog',
      guid: 'acmeblog',
      panel_username: 'acmeblog',
      primary_domain: 'acmeblog.example.com',
      account: { id: 'acc-acme', name: 'acme' },
      subscription: {
        id: 'sub-acmeblog',
        status: 'active',
        price: { amount_cents: 3_000, term: 'annual' },
        product: { id: 'prod-mini', name: 'Mini' },
      },
    });
    assert.equal(keysOf(old).includes('subscription'), false);
  },
  'CBK-17: of a sub-account the parent is the account, and told at its webhook': async (client) => {
    await listen(client);
    const id = String(
      (
        await makeUser(client, { fname: 'Eve', lname: 'Klant', email: 'eve@client.example', company_name: 'Client' })
      ).at('user', 'account_id'),
    );
    await client.call('POST', '/_sandbox/panel/acmeshop/owner', { accountId: id });
    const block = (await events(client))[0]?.['panel_account_link'] as Record<string, unknown>;
    assert.deepEqual(
      [block['account'], block['sub_account']],
      [
        { id: 'acc-acme', name: 'acme' },
        { id, name: 'Client' },
      ],
    );
  },
});
