// Conformance of who gets as far as a mailspace and what is in it, and of what answers when the mail server cannot be
// read.
import assert from 'node:assert/strict';
import {
  OAUTH_READ_ONLY_TOKEN,
  OAUTH_TOKEN,
  READER_API_KEY,
  oauthToken,
} from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, plain, refused } from '../context.ts';
import { SHOP, stored, trouble } from './support.ts';

const inside = (label: string, path = 'mailboxes'): string => `/api/mailspace/mail-${label}/${path}`;
const JANE = { username: 'jane', password: 'fake' };

export const mailGuardCases = casesIn(plain('mail'), {
  'CNV-26: lists are whole, whatever page is asked for': async (client) => {
    assert.equal((await client.get('/api/mailspace?per_page=1&page=2')).column('mailspaces', 'id').length, 6);
    assert.equal((await client.get(`${SHOP}/mailboxes?per_page=1`)).column('mailboxes', 'id').length, 3);
    assert.equal((await client.get(`${SHOP}/aliases?page=9`)).column('aliases', 'address').length, 3);
  },
  'CNV-33: HEAD is a read: it takes the read scope, and passes where writes are refused': async (client) => {
    const head = await client.call('HEAD', inside('leaving'), undefined, { token: OAUTH_READ_ONLY_TOKEN });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(
      (await client.call('POST', inside('shop', 'domains/dns_check'), {}, { token: OAUTH_READ_ONLY_TOKEN })).at(
        'error',
      ),
      'insufficient_scope',
    );
    refused(await client.call('POST', inside('leaving', 'domains/dns_check'), {}), 403, 'pending_delete');
  },
  'MSP-05: a change behind the back shows at the next read': async (client) => {
    await client.call('POST', '/_sandbox/mailspaces/mail-shop/mailboxes', { email: 'dan@shop.example.com' });
    await client.call('PATCH', '/_sandbox/mailspaces/shop.example.com/mailboxes', {
      email: 'anna@shop.example.com',
      quotaMb: 7,
    });
    const rows = await client.get(`${SHOP}/mailboxes`);
    assert.deepEqual([rows.column('mailboxes', 'email').length, rows.column('mailboxes', 'quota_mb').at(-1)], [4, 7]);
  },
  'MSP-12: scope, configuration, visibility, role, hold, deletion, tenant: in this order': async (client) => {
    const space = stored(client, 'mail-blog');
    const write = async (token?: string) => {
      const reply = await client.call('POST', inside('blog'), JANE, token === undefined ? {} : { token });
      return [reply.status, reply.at('code') ?? reply.at('error') ?? reply.text];
    };
    assert.deepEqual(await write(), [409, 'not_provisioned']);
    space.deleteScheduledAt = 9e15;
    assert.deepEqual(await write(), [403, 'pending_delete']);
    // A hold does not count on one about to be deleted.
    space.suspended = true;
    assert.deepEqual(await write(), [403, 'pending_delete']);
    space.deleteScheduledAt = null;
    assert.deepEqual(await write(), [403, 'mailspace_suspended']);
    assert.deepEqual(await write(READER_API_KEY), [403, 'not_authorized']);
    answered(await client.get(inside('nowhere')), 404);
    assert.equal((await client.get(inside('foreign'), { token: READER_API_KEY })).text, '');
    await client.call('PATCH', '/_sandbox/mail', { configured: false });
    assert.deepEqual(await write(READER_API_KEY), [503, 'mailhost_unavailable']);
    answered(await client.get(inside('nowhere')), 503);
    assert.deepEqual(await write(oauthToken(['sites:write'])), [403, 'insufficient_scope']);
  },
  "MSP-13: the role on the mailspace's own workspace decides, not that on the one in the header": async (client) => {
    refused(await client.call('POST', inside('foreign'), JANE, { account: 'acc-acme' }), 403, 'not_authorized');
    answered(await client.call('POST', inside('shop'), JANE, { account: 'acc-other' }), 201);
  },
  'MSP-14: the same states are 422 at the plan and 403 or 409 below it': async (client) => {
    refused(await client.call('PATCH', '/api/mailspace/mail-leaving', {}), 422, 'pending_delete');
    refused(await client.call('PATCH', '/api/mailspace/mail-blog', {}), 422, 'not_provisioned');
    refused(await client.call('POST', inside('leaving'), JANE), 403, 'pending_delete');
    refused(await client.get(inside('blog')), 409, 'not_provisioned');
  },
  'MSP-15: one about to be deleted answers reads and refuses writes': async (client) => {
    answered(await client.get('/api/mailspace/mail-leaving'), 200);
    answered(await client.get(inside('leaving')), 200);
    refused(await client.call('POST', inside('leaving'), JANE), 403, 'pending_delete');
  },
  'MSP-16: a suspended one is not read either': async (client) => {
    for (const path of ['mailboxes', 'groups', 'domains', 'aliases'])
      refused(await client.get(inside('held', path)), 403, 'mailspace_suspended');
    assert.equal((await client.get('/api/mailspace/mail-held')).at('mailspace', 'status'), 'suspended');
  },
  'MSP-18: who may only look reads, and writes nothing': async (client) => {
    answered(await client.get(inside('shop'), { token: READER_API_KEY }), 200);
    const writes = [
      ['POST', 'mailboxes'],
      ['PATCH', 'mailboxes/mbx-anna'],
      ['DELETE', 'aliases/x@y.example'],
      ['POST', 'domains/dns_check'],
    ] as const;
    for (const [method, path] of writes)
      refused(await client.call(method, inside('shop', path), {}, { token: READER_API_KEY }), 403, 'not_authorized');
    refused(await client.call('POST', inside('foreign'), JANE, { token: OAUTH_TOKEN }), 403, 'not_authorized');
  },
  'MSP-23: a list that cannot be read is a 503 with its own code, and is there again later': async (client) => {
    for (const [part, path] of [
      ['mailboxes', 'mailboxes'],
      ['groups', 'groups'],
      ['aliases', 'aliases'],
      ['domains', 'domains'],
    ] as const) {
      await trouble(client, part);
      refused(await client.get(inside('shop', path)), 503, `${part}_unavailable`);
      answered(await client.get(inside('shop', path)), 200);
    }
    await trouble(client, 'everything', null);
    refused(await client.get(inside('shop')), 503, 'mailboxes_unavailable');
    refused(await client.call('POST', inside('shop'), JANE), 503, 'mailhost_unavailable');
    answered(await client.get(SHOP), 200);
  },
  'MSP-23/named: the lists without a documented shape have their codes too': async (client) => {
    for (const part of ['mailing_lists', 'archived_items', 'purged_mailboxes']) {
      await trouble(client, part);
      refused(await client.get(inside('shop', part)), 503, `${part}_unavailable`);
      refused(await client.get(inside('shop', part)), 501, 'sandbox_undocumented');
    }
  },
});
