// Conformance of Shield's custom WAF rules and rate limits.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, refused } from '../context.ts';
import type { ConformanceCase, Reply } from '../context.ts';
import { BASIC, LIMITS, PREMIUM, RULES, condition, limit, names, removal, row, rule } from './support.ts';
import type { Row } from './support.ts';

const ruleCases = casesIn('shield', {
  'SHD-13: a custom rule needs its name and takes its documented keys': async (client) => {
    answered(await client.call('POST', RULES, { rule_name: 'Only a name' }), 201);
    const wrong: readonly Row[] = [
      { rule_configuration: condition },
      { ...rule, rule_name: '' },
      { ...rule, name: 'x' },
      { ...rule, rule_configuration: 'x' },
      ...[
        { action_type: 0 },
        { action_type: 6 },
        { severity_type: 3 },
        { operator_type: 'contains' },
        { variable_type: 1 },
        { is_negated: true },
      ].map((change) => ({ ...rule, rule_configuration: { ...condition, ...change } })),
    ];
    for (const body of wrong) assert.equal((await client.call('POST', RULES, body)).status, 422, JSON.stringify(body));
  },
  'SHD-14: making a custom rule takes a premium plan': async (client) => {
    refused(await client.call('POST', `${BASIC}/waf_custom_rules`, rule), 403, 'shield_premium_required');
    assert.deepEqual((await client.get(`${BASIC}/waf_custom_rules`)).at(), []);
  },
  'SHD-14/created: a new custom rule answers 201 and is listed': async (client) => {
    const made = await client.call('POST', RULES, rule);
    answered(made, 201);
    const read = await row(client, RULES, made.at('id'));
    assert.deepEqual(
      [keysOf(read), read['rule_name'], read['rule_description']],
      [['id', 'rule_configuration', 'rule_description', 'rule_name'], 'New rule', 'one'],
    );
    assert.deepEqual(read['rule_configuration'], {
      ...condition,
      is_negated: false,
      transformation_types: [],
      chained_rule_conditions: [],
    });
  },
  'SHD-14/update: changing and removing a custom rule takes no premium plan': async (client) => {
    await client.call('PATCH', PREMIUM, { plan_type: 0 });
    answered(await client.call('PATCH', `${RULES}/rule-admin`, { rule_description: 'changed' }), 204);
    assert.deepEqual(
      [(await row(client, RULES, 'rule-admin'))['rule_description'], await names(client, RULES)],
      ['changed', ['Admin area', 'Legacy']],
    );
    answered(await client.call('DELETE', `${RULES}/rule-admin`), 204);
    answered(await client.call('PATCH', `${RULES}/nowhere`, rule), 404);
  },
  'SHD-14/removed: a removed custom rule is gone': (client) => removal(client, RULES, 'rule-legacy'),
});

const limitCases = casesIn('shield', {
  'SHD-16: the configuration is stored as sent, and changed as a whole': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-30.defaults': 'verbatim' } });
    const made = await client.call('POST', LIMITS, limit);
    assert.deepEqual((await row(client, LIMITS, made.at('id')))['rule_configuration'], limit.rule_configuration);
    const rule_configuration = { actionType: 3, anyKey: { withIn: true }, timeframe: 60 };
    answered(await client.call('PATCH', `${LIMITS}/limit-api`, { rule_configuration }), 204);
    assert.deepEqual((await row(client, LIMITS, 'limit-api'))['rule_configuration'], rule_configuration);
  },
  'SHD-16/created: a new rate limit answers 201, on a basic plan too': async (client) => {
    answered(await client.call('POST', `${BASIC}/rate_limits`, limit), 201);
    assert.equal(client.sandbox.creations.get('rate limit New limit on site-basic'), 1);
  },
  'SHD-16/removed: a removed rate limit is gone': (client) => removal(client, LIMITS, 'limit-api'),
  'SHD-17: names and descriptions are plain, by change too; a description may be empty, names of custom rules may be anything':
    async (client) => {
      answered(await client.call('POST', LIMITS, limit), 201);
      for (const change of [
        { rule_name: 'new-limit' },
        { rule_name: 'new_limit' },
        { rule_name: 'caf\u00e9' },
        { rule_description: 'at most 3.' },
      ]) {
        refused(await client.call('POST', LIMITS, { ...limit, ...change }), 422, undefined);
        refused(await client.call('PATCH', `${LIMITS}/limit-api`, change), 422, undefined);
      }
      answered(await client.call('POST', RULES, { ...rule, rule_name: 'caf\u00e9_1.0-x' }), 201);
    },
  'SHD-18: a timeframe is one of six': async (client) => {
    const save = async (timeframe: unknown): Promise<number> =>
      (await client.call('POST', LIMITS, { ...limit, rule_configuration: { timeframe } })).status;
    for (const timeframe of [1, 10, 60, 300]) assert.equal(await save(timeframe), 201);
    for (const timeframe of [5, 0, '10']) assert.equal(await save(timeframe), 422);
  },
  'SHD-18/plan: a timeframe beyond the plan is refused, the longest is named, and nothing is saved': async (client) => {
    const tooLong = { ...limit, rule_configuration: { ...limit.rule_configuration, timeframe: 900 } };
    const replies: readonly Reply[] = [
      await client.call('POST', LIMITS, tooLong),
      await client.call('PATCH', `${LIMITS}/limit-api`, tooLong),
    ];
    for (const reply of replies) {
      answered(reply, 422);
      assert.match(String(reply.at('errors', 0)), /\b300\b/);
    }
    assert.deepEqual(await names(client, LIMITS), ['Api']);
    await client.call('PATCH', PREMIUM, { plan_type: 2 });
    answered(await client.call('POST', LIMITS, tooLong), 201);
  },
});

export const shieldRuleCases: readonly ConformanceCase[] = [...ruleCases, ...limitCases];
