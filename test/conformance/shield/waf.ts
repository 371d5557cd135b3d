// Conformance of Shield's settings below the zone: the WAF, its rule lists, bot detection.
import assert from 'node:assert/strict';
import { answered, casesIn, refused } from '../context.ts';
import { PREMIUM, at } from './support.ts';

const sorted = (list: unknown): readonly unknown[] => [...(list as unknown[])].sort();

export const shieldWafCases = casesIn('shield', {
  'SHD-09: the WAF mode is 0 or 1': async (client) => {
    for (const path of ['', '/waf']) {
      answered(await client.call('PATCH', at('basic') + path, { waf_execution_mode: 1 }), 204);
      answered(await client.call('PATCH', at('basic') + path, { waf_execution_mode: 2 }), 422);
    }
  },
  'SHD-10: the WAF path writes the same settings, and only those': async (client) => {
    answered(await client.call('PATCH', `${PREMIUM}/waf`, { waf_execution_mode: 0, waf_enabled: false }), 204);
    const zone = await client.get(PREMIUM);
    assert.deepEqual([zone.at('waf', 'execution_mode'), zone.at('waf', 'enabled')], ['Log', false]);
    assert.equal((await client.get(`${PREMIUM}/waf`)).at('execution_mode'), 'Log');
    answered(await client.call('PATCH', `${PREMIUM}/waf`, { learning_mode: true }), 422);
  },
  'SHD-11: lists of rule ids are texts, and replaced whole': async (client) => {
    assert.deepEqual(sorted((await client.get(PREMIUM)).at('waf', 'disabled_rules')), ['941100', '942100']);
    await client.call('PATCH', PREMIUM, { waf_disabled_rules: ['942190'] });
    await client.call('PATCH', `${PREMIUM}/waf`, { waf_log_only_rules: [] });
    const zone = await client.get(PREMIUM);
    assert.deepEqual([zone.at('waf', 'disabled_rules'), zone.at('waf', 'log_only_rules')], [['942190'], []]);
    answered(await client.call('PATCH', PREMIUM, { waf_disabled_rules: [942190] }), 422);
  },
  'SHD-12: managed rules are a bare list of groups': async (client) => {
    assert.deepEqual((await client.get(`${PREMIUM}/waf/rules`)).column(null, 'name'), [
      'Cross-site scripting',
      'SQL injection',
    ]);
  },
  'SHD-15: bot detection is read on any plan and written on a premium one': async (client) => {
    assert.equal((await client.get(`${at('basic')}/bot_detection`)).at('execution_mode'), 0);
    refused(
      await client.call('PATCH', `${at('basic')}/bot_detection`, { execution_mode: 1 }),
      403,
      'shield_premium_required',
    );
    answered(await client.call('POST', `${PREMIUM}/bot_detection`, {}), 501);
  },
  'SHD-15/partial: bot detection is written in part': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-59': 'plain' } });
    answered(
      await client.call('PATCH', `${PREMIUM}/bot_detection`, {
        ip_address_sensitivity: 0,
        browser_fingerprint_complex_enabled: false,
      }),
      204,
    );
    assert.deepEqual((await client.get(`${PREMIUM}/bot_detection`)).at(), {
      execution_mode: 1,
      request_integrity_sensitivity: 1,
      ip_address_sensitivity: 0,
      browser_fingerprint_sensitivity: 3,
      browser_fingerprint_aggression: 2,
      browser_fingerprint_complex_enabled: false,
    });
    answered(await client.call('PATCH', `${PREMIUM}/bot_detection`, { sensitivity: 1 }), 422);
  },
});
