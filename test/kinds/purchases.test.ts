// What money is spent for, whatever it is: however it is paid and whatever answer is lost, it is bought once, or not at
// all and that is told. What is bought many times over, with processes that die, is in properties/purchases.test.ts.
import { describe, expect, it } from 'vitest';
import type { Billing } from '../../src/sandbox/billing/state.ts';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { manifest } from '../support/manifests.ts';
import { converge, openHarness } from '../support/open-harness.ts';
import { name, namesWorkspace, withCode } from '../support/registrations.ts';
import { containing } from '../support/matchers.ts';

const DAY_MS = 86_400_000;
const one = (text: string) => ({ 'sites/one.json': text });

interface Bought {
  readonly address: string;
  readonly options: HarnessOptions;
  /** Where it is ordered, and what the sandbox counts it as. */
  readonly path: string;
  readonly counted: RegExp;
  /** Comes days after it is paid for. */
  readonly isSlow?: true;
  /** The id of what was bought, where a person looks. */
  readonly idOf: (one: Harness) => string | undefined;
}

const order = { variant: 'vanilla', location: 'ams', term: 'monthly' };
const BOUGHT: Readonly<Record<string, Bought>> = {
  'a site': {
    address: 'Site/launch',
    options: { files: one(manifest('Site', 'launch', { plan: 'pro', order })) },
    path: '/api/orders',
    counted: /^site order/,
    idOf: ({ sandbox }) => [...sandbox.state.sites.keys()].find((id) => !id.startsWith('site-')),
  },
  'a name': {
    address: 'DomainRegistration/fresh.com',
    options: namesWorkspace([name('fresh.com', 'order: {}')]),
    path: '/api/orders/domain',
    counted: /^domain order register/,
    idOf: ({ sandbox }) =>
      [...sandbox.state.registrar.registrations.values()].find((registration) => registration.name === 'fresh.com')?.id,
  },
  'a transfer': {
    address: 'DomainRegistration/moving.com',
    options: namesWorkspace([name('moving.com', 'order: { action: transfer, authcode: { env: CODE } }')]),
    path: '/api/orders/domain',
    counted: /^domain order transfer/,
    isSlow: true,
    idOf: ({ sandbox }) =>
      [...sandbox.state.registrar.registrations.values()].find((registration) => registration.name === 'moving.com')
        ?.id,
  },
  'a mailspace': {
    address: 'Mailspace/owned.example.com',
    options: { scenario: 'mail', files: one(manifest('Mailspace', 'owned.example.com', { order: {} })) },
    path: '/api/mailspace',
    counted: /^mailspace/,
    idOf: ({ sandbox }) =>
      [...sandbox.state.mail.spaces.values()].find(({ domain }) => domain === 'owned.example.com')?.id,
  },
  'a panel account': {
    address: 'PanelAccount/legacy',
    options: {
      scenario: 'panel',
      files: one(
        manifest('PanelAccount', 'legacy', { package: 'pro', order: { term: 'annual', domain: 'owned.example.com' } }),
      ),
    },
    path: '/api/panel_accounts',
    counted: /^panel account/,
    idOf: ({ sandbox }) =>
      [...sandbox.state.panel.accounts.values()].find(({ local }) => local?.primaryDomain === 'owned.example.com')
        ?.username,
  },
};

const PAGE = 'https://pay.sandbox.example/invoices/';
const BANK: Partial<Billing> = { methodType: 'sepa_debit', outcome: 'processing' };

describe.each(Object.entries(BOUGHT))('%s', (_what, { address, options, path, counted, isSlow, idOf }) => {
  const lost = (kind: Fault['kind']): readonly Fault[] => [{ kind, match: { method: 'POST', path }, times: 1 }];
  async function start(billing: Partial<Billing> = {}, faults: readonly Fault[] = []): Promise<Harness> {
    const harness = await openHarness({ ledger: true, ...options });
    harness.sandbox.setFaults(faults);
    Object.assign(harness.sandbox.state.accounts.get('acc-acme') ?? {}, { billing });
    return harness;
  }
  const apply = async (harness: Harness, resumeOnly = false) => {
    const { outcome } = await harness.apply({ allowCharges: 1, resumeOnly }, withCode);
    const { result, reason = '' } = outcome.actions.find((action) => action.address === address) ?? {};
    return { outcome, result, reason };
  };
  const times = ({ sandbox }: Harness) =>
    [...sandbox.creations].flatMap(([what, n]) => (counted.test(what) ? [n] : []));
  /** Ends well, some days later where that is how long it takes, and was bought once. */
  const isBought = async (harness: Harness): Promise<void> => {
    if (isSlow === true && (await apply(harness)).outcome.exitCode === 3) harness.sandbox.clock.advance(6 * DAY_MS);
    await converge(harness, { allowCharges: 1 }, withCode);
    expect(times(harness)).toEqual([1]);
  };

  it.each(['authentication', 'declined'] as const)(
    'ORD-16, ORD-17: a payment that is parked (%s) waits for a person, says where, and goes on when that person has paid',
    async (outcome) => {
      const harness = await start({ outcome });
      const first = await apply(harness);
      expect(first).toMatchObject({ outcome: { exitCode: 3 }, reason: containing(PAGE) });
      const waiting = [{ address, reason: containing(PAGE) }];
      expect(await harness.planned()).toMatchObject({ actions: [], waiting });
      const [token] = [...harness.sandbox.state.carts.keys()];
      await fetch(`${harness.sandbox.url}/_sandbox/carts/${token}/payment`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ outcome: 'complete' }),
      });
      await isBought(harness);
    },
  );

  it('ORD-12: a cart that expires was not bought; the next plan buys anew', async () => {
    const harness = await start({ outcome: 'authentication' });
    await apply(harness);
    harness.sandbox.clock.advance(2 * DAY_MS);
    expect(await apply(harness, true)).toMatchObject({ outcome: { outcome: 'error' }, result: 'failed' });
    expect((await harness.planned()).actions).toMatchObject([{ address, verb: 'create' }]);
  });

  it('ORD-18: a bank transfer takes days, and every run until then says so', async () => {
    const harness = await start(BANK);
    for (const _ of [1, 2]) expect((await apply(harness)).outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    harness.sandbox.clock.advance(4 * DAY_MS);
    await isBought(harness);
  });

  it('ORD-14: where somebody else bills the order is waited for, never the payment', async () => {
    await isBought(await start({ processor: false, methodType: null, hasCustomer: false }));
  });

  it.each([
    ['no_default_payment_method', { methodType: null }],
    ['trial_account', { trial: true }],
  ])('%s: is refused beforehand, and nothing is in flight', async (code, billing) => {
    const harness = await start(billing);
    expect(await apply(harness)).toMatchObject({ result: 'failed', reason: containing(code) });
    expect((await harness.planned()).waiting).toEqual([]);
    expect(times(harness)).toEqual([]);
  });

  it('GAP-11: a lost answer is settled by what is there, never by a second POST', async () => {
    const harness = await start({}, lost('reset-after'));
    await isBought(harness);
    expect(harness.writes().filter((write) => write === `POST ${path}`)).toHaveLength(1);
  });

  it('ORD-44: that nothing shows proves nothing: no second POST, in any run, until a person has spoken', async () => {
    const harness = await start({}, lost('reset-before'));
    const first = await apply(harness);
    expect(first.result).toBe('unknown-outcome');
    expect(JSON.stringify(first.outcome.diagnostics)).toContain(`hostwright ledger confirm ${address}`);
    await apply(harness);
    expect(harness.writes().filter((write) => write === `POST ${path}`)).toHaveLength(1);
    await ledgerCommand(harness.session(), { do: 'confirm', address, notMade: true });
    await isBought(harness);
  });

  it.each([true, false])(
    'ORD-44: a bank transfer whose answer was lost is found when its order appears, or by the id that a person gives (%s)',
    async (isConfirmed) => {
      const harness = await start(BANK, lost('reset-after'));
      expect((await apply(harness)).result).toBe('unknown-outcome');
      harness.sandbox.clock.advance(4 * DAY_MS);
      const id = idOf(harness);
      if (isConfirmed && id !== undefined) {
        await ledgerCommand(harness.session(), { do: 'confirm', address, id });
        // A site has no natural key here, so its manifest names the id.
        if (address === 'Site/launch')
          await harness.write('sites/one.json', manifest('Site', 'launch', { plan: 'pro', order }, { id }));
      }
      await isBought(harness);
    },
  );
});
