// Conformance of groups: list, view, create, and the update that only some readings know.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { SHOP, rowOf, stored, trouble } from './support.ts';

const GROUPS = `${SHOP}/groups`;
const BIG = '/api/mailspace/mail-big';
const create = (client: Client, body: object): Promise<Reply> =>
  client.call('POST', GROUPS, { name: 'Sales', email: 'sellers', ...body });

export const mailGroupCases = casesIn(plain('mail'), {
  'GRP-01: the name is the local part; the view adds the members': async (client) => {
    const row = rowOf(await client.get(GROUPS), 'groups', 'id', 'grp-team');
    assert.deepEqual(row, {
      id: 'grp-team',
      name: 'team',
      email: 'team@shop.example.com',
      aliases: ['crew@shop.example.com'],
      description: 'The team',
      member_count: 2,
    });
    assert.deepEqual(rowOf(await client.get(GROUPS), 'groups', 'name', 'everyone')['member_count'], 0);
    const view = await client.get(`${GROUPS}/grp-team`);
    assert.deepEqual(
      [view.at('group', 'members'), view.at('group', 'member_count')],
      [['anna@shop.example.com', 'ben@shop.example.com'], 2],
    );
  },
  'GRP-02: the query looks at address and description, not at aliases': async (client) => {
    const found = async (q: string): Promise<readonly unknown[]> =>
      (await client.get(`${GROUPS}?q=${q}`)).column('groups', 'name');
    assert.deepEqual(
      [await found('THE%20TE'), await found('every'), await found('crew')],
      [['team'], ['everyone'], []],
    );
  },
  'GRP-02/count: members beyond the cut are not counted, while the view has them all': async (_client, start) => {
    const client = await start({ scenario: 'mailboxes:490' });
    stored(client, 'mail-big').groups[1]?.members.push('beyond@big.example.com');
    assert.deepEqual((await client.get(`${BIG}/groups`)).column('groups', 'member_count'), [1, 490]);
    assert.equal((await client.get(`${BIG}/groups/grp-all`)).at('group', 'member_count'), 491);
  },
  'LIM-04: 500 mailboxes leave no room for groups in one read, and nothing says so': async (_client, start) => {
    const client = await start({ scenario: 'mailboxes:505' });
    const groups = await client.get(`${BIG}/groups`);
    assert.deepEqual([groups.status, groups.at('groups')], [200, []]);
    assert.equal((await client.get(`${BIG}/mailboxes`)).column('mailboxes', 'id').length, 500);
    answered(await client.get(`${BIG}/groups/grp-first`), 200);
  },
  'GRP-03: groups that cannot be read are a 503': async (client) => {
    await trouble(client, 'groups');
    refused(await client.get(GROUPS), 503, 'groups_unavailable');
  },
  'GRP-03/members: members that cannot be read are another, in the list and in the view': async (client) => {
    await trouble(client, 'members', 2);
    refused(await client.get(GROUPS), 503, 'group_members_unavailable');
    refused(await client.get(`${GROUPS}/grp-team`), 503, 'group_members_unavailable');
    answered(await client.get(GROUPS), 200);
  },
  'GRP-05: name and address are needed; the name describes where nothing else does': async (client) => {
    const reply = await create(client, { description: '', aliases: ['market@shop.example.net'] });
    answered(reply, 201);
    assert.deepEqual(keysOf(reply.at('group')), [
      'aliases',
      'description',
      'email',
      'id',
      'member_count',
      'members',
      'name',
    ]);
    assert.deepEqual(
      [reply.at('group', 'name'), reply.at('group', 'description'), reply.at('group', 'aliases')],
      ['sellers', 'Sales', ['market@shop.example.net']],
    );
    assert.equal(
      (await create(client, { email: 'Two', domain: 'shop.example.net' })).at('group', 'email'),
      'two@shop.example.net',
    );
    assert.equal((await create(client, { email: 'three', description: 'Third' })).at('group', 'description'), 'Third');
    assert.equal(client.sandbox.creations.get('group sellers@shop.example.com on shop.example.com'), 1);
    for (const lacking of [{ name: '' }, { email: undefined }])
      refused(await create(client, lacking), 422, 'group_create_failed');
  },
  'GRP-06: members are mailboxes of this mailspace, by their primary address': async (client) => {
    for (const member of ['info@foreign.example.com', 'team@shop.example.com', 'sales@shop.example.com'])
      refused(await create(client, { members: [member] }), 422, 'group_create_failed');
    assert.equal((await create(client, { members: ['Cleo@shop.example.com'] })).at('group', 'member_count'), 1);
  },
  'GRP-07: a null id, and yet the group is there': async (client) => {
    await trouble(client, 'group-readback');
    const reply = await create(client, { members: ['cleo@shop.example.com'] });
    assert.deepEqual(
      [reply.status, reply.at('group', 'id'), reply.at('group', 'aliases'), reply.at('group', 'members')],
      [201, null, [], []],
    );
    assert.equal(rowOf(await client.get(GROUPS), 'groups', 'email', 'sellers@shop.example.com')['member_count'], 1);
    refused(await create(client, {}), 422, 'group_create_failed');
  },
  "GRP-08: unknown, somebody else's, a list, unreadable: all the same": async (client) => {
    for (const id of ['nowhere', 'grp-foreign', 'lst-news'])
      refused(await client.get(`${GROUPS}/${id}`), 404, 'unknown_group');
    await trouble(client, 'groups');
    refused(await client.get(`${GROUPS}/grp-team`), 404, 'unknown_group');
  },
  'GRP-09: an update that cannot be read back is done': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-41': 'flat' } });
    const update = (body: object): Promise<Reply> => client.call('PATCH', `${GROUPS}/grp-team`, body);
    await trouble(client, 'members');
    refused(await update({ description: 'New' }), 503, 'group_members_unavailable');
    assert.equal((await client.get(`${GROUPS}/grp-team`)).at('group', 'description'), 'New');
    refused(await update({ members: ['nobody@shop.example.com'] }), 422, 'group_update_failed');
    refused(await update({ aliases: ['anna@shop.example.com'] }), 422, 'group_update_failed');
  },
});
