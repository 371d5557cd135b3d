// What the command says and does where money is spent twice, in vain, or waited for: as a user sees it.
import { describe, expect, it } from 'vitest';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { openCommandLine } from '../../support/command-line.ts';
import { containing } from '../../support/matchers.ts';

const launch = (plan: string): string =>
  manifest('Site', 'launch', { plan, order: { variant: 'vanilla', location: 'ams', term: 'monthly' } });

describe('apply', () => {
  it('ORD-17: names the page to pay on for a resize of a site that was bought here, in every run until it is paid', async () => {
    const one = await openCommandLine({ ledger: true, files: { 'sites/a.json': launch('mini') } });
    const apply = () => one.run('apply --yes --allow-charges 1');
    expect(await apply()).toMatchObject({ code: 0 });
    await one.write('sites/a.json', launch('pro'));
    one.sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'authentication' };
    const sinceMs = one.sandbox.clock.now();
    for (let runs = 0; runs < 2; runs += 1) {
      const parked = await apply();
      const page = [...one.sandbox.state.carts.values()].at(-1)?.hostedInvoiceUrl;
      expect(parked, parked.stdout).toMatchObject({ code: 3, stdout: containing(String(page)) });
    }
    expect(one.sandbox.clock.now() - sinceMs).toBeLessThan(60_000);
    one.sandbox.clock.advance(2 * 86_400_000);
    expect((await apply()).all).toContain('expired: nothing was bought');
  });

  it('ORD-03, ORD-20: what the platform says of a purchase by now goes before what the last run heard', async () => {
    const one = await openCommandLine({ ledger: true, files: { 'sites/a.json': launch('mini') } });
    const { sandbox } = one;
    sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'authentication' };
    expect(await one.run('apply --yes --allow-charges 1')).toMatchObject({ code: 3 });
    const waits = await one.run('plan');
    expect(waits.stdout.replaceAll(/\s+/g, ' ')).toContain('waits for a person: open https://pay.sandbox.example/');
    const [cart] = sandbox.state.carts.values();
    sandbox.state.orders.set('order-9', {
      id: 'order-9',
      accountId: 'acc-acme',
      status: 'awaiting_authentication',
      locationShortName: 'ams',
      createdAt: sandbox.clock.now(),
      updatedAt: sandbox.clock.now(),
    });
    cart?.orderIds.push('order-9');
    expect((await one.run('apply --resume --yes')).stdout).toContain('order-9');
    expect(await one.run('run cancel Order/order-9 --yes')).toMatchObject({ code: 0 });
    for (const line of ['plan', 'drift']) {
      const told = (await one.run(line)).stdout.replaceAll(/\s+/g, ' ');
      expect(told).toContain('the order order-9 ended as cancelled');
      expect(told).toContain('Run `hostwright apply --resume`, which ends it here too');
      expect(told).not.toMatch(/pay\.sandbox|waits for a person/);
    }
    // As it says.
    await one.run('apply --resume --yes');
    const after = (await one.run('plan')).stdout;
    expect(after).not.toContain('order-9');
    expect(after).toMatch(/\+ .*launch/);
  });

  it('ORD-12: an expired cart is told by plan, before a run finds it out', async () => {
    const one = await openCommandLine({ ledger: true, files: { 'sites/a.json': launch('mini') } });
    one.sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'authentication' };
    expect(await one.run('apply --yes --allow-charges 1')).toMatchObject({ code: 3 });
    one.sandbox.clock.advance(2 * 86_400_000);
    const { stdout } = await one.run('plan');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/the cart \S+ expired: nothing was bought/);
    expect(stdout).not.toContain('pay.sandbox');
  });

  it('HW4007: buys no mailspace of which a mailbox has no password', async () => {
    const one = await openCommandLine({ example: 'mail-for-a-new-company', scenario: 'mail', ledger: true });
    const ended = await one.run('apply --yes --allow-charges 2 --target Mailspace/new-company.com');
    expect(ended.code, ended.stdout).toBe(1);
    expect(ended.all).toContain('ADA_PASSWORD is missing or empty. Nothing was sent.');
    expect([...one.sandbox.creations]).toEqual([]);
  });

  it('a backup whose response was lost is not requested again, and holds back the change that needs it [BKP-06, O-10]', async () => {
    const one = await openCommandLine({
      ledger: true,
      files: { 'sites/a.json': siteManifest('shop', { beforeChange: { backup: true }, phpVersion: '8.3' }) },
      faults: [{ kind: 'reset-before', match: { method: 'PATCH', path: '/api/sites/*/backups/*' }, times: 1 }],
    });
    const ended = await one.run('apply --yes');
    expect(ended, ended.stdout).toMatchObject({ code: 3 });
    expect(ended.stdout).toMatch(/OUTCOME UNKNOWN \+ Site\/shop\/Backup[^]*skipped ~ Site\/shop\/PhpVersion/);
    expect(
      one.sandbox.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/backups/')),
    ).toHaveLength(1);
  });
});
