// Conformance of a site's transactional mail: status, sender identity, reconcile, suspension, DNS checks.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import type { MailAccount } from '../../../src/sandbox/site/mail/state.ts';
import { answered, casesIn, gapsIn, keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

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

/** The client, with the shop's account as given. */
function withAccount(client: Client, given: Partial<MailAccount>, dns: Partial<MailAccount['dns']> = {}): Client {
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

const statusCases = casesIn('small', {
  'TML-01: a site without an account reads as null': async (client) => {
    const reply = await client.get(BLOG);
    assert.deepEqual([reply.status, reply.at('mail')], [200, null]);
    assert.equal((await client.get(MAIL)).at('mail', 'status'), 'active');
  },
  'TML-02: without the product everything answers 503, for sites without an account too': async (client) => {
    await client.call('PATCH', '/_sandbox/platform', { mailDown: true });
    for (const path of [MAIL, `${MAIL}/logs`, `${MAIL}/metrics`, BLOG])
      refused(await client.get(path), 503, 'mailprovider_unavailable');
    refused(await settings(client, {}), 503, 'mailprovider_unavailable');
    refused(await unblock(client), 503, 'mailprovider_unavailable');
    refused(await check(client), 503, 'mailprovider_unavailable');
  },
  'TML-03: without an account everything but the status answers 422': async (client) => {
    refused(await client.call('PATCH', `${BLOG}/settings`, {}), 422, 'mail_not_provisioned');
    refused(await client.call('DELETE', `${BLOG}/suspension`), 422, 'mail_not_provisioned');
    refused(await client.call('POST', `${BLOG}/dns_check`), 422, 'mail_not_provisioned');
    refused(await client.get(`${BLOG}/logs`), 422, 'mail_not_provisioned');
    refused(await client.get(`${BLOG}/metrics`), 422, 'mail_not_provisioned');
  },
  'TML-04: an account that is not active takes settings and checks, and shows neither logs nor metrics': async (
    _client,
    start,
  ) => {
    for (const status of ['pending', 'failed'] as const) {
      const client = withAccount(await start(), { status, suspension: abuse });
      refused(await client.get(`${MAIL}/logs`), 422, 'mail_not_active');
      refused(await client.get(`${MAIL}/metrics`), 422, 'mail_not_active');
      answered(await settings(client, { mail_from_name: 'x' }), 200);
      answered(await check(client), 202);
      answered(await unblock(client), 200);
    }
  },
  'TML-05: the read scope reads, the write scope writes, and can_modify lifts a block': async (client) => {
    withAccount(client, { suspension: abuse });
    const reads = { token: oauthToken(['sites:read']) };
    answered(await client.get(MAIL, reads), 200);
    assert.equal((await client.call('PATCH', `${MAIL}/settings`, {}, reads)).at('error'), 'insufficient_scope');
    const roles = client.sandbox.state.users.get('user-rob')?.siteRoles;
    roles?.set('site-shop', 'read');
    answered(await client.call('PATCH', `${MAIL}/settings`, {}, { token: READER_API_KEY }), 403);
    roles?.set('site-shop', 'modify');
    answered(await unblock(client, { token: READER_API_KEY }), 200);
  },
  'CNV-15/mail: lifting a block is a DELETE that takes can_modify only': async (client) => {
    withAccount(client, { suspension: abuse });
    client.sandbox.state.users.get('user-rob')?.siteRoles.set('site-shop', 'modify');
    answered(await unblock(client, { token: READER_API_KEY }), 200);
  },
  'TML-06: every field is there, also on an account that has nothing yet': async (client) => {
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
  'TML-07: an ordered site has an account, and nothing makes one': async (client) => {
    await client.call('POST', '/api/orders', {
      site: { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' },
    });
    client.sandbox.clock.advance(60_000);
    const bought = [...client.sandbox.state.sites.keys()].at(-1);
    assert.notEqual((await client.get(`/api/sites/${String(bought)}/mail`)).at('mail'), null);
    answered(await client.call('POST', BLOG, {}), 501);
    answered(await client.call('PATCH', MAIL, {}), 501);
  },
  'TML-08: all verified is all three; a provider without an answer leaves a prediction and no verdict': async (
    client,
  ) => {
    withAccount(
      client,
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
  'TML-10: overrides read as stored, null where a default applies': async (client) => {
    await settings(client, { mail_from_local_part: null, mail_from_name: null });
    const sender = (await client.get(MAIL)).at('mail', 'sender_identity') as Record<string, unknown>;
    assert.deepEqual([sender['mail_from_local_part'], sender['mail_from_name']], [null, null]);
    assert.deepEqual(
      [sender['from_local_part'], sender['from_name'], sender['from_email']],
      ['noreply', 'shop', 'noreply@shop.example.com'],
    );
  },
  'TML-10/composed: without a DKIM domain there is no address': async (client) => {
    const docs = await client.get('/api/sites/site-docs/mail');
    assert.equal(docs.at('mail', 'sender_identity', 'from_email'), null);
  },
  'TML-25: no value of a DNS record is shown': async (client) => {
    const { text } = await client.get(MAIL);
    assert.ok(!/v=spf1|DKIM1|_domainkey/i.test(text));
  },
  'TML-26: notifications_active stays as it is': async (client) => {
    const reply = await settings(client, { notifications_active: true });
    assert.deepEqual([reply.status, reply.at('mail', 'notifications_active')], [200, false]);
  },
  'TML-27: the guards of the site come before all of it': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    client.sandbox.state.mailDown = true;
    refused(await client.get('/api/sites/site-suspended/mail'), 402, 'service_suspended');
    refused(await client.get('/api/sites/site-leaving/mail'), 403, 'pending_delete');
    assert.deepEqual((await client.call('PATCH', '/api/sites/site-view-only/mail/settings', {})).at('errors'), [
      'Not Authorized',
    ]);
    answered(await client.get('/api/sites/nowhere/mail'), 404);
  },
});

const settingCases = casesIn('small', {
  'TML-11: null, an empty text and spaces clear': async (_client, start) => {
    for (const blank of [null, '', '  ']) {
      const client = await start();
      await settings(client, { mail_from_local_part: 'orders', mail_from_name: 'Orders' });
      const reply = await settings(client, { mail_from_local_part: blank, mail_from_name: blank });
      assert.deepEqual([reply.status, account(client).fromLocalPart, account(client).fromName], [200, null, null]);
    }
  },
  'TML-11/ignored: a mistyped key is a 200 that changes nothing': async (client) => {
    const reply = await settings(client, { from_name: 'Other', mail: { mail_from_name: 'Other' } });
    assert.deepEqual([reply.status, reply.at('mail', 'sender_identity', 'mail_from_name')], [200, 'The Shop']);
  },
  'TML-12: other forms are refused whole, with a text for each field': async (client) => {
    for (const local of ['.a', 'a.', 'a..b', 'a b', '-a', 'ä', 'a@b', 17])
      refused(await settings(client, { mail_from_local_part: local }), 422, 'invalid_sender_identity');
    for (const name of ['a\nb', 'a\u0000', 'a\u007f', false])
      refused(await settings(client, { mail_from_name: name }), 422, 'invalid_sender_identity');
    const both = await settings(client, { mail_from_local_part: '.', mail_from_name: '\u0001' });
    assert.equal((both.at('errors') as unknown[]).length, 2);
    answered(await settings(client, { mail_from_local_part: 'a.B_%+-9' }), 200);
    answered(await settings(client, { mail_from_local_part: 'a'.repeat(64) }), 200);
    answered(await settings(client, { mail_from_local_part: 'a'.repeat(65) }), 422);
  },
  'TML-12/bytes: a name has 255 bytes, not characters': async (client) => {
    answered(await settings(client, { mail_from_name: 'é'.repeat(127) }), 200);
    answered(await settings(client, { mail_from_name: 'é'.repeat(128) }), 422);
  },
  'TML-13: values are stored while the DNS is unverified': async (client) => {
    withAccount(client, { configured: false }, { verdict: 'unknown' });
    const reply = await settings(client, { mail_from_local_part: 'orders' });
    assert.equal(reply.at('mail', 'sender_identity', 'mail_from_local_part'), 'orders');
  },
  'TML-13/queued: the answer does not wait for the reconcile': async (client) => {
    withAccount(client, { configured: false });
    assert.equal((await settings(client, {})).at('mail', 'configured'), false);
    client.sandbox.clock.advance(10_000);
    assert.equal((await client.get(MAIL)).at('mail', 'configured'), true);
  },
  'TML-09: an unknown verdict neither configures nor tears down': async (client, start) => {
    assert.equal(await reconciled(withAccount(client, { configured: true }, { verdict: 'unknown' })), true);
    assert.equal(await reconciled(withAccount(await start(), { configured: false }, { verdict: 'unknown' })), false);
  },
  'TML-14: a verified account is configured': async (client, start) => {
    assert.equal(await reconciled(withAccount(client, { configured: false })), true);
    assert.equal(await reconciled(withAccount(await start(), { configured: false, suspension: abuse })), false);
  },
  'TML-14/domain: not while the DKIM domain is another': async (client) => {
    assert.equal(
      await reconciled(withAccount(client, { configured: false, dkimDomain: 'www.shop.example.com' })),
      false,
    );
  },
  'TML-15: a failed verdict has a day of grace': async (client) => {
    withAccount(client, { published: { spf: false, dkim: true, lockdown: true } });
    await check(client);
    client.sandbox.clock.advance(DAY_MS - 60_000);
    assert.equal(await reconciled(client), true);
    client.sandbox.clock.advance(120_000);
    assert.deepEqual([account(client).configured, account(client).dns.verdict], [false, 'failed']);
  },
  'TML-16: a suspension, no domain, or no DKIM domain tears down': async (client, start) => {
    assert.equal(await reconciled(withAccount(await start(), { suspension: abuse })), false);
    assert.equal(await reconciled(withAccount(await start(), { dkimDomain: null })), false);
    await client.call('DELETE', '/api/sites/site-shop/domain/dom-shop');
    assert.equal(await reconciled(client), false);
  },
  'TML-17: a DKIM domain that is not the primary domain is a hold': async (client) => {
    await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop');
    assert.equal(await reconciled(client), true);
    assert.equal(account(client).dkimDomain, 'shop.example.com');
  },
  'TML-17/inactive: an account that is not active stays as it is': async (client) => {
    assert.equal(await reconciled(withAccount(client, { status: 'failed', suspension: abuse })), true);
  },
});

const blockCases = casesIn('small', {
  'TML-19: a suspension says who, why, when and what may be done': async (client) => {
    withAccount(client, { suspension: { ...abuse, suspendedAt: Date.UTC(2026, 0, 1) } });
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
  'TML-20: a lifted block is gone from the answer, and the reconcile follows': async (client) => {
    withAccount(client, { suspension: abuse, configured: false });
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
  'TML-20/allowance: the third within thirty days is refused, the first after them is not': async (client) => {
    const statuses = [];
    for (const waitMs of [0, 0, 0, 30 * DAY_MS]) {
      client.sandbox.clock.advance(waitMs);
      account(client).suspension = { ...abuse };
      statuses.push((await unblock(client)).status);
    }
    assert.deepEqual(statuses, [200, 200, 403, 200]);
  },
  'TML-21: nothing to lift, and a hold of the system, are refused': async (_client, start) => {
    refused(await unblock(await start()), 403, 'unsuspend_not_allowed');
    for (const suspension of [
      { ...abuse, system: true },
      { ...abuse, abuse: false, system: true },
    ]) {
      const client = withAccount(await start(), { suspension });
      refused(await unblock(client), 403, 'unsuspend_not_allowed');
      assert.equal((await client.get(MAIL)).at('mail', 'suspension', 'can_self_unsuspend'), false);
    }
  },
  'TML-22: a lifting that fails leaves the site suspended, whatever the provider did': async (_client, start) => {
    for (const onUnblock of ['refuses', 'race'] as const) {
      const client = withAccount(await start(), { suspension: { ...abuse }, onUnblock, providerActive: false });
      refused(await unblock(client), 422, 'unsuspend_failed');
      assert.equal((await client.get(MAIL)).at('mail', 'suspension', 'suspended'), true);
      assert.equal(account(client).providerActive, onUnblock === 'race');
    }
  },
  'TML-23: a check answers queued': async (client) => {
    const reply = await check(client);
    assert.deepEqual([reply.status, reply.at('status'), reply.at('mail')], [202, 'queued', undefined]);
  },
  'TML-23/later: its result shows up later': async (client) => {
    withAccount(client, { published: { spf: true, dkim: false, lockdown: true } });
    await check(client);
    assert.equal((await client.get(MAIL)).at('mail', 'dns', 'verdict'), 'verified');
    client.sandbox.clock.advance(10_000);
    assert.equal((await client.get(MAIL)).at('mail', 'dns', 'verdict'), 'failed');
  },
  'TML-24: five minutes pass between two checks; a refused one queues nothing and opens no window': async (client) => {
    await check(client);
    client.sandbox.clock.advance(200_000);
    refused(await check(client), 429, 'rate_limited');
    client.sandbox.clock.advance(100_000);
    answered(await check(client), 202);
  },
  'LIM-07/site: one check in five minutes for each account, those of the dashboard too': async (client) => {
    await client.call('PATCH', '/_sandbox/sites/site-shop/mail', { lastCheckAt: client.sandbox.clock.now() });
    refused(await check(client), 429, 'rate_limited');
    answered(await client.call('POST', '/api/sites/site-docs/mail/dns_check', undefined, { token: OAUTH_TOKEN }), 202);
  },
});

const gapCases = gapsIn('small', {
  'GAP-34: a pending account whose DNS is verified': [
    { activates: 'active', stays: 'pending' },
    async (client) => {
      await client.call('POST', '/api/sites/site-docs/mail/dns_check');
      client.sandbox.clock.advance(10_000);
      return client.sandbox.state.sites.get('site-docs')?.mail?.status;
    },
  ],
  'GAP-34.dkim: the DKIM domain after another primary domain': [
    { follows: 'www.shop.example.com', stays: 'shop.example.com' },
    async (client) => {
      await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop');
      await check(client);
      client.sandbox.clock.advance(10_000);
      return account(client).dkimDomain;
    },
  ],
  'GAP-34.omitted: a setting that is not sent': [
    { kept: 'The Shop', cleared: null },
    async (client) => {
      await settings(client, { mail_from_local_part: 'orders' });
      return account(client).fromName;
    },
  ],
  'GAP-34.spaces: spaces around a name': [
    { kept: ' Shop ', stripped: 'Shop' },
    async (client) =>
      (await settings(client, { mail_from_name: ' Shop ' })).at('mail', 'sender_identity', 'mail_from_name'),
  ],
  'GAP-34.page: the size of a page of the log': [
    { 25: [4, null], 3: [3, 3] },
    async (client) => {
      const reply = await client.get(`${MAIL}/logs`);
      return [reply.at('page_count'), reply.at('next_start_at')];
    },
  ],
  'GAP-34.match: recipients that match in part': [
    { part: 2, whole: 0 },
    async (client) => (await client.get(`${MAIL}/logs?rcpt=ada`)).column('messages', 'rcpt').length,
  ],
  'GAP-34.metrics: how the metrics are wrapped': [
    { bare: [3, undefined], wrapped: [undefined, 3] },
    async (client) => {
      const reply = await client.get(`${MAIL}/metrics`);
      return [reply.at('usage', 'sent'), reply.at('metrics', 'usage', 'sent')];
    },
  ],
});

export const siteMailCases: readonly ConformanceCase[] = [...statusCases, ...settingCases, ...blockCases, ...gapCases];
