// Conformance of users: listed, viewed, made with a sub-account, never changed.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase, Reply } from '../context.ts';
import { startPanel } from '../panel/support.ts';

const EVE = { fname: 'Eve', lname: 'Klant', email: 'eve@client.example' };

export const makeUser = (client: Client, user: object = EVE, options: object = {}): Promise<Reply> =>
  client.call('POST', '/api/users', { user }, options);

export const userCases: readonly ConformanceCase[] = [
  {
    rule: 'USR-01',
    title: 'users of the account, with their eight fields, never for OAuth',
    async run(context) {
      const client = await startPanel(context);
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
      assert.equal((await client.get('/api/users/user-rob', { account: 'acc-other' })).status, 404);
      refused(await client.get('/api/users', { account: null }), 400, 'missing_account');
      for (const method of ['GET', 'POST'])
        assert.equal((await client.call(method, '/api/users', undefined, { token: OAUTH_TOKEN })).status, 403);
    },
  },
  {
    rule: 'USR-02',
    title: "a user is made with a sub-account of the company's name",
    async run(context) {
      const client = await startPanel(context);
      const reply = await makeUser(client, {
        ...EVE,
        company_name: 'Client BV',
        locale: 'nl',
        billing_term: 'annual',
        set_reseller_billing_plan_id: 7,
      });
      assert.equal(reply.status, 201);
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
  },
  {
    rule: 'USR-02',
    title: 'what is missing or not valid makes nobody',
    async run(context) {
      const client = await startPanel(context);
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
      assert.equal((await client.call('POST', '/api/users', EVE)).status, 422);
      assert.equal(client.sandbox.creations.size, 0);
    },
  },
  {
    rule: 'USR-02/reseller',
    title: 'it takes an administrator, and a reseller',
    async run(context) {
      const client = await startPanel(context);
      refused(await makeUser(client, EVE, { token: READER_API_KEY }), 403, undefined);
      refused(await makeUser(client, EVE, { account: 'acc-bare' }), 403, undefined);
      assert.equal(client.sandbox.creations.size, 0);
    },
  },
  {
    rule: 'USR-03',
    title: 'password, account and token are told once; the token works, and the account takes the header',
    async run(context) {
      const client = await startPanel(context);
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
      assert.equal((await client.get('/api/orders', own)).status, 200);
      assert.equal((await client.get('/api/orders', { ...own, account: 'acc-acme' })).status, 403);
    },
  },
  {
    rule: 'USR-04',
    title: "the platform's own account makes none",
    async run(context) {
      const client = await startPanel(context);
      refused(await makeUser(client, EVE, { account: 'acc-platform' }), 422, undefined);
    },
  },
  {
    rule: 'USR-05',
    title: 'changing and removing are 401',
    async run(context) {
      const client = await startPanel(context);
      for (const method of ['PATCH', 'DELETE'])
        refused(await client.call(method, '/api/users/user-rob', { user: { fname: 'R' } }), 401, undefined);
      assert.equal((await client.get('/api/users/user-rob')).at('user', 'fname'), 'Rob');
    },
  },
];
