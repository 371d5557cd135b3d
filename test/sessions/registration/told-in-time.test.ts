// What plan, drift and doctor tell without being asked: a name that ends soon, a mailspace that is nearly full or is
// about to go, a payment that failed. Only a plan that buys reads more for it, and no exit code changes.
import { describe, expect, it } from 'vitest';
import { EPOCH_MS } from '../../../src/sandbox/core/clock.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import { examine } from '../../../src/usecases/doctor/doctor.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest } from '../../support/manifests.ts';
import { containing, matching } from '../../support/matchers.ts';
import { noticesOf } from '../../support/notices.ts';

const FACTS = { version: '1.2.3', node: 'v20.19.0', nodeNeeded: '20.18.1', settings: [], problems: [] };
const DAY_MS = 86_400_000;

async function start(scenario: string, ...manifests: readonly string[]): Promise<Harness> {
  return openHarness({
    scenario,
    files: Object.fromEntries(manifests.map((text, index) => [`sites/${index}.json`, text])),
  });
}

describe('plan and drift', () => {
  it('REG-13: say that a name ends within 30 days unless the same plan has it renewed, from the list that is read anyway', async () => {
    const one = await start('registrar', manifest('DomainRegistration', 'unrenewed.com', { autoRenew: false }));
    const told = [{ code: 'HW2391', address: 'DomainRegistration/unrenewed.com', detail: containing('2026-') }];
    const plan = await one.planned();
    expect([plan.actions, noticesOf(plan)]).toMatchObject([[], told]);
    expect(noticesOf((await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] })).plan)).toMatchObject(
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
    expect(noticesOf(await one.planned()).map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    [0.899, []],
    [0.9, ['HW2392']],
    [1.2, ['HW2392']],
  ])('MSP-02: say that a mailspace is nearly full at %d of its storage', async (share, codes) => {
    const one = await start('mail', manifest('Mailspace', 'shop.example.com', { package: 'mail_20' }));
    for (const space of one.sandbox.state.mail.spaces.values())
      space.measured = { ...space.measured, usedMb: Math.ceil(share * 100 * 1024) };
    const planned = await one.planned();
    const [notices, actions] = [noticesOf(planned), planned.actions];
    expect([actions, notices.map(({ code }) => code)]).toEqual([[], codes]);
  });
});

describe('plan and drift of what is bought', () => {
  const SITE = manifest('Site', 'fresh', {
    plan: 'pro',
    order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
  });

  async function withOrders(...statuses: readonly string[]): Promise<Harness> {
    const one = await start('small', SITE);
    one.sandbox.state.orders.clear();
    for (const [index, status] of statuses.entries()) {
      const times = { createdAt: EPOCH_MS - index * DAY_MS, updatedAt: EPOCH_MS };
      const id = `order-${index}`;
      one.sandbox.state.orders.set(id, { id, accountId: 'acc-acme', status, locationShortName: null, ...times });
    }
    return one;
  }

  it.each([
    [['failed', 'completed'], 'The payment of the newest order (order-0) failed.'],
    [['awaiting_authentication'], 'The payment of the newest order (order-0) waits for the card holder.'],
    [['completed', 'failed'], undefined],
    [['cancelled'], undefined],
    [['pending'], undefined],
    [[], undefined],
  ])('ORD-08: of orders %j, newest first', async (statuses, says) => {
    const one = await withOrders(...statuses);
    const told = says === undefined ? [] : [{ code: 'HW2393', severity: 'warning', detail: containing(says) }];
    const plan = await one.planned();
    expect([plan.actions.map(({ address }) => address), noticesOf(plan)]).toMatchObject([['Site/fresh'], told]);
    const drift = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    expect(noticesOf(drift.plan)).toMatchObject(told);
  });

  it('leaves a purchase unknown while orders cannot be read, and fails no plan [CNV-33]', async () => {
    const one = await withOrders('failed');
    const { transport } = one.session();
    const refused: Transport = (request) =>
      request.path.startsWith('/api/orders')
        ? Promise.resolve({ status: 403, headers: {}, body: '{"error":"forbidden"}' })
        : (transport as Transport)(request);
    const { plan, diagnostics } = await one.plan({}, { transport: refused });
    expect([plan?.actions.length, plan?.notices, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([
      0,
      [],
      [],
    ]);
    expect(plan?.unknown.map(({ address }) => address)).toEqual(['Site/fresh']);
  });

  it('reads orders only if it buys something, and no view of a completed order [ORD-02]', async () => {
    const reads = async (...manifests: readonly string[]): Promise<readonly string[]> => {
      const one = await start('small', ...manifests);
      await one.plan();
      return one.sandbox.requests.map(({ path }) => path).filter((path) => path.startsWith('/api/orders'));
    };
    expect(await reads(manifest('Site', 'shop', {}))).toEqual([]);
    // Once for what is bought and bound to nothing, and once for payments that need a person.
    expect(await reads(SITE)).toEqual(['/api/orders?per_page=100', '/api/orders?per_page=100']);
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
      matching(/^The registration of ends\.example ends on 20\d\d-\d\d-\d\d, and renewal is off\.$/),
      'The mailspace full.example uses 92% of its 20 GB.',
      'The mailspace going.example will be deleted on 2026-02-03, with all its mail.',
      ...(says === undefined ? [] : [says]),
    ]);
    expect(told.every(({ verdict, remedy }) => verdict === 'warning' && remedy !== undefined)).toBe(true);
  });
});
