// Conformance of what stands before panel accounts: guards in their order, roles, locks.
import assert from 'node:assert/strict';
import { READER_API_KEY, SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { BLOG, LIST, SHOP, buy, paying, platform, stored } from './support.ts';

const GONE = `${LIST}/acmegone`;
const HELD = `${LIST}/acmeheld`;
const asSystem = { token: SYSTEM_KEY };

/** What Ada may do, one by one. */
function mayOnly(client: Client, ...duties: readonly ('billing' | 'lifecycle' | 'edit')[]): void {
  client.sandbox.state.users.get('user-ada')?.duties?.set('acc-acme', [...duties]);
}

const code = (reply: Reply): readonly unknown[] => [reply.status, reply.at('code')];

export const panelGuardCases = casesIn(plain('panel'), {
  'PNL-09: each guard is met before those behind it, from the account header to the suspension': async (client) => {
    const { state } = client.sandbox;
    stored(client, 'acmegone').accountId = 'acc-acme';
    await platform(client, { configured: false, enabledFor: [], troubles: ['mirror'] });
    await paying(client, { trial: true });
    mayOnly(client);
    const body = { package: 'pro' };
    refused(await client.call('PATCH', GONE, body, { account: null }), 400, 'missing_account');
    refused(await client.get(LIST), 503, 'panel_unavailable');
    await platform(client, { configured: true });
    for (const reply of [
      await client.get(LIST),
      await client.get(SHOP),
      await client.call('PATCH', GONE, body, asSystem),
    ])
      refused(reply, 403, 'panel_not_enabled');
    await platform(client, { enabledFor: ['acc-acme'] });
    refused(await client.call('PATCH', GONE, body, asSystem), 401, 'user_required');
    refused(await client.call('PATCH', `${LIST}/nobody`, body), 403, 'trial_account');
    await paying(client, { trial: false });
    refused(await client.call('PATCH', `${LIST}/nobody`, body), 404, 'account_not_found');
    refused(await client.call('PATCH', GONE, body), 503, 'panel_unavailable');
    await platform(client, { troubles: [] });
    refused(await client.call('PATCH', GONE, body), 403, 'not_authorized');
    state.users.get('user-ada')?.duties?.clear();
    refused(await client.call('PATCH', GONE, body), 403, 'pending_deletion');
    stored(client, 'acmegone').deletion = null;
    refused(await client.call('PATCH', GONE, body), 403, 'account_suspended');
    refused(await client.call('PATCH', HELD, body), 402, 'service_suspended');
  },
  "PNL-09/hidden: somebody else's account is unknown, not forbidden": async (client) => {
    refused(await client.get(`${LIST}/stranger`), 404, 'account_not_found');
    refused(await client.call('DELETE', `${LIST}/stranger`), 404, 'account_not_found');
  },
  'PNL-09/date: the refusal of an account about to be deleted says when': async (client) => {
    assert.equal(
      (await client.call('PATCH', GONE, { package: 'pro' })).at('delete_scheduled_at'),
      '2026-02-04T09:00:00.000Z',
    );
  },
  'PNL-10: the role that counts is the one on the owning workspace, whatever the header says': async (client) => {
    refused(await client.call('PATCH', `${LIST}/othersite`, { package: 'pro' }), 403, 'not_authorized');
    answered(await client.call('PATCH', BLOG, { package: 'pro' }, { account: 'acc-other' }), 202);
    assert.deepEqual(
      [...client.sandbox.state.carts.values()].map(({ accountId }) => accountId),
      ['acc-acme'],
    );
  },
  'PNL-10: each kind of write takes its own duty': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-48': 'flat' } });
    mayOnly(client, 'lifecycle');
    for (const reply of [
      await buy(client),
      await client.call('PATCH', SHOP, { package: 'pro' }),
      await client.call('PATCH', `${SHOP}/password`, { password: 'fake' }),
    ])
      refused(reply, 403, 'not_authorized');
    refused(await client.call('POST', `${SHOP}/session`), 403, 'not_authorized');
    mayOnly(client, 'billing', 'edit');
    refused(await client.call('DELETE', SHOP), 403, 'not_authorized');
    refused(await client.call('POST', `${GONE}/purge`), 403, 'not_authorized');
    answered(await client.call('POST', `${SHOP}/session`), 200);
    mayOnly(client, 'lifecycle');
    answered(await client.call('DELETE', SHOP), 204);
    refused(await client.call('PATCH', BLOG, { package: 'pro' }, { token: READER_API_KEY }), 403, 'not_authorized');
  },
  'PNL-20: domains and password are locked before a deletion; a session is not': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-48': 'flat' } });
    const locked = [
      await client.call('POST', `${GONE}/domains`, { domain: 'owned.example.com' }),
      await client.call('DELETE', `${GONE}/domains/x.example.com`),
      await client.call('PATCH', `${GONE}/password`, { password: 'fake' }),
    ];
    for (const reply of locked) refused(reply, 403, 'pending_deletion');
    answered(await client.call('POST', `${GONE}/session`), 200);
  },
  'PNL-20: users and trials: all of the writes but the deletion; no suspension counts': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-48': 'flat' } });
    const writes = [
      ['POST', 'domains'],
      ['DELETE', 'domains/shop2.example.com'],
      ['PATCH', 'password'],
      ['POST', 'purge'],
      ['POST', 'session'],
    ] as const;
    for (const [method, path] of writes)
      refused(await client.call(method, `${SHOP}/${path}`, {}, asSystem), 401, 'user_required');
    refused(await client.call('DELETE', SHOP, undefined, asSystem), 401, 'user_required');
    for (const path of [HELD, `${LIST}/acmestop`])
      answered(await client.call('PATCH', `${path}/password`, { password: 'fake' }), 204);
    await paying(client, { trial: true });
    for (const [method, path] of writes)
      assert.deepEqual(code(await client.call(method, `${SHOP}/${path}`, {})), [403, 'trial_account']);
    refused(await buy(client), 403, 'trial_account');
    answered(await client.call('DELETE', SHOP), 204);
  },
  'PNL-20/read: the domains are read by a system key, without a role, on trial, and before a deletion': async (
    _client,
    start,
  ) => {
    const client = await start({ ambiguities: { 'GAP-48.domains': 'texts' } });
    answered(await client.get(`${SHOP}/domains`, asSystem), 200);
    await paying(client, { trial: true });
    mayOnly(client);
    assert.deepEqual((await client.get(`${GONE}/domains`)).at('domains'), ['acmegone.example.com']);
  },
});
