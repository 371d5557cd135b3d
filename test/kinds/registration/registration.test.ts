// What a registration is to the engine: what an answer about a name comes to, what is held, what an order says, what
// waits for the name.
import { describe, expect, it } from 'vitest';
import type { RequestStep } from '../../../src/model/plan/step.ts';
import { createAction } from '../../../src/planner/action.ts';
import { orderActions } from '../../../src/planner/order.ts';
import { domainRegistration } from '../../../src/areas/registration/kinds/registration/index.ts';
import { registry } from '../../../src/areas/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { quoteOf, statusBlocker } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { anAction } from '../../support/actions.ts';
import { wantRoot, wantRoots } from '../../support/desired.ts';
import { ADA } from '../../support/registrations.ts';

const context = (price?: { amountCents: number; currency: string }) => ({
  address: 'DomainRegistration/a.com',
  parent: 'DomainRegistration/a.com',
  protect: false,
  members: [],
  sourceOf: () => undefined,
  ...(price !== undefined && { price }),
});
const expand = (spec: JsonObject, name?: string): JsonObject =>
  domainRegistration.section.expand(spec, name)[0]?.spec ?? {};
const at = {
  account: 'acc-1',
  parent: null,
  declared: wantRoots(domainRegistration, []),
  owned: new Set<string>(),
  answers: {},
};

describe('what a manifest holds', () => {
  it('goes by the canonical name; the code is a secret of its own, and every role is there', () => {
    expect(expand({}, 'EXAMPLE.com.')).toEqual({ name: 'example.com' });
    expect(expand({})).toEqual({ name: '' });
    expect(domainRegistration.identity({})).toBe('');
    expect(
      expand(
        {
          autoRenew: true,
          order: { action: 'transfer', authcode: { env: 'CODE' } },
          contacts: { owner: ADA, tech: ADA },
        },
        'a.com',
      ),
    ).toEqual({
      name: 'a.com',
      autoRenew: true,
      order: { action: 'transfer' },
      authcode: { env: 'CODE' },
      contacts: { owner: ADA, admin: 'as the owner', billing: 'as the owner', tech: ADA },
    });
    expect(domainRegistration.section.expand({}, 'a.com')[0]?.pointers).toEqual({ authcode: '/order/authcode' });
    expect(domainRegistration.keys?.('A.com', {})).toEqual([['a.com']]);
    expect(domainRegistration.normalise({ name: 'a.com' })).toEqual({ name: 'a.com' });
  });
});

describe('REG-32: what an answer about a name comes to', () => {
  const price = { amount_cents: 1200, currency: 'EUR' };
  const free = {
    domain: 'A.com.',
    available: true,
    premium: false,
    owned_by_account: false,
    reason: null,
    price,
    transfer_price: null,
  };
  const elsewhere = { ...free, available: false, reason: 'in use', transfer_price: price };
  const ask = (answer: JsonObject, order: JsonObject = {}) =>
    quoteOf(domainRegistration.create)?.decode(answer, { name: 'a.com', order });

  it('is a price where all of it is as it has to be', () => {
    expect(ask(free)).toEqual({ price: { amountCents: 1200, currency: 'EUR' } });
    expect(ask(elsewhere, { action: 'transfer' })).toEqual({ price: { amountCents: 1200, currency: 'EUR' } });
    expect(quoteOf(domainRegistration.create)?.body({ name: 'a.com' })).toEqual({ domain: 'a.com' });
    expect(quoteOf(domainRegistration.create)?.body({})).toEqual({ domain: '' });
  });

  it.each([
    [{ ...free, owned_by_account: true }, {}, 'REG-32', 'unknown'],
    [{ ...free, premium: true }, {}, 'REG-32', undefined],
    [elsewhere, {}, 'ORD-37', undefined],
    [{ ...elsewhere, reason: null }, {}, 'ORD-37', undefined],
    [{ ...elsewhere, reason: '' }, {}, 'ORD-37', undefined],
    [free, { action: 'transfer' }, 'ORD-31', undefined],
    [{ ...elsewhere, transfer_price: null }, { action: 'transfer' }, 'REG-32', undefined],
    [free, { maxPrice: { amount: '11.99', currency: 'EUR' } }, 'ORD-42', undefined],
    [free, { maxPrice: { amount: '12', currency: 'USD' } }, 'ORD-42', undefined],
  ] as const)('is a refusal: %j with order %j by %s', (answer, order, rule, as) => {
    expect(ask(answer, order)).toMatchObject({ blocker: { rule, ...(as !== undefined && { as }) } });
  });

  it.each([
    {},
    { ...free, domain: 'b.com' },
    { ...free, available: null },
    { ...free, premium: 'no' },
    { ...free, owned_by_account: undefined as never },
    { ...free, price: null },
    { ...free, price: 12 },
    { ...free, price: { ...price, amount_cents: '12' } },
    { ...free, price: { ...price, amount_cents: 12.5 } },
    { ...free, price: { ...price, amount_cents: -1 } },
    { ...free, price: { ...price, currency: 'eur' } },
    { ...free, price: { amount_cents: 1 } },
  ])('is no answer: %j', (answer) => {
    expect(() => ask(answer)).toThrow(ShapeError);
  });

  it('takes an answer that is about nothing for none', () => {
    expect(() => quoteOf(domainRegistration.create)?.decode(free, {})).toThrow(ShapeError);
    expect(() => quoteOf(domainRegistration.create)?.decode({ ...free, domain: undefined as never }, {})).toThrow(
      ShapeError,
    );
  });
});

describe('an order', () => {
  const make = (spec: JsonObject) =>
    createAction(domainRegistration, expand(spec, 'a.com'), context({ amountCents: 1200, currency: 'EUR' }));

  it('is a registration where it does not say otherwise, and a role that is the owner follows the owner', () => {
    const order = make({ order: {}, contacts: { owner: ADA, admin: ADA } }).steps[1] as RequestStep;
    expect(order.body).toMatchObject({
      domain: { action: 'register', role_contacts: { admin: { source: 'same_as_owner' } } },
    });
    expect(order.body).not.toHaveProperty('domain.authcode');
  });
});

describe('a live registration', () => {
  const decode = (row: JsonObject) =>
    domainRegistration.decode({ list: [{ id: 'r1', name: 'A.com.', ...row }] }, at)[0];

  it('is known by its name; what is not told is left out', () => {
    expect(decode({ auto_renew: true, status: 'OK', pending_async: false })).toMatchObject({
      id: 'r1',
      spec: { name: 'a.com', autoRenew: true },
      keys: [['a.com']],
      computed: { status: 'OK', busy: false, leaves: false, pushed: false },
    });
    expect(decode({ auto_renew: null })?.spec).toEqual({ name: 'a.com' });
  });

  it.each([
    [{ status: 'OK', pending_async: false }, null],
    [{ status: 'OK' }, null],
    [{ status: 'OK', pending_async: true }, 'O-56'],
    [{ status: 'PENDING_TRANSFER' }, 'GAP-55'],
    [{ status: 'EXPIRED', pending_async: true }, 'REG-35'],
    [{}, 'REG-35'],
    [{ status: '' }, 'REG-35'],
    [{ status: 'OK', transfer_out_pending: true }, 'O-64'],
    [{ status: 'OK', push_transfer_pending: true }, 'O-64'],
  ])('%j is held by %s', (row, rule) => {
    expect(statusBlocker(domainRegistration, { spec: {}, computed: decode(row)?.computed ?? {} })?.rule ?? null).toBe(
      rule,
    );
  });

  it('says that it does not know a status', () => {
    expect(statusBlocker(domainRegistration, { spec: {}, computed: decode({})?.computed ?? {} })?.reason).toContain(
      'not told',
    );
    expect(statusBlocker(domainRegistration, { spec: {}, computed: {} })?.reason).toContain('not told');
  });

  it('REG-13: warns only where renewal would be switched off', () => {
    const notices = (row: JsonObject, autoRenew: boolean | null) =>
      domainRegistration
        .notices?.(
          { spec: (decode(row)?.spec ?? {}) as JsonObject, computed: decode(row)?.computed ?? {} },
          autoRenew === null ? {} : { autoRenew },
          {},
        )
        .map(({ detail }) => detail) ?? [];
    expect([
      notices({ auto_renew: true }, true),
      notices({ auto_renew: true }, null),
      notices({ auto_renew: false }, false),
    ]).toEqual([[], [], []]);
    expect(notices({ auto_renew: true }, false)[0]).toMatch(/does not say until when the name stays registered/);
    expect(
      notices(
        {
          auto_renew: true,
          expires_at: '2030-01-01T00:00:00Z',
          cancellation_deadline_at: '2029-12-01T00:00:00Z',
          within_cancellation_window: true,
        },
        false,
      )[0],
    ).toMatch(/stays registered until 2030.*can be cancelled until 2029.*may refund it/);
    expect(
      notices(
        {
          auto_renew: true,
          expires_at: '2030-01-01T00:00:00Z',
          cancellation_deadline_at: '2020-12-01T00:00:00Z',
          within_cancellation_window: false,
        },
        false,
      )[0],
    ).toMatch(/stays registered until 2030.*could be cancelled until 2020.*refuses/);
    expect(
      notices({ auto_renew: true, expires_at: '2030-01-01T00:00:00Z', within_cancellation_window: true }, false)[0],
    ).toMatch(/can be cancelled: the platform may refund it/);
    expect(
      notices(
        { auto_renew: true, cancellation_deadline_at: '2029-12-01T00:00:00Z', within_cancellation_window: null },
        false,
      )[0],
    ).toMatch(/does not say whether that has passed.*late cancellation/);
  });

  it('ORD-43: what is ours and is not listed is for a person; what is listed, or never was ours, is not', () => {
    const declared = wantRoots(
      domainRegistration,
      ['gone.com', 'here.com', 'new.com'].map((name) =>
        wantRoot(domainRegistration, name, { name }, { keys: [[name]] }),
      ),
    );
    const blockers = domainRegistration.blockers?.(
      { list: [{ id: 'r', name: 'here.com' }] },
      { ...at, declared, owned: new Set(['gone.com', 'here.com']) },
    );
    expect(blockers).toMatchObject({ 'gone.com': { rule: 'ORD-43', as: 'manual' } });
    expect(Object.keys(blockers ?? {})).toEqual(['gone.com']);
  });
});

it('O-65: renewal goes on before anything else of the registration', () => {
  const needs = (value: boolean) => {
    const renewal = anAction({
      address: 'DomainRegistration/a.com',
      changes: [{ op: 'replace', path: '/autoRenew', value }],
    });
    const other = anAction({ address: 'DomainRegistration/a.com/RegistrationLock' });
    return orderActions([renewal, other], registry, new Map()).flatMap((action) =>
      action.needs.map(({ rule }) => rule),
    );
  };
  expect([needs(true), needs(false)]).toEqual([['O-65'], []]);
});
