// Conformance of aliases: list, create, remove, the one namespace.
import assert from 'node:assert/strict';
import { answered, casesIn, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { SHOP, rowOf, stored, trouble } from './support.ts';

const ALIASES = `${SHOP}/aliases`;
const ANNA = 'anna@shop.example.com';
const create = (client: Client, address: string, target_email = ANNA, rest: object = {}): Promise<Reply> =>
  client.call('POST', ALIASES, { address, target_email, ...rest });
const aliasesOf = (client: Client): readonly string[] | undefined =>
  stored(client).mailboxes.find(({ email }) => email === ANNA)?.aliases;

export const mailAliasCases = casesIn(plain('mail'), {
  'ALS-01: sorted by alias, with its target, filtered by either, without primary addresses': async (client) => {
    const reply = await client.get(ALIASES);
    const rows = reply.at('aliases') as { address: string }[];
    assert.deepEqual(
      rows.map(({ address }) => address),
      ['anna@shop.example.net', 'crew@shop.example.com', 'sales@shop.example.com'],
    );
    assert.deepEqual(rows[1], {
      address: 'crew@shop.example.com',
      target_email: 'team@shop.example.com',
      target_name: 'The team',
      target_type: 'group',
      target_id: 'grp-team',
    });
    assert.deepEqual((await client.get(`${ALIASES}?q=TEAM@`)).column('aliases', 'address'), ['crew@shop.example.com']);
    await create(client, 'b', 'ben@shop.example.com');
    assert.equal(
      rowOf(await client.get(ALIASES), 'aliases', 'target_email', 'ben@shop.example.com')['target_name'],
      'ben',
    );
  },
  'ALS-02: aliases that cannot be read are a 503; those beyond the cut are missing without a word': async (
    client,
    start,
  ) => {
    await trouble(client, 'aliases');
    refused(await client.get(ALIASES), 503, 'aliases_unavailable');
    const big = await start({ scenario: 'mailboxes:510' });
    const reply = await big.get('/api/mailspace/mail-big/aliases');
    assert.deepEqual([reply.status, reply.column('aliases', 'address').length], [200, 50]);
  },
  'ALS-03: a target is a primary address of this mailspace; there are no chains': async (client) => {
    for (const target of ['sales@shop.example.com', 'nobody@shop.example.com', 'info@foreign.example.com'])
      refused(await create(client, 'x', target), 422, 'invalid_alias');
    for (const target of [ANNA, 'team@shop.example.com', 'news@shop.example.com'])
      answered(await create(client, target.replace('@', '-alias@'), target), 201);
  },
  'ALS-04: a bare alias is qualified, and the answer has two fields in lower case': async (client) => {
    assert.deepEqual((await create(client, 'Hello', 'ANNA@shop.example.com')).at('alias'), {
      address: 'hello@shop.example.com',
      target_email: ANNA,
    });
    assert.equal(
      (await create(client, 'hello', ANNA, { domain: 'shop.example.net' })).at('alias', 'address'),
      'hello@shop.example.net',
    );
    assert.equal(
      (await create(client, 'x@shop.example.com', ANNA, { domain: 'shop.example.net' })).at('alias', 'address'),
      'x@shop.example.com',
    );
  },
  'ALS-05: repeating is safe; another target, a foreign domain and junk are invalid': async (client) => {
    assert.deepEqual([(await create(client, 'hello')).status, (await create(client, 'hello')).status], [201, 201]);
    assert.deepEqual([...client.sandbox.creations], [['alias hello@shop.example.com on shop.example.com', 1]]);
    refused(await create(client, 'hello', 'team@shop.example.com'), 422, 'invalid_alias');
    refused(await create(client, 'x@elsewhere.example.com'), 422, 'invalid_alias');
    refused(await create(client, 'two words'), 422, 'invalid_alias');
  },
  'ALS-05/blank: a missing address and a missing target have codes of their own': async (client) => {
    refused(await create(client, ' '), 400, 'address_blank');
    refused(await create(client, 'x', ''), 400, 'target_blank');
  },
  'ALS-07: removing takes any case, and says what it removed': async (client) => {
    const reply = await client.call('DELETE', `${ALIASES}/Sales@SHOP.example.com`);
    assert.deepEqual(
      [reply.status, reply.at()],
      [200, { deleted: true, address: 'sales@shop.example.com', target_email: ANNA }],
    );
    assert.deepEqual(aliasesOf(client), ['anna@shop.example.net']);
  },
  'ALS-08: what nobody carries is unknown, and a primary address is no alias': async (client) => {
    for (const address of ['nobody@shop.example.com', ANNA, 'team@shop.example.com'])
      refused(await client.call('DELETE', `${ALIASES}/${address}`), 404, 'unknown_alias');
  },
  'ALS-09: refused, not attempted, or done without an answer': async (client) => {
    const path = `${ALIASES}/sales@shop.example.com`;
    await trouble(client, 'refusal');
    refused(await client.call('DELETE', path), 422, 'alias_remove_failed');
    await trouble(client, 'write-before');
    refused(await client.call('DELETE', path), 503, 'aliases_unavailable');
    assert.equal(aliasesOf(client)?.length, 2);
    await trouble(client, 'write-after');
    refused(await client.call('DELETE', path), 503, 'aliases_unavailable');
    assert.equal(aliasesOf(client)?.length, 1);
    await trouble(client, 'write-after');
    refused(await create(client, 'sales'), 503, 'aliases_unavailable');
    answered(await create(client, 'sales'), 201);
  },
  'ALS-09/check: where the aliases cannot be read, nothing is written and nothing said to be unknown': async (
    client,
  ) => {
    await trouble(client, 'aliases', 2);
    refused(await client.call('DELETE', `${ALIASES}/nobody@shop.example.com`), 503, 'aliases_unavailable');
    refused(await create(client, 'hello'), 503, 'aliases_unavailable');
    assert.deepEqual([aliasesOf(client)?.length, client.sandbox.creations.size], [2, 0]);
  },
  'ALS-11: an address is taken by whatever has it': async (client) => {
    for (const address of ['cleo', 'team', 'news', 'crew'])
      refused(await create(client, address), 422, 'invalid_alias');
    for (const username of ['cleo', 'team', 'news', 'crew', 'sales'])
      refused(await client.call('POST', `${SHOP}/mailboxes`, { username, password: 'fake' }), 422, 'create_failed');
    for (const email of ['cleo', 'team', 'news', 'crew', 'sales'])
      refused(await client.call('POST', `${SHOP}/groups`, { name: 'x', email }), 422, 'group_create_failed');
  },
});
