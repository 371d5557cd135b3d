// Conformance of what the documents leave open about registrations: shapes, processes, transfers, orders.
import assert from 'node:assert/strict';
import type { Client, ConformanceCase } from '../context.ts';
import { gap } from '../core/ambiguities.ts';
import {
  DAY_MS,
  PATH,
  PERSON,
  at,
  field,
  orderDomain,
  ordered,
  patch,
  post,
  startRegistrar,
  stored,
  wait,
} from './support.ts';

const HOSTS = `${at('plain.com')}/hosts`;
const KEY = { flags: 256, algorithm: 13, publicKey: 'bmV3' };
const lock = (client: Client, name: string) => patch(client, name, 'lock', { locked: true });

function reading(
  rule: string,
  title: string,
  key: string,
  expected: Readonly<Record<string, unknown>>,
  check: (client: Client) => Promise<unknown>,
): ConformanceCase {
  return gap(rule, title, key, expected, check, 'registrar');
}

export const registrationGapCases: readonly ConformanceCase[] = [
  reading(
    'GAP-12',
    'a guid as the source of a contact',
    'GAP-12',
    { integer: 400, 'guid-too': 202 },
    async (client) =>
      (
        await client.call('POST', '/api/orders/domain', {
          domain: { name: 'new.com', contact_source: { registration_id: 'reg-plain.com' } },
        })
      ).status,
  ),
  reading(
    'GAP-51',
    'the address of a process',
    'GAP-51',
    {
      'not-shown': [501, undefined, undefined],
      wrapped: [200, 'rtr-busy', undefined],
      bare: [200, undefined, 'rtr-busy'],
    },
    async (client) => {
      const reply = await client.get(String(await field(client, 'busy.eu', 'pending_process', 'poll_url')));
      return [reply.status, reply.at('process', 'id'), reply.at('id')];
    },
  ),
  reading(
    'GAP-51',
    'the id of a process that has ended',
    'GAP-51.ended',
    { cleared: [false, null, null], kept: [false, 'rtr-busy', 'COMPLETED'] },
    async (client) => {
      wait(client, 2 * DAY_MS);
      return [
        await field(client, 'busy.eu', 'pending_async'),
        await field(client, 'busy.eu', 'rtr_process_id'),
        await field(client, 'busy.eu', 'rtr_process_status'),
      ];
    },
  ),
  reading(
    'GAP-52',
    'writes to hosts of a busy name',
    'GAP-52',
    { guarded: 409, unguarded: 201 },
    async (client) =>
      (await post(client, 'busy.eu', 'hosts', { host_name: 'ns1.busy.eu', addresses: [{ address: '192.0.2.1' }] }))
        .status,
  ),
  reading(
    'GAP-52',
    'how long writes to hosts take',
    'GAP-52.process',
    { 'at-once': [201, 1, false], 'as-others': [202, 0, true] },
    async (client) => {
      const made = await post(client, 'slow.eu', 'hosts', {
        host_name: 'ns1.slow.eu',
        addresses: [{ address: '192.0.2.1' }],
      });
      return [
        made.status,
        (await client.get(`${at('slow.eu')}/hosts`)).column('hosts', 'host_name').length,
        made.at('pending_process') !== undefined,
      ];
    },
  ),
  reading(
    'GAP-52',
    'making a host that is there',
    'GAP-52.repeat',
    { refused: 422, replaces: 201 },
    async (client) =>
      (await client.call('POST', HOSTS, { host_name: 'ns1.plain.com', addresses: [{ address: '192.0.2.1' }] })).status,
  ),
  reading(
    'GAP-52',
    'a name server below the name that is no host',
    'GAP-52.glue',
    { 'not-needed': [200, 200], needed: [422, 200] },
    async (client) => [
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['ns7.plain.com'] })).status,
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['ns1.plain.com'] })).status,
    ],
  ),
  reading(
    'GAP-52',
    'how addresses of hosts read',
    'GAP-52.addresses',
    { short: '2001:db8::1', 'as-sent': '2001:DB8:0:0::1' },
    async (client) =>
      (await client.call('PATCH', `${HOSTS}/ns1.plain.com`, { addresses: [{ address: '2001:DB8:0:0::1' }] })).at(
        'host',
        'addresses',
        0,
        'address',
      ),
  ),
  reading(
    'GAP-53',
    'switching renewal off after the window',
    'GAP-53',
    { refused: [422, undefined, true], 'late-cancel': [200, 'late_cancel', false] },
    async (client) => {
      const reply = await patch(client, 'late.com', '', { domain_registration: { auto_renew: false } });
      return [reply.status, reply.at('scenario'), await field(client, 'late.com', 'auto_renew')];
    },
  ),
  reading(
    'GAP-53',
    'the fields of a window where there is none',
    'GAP-53.fields',
    { absent: undefined, null: null },
    (client) => field(client, 'plain.com', 'cancellation_deadline_at'),
  ),
  reading(
    'GAP-54',
    'enabling DNSSEC twice',
    'GAP-54',
    { replaces: [200, 1], adds: [200, 2], refused: [422, 1] },
    async (client) => [
      (await patch(client, 'signed.com', 'dnssec', { mode: 'enable', key_data: [KEY] })).status,
      stored(client, 'signed.com').dnssecKeys.length,
    ],
  ),
  reading(
    'GAP-54',
    'adding keys where it is not enabled',
    'GAP-54.add',
    { enables: [200, true], 'stays-off': [200, false], refused: [422, false] },
    async (client) => [
      (await patch(client, 'plain.com', 'dnssec', { mode: 'add_keys', key_data: [KEY] })).status,
      await field(client, 'plain.com', 'dnssec_enabled'),
    ],
  ),
  reading(
    'GAP-55',
    'changing an expired name',
    'GAP-55',
    { refused: [422, 200], accepted: [200, 200] },
    async (client) => [
      (await lock(client, 'lapsed.com')).status,
      (await patch(client, 'lapsed.com', '', { domain_registration: { auto_renew: true } })).status,
    ],
  ),
  reading(
    'GAP-55',
    'the status of an expired name',
    'GAP-55.expired',
    { stays: 'EXPIRED', redemption: 'REDEMPTION' },
    (client) => field(client, 'lapsed.com', 'status'),
  ),
  reading(
    'GAP-55',
    'a name on its way here',
    'GAP-55.arriving',
    { absent: [null, false], listed: ['PENDING_TRANSFER', true] },
    async (client) => {
      const order = await ordered(client, 'moving.com', { action: 'transfer', authcode: 'fake' });
      const listed = (await client.get(PATH)).column('domain_registrations', 'name').includes('moving.com');
      return [order.at('domain', 'registration', 'status') ?? order.at('domain', 'registration'), listed];
    },
  ),
  reading('GAP-55', 'a name that has left', 'GAP-55.left', { gone: 404, listed: 200 }, async (client) => {
    wait(client, 6 * DAY_MS);
    return (await client.get(at('pushed.com'))).status;
  }),
  reading(
    'GAP-55',
    'the live view of a transfer',
    'GAP-55.transfer',
    { registry: { status: 'pending', requested_by: 'another registrar' }, empty: {} },
    (client) => field(client, 'leaving.com', 'transfer_out'),
  ),
  reading(
    'GAP-63',
    'which changes take their time',
    'GAP-63',
    { 'by-tld': [200, 202, 200, 200], never: [200, 200, 200, 200], always: [202, 202, 202, 202] },
    async (client) => {
      const locks = [
        (await lock(client, 'plain.com')).status,
        (await lock(client, 'slow.eu')).status,
        (await lock(client, 'paid.shop')).status,
      ];
      return [...locks, (await patch(client, 'one.com', '', { domain_registration: { auto_renew: false } })).status];
    },
  ),
  reading(
    'GAP-63',
    'what shows before a process has ended',
    'GAP-63.fields',
    { after: [false, false], 'at-once': [true, false] },
    async (client) => {
      await client.call('PATCH', '/_sandbox/registrar', { fates: [{ outcome: 'fails' }] });
      await lock(client, 'slow.eu');
      const early = await field(client, 'slow.eu', 'locked');
      wait(client, 3 * DAY_MS);
      return [early, await field(client, 'slow.eu', 'locked')];
    },
  ),
  reading(
    'GAP-63',
    'a contact that the registrar is still working on',
    'GAP-63.fields',
    { after: ['Amsterdam', 'Amsterdam'], 'at-once': ['Delft', 'Amsterdam'] },
    async (client) => {
      await client.call('PATCH', '/_sandbox/registrar', { fates: [{ outcome: 'fails' }] });
      await patch(client, 'slow.eu', 'holder', { holder_contact: { action_mode: 'edit_current', city: 'Delft' } });
      const early = await field(client, 'slow.eu', 'owner_contact', 'city');
      wait(client, 3 * DAY_MS);
      return [early, await field(client, 'slow.eu', 'owner_contact', 'city')];
    },
  ),
  reading(
    'GAP-64',
    'paying for privacy at the portal',
    'GAP-64',
    { switches: [true, 200], allows: [false, 200] },
    async (client) => {
      await client.call('POST', '/_sandbox/registrations/paid.shop/portal');
      return [
        await field(client, 'paid.shop', 'privacy_protect'),
        (await patch(client, 'paid.shop', 'privacy', { privacy_protect: true })).status,
      ];
    },
  ),
  reading(
    'GAP-66',
    'the order of a change of registrant',
    'GAP-66',
    { later: [0, undefined], 'at-once': [1, 'pending'] },
    async (client) => {
      const reply = await post(client, 'paid.shop', 'registrant_change', { new_contact: PERSON });
      return [reply.column('orders', 'id').length, reply.at('order', 'status')];
    },
  ),
  reading(
    'REG-14',
    'how name servers read',
    'nameservers',
    { tidied: ['a.example.net', 'b.example.net'], 'as-sent': ['B.example.net.', 'a.example.net'] },
    async (client) =>
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['B.example.net.', 'a.example.net'] })).at(
        'domain_registration',
        'nameservers',
      ),
  ),
  reading(
    'REG-15',
    'changing a locked name',
    'lockedNames',
    { changeable: [200, 200], refused: [422, 200] },
    async (client) => [
      (await patch(client, 'locked.com', 'nameservers', { nameservers: ['ns1.example.net'] })).status,
      (await patch(client, 'locked.com', 'lock', { locked: false })).status,
    ],
  ),
  reading(
    'REG-07',
    'where the additions to a registration stand',
    'registrationExtras',
    { inside: [true, false, true], beside: [false, true, true] },
    async (client) => {
      const view = await client.get(at('busy.eu'));
      return [
        view.at('domain_registration', 'pending_process') !== undefined,
        view.at('pending_process') !== undefined,
        (await client.get(`${PATH}?q=busy`)).at('domain_registrations', 0, 'pending_process') !== undefined,
      ];
    },
  ),
  reading(
    'RTY-06',
    'new registrations and contacts show up late in lists',
    'lateLists',
    { off: [1, 1], 'reads:1': [0, 0] },
    async (client) => {
      await orderDomain(client, 'fresh.com', {}, { ...PERSON, first_name: 'Fresh' });
      wait(client, 20_000);
      return [
        (await client.get(`${PATH}?q=fresh`)).column('domain_registrations', 'name').length,
        (await client.get('/api/domain_contacts?q=fresh')).column('domain_contacts', 'id').length,
      ];
    },
  ),
  {
    rule: 'GAP-06',
    title: 'lists of registrations and contacts, whole or in pages',
    async run(context) {
      for (const [paged, rows] of [
        ['unpaged', false],
        ['paged', true],
      ] as const) {
        const client = await startRegistrar(context, { ambiguities: { 'GAP-06': paged } });
        const counts = await Promise.all(
          [PATH, '/api/domain_contacts'].map(
            async (path) =>
              (await client.get(`${path}?per_page=2`)).at(
                path === PATH ? 'domain_registrations' : 'domain_contacts',
                2,
              ) === undefined,
          ),
        );
        assert.deepEqual(counts, [rows, rows], `GAP-06 = ${paged}`);
      }
    },
  },
];
