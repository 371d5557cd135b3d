// Conformance of what the documents leave open about registrations: shapes, processes, transfers, orders.
import { gapsIn } from '../context.ts';
import type { Client } from '../context.ts';
import { DAY_MS, PATH, PERSON, at, field, orderDomain, ordered, patch, post, stored, wait } from './support.ts';

const HOSTS = `${at('plain.com')}/hosts`;
const KEY = { flags: 256, algorithm: 13, publicKey: 'bmV3' };
const lock = (client: Client, name: string) => patch(client, name, 'lock', { locked: true });

export const registrationGapCases = gapsIn('registrar', {
  'GAP-12: a guid as the source of a contact': [
    { integer: 400, 'guid-too': 202 },
    async (client) =>
      (
        await client.call('POST', '/api/orders/domain', {
          domain: { name: 'new.com', contact_source: { registration_id: 'reg-plain.com' } },
        })
      ).status,
  ],
  'GAP-51: the address of a process': [
    {
      'not-shown': [501, undefined, undefined],
      wrapped: [200, 'rtr-busy', undefined],
      bare: [200, undefined, 'rtr-busy'],
    },
    async (client) => {
      const reply = await client.get(String(await field(client, 'busy.eu', 'pending_process', 'poll_url')));
      return [reply.status, reply.at('process', 'id'), reply.at('id')];
    },
  ],
  'GAP-51.ended: the id of a process that has ended': [
    { cleared: [false, null, null], kept: [false, 'rtr-busy', 'COMPLETED'] },
    async (client) => {
      wait(client, 2 * DAY_MS);
      return [
        await field(client, 'busy.eu', 'pending_async'),
        await field(client, 'busy.eu', 'rtr_process_id'),
        await field(client, 'busy.eu', 'rtr_process_status'),
      ];
    },
  ],
  'GAP-52: writes to hosts of a busy name': [
    { guarded: 409, unguarded: 201 },
    async (client) =>
      (await post(client, 'busy.eu', 'hosts', { host_name: 'ns1.busy.eu', addresses: [{ address: '192.0.2.1' }] }))
        .status,
  ],
  'GAP-52.process: how long writes to hosts take': [
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
  ],
  'GAP-52.repeat: making a host that is there': [
    { refused: 422, replaces: 201 },
    async (client) =>
      (await client.call('POST', HOSTS, { host_name: 'ns1.plain.com', addresses: [{ address: '192.0.2.1' }] })).status,
  ],
  'GAP-52.glue: a name server below the name that is no host': [
    { 'not-needed': [200, 200], needed: [422, 200] },
    async (client) => [
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['ns7.plain.com'] })).status,
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['ns1.plain.com'] })).status,
    ],
  ],
  'GAP-52.addresses: how addresses of hosts read': [
    { short: '2001:db8::1', 'as-sent': '2001:DB8:0:0::1' },
    async (client) =>
      (await client.call('PATCH', `${HOSTS}/ns1.plain.com`, { addresses: [{ address: '2001:DB8:0:0::1' }] })).at(
        'host',
        'addresses',
        0,
        'address',
      ),
  ],
  'GAP-53: switching renewal off after the window': [
    { refused: [422, undefined, true], 'late-cancel': [200, 'late_cancel', false] },
    async (client) => {
      const reply = await patch(client, 'late.com', '', { domain_registration: { auto_renew: false } });
      return [reply.status, reply.at('scenario'), await field(client, 'late.com', 'auto_renew')];
    },
  ],
  'GAP-53.fields: the fields of a window where there is none': [
    { absent: undefined, null: null },
    (client) => field(client, 'plain.com', 'cancellation_deadline_at'),
  ],
  'GAP-54: enabling DNSSEC twice': [
    { replaces: [200, 1], adds: [200, 2], refused: [422, 1] },
    async (client) => [
      (await patch(client, 'signed.com', 'dnssec', { mode: 'enable', key_data: [KEY] })).status,
      stored(client, 'signed.com').dnssecKeys.length,
    ],
  ],
  'GAP-54.add: adding keys where it is not enabled': [
    { enables: [200, true], 'stays-off': [200, false], refused: [422, false] },
    async (client) => [
      (await patch(client, 'plain.com', 'dnssec', { mode: 'add_keys', key_data: [KEY] })).status,
      await field(client, 'plain.com', 'dnssec_enabled'),
    ],
  ],
  'GAP-55: changing an expired name': [
    { refused: [422, 200], accepted: [200, 200] },
    async (client) => [
      (await lock(client, 'lapsed.com')).status,
      (await patch(client, 'lapsed.com', '', { domain_registration: { auto_renew: true } })).status,
    ],
  ],
  'GAP-55.expired: the status of an expired name': [
    { stays: 'EXPIRED', redemption: 'REDEMPTION' },
    (client) => field(client, 'lapsed.com', 'status'),
  ],
  'GAP-55.arriving: a name on its way here': [
    { absent: [null, false], listed: ['PENDING_TRANSFER', true] },
    async (client) => {
      const order = await ordered(client, 'moving.com', { action: 'transfer', authcode: 'fake' });
      const listed = (await client.get(PATH)).column('domain_registrations', 'name').includes('moving.com');
      return [order.at('domain', 'registration', 'status') ?? order.at('domain', 'registration'), listed];
    },
  ],
  'GAP-55.left: a name that has left': [
    { gone: 404, listed: 200 },
    async (client) => {
      wait(client, 6 * DAY_MS);
      return (await client.get(at('pushed.com'))).status;
    },
  ],
  'GAP-55.transfer: the live view of a transfer': [
    { registry: { status: 'pending', requested_by: 'another registrar' }, empty: {} },
    (client) => field(client, 'leaving.com', 'transfer_out'),
  ],
  'GAP-63: which changes take their time': [
    { 'by-tld': [200, 202, 200, 200], never: [200, 200, 200, 200], always: [202, 202, 202, 202] },
    async (client) => {
      const locks = [
        (await lock(client, 'plain.com')).status,
        (await lock(client, 'slow.eu')).status,
        (await lock(client, 'paid.shop')).status,
      ];
      return [...locks, (await patch(client, 'one.com', '', { domain_registration: { auto_renew: false } })).status];
    },
  ],
  'GAP-63.fields: what shows before a process has ended': [
    { after: [false, false], 'at-once': [true, false] },
    async (client) => {
      await client.call('PATCH', '/_sandbox/registrar', { fates: [{ outcome: 'fails' }] });
      await lock(client, 'slow.eu');
      const early = await field(client, 'slow.eu', 'locked');
      wait(client, 3 * DAY_MS);
      return [early, await field(client, 'slow.eu', 'locked')];
    },
  ],
  'GAP-63.fields: a contact that the registrar is still working on': [
    { after: ['Amsterdam', 'Amsterdam'], 'at-once': ['Delft', 'Amsterdam'] },
    async (client) => {
      await client.call('PATCH', '/_sandbox/registrar', { fates: [{ outcome: 'fails' }] });
      await patch(client, 'slow.eu', 'holder', { holder_contact: { action_mode: 'edit_current', city: 'Delft' } });
      const early = await field(client, 'slow.eu', 'owner_contact', 'city');
      wait(client, 3 * DAY_MS);
      return [early, await field(client, 'slow.eu', 'owner_contact', 'city')];
    },
  ],
  'GAP-64: paying for privacy at the portal': [
    { switches: [true, 200], allows: [false, 200] },
    async (client) => {
      await client.call('POST', '/_sandbox/registrations/paid.shop/portal');
      return [
        await field(client, 'paid.shop', 'privacy_protect'),
        (await patch(client, 'paid.shop', 'privacy', { privacy_protect: true })).status,
      ];
    },
  ],
  'GAP-66: the order of a change of registrant': [
    { later: [0, undefined], 'at-once': [1, 'pending'] },
    async (client) => {
      const reply = await post(client, 'paid.shop', 'registrant_change', { new_contact: PERSON });
      return [reply.column('orders', 'id').length, reply.at('order', 'status')];
    },
  ],
  'REG-14 nameservers: how name servers read': [
    { tidied: ['a.example.net', 'b.example.net'], 'as-sent': ['B.example.net.', 'a.example.net'] },
    async (client) =>
      (await patch(client, 'plain.com', 'nameservers', { nameservers: ['B.example.net.', 'a.example.net'] })).at(
        'domain_registration',
        'nameservers',
      ),
  ],
  'REG-15 lockedNames: changing a locked name': [
    { changeable: [200, 200], refused: [422, 200] },
    async (client) => [
      (await patch(client, 'locked.com', 'nameservers', { nameservers: ['ns1.example.net'] })).status,
      (await patch(client, 'locked.com', 'lock', { locked: false })).status,
    ],
  ],
  'REG-07 registrationExtras: where the additions to a registration stand': [
    { inside: [true, false, true], beside: [false, true, true] },
    async (client) => {
      const view = await client.get(at('busy.eu'));
      return [
        view.at('domain_registration', 'pending_process') !== undefined,
        view.at('pending_process') !== undefined,
        (await client.get(`${PATH}?q=busy`)).at('domain_registrations', 0, 'pending_process') !== undefined,
      ];
    },
  ],
  'RTY-06 lateLists: new registrations and contacts show up late in lists': [
    { off: [1, 1], 'reads:1': [0, 0] },
    async (client) => {
      await orderDomain(client, 'fresh.com', {}, { ...PERSON, first_name: 'Fresh' });
      wait(client, 20_000);
      return [
        (await client.get(`${PATH}?q=fresh`)).column('domain_registrations', 'name').length,
        (await client.get('/api/domain_contacts?q=fresh')).column('domain_contacts', 'id').length,
      ];
    },
  ],
  'GAP-06: lists of registrations and contacts, whole or in pages': [
    { unpaged: [true, true], paged: [false, false] },
    async (client) => [
      (await client.get(`${PATH}?per_page=2`)).at('domain_registrations', 2) !== undefined,
      (await client.get('/api/domain_contacts?per_page=2')).at('domain_contacts', 2) !== undefined,
    ],
  ],
});
