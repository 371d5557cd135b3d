// Conformance of what the documents leave open about orders, resizing, PHP versions, cache layers, edge rules and
// backups.
import assert from 'node:assert/strict';
import { answered, casesIn, gapsIn } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

const SHOP = '/api/sites/site-shop';
const RULES = `${SHOP}/edge_rules`;
const ORDER = { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' };
const block = { ActionType: 4, Description: 'block', Enabled: true };

function stored(client: Client, description: string | null) {
  const rule = client.sandbox.state.sites.get('site-shop')?.edgeRules.find((one) => one.Description === description);
  assert.ok(rule !== undefined, `no rule '${String(description)}'`);
  return rule;
}

export const partGapCases: readonly ConformanceCase[] = [
  ...gapsIn('small', {
    'GAP-05: what a resize answers': [
      {
        cart: [202, 'accepted', undefined, 'max'],
        task: [200, undefined, 'number', 'max'],
        plain: [204, undefined, undefined, 'max'],
      },
      async (client) => {
        const reply = await client.call('PATCH', SHOP, { site: { name: 'shop', plan: 'max' } });
        client.sandbox.clock.advance(30_000);
        const task = reply.at('task_id');
        return [
          reply.status,
          reply.at('status'),
          task === undefined ? task : typeof task,
          client.sandbox.state.sites.get('site-shop')?.package,
        ];
      },
    ],
    'GAP-10: the status of an order on its way': [
      { provisioning: 'provisioning', pending: 'pending' },
      async (client) => {
        await client.call('POST', '/api/orders', { site: ORDER });
        client.sandbox.clock.advance(5_000);
        return (await client.get('/api/orders')).at('orders', 0, 'status');
      },
    ],
    'GAP-10.cancel: cancelling an order that has ended': [
      { refuse: [422, 'completed'], accept: [202, 'completed'] },
      async (client) => {
        await client.call('POST', '/api/orders', { site: ORDER });
        client.sandbox.clock.advance(30_000);
        const [order] = client.sandbox.state.orders.values();
        return [(await client.call('DELETE', `/api/orders/${String(order?.id)}`)).status, order?.status];
      },
    ],
    'GAP-15: what a PHP change answers': [
      {
        'task-id': [200, 'number', '8.3'],
        'task-id-202': [202, 'number', '8.3'],
        'without-task-id': [204, 'undefined', '8.3'],
      },
      async (client) => {
        const reply = await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 });
        client.sandbox.clock.advance(10_000);
        return [reply.status, typeof reply.at('task_id'), client.sandbox.state.sites.get('site-shop')?.phpVersion];
      },
    ],
    'GAP-15 phpVersion: the PHP version in the view': [
      { label: '8.2', long: '8.2.12' },
      async (client) => (await client.get(SHOP)).at('site', 'php_version'),
    ],
    'GAP-16 GAP-09: what making a backup answers': [
      { empty: 204, object: 200, accepted: 202 },
      async (client) => (await client.call('PATCH', `${SHOP}/backups/11`, { name: 'a' })).status,
    ],
    'GAP-22: a layer outside the plan': [
      { false: false, null: null, absent: undefined, 'as-left': true },
      async (client) => {
        const shop = client.sandbox.state.sites.get('site-shop');
        if (shop !== undefined) shop.layers.redis.on = true;
        return (await client.get(`${SHOP}/cache`)).at('redis');
      },
    ],
    'GAP-22.repeat: enabling a layer that is on': [
      { task: 202, refuse: 422 },
      async (client) => (await client.call('PATCH', `${SHOP}/cache/nginx`)).status,
    ],
    'GAP-22.all: the tasks of all': [
      { 'one-task': 2, 'task-per-layer': 3 },
      async (client) => {
        await client.call('DELETE', `${SHOP}/cache/all/purge`);
        return (await client.get(`${SHOP}/tasks`)).column(null, 'id').length;
      },
    ],
    'GAP-22.code: the code of a refused layer': [
      { 'error-only': undefined, 'with-code': 'cache_type_unavailable' },
      async (client) => (await client.call('PATCH', `${SHOP}/cache/redis`)).at('code'),
    ],
    'GAP-23: how the list of edge rules is wrapped': [
      { bare: [4, -1, -1], wrapped: [-1, 4, -1], upstream: [-1, -1, 4] },
      async (client) => {
        const reply = await client.get(RULES);
        return [reply.at(), reply.at('edge_rules'), reply.at('EdgeRules')].map((rows) =>
          Array.isArray(rows) ? rows.length : -1,
        );
      },
    ],
    'GAP-23.write: what writing an edge rule answers': [
      { rule: [201, 'block', undefined], wrapped: [201, undefined, 'block'], empty: [201, undefined, undefined] },
      async (client) => {
        const reply = await client.call('POST', RULES, { edge_rule: block });
        return [reply.status, reply.at('Description'), reply.at('edge_rule', 'Description')];
      },
    ],
    'GAP-24: the wrapper of a replacement': [
      { wrapped: [400, 200, 4], either: [200, 200, 4], flat: [200, 200, 0] },
      async (client) => {
        const flat = await client.call('PATCH', `${RULES}/edge-headers`, block);
        const wrapped = await client.call('PATCH', `${RULES}/edge-headers`, { edge_rule: block });
        const after = client.sandbox.state.sites.get('site-shop')?.edgeRules.find((one) => one.Guid === 'edge-headers');
        return [flat.status, wrapped.status, after?.ActionType];
      },
    ],
    'GAP-25: the order index of a rule without one': [
      { zero: 0, last: 5 },
      async (client) => {
        await client.call('POST', RULES, { edge_rule: block });
        return stored(client, 'block').OrderIndex;
      },
    ],
    'GAP-25.order: ties of order indexes': [
      { kept: [1, 3, 3, 3, 4], renumbered: [0, 2, 3, 4, 5] },
      async (client) => {
        await client.call('POST', RULES, { edge_rule: { ...block, OrderIndex: 3 } });
        return (await client.get(RULES)).column(null, 'OrderIndex');
      },
    ],
    'GAP-25.guid: a POST with a Guid that nobody knows': [
      { refuse: [404, undefined], create: [201, true], 'create-anew': [201, false] },
      async (client) => {
        const reply = await client.call('POST', RULES, { edge_rule: { ...block, Guid: 'unheard-of' } });
        return [reply.status, reply.status === 404 ? undefined : stored(client, 'block').Guid === 'unheard-of'];
      },
    ],
    'GAP-25 emptyTexts: how an empty text reads': [
      { null: null, text: '', absent: undefined },
      async (client) => {
        const rows = (await client.get(RULES)).at() as Record<string, unknown>[];
        return rows.find((one) => one['Guid'] === 'edge-force-ssl')?.['ActionParameter1'];
      },
    ],
  }),
  ...casesIn('billing-bank', {
    'GAP-11: carts cannot be listed, and a purchase that waits for money shows nowhere else': async (client) => {
      await client.call('POST', '/api/orders', { site: ORDER });
      answered(await client.get('/api/carts'), 404);
      assert.deepEqual((await client.get('/api/orders')).column('orders', 'id'), []);
    },
  }),
];
