// Conformance of registrations: flag, roles, list, view, the shape of an answer, and what time does.
import assert from 'node:assert/strict';
import { OAUTH_READ_ONLY_TOKEN, OAUTH_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import { rowOf } from '../mail/support.ts';
import { CONTACTS, DAY_MS, PATH, at, field, patch, post, stored, wait } from './support.ts';

export const registrationCases = casesIn(plain('registrar'), {
  'REG-01: with the flag off everything answers 503, contacts, hosts, checks and orders too': async (client) => {
    await client.call('PATCH', '/_sandbox/registrar', { enabled: false });
    for (const path of [PATH, at('plain.com'), `${at('plain.com')}/hosts`, CONTACTS])
      refused(await client.get(path), 503, 'feature_disabled');
    for (const path of [
      `${PATH}/check`,
      `${PATH}/suggestions`,
      `${at('plain.com')}/registrant_change`,
      '/api/orders/domain',
    ])
      refused(await client.call('POST', path, {}), 503, 'feature_disabled');
  },
  'REG-02: a call takes an account, a change the role and the write scope': async (client) => {
    refused(await client.get(PATH, { account: null }), 400, 'missing_account');
    answered(await client.get(at('plain.com'), { token: READER_API_KEY }), 200);
    answered(await client.call('PATCH', `${at('plain.com')}/lock`, { locked: true }, { token: READER_API_KEY }), 403);
    assert.equal(
      (await client.call('PATCH', `${at('plain.com')}/lock`, { locked: true }, { token: OAUTH_READ_ONLY_TOKEN })).at(
        'error',
      ),
      'insufficient_scope',
    );
    answered(await client.call('PATCH', `${at('plain.com')}/lock`, { locked: true }, { token: OAUTH_TOKEN }), 200);
  },
  'REG-03: a registration is found by its guid, by its own account': async (client) => {
    assert.deepEqual(
      [await field(client, 'plain.com', 'id'), await field(client, 'plain.com', 'name')],
      ['reg-plain.com', 'plain.com'],
    );
    answered(await client.get(`${PATH}/plain.com`), 404);
    answered(await client.get(at('foreign.com')), 404);
    answered(await client.get(at('foreign.com'), { account: 'acc-other' }), 200);
  },
  'REG-04: a registration has its fields; those of a window only where there is one': async (client) => {
    const row = rowOf(await client.get(PATH), 'domain_registrations', 'name', 'locked.com');
    assert.deepEqual(keysOf(row), [
      'admin_contact',
      'auto_renew',
      'billing_contact',
      'created_at',
      'dnssec_enabled',
      'expires_at',
      'feature_flags',
      'fees',
      'id',
      'local_contact_active',
      'locked',
      'name',
      'nameservers',
      'owner_contact',
      'pending_async',
      'privacy_protect',
      'push_transfer_pending',
      'rtr_process_id',
      'rtr_process_status',
      'server_transfer_prohibited',
      'status',
      'subscription_id',
      'tech_contact',
      'tld',
      'transfer_out_pending',
      'updated_at',
    ]);
    assert.deepEqual(
      [row['tld'], row['expires_at'], row['locked']],
      [{ id: 1, name: 'com', registrar: 'sandbox-registrar' }, '2027-01-15T09:00:00.000Z', true],
    );
    assert.equal(await field(client, 'ownerless.com', 'owner_contact'), null);
    assert.deepEqual(
      [
        await field(client, 'window.com', 'within_cancellation_window'),
        await field(client, 'late.com', 'within_cancellation_window'),
      ],
      [true, false],
    );
  },
  'REG-05: it says what its TLD supports': async (client) => {
    const [rich, poor] = [
      await field(client, 'plain.com', 'feature_flags'),
      await field(client, 'bare.nl', 'feature_flags'),
    ];
    assert.deepEqual(rich, {
      supports_privacy: true,
      supports_transfer_lock: true,
      supports_push_transfer: true,
      supports_dnssec: true,
      requires_contact_validation: true,
      authcode_behavior: 'shown',
    });
    assert.deepEqual(poor, {
      supports_privacy: false,
      supports_transfer_lock: false,
      supports_push_transfer: false,
      supports_dnssec: false,
      requires_contact_validation: false,
      authcode_behavior: 'hidden',
    });
  },
  'REG-06: fees are priced on list and view, and null in the answer of a change': async (client) => {
    const fees = {
      privacy_enable: { amount_cents: 500, currency: 'EUR' },
      registrant_change: { amount_cents: 1_500, currency: 'EUR' },
    };
    assert.deepEqual(await field(client, 'paid.shop', 'fees'), fees);
    assert.deepEqual(rowOf(await client.get(PATH), 'domain_registrations', 'name', 'paid.shop')['fees'], fees);
    const none = { privacy_enable: null, registrant_change: null };
    assert.deepEqual(
      (await patch(client, 'paid.shop', 'lock', { locked: true })).at('domain_registration', 'fees'),
      none,
    );
    assert.deepEqual(await field(client, 'plain.com', 'fees'), none);
  },
  'REG-07: a process on its way is in every answer, and left out when there is none': async (client) => {
    assert.equal(keysOf(await field(client, 'plain.com')).includes('pending_process'), false);
    const reply = await patch(client, 'slow.eu', 'lock', { locked: true });
    assert.deepEqual(
      [
        reply.at('domain_registration', 'pending_process', 'action'),
        reply.at('domain_registration', 'pending_process', 'status'),
      ],
      ['domain-update-lock', 'pending'],
    );
    const row = rowOf(await client.get(PATH), 'domain_registrations', 'name', 'slow.eu') as {
      pending_process?: object;
    };
    assert.deepEqual(keysOf(row.pending_process), ['action', 'id', 'poll_url', 'status']);
    wait(client, 1.5 * DAY_MS);
    assert.equal(await field(client, 'slow.eu', 'pending_process', 'status'), 'RUNNING');
  },
  'REG-08: a view adds zone, site and transfer where there are any': async (client) => {
    const extras = async (name: string): Promise<readonly string[]> =>
      keysOf(await field(client, name)).filter((key) => ['dns_zone', 'linked_site', 'transfer_out'].includes(key));
    assert.deepEqual(
      [
        await extras('plain.com'),
        await extras('shop.example.com'),
        await extras('leaving.com'),
        await extras('locked.com'),
      ],
      [['dns_zone'], ['dns_zone', 'linked_site'], ['transfer_out'], []],
    );
    assert.deepEqual(await field(client, 'shop.example.com', 'linked_site'), { id: 'site-shop', name: 'shop' });
  },
  'REG-09: the list is searched by a part of the name': async (client) => {
    const reply = await client.get(`${PATH}?q=PAID`);
    assert.deepEqual(reply.column('domain_registrations', 'name'), ['paid.shop', 'paid.store']);
  },
  'REG-10: every change is done at once, or begun with 202': async (_client, start) => {
    for (const [reading, status] of [
      ['by-tld', 202],
      ['never', 200],
    ] as const) {
      const client = await start({ ambiguities: { 'GAP-63': reading } });
      for (const [path, body] of [
        ['nameservers', { nameservers: ['ns1.example.net'] }],
        ['lock', { locked: true }],
        ['privacy', { privacy_protect: true }],
        ['dnssec', { mode: 'disable' }],
        ['holder', { holder_contact: { action_mode: 'edit_current', city: 'Delft' } }],
        ['contacts', { tech_contact: { source: 'same_as_owner' } }],
      ] as const) {
        assert.equal((await patch(client, 'slow.eu', path, body)).status, status, path);
        wait(client, 3 * DAY_MS);
      }
      answered(await post(client, 'slow.eu', 'push_transfer', { recipient: 'other-registrar' }), status);
    }
  },
  'REG-35: what is not renewed is EXPIRED, and gone when it is purged; what is renewed lives on': async (client) => {
    wait(client, 30 * DAY_MS);
    assert.equal(await field(client, 'unrenewed.com', 'status'), 'EXPIRED');
    wait(client, 90 * DAY_MS);
    answered(await client.get(at('unrenewed.com')), 404);
    wait(client, 300 * DAY_MS);
    assert.deepEqual(
      [await field(client, 'plain.com', 'status'), await field(client, 'plain.com', 'expires_at')],
      ['OK', '2028-01-15T09:00:00.000Z'],
    );
  },
  'REG-35/words: a status is OK, EXPIRED or PENDING_TRANSFER': async (client) => {
    assert.deepEqual(
      [
        await field(client, 'plain.com', 'status'),
        await field(client, 'lapsed.com', 'status'),
        await field(client, 'arriving.com', 'status'),
      ],
      ['OK', 'EXPIRED', 'PENDING_TRANSFER'],
    );
    wait(client, 4 * DAY_MS);
    assert.equal(await field(client, 'arriving.com', 'status'), 'OK');
    assert.equal(stored(client, 'arriving.com').arrivesAt, null);
  },
});
