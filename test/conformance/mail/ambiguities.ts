// Conformance of what the documents leave open about mailspaces.
import { gapsIn, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { MINUTE_MS, SHOP, publish, stored, trouble, wait } from './support.ts';

const BLOG = '/api/mailspace/mail-blog';
const DOCS = '/api/mailspace/mail-docs';
const FULL = '/api/mailspace/mail-full';
const JANE = { username: 'jane', password: 'fake' };

const create = async (client: Client, path: string, body: object): Promise<number> =>
  (await client.call('POST', `${path}/mailboxes`, { ...JANE, ...body })).status;

export const mailGapCases = gapsIn('mail', {
  'GAP-35: the status before it is provisioned, and before it is purged': [
    { follows: ['pending', 'inactive'], 'active-at-once': ['active', 'active'] },
    async (client) => [
      (await client.get(BLOG)).at('mailspace', 'status'),
      (await client.get('/api/mailspace/mail-leaving')).at('mailspace', 'status'),
    ],
  ],
  'GAP-36: the body of a change of package': [
    { 'not-shown': [501, 501], flat: [202, 400], wrapped: [400, 202] },
    async (client) => [
      (await client.call('PATCH', SHOP, { package: 'mail_50' })).status,
      (await client.call('PATCH', SHOP, { mailspace: { package: 'mail_50' } })).status,
    ],
  ],
  'GAP-37: deleting and restoring a mailspace': [
    { 'not-shown': [501, false, 501], bodyless: [204, true, 204] },
    async (client) => {
      const gone = (await client.call('DELETE', SHOP)).status;
      const pending = (await client.get(SHOP)).at('mailspace', 'pending_deletion');
      return [gone, pending, (await client.call('POST', `${SHOP}/restore`)).status];
    },
  ],
  'GAP-38: how the verification of the primary domain is wrapped': [
    { wrapped: [undefined, 'TXT'], flat: ['TXT', undefined] },
    async (client) => {
      const reply = await client.get(`${BLOG}/domain_verification`);
      return [reply.at('txt_type'), reply.at('domain_verification', 'txt_type')];
    },
  ],
  'GAP-38.missing: verifying without a TXT record': [
    { state: 200, refuse: 422 },
    async (client) => (await client.call('POST', `${BLOG}/domain_verification`)).status,
  ],
  'GAP-38.secondary: what verifies a secondary domain: time, one of two paths, or somebody by hand': [
    {
      sweep: [501, 501, 'served', 400],
      verify: [200, 501, 'served', 400],
      domain_verification: [501, 200, 'served', 400],
      dashboard: [501, 501, 'pending_verification', 200],
    },
    async (client) => {
      const path = `${SHOP}/domains/shop.example.org`;
      await publish(client, '_mailspace-verify.shop.example.org', 'a1'.repeat(16));
      const answers = [
        (await client.call('POST', `${path}/verify`)).status,
        (await client.call('POST', `${path}/domain_verification`)).status,
      ];
      wait(client, 2 * MINUTE_MS);
      const state = (await client.get(path)).at('domain', 'state');
      return [
        ...answers,
        state,
        (await client.call('POST', '/_sandbox/mailspaces/mail-shop/domains/verify', { name: 'shop.example.org' }))
          .status,
      ];
    },
  ],
  'GAP-39: removing a pending domain': [
    { always: [409, 1, 409], 'when-degraded': [200, 0, 404] },
    async (client) => {
      const path = `${SHOP}/domains/shop.example.org`;
      const first = (await client.call('DELETE', path)).status;
      return [
        first,
        stored(client).pendingDomains.length,
        (await client.call('PATCH', path, { description: 'x' })).status,
      ];
    },
  ],
  'GAP-39: changing a pending domain': [
    { always: [409, 409], 'when-degraded': [200, 409] },
    async (client) => {
      const path = `${SHOP}/domains/shop.example.org`;
      const readable = (await client.call('PATCH', path, { description: 'x' })).status;
      await trouble(client, 'domain');
      return [readable, (await client.call('PATCH', path, { description: 'y' })).status];
    },
  ],
  'GAP-40: what a DNS check answers': [
    { report: [6, undefined], wrapped: [undefined, 6], empty: [undefined, undefined] },
    async (client) => {
      const reply = await client.call('POST', `${SHOP}/domains/dns_check`);
      return [reply.at('total'), reply.at('dns', 'total')];
    },
  ],
  'GAP-40.limit: a second DNS check too soon': [
    { 429: [429, undefined], 422: [422, undefined], previous: [200, 0] },
    async (client) => {
      await client.call('POST', `${SHOP}/domains/dns_check`);
      await publish(client, 'mail.shop.example.com', '192.0.2.25', 'A');
      const reply = await client.call('POST', `${SHOP}/domains/dns_check`);
      return [reply.status, reply.at('detected')];
    },
  ],
  'GAP-41: the body of a change of a group': [
    { 'not-shown': [501, 501, 'The team'], flat: [200, 422, 'New'], wrapped: [400, 200, 'Newer'] },
    async (client) => {
      const path = `${SHOP}/groups/grp-team`;
      const flat = (await client.call('PATCH', path, { description: 'New' })).status;
      const wrapped = (await client.call('PATCH', path, { group: { description: 'Newer' } })).status;
      return [flat, wrapped, stored(client).groups[0]?.description];
    },
  ],
  'GAP-41.delete: removing a group': [
    { 'not-shown': [501, 3, 501], bodyless: [204, 2, 404] },
    async (client) => {
      const path = `${SHOP}/groups/grp-team`;
      return [
        (await client.call('DELETE', path)).status,
        stored(client).groups.length,
        (await client.call('DELETE', path)).status,
      ];
    },
  ],
  'GAP-42: removing a mailbox': [
    { bodyless: [204, 'pending_deletion'], 'not-shown': [501, 'active'] },
    async (client) => [
      (await client.call('DELETE', `${SHOP}/mailboxes/mbx-anna`)).status,
      stored(client).mailboxes[0]?.status,
    ],
  ],
  'GAP-42.restore: restoring a mailbox at its own path': [
    { 'not-shown': [501, 'pending_deletion', 501], bodyless: [204, 'active', 501] },
    async (client) => {
      const path = `${DOCS}/mailboxes/mbx-left`;
      return [
        (await client.call('POST', `${path}/restore`)).status,
        stored(client, 'mail-docs').mailboxes[1]?.status,
        (await client.call('POST', `${path}/force_delete`)).status,
      ];
    },
  ],
  'GAP-43: which mailboxes count to the limit': [
    { all: [201, 422, 422, 422], live: [201, 201, 422, 422], active: [201, 201, 201, 422] },
    async (client) => {
      const answers = [];
      for (const username of ['c', 'd', 'e', 'f']) answers.push(await create(client, FULL, { username }));
      return answers;
    },
  ],
  'GAP-43.address: the address of a mailbox about to be deleted': [
    { blocks: [422, 200], free: [201, 422] },
    async (client) => [
      await create(client, DOCS, { username: 'left' }),
      (await client.call('PATCH', `${DOCS}/mailboxes/mbx-left`, { status: 'active' })).status,
    ],
  ],
  'GAP-44: the list of mailing lists': [
    { 'not-shown': [501, undefined], 'like-groups': [200, 'news'] },
    async (client) => {
      const reply = await client.get(`${SHOP}/mailing_lists`);
      return [reply.status, reply.at('mailing_lists', 0, 'name')];
    },
  ],
  'GAP-45: what updating a mailbox answers': [
    { view: ['Other', true], 'create-shape': ['Other', false], empty: [undefined, false] },
    async (client) => {
      const reply = await client.call('PATCH', `${SHOP}/mailboxes/mbx-anna`, { display_name: 'Other' });
      return [reply.at('mailbox', 'display_name'), Array.isArray(reply.at('mailbox', 'groups'))];
    },
  ],
  'GAP-45.status: the status in a view that cannot be read': [
    { kept: ['active', 'pending_deletion'], empty: ['', 'pending_deletion'] },
    async (client) => {
      await trouble(client, 'mailbox', null, 'mail-docs');
      const status = async (id: string): Promise<unknown> =>
        (await client.get(`${DOCS}/mailboxes/${id}`)).at('mailbox', 'status');
      return [await status('mbx-dora'), await status('mbx-left')];
    },
  ],
  'GAP-68: a mailbox about to be deleted on a domain to be removed': [
    { block: 422, ignored: 200 },
    async (client) => {
      await client.call('POST', '/_sandbox/mailspaces/mail-shop/mailboxes', {
        email: 'left@shop.example.net',
        status: 'pending_deletion',
        scheduledDeletionAt: 9e15,
      });
      return (await client.call('DELETE', `${SHOP}/domains/shop.example.net`)).status;
    },
  ],
  'GAP-68.aliases: the aliases of a removed domain': [
    { vanish: ['sales@shop.example.com'], stay: ['sales@shop.example.com', 'anna@shop.example.net'] },
    async (client) => {
      await client.call('DELETE', `${SHOP}/domains/shop.example.net`);
      return stored(client).mailboxes[0]?.aliases;
    },
  ],
  'MBX-12 foreignMembership: a foreign group in a create, before or after the mailbox is made': [
    { 'checked-first': [422, 3], 'after-record': [422, 4] },
    async (client) => [
      await create(client, SHOP, { groups: ['team@foreign.example.com'] }),
      stored(client).mailboxes.length,
    ],
  ],
  'GAP-25 emptyTexts: how an empty display name reads': [
    { null: null, text: '', absent: null },
    async (client) => (await client.get(`${SHOP}/mailboxes/mbx-ben`)).at('mailbox', 'display_name'),
  ],
  'RTY-06 lateLists: new things of mail show up late in every list': [
    { off: [1, 1, 1, 1], 'reads:1': [0, 0, 0, 0] },
    async (client) => {
      await client.call('POST', `${SHOP}/mailboxes`, JANE);
      await client.call('POST', `${SHOP}/aliases`, { address: 'fresh', target_email: 'anna@shop.example.com' });
      await client.call('POST', `${SHOP}/groups`, { name: 'Fresh', email: 'fresh-group' });
      await client.call('POST', `${SHOP}/domains`, { name: 'fresh.example.com' });
      const fresh = async (path: string, list: string, key: string): Promise<number> =>
        (await client.get(`${SHOP}/${path}`)).column(list, key).filter((value) => /^(jane|fresh)/.test(String(value)))
          .length;
      const seen = [
        await fresh('mailboxes', 'mailboxes', 'email'),
        await fresh('aliases', 'aliases', 'address'),
        await fresh('groups', 'groups', 'email'),
        await fresh('domains', 'pending_domains', 'name'),
      ];
      refused(await client.call('POST', `${SHOP}/mailboxes`, JANE), 422, 'create_failed');
      return seen;
    },
  ],
  'MSP-07 lateLists: a mailspace shows up late': [
    { off: [7, 7], 'reads:1': [6, 7] },
    async (client) => {
      await client.call('POST', '/api/mailspace', { domain: 'new.example.com' });
      wait(client, 20_000);
      const count = async (): Promise<number> => (await client.get('/api/mailspace')).column('mailspaces', 'id').length;
      return [await count(), await count()];
    },
  ],
});
