// Conformance of changes to a registration: busy names, renewal, name servers, lock, privacy, DNSSEC.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain } from '../context.ts';
import { DAY_MS, allRefused, at, field, patch, post, stored, wait } from './support.ts';

const renew = (auto_renew: unknown): object => ({ domain_registration: { auto_renew } });
const KEY = { flags: 257, algorithm: 13, publicKey: 'c2FuZGJveA==' };

export const registrationChangeCases = casesIn(plain('registrar'), {
  'REG-11: a busy name refuses nine changes, and takes them once the process is over': async (client) => {
    const holder = { holder_contact: { action_mode: 'edit_current', city: 'Delft' } };
    await allRefused([
      [patch(client, 'busy.eu', '', renew(false)), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'nameservers', { nameservers: ['ns1.example.net'] }), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'lock', { locked: true }), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'privacy', { privacy_protect: true }), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'dnssec', { mode: 'disable' }), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'holder', holder), 409, 'registration_busy'],
      [patch(client, 'busy.eu', 'contacts', {}), 409, 'registration_busy'],
      [post(client, 'busy.eu', 'push_transfer', { recipient: 'x' }), 409, 'registration_busy'],
      [post(client, 'busy.eu', 'registrant_change', { source_domain_contact_id: 803 }), 409, 'registration_busy'],
    ]);
    wait(client, 2 * DAY_MS);
    assert.deepEqual(
      [await field(client, 'busy.eu', 'nameservers'), await field(client, 'busy.eu', 'locked')],
      [['ns1.elsewhere.example'], false],
    );
    answered(await patch(client, 'busy.eu', 'lock', { locked: true }), 202);
  },
  'REG-11/unguarded: a sync, a decision and a reminder do not wait': async (client) => {
    answered(await post(client, 'busy.eu', 'force_sync'), 200);
    await allRefused([
      [post(client, 'busy.eu', 'transfer_out', { decision: 'reject' }), 422, 'no_pending_transfer_out'],
      [post(client, 'busy.eu', 'resend_contact_verification'), 422, 'verification_not_applicable'],
    ]);
  },
  'REG-12: auto_renew is the only field, and a boolean': async (client) => {
    await allRefused([
      [patch(client, 'plain.com', '', {}), 400, 'no_op'],
      [patch(client, 'plain.com', '', { domain_registration: { name: 'x' } }), 400, 'no_op'],
      [patch(client, 'plain.com', '', renew('no')), 422, 'invalid_param'],
    ]);
    assert.equal(await field(client, 'plain.com', 'auto_renew'), true);
  },
  'REG-12/scenario: the answer says what it meant for billing, beside the registration': async (client) => {
    const off = await patch(client, 'plain.com', '', renew(false));
    assert.deepEqual(
      [off.status, keysOf(off.at()), off.at('scenario'), off.at('domain_registration', 'auto_renew')],
      [200, ['domain_registration', 'scenario'], 'clean_cancel', false],
    );
    assert.equal((await patch(client, 'plain.com', '', renew(true))).at('scenario'), 'enabled');
  },
  'REG-13: after the window renewal stays on': async (client) => {
    await allRefused([[patch(client, 'late.com', '', renew(false)), 422, 'cancellation_window_passed']]);
    assert.equal(await field(client, 'late.com', 'auto_renew'), true);
    wait(client, 6 * DAY_MS);
    await allRefused([[patch(client, 'window.com', '', renew(false)), 422, 'cancellation_window_passed']]);
  },
  'REG-13/refund: inside the window switching it off refunds, once': async (client) => {
    assert.equal((await patch(client, 'window.com', '', renew(false))).at('scenario'), 'refund_cancel');
    await patch(client, 'window.com', '', renew(false));
    assert.equal(stored(client, 'window.com').refunds, 1);
  },
  'REG-14: name servers are replaced whole, and there has to be one': async (client) => {
    for (const nameservers of [[], ['', ' ']])
      await allRefused([[patch(client, 'plain.com', 'nameservers', { nameservers }), 422, 'nameservers_required']]);
    await patch(client, 'plain.com', 'nameservers', { nameservers: ['NS2.Example.net.', 'ns1.example.net'] });
    assert.deepEqual(await field(client, 'plain.com', 'nameservers'), ['ns1.example.net', 'ns2.example.net']);
  },
  'REG-15: a lock needs a boolean, a TLD with locks and a registry that lets it move': async (client) => {
    await allRefused([
      [patch(client, 'plain.com', 'lock', { locked: 'yes' }), 422, 'invalid_param'],
      [patch(client, 'bare.nl', 'lock', { locked: true }), 422, 'lock_unsupported'],
      [patch(client, 'frozen.com', 'lock', { locked: true }), 422, 'server_transfer_prohibited'],
    ]);
    assert.equal(
      (await patch(client, 'plain.com', 'lock', { locked: true })).at('domain_registration', 'locked'),
      true,
    );
  },
  'REG-16: privacy needs a boolean and a TLD that has it': async (client) => {
    await allRefused([
      [patch(client, 'plain.com', 'privacy', {}), 422, 'invalid_param'],
      [patch(client, 'bare.nl', 'privacy', { privacy_protect: true }), 422, 'privacy_unsupported'],
    ]);
    assert.equal(
      (await patch(client, 'plain.com', 'privacy', { privacy_protect: true })).at(
        'domain_registration',
        'privacy_protect',
      ),
      true,
    );
  },
  'REG-16/metered: where it costs, switching it on is 402 and switching it off is free': async (client) => {
    await allRefused([[patch(client, 'paid.shop', 'privacy', { privacy_protect: true }), 402, 'payment_required']]);
    assert.equal(await field(client, 'paid.shop', 'privacy_protect'), false);
    stored(client, 'paid.shop').privacyProtect = true;
    answered(await patch(client, 'paid.shop', 'privacy', { privacy_protect: false }), 200);
  },
  'CNV-21/portal: the price of a change, and where to pay it': async (client) => {
    const reply = await patch(client, 'paid.shop', 'privacy', { privacy_protect: true });
    assert.deepEqual(keysOf(reply.at()), ['code', 'errors', 'portal_url', 'price', 'remediation']);
    assert.deepEqual(reply.at('price'), { amount_cents: 500, currency: 'EUR', role: 'privacy' });
  },
  'REG-17: one of three modes, two of them with keys; no keys are ever read': async (client) => {
    await allRefused([
      [patch(client, 'plain.com', 'dnssec', { mode: 'on' }), 422, 'invalid_mode'],
      [patch(client, 'plain.com', 'dnssec', { mode: 'enable' }), 422, 'dnssec_no_keys'],
      [patch(client, 'signed.com', 'dnssec', { mode: 'add_keys', key_data: [{ flags: 257 }] }), 422, 'dnssec_no_keys'],
      [patch(client, 'bare.nl', 'dnssec', { mode: 'enable', key_data: [KEY] }), 422, undefined],
    ]);
    const reply = await patch(client, 'plain.com', 'dnssec', { mode: 'enable', key_data: [KEY] });
    assert.deepEqual(
      [reply.at('domain_registration', 'dnssec_enabled'), reply.text.includes('publicKey')],
      [true, false],
    );
    await patch(client, 'signed.com', 'dnssec', { mode: 'add_keys', key_data: [KEY] });
    assert.equal(stored(client, 'signed.com').dnssecKeys.length, 2);
    assert.equal(
      (await client.call('PATCH', `${at('signed.com')}/dnssec`, { mode: 'disable' })).at(
        'domain_registration',
        'dnssec_enabled',
      ),
      false,
    );
  },
});
