// Conformance of what surrounds a registration: the transfer code, a sync, transfers, reminders, checks, suggestions, a
// registrar that fails.
import assert from 'node:assert/strict';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import type { Client } from '../context.ts';
import { rowOf } from '../mail/support.ts';
import { DAY_MS, PATH, allRefused, at, field, patch, post, stored, trouble, wait } from './support.ts';

const check = (client: Client, domain: unknown) => client.call('POST', `${PATH}/check`, { domain });
const suggest = (client: Client, domain: unknown) => client.call('POST', `${PATH}/suggestions`, { domain });

export const registrationTransferCases = casesIn(plain('registrar'), {
  'CNV-12: the transfer code is read with the write scope': async (client) => {
    const reply = await client.get(`${at('plain.com')}/epp_code`, { token: oauthToken(['domains:read']) });
    assert.deepEqual([reply.status, reply.at('error')], [403, 'insufficient_scope']);
    answered(await client.get(`${at('plain.com')}/epp_code`, { token: oauthToken(['domains:write']) }), 200);
  },
  'REG-27: the code is withheld, hidden or not to be had': async (client) => {
    const code = (name: string) => client.get(`${at(name)}/epp_code`);
    assert.equal((await code('plain.com')).at('authcode'), 'sandbox-code-plain.com');
    await allRefused([
      [code('frozen.com'), 422, 'server_transfer_prohibited'],
      [code('bare.nl'), 422, 'authcode_unavailable'],
    ]);
    await trouble(client, 'authcode');
    await allRefused([[code('plain.com'), 502, 'authcode_unavailable']]);
  },
  'REG-28: a sync brings in what the registry knows, and names it': async (client) => {
    assert.equal(await field(client, 'stale.com', 'locked'), false);
    const reply = await post(client, 'stale.com', 'force_sync');
    assert.deepEqual(
      [reply.at('changed'), reply.at('domain_registration', 'locked')],
      [['locked', 'nameservers'], true],
    );
    assert.deepEqual((await post(client, 'stale.com', 'force_sync')).at('changed'), []);
  },
  'REG-29: a transfer away is approved or rejected while there is one': async (client) => {
    await allRefused([
      [post(client, 'leaving.com', 'transfer_out', { decision: 'maybe' }), 422, 'invalid_decision'],
      [post(client, 'plain.com', 'transfer_out', { decision: 'reject' }), 422, 'no_pending_transfer_out'],
    ]);
    assert.equal(
      (await post(client, 'leaving.com', 'transfer_out', { decision: 'reject' })).at(
        'domain_registration',
        'transfer_out_pending',
      ),
      false,
    );
    stored(client, 'leaving.com').transferOutPending = true;
    answered(await post(client, 'leaving.com', 'transfer_out', { decision: 'approve' }), 200);
    answered(await client.get(at('leaving.com')), 404);
  },
  'REG-30: a push that is refused has errors and no code; one that is taken leaves in days': async (client) => {
    await trouble(client, 'push');
    const refusal = await post(client, 'plain.com', 'push_transfer', { recipient: 'nobody' });
    assert.deepEqual([refusal.status, keysOf(refusal.at())], [422, ['errors']]);
    await allRefused([
      [post(client, 'bare.nl', 'push_transfer', { recipient: 'x' }), 422, undefined],
      [post(client, 'plain.com', 'push_transfer', {}), 422, undefined],
    ]);
    assert.equal(
      (await post(client, 'plain.com', 'push_transfer', { recipient: 'x' })).at(
        'domain_registration',
        'push_transfer_pending',
      ),
      true,
    );
    wait(client, 6 * DAY_MS);
    answered(await client.get(at('plain.com')), 404);
  },
  'REG-31: a reminder is for TLDs that ask for it': async (client) => {
    assert.deepEqual((await post(client, 'plain.com', 'resend_contact_verification')).at(), { status: 'queued' });
    await allRefused([[post(client, 'bare.nl', 'resend_contact_verification'), 422, 'verification_not_applicable']]);
  },
  'REG-32: a check says price and transfer_price, both always': async (client) => {
    const price = { amount_cents: 1_200, currency: 'EUR' };
    const transfer_price = { amount_cents: 1_100, currency: 'EUR' };
    assert.deepEqual((await check(client, ' New.COM ')).at(), {
      domain: 'new.com',
      available: true,
      premium: false,
      owned_by_account: false,
      reason: null,
      price,
      transfer_price,
    });
    const own = await check(client, 'plain.com');
    assert.deepEqual(
      [own.at('available'), own.at('owned_by_account'), typeof own.at('reason')],
      [false, true, 'string'],
    );
    assert.deepEqual(
      [(await check(client, 'foreign.com')).at('owned_by_account'), (await check(client, 'gold.com')).at('premium')],
      [false, true],
    );
  },
  'REG-32/price: a name without a price is not available': async (client) => {
    const reply = await check(client, 'new.rare');
    assert.deepEqual([reply.at('available'), reply.at('price'), reply.at('transfer_price')], [false, null, null]);
  },
  'REG-32/codes: what cannot be checked has a code of its own': async (client) => {
    await allRefused([
      [check(client, ''), 422, 'missing_domain'],
      [check(client, 'nodot'), 422, 'invalid_domain'],
      [check(client, 'new.museum'), 422, 'unknown_tld'],
    ]);
    await trouble(client, 'lookup');
    await allRefused([[check(client, 'new.com'), 502, 'request_failed']]);
  },
  'REG-33: suggestions have prices, and a code for each reason not to come': async (client) => {
    const reply = await suggest(client, 'plain');
    assert.deepEqual(rowOf(reply, 'suggestions', 'domain', 'plain.net'), {
      domain: 'plain.net',
      tld: 'net',
      source: 'spinner',
      available: true,
      price: { amount_cents: 1_200, currency: 'EUR' },
    });
    assert.equal(rowOf(reply, 'suggestions', 'domain', 'plain.com')['available'], false);
    await trouble(client, 'suggestions');
    await allRefused([
      [suggest(client, ''), 422, 'missing_domain'],
      [suggest(client, 'plain'), 502, 'registrar_unavailable'],
    ]);
    await client.call('PATCH', '/_sandbox/registrar', { suggestionsKey: false });
    await allRefused([[suggest(client, 'plain'), 503, 'missing_api_key']]);
  },
  'REG-34: a TLD without a registrar is 503': async (client) => {
    await allRefused([
      [patch(client, 'orphan.zz', 'lock', { locked: true }), 503, 'registrar_unavailable'],
      [check(client, 'new.zz'), 503, 'registrar_unavailable'],
    ]);
    answered(await client.get(at('orphan.zz')), 200);
  },
  'REG-34/upstream: a registrar that fails is 502 without a code, and may have done it': async (client) => {
    for (const [part, locked] of [
      ['before', false],
      ['after', true],
    ] as const) {
      await trouble(client, part);
      refused(await patch(client, 'plain.com', 'lock', { locked: true }), 502, undefined);
      assert.equal(await field(client, 'plain.com', 'locked'), locked);
    }
  },
});
