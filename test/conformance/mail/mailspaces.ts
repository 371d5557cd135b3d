// Conformance of mailspaces themselves: list, view, purchase, verification, resize.
import assert from 'node:assert/strict';
import { SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import { MINUTE_MS, SHOP, bought, publish, rowOf, stored, wait } from './support.ts';
import { nothingBought } from '../billing/purchase-support.ts';

export const mailspaceCases = casesIn(plain('mail'), {
  'MSP-01: the newest first, and those about to be deleted among them': async (client) => {
    const reply = await client.get('/api/mailspace');
    const rows = reply.at('mailspaces') as { domain: string; pending_deletion: boolean }[];
    assert.deepEqual(
      rows.map(({ domain }) => domain.split('.')[0]),
      ['leaving', 'held', 'full', 'docs', 'blog', 'shop'],
    );
    assert.equal(rows[0]?.pending_deletion, true);
  },
  'MSP-01/header: the header narrows the list; without it everything in reach is shown': async (client) => {
    assert.deepEqual((await client.get('/api/mailspace', { account: 'acc-bare' })).at('mailspaces'), []);
    assert.deepEqual((await client.get('/api/mailspace', { account: 'acc-other' })).column('mailspaces', 'id'), [
      'mail-foreign',
    ]);
    assert.equal((await client.get('/api/mailspace', { account: null })).column('mailspaces', 'id').length, 7);
  },
  'MSP-02: a row has its eighteen fields': async (client) => {
    const row = rowOf(await client.get('/api/mailspace'), 'mailspaces', 'id', 'mail-leaving');
    assert.deepEqual(keysOf(row), [
      'account',
      'account_name',
      'created_at',
      'delete_scheduled_at',
      'domain',
      'id',
      'mailbox_count',
      'max_mailboxes',
      'needs_domain_verification',
      'package',
      'package_name',
      'pending_deletion',
      'provisioned',
      'status',
      'storage_gb',
      'updated_at',
      'used_mb',
      'verified',
    ]);
    assert.deepEqual(
      [row['delete_scheduled_at'], row['account']],
      ['2026-02-04T09:00:00.000Z', { id: 'acc-acme', name: 'acme' }],
    );
  },
  'MSP-03: without a package the smallest is bought': async (client) => {
    const id = await bought(client, 'new.example.com');
    assert.equal((await client.get(`/api/mailspace/${id}`)).at('mailspace', 'package'), 'mail_5');
    for (const name of ['mail_20', 'mail_50', 'mail_200', 'mail_500']) {
      answered(
        await client.call('POST', '/api/mailspace', {
          domain: `${name.replace('_', '')}.example.com`,
          package: name,
        }),
        202,
      );
    }
  },
  'MSP-04: the view shows the TXT record while it is needed, and the subscription where there is one': async (
    client,
  ) => {
    const view = await client.get('/api/mailspace/mail-blog');
    assert.deepEqual(view.at('mailspace', 'verification'), {
      txt_prefix: '_mailspace-verify',
      txt_host: '_mailspace-verify.blog.example.com',
      txt_value: '2'.repeat(32),
    });
    assert.deepEqual(view.at('mailspace', 'subscription', 'price'), { amount_cents: 6_000, term: 'annual' });
    stored(client).subscriptionId = null;
    const shop = (await client.get(SHOP)).at('mailspace');
    assert.deepEqual(
      ['verification', 'subscription', 'webmail_url', 'synced_at'].map((key) => keysOf(shop).includes(key)),
      [false, false, true, true],
    );
  },
  'MSP-04/measured: the number of mailboxes is the one last measured': async (client) => {
    await client.call('POST', `${SHOP}/mailboxes`, { username: 'dan', password: 'fake' });
    const count = async (): Promise<unknown> => (await client.get(SHOP)).at('mailspace', 'mailbox_count');
    assert.equal(await count(), 3);
    wait(client, 60 * MINUTE_MS);
    assert.equal(await count(), 4);
  },
  'MSP-06: the domain is trimmed, lower-cased and has to look like one; there is no term': async (client) => {
    answered(await client.call('POST', '/api/mailspace', { domain: '  New.Example.COM ' }), 202);
    assert.deepEqual([...client.sandbox.creations.keys()], ['mailspace new.example.com mail_5']);
    refused(await client.call('POST', '/api/mailspace', { domain: 'not a domain' }), 400, 'invalid_domain');
    refused(
      await client.call('POST', '/api/mailspace', { domain: 'a.example.com', term: 'annual' }),
      422,
      'sandbox_unknown_key',
    );
  },
  'MSP-07: the envelope does not name the mailspace, which is in the list once the order is completed': async (
    client,
  ) => {
    const reply = await client.call('POST', '/api/mailspace', { domain: 'new.example.com' });
    assert.deepEqual(keysOf(reply.at()), ['cart', 'orders', 'payment', 'status']);
    const listed = async (): Promise<boolean> =>
      (await client.get('/api/mailspace')).column('mailspaces', 'domain').includes('new.example.com');
    assert.equal(await listed(), false);
    wait(client, 10_000);
    const cart = await client.get(`/api/carts/${String(reply.at('cart', 'token'))}`);
    assert.deepEqual([cart.at('orders', 0, 'status'), await listed()], ['completed', true]);
  },
  'MSP-08: an account is needed, from the header or from the credential': async (client) => {
    refused(
      await client.call('POST', '/api/mailspace', { domain: 'new.example.com' }, { account: null }),
      400,
      'account_required',
    );
    answered(
      await client.call('POST', '/api/mailspace', { domain: 'new.example.com' }, { account: null, token: SYSTEM_KEY }),
      202,
    );
  },
  'MSP-09: each refusal has its code, and nothing is bought': async (client) => {
    const buy = (domain: string, name?: string) => client.call('POST', '/api/mailspace', { domain, package: name });
    nothingBought(client, await buy('new.example.com', 'mail_7'), 400, 'unknown_product');
    nothingBought(client, await buy('shop.example.com'), 422, 'mailspace_exists');
    nothingBought(client, await buy('gone.invalid'), 422, 'domain_not_registered');
    for (const [billing, status, code] of [
      [{ methodType: null }, 400, 'no_default_payment_method'],
      [{ methodType: 'card', refusesItems: true }, 422, 'cart_item_rejected'],
      [{ refusesItems: false, refusesCharges: true }, 422, 'cart_pay_failed'],
    ] as const) {
      await client.call('PATCH', '/_sandbox/accounts/acc-acme', billing);
      nothingBought(client, await buy('new.example.com'), status, code);
    }
    await client.call('PATCH', '/_sandbox/mail', { configured: false });
    nothingBought(client, await buy('new.example.com'), 503, 'mailhost_unavailable');
  },
  'MSP-09/order: an unknown package comes before a domain that does not exist': async (client) => {
    refused(
      await client.call('POST', '/api/mailspace', { domain: 'gone.invalid', package: 'mail_7' }),
      400,
      'unknown_product',
    );
  },
  'CNV-21: a missing payment method says what to do about it': async (client) => {
    await client.call('PATCH', '/_sandbox/accounts/acc-acme', { methodType: null });
    assert.equal(
      typeof (await client.call('POST', '/api/mailspace', { domain: 'new.example.com' })).at('remediation'),
      'string',
    );
  },
  'MSP-10: one about to be deleted still holds its domain': async (client) => {
    nothingBought(
      client,
      await client.call('POST', '/api/mailspace', { domain: 'leaving.example.com' }),
      422,
      'mailspace_exists',
    );
  },
  'MSP-11: billed elsewhere: no payment method is asked for': async (client) => {
    await client.call('PATCH', '/_sandbox/accounts/acc-acme', {
      processor: false,
      methodType: null,
      hasCustomer: false,
    });
    await bought(client, 'new.example.com');
  },
  'MSP-17: after the TXT record is seen it is no longer shown, and only the next sweep provisions': async (client) => {
    const seen = async (): Promise<readonly unknown[]> => {
      const view = await client.get('/api/mailspace/mail-blog');
      return [
        view.at('mailspace', 'verification') !== undefined,
        view.at('mailspace', 'verified'),
        view.at('mailspace', 'provisioned'),
      ];
    };
    wait(client, 5 * MINUTE_MS);
    assert.deepEqual(await seen(), [true, false, false]);
    await publish(client, '_mailspace-verify.blog.example.com', '2'.repeat(32));
    assert.deepEqual(await seen(), [true, false, false]);
    wait(client, MINUTE_MS);
    assert.deepEqual(await seen(), [false, true, false]);
    wait(client, MINUTE_MS);
    assert.deepEqual(await seen(), [false, true, true]);
    assert.equal((await client.get('/api/mailspace/mail-blog/domains')).at('domains', 0, 'state'), 'primary');
  },
  'MSP-19: a change of package answers an envelope, and is there when its order is completed': async (
    _client,
    start,
  ) => {
    const client = await start({ ambiguities: { 'GAP-36': 'flat' } });
    const reply = await client.call('PATCH', SHOP, { package: 'mail_50' });
    assert.deepEqual([reply.status, reply.at('status'), stored(client).package], [202, 'accepted', 'mail_20']);
    wait(client, 10_000);
    assert.equal((await client.get(SHOP)).at('mailspace', 'max_mailboxes'), 50);
    refused(await client.call('PATCH', SHOP, { package: 'mail_7' }), 400, 'unknown_product');
  },
});
