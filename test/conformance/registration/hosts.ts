// Conformance of hosts, and of the processes of a registrar.
import assert from 'node:assert/strict';
import { answered, casesIn, keysOf, plain, refused } from '../context.ts';
import { DAY_MS, allRefused, at, field, patch, stored, wait } from './support.ts';

const HOSTS = `${at('plain.com')}/hosts`;
const address = (...list: readonly string[]): object[] => list.map((one) => ({ address: one }));

export const registrationHostCases = casesIn(plain('registrar'), {
  'HST-01: a host has a name and addresses with their version': async (client) => {
    stored(client, 'plain.com').hosts = [{ name: 'ns1.plain.com', addresses: ['192.0.2.53', '2001:db8::53'] }];
    assert.deepEqual((await client.get(HOSTS)).at('hosts'), [
      {
        host_name: 'ns1.plain.com',
        addresses: [
          { address: '192.0.2.53', version: 4 },
          { address: '2001:db8::53', version: 6 },
        ],
      },
    ]);
  },
  'HST-02: a host is below the name and has an address at least': async (client) => {
    const make = (host_name: string, addresses: readonly object[]) =>
      client.call('POST', HOSTS, { host_name, addresses });
    await allRefused([
      [make('ns1.other.com', address('192.0.2.1')), 422, undefined],
      [make('plain.com', address('192.0.2.1')), 422, undefined],
      [make('ns2.plain.com', []), 422, undefined],
      [make('ns2.plain.com', address('192.0.2.0/24')), 422, undefined],
      [make('ns2.plain.com', [{ address: '192.0.2.1', version: 4 }]), 422, undefined],
    ]);
    const made = await make('ns2.plain.com', address('192.0.2.54', '2001:DB8:0::54'));
    assert.deepEqual([made.status, made.at('host', 'addresses', 1)], [201, { address: '2001:db8::54', version: 6 }]);
    assert.deepEqual([...client.sandbox.creations], [['host ns2.plain.com', 1]]);
  },
  'HST-03: an update replaces the addresses; nothing removes a host': async (client) => {
    const reply = await client.call('PATCH', `${HOSTS}/ns1.plain.com`, { addresses: address('192.0.2.99') });
    assert.deepEqual([reply.status, reply.at('host', 'addresses')], [200, [{ address: '192.0.2.99', version: 4 }]]);
    answered(await client.call('PATCH', `${HOSTS}/ns9.plain.com`, { addresses: address('192.0.2.99') }), 404);
    refused(await client.call('DELETE', `${HOSTS}/ns1.plain.com`), 501, 'sandbox_undocumented');
  },
  'PRC-01: the poll URL is relative': async (client) => {
    assert.equal(await field(client, 'busy.eu', 'pending_process', 'poll_url'), `${at('busy.eu')}/processes/rtr-busy`);
  },
  'PRC-03: id and status show twice and agree; an action may be null': async (client) => {
    for (const [name, status, action] of [
      ['busy.eu', 'RUNNING', 'domain-update-nameservers'],
      ['stuck.eu', 'pending', null],
    ] as const) {
      const shown = (await field(client, name)) as Record<string, unknown>;
      const process = shown['pending_process'] as Record<string, unknown>;
      assert.deepEqual(
        [shown['rtr_process_id'], shown['rtr_process_status'], process['id'], process['status'], process['action']],
        [process['id'], status, `rtr-${name.split('.')[0]}`, status, action],
      );
    }
    assert.deepEqual(
      [await field(client, 'plain.com', 'rtr_process_id'), await field(client, 'plain.com', 'rtr_process_status')],
      [null, null],
    );
  },
  'PRC-05: what it changes changes at its end, and not where it fails or gets stuck': async (client) => {
    const seen = async (): Promise<readonly unknown[]> => [
      await field(client, 'slow.eu', 'pending_async'),
      await field(client, 'slow.eu', 'locked'),
    ];
    await patch(client, 'slow.eu', 'lock', { locked: true });
    assert.deepEqual(await seen(), [true, false]);
    wait(client, 3 * DAY_MS);
    assert.deepEqual(await seen(), [false, true]);
    await client.call('PATCH', '/_sandbox/registrar', {
      fates: [{ name: 'slow.eu', outcome: 'fails' }, { outcome: 'stuck' }],
    });
    await patch(client, 'slow.eu', 'lock', { locked: false });
    wait(client, 3 * DAY_MS);
    assert.deepEqual(await seen(), [false, true]);
    await patch(client, 'slow.eu', 'lock', { locked: false });
    wait(client, 90 * DAY_MS);
    assert.deepEqual(await seen(), [true, true]);
    await client.call('POST', '/_sandbox/registrations/slow.eu/process', { outcome: 'completed' });
    assert.deepEqual(await seen(), [false, false]);
  },
  'PRC-05/slow: a slow registrar answers 202 and is pending until it ends': async (client) => {
    const reply = await patch(client, 'slow.eu', 'lock', { locked: true });
    assert.deepEqual([reply.status, reply.at('domain_registration', 'pending_async')], [202, true]);
    refused(await patch(client, 'slow.eu', 'lock', { locked: true }), 409, 'registration_busy');
    wait(client, 3 * DAY_MS);
    assert.deepEqual(
      [
        await field(client, 'slow.eu', 'pending_async'),
        keysOf(await field(client, 'slow.eu')).includes('pending_process'),
      ],
      [false, false],
    );
  },
});
