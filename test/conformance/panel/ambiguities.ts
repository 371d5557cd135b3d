// Conformance of what the documents leave open about panel accounts, users and callbacks.
import { OAUTH_READ_ONLY_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { gapsIn } from '../context.ts';
import type { Client } from '../context.ts';
import {
  BLOG,
  LIST,
  MINUTE_MS,
  SHOP,
  answering,
  buy,
  minutes,
  paying,
  platform,
  rowFor,
  sent,
  stored,
  usernames,
  wait,
} from './support.ts';
import { SITE, order, viewed } from '../billing/purchase-support.ts';
import { makeUser } from '../user/users.ts';

const GONE = `${LIST}/acmegone`;
const resize = async (client: Client, wanted: string, path = SHOP): Promise<number> =>
  (await client.call('PATCH', path, { package: wanted })).status;

/** The username of what was bought for owned.example.com. */
const bought = (client: Client): string =>
  [...client.sandbox.state.panel.accounts.values()].find(({ local }) => local?.primaryDomain === 'owned.example.com')
    ?.username ?? 'none';

export const panelGapCases = gapsIn('panel', {
  'GAP-46: whether the order names the account': [
    { unnamed: false, 'in-order': true },
    async (client) => {
      const reply = await buy(client);
      wait(client, 10_000);
      return (await viewed(client, reply)).text.includes(bought(client));
    },
  ],
  'GAP-46.listed: from when on it is listed': [
    { settled: [6, 7, 7], completed: [6, 6, 7] },
    async (client) => {
      await buy(client);
      const seen = [(await usernames(client)).length];
      for (const later of [4_000, 10_000]) {
        wait(client, later);
        seen.push((await usernames(client)).length);
      }
      return seen;
    },
  ],
  'GAP-46.domain: the domain of an account that is being provisioned': [
    { 'at-once': [true, true], mirrored: [false, true] },
    async (client) => {
      await buy(client);
      wait(client, 10_000);
      const early = (await rowFor(client, 'owned.example.com')) !== undefined;
      wait(client, 300_000);
      return [early, (await rowFor(client, 'owned.example.com')) !== undefined];
    },
  ],
  'GAP-46.name: what the username is made from': [
    { 'from-domain': true, opaque: false },
    async (client) => {
      await buy(client);
      wait(client, 10_000);
      return bought(client).startsWith('ownede');
    },
  ],
  'GAP-47: which code belongs to which key': [
    { 'in-order': 'basic', shifted: 'pro' },
    async (client) => (await client.get(SHOP)).at('panel_account', 'package', 'key'),
  ],
  'GAP-47.local: what the other package looks like': [
    { prefixed: 'sandbox_L', code: 'L', key: 'pro' },
    async (client) => {
      await resize(client, 'pro');
      wait(client, 20_000);
      return (await client.get(SHOP)).at('panel_account', 'local_package');
    },
  ],
  'GAP-48: the bodies of domain, password, session and purge': [
    {
      'not-shown': [501, 501, 501, 501, 501, 501],
      flat: [204, 422, 204, 204, 200, 204],
      wrapped: [422, 204, 422, 204, 200, 204],
    },
    async (client) => [
      (await client.call('POST', `${SHOP}/domains`, { domain: 'owned.example.com' })).status,
      (await client.call('POST', `${SHOP}/domains`, { panel_account: { domain: 'spare.example.com' } })).status,
      (await client.call('PATCH', `${SHOP}/password`, { password: 'fake' })).status,
      (await client.call('DELETE', `${SHOP}/domains/shop2.example.com`)).status,
      (await client.call('POST', `${SHOP}/session`)).status,
      (await client.call('POST', `${GONE}/purge`)).status,
    ],
  ],
  'GAP-48: an add-on domain is checked like that of a new account': [
    { flat: ['domain_not_owned', 'domain_in_use', 404, 2] },
    async (client) => {
      await client.call('POST', `${SHOP}/domains`, { domain: 'owned.example.com' });
      return [
        (await client.call('POST', `${SHOP}/domains`, { domain: 'theirs.example.com' })).at('code'),
        (await client.call('POST', `${SHOP}/domains`, { domain: 'owned.example.com' })).at('code'),
        (await client.call('DELETE', `${SHOP}/domains/spare.example.com`)).status,
        stored(client).mirror?.addons.length,
      ];
    },
  ],
  'GAP-48.domains: the domains of an account': [
    {
      'not-shown': [501, undefined],
      texts: [200, 'acmeshop.example.com'],
      objects: [200, { domain: 'acmeshop.example.com', kind: 'primary' }],
    },
    async (client) => {
      const reply = await client.get(`${SHOP}/domains`, { token: OAUTH_READ_ONLY_TOKEN });
      return [reply.status, withoutExtras(reply.at('domains', 0))];
    },
  ],
  'GAP-48.resize: the code of a resize that the cart refuses': [
    {
      'like-create': ['cart_pay_failed', 'cart_add_failed'],
      own: ['resize_failed', 'resize_failed'],
      bare: [undefined, undefined],
    },
    async (client) => {
      await paying(client, { refusesCharges: true });
      const unpaid = (await client.call('PATCH', SHOP, { package: 'pro' })).at('code');
      await paying(client, { refusesItems: true });
      return [unpaid, (await client.call('PATCH', SHOP, { package: 'pro' })).at('code')];
    },
  ],
  'GAP-48.same: which package counts as the same': [
    { either: [422, 422, 422], both: [422, 202, 409] },
    async (client) => {
      const first = await resize(client, 'basic');
      await resize(client, 'pro');
      wait(client, 20_000);
      return [first, await resize(client, 'pro'), await resize(client, 'basic')];
    },
  ],
  'GAP-48.inFlight: how long a resize is in flight': [
    { order: [409, 202], mirror: [409, 409] },
    async (client) => {
      await resize(client, 'pro');
      const early = await resize(client, 'max');
      wait(client, 20_000);
      return [early, await resize(client, 'max')];
    },
  ],
  'GAP-49: deleting an account': [
    { bodyless: [204, 'pending_deletion'], 'not-shown': [501, 'active'] },
    async (client) => [
      (await client.call('DELETE', SHOP)).status,
      (await client.get(SHOP)).at('panel_account', 'state'),
    ],
  ],
  'GAP-49.repeat: deleting one that is about to be deleted': [
    { refuse: [403, '2026-02-04T09:00:00.000Z'], again: [204, '2026-02-14T09:00:00.000Z'] },
    async (client) => [
      (await client.call('DELETE', GONE)).status,
      (await client.get(GONE)).at('panel_account', 'delete_scheduled_at'),
    ],
  ],
  'GAP-49.date: which time is scheduled': [
    { purge: '2026-02-04T09:00:00.000Z', request: '2026-01-05T09:00:00.000Z' },
    async (client) => (await client.get(GONE)).at('panel_account', 'delete_scheduled_at'),
  ],
  'GAP-49.provisioning: resizing and deleting what is being provisioned': [
    { refuse: [422, 422, 422], accept: [202, 422, 204] },
    async (client) => {
      await buy(client);
      wait(client, 10_000);
      const path = `${LIST}/${bought(client)}`;
      const add = await client.call('POST', `${path}/domains`, { domain: 'spare.example.com' });
      return [
        await resize(client, 'max', path),
        add.status === 501 ? 422 : add.status,
        (await client.call('DELETE', path)).status,
      ];
    },
  ],
  'GAP-49.suspended: which of two suspensions shows': [
    { admin: 'admin_suspended', dunning: 'dunning_suspended' },
    async (client) => (await client.get(`${LIST}/acmestop`)).at('panel_account', 'state'),
  ],
  'GAP-56: whether the reseller sees the users of its sub-accounts': [
    { unlisted: [false, 404], listed: [true, 200] },
    async (client) => {
      const id = String((await makeUser(client)).at('user', 'id'));
      return [
        (await client.get('/api/users')).column('users', 'id').includes(id),
        (await client.get(`/api/users/${id}`)).status,
      ];
    },
  ],
  'GAP-56.duplicate: an e-mail address that is taken': [
    { refuse: [422, 1, 1], second: [201, 2, 2], 'further-account': [201, 1, 2] },
    async (client) => {
      await makeUser(client);
      const { status } = await makeUser(client);
      const { users, accounts } = client.sandbox.state;
      return [
        status,
        [...users.values()].filter(({ email }) => email === 'eve@client.example').length,
        [...accounts.values()].filter(({ parentId }) => parentId === 'acc-acme').length,
      ];
    },
  ],
  'GAP-56.role: the role that making users takes': [
    { full: 403, modify: 201 },
    async (client) => {
      const rob = client.sandbox.state.users.get('user-rob');
      if (rob !== undefined) rob.role = 'modify';
      return (await makeUser(client, undefined, { token: READER_API_KEY })).status;
    },
  ],
  'GAP-56.refusal: what a missing role answers': [
    { 403: 403, 422: 422 },
    async (client) => (await makeUser(client, undefined, { token: READER_API_KEY })).status,
  ],
  'GAP-56.status: the status of a create': [{ 201: 201, 200: 200 }, async (client) => (await makeUser(client)).status],
  'GAP-56.reach: whose credential reaches the sub-account': [
    { reseller: 200, own: 403 },
    async (client) => {
      const account = String((await makeUser(client)).at('user', 'account_id'));
      return (await client.get('/api/orders', { account })).status;
    },
  ],
  'GAP-60: when a callback is repeated': [
    { 'by-age': [0, 2, 4, 6, 11, 26, 41], 'by-marks': [0, 2, 4, 5, 10, 25, 40] },
    async (client) => {
      await answering(client, 'https://ci.example/done', { status: 500 });
      await order(client, SITE, { callback: { url: 'https://ci.example/done' } });
      wait(client, 50 * MINUTE_MS);
      const [delivery] = await sent(client, 'callback');
      return delivery === undefined ? [] : minutes(delivery);
    },
  ],
  'PNL-11 panelOwners: whose accounts are listed': [
    { header: [false, true], reach: [true, true] },
    async (client) => {
      const seen = async (account: string): Promise<boolean> =>
        (await client.get(LIST, { account })).column('panel_accounts', 'username').includes('othersite');
      return [await seen('acc-acme'), await seen('acc-other')];
    },
  ],
  'PNL-07 lateLists: a late account is in no list yet, and found by its name': [
    { off: [true, true], 'reads:1': [false, true] },
    async (client) => {
      await buy(client);
      await platform(client, {});
      wait(client, 10_000);
      const name = bought(client);
      return [(await usernames(client)).includes(name), (await client.get(`${LIST}/${name}`)).status === 200];
    },
  ],
  'USR-01 lateLists: a late user': [
    { off: [true, true], 'reads:1': [false, true] },
    async (client) => {
      const reply = await makeUser(client);
      const own = { account: String(reply.at('user', 'account_id')) };
      const seen = async (): Promise<boolean> =>
        (await client.get('/api/users', own)).column('users', 'id').includes(reply.at('user', 'id'));
      return [await seen(), await seen()];
    },
  ],
  'PNL-15 GAP-48.inFlight: an account that is about to be resized keeps its package': [
    { order: 'mini', mirror: 'mini' },
    async (client) => {
      await resize(client, 'pro', BLOG);
      return (await client.get(BLOG)).at('panel_account', 'package', 'key');
    },
  ],
});

function withoutExtras(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('x_sandbox')));
}
