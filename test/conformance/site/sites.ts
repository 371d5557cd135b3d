// Conformance of the sites: list, view, rename, restart, delete, guards.
import assert from 'node:assert/strict';
import { keysOf, refused } from '../context.ts';
import type { ConformanceCase } from '../context.ts';

const LIST_KEYS = [
  'account',
  'created_at',
  'id',
  'location',
  'name',
  'package',
  'primary_domain',
  'region',
  'updated_at',
];

export const siteCases: readonly ConformanceCase[] = [
  {
    rule: 'SIT-01',
    title: 'the header narrows the list to its account',
    async run(context) {
      const client = await context.start();
      assert.deepEqual((await client.get('/api/sites')).column('sites', 'id'), ['site-blog', 'site-docs', 'site-shop']);
      assert.deepEqual((await client.get('/api/sites', { account: 'acc-other' })).column('sites', 'id'), [
        'site-foreign',
      ]);
    },
  },
  {
    rule: 'SIT-02',
    title: 'a row has exactly the documented keys',
    async run(context) {
      const client = await context.start({ scenario: 'sites:1' });
      const row = (await client.get('/api/sites')).at('sites', 0);
      assert.deepEqual(keysOf(row), LIST_KEYS);
    },
  },
  {
    rule: 'SIT-03',
    title: 'the view adds version, CNAME, SSH, domains, subscription',
    async run(context) {
      const client = await context.start();
      const view = await client.get('/api/sites/site-shop/restart');
      assert.deepEqual(
        keysOf(view.at('site')),
        [...LIST_KEYS, 'domain_cname', 'domains', 'php_version', 'ssh', 'subscription'].sort(),
      );
      assert.equal(view.at('site', 'subscription', 'price', 'term'), 'annual');
      assert.equal(view.at('site', 'ssh', 'port'), 2222);
      assert.equal(view.at('site', 'domains', 0, 'site_id'), 'site-shop');
    },
  },
  {
    rule: 'SIT-04',
    title: 'GET on the restart path views and restarts nothing',
    async run(context) {
      const client = await context.start();
      const view = await client.get('/api/sites/site-shop/restart');
      assert.equal(view.at('site', 'name'), 'shop');
      assert.equal(client.sandbox.state.sites.get('site-shop')?.restarts.cms, 0);
    },
  },
  {
    rule: 'SIT-05',
    title: 'PATCH renames',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'The Shop' } })).status, 204);
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'name'), 'The Shop');
      assert.equal((await client.call('PATCH', '/api/sites/site-shop', { name: 'flat' })).status, 422);
    },
  },
  {
    rule: 'SIT-05/resize',
    title: 'PATCH with a plan resizes some time later; layers outside the plan go off; a trial may not',
    async run(context) {
      const client = await context.start();
      assert.equal(
        (await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'shop', plan: 'mini' } })).status,
        202,
      );
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'package'), 'pro');
      client.sandbox.clock.advance(30_000);
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'package'), 'mini');
      assert.equal((await client.get('/api/sites/site-shop/cache')).at('nginx'), false);
      assert.equal(
        (await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'x', plan: 'huge' } })).status,
        422,
      );
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'name'), 'shop');
      const trial = await context.start({ scenario: 'billing-trial' });
      refused(await trial.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } }), 403, 'trial_account');
    },
  },
  {
    rule: 'SIT-06',
    title: 'POST restarts the CMS container only',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('POST', '/api/sites/site-shop')).status, 204);
      assert.deepEqual(client.sandbox.state.sites.get('site-shop')?.restarts, { cms: 1, database: 0, cache: 0 });
    },
  },
  {
    rule: 'SIT-07',
    title: 'DELETE locks the site and keeps it',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('DELETE', '/api/sites/site-shop')).status, 204);
      assert.equal(client.sandbox.state.sites.get('site-shop')?.pendingDelete, true);
      refused(await client.get('/api/sites/site-shop/domains'), 403, 'pending_delete');
      assert.equal((await client.get('/api/sites')).column('sites', 'id').length, 3);
    },
  },
  {
    rule: 'SIT-08',
    title: 'a suspended site refuses reads and writes, though it is listed',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      for (const path of ['', '/domains', '/cdn/caching', '/tasks', '/restart']) {
        refused(await client.get(`/api/sites/site-suspended${path}`), 402, 'service_suspended');
      }
      refused(await client.call('PATCH', '/api/sites/site-suspended/domains/dom-suspended'), 402, 'service_suspended');
      assert.ok((await client.get('/api/sites')).column('sites', 'id').includes('site-suspended'));
    },
  },
  {
    rule: 'SIT-08/pending-delete',
    title: 'a soft-deleted site refuses reads and writes',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      refused(await client.get('/api/sites/site-leaving/domains'), 403, 'pending_delete');
      refused(await client.call('DELETE', '/api/sites/site-leaving/domain/dom-leaving'), 403, 'pending_delete');
      assert.equal((await client.get('/api/sites/site-healthy/domains')).status, 200);
    },
  },
  {
    rule: 'SIT-13',
    title: 'a PATCH of the site does not take a primary domain',
    async run(context) {
      const client = await context.start();
      const reply = await client.call('PATCH', '/api/sites/site-shop', {
        site: { primary_domain: 'www.shop.example.com' },
      });
      assert.equal(reply.status, 422);
      assert.equal((await client.get('/api/sites/site-shop')).at('site', 'primary_domain'), 'shop.example.com');
    },
  },
  {
    rule: 'SIT-14',
    title: 'without its primary a site falls back to its temporary hostname, not to another domain',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('DELETE', '/api/sites/site-shop/domain/dom-shop')).status, 204);
      assert.equal(
        (await client.get('/api/sites/site-shop')).at('site', 'primary_domain'),
        'site-shop.tmp.sandbox.example',
      );
      assert.deepEqual((await client.get('/api/sites/site-shop/domains')).column('domains', 'hostname'), [
        'www.shop.example.com',
      ]);
    },
  },
];
