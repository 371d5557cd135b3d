// Conformance of what the documents leave open: each reading of each gap shows over HTTP.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY, oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, gapsIn } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

const attach = (client: Client, site: string, domain: string, provision_method = 'cname') =>
  client.call('POST', `/api/sites/${site}/domains`, { domain, provision_method });

const hostnames = async (client: Client, site: string) =>
  (await client.get(`/api/sites/${site}/domains`)).column('domains', 'hostname');

export const gapCases: readonly ConformanceCase[] = [
  ...gapsIn('small', {
    'GAP-01: an API key after Bearer, bare, or either': [
      { either: [200, 200], bearer: [200, 401], raw: [401, 200] },
      async (client) => {
        const bare = await client.get('/api/sites', { token: null, headers: { authorization: READER_API_KEY } });
        return [(await client.get('/api/sites')).status, bare.status];
      },
    ],
    'GAP-02: a 429 with or without a hint': [
      { enveloped: ['1', true], bare: [null, false] },
      async (client) => {
        client.sandbox.setFaults([{ kind: 'status-before', status: 429 }]);
        const reply = await client.get('/api/sites');
        return [reply.headers.get('retry-after'), reply.text !== ''];
      },
    ],
    'GAP-04: where the view answers': [
      { both: [200, 200], documented: [404, 200], plain: [200, 404] },
      async (client) => [
        (await client.get('/api/sites/site-shop')).status,
        (await client.get('/api/sites/site-shop/restart')).status,
      ],
    ],
    'GAP-09: what a write without a documented body answers': [
      { empty: [204, true], object: [200, false], accepted: [202, false] },
      async (client) => {
        const reply = await client.call('PATCH', '/api/sites/site-shop', { site: { name: 'x' } });
        return [reply.status, reply.text === ''];
      },
    ],
    'GAP-14: tasks bare or wrapped': [
      { bare: [501, 501], wrapped: [undefined, undefined] },
      async (client) => [
        (await client.get('/api/sites/site-shop/tasks')).at(0, 'id'),
        (await client.get('/api/tasks/501')).at('id'),
      ],
    ],
    'GAP-14.timestamps: timestamps of tasks': [
      { unix: 'number', iso: 'string' },
      async (client) => typeof (await client.get('/api/tasks/501')).at('start_on'),
    ],
    'GAP-14.header: one task with or without the account header': [
      { optional: 200, required: 400 },
      async (client) => (await client.get('/api/tasks/501', { account: null })).status,
    ],
    'GAP-18: a zone where the domain came by CNAME': [
      { 'dns-only': true, always: false },
      async (client) => (await client.get('/api/domains/dom-docs')).at('domain', 'dns_zone') === null,
    ],
    'GAP-19: a hostname attached already': [
      {
        refuse: [422, 422, 1],
        conflict: [409, 409, 1],
        same: [200, 422, 1],
        duplicate: [200, 200, 2],
        move: [200, 200, 0],
      },
      async (client) => {
        const again = await attach(client, 'site-docs', 'docs.example.com');
        const elsewhere = await attach(client, 'site-blog', 'docs.example.com');
        return [again.status, elsewhere.status, (await hostnames(client, 'site-docs')).length];
      },
    ],
    'GAP-19.temporary: the temporary hostname in the lists': [
      { unlisted: 0, listed: 1 },
      async (client) => (await hostnames(client, 'site-blog')).length,
    ],
    'GAP-19.header: the account header on the domain list': [
      { ignored: 4, narrows: 3 },
      async (client) => (await client.get('/api/domains')).column('domains', 'id').length,
    ],
    "GAP-19.scope: the scope of a site's domains": [
      { domains: [200, 403], sites: [403, 200] },
      async (client) => [
        (await client.get('/api/sites/site-shop/domains', { token: oauthToken(['domains:read']) })).status,
        (await client.get('/api/sites/site-shop/domains', { token: oauthToken(['sites:read']) })).status,
      ],
    ],
    'GAP-20: what a first domain does to the CDN': [
      { never: 409, 'first-domain': 200 },
      async (client) => {
        const site = client.sandbox.state.sites.get('site-blog');
        assert.ok(site !== undefined);
        site.cdn.zone = 'none';
        await attach(client, 'site-blog', 'blog.example.com');
        return (await client.get('/api/sites/site-blog/cdn')).status;
      },
    ],
    'GAP-21: caching lists replace or merge': [
      { replace: ['lang'], merge: ['currency', 'lang'] },
      async (client) =>
        (await client.call('PATCH', '/api/sites/site-shop/cdn/caching', { cookie_vary_parameters: ['lang'] })).at(
          'cookie_vary_parameters',
        ),
    ],
    'GAP-21.characters: odd vary parameters': [
      { drop: ['ok'], keep: ['a b', 'ok'] },
      async (client) =>
        (await client.call('PATCH', '/api/sites/site-shop/cdn/caching', { cookie_vary_parameters: ['a b', 'ok'] })).at(
          'cookie_vary_parameters',
        ),
    ],
    'GAP-59: unknown keys': [
      { 'extra-keys': [true, true], plain: [false, false] },
      async (client) => {
        const reply = await client.get('/api/sites');
        return [reply.at('x_sandbox_extra') !== undefined, reply.at('sites', 0, 'x_sandbox_extra') !== undefined];
      },
    ],
    'GAP-62: what `location` shows': [
      { region: 'Europe West', 'short-name': 'ams' },
      async (client) => (await client.get('/api/sites')).at('sites', 0, 'location'),
    ],
    'GAP-07: locations and plans in three shapes': [
      { objects: ['ams', 'mini'], texts: ['ams', 'mini'], nested: ['Europe West', 'Mini'] },
      async (client) => {
        const reply = await client.get('/api/about', { token: OAUTH_TOKEN });
        const found = (...paths: (string | number)[][]): unknown =>
          paths.map((path) => reply.at(...path)).find((value) => typeof value === 'string');
        return [
          found(['locations', 0, 'short_name'], ['locations', 0], ['about', 'location_names', 'ams']),
          found(['plans', 0, 'short_name'], ['plans', 0], ['about', 'plan_names', 'mini']),
        ];
      },
    ],
  }),
  ...gapsIn('guards', {
    'GAP-03: Not Authorized with or without a code': [
      { 'without-code': undefined, 'with-code': 'not_authorized' },
      async (client) => (await client.get('/api/sites/site-locked/domains')).at('code'),
    ],
    'GAP-08: a soft-deleted site in the list': [
      { listed: true, unlisted: false },
      async (client) => (await client.get('/api/sites')).column('sites', 'id').includes('site-leaving'),
    ],
    'GAP-65: the order of the guards': [
      { listed: 402, reversed: 403 },
      async (client) => (await client.get('/api/sites/site-everything/domains')).status,
    ],
  }),
  ...gapsIn('sites:60', {
    'GAP-06: lists of sites and domains, whole or in pages': [
      { unpaged: [60, 120, 60], paged: [50, 50, 10] },
      async (client) => [
        (await client.get('/api/sites')).column('sites', 'id').length,
        (await client.get('/api/domains')).column('domains', 'id').length,
        (await client.get('/api/sites?page=2')).column('sites', 'id').length,
      ],
    ],
  }),
  ...casesIn('small', {
    'GAP-17: the plural path detaches nothing': async (client) => {
      answered(await client.call('DELETE', '/api/sites/site-docs/domains/dom-docs'), 404);
      assert.deepEqual(await hostnames(client, 'site-docs'), ['docs.example.com']);
    },
  }),
];
