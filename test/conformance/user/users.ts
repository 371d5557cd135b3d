// Conformance of users: listed, viewed, made with a sub-account, never changed.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';

const EVE = { fname: 'Eve', lname: 'Klant', email: 'eve@client.example' };

export const makeUser = (client: Client, user: object = EVE, options: object = {}): Promise<Reply> =>
  client.call('POST', '/api/users', { user }, options);

export const userCases = casesIn(plain('panel'), {
  'USR-01: users of the account, with their eight fields, never for OAuth': async (client) => {
    const reply = await client.get('/api/users', { account: 'acc-other' });
    assert.deepEqual(reply.column('users', 'id'), ['user-ada']);
    assert.deepEqual(keysOf(reply.at('users', 0)), [
      'account_brand_id',
      'created_at',
      'email',
      'fname',
      'id',
      'lname',
      'locale',
      'updated_at',
    ]);
    assert.deepEqual((await client.get('/api/users')).column('users', 'id'), ['user-ada', 'user-rob']);
    assert.equal((await client.get('/api/users/user-rob')).at('user', 'email'), 'rob@acme.example');
    answered(await client.get('/api/users/user-rob', { account: 'acc-other' }), 404);
    refused(await client.get('/api/users', { account: null }), 400, 'missing_account');
    for (const method of ['GET', 'POST'])
      answered(await client.call(method, '/api/users', undefined, { token: OAUTH_TOKEN }), 403);
  },
  "USR-02: a user is made with a sub-account of the company's name": async (client) => {
    const reply = await makeUser(client, {
      ...EVE,
      company_name: 'Client BV',
      locale: 'nl',
      billing_term: 'annual',
      set_reseller_billing_plan_id: 7,
    });
    answered(reply, 201);
    const made = client.sandbox.state.accounts.get(String(reply.at('user', 'account_id')));
    assert.deepEqual([made?.name, made?.parentId, made?.billingTerm], ['Client BV', 'acc-acme', 'annual']);
    assert.deepEqual((await client.get('/api/users', { account: made?.id ?? '' })).column('users', 'email'), [
      EVE.email,
    ]);
    assert.deepEqual([...client.sandbox.creations], [['user eve@client.example', 1]]);
    assert.deepEqual((client.sandbox.snapshot() as { subAccounts: unknown }).subAccounts, {
      'eve@client.example in Client BV': 'acc-acme',
    });
  },
  'USR-02: what is missing or not valid makes nobody': async (client) => {
    for (const wrong of [
      { fname: '' },
      { lname: undefined },
      { email: 'eve' },
      { company_name: 1 },
      { locale: 'fr' },
      { billing_term: 'weekly' },
      { set_reseller_billing_plan_id: 'x' },
      { phone: '1' },
    ]) {
      assert.equal((await makeUser(client, { ...EVE, ...wrong })).status, 422, JSON.stringify(wrong));
    }
    answered(await client.call('POST', '/api/users', EVE), 422);
    assert.equal(client.sandbox.creations.size, 0);
  },
  'USR-02/reseller: it takes an administrator, and a reseller': async (client) => {
    refused(await makeUser(client, EVE, { token: READER_API_KEY }), 403, undefined);
    refused(await makeUser(client, EVE, { account: 'acc-bare' }), 403, undefined);
    assert.equal(client.sandbox.creations.size, 0);
  },
  'USR-03: password, account and token are told once; the token works, and the account takes the header': async (
    client,
  ) => {
    const reply = await makeUser(client);
    assert.deepEqual(keysOf(reply.at('user')), [
      'account_id',
      'api_token',
      'created_at',
      'email',
      'fname',
      'id',
      'lname',
      'password',
      'updated_at',
    ]);
    const own = { token: String(reply.at('user', 'api_token')), account: String(reply.at('user', 'account_id')) };
    const view = await client.get(`/api/users/${String(reply.at('user', 'id'))}`, own);
    assert.equal(view.at('user', 'email'), EVE.email);
    assert.equal(
      keysOf(view.at('user')).some((key) => ['password', 'api_token', 'account_id'].includes(key)),
      false,
    );
    answered(await client.get('/api/orders', own), 200);
    answered(await client.get('/api/orders', { ...own, account: 'acc-acme' }), 403);
  },
  "USR-04: the platform's own account makes none": async (client) => {
    refused(await makeUser(client, EVE, { account: 'acc-platform' }), 422, undefined);
  },
  'USR-05: changing and removing are 401': async (client) => {
    for (const method of ['PATCH', 'DELETE'])
      refused(await client.call(method, '/api/users/user-rob', { user: { fname: 'R' } }), 401, undefined);
    assert.equal((await client.get('/api/users/user-rob')).at('user', 'fname'), 'Rob');
  },
});
