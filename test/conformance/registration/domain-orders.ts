// Conformance of ordering domains: what is refused, who stands behind them, what an order leaves behind.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain } from '../context.ts';
import type { Client, Reply } from '../context.ts';
import { nothingBought } from '../billing/purchase-support.ts';
import { CONTACTS, DAY_MS, PATH, PERSON, billing, orderDomain, ordered, trouble, wait } from './support.ts';

const without = (key: keyof typeof PERSON): object =>
  Object.fromEntries(Object.entries(PERSON).filter(([name]) => name !== key));

/** What the contacts of the ordered registration are called. */
function people(order: Reply): readonly unknown[] {
  return ['owner', 'admin', 'tech', 'billing'].map((role) =>
    order.at('domain', 'registration', `${role}_contact`, 'first_name'),
  );
}

/** Without either way of naming the registrant, unless `domain` has one. */
const bareOrder = (client: Client, domain: object): Promise<Reply> =>
  client.call('POST', '/api/orders/domain', { domain });

export const domainOrderCases = casesIn(plain('registrar'), {
  'ORD-07: an order of a domain shows it, with a status until there is a registration; others do not': async (
    client,
  ) => {
    const early = await ordered(client, 'new.com', {}, 4_000);
    assert.deepEqual(early.at('domain'), {
      name: 'new.com',
      action: 'register',
      registration: null,
      provisioning_status: early.at('order', 'status'),
    });
    wait(client, 20_000);
    const late = await client.get(`/api/orders/${String(early.at('order', 'id'))}`);
    assert.deepEqual(
      [keysOf(late.at('domain')), late.at('domain', 'registration', 'name'), late.at('order', 'location')],
      [['action', 'name', 'registration'], 'new.com', null],
    );
    const site = await client.call('POST', '/api/orders', {
      site: { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' },
    });
    wait(client, 20_000);
    const cart = await client.get(`/api/carts/${String(site.at('cart', 'token'))}`);
    assert.equal(
      keysOf((await client.get(`/api/orders/${String(cart.at('orders', 0, 'id'))}`)).at()).includes('domain'),
      false,
    );
  },
  'ORD-07/null: a completed order waits for a slow registrar': async (client) => {
    const order = await ordered(client, 'new.eu');
    assert.deepEqual(
      [order.at('order', 'status'), order.at('domain', 'registration'), order.at('domain', 'provisioning_status')],
      ['completed', null, 'completed'],
    );
    wait(client, 3 * DAY_MS);
    assert.equal(
      (await client.get(`/api/orders/${String(order.at('order', 'id'))}`)).at('domain', 'registration', 'name'),
      'new.eu',
    );
  },
  'ORD-30: an order makes a registration, a subscription and a zone, once': async (client) => {
    const order = await ordered(client, 'New.COM');
    const view = await client.get(`${PATH}/${String(order.at('domain', 'registration', 'id'))}`);
    assert.deepEqual(
      [typeof view.at('domain_registration', 'subscription_id'), view.at('domain_registration', 'dns_zone', 'name')],
      ['string', 'new.com'],
    );
    assert.deepEqual([...client.sandbox.creations], [['domain order register new.com', 1]]);
    answered(
      await client.call(
        'POST',
        '/api/orders/domain',
        { domain: { name: 'a.com', contact: PERSON } },
        { token: OAUTH_TOKEN },
      ),
      403,
    );
  },
  'ORD-31: it registers unless told to transfer, which takes a code where the TLD asks for one': async (client) => {
    nothingBought(client, await orderDomain(client, 'moving.com', { action: 'transfer' }), 400, 'authcode_required');
    assert.equal(
      (await ordered(client, 'moving.nl', { action: 'transfer' }, 6 * DAY_MS)).at('domain', 'action'),
      'transfer',
    );
    const moved = await ordered(client, 'moving.com', { action: 'transfer', authcode: 'fake' }, 6 * DAY_MS);
    assert.deepEqual(
      [moved.at('domain', 'registration', 'name'), (await ordered(client, 'new.com')).at('domain', 'action')],
      ['moving.com', 'register'],
    );
  },
  'ORD-32: each of eight fields of a contact is missed': async (client) => {
    for (const key of Object.keys(PERSON) as (keyof typeof PERSON)[])
      nothingBought(client, await orderDomain(client, 'new.com', {}, without(key)), 400, 'incomplete_contact');
    nothingBought(client, await bareOrder(client, { name: 'new.com' }), 400, 'incomplete_contact');
    answered(
      await orderDomain(client, 'new.com', {}, { ...PERSON, organization: 'Novak', extra_properties: { vat: 'x' } }),
      202,
    );
  },
  'ORD-33: a contact and a source exclude each other': async (client) => {
    const number = client.sandbox.state.registrar.registrations.get('reg-plain.com')?.number;
    nothingBought(
      client,
      await orderDomain(client, 'new.com', { contact_source: { registration_id: number } }),
      400,
      'invalid_contact_source',
    );
  },
  "ORD-34: a source is a registration of one's own that has an owner": async (client) => {
    const number = (name: string) => client.sandbox.state.registrar.registrations.get(`reg-${name}`)?.number;
    for (const registration_id of [number('foreign.com'), number('ownerless.com'), 4, 'reg-plain.com']) {
      nothingBought(
        client,
        await bareOrder(client, { name: 'new.com', contact_source: { registration_id } }),
        400,
        'invalid_contact_source',
      );
    }
    const placed = await bareOrder(client, {
      name: 'new.com',
      contact_source: { registration_id: number('plain.com') },
    });
    wait(client, 20_000);
    const cart = await client.get(`/api/carts/${String(placed.at('cart', 'token'))}`);
    assert.deepEqual(people(await client.get(`/api/orders/${String(cart.at('orders', 0, 'id'))}`)), [
      'Ada',
      'Ada',
      'Ada',
      'Ada',
    ]);
  },
  'ORD-35: the other roles follow the owner, an existing registration, or a new contact': async (client, start) => {
    const number = client.sandbox.state.registrar.registrations.get('reg-one.com')?.number;
    const order = await ordered(client, 'new.com', {
      role_contacts: {
        admin: { source: 'existing', source_registration_id: number },
        tech: { source: 'new', ...PERSON, first_name: 'Tom' },
        billing: { source: 'same_as_owner' },
      },
    });
    assert.deepEqual(people(order), ['Eve', 'Shared', 'Tom', 'Eve']);
    nothingBought(
      await start(),
      await orderDomain(await start(), 'new.com', {
        role_contacts: { admin: { source: 'somebody' } },
      }),
      400,
      'invalid_contact_source',
    );
  },
  'ORD-36: each refusal has its code, and nothing is bought': async (client) => {
    const as = { domain: { name: 'new.com', contact: PERSON } };
    nothingBought(
      client,
      await client.call('POST', '/api/orders/domain', as, { token: SYSTEM_KEY }),
      401,
      'user_required',
    );
    nothingBought(
      client,
      await client.call('POST', '/api/orders/domain', as, { account: null }),
      400,
      'missing_account',
    );
    for (const [name, rest, code] of [
      ['new.com', { action: 'renew' }, 'invalid_action'],
      ['nodot', {}, 'invalid_domain'],
      ['new.museum', {}, 'unsupported_tld'],
      ['new.zz', {}, 'unsupported_tld'],
      ['new.rare', {}, 'pricing_unavailable'],
    ] as const)
      nothingBought(client, await orderDomain(client, name, rest), 400, code);
    for (const [change, status, code] of [
      [{ refusesItems: true }, 422, 'domain_add_failed'],
      [{ refusesItems: false, methodType: null }, 400, 'no_default_payment_method'],
      [{ methodType: 'card', canOrder: false }, 400, 'account_cannot_order'],
      [{ canOrder: true, trial: true }, 403, 'trial_account'],
    ] as const) {
      await billing(client, change);
      nothingBought(client, await orderDomain(client, 'new.com'), status, code);
    }
  },
  'ORD-37: a name that is taken is not registered, and can be transferred': async (client) => {
    for (const name of ['taken.com', 'plain.com'])
      nothingBought(client, await orderDomain(client, name), 422, 'domain_unavailable');
    answered(await orderDomain(client, 'taken.com', { action: 'transfer', authcode: 'fake' }), 202);
  },
  'ORD-38: a check that fails says so, and not that the name is taken': async (client) => {
    await trouble(client, 'lookup');
    nothingBought(client, await orderDomain(client, 'new.com'), 422, 'domain_availability_unknown');
    answered(await orderDomain(client, 'new.com'), 202);
  },
  'ORD-39: what is wrong with a contact, and what it lacks': async (client) => {
    const invalid = await orderDomain(client, 'new.us');
    nothingBought(client, invalid, 422, 'domain_contact_invalid');
    assert.deepEqual(invalid.at('violations'), ['state is missing']);
    const lacking = await orderDomain(client, 'new.us', {}, { ...PERSON, state: 'NY' });
    nothingBought(client, lacking, 422, 'domain_contact_needs_augmentation');
    assert.deepEqual(lacking.at('needs_augmentation'), ['nexus_category']);
    answered(
      await orderDomain(client, 'new.us', {}, { ...PERSON, state: 'NY', extra_properties: { nexus_category: 'C11' } }),
      202,
    );
  },
  'ORD-40: a charge that cannot start leaves no contacts': async (client) => {
    const count = async (): Promise<number> => (await client.get(CONTACTS)).column('domain_contacts', 'id').length;
    const before = await count();
    await billing(client, { refusesCharges: true });
    nothingBought(
      client,
      await orderDomain(client, 'new.com', { role_contacts: { tech: { source: 'new', ...PERSON } } }),
      422,
      'cart_pay_failed',
    );
    assert.equal(await count(), before);
  },
  'ORD-41: country and phone number have a form': async (client) => {
    for (const wrong of [{ country: 'Belgium' }, { phone: '+3291234567' }, { phone: '091234567' }])
      nothingBought(client, await orderDomain(client, 'new.com', {}, { ...PERSON, ...wrong }), 400, 'invalid_contact');
  },
});
