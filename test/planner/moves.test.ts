// What the engine makes of an object that is declared in one parent and lives in another.
import { describe, expect, it } from 'vitest';
import { createAction } from '../../src/planner/action.ts';
import { moveNotReady } from '../../src/planner/admission/move-not-ready.ts';
import { EMPTY_COLLECTION_PLAN } from '../../src/planner/collections/collection-plan.ts';
import { planCollection } from '../../src/planner/collections/collection.ts';
import { leavingOf, moveNeeds } from '../../src/planner/moves.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import { registry } from '../../src/areas/index.ts';
import { siteDomain } from '../../src/areas/site/kinds/domain/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { Desired } from '../../src/model/desired.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Collection } from '../../src/model/kind/kind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import type { InFlight } from '../../src/model/plan/ledger-view.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import { live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { rule } from '../support/toy-kinds.ts';
import { containing } from '../support/matchers.ts';
import { begunOf } from '../support/actions.ts';

const A = 'Site/new/SiteDomain/a.nl';
const elsewhere = { 'a.nl': { parentId: 's-old', id: 'd-a' } };

interface Story {
  readonly old?: Partial<Desired>;
  readonly spec?: JsonObject;
  readonly oldSpecs?: readonly JsonObject[];
  readonly primary?: Json;
  readonly observed?: readonly (readonly [string, Collection])[];
  readonly extra?: Partial<PlanInput>;
}

function planOf({
  old = {},
  spec = { moveFrom: 'Site/old' },
  oldSpecs = [{ hostname: 'b.nl' }],
  primary = 'b.nl',
  observed = [],
  extra = {},
}: Story = {}): Plan {
  const roots = [wantRoot(site, 'new'), wantRoot(site, 'old', {}, old)];
  const here: Collection = { state: 'read', members: [], blockers: {}, elsewhere };
  const { plan, diagnostics } = makePlan({
    account: 'acc-1',
    registry,
    declared: [
      wantRoots(site, roots),
      wantMembers(siteDomain, 'Site/new', [{ hostname: 'a.nl', ...spec }]),
      ...(old.lifecycle?.state === 'absent' ? [] : [wantMembers(siteDomain, 'Site/old', oldSpecs)]),
    ],
    observed: new Map<string, Collection>([
      ['Site', live(site)],
      ['Site/new/SiteDomain', here],
      [
        'Site/old/SiteDomain',
        live(
          siteDomain,
          { hostname: 'a.nl', primary: primary === 'a.nl' },
          { hostname: 'b.nl', primary: primary === 'b.nl' },
        ),
      ],
      ...observed,
    ]),
    bound: new Map([
      ['Site/new', member(site, 's-new', { name: 'new' })],
      ['Site/old', member(site, 's-old', { name: 'old' }, { computed: { primaryDomain: primary } })],
    ]),
    ledger: MISSING_LEDGER,
    targets: [],
    notices: [],
    ...extra,
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

describe('a member that lives in another parent', () => {
  it('is moved where its manifest names the parent that has it, which then neither removes nor reports it', () => {
    const plan = planOf();
    expect(plan.actions).toMatchObject([
      {
        address: A,
        verb: 'create',
        expect: {
          exists: false,
          from: { address: 'Site/old/SiteDomain/a.nl', tests: [{ op: 'test', path: '/primary', value: false }] },
        },
        needs: [],
      },
    ]);
    expect(plan.bindings).toEqual({ 'Site/new': 's-new', 'Site/old': 's-old', 'Site/old/SiteDomain/a.nl': 'd-a' });
    expect([plan.unmanaged, plan.blocked]).toEqual([[], []]);
  });

  it('is a blocker without that, and is still reported there where nobody wants it moved', () => {
    const plan = planOf({ spec: {} });
    expect([
      plan.actions,
      plan.blocked.map(({ rule: id }) => id),
      plan.unmanaged.map(({ identity }) => identity),
    ]).toEqual([[], ['O-14'], ['a.nl']]);
    expect(planOf({ spec: { moveFrom: 'Site/new' } }).blocked).toMatchObject([{ reason: containing('Site/new') }]);
    const unbound = planOf({ extra: { bound: new Map([['Site/new', member(site, 's-new', { name: 'new' })]]) } });
    expect(unbound.blocked).toContainEqual(
      expect.objectContaining({ address: A, reason: containing('another site (id s-old)') }),
    );
  });

  it('is protected by either manifest', () => {
    expect(planOf({ old: { lifecycle: { state: 'present', protect: true } } }).actions[0]?.protected).toBe(true);
    expect(planOf().actions[0]?.protected).toBe(false);
  });

  it('O-14: waits for what makes ready there, or stays', () => {
    const promoted = planOf({ primary: 'a.nl', oldSpecs: [{ hostname: 'b.nl', primary: true }] });
    expect(
      promoted.actions.map(({ address, needs }) => [address, needs.map(({ address: need, rule: id }) => [need, id])]),
    ).toEqual([
      ['Site/old/SiteDomain/b.nl', []],
      [A, [['Site/old/SiteDomain/b.nl', 'O-14']]],
    ]);
    const stays = planOf({ primary: 'a.nl' });
    expect([stays.actions, stays.blocked]).toMatchObject([
      [],
      [{ address: A, rule: 'O-14', reason: containing('primary domain of Site/old') }],
    ]);
  });

  it('does not count on a promotion that an earlier run left in flight', () => {
    const [promotion] = planOf({ primary: 'a.nl', oldSpecs: [{ hostname: 'b.nl', primary: true }] }).actions;
    const flight: InFlight = {
      runId: 'run-1',
      action: begunOf(promotion as Action),
      answered: {},
      known: {},
      effects: [],
    };
    const plan = planOf({
      primary: 'a.nl',
      oldSpecs: [{ hostname: 'b.nl', primary: true }],
      extra: { ledger: { ...MISSING_LEDGER, inFlight: [flight] } },
    });
    expect([
      plan.actions,
      plan.blocked.map(({ address }) => address),
      plan.waiting.map(({ address }) => address),
    ]).toEqual([[], [A], ['Site/old/SiteDomain/b.nl']]);
  });

  it('O-71: leaves a parent that goes before it goes, whatever it was there', () => {
    const plan = planOf({ primary: 'a.nl', old: { lifecycle: { state: 'absent', protect: false } } });
    expect(plan.actions.map(({ address, verb, needs }) => [verb, address, needs.map(({ rule: id }) => id)])).toEqual([
      ['create', A, []],
      ['delete', 'Site/old', ['O-71']],
    ]);
    expect(plan.actions[0]?.expect.from?.tests).toEqual([]);
  });

  it('is left to itself when it is here already: the consent is spent', () => {
    const here: Collection = {
      state: 'read',
      members: [member(siteDomain, 'd-a', { hostname: 'a.nl', primary: false })],
      blockers: {},
    };
    const plan = planOf({ observed: [['Site/new/SiteDomain', here]] });
    expect([plan.actions, plan.notices]).toMatchObject([[], [{ code: 'HW2007', severity: 'info', address: A }]]);
    expect(plan.unmanaged.map(({ identity }) => identity)).toEqual(['a.nl']);
  });

  it('is kept where it is while nobody knows what is here', () => {
    expect(
      planOf({ observed: [['Site/new/SiteDomain', { state: 'unknown', reason: '503', remedy: 'Again.' }]] }).unmanaged,
    ).toEqual([]);
  });
});

describe('what is not moved', () => {
  it('a consent to what lives nowhere is left out of the create', () => {
    const declared = wantMembers(siteDomain, 'Site/new', [{ hostname: 'c.nl', moveFrom: 'Site/old' }]);
    const { actions } = planCollection({
      kind: siteDomain,
      declared,
      observed: { state: 'read', members: [], blockers: {}, elsewhere },
      owned: new Set(),
      holders: new Map(),
    });
    expect(actions[0]?.changes.map(({ path }) => path)).toEqual(['/hostname']);
  });

  it('kinds that cannot move', () => {
    const declared = wantMembers(rule, 'Box/shop', [{ name: 'a' }]);
    const { actions } = planCollection({
      kind: rule,
      declared,
      observed: live(rule),
      owned: new Set(),
      holders: new Map(),
    });
    expect(actions).toMatchObject([{ reason: 'will be created' }]);
    expect(leavingOf([declared], new Map([['Rule', rule]]), new Map())).toEqual(new Map());
    const context = {
      address: 'Box/shop/Rule/a',
      parent: 'Box/shop',
      protect: false,
      members: [],
      sourceOf: () => undefined,
    };
    expect(() =>
      createAction(rule, { name: 'a' }, context, {
        address: 'Box/old/Rule/a',
        parent: 'Box/old',
        identity: 'a',
        protect: false,
        tests: [],
      }),
    ).toThrow('Rule cannot be moved');
  });

  it('what waits for what waits for it', () => {
    const origin = (from: string, name: string) => ({
      address: `Site/${from}/SiteDomain/${name}`,
      parent: `Site/${from}`,
      identity: name,
      protect: false,
      tests: [{ op: 'test', path: '/primary', value: false }] as const,
    });
    const context = (to: string, name: string, primary: string) => ({
      address: `Site/${to}/SiteDomain/${name}`,
      parent: `Site/${to}`,
      protect: false,
      members: [member(siteDomain, 'd', { hostname: primary, primary: true })],
      sourceOf: () => undefined,
    });
    const actions = [
      createAction(
        siteDomain,
        { hostname: 'a.nl', primary: true },
        context('new', 'a.nl', 'b.nl'),
        origin('old', 'a.nl'),
      ),
      createAction(
        siteDomain,
        { hostname: 'b.nl', primary: true },
        context('old', 'b.nl', 'a.nl'),
        origin('new', 'b.nl'),
      ),
    ];
    const bound = new Map([
      ['Site/new', member(site, 's-new', { name: 'new' }, { computed: { primaryDomain: 'b.nl' } })],
      ['Site/old', member(site, 's-old', { name: 'old' }, { computed: { primaryDomain: 'a.nl' } })],
    ]);
    expect(moveNeeds(actions, registry)).toHaveLength(2);
    const blockerOf = moveNotReady({ registry, bound } as unknown as PlanInput, { ...EMPTY_COLLECTION_PLAN, actions });
    expect(actions.map(blockerOf)).toMatchObject([{ rule: 'O-14' }, { rule: 'O-14' }]);
  });
});
