import { describe, expect, it } from 'vitest';
import { checkCredential } from '../../src/planner/admission/credential.ts';
import { checkGuards } from '../../src/planner/admission/guards.ts';
import type { Action, Approvable, Plan } from '../../src/model/plan/plan.ts';
import { containing, matching } from '../support/matchers.ts';

function plan(...actions: readonly Partial<Action>[]): Plan {
  return {
    actions: actions.map((action) => ({
      address: 'Site/a',
      verb: 'update',
      risk: [],
      protected: false,
      requires: { userCredential: false, scopes: [], roles: [] },
      steps: [],
      expect: { exists: true, tests: [] },
      ...action,
    })),
  } as unknown as Plan;
}

describe('checkGuards', () => {
  it('lets through what stays under the ceilings', () => {
    expect(
      checkGuards(plan({}, { verb: 'delete', risk: ['delete'] }), { allowDeletes: 1, allowCharges: 0 }, 'missing'),
    ).toEqual([]);
  });

  it('refuses more deletes than allowed and says what would allow them', () => {
    const [blocker] = checkGuards(
      plan(
        { verb: 'delete', address: 'Site/a/SiteDomain/x.nl' },
        { verb: 'delete', address: 'Site/a/SiteDomain/y.nl' },
      ),
      { allowDeletes: 1, allowCharges: 0 },
      'missing',
    );
    expect(blocker).toMatchObject({ code: 'HW2202' });
    expect(blocker?.detail).toContain('--allow-deletes 2');
    expect(blocker?.detail).toContain('Site/a/SiteDomain/y.nl');
  });

  it('refuses to delete or charge for what is protected, and nothing else', () => {
    const codes = (action: Partial<Action>) =>
      checkGuards(plan({ protected: true, ...action }), { allowDeletes: 9, allowCharges: 9 }, 'missing').map(
        ({ code }) => code,
      );
    expect(codes({ verb: 'delete', risk: ['delete'] })).toEqual(['HW2201']);
    expect(codes({ verb: 'create', risk: ['charge'] })).toEqual(['HW2201']);
    expect(codes({ verb: 'update', risk: ['restart'] })).toEqual([]);
    expect(
      checkGuards(plan({ verb: 'delete', risk: ['delete'] }), { allowDeletes: 9, allowCharges: 9 }, 'missing'),
    ).toEqual([]);
  });
});

describe('checkGuards without a review', () => {
  it('lets the named verbs run, and lists every other action with what would allow it', () => {
    const some = plan(
      { verb: 'create' },
      { verb: 'update', reason: 'it differs' },
      { verb: 'delete', address: 'Site/b', reason: 'it is not wanted' },
    );
    const ceilings = { allowDeletes: 9, allowCharges: 0 };
    expect(checkGuards(some, { ...ceilings, approve: ['create', 'update', 'delete'] }, 'complete')).toEqual([]);
    expect(checkGuards(some, { ...ceilings, approve: ['create'] }, 'complete')).toMatchObject([
      { code: 'HW2210', address: 'Site/a', detail: containing('--approve create,update') },
      { code: 'HW2210', address: 'Site/b', detail: containing('Deleting Site b is not among') },
    ]);
  });
});

describe('checkGuards without a review, for what has to be named beside the verb', () => {
  const refused = (action: Partial<Action>, ...approve: readonly Approvable[]) =>
    checkGuards(plan(action), { allowDeletes: 9, allowCharges: 9, approve }, 'complete').map(
      ({ detail }) => /--approve (\S+)`/.exec(detail)?.[1],
    );

  it.each<[Partial<Action>, readonly Approvable[], string]>([
    [{ verb: 'update', risk: ['exposure'] }, ['create', 'update'], 'create,update,exposure'],
    [{ verb: 'update', risk: ['primary'] }, ['create', 'update'], 'create,update,primary'],
    [{ verb: 'create', risk: ['irreversible'] }, ['create', 'update'], 'create,update,irreversible'],
    [{ verb: 'update', risk: ['delete', 'irreversible'] }, ['create', 'update'], 'create,update,delete,irreversible'],
    [{ verb: 'delete', risk: ['delete', 'exposure'] }, ['create', 'update'], 'create,update,delete,exposure'],
  ])('%j is not among %j', (action, approve, allowing) => {
    expect(refused(action, ...approve)).toEqual([allowing]);
    expect(refused(action, ...(allowing.split(',') as Approvable[]))).toEqual([]);
  });

  it('what a ceiling counts by itself, what restarts, and what only moves has not', () => {
    const from = { address: 'Site/b', tests: [] };
    for (const action of [
      { risk: ['charge', 'restart'] as const },
      { risk: ['delete'] as const, expect: { exists: false, tests: [], from } },
    ])
      expect(refused({ verb: 'create', ...action }, 'create')).toEqual([]);
  });
});

describe('checkGuards for what is made for good', () => {
  const request = {
    do: 'request',
    name: 'create',
    method: 'POST',
    path: ['/api/users'],
    idempotent: false,
    answers: [],
    reason: 'make',
  } as const;
  const making: Partial<Action> = { verb: 'create', address: 'User/a', risk: ['irreversible'], steps: [request] };
  const ceilings = { allowDeletes: 9, allowCharges: 9 };
  const reported = (standing: 'complete' | 'partial' | 'missing', action = making) =>
    checkGuards(plan(action), ceilings, standing).map(({ code, detail }) => `${code} ${detail}`);

  it('USR-06: only a complete ledger knows what no list need show', () => {
    expect(reported('complete')).toEqual([]);
    expect(reported('missing')[0]).toMatch(/^HW2207 .*User\/a, and there is no ledger/);
    expect(reported('partial')[0]).toMatch(/^HW2207 .*the ledger began when none was found/);
  });

  it('what can be sent again, is removed, or can be taken back needs none', () => {
    for (const other of [
      { ...making, steps: [{ ...request, idempotent: true }] },
      { ...making, verb: 'delete' as const },
      { ...making, risk: [] },
    ])
      expect(reported('missing', other)).toEqual([]);
  });
});

describe('checkGuards for what is paid', () => {
  const request = {
    do: 'request',
    name: 'order',
    method: 'POST',
    path: ['/api/orders'],
    idempotent: false,
    answers: [],
    reason: 'buy',
  } as const;
  const recovery = {
    lookUp: { read: [], rows: '', where: [], capture: {} },
    ifNotFound: 'unknown',
    graceMs: 0,
    rule: 'GAP-11',
  } as const;
  const order: Partial<Action> = {
    verb: 'create',
    address: 'Site/a',
    risk: ['charge'],
    steps: [{ ...request, recovery }],
  };
  const keyed: Partial<Action> = {
    ...order,
    steps: [
      {
        ...request,
        recovery: { ...recovery, ifNotFound: 'send-again', rule: 'X' },
      },
      { do: 'verify', name: 'v', reason: 'b' },
      { ...request, idempotent: true },
    ],
  };

  it('counts charges and says what would allow them', () => {
    const [blocker] = checkGuards(
      plan(order, { ...order, address: 'Site/b' }),
      { allowDeletes: 0, allowCharges: 1 },
      'complete',
    );
    expect(blocker).toMatchObject({ code: 'HW2204' });
    expect(blocker?.detail).toContain('--allow-charges 2');
    expect(checkGuards(plan(order), { allowDeletes: 0, allowCharges: 1 }, 'complete')).toEqual([]);
  });

  it('what has no quoted price is more than any ceiling', () => {
    const blockers = checkGuards(plan(order), { allowDeletes: 0, allowCharges: 1, maxSpend: '999.00 EUR' }, 'complete');
    expect(blockers).toMatchObject([{ code: 'HW2205', detail: containing('999.00 EUR') }]);
    expect(checkGuards(plan({}), { allowDeletes: 0, allowCharges: 0, maxSpend: '1 EUR' }, 'complete')).toEqual([]);
  });

  it('counts what is quoted against the ceiling, never two currencies as one', () => {
    const costs = (amountCents: number, currency: string): Partial<Action> => ({
      ...order,
      cost: { amountCents, currency },
    });
    const details = (maxSpend: string, ...actions: readonly Partial<Action>[]) =>
      checkGuards(plan(...actions), { allowDeletes: 0, allowCharges: 9, maxSpend }, 'complete').map(
        ({ code, detail }) => `${code} ${detail}`,
      );
    expect(details('20.00 EUR', costs(1200, 'EUR'), costs(800, 'EUR'))).toEqual([]);
    expect(details('19.99 EUR', costs(1200, 'EUR'), costs(800, 'EUR'))).toMatchObject([
      matching(/^HW2205 It spends 20\.00 EUR .*; 19\.99 EUR allowed/),
    ]);
    expect(details('99.00 EUR', costs(1200, 'EUR'), costs(5, 'USD'))).toMatchObject([containing('costs 0.05 USD')]);
    expect(details('99.00 EUR', costs(1200, 'EUR'), order)).toMatchObject([containing('quotes no price')]);
    expect(details('plenty', costs(1, 'EUR'))).toMatchObject([containing('the ceiling is plenty')]);
  });

  it('REG-13: what ends something is a removal, whatever its verb', () => {
    const ends: Partial<Action> = { verb: 'update', risk: ['delete'], expect: { exists: true, tests: [] } };
    expect(checkGuards(plan(ends), { allowDeletes: 0, allowCharges: 0 }, 'complete')).toMatchObject([
      { code: 'HW2202' },
    ]);
    const moves: Partial<Action> = {
      ...ends,
      verb: 'create',
      expect: { exists: false, tests: [], from: { address: 'Site/a/SiteDomain/x', tests: [] } },
    };
    expect(checkGuards(plan(moves), { allowDeletes: 0, allowCharges: 0 }, 'complete')).toEqual([]);
  });

  it.each(['missing', 'partial'] as const)(
    'ORD-44: with a %s ledger nothing is bought that only the ledger can tell of',
    (standing) => {
      expect(checkGuards(plan(order), { allowDeletes: 0, allowCharges: 1 }, standing)).toMatchObject([
        { code: 'HW2206', detail: containing('ledger init') },
      ]);
      expect(checkGuards(plan(keyed), { allowDeletes: 0, allowCharges: 1 }, standing)).toEqual([]);
      const guarded = { ...order, steps: [{ ...request, recovery: { ...recovery, guarded: 'ORD-43' } }] };
      expect(checkGuards(plan(guarded), { allowDeletes: 0, allowCharges: 1 }, standing)).toEqual([]);
    },
  );
});

describe('checkCredential', () => {
  const caching = plan({ requires: { userCredential: false, scopes: ['sites:write', 'sites:read'], roles: [] } });
  const order = plan({ requires: { userCredential: true, closedToOauth: true, scopes: [], roles: [] } });
  const resize = plan({ requires: { userCredential: true, scopes: [], roles: [] } });
  const codes = (subject: Plan, credential: Parameters<typeof checkCredential>[1]) =>
    checkCredential(subject, credential).map(({ code }) => code);

  it('says nothing when the workspace describes no credential', () => {
    expect(codes(order, undefined)).toEqual([]);
  });

  it('CNV-06: sessions and API keys bypass scopes', () => {
    expect(codes(caching, { type: 'session', scopes: [] })).toEqual([]);
    expect(codes(caching, { type: 'apiKey' })).toEqual([]);
  });

  it('CNV-09: an OAuth token needs every scope', () => {
    expect(codes(caching, { type: 'oauth', scopes: ['sites:read', 'sites:write'] })).toEqual([]);
    expect(codes(caching, { type: 'oauth' })).toEqual([]);
    expect(checkCredential(caching, { type: 'oauth', scopes: [] })[0]).toMatchObject({
      code: 'HW2203',
      detail: containing('sites:write and sites:read'),
    });
  });

  it('CNV-11, CNV-13: some calls need the credential of a user', () => {
    expect(codes(order, { type: 'oauth' })).toEqual(['HW2203']);
    expect(codes(order, { type: 'system' })).toEqual(['HW2203']);
    expect(codes(order, { type: 'apiKey' })).toEqual([]);
    expect(codes(resize, { type: 'oauth' })).toEqual([]);
    expect(codes(resize, { type: 'system' })).toEqual(['HW2203']);
  });
});
