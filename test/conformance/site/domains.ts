// Conformance of the domains: lists, query, attach, promote, detach.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf } from '../context.ts';
import type { Client } from '../context.ts';

const ROW_KEYS = ['dns_zone', 'dns_zone_records', 'hostname', 'id'];

function attach(client: Client, site: string, domain: string, method = 'cname') {
  return client.call('POST', `/api/sites/${site}/domains`, { domain, provision_method: method });
}

async function primaryOf(client: Client, site: string): Promise<unknown> {
  return (await client.get(`/api/sites/${site}`)).at('site', 'primary_domain');
}

export const domainCases = casesIn('small', {
  'DOM-01: one list for all sites in reach, with site and account': async (client) => {
    const reply = await client.get('/api/domains');
    assert.deepEqual(reply.column('domains', 'id'), ['dom-docs', 'dom-foreign', 'dom-shop', 'dom-www-shop']);
    assert.deepEqual(reply.column('domains', 'site_id'), ['site-docs', 'site-foreign', 'site-shop', 'site-shop']);
    assert.deepEqual(keysOf(reply.at('domains', 0)), ['account_id', ...ROW_KEYS, 'site_id']);
  },
  'DOM-02: one domain is under `domain`': async (client) => {
    assert.equal((await client.get('/api/domains/dom-shop')).at('domain', 'hostname'), 'shop.example.com');
    answered(await client.get('/api/domains/nothing'), 404);
  },
  'DOM-03: a query is a prefix, whatever its case': async (client) => {
    const query = async (q: string) =>
      (await client.call('POST', '/api/domains/query', { q })).column('domains', 'hostname');
    assert.deepEqual(await query('WWW.'), ['www.example.org', 'www.shop.example.com']);
    assert.deepEqual(await query('com'), []);
  },
  "DOM-05: the rows of a site's own list lack site and account": async (client) => {
    const reply = await client.get('/api/sites/site-shop/domains');
    assert.deepEqual(reply.column('domains', 'hostname'), ['shop.example.com', 'www.shop.example.com']);
    assert.deepEqual(keysOf(reply.at('domains', 0)), ROW_KEYS);
  },
  'DOM-06: the body is flat, the method is never read back': async (client) => {
    answered(await client.call('POST', '/api/sites/site-blog/domains', { domain: { domain: 'a.example.com' } }), 422);
    answered(await attach(client, 'site-blog', 'blog.example.com'), 200);
    const reply = await client.get('/api/sites/site-blog/domains');
    assert.equal(reply.at('domains', 0, 'hostname'), 'blog.example.com');
    assert.equal(reply.at('domains', 0, 'provision_method'), undefined);
  },
  'DOM-07: dns answers name servers, cname a CNAME, both an id': async (client) => {
    const dns = await attach(client, 'site-blog', 'a.example.com', 'dns');
    assert.deepEqual(keysOf(dns.at()), ['id', 'ns1', 'ns2']);
    const cname = await attach(client, 'site-blog', 'b.example.com', 'cname');
    assert.deepEqual(keysOf(cname.at()), ['cname', 'id']);
    const ids = (await client.get('/api/sites/site-blog/domains')).column('domains', 'id');
    assert.deepEqual(ids, [dns.at('id'), cname.at('id')].sort());
  },
  'DOM-08: the first domain becomes primary, the second does not': async (client) => {
    await attach(client, 'site-blog', 'blog.example.com');
    await attach(client, 'site-blog', 'www.blog.example.com');
    assert.equal(await primaryOf(client, 'site-blog'), 'blog.example.com');
    assert.equal(client.sandbox.creations.get('domain blog.example.com on site-blog'), 1);
  },
  'DOM-09: promotion moves the primary and keeps the previous one as an alias': async (client) => {
    const path = '/api/sites/site-shop/domains/dom-www-shop';
    answered(await client.call('PATCH', path), 204);
    answered(await client.call('PATCH', path), 204);
    assert.equal(await primaryOf(client, 'site-shop'), 'www.shop.example.com');
    assert.equal((await client.get('/api/sites/site-shop/domains')).column('domains', 'id').length, 2);
    answered(await client.call('PATCH', '/api/sites/site-shop/domains/nothing'), 404);
  },
  'DOM-10: detaching works at the singular path only': async (client) => {
    answered(await client.call('DELETE', '/api/sites/site-shop/domains/dom-www-shop'), 404);
    assert.equal((await client.get('/api/sites/site-shop/domains')).column('domains', 'id').length, 2);
    answered(await client.call('DELETE', '/api/sites/site-shop/domain/dom-www-shop'), 204);
    answered(await client.call('DELETE', '/api/sites/site-shop/domain/dom-www-shop'), 404);
    assert.deepEqual((await client.get('/api/sites/site-shop/domains')).column('domains', 'id'), ['dom-shop']);
  },
  'DOM-13: a zone and its records are shown': async (client) => {
    const reply = await client.get('/api/domains/dom-shop');
    assert.deepEqual(keysOf(reply.at('domain', 'dns_zone')), [
      'account',
      'created_at',
      'dnssec',
      'dnssec_data',
      'id',
      'name',
      'updated_at',
    ]);
    assert.equal(typeof reply.at('domain', 'dns_zone_records', 0, 'record_type'), 'number');
    assert.equal(keysOf(reply.at('domain', 'dns_zone_records', 0)).length, 12);
  },
});
