// Conformance of the DNS report of a mailspace and of its check.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { MINUTE_MS, SHOP, publish, rowOf, trouble, wait } from './support.ts';

const REPORT = `${SHOP}/domains/dns`;
const CHECK = `${SHOP}/domains/dns_check`;
const DOCS = '/api/mailspace/mail-docs/domains/dns';

/** Publishes what the report wants, as far as `wanted` says. */
async function publishAll(client: Client, wanted: (row: Record<string, unknown>) => boolean): Promise<void> {
  const rows = (await client.get(REPORT)).at('records') as Record<string, unknown>[];
  for (const row of rows.filter(wanted))
    await publish(client, row['name'], row['value'], String(row['type']), row['priority'] as number | null);
}

const counts = (reply: Reply): readonly unknown[] => [
  reply.at('detected'),
  reply.at('total'),
  reply.at('all_detected'),
];

export const mailDnsCases = casesIn(plain('mail'), {
  'MDM-19: the report takes the bare name, in any case, and looks nothing up': async (client) => {
    await publishAll(client, () => true);
    const reply = await client.get(`${REPORT}?domain=%20SHOP.example.com`);
    assert.deepEqual(
      [reply.at('domain'), reply.at('checked_at'), ...new Set(reply.column('records', 'status'))],
      ['shop.example.com', null, 'unchecked'],
    );
    assert.equal((await client.get(REPORT)).at('domain'), 'shop.example.com');
    for (const name of ['www.shop.example.com', 'https://shop.example.com', 'shop.example.org'])
      refused(await client.get(`${REPORT}?domain=${name}`), 404, 'unknown_domain');
  },
  'MDM-20: the check answers what it found, and the report shows it afterwards': async (client) => {
    await publishAll(client, ({ type }) => type === 'MX');
    await publish(client, 'shop.example.com', 'v=spf1 -all');
    assert.deepEqual(counts(await client.call('POST', CHECK)), [1, 6, false]);
    const reply = await client.get(REPORT);
    assert.equal(reply.at('checked_at'), '2026-01-15T09:00:00.000Z');
    assert.deepEqual(reply.column('records', 'status'), [
      'mismatch',
      'missing',
      'missing',
      'missing',
      'missing',
      'missing',
      'ok',
    ]);
    assert.deepEqual(
      [rowOf(reply, 'records', 'status', 'mismatch')['found'], reply.at('caa', 'status')],
      ['v=spf1 -all', 'ok'],
    );
  },
  'LIM-07: a domain is checked once in five minutes, another one meanwhile': async (client) => {
    await client.call('POST', CHECK);
    refused(await client.call('POST', CHECK, { domain: 'shop.example.com' }), 429, 'rate_limited');
    answered(await client.call('POST', CHECK, { domain: 'shop.example.net' }), 200);
    wait(client, 5 * MINUTE_MS);
    answered(await client.call('POST', CHECK), 200);
  },
  'MDM-21: the paths of report and check are no names of domains': async (client) => {
    assert.equal((await client.get(REPORT)).at('total'), 6);
    answered(await client.call('POST', CHECK), 200);
  },
  'MDM-22: the report of a managed domain has no results': async (client) => {
    const reply = await client.get(DOCS);
    assert.deepEqual(keysOf(reply.at()), ['all_detected', 'checked_at', 'domain', 'managed', 'records']);
    assert.deepEqual([reply.at('managed'), reply.at('checked_at'), reply.at('all_detected')], [true, null, null]);
    assert.deepEqual(keysOf(reply.at('records', 0)), [
      'name',
      'optional',
      'placeholder',
      'priority',
      'purpose',
      'type',
      'value',
    ]);
  },
  'MDM-23: a DKIM key that cannot be read is a placeholder, once': async (client) => {
    await trouble(client, 'dkim');
    assert.deepEqual(
      rowOf(await client.get(REPORT), 'records', 'placeholder', true)['name'],
      'mail._domainkey.shop.example.com',
    );
    assert.deepEqual([...new Set((await client.get(REPORT)).column('records', 'placeholder'))], [false]);
    await client.call('POST', '/_sandbox/dns/registrations', { name: 'zoned.example.com', accountId: 'acc-acme' });
    await trouble(client, 'dkim');
    await client.call('POST', `${SHOP}/domains`, { name: 'zoned.example.com' });
    assert.deepEqual(
      client.sandbox.state.mail.dns.filter(({ name }) => name.startsWith('mail._domainkey')),
      [],
    );
  },
  'MDM-24: only the AAAA record is optional, and all is detected without it': async (client) => {
    await publishAll(client, ({ optional }) => optional === false);
    const reply = await client.call('POST', CHECK);
    assert.deepEqual(counts(reply), [6, 6, true]);
    assert.equal(rowOf(reply, 'records', 'optional', true)['type'], 'AAAA');
    assert.equal(rowOf(reply, 'records', 'type', 'MX')['priority'], 10);
  },
  "MDM-25: a name that holds somebody else's record keeps it, and nothing says so": async (client) => {
    await client.call('POST', '/_sandbox/dns/registrations', { name: 'zoned.example.com', accountId: 'acc-acme' });
    await publish(client, 'mail.zoned.example.com', '198.51.100.1', 'A');
    const reply = await client.call('POST', `${SHOP}/domains`, { name: 'zoned.example.com' });
    assert.deepEqual([reply.status, reply.at('domain', 'dns_state')], [201, 'managed']);
    const there = client.sandbox.state.mail.dns
      .filter(({ name }) => name === 'mail.zoned.example.com')
      .map(({ value }) => value);
    assert.deepEqual([there, client.sandbox.state.mail.dns.length], [['198.51.100.1'], 6]);
  },
});
