// Conformance of who a registration belongs to: the holder, the bought change of registrant, the other contacts.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY, SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { nothingBought } from '../billing/purchase-support.ts';
import { CONTACTS, PERSON, allRefused, at, billing, field, patch, post, wait } from './support.ts';

const edit = (fields: object): object => ({ holder_contact: { action_mode: 'edit_current', ...fields } });
const change = (source: object): object => ({ holder_contact: { action_mode: 'change', ...source } });
const buy = (client: Client, body: object, name = 'paid.shop') => post(client, name, 'registrant_change', body);

export const registrationHolderCases = casesIn(plain('registrar'), {
  'REG-19: editing keeps the contact, changing puts another in its place': async (client) => {
    const edited = await patch(client, 'plain.com', 'holder', edit({ city: 'Delft' }));
    assert.deepEqual(
      [
        edited.at('domain_registration', 'owner_contact', 'id'),
        edited.at('domain_registration', 'owner_contact', 'city'),
      ],
      [801, 'Delft'],
    );
    assert.equal(
      (await patch(client, 'plain.com', 'holder', change({ source_domain_contact_id: 802 }))).at(
        'domain_registration',
        'owner_contact',
        'first_name',
      ),
      'Ben',
    );
    const made = await patch(client, 'plain.com', 'holder', change({ new_contact: PERSON }));
    assert.deepEqual(
      [made.at('domain_registration', 'owner_contact', 'first_name'), [...client.sandbox.creations]],
      ['Eve', [['contact eve@novak.example as holder of plain.com', 1]]],
    );
    await allRefused([
      [patch(client, 'plain.com', 'holder', { holder_contact: { action_mode: 'swap' } }), 422, undefined],
      [patch(client, 'ownerless.com', 'holder', edit({ city: 'x' })), 422, 'owner_contact_missing'],
    ]);
  },
  'REG-20: changing costs where the TLD charges for it, editing does not': async (client) => {
    const reply = await patch(client, 'paid.shop', 'holder', change({ source_domain_contact_id: 804 }));
    refused(reply, 402, 'payment_required');
    assert.deepEqual([reply.at('price', 'role'), reply.at('price', 'amount_cents')], ['registrant_change', 1_500]);
    answered(await patch(client, 'paid.shop', 'holder', edit({ city: 'Delft' })), 200);
  },
  'REG-21: a validated field takes a confirmation, others do not': async (client) => {
    await allRefused([
      [patch(client, 'plain.com', 'holder', edit({ email: 'new@acme.example' })), 409, 'reverification_required'],
    ]);
    assert.equal(await field(client, 'plain.com', 'owner_contact', 'email'), 'ada@acme.example');
    const reply = await patch(
      client,
      'plain.com',
      'holder',
      edit({ email: 'new@acme.example', confirm_reverification: '1' }),
    );
    assert.deepEqual(
      [
        reply.at('domain_registration', 'owner_contact', 'email'),
        reply.at('domain_registration', 'owner_contact', 'validations', 0, 'status'),
      ],
      ['new@acme.example', 'pending'],
    );
  },
  'REG-22: a contact that nobody uses, or that is not there, is not found': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-50.tld': 'copied' } });
    for (const id of [805, 890, 4])
      await allRefused([
        [
          patch(client, 'plain.com', 'holder', change({ source_domain_contact_id: id })),
          404,
          'source_contact_not_found',
        ],
      ]);
  },
  'REG-23: exactly one source of the new owner': async (client) => {
    nothingBought(client, await buy(client, {}), 422, undefined);
    nothingBought(client, await buy(client, { source_domain_contact_id: 804, new_contact: PERSON }), 422, undefined);
  },
  'REG-23/paid: an envelope, an order without a domain, and the new owner once it is paid': async (client) => {
    const reply = await buy(client, { new_contact: PERSON });
    assert.deepEqual(
      [
        reply.status,
        reply.at('status'),
        keysOf(reply.at()),
        await field(client, 'paid.shop', 'owner_contact', 'first_name'),
      ],
      [202, 'accepted', ['cart', 'orders', 'payment', 'status'], 'Dora'],
    );
    wait(client, 20_000);
    const cart = await client.get(`/api/carts/${String(reply.at('cart', 'token'))}`);
    const order = await client.get(`/api/orders/${String(cart.at('orders', 0, 'id'))}`);
    assert.deepEqual(
      [
        order.at('order', 'status'),
        order.at('domain'),
        await field(client, 'paid.shop', 'owner_contact', 'first_name'),
      ],
      ['completed', undefined, 'Eve'],
    );
    assert.deepEqual([...client.sandbox.creations], [['registrant change of paid.shop', 1]]);
    answered(
      await client.call(
        'POST',
        `${at('paid.shop')}/registrant_change`,
        { new_contact: PERSON },
        { token: OAUTH_TOKEN },
      ),
      403,
    );
  },
  'REG-24: each refusal has its code, and nothing is bought': async (client) => {
    const as = (token: string) =>
      client.call('POST', `${at('paid.shop')}/registrant_change`, { new_contact: PERSON }, { token });
    nothingBought(client, await as(SYSTEM_KEY), 401, 'user_required');
    nothingBought(client, await as(READER_API_KEY), 403, 'forbidden');
    nothingBought(client, await buy(client, { source_domain_contact_id: 890 }), 422, 'source_contact_not_found');
    nothingBought(client, await buy(client, { new_contact: PERSON }, 'plain.com'), 422, 'no_registrant_change_price');
    nothingBought(
      client,
      await buy(client, { source_domain_contact_id: 802 }, 'plain.com'),
      422,
      'no_registrant_change_price',
    );
    const invalid = await buy(client, { new_contact: { ...PERSON, country: 'Belgium' } });
    nothingBought(client, invalid, 422, 'contact_invalid');
    assert.deepEqual(invalid.at('violations'), ['country is malformed']);
    await billing(client, { trial: true });
    nothingBought(client, await buy(client, { new_contact: PERSON }), 403, 'trial_account');
  },
  'REG-24/method: without a payment method nothing is looked at': async (client) => {
    await billing(client, { methodType: null });
    nothingBought(client, await buy(client, { new_contact: {} }), 400, 'no_default_payment_method');
  },
  'REG-24/torn-down: a charge that cannot start leaves no contact': async (client) => {
    const before = await contactCount(client);
    await billing(client, { refusesCharges: true });
    nothingBought(client, await buy(client, { new_contact: PERSON }), 422, 'cart_pay_failed');
    assert.equal(await contactCount(client), before);
  },
  'REG-26: each role is set by itself, and what is not named stays': async (client) => {
    const reply = await patch(client, 'plain.com', 'contacts', {
      admin_contact: { source: 'existing' },
      admin_source_domain_contact_id: 806,
      billing_contact: { source: 'new' },
      billing_new_contact: PERSON,
    });
    const first = (role: string): unknown => reply.at('domain_registration', `${role}_contact`, 'first_name');
    assert.deepEqual(
      [reply.status, first('owner'), first('admin'), first('tech'), first('billing')],
      [200, 'Ada', 'Shared', 'Ben', 'Eve'],
    );
    assert.deepEqual([...client.sandbox.creations], [['contact eve@novak.example as billing of plain.com', 1]]);
    await patch(client, 'plain.com', 'contacts', { tech_contact: { source: 'same_as_owner' } });
    assert.equal(await field(client, 'plain.com', 'tech_contact', 'id'), 801);
  },
  'REG-26/owner: nobody follows an owner that is not there': async (client) => {
    await allRefused([
      [
        patch(client, 'ownerless.com', 'contacts', { tech_contact: { source: 'same_as_owner' } }),
        422,
        'owner_contact_missing',
      ],
      [patch(client, 'plain.com', 'contacts', { tech_contact: { source: 'somebody' } }), 422, undefined],
      [
        patch(client, 'plain.com', 'contacts', {
          tech_contact: { source: 'existing' },
          tech_source_domain_contact_id: 890,
        }),
        404,
        'source_contact_not_found',
      ],
    ]);
  },
});

async function contactCount(client: Client): Promise<number> {
  return (await client.get(CONTACTS)).column('domain_contacts', 'id').length;
}
