// What is made one in a run, and what is not made while there is no place for what its answer tells only once.
import { describe, expect, it } from 'vitest';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { registry } from '../../src/areas/index.ts';
import { user } from '../../src/areas/user/kinds/index.ts';
import type { Collection } from '../../src/model/kind/kind.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { ledgerOf, live, wantRoot, wantRoots } from '../support/desired.ts';
import { begunOf } from '../support/actions.ts';

const wanted = (name: string) =>
  wantRoot(user, name, { email: `${name}@a.example`, fname: 'A', lname: 'B', credentialsTo: { file: `${name}.json` } });

function planOf(names: readonly string[], extra: Partial<PlanInput> = {}): Plan {
  const { plan, diagnostics } = makePlan({
    account: 'acc',
    registry,
    declared: [wantRoots(user, names.map(wanted))],
    observed: new Map<string, Collection>([['User', live(user)]]),
    bound: new Map(),
    ledger: ledgerOf(),
    targets: [],
    notices: [],
    ...extra,
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

const addresses = (list: readonly { readonly address: string }[]) => list.map(({ address }) => address);

describe('one by one', () => {
  it('GAP-56: the first by address is made, whatever the order of the input; the others wait', () => {
    for (const names of [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ]) {
      const plan = planOf(names);
      expect([addresses(plan.actions), addresses(plan.waiting)]).toEqual([['User/a'], ['User/b', 'User/c']]);
    }
  });

  it('GAP-56: of those that are targets', () => {
    const plan = planOf(['a', 'b', 'c'], { targets: ['User/b', 'User/c'] });
    expect([addresses(plan.actions), addresses(plan.waiting)]).toEqual([['User/b'], ['User/c']]);
  });

  it('GAP-56: none while one is in flight, which is told once', () => {
    const [making] = planOf(['a']).actions;
    const inFlight =
      making === undefined ? [] : [{ runId: 'r', action: begunOf(making), answered: {}, known: {}, effects: [] }];
    const plan = planOf(['a', 'b'], { ledger: { ...ledgerOf(), inFlight } });
    expect([plan.actions, addresses(plan.waiting).sort()]).toEqual([[], ['User/a', 'User/b']]);
  });
});

describe('a place for what is told once', () => {
  it('USR-03: that cannot be used blocks that object, and gives its turn to the next', () => {
    const plan = planOf(['a', 'b'], {
      unwritableSecrets: new Map([
        ['User/a', { reason: 'is there already, and is not overwritten', remedy: 'Move it.' }],
      ]),
    });
    expect([addresses(plan.actions), plan.blocked]).toMatchObject([
      ['User/b'],
      [
        {
          address: 'User/a',
          rule: 'USR-03',
          reason: 'what is told only once would go to a.json, which is there already, and is not overwritten',
        },
      ],
    ]);
  });

  it('of another object says nothing of this one', () => {
    expect(
      planOf(['a'], { unwritableSecrets: new Map([['User/z', { reason: 'is there', remedy: 'Move it.' }]]) }).blocked,
    ).toEqual([]);
  });
});
