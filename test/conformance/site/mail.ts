// Conformance of a site's transactional mail: status, sender identity, reconcile, suspension, DNS checks.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import type { MailAccount } from '../../../src/sandbox/site/mail/state.ts';
import { keysOf, refused } from '../context.ts';
import type { CaseContext, Client, ConformanceCase } from '../context.ts';
import { gap } from '../core/ambiguities.ts';

const MAIL = '/api/sites/site-shop/mail';
const BLOG = '/api/sites/site-blog/mail';
const DAY_MS = 86_400_000;

const settings = (client: Client, body: unknown) => client.call('PATCH', `${MAIL}/settings`, body);
const unblock = (client: Client, options = {}) => client.call('DELETE', `${MAIL}/suspension`, undefined, options);
const check = (client: Client) => client.call('POST', `${MAIL}/dns_check`);

function account(client: Client): MailAccount {
  const mail = client.sandbox.state.sites.get('site-shop')?.mail;
  assert.ok(mail !== null && mail !== undefined);
  return mail;
}

/** A sandbox whose shop's account is as given. */
async function withAccount(
  context: CaseContext,
  given: Partial<MailAccount>,
  dns: Partial<MailAccount['dns']> = {},
): Promise<Client> {
  const client = await context.start();
  Object.assign(account(client), given);
  Object.assign(account(client).dns, dns);
  return client;
}

const abuse = { abuse: true, system: false, reason: 'complaints', suspendedAt: 0 };

/** Asks for a reconcile by writing what is there already, and lets it happen. */
async function reconciled(client: Client): Promise<boolean> {
  await settings(client, { mail_from_name: 'The Shop' });
  client.sandbox.clock.advance(10_000);
  return account(client).configured;
}

const statusCases: readonly ConformanceCase[] = [
  {
    rule: 'TML-01',
    title: 'a site without an account reads as null',
    async run(context) {
      const client = await context.start();
      const reply = await client.get(BLOG);
      assert.deepEqual([reply.status, reply.at('mail')], [200, null]);
      assert.equal((await client.get(MAIL)).at('mail', 'status'), 'active');
    },
  },
  {
    rule: 'TML-02',
    title: 'without the product everything answers 503, for sites without an account too',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', '/_sandbox/platform', { mailDown: true });
      for (const path of [MAIL, `${MAIL}/logs`, `${MAIL}/metrics`, BLOG])
        refused(await client.get(path), 503, 'mailprovider_unavailable');
      refused(await settings(client, {}), 503, 'mailprovider_unavailable');
      refused(await unblock(client), 503, 'mailprovider_unavailable');
      refused(await check(client), 503, 'mailprovider_unavailable');
    },
  },
  {
    rule: 'TML-03',
    title: 'without an account everything but the status answers 422',
    async run(context) {
      const client = await context.start();
      refused(await client.call('PATCH', `${BLOG}/settings`, {}), 422, 'mail_not_provisioned');
      refused(await client.call('DELETE', `${BLOG}/suspension`), 422, 'mail_not_provisioned');
      refused(await client.call('POST', `${BLOG}/dns_check`), 422, 'mail_not_provisioned');
      refused(await client.get(`${BLOG}/logs`), 422, 'mail_not_provisioned');
      refused(await client.get(`${BLOG}/metrics`), 422, 'mail_not_provisioned');
    },
  },
  {
    rule: 'TML-04',
    title: 'an account that is not active takes settings and checks, and shows neither logs nor metrics',
    async run(context) {
      for (const status of ['pending', 'failed'] as const) {
        const client = await withAccount(context, { status, suspension: abuse });
        refused(await client.get(`${MAIL}/logs`), 422, 'mail_not_active');
        refused(await client.get(`${MAIL}/metrics`), 422, 'mail_not_active');
        assert.equal((await settings(client, { mail_from_name: 'x' })).status, 200);
        assert.equal((await check(client)).status, 202);
        assert.equal((await unblock(client)).status, 200);
      }
    },
  },
  {
    rule: 'TML-05',
    title: 'the read scope reads, the write scope writes, and can_modify lifts a block',
    async run(context) {
      const client = await withAccount(context, { suspension: abuse });
      const reads = { token: oauthToken(['sites:read']) };
      assert.equal((await client.get(MAIL, reads)).status, 200);
      assert.equal((await client.call('PATCH', `${MAIL}/settings`, {}, reads)).at('error'), 'insufficient_scope');
      const roles = client.sandbox.state.users.get('user-rob')?.siteRoles;
      roles?.set('site-shop', 'read');
      assert.equal((await client.call('PATCH', `${MAIL}/settings`, {}, { token: READER_API_KEY })).status, 403);
      roles?.set('site-shop', 'modify');
      assert.equal((await unblock(client, { token: READER_API_KEY })).status, 200);
    },
  },
  {
    rule: 'CNV-15/mail',
    title: 'lifting a block is a DELETE that takes can_modify only',
    async run(context) {
      const client = await withAccount(context, { suspension: abuse });
      client.sandbox.state.users.get('user-rob')?.siteRoles.set('site-shop', 'modify');
      assert.equal((await unblock(client, { token: READER_API_KEY })).status, 200);
    },
  },
  {
    rule: 'TML-06',
    title: 'every field is there, also on an account that has nothing yet',
    async run(context) {
      const client = await context.start();
      const mail = (await client.get('/api/sites/site-docs/mail')).at('mail') as Record<string, object>;
      assert.deepEqual(keysOf(mail), [
        'configured',
        'created_at',
        'dns',
        'notifications_active',
        'sender_identity',
        'status',
        'suspension',
        'updated_at',
      ]);
      assert.deepEqual(keysOf(mail['dns']), [
        'all_verified',
        'checked_at',
        'dkim_verified',
        'locally_checked',
        'lockdown_verified',
        'spf_verified',
        'verdict',
      ]);
      assert.deepEqual(keysOf(mail['sender_identity']), [
        'dkim_domain',
        'from_email',
        'from_local_part',
        'from_name',
        'mail_from_local_part',
        'mail_from_name',
      ]);
      assert.deepEqual([mail['configured'], mail['status']], [false, 'pending']);
    },
  },
  {
    rule: 'TML-07',
    title: 'an ordered site has an account, and nothing makes one',
    async run(context) {
      const client = await context.start();
      await client.call('POST', '/api/orders', {
        site: { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' },
      });
      client.sandbox.clock.advance(60_000);
      const bought = [...client.sandbox.state.sites.keys()].at(-1);
      assert.notEqual((await client.get(`/api/sites/${String(bought)}/mail`)).at('mail'), null);
      assert.equal((await client.call('POST', BLOG, {})).status, 501);
      assert.equal((await client.call('PATCH', MAIL, {})).status, 501);
    },
  },
  {
    rule: 'TML-08',
    title: 'all verified is all three; a provider without an answer leaves a prediction and no verdict',
    async run(context) {
      const client = await withAccount(
        context,
        { providerSilent: true, published: { spf: true, dkim: false, lockdown: true } },
        { verdict: 'unknown' },
      );
      await check(client);
      client.sandbox.clock.advance(10_000);
      const dns = (await client.get(MAIL)).at('mail', 'dns') as Record<string, unknown>;
      assert.deepEqual(
        [dns['verdict'], dns['spf_verified'], dns['dkim_verified'], dns['all_verified'], dns['locally_checked']],
        ['unknown', true, false, false, true],
      );
    },
  },
  {
    rule: 'TML-10',
    title: 'overrides read as stored, null where a default applies',
    async run(context) {
      const client = await context.start();
      await settings(client, { mail_from_local_part: null, mail_from_name: null });
      const sender = (await client.get(MAIL)).at('mail', 'sender_identity') as Record<string, unknown>;
      assert.deepEqual([sender['mail_from_local_part'], sender['mail_from_name']], [null, null]);
      assert.deepEqual(
        [sender['from_local_part'], sender['from_name'], sender['from_email']],
        ['noreply', 'shop', 'noreply@shop.example.com'],
      );
    },
  },
  {
    rule: 'TML-10/composed',
    title: 'without a DKIM domain there is no address',
    async run(context) {
      const client = await context.start();
      const docs = await client.get('/api/sites/site-docs/mail');
      assert.equal(docs.at('mail', 'sender_identity', 'from_email'), null);
    },
  },
  {
    rule: 'TML-25',
    title: 'no value of a DNS record is shown',
    async run(context) {
      const client = await context.start();
      const { text } = await client.get(MAIL);
      assert.ok(!/v=spf1|DKIM1|_domainkey/i.test(text));
    },
  },
  {
    rule: 'TML-26',
    title: 'notifications_active stays as it is',
    async run(context) {
      const client = await context.start();
      const reply = await settings(client, { notifications_active: true });
      assert.deepEqual([reply.status, reply.at('mail', 'notifications_active')], [200, false]);
    },
  },
  {
    rule: 'TML-27',
    title: 'the guards of the site come before all of it',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      client.sandbox.state.mailDown = true;
      refused(await client.get('/api/sites/site-suspended/mail'), 402, 'service_suspended');
      refused(await client.get('/api/sites/site-leaving/mail'), 403, 'pending_delete');
      assert.deepEqual((await client.call('PATCH', '/api/sites/site-view-only/mail/settings', {})).at('errors'), [
        'Not Authorized',
      ]);
      assert.equal((await client.get('/api/sites/nowhere/mail')).status, 404);
    },
  },
];

const settingCases: readonly ConformanceCase[] = [
  {
    rule: 'TML-11',
    title: 'null, an empty text and spaces clear',
    async run(context) {
      for (const blank of [null, '', '  ']) {
        const client = await context.start();
        await settings(client, { mail_from_local_part: 'orders', mail_from_name: 'Orders' });
        const reply = await settings(client, { mail_from_local_part: blank, mail_from_name: blank });
        assert.deepEqual([reply.status, account(client).fromLocalPart, account(client).fromName], [200, null, null]);
      }
    },
  },
  {
    rule: 'TML-11/ignored',
    title: 'a mistyped key is a 200 that changes nothing',
    async run(context) {
      const client = await context.start();
      const reply = await settings(client, { from_name: 'Other', mail: { mail_from_name: 'Other' } });
      assert.deepEqual([reply.status, reply.at('mail', 'sender_identity', 'mail_from_name')], [200, 'The Shop']);
    },
  },
  {
    rule: 'TML-12',
    title: 'other forms are refused whole, with a text for each field',
    async run(context) {
      const client = await context.start();
      for (const local of ['.a', 'a.', 'a..b', 'a b', '-a', 'ä', 'a@b', 17])
        refused(await settings(client, { mail_from_local_part: local }), 422, 'invalid_sender_identity');
      for (const name of ['a\nb', 'a\u0000', 'a\u007f', false])
        refused(await settings(client, { mail_from_name: name }), 422, 'invalid_sender_identity');
      const both = await settings(client, { mail_from_local_part: '.', mail_from_name: '\u0001' });
      assert.equal((both.at('errors') as unknown[]).length, 2);
      assert.equal((await settings(client, { mail_from_local_part: 'a.B_%+-9' })).status, 200);
      assert.equal((await settings(client, { mail_from_local_part: 'a'.repeat(64) })).status, 200);
      assert.equal((await settings(client, { mail_from_local_part: 'a'.repeat(65) })).status, 422);
    },
  },
  {
    rule: 'TML-12/bytes',
    title: 'a name has 255 bytes, not characters',
    async run(context) {
      const client = await context.start();
      assert.equal((await settings(client, { mail_from_name: 'é'.repeat(127) })).status, 200);
      assert.equal((await settings(client, { mail_from_name: 'é'.repeat(128) })).status, 422);
    },
  },
  {
    rule: 'TML-13',
    title: 'values are stored while the DNS is unverified',
    async run(context) {
      const client = await withAccount(context, { configured: false }, { verdict: 'unknown' });
      const reply = await settings(client, { mail_from_local_part: 'orders' });
      assert.equal(reply.at('mail', 'sender_identity', 'mail_from_local_part'), 'orders');
    },
  },
  {
    rule: 'TML-13/queued',
    title: 'the answer does not wait for the reconcile',
    async run(context) {
      const client = await withAccount(context, { configured: false });
      assert.equal((await settings(client, {})).at('mail', 'configured'), false);
      client.sandbox.clock.advance(10_000);
      assert.equal((await client.get(MAIL)).at('mail', 'configured'), true);
    },
  },
  {
    rule: 'TML-09',
    title: 'an unknown verdict neither configures nor tears down',
    async run(context) {
      assert.equal(await reconciled(await withAccount(context, { configured: true }, { verdict: 'unknown' })), true);
      assert.equal(await reconciled(await withAccount(context, { configured: false }, { verdict: 'unknown' })), false);
    },
  },
  {
    rule: 'TML-14',
    title: 'a verified account is configured',
    async run(context) {
      assert.equal(await reconciled(await withAccount(context, { configured: false })), true);
      assert.equal(await reconciled(await withAccount(context, { configured: false, suspension: abuse })), false);
    },
  },
  {
    rule: 'TML-14/domain',
    title: 'not while the DKIM domain is another',
    async run(context) {
      assert.equal(
        await reconciled(await withAccount(context, { configured: false, dkimDomain: 'www.shop.example.com' })),
        false,
      );
    },
  },
  {
    rule: 'TML-15',
    title: 'a failed verdict has a day of grace',
    async run(context) {
      const client = await withAccount(context, { published: { spf: false, dkim: true, lockdown: true } });
      await check(client);
      client.sandbox.clock.advance(DAY_MS - 60_000);
      assert.equal(await reconciled(client), true);
      client.sandbox.clock.advance(120_000);
      assert.deepEqual([account(client).configured, account(client).dns.verdict], [false, 'failed']);
    },
  },
  {
    rule: 'TML-16',
    title: 'a suspension, no domain, or no DKIM domain tears down',
    async run(context) {
      assert.equal(await reconciled(await withAccount(context, { suspension: abuse })), false);
      assert.equal(await reconciled(await withAccount(context, { dkimDomain: null })), false);
      const client = await context.start();
      await client.call('DELETE', '/api/sites/site-shop/domain/dom-shop');
      assert.equal(await reconciled(client), false);
    },
  },
  {
    rule: 'TML-17',
    title: 'a DKIM domain that is not the primary domain is a hold',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop');
      assert.equal(await reconciled(client), true);
      assert.equal(account(client).dkimDomain, 'shop.example.com');
    },
  },
  {
    rule: 'TML-17/inactive',
    title: 'an account that is not active stays as it is',
    async run(context) {
      assert.equal(await reconciled(await withAccount(context, { status: 'failed', suspension: abuse })), true);
    },
  },
];

const blockCases: readonly ConformanceCase[] = [
  {
    rule: 'TML-19',
    title: 'a suspension says who, why, when and what may be done',
    async run(context) {
      const client = await withAccount(context, { suspension: { ...abuse, suspendedAt: Date.UTC(2026, 0, 1) } });
      assert.deepEqual((await client.get(MAIL)).at('mail', 'suspension'), {
        suspended: true,
        abuse: true,
        system: false,
        reason: 'complaints',
        suspended_at: '2026-01-01T00:00:00.000Z',
        can_self_unsuspend: true,
        remaining_self_unsuspends: 2,
      });
    },
  },
  {
    rule: 'TML-20',
    title: 'a lifted block is gone from the answer, and the reconcile follows',
    async run(context) {
      const client = await withAccount(context, { suspension: abuse, configured: false });
      const reply = await unblock(client);
      assert.deepEqual(
        [
          reply.status,
          reply.at('mail', 'suspension', 'suspended'),
          reply.at('mail', 'suspension', 'remaining_self_unsuspends'),
        ],
        [200, false, 1],
      );
      client.sandbox.clock.advance(10_000);
      assert.equal(account(client).configured, true);
    },
  },
  {
    rule: 'TML-20/allowance',
    title: 'the third within thirty days is refused, the first after them is not',
    async run(context) {
      const client = await context.start();
      const statuses = [];
      for (const waitMs of [0, 0, 0, 30 * DAY_MS]) {
        client.sandbox.clock.advance(waitMs);
        account(client).suspension = { ...abuse };
        statuses.push((await unblock(client)).status);
      }
      assert.deepEqual(statuses, [200, 200, 403, 200]);
    },
  },
  {
    rule: 'TML-21',
    title: 'nothing to lift, and a hold of the system, are refused',
    async run(context) {
      refused(await unblock(await context.start()), 403, 'unsuspend_not_allowed');
      for (const suspension of [
        { ...abuse, system: true },
        { ...abuse, abuse: false, system: true },
      ]) {
        const client = await withAccount(context, { suspension });
        refused(await unblock(client), 403, 'unsuspend_not_allowed');
        assert.equal((await client.get(MAIL)).at('mail', 'suspension', 'can_self_unsuspend'), false);
      }
    },
  },
  {
    rule: 'TML-22',
    title: 'a lifting that fails leaves the site suspended, whatever the provider did',
    async run(context) {
      for (const onUnblock of ['refuses', 'race'] as const) {
        const client = await withAccount(context, { suspension: { ...abuse }, onUnblock, providerActive: false });
        refused(await unblock(client), 422, 'unsuspend_failed');
        assert.equal((await client.get(MAIL)).at('mail', 'suspension', 'suspended'), true);
        assert.equal(account(client).providerActive, onUnblock === 'race');
      }
    },
  },
  {
    rule: 'TML-23',
    title: 'a check answers queued',
    async run(context) {
      const client = await context.start();
      const reply = await check(client);
      assert.deepEqual([reply.status, reply.at('status'), reply.at('mail')], [202, 'queued', undefined]);
    },
  },
  {
    rule: 'TML-23/later',
    title: 'its result shows up later',
    async run(context) {
      const client = await withAccount(context, { published: { spf: true, dkim: false, lockdown: true } });
      await check(client);
      assert.equal((await client.get(MAIL)).at('mail', 'dns', 'verdict'), 'verified');
      client.sandbox.clock.advance(10_000);
      assert.equal((await client.get(MAIL)).at('mail', 'dns', 'verdict'), 'failed');
    },
  },
  {
    rule: 'TML-24',
    title: 'five minutes pass between two checks; a refused one queues nothing and opens no window',
    async run(context) {
      const client = await context.start();
      await check(client);
      client.sandbox.clock.advance(200_000);
      refused(await check(client), 429, 'rate_limited');
      client.sandbox.clock.advance(100_000);
      assert.equal((await check(client)).status, 202);
    },
  },
  {
    rule: 'LIM-07/site',
    title: 'one check in five minutes for each account, those of the dashboard too',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', '/_sandbox/sites/site-shop/mail', { lastCheckAt: client.sandbox.clock.now() });
      refused(await check(client), 429, 'rate_limited');
      assert.equal(
        (await client.call('POST', '/api/sites/site-docs/mail/dns_check', undefined, { token: OAUTH_TOKEN })).status,
        202,
      );
    },
  },
];

const gapCases: readonly ConformanceCase[] = [
  gap(
    'GAP-34',
    'a pending account whose DNS is verified',
    'GAP-34',
    { activates: 'active', stays: 'pending' },
    async (client) => {
      await client.call('POST', '/api/sites/site-docs/mail/dns_check');
      client.sandbox.clock.advance(10_000);
      return client.sandbox.state.sites.get('site-docs')?.mail?.status;
    },
  ),
  gap(
    'GAP-34',
    'the DKIM domain after another primary domain',
    'GAP-34.dkim',
    { follows: 'www.shop.example.com', stays: 'shop.example.com' },
    async (client) => {
      await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop');
      await check(client);
      client.sandbox.clock.advance(10_000);
      return account(client).dkimDomain;
    },
  ),
  gap('GAP-34', 'a setting that is not sent', 'GAP-34.omitted', { kept: 'The Shop', cleared: null }, async (client) => {
    await settings(client, { mail_from_local_part: 'orders' });
    return account(client).fromName;
  }),
  gap('GAP-34', 'spaces around a name', 'GAP-34.spaces', { kept: ' Shop ', stripped: 'Shop' }, async (client) =>
    (await settings(client, { mail_from_name: ' Shop ' })).at('mail', 'sender_identity', 'mail_from_name'),
  ),
  gap('GAP-34', 'the size of a page of the log', 'GAP-34.page', { 25: [4, null], 3: [3, 3] }, async (client) => {
    const reply = await client.get(`${MAIL}/logs`);
    return [reply.at('page_count'), reply.at('next_start_at')];
  }),
  gap(
    'GAP-34',
    'recipients that match in part',
    'GAP-34.match',
    { part: 2, whole: 0 },
    async (client) => (await client.get(`${MAIL}/logs?rcpt=ada`)).column('messages', 'rcpt').length,
  ),
  gap(
    'GAP-34',
    'how the metrics are wrapped',
    'GAP-34.metrics',
    { bare: [3, undefined], wrapped: [undefined, 3] },
    async (client) => {
      const reply = await client.get(`${MAIL}/metrics`);
      return [reply.at('usage', 'sent'), reply.at('metrics', 'usage', 'sent')];
    },
  ),
];

export const siteMailCases: readonly ConformanceCase[] = [...statusCases, ...settingCases, ...blockCases, ...gapCases];
