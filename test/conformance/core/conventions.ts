// Conformance of the conventions: credentials, account header, scopes, error bodies, paging.
import assert from 'node:assert/strict';
import {
  OAUTH_READ_ONLY_TOKEN,
  OAUTH_TOKEN,
  READER_API_KEY,
  SESSION_TOKEN,
  SYSTEM_KEY,
  oauthToken,
} from '../../../src/sandbox/core/http/credentials.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import { answered, casesIn, refused } from '../context.ts';

/** The small account with orders in it: enough of them for three pages. */
function withOrders(): State {
  const { state } = buildScenario('small');
  for (let number = 1; number <= 120; number += 1) {
    const id = `order-${number}`;
    state.orders.set(id, {
      id,
      accountId: 'acc-acme',
      status: 'completed',
      locationShortName: null,
      createdAt: number,
      updatedAt: number,
    });
  }
  return state;
}

export const conventionCases = casesIn('small', {
  'CNV-01: answers are JSON and live under /api': async (client) => {
    const reply = await client.get('/api/sites');
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
    answered(await client.get('/sites'), 404);
  },
  'CNV-02: a domain without a zone reads null': async (client) => {
    const reply = await client.get('/api/domains/dom-docs');
    assert.equal(reply.at('domain', 'dns_zone'), null);
  },
  'CNV-03: site ids are strings, task ids integers': async (client) => {
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'id'), 'site-shop');
    assert.equal((await client.get('/api/tasks/501')).at('id'), 501);
  },
  'CNV-04: created_at is ISO 8601, start_on of a task is a timestamp': async (client) => {
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'created_at'), '2026-01-15T09:00:00.000Z');
    const task = await client.get('/api/tasks/501');
    assert.equal(task.at('created_at'), '2026-01-12T09:00:00.000Z');
    assert.equal(task.at('start_on'), Date.UTC(2026, 0, 15, 9) / 1000);
  },
  'CNV-05: no credential and a wrong one answer 401; session, key and token are taken': async (client) => {
    answered(await client.get('/api/sites', { token: null }), 401);
    answered(await client.get('/api/sites', { token: 'wrong' }), 401);
    for (const token of [SESSION_TOKEN, READER_API_KEY, OAUTH_TOKEN])
      answered(await client.get('/api/sites', { token }), 200);
  },
  'CNV-06: a session and an API key need no scopes': async (client) => {
    answered(await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'a' } }), 204);
    answered(await client.get('/api/orders', { token: SESSION_TOKEN }), 200);
  },
  'CNV-07: orders without the account header are refused': async (client) => {
    refused(await client.get('/api/orders', { account: null }), 400, 'missing_account');
  },
  'CNV-08: without the header the site list shows a foreign account too': async (client) => {
    const reply = await client.get('/api/sites', { account: null });
    assert.deepEqual(reply.column('sites', 'id'), ['site-blog', 'site-docs', 'site-foreign', 'site-shop']);
  },
  'CNV-09: a read-only token reads and does not write; scopes do not stand in for each other': async (client) => {
    answered(await client.get('/api/sites', { token: OAUTH_READ_ONLY_TOKEN }), 200);
    const write = await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, {
      token: OAUTH_READ_ONLY_TOKEN,
    });
    answered(write, 403);
    answered(await client.get('/api/domains', { token: oauthToken(['sites:read']) }), 403);
    answered(await client.get('/api/orders', { token: oauthToken(['billing:read']) }), 200);
  },
  'CNV-10: a missing scope answers the OAuth body': async (client) => {
    const reply = await client.get('/api/sites', { token: oauthToken([]) });
    answered(reply, 403);
    assert.equal(reply.at('error'), 'insufficient_scope');
    assert.equal(reply.at('errors'), undefined);
  },
  'CNV-10/first: the scope is checked before the site and before the account header': async (client) => {
    const unknownSite = await client.get('/api/sites/nowhere/domains', { token: oauthToken(['billing:read']) });
    assert.equal(unknownSite.at('error'), 'insufficient_scope');
    const noHeader = await client.get('/api/orders', { token: oauthToken(['sites:read']), account: null });
    assert.equal(noHeader.at('error'), 'insufficient_scope');
  },
  'CNV-11: the task report and ordering are closed to OAuth': async (client) => {
    answered(await client.call('POST', '/api/webhooks/task/501', { success: true }, { token: OAUTH_TOKEN }), 403);
    answered(await client.call('POST', '/api/orders', {}, { token: OAUTH_TOKEN }), 403);
    refused(await client.call('POST', '/api/orders', {}), 400, 'unknown_variant');
    refused(await client.call('POST', '/api/orders/domain', {}), 400, 'invalid_domain');
    answered(await client.call('POST', '/api/orders/domain', {}, { token: OAUTH_TOKEN }), 403);
  },
  'CNV-13: a system key may rename, but neither resize nor order': async (client) => {
    refused(
      await client.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } }, { token: SYSTEM_KEY }),
      401,
      'user_required',
    );
    refused(await client.call('POST', '/api/orders', {}, { token: SYSTEM_KEY }), 401, 'user_required');
    answered(await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'a' } }, { token: SYSTEM_KEY }), 204);
  },
  'CNV-14: can_modify writes but does not delete; a reader does neither': async (client) => {
    const as = { token: READER_API_KEY };
    answered(await client.call('PATCH', '/api/sites/site-docs/domains/dom-docs', undefined, as), 204);
    answered(await client.call('DELETE', '/api/sites/site-docs/domain/dom-docs', undefined, as), 403);
    answered(await client.get('/api/sites/site-blog/domains', as), 200);
    answered(await client.call('POST', '/api/sites/site-blog', undefined, as), 403);
    answered(await client.get('/api/sites/site-shop/domains', as), 403);
  },
  'CNV-16: a missing role says Not Authorized': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    const reply = await client.get('/api/sites/site-locked/domains');
    answered(reply, 403);
    assert.deepEqual(reply.at('errors'), ['Not Authorized']);
  },
  'CNV-19: an error has a list of texts and a code': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    const reply = await client.get('/api/sites/site-no-cdn/cdn');
    assert.equal(reply.at('code'), 'cdn_not_active');
    assert.equal(typeof reply.at('errors', 0), 'string');
  },
  'CNV-20: an unknown site answers 404 and nothing else, a foreign one to a stranger too': async (client) => {
    const unknown = await client.get('/api/sites/nowhere/domains');
    assert.deepEqual([unknown.status, unknown.text], [404, '']);
    const foreign = await client.get('/api/sites/site-foreign/domains', { token: READER_API_KEY });
    assert.deepEqual([foreign.status, foreign.text], [404, '']);
  },
  'CNV-25: orders come in pages of 50': async (_client, start) => {
    const client = await start({ scenario: withOrders });
    const pages = await Promise.all([1, 2, 3, 4].map((number) => client.get(`/api/orders?page=${number}`)));
    assert.deepEqual(
      pages.map((page) => page.column('orders', 'id').length),
      [50, 50, 20, 0],
    );
    assert.equal(new Set(pages.flatMap((page) => page.column('orders', 'id'))).size, 120);
  },
  'CNV-27: a rate-limited request answers 429 with Retry-After and is not processed': async (_client, start) => {
    const client = await start({ faults: [{ kind: 'status-before', status: 429, at: 1, retryAfter: '2' }] });
    const path = '/api/sites/site-shop/cdn/caching/purge';
    const reply = await client.call('POST', path);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '2']);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.cdn.purges, 0);
    answered(await client.call('POST', path), 204);
  },
  'CNV-28: an idempotency key does not keep a request from being done twice': async (client) => {
    const headers = { 'idempotency-key': 'one' };
    await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, { headers });
    await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, { headers });
    assert.equal(client.sandbox.state.sites.get('site-shop')?.cdn.purges, 2);
  },
  'CNV-30: the literal path answers, its plural does not; undocumented writes are told so': async (client) => {
    assert.equal((await client.get('/api/webhooks/task')).at('ip_address'), '127.0.0.1');
    answered(await client.get('/api/webhooks/tasks'), 404);
    refused(await client.call('PUT', '/api/sites/site-shop', {}), 501, 'sandbox_undocumented');
  },
  'CNV-31: a query of domains takes the read scope': async (client) => {
    const reply = await client.call(
      'POST',
      '/api/domains/query',
      { q: 'shop' },
      { token: oauthToken(['domains:read']) },
    );
    assert.deepEqual(reply.column('domains', 'hostname'), ['shop.example.com']);
  },
  'CNV-32: a PATCH without a body promotes': async (client) => {
    answered(await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop'), 204);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'primary_domain'), 'www.shop.example.com');
  },
  'LIM-01: a page has at most 100 rows': async (_client, start) => {
    const client = await start({ scenario: withOrders });
    assert.equal((await client.get('/api/orders?per_page=500')).column('orders', 'id').length, 100);
  },
});
