// Conformance of Shield itself: gates, activation and deactivation, the zone.
import assert from 'node:assert/strict';
import { OAUTH_READ_ONLY_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';
import { PREMIUM, at } from './support.ts';

const ZONE_KEYS = ['active', 'ddos', 'plan', 'waf', 'whitelabel_response_pages'];
const WAF_KEYS = [
  'disabled_rules',
  'enabled',
  'execution_mode',
  'learning_mode',
  'learning_mode_until',
  'log_only_rules',
];

const zoneOf = (client: Client, site: string) => client.sandbox.state.sites.get(`site-${site}`)?.shield.zone;

/** What can be read of a zone, below its path. */
const READS = [
  '',
  '/waf',
  '/waf/rules',
  '/waf_custom_rules',
  '/bot_detection',
  '/rate_limits',
  '/access_lists',
  '/access_lists/enums',
  '/events',
];

const gateCases = casesIn('shield', {
  'SHD-01: a plan without Shield closes every endpoint; reading takes sites:read, writing sites:write, deleting can_destroy':
    async (client) => {
      for (const path of READS) {
        refused(await client.get(at('bare') + path), 403, 'shield_not_in_plan');
      }
      refused(await client.call('POST', at('bare')), 403, 'shield_not_in_plan');
      answered(await client.get(PREMIUM, { token: OAUTH_READ_ONLY_TOKEN }), 200);
      answered(await client.call('PATCH', PREMIUM, {}, { token: OAUTH_READ_ONLY_TOKEN }), 403);
      answered(await client.call('PATCH', PREMIUM, {}, { token: READER_API_KEY }), 204);
      answered(await client.call('DELETE', PREMIUM, undefined, { token: READER_API_KEY }), 403);
    },
  'SHD-02: what was never provisioned answers 409 everywhere': async (client) => {
    for (const path of READS) {
      refused(await client.get(at('none') + path), 409, 'shield_not_active');
    }
    refused(await client.call('PATCH', at('none'), { waf_enabled: true }), 409, 'shield_not_active');
    refused(await client.call('DELETE', at('none')), 409, 'shield_not_active');
  },
  'SHD-25: a failing upstream answers 502': async (client) => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', ''],
      ['POST', '/rate_limits'],
      ['GET', '/access_lists'],
    ] as const) {
      refused(await client.call(method, at('down') + path, method === 'GET' ? undefined : {}), 502, undefined);
    }
  },
  'SHD-03: activating answers 201, and the zone is there': async (client) => {
    answered(await client.call('POST', at('none')), 201);
    const zone = await client.get(at('none'));
    assert.deepEqual([zone.at('active'), zone.at('plan')], [true, 'basic']);
    assert.equal(client.sandbox.creations.get('shield zone on site-none'), 1);
  },
  'SHD-03/zone: without a pull zone the refusal says shield_not_active': async (client) => {
    refused(await client.call('POST', at('no-cdn')), 409, 'shield_not_active');
    assert.equal(client.sandbox.creations.size, 0);
  },
  'SHD-04: deactivating keeps the zone, with WAF off and learning over': async (client) => {
    answered(await client.call('DELETE', PREMIUM), 204);
    const zone = await client.get(PREMIUM);
    assert.deepEqual(
      [zone.status, zone.at('active'), zone.at('waf', 'enabled'), zone.at('plan')],
      [200, false, false, 'advanced'],
    );
    assert.equal((await client.get(at('resting'))).at('active'), false);
    assert.equal(zoneOf(client, 'premium')?.customRules.length, 2);
  },
});

const zoneCases = casesIn('shield', {
  'SHD-05: the zone reads nested': async (client) => {
    const zone = await client.get(PREMIUM);
    assert.deepEqual([keysOf(zone.at()), keysOf(zone.at('waf'))], [ZONE_KEYS, WAF_KEYS]);
    assert.deepEqual(zone.at('ddos'), { sensitivity: 2, execution_mode: 'Block', challenge_window: 3600 });
    assert.deepEqual((await client.get(at('learning'))).at('waf', 'learning_mode_until'), '2026-01-17T09:00:00.000Z');
  },
  'SHD-06: the zone is written flat, in part, and not in the shape in which it reads': async (client) => {
    answered(
      await client.call('PATCH', PREMIUM, {
        ddos_sensitivity: 3,
        ddos_execution_mode: 0,
        ddos_challenge_window: 900,
      }),
      204,
    );
    const zone = await client.get(PREMIUM);
    assert.deepEqual(zone.at('ddos'), { sensitivity: 3, execution_mode: 'Log', challenge_window: 900 });
    assert.deepEqual(
      [zone.at('waf', 'execution_mode'), zone.at('whitelabel_response_pages'), zone.at('plan')],
      ['Block', true, 'advanced'],
    );
    answered(await client.call('PATCH', PREMIUM, { whitelabel_response_pages: false }), 204);
    assert.equal((await client.get(PREMIUM)).at('whitelabel_response_pages'), false);
    for (const body of [
      { waf: { enabled: true } },
      { plan: 'basic' },
      { ddos_sensitivity: 'high' },
      { waf_enabled: 1 },
      { learning_mode_until: null },
    ]) {
      answered(await client.call('PATCH', PREMIUM, body), 422);
    }
  },
  'SHD-07: the plan is written as an integer and reads as a text': async (client) => {
    for (const [plan_type, plan] of [
      [0, 'basic'],
      [1, 'advanced'],
      [2, 'business'],
      [3, 'enterprise'],
    ] as const) {
      await client.call('PATCH', PREMIUM, { plan_type });
      assert.equal((await client.get(PREMIUM)).at('plan'), plan);
    }
    for (const plan_type of [4, -1, 'basic', '1']) answered(await client.call('PATCH', PREMIUM, { plan_type }), 422);
  },
  'SHD-07/modes: the modes are written as integers and read as texts; learning is written on top and reads under waf':
    async (client) => {
      assert.equal((await client.get(at('basic'))).at('waf', 'execution_mode'), 'Log');
      await client.call('PATCH', at('basic'), { waf_execution_mode: 1, learning_mode: true, waf_enabled: false });
      const waf = (await client.get(at('basic'))).at('waf');
      assert.deepEqual(waf, {
        ...(waf as object),
        enabled: false,
        execution_mode: 'Block',
        learning_mode: true,
        learning_mode_until: '2026-01-22T09:00:00.000Z',
      });
    },
  'SHD-26: learning ends by itself, and can be ended': async (client) => {
    assert.equal((await client.get(at('learning'))).at('waf', 'learning_mode'), true);
    client.sandbox.clock.advance(48 * 3_600_000);
    assert.equal((await client.get(at('learning'))).at('waf', 'learning_mode'), false);
    await client.call('PATCH', at('learning'), { learning_mode: true });
    assert.equal((await client.get(at('learning'))).at('waf', 'learning_mode_until'), '2026-01-24T09:00:00.000Z');
    await client.call('PATCH', at('learning'), { learning_mode: false });
    assert.deepEqual(
      [
        (await client.get(at('learning'))).at('waf', 'learning_mode'),
        (await client.get(at('learning'))).at('waf', 'learning_mode_until'),
      ],
      [false, null],
    );
  },
  'SHD-08: premium writes advanced or basic, whatever the plan was': async (client) => {
    await client.call('PATCH', at('basic'), { premium: true });
    await client.call('PATCH', at('intricate'), { premium: false });
    assert.deepEqual(
      [(await client.get(at('basic'))).at('plan'), (await client.get(at('intricate'))).at('plan')],
      ['advanced', 'basic'],
    );
  },
});

export const shieldCases: readonly ConformanceCase[] = [...gateCases, ...zoneCases];
