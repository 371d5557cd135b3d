// Conformance of the sites: list, view, rename, restart, delete, guards.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, refused } from '../context.ts';

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

export const siteCases = casesIn('small', {
  'SIT-01: the header narrows the list to its account': async (client) => {
    assert.deepEqual((await client.get('/api/sites')).column('sites', 'id'), ['site-blog', 'site-docs', 'site-shop']);
    assert.deepEqual((await client.get('/api/sites', { account: 'acc-other' })).column('sites', 'id'), [
      'site-foreign',
    ]);
  },
  'SIT-02: a row has exactly the documented keys': async (_client, start) => {
    const client = await start({ scenario: 'sites:1' });
    const row = (await client.get('/api/sites')).at('sites', 0);
    assert.deepEqual(keysOf(row), LIST_KEYS);
  },
  'SIT-03: the view adds version, CNAME, SSH, domains, subscription': async (client) => {
    const view = await client.get('/api/sites/site-shop/restart');
    assert.deepEqual(
      keysOf(view.at('site')),
      [...LIST_KEYS, 'domain_cname', 'domains', 'php_version', 'ssh', 'subscription'].sort(),
    );
    assert.equal(view.at('site', 'subscription', 'price', 'term'), 'annual');
    assert.equal(view.at('site', 'ssh', 'port'), 2222);
    assert.equal(view.at('site', 'domains', 0, 'site_id'), 'site-shop');
  },
  'SIT-04: GET on the restart path views and restarts nothing': async (client) => {
    const view = await client.get('/api/sites/site-shop/restart');
    assert.equal(view.at('site', 'name'), 'shop');
    assert.equal(client.sandbox.state.sites.get('site-shop')?.restarts.cms, 0);
  },
  'SIT-05: PATCH renames': async (client) => {
    answered(await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'The Shop' } }), 204);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'name'), 'The Shop');
    answered(await client.call('PATCH', '/api/sites/site-shop', { name: 'flat' }), 422);
  },
  'SIT-05/resize: PATCH with a plan resizes some time later; layers outside the plan go off; a trial may not': async (
    client,
    start,
  ) => {
    answered(await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'shop', plan: 'mini' } }), 202);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'package'), 'pro');
    client.sandbox.clock.advance(30_000);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'package'), 'mini');
    assert.equal((await client.get('/api/sites/site-shop/cache')).at('nginx'), false);
    answered(await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'x', plan: 'huge' } }), 422);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'name'), 'shop');
    const trial = await start({ scenario: 'billing-trial' });
    refused(await trial.call('PATCH', '/api/sites/site-shop', { site: { plan: 'max' } }), 403, 'trial_account');
  },
  'SIT-06: POST restarts the CMS container only': async (client) => {
    answered(await client.call('POST', '/api/sites/site-shop'), 204);
    assert.deepEqual(client.sandbox.state.sites.get('site-shop')?.restarts, { cms: 1, database: 0, cache: 0 });
  },
  'SIT-07: DELETE locks the site and keeps it': async (client) => {
    answered(await client.call('DELETE', '/api/sites/site-shop'), 204);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.pendingDelete, true);
    refused(await client.get('/api/sites/site-shop/domains'), 403, 'pending_delete');
    assert.equal((await client.get('/api/sites')).column('sites', 'id').length, 3);
  },
  'SIT-08: a suspended site refuses reads and writes, though it is listed': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    for (const path of ['', '/domains', '/cdn/caching', '/tasks', '/restart']) {
      refused(await client.get(`/api/sites/site-suspended${path}`), 402, 'service_suspended');
    }
    refused(await client.call('PATCH', '/api/sites/site-suspended/domains/dom-suspended'), 402, 'service_suspended');
    assert.ok((await client.get('/api/sites')).column('sites', 'id').includes('site-suspended'));
  },
  'SIT-08/pending-delete: a soft-deleted site refuses reads and writes': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    refused(await client.get('/api/sites/site-leaving/domains'), 403, 'pending_delete');
    refused(await client.call('DELETE', '/api/sites/site-leaving/domain/dom-leaving'), 403, 'pending_delete');
    answered(await client.get('/api/sites/site-healthy/domains'), 200);
  },
  'SIT-13: a PATCH of the site does not take a primary domain': async (client) => {
    const reply = await client.call('PATCH', '/api/sites/site-shop', {
      site: { primary_domain: 'www.shop.example.com' },
    });
    answered(reply, 422);
    assert.equal((await client.get('/api/sites/site-shop')).at('site', 'primary_domain'), 'shop.example.com');
  },
  'SIT-14: without its primary a site falls back to its temporary hostname, not to another domain': async (client) => {
    answered(await client.call('DELETE', '/api/sites/site-shop/domain/dom-shop'), 204);
    assert.equal(
      (await client.get('/api/sites/site-shop')).at('site', 'primary_domain'),
      'site-shop.tmp.sandbox.example',
    );
    assert.deepEqual((await client.get('/api/sites/site-shop/domains')).column('domains', 'hostname'), [
      'www.shop.example.com',
    ]);
  },
});
