// Conformance of Shield's settings below the zone: the WAF, its rule lists, bot detection.
import assert from 'node:assert/strict';
import { refused } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { PREMIUM, at } from './support.ts';

const sorted = (list: unknown): readonly unknown[] => [...(list as unknown[])].sort();

export const shieldWafCases: readonly ConformanceCase[] = [
  {
    rule: 'SHD-09',
    title: 'the WAF mode is 0 or 1',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      for (const path of ['', '/waf']) {
        assert.equal((await client.call('PATCH', at('basic') + path, { waf_execution_mode: 1 })).status, 204);
        assert.equal((await client.call('PATCH', at('basic') + path, { waf_execution_mode: 2 })).status, 422);
      }
    },
  },
  {
    rule: 'SHD-10',
    title: 'the WAF path writes the same settings, and only those',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.equal(
        (await client.call('PATCH', `${PREMIUM}/waf`, { waf_execution_mode: 0, waf_enabled: false })).status,
        204,
      );
      const zone = await client.get(PREMIUM);
      assert.deepEqual([zone.at('waf', 'execution_mode'), zone.at('waf', 'enabled')], ['Log', false]);
      assert.equal((await client.get(`${PREMIUM}/waf`)).at('execution_mode'), 'Log');
      assert.equal((await client.call('PATCH', `${PREMIUM}/waf`, { learning_mode: true })).status, 422);
    },
  },
  {
    rule: 'SHD-11',
    title: 'lists of rule ids are texts, and replaced whole',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.deepEqual(sorted((await client.get(PREMIUM)).at('waf', 'disabled_rules')), ['941100', '942100']);
      await client.call('PATCH', PREMIUM, { waf_disabled_rules: ['942190'] });
      await client.call('PATCH', `${PREMIUM}/waf`, { waf_log_only_rules: [] });
      const zone = await client.get(PREMIUM);
      assert.deepEqual([zone.at('waf', 'disabled_rules'), zone.at('waf', 'log_only_rules')], [['942190'], []]);
      assert.equal((await client.call('PATCH', PREMIUM, { waf_disabled_rules: [942190] })).status, 422);
    },
  },
  {
    rule: 'SHD-12',
    title: 'managed rules are a bare list of groups',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.deepEqual((await client.get(`${PREMIUM}/waf/rules`)).column(null, 'name'), [
        'Cross-site scripting',
        'SQL injection',
      ]);
    },
  },
  {
    rule: 'SHD-15',
    title: 'bot detection is read on any plan and written on a premium one',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.equal((await client.get(`${at('basic')}/bot_detection`)).at('execution_mode'), 0);
      refused(
        await client.call('PATCH', `${at('basic')}/bot_detection`, { execution_mode: 1 }),
        403,
        'shield_premium_required',
      );
      assert.equal((await client.call('POST', `${PREMIUM}/bot_detection`, {})).status, 501);
    },
  },
  {
    rule: 'SHD-15/partial',
    title: 'bot detection is written in part',
    async run(context) {
      const client = await context.start({ scenario: 'shield', ambiguities: { 'GAP-59': 'plain' } });
      assert.equal(
        (
          await client.call('PATCH', `${PREMIUM}/bot_detection`, {
            ip_address_sensitivity: 0,
            browser_fingerprint_complex_enabled: false,
          })
        ).status,
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
      assert.equal((await client.call('PATCH', `${PREMIUM}/bot_detection`, { sensitivity: 1 })).status, 422);
    },
  },
];
