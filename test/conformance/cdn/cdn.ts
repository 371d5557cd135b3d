// Conformance of the CDN: status, caching settings, purge, and when there is none.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, refused } from '../context.ts';

const STATUS_KEYS = [
  'active',
  'auto_ssl',
  'cache_control_max_age_override',
  'cache_enabled',
  'cdn_type',
  'enable_logging',
  'hostnames',
  'optimizer_enabled',
  'origin_shield_enabled',
  'origin_type',
  'origin_url',
  'smart_cache',
];
const SHOP = '/api/sites/site-shop/cdn';

export const cdnCases = casesIn('small', {
  'CDN-01: without a pull zone every CDN endpoint answers 409': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    const path = '/api/sites/site-no-cdn/cdn';
    refused(await client.get(path), 409, 'cdn_not_active');
    refused(await client.get(`${path}/caching`), 409, 'cdn_not_active');
    refused(await client.call('PATCH', `${path}/caching`, { smart_cache: true }), 409, 'cdn_not_active');
    refused(await client.call('POST', `${path}/caching/purge`), 409, 'cdn_not_active');
    answered(await client.get('/api/sites/site-no-cdn/domains'), 200);
  },
  "CDN-02: the status has its keys; the temporary hostname is the system's": async (client) => {
    const reply = await client.get(SHOP);
    assert.deepEqual(keysOf(reply.at()), STATUS_KEYS);
    const hostnames = reply.at('hostnames') as { value: string; is_system_hostname: boolean }[];
    assert.deepEqual(
      hostnames.filter((one) => one.is_system_hostname).map((one) => one.value),
      ['site-shop.tmp.sandbox.example'],
    );
    assert.equal(hostnames.length, 3);
    answered(await client.call('PATCH', SHOP, { auto_ssl: false }), 501);
  },
  'CDN-04: a pull zone that is off reads active false, and 409 elsewhere': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    const reply = await client.get('/api/sites/site-cdn-off/cdn');
    assert.deepEqual([reply.status, reply.at('active')], [200, false]);
    refused(await client.get('/api/sites/site-cdn-off/cdn/caching'), 409, 'cdn_not_active');
  },
  'CDN-06: eighteen settings of three types': async (client) => {
    const reply = await client.get(`${SHOP}/caching`);
    assert.equal(keysOf(reply.at()).length, 18);
    const types = Object.entries(reply.at() as object)
      .filter(([key]) => !key.startsWith('x_'))
      .map(([, value]) => (Array.isArray(value) ? 'array' : typeof value));
    const count = (type: string): number => types.filter((one) => one === type).length;
    assert.deepEqual([count('boolean'), count('number'), count('array')], [14, 2, 2]);
  },
  'CDN-07: -1 and 0 are edge times to live, less is not': async (client) => {
    for (const seconds of [-1, 0]) {
      assert.equal(
        (await client.call('PATCH', `${SHOP}/caching`, { cache_expiration: seconds })).at('cache_expiration'),
        seconds,
      );
    }
    answered(await client.call('PATCH', `${SHOP}/caching`, { cache_expiration: -2 }), 422);
  },
  'CDN-08: only what is sent is written; wrong types and unknown keys are refused whole': async (client) => {
    const reply = await client.call('PATCH', `${SHOP}/caching`, { vary_webp: true });
    assert.deepEqual(
      [reply.at('vary_webp'), reply.at('cache_expiration'), reply.at('cookie_vary_parameters')],
      [true, 3600, ['currency']],
    );
    for (const body of [
      { vary_webp: 'no' },
      { vary_avif: true, nonsense: 1 },
      { cookie_vary_parameters: 'a' },
      { caching: {} },
      [],
    ]) {
      answered(await client.call('PATCH', `${SHOP}/caching`, body), 422);
    }
    assert.equal((await client.get(`${SHOP}/caching`)).at('vary_avif'), false);
  },
  'CDN-10: the purge is done when it answers, and no task tells of it': async (client) => {
    answered(await client.call('POST', `${SHOP}/caching/purge`), 204);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.cdn.purges, 1);
    assert.deepEqual((await client.get('/api/sites/site-shop/tasks')).column(null, 'id'), [501]);
  },
  'CDN-11: a failing CDN answers 502 without a code': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    refused(await client.get('/api/sites/site-cdn-down/cdn/caching'), 502, undefined);
    answered(await client.get('/api/sites/site-cdn-down/domains'), 200);
  },
});
