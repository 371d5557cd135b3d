// Conformance of updates of mailboxes: what is left out, cleared, replaced, refused, restored.
import assert from 'node:assert/strict';
import { keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase, Reply } from '../context.ts';
import { SHOP, startMail, stored, trouble } from './support.ts';

const ANNA = `${SHOP}/mailboxes/mbx-anna`;
const update = (client: Client, body: object, path = ANNA): Promise<Reply> => client.call('PATCH', path, body);
const view = async (client: Client, key: string, path = ANNA): Promise<unknown> =>
  (await client.get(path)).at('mailbox', key);

function anna(client: Client) {
  const found = stored(client).mailboxes.find(({ id }) => id === 'mbx-anna');
  assert.ok(found !== undefined, 'Anna is gone');
  return found;
}

export const mailboxUpdateCases: readonly ConformanceCase[] = [
  {
    rule: 'MBX-15',
    title: 'what is left out stays, what is empty is cleared',
    async run(context) {
      const client = await startMail(context);
      assert.equal((await update(client, { quota_mb: 5 })).status, 200);
      assert.deepEqual([anna(client).displayName, anna(client).quotaMb, anna(client).aliases.length], ['Anna', 5, 2]);
      await update(client, { display_name: '', aliases: [], allowed_ips: '', groups: [] });
      assert.deepEqual(
        [anna(client).displayName, anna(client).aliases, anna(client).allowedIps, await view(client, 'groups')],
        [null, [], [], []],
      );
    },
  },
  {
    rule: 'MBX-15/exceptions',
    title: 'a blank password and an empty quota change nothing; the number 0 does',
    async run(context) {
      const client = await startMail(context);
      await update(client, { password: '', quota_mb: '' });
      assert.deepEqual([anna(client).password, anna(client).quotaMb], ['sandbox-mailbox-password', 2_048]);
      await update(client, { quota_mb: 0 });
      assert.equal(anna(client).quotaMb, 0);
    },
  },
  {
    rule: 'MBX-16',
    title: 'lists replace whole lists, and their addresses are of this mailspace',
    async run(context) {
      const client = await startMail(context);
      await update(client, { aliases: ['new@shop.example.com'], groups: ['everyone@shop.example.com'], lists: [] });
      const reply = await client.get(ANNA);
      assert.deepEqual(
        [reply.at('mailbox', 'aliases'), reply.at('mailbox', 'groups'), reply.at('mailbox', 'lists')],
        [['new@shop.example.com'], ['everyone@shop.example.com'], []],
      );
      refused(await update(client, { aliases: ['crew@shop.example.com'] }), 422, 'update_failed');
    },
  },
  {
    rule: 'MBX-17',
    title: 'an update suspends and reactivates, and does not schedule a deletion',
    async run(context) {
      const client = await startMail(context);
      assert.equal((await update(client, { status: 'suspended' })).at('mailbox', 'status'), 'suspended');
      assert.equal((await update(client, { status: 'active' })).at('mailbox', 'status'), 'active');
      for (const status of ['pending_deletion', 'asleep'])
        refused(await update(client, { status }), 422, 'update_failed');
      const left = '/api/mailspace/mail-docs/mailboxes/mbx-left';
      const before = await view(client, 'scheduled_deletion_at', left);
      assert.equal((await update(client, { status: 'pending_deletion' }, left)).status, 200);
      assert.equal(await view(client, 'scheduled_deletion_at', left), before);
    },
  },
  {
    rule: 'MBX-18',
    title: 'reactivating needs room',
    async run(context) {
      const client = await startMail(context);
      const idle = '/api/mailspace/mail-full/mailboxes/mbx-full-idle';
      for (const name of ['c', 'd'])
        await client.call('POST', '/_sandbox/mailspaces/mail-full/mailboxes', { email: `${name}@full.example.com` });
      refused(await update(client, { status: 'active' }, idle), 422, 'update_failed');
      assert.equal((await update(client, { display_name: 'Idle' }, idle)).status, 200);
      await client.call('DELETE', '/_sandbox/mailspaces/mail-full/mailboxes', { email: 'd@full.example.com' });
      assert.equal((await update(client, { status: 'active' }, idle)).status, 200);
    },
  },
  {
    rule: 'MBX-19',
    title: 'a foreign group, or one that cannot be verified, writes nothing at all',
    async run(context) {
      const client = await startMail(context);
      refused(
        await update(client, { display_name: 'Other', groups: ['team@foreign.example.com'] }),
        422,
        'update_failed',
      );
      await trouble(client, 'memberships');
      refused(await update(client, { display_name: 'Other', groups: ['team@shop.example.com'] }), 422, 'update_failed');
      assert.equal(anna(client).displayName, 'Anna');
    },
  },
  {
    rule: 'MBX-20',
    title: 'allowed addresses come as a list, or as one text with any separators',
    async run(context) {
      const client = await startMail(context);
      await update(client, { allowed_ips: '192.0.2.1, 192.0.2.2;2001:DB8::1\t198.51.100.7' });
      assert.deepEqual(await view(client, 'allowed_ips'), ['192.0.2.1', '192.0.2.2', '2001:db8::1', '198.51.100.7']);
      await update(client, { allowed_ips: ['192.0.2.9'] });
      assert.deepEqual(await view(client, 'allowed_ips'), ['192.0.2.9']);
    },
  },
  {
    rule: 'MBX-20/masked',
    title: 'ranges lose their host bits and their doubles',
    async run(context) {
      const client = await startMail(context);
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
  },
  {
    rule: 'MBX-20/malformed',
    title: 'what is no address is named, and nothing is written',
    async run(context) {
      const client = await startMail(context);
      for (const entry of ['300.0.0.1', '192.0.2.0/33', 'home', '2001:db8::/129', '10.0.0.0/8/8']) {
        const reply = await update(client, { display_name: 'Other', allowed_ips: ['192.0.2.1', entry] });
        refused(reply, 400, undefined);
        assert.ok(String(reply.at('errors', 0)).includes(entry));
      }
      assert.equal(anna(client).displayName, 'Anna');
    },
  },
  {
    rule: 'LIM-06',
    title: 'twenty allowed addresses, and not one more',
    async run(context) {
      const client = await startMail(context);
      const many = Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`);
      refused(await update(client, { allowed_ips: many }), 400, undefined);
      assert.equal((await update(client, { allowed_ips: many.slice(1) })).status, 200);
    },
  },
  {
    rule: 'MBX-21',
    title: 'the answer lacks the allowed addresses that were just set',
    async run(context) {
      const reply = await update(await startMail(context), { allowed_ips: ['192.0.2.1'] });
      assert.equal(keysOf(reply.at('mailbox')).includes('allowed_ips'), false);
    },
  },
  {
    rule: 'MBX-22',
    title: 'a password that is set leaves a line with mailbox and credential, one that is refused does not',
    async run(context) {
      const client = await startMail(context);
      await update(client, { password: 'other' });
      await update(client, { password: 'third', groups: ['nobody@shop.example.com'] });
      assert.deepEqual(
        stored(client).audit.map(({ mailbox, by }) => [mailbox, by]),
        [['anna@shop.example.com', 'api-key user-ada']],
      );
      assert.equal(anna(client).password, 'other');
    },
  },
  {
    rule: 'MBX-24',
    title: 'the status active restores one about to be deleted, where there is room',
    async run(context) {
      const client = await startMail(context);
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
  },
  {
    rule: 'MBX-29',
    title: 'a write may be done without an answer',
    async run(context) {
      const client = await startMail(context);
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
  },
];
