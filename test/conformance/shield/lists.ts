// Conformance of Shield's access lists and events, and of what is made twice or listed late.
import assert from 'node:assert/strict';
import { keysOf } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { BASIC, LIMITS, LISTS, RULES, limit, list, names, removal, rule } from './support.ts';

const listCases: readonly ConformanceCase[] = [
  {
    rule: 'SHD-21',
    title: 'an access list has five fields, and reads by id with its content',
    async run(context) {
      const client = await context.start({ scenario: 'shield', ambiguities: { 'GAP-59': 'plain' } });
      const made = await client.call('POST', LISTS, list);
      const read = await client.get(`${LISTS}/${String(made.at('id'))}`);
      assert.deepEqual(read.at(), { ...list, id: made.at('id'), checksum: read.at('checksum') });
      assert.match(String(read.at('checksum')), /^[0-9a-f]{64}$/);
      for (const change of [{ type: 6 }, { type: 'IP' }, { content: ['192.0.2.7'] }, { entries: [] }, { name: '' }]) {
        assert.equal((await client.call('POST', LISTS, { ...list, ...change })).status, 422);
      }
      assert.equal(
        (await client.call('PATCH', `${LISTS}/list-partners`, { content: '203.0.113.0/24', type: 0 })).status,
        204,
      );
      assert.deepEqual(
        [
          (await client.get(`${LISTS}/list-partners`)).at('content'),
          (await client.get(`${LISTS}/list-partners`)).at('type'),
        ],
        ['203.0.113.0/24', 0],
      );
      assert.equal((await client.get(`${LISTS}/nowhere`)).status, 404);
    },
  },
  {
    rule: 'SHD-21/created',
    title: 'a new access list answers 201 and is listed',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.equal((await client.call('POST', LISTS, list)).status, 201);
      assert.deepEqual(await names(client, LISTS), ['Countries', 'New list', 'Partners']);
    },
  },
  {
    rule: 'SHD-21/removed',
    title: 'a removed access list is gone',
    run: async (context) => removal(await context.start({ scenario: 'shield' }), LISTS, 'list-partners'),
  },
  {
    rule: 'SHD-22',
    title: 'the types answer where an id would stand',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      const reply = await client.get(`${LISTS}/enums`);
      assert.equal(reply.status, 200);
      assert.deepEqual([reply.column(null, 'value'), reply.column(null, 'name')[0]], [[0, 1, 2, 3, 4, 5], 'ASN']);
    },
  },
];

const otherCases: readonly ConformanceCase[] = [
  {
    rule: 'SHD-27',
    title: 'the same rule, limit or list made twice is two',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      for (const [path, body, name] of [
        [RULES, rule, 'New rule'],
        [LIMITS, limit, 'New limit'],
        [LISTS, list, 'New list'],
      ] as const) {
        await client.call('POST', path, body);
        await client.call('POST', path, body);
        assert.deepEqual(
          (await names(client, path)).filter((one) => one === name),
          [name, name],
        );
      }
      assert.deepEqual([...client.sandbox.creations].sort(), [
        ['access list New list on site-premium', 2],
        ['custom WAF rule New rule on site-premium', 2],
        ['rate limit New limit on site-premium', 2],
      ]);
    },
  },
  {
    rule: 'SHD-27',
    title: 'an answer that is lost after the work leaves the item there; a fresh one may be listed late',
    async run(context) {
      const client = await context.start({
        scenario: 'shield',
        ambiguities: { lateLists: 'reads:1' },
        faults: [{ kind: 'status-after', status: 502, match: { method: 'POST' } }],
      });
      assert.equal((await client.call('POST', LISTS, list)).status, 502);
      assert.deepEqual(await names(client, LISTS), ['Countries', 'Partners']);
      assert.deepEqual(await names(client, LISTS), ['Countries', 'New list', 'Partners']);
    },
  },
  {
    rule: 'SHD-24',
    title: 'events come page by page, newest first',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      const first = await client.get(`${BASIC}/events?date=01-15-2026`);
      assert.deepEqual(keysOf(first.at()), ['continuationToken', 'hasMoreData', 'logs', 'startToken']);
      assert.deepEqual(
        [(first.at('logs') as unknown[]).length, first.at('hasMoreData'), first.at('logs', 0, 'timestamp')],
        [25, true, '2026-01-15T09:00:00.000Z'],
      );
      const second = await client.get(
        `${BASIC}/events?date=01-15-2026&continue=${String(first.at('continuationToken'))}`,
      );
      assert.deepEqual(
        [(second.at('logs') as unknown[]).length, second.at('hasMoreData'), second.at('continuationToken')],
        [12, false, null],
      );
      assert.equal((await client.get(`${BASIC}/events?continue=nonsense`)).status, 422);
    },
  },
  {
    rule: 'SHD-24/day',
    title: 'events are those of today, or of the day that is asked for',
    async run(context) {
      const client = await context.start({ scenario: 'shield' });
      assert.equal((await client.get(`${BASIC}/events?date=01-14-2026`)).column('logs', 'timestamp').length, 3);
      assert.equal((await client.get(`${BASIC}/events`)).at('logs', 0, 'timestamp'), '2026-01-15T09:00:00.000Z');
      client.sandbox.clock.advance(86_400_000);
      assert.deepEqual((await client.get(`${BASIC}/events`)).at('logs'), []);
      assert.equal((await client.get(`${BASIC}/events?date=2026-01-15`)).status, 422);
      assert.equal((await client.get(`${BASIC}/events?date=13-45-2026`)).status, 422);
    },
  },
];

export const shieldListCases: readonly ConformanceCase[] = [...listCases, ...otherCases];
