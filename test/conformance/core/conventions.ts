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
import { refused } from '../context.ts';
import type { ConformanceCase } from '../context.ts';

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

export const conventionCases: readonly ConformanceCase[] = [
  {
    rule: 'CNV-01',
    title: 'answers are JSON and live under /api',
    async run(context) {
      const client = await context.start();
      const reply = await client.get('/api/sites');
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal((await client.get('/sites')).status, 404);
    },
  },
  {
    rule: 'CNV-02',
    title: 'a domain without a zone reads null',
    async run(context) {
      const client = await context.start();
      const reply = await client.get('/api/domains/dom-docs');
      assert.equal(reply.at('domain', 'dns_zone'), null);
    },
  },
  {
    rule: 'CNV-03',
    title: 'site ids are strings, task ids integers',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'id'), 'site-shop');
      assert.equal((await client.get('/api/tasks/501')).at('id'), 501);
    },
  },
  {
    rule: 'CNV-04',
    title: 'created_at is ISO 8601, start_on of a task is a timestamp',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'created_at'), '2026-01-15T09:00:00.000Z');
      const task = await client.get('/api/tasks/501');
      assert.equal(task.at('created_at'), '2026-01-12T09:00:00.000Z');
      assert.equal(task.at('start_on'), Date.UTC(2026, 0, 15, 9) / 1000);
    },
  },
  {
    rule: 'CNV-05',
    title: 'no credential and a wrong one answer 401; session, key and token are taken',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.get('/api/sites', { token: null })).status, 401);
      assert.equal((await client.get('/api/sites', { token: 'wrong' })).status, 401);
      for (const token of [SESSION_TOKEN, READER_API_KEY, OAUTH_TOKEN])
        assert.equal((await client.get('/api/sites', { token })).status, 200);
    },
  },
  {
    rule: 'CNV-06',
    title: 'a session and an API key need no scopes',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'a' } })).status, 204);
      assert.equal((await client.get('/api/orders', { token: SESSION_TOKEN })).status, 200);
    },
  },
  {
    rule: 'CNV-07',
    title: 'orders without the account header are refused',
    async run(context) {
      const client = await context.start();
      refused(await client.get('/api/orders', { account: null }), 400, 'missing_account');
    },
  },
  {
    rule: 'CNV-08',
    title: 'without the header the site list shows a foreign account too',
    async run(context) {
      const client = await context.start();
      const reply = await client.get('/api/sites', { account: null });
      assert.deepEqual(reply.column('sites', 'id'), ['site-blog', 'site-docs', 'site-foreign', 'site-shop']);
    },
  },
  {
    rule: 'CNV-09',
    title: 'a read-only token reads and does not write; scopes do not stand in for each other',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.get('/api/sites', { token: OAUTH_READ_ONLY_TOKEN })).status, 200);
      const write = await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, {
        token: OAUTH_READ_ONLY_TOKEN,
      });
      assert.equal(write.status, 403);
      assert.equal((await client.get('/api/domains', { token: oauthToken(['sites:read']) })).status, 403);
      assert.equal((await client.get('/api/orders', { token: oauthToken(['billing:read']) })).status, 200);
    },
  },
  {
    rule: 'CNV-10',
    title: 'a missing scope answers the OAuth body',
    async run(context) {
      const client = await context.start();
      const reply = await client.get('/api/sites', { token: oauthToken([]) });
      assert.equal(reply.status, 403);
      assert.equal(reply.at('error'), 'insufficient_scope');
      assert.equal(reply.at('errors'), undefined);
    },
  },
  {
    rule: 'CNV-10/first',
    title: 'the scope is checked before the site and before the account header',
    async run(context) {
      const client = await context.start();
      const unknownSite = await client.get('/api/sites/nowhere/domains', { token: oauthToken(['billing:read']) });
      assert.equal(unknownSite.at('error'), 'insufficient_scope');
      const noHeader = await client.get('/api/orders', { token: oauthToken(['sites:read']), account: null });
      assert.equal(noHeader.at('error'), 'insufficient_scope');
    },
  },
  {
    rule: 'CNV-11',
    title: 'the task report and ordering are closed to OAuth',
    async run(context) {
      const client = await context.start();
      assert.equal(
        (await client.call('POST', '/api/webhooks/task/501', { success: true }, { token: OAUTH_TOKEN })).status,
        403,
      );
      assert.equal((await client.call('POST', '/api/orders', {}, { token: OAUTH_TOKEN })).status, 403);
      refused(await client.call('POST', '/api/orders', {}), 400, 'unknown_variant');
      refused(await client.call('POST', '/api/orders/domain', {}), 400, 'invalid_domain');
      assert.equal((await client.call('POST', '/api/orders/domain', {}, { token: OAUTH_TOKEN })).status, 403);
    },
  },
  {
    rule: 'CNV-13',
    title: 'a system key may rename, but neither resize nor order',
    async run(context) {
      const client = await context.start();
      refused(
        await client.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } }, { token: SYSTEM_KEY }),
        401,
        'user_required',
      );
      refused(await client.call('POST', '/api/orders', {}, { token: SYSTEM_KEY }), 401, 'user_required');
      assert.equal(
        (await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'a' } }, { token: SYSTEM_KEY })).status,
        204,
      );
    },
  },
  {
    rule: 'CNV-14',
    title: 'can_modify writes but does not delete; a reader does neither',
    async run(context) {
      const client = await context.start();
      const as = { token: READER_API_KEY };
      assert.equal((await client.call('PATCH', '/api/sites/site-docs/domains/dom-docs', undefined, as)).status, 204);
      assert.equal((await client.call('DELETE', '/api/sites/site-docs/domain/dom-docs', undefined, as)).status, 403);
      assert.equal((await client.get('/api/sites/site-blog/domains', as)).status, 200);
      assert.equal((await client.call('POST', '/api/sites/site-blog', undefined, as)).status, 403);
      assert.equal((await client.get('/api/sites/site-shop/domains', as)).status, 403);
    },
  },
  {
    rule: 'CNV-16',
    title: 'a missing role says Not Authorized',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      const reply = await client.get('/api/sites/site-locked/domains');
      assert.equal(reply.status, 403);
      assert.deepEqual(reply.at('errors'), ['Not Authorized']);
    },
  },
  {
    rule: 'CNV-19',
    title: 'an error has a list of texts and a code',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      const reply = await client.get('/api/sites/site-no-cdn/cdn');
      assert.equal(reply.at('code'), 'cdn_not_active');
      assert.equal(typeof reply.at('errors', 0), 'string');
    },
  },
  {
    rule: 'CNV-20',
    title: 'an unknown site answers 404 and nothing else, a foreign one to a stranger too',
    async run(context) {
      const client = await context.start();
      const unknown = await client.get('/api/sites/nowhere/domains');
      assert.deepEqual([unknown.status, unknown.text], [404, '']);
      const foreign = await client.get('/api/sites/site-foreign/domains', { token: READER_API_KEY });
      assert.deepEqual([foreign.status, foreign.text], [404, '']);
    },
  },
  {
    rule: 'CNV-25',
    title: 'orders come in pages of 50',
    async run(context) {
      const client = await context.start({ scenario: withOrders });
      const pages = await Promise.all([1, 2, 3, 4].map((number) => client.get(`/api/orders?page=${number}`)));
      assert.deepEqual(
        pages.map((page) => page.column('orders', 'id').length),
        [50, 50, 20, 0],
      );
      assert.equal(new Set(pages.flatMap((page) => page.column('orders', 'id'))).size, 120);
    },
  },
  {
    rule: 'CNV-27',
    title: 'a rate-limited request answers 429 with Retry-After and is not processed',
    async run(context) {
      const client = await context.start({ faults: [{ kind: 'status-before', status: 429, at: 1, retryAfter: '2' }] });
      const path = '/api/sites/site-shop/cdn/caching/purge';
      const reply = await client.call('POST', path);
      assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '2']);
      assert.equal(client.sandbox.state.sites.get('site-shop')?.cdn.purges, 0);
      assert.equal((await client.call('POST', path)).status, 204);
    },
  },
  {
    rule: 'CNV-28',
    title: 'an idempotency key does not keep a request from being done twice',
    async run(context) {
      const client = await context.start();
      const headers = { 'idempotency-key': 'one' };
      await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, { headers });
      await client.call('POST', '/api/sites/site-shop/cdn/caching/purge', undefined, { headers });
      assert.equal(client.sandbox.state.sites.get('site-shop')?.cdn.purges, 2);
    },
  },
  {
    rule: 'CNV-30',
    title: 'the literal path answers, its plural does not; undocumented writes are told so',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.get('/api/webhooks/task')).at('ip_address'), '127.0.0.1');
      assert.equal((await client.get('/api/webhooks/tasks')).status, 404);
      refused(await client.call('PUT', '/api/sites/site-shop', {}), 501, 'sandbox_undocumented');
    },
  },
  {
    rule: 'CNV-31',
    title: 'a query of domains takes the read scope',
    async run(context) {
      const client = await context.start();
      const reply = await client.call(
        'POST',
        '/api/domains/query',
        { q: 'shop' },
        { token: oauthToken(['domains:read']) },
      );
      assert.deepEqual(reply.column('domains', 'hostname'), ['shop.example.com']);
    },
  },
  {
    rule: 'CNV-32',
    title: 'a PATCH without a body promotes',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('PATCH', '/api/sites/site-shop/domains/dom-www-shop')).status, 204);
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'primary_domain'), 'www.shop.example.com');
    },
  },
  {
    rule: 'LIM-01',
    title: 'a page has at most 100 rows',
    async run(context) {
      const client = await context.start({ scenario: withOrders });
      assert.equal((await client.get('/api/orders?per_page=500')).column('orders', 'id').length, 100);
    },
  },
];
