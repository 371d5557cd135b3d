// Panel accounts from manifest to raw store: purchase, recognition, resize, deletion, every state and every reading of
// what the documents leave open. The oracle of "never charged twice" is the sandbox's own count of processed purchases.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { addRegistration } from '../../../src/sandbox/registration/state.ts';
import { addPanelAccount, panelMirror } from '../../../src/sandbox/panel/state.ts';
import type { PanelAccount } from '../../../src/sandbox/panel/state.ts';
import type { Billing } from '../../../src/sandbox/billing/state.ts';
import { PANEL_AMBIGUITIES } from '../../../src/sandbox/panel/area.ts';
import { scenarioState } from '../../../src/sandbox/scenarios.ts';
import type { State } from '../../../src/sandbox/core/state.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest } from '../../support/manifests.ts';
import { containing } from '../../support/matchers.ts';
import { noticesOf } from '../../support/notices.ts';

const OWNED = 'owned.example.com';
const ADDRESS = 'PanelAccount/legacy';
const order = { package: 'pro', order: { term: 'annual', domain: OWNED } };
const account = (spec: object, rest?: Parameters<typeof manifest>[3]): string =>
  manifest('PanelAccount', 'legacy', spec, rest);
const gone = { lifecycle: { state: 'absent' } };

interface Options extends HarnessOptions {
  readonly id?: string;
  readonly rest?: object;
  readonly noLedger?: true;
}

async function start(spec: object, { id, rest, noLedger, ...options }: Options = {}): Promise<Harness> {
  return openHarness({
    scenario: 'panel',
    ...(noLedger !== true && { ledger: true as const }),
    files: { 'sites/a.json': account(spec, { ...(id !== undefined && { id }), ...rest }) },
    ...options,
  });
}

/** The scenario with its account billed in another way, or otherwise changed. */
function scenario({
  billing,
  change,
}: {
  readonly billing?: Partial<Billing>;
  readonly change?: (state: State) => void;
}): () => State {
  return () => {
    const state = scenarioState('panel');
    const account = state.accounts.get('acc-acme');
    if (account !== undefined && billing !== undefined) account.billing = billing;
    change?.(state);
    return state;
  };
}

const apply = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) =>
  one.apply({ allowCharges: 1, ...options });
const carts = ({ sandbox }: Harness) => [...sandbox.creations].filter(([name]) => /panel account/.test(name));

function accountOf({ sandbox }: Harness, username: string): PanelAccount {
  const account = sandbox.state.panel.accounts.get(username);
  if (account === undefined) throw new Error(`no account ${username}`);
  return account;
}

function addAccount({ panel }: State, username: string, primaryDomain: string, accountId = 'acc-acme'): void {
  addPanelAccount(panel, { username, accountId, local: { packageCode: 'L', primaryDomain } });
}

/** Those that the scenario does not begin with. */
function newAccounts({ sandbox }: Harness): readonly PanelAccount[] {
  const known = scenarioState('panel').panel.accounts;
  return [...sandbox.state.panel.accounts.values()].filter(({ username }) => !known.has(username));
}

const done = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) =>
  converge(one, { allowCharges: 1, ...options });

describe('the story', () => {
  it('applies, plans to nothing, and leaves the store that was written down by hand', async () => {
    const harness = await openHarness({ example: 'a-panel-account', scenario: 'panel', ledger: true });
    await done(harness, { allowCharges: 2, allowDeletes: 1 });
    expect(harness.sandbox.snapshot()).toMatchObject(fixtures['a-panel-account']);
    expect(carts(harness)).toEqual([
      ['panel account owned.example.com basic/annual', 1],
      ['resize of panel account acmeshop to pro', 1],
    ]);
    expect(harness.writes().toSorted()).toEqual([
      'DELETE /api/panel_accounts/acmeblog',
      'PATCH /api/panel_accounts/acmeshop',
      'POST /api/panel_accounts',
    ]);
  });
});

describe('a purchase', () => {
  it('ORD-42, O-72, PNL-13: is a charge, holds the billing lock, and takes a user', async () => {
    const one = await start(order);
    expect((await one.planned()).actions).toMatchObject([
      {
        address: ADDRESS,
        verb: 'create',
        risk: ['charge'],
        locks: [ADDRESS, 'billing'],
        requires: { userCredential: true, closedToOauth: true },
      },
    ]);
    await done(one);
    expect(newAccounts(one)).toMatchObject([
      { local: { packageCode: 'L', primaryDomain: OWNED }, subscription: { term: 'annual' } },
    ]);
    expect(carts(one)).toEqual([[`panel account ${OWNED} pro/annual`, 1]]);
  });

  it.each([
    ['HW2204', { allowCharges: 0 }, undefined],
    ['HW2205', { maxSpend: '100.00 EUR' }, undefined],
    ['HW2206', {}, true],
  ] as const)('%s: nothing is bought past a ceiling, or without a complete ledger', async (code, options, noLedger) => {
    const one = await start(order, noLedger === undefined ? {} : { noLedger });
    const { outcome } = await apply(one, options);
    expect(outcome).toMatchObject({
      exitCode: 5,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code })]) as unknown,
    });
    expect(one.writes()).toEqual([]);
  });

  it('PNL-13: without an order, or with one that says no package, nothing is ever bought', async () => {
    const one = await start({ package: 'pro' });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: ADDRESS, rule: 'PNL-13', remedy: containing('metadata.id') }],
    });
    await one.write('sites/a.json', account({ order: order.order }));
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: ADDRESS, rule: 'PNL-13', remedy: containing('spec.package') }],
    });
  });

  it('an account with the domain of the order is that account: nothing is bought, and what cannot be changed is said (PNL-21)', async () => {
    const one = await start({ package: 'mini', order: { term: 'monthly', domain: 'AcmeBlog.example.com.' } });
    const plan = await one.planned();
    expect(isEmptyPlan(plan), JSON.stringify(plan, null, 1)).toBe(true);
    expect(noticesOf(plan)).toMatchObject([
      { code: 'HW2010', address: ADDRESS, detail: containing('Its term is annual, and spec.order says monthly') },
    ]);
  });

  it.each(
    Object.entries(PANEL_AMBIGUITIES).flatMap(([gap, values]) =>
      gap.startsWith('GAP-46') || gap === 'panelOwners' ? values.map((value) => [gap, value] as const) : [],
    ),
  )('%s = %s: the new account is found', async (gap, value) => {
    const one = await start(order, { ambiguities: { [gap]: value } });
    await done(one);
    expect(carts(one)).toEqual([[`panel account ${OWNED} pro/annual`, 1]]);
    expect(newAccounts(one)).toHaveLength(1);
  });

  it.each(['late:reads', 'late:time'] as const)('a list that lags behind is waited for (%s)', async (kind) => {
    const one = await start(order, { ambiguities: { lateLists: kind === 'late:reads' ? 'reads:2' : 'ms:60000' } });
    await done(one);
    expect(newAccounts(one)).toHaveLength(1);
  });

  it('GAP-46: none with the domain is a wait that says how a person ends it, and goes on', async () => {
    const one = await start(order);
    // The platform shows the new account under another domain.
    const emit = (): void => {
      for (const account of newAccounts(one))
        Object.assign(account, { local: { packageCode: 'L', primaryDomain: 'parked.example.com' } });
    };
    const { outcome } = await one.apply({ allowCharges: 1 }, { emit });
    expect(outcome).toMatchObject({
      exitCode: 3,
      outcome: 'waiting',
      actions: [{ result: 'waiting', reason: containing(`hostwright ledger confirm ${ADDRESS} --id USERNAME`) }],
    });
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ address: ADDRESS }] });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3 });
    const [made] = newAccounts(one);
    await ledgerCommand(one.session(), { do: 'confirm', address: ADDRESS, id: made?.username ?? '' });
    const { outcome: second } = await apply(one);
    expect(second, JSON.stringify(second, null, 1)).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'done', outputs: { id: made?.username } }],
    });
    // The ledger alone does not say which account it is.
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: ADDRESS, remedy: containing(`metadata: { id: ${made?.username ?? ''} }`) }],
    });
    await one.write('sites/a.json', account(order, { id: made?.username }));
    const again = await one.planned();
    expect(again.actions).toEqual([]);
    expect(noticesOf(again)).toMatchObject([{ code: 'HW2010', detail: containing('parked.example.com') }]);
    expect(carts(one)).toHaveLength(1);
  });

  it('GAP-46: of two with the domain none is taken; the next plan asks for metadata.id', async () => {
    const one = await start(order);
    const emit = (): void => {
      const [made] = newAccounts(one);
      if (made !== undefined && newAccounts(one).length === 1) addAccount(one.sandbox.state, 'twin', OWNED);
    };
    const { outcome } = await one.apply({ allowCharges: 1 }, { emit });
    expect(outcome.actions).toMatchObject([{ result: 'failed', reason: containing('2 rows answer to it') }]);
    expect((await one.plan()).diagnostics).toMatchObject([{ code: 'HW2003', detail: containing('metadata.id') }]);
    const [made] = newAccounts(one);
    await one.write('sites/a.json', account(order, { id: made?.username }));
    one.sandbox.clock.advance(600_000);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(carts(one)).toHaveLength(1);
  });

  it('O-69: what got the domain between plan and apply is looked for right before, and nothing is bought', async () => {
    const one = await start(order);
    const change = (): void => {
      addAccount(one.sandbox.state, 'earlier', OWNED);
    };
    const { outcome } = await apply(one, afterPlanning(change));
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 0,
      actions: [{ outputs: { id: 'earlier' } }],
    });
    expect(one.writes()).toEqual([]);
  });

  it('PNL-11: a row that slides between two pages is asked for by its domain, and no purchase is planned', async () => {
    const change = (state: State): void => {
      for (let n = 0; n < 100; n += 1) addAccount(state, `filler${n}`, `filler${n}.example.com`);
      addAccount(state, 'on_page_two', OWNED);
    };
    let reads = 0;
    const one: Harness = await start(order, {
      scenario: scenario({ change }),
      ambiguities: { listOrder: 'stored' },
      hooks: {
        // Somebody else deletes accounts of the first page, once that was read.
        after: ({ path }) => {
          if (!path.startsWith('/api/panel_accounts') || (reads += 1) !== 1) return;
          for (let n = 0; n < 20; n += 1) one.sandbox.state.panel.accounts.delete(`filler${n}`);
        },
      },
    });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [], unknown: [], summary: { unchanged: 1 } });
    expect(one.sandbox.requests.some(({ path }) => path.includes(`q=${OWNED}`))).toBe(true);
  });

  it("PNL-16, panelOwners = reach: what another workspace has for the domain is never taken for one's own", async () => {
    const one = await start(order, { ambiguities: { panelOwners: 'reach' } });
    addAccount(one.sandbox.state, 'theirs', OWNED, 'acc-other');
    expect(await one.planned()).toMatchObject({
      actions: [],
      bindings: {},
      blocked: [{ address: ADDRESS, rule: 'PNL-16' }],
    });
  });

  it.each([
    [
      'PNL-16',
      'shop2.example.com',
      'domain_in_use',
      (state: State) => state.dnsZones.push({ name: 'shop2.example.com', accountId: 'acc-acme' }),
    ],
    ['O-66', 'theirs.example.com', 'domain_not_owned', undefined],
    ['O-66', 'nobody.example.com', 'domain_not_registered', undefined],
    ['PNL-16', OWNED, 'panel_unavailable', (state: State) => state.panel.troubles.push('domains')],
  ] as const)(
    '%s: for %s it is refused as %s, nothing is charged and nothing is in flight',
    async (_rule, domain, code, change) => {
      const one = await start(
        { ...order, order: { term: 'monthly', domain } },
        { scenario: scenario(change === undefined ? {} : { change }) },
      );
      const { registrar } = one.sandbox.state;
      if (domain !== OWNED) addRegistration(registrar, { id: 'reg-test', name: domain, accountId: 'acc-acme' });
      // What was so when it was planned is so no more.
      const happens = (): void => {
        if (code === 'domain_not_owned')
          Object.assign(registrar.registrations.get('reg-test') ?? {}, { accountId: 'acc-other' });
        if (code === 'domain_not_registered') registrar.registrations.delete('reg-test');
      };
      const { outcome } = await apply(one, afterPlanning(happens));
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
        exitCode: 3,
        actions: [{ result: 'blocked', reason: containing(code) }],
      });
      expect((await one.planned()).waiting).toEqual([]);
      expect(carts(one)).toEqual([]);
    },
  );

  it.each(['nobody.example.com', 'theirs.example.com'])(
    'PNL-16: that %s is not registered in the workspace is said in the plan, and nothing is sent',
    async (domain) => {
      const one = await start({ ...order, order: { term: 'monthly', domain } });
      expect(await one.planned()).toMatchObject({
        actions: [],
        blocked: [{ address: ADDRESS, rule: 'PNL-16', reason: containing(domain) }],
      });
      expect((await apply(one)).outcome).toMatchObject({ exitCode: 3, requests: { writes: 0 } });
      // Where a manifest registers it first, the order waits for that.
      await one.write('sites/b.json', manifest('DomainRegistration', domain, { autoRenew: true }));
      expect((await one.planned()).blocked.map(({ address, rule }) => [address, rule])).toContainEqual([
        ADDRESS,
        'O-66',
      ]);
    },
  );

  it('PNL-16, REG-01: a list of registrations that cannot be read proves nothing, and the order finds out', async () => {
    const one = await start({ ...order, order: { term: 'monthly', domain: 'nobody.example.com' } });
    one.sandbox.state.registrar.enabled = false;
    const { outcome } = await apply(one);
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('domain_not_registered') }],
    });
  });

  it.each([
    ['cart_add_failed', { refusesItems: true }],
    ['cart_pay_failed', { refusesCharges: true }],
  ])('PNL-16: %s fails, and nothing is in flight', async (code, billing) => {
    const one = await start(order, { scenario: scenario({ billing }) });
    expect((await apply(one)).outcome.actions).toMatchObject([{ result: 'failed', reason: containing(code) }]);
    expect((await one.planned()).waiting).toEqual([]);
    expect(carts(one)).toEqual([]);
  });

  it('PNL-09: a system key has no user', async () => {
    const one = await start(order);
    const { outcome } = await one.apply({ allowCharges: 1 }, { token: SYSTEM_KEY });
    expect(outcome.exitCode).toBe(1);
    expect(carts(one)).toEqual([]);
  });

  it('PNL-06: one that takes long to be set up is there; the plan says that it waits', async () => {
    const one = await start(order);
    // The mirror does not come for a long time.
    let mirror: PanelAccount['mirror'] = null;
    const emit = (): void => {
      for (const account of newAccounts(one))
        Object.defineProperty(account, 'mirror', { get: () => mirror, set: () => undefined, configurable: true });
    };
    const { outcome } = await one.apply({ allowCharges: 1 }, { emit });
    expect(outcome).toMatchObject({ exitCode: 3, actions: [{ result: 'waiting', reason: containing('set up') }] });
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ address: ADDRESS, rule: 'PNL-06' }] });
    mirror = panelMirror({ packageCode: 'L', primaryDomain: OWNED });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

describe('a resize', () => {
  const resize = { package: 'pro' };
  const resized = [['resize of panel account acmeshop to pro', 1]];

  it('PNL-14, O-67: is a charge, and is waited for until the mirror shows it and nothing is in flight', async () => {
    const one = await start(resize, { id: 'acmeshop' });
    expect((await one.planned()).actions).toMatchObject([
      {
        verb: 'update',
        risk: ['charge'],
        locks: [ADDRESS, 'billing'],
        changes: [{ path: '/package', was: 'basic', value: 'pro' }],
        requires: { userCredential: true, closedToOauth: true },
      },
    ]);
    await done(one);
    expect(accountOf(one, 'acmeshop')).toMatchObject({ local: { packageCode: 'L' }, mirror: { packageCode: 'L' } });
    expect(carts(one)).toEqual(resized);
    expect((await one.apply({ maxSpend: '1.00 EUR' })).outcome.exitCode).toBe(0);
  });

  it("drift: a package that was changed behind the engine's back gives exactly one action that names it", async () => {
    const one = await start(resize, { id: 'acmeshop' });
    await done(one);
    const account = accountOf(one, 'acmeshop');
    account.local = { packageCode: 'XL', primaryDomain: 'acmeshop.example.com' };
    if (account.mirror !== null) account.mirror.packageCode = 'XL';
    const { actions } = await one.planned();
    expect(actions.map(({ changes }) => changes)).toEqual([
      [{ op: 'replace', path: '/package', was: 'max', value: 'pro' }],
    ]);
  });

  it.each(
    ['GAP-47', 'GAP-47.local', 'GAP-48.same', 'GAP-48.inFlight', 'panelOwners'].flatMap((gap) =>
      PANEL_AMBIGUITIES[gap as 'GAP-47'].map((value) => [gap, value] as const),
    ),
  )('%s = %s: converges', async (gap, value) => {
    const one = await start({ package: 'max' }, { id: 'acmeshop', ambiguities: { [gap]: value } });
    await done(one);
    expect(carts(one)).toEqual([['resize of panel account acmeshop to max', 1]]);
  });

  it.each(PANEL_AMBIGUITIES['GAP-48.resize'])(
    'GAP-48.resize = %s: a cart that is refused fails, and nothing is in flight',
    async (value) => {
      const one = await start(resize, {
        id: 'acmeshop',
        ambiguities: { 'GAP-48.resize': value },
        scenario: scenario({ billing: { refusesCharges: true } }),
      });
      expect((await apply(one)).outcome.actions).toMatchObject([{ result: 'failed', reason: containing('422') }]);
      expect((await one.planned()).waiting).toEqual([]);
      expect(carts(one)).toEqual([]);
    },
  );

  it.each(PANEL_AMBIGUITIES['GAP-47.local'])(
    'PNL-05, GAP-47.local = %s: while a change is in flight no other is sent',
    async (value) => {
      const one = await start(resize, { id: 'acmeshop', ambiguities: { 'GAP-47.local': value } });
      accountOf(one, 'acmeshop').local = { packageCode: 'XL', primaryDomain: 'acmeshop.example.com' };
      expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ address: ADDRESS, rule: 'O-67' }] });
    },
  );

  it('PNL-05: a change in flight to something else is said where the package is as wanted', async () => {
    const one = await start({ package: 'basic' }, { id: 'acmeshop' });
    accountOf(one, 'acmeshop').local = { packageCode: 'XL', primaryDomain: 'acmeshop.example.com' };
    const plan = await one.planned();
    expect(plan).toMatchObject({ actions: [], waiting: [] });
    expect(noticesOf(plan)).toMatchObject([{ code: 'HW2011', severity: 'info', detail: containing('PNL-05') }]);
  });

  it('PNL-15: one that somebody else has begun blocks ours, and nothing is charged', async () => {
    const one = await start(resize, { id: 'acmeshop' });
    const plan = await one.planned();
    await fetch(`${one.sandbox.url}/api/panel_accounts/acmeshop`, {
      method: 'PATCH',
      headers: {
        authorization: one.session().token ?? '',
        'x-auth-account': 'acc-acme',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ package: 'max' }),
    });
    const { outcome } = await apply(one, { plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('resize_in_flight') }],
    });
    expect(carts(one)).toEqual([['resize of panel account acmeshop to max', 1]]);
  });

  it('PNL-17: the package that the mirror does not show yet is waited for, and not charged again', async () => {
    const one = await start(resize, { id: 'acmeshop' });
    const account = accountOf(one, 'acmeshop');
    const change = (): void => {
      account.local = { packageCode: 'L', primaryDomain: 'acmeshop.example.com' };
    };
    let seen = 0;
    const emit = (event: { readonly type: string }): void => {
      if (event.type === 'waiting' && (seen += 1) === 3 && account.mirror !== null) account.mirror.packageCode = 'L';
    };
    const { outcome } = await one.apply({ allowCharges: 1, ...afterPlanning(change) }, { emit });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(carts(one)).toEqual([]);
  });

  it('O-68: a smaller package that does not hold what is used is by hand', async () => {
    const one = await start({ package: 'mini' }, { id: 'acmeshop' });
    const { outcome } = await apply(one);
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('lower the disk space') }],
    });
    const account = accountOf(one, 'acmeshop');
    if (account.mirror !== null) Object.assign(account.mirror, { usedMb: 100, mailboxes: 1, addons: [] });
    await done(one);
    expect(carts(one)).toEqual([['resize of panel account acmeshop to mini', 1]]);
  });

  it('GAP-47: from a package without a key nothing is changed, and it is told', async () => {
    const one = await start(resize, { id: 'acme_old' });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: ADDRESS, rule: 'GAP-47', reason: containing('LEGACY_2G') }],
    });
    await one.write('sites/a.json', account({}, { id: 'acme_old' }));
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it.each([
    ['acmeheld', 'unpaid invoice'],
    ['acmestop', 'staff'],
  ])('PNL-09: %s is suspended and takes no change; one that is not needed is not missed', async (id, reason) => {
    const one = await start(resize, { id });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ rule: 'PNL-09', reason: containing(reason) }],
    });
    await one.write('sites/a.json', account({ package: 'mini' }, { id }));
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it.each([
    ['service_suspended', { dunningSuspended: true }],
    ['account_suspended', { adminSuspended: true }],
    ['pending_deletion', { deletion: { requestedAt: 0, purgeAt: Date.UTC(2100, 0) } }],
  ])('PNL-09: %s after the plan blocks it', async (code, change) => {
    const one = await start(resize, { id: 'acmeshop' });
    const happens = (): void => void Object.assign(accountOf(one, 'acmeshop'), change);
    expect((await apply(one, afterPlanning(happens))).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing(code) }],
    });
    expect(carts(one)).toEqual([]);
  });

  it('PNL-15: a lost answer is confirmed by the view, never by a second PATCH', async () => {
    const one = await start(resize, {
      id: 'acmeshop',
      faults: [{ kind: 'reset-after', match: { method: 'PATCH' }, times: 1 }],
    });
    await done(one);
    expect(carts(one)).toEqual(resized);
  });

  it('PNL-15: one that nothing shows is not sent again until a person has spoken', async () => {
    const one = await start(resize, {
      id: 'acmeshop',
      faults: [{ kind: 'reset-before', match: { method: 'PATCH' }, times: 1 }],
    });
    expect((await apply(one)).outcome).toMatchObject({ actions: [{ result: 'unknown-outcome' }] });
    await apply(one);
    expect(one.writes()).toHaveLength(1);
    await ledgerCommand(one.session(), { do: 'confirm', address: ADDRESS, notMade: true });
    await done(one);
    expect(carts(one)).toEqual(resized);
  });

  it('ORD-18: a bank transfer is continued by a later run', async () => {
    const one = await start(resize, {
      id: 'acmeshop',
      scenario: scenario({ billing: { methodType: 'sepa_debit', outcome: 'processing' } }),
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ address: ADDRESS }] });
    one.sandbox.clock.advance(4 * 86_400_000);
    await done(one);
    expect(carts(one)).toEqual(resized);
  });

  it('`lifecycle.protect` refuses it', async () => {
    const one = await start(resize, { id: 'acmeshop', rest: { lifecycle: { protect: true } } });
    expect((await apply(one)).outcome.diagnostics.map(({ code }) => code)).toContain('HW2201');
  });
});

describe('an account that is to be absent', () => {
  it('promise 3: is so when it has left the list, with metadata.id too', async () => {
    const one = await start({}, { id: 'acmeshop', rest: gone });
    await done(one, { allowDeletes: 1 });
    accountOf(one, 'acmeshop').purged = true;
    expect(await one.plan()).toMatchObject({
      plan: { actions: [], summary: { unchanged: 1 } },
      diagnostics: [{ code: 'HW2060', severity: 'info' }],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 0 });
  });

  it.each(
    ['GAP-49', 'GAP-49.repeat', 'GAP-49.date', 'GAP-49.provisioning', 'GAP-49.suspended'].flatMap((gap) =>
      PANEL_AMBIGUITIES[gap as 'GAP-49'].map((value) => [gap, value] as const),
    ),
  )('%s = %s: is scheduled for deletion once, only when allowed, or stops honestly', async (gap, value) => {
    const one = await start({}, { id: 'acmeshop', rest: gone, ambiguities: { [gap]: value } });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([{ verb: 'delete', risk: ['delete'], stage: 'removal' }]);
    expect(noticesOf(plan)).toMatchObject([{ code: 'HW2006' }]);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 5 });
    if (value === 'not-shown') {
      expect((await apply(one, { allowDeletes: 1 })).outcome).toMatchObject({
        exitCode: 1,
        actions: [{ result: 'failed' }],
      });
      expect(accountOf(one, 'acmeshop').deletion).toBeNull();
      return;
    }
    await done(one, { allowDeletes: 1 });
    expect(accountOf(one, 'acmeshop').deletion).not.toBeNull();
    expect(one.writes()).toEqual(['DELETE /api/panel_accounts/acmeshop']);
  });

  it.each(PANEL_AMBIGUITIES['GAP-49.repeat'])(
    'GAP-49.repeat = %s: a lost answer is sent again, and it stays scheduled',
    async (value) => {
      const one = await start(
        {},
        {
          id: 'acmeshop',
          rest: gone,
          ambiguities: { 'GAP-49.repeat': value },
          faults: [{ kind: 'reset-after', match: { method: 'DELETE' }, times: 1 }],
        },
      );
      await done(one, { allowDeletes: 1 });
      expect(accountOf(one, 'acmeshop').deletion).not.toBeNull();
    },
  );

  it('PNL-18: one that is about to be deleted is as wanted', async () => {
    const one = await start({}, { id: 'acmegone', rest: gone });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 0, actions: [] });
  });

  it('PNL-07: one that is purged between plan and apply is gone', async () => {
    const one = await start({ order: { term: 'monthly', domain: 'acmeshop.example.com' } }, { rest: gone });
    const plan = await one.planned();
    accountOf(one, 'acmeshop').purged = true;
    expect((await apply(one, { plan, allowDeletes: 1 })).outcome).toMatchObject({ exitCode: 0 });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it.each(['acmeheld', 'acmestop'])(
    'GAP-49: that a suspended one can be deleted is not documented, so %s is by hand',
    async (id) => {
      const one = await start({}, { id, rest: gone });
      expect(await one.planned()).toMatchObject({ actions: [], manual: [{ address: ADDRESS, rule: 'GAP-49' }] });
    },
  );

  it('GAP-49: one that is being set up, or changing, is waited for', async () => {
    const one = await start({}, { id: 'acmeshop', rest: gone });
    const account = accountOf(one, 'acmeshop');
    account.local = { packageCode: 'XL', primaryDomain: 'acmeshop.example.com' };
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ rule: 'O-67' }] });
    account.mirror = null;
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [{ rule: 'PNL-06' }] });
  });

  it('PNL-18: wanted present and about to be deleted is blocked: only the dashboard restores it', async () => {
    const one = await start({ package: 'pro', order: { term: 'monthly', domain: 'acmegone.example.com' } });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: ADDRESS, rule: 'PNL-18', remedy: containing('dashboard') }],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3 });
    expect(one.writes()).toEqual([]);
  });
});

describe('reading', () => {
  it('PNL-12: where the mirror cannot be read everything is unknown, and nothing is bought', async () => {
    const one = await start(order);
    one.sandbox.state.panel.troubles = ['mirror'];
    expect(await one.planned()).toMatchObject({ actions: [], unknown: [{ rule: 'PNL-12' }] });
    expect((await apply(one)).outcome.requests.writes).toBe(0);
  });

  it('PNL-09: a workspace without panel accounts is told so', async () => {
    const one = await start(order);
    one.sandbox.state.panel.enabledFor = [];
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'PNL-09' }] });
  });

  it.each(['header', 'reach'])(
    'CNV-08, PNL-07, panelOwners = %s: what belongs to others, and mail-only or purged ones, are no live objects here',
    async (value) => {
      for (const id of ['othersite', 'acmemail', 'acmepurg']) {
        const one = await start({ package: 'pro' }, { id, ambiguities: { panelOwners: value } });
        expect((await one.plan()).diagnostics).toMatchObject([{ code: 'HW2001' }]);
        await one.close();
      }
    },
  );

  it('PNL-11, LIM-05: beyond 500 each declared account is searched for, changed and bought all the same', async () => {
    const files = (text: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(text).map(([name, content]) => [`sites/${name}.json`, content.replace('"legacy"', `"${name}"`)]),
      );
    const { addRegistration } = await import('../../../src/sandbox/registration/state.ts');
    const harness = await openHarness({
      scenario: 'panel:600',
      ledger: true,
      ambiguities: { listOrder: 'stored' },
      files: files({
        far: account({ package: 'basic' }, { id: 'u00555' }),
        found: account({ package: 'mini', order: { term: 'monthly', domain: 'u00556.example.com' } }),
        fresh: account({ ...order, package: 'mini' }),
      }),
    });
    addRegistration(harness.sandbox.state.registrar, { name: OWNED, accountId: 'acc-acme' });
    expect((await harness.planned()).actions.map(({ address, verb }) => `${verb} ${address}`).sort()).toEqual([
      'create PanelAccount/fresh',
      'update PanelAccount/far',
    ]);
    await done(harness, { allowCharges: 2 });
    expect(carts(harness).map(([, times]) => times)).toEqual([1, 1]);
    // What the ledger knows to be there and nothing shows may be beyond the limit: it is not bought once more.
    accountOf(harness, [...harness.sandbox.state.panel.accounts.keys()].at(-1) ?? '').purged = true;
    expect(await harness.planned()).toMatchObject({
      actions: [],
      unknown: [{ address: 'PanelAccount/fresh', rule: 'PNL-11' }],
    });
    await ledgerCommand(harness.session(), { do: 'forget', address: 'PanelAccount/fresh' });
    expect(await harness.planned()).toMatchObject({ actions: [{ verb: 'create' }], unknown: [] });
  });
});
