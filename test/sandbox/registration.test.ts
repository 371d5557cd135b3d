import { describe, expect, it } from 'vitest';
import { PERSON } from '../conformance/registration/support.ts';
import { sandboxes } from './sandboxes.ts';

const PATH = '/api/domain_registrations';
const DAY_MS = 86_400_000;
const start = sandboxes({ scenario: 'registrar', ambiguities: { 'GAP-59': 'plain' } });

describe("registrations can be looked at and changed behind a client's back", () => {
  it('the store is read whole, with what time has done to it', async () => {
    const { sandbox, client } = await start();
    sandbox.clock.advance(2 * DAY_MS);
    const reply = await client.get('/_sandbox/registrar');
    expect(reply.at('registrations', 'reg-busy.eu')).toMatchObject({
      process: null,
      nameservers: ['ns1.elsewhere.example'],
      lastProcess: { status: 'COMPLETED' },
    });
    expect(reply.at('contacts', '801', 'fields', 'email')).toBe('ada@acme.example');
  });

  it('names are added, changed and removed', async () => {
    const { client } = await start();
    await client.call('POST', '/_sandbox/registrations', { name: 'added.com', accountId: 'acc-acme', ownerId: 801 });
    await client.call('PATCH', '/_sandbox/registrations/added.com', { locked: true });
    expect((await client.get(`${PATH}/reg-added.com`)).at('domain_registration', 'locked')).toBe(true);
    await client.call('DELETE', '/_sandbox/registrations/added.com');
    expect((await client.get(`${PATH}/reg-added.com`)).status).toBe(404);
  });

  it('contacts are added, changed and removed', async () => {
    const { client } = await start();
    const id = (
      await client.call('POST', '/_sandbox/registrar/contacts', {
        accountId: 'acc-acme',
        fields: { first_name: 'New' },
      })
    ).at('id');
    await client.call('PATCH', `/_sandbox/registrar/contacts/${String(id)}`, {
      validated: false,
      fields: { city: 'Delft' },
    });
    expect((await client.get(`/api/domain_contacts/${String(id)}`)).at('domain_contact')).toMatchObject({
      first_name: 'New',
      city: 'Delft',
      validations: [{ status: 'pending' }],
    });
    expect((await client.call('DELETE', `/_sandbox/registrar/contacts/${String(id)}`)).at('removed')).toBe(true);
  });

  it('TLDs, and names that others hold', async () => {
    const { client } = await start();
    await client.call('PATCH', '/_sandbox/registrar/tlds/net', { registerCents: 9_900 });
    await client.call('PATCH', '/_sandbox/registrar', { taken: ['gone.net'], premium: ['gone.net'] });
    expect((await client.call('POST', `${PATH}/check`, { domain: 'gone.net' })).at()).toMatchObject({
      available: false,
      premium: true,
      price: { amount_cents: 9_900 },
    });
  });

  it('a process fails, gets stuck, or is completed; a name leaves', async () => {
    const { client } = await start();
    const end = (name: string, outcome: string) =>
      client.call('POST', `/_sandbox/registrations/${name}/process`, { outcome });
    await end('busy.eu', 'failed');
    await end('stuck.eu', 'stuck');
    await end('stuck.eu', 'completed');
    expect((await client.get(`${PATH}/reg-busy.eu`)).at('domain_registration')).toMatchObject({
      pending_async: false,
      nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
    });
    expect((await client.get(`${PATH}/reg-stuck.eu`)).at('domain_registration', 'locked')).toBe(true);
    await client.call('POST', '/_sandbox/registrations/pushed.com/leave');
    expect((await client.get(`${PATH}/reg-pushed.com`)).status).toBe(404);
  });

  it.each([
    ['PATCH', 'registrar/tlds/museum', {}, 404],
    ['PATCH', 'registrar/contacts/1', {}, 404],
    ['PATCH', 'registrar', { troubles: [{ part: 'cats' }] }, 400],
    ['PATCH', 'registrations/nowhere.com', {}, 404],
    ['POST', 'registrations', {}, 400],
    ['POST', 'registrations/busy.eu/process', { outcome: 'x' }, 400],
    ['POST', 'registrations/plain.com/process', { outcome: 'failed' }, 400],
  ])('%s %s %o is refused', async (method, path, body, status) => {
    const { client } = await start();
    expect((await client.call(method, `/_sandbox/${path}`, body)).status).toBe(status);
  });
});

describe('one truth about who owns a name', () => {
  it('a bought name proves itself to mail, and one that leaves no longer does', async () => {
    const { sandbox, client } = await start({ scenario: 'mail' });
    const add = async (name: string) =>
      (await client.call('POST', '/api/mailspace/mail-shop/domains', { name })).at('domain', 'state');
    await client.call('POST', '/api/orders/domain', { domain: { name: 'bought.com', contact: PERSON } });
    sandbox.clock.advance(20_000);
    expect(await add('bought.com')).toBe('served');
    expect((await client.get('/_sandbox/dns')).column('registered', 'name')).toEqual([
      'bought.com',
      'lapsed.example.com',
      'owned.example.com',
    ]);
    await client.call('POST', '/_sandbox/registrations/owned.example.com/leave');
    expect(await add('owned.example.com')).toBe('pending_verification');
  });
});

describe('what was processed is counted, whatever became of its answer', () => {
  it('a lost answer has ordered once; ordering again ends in one registration and counts twice', async () => {
    const { sandbox, client } = await start({ faults: [{ kind: 'reset-after', at: 1 }] });
    const order = () => client.call('POST', '/api/orders/domain', { domain: { name: 'new.com', contact: PERSON } });
    await expect(order()).rejects.toThrow();
    expect([...sandbox.creations]).toEqual([['domain order register new.com', 1]]);
    await order();
    sandbox.clock.advance(20_000);
    expect(
      (await client.get(PATH)).column('domain_registrations', 'name').filter((name) => name === 'new.com'),
    ).toHaveLength(1);
    expect(sandbox.creations.get('domain order register new.com')).toBe(2);
  });
});

describe('an account of any size', () => {
  it('has names and contacts, two to one', async () => {
    const { client } = await start({ scenario: 'registrations:120' });
    expect([
      (await client.get(PATH)).column('domain_registrations', 'id').length,
      (await client.get('/api/domain_contacts')).column('domain_contacts', 'id').length,
    ]).toEqual([120, 60]);
  });
});

describe('a change of registrant that is paid for', () => {
  it.each([
    ['completed', 'Eve'],
    ['failed', 'Gil'],
  ])('is worked on for days where the TLD is slow, and may end otherwise: %s', async (outcome, owner) => {
    const { sandbox, client } = await start();
    const path = `${PATH}/reg-paid.store`;
    await client.call('POST', `${path}/registrant_change`, { new_contact: PERSON });
    expect((await client.get(path)).at('domain_registration', 'pending_async')).toBe(false);
    sandbox.clock.advance(20_000);
    expect((await client.get(path)).at('domain_registration')).toMatchObject({
      pending_async: true,
      pending_process: { action: 'domain-trade' },
      owner_contact: { first_name: 'Gil' },
    });
    await client.call('POST', '/_sandbox/registrations/paid.store/process', { outcome });
    expect((await client.get(path)).at('domain_registration')).toMatchObject({
      pending_async: false,
      owner_contact: { first_name: owner },
    });
    expect([...sandbox.creations]).toEqual([['registrant change of paid.store', 1]]);
  });

  it('that nobody pays for is not begun', async () => {
    const { sandbox, client } = await start();
    await client.call('PATCH', '/_sandbox/accounts/acc-acme', { outcome: 'declined' });
    const reply = await client.call('POST', `${PATH}/reg-paid.store/registrant_change`, { new_contact: PERSON });
    expect([reply.status, reply.at('payment', 'status')]).toEqual([202, 'awaiting_authentication']);
    sandbox.clock.advance(2 * DAY_MS);
    expect((await client.get(`${PATH}/reg-paid.store`)).at('domain_registration', 'pending_async')).toBe(false);
  });
});

describe('a snapshot that a person could have written', () => {
  it('names registrations by name and contacts by address, without ids, times and codes', async () => {
    const { sandbox } = await start();
    const { registrations, contacts } = sandbox.snapshot() as {
      registrations: Record<string, unknown>;
      contacts: { first_name: string }[];
    };
    expect(registrations['plain.com']).toEqual({
      account: 'acc-acme',
      status: 'OK',
      autoRenew: true,
      locked: false,
      privacyProtect: false,
      dnssec: null,
      nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
      hosts: { 'ns1.plain.com': ['192.0.2.53'] },
      process: null,
      refunds: 0,
      contacts: {
        owner: 'ada@acme.example',
        admin: 'ada@acme.example',
        tech: 'ben@acme.example',
        billing: 'ada@acme.example',
      },
    });
    expect(contacts.find((one) => one.first_name === 'Cleo')).toMatchObject({
      account: 'acc-acme',
      tld: 'eu',
      city: 'Amsterdam',
    });
    expect(JSON.stringify(registrations)).not.toContain('sandbox-code');
  });
});
