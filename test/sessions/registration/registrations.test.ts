// Names: asked about, priced, bought once, transferred over days, renewed or given up; and left alone where they are
// not ours to change. The oracle of "never charged twice" is the sandbox's own count of processed purchases.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { runCommand } from '../../support/processes/command.ts';
import { bought, CODE, name, registration, startNames, there, withCode } from '../../support/registrations.ts';
import { containing, matching } from '../../support/matchers.ts';
import { noticesOf } from '../../support/notices.ts';

const DAY_MS = 86_400_000;
const NEW = name('fresh.com', 'order: {}');
const MOVED = name('moving.com', 'order: { action: transfer, authcode: { env: CODE } }');

const text = (value: unknown): string => JSON.stringify(value, null, 1);
const posts = ({ sandbox }: Harness, path: string): number =>
  sandbox.requests.filter((request) => request.method === 'POST' && request.path === path).length;
const orders = (one: Harness): number => posts(one, '/api/orders/domain');

describe('a name from nothing', () => {
  it('is asked about, shown with its price and who stands behind it, bought once, and as wanted after that', async () => {
    const harness = await openHarness({ example: 'a-new-domain', scenario: 'registrar', ledger: true });
    const { plan, requests } = await harness.plan();
    // One list, one question for the one name that is to be bought (REG-09, REG-32), and the orders, because something is.
    expect(requests).toBe(4);
    expect(plan).toMatchObject({
      actions: [
        {
          address: 'DomainRegistration/acme-widgets.com',
          verb: 'create',
          risk: ['charge'],
          cost: { amountCents: 1200, currency: 'EUR' },
          locks: ['DomainRegistration/acme-widgets.com', 'billing'],
          requires: { userCredential: true, closedToOauth: true },
        },
      ],
      blocked: [],
      waiting: [],
      manual: [],
      unknown: [],
    });
    expect(plan?.actions[0]?.changes.find(({ path }) => path === '/contacts')?.value).toMatchObject({
      owner: { firstName: 'Ada' },
      admin: 'as the owner',
      billing: 'as the owner',
      tech: { firstName: 'Otto' },
    });
    const { outcome } = await harness.apply();
    expect(outcome, text(outcome)).toMatchObject({ exitCode: 0, outcome: 'done', remaining: [] });
    expect(harness.sandbox.snapshot()).toMatchObject(fixtures['a-new-domain']);
    expect(bought(harness.sandbox)).toEqual([['domain order register acme-widgets.com', 1]]);
    expect(isEmptyPlan(await harness.planned())).toBe(true);
    expect((await harness.plan()).requests).toBe(1);
  });

  it('REG-32: what the account has is not asked about, and is bought by no order', async () => {
    const one = await startNames([name('plain.com', 'order: {}\n  contacts: {}')]);
    const { plan, requests } = await one.plan();
    expect([plan?.actions, requests]).toEqual([[], 1]);
  });

  it.each([
    ['ORD-30', name('fresh.com', 'autoRenew: true')],
    ['ORD-33', name('fresh.com', 'order: {}\n  contacts: { tech: { ref: Contact/otto } }')],
  ])('%s: without an order, or without an owner, nothing is asked or bought', async (rule, document) => {
    const one = await startNames([document]);
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'DomainRegistration/fresh.com', rule }],
    });
    expect(one.sandbox.requests).toHaveLength(1);
  });

  it('ORD-35: a role that is the owner is told as the owner, another one in full', async () => {
    const one = await startNames([
      name(
        'fresh.com',
        'order: {}\n  contacts: { owner: { ref: Contact/ada }, admin: { ref: Contact/ada }, billing: { ref: Contact/otto } }',
      ),
    ]);
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect(one.sandbox.snapshot()).toMatchObject({
      registrations: {
        'fresh.com': {
          contacts: {
            owner: 'ada@acme.example',
            admin: 'ada@acme.example',
            tech: 'ada@acme.example',
            billing: 'otto@acme.example',
          },
        },
      },
    });
    const ada = [...one.sandbox.state.registrar.contacts.values()].filter(
      ({ fields }) => fields.email === 'ada@acme.example',
    );
    expect(ada.filter(({ id }) => id !== 801)).toHaveLength(1);
  });

  it('renewal that is off where it should be on is switched on with the purchase, and on where it should be off is switched off', async () => {
    const one = await startNames([name('fresh.com', 'order: {}\n  autoRenew: false')]);
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([{ verb: 'create', risk: ['charge'] }]);
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({ exitCode: 0, actions: [{ outputs: { scenario: 'clean_cancel' } }] });
    expect(there(one.sandbox, 'fresh.com').autoRenew).toBe(false);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('O-72: two names go one by one until the cart is journalled', async () => {
    const one = await startNames([NEW, name('second.net', 'order: {}')]);
    expect((await one.planned()).actions).toHaveLength(2);
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({ exitCode: 0 });
    expect(bought(one.sandbox)).toEqual([
      ['domain order register fresh.com', 1],
      ['domain order register second.net', 1],
    ]);
  });
});

describe('the price', () => {
  const double = (one: Harness): void => {
    for (const tld of one.sandbox.state.registrar.tlds) if (tld.registerCents !== null) tld.registerCents *= 2;
  };

  it('that doubles between a saved plan and its run: nothing is bought', async () => {
    const one = await startNames([NEW]);
    const plan = await one.planned();
    double(one);
    const { outcome } = await one.apply({ plan });
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 4,
      outcome: 'conflict',
      actions: [],
      diagnostics: [{ code: 'HW2104', detail: containing('cost: at the review 12.00 EUR, now 24.00 EUR') }],
    });
    expect([orders(one), outcome.requests.writes]).toEqual([0, 0]);
    expect(await one.planned()).toMatchObject({ waiting: [], actions: [{ cost: { amountCents: 2400 } }] });
  });

  it('that doubles while somebody is asked whether to go on: nothing is bought', async () => {
    const one = await startNames([NEW]);
    const { outcome } = await one.apply({
      confirm: () => {
        double(one);
        return Promise.resolve(true);
      },
    });
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 4,
      outcome: 'conflict',
      actions: [{ result: 'failed', reason: containing('12.00 EUR') }],
    });
    expect(orders(one)).toBe(0);
  });

  it('that doubles between a review and the run is another action than the one that was reviewed', async () => {
    const one = await startNames([NEW]);
    const approved = (await one.planned()).actions.map(({ digest }) => digest);
    double(one);
    expect((await one.apply({ approved })).outcome).toMatchObject({ exitCode: 4 });
    expect(orders(one)).toBe(0);
  });

  it('a name that somebody else takes between plan and run is not ordered', async () => {
    const one = await startNames([NEW]);
    const plan = await one.planned();
    const take = (): Promise<boolean> => Promise.resolve(one.sandbox.state.registrar.taken.push('fresh.com') > 0);
    expect((await one.apply({ confirm: take })).outcome.exitCode).toBe(4);
    expect((await one.apply({ plan })).outcome).toMatchObject({
      exitCode: 3,
      actions: [],
      remaining: [{ address: 'DomainRegistration/fresh.com' }],
    });
    expect(orders(one)).toBe(0);
  });

  it.each([
    ['"12.00", currency: EUR', 1],
    ['"11.99", currency: EUR', 0],
    ['"99", currency: USD', 0],
  ])('ORD-42: maxPrice { amount: %s } is held to when it is planned, with both numbers', async (most, times) => {
    const one = await startNames([name('fresh.com', `order: { maxPrice: { amount: ${most} } }`)]);
    const plan = await one.planned();
    expect(plan.actions).toHaveLength(times);
    expect(plan.blocked.map(({ reason }) => reason).join()).toMatch(
      times === 1 ? /^$/ : /it costs 12\.00 EUR, .* the (11\.99 EUR|99\.00 USD)/,
    );
    await one.apply();
    expect(bought(one.sandbox)).toHaveLength(times);
  });

  it.each([
    ['24.00 EUR', 2, ''],
    ['23.99 EUR', 0, 'It spends 24.00 EUR'],
    ['100.00 USD', 0, 'two currencies are not compared'],
  ])('--max-spend %s counts the sum of what is quoted', async (maxSpend, times, words) => {
    const one = await startNames([NEW, name('second.net', 'order: {}')]);
    const { outcome } = await one.apply({ maxSpend });
    expect(outcome.exitCode, text(outcome)).toBe(times === 0 ? 5 : 0);
    expect(outcome.diagnostics.map(({ detail }) => detail).join()).toContain(words);
    expect(bought(one.sandbox)).toHaveLength(times);
  });
});

describe('a name that cannot be had', () => {
  it.each([
    ['taken.com', 'ORD-37', 'the name cannot be registered: The name is in use'],
    ['gold.com', 'REG-32', 'premium name'],
    ['fresh.rare', 'ORD-37', 'There is no price'],
    ['fresh.zz', 'REG-34', 'no registrar'],
    ['fresh.nowhere', 'REG-32', 'no names with this ending'],
  ])('%s: is blocked by %s with words, and the rest goes on', async (wanted, rule, words) => {
    const one = await startNames([name(wanted, 'order: {}'), NEW]);
    const plan = await one.planned();
    expect(plan.blocked).toMatchObject([{ address: `DomainRegistration/${wanted}`, rule, reason: containing(words) }]);
    expect(plan.actions.map(({ address }) => address)).toEqual(['DomainRegistration/fresh.com']);
  });

  it.each([
    ['fresh.com', 'ORD-31', 'nobody has registered the name'],
    ['taken.rare', 'REG-32', 'no price for a transfer'],
  ])('a transfer of %s: is blocked by %s', async (wanted, rule, words) => {
    const one = await startNames([name(wanted, 'order: { action: transfer }')]);
    one.sandbox.state.registrar.taken.push('taken.rare');
    expect((await one.planned()).blocked).toMatchObject([{ rule, reason: containing(words) }]);
  });

  it('ORD-38: a check that fails is unknown and never a no; the name is bought when it answers again', async () => {
    const one = await startNames([NEW]);
    one.sandbox.state.registrar.troubles.push({ part: 'lookup', times: null });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [],
      unknown: [{ rule: 'ORD-38', reason: containing('says nothing about the name') }],
    });
    one.sandbox.state.registrar.troubles.length = 0;
    expect((await one.apply()).outcome.exitCode).toBe(0);
  });

  it('ORD-38: so it is right before the order, and in its answer', async () => {
    const one = await startNames([NEW]);
    const confirm = (): Promise<boolean> =>
      Promise.resolve(one.sandbox.state.registrar.troubles.push({ part: 'lookup', times: null }) > 0);
    expect((await one.apply({ confirm })).outcome).toMatchObject({ outcome: 'error', actions: [{ result: 'failed' }] });
    expect(orders(one)).toBe(0);
    one.sandbox.state.registrar.troubles.length = 0;
    const emit: Session['emit'] = (event) => {
      if (event.type === 'step-started' && event.step === 'order')
        one.sandbox.state.registrar.troubles.push({ part: 'lookup', times: 1 });
    };
    expect((await one.apply({}, { emit })).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('domain_availability_unknown') }],
    });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect(bought(one.sandbox)).toEqual([['domain order register fresh.com', 1]]);
  });

  it('ORD-37: a name that is taken while it is ordered is not charged for', async () => {
    const one = await startNames([NEW]);
    const emit: Session['emit'] = (event) => {
      if (event.type === 'step-started' && event.step === 'order') one.sandbox.state.registrar.taken.push('fresh.com');
    };
    expect((await one.apply({}, { emit })).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('nothing was charged') }],
    });
    expect(await one.planned()).toMatchObject({ actions: [], waiting: [], blocked: [{ rule: 'ORD-37' }] });
  });

  it('REG-32: what the platform says is ours and its list does not show is not bought', async () => {
    const one = await startNames([name('plain.com', 'order: {}')]);
    there(one.sandbox, 'plain.com').hidden = { reads: 99 };
    expect(await one.planned()).toMatchObject({ actions: [], unknown: [{ rule: 'REG-32' }] });
  });

  it('REG-01: without the area nothing is asked, and it is told once', async () => {
    const one = await startNames([NEW, MOVED]);
    one.sandbox.state.registrar.enabled = false;
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'DomainRegistration', rule: 'REG-01' }],
    });
  });
});

describe('what the account once had', () => {
  it('ORD-43: is not bought again by itself, but when a person has the ledger forget it', async () => {
    const one = await startNames([NEW]);
    expect((await one.apply()).outcome.exitCode).toBe(0);
    one.sandbox.state.registrar.registrations.delete(there(one.sandbox, 'fresh.com').id);
    const plan = await one.planned();
    expect(plan).toMatchObject({
      actions: [],
      manual: [
        {
          address: 'DomainRegistration/fresh.com',
          rule: 'ORD-43',
          remedy: containing('hostwright ledger forget DomainRegistration/fresh.com'),
        },
      ],
    });
    expect((await one.apply()).outcome.exitCode).toBe(3);
    expect(orders(one)).toBe(1);
    await ledgerCommand(one.session(), { do: 'forget', address: 'DomainRegistration/fresh.com' });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect(orders(one)).toBe(2);
  });

  it('HW2206: nothing is bought where no ledger can tell what there was', async () => {
    const harness = await openHarness({ example: 'a-new-domain', scenario: 'registrar' });
    expect((await harness.apply()).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW2206' })]) as unknown,
    });
    expect(bought(harness.sandbox)).toEqual([]);
  });
});

describe('a transfer', () => {
  it.each(['absent', 'listed'])(
    'GAP-55.arriving = %s: takes days, is in flight until then, is never ordered twice, and its code is seen by nobody',
    async (arriving) => {
      const one = await startNames(
        [name('moving.com', 'autoRenew: false\n  order: { action: transfer, authcode: { env: CODE } }')],
        { ambiguities: { 'GAP-55.arriving': arriving } },
      );
      const plan = await one.planned();
      expect(plan.actions).toMatchObject([{ cost: { amountCents: 1100, currency: 'EUR' } }]);
      const first = await one.apply({}, withCode);
      expect(first.outcome, text(first.outcome)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
      const requests = one.sandbox.requests.length;
      const waiting = await one.planned();
      expect(waiting).toMatchObject({
        actions: [],
        blocked: [],
        manual: [],
        unknown: [],
        waiting: [{ address: 'DomainRegistration/moving.com' }],
      });
      // While the purchase is on its way, the orders are looked at for its payment.
      expect(one.sandbox.requests.slice(requests).map(({ path }) => path)).toEqual([
        '/api/domain_registrations',
        ...(arriving === 'absent' ? ['/api/orders?per_page=100'] : []),
      ]);
      expect((await one.apply({}, withCode)).outcome.exitCode).toBe(3);
      one.sandbox.clock.advance(6 * DAY_MS);
      const last = await one.apply({ allowDeletes: 1 }, withCode);
      expect(last.outcome, text(last.outcome)).toMatchObject({ exitCode: 0 });
      expect(there(one.sandbox, 'moving.com')).toMatchObject({ status: 'OK', autoRenew: false, authcode: CODE });
      expect(bought(one.sandbox)).toEqual([['domain order transfer moving.com', 1]]);
      expect(isEmptyPlan(await one.planned())).toBe(true);
      expect(text([plan, first, waiting, last, one.events])).not.toContain(CODE);
    },
  );

  it('ORD-31: a code that is not there is told before anything is sent', async () => {
    const one = await startNames([MOVED]);
    expect((await one.apply()).outcome.diagnostics.map(({ code }) => code)).toContain('HW4007');
    expect(orders(one)).toBe(0);
  });

  it('ORD-31: the platform says that a code is needed; where none is, none is sent', async () => {
    const one = await startNames([
      name('moving.com', 'order: { action: transfer }'),
      name('moving.nl', 'order: { action: transfer }'),
    ]);
    const { outcome } = await one.apply();
    expect(outcome.actions).toMatchObject([
      { result: 'failed', reason: containing('authcode_required') },
      { result: 'waiting' },
    ]);
    expect((await one.planned()).waiting.map(({ address }) => address)).toEqual(['DomainRegistration/moving.nl']);
  });

  it('a transfer whose order fails in the end can be ordered anew', async () => {
    const one = await startNames([name('moving.nl', 'order: { action: transfer }')]);
    await one.apply();
    for (const order of one.sandbox.state.orders.values()) order.status = 'failed';
    expect((await one.apply({ resumeOnly: true })).outcome).toMatchObject({
      outcome: 'error',
      actions: [{ result: 'failed', reason: containing('ended as failed') }],
    });
    expect((await one.planned()).actions).toMatchObject([{ verb: 'create' }]);
  });
});

describe('an order that the registry refuses', () => {
  it('ORD-39: what the registry does not take in a contact is told as it says it', async () => {
    const one = await startNames([name('fresh.us', 'order: {}')]);
    expect((await one.apply()).outcome.actions[0]).toMatchObject({
      result: 'failed',
      reason: matching(/domain_contact_(invalid|needs_augmentation)/),
    });
    expect((await one.planned()).waiting).toEqual([]);
  });
});

describe('what is not to be changed now', () => {
  it.each([
    ['lapsed.com', 'blocked', 'REG-35'],
    ['arriving.com', 'waiting', 'GAP-55'],
    ['leaving.com', 'waiting', 'O-64'],
    ['pushed.com', 'waiting', 'O-64'],
    ['busy.eu', 'waiting', 'O-56'],
    ['stuck.eu', 'waiting', 'O-56'],
  ] as const)('%s: is %s by %s, told once, and nothing of it is changed', async (held, list, rule) => {
    const one = await startNames([name(held, 'autoRenew: false')]);
    there(one.sandbox, held).autoRenew = true;
    const plan = await one.planned();
    expect(plan).toMatchObject({ actions: [], [list]: [{ address: `DomainRegistration/${held}`, rule }] });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, requests: { writes: 0 } });
  });

  it.each([
    ['GAP-55.expired', 'redemption', 'REDEMPTION'],
    ['GAP-55', 'accepted', 'EXPIRED'],
  ])('%s = %s: whatever the platform would take, what is %s is left as it is', async (gap, value, word) => {
    const one = await startNames([name('lapsed.com', 'autoRenew: true')], { ambiguities: { [gap]: value } });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ reason: containing(word) }] });
  });
});

describe('renewal', () => {
  it('changed behind the back is one action that names it, on before anything else', async () => {
    const one = await startNames([name('unrenewed.com', 'autoRenew: true')]);
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      {
        verb: 'update',
        risk: [],
        stage: 'change',
        changes: [{ op: 'replace', path: '/autoRenew', was: false, value: true }],
      },
    ]);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [{ outputs: { scenario: 'enabled' } }] });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    there(one.sandbox, 'unrenewed.com').autoRenew = false;
    expect((await one.planned()).actions).toHaveLength(1);
  });

  it.each([
    ['plain.com', 'clean_cancel', ['lapse'], 'and is then given up, unless renewal is switched on again before.'],
    ['window.com', 'refund_cancel', ['lapse', 'irreversible'], 'the platform may refund it'],
  ] as const)(
    'REG-13: %s is given up last and is no delete, only where that is named or reviewed, with what that means: %s',
    async (given, scenario, risk, words) => {
      const one = await startNames([name(given, 'autoRenew: false')]);
      const plan = await one.planned();
      expect(plan.actions).toMatchObject([{ verb: 'update', risk, stage: 'removal' }]);
      expect(plan.summary).toMatchObject({ update: 1, delete: 0 });
      expect(noticesOf(plan)).toMatchObject([{ code: 'HW2310', severity: 'warning', detail: containing(words) }]);
      expect((await one.apply({ approve: ['update', 'delete'] })).outcome).toMatchObject({
        exitCode: 5,
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW2210' })]) as unknown,
      });
      const { outcome } = await one.apply({ approve: ['update', ...risk] });
      expect(outcome, text(outcome)).toMatchObject({ exitCode: 0, actions: [{ outputs: { scenario } }] });
      const after = await one.planned();
      expect([isEmptyPlan(after), noticesOf(after)]).toEqual([true, []]);
    },
  );

  it('REG-13: the plan says when the name ends, and neither deletes nor says that it cannot be undone', async () => {
    const one = await startNames([name('plain.com', 'autoRenew: false')]);
    const { code, stdout, stderr } = await runCommand(['plan'], { cwd: one.root, url: one.sandbox.url });
    const said = (stdout + stderr).replaceAll(/\s+/g, ' ');
    expect(code, said).toBe(0);
    expect(said).toContain('Apply will run this');
    expect(said).toContain('0 to create, 1 to change, 0 to delete');
    expect(said).toContain('! ENDS RENEWAL');
    expect(said).toContain('the name is given up at the end of its term');
    expect(said).toMatch(
      /Renewal is switched off\. The name stays registered until \d{4}-\d\d-\d\d\S* and is then given up/,
    );
    expect(said).not.toMatch(/DELETES|CANNOT BE UNDONE|--allow-deletes/);
  });

  it('REG-13: a protected name is never given up', async () => {
    const one = await startNames([name('plain.com', 'autoRenew: false', 'protect: true')]);
    expect((await one.apply({ allowDeletes: 1 })).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW2201' })]) as unknown,
    });
  });

  it.each([
    ['refused', 1, true],
    ['late-cancel', 0, false],
  ] as const)(
    'GAP-53 = %s: after the window the plan warns, and the answer is final',
    async (reading, exitCode, stays) => {
      const one = await startNames([name('late.com', 'autoRenew: false')], { ambiguities: { 'GAP-53': reading } });
      expect(noticesOf(await one.planned())[0]?.detail).toContain('could be cancelled until');
      const { outcome } = await one.apply({ allowDeletes: 1 });
      expect(outcome, text(outcome)).toMatchObject({ exitCode });
      expect(text(outcome.actions)).toContain(stays ? 'no run can change that' : 'late_cancel');
      expect(there(one.sandbox, 'late.com').autoRenew).toBe(stays);
      expect((await one.planned()).waiting).toEqual([]);
    },
  );

  it.each(['by-tld', 'never', 'always'])(
    'GAP-63 = %s: whatever the registrar takes its time for, a run goes on until it is so',
    async (reading) => {
      const one = await startNames([name('slow.eu', 'autoRenew: false')], { ambiguities: { 'GAP-63': reading } });
      const first = await one.apply({ allowDeletes: 1 });
      expect(first.outcome.exitCode, text(first.outcome)).toBe(reading === 'always' ? 3 : 0);
      one.sandbox.clock.advance(3 * DAY_MS);
      expect((await one.apply({ allowDeletes: 1 })).outcome.exitCode).toBe(0);
      expect(there(one.sandbox, 'slow.eu').autoRenew).toBe(false);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('REG-38: a process that ends and changed nothing is told, and planned anew', async () => {
    const one = await startNames([name('slow.eu', 'autoRenew: false')], { ambiguities: { 'GAP-63': 'always' } });
    one.sandbox.state.registrar.fates.push({ outcome: 'fails' });
    await one.apply({ allowDeletes: 1 });
    one.sandbox.clock.advance(3 * DAY_MS);
    expect((await one.apply({ allowDeletes: 1, resumeOnly: true })).outcome).toMatchObject({
      outcome: 'error',
      actions: [{ result: 'failed' }],
    });
    expect((await one.planned()).actions).toHaveLength(1);
  });

  it("REG-11: while somebody else's change is worked on nothing is done, and the next plan decides anew", async () => {
    const one = await startNames([name('unrenewed.com', 'autoRenew: true')]);
    const confirm = (): Promise<boolean> => {
      there(one.sandbox, 'unrenewed.com').process = {
        ...there(one.sandbox, 'busy.eu').process,
        id: 'rtr-other',
      } as never;
      return Promise.resolve(true);
    };
    expect((await one.apply({ confirm })).outcome).toMatchObject({ exitCode: 3, actions: [{ result: 'blocked' }] });
  });
});

describe('a name that is to be absent', () => {
  it('REG-37: is for a person to end; one that is not there is as wanted', async () => {
    const one = await startNames([name('plain.com', '', 'state: absent'), name('fresh.com', '', 'state: absent')]);
    expect(await one.planned()).toMatchObject({
      actions: [],
      manual: [{ address: 'DomainRegistration/plain.com', rule: 'REG-37', remedy: containing('autoRenew: false') }],
      summary: { unchanged: 1 },
    });
    expect(registration(one.sandbox, 'plain.com')).toBeDefined();
  });
});

describe('a name that is to be absent and has left the list', () => {
  it('promise 3: is as declared, with metadata.id too', async () => {
    const one = await startNames([name('plain.com', '', 'state: absent')]);
    const { id } = there(one.sandbox, 'plain.com');
    await one.write(
      'domains/all.yaml',
      name('plain.com', '', 'state: absent').replace('name: plain.com', `name: plain.com, id: "${id}"`),
    );
    expect(await one.planned()).toMatchObject({ actions: [], manual: [{ rule: 'REG-37' }] });
    one.sandbox.state.registrar.registrations.delete(id);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, remaining: [] });
  });
});

describe('what uses the name', () => {
  const mailspace = (domain: string): string =>
    `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: ${domain} }\nspec: { package: mail_20, order: {} }\n`;

  it("O-17: comes after it is the account's, across roots, and does not begin when it is not", async () => {
    const one = await startNames([
      name('moving.nl', 'order: { action: transfer }'),
      mailspace('moving.nl'),
      mailspace('unrelated.com'),
    ]);
    const plan = await one.planned();
    expect(plan.actions.find(({ address }) => address === 'Mailspace/moving.nl')?.needs).toMatchObject([
      { address: 'DomainRegistration/moving.nl', rule: 'O-17' },
    ]);
    expect(plan.actions.find(({ address }) => address === 'Mailspace/unrelated.com')?.needs).toEqual([]);
    const { outcome } = await one.apply();
    expect(outcome.actions.find(({ address }) => address === 'Mailspace/moving.nl')).toMatchObject({
      result: 'skipped',
      reason: containing('O-17'),
    });
  });
});
