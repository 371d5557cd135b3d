// Roots that are still to be made, that are in flight, that are to be absent: what is planned of them and of what is in
// them.
import { describe, expect, it } from 'vitest';
import { updateAction } from '../../src/planner/action.ts';
import { declaredDigest, verifyPlan } from '../../src/planner/digest.ts';
import { partOf } from '../../src/planner/document.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import { registry } from '../../src/areas/index.ts';
import { siteDomain } from '../../src/areas/site/kinds/domain/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { Collection, Kind } from '../../src/model/kind/kind.ts';
import type { InFlight } from '../../src/model/plan/ledger-view.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import { ledgerOf, live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { box } from '../support/toy-kinds.ts';
import { containing } from '../support/matchers.ts';
import { begunOf } from '../support/actions.ts';

const order = { variant: 'vanilla', location: 'ams', term: 'monthly' };
const wanted = { plan: 'pro', order };
const sections = [
  wantMembers(siteDomain, 'Site/new', [{ hostname: 'a.nl' }]),
  wantMembers(caching, 'Site/new', [{ smartCache: true }]),
];
const noDomains: readonly [string, Collection] = ['Site/new/SiteDomain', live(siteDomain)];

function planOf(extra: Partial<PlanInput> = {}): Plan {
  const { plan, diagnostics } = makePlan({
    account: 'acc',
    registry,
    declared: [wantRoots(site, [wantRoot(site, 'new', wanted)]), ...sections],
    observed: new Map<string, Collection>([['Site', live(site)], noDomains]),
    bound: new Map(),
    ledger: ledgerOf(),
    targets: [],
    notices: [],
    ...extra,
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

function flight(action: Action, extra: Partial<InFlight>): InFlight {
  return { runId: 'r', action: begunOf(action), answered: {}, known: {}, effects: [], ...extra };
}

describe('a root that is still to be made', () => {
  it('O-06: what begins empty is planned with it, the rest when it is there', () => {
    const plan = planOf();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/new', 'Site/new/SiteDomain/a.nl']);
    expect(plan.deferred).toMatchObject([
      {
        address: 'Site/new/Caching',
        until: 'Site/new',
        reason: expect.any(String) as string,
        declared: declaredDigest(sections[1] as never),
      },
    ]);
    expect(plan.summary.charges).toBe(1);
  });

  it('its deferred sections have a digest of what is declared, whatever the place in a file', () => {
    const one = wantMembers(caching, 'Site/new', [{ smartCache: true }]);
    const two = wantMembers(caching, 'Site/new', [{ smartCache: false }]);
    expect(declaredDigest(one)).toBe(declaredDigest({ ...one }));
    expect(declaredDigest(one)).not.toBe(declaredDigest(two));
  });

  it('while its making is in flight nothing is asked of it', () => {
    const [making] = planOf().actions;
    const plan = planOf({
      ledger: {
        ...ledgerOf(),
        inFlight: [
          flight(making as Action, {
            answered: { order: { cart: 't' } },
            pending: { step: 'order', status: 202, row: '2xx has /cart/token wait-for', follow: 'wait-for' },
          }),
        ],
      },
    });
    expect(plan.actions).toEqual([]);
    expect(plan.deferred.map(({ address }) => address)).toEqual(['Site/new/Caching', 'Site/new/SiteDomain']);
    expect(plan.waiting.map(({ address }) => address)).toEqual(['Site/new']);
  });
});

describe('a paid request of which nobody knows what became', () => {
  const [other] = planOf({ declared: [wantRoots(site, [wantRoot(site, 'other', wanted)])] }).actions;

  it.each([
    ['sent and not answered', { unanswered: 'order' }],
    [
      'answered, and what it made not found',
      { pending: { step: 'order', status: 202, row: '2xx look-up', follow: 'look-up' as const } },
    ],
  ])('O-02: %s: nothing else is bought, and what is in it waits with it', (_, extra) => {
    const plan = planOf({ ledger: { ...ledgerOf(), inFlight: [flight(other as Action, extra)] } });
    expect(plan.actions).toEqual([]);
    expect(plan.deferred).toEqual([]);
    expect(plan.blocked).toMatchObject([{ address: 'Site/new', rule: 'O-02', reason: containing('Site/other') }]);
  });

  it("whose cart is known is in nobody's way, nor is one that never was sent", () => {
    const caches = updateAction(
      caching,
      { smartCache: true },
      { spec: { smartCache: false }, computed: {} },
      { address: 'Site/x/Caching', parent: 'Site/x', protect: false, members: [], sourceOf: () => undefined },
    );
    expect(
      planOf({
        ledger: { ...ledgerOf(), inFlight: [flight({ ...(caches as Action), needs: [] }, { unanswered: 'settings' })] },
      }).actions[0]?.address,
    ).toBe('Site/new');
    for (const extra of [
      {
        answered: { order: { cart: 't' } },
        pending: { step: 'order', status: 202, row: '2xx has /cart/token wait-for', follow: 'wait-for' as const },
      },
      {},
    ]) {
      expect(
        planOf({ ledger: { ...ledgerOf(), inFlight: [flight(other as Action, extra)] } }).actions[0]?.address,
      ).toBe('Site/new');
    }
  });
});

describe('a root that is to be absent', () => {
  const absent = (kind: Kind, bound: boolean, extra: object = {}) => {
    const root = wantRoot(kind, 'old', {}, { lifecycle: { state: 'absent', protect: false }, ...extra });
    const there = member(kind, 'id-1', { name: 'Old' });
    return planOf({
      registry: new Map([...registry, ['Box', box]]),
      declared: [wantRoots(kind, [root])],
      observed: new Map([[kind.kind, live(kind, { name: 'Old' })]]),
      bound: new Map(bound ? [[root.address, there]] : []),
    });
  };

  it('SIT-07: is deleted with a warning', () => {
    const plan = absent(site, true);
    expect(plan.actions).toMatchObject([
      { verb: 'delete', risk: ['delete', 'irreversible'], source: { file: 'old.yaml' } },
    ]);
    expect(plan.notices).toMatchObject([{ code: 'HW2006', severity: 'warning', address: 'Site/old' }]);
    expect(plan.bindings).toEqual({ 'Site/old': 'id-1' });
  });

  it('is as wanted when it is not there', () => {
    expect(absent(site, false)).toMatchObject({ actions: [], notices: [], summary: { unchanged: 1 } });
  });

  it('of a kind without a removal is blocked', () => {
    expect(absent(box, true)).toMatchObject({ actions: [], blocked: [{ address: 'Box/old', rule: 'O-70' }] });
  });

  it('of a kind that refuses is blocked, and one without a warning goes without', () => {
    const steps = {
      requires: { userCredential: false, scopes: [], roles: [] },
      risk: ['delete'],
      steps: () => [],
    } as const;
    const refusing: Kind = {
      ...box,
      remove: { ...steps, refuse: () => ({ reason: 'it is the last', remedy: 'Keep it.', rule: 'TOY-1' }) },
    };
    const planWith = (kind: Kind) =>
      planOf({
        registry: new Map([['Box', kind]]),
        declared: [wantRoots(kind, [wantRoot(kind, 'old', {}, { lifecycle: { state: 'absent', protect: false } })])],
        observed: new Map([['Box', live(kind, { name: 'Old' })]]),
        bound: new Map([['Box/old', member(kind, 'id-1', { name: 'Old' })]]),
      });
    expect(planWith(refusing)).toMatchObject({ actions: [], blocked: [{ rule: 'TOY-1' }] });
    expect(planWith({ ...box, remove: { ...steps, refuse: () => null } })).toMatchObject({
      actions: [{ verb: 'delete' }],
      notices: [],
    });
  });
});

describe('a part of a plan', () => {
  it('is a sound plan of its own', () => {
    const plan = planOf();
    const part = partOf(plan, ({ address }) => address === 'Site/new');
    expect(part.actions).toHaveLength(1);
    expect(part.summary).toMatchObject({ create: 1, charges: 1 });
    expect(part.planId).not.toBe(plan.planId);
    expect(verifyPlan(part)).toEqual([]);
  });
});
