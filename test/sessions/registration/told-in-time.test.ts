// What plan, drift and doctor tell without being asked: a name that ends soon, a mailspace that is nearly full or is
// about to go, a payment that failed. Nothing more is read for it, and no exit code changes.
import { afterEach, describe, expect, it } from 'vitest';
import { EPOCH_MS } from '../../../src/sandbox/core/clock.ts';
import { driftWorkspace } from '../../../src/workflow/drift.ts';
import { examine } from '../../../src/workflow/doctor/doctor.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

const FACTS = { version: '1.2.3', node: 'v20.19.0', nodeNeeded: '20.18.1', settings: [], problems: [] };
const DAY_MS = 86_400_000;
let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const manifest = (kind: string, name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'hostwright/v1', kind, metadata: { name }, spec });

async function start(scenario: string, ...manifests: readonly string[]): Promise<Harness> {
  harness = await startHarness({
    scenario,
    inProcess: true,
    files: Object.fromEntries(manifests.map((text, index) => [`sites/${index}.json`, text])),
  });
  return harness;
}

describe('plan and drift', () => {
  it('REG-13: say that a name ends within 30 days unless the same plan has it renewed, from the list that is read anyway', async () => {
    const one = await start('registrar', manifest('DomainRegistration', 'unrenewed.com', { autoRenew: false }));
    const told = [
      {
        code: 'HW2391',
        address: 'DomainRegistration/unrenewed.com',
        detail: expect.stringContaining('2026-') as string,
      },
    ];
    const plan = await one.planned();
    expect([plan.actions, plan.notices]).toMatchObject([[], told]);
    expect((await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] })).plan?.notices).toMatchObject(
      told,
    );
    expect(new Set(one.sandbox.requests.map(({ path }) => path))).toEqual(new Set(['/api/domain_registrations']));
  });

  it.each([
    [true, 20, []],
    [false, 31, []],
    [false, -1, []],
    [false, 30, ['HW2391']],
  ])('REG-13: autoRenew %s in the account, %d days before its end', async (autoRenew, days, codes) => {
    const one = await start('registrar', manifest('DomainRegistration', 'unrenewed.com', { autoRenew }));
    for (const registration of one.sandbox.state.registrar.registrations.values()) {
      if (registration.name === 'unrenewed.com') registration.expiresAt = one.sandbox.clock.now() + days * DAY_MS;
    }
    expect((await one.planned()).notices.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    [0.899, []],
    [0.9, ['HW2392']],
    [1.2, ['HW2392']],
  ])('MSP-02: say that a mailspace is nearly full at %d of its storage', async (share, codes) => {
    const one = await start('mail', manifest('Mailspace', 'shop.example.com', { package: 'mail_20' }));
    for (const space of one.sandbox.state.mail.spaces.values())
      space.measured = { ...space.measured, usedMb: Math.ceil(share * 100 * 1024) };
    const { notices, actions } = await one.planned();
    expect([actions, notices.map(({ code }) => code)]).toEqual([[], codes]);
  });
});

describe('doctor', () => {
  const rows = {
    '/api/domain_registrations': {
      domain_registrations: [
        { name: 'ends.example', auto_renew: false, expires_at: new Date(EPOCH_MS + 9 * DAY_MS).toISOString() },
        { name: 'renewed.example', auto_renew: true, expires_at: new Date(EPOCH_MS + 9 * DAY_MS).toISOString() },
      ],
    },
    '/api/mailspace': {
      mailspaces: [
        { domain: 'full.example', used_mb: 19_000, storage_gb: 20, account: { id: 'acc-acme' } },
        { domain: 'going.example', pending_deletion: true, delete_scheduled_at: '2026-02-03T00:00:00Z' },
        { domain: 'other.example', pending_deletion: true, account: { id: 'somebody' } },
        { domain: 'fine.example', used_mb: 1, storage_gb: 20 },
      ],
    },
    '/api/orders?per_page=1': { orders: [{ id: 'order-1' }] },
  };
  const answering =
    (payment: string): Transport =>
    ({ path }) =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: JSON.stringify(
          path === '/api/orders/order-1'
            ? { order: { id: 'order-1' }, payment: { status: payment } }
            : ((rows as Readonly<Record<string, object>>)[path] ?? { sites: [] }),
        ),
      });

  it.each([
    ['failed', 'The payment of the newest order (order-1) failed.'],
    ['awaiting_authentication', 'The payment of the newest order (order-1) waits for the card holder.'],
    ['succeeded', undefined],
  ])('has a line for each, and no problem (ORD-09: payment %s)', async (payment, says) => {
    const one = await start('small');
    const { findings } = await examine(one.session({ transport: answering(payment) }), FACTS);
    const told = findings.filter(({ check }) => /^(?:name|mailspace|payment)\b/.test(check));
    expect(told.map((one) => one.says)).toEqual([
      expect.stringMatching(/^The registration of ends\.example ends on 20\d\d-\d\d-\d\d, and renewal is off\.$/),
      'The mailspace full.example uses 92% of its 20 GB.',
      'The mailspace going.example will be deleted on 2026-02-03, with all its mail.',
      ...(says === undefined ? [] : [says]),
    ]);
    expect(told.every(({ verdict, remedy }) => verdict === 'warning' && remedy !== undefined)).toBe(true);
  });
});
