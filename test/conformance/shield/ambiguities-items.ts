// Conformance of what the documents leave open about Shield's rules, limits and lists: wrapping, ids, answers, schema,
// checksum, partial changes.
import { gapsIn } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';
import { BASIC, LIMITS, LISTS, PREMIUM, RULES, limit, list, rule } from './support.ts';

const OFFICE = `${BASIC}/access_lists`;
const zoneOf = (client: Client, site = 'premium') => client.sandbox.state.sites.get(`site-${site}`)?.shield.zone;

const shapes = gapsIn('shield', {
  'GAP-29: how lists are wrapped': [
    { bare: [2, -1, -1], wrapped: [-1, 2, -1], data: [-1, -1, 2] },
    async (client) => {
      const reply = await client.get(RULES);
      return [reply.at(), reply.at('waf_custom_rules'), reply.at('data')].map((rows) =>
        Array.isArray(rows) ? rows.length : -1,
      );
    },
  ],
  'GAP-29.one: how one object is wrapped': [
    { bare: ['New rule', undefined, 'Partners', undefined], wrapped: [undefined, 'New rule', undefined, 'Partners'] },
    async (client) => {
      const [made, read] = [await client.call('POST', RULES, rule), await client.get(`${LISTS}/list-partners`)];
      return [
        made.at('rule_name'),
        made.at('waf_custom_rule', 'rule_name'),
        read.at('name'),
        read.at('access_list', 'name'),
      ];
    },
  ],
  'GAP-29.id: the key of the id': [
    {
      id: ['limit-api', undefined, undefined],
      named: [undefined, 'limit-api', 'list-office'],
      none: [undefined, undefined, undefined],
    },
    async (client) => [
      (await client.get(LIMITS)).at(0, 'id'),
      (await client.get(LIMITS)).at(0, 'rule_id'),
      (await client.get(OFFICE)).at(0, 'list_id'),
    ],
  ],
  'GAP-29.ids: what an id is': [
    { text: ['limit-api', 204], integer: [203, 204] },
    async (client) => {
      const id = (await client.get(LIMITS)).at(0, 'id');
      return [id, (await client.call('DELETE', `${LIMITS}/${String(id)}`)).status];
    },
  ],
  'GAP-29.write: what a create answers': [
    { object: [201, true, 'New list'], id: [201, true, undefined], empty: [201, false, undefined] },
    async (client) => {
      const reply = await client.call('POST', LISTS, list);
      return [reply.status, typeof reply.at('id') === 'string', reply.at('name')];
    },
  ],
  'GAP-29 GAP-09: what a change answers': [
    { empty: [204, undefined], object: [200, 'Api'], accepted: [202, undefined] },
    async (client) => {
      const reply = await client.call('PATCH', `${LIMITS}/limit-api`, { rule_description: 'x' });
      return [reply.status, reply.at('rule_name')];
    },
  ],
  'GAP-29.enums: the types of access lists': [
    {
      objects: [{ value: 1, name: 'CIDR' }, undefined, undefined],
      map: [undefined, 1, undefined],
      wrapped: [undefined, undefined, { id: 1, name: 'CIDR' }],
    },
    async (client) => {
      const reply = await client.get(`${LISTS}/enums`);
      const plain = (value: unknown): unknown =>
        typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('x_')))
          : value;
      return [plain(reply.at(1)), reply.at('CIDR'), plain(reply.at('types', 1))];
    },
  ],
  'GAP-29 emptyTexts: how an empty description reads': [
    { null: null, text: '', absent: undefined },
    async (client) =>
      ((await client.get(RULES)).at() as Record<string, unknown>[]).find((one) => one['id'] === 'rule-admin')?.[
        'rule_description'
      ],
  ],
});

const limits = gapsIn('shield', {
  'GAP-30: what a refused timeframe answers': [
    { 422: [422, true], 400: [400, true], 502: [502, true], 'accepted-with-error': [202, true] },
    async (client) => {
      const reply = await client.call('POST', LIMITS, { ...limit, rule_configuration: { timeframe: 3600 } });
      return [reply.status, String(reply.at('errors', 0)).includes('300') && zoneOf(client)?.rateLimits.length === 1];
    },
  ],
  'GAP-30.longest: whether a plan limits timeframes': [
    { 'by-tier': 422, none: 201 },
    async (client) =>
      (await client.call('POST', `${BASIC}/rate_limits`, { ...limit, rule_configuration: { timeframe: 3600 } })).status,
  ],
  'GAP-30.defaults: keys that nobody wrote': [
    { added: [false, []], verbatim: [undefined, undefined] },
    async (client) => {
      const reply = await client.get(LIMITS);
      return [reply.at(0, 'rule_configuration', 'isNegated'), reply.at(0, 'rule_configuration', 'transformationTypes')];
    },
  ],
  'GAP-30.keys: keys in snake case': [
    { any: [201, 201], camel: [422, 201] },
    async (client) => [
      (await client.call('POST', LIMITS, { ...limit, rule_configuration: { request_count: 1 } })).status,
      (await client.call('POST', LIMITS, { ...limit, rule_configuration: { requestCount: 1 } })).status,
    ],
  ],
  'GAP-30.read: how the configuration of a limit reads': [
    { 'as-sent': [5, undefined], snake: [undefined, 5] },
    async (client) => {
      const reply = await client.get(LIMITS);
      return [reply.at(0, 'rule_configuration', 'requestCount'), reply.at(0, 'rule_configuration', 'request_count')];
    },
  ],
});

const lists = gapsIn('shield', {
  'GAP-31: whether a list shows contents': [
    { absent: [undefined, '192.0.2.1\n192.0.2.2\n'], present: ['192.0.2.1\n192.0.2.2\n', '192.0.2.1\n192.0.2.2\n'] },
    async (client) => [
      (await client.get(OFFICE)).at(0, 'content'),
      (await client.get(`${OFFICE}/list-office`)).at('content'),
    ],
  ],
  'GAP-31.checksum: the checksum': [
    { sha256: [201, 64], checked: [422, 64], echo: [201, undefined] },
    async (client) => {
      const odd = await client.call('POST', LISTS, { ...list, checksum: 'odd' });
      const plain = await client.call('POST', LISTS, list);
      return [odd.status, (plain.at('checksum') as string | null)?.length];
    },
  ],
  'GAP-31.required: what a new access list needs': [
    { name: 201, 'name-type-content': 422 },
    async (client) => (await client.call('POST', LISTS, { name: 'Only a name' })).status,
  ],
  'GAP-31.content: whether contents are tidied': [
    { verbatim: 'b\n\n a \nb\n', tidied: 'b\na' },
    async (client) => {
      await client.call('PATCH', `${LISTS}/list-partners`, { content: 'b\n\n a \nb\n' });
      return (await client.get(`${LISTS}/list-partners`)).at('content');
    },
  ],
  'GAP-31.size: how many entries there may be': [
    { open: 201, hundred: 422 },
    async (client) =>
      (
        await client.call('POST', LISTS, {
          ...list,
          content: Array.from({ length: 101 }, (_one, index) => `192.0.2.${index}`).join('\n'),
        })
      ).status,
  ],
  "GAP-31.builtIn: where the platform's own lists show": [
    { unlisted: [2, undefined, 404, 404], listed: [4, undefined, 200, 403], apart: [2, 2, 200, 403] },
    async (client) => {
      const reply = await client.get(LISTS);
      const own = reply.at('managed_lists') as unknown[] | undefined;
      return [
        ((own === undefined ? reply.at() : reply.at('custom_lists')) as unknown[]).length,
        own?.length,
        (await client.get(`${LISTS}/builtin-exits`)).status,
        (await client.call('DELETE', `${LISTS}/builtin-exits`)).status,
      ];
    },
  ],
});

const changes = gapsIn('shield', {
  'GAP-33: what a change leaves out': [
    { partial: [204, 1, 204, '198.51.100.0/24'], full: [422, undefined, 204, ''] },
    async (client) => {
      const nameless = await client.call('PATCH', `${RULES}/rule-admin`, { rule_description: 'x' });
      await client.call('PATCH', `${RULES}/rule-admin`, { rule_name: 'Admin area' });
      const short = await client.call('PATCH', `${LISTS}/list-partners`, { name: 'Partners' });
      const zone = zoneOf(client);
      return [
        nameless.status,
        zone?.customRules.find(({ id }) => id === 'rule-admin')?.configuration['action_type'],
        short.status,
        zone?.accessLists.find(({ id }) => id === 'list-partners')?.content,
      ];
    },
  ],
  'GAP-33.lists: which fields of an access list change': [
    { 'as-create': ['x', 0, 'y'], 'content-only': [null, 1, 'y'] },
    async (client) => {
      await client.call('PATCH', `${PREMIUM}/access_lists/list-partners`, {
        name: 'Partners',
        description: 'x',
        type: 0,
        content: 'y',
      });
      const stored = zoneOf(client)?.accessLists.find(({ id }) => id === 'list-partners');
      return [stored?.description, stored?.type, stored?.content];
    },
  ],
});

export const shieldItemGapCases: readonly ConformanceCase[] = [...shapes, ...limits, ...lists, ...changes];
