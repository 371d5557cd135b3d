// Conformance of reading panel accounts: rows, states, the list and its end, the mirror.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, SYSTEM_KEY, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import { BLOG, LIST, SHOP, buy, platform, rowFor, stored, usernames, wait } from './support.ts';

export const panelCases = casesIn(plain('panel'), {
  'PNL-01: a username has letters, digits and underscores; anything else is no path': async (client) => {
    assert.equal((await client.get(`${LIST}/acme_old`)).at('panel_account', 'username'), 'acme_old');
    await client.call('POST', '/_sandbox/panel', { username: 'odd-name', accountId: 'acc-acme' });
    const odd = await client.get(`${LIST}/odd-name`);
    assert.deepEqual([odd.status, odd.text], [404, '']);
    refused(await client.get(`${LIST}/${stored(client).id.replace('-', '_')}`), 404, 'account_not_found');
  },
  'PNL-02: a row has its twelve fields, a view the same': async (client) => {
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
  'PNL-02/account: without a record the owning workspace is left out': async (client) => {
    const row = (await client.get(`${LIST}/acme_old`)).at('panel_account');
    assert.equal(keysOf(row).includes('account'), false);
  },
  'PNL-03: a package outside the catalogue keeps its code, in capitals, and has no key': async (client) => {
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
  'PNL-04: about to be deleted wins over both suspensions': async (client) => {
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
  'PNL-05: after a resize the mirror has the old package for minutes': async (client) => {
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
  'PNL-06: a just-ordered account is provisioning: its package, and nothing of the server': async (client) => {
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
  'PNL-07: mail-only and purged accounts are neither listed nor found, those purged by time neither': async (
    client,
  ) => {
    const names = async (): Promise<readonly unknown[]> => usernames(client);
    assert.deepEqual(await names(), ['acme_old', 'acmeblog', 'acmegone', 'acmeheld', 'acmeshop', 'acmestop']);
    for (const name of ['acmemail', 'acmepurg']) refused(await client.get(`${LIST}/${name}`), 404, 'account_not_found');
    wait(client, 21 * 86_400_000);
    assert.equal((await names()).includes('acmegone'), false);
  },
  'PNL-08: panel:read reads; no token writes': async (client) => {
    answered(await client.get(LIST, { token: oauthToken(['panel:read']) }), 200);
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
    answered(await client.get(LIST, { token: SYSTEM_KEY }), 200);
  },
  'PNL-11: q finds part of any name, in any case; pages have no total': async (client) => {
    for (const q of ['CMESHO', 'shop2', 'winkel']) assert.deepEqual(await usernames(client, `?q=${q}`), ['acmeshop']);
    assert.deepEqual(await usernames(client, '?q=host2'), ['acme_old']);
    const pages = await Promise.all([1, 2, 3].map((page) => usernames(client, `?per_page=4&page=${page}`)));
    assert.deepEqual([pages.map((page) => page.length), pages.flat().sort()], [[4, 2, 0], await usernames(client)]);
    assert.deepEqual(keysOf((await client.get(LIST)).at()), ['panel_accounts']);
  },
  'PNL-12: a mirror that cannot be read is a 503, never an empty list': async (client) => {
    for (const trouble of ['mirror', 'details']) {
      await platform(client, { troubles: [trouble] });
      refused(await client.get(LIST), 503, 'panel_unavailable');
    }
  },
  'PNL-12/show: the view degrades: no mailboxes, the domain of the record': async (client) => {
    await client.call('PATCH', '/_sandbox/panel/acmeshop', { mirror: { primaryDomain: 'moved.example.com' } });
    await platform(client, { troubles: ['details'] });
    const reply = await client.get(SHOP);
    assert.deepEqual(
      [reply.status, reply.at('panel_account', 'mailbox_count'), reply.at('panel_account', 'primary_domain')],
      [200, 0, 'acmeshop.example.com'],
    );
  },
  'PNL-22: every state can be viewed': async (client) => {
    for (const path of [BLOG, `${LIST}/acmeheld`, `${LIST}/acmestop`, `${LIST}/acmegone`])
      answered(await client.get(path), 200);
  },
  'LIM-05: of more than five hundred accounts the rest is found with q only': async (_client, start) => {
    const client = await start({ scenario: 'panel:520' });
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
});
