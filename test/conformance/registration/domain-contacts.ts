// Conformance of contacts of registrations.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { CONTACTS, DAY_MS, PERSON, allRefused, field, stored, trouble, wait } from './support.ts';

const change = (client: Client, id: number, domain_contact: object, rest: object = {}) =>
  client.call('PATCH', `${CONTACTS}/${id}`, { domain_contact, ...rest });
const create = (client: Client, body: object) => client.call('POST', CONTACTS, body);

export const domainContactCases = casesIn(plain('registrar'), {
  'DCT-01: a contact has its fields, an integer id, and no TLD': async (client) => {
    const reply = await client.get(`${CONTACTS}/801`);
    assert.deepEqual(keysOf(reply.at('domain_contact')), [
      'city',
      'country',
      'created_at',
      'email',
      'extra_properties',
      'first_name',
      'handle',
      'id',
      'last_name',
      'organization',
      'phone',
      'post_code',
      'split_from_id',
      'state',
      'street_address',
      'updated_at',
      'validations',
    ]);
    assert.deepEqual(
      [
        reply.at('domain_contact', 'id'),
        reply.at('domain_contact', 'phone'),
        reply.at('domain_contact', 'split_from_id'),
      ],
      [801, '+31.201234567', null],
    );
  },
  'DCT-02: searched by handle, organization, full name and the names that use it': async (client) => {
    const found = async (q: string): Promise<readonly unknown[]> =>
      (await client.get(`${CONTACTS}?q=${encodeURIComponent(q)}`)).column('domain_contacts', 'id');
    assert.deepEqual(
      [await found('sbx-802'), await found('cleo v'), await found('PAID.SHOP'), await found('acme.example')],
      [[802], [803], [804], []],
    );
    assert.equal((await found('')).includes(890), false);
    answered(await client.get(`${CONTACTS}/890`), 404);
  },
  'DCT-03: a contact is made for one TLD, by id or by name': async (client) => {
    await allRefused([
      [create(client, { tld_name: 'museum', domain_contact: PERSON }), 404, 'tld_not_found'],
      [create(client, { tld_id: 99, domain_contact: PERSON }), 404, 'tld_not_found'],
      [create(client, { tld_name: 'zz', domain_contact: PERSON }), 503, 'registrar_unavailable'],
      [create(client, { tld_name: 'com', domain_contact: { ...PERSON, phone: '123' } }), 422, undefined],
    ]);
    const made = await create(client, { tld_name: 'com', domain_contact: { ...PERSON, organization: 'Novak' } });
    assert.deepEqual([made.status, made.at('domain_contact', 'organization')], [201, 'Novak']);
    answered(await create(client, { tld_id: 2, domain_contact: PERSON }), 201);
    assert.deepEqual(
      [...client.sandbox.creations.keys()],
      ['contact eve@novak.example for com', 'contact eve@novak.example for net'],
    );
    await trouble(client, 'after');
    refused(await create(client, { tld_name: 'com', domain_contact: PERSON }), 502, undefined);
    assert.equal(client.sandbox.creations.get('contact eve@novak.example for com'), 2);
  },
  'DCT-04: a contact that nobody uses takes a TLD': async (client) => {
    await allRefused([
      [change(client, 805, { city: 'Delft' }), 422, 'tld_required_for_orphan'],
      [change(client, 805, { city: 'Delft' }, { tld_name: 'museum' }), 404, 'tld_not_found'],
    ]);
    const reply = await change(client, 805, { city: 'Delft' }, { tld_name: 'net' });
    assert.deepEqual(
      [reply.status, reply.at('domain_contact', 'city'), reply.at('domain_contact', 'country')],
      [200, 'Delft', 'NL'],
    );
    answered(await change(client, 801, { city: 'Delft' }), 200);
  },
  'DCT-04/process: where the registrar takes its time the change is begun': async (client) => {
    const reply = await change(client, 803, { city: 'Delft' });
    assert.deepEqual([reply.status, reply.at('pending_process', 'action')], [202, 'contact-update']);
    stored(client, 'stuck.eu').process = null;
    assert.equal(await field(client, 'slow.eu', 'pending_async'), true);
    wait(client, 3 * DAY_MS);
    assert.deepEqual(
      [await field(client, 'slow.eu', 'pending_async'), await field(client, 'slow.eu', 'owner_contact', 'city')],
      [false, 'Delft'],
    );
  },
  'DCT-05: names that refuse keep the contact, a new one serves the rest': async (client) => {
    const reply = await change(client, 806, { city: 'Delft' });
    assert.deepEqual([reply.status, reply.at('domain_contact', 'split_from_id')], [200, 806]);
    const cities = [
      await field(client, 'one.com', 'owner_contact', 'city'),
      await field(client, 'two.com', 'owner_contact', 'city'),
    ];
    assert.deepEqual(
      [
        cities,
        await field(client, 'one.com', 'owner_contact', 'id'),
        await field(client, 'two.com', 'owner_contact', 'id'),
      ],
      [['Delft', 'Amsterdam'], reply.at('domain_contact', 'id'), 806],
    );
    refused(await change(client, 806, { city: 'Delft' }), 422, undefined);
    assert.equal((await client.get(`${CONTACTS}/806`)).at('domain_contact', 'validations', 0, 'status'), 'verified');
  },
  'DCT-06: only a contact that nobody uses is removed': async (client) => {
    refused(await client.call('DELETE', `${CONTACTS}/802`), 422, 'contact_in_use');
    const gone = await client.call('DELETE', `${CONTACTS}/805`);
    assert.deepEqual([gone.status, gone.text, (await client.get(`${CONTACTS}/805`)).status], [204, '', 404]);
  },
  'DCT-07: a registrant is reminded where the TLD asks for it': async (client) => {
    assert.deepEqual((await client.call('POST', `${CONTACTS}/801/resend_verification`)).at(), { status: 'queued' });
    refused(await client.call('POST', `${CONTACTS}/803/resend_verification`), 422, 'verification_not_applicable');
  },
});
