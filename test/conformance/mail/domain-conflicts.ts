// Conformance of what cannot be done to the domains of a mailspace, of how they are looked up, and of the primary one's
// verification.
import assert from 'node:assert/strict';
import { answered, casesIn, plain, refused } from '../context.ts';
import { MINUTE_MS, SHOP, publish, stored, trouble, wait } from './support.ts';

const DOMAINS = `${SHOP}/domains`;

export const mailDomainConflictCases = casesIn(plain('mail'), {
  'MDM-12: removing answers 200 and nothing else': async (client) => {
    stored(client).mailboxes = [];
    const reply = await client.call('DELETE', `${DOMAINS}/shop.example.net`);
    assert.deepEqual([reply.status, reply.text], [200, '']);
    refused(await client.get(`${DOMAINS}/shop.example.net`), 404, 'unknown_domain');
  },
  'MDM-12/records: the records that the service wrote are gone, others stay': async (client) => {
    await client.call('POST', '/_sandbox/dns/registrations', { name: 'zoned.example.com', accountId: 'acc-acme' });
    await publish(client, 'www.zoned.example.com', 'x', 'CNAME');
    await client.call('POST', DOMAINS, { name: 'zoned.example.com' });
    const records = (): readonly string[] => client.sandbox.state.mail.dns.map(({ by }) => by);
    assert.equal(records().length, 8);
    await client.call('DELETE', `${DOMAINS}/zoned.example.com`);
    assert.deepEqual(records(), ['user']);
  },
  'MDM-13: a mailbox, a group or a list keeps its domain, and is named': async (client) => {
    await client.call('POST', `${SHOP}/mailboxes`, {
      username: 'jane',
      password: 'fake',
      domain: 'shop.example.net',
    });
    const reply = await client.call('DELETE', `${DOMAINS}/shop.example.net`);
    refused(reply, 422, 'domain_delete_failed');
    assert.match(String(reply.at('errors', 0)), /jane@shop\.example\.net/);
  },
  'MDM-13/aliases: an alias does not keep it': async (client) => {
    assert.ok((await client.get(`${SHOP}/aliases`)).column('aliases', 'address').includes('anna@shop.example.net'));
    answered(await client.call('DELETE', `${DOMAINS}/shop.example.net`), 200);
  },
  'MDM-14: the primary domain stays': async (client) => {
    refused(await client.call('DELETE', `${DOMAINS}/shop.example.com`), 409, 'primary_domain');
  },
  'MDM-15: a pending domain is neither changed nor removed': async (client) => {
    for (const method of ['PATCH', 'DELETE'])
      refused(await client.call(method, `${DOMAINS}/shop.example.org`, {}), 409, 'domain_pending_verification');
    assert.equal(stored(client).pendingDomains.length, 1);
  },
  'MDM-16: what is there cannot be added, here or elsewhere': async (client) => {
    for (const [name, code] of [
      ['shop.example.net', 'domain_exists'],
      ['shop.example.org', 'domain_pending_verification'],
      ['foreign.example.com', 'domain_exists'],
    ] as const) {
      refused(await client.call('POST', DOMAINS, { name }), 409, code);
    }
  },
  'MDM-17: pending domains are found without the mail server; only it can say that one is unknown': async (client) => {
    await trouble(client, 'domain', 3);
    assert.equal((await client.get(`${DOMAINS}/shop.example.org`)).at('domain', 'state'), 'pending_verification');
    refused(await client.get(`${DOMAINS}/shop.example.net`), 503, 'mailhost_unavailable');
    refused(await client.get(`${DOMAINS}/nowhere.example.com`), 503, 'mailhost_unavailable');
    refused(await client.get(`${DOMAINS}/nowhere.example.com`), 404, 'unknown_domain');
  },
  'MDM-27: what the mail server refuses says which verb failed': async (client) => {
    for (const [method, path, body, code] of [
      ['POST', DOMAINS, { name: 'owned.example.com' }, 'domain_create_failed'],
      ['PATCH', `${DOMAINS}/shop.example.net`, { description: 'x' }, 'domain_update_failed'],
      ['DELETE', `${DOMAINS}/shop.example.net`, undefined, 'domain_delete_failed'],
    ] as const) {
      await trouble(client, 'refusal');
      refused(await client.call(method, path, body), 422, code);
    }
    assert.deepEqual(
      stored(client).domains.map(({ description }) => description),
      [null, 'the other shop'],
    );
  },
  'MDM-28: the TXT record is read, published and verified before anything is provisioned': async (client) => {
    const path = '/api/mailspace/mail-blog/domain_verification';
    const read = await client.get(path);
    assert.deepEqual([read.status, read.at('domain_verification', 'state')], [200, 'pending_verification']);
    await publish(client, read.at('domain_verification', 'txt_host'), read.at('domain_verification', 'txt_value'));
    assert.equal((await client.call('POST', path)).at('domain_verification', 'state'), 'verified');
    wait(client, MINUTE_MS);
    assert.equal((await client.get(path)).at('domain_verification', 'state'), 'provisioned');
    answered(await client.get('/api/mailspace/mail-blog/mailboxes'), 200);
  },
});
