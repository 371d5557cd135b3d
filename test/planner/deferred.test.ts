// What rests on another object: planned in the same run where this plan makes that so, blocked where nothing does, left
// alone where it is wanted off.
import { describe, expect, it } from 'vitest';
import { updateAction } from '../../src/planner/action.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import { listAt } from '../../src/model/json.ts';
import type { Collection, Kind, Unread } from '../../src/model/kind/kind.ts';
import { defineChild, updatable } from '../../src/model/kind/kind.ts';
import { isSectionDeclared } from '../../src/model/kind/section.ts';
import { rowsAt, ShapeError } from '../../src/model/kind/rows.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import { live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { box, rule } from '../support/toy-kinds.ts';

const lid = defineChild<{ readonly open: boolean }>({
  kind: 'Lid',
  parent: 'Box',
  list: 'singleton',
  section: { fields: ['lid/open'], expand: () => [] },
  fields: { open: updatable() },
  decode: () => [],
  update: {
    turn: {
      writes: ['open'],
      risk: ({ open }, observed) => (open === false && observed !== null ? ['exposure'] : []),
      last: ({ open }) => open === false,
      steps: () => [],
    },
  },
});
const inside: Kind = { ...rule, capabilities: { dependsOn: { kind: 'Lid', field: 'open' } } };

function plan(rules: Collection, wanted: readonly DesiredCollection[], boxName = 'Shop') {
  const { plan: made } = makePlan({
    account: 'acc-1',
    registry: new Map<string, Kind>([
      ['Box', box],
      ['Lid', lid],
      ['Rule', inside],
    ]),
    ledger: MISSING_LEDGER,
    targets: [],
    notices: [],
    declared: [
      wantRoots(box, [wantRoot(box, 'shop', { name: boxName })]),
      ...wanted,
      wantMembers(inside, 'Box/shop', [{ name: 'a', size: 1 }]),
    ],
    observed: new Map<string, Collection>([
      ['Box', live(box, { name: 'Shop' })],
      ['Box/shop/Lid', live(lid, { open: false })],
      ['Box/shop/Rule', rules],
    ]),
    bound: new Map([['Box/shop', member(box, 'box-1', { name: 'Shop' })]]),
  });
  if (made === undefined) throw new Error('no plan');
  return made;
}

const closed: Unread = {
  state: 'deferred',
  until: { kind: 'Lid', field: 'open' },
  reason: 'the lid is closed',
  remedy: 'Open it.',
};
const lidIs = (open: boolean): DesiredCollection => wantMembers(lid, 'Box/shop', [{ open }]);

describe('what can be read only when another object is so', () => {
  it('is deferred until the action that makes it so', () => {
    expect(plan(closed, [lidIs(true)])).toMatchObject({
      actions: [{ address: 'Box/shop/Lid' }],
      blocked: [],
      deferred: [
        {
          address: 'Box/shop/Rule',
          until: 'Box/shop/Lid',
          reason: 'the lid is closed, and nothing of it can be read before',
        },
      ],
    });
  });

  it('may wait for the object around it too', () => {
    const unnamed: Unread = { ...closed, until: { kind: 'Box', field: 'name' }, rule: 'TOY-01' };
    expect(plan(unnamed, [], 'New').deferred).toMatchObject([{ until: 'Box/shop' }]);
    expect(plan(unnamed, [])).toMatchObject({ deferred: [], blocked: [{ address: 'Box/shop/Rule', rule: 'TOY-01' }] });
  });

  it('is blocked where nothing in the plan makes it so', () => {
    expect(plan(closed, [])).toMatchObject({
      actions: [],
      deferred: [],
      blocked: [{ address: 'Box/shop/Rule', reason: 'the lid is closed', remedy: 'Open it.' }],
    });
  });

  it('is not asked for where the manifest wants the other off, but for what is to go first', () => {
    expect(plan(closed, [lidIs(false)])).toMatchObject({ actions: [], deferred: [], blocked: [] });
    expect(
      plan(live(inside, { name: 'a', size: 9 }, { name: 'z', size: 1 }), [lidIs(false)]).actions.map(
        ({ verb, address }) => `${verb} ${address}`,
      ),
    ).toEqual(['delete Box/shop/Rule/z']);
  });
});

describe('a write that takes away what others rest on', () => {
  it('comes when no change is left to do, with its own risk', () => {
    const context = {
      address: 'Box/shop/Lid',
      parent: 'Box/shop',
      protect: false,
      members: [],
      sourceOf: () => undefined,
    };
    expect(updateAction(lid, { open: false }, { spec: { open: true }, computed: {} }, context)).toMatchObject({
      stage: 'removal',
      risk: ['exposure'],
    });
    expect(updateAction(lid, { open: true }, { spec: { open: false }, computed: {} }, context)).toMatchObject({
      stage: 'change',
      risk: [],
    });
  });
});

describe('places', () => {
  it('a list is found at the first place that has one', () => {
    expect([
      listAt([1], ''),
      listAt({ a: [1], b: [2] }, ['', '/b', '/a']),
      listAt({ x: [3] }, ['/a', '*']),
      listAt({ a: 1 }, ['/a', '*']),
    ]).toEqual([[1], [2], [3], undefined]);
    expect(() => rowsAt({ a: 1 }, ['/a'])).toThrow(ShapeError);
  });

  it('a section may stand below a field', () => {
    expect([
      isSectionDeclared(lid, { lid: { open: false } }),
      isSectionDeclared(lid, { lid: {} }),
      isSectionDeclared(lid, {}),
    ]).toEqual([true, false, false]);
  });
});
