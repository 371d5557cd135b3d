import { describe, expect, it } from 'vitest';
import { orderActions } from '../../src/planner/order.ts';
import { selectTargets } from '../../src/planner/targets.ts';
import type { UnorderedAction } from '../../src/model/plan/plan.ts';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import { registry } from '../../src/areas/index.ts';
import type { OrderRule } from '../../src/model/kind/kind.ts';
import { toyRegistry } from '../support/toy-kinds.ts';
import { anAction } from '../support/actions.ts';

const action = (
  address: string,
  kind: string,
  verb: UnorderedAction['verb'],
  changes: UnorderedAction['changes'] = [],
): UnorderedAction => anAction({ address, kind, verb, changes });

const primary = [{ op: 'add', path: '/primary', value: true }] as const;
const needsOf = (actions: readonly ReturnType<typeof orderActions>[number][]) =>
  Object.fromEntries(
    actions.map(({ address, needs }) => [address, needs.map(({ address: at, rule }) => `${at} ${rule}`)]),
  );

describe('orderActions', () => {
  it('O-11: attaches the wanted primary first on an empty site', () => {
    const actions = [
      action('Site/a/SiteDomain/a.nl', 'SiteDomain', 'create'),
      action('Site/a/SiteDomain/z.nl', 'SiteDomain', 'create', primary),
    ];
    const ordered = orderActions(actions, registry, new Map());
    expect(ordered.map(({ address }) => address)).toEqual(['Site/a/SiteDomain/z.nl', 'Site/a/SiteDomain/a.nl']);
    expect(needsOf(ordered)['Site/a/SiteDomain/a.nl']).toEqual(['Site/a/SiteDomain/z.nl O-11']);
    // A site that has domains has a primary already.
    expect(
      needsOf(orderActions(actions, registry, new Map([['Site/a/SiteDomain', 1]])))['Site/a/SiteDomain/a.nl'],
    ).toEqual([]);
  });

  it('O-13: promotes the new primary before it deletes the old one', () => {
    const ordered = orderActions(
      [
        action('Site/a/SiteDomain/old.nl', 'SiteDomain', 'delete'),
        action('Site/a/SiteDomain/new.nl', 'SiteDomain', 'update', primary),
      ],
      registry,
      new Map(),
    );
    expect(needsOf(ordered)['Site/a/SiteDomain/old.nl']).toEqual(['Site/a/SiteDomain/new.nl O-13']);
  });

  it('O-18: attaches domains before caching settings of the same site only', () => {
    const ordered = orderActions(
      [
        action('Site/a/Caching', 'Caching', 'update'),
        action('Site/b/SiteDomain/b.nl', 'SiteDomain', 'create'),
        action('Site/a/SiteDomain/a.nl', 'SiteDomain', 'create'),
      ],
      registry,
      new Map(),
    );
    expect(needsOf(ordered)).toEqual({
      'Site/a/SiteDomain/a.nl': [],
      'Site/a/Caching': ['Site/a/SiteDomain/a.nl O-18'],
      'Site/b/SiteDomain/b.nl': [],
    });
    expect(ordered.map(({ address }) => address)).toEqual([
      'Site/a/SiteDomain/a.nl',
      'Site/a/Caching',
      'Site/b/SiteDomain/b.nl',
    ]);
  });

  it('O-70: removes last, and only after every change of the same root', () => {
    const ordered = orderActions(
      [
        action('Site/a/SiteDomain/a.nl', 'SiteDomain', 'delete'),
        action('Site/b/Caching', 'Caching', 'update'),
        action('Site/a/Caching', 'Caching', 'update'),
      ],
      registry,
      new Map(),
    );
    expect(ordered.map(({ address }) => address)).toEqual([
      'Site/a/Caching',
      'Site/b/Caching',
      'Site/a/SiteDomain/a.nl',
    ]);
    expect(needsOf(ordered)['Site/a/SiteDomain/a.nl']).toEqual(['Site/a/Caching O-70']);
  });

  it('keeps rules within a parent inside it, and never lets an action need itself', () => {
    const red = [{ op: 'add', path: '/colour', value: 'red' }] as const;
    const ordered = orderActions(
      [
        action('Box/1/Rule/a', 'Rule', 'create', red),
        action('Box/1/Rule/b', 'Rule', 'create'),
        action('Box/2/Rule/c', 'Rule', 'create'),
        action('Box/1', 'Box', 'update', red),
      ],
      toyRegistry,
      new Map(),
    );
    expect(needsOf(ordered)).toEqual({
      'Box/1': [],
      'Box/1/Rule/a': ['Box/1 TOY-03'],
      'Box/1/Rule/b': ['Box/1/Rule/a TOY-02', 'Box/1 TOY-03'],
      'Box/2/Rule/c': [],
    });
  });

  it('gives the same order whatever the order of the input', () => {
    const actions = ['d', 'a', 'c', 'b'].map((name) => action(`Site/${name}/Caching`, 'Caching', 'update'));
    expect(orderActions(actions, registry, new Map())).toEqual(
      orderActions([...actions].reverse(), registry, new Map()),
    );
  });

  it('calls a circle of rules our own bug', () => {
    const circle: OrderRule = { rule: 'X', reason: 'x', within: 'parent', before: () => true, after: () => true };
    const circular = new Map([['Caching', { ...caching, order: [circle] }]]);
    expect(() =>
      orderActions(
        [action('Site/a/Caching', 'Caching', 'update'), action('Site/a/Other', 'Caching', 'update')],
        circular,
        new Map(),
      ),
    ).toThrow('bug in hostwright: ordering rules form a circle');
  });
});

describe('selectTargets', () => {
  const ordered = orderActions(
    [
      action('Site/a/SiteDomain/a.nl', 'SiteDomain', 'create'),
      action('Site/a/Caching', 'Caching', 'update'),
      action('Site/ab/Caching', 'Caching', 'update'),
    ],
    registry,
    new Map(),
  );
  const select = (...targets: readonly string[]) => selectTargets(ordered, targets).map(({ address }) => address);

  it('keeps everything without a target', () => {
    expect(select()).toHaveLength(3);
  });

  it('keeps the target, what is in it, and what it needs', () => {
    expect(select('Site/a/Caching')).toEqual(['Site/a/SiteDomain/a.nl', 'Site/a/Caching']);
    expect(select('Site/a')).toEqual(['Site/a/SiteDomain/a.nl', 'Site/a/Caching']);
    expect(select('Site/ab')).toEqual(['Site/ab/Caching']);
    expect(select('Site/none')).toEqual([]);
  });

  it('keeps a shared need once', () => {
    expect(select('Site/a/Caching', 'Site/a/SiteDomain/a.nl')).toEqual(['Site/a/SiteDomain/a.nl', 'Site/a/Caching']);
  });

  it('leaves out a need that has no action any more', () => {
    const partial = ordered.filter(({ address }) => address !== 'Site/a/SiteDomain/a.nl');
    expect(selectTargets(partial, ['Site/a/Caching']).map(({ address }) => address)).toEqual(['Site/a/Caching']);
  });
});
