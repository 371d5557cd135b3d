// Conformance of Shield's access lists and events, and of what is made twice or listed late.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf } from '../context.ts';
import type { ConformanceCase } from '../context.ts';
import { BASIC, LIMITS, LISTS, RULES, limit, list, names, removal, rule } from './support.ts';

const listCases = casesIn('shield', {
  'SHD-21: an access list has five fields, and reads by id with its content': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-59': 'plain' } });
    const made = await client.call('POST', LISTS, list);
    const read = await client.get(`${LISTS}/${String(made.at('id'))}`);
    assert.deepEqual(read.at(), { ...list, id: made.at('id'), checksum: read.at('checksum') });
    assert.match(String(read.at('checksum')), /^[0-9a-f]{64}$/);
    for (const change of [{ type: 6 }, { type: 'IP' }, { content: ['192.0.2.7'] }, { entries: [] }, { name: '' }]) {
      answered(await client.call('POST', LISTS, { ...list, ...change }), 422);
    }
    answered(await client.call('PATCH', `${LISTS}/list-partners`, { content: '203.0.113.0/24', type: 0 }), 204);
    assert.deepEqual(
      [
        (await client.get(`${LISTS}/list-partners`)).at('content'),
        (await client.get(`${LISTS}/list-partners`)).at('type'),
      ],
      ['203.0.113.0/24', 0],
    );
    answered(await client.get(`${LISTS}/nowhere`), 404);
  },
  'SHD-21/created: a new access list answers 201 and is listed': async (client) => {
    answered(await client.call('POST', LISTS, list), 201);
    assert.deepEqual(await names(client, LISTS), ['Countries', 'New list', 'Partners']);
  },
  'SHD-21/removed: a removed access list is gone': (client) => removal(client, LISTS, 'list-partners'),
  'SHD-22: the types answer where an id would stand': async (client) => {
    const reply = await client.get(`${LISTS}/enums`);
    answered(reply, 200);
    assert.deepEqual([reply.column(null, 'value'), reply.column(null, 'name')[0]], [[0, 1, 2, 3, 4, 5], 'ASN']);
  },
});

const otherCases = casesIn('shield', {
  'SHD-27: the same rule, limit or list made twice is two': async (client) => {
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
  'SHD-27: an answer that is lost after the work leaves the item there; a fresh one may be listed late': async (
    _client,
    start,
  ) => {
    const client = await start({
      scenario: 'shield',
      ambiguities: { lateLists: 'reads:1' },
      faults: [{ kind: 'status-after', status: 502, match: { method: 'POST' } }],
    });
    answered(await client.call('POST', LISTS, list), 502);
    assert.deepEqual(await names(client, LISTS), ['Countries', 'Partners']);
    assert.deepEqual(await names(client, LISTS), ['Countries', 'New list', 'Partners']);
  },
  'SHD-24: events come page by page, newest first': async (client) => {
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
    answered(await client.get(`${BASIC}/events?continue=nonsense`), 422);
  },
  'SHD-24/day: events are those of today, or of the day that is asked for': async (client) => {
    assert.equal((await client.get(`${BASIC}/events?date=01-14-2026`)).column('logs', 'timestamp').length, 3);
    assert.equal((await client.get(`${BASIC}/events`)).at('logs', 0, 'timestamp'), '2026-01-15T09:00:00.000Z');
    client.sandbox.clock.advance(86_400_000);
    assert.deepEqual((await client.get(`${BASIC}/events`)).at('logs'), []);
    answered(await client.get(`${BASIC}/events?date=2026-01-15`), 422);
    answered(await client.get(`${BASIC}/events?date=13-45-2026`), 422);
  },
});

export const shieldListCases: readonly ConformanceCase[] = [...listCases, ...otherCases];
