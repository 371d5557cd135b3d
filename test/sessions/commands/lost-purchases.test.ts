// What an older, moved or newly begun ledger does not know was bought: it is found in the account before anything of its
// kind is bought again.
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../../src/usecases/doctor/doctor.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { beginLedger, initLedgerChecked } from '../../../src/usecases/ledgers/init.ts';
import { abandonPurchase, confirmNotMade } from '../../../src/usecases/ledgers/purchase.ts';
import { moveWorkspaceLedger } from '../../../src/usecases/ledgers/stores.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';

const ORDER = { plan: 'mini', order: { variant: 'vanilla', location: 'ams', term: 'monthly' } };

function start({
  ledger = true,
  ...options
}: Omit<HarnessOptions, 'ledger'> & { readonly ledger?: boolean } = {}): Promise<Harness> {
  return openHarness({
    memoryLedger: false,
    ...(ledger && { ledger }),
    files: { 'sites/promo.json': manifest('Site', 'promo', ORDER) },
    ...options,
  });
}

function boughtSites({ sandbox }: Harness): readonly string[] {
  return [...sandbox.state.sites.keys()].filter((id) => !/^site-(shop|blog|docs|foreign)$/.test(id));
}

/** Expects that another purchase is blocked, that nothing is sent, and that the blocker names `named`. */
async function expectBlocked(one: Harness, ...named: readonly string[]): Promise<void> {
  const plan = await one.planned();
  expect(plan.actions).toEqual([]);
  expect(plan.blocked).toMatchObject([{ address: 'Site/promo', rule: 'ORD-43' }]);
  for (const text of named) expect(`${plan.blocked[0]?.reason} ${plan.blocked[0]?.remedy}`).toContain(text);
  const before = boughtSites(one);
  await one.apply({ allowCharges: 9 });
  expect(boughtSites(one)).toEqual(before);
}

describe('a purchase that the ledger does not know', () => {
  it('blocks the next one after a restore of an older ledger, with id, hostname and time [ORD-43]', async () => {
    const one = await start();
    const file = join(one.root, '.hostwright/ledger.jsonl');
    await cp(file, `${file}.backup`);
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    const [id] = boughtSites(one);
    await rename(`${file}.backup`, file);
    await expectBlocked(one, `${id} (${id}.tmp.sandbox.example, created `, 'metadata.id', `dismissed: [${id}]`);
  });

  it('blocks the next one whatever its age [ORD-43]', async () => {
    const one = await start();
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    one.sandbox.clock.advance(400 * 86_400_000);
    await rm(join(one.root, '.hostwright'), { recursive: true });
    await mkdir(join(one.root, '.hostwright'));
    await ledgerCommand(one.session(), { do: 'init' });
    await expectBlocked(one, String(boughtSites(one)[0]));
  });

  it('no longer blocks once a manifest binds the object, or the workspace dismisses it', async () => {
    const one = await start();
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    const [id] = boughtSites(one) as [string];
    await rm(join(one.root, '.hostwright/ledger.jsonl'));
    await ledgerCommand(one.session(), { do: 'init' });
    await one.write('sites/promo.json', manifest('Site', 'promo', ORDER, { id }));
    await one.write('sites/second.json', manifest('Site', 'second', ORDER));
    expect((await one.planned()).actions).toMatchObject([{ address: 'Site/second', verb: 'create' }]);
    await rm(join(one.root, 'sites/promo.json'));
    expect((await one.planned()).blocked).toMatchObject([{ address: 'Site/second', rule: 'ORD-43' }]);
    const dismissed = workspaceFile('manifests: [sites]').replace('dismissed: [', `dismissed: [${id}, `);
    await one.write('hostwright.yaml', dismissed);
    expect((await one.planned()).actions).toMatchObject([{ address: 'Site/second', verb: 'create' }]);
  });

  it('blocks while its order has not ended, and names the order [ORD-03, ORD-15]', async () => {
    const one = await start();
    one.sandbox.state.orders.set('order-lost', {
      id: 'order-lost',
      accountId: 'acc-acme',
      status: 'awaiting_provisioning',
      locationShortName: 'ams',
      createdAt: one.sandbox.clock.now(),
      updatedAt: one.sandbox.clock.now(),
    });
    await expectBlocked(one, 'order order-lost (awaiting_provisioning, a site in ams, created ');
    for (const status of ['cancelled', 'failed', 'completed']) {
      one.sandbox.state.orders.get('order-lost')!.status = status;
      expect((await one.planned()).actions).toMatchObject([{ address: 'Site/promo' }]);
    }
  });

  it('blocks where the orders cannot be read: unknown is not absent [ORD-44]', async () => {
    const one = await start({
      faults: [{ kind: 'status-before', status: 403, match: { method: 'GET', path: '/api/orders' } }],
    });
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.unknown).toMatchObject([{ address: 'Site/promo', rule: 'ORD-43' }]);
  });
});

describe('a paid object that no manifest declares', () => {
  it('is reported by plan with its id, until it is dismissed', async () => {
    const one = await start({
      workspace: workspaceFile('manifests: [sites]').replace('site-shop, ', ''),
      files: { 'sites/docs.json': manifest('Site', 'docs', {}, { id: 'site-docs' }) },
    });
    const { notices } = await one.planned();
    expect(notices).toMatchObject([{ code: 'HW2063' }]);
    expect(notices[0]?.detail).toMatch(/site-shop \(\S+, created \S+\)/);
    await one.write('hostwright.yaml', workspaceFile('manifests: [sites]'));
    expect((await one.planned()).notices).toEqual([]);
  });
});

describe('a ledger that is begun anew', () => {
  it('is refused while the former store has the ledger of this account, and names the command that moves it', async () => {
    const one = await start({ workspace: workspaceFile('manifests: [sites], ledger: { file: former/ledger.jsonl }') });
    const former = join(one.root, 'former/ledger.jsonl');
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    // The default place is where the look for others finds it.
    await mkdir(join(one.root, '.hostwright'), { recursive: true });
    await rename(former, join(one.root, '.hostwright/ledger.jsonl'));
    await one.write('hostwright.yaml', workspaceFile('manifests: [sites], ledger: { file: new/ledger.jsonl }'));
    const refused = await initLedgerChecked(one.session(), { yes: true });
    expect(refused.diagnostics).toMatchObject([{ code: 'HW5018' }]);
    expect(refused.diagnostics[0]?.detail).toContain('hostwright ledger move --to file');
    expect(await beginLedger(one.session())).toMatchObject({ made: false, diagnostics: [{ code: 'HW5018' }] });
    const moved = await moveWorkspaceLedger(one.session(), 'file');
    expect(moved.diagnostics).toEqual([]);
    expect((await one.planned()).actions).toEqual([]);
    // A clone that has the former setting is refused there, and told the new place.
    await one.write('hostwright.yaml', workspaceFile('manifests: [sites]'));
    const { diagnostics } = await one.plan();
    expect(diagnostics).toMatchObject([{ code: 'HW5017' }]);
    expect(diagnostics[0]?.detail).toContain('new/ledger.jsonl');
    expect((await one.apply({ allowCharges: 9 })).outcome).toMatchObject({ exitCode: 1 });
    expect(boughtSites(one)).toHaveLength(1);
  });

  it('is refused while a paid object is bound to nothing, unless a person says that it may be begun', async () => {
    const one = await start({ ledger: false });
    expect((await initLedgerChecked(one.session(), { yes: false })).message).toContain('complete');
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 0 });
    const [id] = boughtSites(one);
    await rm(join(one.root, '.hostwright/ledger.jsonl'));
    const refused = await initLedgerChecked(one.session(), { yes: false });
    expect(refused.diagnostics).toMatchObject([{ code: 'HW5020' }]);
    expect(refused.diagnostics[0]?.detail).toContain(`dismissed: [${id}]`);
    // `fleet ledger init` makes the same checks, account by account.
    expect(await beginLedger(one.session())).toMatchObject({ made: false, diagnostics: [{ code: 'HW5020' }] });
    expect((await initLedgerChecked(one.session(), { yes: true })).diagnostics).toEqual([]);
    await expectBlocked(one, String(id));
  });
});

describe('a purchase that waits for a person', () => {
  /** A purchase of Site/promo that is parked for 3-D Secure. */
  async function parked(): Promise<Harness> {
    const one = await start();
    one.sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'authentication' };
    expect((await one.apply({ allowCharges: 1 })).outcome).toMatchObject({ exitCode: 3 });
    return one;
  }
  const never = (): Promise<never> => Promise.reject(new Error('nothing to cancel'));

  it('is not recorded as not made while its cart can be paid: the message names the page to pay on [ORD-12, ORD-16]', async () => {
    const one = await parked();
    const refused = await confirmNotMade(one.session(), 'Site/promo');
    expect(refused.message).toBeUndefined();
    expect(refused.diagnostics).toMatchObject([{ code: 'HW5023', address: 'Site/promo' }]);
    expect(refused.diagnostics[0]?.detail).toMatch(/can still be paid at https:\/\/pay\.sandbox\S+/);
    await one.apply({ allowCharges: 1 });
    expect(one.sandbox.state.carts.size).toBe(1);
  });

  it('is given up by one command: refused while the cart is alive, ended once it has expired [ORD-12]', async () => {
    const one = await parked();
    expect((await abandonPurchase(one.session(), 'Site/promo', never)).diagnostics).toMatchObject([{ code: 'HW5023' }]);
    one.sandbox.clock.advance(2 * 86_400_000);
    const { message, diagnostics } = await abandonPurchase(one.session(), 'Site/promo', never);
    expect([diagnostics, message]).toEqual([[], expect.stringContaining('nothing was bought')]);
    expect((await one.planned()).waiting).toEqual([]);
  });

  it('is given up by the same command once it has an order: the order is cancelled [ORD-20]', async () => {
    const one = await parked();
    const [cart] = one.sandbox.state.carts.values();
    one.sandbox.state.orders.set('order-9', {
      id: 'order-9',
      accountId: 'acc-acme',
      status: 'awaiting_authentication',
      locationShortName: 'ams',
      createdAt: one.sandbox.clock.now(),
      updatedAt: one.sandbox.clock.now(),
    });
    cart?.orderIds.push('order-9');
    const cancelled: string[] = [];
    const { message, diagnostics } = await abandonPurchase(one.session(), 'Site/promo', (id) => {
      cancelled.push(id);
      one.sandbox.state.orders.get(id)!.status = 'cancelled';
      return Promise.resolve({ outcome: 'done', diagnostics: [] });
    });
    expect([cancelled, diagnostics]).toEqual([['order-9'], []]);
    expect(message).toContain('given up');
  });

  it('is not given up once it is completed: that was bought [ORD-03]', async () => {
    const one = await parked();
    const [cart] = one.sandbox.state.carts.values();
    one.sandbox.state.orders.set('order-9', {
      id: 'order-9',
      accountId: 'acc-acme',
      status: 'completed',
      locationShortName: 'ams',
      createdAt: one.sandbox.clock.now(),
      updatedAt: one.sandbox.clock.now(),
    });
    cart?.orderIds.push('order-9');
    const { diagnostics } = await abandonPurchase(one.session(), 'Site/promo', never);
    expect(diagnostics[0]?.detail).toContain('hostwright apply --resume');
  });

  it('is named by doctor with its cart, its state and the page to pay on, from reads alone [ORD-15, ORD-21]', async () => {
    const one = await parked();
    const writes = one.writes().length;
    const facts = { version: '1.2.3', node: 'v20.19.0', nodeNeeded: '20.18.1', settings: [], problems: [] };
    const { findings, requests } = await examine(one.session(), facts);
    const [cart] = one.sandbox.state.carts.keys();
    const { says = '', remedy = '' } = findings.find(({ check }) => check === 'purchase') ?? {};
    expect(says).toContain(`the cart ${cart} is `);
    expect(says).toMatch(
      /^The purchase of Site\/promo has not ended: .* can still be paid at https:.*does not state when a cart expires/,
    );
    expect(remedy).toContain('hostwright ledger abandon Site/promo');
    expect(requests.filter(({ path }) => path === `/api/carts/${cart}`)).toEqual([
      { path: `/api/carts/${cart}`, account: true, answer: '200' },
    ]);
    expect(one.writes()).toHaveLength(writes);
  });

  it('is said to be declared by no manifest once its manifest is deleted, with the command that gives it up', async () => {
    const one = await parked();
    await one.write('sites/docs.json', manifest('Site', 'docs', {}, { id: 'site-docs' }));
    await rm(join(one.root, 'sites/promo.json'));
    const { waiting } = await one.planned();
    expect(waiting).toMatchObject([{ address: 'Site/promo' }]);
    expect(`${waiting[0]?.reason} ${waiting[0]?.remedy}`).toMatch(
      /no manifest declares it any more.*hostwright ledger abandon Site\/promo/,
    );
  });
});
