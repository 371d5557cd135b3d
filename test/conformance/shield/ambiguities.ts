// Conformance of what the documents leave open about Shield's zone: activation, deactivation, modes, plans, how
// settings read.
import { gapsIn, keysOf } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';
import { BASIC, PREMIUM, RULES, at, condition, limit, rule } from './support.ts';

const RESTING = at('resting');

const activate = (client: Client, site: string) => client.call('POST', at(site));
const zoneOf = (client: Client, site: string) => client.sandbox.state.sites.get(`site-${site}`)?.shield.zone;

/** The texts of the modes 1 and 0. */
async function modes(client: Client, path: readonly [string, string]): Promise<unknown> {
  const [premium, learning] = [await client.get(PREMIUM), await client.get(at('learning'))];
  return [premium.at(...path), learning.at(...path)];
}

const activation = gapsIn('shield', {
  'GAP-26: activating without a pull zone': [
    { shield_not_active: 'shield_not_active', cdn_not_active: 'cdn_not_active' },
    async (client) => (await activate(client, 'no-cdn')).at('code'),
  ],
  'GAP-27: how a deactivated zone reads': [
    { inactive: [200, false], refuse: [409, undefined] },
    async (client) => {
      const reply = await client.get(RESTING);
      return [reply.status, reply.at('active')];
    },
  ],
  'GAP-27.below: what lies below a deactivated zone': [
    { refuse: [409, 409, 409], answer: [200, 204, 201] },
    async (client) => [
      (await client.get(`${RESTING}/access_lists`)).status,
      (await client.call('PATCH', RESTING, { waf_enabled: true })).status,
      (await client.call('POST', `${RESTING}/rate_limits`, limit)).status,
    ],
  ],
  'GAP-27.items: what a deactivation does to rules, limits and lists': [
    { kept: 2, removed: 0 },
    async (client) => {
      await client.call('DELETE', PREMIUM);
      await activate(client, 'premium');
      return (await client.get(RULES)).column(null, 'rule_name').length;
    },
  ],
  'GAP-27.ddos: the DDoS protection of a deactivated zone': [
    { kept: 2, zero: 0 },
    async (client) => (await client.get(RESTING)).at('ddos', 'sensitivity'),
  ],
  'GAP-27.post: activating a deactivated zone': [
    {
      'as-left': [201, false, 'advanced', 2, 1],
      'as-before': [201, true, 'advanced', 2, 1],
      fresh: [201, true, 'basic', 2, 1],
      refuse: [422, false, 'advanced', 2, undefined],
    },
    async (client) => {
      const reply = await activate(client, 'resting');
      const zone = zoneOf(client, 'resting');
      return [
        reply.status,
        zone?.waf.enabled,
        zone?.tier,
        zone?.customRules.length,
        client.sandbox.creations.get('shield reactivation on site-resting'),
      ];
    },
  ],
  'GAP-27.repeat: activating an active zone': [
    { again: [201, 'advanced'], refuse: [422, 'advanced'] },
    async (client) => [(await activate(client, 'premium')).status, zoneOf(client, 'premium')?.tier],
  ],
  'GAP-27.fresh: what a new zone comes with': [
    { learning: [true, 'Log', true], blocking: [true, 'Block', false], off: [false, 'Log', false] },
    async (client) => {
      await activate(client, 'none');
      const zone = await client.get(at('none'));
      return [zone.at('waf', 'enabled'), zone.at('waf', 'execution_mode'), zone.at('waf', 'learning_mode')];
    },
  ],
});

const settings = gapsIn('shield', {
  'GAP-28: the texts of the WAF mode': [
    {
      capital: ['Block', 'Log'],
      lower: ['block', 'log'],
      upper: ['BLOCK', 'LOG'],
      digits: ['1', '0'],
      words: ['Prevention', 'Detection'],
    },
    (client) => modes(client, ['waf', 'execution_mode']),
  ],
  'GAP-28.ddos: the texts of the DDoS mode': [
    { 'like-waf': ['Block', 'Mode7'], digits: ['1', '7'], words: ['Mitigate', 'Mode7'] },
    async (client) => {
      await client.call('PATCH', at('learning'), { ddos_execution_mode: 7 });
      return modes(client, ['ddos', 'execution_mode']);
    },
  ],
  'GAP-28.ranges: integers without a documented range': [
    { open: [204, 204, 204], narrow: [422, 422, 422] },
    async (client) => [
      (await client.call('PATCH', PREMIUM, { ddos_sensitivity: 5 })).status,
      (await client.call('PATCH', PREMIUM, { ddos_execution_mode: 2 })).status,
      (await client.call('PATCH', `${PREMIUM}/bot_detection`, { ip_address_sensitivity: 5 })).status,
    ],
  ],
  'SHD-26 learningEnd: learning that is over': [
    { ends: [false, true], 'ends-cleared': [false, false], stays: [true, true] },
    async (client) => {
      client.sandbox.clock.advance(49 * 3_600_000);
      const zone = await client.get(at('learning'));
      return [zone.at('waf', 'learning_mode'), zone.at('waf', 'learning_mode_until') !== null];
    },
  ],
  'GAP-29.zone: how the zone is wrapped': [
    { bare: ['advanced', undefined], wrapped: [undefined, 'advanced'] },
    async (client) => {
      const reply = await client.get(PREMIUM);
      return [reply.at('plan'), reply.at('shield', 'plan')];
    },
  ],
  'GAP-29.waf: how the WAF config reads': [
    {
      block: ['Block', undefined, undefined],
      wrapped: [undefined, 'Block', undefined],
      written: [undefined, undefined, 1],
    },
    async (client) => {
      const reply = await client.get(`${PREMIUM}/waf`);
      return [reply.at('execution_mode'), reply.at('waf', 'execution_mode'), reply.at('waf_execution_mode')];
    },
  ],
  'GAP-29.bots: how the bot detection reads': [
    { flat: [2, undefined, undefined], nested: [undefined, 2, undefined], wrapped: [undefined, undefined, 2] },
    async (client) => {
      const reply = await client.get(`${PREMIUM}/bot_detection`);
      return [
        reply.at('ip_address_sensitivity'),
        reply.at('ip_address', 'sensitivity'),
        reply.at('bot_detection', 'ip_address_sensitivity'),
      ];
    },
  ],
  'GAP-29.ruleIds: ids of managed rules that nobody knows': [
    { kept: [204, ['1', '942100']], dropped: [204, ['942100']], refused: [422, ['941100', '942100']] },
    async (client) => {
      const reply = await client.call('PATCH', PREMIUM, { waf_disabled_rules: ['942100', '1'] });
      return [reply.status, [...(zoneOf(client, 'premium')?.waf.disabledRules ?? [])].sort()];
    },
  ],
  'GAP-29 GAP-09: what writing the zone answers': [
    { empty: [204, undefined], object: [200, 'basic'], accepted: [202, undefined] },
    async (client) => {
      const reply = await client.call('PATCH', BASIC, { ddos_sensitivity: 1 });
      return [reply.status, reply.at('plan')];
    },
  ],
});

const plans = gapsIn('shield', {
  'GAP-32: which plans are premium': [
    { 'advanced-up': [201, 201], 'business-up': [403, 201] },
    async (client) => [
      (await client.call('POST', RULES, rule)).status,
      (await client.call('POST', `${at('intricate')}/waf_custom_rules`, rule)).status,
    ],
  ],
  'GAP-32.upgrade: a higher plan': [
    { done: [204, 'advanced', 3], refused: [402, 'basic', 2], 'accepted-with-error': [202, 'basic', 2] },
    async (client) => {
      const reply = await client.call('PATCH', BASIC, { plan_type: 1, ddos_sensitivity: 3 });
      const zone = zoneOf(client, 'basic');
      return [reply.status, zone?.tier, zone?.ddos.sensitivity];
    },
  ],
  'GAP-32.downgrade: a lower plan': [
    { kept: [204, 'basic', 2, 1, 1], removed: [204, 'basic', 0, 0, 0], refused: [422, 'advanced', 2, 1, 1] },
    async (client) => {
      const reply = await client.call('PATCH', PREMIUM, { plan_type: 0 });
      const zone = zoneOf(client, 'premium');
      return [reply.status, zone?.tier, zone?.customRules.length, zone?.rateLimits.length, zone?.bots.execution_mode];
    },
  ],
  'GAP-32.items: more than a plan allows': [
    { unlimited: [201, 3], refused: [422, 2], 'accepted-with-error': [202, 2] },
    async (client) => {
      const reply = await client.call('POST', `${BASIC}/rate_limits`, limit);
      return [reply.status, zoneOf(client, 'basic')?.rateLimits.length];
    },
  ],
});

const rules = gapsIn('shield', {
  'GAP-29.case: how the keys are spelled': [
    {
      snake: ['rule_configuration', 'rule_name', 'action_type'],
      camel: ['ruleConfiguration', 'ruleName', 'actionType'],
    },
    async (client) => {
      const [row] = (await client.get(RULES)).at() as Record<string, object>[];
      const [, configuration, , name] = keysOf(row);
      return [configuration, name, keysOf(row?.[configuration ?? ''])[0]];
    },
  ],
  'GAP-29.nesting: where the configuration reads': [
    { nested: [1, undefined], flat: [undefined, 1] },
    async (client) => {
      const rows = (await client.get(RULES)).at() as {
        id: string;
        action_type?: number;
        rule_configuration?: { action_type: number };
      }[];
      const row = rows.find(({ id }) => id === 'rule-admin');
      return [row?.rule_configuration?.action_type, row?.action_type];
    },
  ],
  'GAP-29.variables: how the variable of a custom rule reads': [
    { written: ['REQUEST_HEADERS', 'x-old', undefined], map: [undefined, undefined, { REQUEST_HEADERS: 'x-old' }] },
    async (client) => {
      const rows = (await client.get(RULES)).at() as { id: string; rule_configuration: Record<string, unknown> }[];
      const shown = rows.find(({ id }) => id === 'rule-legacy')?.rule_configuration;
      return [shown?.['variable_type'], shown?.['variable_subselector'], shown?.['variable_types']];
    },
  ],
  'GAP-29.beyond: what no write can say': [
    { shown: [true, [8, 19], 1], hidden: [undefined, undefined, undefined] },
    async (client) => {
      const rows = (await client.get(`${at('intricate')}/waf_custom_rules`)).at() as {
        id: string;
        rule_configuration: Record<string, unknown>;
      }[];
      const shown = (id: string, key: string): unknown => rows.find((one) => one.id === id)?.rule_configuration[key];
      const chain = shown('rule-chained', 'chained_rule_conditions') as unknown[] | undefined;
      return [shown('rule-negated', 'is_negated'), shown('rule-transformed', 'transformation_types'), chain?.length];
    },
  ],
  'GAP-33.configuration: the configuration of a change replaces or is merged': [
    { whole: [condition, 5], merged: [{ ...condition, is_negated: true }, 5] },
    async (client) => {
      await client.call('PATCH', `${at('intricate')}/waf_custom_rules/rule-negated`, { rule_configuration: condition });
      await client.call('PATCH', `${PREMIUM}/rate_limits/limit-api`, { rule_configuration: { requestCount: 5 } });
      return [
        zoneOf(client, 'intricate')?.customRules.find(({ id }) => id === 'rule-negated')?.configuration,
        zoneOf(client, 'premium')?.rateLimits[0]?.configuration['requestCount'],
      ];
    },
  ],
});

export const shieldGapCases: readonly ConformanceCase[] = [...activation, ...settings, ...plans, ...rules];
