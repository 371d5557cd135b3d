import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DesiredCollection } from '../../src/model/desired.ts';
import { verifyPlan } from '../../src/planner/digest.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import type { Collection, Kind } from '../../src/model/kind/kind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import { isEmptyPlan, isUnfinished } from '../../src/model/plan/plan.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { ledgerOf, live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { box, rule, toyRegistry } from '../support/toy-kinds.ts';
import { containing } from '../support/matchers.ts';
import { begunOf } from '../support/actions.ts';

const shop = member(box, 'box-1', { name: 'Shop' });

function input(extra: Partial<PlanInput> = {}): PlanInput {
  return {
    account: 'acc-1',
    registry: toyRegistry,
    declared: [
      wantRoots(box, [wantRoot(box, 'shop', { name: 'Shop' })]),
      wantMembers(rule, 'Box/shop', [
        { name: 'a', size: 2 },
        { name: 'b', size: 1 },
      ]),
    ],
    observed: new Map<string, Collection>([
      ['Box', live(box, { name: 'Shop' })],
      ['Box/shop/Rule', live(rule, { name: 'a', size: 1 }, { name: 'z', size: 3 })],
    ]),
    bound: new Map([['Box/shop', shop]]),
    ledger: MISSING_LEDGER,
    targets: [],
    notices: [],
    ...extra,
  };
}

function planOf(extra: Partial<PlanInput> = {}): Plan {
  const { plan } = makePlan(input(extra));
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

describe('makePlan', () => {
  it('puts everything in execution order, counted, with the ids it needs', () => {
    const plan = planOf();
    expect(plan.actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual([
      'update Box/shop/Rule/a',
      'create Box/shop/Rule/b',
      'delete Box/shop/Rule/z',
    ]);
    expect(plan.summary).toEqual({
      create: 1,
      update: 1,
      delete: 1,
      charges: 1,
      restarts: 0,
      manual: 0,
      waiting: 0,
      blocked: 0,
      unknown: 0,
      unmanaged: 0,
      unchanged: 1,
    });
    expect(plan.bindings).toEqual({ 'Box/shop': 'box-1', 'Box/shop/Rule/a': 'id-1', 'Box/shop/Rule/z': 'id-2' });
    expect(isEmptyPlan(plan)).toBe(false);
    expect(isUnfinished(plan)).toBe(false);
  });

  it('counts restarts', () => {
    const observed = new Map<string, Collection>([
      ['Box', live(box)],
      ['Box/shop/Rule', live(rule, { name: 'a', colour: 'red' })],
    ]);
    expect(
      planOf({
        declared: [wantRoots(box, []), wantMembers(rule, 'Box/shop', [{ name: 'a', colour: 'blue' }])],
        observed,
      }).summary,
    ).toMatchObject({ restarts: 1, update: 1 });
  });

  it('plans nothing in what is not bound: the blocker on the parent says it', () => {
    const plan = planOf({ bound: new Map() });
    expect(plan.actions).toEqual([]);
    expect(plan.blocked).toMatchObject([
      { address: 'Box/shop', reason: 'it must be bought', remedy: 'Buy it.', rule: 'TOY-05', source: { line: 3 } },
    ]);
  });

  it('plans nothing in an object in which nothing can be done, and says so once', () => {
    const blocker = { reason: 'it waits', remedy: 'Wait.', rule: 'TOY-07', as: 'waiting' as const };
    const held: Kind = { ...box, status: () => ({ is: 'frozen', blocker }) };
    const plan = planOf({ registry: new Map([...toyRegistry, ['Box', held]]) });
    expect(plan).toMatchObject({
      actions: [],
      waiting: [{ address: 'Box/shop', reason: 'it waits', rule: 'TOY-07' }],
      summary: { waiting: 1, manual: 0 },
    });
    expect(isUnfinished(plan)).toBe(true);
    const gone: Kind = { ...held, status: () => ({ is: 'deleting', blocker }) };
    const absent = wantRoots(box, [wantRoot(box, 'shop', {}, { lifecycle: { state: 'absent', protect: false } })]);
    expect(planOf({ registry: new Map([...toyRegistry, ['Box', gone]]), declared: [absent] })).toMatchObject({
      actions: [],
      waiting: [],
      summary: { unchanged: 1 },
    });
    const manual = {
      ...box,
      cannotRemove: { reason: 'no call', remedy: 'Do it.', rule: 'TOY-08', as: 'manual' as const },
    };
    expect(planOf({ registry: new Map([...toyRegistry, ['Box', manual]]), declared: [absent] })).toMatchObject({
      actions: [],
      manual: [{ address: 'Box/shop', rule: 'TOY-08' }],
      summary: { manual: 1 },
    });
  });

  it('plans nothing when the roots were not read', () => {
    const plan = planOf({
      observed: new Map<string, Collection>([['Box', { state: 'unknown', reason: '503', remedy: 'Again.' }]]),
      bound: new Map(),
    });
    expect(plan.unknown).toEqual([{ address: 'Box', reason: '503', remedy: 'Again.' }]);
    expect(isUnfinished(plan)).toBe(true);
    expect(isEmptyPlan(plan)).toBe(false);
  });

  it('has an empty plan when live is as wanted', () => {
    const plan = planOf({ declared: [wantRoots(box, [wantRoot(box, 'shop', { name: 'Shop' })])] });
    expect(isEmptyPlan(plan)).toBe(true);
    expect(plan.bindings).toEqual({});
  });

  it('shows what is in flight as waiting and does not plan it twice', () => {
    const action = planOf().actions[1] as Plan['actions'][number];
    const inFlight = { runId: 'r', action: begunOf(action), known: {}, effects: [], answered: {} };
    const plan = planOf({ ledger: { ...ledgerOf(), inFlight: [inFlight] } });
    expect(plan.actions.map(({ address }) => address)).not.toContain(action.address);
    expect(plan.waiting).toEqual([
      {
        address: action.address,
        reason: 'its create is in flight from an earlier run',
        remedy: 'Run `hostwright apply --resume` to continue it.',
      },
    ]);
    expect(
      planOf({ ledger: { ...ledgerOf(), inFlight: [{ ...inFlight, reason: 'the payment waits for a person' }] } })
        .waiting[0]?.reason,
    ).toBe('the payment waits for a person');
  });

  it('narrows to targets, with what concerns them', () => {
    const blockedRules = new Map<string, Collection>([
      ['Box', live(box)],
      ['Box/shop/Rule', { state: 'blocked', reason: 'locked', remedy: 'Pay.' }],
    ]);
    expect(planOf({ targets: ['Box/shop/Rule/a'] }).actions.map(({ address }) => address)).toEqual(['Box/shop/Rule/a']);
    expect(planOf({ observed: blockedRules, targets: ['Box/shop/Rule/a'] }).blocked).toHaveLength(1);
    expect(planOf({ observed: blockedRules, targets: ['Box/shop/Rule'] }).blocked).toHaveLength(1);
    expect(planOf({ observed: blockedRules, targets: ['Box/shop'] }).blocked).toHaveLength(1);
    expect(planOf({ observed: blockedRules, targets: ['Box/other'] }).blocked).toHaveLength(0);
  });

  it('sorts blockers and unmanaged objects by address', () => {
    const assets = new Map([...toyRegistry, ['Rule', { ...rule, list: 'additive' as const }]]);
    const observed = new Map<string, Collection>([
      ['Box', live(box)],
      ['Box/a/Rule', live(rule, { name: 'z' }, { name: 'y' })],
      ['Box/b/Rule', live(rule, { name: 'x' })],
      ['Box/d/Rule', { state: 'blocked', reason: 'b', remedy: '' }],
      ['Box/c/Rule', { state: 'blocked', reason: 'b', remedy: '' }],
    ]);
    const bound = new Map(['a', 'b', 'c', 'd'].map((name) => [`Box/${name}`, shop]));
    const plan = planOf({
      registry: assets,
      observed,
      bound,
      declared: ['d', 'c', 'b', 'a'].map((name) => wantMembers(rule, `Box/${name}`, [])),
    });
    expect(plan.blocked.map(({ address }) => address)).toEqual(['Box/c/Rule', 'Box/d/Rule']);
    expect(plan.unmanaged.map(({ collection, identity }) => `${collection} ${identity}`)).toEqual([
      'Box/a/Rule y',
      'Box/a/Rule z',
      'Box/b/Rule x',
    ]);
  });

  it('gives the same bytes whatever the order of the input', () => {
    const shuffled = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 5 });
    const build = (order: readonly string[]): string => {
      const declared = [
        wantRoots(box, [wantRoot(box, 'shop')]),
        wantMembers(
          rule,
          'Box/shop',
          order.map((name) => ({ name, size: 1 })),
          { sourceOf: () => undefined },
        ),
      ];
      const stripped = {
        ...declared[1],
        members: declared[1]?.members.map((desired) => ({ ...desired, sourceOf: () => undefined })),
      } as PlanInput['declared'][number];
      return JSON.stringify(planOf({ declared: [declared[0] as PlanInput['declared'][number], stripped] }));
    };
    const expected = build(['a', 'b', 'c', 'd', 'e']);
    fc.assert(
      fc.property(shuffled, (order) => {
        expect(build(order)).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('names a plan for single use: another ledger sequence is another id, with the same digest', () => {
    const first = planOf();
    const second = planOf({ ledger: { ...MISSING_LEDGER, sequence: 7 } });
    expect(second.planId).not.toBe(first.planId);
    expect(second.digest).toBe(first.digest);
  });

  it('has digests that no id, position or order enters where a natural key says which object is meant', () => {
    const keyed = (declared: readonly DesiredCollection[]): readonly DesiredCollection[] =>
      declared.map((one) => ({ ...one, members: one.members.map((desired) => ({ ...desired, keys: [['a.nl']] })) }));
    const first = planOf({ declared: keyed(input().declared) });
    const elsewhere = planOf({
      bound: new Map([['Box/shop', { ...shop, id: 'another-id' }]]),
      declared: keyed(input().declared).map((declared) => ({
        ...declared,
        members: declared.members.map((desired) => ({
          ...desired,
          sourceOf: () => ({ file: 'moved.yaml', line: 99, column: 1 }),
        })),
      })),
    });
    expect(elsewhere.actions.map(({ digest }) => digest)).toEqual(first.actions.map(({ digest }) => digest));
    expect(elsewhere.actions[0]?.source).not.toEqual(first.actions[0]?.source);
  });

  it('has digests that cover the live root where no natural key says which one is meant', () => {
    const first = planOf();
    const elsewhere = planOf({ bound: new Map([['Box/shop', { ...shop, id: 'another-id' }]]) });
    expect(elsewhere.actions.map(({ address }) => address)).toEqual(first.actions.map(({ address }) => address));
    const digests = new Set(first.actions.map(({ digest }) => digest));
    expect(elsewhere.actions.filter(({ digest }) => digests.has(digest))).toEqual([]);
    expect(first.actions.every(({ expect: { identity } }) => identity?.id === shop.id)).toBe(true);
  });
});

it('the same action has another digest in another account, so an approval of one is none of the other', () => {
  const [one, other] = [planOf(), planOf({ account: 'acc-other' })];
  expect(other.actions.map(({ address }) => address)).toEqual(one.actions.map(({ address }) => address));
  expect(one.actions.length).toBeGreaterThan(0);
  const digests = new Set(one.actions.map(({ digest }) => digest));
  expect(other.actions.filter(({ digest }) => digests.has(digest))).toEqual([]);
});

describe('verifyPlan', () => {
  it('accepts a plan that went through JSON', () => {
    expect(verifyPlan(JSON.parse(JSON.stringify(planOf())) as Plan)).toEqual([]);
  });

  it('finds an action that was changed, and one that was taken out', () => {
    const plan = planOf();
    const forged = {
      ...plan,
      actions: plan.actions.map((action, index) => (index === 0 ? { ...action, changes: [] } : action)),
    };
    expect(verifyPlan(forged)).toEqual([expect.objectContaining({ code: 'HW2101', address: 'Box/shop/Rule/a' })]);
    // What guards go by is in the digest: a review approves it too.
    for (const edit of [
      { risk: ['charge' as const] },
      { cost: { amountCents: 1, currency: 'EUR' } },
      { protected: true },
    ]) {
      expect(verifyPlan({ ...plan, actions: plan.actions.map((action) => ({ ...action, ...edit })) })[0]).toMatchObject(
        { code: 'HW2101' },
      );
    }
    expect(verifyPlan({ ...plan, actions: plan.actions.slice(1) })).toEqual([
      expect.not.objectContaining({ address: expect.anything() as string }),
    ]);
    expect(verifyPlan({ ...plan, bindings: { ...plan.bindings, 'Box/shop': 'another-box' } })).toEqual([
      expect.objectContaining({ code: 'HW2101', detail: containing('id of the plan') }),
    ]);
    expect(verifyPlan({ ...plan, actions: plan.actions.map((action) => ({ ...action, needs: [] })) })).toHaveLength(1);
  });
});
