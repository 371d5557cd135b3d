// Conformance of the edge rules: list, create, update in place, replace, switch, remove, limits.
import assert from 'node:assert/strict';
import { READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { SYSTEM_PREFIX } from '../../../src/sandbox/cdn/edge-rules.ts';
import { answered, casesIn, keysOf, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';

const SHOP = '/api/sites/site-shop/edge_rules';
const RULE_KEYS = [
  'ActionParameter1',
  'ActionParameter2',
  'ActionParameter3',
  'ActionType',
  'Description',
  'Enabled',
  'ExtraActions',
  'Guid',
  'OrderIndex',
  'TriggerMatchingType',
  'Triggers',
];
const LISTED = ['force ssl', 'headers', 'made elsewhere', 'old shop'];

type Row = Record<string, unknown>;

const described = async (client: Client): Promise<readonly unknown[]> =>
  (await client.get(SHOP)).column(null, 'Description');

async function row(client: Client, guid: string): Promise<Row> {
  const rows = (await client.get(SHOP)).at() as Row[];
  const found = rows.find((one) => one['Guid'] === guid);
  assert.ok(found !== undefined, `no rule ${guid} in the list`);
  return found;
}

const save = (client: Client, edge_rule: Row): Promise<Reply> => client.call('POST', SHOP, { edge_rule });
const block = {
  ActionType: 4,
  Description: 'block',
  Enabled: true,
  Triggers: [{ Type: 0, PatternMatchingType: 0, PatternMatches: ['*/x/*'] }],
};
const trigger = (matches: number): Row => ({
  Type: 0,
  PatternMatchingType: 0,
  PatternMatches: Array.from({ length: matches }, (_one, index) => `/${index}`),
});

export const edgeRuleCases = casesIn('small', {
  'EDG-01: eleven capitalised keys, empty texts read null': async (client) => {
    const rule = ((await client.get(SHOP)).at() as Row[]).find((one) => one['Description'] === 'headers');
    assert.ok(rule !== undefined);
    assert.deepEqual(keysOf(rule), RULE_KEYS);
    assert.deepEqual(
      [rule['Guid'], rule['ActionParameter3'], (rule['Triggers'] as Row[])[1]?.['Parameter1']],
      ['edge-headers', null, null],
    );
  },
  'EDG-02: actions 0 to 34 are taken, 37 reads and cannot be written': async (client) => {
    assert.equal((await row(client, 'edge-newer'))['ActionType'], 37);
    answered(await save(client, { ...block, ActionType: 34 }), 201);
    for (const ActionType of [35, 37, -1, '4', 1.5]) answered(await save(client, { ...block, ActionType }), 422);
  },
  'EDG-03: matching is any, all or none': async (client) => {
    answered(await save(client, { ...block, TriggerMatchingType: 2 }), 201);
    answered(await save(client, { ...block, TriggerMatchingType: 3 }), 422);
    answered(await save(client, { ...block, Triggers: [{ ...trigger(1), PatternMatchingType: 3 }] }), 422);
  },
  'EDG-04: triggers 0 to 13': async (client) => {
    answered(await save(client, { ...block, Triggers: [{ ...trigger(1), Type: 13 }] }), 201);
    answered(await save(client, { ...block, Triggers: [{ ...trigger(1), Type: 14 }] }), 422);
  },
  'EDG-05: triggers and extra actions take their keys and no others': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-59': 'plain' } });
    const ExtraActions = [{ ActionType: 5, ActionParameter1: 'X-A', ActionParameter2: 'b' }];
    const made = await save(client, { ...block, ExtraActions });
    assert.deepEqual(made.at('ExtraActions', 0), { ...ExtraActions[0], ActionParameter3: null });
    assert.deepEqual(keysOf(made.at('Triggers', 0)), ['Parameter1', 'PatternMatches', 'PatternMatchingType', 'Type']);
    answered(await save(client, { ...block, Triggers: [{ ...trigger(1), Value: 'x' }] }), 422);
    answered(await save(client, { ...block, ExtraActions: [{ Type: 5 }] }), 422);
  },
  'EDG-06: six triggers or six matches are refused, in misleading words': async (client) => {
    answered(await save(client, { ...block, Triggers: Array.from({ length: 5 }, () => trigger(5)) }), 201);
    const matches = await save(client, { ...block, Triggers: [trigger(6)] });
    assert.equal(matches.status, 422);
    assert.match(String(matches.at('errors', 0)), /triggers per condition/);
    answered(await save(client, { ...block, Triggers: Array.from({ length: 6 }, () => trigger(1)) }), 422);
  },
  'EDG-06/first: too many of both: only the triggers are spoken of': async (client) => {
    const reply = await save(client, { ...block, Triggers: Array.from({ length: 6 }, () => trigger(6)) });
    assert.deepEqual(reply.at('errors'), ['An edge rule can have at most 5 conditions']);
  },
  'LIM-03: what breaks the limits is not stored, by replacement neither': async (client) => {
    const reply = await client.call('PATCH', `${SHOP}/edge-old-shop`, {
      edge_rule: { ...block, Triggers: [trigger(6)] },
    });
    answered(reply, 422);
    assert.deepEqual(await described(client), LISTED);
  },
  'EDG-07: the list is whole and at once; the Guid is the id': async (client) => {
    const guid = String((await save(client, block)).at('Guid'));
    assert.equal((await row(client, guid))['Description'], 'block');
    answered(await client.call('DELETE', `${SHOP}/${guid}`), 204);
    assert.deepEqual((await client.get('/api/sites/site-shop/tasks')).column(null, 'id'), [501]);
  },
  "EDG-08: the platform's own rules are not listed, and a description with their prefix vanishes": async (client) => {
    assert.deepEqual(await described(client), LISTED);
    answered(await save(client, { ...block, Description: `${SYSTEM_PREFIX}mine` }), 201);
    assert.deepEqual(await described(client), LISTED);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.edgeRules.length, 6);
  },
  "EDG-08/locked: the platform's own rules cannot be changed": async (client) => {
    answered(await client.call('DELETE', `${SHOP}/edge-system`), 404);
    answered(await client.call('PATCH', `${SHOP}/edge-system/enabled`, { enabled: false }), 404);
    answered(await save(client, { ...block, Guid: 'edge-system' }), 404);
  },
  'EDG-09: a rule is made under edge_rule, with 201; flat it is refused': async (client) => {
    const made = await save(client, { ...block, OrderIndex: 3 });
    assert.deepEqual([made.status, made.at('Description'), made.at('OrderIndex')], [201, 'block', 3]);
    answered(await client.call('POST', SHOP, block), 400);
    answered(await client.call('POST', SHOP, { edge_rule: { ...block, enabled: true } }), 422);
    answered(
      await client.call('POST', '/api/sites/site-docs/edge_rules', { edge_rule: block }, { token: READER_API_KEY }),
      201,
    );
  },
  'EDG-10: the same rule made twice is two rules': async (client) => {
    await save(client, block);
    await save(client, block);
    assert.deepEqual(await described(client), ['block', 'block', ...LISTED]);
    assert.equal(client.sandbox.creations.get('edge rule block on site-shop'), 2);
  },
  'EDG-11: a POST with a Guid updates in place': async (client) => {
    answered(await save(client, { ...block, Guid: 'edge-old-shop', OrderIndex: 3 }), 201);
    assert.deepEqual(await described(client), ['block', 'force ssl', 'headers', 'made elsewhere']);
    assert.equal((await row(client, 'edge-old-shop'))['ActionParameter1'], null);
    assert.equal(client.sandbox.creations.size, 0);
  },
  'EDG-12: a replacement clears what it leaves out and needs the wrapper': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-59': 'plain' } });
    answered(await client.call('PATCH', `${SHOP}/edge-headers`, { ActionType: 4, Description: 'headers' }), 400);
    const reply = await client.call('PATCH', `${SHOP}/edge-headers`, {
      edge_rule: { ActionType: 4, Description: 'headers', OrderIndex: 7 },
    });
    answered(reply, 200);
    assert.deepEqual(await row(client, 'edge-headers'), {
      Guid: 'edge-headers',
      ActionType: 4,
      ActionParameter1: null,
      ActionParameter2: null,
      ActionParameter3: null,
      TriggerMatchingType: 0,
      Description: 'headers',
      Enabled: false,
      OrderIndex: 7,
      Triggers: [],
      ExtraActions: [],
    });
    answered(await client.call('PATCH', `${SHOP}/nowhere`, { edge_rule: block }), 404);
  },
  'EDG-13: the switch changes Enabled only, and is flat and lower-case': async (client) => {
    const before = await row(client, 'edge-headers');
    answered(await client.call('PATCH', `${SHOP}/edge-headers/enabled`, { enabled: true }), 204);
    assert.deepEqual(await row(client, 'edge-headers'), { ...before, Enabled: true });
    answered(await client.call('PATCH', `${SHOP}/edge-headers/enabled`, { Enabled: true }), 422);
  },
  'EDG-14: a removed rule answers 204 and is gone; it takes can_destroy': async (client) => {
    const gone = await client.call('DELETE', `${SHOP}/edge-old-shop`);
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.deepEqual(await described(client), ['force ssl', 'headers', 'made elsewhere']);
    answered(await client.call('DELETE', `${SHOP}/edge-old-shop`), 404);
    const made = await client.call('POST', '/api/sites/site-docs/edge_rules', { edge_rule: block });
    const path = `/api/sites/site-docs/edge_rules/${String(made.at('Guid'))}`;
    answered(await client.call('DELETE', path, undefined, { token: READER_API_KEY }), 403);
  },
  'EDG-18: without a pull zone 409, with a failing CDN 502': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    refused(await client.get('/api/sites/site-no-cdn/edge_rules'), 409, 'cdn_not_active');
    refused(
      await client.call('POST', '/api/sites/site-no-cdn/edge_rules', { edge_rule: block }),
      409,
      'cdn_not_active',
    );
    refused(await client.get('/api/sites/site-cdn-down/edge_rules'), 502, undefined);
  },
});
