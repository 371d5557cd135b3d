// Conformance of the domains of a mailspace: lists, adding, changing, removing.
import assert from 'node:assert/strict';
import { casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { MINUTE_MS, SHOP, publish, rowOf, stored, trouble, wait } from './support.ts';

const DOMAINS = `${SHOP}/domains`;
const add = (client: Client, name: string, rest: object = {}): Promise<Reply> =>
  client.call('POST', DOMAINS, { name, ...rest });
const names = async (client: Client): Promise<readonly unknown[]> => {
  const reply = await client.get(DOMAINS);
  return [reply.column('domains', 'name'), reply.column('pending_domains', 'name')];
};

export const mailDomainCases = casesIn(plain('mail'), {
  'MDM-01: served and pending domains, both filtered by the query': async (client) => {
    assert.deepEqual(await names(client), [['shop.example.com', 'shop.example.net'], ['shop.example.org']]);
    assert.equal((await client.get(DOMAINS)).at('primary_domain'), 'shop.example.com');
    const found = await client.get(`${DOMAINS}?q=EXAMPLE.NET`);
    assert.deepEqual(
      [found.column('domains', 'name'), found.column('pending_domains', 'name')],
      [['shop.example.net'], []],
    );
  },
  'MDM-02: where the served ones cannot be read, there are no pending ones either': async (client) => {
    await trouble(client, 'domains');
    const reply = await client.get(DOMAINS);
    refused(reply, 503, 'domains_unavailable');
    assert.equal(reply.at('pending_domains'), undefined);
  },
  'MDM-03: the two shapes': async (client) => {
    const reply = await client.get(DOMAINS);
    assert.deepEqual(rowOf(reply, 'domains', 'name', 'shop.example.net'), {
      name: 'shop.example.net',
      description: 'the other shop',
      state: 'served',
      verified: true,
      dns_state: 'manual',
    });
    const pending = rowOf(reply, 'pending_domains', 'name', 'shop.example.org');
    assert.deepEqual(keysOf(pending), [
      'created_at',
      'description',
      'last_checked_at',
      'name',
      'state',
      'updated_at',
      'verification',
      'verified',
    ]);
    assert.deepEqual(pending['verification'], {
      txt_host: '_mailspace-verify.shop.example.org',
      txt_value: 'a1'.repeat(16),
      txt_type: 'TXT',
    });
  },
  'MDM-04: a pending domain is verified, then served, and in one list all the time': async (client) => {
    await publish(client, '_mailspace-verify.shop.example.org', 'a1'.repeat(16));
    wait(client, MINUTE_MS);
    assert.equal((await client.get(`${DOMAINS}/shop.example.org`)).at('domain', 'verified'), true);
    assert.deepEqual(await names(client), [['shop.example.com', 'shop.example.net'], ['shop.example.org']]);
    wait(client, MINUTE_MS);
    assert.deepEqual(await names(client), [['shop.example.com', 'shop.example.net', 'shop.example.org'], []]);
  },
  'MDM-05: external DNS reads manual although nothing is published, until somebody looks': async (client) => {
    const state = async (): Promise<unknown> =>
      (await client.get(`${DOMAINS}/shop.example.net`)).at('domain', 'dns_state');
    assert.equal(await state(), 'manual');
    await client.call('POST', `${DOMAINS}/dns_check`, { domain: 'shop.example.net' });
    assert.equal(await state(), 'setup_needed');
  },
  'MDM-06: a pasted URL is the name in it; what is none is refused': async (client) => {
    assert.equal((await add(client, 'HTTPS://www.Owned.example.com/about')).at('domain', 'name'), 'owned.example.com');
    assert.equal((await add(client, 'Other.example.com.')).at('domain', 'name'), 'other.example.com');
    for (const name of ['', 'no spaces.example.com', 'single']) refused(await add(client, name), 400, 'invalid_domain');
  },
  'MDM-07: adding answers 201 whether mail will be taken or not': async (client) => {
    const replies = [await add(client, 'owned.example.com'), await add(client, 'elsewhere.example.com')];
    assert.deepEqual(
      replies.map((reply) => [reply.status, reply.at('domain', 'state')]),
      [
        [201, 'served'],
        [201, 'pending_verification'],
      ],
    );
    assert.deepEqual(
      [...client.sandbox.creations],
      [
        ['mail domain owned.example.com on shop.example.com', 1],
        ['mail domain elsewhere.example.com on shop.example.com', 1],
      ],
    );
  },
  'MDM-08: hosting the zone proves nothing, a registration does': async (client) => {
    assert.equal((await add(client, 'zoned.example.com')).at('domain', 'state'), 'pending_verification');
    await client.call('POST', '/_sandbox/dns/registrations', { name: 'zoned.example.com', accountId: 'acc-acme' });
    wait(client, 2 * MINUTE_MS);
    assert.equal((await client.get(`${DOMAINS}/zoned.example.com`)).at('domain', 'state'), 'served');
  },
  'MDM-08/expired: an expired registration counts until it is purged': async (client) => {
    assert.equal((await add(client, 'lapsed.example.com')).at('domain', 'state'), 'served');
    await client.call('DELETE', `${DOMAINS}/lapsed.example.com`);
    await client.call('POST', '/_sandbox/dns/registrations', {
      name: 'lapsed.example.com',
      accountId: 'acc-acme',
      status: 'purged',
    });
    assert.equal((await add(client, 'lapsed.example.com')).at('domain', 'state'), 'pending_verification');
  },
  'MDM-09: there are no addresses on a pending domain': async (client) => {
    const mailbox = { username: 'jane', password: 'fake', domain: 'shop.example.org' };
    refused(await client.call('POST', `${SHOP}/mailboxes`, mailbox), 422, 'create_failed');
    refused(
      await client.call('POST', `${SHOP}/groups`, { name: 'x', email: 'x@shop.example.org' }),
      422,
      'group_create_failed',
    );
    refused(
      await client.call('POST', `${SHOP}/aliases`, {
        address: 'x@shop.example.org',
        target_email: 'anna@shop.example.com',
      }),
      422,
      'invalid_alias',
    );
  },
  'MDM-10: a description is left alone, set or cleared; a name is ignored': async (client) => {
    const patch = async (body: object): Promise<readonly unknown[]> => {
      const reply = await client.call('PATCH', `${DOMAINS}/shop.example.net`, body);
      return [reply.status, reply.at('domain', 'name'), reply.at('domain', 'description')];
    };
    assert.deepEqual(await patch({ name: 'x.example.com' }), [200, 'shop.example.net', 'the other shop']);
    assert.deepEqual(await patch({ description: 'new' }), [200, 'shop.example.net', 'new']);
    assert.deepEqual(await patch({ description: '' }), [200, 'shop.example.net', null]);
  },
  'MDM-10/read-back: where the update cannot be read back, the answer is what was known before': async (client) => {
    await trouble(client, 'domain-readback');
    const reply = await client.call('PATCH', `${DOMAINS}/shop.example.net`, { description: 'new' });
    assert.deepEqual([reply.status, reply.at('domain', 'description')], [200, 'the other shop']);
    assert.equal((await client.get(`${DOMAINS}/shop.example.net`)).at('domain', 'description'), 'new');
  },
  'MDM-11: a blank description is none': async (client) => {
    assert.equal((await add(client, 'owned.example.com', { description: '  ' })).at('domain', 'description'), null);
    assert.equal((await add(client, 'b.example.com', { description: 'b' })).at('domain', 'description'), 'b');
  },
  'MDM-18: a domain is found by any way of writing its name': async (client) => {
    assert.equal((await client.get(`${DOMAINS}/www.Shop.Example.NET`)).at('domain', 'name'), 'shop.example.net');
  },
  'MDM-26: each pending domain has a token of 32 hexadecimal characters of its own': async (client) => {
    const tokens = [await add(client, 'a.example.com'), await add(client, 'b.example.com')].map((reply) =>
      String(reply.at('domain', 'verification', 'txt_value')),
    );
    assert.notEqual(tokens[0], tokens[1]);
    for (const token of tokens) assert.match(token, /^[0-9a-f]{32}$/);
    assert.equal(stored(client).pendingDomains.length, 3);
  },
});
