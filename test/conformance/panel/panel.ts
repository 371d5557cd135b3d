// Conformance of reading panel accounts: rows, states, the list and its end, the mirror.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, SYSTEM_KEY, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { keysOf, refused } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { BLOG, LIST, SHOP, buy, platform, rowFor, startPanel, stored, usernames, wait } from './support.ts';

export const panelCases: readonly ConformanceCase[] = [
  {
    rule: 'PNL-01',
    title: 'a username has letters, digits and underscores; anything else is no path',
    async run(context) {
      const client = await startPanel(context);
      assert.equal((await client.get(`${LIST}/acme_old`)).at('panel_account', 'username'), 'acme_old');
      await client.call('POST', '/_sandbox/panel', { username: 'odd-name', accountId: 'acc-acme' });
      const odd = await client.get(`${LIST}/odd-name`);
      assert.deepEqual([odd.status, odd.text], [404, '']);
      refused(await client.get(`${LIST}/${stored(client).id.replace('-', '_')}`), 404, 'account_not_found');
    },
  },
  {
    rule: 'PNL-02',
    title: 'a row has its twelve fields, a view the same',
    async run(context) {
      const client = await startPanel(context);
      const row = await rowFor(client, 'acmeshop.example.com');
      assert.deepEqual(keysOf(row), [
        'account',
        'addon_domain_count',
        'delete_scheduled_at',
        'disk',
        'mailbox_count',
        'package',
        'primary_domain',
        'server',
        'state',
        'subscription',
        'username',
      ]);
      assert.deepEqual((await client.get(SHOP)).at('panel_account'), row);
      assert.deepEqual(
        [row?.['disk'], row?.['subscription']],
        [
          { used_mb: 8_000, quota_mb: 20_000 },
          { id: 'sub-acmeshop', status: 'active', term: 'monthly' },
        ],
      );
      await client.call('PATCH', '/_sandbox/panel/acmeshop', { mirror: { packageCode: 'L' } });
      assert.equal((await rowFor(client, 'acmeshop.example.com'))?.['local_package'], 'sandbox_M');
    },
  },
  {
    rule: 'PNL-02/account',
    title: 'without a record the owning workspace is left out',
    async run(context) {
      const row = (await (await startPanel(context)).get(`${LIST}/acme_old`)).at('panel_account');
      assert.equal(keysOf(row).includes('account'), false);
    },
  },
  {
    rule: 'PNL-03',
    title: 'a package outside the catalogue keeps its code, in capitals, and has no key',
    async run(context) {
      const client = await startPanel(context);
      assert.deepEqual((await client.get(SHOP)).at('panel_account', 'package'), {
        code: 'M',
        key: 'basic',
        label: 'Basic',
      });
      assert.deepEqual((await client.get(`${LIST}/acme_old`)).at('panel_account', 'package'), {
        code: 'LEGACY_2G',
        key: null,
        label: 'LEGACY_2G',
      });
      await client.call('PATCH', '/_sandbox/panel/acme_old', { mirror: { packageCode: null } });
      assert.equal((await client.get(`${LIST}/acme_old`)).at('panel_account', 'package', 'code'), null);
    },
  },
  {
    rule: 'PNL-04',
    title: 'about to be deleted wins over both suspensions',
    async run(context) {
      const client = await startPanel(context);
      const state = async (name: string): Promise<unknown> =>
        (await client.get(`${LIST}/${name}`)).at('panel_account', 'state');
      assert.deepEqual(
        [await state('acmeshop'), await state('acmeheld'), await state('acmestop'), await state('acmegone')],
        ['active', 'dunning_suspended', 'admin_suspended', 'pending_deletion'],
      );
      assert.equal(
        (await client.get(`${LIST}/acmegone`)).at('panel_account', 'delete_scheduled_at'),
        '2026-02-04T09:00:00.000Z',
      );
    },
  },
  {
    rule: 'PNL-05',
    title: 'after a resize the mirror has the old package for minutes',
    async run(context) {
      const client = await startPanel(context);
      await client.call('PATCH', SHOP, { package: 'pro' });
      const seen = async (): Promise<readonly unknown[]> => {
        const reply = await client.get(SHOP);
        return [
          reply.at('panel_account', 'package', 'key'),
          reply.at('panel_account', 'local_package'),
          reply.at('panel_account', 'disk', 'quota_mb'),
        ];
      };
      assert.deepEqual(await seen(), ['basic', undefined, 20_000]);
      wait(client, 20_000);
      assert.deepEqual(await seen(), ['basic', 'sandbox_L', 20_000]);
      wait(client, 180_000);
      assert.deepEqual(await seen(), ['pro', undefined, 50_000]);
    },
  },
  {
    rule: 'PNL-06',
    title: 'a just-ordered account is provisioning: its package, and nothing of the server',
    async run(context) {
      const client = await startPanel(context);
      await buy(client);
      wait(client, 4_000);
      const row = await rowFor(client, 'owned.example.com');
      const { state, disk, server, mailbox_count, addon_domain_count } = row ?? {};
      assert.deepEqual(
        [state, disk, server, mailbox_count, addon_domain_count],
        ['provisioning', { used_mb: null, quota_mb: null }, null, 0, 0],
      );
      assert.deepEqual(
        [(row?.['package'] as { key: string }).key, keysOf(row).includes('local_package')],
        ['basic', false],
      );
      wait(client, 200_000);
      assert.equal((await rowFor(client, 'owned.example.com'))?.['state'], 'active');
    },
  },
  {
    rule: 'PNL-07',
    title: 'mail-only and purged accounts are neither listed nor found, those purged by time neither',
    async run(context) {
      const client = await startPanel(context);
      const names = async (): Promise<readonly unknown[]> => usernames(client);
      assert.deepEqual(await names(), ['acme_old', 'acmeblog', 'acmegone', 'acmeheld', 'acmeshop', 'acmestop']);
      for (const name of ['acmemail', 'acmepurg'])
        refused(await client.get(`${LIST}/${name}`), 404, 'account_not_found');
      wait(client, 21 * 86_400_000);
      assert.equal((await names()).includes('acmegone'), false);
    },
  },
  {
    rule: 'PNL-08',
    title: 'panel:read reads; no token writes',
    async run(context) {
      const client = await startPanel(context);
      assert.equal((await client.get(LIST, { token: oauthToken(['panel:read']) })).status, 200);
      assert.equal((await client.get(SHOP, { token: oauthToken(['sites:read']) })).at('error'), 'insufficient_scope');
      const writes = [
        ['POST', LIST],
        ['PATCH', SHOP],
        ['DELETE', SHOP],
        ['POST', `${SHOP}/domains`],
        ['DELETE', `${SHOP}/domains/x.example.com`],
        ['PATCH', `${SHOP}/password`],
        ['POST', `${SHOP}/purge`],
        ['POST', `${SHOP}/session`],
      ] as const;
      for (const [method, path] of writes) {
        const reply = await client.call(method, path, {}, { token: OAUTH_TOKEN });
        assert.deepEqual([reply.status, reply.at('code')], [403, undefined], `${method} ${path}`);
      }
      assert.equal((await client.get(LIST, { token: SYSTEM_KEY })).status, 200);
    },
  },
  {
    rule: 'PNL-11',
    title: 'q finds part of any name, in any case; pages have no total',
    async run(context) {
      const client = await startPanel(context);
      for (const q of ['CMESHO', 'shop2', 'winkel']) assert.deepEqual(await usernames(client, `?q=${q}`), ['acmeshop']);
      assert.deepEqual(await usernames(client, '?q=host2'), ['acme_old']);
      const pages = await Promise.all([1, 2, 3].map((page) => usernames(client, `?per_page=4&page=${page}`)));
      assert.deepEqual([pages.map((page) => page.length), pages.flat().sort()], [[4, 2, 0], await usernames(client)]);
      assert.deepEqual(keysOf((await client.get(LIST)).at()), ['panel_accounts']);
    },
  },
  {
    rule: 'PNL-12',
    title: 'a mirror that cannot be read is a 503, never an empty list',
    async run(context) {
      const client = await startPanel(context);
      for (const trouble of ['mirror', 'details']) {
        await platform(client, { troubles: [trouble] });
        refused(await client.get(LIST), 503, 'panel_unavailable');
      }
    },
  },
  {
    rule: 'PNL-12/show',
    title: 'the view degrades: no mailboxes, the domain of the record',
    async run(context) {
      const client = await startPanel(context);
      await client.call('PATCH', '/_sandbox/panel/acmeshop', { mirror: { primaryDomain: 'moved.example.com' } });
      await platform(client, { troubles: ['details'] });
      const reply = await client.get(SHOP);
      assert.deepEqual(
        [reply.status, reply.at('panel_account', 'mailbox_count'), reply.at('panel_account', 'primary_domain')],
        [200, 0, 'acmeshop.example.com'],
      );
    },
  },
  {
    rule: 'PNL-22',
    title: 'every state can be viewed',
    async run(context) {
      const client = await startPanel(context);
      for (const path of [BLOG, `${LIST}/acmeheld`, `${LIST}/acmestop`, `${LIST}/acmegone`])
        assert.equal((await client.get(path)).status, 200);
    },
  },
  {
    rule: 'LIM-05',
    title: 'of more than five hundred accounts the rest is found with q only',
    async run(context) {
      const client = await context.start({ scenario: 'panel:520' });
      const pages = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((page) => usernames(client, `?per_page=100&page=${page}`)),
      );
      assert.deepEqual(
        [pages.map((page) => page.length), new Set(pages.flat()).size],
        [[100, 100, 100, 100, 100, 0, 0], 500],
      );
      for (let number = 516; number <= 520; number += 1)
        assert.deepEqual(await usernames(client, `?q=u00${number}`), [`u00${number}`]);
    },
  },
];
