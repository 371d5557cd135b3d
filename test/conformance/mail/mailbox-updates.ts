// Conformance of updates of mailboxes: what is left out, cleared, replaced, refused, restored.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { SHOP, stored, trouble } from './support.ts';

const ANNA = `${SHOP}/mailboxes/mbx-anna`;
const update = (client: Client, body: object, path = ANNA): Promise<Reply> => client.call('PATCH', path, body);
const view = async (client: Client, key: string, path = ANNA): Promise<unknown> =>
  (await client.get(path)).at('mailbox', key);

function anna(client: Client) {
  const found = stored(client).mailboxes.find(({ id }) => id === 'mbx-anna');
  assert.ok(found !== undefined, 'Anna is gone');
  return found;
}

export const mailboxUpdateCases = casesIn(plain('mail'), {
  'MBX-15: what is left out stays, what is empty is cleared': async (client) => {
    answered(await update(client, { quota_mb: 5 }), 200);
    assert.deepEqual([anna(client).displayName, anna(client).quotaMb, anna(client).aliases.length], ['Anna', 5, 2]);
    await update(client, { display_name: '', aliases: [], allowed_ips: '', groups: [] });
    assert.deepEqual(
      [anna(client).displayName, anna(client).aliases, anna(client).allowedIps, await view(client, 'groups')],
      [null, [], [], []],
    );
  },
  'MBX-15/exceptions: a blank password and an empty quota change nothing; the number 0 does': async (client) => {
    await update(client, { password: '', quota_mb: '' });
    assert.deepEqual([anna(client).password, anna(client).quotaMb], ['sandbox-mailbox-password', 2_048]);
    await update(client, { quota_mb: 0 });
    assert.equal(anna(client).quotaMb, 0);
  },
  'MBX-16: lists replace whole lists, and their addresses are of this mailspace': async (client) => {
    await update(client, { aliases: ['new@shop.example.com'], groups: ['everyone@shop.example.com'], lists: [] });
    const reply = await client.get(ANNA);
    assert.deepEqual(
      [reply.at('mailbox', 'aliases'), reply.at('mailbox', 'groups'), reply.at('mailbox', 'lists')],
      [['new@shop.example.com'], ['everyone@shop.example.com'], []],
    );
    refused(await update(client, { aliases: ['crew@shop.example.com'] }), 422, 'update_failed');
  },
  'MBX-17: an update suspends and reactivates, and does not schedule a deletion': async (client) => {
    assert.equal((await update(client, { status: 'suspended' })).at('mailbox', 'status'), 'suspended');
    assert.equal((await update(client, { status: 'active' })).at('mailbox', 'status'), 'active');
    for (const status of ['pending_deletion', 'asleep'])
      refused(await update(client, { status }), 422, 'update_failed');
    const left = '/api/mailspace/mail-docs/mailboxes/mbx-left';
    const before = await view(client, 'scheduled_deletion_at', left);
    answered(await update(client, { status: 'pending_deletion' }, left), 200);
    assert.equal(await view(client, 'scheduled_deletion_at', left), before);
  },
  'MBX-18: reactivating needs room': async (client) => {
    const idle = '/api/mailspace/mail-full/mailboxes/mbx-full-idle';
    for (const name of ['c', 'd'])
      await client.call('POST', '/_sandbox/mailspaces/mail-full/mailboxes', { email: `${name}@full.example.com` });
    refused(await update(client, { status: 'active' }, idle), 422, 'update_failed');
    answered(await update(client, { display_name: 'Idle' }, idle), 200);
    await client.call('DELETE', '/_sandbox/mailspaces/mail-full/mailboxes', { email: 'd@full.example.com' });
    answered(await update(client, { status: 'active' }, idle), 200);
  },
  'MBX-19: a foreign group, or one that cannot be verified, writes nothing at all': async (client) => {
    refused(
      await update(client, { display_name: 'Other', groups: ['team@foreign.example.com'] }),
      422,
      'update_failed',
    );
    await trouble(client, 'memberships');
    refused(await update(client, { display_name: 'Other', groups: ['team@shop.example.com'] }), 422, 'update_failed');
    assert.equal(anna(client).displayName, 'Anna');
  },
  'MBX-20: allowed addresses come as a list, or as one text with any separators': async (client) => {
    await update(client, { allowed_ips: '192.0.2.1, 192.0.2.2;2001:DB8::1\t198.51.100.7' });
    assert.deepEqual(await view(client, 'allowed_ips'), ['192.0.2.1', '192.0.2.2', '2001:db8::1', '198.51.100.7']);
    await update(client, { allowed_ips: ['192.0.2.9'] });
    assert.deepEqual(await view(client, 'allowed_ips'), ['192.0.2.9']);
  },
  'MBX-20/masked: ranges lose their host bits and their doubles': async (client) => {
    await update(client, {
      allowed_ips: ['10.1.2.3/8', '10.9.9.9/8', '192.0.2.130/25', '2001:db8:ffff::1/33', '2001:0db8:0:0:0:0:0:1'],
    });
    assert.deepEqual(await view(client, 'allowed_ips'), [
      '10.0.0.0/8',
      '192.0.2.128/25',
      '2001:db8:8000::/33',
      '2001:db8::1',
    ]);
  },
  'MBX-20/malformed: what is no address is named, and nothing is written': async (client) => {
    for (const entry of ['300.0.0.1', '192.0.2.0/33', 'home', '2001:db8::/129', '10.0.0.0/8/8']) {
      const reply = await update(client, { display_name: 'Other', allowed_ips: ['192.0.2.1', entry] });
      refused(reply, 400, undefined);
      assert.ok(String(reply.at('errors', 0)).includes(entry));
    }
    assert.equal(anna(client).displayName, 'Anna');
  },
  'LIM-06: twenty allowed addresses, and not one more': async (client) => {
    const many = Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`);
    refused(await update(client, { allowed_ips: many }), 400, undefined);
    answered(await update(client, { allowed_ips: many.slice(1) }), 200);
  },
  'MBX-21: the answer lacks the allowed addresses that were just set': async (client) => {
    const reply = await update(client, { allowed_ips: ['192.0.2.1'] });
    assert.equal(keysOf(reply.at('mailbox')).includes('allowed_ips'), false);
  },
  'MBX-22: a password that is set leaves a line with mailbox and credential, one that is refused does not': async (
    client,
  ) => {
    await update(client, { password: 'other' });
    await update(client, { password: 'third', groups: ['nobody@shop.example.com'] });
    assert.deepEqual(
      stored(client).audit.map(({ mailbox, by }) => [mailbox, by]),
      [['anna@shop.example.com', 'api-key user-ada']],
    );
    assert.equal(anna(client).password, 'other');
  },
  'MBX-24: the status active restores one about to be deleted, where there is room': async (client) => {
    const left = '/api/mailspace/mail-docs/mailboxes/mbx-left';
    refused(await update(client, { display_name: 'x' }, left), 422, 'update_failed');
    assert.equal(
      (await update(client, { status: 'active', display_name: 'Back' }, left)).at('mailbox', 'status'),
      'active',
    );
    assert.deepEqual((await client.get('/api/mailspace/mail-docs/mailboxes')).column('mailboxes', 'email'), [
      'dora@docs.example.com',
      'left@docs.example.com',
    ]);
    assert.equal(await view(client, 'scheduled_deletion_at', left), null);
    assert.equal(stored(client, 'mail-docs').mailboxes.length, 3);
  },
  'MBX-29: a write may be done without an answer': async (client) => {
    await trouble(client, 'write-before');
    refused(await update(client, { display_name: 'Other' }), 503, 'mailhost_unavailable');
    assert.equal(anna(client).displayName, 'Anna');
    await trouble(client, 'write-after');
    refused(await client.call('DELETE', ANNA), 503, 'delete_unconfirmed');
    assert.equal(anna(client).status, 'pending_deletion');
    await trouble(client, 'write-after');
    refused(await update(client, { status: 'active' }), 503, 'restore_unconfirmed');
    assert.equal(anna(client).status, 'active');
    await trouble(client, 'write-after');
    refused(await update(client, { display_name: 'Other' }), 503, undefined);
    assert.equal(anna(client).displayName, 'Other');
  },
});
