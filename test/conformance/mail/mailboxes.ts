// Conformance of mailboxes: lists, view, availability, create, delete.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { DAY_MS, SHOP, addresses, rowOf, stored, trouble, wait } from './support.ts';

const MAILBOXES = `${SHOP}/mailboxes`;
const DOCS = '/api/mailspace/mail-docs/mailboxes';
const FULL = '/api/mailspace/mail-full/mailboxes';
const create = (client: Client, body: object = {}, path = MAILBOXES): Promise<Reply> =>
  client.call('POST', path, { username: 'jane', password: 'fake', ...body });

export const mailboxCases = casesIn(plain('mail'), {
  'MBX-01: live ones and, apart, those about to be deleted, the next one first': async (client) => {
    const reply = await client.get(DOCS);
    assert.deepEqual(reply.column('mailboxes', 'email'), ['dora@docs.example.com']);
    assert.deepEqual(
      (reply.at('pending') as { email: string }[]).map(({ email }) => email),
      ['soon@docs.example.com', 'left@docs.example.com'],
    );
  },
  'MBX-02: the query filters what one read yields, and never the pending ones': async (client, start) => {
    const reply = await client.get(`${DOCS}?q=NOBODY`);
    assert.deepEqual([reply.at('mailboxes'), reply.column('pending', 'email').length], [[], 2]);
    const big = await start({ scenario: 'mailboxes:501' });
    assert.deepEqual((await big.get('/api/mailspace/mail-big/mailboxes?q=u00501')).at('mailboxes'), []);
  },
  'MBX-03: the id is the key, the address is not': async (client) => {
    assert.equal((await client.get(`${MAILBOXES}/mbx-anna`)).at('mailbox', 'email'), 'anna@shop.example.com');
    for (const key of ['anna@shop.example.com', 'mbx-dora'])
      refused(await client.get(`${MAILBOXES}/${key}`), 404, 'unknown_mailbox');
  },
  'MBX-04: a row, with its use rounded up': async (client) => {
    const row = rowOf(await client.get(MAILBOXES), 'mailboxes', 'id', 'mbx-anna');
    assert.deepEqual(row, {
      id: 'mbx-anna',
      email: 'anna@shop.example.com',
      display_name: 'Anna',
      status: 'active',
      quota_mb: 2_048,
      used_mb: 4,
      aliases: ['sales@shop.example.com', 'anna@shop.example.net'],
      principal_id: 'principal-mbx-anna',
      scheduled_deletion_at: null,
    });
  },
  'MBX-05: a pending row, with the days that are left': async (client) => {
    const days = async (): Promise<unknown> =>
      rowOf(await client.get(DOCS), 'pending', 'id', 'mbx-soon')['days_until_deletion'];
    assert.deepEqual(keysOf(rowOf(await client.get(DOCS), 'pending', 'id', 'mbx-soon')), [
      'days_until_deletion',
      'email',
      'id',
      'scheduled_deletion_at',
      'status',
    ]);
    assert.equal(await days(), 2);
    wait(client, DAY_MS);
    assert.equal(await days(), 1);
    Object.assign(stored(client, 'mail-docs').mailboxes[2] ?? {}, { scheduledDeletionAt: null });
    assert.equal(await days(), null);
  },
  'MBX-06: the view, of one about to be deleted too': async (client) => {
    const view = (await client.get(`${MAILBOXES}/mbx-anna`)).at('mailbox') as Record<string, unknown>;
    assert.deepEqual(
      [view['allowed_ips'], view['groups'], view['lists'], view['two_factor'], view['app_passwords']],
      [['192.0.2.0/24'], ['team@shop.example.com'], ['news@shop.example.com'], { enabled: true }, []],
    );
    assert.deepEqual(
      ['created_at', 'updated_at', 'password'].map((key) => key in view),
      [true, true, false],
    );
    assert.equal((await client.get(`${DOCS}/mbx-left`)).at('mailbox', 'status'), 'pending_deletion');
  },
  'MBX-07: without the mail server the view is a 200 full of nothing': async (client) => {
    await trouble(client, 'mailbox');
    const reply = await client.get(`${MAILBOXES}/mbx-anna`);
    const view = reply.at('mailbox') as Record<string, unknown>;
    assert.deepEqual(
      [
        reply.status,
        view['email'],
        view['display_name'],
        view['quota_mb'],
        view['aliases'],
        view['groups'],
        view['allowed_ips'],
        view['two_factor'],
      ],
      [200, 'anna@shop.example.com', '', 0, [], [], [], { enabled: false }],
    );
  },
  'MBX-08: free, taken by what, or not known': async (client) => {
    const check = async (query: string): Promise<unknown> => (await client.get(`${MAILBOXES}/check?${query}`)).at();
    const answers = [
      await check('username=new'),
      await check('username=Anna'),
      await check('username=crew'),
      await check('username=news'),
      await check('username=anna&domain=shop.example.net'),
    ];
    assert.deepEqual(answers, [
      { available: true, used_by: null },
      { available: false, used_by: 'mailbox' },
      { available: false, used_by: 'group' },
      { available: false, used_by: 'mailing list' },
      { available: false, used_by: 'mailbox' },
    ]);
    await trouble(client, 'check');
    assert.deepEqual(await check('username=anna'), { available: null, used_by: null });
  },
  'MBX-08/blank: a check needs a user name': async (client) => {
    refused(await client.get(`${MAILBOXES}/check?username=%20`), 400, 'invalid_address');
  },
  'MBX-09: a create takes what is documented, and no allowed addresses': async (client) => {
    const reply = await create(client, {
      domain: 'shop.example.net',
      display_name: 'Jane',
      quota_mb: 10,
      aliases: ['j@shop.example.com'],
      groups: ['team@shop.example.com'],
      lists: ['news@shop.example.com'],
    });
    answered(reply, 201);
    const view = await client.get(`${MAILBOXES}/${String(reply.at('mailbox', 'id'))}`);
    assert.deepEqual(
      [
        view.at('mailbox', 'email'),
        view.at('mailbox', 'aliases'),
        view.at('mailbox', 'groups'),
        view.at('mailbox', 'lists'),
      ],
      ['jane@shop.example.net', ['j@shop.example.com'], ['team@shop.example.com'], ['news@shop.example.com']],
    );
    assert.equal(stored(client).mailboxes.at(-1)?.password, 'fake');
    for (const key of ['allowed_ips', 'totp_secret'])
      refused(await create(client, { username: 'joe', [key]: '192.0.2.1' }), 422, 'sandbox_unknown_key');
  },
  'MBX-10: the user name is missed first': async (client) => {
    refused(await create(client, { username: '', password: '' }), 400, 'username_blank');
    refused(await create(client, { password: ' ' }), 400, 'password_blank');
  },
  'MBX-11: a create answers the row and its stamps': async (client) => {
    const reply = await create(client);
    assert.deepEqual(keysOf(reply.at('mailbox')), [
      'aliases',
      'created_at',
      'display_name',
      'email',
      'id',
      'principal_id',
      'quota_mb',
      'scheduled_deletion_at',
      'status',
      'updated_at',
      'used_mb',
    ]);
  },
  'MBX-12: a create that fails after the record has made the mailbox': async (client) => {
    refused(await create(client, { aliases: ['crew@shop.example.com'] }), 422, 'create_failed');
    await trouble(client, 'follow-up');
    refused(await create(client, { username: 'joe', groups: ['team@shop.example.com'] }), 422, 'create_failed');
    assert.deepEqual(addresses(stored(client).mailboxes).slice(-2), ['jane@shop.example.com', 'joe@shop.example.com']);
    assert.equal(client.sandbox.creations.size, 2);
    refused(await create(client), 422, 'create_failed');
  },
  'MBX-13: no room, a taken address, a foreign group, a refusal: create_failed, and nothing is made': async (
    client,
  ) => {
    answered(await create(client, {}, FULL), 201);
    refused(await create(client, { username: 'one-too-many' }, FULL), 422, 'create_failed');
    for (const body of [
      { username: 'anna' },
      { username: 'two words' },
      { username: 'a@b' },
      { groups: ['team@foreign.example.com'] },
      { lists: ['team@shop.example.com'] },
      { quota_mb: -1 },
    ]) {
      refused(await create(client, body), 422, 'create_failed');
    }
    await trouble(client, 'refusal');
    refused(await create(client), 422, 'create_failed');
    assert.equal(client.sandbox.creations.size, 1);
  },
  'MBX-14: a quota is no larger than the package, and none is no limit': async (client) => {
    refused(await create(client, { quota_mb: 100 * 1_024 + 1 }), 422, 'create_failed');
    assert.equal((await create(client, { quota_mb: 0 })).at('mailbox', 'quota_mb'), 0);
    refused(await client.call('PATCH', `${MAILBOXES}/mbx-anna`, { quota_mb: 100 * 1_024 + 1 }), 422, 'update_failed');
  },
  'MBX-23: DELETE starts a time of grace, at the end of which the mailbox is gone': async (client) => {
    answered(await client.call('DELETE', `${MAILBOXES}/mbx-anna`), 204);
    const reply = await client.get(MAILBOXES);
    assert.deepEqual(
      [reply.column('mailboxes', 'id'), reply.column('pending', 'id'), reply.at('pending', 0, 'days_until_deletion')],
      [['mbx-ben', 'mbx-cleo'], ['mbx-anna'], 30],
    );
    wait(client, 30 * DAY_MS);
    assert.deepEqual((await client.get(MAILBOXES)).at('pending'), []);
    refused(await client.get(`${MAILBOXES}/mbx-anna`), 404, 'unknown_mailbox');
    assert.deepEqual((await client.get(`${SHOP}/groups/grp-team`)).at('group', 'members'), ['ben@shop.example.com']);
  },
});
